// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A call of every algorithm of the family's table through one policy: what the host gets from it, what it must give.
#pragma once

#include "../../src/family/calls.cuh"
#include "../../src/family/host.hpp"
#include "calls.hpp"
#include "host_calls.hpp"
#include "segments.hpp"

#include <thrust/copy.h>

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace compat
{

using accelerated::gives;

//! Input of the calls, and their output.
class family_memory
{
public:
  using u32 = std::uint32_t;

  explicit family_memory(std::size_t size, segments lengths = segments::of_few)
      : keys_host_(make_keys(size, lengths, scan_by_key_tile<u32>())), items_(size), keys_(to_device(keys_host_)), in_(size),
        others_(size), keys_out_(size), out_(size), untouched_(size, untouched)
  {
    set(make_items<u32>(size));
  }
  void set(const std::vector<u32>& items)
  {
    items_ = items;
    others_host_ = items;
    if (!items.empty())
    {
      ++others_host_[items.size() / 2];
    }
    wait_for_all_streams();
    copy_bytes(raw(in_), items_.data(), items_.size() * sizeof(u32));
    copy_bytes(raw(others_), others_host_.data(), items_.size() * sizeof(u32));
    forget();
  }
  //! The output holds nothing any more, not even of calls that did not wait.
  void forget()
  {
    wait_for_all_streams();
    copy_bytes(keys_out(), untouched_.data(), untouched_.size() * sizeof(u32));
    copy_bytes(out(), untouched_.data(), untouched_.size() * sizeof(u32));
  }

  const std::vector<u32>& keys_host() const { return keys_host_; }
  const std::vector<u32>& items() const { return items_; }
  const std::vector<u32>& others_host() const { return others_host_; }
  const u32* keys() const { return raw(keys_); }
  const u32* in() const { return raw(in_); }
  const u32* others() const { return raw(others_); }
  u32* keys_out() { return raw(keys_out_); }
  u32* out() { return raw(out_); }
  void check_output(const std::string& what, const std::vector<u32>& keys, const std::vector<u32>& values) const
  {
    check_one(what + ", keys", keys, keys_out_);
    check_one(what + ", values", values, out_);
  }

  //! Sorts the first `count` items of the output, and those behind them up to the number of items.
  void sort_both_sides(std::ptrdiff_t count)
  {
    std::vector<u32> sorted = to_host(out_);
    std::sort(sorted.begin(), sorted.begin() + count);
    std::sort(sorted.begin() + count, sorted.begin() + static_cast<std::ptrdiff_t>(items_.size()));
    copy_bytes(out(), sorted.data(), sorted.size() * sizeof(u32));
  }

private:
  static constexpr u32 untouched = 0xabcdef01u;
  static void check_one(const std::string& what, std::vector<u32> expected, const thrust::device_vector<u32>& actual)
  {
    expected.resize(actual.size(), untouched);
    check_same(what, expected, to_host(actual));
  }

  std::vector<u32> keys_host_, items_, others_host_; //!< the others are the items, but for the one in the middle
  thrust::device_vector<u32> keys_, in_, others_, keys_out_, out_;
  std::vector<u32> untouched_;
};

//! What the copy comes to that a call of the family's table makes before it works in place: of the items, and of the keys
//! before a sort by key.
template <class Policy>
host_calls copying(const Policy& policy, const accelerated::algorithm_facts& facts, family_memory& memory)
{
  const std::size_t count = facts.is_in_place() ? memory.items().size() : 0;
  return calls_of(
      [&]
      {
        if (count != 0)
        {
          thrust::copy(policy, memory.in(), memory.in() + count, memory.out());
        }
        if (count != 0 && facts.output == accelerated::output::sorted_by_key)
        {
          thrust::copy(policy, memory.keys(), memory.keys() + count, memory.keys_out());
        }
      });
}

struct family_call
{
  std::string name; //!< the function's, and the variant's behind a space
  const accelerated::algorithm_facts* facts;
  std::function<accelerated::numbers()> call;
  accelerated::numbers expected;
  std::vector<std::uint32_t> expected_values; //!< in the output; nothing else is written
  std::vector<std::uint32_t> expected_keys;

  gives what() const { return facts->gives; }
  //! The function's name in messages.
  std::string function() const { return std::string("reheat::") + facts->name; }
  void check_result_of(const std::string& where, const accelerated::numbers& actual) const
  {
    BOOST_TEST(actual == expected, where << ", " << name << ": expected " << expected[0] << ", " << expected[1]
                                         << ", actual " << actual[0] << ", " << actual[1]);
  }
  //! Calls, and looks at all that it gives. `by_thrust`: Thrust's own kernels run, whose `partition` promises no order.
  void check(const std::string& where, family_memory& memory, bool by_thrust = false) const
  {
    memory.forget();
    check_result_of(where, call());
    std::vector<std::uint32_t> values = expected_values;
    if (by_thrust && std::string(facts->name) == "partition")
    {
      const auto end = static_cast<std::ptrdiff_t>(expected[0]);
      wait_for_all_streams();
      memory.sort_both_sides(end);
      std::sort(values.begin(), values.begin() + end);
      std::sort(values.begin() + end, values.end());
    }
    memory.check_output(where + ", " + name, expected_keys, values);
  }
};

struct double_it
{
  REHEAT_HOST_DEVICE std::uint32_t operator()(std::uint32_t x) const { return 2 * x; }
};
struct is_odd_number
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x) const { return x % 2 == 1; }
};
struct is_zero_number
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x) const { return x == 0; }
};
struct is_no_zero_number
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x) const { return x != 0; }
};

