// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Drawn calls of the algorithms of Thrust that reheat accelerates.
#pragma once

#include "../../src/family/calls.cuh"
#include "../../src/family/host.hpp"
#include "../support/random_calls.hpp"
#include "../support/reference.hpp"

#include <tuple>
#include <utility>

namespace compat::drawn
{

template <class T>
struct twice
{
  REHEAT_HOST_DEVICE T operator()(T x) const { return static_cast<T>(x + x); }
};
template <class T>
struct times
{
  REHEAT_HOST_DEVICE T operator()(T x, T y) const { return static_cast<T>(x * y); }
};
template <class T>
struct sum
{
  REHEAT_HOST_DEVICE T operator()(T x, T y) const { return static_cast<T>(x + y); }
};
template <class T>
struct equals
{
  T value;
  REHEAT_HOST_DEVICE bool operator()(T x) const { return x == value; }
};
template <class T>
struct differs
{
  T value;
  REHEAT_HOST_DEVICE bool operator()(T x) const { return x != value; }
};
struct is_odd_key
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t key) const { return key % 2 == 1; }
};

//! The operands of calls.cuh. Sums by the standard's operator, whose order the library may change.
template <class T>
struct range
{
  const T *first, *last, *others;
  const std::uint32_t *keys, *keys_last;
  T* out;
  std::uint32_t* keys_out;
  T init, counted, sought;
  equals<T> is_counted, is_sought;
  differs<T> is_not_sought;
  is_odd_key is_flagged{};
  thrust::plus<T> op{};
  twice<T> map{};
  times<T> product{};
  thrust::equal_to<std::uint32_t> equal{};
  thrust::equal_to<T> same{};
  thrust::less<T> less{};

  range(const T* in, std::size_t size, const T* other, const std::uint32_t* key, T* to, std::uint32_t* key_to,
        const T* in_on_host)
      : first(in), last(in + size), others(other), keys(key), keys_last(key + size), out(to), keys_out(key_to), init(3),
        counted(size != 0 ? in_on_host[size / 2] : T(1)),
        sought(size != 0 ? in_on_host[size - 1] : T(1)), is_counted{counted}, is_sought{sought}, is_not_sought{sought}
  {}
};

//! What a call has to give.
template <class T>
struct outcome
{
  accelerated::numbers numbers{};
  std::vector<T> values;
  std::vector<std::uint32_t> keys;
};

template <accelerated::algorithm Which, class T>
outcome<T> expected_of(const range<T>& host)
{
  using accelerated::output;
  constexpr accelerated::algorithm_facts facts = accelerated::facts_of(Which);
  const std::vector<T> items(host.first, host.last);
  const std::vector<std::uint32_t> keys(host.keys, host.keys_last);
  std::vector<T> terms = items;
  for (std::size_t i = 0; i < terms.size(); ++i)
  {
    terms[i] = facts.term == accelerated::term::mapped    ? host.map(terms[i])
               : facts.term == accelerated::term::product ? host.product(terms[i], static_cast<T>(keys[i]))
                                                          : terms[i];
  }
  const sum<T> op;
  outcome<T> result;
  if constexpr (facts.gives_numbers())
  {
    result.numbers = accelerated::numbers_on_host<Which>(host);
  }
  else if constexpr (facts.output == output::total)
  {
    const T total = reduce_reference<T>(terms, host.init, op);
    facts.gives == accelerated::gives::nothing ? result.values.assign(1, total)
                                               : void(result.numbers[0] = static_cast<std::int64_t>(total));
  }
  else if constexpr (facts.selects())
  {
    result.values = accelerated::selected_on_host<Which>(host);
    const auto end = static_cast<std::ptrdiff_t>(result.values.size());
    result.numbers[0] = end;
    if constexpr (facts.output == output::remainder)
    {
      result.values.insert(result.values.end(), items.begin() + end, items.end());
    }
    else if constexpr (facts.output == output::partition)
    {
      const std::vector<T> others = accelerated::selected_on_host<Which, false>(host);
      result.values.insert(result.values.end(), others.begin(), others.end());
    }
  }
  else if constexpr (facts.sorts())
  {
    for (const std::size_t place : accelerated::sorted_on_host<Which>(host))
    {
      result.values.push_back(items[place]);
      if constexpr (facts.writes_keys())
      {
        result.keys.push_back(keys[place]);
      }
    }
  }
  else if constexpr (facts.output == output::run_totals)
  {
    std::tie(result.keys, result.values) = reduce_by_key_reference<T, T>(keys, terms, host.equal, op);
    const auto runs = static_cast<std::int64_t>(result.keys.size());
    result.numbers = {{runs, runs}};
  }
  else
  {
    constexpr bool by_key = facts.group == accelerated::group::by_key;
    if constexpr (facts.output == output::inclusive)
    {
      result.values =
          by_key ? inclusive_by_key_reference<T, T>(keys, terms, host.equal, op) : inclusive_reference<T, T>(terms, op);
    }
    else
    {
      result.values = by_key ? exclusive_by_key_reference<T>(keys, terms, host.init, host.equal, op)
                             : exclusive_reference<T, T>(terms, host.init, op);
    }
    result.numbers[0] = static_cast<std::int64_t>(terms.size());
  }
  return result;
}

