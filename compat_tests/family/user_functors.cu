// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What users bring to every call of the family: functors and outputs that exist on the device alone, operators that return
//! references, placeholders.

#include "../support/user_code.hpp"

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <algorithm>
#include <iterator>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(user_functors)

namespace
{

using u32 = std::uint32_t;

//! Functor, as a user has it who never thought of the host: its call operator is neither there nor const. A call from the
//! host does not compile for GPUs. References that Functor returns are passed on.
template <class Functor>
struct device_only
{
  template <class... Operand>
  REHEAT_DEVICE auto operator()(const Operand&... operands) -> decltype(Functor{}(operands...))
  {
    return Functor{}(operands...);
  }
};

//! The later operand if it is one of a few, or else the earlier one. Associative; does not commute; what stands before shows
//! for some thirty items.
struct latest_of_few
{
  REHEAT_HOST_DEVICE const u32& operator()(const u32& x, const u32& y) const { return y % 32 == 1 ? y : x; }
};

//! An output that can be assigned to, on the device alone.
struct device_only_reference
{
  u32* item;
  REHEAT_DEVICE void operator=(u32 value) const { *item = value; }
};
struct device_only_output
{
  using iterator_category = std::random_access_iterator_tag;
  using value_type = void;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = device_only_reference;

  u32* items;
  REHEAT_DEVICE reference operator*() const { return {items}; }
  REHEAT_DEVICE reference operator[](std::ptrdiff_t distance) const { return {items + distance}; }
  REHEAT_DEVICE device_only_output& operator++()
  {
    ++items;
    return *this;
  }
  REHEAT_HOST_DEVICE device_only_output operator+(std::ptrdiff_t distance) const { return {items + distance}; }
};

} // namespace

// ---- code of the device alone -------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(reductions_take_functors_of_the_device_alone_that_return_references)
{
  const device_only<latest_of_few> op;
  const device_only<itself> same;
  const device_only<less_of_11> less;
  for (const std::size_t size : few_sizes_and_many(reduce_tile<u32>()))
  {
    const std::vector<u32> items = make_items<u32>(size), others = make_items<u32>(size, size);
    std::vector<u32> larger(size);
    std::transform(items.begin(), items.end(), others.begin(), larger.begin(), maximum_by_reference{});
    const u32 folded = reduce_reference<u32>(items, 5u, latest_of_few{});
    const auto smallest = std::min_element(items.begin(), items.end(), less_of_11{}) - items.begin();
    const auto largest = std::max_element(items.begin(), items.end(), less_of_11{}) - items.begin();
    const thrust::device_vector<u32> in = to_device(items), other = to_device(others);
    const auto first = in.begin(), last = in.end();
    for_each_seed(2,
                  [&]
                  {
                    thrust::device_vector<u32> out(1);
                    check_result("reduce", size, folded, thrust::reduce(reheat::par, first, last, 5u, op));
                    reheat::reduce_into(reheat::par, first, last, device_only_output{raw(out)}, 5u, op);
                    check_result("reduce_into", size, folded, to_host(out)[0]);
                    check_result("transform_reduce", size, folded,
                                 thrust::transform_reduce(reheat::par, first, last, same, 5u, op));
                    check_result("inner_product", size, reduce_reference<u32>(larger, 5u, latest_of_few{}),
                                 thrust::inner_product(reheat::par, first, last, other.begin(), 5u, op,
                                                       device_only<maximum_by_reference>{}));
                    const auto both = thrust::minmax_element(reheat::par, first, last, less);
                    check_place("min_element", size, smallest, thrust::min_element(reheat::par, first, last, less) - first);
                    check_place("max_element", size, largest, thrust::max_element(reheat::par, first, last, less) - first);
                    check_place("minmax_element, smallest", size, smallest, both.first - first);
                    check_place("minmax_element, largest", size, largest, both.second - first);
                  });
  }
}