//! The operators and the initial value of calls, by the names that the table's calls use.
template <class Op>
struct family_operators
{
  std::uint32_t init = 5;
  Op op{};
  double_it map{};
  thrust::multiplies<std::uint32_t> product{};
  thrust::equal_to<std::uint32_t> equal{}, same{};
  thrust::less<std::uint32_t> less{};
  is_odd_number is_counted{};
  is_zero_number is_sought{};
  is_no_zero_number is_not_sought{};
  is_odd_number is_flagged{};
};

//! All operands: those of `Operators`, input and output.
template <class Operators, class Out = std::uint32_t*>
struct family_range : Operators
{
  using u32 = std::uint32_t;

  const u32 *first, *last, *others, *keys, *keys_last;
  Out out, keys_out;
  u32 counted, sought = 0;

  family_range(const u32* items, const u32* other_items, const u32* item_keys, family_memory& memory)
      : first(items), last(items + memory.items().size()), others(other_items), keys(item_keys),
        keys_last(item_keys + memory.items().size()), out{memory.out()}, keys_out{memory.keys_out()},
        counted(memory.items()[memory.items().size() / 2])
  {}
};

//! What is folded of each item.
template <accelerated::term Term, class Operators>
std::vector<std::uint32_t> family_terms(const family_memory& memory, const Operators& with)
{
  std::vector<std::uint32_t> terms = memory.items();
  for (std::size_t i = 0; i < terms.size(); ++i)
  {
    if constexpr (Term == accelerated::term::mapped)
    {
      terms[i] = with.map(terms[i]);
    }
    else if constexpr (Term == accelerated::term::product)
    {
      terms[i] = with.product(terms[i], memory.keys_host()[i]);
    }
  }
  return terms;
}

//! What a call has to give, by operators that the host can call.
template <accelerated::algorithm Which, class Operators>
void expect_family_call(family_call& call, family_memory& memory)
{
  using accelerated::output;
  using u32 = std::uint32_t;
  constexpr accelerated::algorithm_facts facts = accelerated::facts_of(Which);
  const std::vector<u32>& keys = memory.keys_host();
  const family_range<Operators> host(memory.items().data(), memory.others_host().data(), keys.data(), memory);
  const std::vector<u32> terms = family_terms<facts.term>(memory, host);
  if constexpr (facts.gives_numbers())
  {
    call.expected = accelerated::numbers_on_host<Which>(host);
  }
  else if constexpr (facts.output == output::total)
  {
    const u32 total = reduce_reference<u32>(terms, host.init, host.op);
    facts.gives == gives::nothing ? call.expected_values.assign(1, total) : void(call.expected[0] = total);
  }
  else if constexpr (facts.selects())
  {
    call.expected_values = accelerated::selected_on_host<Which>(host);
    const auto end = static_cast<std::ptrdiff_t>(call.expected_values.size());
    call.expected[0] = end;
    if constexpr (facts.output == output::remainder)
    {
      call.expected_values.insert(call.expected_values.end(), memory.items().begin() + end, memory.items().end());
    }
    else if constexpr (facts.output == output::partition)
    {
      const std::vector<u32> others = accelerated::selected_on_host<Which, false>(host);
      call.expected_values.insert(call.expected_values.end(), others.begin(), others.end());
    }
  }
  else if constexpr (facts.sorts())
  {
    for (const std::size_t place : accelerated::sorted_on_host<Which>(host))
    {
      call.expected_values.push_back(memory.items()[place]);
      if constexpr (facts.writes_keys())
      {
        call.expected_keys.push_back(keys[place]);
      }
    }
  }
  else if constexpr (facts.output == output::run_totals)
  {
    std::tie(call.expected_keys, call.expected_values) = reduce_by_key_reference<u32, u32>(keys, terms, host.equal, host.op);
    const auto runs = static_cast<std::int64_t>(call.expected_keys.size());
    call.expected = accelerated::numbers{{runs, runs}};
  }
  else
  {
    constexpr bool by_key = facts.group == accelerated::group::by_key;
    if constexpr (facts.output == output::inclusive)
    {
      call.expected_values = by_key ? inclusive_by_key_reference<u32, u32>(keys, terms, host.equal, host.op)
                                    : inclusive_reference<u32, u32>(terms, host.op);
    }
    else
    {
      call.expected_values = by_key ? exclusive_by_key_reference<u32>(keys, terms, host.init, host.equal, host.op)
                                    : exclusive_reference<u32, u32>(terms, host.init, host.op);
    }
    call.expected[0] = static_cast<std::int64_t>(terms.size());
  }
}

