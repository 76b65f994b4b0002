// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The types that CUB's callers count on: accumulators, numbers of items, places of initial values. They differ from
//! Thrust's.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thrust_compat.cuh>

#include <cub/util_namespace.cuh>

#include <cuda/std/limits>

#include <cstdint>
#include <type_traits>

// CUB's names alone: a program that makes one of these includes <cub/util_type.cuh>, which is more text than this interface.
CUB_NAMESPACE_BEGIN
template <class T, class It>
struct FutureValue;
template <class Key, class Value>
struct KeyValuePair;
template <class T>
struct DoubleBuffer;
CUB_NAMESPACE_END

REHEAT_NAMESPACE_BEGIN
namespace device_wide
{

//! What the operator makes of an initial value and an item.
template <class Op, class Item, class Init = Item>
using accumulator_of = std::decay_t<std::invoke_result_t<Op&, Init, Item>>;

//! The value type of an output; of one that has none, or takes anything, `Otherwise`.
template <class OutputIt, class Otherwise, class = void>
struct output_value
{
  using type = Otherwise;
};
template <class OutputIt, class Otherwise>
struct output_value<OutputIt, Otherwise, std::void_t<detail::value_of<OutputIt>>>
{
  using value = detail::value_of<OutputIt>;
  using type = std::conditional_t<std::is_void_v<value> || std::is_same_v<value, THRUST_NS_QUALIFIER::detail::any_assign>,
                                  Otherwise, value>;
};
template <class OutputIt, class Otherwise>
using output_value_t = typename output_value<OutputIt, Otherwise>::type;

template <class T>
inline constexpr bool is_plain_integer_v = std::is_integral_v<T> && !std::is_same_v<T, bool>;

//! Whether the low bits of Op's results are the results of their operands' low bits.
template <class Op>
inline constexpr bool keeps_low_bits_v = std::is_void_v<typename detail::functor_traits<Op>::operand> &&
                                         (detail::functor_traits<Op>::kind == detail::operator_kind::plus ||
                                          detail::functor_traits<Op>::kind == detail::operator_kind::bit_and ||
                                          detail::functor_traits<Op>::kind == detail::operator_kind::bit_or ||
                                          detail::functor_traits<Op>::kind == detail::operator_kind::bit_xor);

//! What a scan accumulates in: CUB's accumulator, or the items' type where no bit of the output can tell. C++ adds two bytes
//! as ints; a scan from bytes to bytes then moves a quarter of the memory through the kernel.
template <class Op, class Item, class Init, class OutputIt>
struct scan_accumulator
{
  using exact = accumulator_of<Op, Item, Init>;
  using output = output_value_t<OutputIt, exact>;
  static constexpr bool fits = keeps_low_bits_v<Op> && is_plain_integer_v<Item> && is_plain_integer_v<Init> &&
                               is_plain_integer_v<exact> && is_plain_integer_v<output> && sizeof(output) <= sizeof(Item) &&
                               sizeof(Item) < sizeof(exact);
  using type = std::conditional_t<fits, Item, exact>;
};
template <class Op, class Item, class Init, class OutputIt>
using scan_accumulator_t = typename scan_accumulator<Op, Item, Init, OutputIt>::type;

//! What a minimum of Items starts from, as CUB's: no infinity, and no NaN. As a T, which may be an integer of floating-point
//! items: the integer's own limit then, which holds no larger number.
template <class Item, class T = Item>
constexpr T largest()
{
  using limited = std::conditional_t<std::is_floating_point_v<Item> && std::is_integral_v<T>, T, Item>;
  return static_cast<T>(::cuda::std::numeric_limits<limited>::max());
}
template <class Item, class T = Item>
constexpr T lowest()
{
  using limited = std::conditional_t<std::is_floating_point_v<Item> && std::is_integral_v<T>, T, Item>;
  return static_cast<T>(::cuda::std::numeric_limits<limited>::lowest());
}

//! The place of an initial value that the device reads. CUB's FutureValue gives its value and not its place.
template <class Future>
struct future_place
{
  Future future;
  REHEAT_DEVICE auto operator*() const
  {
    Future read = future; // CCCL 2.8 converts no const one
    return static_cast<typename Future::value_type>(read);
  }
};

} // namespace device_wide
REHEAT_NAMESPACE_END
