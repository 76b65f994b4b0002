// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/recorder.hpp"

#include <timing/statistics.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace perf
{
namespace
{

using run = benchmark::BenchmarkReporter::Run;

// Microseconds per call.
double time_of(const run& made)
{
  return made.GetAdjustedRealTime();
}

// Google Benchmark 1.8 says of a run that it was skipped, and why; earlier versions that an error occurred.
template <class Run>
auto has_failed(const Run& one, int) -> decltype(static_cast<bool>(one.error_occurred))
{
  return one.error_occurred;
}
template <class Run>
bool has_failed(const Run& one, long)
{
  return one.skipped != decltype(one.skipped)();
}
template <class Run>
auto message_of(const Run& one, int) -> decltype(std::string(one.error_message))
{
  return one.error_message;
}
template <class Run>
std::string message_of(const Run& one, long)
{
  return one.skip_message;
}

struct summary
{
  const run* middle = nullptr; //!< the repetition of median time; null if the benchmark failed
  double microseconds = 0, spread = 0;
};

summary summarise(const measured& one)
{
  std::vector<double> times;
  for (const run& each : one.runs)
  {
    if (has_failed(each, 0))
    {
      return {};
    }
    times.push_back(time_of(each));
  }
  if (times.empty())
  {
    return {};
  }
  std::vector<const run*> sorted;
  std::transform(one.runs.begin(), one.runs.end(), std::back_inserter(sorted), [](const run& each) { return &each; });
  std::sort(sorted.begin(), sorted.end(), [](const run* a, const run* b) { return time_of(*a) < time_of(*b); });
  const run* const middle = sorted[(sorted.size() - 1) / 2];
  return {middle, time_of(*middle), timing::spread(times)};
}

std::string error_of(const measured& one)
{
  for (const run& each : one.runs)
  {
    if (has_failed(each, 0))
    {
      return message_of(each, 0);
    }
  }
  return "it did not run";
}

std::string formatted(const char* format, double value)
{
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

std::string ratio_text(const std::map<implementation, summary>& all, implementation other)
{
  const auto theirs = all.find(other), ours = all.find(implementation::reheat);
  if (theirs == all.end() || ours == all.end() || theirs->second.middle == nullptr || ours->second.middle == nullptr)
  {
    return "";
  }
  if (theirs->second.middle->report_label != ours->second.middle->report_label)
  {
    return ""; // one of them contains the host's time
  }
  return formatted("  %.2f x ", theirs->second.microseconds / ours->second.microseconds) + name_of(other);
}

// The limit that has launches of the same kind as `who`, or the only one; null if it failed, or was not measured.
const summary* limit_of(implementation who, const std::map<implementation, summary>& all)
{
  const bool starts_early = who == implementation::reheat || who == implementation::limit_early;
  auto found = all.find(starts_early ? implementation::limit_early : implementation::limit);
  found = found != all.end() ? found : all.find(implementation::limit);
  return found != all.end() && found->second.middle != nullptr ? &found->second : nullptr;
}

void print_line(const row& which, const std::map<implementation, summary>& all)
{
  std::printf("%-54s", name_of(which).c_str());
  if (!is_wall(which.clock))
  {
    std::printf(" %9.3f MB", static_cast<double>(input_bytes(which) + output_bytes(which)) * 1e-6);
  }
  for (const auto& [who, made] : all)
  {
    if (made.middle == nullptr)
    {
      std::printf("  %s FAILED", name_of(who));
      continue;
    }
    std::printf("  %s %.2f us +-%.1f%%", name_of(who), made.microseconds, 50 * made.spread);
  }
  const auto ours = all.find(implementation::reheat);
  const summary* const limit = limit_of(implementation::reheat, all);
  if (ours != all.end() && ours->second.middle != nullptr && limit != nullptr)
  {
    std::printf("  %.0f%% of limit", 100 * limit->microseconds / ours->second.microseconds);
  }
  for (const implementation other :
       {implementation::cub, implementation::cub_new, implementation::thrust, implementation::thrust_pool})
  {
    std::printf("%s", ratio_text(all, other).c_str());
  }
  std::printf("\n");
  std::fflush(stdout);
}

} // namespace

recorder::recorder(std::string path) : path_(std::move(path))
{
  if (!path_.empty() && !std::ofstream(path_, std::ios::app))
  {
    throw std::runtime_error("cannot write " + path_ + ": " + std::strerror(errno));
  }
}

void recorder::add(const row& which, std::vector<measured> all)
{
  std::map<implementation, summary> summaries;
  for (const measured& one : all)
  {
    summaries[one.who] = summarise(one);
  }
  for (const measured& one : all)
  {
    const summary& made = summaries[one.who];
    if (made.middle == nullptr)
    {
      failures_.push_back(name_of(which, one.who) + ": " + error_of(one));
    }
    if (one.runs.empty())
    {
      continue;
    }
    run kept = made.middle != nullptr ? *made.middle : one.runs.front();
    // The name is the row and the implementation; how it was run is in fields of their own.
    kept.run_name.iterations.clear();
    kept.run_name.repetitions.clear();
    kept.run_name.time_type.clear();
    if (made.middle != nullptr)
    {
      kept.counters["bytes"] = static_cast<double>(input_bytes(which) + output_bytes(which));
      kept.counters["spread"] = made.spread;
      if (const summary* const limit = limit_of(one.who, summaries))
      {
        kept.counters["limit_fraction"] = limit->microseconds / made.microseconds;
      }
    }
    runs_.push_back(std::move(kept));
  }
  ++rows_;
  print_line(which, summaries);
  write_now_and_then();
}

void recorder::add_again(const row& which, const std::vector<measured>& all)
{
  std::printf("%-54s again", name_of(which).c_str());
  for (const measured& one : all)
  {
    const std::string name = name_of(which, one.who);
    const auto first =
        std::find_if(runs_.begin(), runs_.end(),
                     [&](const run& each) { return each.run_name.function_name == name && !has_failed(each, 0); });
    const summary made = summarise(one);
    if (made.middle == nullptr)
    {
      failures_.push_back(name + ", measured again: " + error_of(one));
      std::printf("  %s FAILED", name_of(one.who));
    }
    else if (first != runs_.end())
    {
      first->counters["again"] = made.microseconds;
      std::printf("  %s %+.1f%%", name_of(one.who), 100 * (made.microseconds / time_of(*first) - 1));
    }
  }
  std::printf("\n");
  std::fflush(stdout);
  write_now_and_then();
}

void recorder::write_now_and_then()
{
  constexpr auto often_enough = std::chrono::seconds(20); // what a run that is ended from outside may lose
  if (!path_.empty() && std::chrono::steady_clock::now() - written_ > often_enough)
  {
    write();
    written_ = std::chrono::steady_clock::now();
  }
}

void recorder::write() const
{
  if (path_.empty())
  {
    return;
  }
  std::ostringstream text;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&text);
  reporter.SetErrorStream(&text);
  reporter.ReportContext(benchmark::BenchmarkReporter::Context());
  for (const run& each : runs_)
  {
    reporter.ReportRuns({each});
  }
  reporter.Finalize();
  auto all = nlohmann::ordered_json::parse(text.str());
  // The results are published: names of machines and paths on them are nobody's business.
  all["context"].erase("host_name");
  all["context"].erase("executable");
  // Of Google Benchmark's own library, whose loop is not what takes the times here.
  all["context"].erase("library_build_type");
  for (const auto& [key, value] : context_)
  {
    all["context"][key] = value;
  }
  const std::string unfinished = path_ + ".part";
  std::ofstream out(unfinished);
  out << all.dump(1) << '\n';
  out.close();
  if (!out || std::rename(unfinished.c_str(), path_.c_str()) != 0)
  {
    throw std::runtime_error("cannot write " + path_ + ": " + std::strerror(errno));
  }
}

} // namespace perf
