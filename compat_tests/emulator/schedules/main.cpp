// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scenarios under schedule after schedule; or, with --mutants, how many schedules it takes to catch each protocol fault.
//! Exit 0 if nothing was found, 1 if something was or a schedule was not run to its end, 2 for bad usage.
#include "mutants.hpp"
#include "run.hpp"

#include "../../support/faults.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace
{

struct options
{
  std::string scenario;
  std::string fault;
  std::uint64_t seed = 1;
  std::uint64_t schedules = 200;
  bool mutants = false;
  bool majority = false;
  unsigned seeds = 20;
  bool list = false;
};

int list_all()
{
  for (const schedules::scenario& each : schedules::all_scenarios())
  {
    std::printf("scenario %s (%s)\n", each.name, each.protocols);
  }
  for (const compat::named_fault& fault : compat::faults)
  {
    std::printf("fault %s/%s: %s\n", fault.protocol, fault.name, fault.what);
  }
  return 0;
}

struct run
{
  const schedules::scenario* scenario;
  std::uint64_t seed;
};

//! Runs them until something is found, and prints that, or until the process is full. Returns whether nothing was found.
//! `next` gets the first one that was not run.
bool explore_in_turn(const run* first, const run* last, const options& wanted, const char* program, const run*& next)
{
  for (next = first; next != last;)
  {
    const run& now = *next++;
    const schedules::scenario& each = *now.scenario;
    const schedules::finding found = schedules::run_once(each, now.seed);
    if (found.kind != schedules::nothing)
    {
      std::printf("%s: %s\n%s\nreplay: %s --scenario %s --seed %llu --schedules 1%s%s\n", each.name, found.kind.c_str(),
                  found.text.c_str(), program, each.name, static_cast<unsigned long long>(now.seed),
                  wanted.fault.empty() ? "" : " --fault ", wanted.fault.c_str());
      return false;
    }
    if (schedules::process_is_full())
    {
      break;
    }
  }
  return true;
}

//! The same in a process of its own. `next` is in memory that both have.
bool explore_apart(const run* first, const run* last, const options& wanted, const char* program, const run*& next)
{
  next = first;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0)
  {
    throw std::runtime_error("fork failed");
  }
  if (child == 0)
  {
    const bool clean = explore_in_turn(first, last, wanted, program, next);
    std::fflush(nullptr);
    _exit(clean ? 0 : 1);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child)
  {
    throw std::runtime_error("waitpid failed");
  }
  if (WIFSIGNALED(status) || WEXITSTATUS(status) > 1)
  {
    const run& ran = next == first ? *first : next[-1];
    std::printf("a process of %td runs, the last one %s with seed %llu, ended by %s %d\n", next - first, ran.scenario->name,
                static_cast<unsigned long long>(ran.seed), WIFSIGNALED(status) ? "signal" : "exit status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int explore(const options& wanted, const char* program)
{
  std::vector<run> runs;
  for (std::uint64_t seed = wanted.seed; seed < wanted.seed + wanted.schedules; ++seed)
  {
    for (const schedules::scenario& each : schedules::all_scenarios())
    {
      if (wanted.scenario.empty() || wanted.scenario == each.name)
      {
        runs.push_back({&each, seed});
      }
    }
  }
  const run*& next = *static_cast<const run**>(schedules::shared_memory(sizeof(const run*)));
  const run* const last = runs.data() + runs.size();
  const bool apart = schedules::runs_apart() && runs.size() > 1;
  for (next = runs.data(); next != last;)
  {
    const run* const first = next;
    if (!(apart ? explore_apart : explore_in_turn)(first, last, wanted, program, next))
    {
      return 1;
    }
  }
  std::printf("%zu runs, seeds %llu to %llu: nothing found\n", runs.size(), static_cast<unsigned long long>(wanted.seed),
              static_cast<unsigned long long>(wanted.seed + wanted.schedules - 1));
  return runs.empty() ? 2 : 0;
}

} // namespace

int main(int argc, char* argv[])
{
  options wanted;
  CLI::App app("Scans and reductions on the emulator, under many schedules");
  app.add_option("--scenario", wanted.scenario, "this one only")
      ->check(
          [](const std::string& name)
          { return schedules::find_scenario(name.c_str()) != nullptr ? std::string() : "there is no scenario " + name; });
  app.add_option("--seed", wanted.seed, "the first seed")->capture_default_str();
  app.add_option("--schedules", wanted.schedules, "seeds per scenario; of --mutants: schedules before a fault has survived")
      ->capture_default_str();
  app.add_option("--fault", wanted.fault, "switch this protocol fault on")
      ->check([](const std::string& name)
              { return compat::find_fault(name.c_str()) != nullptr ? std::string() : "there is no fault " + name; });
  app.add_flag("--mutants", wanted.mutants, "count the schedules that it takes to catch each fault, or the one of --fault");
  app.add_option("--seeds", wanted.seeds, "of --mutants: how often each is hunted")->capture_default_str();
  app.add_flag("--majority", wanted.majority, "of --mutants: no more hunts of a fault that more than half have caught");
  app.add_flag("--list", wanted.list, "name all scenarios and faults");
  try
  {
    app.parse(argc, argv);
  }
  catch (const CLI::ParseError& error)
  {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (wanted.list)
  {
    return list_all();
  }
  if (wanted.mutants)
  {
    return schedules::hunt_mutants(wanted.fault, wanted.seed, wanted.seeds, wanted.schedules, wanted.majority);
  }
  if (!wanted.fault.empty())
  {
    reheat::simt::active_fault = compat::find_fault(wanted.fault.c_str())->value;
  }
  return explore(wanted, argv[0]);
}
