// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Enumerates the schedules of each protocol between blocks, and prints how many classes there are. Exit 0 if every
//! execution had the right results, and none was left out that nobody wanted to; 1 if not, 2 for bad usage.
#include "protocol.hpp"

#include "../../support/faults.hpp"

#include <reheat/emulator.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace
{

struct options
{
  std::string protocol, fault, page;
  unsigned blocks = 2, tiles = 4;
  std::uint64_t executions = 0;
  std::uint64_t rules = 0;
  bool mutants = false;
};

//! Prints a row.
reheat::emulator::enumeration enumerate(const enumeration::protocol& which, const options& wanted, const char* fault,
                                        std::uint64_t rule = 0)
{
  const std::clock_t begin = std::clock();
  constexpr unsigned fixed_blocks = 16; // of launches with as many whatever the size, at most
  const unsigned blocks = which.blocks == enumeration::blocks_are::tiles   ? wanted.tiles
                          : which.blocks == enumeration::blocks_are::fixed ? fixed_blocks
                                                                           : wanted.blocks;
  reheat::emulator::properties device;
  device.multiprocessors = static_cast<int>(blocks);
  device.blocks_per_multiprocessor = 1;
  reheat::emulator::set_device_properties(device);
  reheat::emulator::enumeration_plan plan = which.plan;
  plan.rule = rule;
  if (wanted.executions != 0)
  {
    plan.max_executions = wanted.executions;
  }
  const reheat::emulator::enumeration done = reheat::emulator::enumerate(plan, which.prepare({blocks, wanted.tiles}));
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; // of a CPU
  std::printf("%-24s%6u%6u%7u%11llu%10llu%11llu%10llu%8.1f%s%s\n", which.name, blocks, wanted.tiles, done.actors,
              static_cast<unsigned long long>(done.operations), static_cast<unsigned long long>(done.classes),
              static_cast<unsigned long long>(done.executions), static_cast<unsigned long long>(done.abandoned), seconds,
              done.complete ? "  " : "  bounded ", fault);
  std::fflush(stdout);
  return done;
}

//! What a row of the page says of a protocol: actors, operations, classes, executions and those abandoned.
std::string text_of(const reheat::emulator::enumeration& done)
{
  std::ostringstream text;
  text << done.actors << ' ' << done.operations << ' ' << done.classes << (done.complete ? "" : "(bounded)") << ' '
       << done.executions << ' ' << done.abandoned;
  return text.str();
}
//! The same of each protocol, from the rows of the table of a page. They begin with the protocol's name as code.
std::map<std::string, std::string> rows_of(const std::string& page)
{
  std::map<std::string, std::string> rows;
  std::ifstream file(page);
  for (std::string line; std::getline(file, line);)
  {
    std::vector<std::string> cells;
    std::istringstream rest(line);
    for (std::string cell; std::getline(rest, cell, '|');)
    {
      cell.erase(std::remove_if(cell.begin(), cell.end(), [](unsigned char c) { return std::isspace(c) != 0; }), cell.end());
      cells.push_back(cell);
    }
    if (cells.size() == 10 && cells[1].size() > 2 && cells[1].front() == '`')
    {
      rows[cells[1].substr(1, cells[1].size() - 2)] =
          cells[4] + ' ' + cells[5] + ' ' + cells[6] + ' ' + cells[7] + ' ' + cells[8];
    }
  }
  return rows;
}

//! Returns whether all results were right.
bool all_are_right(const enumeration::protocol& which, const options& wanted, const std::map<std::string, std::string>& rows)
{
  const reheat::emulator::enumeration done = enumerate(which, wanted, wanted.fault.c_str());
  if (!done.found.empty())
  {
    std::printf("%s, in execution %llu: %s\n", which.name, static_cast<unsigned long long>(done.executions + done.abandoned),
                done.found.c_str());
  }
  bool are = done.found.empty();
  if (are && done.operations == 0)
  {
    std::printf("%s: its blocks do not communicate: %u tiles are too few\n", which.name, wanted.tiles);
    are = false;
  }
  if (are && !done.complete && !which.is_bounded && wanted.executions == 0)
  {
    std::printf("%s: executions were left out, although the protocol is said to be enumerated to the end\n", which.name);
    are = false;
  }
  if (const auto row = rows.find(which.name); !wanted.page.empty() && (row == rows.end() || row->second != text_of(done)))
  {
    std::printf("%s: %s has \"%s\" and not \"%s\" (actors, operations, classes, executions, abandoned): correct the row if "
                "the protocol has changed\n",
                which.name, wanted.page.c_str(), row == rows.end() ? "" : row->second.c_str(), text_of(done).c_str());
    are = false;
  }
  for (std::uint64_t rule = 1; rule <= (which.has_one_rule ? 0 : wanted.rules); ++rule)
  {
    const reheat::emulator::enumeration other = enumerate(which, wanted, wanted.fault.c_str(), rule);
    if (other.classes != done.classes || other.complete != done.complete || !other.found.empty())
    {
      std::printf("%s: under rule %llu there are other classes: %s\n", which.name, static_cast<unsigned long long>(rule),
                  other.found.c_str());
      are = false;
    }
  }
  return are;
}

//! Returns whether each of the protocol's faults is found.
bool faults_are_found(const enumeration::protocol& which, const options& wanted)
{
  std::istringstream names(which.faults);
  bool found = true;
  for (std::string name; names >> name;)
  {
    reheat::simt::active_fault = compat::find_fault(name.c_str())->value;
    if (enumerate(which, wanted, name.c_str()).found.empty())
    {
      std::printf("%s: %s survives\n", which.name, name.c_str());
      found = false;
    }
    reheat::simt::active_fault = reheat::simt::fault::none;
  }
  return found;
}

} // namespace

