// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-device: every entry point of reheat's DeviceReduce and DeviceScan, and selections, beside CUB's and beside the
//! policies. The GPU's time inside graphs at all sizes, and the host's time of calls.
#include "common/device.hpp"
#include "common/entries.hpp"
#include "common/implementations.hpp"
#include "common/program.hpp"
#include "common/table.hpp"
#include "device/bench.hpp"
#include "device/rows.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace perf::device_wide
{
namespace
{

constexpr const char* program = "reheat-device";

int measure(const table_options& chosen, const std::vector<row>& rows)
{
  const json context = {{"cccl", cccl_version()},
                        {"cccl_of_env", newest_cccl_version()},
                        {"reheat", REHEAT_PERF_VERSION},
                        {"command", chosen.command(program)}};
  return run_table(
      program, chosen, context, rows, bench::fits, [](const row& each) { return each.clock == clock::graph; },
      [&](const device& gpu, const std::vector<row>& fitting)
      {
        if (newest_cccl_version() == "not built")
        {
          std::fprintf(stderr, "reheat-device: built without another CCCL: reheat-env, cub-new and cub-new-env are left out "
                               "(REHEAT_PERF_NEWEST_CCCL)\n");
        }
        bench warming(gpu); // limits are kept, so another bench warms up
        warm_up(fitting, [&](const row& each) { warming.measure(each, {1, 1}); });
        return [measuring = std::make_shared<bench>(gpu), how_often = chosen.quick ? rounds{2, 20} : rounds{3, 100}](
                   const row& each) { return measuring->measure(each, how_often); };
      });
}

int start(CLI::App& app, int argc, char** argv)
{
  table_options chosen;
  app.description("Measures reheat's device-wide classes beside CUB's. perf/README.md tells what the rows are.");
  chosen.declare(app, names_of(implementations), "Four sizes, and fewer repetitions",
                 "Measure all rows on the clock graph a second time after the last row: by how much do they differ?");
  app.parse(argc, argv);
  const std::vector<entry> all = all_entries();
  const std::vector<row> rows =
      matching(rows_of(all, chosen.quick, all_without(implementations, chosen.without)), chosen.filter);
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
