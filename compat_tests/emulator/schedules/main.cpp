// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scenarios under schedule after schedule; or, with --mutants, how many schedules it takes to catch each protocol fault.
//! Exit 0 if nothing was found, 1 if something was, 2 for bad usage.
#include "mutants.hpp"
#include "run.hpp"

#include "../../support/faults.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

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

int explore(const options& wanted, const char* program)
{
  std::uint64_t runs = 0;
  for (std::uint64_t seed = wanted.seed; seed < wanted.seed + wanted.schedules; ++seed)
  {
    for (const schedules::scenario& each : schedules::all_scenarios())
    {
      if (!wanted.scenario.empty() && wanted.scenario != each.name)
      {
        continue;
      }
      ++runs;
      const schedules::finding found = schedules::run_once(each, seed);
      if (found.kind != schedules::nothing)
      {
        std::printf("%s: %s\n%s\nreplay: %s --scenario %s --seed %llu --schedules 1%s%s\n", each.name, found.kind.c_str(),
                    found.text.c_str(), program, each.name, static_cast<unsigned long long>(seed),
                    wanted.fault.empty() ? "" : " --fault ", wanted.fault.c_str());
        return 1;
      }
    }
  }
  std::printf("%llu runs, seeds %llu to %llu: nothing found\n", static_cast<unsigned long long>(runs),
              static_cast<unsigned long long>(wanted.seed),
              static_cast<unsigned long long>(wanted.seed + wanted.schedules - 1));
  return runs == 0 ? 2 : 0;
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
