// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Enumerates the schedules of each protocol between blocks, and prints how many classes there are. Exit 0 if every
//! execution had the right results, 1 if one had not, 2 for bad usage.
#include "protocol.hpp"

#include "../../support/faults.hpp"

#include <reheat/emulator.h>

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <string>

namespace
{

struct options
{
  std::string protocol, fault;
  unsigned blocks = 2, tiles = 4;
  std::uint64_t executions = 0;
};

//! Returns what was found.
std::string enumerate(const enumeration::protocol& which, const options& wanted)
{
  const auto begin = std::chrono::steady_clock::now();
  reheat::emulator::properties device;
  device.multiprocessors = static_cast<int>(wanted.blocks);
  device.blocks_per_multiprocessor = 1;
  reheat::emulator::set_device_properties(device);
  reheat::emulator::enumeration_plan plan = which.plan;
  if (wanted.executions != 0)
  {
    plan.max_executions = wanted.executions;
  }
  const reheat::emulator::enumeration done =
      reheat::emulator::enumerate(plan, which.prepare({wanted.blocks, wanted.tiles}));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%-24s%7u%7u%8u%12llu%10llu%12llu%11llu%9.1f%s\n", which.name, wanted.blocks, wanted.tiles, done.actors,
              static_cast<unsigned long long>(done.operations), static_cast<unsigned long long>(done.classes),
              static_cast<unsigned long long>(done.executions), static_cast<unsigned long long>(done.abandoned),
              seconds.count(), done.complete ? "" : "  bounded");
  std::fflush(stdout);
  return done.found;
}

} // namespace

int main(int argc, char* argv[])
{
  options wanted;
  CLI::App app("Every schedule of the protocols between blocks, on the emulator");
  app.add_option("--protocol", wanted.protocol, "this one only");
  app.add_option("--fault", wanted.fault, "switch this protocol fault on")
      ->check([](const std::string& name)
              { return compat::find_fault(name.c_str()) != nullptr ? std::string() : "there is no fault " + name; });
  app.add_option("--blocks", wanted.blocks, "resident at a time")->capture_default_str();
  app.add_option("--tiles", wanted.tiles, "of a call")->capture_default_str();
  app.add_option("--executions", wanted.executions, "of a protocol, at most");
  CLI11_PARSE(app, argc, argv);
  if (!wanted.fault.empty())
  {
    reheat::simt::active_fault = compat::find_fault(wanted.fault.c_str())->value;
  }
  std::printf("%-24s%7s%7s%8s%12s%10s%12s%11s%9s\n", "protocol", "blocks", "tiles", "actors", "operations", "classes",
              "executions", "abandoned", "seconds");
  int status = 0;
  for (const enumeration::protocol& each : enumeration::protocols())
  {
    if (!wanted.protocol.empty() && wanted.protocol != each.name)
    {
      continue;
    }
    const std::string found = enumerate(each, wanted);
    if (!found.empty())
    {
      std::printf("%s: %s\n", each.name, found.c_str());
      status = 1;
    }
  }
  return status;
}
