// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The standard's plus on numbers that round, as kernels take it whose bits do not depend on the architecture.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class T>
REHEAT_HOST_DEVICE constexpr bool rounds_sums()
{
  if constexpr (is_complex_v<T>)
  {
    return rounds_sums<typename T::value_type>();
  }
  else
  {
    return std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, __half> ||
           std::is_same_v<T, __nv_bfloat16>;
  }
}

//! The sum of two Ts. Of complex numbers each part is one.
template <class T>
REHEAT_DEVICE T rounded_sum(const T& left, const T& right)
{
  if constexpr (is_complex_v<T>)
  {
    return T(rounded_sum(left.real(), right.real()), rounded_sum(left.imag(), right.imag()));
  }
  else
  {
    return simt::add_rounded(left, right);
  }
}

//! plus<Operand>. No compiler fuses it with the operation that makes an operand.
template <class Operand>
struct rounded_plus
{
  REHEAT_DEVICE Operand operator()(const Operand& left, const Operand& right) const { return rounded_sum(left, right); }
};
//! plus<void>, whose operands may have two types.
template <>
struct rounded_plus<void>
{
  template <class Left, class Right>
  REHEAT_DEVICE auto operator()(const Left& left, const Right& right) const
  {
    using sum = std::decay_t<decltype(left + right)>;
    if constexpr (rounds_sums<sum>())
    {
      return rounded_sum<sum>(static_cast<sum>(left), static_cast<sum>(right));
    }
    else
    {
      return left + right;
    }
  }
};
template <class Operand>
struct functor_traits<rounded_plus<Operand>> : known_functor<operator_kind::plus, Operand>
{};

//! `op`, or in place of the standard's plus that folds in Accum, and rounds, the rounded_plus of its type.
template <class Accum, class Op>
auto rounding_alike(const Op& op)
{
  using operand = typename functor_traits<Op>::operand;
  using summed = std::conditional_t<std::is_void_v<operand>, Accum, operand>;
  if constexpr (functor_traits<Op>::kind == operator_kind::plus && rounds_sums<summed>())
  {
    return rounded_plus<operand>{};
  }
  else
  {
    return op;
  }
}

} // namespace detail
REHEAT_NAMESPACE_END
