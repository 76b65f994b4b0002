// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What all rungs of the ladder share: which algorithm they serve, what they need of types and operators, and the shape of
//! their launches.
#pragma once

#include <reheat/detail/block/value.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/op.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/simt/simt.cuh>

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
//! `template <scan_kind Kind, …> static void enqueue_scan(call, policy, in, out, items, op, init)`, as detail::enqueue_scan.
struct scan_rung
{
  template <class Accum, class Policy, class InputIt, class T, class Op>
  static T reduce_n(const char*, Policy&, InputIt, std::uint64_t, T init, Op)
  {
    static_assert(never_v<T>, "reheat: this rung of the ladder serves inclusive_scan and exclusive_scan, not reduce");
    return init;
  }
};

//! A reduction's rung. Derived rungs have `template <class Accum, …> static T reduce_n(call, policy, in, items, init, op)`,
//! as detail::reduce_n.
struct reduce_rung
{
  template <auto Kind, class Policy, class InputIt, class OutputIt, class Op, class Init>
  static void enqueue_scan(const char*, Policy&, InputIt, OutputIt, std::uint64_t, Op, Init)
  {
    static_assert(never_v<Op>, "reheat: this rung of the ladder serves reduce, not inclusive_scan and exclusive_scan");
  }
};

//! Values travel through shuffles.
template <class T>
constexpr void needs_shuffles()
{
  static_assert(is_bitwise_copyable_v<T>,
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

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END
