// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-segments: sums and scans of segments by reheat, by CUB and by others, for segments of many lengths. The GPU's time
//! inside graphs.
#include "common/device.hpp"
#include "common/entries.hpp"
#include "common/implementations.hpp"
#include "common/program.hpp"
#include "common/table.hpp"
#include "segments/bench.hpp"
#include "segments/rows.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf::segments
{
namespace
{

constexpr const char* program = "reheat-segments";

int measure(const table_options& chosen, const selection& selected, const std::vector<row>& rows)
{
  const json context = {{"cccl", cccl_version()},
                        {"cccl_new", newest_cccl_version()},
                        {"reheat", REHEAT_PERF_VERSION},
                        {"command", chosen.command(program, option_text("--sizes", selected.sizes) +
                                                                option_text("--lengths", selected.lengths))}};
  return run_table(
      program, chosen, context, rows, bench::fits, [](const row&) { return true; },
      [&](const device& gpu, const std::vector<row>& fitting)
      {
        if (!has_newest())
        {
          std::fprintf(stderr,
                       "reheat-segments: built without another CCCL: cub-new is left out (REHEAT_PERF_NEWEST_CCCL)\n");
        }
        bench warming(gpu); // limits are kept, so another bench warms up
        warm_up(fitting, [&](const row& each) { warming.measure(each, 1); });
        return [measuring = std::make_shared<bench>(gpu), rounds = chosen.quick ? 2u : 3u](const row& each)
        { return measuring->measure(each, rounds); };
      });
}

int start(CLI::App& app, int argc, char** argv)
{
  table_options chosen;
  selection selected;
  app.description(
      "Measures sums and scans of segments by reheat beside CUB's and others. perf/README.md tells what the rows are.");
  chosen.declare(app, names_of(implementations), "Two sizes, u32 with 4-byte offsets alone, and fewer repetitions",
                 "Measure all rows a second time after the last one: by how much do they differ?");
  app.add_option("--sizes", selected.sizes, "Numbers of items, with commas between them (default: 2^16, 2^20, 2^24, 2^28)")
      ->delimiter(',')
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 31));
  app.add_option("--lengths", selected.lengths, "Only segments that all have one of these numbers of items")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  app.parse(argc, argv);
  selected.quick = chosen.quick;
  selected.implementations = all_without(implementations, chosen.without);
  const std::vector<row> all = rows_of(selected);
  if (all.empty())
  {
    throw std::runtime_error("no such segments fit into so many items");
  }
  const std::vector<row> rows = matching(all, chosen.filter);
  if (!chosen.list)
  {
    return measure(chosen, selected, rows);
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
