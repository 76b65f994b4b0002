// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-sort: reheat::DeviceRadixSort beside CUB's, of several types, sizes and distributions of keys, and whole calls of
//! thrust::sort beside Thrust's. CUB has other kernels for numbers of items of 32 and of 64 bits; Thrust passes 64.
#include "common/device.hpp"
#include "common/entries.hpp"
#include "common/implementations.hpp"
#include "common/program.hpp"
#include "common/table.hpp"
#include "sorts/bench.hpp"
#include "sorts/rows.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace perf::sorts
{
namespace
{

constexpr const char* program = "reheat-sort";

int measure(const table_options& chosen, const std::vector<std::uint64_t>& sizes, const std::vector<row>& rows)
{
  const json context = {{"cccl", cccl_version()},
                        {"cccl_new", newest_cccl_version()},
                        {"reheat", REHEAT_PERF_VERSION},
                        {"command", chosen.command(program, option_text("--sizes", sizes))}};
  return run_table(
      program, chosen, context, rows, bench::fits, [](const row&) { return true; },
      [&](const device&, const std::vector<row>& fitting)
      {
        if (!has_newest())
        {
          std::fprintf(stderr, "reheat-sort: built without another CCCL: cub-new-32 and cub-new-64 are left out "
                               "(REHEAT_PERF_NEWEST_CCCL)\n");
        }
        const auto measuring = std::make_shared<bench>();
        warm_up(fitting, [&](const row& each) { measuring->measure(each, 1); });
        return [measuring, rounds = chosen.quick ? 2u : 3u](const row& each) { return measuring->measure(each, rounds); };
      });
}

int start(CLI::App& app, int argc, char** argv)
{
  table_options chosen;
  selection selected;
  app.description(
      "Measures radix sorts by reheat beside CUB's, and whole calls beside Thrust's. perf/README.md tells what the "
      "rows are.");
  chosen.declare(app, names_of(implementations), "Four sizes of three types and two distributions, and fewer repetitions",
                 "Measure all rows a second time after the last one: by how much do they differ?");
  app.add_option(
         "--sizes", selected.sizes,
         "Numbers of items, with commas between them (default: 2^10, 2^12, ... 2^28; of whole calls 2^10, 2^14, 2^20)")
      ->delimiter(',')
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30));
  app.parse(argc, argv);
  selected.quick = chosen.quick;
  selected.implementations = all_without(implementations, chosen.without);
  const std::vector<row> rows = matching(rows_of(selected), chosen.filter);
  if (!chosen.list)
  {
    return measure(chosen, selected.sizes, rows);
  }
  print_names(rows);
  return 0;
}

} // namespace
} // namespace perf::sorts

int main(int argc, char** argv)
{
  return perf::run_program("reheat-sort", perf::sorts::start, argc, argv);
}
