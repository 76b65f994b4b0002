// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where an operand is known that changes nothing, folds start from it, and take it in place of what is not there: no branch
//! asks. The results are those of running_fold, bit for bit. (Of floating-point numbers compilers make a branch of each
//! question, of integers a number to add.)
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/op.cuh>
#include <reheat/detail/thread/value.cuh>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A running_fold that is never empty.
template <class T, class Padding>
struct padded_fold
{
  manual<T> value;
  static constexpr bool has = true;

  REHEAT_DEVICE padded_fold() { value.construct(neutral<Padding, T>()); }

  template <class Right, class Op>
  REHEAT_DEVICE void append(const Right& right, Op& op)
  {
    value.get() = op(value.get(), right);
  }
  template <class Op>
  REHEAT_DEVICE void append(const padded_fold& right, Op& op)
  {
    append(right.value.get(), op);
  }
  template <class Op>
  REHEAT_DEVICE void append_if(bool there, const manual<T>& right, Op& op)
  {
    append(there ? right.get() : neutral<Padding, T>(), op);
  }
};

//! What folds Ts with Op, from the left.
template <class T, class Op>
using fold_of = std::conditional_t<has_neutral_v<Op, T>, padded_fold<T, Op>, running_fold<T>>;

} // namespace detail
REHEAT_NAMESPACE_END
