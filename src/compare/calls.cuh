// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls under comparison. reheat's differs from Thrust's in one argument, the policy.
#pragma once

#include "call.hpp"
#include "two_phases.cuh"
#include "upstream.cuh"

#include <family/calls.cuh>

#include <reheat/device.cuh>

#include <thrust/functional.h>

#include <cstring>
#include <type_traits>

namespace compare
{

// Thrust's operator multiplies two uint16_t as int, which overflows.
struct multiplies_u16
{
  REHEAT_HOST_DEVICE std::uint16_t operator()(std::uint16_t a, std::uint16_t b) const
  {
    return static_cast<std::uint16_t>(std::uint32_t{a} * b);
  }
};

template <class T>
struct smaller_than
{
  T bound;
  REHEAT_HOST_DEVICE bool operator()(T item) const { return item < bound; }
};
template <class T>
struct equal_to_one
{
  T wanted;
  REHEAT_HOST_DEVICE bool operator()(T item) const { return item == wanted; }
};
template <class T>
struct differs_from_one
{
  T unwanted;
  REHEAT_HOST_DEVICE bool operator()(T item) const { return item != unwanted; }
};

//! Items with odd keys are flagged.
struct has_odd_key
{
  REHEAT_HOST_DEVICE bool operator()(key_type key) const { return key % 2 != 0; }
};

//! The operands of a call. Of items that differ, the last one decides a question: neither an early stop nor a part left out
//! goes unseen.
template <class T, class Op>
struct operands
{
  const T *first, *last, *others; // others are the same items: their comparison goes to the end
  const key_type *keys, *keys_last;
  T* out;
  key_type* keys_out;
  T init, counted, sought;
  smaller_than<T> is_counted;
  equal_to_one<T> is_sought;
  differs_from_one<T> is_not_sought;
  has_odd_key is_flagged{};
  Op op{};
  thrust::negate<T> map{};
  thrust::multiplies<T> product{};
  thrust::equal_to<key_type> equal{};
  thrust::equal_to<T> same{};
  here::ascending<T> less{};

  explicit operands(const call& c)
      : first(reinterpret_cast<const T*>(c.in)), last(first + c.count), others(first), keys(c.keys),
        keys_last(c.keys != nullptr ? c.keys + c.count : nullptr), out(reinterpret_cast<T*>(c.out)), keys_out(c.keys_out),
        init(read_item<T>(c.init)), counted(init),
        sought(read_item<T>(c.last)), is_counted{init}, is_sought{read_item<T>(c.last)}, is_not_sought{read_item<T>(c.last)}
  {}
};

template <algorithm Which, class T, class Op, class Policy>
void make_call_of(const Policy& policy, call& c)
{
  constexpr algorithm_facts facts = facts_of(Which);
  const operands<T, Op> r(c);
  if constexpr (facts.output == output::total && facts.gives == accelerated::gives::words)
  {
    const T value = accelerated::call_of<Which>()(policy, r);
    std::memcpy(c.value, &value, sizeof(T));
    c.value_on_host = true;
  }
  else
  {
    const accelerated::numbers returned = accelerated::call_numbers<Which>(policy, r);
    if constexpr (facts.gives_numbers())
    {
      static_assert(sizeof(returned) <= sizeof(c.value));
      std::memcpy(c.value, returned.data(), sizeof(returned));
      c.value_on_host = true;
    }
    else if constexpr (facts.selects())
    {
      c.returned_items = returned[0];
    }
    else if constexpr (facts.output != output::total && !facts.sorts())
    {
      c.returned_items = facts.output != output::run_totals || returned[0] == returned[1] ? returned[0] : -1;
      const auto end = static_cast<std::int64_t>(output_items(Which, c.count));
      c.returned_end = returned[0] == end && (facts.output != output::run_totals || returned[1] == end);
    }
  }
}

enum class served
{
  everything, //!< algorithms that are for every type and operator
  sums,       //!< others that take an operator
  searches,   //!< those that take none
};

constexpr served served_as(algorithm which)
{
  return is_for_everything(which) ? served::everything : takes_operation(which) ? served::sums : served::searches;
}

template <served Part, class T, class Op, class Policy>
void call_part(const Policy& policy, call& c)
{
  accelerated::for_each_algorithm(
      [&](auto which)
      {
        if constexpr (served_as(which) == Part)
        {
          if (c.algorithm == which)
          {
            make_call_of<which, T, Op>(policy, c);
          }
        }
      });
}

template <served Part, class T, class Op>
void make_call(call& c)
{
  switch (c.who)
  {
    case implementation::thrust:
      call_part<Part, T, Op>(here::upstream_policy(), c);
      break;
    case implementation::reheat:
      call_part<Part, T, Op>(reheat::par, c);
      break;
    case implementation::device:
      if constexpr (Part == served::everything)
      {
        here::check_call(call_in_two_phases<reheat::DeviceReduce, reheat::DeviceScan, T, Op>(c));
      }
      break;
    case implementation::cub:
      if constexpr (Part == served::everything)
      {
        here::call_cub<T, Op>(c);
      }
      break;
  }
}

template <class T>
call_function find_call(operation which)
{
  constexpr served all = served::everything;
  switch (which)
  {
    case operation::max:
      return make_call<all, T, thrust::maximum<T>>;
    case operation::min:
      return make_call<all, T, thrust::minimum<T>>;
    default:
      break;
  }
  if constexpr (std::is_floating_point_v<T>)
  {
    return which == operation::plus ? make_call<all, T, thrust::plus<T>> : make_call<all, T, thrust::multiplies<T>>;
  }
  else
  {
    using U = std::make_unsigned_t<T>;
    using multiplies = std::conditional_t<sizeof(U) == 2, multiplies_u16, thrust::multiplies<U>>;
    return which == operation::plus ? make_call<all, U, thrust::plus<U>> : make_call<all, U, multiplies>;
  }
}

} // namespace compare
