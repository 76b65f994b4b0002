// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans: what each call form gives, in which type it accumulates, which ranges, iterators and operators it takes.

#include "../support/calls.hpp"
#include "../support/strategies.hpp"
#include "../support/tiles.hpp"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>

using namespace compat;

BOOST_AUTO_TEST_SUITE(scan)
BOOST_AUTO_TEST_SUITE(contract)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;

//! Calls one form of the scan with `(policy, first, last, out)` and says what it is.
template <class Check>
void for_each_form(Check check)
{
  const u32 init = 12345;
  const auto sum = plus{};
  check(
      "inclusive_scan of 4 arguments", [](auto& p, auto f, auto l, auto o) { return thrust::inclusive_scan(p, f, l, o); },
      [=](const std::vector<u32>& x) { return inclusive_reference<u32, u32>(x, sum); });
  check(
      "inclusive_scan of 5 arguments",
      [](auto& p, auto f, auto l, auto o) { return thrust::inclusive_scan(p, f, l, o, plus{}); },
      [=](const std::vector<u32>& x) { return inclusive_reference<u32, u32>(x, sum); });
  check(
      "inclusive_scan of 6 arguments",
      [=](auto& p, auto f, auto l, auto o) { return thrust::inclusive_scan(p, f, l, o, init, plus{}); },
      [=](const std::vector<u32>& x) { return inclusive_reference<u32, u32>(x, init, sum); });
  check(
      "exclusive_scan of 4 arguments", [](auto& p, auto f, auto l, auto o) { return thrust::exclusive_scan(p, f, l, o); },
      [=](const std::vector<u32>& x) { return exclusive_reference<u32, u32>(x, u32(0), sum); });
  check(
      "exclusive_scan of 5 arguments",
      [=](auto& p, auto f, auto l, auto o) { return thrust::exclusive_scan(p, f, l, o, init); },
      [=](const std::vector<u32>& x) { return exclusive_reference<u32, u32>(x, init, sum); });
  check(
      "exclusive_scan of 6 arguments",
      [=](auto& p, auto f, auto l, auto o) { return thrust::exclusive_scan(p, f, l, o, init, plus{}); },
      [=](const std::vector<u32>& x) { return exclusive_reference<u32, u32>(x, init, sum); });
}

struct twice
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return 2 * x; }
};

struct pair_sum
{
  using pair = thrust::pair<u32, u32>;
  REHEAT_HOST_DEVICE pair operator()(const pair& x, const pair& y) const
  {
    return pair(x.first + y.first, x.second ^ y.second);
  }
};

struct tuple_sum
{
  using tuple = thrust::tuple<u32, u8>;
  REHEAT_HOST_DEVICE tuple operator()(const tuple& x, const tuple& y) const
  {
    return tuple(thrust::get<0>(x) + thrust::get<0>(y), static_cast<u8>(thrust::get<1>(x) + thrust::get<1>(y)));
  }
};

struct make_item_no_default
{
  using result_type = no_default;
  REHEAT_HOST_DEVICE no_default operator()(u32 index) const { return no_default(index); }
};

std::vector<std::size_t> some_sizes()
{
  return few_sizes(scan_tile<u32>());
}

} // namespace

// ---- call forms and upstream --------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(every_form_gives_the_reference_and_upstreams_result)
{
  for_each_form(
      [](const char* what, auto call, auto reference)
      {
        for (const std::size_t size : boundary_sizes(scan_tile<u32>()))
        {
          const std::vector<u32> items = make_items<u32>(size);
          const thrust::device_vector<u32> in = to_device(items);
          thrust::device_vector<u32> out(size), theirs(size);
          for_each_seed(3,
                        [&]
                        {
                          auto& policy = reheat::par;
                          const auto end = call(policy, in.begin(), in.end(), out.begin());
                          BOOST_TEST((end == out.end()));
                          check_same(what, reference(items), to_host(out));
                        });
          call(upstream, in.begin(), in.end(), theirs.begin());
          check_same(std::string(what) + " and upstream", to_host(theirs), to_host(out));
        }
      });
}

BOOST_AUTO_TEST_CASE(every_form_works_in_place)
{
  for_each_form(
      [](const char* what, auto call, auto reference)
      {
        for (const std::size_t size : some_sizes())
        {
          const std::vector<u32> items = make_items<u32>(size);
          for_each_seed(5,
                        [&]
                        {
                          auto& policy = reheat::par;
                          thrust::device_vector<u32> data = to_device(items);
                          call(policy, data.begin(), data.end(), data.begin());
                          check_same(what, reference(items), to_host(data));
                        });
        }
      });
}

