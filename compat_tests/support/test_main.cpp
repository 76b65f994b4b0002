// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The main of every test program that runs no algorithm. Runs the cases and counts them: fails unless
//! REHEAT_EXPECTED_CASES were executed and none skipped. With arguments, which select, it only tells.
#define BOOST_TEST_NO_MAIN
#include <boost/test/results_collector.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdio>

namespace
{

// Cases register themselves; the framework's name for "nothing to add".
boost::unit_test::test_suite* no_further_cases(int, char**)
{
  boost::unit_test::framework::master_test_suite().p_name.value = REHEAT_TEST_PROGRAM;
  return nullptr;
}

} // namespace

int main(int argc, char** argv)
{
  const int status = boost::unit_test::unit_test_main(no_further_cases, argc, argv);
  const auto& results = boost::unit_test::results_collector.results(boost::unit_test::framework::master_test_suite().p_id);
  const unsigned long executed = results.p_test_cases_passed + results.p_test_cases_failed + results.p_test_cases_aborted;
  std::printf("executed %lu, skipped %lu, expected %d\n", executed, results.p_test_cases_skipped.get(),
              REHEAT_EXPECTED_CASES);
  if (argc == 1 && (executed != REHEAT_EXPECTED_CASES || results.p_test_cases_skipped.get() != 0))
  {
    return 1;
  }
  return status;
}
