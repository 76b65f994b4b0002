// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What differs between the versions of Thrust that reheat supports: 2.8 and every 3.x. Here, and nowhere else.
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
//! Thrust's functors are classes of their own. From 3.0 on they are aliases of libcu++'s: minimum and maximum of `cuda`, all
//! others of `cuda::std`.
#define REHEAT_THRUST_HAS_FUNCTORS (THRUST_VERSION < 300000)

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <template <class> class Known, class Op>
inline constexpr bool is_instance_v = false;
template <template <class> class Known, class T>
inline constexpr bool is_instance_v<Known, Known<T>> = true;

} // namespace detail
REHEAT_NAMESPACE_END
