// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Several runs of a row of reheat-family become one entry.
#include <family/runs.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

using perf::family::json;
using perf::family::merge_runs;

namespace
{

json entry(double microseconds, bool host_time = false)
{
  return {{"name", "a"}, {"real_time", microseconds}, {"spread", microseconds / 100}, {"host_time", host_time}};
}

} // namespace

BOOST_AUTO_TEST_SUITE(runs_of_a_row)

BOOST_AUTO_TEST_CASE(an_entry_is_that_of_the_median_run_with_all_times)
{
  const json made = merge_runs({entry(30), entry(10), entry(20)});
  BOOST_TEST(made["real_time"].get<double>() == 20);
  BOOST_TEST(made["spread"].get<double>() == 0.2);
  BOOST_TEST((made["runs"] == json{30.0, 10.0, 20.0}));
}

BOOST_AUTO_TEST_CASE(one_run_is_as_it_is)
{
  BOOST_TEST((merge_runs({entry(30)}) == entry(30)));
}

BOOST_AUTO_TEST_CASE(the_hosts_time_in_one_run_marks_all)
{
  BOOST_TEST(merge_runs({entry(10), entry(20), entry(30, true)})["host_time"].get<bool>());
  BOOST_TEST(!merge_runs({entry(10), entry(20), entry(30)})["host_time"].get<bool>());
}

BOOST_AUTO_TEST_CASE(a_run_that_failed_is_not_outvoted)
{
  const json failed = {{"name", "a"}, {"error_occurred", true}, {"error_message", "wrong"}};
  BOOST_TEST((merge_runs({entry(10), failed, entry(20)}) == failed));
}

BOOST_AUTO_TEST_SUITE_END()