BOOST_AUTO_TEST_CASE(empty_and_negative_ranges_give_result_and_write_nothing)
{
  for_each_form(
      [](const char* what, auto call, auto)
      {
        auto& policy = reheat::par;
        thrust::device_vector<u32> in = to_device(make_items<u32>(10));
        thrust::device_vector<u32> out(10, 77u);
        const std::vector<u32> untouched(10, 77u);
        BOOST_TEST((call(policy, in.begin(), in.begin(), out.begin()) == out.begin()), what);
        BOOST_TEST((call(policy, in.begin() + 7, in.begin() + 2, out.begin() + 1) == out.begin() + 1), what);
        BOOST_TEST((call(policy, raw(in) + 7, raw(in) + 2, raw(out)) == raw(out)), what);
        BOOST_TEST((call(policy, static_cast<u32*>(nullptr), static_cast<u32*>(nullptr), raw(out)) == raw(out)), what);
        check_same(what, untouched, to_host(out));
      });
}

// ---- accumulator types --------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(without_init_an_inclusive_scan_accumulates_in_the_value_type)
{
  for (const std::size_t size : few_sizes(scan_tile<u8>()))
  {
    const std::vector<u8> items = make_items<u8>(size);
    const thrust::device_vector<u8> in = to_device(items);
    thrust::device_vector<int> out(size);
    const std::vector<int> expected = inclusive_reference<u8, int>(items, plus{}); // wraps at 256
    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin());
    check_same("inclusive_scan of 4 arguments", expected, to_host(out));
    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), plus{}); // returns int
    check_same("inclusive_scan of 5 arguments", expected, to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(with_init_an_inclusive_scan_accumulates_in_the_operators_result_type)
{
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u8> items = make_items<u8>(size);
    const thrust::device_vector<u8> in = to_device(items);
    thrust::device_vector<int> out(size);
    // u8 + u8 is int: nothing wraps, although neither the items nor init are ints.
    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), u8(200), plus{});
    check_same("inclusive_scan of 6 arguments", inclusive_reference<int, int>(items, u8(200), plus{}), to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(without_init_an_exclusive_scan_accumulates_in_the_value_type)
{
  for (const std::size_t size : few_sizes(scan_tile<u8>()))
  {
    const std::vector<u8> items = make_items<u8>(size);
    const thrust::device_vector<u8> in = to_device(items);
    thrust::device_vector<int> out(size);
    thrust::exclusive_scan(reheat::par, in.begin(), in.end(), out.begin());
    check_same("exclusive_scan of 4 arguments", exclusive_reference<u8, int>(items, u8(0), plus{}), to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(with_init_an_exclusive_scan_accumulates_in_the_type_of_init)
{
  for (const std::size_t size : some_sizes())
  {
    std::vector<float> items(size);
    for (std::size_t i = 0; i < size; ++i)
    {
      items[i] = static_cast<float>(values<int>::make(i)) + 0.5f;
    }
    const thrust::device_vector<float> in = to_device(items);
    thrust::device_vector<int> out(size);
    const std::vector<int> expected = exclusive_reference<int, int>(items, 100, plus{}); // each item becomes an int
    thrust::exclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), 100);
    check_same("exclusive_scan of 5 arguments", expected, to_host(out));
    thrust::exclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), 100, plus{});
    check_same("exclusive_scan of 6 arguments", expected, to_host(out));
  }
  for (const std::size_t size : few_sizes(scan_tile<u8>()))
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u32> out(size);
    thrust::exclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), u8(7)); // wraps at 256
    check_same("exclusive_scan of 5 arguments", exclusive_reference<u8, u32>(items, u8(7), plus{}), to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(items_without_a_default_constructor_become_the_type_of_init)
{
  for (const std::size_t size : some_sizes())
  {
    std::vector<u32> items(size);
    for (std::size_t i = 0; i < size; ++i)
    {
      items[i] = static_cast<u32>(i);
    }
    const auto first = thrust::make_transform_iterator(thrust::counting_iterator<u32>(0), make_item_no_default{});
    thrust::device_vector<u32> out(size);
    thrust::exclusive_scan(reheat::par, first, first + static_cast<std::ptrdiff_t>(size), out.begin(), u32(5));
    check_same("exclusive_scan of 5 arguments", exclusive_reference<u32, u32>(items, u32(5), plus{}), to_host(out));
  }
}

// ---- initial values -----------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(init_stands_left_of_the_first_item)
{
  for (const std::size_t size : some_sizes())
  {
    const std::vector<text> items = make_items<text>(size, 1);
    const thrust::device_vector<text> in = to_device(items);
    const text init = values<text>::make(0);
    thrust::device_vector<text> out(size);
    for_each_seed(5,
                  [&]
                  {
                    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), init, fold{});
                    check_same("inclusive_scan", inclusive_reference<text, text>(items, init, fold{}), to_host(out));
                    thrust::exclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), init, fold{});
                    check_same("exclusive_scan", exclusive_reference<text, text>(items, init, fold{}), to_host(out));
                  });
  }
}

