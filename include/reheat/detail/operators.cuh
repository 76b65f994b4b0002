// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The properties of operators. functor_traits gives the kind of each functor, and operator_table the properties of each
//! kind. Every other property is derived from these two. A fast path for a kind is a column's entry here and a
//! branch where it is taken: a warp reduction has its branch in warp/fold.cuh.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/thrust_compat.cuh>

#include <cuda/std/limits>

#include <cstdint>
#include <type_traits>

// Only the functors' names are needed: <functional> brings unordered_map, thrust/complex.h brings streams. Together they are
// 4 % of what nvcc parses for a source that calls reduce, inclusive_scan and sort.
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

enum class operator_kind
{
  unknown, //!< an operator of the user or of this library
  plus,
  multiplies,
  bit_and,
  bit_or,
  bit_xor,
  minimum,
  maximum,
  less,
  greater,
  equal_to
};

//! What a functor computes, and the type to which it converts its operands (void: none).
template <class Op>
struct functor_traits
{
  static constexpr operator_kind kind = operator_kind::unknown;
  using operand = void;
};
template <operator_kind Kind, class Operand>
struct known_functor
{
  static constexpr operator_kind kind = Kind;
  using operand = Operand;
};

// clang-format off
template <class T> struct functor_traits<std::plus<T>>       : known_functor<operator_kind::plus, T> {};
template <class T> struct functor_traits<std::multiplies<T>> : known_functor<operator_kind::multiplies, T> {};
template <class T> struct functor_traits<std::bit_and<T>>    : known_functor<operator_kind::bit_and, T> {};
template <class T> struct functor_traits<std::bit_or<T>>     : known_functor<operator_kind::bit_or, T> {};
template <class T> struct functor_traits<std::bit_xor<T>>    : known_functor<operator_kind::bit_xor, T> {};
template <class T> struct functor_traits<std::less<T>>       : known_functor<operator_kind::less, T> {};
template <class T> struct functor_traits<std::greater<T>>    : known_functor<operator_kind::greater, T> {};
template <class T> struct functor_traits<std::equal_to<T>>   : known_functor<operator_kind::equal_to, T> {};

template <class T> struct functor_traits<::cuda::std::plus<T>>       : known_functor<operator_kind::plus, T> {};
template <class T> struct functor_traits<::cuda::std::multiplies<T>> : known_functor<operator_kind::multiplies, T> {};
template <class T> struct functor_traits<::cuda::std::bit_and<T>>    : known_functor<operator_kind::bit_and, T> {};
template <class T> struct functor_traits<::cuda::std::bit_or<T>>     : known_functor<operator_kind::bit_or, T> {};
template <class T> struct functor_traits<::cuda::std::bit_xor<T>>    : known_functor<operator_kind::bit_xor, T> {};
template <class T> struct functor_traits<::cuda::std::less<T>>       : known_functor<operator_kind::less, T> {};
template <class T> struct functor_traits<::cuda::std::greater<T>>    : known_functor<operator_kind::greater, T> {};
template <class T> struct functor_traits<::cuda::std::equal_to<T>>   : known_functor<operator_kind::equal_to, T> {};

#if REHEAT_THRUST_HAS_FUNCTORS
template <class T> struct functor_traits<THRUST_NS_QUALIFIER::plus<T>>       : known_functor<operator_kind::plus, T> {};
template <class T> struct functor_traits<THRUST_NS_QUALIFIER::multiplies<T>> : known_functor<operator_kind::multiplies, T> {};
template <class T> struct functor_traits<THRUST_NS_QUALIFIER::bit_and<T>>    : known_functor<operator_kind::bit_and, T> {};
template <class T> struct functor_traits<THRUST_NS_QUALIFIER::bit_or<T>>     : known_functor<operator_kind::bit_or, T> {};
template <class T> struct functor_traits<THRUST_NS_QUALIFIER::bit_xor<T>>    : known_functor<operator_kind::bit_xor, T> {};
template <class T> struct functor_traits<THRUST_NS_QUALIFIER::minimum<T>>    : known_functor<operator_kind::minimum, T> {};
template <class T> struct functor_traits<THRUST_NS_QUALIFIER::maximum<T>>    : known_functor<operator_kind::maximum, T> {};
template <class T> struct functor_traits<THRUST_NS_QUALIFIER::less<T>>       : known_functor<operator_kind::less, T> {};
template <class T> struct functor_traits<THRUST_NS_QUALIFIER::greater<T>>    : known_functor<operator_kind::greater, T> {};
template <class T> struct functor_traits<THRUST_NS_QUALIFIER::equal_to<T>>   : known_functor<operator_kind::equal_to, T> {};
#endif
template <class T> struct functor_traits<::cuda::minimum<T>> : known_functor<operator_kind::minimum, T> {};
template <class T> struct functor_traits<::cuda::maximum<T>> : known_functor<operator_kind::maximum, T> {};
// clang-format on

