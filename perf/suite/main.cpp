// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-perf: the command line, and the loop over the rows.
#include "common/axes.hpp"
#include "common/device.hpp"
#include "common/program.hpp"
#include "suite/calls.hpp"
#include "suite/cub_new.hpp"
#include "suite/implementation.hpp"
#include "suite/interleaving.hpp"
#include "suite/recorder.hpp"
#include "suite/row_sets.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf
{
namespace
{

struct options
{
  bool full = false, quick = false, dense = false, list = false, twice = false;
  std::string filter, json, command;
  int repetitions = 0; // 0: as the set has it
};

// A call that failed in a way that all later ones fail, too.
void stop_if_lost()
{
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess)
  {
    throw timing::cuda_failure(std::string("the GPU can not be used any more: ") + cudaGetErrorString(status), status);
  }
}

std::unique_ptr<timed_implementation> prepare(const row& which, const plan& planned, const buffers& memory, bench& shared,
                                              implementation who)
{
  if (who == implementation::limit || who == implementation::limit_early)
  {
    return fastest_limit(which, planned, memory, shared, who);
  }
  auto made = std::make_unique<timed_implementation>(which, planned, memory, shared, who);
  made->prepare();
  return made;
}

bool has_all_implementations(const options& chosen)
{
  return !chosen.quick && !chosen.dense;
}

// Before and after a change reheat, one CUB and one limit are enough; the dense set is about ratios to CUB alone.
std::vector<implementation> implementations_of(const options& chosen)
{
  if (has_all_implementations(chosen))
  {
    return built_implementations();
  }
  std::vector<implementation> few{implementation::reheat, implementation::cub};
  if (chosen.quick)
  {
    few.push_back(implementation::limit);
  }
  return few;
}

std::vector<row> row_set_of(const options& chosen)
{
  return chosen.full ? full_row_set() : chosen.quick ? quick_row_set() : chosen.dense ? dense_row_set() : default_row_set();
}

std::vector<measured> run_row(const row& which, const plan& planned, bench& shared, int repetitions)
{
  const buffers memory(which, planned);
  fill_buffers(which, planned, memory, shared.stream);
  std::vector<std::unique_ptr<timed_implementation>> ready;
  std::vector<interleaved> all;
  for (const implementation who : implementations_for(which, shared.implementations))
  {
    try
    {
      ready.push_back(prepare(which, planned, memory, shared, who));
      timed_implementation& one = *ready.back();
      all.push_back({who, [&one] { return one.repetition(); }, one.label(), {}});
    }
    catch (const std::exception& error)
    {
      all.push_back({who, {}, {}, error.what()});
      stop_if_lost();
    }
  }
  auto made = measure_interleaved(which, all, repetitions);
  stop_if_lost();
  return made;
}

// Rows that are not recorded. An idle GPU runs at a fraction of its clock rate; and in the first second or two of a process
// each kernel of a graph that misses the cache took 0.3 us less than it ever did again on an NVIDIA H200.
void warm_up(const std::vector<row>& rows, const device& gpu, bench& shared)
{
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  for (std::size_t i = 0; std::chrono::steady_clock::now() < end; i = (i + 1) % rows.size())
  {
    const plan planned = make_plan(rows[i], gpu.size());
    if (planned.fits)
    {
      run_row(rows[i], planned, shared, 1);
    }
  }
  shared.fastest.clear();
}

std::string range_text(const rates& seen)
{
  return seen.high == 0 ? "unknown" : std::to_string(seen.low) + "-" + std::to_string(seen.high) + " MHz";
}

void add_context(recorder& results, const device& gpu, const options& chosen)
{
  results.add_context("gpu", gpu.name());
  results.add_context("multiprocessors", std::to_string(gpu.multiprocessors()));
  results.add_context("l2_bytes", std::to_string(gpu.l2_bytes()));
  results.add_context("driver", gpu.driver());
  results.add_context("cuda", gpu.runtime());
  results.add_context("cccl", cccl_version());
  if (has_all_implementations(chosen))
  {
    const char* const cub_new = find_cub_new().version;
    results.add_context("cccl_of_cub_new", cub_new != nullptr ? cub_new : "not built");
  }
  results.add_context("reheat", REHEAT_PERF_VERSION);
  results.add_context("command", chosen.command);
}

// What a run came to, beside the results.
struct ending
{
  std::size_t left_out = 0; //!< rows that do not fit
  std::string lost;         //!< why it ended early; empty if it did not
};

// add(row, what was measured) for each row that fits; how many do not.
template <class Add>
std::size_t run_rows(const std::vector<row>& rows, int repetitions, device& gpu, bench& shared, recorder& results, Add add)
{
  std::size_t left_out = 0;
  for (const row& each : rows)
  {
    const plan planned = make_plan(each, gpu.size());
    if (!planned.fits)
    {
      ++left_out;
      continue;
    }
    try
    {
      add(each, run_row(each, planned, shared, repetitions));
    }
    catch (const timing::cuda_failure& error)
    {
      stop_if_lost();
      results.add_failure(name_of(each), error.what());
    }
    gpu.sample_clocks();
  }
  return left_out;
}

ending run_all(const options& chosen, const std::vector<row>& rows, device& gpu, bench& shared, recorder& results)
{
  ending made;
  try
  {
    warm_up(rows, gpu, shared);
    made.left_out = run_rows(rows, chosen.repetitions, gpu, shared, results,
                             [&](const row& which, std::vector<measured> all) { results.add(which, std::move(all)); });
    if (chosen.twice)
    {
      std::vector<row> again;
      std::copy_if(rows.begin(), rows.end(), std::back_inserter(again),
                   [](const row& each) { return each.clock == clock::graph || each.clock == clock::graph_foreign; });
      run_rows(again, chosen.repetitions, gpu, shared, results,
               [&](const row& which, const std::vector<measured>& all) { results.add_again(which, all); });
    }
  }
  catch (const timing::cuda_failure& error)
  {
    made.lost = error.what();
  }
  return made;
}

int summarise(const recorder& results, const ending& made, double seconds)
{
  std::printf("%zu rows in %.0f s", results.rows(), seconds);
  if (made.left_out != 0)
  {
    std::printf("; %zu left out: too large for the GPU's memory, or for its L2 cache where that is what is measured",
                made.left_out);
  }
  std::printf("\n");
  std::fflush(stdout);
  for (const std::string& failure : results.failures())
  {
    std::fprintf(stderr, "reheat-perf: %s\n", failure.c_str());
  }
  if (!made.lost.empty())
  {
    std::fprintf(stderr, "reheat-perf: ended early: %s\n", made.lost.c_str());
  }
  return results.failures().empty() && made.lost.empty() ? 0 : 1;
}

int run(const options& chosen, const std::vector<row>& rows)
{
#if !defined(__OPTIMIZE__)
  throw std::runtime_error("this is a debug build, its times mean nothing; build it with optimisation");
#endif
  const auto start = std::chrono::steady_clock::now();
  device gpu;
  recorder results(chosen.json);
  bench shared(implementations_of(chosen));
  check_readers(shared.stream);
  add_context(results, gpu, chosen);
  std::printf("%s, %zu rows\n", gpu.name().c_str(), rows.size());
  if (has_all_implementations(chosen) && find_cub_new().version == nullptr)
  {
    std::fprintf(stderr,
                 "reheat-perf: built without the CUB of another CCCL: cub-new is left out (REHEAT_PERF_NEWEST_CCCL)\n");
  }

  const ending made = run_all(chosen, rows, gpu, shared, results);
  results.add_context("multiprocessor_clock", range_text(gpu.multiprocessor_clock()));
  results.add_context("memory_clock", range_text(gpu.memory_clock()));
  results.write();
  return summarise(results, made, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

int list(const options& chosen, const std::vector<row>& rows)
{
  for (const row& each : rows)
  {
    for (const implementation who : implementations_for(each, implementations_of(chosen)))
    {
      std::printf("%s\n", name_of(each, who).c_str());
    }
  }
  return 0;
}

std::string file_name(const std::string& path)
{
  return path.substr(path.rfind('/') + 1); // all of it without a slash
}

// As it may be published: of a path, the file's name is enough.
std::string command_text(int argc, char** argv)
{
  std::string text = file_name(argv[0]);
  for (int i = 1; i < argc; ++i)
  {
    const std::string argument = argv[i], before = i > 1 ? argv[i - 1] : "";
    const bool is_path = before == "--json" || argument.rfind("--json=", 0) == 0;
    text += ' ' + (!is_path             ? argument
                   : before == "--json" ? file_name(argument)
                                        : "--json=" + file_name(argument.substr(7)));
  }
  return text;
}

int start(CLI::App& app, int argc, char** argv)
{
  options chosen;
  app.description("Measures reheat, Thrust, CUB and the hardware's limit side by side. perf/README.md says how and what.");
  auto* const full =
      app.add_flag("--full", chosen.full, "Everything that is built, at every size; the default set takes some minutes");
  auto* const quick =
      app.add_flag("--quick", chosen.quick, "Graph rows of four types, for before and after a change; under 20 seconds");
  auto* const dense =
      app.add_flag("--dense", chosen.dense,
                   "inclusive_scan beside CUB at more than 200 sizes of three types; with --twice under two minutes");
  quick->excludes(full)->excludes(dense);
  dense->excludes(full);
  app.add_flag("--twice", chosen.twice,
               "Measure all rows on the clocks graph and graph_foreign a second time after the last row: by how much do "
               "they differ?");
  app.add_flag("--list", chosen.list, "Print the names of the benchmarks and stop; needs no GPU");
  app.add_option("--filter", chosen.filter, "Only rows with a benchmark whose name has a match of this regular expression");
  app.add_option("--json", chosen.json, "Write the results to this file");
  app.add_option("--repetitions", chosen.repetitions,
                 "Measurements of each benchmark, in random order within a row (default: 5, with --quick 3, with --dense 2)")
      ->check(CLI::Range(1, 1000));
  app.parse(argc, argv);
  chosen.command = command_text(argc, argv);
  chosen.repetitions = chosen.repetitions != 0 ? chosen.repetitions : chosen.dense ? 2 : chosen.quick ? 3 : 5;

  std::vector<row> rows = row_set_of(chosen);
  if (!chosen.filter.empty())
  {
    rows = matching(rows, chosen.filter, implementations_of(chosen));
  }
  if (rows.empty())
  {
    throw std::runtime_error("no benchmark's name matches \"" + chosen.filter + "\"; --list prints them all" +
                             (chosen.full ? "" : ", --full --list those of the full set"));
  }
  if (chosen.list)
  {
    return list(chosen, rows);
  }
  return run(chosen, rows);
}

} // namespace
} // namespace perf

int main(int argc, char** argv)
{
  return perf::run_program("reheat-perf", perf::start, argc, argv);
}
