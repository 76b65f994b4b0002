// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What all rungs of the ladder share: which algorithm they serve, what they need of types and operators, and the shape of
//! their launches.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

template <class...>
inline constexpr bool never_v = false;

//! A scan's rung. Derived rungs have
//! `template <scan_kind Kind, …> static void enqueue_scan(env, in, out, items, op, init)`, as detail::enqueue_scan.
struct scan_rung : thrust_backend::kernels_option
{
  template <class Accum, class Environment, class InputIt, class T, class Op>
  static T reduce_n(const Environment&, InputIt, std::uint64_t, T init, Op)
  {
    static_assert(never_v<T>, "reheat: this rung of the ladder serves inclusive_scan and exclusive_scan, not reduce");
    return init;
  }
  template <class Accum, class Environment, class InputIt, class T, class Op>
  static void enqueue_reduce(const Environment&, InputIt, std::uint64_t, T, Op, T*)
  {
    static_assert(never_v<T>, "reheat: this rung of the ladder serves inclusive_scan and exclusive_scan, not reduce_into");
  }
};

//! A reduction's rung. Derived rungs have `template <class Accum, …> static T reduce_n(env, in, items, init, op)`,
//! as detail::reduce_n, and, unless they finish on the host, `enqueue_reduce(env, in, items, init, op, result)`, as
//! detail::enqueue_reduce.
struct reduce_rung : thrust_backend::kernels_option
{
  static constexpr bool keeps_order = false;      //!< the operator need not commute
  static constexpr bool by_matrix_units = false;  //!< plus on the units' types alone
  static constexpr bool finishes_on_host = false; //!< has no enqueue_reduce

  template <auto Kind, class Environment, class InputIt, class OutputIt, class Op, class Init>
  static void enqueue_scan(const Environment&, InputIt, OutputIt, std::uint64_t, Op, Init)
  {
    static_assert(never_v<Op>, "reheat: this rung of the ladder serves reduce, not inclusive_scan and exclusive_scan");
  }
};

//! Values travel through shuffles.
template <class T>
constexpr void needs_shuffles()
{
  static_assert(
      is_bitwise_copyable_v<T>,
      "reheat: this rung of the ladder exchanges values by shuffles: it serves types that are copied by their bytes");
}
//! Operands change places.
template <class Op, class T>
constexpr void needs_commutative_op()
{
  static_assert(is_known_commutative_v<Op, T>,
                "reheat: this rung of the ladder combines items out of order: it serves plus, multiplies, minimum, maximum, "
                "bit_and, bit_or and bit_xor of numbers");
}

//! Values may be padded with identity elements.
template <class Op, class T>
constexpr void needs_identity()
{
  static_assert(has_identity_element_v<Op, T>,
                "reheat: this rung of the ladder pads items with identity elements: it serves plus, multiplies, minimum, "
                "maximum, bit_and, bit_or and bit_xor of numbers");
}

template <class Op>
inline constexpr bool is_plus_v = functor_traits<Op>::kind == operator_kind::plus;

//! The machine adds such values to memory in one step.
template <class Op, class T>
inline constexpr bool has_atomic_add_v = is_plus_v<Op> && ((std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)) ||
                                                           std::is_same_v<T, float> || std::is_same_v<T, double>);

template <class Op, class T>
constexpr void needs_atomic()
{
  static_assert(has_atomic_add_v<Op, T>,
                "reheat: this rung of the ladder adds the sums of blocks by atomics: it serves plus "
                "on integers of 4 and 8 bytes, float and double");
}

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END
