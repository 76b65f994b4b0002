// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/interleaving.hpp"

#include <exception>
#include <map>

namespace perf
{
namespace
{

class collector final : public benchmark::BenchmarkReporter
{
public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override
  {
    for (const Run& each : runs)
    {
      if (each.run_type == Run::RT_Iteration)
      {
        runs_[each.run_name.function_name].push_back(each);
      }
    }
  }
  std::vector<Run> runs_of(const std::string& name) const
  {
    const auto found = runs_.find(name);
    return found == runs_.end() ? std::vector<Run>() : found->second;
  }

private:
  std::map<std::string, std::vector<Run>> runs_;
};

void measure(const interleaved& one, benchmark::State& state)
{
  if (!one.failure.empty())
  {
    state.SkipWithError(one.failure.c_str());
    return;
  }
  try
  {
    for (auto _ : state)
    {
      state.SetIterationTime(one.seconds());
    }
    state.SetLabel(one.label);
  }
  catch (const std::exception& error)
  {
    state.SkipWithError(error.what());
  }
}

void initialise_once()
{
  static const bool done = []
  {
    // The library keeps a pointer to the program's name.
    static char program[] = "reheat-perf", interleaving[] = "--benchmark_enable_random_interleaving=true";
    char* arguments[] = {program, interleaving, nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments);
    return true;
  }();
  static_cast<void>(done);
}

} // namespace

std::vector<measured> measure_interleaved(const row& which, const std::vector<interleaved>& all, int repetitions)
{
  initialise_once();
  benchmark::ClearRegisteredBenchmarks();
  for (const interleaved& each : all)
  {
    benchmark::RegisterBenchmark(name_of(which, each.who).c_str(), [&](benchmark::State& state) { measure(each, state); })
        ->Iterations(1)
        ->Repetitions(repetitions)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
  collector found;
  benchmark::RunSpecifiedBenchmarks(&found);
  std::vector<measured> made;
  for (const interleaved& each : all)
  {
    made.push_back({each.who, found.runs_of(name_of(which, each.who))});
  }
  return made;
}

} // namespace perf
