// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The element that changes nothing, for operators of which it is known.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>

#include <thrust/functional.h>
#include <thrust/version.h>

#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/std/limits>

#include <functional>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

enum class known_op
{
  plus,
  multiplies,
  bit_and,
  bit_or,
  bit_xor,
  minimum,
  maximum,
  other //!< of an operator of the user, and of one that works in another type than its operands'
};

template <template <class> class Known, class Op, class T>
inline constexpr bool is_op_v = std::is_same_v<Op, Known<T>> || std::is_same_v<Op, Known<void>>;

template <class Op, class T>
inline constexpr known_op op_of_v =
    is_op_v<::cuda::std::plus, Op, T> || is_op_v<std::plus, Op, T> || is_op_v<THRUST_NS_QUALIFIER::plus, Op, T>
        ? known_op::plus
    : is_op_v<::cuda::std::multiplies, Op, T> || is_op_v<std::multiplies, Op, T> ||
            is_op_v<THRUST_NS_QUALIFIER::multiplies, Op, T>
        ? known_op::multiplies
    : is_op_v<::cuda::std::bit_and, Op, T> || is_op_v<std::bit_and, Op, T> || is_op_v<THRUST_NS_QUALIFIER::bit_and, Op, T>
        ? known_op::bit_and
    : is_op_v<::cuda::std::bit_or, Op, T> || is_op_v<std::bit_or, Op, T> || is_op_v<THRUST_NS_QUALIFIER::bit_or, Op, T>
        ? known_op::bit_or
    : is_op_v<::cuda::std::bit_xor, Op, T> || is_op_v<std::bit_xor, Op, T> || is_op_v<THRUST_NS_QUALIFIER::bit_xor, Op, T>
        ? known_op::bit_xor
    : is_op_v<THRUST_NS_QUALIFIER::minimum, Op, T> ? known_op::minimum
    : is_op_v<THRUST_NS_QUALIFIER::maximum, Op, T> ? known_op::maximum
                                                   : known_op::other;

//! Whether identity_of<Op, T> gives a value. Complex numbers have none for products: infinity times zero is not a number.
template <class Op, class T>
inline constexpr bool has_identity_v =
    std::is_arithmetic_v<T> ? op_of_v<Op, T> != known_op::other : is_number_v<T>&& op_of_v<Op, T> == known_op::plus;

//! The e with e ⊕ x == x for every number x. Of sums of floating-point numbers it is -0.0: 0.0 would turn -0.0 into 0.0.
template <class Op, class T>
REHEAT_HOST_DEVICE T identity_of()
{
  constexpr known_op op = op_of_v<Op, T>;
  static_assert(has_identity_v<Op, T>);
  if constexpr (!std::is_arithmetic_v<T>)
  {
    if constexpr (is_instance_v<::cuda::std::complex, T> || is_instance_v<THRUST_NS_QUALIFIER::complex, T>)
    {
      using real = typename T::value_type;
      return T(-real(0), -real(0));
    }
    else
    {
      return T(-0.0f);
    }
  }
  else if constexpr (op == known_op::plus)
  {
    return std::is_floating_point_v<T> ? static_cast<T>(-0.0) : T(0);
  }
  else if constexpr (op == known_op::multiplies)
  {
    return T(1);
  }
  else if constexpr (op == known_op::bit_and)
  {
    return static_cast<T>(-1); // all bits
  }
  else if constexpr (op == known_op::minimum || op == known_op::maximum)
  {
    using limits = ::cuda::std::numeric_limits<T>;
    if constexpr (limits::has_infinity)
    {
      return op == known_op::minimum ? limits::infinity() : -limits::infinity();
    }
    else
    {
      return op == known_op::minimum ? limits::max() : limits::lowest();
    }
  }
  else
  {
    return T(0);
  }
}

//! Values may be padded with identity elements.
template <class Op, class T>
constexpr void needs_identity()
{
  static_assert(has_identity_v<Op, T>,
                "reheat: this rung of the ladder pads items with identity elements: it serves plus, multiplies, minimum, "
                "maximum, bit_and, bit_or and bit_xor of numbers");
}

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END
