// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What differs between the versions of Thrust that reheat supports: 2.8 and every 3.x. Here, and nowhere else. Thrust's
//! templates are declared alone: they are for programs that include Thrust, and parsing it takes longer than parsing reheat.
#pragma once

#include <reheat/detail/config.cuh>

#include <thrust/version.h>

#if THRUST_VERSION < 200800
#  error "reheat: CCCL 2.8 or newer is needed (CUDA 12.9 has it); put a newer one's include folder before the toolkit's"
#endif

#include <thrust/detail/config.h>

// The functors alone: <cuda/std/functional> is as much text as the rest of reheat/device.cuh.
#if __has_include(<cuda/std/__functional/operations.h>)
#  include <cuda/std/__functional/operations.h>
#else
#  include <cuda/std/functional>
#endif
#if __has_include(<cuda/__functional/maximum.h>) && __has_include(<cuda/__functional/minimum.h>)
#  include <cuda/__functional/maximum.h>
#  include <cuda/__functional/minimum.h>
#else
#  include <cuda/functional>
#endif
#if __has_include(<cuda/std/__fwd/complex.h>)
#  include <cuda/std/__fwd/complex.h> // the name alone
#else
#  include <cuda/std/complex>
#endif
// cuda::discard_iterator, from 3.1 on. <cuda/iterator> has all others, too.
#if __has_include(<cuda/__iterator/discard_iterator.h>)
#  include <cuda/__iterator/discard_iterator.h>
#  define REHEAT_HAS_CUDA_DISCARD_ITERATOR 1
#elif __has_include(<cuda/iterator>)
#  include <cuda/iterator>
#  define REHEAT_HAS_CUDA_DISCARD_ITERATOR 1
#else
#  define REHEAT_HAS_CUDA_DISCARD_ITERATOR 0
#endif

//! Thrust has a reduce_into of its own.
#define REHEAT_THRUST_HAS_REDUCE_INTO (THRUST_VERSION >= 300100)
//! Thrust's functors are classes of their own. From 3.0 on they are aliases of libcu++'s: minimum and maximum of `cuda`, all
//! others of `cuda::std`.
#define REHEAT_THRUST_HAS_FUNCTORS (THRUST_VERSION < 300000)

THRUST_NAMESPACE_BEGIN
template <class T>
struct complex; // of thrust/complex.h
template <class Map, class Base, class Reference, class Value>
class transform_iterator; // of thrust/iterator/transform_iterator.h
template <class IteratorTuple>
class zip_iterator; // of thrust/iterator/zip_iterator.h
template <class Element, class Tag, class Reference, class Derived>
class pointer; // of thrust/detail/pointer.h
template <class T>
class device_ptr; // of thrust/device_ptr.h
namespace detail
{
template <class Pointer>
class normal_iterator; // of thrust/iterator/detail/normal_iterator.h: of device_vector
struct any_assign;     // of thrust/iterator/detail/any_assign.h: the value type of outputs that take anything
} // namespace detail
#if REHEAT_THRUST_HAS_FUNCTORS // of thrust/functional.h
template <class T>
struct plus;
template <class T>
struct multiplies;
template <class T>
struct bit_and;
template <class T>
struct bit_or;
template <class T>
struct bit_xor;
template <class T>
struct minimum;
template <class T>
struct maximum;
template <class T>
struct less;
template <class T>
struct greater;
template <class T>
struct equal_to;
#endif
THRUST_NAMESPACE_END

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <template <class> class Known, class Op>
inline constexpr bool is_instance_v = false;
template <template <class> class Known, class T>
inline constexpr bool is_instance_v<Known, Known<T>> = true;

} // namespace detail
REHEAT_NAMESPACE_END
