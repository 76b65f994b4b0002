// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where pads_with_identity_v holds, folds start from the identity element and use it for absent items, so that no branch is
//! needed. Results are those of optional_accumulator, bit for bit. Compilers replace tests by selections for integers, but
//! not for floating-point numbers.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/thread/value.cuh>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! An accumulator with the interface of optional_accumulator that is never empty.
template <class T, class Padding>
struct identity_accumulator
{
  uninitialized<T> value;
  static constexpr bool has = true;

  REHEAT_DEVICE identity_accumulator() { value.construct(identity_element<Padding, T>()); }

  template <class Right, class Op>
  REHEAT_DEVICE void append(const Right& right, Op& op)
  {
    value.get() = op(value.get(), right);
  }
  template <class Op>
  REHEAT_DEVICE void append(const identity_accumulator& right, Op& op)
  {
    append(right.value.get(), op);
  }
  template <class Op>
  REHEAT_DEVICE void append_if(bool there, const uninitialized<T>& right, Op& op)
  {
    append(there ? right.get() : identity_element<Padding, T>(), op);
  }
};

//! The accumulator for folds of Ts with Op, from the left.
template <class T, class Op>
using accumulator_for =
    std::conditional_t<pads_with_identity_v<Op, T>, identity_accumulator<T, Op>, optional_accumulator<T>>;

} // namespace detail
REHEAT_NAMESPACE_END
