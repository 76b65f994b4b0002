// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-device: every entry point of reheat's DeviceReduce and DeviceScan beside CUB's and beside the policies. The GPU's
//! time inside graphs at all sizes, and the host's time of calls.
#include "common/device.hpp"
#include "common/program.hpp"
#include "device/bench.hpp"
#include "device/rows.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf::device_wide
{
namespace
{

struct options
{
  std::string json, filter;
  bool quick = false, twice = false, list = false;

  std::string command() const
  {
    return "reheat-device --json " + json.substr(json.rfind('/') + 1) + (quick ? " --quick" : "") +
           (twice ? " --twice" : "") + (filter.empty() ? "" : " --filter '" + filter + "'");
  }
};

//! Rows of which a name has a match.
std::vector<row> matching(const std::vector<row>& all, const std::string& filter)
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
  std::vector<row> rows;
  std::copy_if(all.begin(), all.end(), std::back_inserter(rows),
               [&](const row& each)
               {
                 const std::vector<implementation> measured = each.measured();
                 return std::any_of(measured.begin(), measured.end(),
                                    [&](implementation who)
                                    { return std::regex_search(each.prefix() + name_of(who), wanted); });
               });
  if (rows.empty())
  {
    throw std::runtime_error("no benchmark's name matches \"" + filter + "\"; --list prints them all");
  }
  return rows;
}

json context_of(const device& gpu, const options& chosen)
{
  return {{"gpu", gpu.name()},
          {"driver", gpu.driver()},
          {"cuda", gpu.runtime()},
          {"cccl", cccl_version()},
          {"cccl_of_env", newest_cccl_version()},
          {"reheat", REHEAT_PERF_VERSION},
          {"command", chosen.command()}};
}

//! In the first second or two of a process each kernel of a graph that misses the cache takes less time than ever again
//! (docs/tuning-log.md), and an idle GPU runs at a fraction of its clock rate.
void warm_up(bench& measuring, const std::vector<row>& rows)
{
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  for (std::size_t i = 0; std::chrono::steady_clock::now() < end; i = (i + 1) % rows.size())
  {
    measuring.measure(rows[i], {1, 1});
  }
}

//! What was measured, by name, in the order in which it was.
class results
{
public:
  void add(json entries)
  {
    for (json& entry : entries)
    {
      const auto name = entry["name"].get<std::string>();
      if (entry.contains("error_message"))
      {
        std::fprintf(stderr, "reheat-device: %s: %s\n", name.c_str(), entry["error_message"].get<std::string>().c_str());
        failed_ = true;
      }
      else
      {
        std::printf("%-84s %10.2f us\n", name.c_str(), entry["real_time"].get<double>());
      }
      const std::size_t next = all_.size();
      const auto [place, is_new] = places_.emplace(name, next);
      if (is_new)
      {
        all_.push_back(std::move(entry));
      }
      else if (entry.contains("error_message"))
      {
        all_[place->second] = std::move(entry);
      }
      else
      {
        all_[place->second]["again"] = entry["real_time"];
      }
    }
    std::fflush(stdout);
  }
  //! No more follows.
  void end_early(const std::string& message)
  {
    std::fprintf(stderr, "reheat-device: ended early: %s\n", message.c_str());
    failed_ = true;
  }
  const json& entries() const { return all_; }
  bool failed() const { return failed_; }

private:
  json all_ = json::array();
  std::map<std::string, std::size_t> places_;
  bool failed_ = false;
};

results measure_all(const options& chosen, const device& gpu, std::vector<row> rows)
{
  bench measuring(gpu);
  const rounds how_often = chosen.quick ? rounds{2, 20} : rounds{3, 100};
  const auto too_large = std::remove_if(rows.begin(), rows.end(), [&](const row& each) { return !measuring.fits(each); });
  if (too_large != rows.end())
  {
    std::fprintf(stderr, "reheat-device: %td rows need more memory than the GPU has free and are left out\n",
                 rows.end() - too_large);
    rows.erase(too_large, rows.end());
  }
  results made;
  if (rows.empty())
  {
    return made;
  }
  try
  {
    warm_up(measuring, rows);
    for (const row& each : rows)
    {
      made.add(measuring.measure(each, how_often));
    }
    for (const row& each : rows)
    {
      if (chosen.twice && each.clock == clock::graph)
      {
        made.add(measuring.measure(each, how_often));
      }
    }
  }
  catch (const timing::cuda_failure& error)
  {
    made.end_early(error.what());
  }
  return made;
}

int measure(const options& chosen, const std::vector<row>& rows)
{
#if !defined(__OPTIMIZE__)
  throw std::runtime_error("this is a debug build, its times mean nothing; build it with optimisation");
#endif
  const auto start = std::chrono::steady_clock::now();
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
  std::printf("%s, %zu rows\n", gpu.name().c_str(), rows.size());
  if (newest_cccl_version() == "not built")
  {
    std::fprintf(stderr, "reheat-device: built without another CCCL: reheat-env, cub-new and cub-new-env are left out "
                         "(REHEAT_PERF_NEWEST_CCCL)\n");
  }
  const results measured = measure_all(chosen, gpu, rows);
  std::printf("%zu benchmarks in %.0f s\n", measured.entries().size(),
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  if (file.is_open())
  {
    file << json{{"context", context_of(gpu, chosen)}, {"benchmarks", measured.entries()}}.dump(1) << '\n';
    if (!file.flush())
    {
      throw std::runtime_error("writing " + chosen.json + " failed: is there room?");
    }
  }
  return measured.failed() || measured.entries().empty() ? 1 : 0;
}

int start(CLI::App& app, int argc, char** argv)
{
  options chosen;
  app.description(
      "Measures every entry point of DeviceReduce and DeviceScan beside CUB's. perf/README.md tells what the rows "
      "are.");
  app.add_option("--json", chosen.json, "Write the results to this file");
  app.add_option("--filter", chosen.filter, "Only rows of which a name has a match of this regular expression");
  app.add_flag("--quick", chosen.quick, "Four sizes, and fewer repetitions");
  app.add_flag("--twice", chosen.twice,
               "Measure all rows on the clock graph a second time after the last row: by how much do they differ?");
  app.add_flag("--list", chosen.list, "Print the names, measure nothing");
  app.parse(argc, argv);
  const std::vector<entry> all = all_entries();
  const std::vector<row> rows = matching(rows_of(all, chosen.quick), chosen.filter);
  if (!chosen.list)
  {
    return measure(chosen, rows);
  }
  for (const row& each : rows)
  {
    for (const implementation who : each.measured())
    {
      std::printf("%s%s\n", each.prefix().c_str(), name_of(who));
    }
  }
  return 0;
}

} // namespace
} // namespace perf::device_wide

int main(int argc, char** argv)
{
  return perf::run_program("reheat-device", perf::device_wide::start, argc, argv);
}