BOOST_AUTO_TEST_CASE(an_exclusive_scan_of_one_item_gives_init_without_calling_the_operator)
{
  const thrust::device_vector<interval> in(1, interval{-5, -5}); // folding it with anything is an error
  thrust::device_vector<interval> out(1);
  thrust::exclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), interval{3, 9}, fold{});
  check_same("exclusive_scan", std::vector<interval>{{3, 9}}, to_host(out));
}

// ---- iterators ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(every_kind_of_input_iterator_is_read)
{
  for (const std::size_t count : some_sizes())
  {
    const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(count);
    const std::vector<u32> items = make_items<u32>(count);
    const std::vector<u32> expected = inclusive_reference<u32, u32>(items, plus{});
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u32> mutable_in = in, out(count);
    const auto check = [&](const char* what, auto first)
    {
      thrust::fill(out.begin(), out.end(), 0u);
      BOOST_TEST((thrust::inclusive_scan(reheat::par, first, first + size, out.begin()) == out.end()));
      check_same(what, expected, to_host(out));
    };
    check("const iterator of device_vector", in.begin());
    check("iterator of device_vector", mutable_in.begin());
    check("pointer", raw(mutable_in));
    check("pointer to const", raw(in));
    check("device_ptr", mutable_in.data());
    check("counting and transform iterator", generated<u32>());
    check("permutation iterator", thrust::make_permutation_iterator(in.begin(), counting(0)));
    std::vector<u32> reversed(items.rbegin(), items.rend());
    const thrust::device_vector<u32> backwards = to_device(reversed);
    check("reverse iterator", thrust::make_reverse_iterator(backwards.end()));
  }
}

