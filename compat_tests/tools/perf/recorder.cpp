// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! From times to the file: implementations that take known times run through Google Benchmark into its JSON.
#include <suite/interleaving.hpp>
#include <suite/recorder.hpp>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using namespace perf;

namespace
{

const row some_row{algorithm::inclusive_scan, type::i32, operation::plus, input::pointer, 1000, clock::graph};

// Takes the given microseconds, one after another.
interleaved takes(implementation who, std::vector<double> microseconds)
{
  auto next = std::make_shared<std::size_t>(0);
  return {who, [=] { return microseconds.at((*next)++) * 1e-6; }, "made up", {}};
}

nlohmann::json recorded(const std::vector<interleaved>& all, int repetitions, std::vector<std::string>* failures = nullptr)
{
  const std::string path = "reheat_perf_recorder_test.json";
  recorder results(path);
  results.add_context("gpu", "none");
  results.add(some_row, measure_interleaved(some_row, all, repetitions));
  results.write();
  if (failures != nullptr)
  {
    *failures = results.failures();
  }
  std::ifstream file(path);
  auto made = nlohmann::json::parse(file);
  std::remove(path.c_str());
  return made;
}

std::map<std::string, nlohmann::json> by_name(const nlohmann::json& document)
{
  std::map<std::string, nlohmann::json> found;
  for (const auto& each : document["benchmarks"])
  {
    found[each["name"]] = each;
  }
  return found;
}

const std::string prefix = "inclusive_scan/i32/plus/pointer/1000/graph/";

} // namespace

BOOST_AUTO_TEST_SUITE(recorder_of_rows)

BOOST_AUTO_TEST_CASE(a_benchmark_is_its_repetition_of_median_time)
{
  auto all = by_name(recorded(
      {takes(implementation::reheat, {50, 40, 42, 41, 60}), takes(implementation::limit, {20, 20, 21, 20, 20})}, 5));
  BOOST_TEST(all.size() == 2u);
  const auto& ours = all[prefix + "reheat"];
  BOOST_TEST(ours["real_time"].get<double>() == 42, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(ours["time_unit"].get<std::string>() == "us");
  BOOST_TEST(ours["bytes"].get<double>() == 8000);
  BOOST_TEST(ours["spread"].get<double>() == 20. / 42, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(ours["limit_fraction"].get<double>() == 20. / 42, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(ours["label"].get<std::string>() == "made up");
  BOOST_TEST(all[prefix + "limit"]["limit_fraction"].get<double>() == 1);
}

BOOST_AUTO_TEST_CASE(each_stands_beside_the_limit_that_has_launches_of_the_same_kind)
{
  auto all = by_name(recorded({takes(implementation::reheat, {40}), takes(implementation::reheat_serial, {50}),
                               takes(implementation::cub, {80}), takes(implementation::limit_early, {20}),
                               takes(implementation::limit, {30})},
                              1));
  const auto fraction_of = [&](const char* who) { return all[prefix + who]["limit_fraction"].get<double>(); };
  BOOST_TEST(fraction_of("reheat") == 20. / 40, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(fraction_of("reheat-serial") == 30. / 50, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(fraction_of("cub") == 30. / 80, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_second_measurement_is_added_to_the_first)
{
  const std::string path = "reheat_perf_recorder_twice.json";
  recorder results(path);
  results.add(some_row,
              measure_interleaved(some_row, {takes(implementation::reheat, {40}), takes(implementation::cub, {50})}, 1));
  results.add_again(
      some_row, measure_interleaved(
                    some_row, {takes(implementation::reheat, {42}), interleaved{implementation::cub, {}, {}, "lost"}}, 1));
  results.write();
  std::ifstream file(path);
  auto all = by_name(nlohmann::json::parse(file));
  std::remove(path.c_str());
  BOOST_TEST(all[prefix + "reheat"]["real_time"].get<double>() == 40, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(all[prefix + "reheat"]["again"].get<double>() == 42, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(all[prefix + "cub"].count("again") == 0u);
  const std::vector<std::string> expected{prefix + "cub, measured again: lost"};
  BOOST_TEST(results.failures() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_fails_is_said_and_stops_nothing)
{
  interleaved late = takes(implementation::thrust, {});
  late.seconds = []() -> double { throw std::runtime_error("too late"); };
  std::vector<std::string> failures;
  auto all = by_name(
      recorded({interleaved{implementation::reheat, {}, {}, "wrong result"}, late, takes(implementation::cub, {7, 7, 7})}, 3,
               &failures));
  BOOST_TEST(all[prefix + "reheat"]["error_occurred"].get<bool>());
  BOOST_TEST(all[prefix + "reheat"]["error_message"].get<std::string>() == "wrong result");
  BOOST_TEST(all[prefix + "thrust"]["error_message"].get<std::string>() == "too late");
  BOOST_TEST(all[prefix + "cub"]["real_time"].get<double>() == 7, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(all[prefix + "cub"].count("limit_fraction") == 0u);
  const std::vector<std::string> expected{prefix + "reheat: wrong result", prefix + "thrust: too late"};
  BOOST_TEST(failures == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_context_says_what_was_measured_and_not_where)
{
  const auto document = recorded({takes(implementation::cub, {7})}, 1);
  BOOST_TEST(document["context"]["gpu"].get<std::string>() == "none");
  BOOST_TEST(document["context"].count("date") == 1u);
  BOOST_TEST(document["context"].count("host_name") == 0u);
  BOOST_TEST(document["context"].count("executable") == 0u);
}

BOOST_AUTO_TEST_CASE(the_implementations_take_turns)
{
  std::vector<implementation> order;
  const auto logs = [&](implementation who)
  {
    return interleaved{who,
                       [&order, who]
                       {
                         order.push_back(who);
                         return 1e-6;
                       },
                       {},
                       {}};
  };
  recorded({logs(implementation::reheat), logs(implementation::cub)}, 40);
  BOOST_TEST(order.size() == 80u);
  // In random order: that one comes 40 times and then the other has a probability of 10^-23.
  const auto changes = [&]
  {
    std::size_t count = 0;
    for (std::size_t i = 1; i < order.size(); ++i)
    {
      count += order[i] != order[i - 1];
    }
    return count;
  }();
  BOOST_TEST(changes > 5u);
}

BOOST_AUTO_TEST_CASE(a_file_that_can_not_be_written_is_refused_at_once)
{
  BOOST_CHECK_THROW(recorder("/nowhere/results.json"), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