//! A call with copies of the policy and of `Range`'s operands, to be made later, and to give nothing yet. It is compiled
//! once for all algorithms.
template <class Range, class Policy>
family_call make_later_call(const std::string& name, const accelerated::algorithm_facts& facts,
                            accelerated::numbers (*call)(const Policy&, const Range&), const Policy& policy,
                            family_memory& memory)
{
  return {name,
          &facts,
          [call, policy, r = Range(memory.in(), memory.others(), memory.keys(), memory)] { return call(policy, r); },
          {},
          {},
          {}};
}

//! The table's call of an algorithm, by `Range`'s operands; what it has to give follows from `Host`'s operators.
template <accelerated::algorithm Which, class Range, class Host, class Policy>
family_call make_family_call(const std::string& variant, const Policy& policy, family_memory& memory)
{
  const accelerated::algorithm_facts& facts = accelerated::facts_of(Which);
  family_call made = make_later_call<Range, Policy>(facts.name + variant, facts,
                                                    &accelerated::call_numbers<Which, Policy, Range>, policy, memory);
  expect_family_call<Which, Host>(made, memory);
  return made;
}

//! The table's call of a transform_inclusive_scan has no initial value.
template <class Range, class Host, class Policy>
family_call make_scan_from_initial_value(const Policy& policy, family_memory& memory)
{
  using u32 = std::uint32_t;
  family_call made = make_later_call<Range, Policy>(
      "transform_inclusive_scan from an initial value",
      accelerated::facts_of(accelerated::algorithm::transform_inclusive_scan),
      [](const Policy& given, const Range& r)
      {
        const auto end = thrust::transform_inclusive_scan(given, r.first, r.last, r.out, r.map, r.init, r.op);
        return accelerated::numbers{{end - r.out, 0}};
      },
      policy, memory);
  const std::vector<u32> terms = family_terms<accelerated::term::mapped>(memory, Host());
  made.expected = accelerated::numbers{{static_cast<std::int64_t>(terms.size()), 0}};
  made.expected_values = inclusive_reference<u32, u32>(terms, Host().init, Host().op);
  return made;
}

//! One call of every algorithm through one policy. The calls read what is in `memory` at that time. The last ones are sums
//! by an operator that is not known to commute, and scans from an initial value: reheat has other kernels for them.
template <class Policy>
std::vector<family_call> family_calls(const Policy& policy, family_memory& memory)
{
  using accelerated::algorithm;
  using any_order = family_range<family_operators<thrust::plus<std::uint32_t>>>;
  using in_order = family_range<family_operators<plus>>;
  using host = family_operators<plus>; // sums modulo 2^32 do not depend on the operator's type
  std::vector<family_call> calls;
  accelerated::for_each_algorithm([&](auto which)
                                  { calls.push_back(make_family_call<which, any_order, host>("", policy, memory)); });
  calls.push_back(make_family_call<algorithm::reduce, in_order, host>(" in order", policy, memory));
  calls.push_back(make_family_call<algorithm::transform_reduce, in_order, host>(" in order", policy, memory));
  calls.push_back(make_scan_from_initial_value<in_order, host>(policy, memory));
  return calls;
}

//! The calls of those algorithms for which Wanted(facts) holds, by reheat::par.
template <bool (*Wanted)(const accelerated::algorithm_facts&), class Range, class Host>
std::vector<family_call> calls_of_some(family_memory& memory)
{
  std::vector<family_call> calls;
  accelerated::for_each_algorithm(
      [&](auto which)
      {
        if constexpr (Wanted(accelerated::facts_of(which)))
        {
          calls.push_back(make_family_call<which, Range, Host>("", reheat::par, memory));
        }
      });
  return calls;
}

} // namespace compat
