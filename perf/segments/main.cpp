// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-segments: sums and scans of segments by reheat, by CUB and by others, for segments of many lengths. The GPU's time
//! inside graphs.
#include "common/device.hpp"
#include "common/entries.hpp"
#include "common/program.hpp"
#include "segments/bench.hpp"
#include "segments/rows.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf::segments
{
namespace
{

struct options
{
  std::string json, filter;
  selection rows;
  bool twice = false, list = false;

  std::string command() const
  {
    return "reheat-segments --json " + json.substr(json.rfind('/') + 1) + (rows.quick ? " --quick" : "") +
           (twice ? " --twice" : "") + list_of("--sizes", rows.sizes) + list_of("--lengths", rows.lengths) +
           (filter.empty() ? "" : " --filter '" + filter + "'");
  }

private:
  static std::string list_of(const char* option, const std::vector<std::uint64_t>& values)
  {
    std::string text;
    for (const std::uint64_t value : values)
    {
      text += (text.empty() ? ' ' + std::string(option) + ' ' : ",") + std::to_string(value);
    }
    return text;
  }
};

json context_of(const device& gpu, const options& chosen)
{
  return {{"gpu", gpu.name()},
          {"driver", gpu.driver()},
          {"cuda", gpu.runtime()},
          {"cccl", cccl_version()},
          {"cccl_new", newest_cccl_version()},
          {"reheat", REHEAT_PERF_VERSION},
          {"command", chosen.command()}};
}

//! In the first second or two of a process each kernel of a graph that misses the cache takes less time than ever again
//! (docs/tuning-log.md), and an idle GPU runs at a fraction of its clock rate. Limits are kept, so another bench warms up.
void warm_up(const device& gpu, const std::vector<row>& rows)
{
  bench measuring(gpu);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  for (std::size_t i = 0; std::chrono::steady_clock::now() < end; i = (i + 1) % rows.size())
  {
    measuring.measure(rows[i], 1);
  }
}

entries measure_all(const options& chosen, const device& gpu, std::vector<row> rows)
{
  bench measuring(gpu);
  const auto too_large = std::remove_if(rows.begin(), rows.end(), [&](const row& each) { return !measuring.fits(each); });
  if (too_large != rows.end())
  {
    std::fprintf(stderr, "reheat-segments: %td rows need more memory than the GPU has free and are left out\n",
                 rows.end() - too_large);
    rows.erase(too_large, rows.end());
  }
  entries made("reheat-segments");
  if (rows.empty())
  {
    return made;
  }
  const unsigned rounds = chosen.rows.quick ? 2 : 3;
  try
  {
    warm_up(gpu, rows);
    for (unsigned times = chosen.twice ? 2 : 1; times != 0; --times)
    {
      for (const row& each : rows)
      {
        made.add(measuring.measure(each, rounds));
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
  if (!has_newest())
  {
    std::fprintf(stderr, "reheat-segments: built without another CCCL: cub-new is left out (REHEAT_PERF_NEWEST_CCCL)\n");
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
      "Measures sums and scans of segments by reheat beside CUB's and others. perf/README.md tells what the rows are.");
  app.add_option("--json", chosen.json, "Write the results to this file");
  app.add_option("--filter", chosen.filter, "Only rows of which a name has a match of this regular expression");
  app.add_option("--sizes", chosen.rows.sizes,
                 "Numbers of items, with commas between them (default: 2^16, 2^20, 2^24, 2^28)")
      ->delimiter(',')
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 31));
  app.add_option("--lengths", chosen.rows.lengths, "Only segments that all have one of these numbers of items")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  app.add_flag("--quick", chosen.rows.quick, "Two sizes, u32 with 4-byte offsets alone, and fewer repetitions");
  app.add_flag("--twice", chosen.twice, "Measure all rows a second time after the last one: by how much do they differ?");
  app.add_flag("--list", chosen.list, "Print the names, measure nothing");
  app.parse(argc, argv);
  const std::vector<row> selected = rows_of(chosen.rows);
  if (selected.empty())
  {
    throw std::runtime_error("no such segments fit into so many items");
  }
  const std::vector<row> rows = matching(selected, chosen.filter);
  if (!chosen.list)
  {
    return measure(chosen, rows);
  }
  print_names(rows);
  return 0;
}

} // namespace
} // namespace perf::segments

int main(int argc, char** argv)
{
  return perf::run_program("reheat-segments", perf::segments::start, argc, argv);
}
