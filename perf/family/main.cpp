// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-family: every algorithm of the reduce and scan family beside Thrust's, on i32, by key on others, too. The host's
//! time of the public call at all sizes, its GPU time on cold data and the hardware's limit from 2^20 items on. Thrust's
//! results are what ours have to be.
#include "common/device.hpp"
#include "common/program.hpp"
#include "family/bench.hpp"
#include "family/calls.hpp"
#include "family/runs.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf::family
{
namespace
{

constexpr std::uint64_t sizes[]{1 << 8, 1 << 12, 1 << 16, 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28};
// Below, the host's time is most of a call that waits, and of an event between two calls.
constexpr std::uint64_t least_cold_items = 1 << 20;

//! Rows of which a name has a match.
std::vector<comparison> rows_of(const std::vector<member>& all, const std::string& filter)
{
  std::vector<comparison> rows;
  std::regex wanted;
  try
  {
    wanted = std::regex(filter);
  }
  catch (const std::regex_error&)
  {
    throw std::runtime_error('"' + filter + "\" is no regular expression");
  }
  for (const member& what : all)
  {
    for (const std::uint64_t items : sizes)
    {
      for (const perf::clock which : {perf::clock::wall, perf::clock::cold})
      {
        const comparison made{&what, items, which};
        const std::vector<std::string> names = made.names();
        if ((which == perf::clock::wall || items >= least_cold_items) &&
            std::any_of(names.begin(), names.end(),
                        [&](const std::string& each) { return std::regex_search(each, wanted); }))
        {
          rows.push_back(made);
        }
      }
    }
  }
  if (rows.empty())
  {
    throw std::runtime_error("no benchmark's name matches \"" + filter + "\"; --list prints them all");
  }
  return rows;
}

struct options
{
  std::string json, filter;
  bool list = false;
  unsigned runs = 1;
};

//! Bytes of the inputs and of both implementations' outputs, and of what Thrust takes for itself.
std::uint64_t needed_bytes(std::uint64_t items)
{
  return 8 * items * bench::max_bytes;
}

json context_of(const device& gpu, const options& chosen)
{
  const std::string runs = chosen.runs == 1 ? "" : "--runs " + std::to_string(chosen.runs) + ' ';
  const std::string filter = chosen.filter.empty() ? "" : " --filter '" + chosen.filter + "'";
  return {{"gpu", gpu.name()},
          {"driver", gpu.driver()},
          {"cuda", gpu.runtime()},
          {"cccl", cccl_version()},
          {"command", "reheat-family " + runs + "--json " + chosen.json.substr(chosen.json.rfind('/') + 1) + filter}};
}

void print(const json& entry)
{
  const auto name = entry["name"].get<std::string>();
  if (entry.contains("error_message"))
  {
    std::fprintf(stderr, "reheat-family: %s\n", entry["error_message"].get<std::string>().c_str());
    return;
  }
  std::printf("%-70s %12.2f us\n", name.c_str(), entry["real_time"].get<double>());
  std::fflush(stdout);
}

//! All runs of all rows, one run behind the other, merged. `context` gets what the host was like in each.
json measure_all(const options& chosen, const std::vector<comparison>& rows, json& context)
{
  const auto largest =
      std::max_element(rows.begin(), rows.end(), [](const comparison& a, const comparison& b) { return a.items < b.items; });
  bench measuring(largest->items);
  std::vector<std::string> names;
  std::map<std::string, std::vector<json>> entries;
  context["runs"] = chosen.runs;
  context["empty_calls"] = json::array();
  for (unsigned run = 0; run < chosen.runs; ++run)
  {
    context["empty_calls"].push_back(measuring.empty_call());
    for (const comparison& row : rows)
    {
      for (json& entry : measuring.measure(row))
      {
        print(entry);
        const auto name = entry["name"].get<std::string>();
        if (entries[name].empty())
        {
          names.push_back(name);
        }
        entries[name].push_back(std::move(entry));
      }
    }
  }
  json made = json::array();
  for (const std::string& name : names)
  {
    made.push_back(merge_runs(std::move(entries[name])));
  }
  return made;
}

int measure(const options& chosen, std::vector<comparison> rows)
{
#if !defined(__OPTIMIZE__)
  throw std::runtime_error("this is a debug build, its times mean nothing; build it with optimisation");
#endif
  const device gpu;
  // Before minutes go into it.
  std::ofstream file;
  if (!chosen.json.empty())
  {
    file.open(chosen.json);
    if (!file)
    {
      throw std::runtime_error("writing " + chosen.json + " failed: is there such a folder, and may it be written?");
    }
  }
  const std::uint64_t room = gpu.size().free_bytes;
  const auto too_large =
      std::remove_if(rows.begin(), rows.end(), [&](const comparison& each) { return needed_bytes(each.items) > room; });
  if (too_large != rows.end())
  {
    std::fprintf(stderr, "reheat-family: %td rows need more memory than the GPU has free and are left out\n",
                 rows.end() - too_large);
    rows.erase(too_large, rows.end());
  }
  json results = {{"context", context_of(gpu, chosen)}, {"benchmarks", json::array()}};
  bool failed = rows.empty();
  std::printf("%s\n", gpu.name().c_str());
  if (!rows.empty())
  {
    results["benchmarks"] = measure_all(chosen, rows, results["context"]);
    for (const json& each : results["benchmarks"])
    {
      failed = failed || each.contains("error_message");
    }
  }
  if (file.is_open())
  {
    file << results.dump(1) << '\n';
    if (!file.flush())
    {
      throw std::runtime_error("writing " + chosen.json + " failed: is there room?");
    }
  }
  return failed ? 1 : 0;
}

int start(CLI::App& app, int argc, char** argv)
{
  options chosen;
  app.description(
      "Measures every algorithm of the reduce and scan family beside Thrust's. perf/README.md tells what the rows are.");
  app.add_option("--json", chosen.json, "Write the results to this file");
  app.add_option("--filter", chosen.filter, "Only rows of which a name has a match of this regular expression");
  app.add_option("--runs", chosen.runs, "Measure all rows so many times; the file has the median of each (default: 1)")
      ->check(CLI::Range(1, 9));
  app.add_flag("--list", chosen.list, "Print the names, measure nothing");
  app.parse(argc, argv);
  const std::vector<member> all = all_members();
  const std::vector<comparison> rows = rows_of(all, chosen.filter);
  if (!chosen.list)
  {
    return measure(chosen, rows);
  }
  for (const comparison& each : rows)
  {
    for (const std::string& name : each.names())
    {
      std::puts(name.c_str());
    }
  }
  return 0;
}

} // namespace
} // namespace perf::family

int main(int argc, char** argv)
{
  return perf::run_program("reheat-family", perf::family::start, argc, argv);
}
