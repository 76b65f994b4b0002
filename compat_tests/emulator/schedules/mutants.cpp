// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "mutants.hpp"
#include "run.hpp"

#include "../../support/faults.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace schedules
{
namespace
{

// Of one schedule, which takes half a second where it takes longest: of the processor's time if it runs on, of the clock's
// if it waits. The system's time does not count: on some machines ThreadSanitizer's memory for thousands of threads takes
// more than five seconds of it.
constexpr int hang_user_seconds = 5;
constexpr unsigned hang_seconds = 60;
constexpr int sanitizer_exit = 77; // see the default options below
constexpr int gave_up_exit = 78;

//! What a hunting process tells its parent, also when it crashes.
struct trace
{
  std::uint64_t schedules;
  const scenario* in; //!< whose schedule is the latest; the parent made it
  char kind[32];
};

//! The sequence "a b c" has the word `word`.
bool has_word(const char* words, const char* word)
{
  const std::string padded = std::string(" ") + words + " ";
  return padded.find(std::string(" ") + word + " ") != std::string::npos;
}

void limit_time()
{
  const itimerval limit = {{0, 0}, {hang_user_seconds, 0}};
  (void)setitimer(ITIMER_VIRTUAL, &limit, nullptr);
  (void)alarm(hang_seconds);
}

std::vector<const scenario*> scenarios_of(const compat::named_fault& fault)
{
  std::vector<const scenario*> scenarios;
  for (const scenario& each : all_scenarios())
  {
    if (has_word(each.protocols, fault.protocol))
    {
      scenarios.push_back(&each);
    }
  }
  return scenarios;
}

//! Until something is found, or until the process is full. Every second schedule is of `caught_by`, if that is not null.
void hunt(const compat::named_fault& fault, const std::vector<const scenario*>& scenarios, std::uint64_t seed,
          std::uint64_t first, std::uint64_t end, const scenario* caught_by, trace& told)
{
  reheat::simt::active_fault = fault.value;
  for (std::uint64_t k = first; k < end; ++k)
  {
    const std::uint64_t turn = caught_by != nullptr ? k / 2 : k;
    const scenario* const in_turn = scenarios[(seed + turn) % scenarios.size()];
    told.schedules = k + 1;
    told.in = caught_by != nullptr && k % 2 == 0 ? caught_by : in_turn;
    limit_time();
    const finding found = run_once(*told.in, seed * 1000003 + k);
    if (found.kind != nothing)
    {
      std::strncpy(told.kind, found.kind.c_str(), sizeof(told.kind) - 1);
      return;
    }
    if (process_is_full())
    {
      return;
    }
  }
}

//! In a process of its own: a fault may crash it, and a sanitizer may end it.
void hunt_apart(const compat::named_fault& fault, const std::vector<const scenario*>& scenarios, std::uint64_t seed,
                std::uint64_t first, std::uint64_t end, const scenario* caught_by, trace& told)
{
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0)
  {
    throw std::runtime_error("fork failed");
  }
  if (child == 0)
  {
    const int null = open("/dev/null", O_WRONLY);
    (void)dup2(null, STDERR_FILENO);
    hunt(fault, scenarios, seed, first, end, caught_by, told);
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child)
  {
    throw std::runtime_error("waitpid failed");
  }
  const char* ended = "";
  if (WIFSIGNALED(status))
  {
    ended = WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGVTALRM ? "hang" : "crash";
  }
  else if (WEXITSTATUS(status) == gave_up_exit)
  {
    if (told.kind[0] == '\0') // a finding from before it gave up counts
    {
      std::fprintf(stderr, "%s: ThreadSanitizer gave up in schedule %llu\n", fault.name,
                   static_cast<unsigned long long>(told.schedules));
    }
  }
  else if (WEXITSTATUS(status) != 0)
  {
    ended = WEXITSTATUS(status) == sanitizer_exit ? "sanitizer" : "crash";
  }
  if (told.kind[0] == '\0')
  {
    std::strncpy(told.kind, ended, sizeof(told.kind) - 1);
  }
}

void print_row(const compat::named_fault& fault, std::vector<std::uint64_t> counts, unsigned seeds,
               const std::map<std::string, unsigned>& kinds)
{
  std::sort(counts.begin(), counts.end());
  std::string by;
  for (const auto& [kind, times] : kinds)
  {
    by += (by.empty() ? "" : ", ") + kind + " " + std::to_string(times);
  }
  const std::string median = counts.empty() ? "-" : std::to_string(counts[(counts.size() - 1) / 2]);
  std::printf("%s\t%s\t%zu/%u\t%s\t%s\n", fault.protocol, fault.name, counts.size(), seeds, median.c_str(), by.c_str());
  std::fflush(stdout);
}

} // namespace

int hunt_mutants(const std::string& only, std::uint64_t seed, unsigned seeds, std::uint64_t schedules, bool majority)
{
  trace& told = *static_cast<trace*>(shared_memory(sizeof(trace)));
  for (const compat::named_fault& fault : compat::faults)
  {
    if (!only.empty() && only != fault.name)
    {
      continue;
    }
    std::vector<std::uint64_t> counts;
    std::map<std::string, unsigned> kinds;
    const std::vector<const scenario*> scenarios = scenarios_of(fault);
    const scenario* caught_by = nullptr;
    for (unsigned i = 0; i < seeds && !(majority && 2 * counts.size() > seeds); ++i)
    {
      told = {};
      while (told.schedules < schedules && told.kind[0] == '\0')
      {
        hunt_apart(fault, scenarios, seed + i, told.schedules, schedules, caught_by, told);
      }
      if (told.kind[0] != '\0')
      {
        counts.push_back(told.schedules);
        ++kinds[told.kind];
        caught_by = majority ? told.in : nullptr;
      }
    }
    print_row(fault, counts, seeds, kinds);
  }
  return 0;
}

} // namespace schedules

// AddressSanitizer ends the process, and is then recognised. ThreadSanitizer's reports become errors of the launch, each of
// them: a stack may be reported again. It ends the process only where it cannot go on, and with this status: with 0, a
// program that did so passed for one that found nothing.
extern "C" __attribute__((visibility("default"), used)) const char* __asan_default_options()
{
  return "exitcode=77:detect_leaks=0";
}
extern "C" __attribute__((visibility("default"), used)) const char* __tsan_default_options()
{
  return "suppress_equal_stacks=0:suppress_equal_addresses=0:exitcode=78:atexit_sleep_ms=0:report_thread_leaks=0";
}