int main(int argc, char* argv[])
{
  options wanted;
  CLI::App app("Every schedule of the protocols between blocks, on the emulator");
  app.add_option("--protocol", wanted.protocol, "this one only");
  app.add_option("--blocks", wanted.blocks, "of launches that have as many as are resident")->capture_default_str();
  app.add_option("--tiles", wanted.tiles, "of a call; a block each, in the other launches")->capture_default_str();
  app.add_option("--executions", wanted.executions, "of a protocol, at most");
  app.add_option("--page", wanted.page, "fail unless this page's table has what is found, of these protocols and no others")
      ->check(CLI::ExistingFile);
  app.add_option("--rules", wanted.rules,
                 "enumerate again under so many random rules, and fail unless the classes are as many");
  app.add_option("--fault", wanted.fault, "switch this protocol fault on")
      ->check([](const std::string& name)
              { return compat::find_fault(name.c_str()) != nullptr ? std::string() : "there is no fault " + name; });
  app.add_flag("--mutants", wanted.mutants, "switch each protocol's faults on, and fail if one is not found");
  try
  {
    app.parse(argc, argv);
  }
  catch (const CLI::ParseError& error)
  {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (!wanted.fault.empty())
  {
    reheat::simt::active_fault = compat::find_fault(wanted.fault.c_str())->value;
  }
  std::printf("%-24s%6s%6s%7s%11s%10s%11s%10s%8s\n", "protocol", "blocks", "tiles", "actors", "operations", "classes",
              "executions", "abandoned", "seconds");
  std::map<std::string, std::string> rows = rows_of(wanted.page);
  bool any = false, all = true;
  for (const enumeration::protocol& each : enumeration::protocols())
  {
    if (wanted.protocol.empty() || wanted.protocol == each.name)
    {
      any = true;
      all = (wanted.mutants ? faults_are_found(each, wanted) : all_are_right(each, wanted, rows)) && all;
    }
    rows.erase(each.name);
  }
  for (const auto& row : rows)
  {
    std::printf("%s has a row of %s, which is no protocol\n", wanted.page.c_str(), row.first.c_str());
    all = false;
  }
  if (!any)
  {
    std::fprintf(stderr, "there is no protocol %s\n", wanted.protocol.c_str());
  }
  return !any ? 2 : all ? 0 : 1;
}