namespace // a policy is not visible outside of its translation unit
{

template <class T>
class family_call final : public call
{
public:
  family_call(const char* type, const input_table<T>& table, choices& choose, output_space& space, std::size_t max_items,
              bool captured)
      : type_(type), table_(table)
  {
    // If the algorithm cannot be captured, the next one that can is taken. Another draw might be the same for ever.
    kind = choose.below(accelerated::algorithm_count);
    algorithm_ = accelerated::algorithms[kind];
    while (captured && (facts().gives != accelerated::gives::nothing || facts().sorts()))
    {
      kind = (kind + 1) % accelerated::algorithm_count;
      algorithm_ = accelerated::algorithms[kind];
    }
    size_ = choose.size(max_items);
    size_ = captured ? std::max<std::size_t>(size_, 1) : size_;
    change_input(choose);
    keys_at_ = choose.below(input_table<T>::room);
    in_place_ = choose.one_in(4) && (facts().is_scan() || facts().output == accelerated::output::selection);
    copied_ = captured && !in_place_;
    form_ = captured ? form::nosync : static_cast<form>(choose.below(3));
    allocator_throws_ = form_ == form::allocator && choose.one_in(8);
    out_ = space.take<T>(size_ + 1, choose.below(64)); // a total of no items has a place, too
    keys_out_ = space.take<std::uint32_t>(size_, choose.below(64));
    copy_ = copied_ ? space.take<T>(size_, choose.below(64)) : out_;
  }

  std::string described() const override
  {
    return std::string(facts().name) + " of " + std::to_string(size_) + " " + type_ + " from " + std::to_string(in_at_) +
           " and " + std::to_string(keys_at_) + (in_place_ ? " in place" : "") + ", form " +
           std::to_string(static_cast<int>(form_));
  }
  bool allocator_throws() const override { return allocator_throws_; }
  void change_input(choices& choose) override { in_at_ = choose.below(input_table<T>::room); }

  void prepare(reheat::stream_type where) override
  {
    if (in_place_ || copied_)
    {
      copy_in_stream(copy_.device, raw(table_.in) + in_at_, size_ * sizeof(T), where);
    }
  }

  void make(reheat::stream_type where) override
  {
    const range<T> r(in_place_ || copied_ ? copy_.device : raw(table_.in) + in_at_, size_, raw(table_.others_in) + in_at_,
                     raw(table_.keys_in) + keys_at_, out_.device, keys_out_.device, table_.items.data() + in_at_);
    stream_allocator<char> allocator(where, allocator_throws_);
    switch (form_)
    {
      case form::waits:
        returned_ = call_by(reheat::par.on(where), algorithm_, r);
        break;
      case form::nosync:
        returned_ = call_by(reheat::par_nosync.on(where), algorithm_, r);
        break;
      case form::allocator:
        returned_ = call_by(reheat::par_nosync(allocator).on(where), algorithm_, r);
        break;
    }
  }

  std::string check() const override
  {
    const T* const items = table_.items.data() + in_at_;
    const range<T> host(items, size_, table_.others.data() + in_at_, table_.keys.data() + keys_at_, nullptr, nullptr, items);
    outcome<T> expected;
    accelerated::for_each_algorithm(
        [&](auto which)
        {
          if (algorithm_ == which)
          {
            expected = expected_of<which>(host);
          }
        });
    if (in_place_ && expected.values.size() < size_) // the call leaves the items behind its result as they are
    {
      expected.values.insert(expected.values.end(), items + expected.values.size(), items + size_);
    }
    std::string wrong;
    if (returned_ != expected.numbers)
    {
      wrong = " returned " + std::to_string(returned_[0]) + ", " + std::to_string(returned_[1]) + " instead of " +
              std::to_string(expected.numbers[0]) + ", " + std::to_string(expected.numbers[1]);
    }
    wrong += difference("item", out_, expected.values) + difference("key", keys_out_, expected.keys);
    if (copied_)
    {
      wrong += difference("input", copy_, std::vector<T>(items, items + size_));
    }
    return wrong.empty() ? "" : described() + wrong;
  }

private:
  const accelerated::algorithm_facts& facts() const { return accelerated::facts_of(algorithm_); }

  template <class Policy>
  static accelerated::numbers call_by(const Policy& policy, accelerated::algorithm wanted, const range<T>& r)
  {
    accelerated::numbers returned{};
    accelerated::for_each_algorithm(
        [&](auto which)
        {
          if (wanted == which)
          {
            returned = accelerated::call_numbers<which>(policy, r);
          }
        });
    return returned;
  }

  const char* type_;
  const input_table<T>& table_;
  accelerated::algorithm algorithm_ = accelerated::algorithm::reduce;
  form form_ = form::waits;
  std::size_t size_ = 0, in_at_ = 0, keys_at_ = 0; //!< in items
  bool in_place_ = false, copied_ = false, allocator_throws_ = false;
  place<T> out_, copy_;
  place<std::uint32_t> keys_out_;
  accelerated::numbers returned_{};
};

template <class T>
class family_caller final : public caller
{
public:
  family_caller(const char* type, std::size_t max_items)
      : type_(type), max_items_(max_items), table_(input_table<T>::of(max_items))
  {}
  std::string name() const override { return std::string("family of ") + type_; }
  std::vector<std::string> kinds() const override
  {
    std::vector<std::string> names;
    for (const accelerated::algorithm which : accelerated::algorithms)
    {
      names.emplace_back(accelerated::facts_of(which).name);
    }
    return names;
  }
  std::unique_ptr<call> draw(choices& choose, output_space& space, bool captured) override
  {
    return std::make_unique<family_call<T>>(type_, table_, choose, space, max_items_, captured);
  }

private:
  const char* type_;
  std::size_t max_items_;
  const input_table<T>& table_;
};

} // namespace

} // namespace compat::drawn
