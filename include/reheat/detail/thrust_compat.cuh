// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What differs between the versions of Thrust that we support: 2.8 and every 3.x. Here, and nowhere else.
#pragma once

#include <reheat/detail/config.cuh>

#include <thrust/version.h>

#if THRUST_VERSION < 200800
#  error "reheat: CCCL 2.8 or newer is needed (CUDA 12.9 has it); put a newer one's include folder before the toolkit's"
#endif

#include <thrust/functional.h>
#if THRUST_VERSION >= 300000
#  include <thrust/type_traits/unwrap_contiguous_iterator.h>
#else
#  include <thrust/type_traits/is_contiguous_iterator.h> // the same functions
#endif

#include <cuda/functional>
#include <cuda/std/functional>
#if __has_include(<cuda/std/__fwd/complex.h>)
#  include <cuda/std/__fwd/complex.h> // the name alone
#else
#  include <cuda/std/complex>
#endif

THRUST_NAMESPACE_BEGIN
template <class T>
struct complex; // of thrust/complex.h
THRUST_NAMESPACE_END

//! Thrust has a reduce_into of its own.
#define REHEAT_THRUST_HAS_REDUCE_INTO (THRUST_VERSION >= 300100)

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <template <class> class Known, class Op>
inline constexpr bool is_instance_v = false;
template <template <class> class Known, class T>
inline constexpr bool is_instance_v<Known, Known<T>> = true;

// From 3.0 on Thrust's functors are aliases of cuda::std's.
#if THRUST_VERSION >= 300000
template <class Op>
inline constexpr bool is_thrusts_plus_v = is_instance_v<::cuda::std::plus, Op>;
template <class Op>
inline constexpr bool is_thrusts_commutative_v = is_instance_v<::cuda::maximum, Op> || is_instance_v<::cuda::minimum, Op>;
template <class Op, class Operand>
inline constexpr bool is_thrusts_maximum_v = std::is_same_v<Op, ::cuda::maximum<Operand>>;
template <class Op, class Operand>
inline constexpr bool is_thrusts_minimum_v = std::is_same_v<Op, ::cuda::minimum<Operand>>;
#else
template <class Op, class Operand>
inline constexpr bool is_thrusts_maximum_v = std::is_same_v<Op, THRUST_NS_QUALIFIER::maximum<Operand>>;
template <class Op, class Operand>
inline constexpr bool is_thrusts_minimum_v = std::is_same_v<Op, THRUST_NS_QUALIFIER::minimum<Operand>>;
template <class Op>
inline constexpr bool is_thrusts_plus_v = is_instance_v<THRUST_NS_QUALIFIER::plus, Op>;
template <class Op>
inline constexpr bool is_thrusts_commutative_v =
    is_thrusts_plus_v<Op> || is_instance_v<THRUST_NS_QUALIFIER::multiplies, Op> ||
    is_instance_v<THRUST_NS_QUALIFIER::bit_and, Op> || is_instance_v<THRUST_NS_QUALIFIER::bit_or, Op> ||
    is_instance_v<THRUST_NS_QUALIFIER::bit_xor, Op> || is_instance_v<THRUST_NS_QUALIFIER::maximum, Op> ||
    is_instance_v<THRUST_NS_QUALIFIER::minimum, Op>;
#endif

} // namespace detail
REHEAT_NAMESPACE_END
