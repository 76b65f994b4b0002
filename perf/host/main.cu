// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-host: what calls cost the host, beside an empty kernel's launch and Thrust's calls. Calls that a stream has seen
//! before, first calls, calls whose scratch memory grows, captured ones, and calls on many streams in turn.
#include "common/device.hpp"
#include "common/program.hpp"
#include "host/bench.hpp"

#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf::host
{
namespace
{

using nlohmann::json;

struct options
{
  std::string path, filter;
  bool list = false, quick = false;

  std::string command() const
  {
    return "reheat-host --json " + path.substr(path.rfind('/') + 1) + (quick ? " --quick" : "") +
           (filter.empty() ? "" : " --filter '" + filter + "'");
  }
};

//! What is interleaved.
struct group
{
  std::vector<row> rows; //!< names alone
  std::function<std::vector<row>(bench&)> measure;
};

std::vector<group> all_groups()
{
  std::vector<group> all;
  const std::pair<const char*, algorithm> algorithms[] = {
      {"reduce", algorithm::reduce}, {"inclusive_scan", algorithm::inclusive_scan}, {"reduce_into", algorithm::reduce_into}};
  for (const auto& [name, what] : algorithms)
  {
    for (const std::uint64_t items : {1000, 1000000})
    {
      const std::string prefix = std::string("steady/") + name + "/i32/" + std::to_string(items) + '/';
      all.push_back({bench::rows_of(prefix, implementations_for(what).size(), what),
                     [prefix, what = what, items](bench& shared) { return shared.steady(prefix, what, items); }});
    }
  }
  for (const bool kept : {true, false})
  {
    const std::string prefix = kept ? "first/streams_kept/" : "first/streams_destroyed/";
    all.push_back({bench::rows_of(prefix, for_many_streams), [=](bench& shared) { return shared.first(prefix, kept); }});
  }
  for (const bool beside : {false, true})
  {
    const std::string prefix = beside ? "growing/beside_a_kernel/" : "growing/alone/";
    all.push_back({bench::rows_of(prefix, for_many_streams), [=](bench& shared) { return shared.growing(prefix, beside); }});
  }
  all.push_back({bench::captured_rows("captured/"), [](bench& shared) { return shared.captured("captured/"); }});
  for (const std::size_t streams : {1, 8, 64, 65, 66, 128, 256, 512, 1000})
  {
    const std::string prefix = "in_turn/" + std::to_string(streams) + '/';
    all.push_back(
        {bench::rows_of(prefix, for_many_streams), [=](bench& shared) { return shared.in_turn(prefix, streams); }});
  }
  return all;
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
    return std::none_of(each.rows.begin(), each.rows.end(),
                        [&](const row& one) { return std::regex_search(one.name, wanted); });
  };
  all.erase(std::remove_if(all.begin(), all.end(), misses), all.end());
  if (all.empty())
  {
    throw std::runtime_error("no benchmark's name matches \"" + filter + "\"; --list prints them all");
  }
  return all;
}

//! The host's processor.
std::string processor()
{
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
  {
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
    {
      return line.substr(line.find(": ") + 2);
    }
  }
  return "unknown";
}

//! Prints and returns the rows of a group. Each part of it begins with the empty kernel's.
json entries_of(const std::vector<row>& rows)
{
  json entries = json::array();
  double empty = 0;
  for (const row& each : rows)
  {
    const double median = timing::median(each.microseconds);
    const double least = *std::min_element(each.microseconds.begin(), each.microseconds.end());
    const bool is_empty = each.name.substr(each.name.rfind('/') + 1) == "empty";
    empty = is_empty ? median : empty;
    std::printf("%-46s %10.2f %10.2f %10.2f\n", each.name.c_str(), median, least, median - empty);
    entries.push_back({{"name", each.name},
                       {"real_time", median},
                       {"least", least},
                       {"above_empty", median - empty},
                       {"time_unit", "us"},
                       {"repetitions", each.microseconds.size()}});
  }
  std::fflush(stdout);
  return entries;
}

void measure(const std::vector<group>& groups, const options& chosen)
{
  const device gpu;
#if !defined(__OPTIMIZE__)
  throw std::runtime_error("this is a debug build, its times mean nothing; build it with optimisation");
#endif
  std::ofstream file;
  if (!chosen.path.empty())
  {
    file.open(chosen.path);
    if (!file)
    {
      throw std::runtime_error("writing " + chosen.path + " failed: is there such a folder, and may it be written?");
    }
  }
  json results = {{"context",
                   {{"gpu", gpu.name()},
                    {"driver", gpu.driver()},
                    {"cuda", gpu.runtime()},
                    {"cccl", cccl_version()},
                    {"processor", processor()},
                    {"command", chosen.command()}}},
                  {"benchmarks", json::array()}};
  std::printf("%s, %s\n", gpu.name().c_str(), processor().c_str());
  std::printf("%-46s %10s %10s %10s\n", "us a call", "median", "least", "- empty");
  bench shared(chosen.quick);
  for (const group& each : groups)
  {
    for (json& entry : entries_of(each.measure(shared)))
    {
      results["benchmarks"].push_back(std::move(entry));
    }
  }
  if (file.is_open())
  {
    file << results.dump(1) << '\n';
    if (!file.flush())
    {
      throw std::runtime_error("writing " + chosen.path + " failed: is there room?");
    }
  }
}

int start(CLI::App& app, int argc, char** argv)
{
  options chosen;
  app.description("Measures what calls cost the host, beside Thrust's. perf/README.md tells what the rows are.");
  app.add_option("--json", chosen.path, "Write the results to this file");
  app.add_option("--filter", chosen.filter,
                 "Only what has a name with a match of this regular expression, and what is beside it");
  app.add_flag("--quick", chosen.quick, "A tenth of the repetitions");
  app.add_flag("--list", chosen.list, "Print the names, measure nothing");
  app.parse(argc, argv);
  const std::vector<group> groups = matching(all_groups(), chosen.filter);
  if (!chosen.list)
  {
    measure(groups, chosen);
    return 0;
  }
  for (const group& each : groups)
  {
    for (const row& one : each.rows)
    {
      std::puts(one.name.c_str());
    }
  }
  return 0;
}

} // namespace
} // namespace perf::host

int main(int argc, char** argv)
{
  return perf::run_program("reheat-host", perf::host::start, argc, argv);
}