BOOST_AUTO_TEST_CASE(a_constant_iterator_counts)
{
  for (const std::size_t count : some_sizes())
  {
    std::vector<std::uint64_t> expected(count);
    for (std::size_t i = 0; i < count; ++i)
    {
      expected[i] = 3 * (i + 1);
    }
    thrust::device_vector<std::uint64_t> out(count);
    const thrust::constant_iterator<std::uint64_t> first(3);
    thrust::inclusive_scan(reheat::par, first, first + static_cast<std::ptrdiff_t>(count), out.begin());
    check_same("constant iterator", expected, to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(every_misalignment_of_input_and_output_gives_the_same)
{
  const std::size_t count = 2 * scan_tile<u8>() + 100;
  const std::vector<u8> items = make_items<u8>(count);
  const std::vector<u8> expected = inclusive_reference<u8, u8>(items, plus{});
  for (const std::ptrdiff_t from : {0, 1, 2, 3, 4, 7, 8, 15, 16})
  {
    for (const std::ptrdiff_t to : {0, 1, 4, 8, 13, 16})
    {
      thrust::device_vector<u8> in(count + 16), out(count + 32, u8(99));
      thrust::copy(items.begin(), items.end(), in.begin() + from);
      thrust::inclusive_scan(reheat::par, raw(in) + from, raw(in) + from + count, raw(out) + to);
      const std::vector<u8> all = to_host(out);
      const auto end = all.begin() + to + static_cast<std::ptrdiff_t>(count);
      check_same("inclusive_scan from + " + std::to_string(from) + " to + " + std::to_string(to), expected,
                 std::vector<u8>(all.begin() + to, end));
      check_same("the bytes before", std::vector<u8>(static_cast<std::size_t>(to), u8(99)),
                 std::vector<u8>(all.begin(), all.begin() + to));
      check_same("the bytes behind", std::vector<u8>(static_cast<std::size_t>(32 - to), u8(99)),
                 std::vector<u8>(end, all.end()));
    }
  }
}

BOOST_AUTO_TEST_CASE(each_item_is_read_once_and_nothing_outside)
{
  for (const std::size_t size : boundary_sizes(scan_tile<u32>()))
  {
    const std::vector<u32> items = make_items<u32>(size);
    for_each_seed(3,
                  [&]
                  {
                    watched_input<u32> in(items);
                    thrust::device_vector<u32> out(size);
                    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin());
                    check_same("inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), to_host(out));
                    in.check(1, "inclusive_scan");
                  });
  }
}

BOOST_AUTO_TEST_CASE(an_exclusive_scan_reads_each_item_once_and_nothing_outside)
{
  for (const std::size_t size : boundary_sizes(scan_tile<u32>()))
  {
    const std::vector<u32> items = make_items<u32>(size);
    for_each_seed(3,
                  [&]
                  {
                    watched_input<u32> in(items);
                    thrust::device_vector<u32> out(size);
                    thrust::exclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), 9u);
                    check_same("exclusive_scan", exclusive_reference<u32, u32>(items, 9u, plus{}), to_host(out));
                    in.check(1, "exclusive_scan");
                  });
  }
}

BOOST_AUTO_TEST_CASE(each_output_is_written_once_and_never_read)
{
  for (const std::size_t size : boundary_sizes(scan_tile<u32>()))
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    for_each_seed(3,
                  [&]
                  {
                    watched_output<u32> out(size);
                    const auto end = thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), plus{});
                    BOOST_TEST(end.position == static_cast<std::ptrdiff_t>(size));
                    out.check("inclusive_scan");
                    check_same("inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), out.items());
                  });
    for_each_seed(3,
                  [&]
                  {
                    watched_output<u32> out(size);
                    thrust::exclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), 1u);
                    out.check("exclusive_scan");
                    check_same("exclusive_scan", exclusive_reference<u32, u32>(items, 1u, plus{}), out.items());
                  });
  }
}

BOOST_AUTO_TEST_CASE(outputs_that_transform_or_discard_are_written)
{
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u32> out(size);
    const auto doubled = thrust::make_transform_output_iterator(out.begin(), twice{});
    const auto end = thrust::inclusive_scan(reheat::par, in.begin(), in.end(), doubled);
    BOOST_TEST((end - doubled == static_cast<std::ptrdiff_t>(size)));
    std::vector<u32> expected = inclusive_reference<u32, u32>(items, plus{});
    for (u32& x : expected)
    {
      x *= 2;
    }
    check_same("transform_output_iterator", expected, to_host(out));
    const auto discarded = thrust::make_discard_iterator();
    BOOST_TEST((thrust::inclusive_scan(reheat::par, in.begin(), in.end(), discarded) - discarded ==
                static_cast<std::ptrdiff_t>(size)));
  }
}

// ---- proxies ------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(operators_on_pairs_see_values_not_references)
{
  using pair = thrust::pair<u32, u32>;
  for (const std::size_t size : some_sizes())
  {
    std::vector<pair> items;
    for (std::size_t i = 0; i < size; ++i)
    {
      items.emplace_back(static_cast<u32>(mix(i)), static_cast<u32>(mix(i) >> 32));
    }
    const thrust::device_vector<pair> in = to_device(items);
    thrust::device_vector<pair> out(size);
    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), pair_sum{});
    check_same("inclusive_scan", inclusive_reference<pair, pair>(items, pair_sum{}), to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(zipped_ranges_are_read_and_written)
{
  using tuple = thrust::tuple<u32, u8>;
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u32> first = make_items<u32>(size);
    const std::vector<u8> second = make_items<u8>(size);
    const thrust::device_vector<u32> in_first = to_device(first);
    const thrust::device_vector<u8> in_second = to_device(second);
    thrust::device_vector<u32> out_first(size);
    thrust::device_vector<u8> out_second(size);
    const auto in = thrust::make_zip_iterator(thrust::make_tuple(in_first.begin(), in_second.begin()));
    const auto out = thrust::make_zip_iterator(thrust::make_tuple(out_first.begin(), out_second.begin()));
    thrust::inclusive_scan(reheat::par, in, in + static_cast<std::ptrdiff_t>(size), out, tuple_sum{});
    check_same("first of zip", inclusive_reference<u32, u32>(first, plus{}), to_host(out_first));
    check_same("second of zip", inclusive_reference<u8, u8>(second, plus{}), to_host(out_second));
    thrust::exclusive_scan(reheat::par, in, in + static_cast<std::ptrdiff_t>(size), out, tuple(5u, u8(6)), tuple_sum{});
    check_same("first of zip", exclusive_reference<u32, u32>(first, 5u, plus{}), to_host(out_first));
    check_same("second of zip", exclusive_reference<u8, u8>(second, u8(6), plus{}), to_host(out_second));
  }
}

