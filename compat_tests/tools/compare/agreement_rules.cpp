// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "agreement.hpp"
#include "host_machine.hpp"
#include "key_runs.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace
{

using compare::algorithm;
using compare::element;
using compare::fault;
using compare::implementation;
using compare::operation;

template <class T>
compare::request request_for(algorithm algorithm, element element, operation operation, const std::vector<T>& items)
{
  return {algorithm, element, operation, reinterpret_cast<const std::byte*>(items.data()), items.size(), 0, 1};
}

// Random bits for integers, [-1, 1) for floats, near 1 for factors.
template <class T>
std::vector<T> random_items(std::size_t count, operation operation)
{
  std::mt19937_64 random(count);
  std::vector<T> items(count);
  for (T& item : items)
  {
    if constexpr (std::is_floating_point_v<T>)
    {
      const T unit = std::uniform_real_distribution<T>(-1, 1)(random);
      item = operation == operation::multiplies ? 1 + unit / 128 : unit;
    }
    else
    {
      item = static_cast<T>(random());
    }
  }
  return items;
}

std::vector<operation> operations_of(algorithm algorithm)
{
  return compare::takes_operation(algorithm) ? std::vector<operation>(compare::operations.begin(), compare::operations.end())
                                             : std::vector{operation::none};
}

bool returns_its_result(algorithm algorithm)
{
  return compare::facts_of(algorithm).gives == accelerated::gives::words;
}

template <class Visit>
void for_every_row(Visit visit)
{
  for (const algorithm algorithm : compare::algorithms)
  {
    for (const element element : compare::elements)
    {
      for (const operation operation : operations_of(algorithm))
      {
        if (!compare::unserved(algorithm, element, operation).empty())
        {
          continue;
        }
        for (const std::size_t count : {1u, 2u, 3u, 1000u, 10000u})
        {
          compare::with_type(element,
                             [&](auto tag)
                             {
                               const auto items = random_items<typename decltype(tag)::type>(count, operation);
                               BOOST_TEST_CONTEXT(compare::name_of(algorithm)
                                                  << ' ' << name_of(element) << ' ' << name_of(operation) << ' ' << count)
                               {
                                 visit(request_for(algorithm, element, operation, items));
                               }
                             });
        }
      }
    }
  }
}

template <class T>
compare::host_bytes bytes_of(const std::vector<T>& values)
{
  compare::host_bytes made(values.size() * sizeof(T));
  if (!values.empty()) // memcpy takes no null pointer, not even for no bytes
  {
    std::memcpy(made.data(), values.data(), made.size());
  }
  return made;
}

// Positions of a right result: of a selection as many as are selected.
std::size_t positions_of(const compare::request& row)
{
  const compare::outcome made = compare::host_machine(fault::none).run(row);
  return made.reheat.values.size() / compare::output_item_bytes(row.algorithm, row.element);
}

// An outcome with these values for reheat and Thrust.
template <class T>
compare::outcome outcome_of(std::initializer_list<T> reheat, std::initializer_list<T> thrust)
{
  compare::outcome made;
  made.reheat.values = bytes_of(std::vector<T>(reheat));
  made.thrust.values = bytes_of(std::vector<T>(thrust));
  return made;
}

} // namespace

BOOST_AUTO_TEST_SUITE(agreement)

BOOST_AUTO_TEST_CASE(right_results_of_every_row_agree)
{
  for_every_row(
      [](const compare::request& row)
      {
        const compare::judgement judged = compare::judge(row, compare::host_machine(fault::none).run(row));
        BOOST_TEST(judged.agrees);
        BOOST_TEST(judged.details.empty());
      });
}