//! The element that changes no operand on either side.
enum class identity_kind
{
  none,
  zero, //!< of floating-point numbers -0.0: adding 0.0 would turn -0.0 into 0.0
  one,
  all_bits,
  largest, //!< of floating-point numbers infinity
  smallest
};

//! A set of the language's number types. None includes bool.
enum class number_types
{
  none,
  integers,
  all
};

//! The instruction redux.sync that folds the 32-bit words of a warp's lanes.
enum class redux_operation
{
  none,
  add,
  minimum,
  maximum
};

struct operator_row
{
  operator_kind kind;
  bool commutative; //!< its operands may change places, if they are numbers
  bool exact;       //!< of integers: neither their order nor how they associate shows in the result
  identity_kind identity;
  number_types padded;   //!< with these the default kernels start folds from the identity element
  redux_operation redux; //!< folds integers of at most 32 bits
};

// clang-format off
inline constexpr operator_row operator_table[] = {
    // kind                    commutative  exact  identity                 padded                  redux
    {operator_kind::unknown,    false,      false, identity_kind::none,     number_types::none,     redux_operation::none},
    {operator_kind::plus,       true,       true,  identity_kind::zero,     number_types::all,      redux_operation::add},
    {operator_kind::multiplies, true,       true,  identity_kind::one,      number_types::none,     redux_operation::none},
    {operator_kind::bit_and,    true,       true,  identity_kind::all_bits, number_types::none,     redux_operation::none},
    {operator_kind::bit_or,     true,       true,  identity_kind::zero,     number_types::none,     redux_operation::none},
    {operator_kind::bit_xor,    true,       true,  identity_kind::zero,     number_types::none,     redux_operation::none},
    {operator_kind::minimum,    true,       true,  identity_kind::largest,  number_types::integers, redux_operation::minimum},
    {operator_kind::maximum,    true,       true,  identity_kind::smallest, number_types::integers, redux_operation::maximum},
    {operator_kind::less,       false,      false, identity_kind::none,     number_types::none,     redux_operation::none},
    {operator_kind::greater,    false,      false, identity_kind::none,     number_types::none,     redux_operation::none},
    {operator_kind::equal_to,   false,      false, identity_kind::none,     number_types::none,     redux_operation::none},
};
// clang-format on

constexpr operator_row row_of(operator_kind kind)
{
  for (const operator_row& row : operator_table)
  {
    if (row.kind == kind)
    {
      return row;
    }
  }
  return operator_table[0];
}

//! What Op computes if it takes its operands as Ts; unknown if it converts them to another type.
template <class Op, class T>
inline constexpr operator_kind kind_on_v =
    std::is_void_v<typename functor_traits<Op>::operand> || std::is_same_v<typename functor_traits<Op>::operand, T>
        ? functor_traits<Op>::kind
        : operator_kind::unknown;

//! What is known of Op on Ts.
template <class Op, class T>
inline constexpr operator_row row_on_v = row_of(kind_on_v<Op, T>);

//! Complex numbers of libcu++ and of Thrust.
template <class T>
inline constexpr bool is_complex_v =
    is_instance_v<::cuda::std::complex, T> || is_instance_v<THRUST_NS_QUALIFIER::complex, T>;

//! Numbers of the language, of CUDA's headers and of Thrust.
template <class T>
inline constexpr bool is_number_v =
    std::is_arithmetic_v<T> || std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16> || is_complex_v<T>;

//! Whether `Types` includes T.
template <number_types Types, class T>
inline constexpr bool includes_v = !std::is_same_v<T, bool> && ((Types == number_types::integers && std::is_integral_v<T>) ||
                                                                (Types == number_types::all && std::is_arithmetic_v<T>));

//! Whether Op may exchange its operands, if they are numbers. It may convert them to any type before.
template <class Op>
inline constexpr bool is_commutative_functor_v = row_of(functor_traits<Op>::kind).commutative;

