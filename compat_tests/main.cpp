// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The main of the compat tests. Prints machine and seed, runs, and counts: fails unless every selected case was executed
//! and their number is the one expected (REHEAT_EXPECTED_CASES, for a selection the environment variable REHEAT_EXPECTED).
//! Emulated: --seed <first seed> and --schedules <schedules per check> besides the framework's own options, and the
//! environment variables REHEAT_SEED and REHEAT_MOST_SCHEDULES.

#include "support/machine.hpp"

#if defined(REHEAT_EMULATED)
#  include <reheat/emulator.h>
#else
#  include <cuda_runtime_api.h>
#endif

#define BOOST_TEST_NO_MAIN
#include <boost/test/tree/observer.hpp>
#include <boost/test/tree/test_case_counter.hpp>
#include <boost/test/tree/traverse.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace
{

//! Watches a run: which cases ended, and whether each left the machine sound.
class counting_observer : public boost::unit_test::test_observer
{
public:
#if defined(REHEAT_EMULATED)
  void test_unit_start(const boost::unit_test::test_unit& unit) override
  {
    reheat::emulator::set_seed(compat::first_seed());
    if (unit.p_type == boost::unit_test::TUT_CASE)
    {
      reheat::emulator::set_replay_command(program + " --run_test=" + unit.full_name());
    }
  }
  std::string program;
#endif
  void test_unit_finish(const boost::unit_test::test_unit& unit, unsigned long) override
  {
    if (unit.p_type != boost::unit_test::TUT_CASE)
    {
      return;
    }
    ++executed;
#if !defined(REHEAT_EMULATED)
    const cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess)
    {
      std::printf("after %s: %s\n", unit.full_name().c_str(), cudaGetErrorString(status));
      ++broken;
    }
#endif
  }
  void test_unit_skipped(const boost::unit_test::test_unit& unit, boost::unit_test::const_string reason) override
  {
    boost::unit_test::test_case_counter cases;
    boost::unit_test::traverse_test_tree(unit, cases); // counts those selected: the others are not skipped
    if (cases.p_count != 0)
    {
      skipped += static_cast<unsigned>(cases.p_count);
      std::printf("skipped: %s (%s)\n", unit.full_name().c_str(), std::string(reason.begin(), reason.end()).c_str());
    }
  }

  unsigned executed = 0, skipped = 0, broken = 0;
};

//! All cases of the tree, selected or not; and those that a decorator disables.
class case_visitor : public boost::unit_test::test_tree_visitor
{
public:
  void visit(const boost::unit_test::test_case& unit) override
  {
    ++registered;
    if (unit.p_default_status == boost::unit_test::test_unit::RS_DISABLED)
    {
      std::printf("disabled: %s\n", unit.full_name().c_str());
      ++disabled;
    }
  }
  bool test_suite_start(const boost::unit_test::test_suite& unit) override
  {
    disabled += unit.p_default_status == boost::unit_test::test_unit::RS_DISABLED;
    return true;
  }

  unsigned registered = 0, disabled = 0;
};

counting_observer observer;
unsigned registered_cases = 0, disabled_cases = 0, selected_cases = 0;

//! Counts the tree once it is complete, before any case runs.
struct tree_counter
{
  tree_counter()
  {
    case_visitor cases;
    boost::unit_test::traverse_test_tree(boost::unit_test::framework::master_test_suite(), cases, true);
    registered_cases = cases.registered;
    disabled_cases = cases.disabled;
    boost::unit_test::test_case_counter selected;
    boost::unit_test::traverse_test_tree(boost::unit_test::framework::master_test_suite(), selected);
    selected_cases = static_cast<unsigned>(selected.p_count);
    boost::unit_test::framework::register_observer(observer);
  }
};
BOOST_TEST_GLOBAL_CONFIGURATION(tree_counter);

boost::unit_test::test_suite* initialise(int, char**)
{
  boost::unit_test::framework::master_test_suite().p_name.value = "reheat_compat";
  return nullptr;
}

#if defined(REHEAT_EMULATED)
//! Takes --seed and --schedules out of the arguments. False: a usage error, already reported.
bool take_schedule_options(int& argc, char* argv[])
{
  int kept = 1;
  for (int i = 1; i < argc; ++i)
  {
    const std::string option = argv[i];
    const bool seed = option == "--seed";
    if (!seed && option != "--schedules")
    {
      argv[kept++] = argv[i];
      continue;
    }
    char* end = nullptr;
    const std::uint64_t number = i + 1 < argc ? std::strtoull(argv[i + 1], &end, 10) : 0;
    if (end == nullptr || *end != '\0' || (!seed && number == 0))
    {
      std::fprintf(stderr, "%s takes a number%s\n", argv[i], seed ? "" : " of at least 1");
      return false;
    }
    ++i;
    (seed ? compat::first_seed() : compat::wanted_schedules()) = number;
  }
  argc = kept;
  return true;
}
#endif

void print_machine()
{
#if defined(REHEAT_EMULATED)
  const reheat::emulator::properties device = reheat::emulator::device_properties();
  std::printf("machine: emulated, %d multiprocessors\nseed: %llu\n", device.multiprocessors,
              static_cast<unsigned long long>(compat::first_seed()));
#else
  cudaDeviceProp device;
  if (cudaGetDeviceProperties(&device, 0) == cudaSuccess)
  {
    std::printf("machine: %s, sm_%d%d, %d multiprocessors\n", device.name, device.major, device.minor,
                device.multiProcessorCount);
  }
  else
  {
    std::printf("machine: no GPU\n");
  }
#endif
  std::fflush(stdout);
}

} // namespace

int main(int argc, char* argv[])
{
#if defined(REHEAT_EMULATED)
  if (!take_schedule_options(argc, argv))
  {
    return 2;
  }
  observer.program = argv[0];
#endif
  print_machine();
  const int status = boost::unit_test::unit_test_main(&initialise, argc, argv);
  if (registered_cases == 0)
  {
    return status; // only asked for help or a list
  }
  const char* const selection = std::getenv("REHEAT_EXPECTED");
  const unsigned expected =
      selection == nullptr ? selected_cases : static_cast<unsigned>(std::strtoul(selection, nullptr, 10));
  std::printf("executed %u, skipped %u, expected %u\n", observer.executed, observer.skipped, expected);
  bool sound = true;
  if (observer.executed != expected || observer.skipped != 0)
  {
    std::printf("error: executed and expected differ\n");
    sound = false;
  }
  if (registered_cases != REHEAT_EXPECTED_CASES || disabled_cases != 0)
  {
    std::printf("error: %u cases are registered, %u of them disabled; %u are expected\n", registered_cases, disabled_cases,
                unsigned(REHEAT_EXPECTED_CASES));
    sound = false;
  }
  if (observer.broken != 0)
  {
    std::printf("error: the machine reported errors after %u cases\n", observer.broken);
    sound = false;
  }
  return status != 0 ? status : sound ? 0 : 1;
}