BOOST_AUTO_TEST_CASE(one_wrong_value_makes_every_row_differ)
{
  for_every_row(
      [](const compare::request& row)
      {
        const std::size_t positions = positions_of(row);
        const compare::judgement judged = compare::judge(row, compare::host_machine(fault::wrong_value).run(row));
        if (positions == 0)
        {
          BOOST_TEST(compare::facts_of(row.algorithm).selects());
          return;
        }
        BOOST_TEST(!judged.agrees);
        BOOST_TEST(judged.reheat.wrong == 1u);
        BOOST_TEST(judged.reheat.first_wrong == positions - 1);
        BOOST_TEST(judged.thrust.within);
        BOOST_TEST(judged.details.size() == 1u);
      });
}

BOOST_AUTO_TEST_CASE(a_position_never_written_makes_every_row_differ)
{
  for_every_row(
      [](const compare::request& row)
      {
        if (!returns_its_result(row.algorithm) && positions_of(row) != 0)
        {
          BOOST_TEST(!compare::judge(row, compare::host_machine(fault::not_written).run(row)).agrees);
        }
      });
}

BOOST_AUTO_TEST_CASE(one_wrong_key_makes_calls_that_write_keys_differ_and_no_others)
{
  for_every_row(
      [](const compare::request& row)
      {
        const compare::judgement judged = compare::judge(row, compare::host_machine(fault::wrong_key).run(row));
        const bool keys_differ = compare::facts_of(row.algorithm).writes_keys();
        BOOST_TEST(judged.agrees == !keys_differ);
        BOOST_TEST(judged.reheat.wrong == (keys_differ ? 1u : 0u));
      });
}