//! Whether Op, an operator of this library and never a user's, may exchange operands of type T.
template <class Op, class T>
inline constexpr bool is_own_commutative_v = false;

//! Whether operands may be exchanged. Any other operator gets them in order.
template <class Op, class T>
inline constexpr bool
    is_known_commutative_v = (is_number_v<T> && is_commutative_functor_v<Op>) || is_own_commutative_v<Op, T>;

//! Whether order and association never change the result: arithmetic of integers, as integers.
template <class Op, class T>
inline constexpr bool is_exact_v = std::is_integral_v<T>&& row_on_v<Op, T>.exact;

//! Whether Op adds numbers of the language, as Ts.
template <class Op, class T>
inline constexpr bool is_sum_v = includes_v<number_types::all, T>&& kind_on_v<Op, T> == operator_kind::plus;
//! Whether Op adds integers of at most 64 bits.
template <class Op, class T>
inline constexpr bool adds_integers_v = is_sum_v<Op, T>&& std::is_integral_v<T> && sizeof(T) <= 8;

//! Whether Less compares numbers of the language, as Ts, by `<`.
template <class Less, class T>
inline constexpr bool is_less_v = std::is_arithmetic_v<T>&& kind_on_v<Less, T> == operator_kind::less;

//! Whether Equal compares integers of the language, as Ts, by `==`: they are equal if their bits are.
template <class Equal, class T>
inline constexpr bool compares_bits_v =
    includes_v<number_types::integers, T>&& kind_on_v<Equal, T> == operator_kind::equal_to;

//! The redux.sync that computes Op on Ts, if there is one. For nvcc 12.4 both results of `?:` must be of one type. Without
//! the conversion the first one is const.
template <class Op, class T>
inline constexpr redux_operation redux_on_v = includes_v<number_types::integers, T> && sizeof(T) <= 4
                                                  ? redux_operation(row_on_v<Op, T>.redux)
                                                  : redux_operation::none;

//! Whether Op has a known identity element among Ts. Products of complex numbers have none: infinity times zero is not a
//! number.
template <class Op, class T>
inline constexpr bool has_identity_element_v =
    std::is_arithmetic_v<T> ? row_on_v<Op, T>.identity != identity_kind::none
                            : is_number_v<T>&& kind_on_v<Op, T> == operator_kind::plus;

//! Whether the default kernels start folds of Ts from the identity element and take it for absent items.
template <class Op, class T>
inline constexpr bool pads_with_identity_v = includes_v<row_on_v<Op, T>.padded, T>;

//! Adding it changes no number, not even the sign of a zero.
template <class T>
REHEAT_HOST_DEVICE constexpr T additive_identity()
{
  if constexpr (is_complex_v<T>)
  {
    using real = typename T::value_type;
    return T(-real(0), -real(0));
  }
  else if constexpr (std::is_integral_v<T>)
  {
    return T(0);
  }
  else
  {
    return T(-0.0f);
  }
}

//! e with e ⊕ x == x == x ⊕ e for every T x.
template <class Op, class T>
REHEAT_HOST_DEVICE constexpr T identity_element()
{
  static_assert(has_identity_element_v<Op, T>, "no identity element of this operator is known");
  constexpr identity_kind identity = row_on_v<Op, T>.identity;
  using limits = ::cuda::std::numeric_limits<T>;
  if constexpr (identity == identity_kind::zero)
  {
    return additive_identity<T>();
  }
  else if constexpr (identity == identity_kind::one)
  {
    return T(1);
  }
  else if constexpr (identity == identity_kind::all_bits)
  {
    return static_cast<T>(-1);
  }
  else if constexpr (limits::has_infinity)
  {
    return identity == identity_kind::largest ? limits::infinity() : -limits::infinity();
  }
  else
  {
    return identity == identity_kind::largest ? limits::max() : limits::lowest();
  }
}

//! The operator for a thread's own items, which come in order. The fold of one tile has type `local`, which may be narrower
//! than T. `widen` converts it, given the index of the thread's first item in the tile.
template <class Op, class T>
struct thread_op
{
  using local = T;
  static constexpr bool rounds = !std::is_integral_v<T>; //!< how operands associate may show in the result
  Op& op;

  REHEAT_DEVICE decltype(auto) operator()(const T& left, const T& right) { return op(left, right); }
  REHEAT_DEVICE const T& widen(const T& value, std::uint64_t) const { return value; }
};

} // namespace detail
REHEAT_NAMESPACE_END
