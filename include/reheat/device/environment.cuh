// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Environments, the last argument of calls in one phase: what a call reads in one, and how such a call is told from one in
//! two phases. CCCL has environments since 3.1. Its classes of streams and memory resources are named here and not included:
//! they would add 1.4 s to the 2.0 s that nvcc needs for reheat/device.cuh (CCCL 3.5).
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/requirements.cuh>
#include <reheat/detail/runtime/environment.cuh>

#if REHEAT_HAS_ENVIRONMENTS
#  include <cuda/__execution/determinism.h>
#  include <cuda/__execution/require.h>
#  include <cuda/std/__execution/env.h>
#endif

#include <cstddef>
#include <type_traits>
#include <utility>

// A program that uses one of these includes its definition.
#if REHEAT_HAS_ENVIRONMENTS
namespace cuda
{
inline namespace _LIBCUDACXX_ABI_NAMESPACE
{
struct get_stream_t; // of <cuda/stream>: asks for an environment's stream
} // namespace _LIBCUDACXX_ABI_NAMESPACE
namespace mr
{
inline namespace _LIBCUDACXX_ABI_NAMESPACE
{
struct __get_memory_resource_t; // of <cuda/memory_resource>: asks for an environment's memory resource
} // namespace _LIBCUDACXX_ABI_NAMESPACE
} // namespace mr
} // namespace cuda
#endif
#if __has_include(<cuda/argument>) // CCCL 3.5
#  define REHEAT_HAS_DEFERRED_ARGUMENTS 1
namespace cuda
{
namespace args
{
inline namespace _LIBCUDACXX_ABI_NAMESPACE
{
template <class It, class Bounds>
class deferred; // of <cuda/argument>: a value that earlier work of the stream leaves on the device
} // namespace _LIBCUDACXX_ABI_NAMESPACE
} // namespace args
} // namespace cuda
#else
#  define REHEAT_HAS_DEFERRED_ARGUMENTS 0
#endif