BOOST_AUTO_TEST_CASE(a_wrong_end_a_write_outside_and_an_exception_differ)
{
  const std::vector<std::int32_t> items{1, 2, 3};
  const auto row = request_for(algorithm::inclusive_scan, element::i32, operation::plus, items);
  for (const fault each : {fault::wrong_end, fault::out_of_bounds, fault::throws})
  {
    const compare::judgement judged = compare::judge(row, compare::host_machine(each).run(row));
    BOOST_TEST(!judged.agrees);
    BOOST_TEST(judged.details.size() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_device_makes_a_row_differ_and_a_wrong_cub_is_only_told)
{
  for_every_row(
      [](const compare::request& row)
      {
        const auto judged = [&](fault fault, implementation faulty)
        { return compare::judge(row, compare::host_machine(fault, faulty).run(row)); };
        if (!compare::is_of_device_classes(row.algorithm))
        {
          BOOST_TEST(judged(fault::none, implementation::device).others.empty());
          return;
        }
        for (const fault each : {fault::wrong_value, fault::not_written, fault::out_of_bounds, fault::throws})
        {
          const compare::judgement device = judged(each, implementation::device);
          BOOST_TEST(!device.agrees);
          BOOST_TEST(device.reheat.within);
          BOOST_TEST(device.others.at(implementation::cub).within);
          BOOST_TEST(device.others.at(implementation::device).within == (each == fault::out_of_bounds));
          BOOST_REQUIRE(device.details.size() == 1u);
          BOOST_TEST(device.details[0].rfind("device", 0) == 0u);

          const compare::judgement cub = judged(each, implementation::cub);
          BOOST_TEST(cub.agrees);
          BOOST_TEST(cub.others.at(implementation::device).within);
          BOOST_TEST(cub.others.at(implementation::cub).within == (each == fault::out_of_bounds));
          BOOST_TEST(cub.details.size() == (cub.exact || each == fault::throws ? 1u : 0u));
        }
      });
}

BOOST_AUTO_TEST_CASE(signed_sums_and_products_wrap)
{
  constexpr std::int32_t top = std::numeric_limits<std::int32_t>::max();
  const std::vector<std::int32_t> items{top, 2};
  BOOST_TEST(compare::judge(request_for(algorithm::inclusive_scan, element::i32, operation::plus, items),
                            outcome_of<std::int32_t>({top, std::numeric_limits<std::int32_t>::min() + 1},
                                                     {top, std::numeric_limits<std::int32_t>::min() + 1}))
                 .agrees);
  BOOST_TEST(compare::judge(request_for(algorithm::inclusive_scan, element::i32, operation::multiplies, items),
                            outcome_of<std::int32_t>({top, -2}, {top, -2}))
                 .agrees);
}

BOOST_AUTO_TEST_CASE(reduce_and_exclusive_scan_start_with_the_first_item)
{
  const std::vector<std::int16_t> items{5, 7};
  BOOST_TEST(compare::judge(request_for(algorithm::reduce, element::i16, operation::plus, items),
                            outcome_of<std::int16_t>({17}, {17}))
                 .agrees);
  BOOST_TEST(compare::judge(request_for(algorithm::exclusive_scan, element::i16, operation::plus, items),
                            outcome_of<std::int16_t>({5, 10}, {5, 10}))
                 .agrees);
}

// The host machine shares no loop with the reference, but it was written with it: these are written by hand.
BOOST_AUTO_TEST_CASE(sums_of_terms_are_what_they_say)
{
  const std::vector<std::int32_t> items{5, 7, 9};
  const auto agrees = [&](algorithm which, std::initializer_list<std::int32_t> values)
  { return compare::judge(request_for(which, element::i32, operation::plus, items), outcome_of(values, values)).agrees; };
  BOOST_TEST(agrees(algorithm::transform_reduce, {5 - 21}));
  BOOST_TEST(agrees(algorithm::transform_inclusive_scan, {-5, -12, -21}));
  BOOST_TEST(agrees(algorithm::transform_exclusive_scan, {5, 0, -7}));
  BOOST_TEST(!agrees(algorithm::transform_reduce, {5 + 21}));
  BOOST_TEST(!agrees(algorithm::transform_exclusive_scan, {-5, 0, -7}));
}

BOOST_AUTO_TEST_CASE(numbers_are_what_they_say)
{
  const std::vector<std::int32_t> items{5, 7, -2, 5, 7, -2, 7};
  const auto agrees = [&](algorithm which, std::initializer_list<std::int64_t> values)
  { return compare::judge(request_for(which, element::i32, operation::none, items), outcome_of(values, values)).agrees; };
  BOOST_TEST(agrees(algorithm::count, {2}));
  BOOST_TEST(agrees(algorithm::count_if, {2}));
  BOOST_TEST(agrees(algorithm::min_element, {2}));
  BOOST_TEST(!agrees(algorithm::min_element, {5})); // equivalent, but not the first
  BOOST_TEST(agrees(algorithm::max_element, {1}));
  BOOST_TEST(agrees(algorithm::minmax_element, {2, 1}));
  BOOST_TEST(!agrees(algorithm::minmax_element, {2, 6}));
  BOOST_TEST(agrees(algorithm::all_of, {0}));
  BOOST_TEST(agrees(algorithm::any_of, {1}));
  BOOST_TEST(agrees(algorithm::none_of, {0}));
  BOOST_TEST(!agrees(algorithm::any_of, {0}));
}

BOOST_AUTO_TEST_CASE(runs_are_folded_one_by_one)
{
  // Ones: a position's inclusive sum is its place in its run, a run's total is its length.
  const std::vector<std::int32_t> items(20000, 1);
  std::vector<std::int32_t> keys(items.size()), places, before, totals, kept;
  compare::fill_keys(keys.data(), keys.size());
  std::int32_t product = 1;
  for (std::size_t i = 0; i < keys.size(); ++i)
  {
    const bool begins = i == 0 || keys[i] != keys[i - 1];
    places.push_back(begins ? 1 : places.back() + 1);
    before.push_back(places.back());
    begins ? totals.push_back(1) : void(++totals.back());
    if (begins)
    {
      kept.push_back(keys[i]);
    }
    product += keys[i];
  }
  const auto judged =
      [&](algorithm which, const std::vector<std::int32_t>& values, const std::vector<std::int32_t>& run_keys)
  {
    compare::outcome made;
    for (compare::result* each : {&made.reheat, &made.thrust})
    {
      each->values = bytes_of(values);
      each->keys = bytes_of(run_keys);
    }
    return compare::judge(request_for(which, element::i32, operation::plus, items), made);
  };
  BOOST_TEST(totals.size() == compare::count_runs(items.size()));
  BOOST_TEST(totals.size() > 16u); // short runs and long ones
  BOOST_TEST(judged(algorithm::reduce_by_key, totals, kept).agrees);
  BOOST_TEST(judged(algorithm::inclusive_scan_by_key, places, {}).agrees);
  BOOST_TEST(judged(algorithm::exclusive_scan_by_key, before, {}).agrees); // after an init of 1
  BOOST_TEST(judged(algorithm::inner_product, {product}, {}).agrees);
  ++kept.back();
  const compare::judgement wrong_key = judged(algorithm::reduce_by_key, totals, kept);
  BOOST_TEST(!wrong_key.agrees);
  BOOST_TEST(wrong_key.reheat.first_wrong == kept.size() - 1);
}

BOOST_AUTO_TEST_CASE(a_run_of_floats_may_err_by_what_its_own_items_allow)
{
  // The first run's large items excuse nothing in the second.
  const std::size_t first = compare::run_items(0);
  std::vector<float> items(first + 2, 1e6f);
  items[first] = items[first + 1] = 1;
  const auto row = request_for(algorithm::inclusive_scan_by_key, element::f32, operation::plus, items);
  constexpr float eps = std::numeric_limits<float>::epsilon();
  compare::outcome made = compare::host_machine(fault::none).run(row);
  made.reheat.values.as<float>()[first + 1] = 2 + 4 * eps;
  BOOST_TEST(compare::judge(row, made).agrees);
  made.reheat.values.as<float>()[first + 1] = 2 + 6 * eps;
  BOOST_TEST(!compare::judge(row, made).agrees);
}

BOOST_AUTO_TEST_CASE(a_thrust_that_errs_on_integers_is_a_difference)
{
  const std::vector<std::int32_t> items{1, 2};
  const auto row = request_for(algorithm::inclusive_scan, element::i32, operation::plus, items);
  const compare::judgement judged = compare::judge(row, outcome_of<std::int32_t>({1, 3}, {1, 4}));
  BOOST_TEST(!judged.agrees);
  BOOST_TEST(judged.reheat.within);
}

BOOST_AUTO_TEST_CASE(a_sum_may_err_by_its_bound_and_no_more)
{
  // Two operands: 2 log2(2) eps (|1| + |1|) = 4 eps.
  const std::vector<float> items{1, 1};
  const auto row = request_for(algorithm::inclusive_scan, element::f32, operation::plus, items);
  constexpr float eps = std::numeric_limits<float>::epsilon();
  const compare::judgement allowed = compare::judge(row, outcome_of<float>({1, 2 + 4 * eps}, {1, 2}));
  BOOST_TEST(allowed.agrees);
  BOOST_TEST(allowed.reheat.error == 4 * eps);
  BOOST_TEST(allowed.reheat.bound == 4 * eps);
  BOOST_TEST(allowed.thrust.error == 0);
  BOOST_TEST(!compare::judge(row, outcome_of<float>({1, 2 + 6 * eps}, {1, 2})).agrees);
  // One operand: nothing to round.
  BOOST_TEST(!compare::judge(row, outcome_of<float>({1 + eps, 2}, {1, 2})).agrees);
}

BOOST_AUTO_TEST_CASE(thrusts_own_error_excuses_the_same_error_at_that_position)
{
  const std::vector<float> items{1, 1, 1};
  const auto row = request_for(algorithm::inclusive_scan, element::f32, operation::plus, items);
  BOOST_TEST(compare::judge(row, outcome_of<float>({1, 2.5f, 3}, {1, 1.5f, 3})).agrees);
  BOOST_TEST(!compare::judge(row, outcome_of<float>({1, 2.75f, 3}, {1, 1.5f, 3})).agrees);
  BOOST_TEST(!compare::judge(row, outcome_of<float>({1, 2, 3.5f}, {1, 1.5f, 3})).agrees);
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  BOOST_TEST(!compare::judge(row, outcome_of<float>({1, nan, 3}, {1, nan, 3})).agrees);
  BOOST_TEST(!compare::judge(row, outcome_of<float>({1, infinity, 3}, {1, infinity, 3})).agrees);
}

BOOST_AUTO_TEST_CASE(thrusts_own_error_excuses_device_and_does_not_excuse_cub)
{
  const std::vector<float> items{1, 1, 1};
  const auto row = request_for(algorithm::inclusive_scan, element::f32, operation::plus, items);
  const auto judged = [&](float value)
  {
    compare::outcome made = outcome_of<float>({1, 2, 3}, {1, 1.5f, 3});
    made.others[implementation::device].values = bytes_of(std::vector<float>{1, value, 3});
    made.others[implementation::cub].values = bytes_of(std::vector<float>{1, value, 3});
    return compare::judge(row, made);
  };
  BOOST_TEST(judged(2.5f).agrees);
  BOOST_TEST(judged(2.5f).others.at(implementation::device).within);
  BOOST_TEST(!judged(2.5f).others.at(implementation::cub).within);
  BOOST_TEST(!judged(2.75f).agrees);
}

BOOST_AUTO_TEST_CASE(a_product_may_err_by_two_eps_for_each_factor)
{
  const std::vector<double> items{1, 1, 1};
  const auto row = request_for(algorithm::inclusive_scan, element::f64, operation::multiplies, items);
  constexpr double eps = std::numeric_limits<double>::epsilon();
  BOOST_TEST(compare::judge(row, outcome_of<double>({1, 1, 1 + 6 * eps}, {1, 1, 1})).agrees);
  BOOST_TEST(!compare::judge(row, outcome_of<double>({1, 1, 1 + 7 * eps}, {1, 1, 1})).agrees);
  // Thrust's error excuses no product.
  BOOST_TEST(!compare::judge(row, outcome_of<double>({1, 1, 1 + 7 * eps}, {1, 1, 1 + 7 * eps})).agrees);
}

BOOST_AUTO_TEST_CASE(a_product_of_zero_is_zero)
{
  const std::vector<float> items{2, 0};
  const auto row = request_for(algorithm::inclusive_scan, element::f32, operation::multiplies, items);
  BOOST_TEST(compare::judge(row, outcome_of<float>({2, 0}, {2, 0})).agrees);
  BOOST_TEST(!compare::judge(row, outcome_of<float>({2, 1e-30f}, {2, 0})).agrees);
}

BOOST_AUTO_TEST_CASE(the_reference_of_a_long_double_sum_keeps_what_double_would_lose)
{
  // 1 + 2^20 * 2^-60: a sum in double never moves, the reference does.
  std::vector<double> items((std::size_t{1} << 20) + 1, std::ldexp(1.0, -60));
  items[0] = 1;
  compare::outcome made = outcome_of<double>({2 + std::ldexp(1.0, -40)}, {2});
  const auto row = request_for(algorithm::reduce, element::f64, operation::plus, items);
  const compare::judgement judged = compare::judge(row, made);
  BOOST_TEST(judged.agrees);
  BOOST_TEST(judged.reheat.error == 0);
  BOOST_TEST(judged.thrust.error == std::ldexp(1.0, -40));
  BOOST_TEST(!judged.thrust.within);
}

BOOST_AUTO_TEST_CASE(minimum_and_maximum_of_floats_are_exact)
{
  const std::vector<float> items{1, 2};
  const auto row = request_for(algorithm::reduce, element::f32, operation::max, items);
  BOOST_TEST(compare::judge(row, outcome_of<float>({2}, {2})).agrees);
  BOOST_TEST(!compare::judge(row, outcome_of<float>({std::nextafter(2.0f, 3.0f)}, {2})).agrees);
}

BOOST_AUTO_TEST_SUITE_END()