// ---- operators ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(operators_may_hold_state)
{
  const u32 modulus = 10007;
  const thrust::device_vector<u32> modulus_in_memory(1, modulus);
  for (const std::size_t size : some_sizes())
  {
    std::vector<u32> items = make_items<u32>(size);
    for (u32& x : items)
    {
      x %= modulus;
    }
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u32> out(size);
    const std::vector<u32> expected = inclusive_reference<u32, u32>(items, plus_modulo{modulus});
    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), plus_modulo{modulus});
    check_same("state in the operator", expected, to_host(out));
    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), plus_modulo_in_memory{raw(modulus_in_memory)});
    check_same("state behind a pointer", expected, to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(operators_may_be_called_through_a_non_const_operator)
{
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u32> out(size);
    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), unconstant_plus{});
    check_same("inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), to_host(out));
  }
}

//! Of numbers that are all on the side of zero which Op does not prefer.
template <class T, class Op>
void check_extrema(Op op, bool below_zero)
{
  for (const std::size_t size : some_sizes())
  {
    std::vector<T> items(size);
    for (std::size_t i = 0; i < size; ++i)
    {
      const auto magnitude = static_cast<T>(1 + mix(i) % 100);
      items[i] = static_cast<T>(below_zero ? -magnitude : magnitude);
    }
    const thrust::device_vector<T> in = to_device(items);
    thrust::device_vector<T> out(size);
    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), op);
    const std::vector<T> expected = inclusive_reference<T, T>(items, op);
    check_same("inclusive_scan", expected, to_host(out));
    BOOST_TEST(+thrust::reduce(reheat::par, in.begin(), in.end(), items[0], op) == +expected.back());
  }
}

template <class T>
void check_extrema()
{
  check_extrema<T>(thrust::maximum<T>(), std::is_signed_v<T>);
  check_extrema<T>(thrust::maximum<>(), std::is_signed_v<T>);
  check_extrema<T>(thrust::minimum<T>(), false);
  check_extrema<T>(thrust::minimum<>(), false);
}

BOOST_AUTO_TEST_CASE(extrema_of_integers_start_from_none)
{
  check_extrema<std::int8_t>();
  check_extrema<u8>();
  check_extrema<std::int16_t>();
  check_extrema<std::int32_t>();
  check_extrema<u32>();
  check_extrema<std::int64_t>();
}

BOOST_AUTO_TEST_CASE(operators_may_return_references_to_their_operands)
{
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u32> out(size);
    for_each_seed(3,
                  [&]
                  {
                    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), maximum_by_reference{});
                    check_same("inclusive_scan", inclusive_reference<u32, u32>(items, maximum_by_reference{}), to_host(out));
                  });
  }
}

// ---- what no interface of Thrust's asks for -----------------------------------------------------------------------------

