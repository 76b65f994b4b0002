// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What is known of operators.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/thrust_compat.cuh>

#include <cuda/std/functional>

#include <cstdint>
#include <type_traits>

// Names alone are asked for: <functional> brings unordered_map, thrust/complex.h streams, 4 % of what nvcc parses for a
// source that calls reduce, inclusive_scan and sort.
#if __has_include(<bits/stl_function.h>) // libstdc++'s std::plus and its like
#  include <bits/stl_function.h>
#else
#  include <functional>
#endif

// Of cuda_fp16.h and cuda_bf16.h.
struct __half;
struct __nv_bfloat16;

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class Op>
inline constexpr bool is_commutative_functor_v =
    is_instance_v<::cuda::std::plus, Op> || is_instance_v<::cuda::std::multiplies, Op> ||
    is_instance_v<::cuda::std::bit_and, Op> || is_instance_v<::cuda::std::bit_or, Op> ||
    is_instance_v<::cuda::std::bit_xor, Op> || is_instance_v<std::plus, Op> || is_instance_v<std::multiplies, Op> ||
    is_instance_v<std::bit_and, Op> || is_instance_v<std::bit_or, Op> || is_instance_v<std::bit_xor, Op> ||
    is_thrusts_commutative_v<Op>;

//! Numbers of the language, of CUDA's headers and of Thrust.
template <class T>
inline constexpr bool is_number_v =
    std::is_arithmetic_v<T> || std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16> ||
    is_instance_v<::cuda::std::complex, T> || is_instance_v<THRUST_NS_QUALIFIER::complex, T>;

//! Operators of ours that may exchange operands of T: those are never a user's.
template <class Op, class T>
inline constexpr bool is_own_commutative_v = false;

//! Operands may be exchanged: arithmetic of the standard and of Thrust on numbers, and what is ours. Any other operator gets
//! them in order.
template <class Op, class T>
inline constexpr bool
    is_known_commutative_v = (is_number_v<T> && is_commutative_functor_v<Op>) || is_own_commutative_v<Op, T>;

//! Whether no result shows in which order, and how associated, Op has folded Ts: arithmetic of integers, as integers.
template <class Op, class T>
inline constexpr bool is_exact_v = false;
template <template <class> class Op, class Operand, class T>
inline constexpr bool is_exact_v<Op<Operand>, T> = std::is_integral_v<T>&& is_known_commutative_v<Op<Operand>, T> &&
                                                   (std::is_void_v<Operand> || std::is_same_v<Operand, T>);

//! Whether Op adds numbers of the language, as Ts.
template <class Op, class T>
inline constexpr bool is_sum_v =
    std::is_arithmetic_v<T> && !std::is_same_v<T, bool> &&
    (std::is_same_v<Op, ::cuda::std::plus<T>> || std::is_same_v<Op, ::cuda::std::plus<void>> ||
     std::is_same_v<Op, std::plus<T>> || std::is_same_v<Op, std::plus<void>> ||
     std::is_same_v<Op, THRUST_NS_QUALIFIER::plus<T>> || std::is_same_v<Op, THRUST_NS_QUALIFIER::plus<void>>);
//! Adding it changes no T, not even the sign of a zero.
template <class T>
REHEAT_HOST_DEVICE constexpr T additive_identity()
{
  return std::is_floating_point_v<T> ? -T(0) : T(0);
}

//! Whether Op keeps the larger, or the smaller, of two integers of type T.
template <class Op, class T>
inline constexpr bool is_maximum_v =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && (is_thrusts_maximum_v<Op, T> || is_thrusts_maximum_v<Op, void>);
template <class Op, class T>
inline constexpr bool is_minimum_v =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && (is_thrusts_minimum_v<Op, T> || is_thrusts_minimum_v<Op, void>);

//! Whether Less compares numbers of the language, as Ts, by `<`.
template <class Less, class T>
inline constexpr bool is_less_v = std::is_arithmetic_v<T> &&
                                  (std::is_same_v<Less, ::cuda::std::less<T>> ||
                                   std::is_same_v<Less, ::cuda::std::less<void>> || std::is_same_v<Less, std::less<T>> ||
                                   std::is_same_v<Less, std::less<void>> ||
                                   std::is_same_v<Less, THRUST_NS_QUALIFIER::less<T>> ||
                                   std::is_same_v<Less, THRUST_NS_QUALIFIER::less<void>>);

//! Whether Op has a known identity element among Ts: identity_element<Op, T>() changes no operand on either side.
template <class Op, class T>
inline constexpr bool has_identity_element_v = is_sum_v<Op, T> || is_maximum_v<Op, T> || is_minimum_v<Op, T>;
template <class Op, class T>
REHEAT_HOST_DEVICE constexpr T identity_element()
{
  if constexpr (is_maximum_v<Op, T> || is_minimum_v<Op, T>)
  {
    using unsigned_type = std::make_unsigned_t<T>;
    constexpr T largest = static_cast<T>(std::is_signed_v<T> ? unsigned_type(-1) / 2 : unsigned_type(-1));
    return is_minimum_v<Op, T> ? largest : static_cast<T>(~largest);
  }
  else
  {
    return additive_identity<T>();
  }
}
//! Whether redux.sync.add of 32-bit words computes Op on Ts: Op adds integers of at most 32 bits.
template <class Op, class T>
inline constexpr bool reduces_with_redux_v = is_sum_v<Op, T>&& std::is_integral_v<T> && sizeof(T) <= 4;
//! Whether Op adds integers of at most 64 bits.
template <class Op, class T>
inline constexpr bool adds_integers_v = is_sum_v<Op, T>&& std::is_integral_v<T> && sizeof(T) <= 8;

//! Op as a thread folds its own items with it: they come in order, and those of one tile fold to a `local`, which may be
//! less than a T. `widen` makes a T of it, given the index of the thread's first item in the tile.
template <class Op, class T>
struct thread_op
{
  using local = T;
  static constexpr bool rounds = !std::is_integral_v<T>; //!< how operands associate may show in the result
  Op& op;

  REHEAT_EXEC_CHECK_DISABLE
  REHEAT_DEVICE decltype(auto) operator()(const T& left, const T& right) { return op(left, right); }
  REHEAT_DEVICE const T& widen(const T& value, std::uint64_t) const { return value; }
};

} // namespace detail
REHEAT_NAMESPACE_END
