// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-device: every entry point of reheat's DeviceReduce and DeviceScan beside CUB's and beside the policies. The GPU's
//! time inside graphs at all sizes, and the host's time of calls.
#include "common/device.hpp"
#include "common/entries.hpp"
#include "common/program.hpp"
#include "device/bench.hpp"
#include "device/rows.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
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

entries measure_all(const options& chosen, const device& gpu, std::vector<row> rows)
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
  entries made("reheat-device");
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
  result_file file(chosen.json);
  std::printf("%s, %zu rows\n", gpu.name().c_str(), rows.size());
  if (newest_cccl_version() == "not built")
  {
    std::fprintf(stderr, "reheat-device: built without another CCCL: reheat-env, cub-new and cub-new-env are left out "
                         "(REHEAT_PERF_NEWEST_CCCL)\n");
  }
  const entries measured = measure_all(chosen, gpu, rows);
  std::printf("%zu benchmarks in %.0f s\n", measured.all().size(),
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  file.write(context_of(gpu, chosen), measured);
  return measured.failed() || measured.all().empty() ? 1 : 0;
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
  print_names(rows);
  return 0;
}

} // namespace
} // namespace perf::device_wide

int main(int argc, char** argv)
{
  return perf::run_program("reheat-device", perf::device_wide::start, argc, argv);
}