namespace
{

namespace detail = reheat::detail;

//! The last of an inclusive scan is the total; of no items it is the initial value.
template <class T>
T total_reference(const std::vector<T>& items, const T& init)
{
  return items.empty() ? init : inclusive_reference<T, T>(items, init, fold{}).back();
}

//! A scan of either kind from `init` stores the same total, in one tile, in several, and in a stream of tiles.
template <class T>
void check_total(std::size_t size)
{
  const std::vector<T> items = make_items<T>(size, 1);
  const T init = values<T>::make(0);
  const thrust::device_vector<T> in = to_device(items);
  const auto check = [&](const char* what, auto kind, auto from, const std::vector<T>& expected, const T& expected_total)
  {
    using stored = detail::scan_storing_total<decltype(from), T*>;
    thrust::device_vector<T> out = to_device(items), total = to_device(std::vector<T>{values<T>::make(9)});
    stream own;
    reheat::algorithms::scan<decltype(kind)::value>(environment_on(own.get()), raw(in), raw(out), size, fold{},
                                                    stored{from, raw(total)});
    own.synchronise();
    check_same(what, expected, to_host(out));
    check_result(what, size, expected_total, to_host(total)[0]);
  };
  const std::integral_constant<detail::scan_kind, detail::scan_kind::inclusive> inclusive{};
  const std::integral_constant<detail::scan_kind, detail::scan_kind::exclusive> exclusive{};
  for (const forced_scan& how : {forced_scan(), streaming_scans()})
  {
    const force_scans all(how);
    check("inclusive from init", inclusive, detail::scan_with_init<T>{{init}},
          inclusive_reference<T, T>(items, init, fold{}), total_reference(items, init));
    check("exclusive", exclusive, detail::scan_with_init<T>{{init}}, exclusive_reference<T, T>(items, init, fold{}),
          total_reference(items, init));
    if (size != 0)
    {
      check("inclusive", inclusive, detail::scan_without_init<T>{}, inclusive_reference<T, T>(items, fold{}),
            inclusive_reference<T, T>(items, fold{}).back());
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(a_scan_can_store_its_total)
{
  check_total<u32>(0);
  for (const std::size_t size : few_sizes_and_many(scan_tile<u32>()))
  {
    check_total<u32>(size);
    check_total<u8>(size);
    check_total<affine<u32>>(size);
  }
  check_total<tracked<false>>(3 * scan_tile<tracked<false>>() - 1);
}

BOOST_AUTO_TEST_CASE(a_scan_of_no_items_without_an_initial_value_stores_no_total)
{
  const thrust::device_vector<u32> in(1);
  thrust::device_vector<u32> out(1), total = to_device(std::vector<u32>{9});
  stream own;
  reheat::algorithms::scan<detail::scan_kind::inclusive>(
      environment_on(own.get()), raw(in), raw(out), 0, plus{},
      detail::scan_storing_total<detail::scan_without_init<u32>, u32*>{{}, raw(total)});
  own.synchronise();
  BOOST_TEST(to_host(total)[0] == 9u);
}

BOOST_AUTO_TEST_CASE(a_mapped_scan_can_store_its_total)
{
  const std::size_t size = 5 * scan_tile<u32>() + 3;
  const std::vector<u32> items = make_items<u32>(size);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(size), total(1);
  for (const forced_scan& how : {forced_scan(), streaming_scans()})
  {
    const force_scans all(how);
    stream own;
    reheat::algorithms::transform_scan<detail::scan_kind::exclusive, u32>(
        environment_on(own.get()), raw(in), raw(out), size, twice{}, plus{},
        detail::scan_storing_total<detail::scan_with_init<u32>, u32*>{{{5}}, raw(total)});
    own.synchronise();
    check_result("total", size, 2 * reduce_reference<u32>(items, 0u, plus{}) + 5, to_host(total)[0]);
  }
}

BOOST_AUTO_TEST_CASE(a_scan_can_begin_with_a_value_that_earlier_work_leaves_on_the_device)
{
  for (const std::size_t size : few_sizes_and_many(scan_tile<u32>()))
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u32> out(size), first(1), total(1);
    for (const forced_scan& how : {forced_scan(), streaming_scans()})
    {
      const force_scans all(how);
      thrust::fill(first.begin(), first.end(), 77u);
      wait_for_all_streams();
      stream own;
      const auto env = environment_on(own.get());
      reheat::reduce_into(reheat::par_nosync.on(own.get()), raw(in), raw(in) + size, raw(first), 3u);
      using init = detail::scan_with_future_init<u32, const u32*>;
      reheat::algorithms::scan<detail::scan_kind::exclusive>(
          env, raw(in), raw(out), size, plus{}, detail::scan_storing_total<init, u32*>{init{{raw(first)}}, raw(total)});
      own.synchronise();
      const u32 left = reduce_reference<u32>(items, 3u, plus{});
      check_same("exclusive_scan", exclusive_reference<u32, u32>(items, left, plus{}), to_host(out));
      check_result("total", size, reduce_reference<u32>(items, left, plus{}), to_host(total)[0]);
      reheat::algorithms::scan<detail::scan_kind::inclusive>(env, raw(in), raw(out), size, plus{}, init{{raw(first)}});
      own.synchronise();
      check_same("inclusive_scan", inclusive_reference<u32, u32>(items, left, plus{}), to_host(out));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
