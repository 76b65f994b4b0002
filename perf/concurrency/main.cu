// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-concurrency: scans of i32 beside CUB's where they are not alone. Between a producer and a consumer of the same
//! data; while another stream re-reads a buffer that lives in the L2 cache; and while small kernels of high priority arrive.
//! With scans that leave others more room, to see what that costs.
#include "common/device.hpp"
#include "common/program.hpp"
#include "concurrency/bench.cuh"
#include "concurrency/calls.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf::concurrency
{
namespace
{

//! What is interleaved.
struct group
{
  std::vector<std::string> names;
  std::function<json(bench&)> measure;
};

group group_of(std::string prefix, std::size_t count, std::function<json(bench&)> measure)
{
  group made{{}, std::move(measure)};
  for (std::size_t i = 0; i < count; ++i)
  {
    made.names.push_back(prefix + implementations()[i].name);
  }
  return made;
}

std::vector<group> all_groups()
{
  const std::size_t all = implementations().size();
  std::vector<group> made;
  for (std::uint64_t items = 1 << 18; items <= 1 << 28; items *= 2)
  {
    made.push_back(group_of(prefix_of("chain", items), chained, [=](bench& shared) { return shared.chain(items); }));
  }
  for (const bool urgent : {false, true})
  {
    for (std::uint64_t items = 1 << 26; items <= max_items; items *= 4)
    {
      made.push_back(group_of(prefix_of(urgent ? "bystander_urgent" : "bystander", items), all,
                              [=](bench& shared) { return shared.bystander(items, urgent); }));
    }
  }
  for (const probe& each : probes)
  {
    const std::string prefix = prefix_of("latency", max_items) + each.name + '/';
    made.push_back(group_of(prefix, all, [&each](bench& shared) { return shared.latency(max_items, each); }));
    made.back().names.push_back(prefix + "idle");
  }
  return made;
}

std::vector<group> matching(std::vector<group> all, const std::string& filter)
{
  std::regex wanted;
  try
  {
    wanted = std::regex(filter);
  }
  catch (const std::regex_error&)
  {
    throw std::runtime_error('"' + filter + "\" is no regular expression");
  }
  const auto misses = [&](const group& each)
  {
    return std::none_of(each.names.begin(), each.names.end(),
                        [&](const std::string& name) { return std::regex_search(name, wanted); });
  };
  all.erase(std::remove_if(all.begin(), all.end(), misses), all.end());
  if (all.empty())
  {
    throw std::runtime_error("no benchmark's name matches \"" + filter + "\"; --list prints them all");
  }
  return all;
}

void print(const json& entry)
{
  std::printf("%-50s", entry["name"].get<std::string>().c_str());
  for (const auto& [key, value] : entry.items())
  {
    if (value.is_number_float())
    {
      std::printf("  %s %.2f", key.c_str(), value.get<double>());
    }
  }
  std::printf("\n");
  std::fflush(stdout);
}

int measure(const std::vector<group>& groups, const std::string& path, const std::string& filter)
{
  const device gpu;
#if !defined(__OPTIMIZE__)
  throw std::runtime_error("this is a debug build, its times mean nothing; build it with optimisation");
#endif
  std::ofstream file;
  if (!path.empty())
  {
    file.open(path);
    if (!file)
    {
      throw std::runtime_error("writing " + path + " failed: is there such a folder, and may it be written?");
    }
  }
  const std::string filtered = filter.empty() ? "" : " --filter '" + filter + "'";
  json results = {{"context",
                   {{"gpu", gpu.name()},
                    {"driver", gpu.driver()},
                    {"cuda", gpu.runtime()},
                    {"cccl", cccl_version()},
                    {"command", "reheat-concurrency --json " + path.substr(path.rfind('/') + 1) + filtered}}},
                  {"benchmarks", json::array()}};
  std::printf("%s\n", gpu.name().c_str());
  bench shared(gpu);
  for (const group& each : groups)
  {
    for (json& entry : each.measure(shared))
    {
      print(entry);
      results["benchmarks"].push_back(std::move(entry));
    }
  }
  if (file.is_open())
  {
    file << results.dump(1) << '\n';
    if (!file.flush())
    {
      throw std::runtime_error("writing " + path + " failed: is there room?");
    }
  }
  return 0;
}

int start(CLI::App& app, int argc, char** argv)
{
  std::string path, filter;
  bool list = false;
  app.description("Measures scans that share the GPU with others, beside CUB's. perf/README.md tells what the rows are.");
  app.add_option("--json", path, "Write the results to this file");
  app.add_option("--filter", filter, "Only what has a name with a match of this regular expression, and what is beside it");
  app.add_flag("--list", list, "Print the names, measure nothing");
  app.parse(argc, argv);
  const std::vector<group> groups = matching(all_groups(), filter);
  if (!list)
  {
    return measure(groups, path, filter);
  }
  for (const group& each : groups)
  {
    for (const std::string& name : each.names)
    {
      std::puts(name.c_str());
    }
  }
  return 0;
}

} // namespace
} // namespace perf::concurrency

int main(int argc, char** argv)
{
  return perf::run_program("reheat-concurrency", perf::concurrency::start, argc, argv);
}
