// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the policies take from Thrust's backend of this build: CUDA, or the sequential host backend under the emulator.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/runtime.cuh>

#include <thrust/detail/config.h>
#include <thrust/execution_policy.h>
#if THRUST_VERSION >= 300000
#  include <thrust/type_traits/unwrap_contiguous_iterator.h>
#else
#  include <thrust/type_traits/is_contiguous_iterator.h> // the same functions
#endif
#if !defined(REHEAT_EMULATED)
#  include <thrust/system/cuda/detail/execution_policy.h> // before util.h, where CUDA is not the device system
#  include <thrust/system/cuda/detail/util.h>
#  include <thrust/system/cuda/execution_policy.h>
#else
#  include <thrust/system_error.h>
#endif
#include <thrust/system/detail/bad_alloc.h>

// `return (parallel)` on the host; on the device Thrust's algorithms run in the calling thread, and so do reheat's. The dead
// branch keeps the parallel expression in sight of the device pass: without it the kernels that it launches would not be
// compiled.
#if defined(REHEAT_EMULATED)
#  define REHEAT_PARALLEL_OR_SEQUENTIAL(parallel, sequential)                                                               \
    if (::reheat::emulator::in_kernel())                                                                                    \
    {                                                                                                                       \
      return sequential;                                                                                                    \
    }                                                                                                                       \
    return parallel
#elif defined(__CUDA_ARCH__)
#  define REHEAT_PARALLEL_OR_SEQUENTIAL(parallel, sequential)                                                               \
    if (false)                                                                                                              \
    {                                                                                                                       \
      return parallel;                                                                                                      \
    }                                                                                                                       \
    return sequential
#else
#  define REHEAT_PARALLEL_OR_SEQUENTIAL(parallel, sequential) return parallel
#endif

// `reheat::par` is named in device code, too.
#if defined(__CUDA_ARCH__)
#  define REHEAT_POLICY_OBJECT __device__ constexpr
#else
#  define REHEAT_POLICY_OBJECT inline constexpr
#endif

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

using runtime::stream_type;

//! What Thrust takes for contiguous becomes a pointer. Not for empty ranges: some versions of Thrust dereference.
struct unwrap_contiguous
{
  template <class It>
  static auto unwrap(It it)
  {
    return THRUST_NS_QUALIFIER::try_unwrap_contiguous_iterator(it);
  }
};

#if defined(REHEAT_EMULATED)

template <class Derived>
using machine_policy = THRUST_NS_QUALIFIER::system::cpp::detail::execution_policy<Derived>;

//! Throws what Thrust's callers expect: thrust::system_error; memory that is not there is thrust's bad_alloc, which is a
//! std::bad_alloc.
inline void raise(runtime::failure kind, runtime::status_type status, const char* attempt)
{
  if (kind == runtime::failure::memory && status == runtime::out_of_memory)
  {
    throw THRUST_NS_QUALIFIER::system::detail::bad_alloc(attempt);
  }
  throw THRUST_NS_QUALIFIER::system_error(static_cast<int>(status), THRUST_NS_QUALIFIER::generic_category(), attempt);
}

inline stream_type default_stream()
{
  return emulator::default_stream();
}
//! The policy's stream.
template <class Policy>
stream_type stream_of(Policy& policy)
{
  return get_stream(policy);
}
//! Whether calls on the policy that return nothing from the device wait for it.
template <class Policy>
bool waits_always(Policy& policy)
{
  return must_perform_optional_stream_synchronization(policy);
}

#else

template <class Derived>
using machine_policy = THRUST_NS_QUALIFIER::cuda_cub::execution_policy<Derived>;

//! Throws what Thrust's callers expect: thrust::system_error; memory that is not there is thrust's bad_alloc, which is a
//! std::bad_alloc.
REHEAT_COLD inline void raise(runtime::failure kind, runtime::status_type status, const char* attempt)
{
  if (kind == runtime::failure::memory && status == cudaErrorMemoryAllocation)
  {
    static_cast<void>(cudaGetLastError());
    throw THRUST_NS_QUALIFIER::system::detail::bad_alloc(
        runtime::format_message("%s: %s", attempt, cudaGetErrorString(status)).text);
  }
  THRUST_NS_QUALIFIER::cuda_cub::throw_on_error(status, attempt); // clears the error state
}

REHEAT_HOST_DEVICE inline stream_type default_stream()
{
  return THRUST_NS_QUALIFIER::cuda_cub::default_stream();
}
//! The policy's stream. A null stream becomes the handle of what it means in this translation unit, which the compiled parts
//! cannot know: the legacy stream, or each thread's own.
template <class Policy>
stream_type stream_of(Policy& policy)
{
  const stream_type stream = THRUST_NS_QUALIFIER::cuda_cub::stream(policy);
  return stream == nullptr ? default_stream() : stream;
}
//! Whether calls on the policy that return nothing from the device wait for it.
template <class Policy>
bool waits_always(Policy& policy)
{
  return THRUST_NS_QUALIFIER::cuda_cub::must_perform_optional_synchronization(policy);
}

#endif

} // namespace thrust_backend
REHEAT_NAMESPACE_END
