// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Shared by benchmark programs that have their own table of rows: their options, and the course of a run.
#pragma once

#include "common/device.hpp"
#include "common/entries.hpp"

#include <timing/cuda.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace perf
{

struct table_options
{
  std::string json, filter;
  std::vector<std::string> without; //!< names of implementations
  unsigned seconds = 0;             //!< no row is begun later; 0: without such a limit
  bool quick = false, twice = false, list = false;

  //! Declares --json, --filter, --without, --seconds, --quick, --twice and --list. `implementations` are all names.
  void declare(CLI::App& app, const std::vector<std::string>& implementations, const char* quick_help,
               const char* twice_help);
  //! The command with these options and `more`, which begins with a space or is empty; the file without its folder.
  std::string command(const std::string& program, const std::string& more = "") const;
};

//! " --sizes 1024,4096", say; empty if there are no values.
std::string option_text(const char* option, const std::vector<std::uint64_t>& values);

//! Throws timing::cuda_failure if the GPU cannot be used any more: all later calls would fail, too.
void stop_if_lost();

//! work(), unless the implementation has failed before. Its failure becomes each.failure.
template <class Each, class Work>
void attempt(Each& each, Work work)
{
  if (!each.failure.empty())
  {
    return;
  }
  try
  {
    work();
  }
  catch (const std::exception& error)
  {
    stop_if_lost();
    each.failure = error.what();
  }
}

//! The entry of an implementation that failed on a row.
inline nlohmann::json failure_entry(const std::string& name, const std::string& message)
{
  return {{"name", name}, {"error_occurred", true}, {"error_message", message}};
}

//! work(), the entries of a row; if it throws, failures of all implementations of the row.
template <class Row, class Work>
nlohmann::json entries_or_failures(const Row& which, Work work)
{
  try
  {
    return work();
  }
  catch (const std::exception& error)
  {
    stop_if_lost();
    nlohmann::json made = nlohmann::json::array();
    for (const auto who : which.measured())
    {
      made.push_back(failure_entry(which.prefix() + name_of(who), error.what()));
    }
    return made;
  }
}

//! measure(row) for three seconds. In the first second or two of a process each kernel of a graph that misses the cache
//! takes less time than ever again (docs/tuning-log.md), and an idle GPU runs at a fraction of its clock rate.
template <class Row, class Measure>
void warm_up(const std::vector<Row>& rows, Measure measure)
{
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  for (std::size_t i = 0; std::chrono::steady_clock::now() < end; i = (i + 1) % rows.size())
  {
    measure(rows[i]);
  }
}

//! A whole run. The rows for which fits(gpu, row) holds are measured by prepare(gpu, rows), a function from a row to its
//! entries; both may throw timing::cuda_failure. With --twice, those for which again(row) holds follow a second time. The
//! file gets `context`, what the GPU is, and how many rows there was no time for. Returns the program's exit status.
template <class Row, class Fits, class Again, class Prepare>
int run_table(const char* program, const table_options& chosen, nlohmann::json context, std::vector<Row> rows, Fits fits,
              Again again, Prepare prepare)
{
#if !defined(__OPTIMIZE__)
  throw std::runtime_error("this is a debug build, its times mean nothing; build it with optimisation");
#endif
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const device gpu;
  result_file file(chosen.json);
  std::printf("%s, %zu rows\n", gpu.name().c_str(), rows.size());
  const auto too_large = std::remove_if(rows.begin(), rows.end(), [&](const Row& each) { return !fits(gpu, each); });
  if (too_large != rows.end())
  {
    std::fprintf(stderr, "%s: %td rows need more memory than the GPU has free and are left out\n", program,
                 rows.end() - too_large);
    rows.erase(too_large, rows.end());
  }
  entries made(program);
  std::size_t late = 0;
  try
  {
    if (!rows.empty())
    {
      const auto measure = prepare(gpu, rows);
      for (unsigned times = 0; times < (chosen.twice ? 2 : 1); ++times)
      {
        for (const Row& each : rows)
        {
          const bool is_wanted = times == 0 || again(each), is_late = chosen.seconds != 0 && seconds() > chosen.seconds;
          if (is_wanted && !is_late)
          {
            made.add(measure(each));
          }
          late += is_wanted && is_late ? 1 : 0;
        }
      }
    }
  }
  catch (const timing::cuda_failure& error)
  {
    made.end_early(error.what());
  }
  if (late != 0)
  {
    std::fprintf(stderr, "%s: %zu rows are left out: the time of --seconds was over\n", program, late);
  }
  std::printf("%zu benchmarks in %.0f s\n", made.all().size(), seconds());
  context["gpu"] = gpu.name();
  context["driver"] = gpu.driver();
  context["cuda"] = gpu.runtime();
  context["late_rows"] = late;
  file.write(context, made);
  return made.failed() || made.all().empty() ? 1 : 0;
}

} // namespace perf