REHEAT_NAMESPACE_BEGIN
namespace device_wide
{

using runtime::status_type;
using runtime::stream_type;

//! Whether Compare tells which of two items comes first.
template <class Compare, class It, class = void>
inline constexpr bool is_comparison_v = false;
template <class Compare, class It>
inline constexpr bool is_comparison_v<
    Compare, It, std::void_t<decltype(std::declval<Compare&>()(*std::declval<It&>(), *std::declval<It&>()))>> =
    std::is_convertible_v<decltype(std::declval<Compare&>()(*std::declval<It&>(), *std::declval<It&>())), bool>;

#if REHEAT_HAS_ENVIRONMENTS

namespace environments
{

using detail::answer_of;
using detail::determinism_query;
using detail::is_valid_v;

using stream_query = ::cuda::get_stream_t;
using resource_query = ::cuda::mr::__get_memory_resource_t;

//! What a call of the query makes of the environment.
template <class Env, class Query>
using called_with = decltype(std::declval<const Query&>()(std::declval<const Env&>()));

// A query is a template argument, because most programs do not define all of them.
template <class Query, class Env>
decltype(auto) ask(const Env& env)
{
  return env.query(Query{});
}
template <class Query, class Env>
decltype(auto) call(const Env& env)
{
  return Query{}(env);
}

// ---- streams ------------------------------------------------------------------------------------------------------------

// clang-format off
template <class T> using get_of =
    std::enable_if_t<std::is_convertible_v<decltype(std::declval<const T&>().get()), stream_type>>;
template <class T> using stream_member_of = decltype(std::declval<const T&>().stream());
template <class T> using get_stream_of = decltype(std::declval<const T&>().get_stream());
// clang-format on

//! Whether a T is a stream: it converts to one or, like cuda::stream_ref, has it in get().
template <class T>
inline constexpr bool is_stream_v = std::is_convertible_v<const T&, stream_type> || is_valid_v<get_of, T>;

template <class T>
stream_type to_stream(const T& stream)
{
  if constexpr (std::is_convertible_v<const T&, stream_type>)
  {
    return stream;
  }
  else
  {
    return stream.get();
  }
}

template <template <class...> class Expression, class... Types>
constexpr bool gives_stream()
{
  if constexpr (is_valid_v<Expression, Types...>)
  {
    return is_stream_v<std::decay_t<Expression<Types...>>>;
  }
  else
  {
    return false;
  }
}

// ---- memory resources ---------------------------------------------------------------------------------------------------

// clang-format off
template <class T> using resource_member_of = decltype(std::declval<const T&>().get_memory_resource());
template <class T> using aligned_block_of =
    decltype(std::declval<T&>().allocate(std::declval<stream_type>(), std::size_t(), std::size_t()));
template <class T> using block_of = decltype(std::declval<T&>().allocate(std::declval<stream_type>(), std::size_t()));
template <class T> using synchronous_block_of = decltype(std::declval<T&>().allocate_sync(std::size_t(), std::size_t()));
// clang-format on

//! Whether it allocates in the order of a stream.
template <class Resource>
inline constexpr bool is_resource_v = is_valid_v<aligned_block_of, Resource> || is_valid_v<block_of, Resource>;

inline constexpr std::size_t block_alignment = alignof(std::max_align_t); // as CUB asks for; any is enough

template <class Resource>
void* allocate(Resource& resource, stream_type stream, std::size_t bytes)
{
  if constexpr (is_valid_v<aligned_block_of, Resource>)
  {
    return resource.allocate(stream, bytes, block_alignment);
  }
  else
  {
    return resource.allocate(stream, bytes);
  }
}
template <class Resource>
void deallocate(Resource& resource, stream_type stream, void* block, std::size_t bytes)
{
  if constexpr (is_valid_v<aligned_block_of, Resource>)
  {
    resource.deallocate(stream, block, bytes, block_alignment);
  }
  else
  {
    resource.deallocate(stream, block, bytes);
  }
}

} // namespace environments

//! Of a call that is given none.
using no_environment = ::cuda::std::execution::env<>;

//! The environment's stream: the environment itself, or one that it carries. Null, a default stream, if there is none.
template <class Env>
stream_type stream_of(const Env& env)
{
  using namespace environments;
  if constexpr (is_stream_v<Env>)
  {
    return to_stream(env);
  }
  else if constexpr (gives_stream<stream_member_of, Env>())
  {
    return to_stream(env.stream());
  }
  else if constexpr (gives_stream<get_stream_of, Env>())
  {
    return to_stream(env.get_stream());
  }
  else if constexpr (gives_stream<answer_of, Env, stream_query>())
  {
    return to_stream(ask<stream_query>(env));
  }
  else if constexpr (gives_stream<called_with, Env, stream_query>()) // it converts to cuda::stream_ref alone
  {
    return to_stream(call<stream_query>(env));
  }
  else
  {
    return {};
  }
}

//! Whether the environment is a memory resource, or carries one.
template <class Env>
inline constexpr bool has_memory_resource_v =
    environments::is_valid_v<environments::resource_member_of, Env> ||
    environments::is_valid_v<environments::answer_of, Env, environments::resource_query> ||
    environments::is_resource_v<Env> || environments::is_valid_v<environments::synchronous_block_of, Env>;

template <class Env>
decltype(auto) memory_resource_of(const Env& env)
{
  using namespace environments;
  if constexpr (is_valid_v<resource_member_of, Env>)
  {
    return env.get_memory_resource();
  }
  else if constexpr (is_valid_v<answer_of, Env, resource_query>)
  {
    return ask<resource_query>(env);
  }
  else
  {
    return (env);
  }
}

//! Calls `call(block)` with a block of the resource, and gives it back; both in the order of the stream. `call` returns a
//! status and does not throw. What the resource throws becomes "out of memory".
template <class Resource, class Call>
status_type with_block_of(const Resource& resource, stream_type stream, std::size_t bytes, Call call)
{
  static_assert(
      environments::is_resource_v<Resource>,
      "reheat: the memory resource of an environment has to allocate in the order of a stream, by allocate(stream, "
      "bytes, alignment) and deallocate(stream, pointer, bytes, alignment); take cuda::device_memory_pool_ref, for "
      "example");
  status_type status = runtime::out_of_memory;
  try
  {
    Resource own = resource; // it may change when it allocates
    void* const block = environments::allocate(own, stream, bytes);
    if (block != nullptr)
    {
      status = call(block);
      environments::deallocate(own, stream, block, bytes);
    }
  }
  catch (...)
  {
    return status != runtime::success ? status : runtime::out_of_memory;
  }
  return status;
}

//! Refuses what the environment requires and the call can not promise. `Reproducible`: its result is the same on every GPU.
//! On one GPU all results are the same in every run, which is as much as run_to_run asks for.
template <bool Reproducible, class Env>
constexpr void check_requirements()
{
  using namespace environments;
  static_assert(!is_valid_v<answer_of, Env, determinism_query>,
                "reheat: a determinism has no effect outside of the requirements of an environment; pass "
                "cuda::execution::require(cuda::execution::determinism::run_to_run), for example");
  static_assert(Reproducible || detail::required_determinism<Env>() != detail::determinism::gpu_to_gpu,
                "reheat: gpu_to_gpu determinism is promised for integers with known operators (plus, multiplies, minimum, "
                "maximum, bit_and, bit_or, bit_xor, logical_and, logical_or), for minima and maxima of floating-point "
                "numbers, and for Sum, Reduce, TransformReduce and scans without keys also for their sums and products; "
                "require run_to_run, or call cub:: if it supports gpu_to_gpu here");
}

//! Whether the first two arguments of a call are the memory and the size of one in two phases.
template <class First, class Second>
inline constexpr bool are_storage_v =
    std::is_same_v<First, void*> || std::is_null_pointer_v<First> || std::is_same_v<Second, std::size_t>;

//! SFINAE: a call has one phase. Its templates would match calls in two phases.
template <class First, class Second, class NumItems>
using if_single_phase = std::enable_if_t<std::is_integral_v<NumItems> && !are_storage_v<First, Second>, int>;

//! SFINAE: it is in place. Its templates would match calls with one iterator more and no environment.
template <class NumItems, class Env>
using if_in_place = std::enable_if_t<std::is_integral_v<NumItems> && !std::is_integral_v<Env>, int>;

#endif // REHEAT_HAS_ENVIRONMENTS

#if REHEAT_HAS_DEFERRED_ARGUMENTS
//! Where the value is, which the device alone may read.
template <class It, class Bounds>
It place_of(const ::cuda::args::deferred<It, Bounds>& later)
{
  return __unwrap(later); // the class shows it only to this function of CCCL's
}
#endif

//! The last argument of a call in two phases that takes, since CCCL 3.5, a stream or an environment. Of an environment only
//! the stream matters.
struct stream_argument
{
  stream_type stream;

  REHEAT_HOST_DEVICE stream_argument(stream_type given = {}) : stream(given) {} // in device code the call itself is refused
#if REHEAT_HAS_ENVIRONMENTS
  template <class Env, std::enable_if_t<std::is_class_v<Env>, int> = 0>
  stream_argument(const Env& env) : stream(stream_of(env))
  {
    check_requirements<true, Env>();
  }
#else
  template <class T, std::enable_if_t<std::is_class_v<T> && std::is_convertible_v<const T&, stream_type>, int> = 0>
  stream_argument(const T& given) : stream(given)
  {}
#endif
};

} // namespace device_wide
REHEAT_NAMESPACE_END
