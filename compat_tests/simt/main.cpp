// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The main of the emulator's tests: runs them and fails unless every case was executed and their number is the expected one
//! (REHEAT_EXPECTED_CASES from the source list; for a selection the environment variable REHEAT_EXPECTED).

#define BOOST_TEST_NO_MAIN
#include <boost/test/included/unit_test.hpp>

#include <cstdio>
#include <cstdlib>

namespace
{

class counting_observer : public boost::unit_test::test_observer
{
public:
  void test_unit_finish(const boost::unit_test::test_unit& unit, unsigned long) override
  {
    executed += unit.p_type == boost::unit_test::TUT_CASE;
  }
  void test_unit_skipped(const boost::unit_test::test_unit& unit, boost::unit_test::const_string) override
  {
    boost::unit_test::test_case_counter cases;
    boost::unit_test::traverse_test_tree(unit, cases, true);
    skipped += static_cast<unsigned>(cases.p_count);
  }

  unsigned executed = 0, skipped = 0;
};

counting_observer observer;

struct register_observer
{
  register_observer() { boost::unit_test::framework::register_observer(observer); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(register_observer);

boost::unit_test::test_suite* initialise(int, char**)
{
  boost::unit_test::framework::master_test_suite().p_name.value = "reheat_emulator_tests";
  return nullptr;
}

} // namespace

int main(int argc, char* argv[])
{
  const int status = boost::unit_test::unit_test_main(&initialise, argc, argv);
  const char* const selection = std::getenv("REHEAT_EXPECTED");
  const unsigned expected =
      selection == nullptr ? REHEAT_EXPECTED_CASES : static_cast<unsigned>(std::strtoul(selection, nullptr, 10));
  std::printf("executed %u, skipped %u, expected %u\n", observer.executed, observer.skipped, expected);
  if (observer.executed != expected || observer.skipped != 0)
  {
    std::printf("error: executed and expected differ\n");
    return 1;
  }
  return status;
}
