// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! As policy/failures.cu, for what the library asks once in a process.

#include "../support/failures.hpp"
#include "../support/graphs.hpp"

#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

using namespace compat;

BOOST_AUTO_TEST_SUITE(policy)
BOOST_AUTO_TEST_SUITE(first_failures)

namespace
{

using u32 = std::uint32_t;

//! What `body` returns in a process of its own, or minus the signal that ended it.
template <class Body>
int outcome_of_fork(Body body)
{
  const pid_t child = fork();
  if (child == 0)
  {
    int outcome = 99;
    try
    {
      outcome = body();
    }
    catch (const std::exception& error)
    {
      std::fprintf(stderr, "%s\n", error.what());
    }
    _exit(outcome);
  }
  int status = 0;
  BOOST_REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

//! A scan and a reduction, the first ones of the process, with a fault; then the same without. False: there was no such
//! call.
bool first_calls_with_fault(std::size_t nth, int code, bool captures)
{
  stream own;
  const std::size_t size = items_of_calls();
  const thrust::device_vector<u32> in(size);
  thrust::device_vector<u32> out(size);
  const auto scan = [&] { thrust::inclusive_scan(reheat::par_nosync.on(own.get()), in.begin(), in.end(), out.begin()); };
  const auto calls = [&]
  {
    if (captures)
    {
      const graph captured(own, cudaStreamCaptureModeGlobal, scan);
    }
    else
    {
      scan();
      (void)thrust::reduce(reheat::par.on(own.get()), in.begin(), in.end());
    }
  };
  bool has_failed = false;
  heard caller;
  {
    const injection fault(nth, code);
    caller = hear(calls);
    has_failed = fault.has_failed();
  }
  BOOST_REQUIRE_MESSAGE(caller.wrong.empty(), caller.text << caller.wrong);
  BOOST_REQUIRE_MESSAGE(!error_is_pending(), "an error has stayed behind");
  BOOST_REQUIRE_MESSAGE(capture_mode_is_global(), "the thread's mode of captures has changed");
  calls();
  return has_failed;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_call_of_the_machine_fails_in_turn_in_the_first_call_of_a_process)
{
  // What is asked for once in a process: each fault has a process of its own, in which the library has not been called yet.
  constexpr int no_more_calls = 100;
  std::size_t runs = 0;
  for (const bool captures : {false, true})
  {
    int outcome = 0;
    for (std::size_t nth = 1; outcome != no_more_calls; ++nth)
    {
      for (const int code : {static_cast<int>(cudaErrorMemoryAllocation), static_cast<int>(cudaErrorInitializationError)})
      {
        outcome = outcome_of_fork([&] { return first_calls_with_fault(nth, code, captures) ? 0 : no_more_calls; });
        BOOST_TEST((outcome == 0 || outcome == no_more_calls), "call " << nth << " of the machine fails with " << code
                                                                       << (captures ? " in a capture" : "") << ": "
                                                                       << outcome);
        ++runs;
      }
      BOOST_REQUIRE(nth < 200);
    }
  }
  BOOST_TEST_MESSAGE("processes: " << runs << " faults injected");
  BOOST_TEST(runs > 100u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
