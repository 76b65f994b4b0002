// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What users bring to every call of the family: functors and outputs that exist on the device alone, operators that return
//! references, placeholders.

#include "../support/family_calls.hpp"
#include "../support/selections.hpp"
#include "../support/user_code.hpp"

#include <thrust/functional.h>

#include <algorithm>
#include <iterator>
#include <string_view>

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
  friend std::ptrdiff_t operator-(const device_only_output& x, const device_only_output& y) { return x.items - y.items; }
};

//! A predicate of numbers, as the host asks it.
struct holds
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x != 0; }
};

template <template <class> class As, class Predicate>
struct operators
{
  u32 init = 5;
  As<latest_of_few> op{};
  As<itself> map{};
  As<maximum_by_reference> product{};
  As<compat::equal> equal{}, same{};
  As<less_of_11> less{};
  Predicate is_counted{}, is_sought{}, is_not_sought{}, is_flagged{};
};
template <class Functor>
using as_it_is = Functor;
using on_host = operators<as_it_is, holds>;
//! Every functor and output is of the device alone; predicates return references.
using on_device = family_range<operators<device_only, device_only<itself>>, device_only_output>;

constexpr bool is_reduction(const accelerated::algorithm_facts& each)
{
  return each.output == accelerated::output::total || each.group == accelerated::group::extrema;
}
constexpr bool asks_a_predicate(const accelerated::algorithm_facts& each)
{
  return each.gives_numbers() && each.group != accelerated::group::extrema;
}
constexpr bool is_plain_scan(const accelerated::algorithm_facts& each)
{
  return each.group == accelerated::group::scans;
}
constexpr bool is_by_key(const accelerated::algorithm_facts& each)
{
  return each.group == accelerated::group::by_key;
}

//! Selections in place are left out: they read what they write. So is unique_by_key_copy: Thrust's sequential algorithm is
//! compiled, too, and needs a value type of the output of values.
constexpr bool is_selection(const accelerated::algorithm_facts& each)
{
  return each.output == accelerated::output::selection && std::string_view(each.name) != "unique_by_key_copy";
}

//! Makes calls of `memory`'s items.
template <bool (*Wanted)(const accelerated::algorithm_facts&)>
void check_calls(family_memory& memory)
{
  const std::vector<family_call> calls = calls_of_some<Wanted, on_device, on_host>(memory);
  for_each_seed(2,
                [&]
                {
                  for (const family_call& each : calls)
                  {
                    each.check("of the device alone", memory);
                  }
                });
}

} // namespace

// ---- code of the device alone -------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(reductions_take_functors_of_the_device_alone_that_return_references)
{
  for (const std::size_t size : few_sizes_and_many(reduce_tile<u32>()))
  {
    family_memory memory(size);
    check_calls<is_reduction>(memory);
  }
}

BOOST_AUTO_TEST_CASE(counts_and_questions_take_predicates_of_the_device_alone_that_return_references)
{
  for (const std::size_t size : few_sizes_and_many(reduce_tile<u32>()))
  {
    family_memory memory(size);
    // All even, so that no number passes for a truth value: all satisfy the predicate, none does; the last one differs.
    for (const bool most : {false, true})
    {
      for (const bool last_one : {false, true})
      {
        std::vector<u32> items(size, most ? 6u : 0u);
        items.back() = last_one ? 4u : 0u;
        memory.set(items);
        check_calls<asks_a_predicate>(memory);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(scans_take_functors_and_outputs_of_the_device_alone)
{
  for_each_way(
      scan_tile<u32>(),
      [&](std::size_t size)
      {
        family_memory memory(size);
        check_calls<is_plain_scan>(memory);
        const on_device r(memory.in(), memory.others(), memory.keys(), memory);
        const std::vector<u32> expected = inclusive_reference<u32, u32>(memory.items(), on_host().init, latest_of_few{});
        for_each_seed(
            2,
            [&]
            {
              memory.forget();
              const auto end = thrust::inclusive_scan(reheat::par, r.first, r.last, r.out, r.init, r.op);
              check_place("inclusive_scan from an initial value", size, static_cast<std::ptrdiff_t>(size), end - r.out);
              memory.check_output("inclusive_scan from an initial value", {}, expected);
              make_scan_from_initial_value<on_device, on_host>(reheat::par, memory).check("of the device alone", memory);
            });
      });
}

BOOST_AUTO_TEST_CASE(algorithms_by_key_take_functors_and_outputs_of_the_device_alone)
{
  for_each_way(scan_by_key_tile<u32>(),
               [&](std::size_t size)
               {
                 family_memory memory(size, segments::of_hundreds);
                 check_calls<is_by_key>(memory);
               });
}

BOOST_AUTO_TEST_CASE(selections_take_predicates_and_outputs_of_the_device_alone)
{
  for (const std::size_t size : few_sizes_and_many(select_tile<u32>()))
  {
    family_memory memory(size, segments::of_hundreds);
    check_calls<is_selection>(memory);
  }
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