BOOST_AUTO_TEST_CASE(counts_and_questions_take_predicates_of_the_device_alone_that_return_references)
{
  const device_only<itself> predicate;
  const auto holds = [](u32 x) { return x != 0; };
  for (const std::size_t size : few_sizes_and_many(reduce_tile<u32>()))
  {
    // All even, so that no number passes for a truth value: all satisfy the predicate, none does; the last one differs.
    for (const bool most : {false, true})
    {
      for (const bool last_one : {false, true})
      {
        std::vector<u32> items(size, most ? 6u : 0u);
        items.back() = last_one ? 4u : 0u;
        const thrust::device_vector<u32> in = to_device(items);
        const auto first = in.begin(), last = in.end();
        check_place("count_if", size, std::count_if(items.begin(), items.end(), holds),
                    thrust::count_if(reheat::par, first, last, predicate));
        check_place("all_of", size, std::all_of(items.begin(), items.end(), holds),
                    thrust::all_of(reheat::par, first, last, predicate));
        check_place("any_of", size, std::any_of(items.begin(), items.end(), holds),
                    thrust::any_of(reheat::par, first, last, predicate));
        check_place("none_of", size, std::none_of(items.begin(), items.end(), holds),
                    thrust::none_of(reheat::par, first, last, predicate));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(scans_take_functors_and_outputs_of_the_device_alone)
{
  const device_only<latest_of_few> op;
  const device_only<itself> same;
  for_each_way(scan_tile<u32>(),
               [&](std::size_t size)
               {
                 const std::vector<u32> items = make_items<u32>(size);
                 const std::vector<u32> plain = inclusive_reference<u32, u32>(items, latest_of_few{});
                 const std::vector<u32> inclusive = inclusive_reference<u32, u32>(items, 5u, latest_of_few{});
                 const std::vector<u32> exclusive = exclusive_reference<u32, u32>(items, 5u, latest_of_few{});
                 const thrust::device_vector<u32> in = to_device(items);
                 thrust::device_vector<u32> result(size);
                 const auto first = in.begin(), last = in.end();
                 const device_only_output out{raw(result)};
                 const auto check = [&](const char* what, const std::vector<u32>& expected, const device_only_output& end)
                 {
                   check_place(what, size, static_cast<std::ptrdiff_t>(size), end.items - out.items);
                   check_same(what, expected, to_host(result));
                   thrust::fill(result.begin(), result.end(), 0u);
                 };
                 for_each_seed(2,
                               [&]
                               {
                                 check("inclusive_scan", plain, thrust::inclusive_scan(reheat::par, first, last, out, op));
                                 check("inclusive_scan from an initial value", inclusive,
                                       thrust::inclusive_scan(reheat::par, first, last, out, 5u, op));
                                 check("exclusive_scan", exclusive,
                                       thrust::exclusive_scan(reheat::par, first, last, out, 5u, op));
                                 check("transform_inclusive_scan", plain,
                                       thrust::transform_inclusive_scan(reheat::par, first, last, out, same, op));
                                 check("transform_inclusive_scan from an initial value", inclusive,
                                       thrust::transform_inclusive_scan(reheat::par, first, last, out, same, 5u, op));
                                 check("transform_exclusive_scan", exclusive,
                                       thrust::transform_exclusive_scan(reheat::par, first, last, out, same, 5u, op));
                               });
               });
}

BOOST_AUTO_TEST_CASE(algorithms_by_key_take_functors_and_outputs_of_the_device_alone)
{
  const device_only<latest_of_few> op;
  const device_only<equal> same;
  for_each_way(scan_by_key_tile<u32>(),
               [&](std::size_t size)
               {
                 const std::vector<u32> keys = make_keys(size, segments::of_hundreds, scan_by_key_tile<u32>());
                 const std::vector<u32> items = make_items<u32>(size);
                 const std::vector<u32> inclusive =
                     inclusive_by_key_reference<u32, u32>(keys, items, equal{}, latest_of_few{});
                 const std::vector<u32> exclusive =
                     exclusive_by_key_reference<u32>(keys, items, 5u, equal{}, latest_of_few{});
                 const auto reduced = reduce_by_key_reference<u32, u32>(keys, items, equal{}, latest_of_few{});
                 const std::size_t count = reduced.first.size();
                 const thrust::device_vector<u32> k = to_device(keys), in = to_device(items);
                 for_each_seed(2,
                               [&]
                               {
                                 thrust::device_vector<u32> scan(size), scan_from(size), keys_out(count), sums(count);
                                 thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), in.begin(),
                                                               device_only_output{raw(scan)}, same, op);
                                 check_same("inclusive_scan_by_key", inclusive, to_host(scan));
                                 thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), in.begin(),
                                                               device_only_output{raw(scan_from)}, 5u, same, op);
                                 check_same("exclusive_scan_by_key", exclusive, to_host(scan_from));
                                 const auto ends = thrust::reduce_by_key(reheat::par, k.begin(), k.end(), in.begin(),
                                                                         device_only_output{raw(keys_out)},
                                                                         device_only_output{raw(sums)}, same, op);
                                 check_place("reduce_by_key", size, static_cast<std::ptrdiff_t>(count),
                                             ends.first.items - raw(keys_out));
                                 check_same("keys of reduce_by_key", reduced.first, to_host(keys_out));
                                 check_same("values of reduce_by_key", reduced.second, to_host(sums));
                               });
               });
}

// ---- placeholders -------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(placeholders_are_operators_maps_and_predicates)
{
  using thrust::placeholders::_1;
  using thrust::placeholders::_2;
  const std::size_t size = 3 * scan_tile<u32>() - 1;
  const std::vector<u32> items = make_items<u32>(size);
  const std::vector<u32> squares = mapped(items, [](u32 x) { return x * x; });
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(size);
  check_place("count_if", size, std::count_if(items.begin(), items.end(), [](u32 x) { return x > 1u << 31; }),
              thrust::count_if(reheat::par, in.begin(), in.end(), _1 > 1u << 31));
  check_result("transform_reduce", size, reduce_reference<u32>(squares, 5u, plus{}),
               thrust::transform_reduce(reheat::par, in.begin(), in.end(), _1 * _1, 5u, _1 + _2));
  thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), _1 + _2);
  check_same("inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), to_host(out));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
