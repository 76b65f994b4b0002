// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The policies. They and all overloads live in this namespace, where argument-dependent lookup finds them, and nothing else
//! does: an unconstrained function of the same name here would take calls away from Thrust.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/thrust_backend/machine.cuh>

#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/detail/execution_policy.h>
#if !defined(REHEAT_EMULATED)
#  include <thrust/system/detail/bad_alloc.h>

#  include <cuda/std/utility>
#endif

#include <cstddef>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

//! The base of all our policies, and what our overloads take: nearer to them than Thrust's own base, so ours are preferred,
//! and whatever has no overload of ours falls through to Thrust's backend.
template <class Derived>
struct execution_policy : machine_policy<Derived>
{};

//! A policy with a stream. `Waits`: scans end with a wait for the stream.
template <class Derived, bool Waits>
struct stream_policy : execution_policy<Derived>
{
  REHEAT_HOST_DEVICE stream_policy(stream_type stream = default_stream()) : stream_(stream) {}

  //! The same policy on another stream.
  Derived on(const stream_type& stream) const
  {
    Derived result = THRUST_NS_QUALIFIER::detail::derived_cast(*this);
    result.stream_ = stream;
    return result;
  }

  friend REHEAT_HOST_DEVICE stream_type get_stream(const stream_policy& policy) { return policy.stream_; }
  friend REHEAT_HOST_DEVICE bool must_perform_optional_stream_synchronization(const stream_policy&) { return Waits; }

private:
  stream_type stream_;
};

template <class Derived>
struct execute_on_stream_base : stream_policy<Derived, true>
{
  using stream_policy<Derived, true>::stream_policy;
};
template <class Derived>
struct execute_on_stream_nosync_base : stream_policy<Derived, false>
{
  using stream_policy<Derived, false>::stream_policy;
};

//! What `par.on(stream)` returns.
struct execute_on_stream : execute_on_stream_base<execute_on_stream>
{
  using execute_on_stream_base<execute_on_stream>::execute_on_stream_base;
};
//! What `par_nosync.on(stream)` returns.
struct execute_on_stream_nosync : execute_on_stream_nosync_base<execute_on_stream_nosync>
{
  using execute_on_stream_nosync_base<execute_on_stream_nosync>::execute_on_stream_nosync_base;
};

//! Type of `par`: the default stream, waiting. `par(allocator)` and `par(&memory_resource)` take scratch memory from there.
struct par_t : execution_policy<par_t>, THRUST_NS_QUALIFIER::detail::allocator_aware_execution_policy<execute_on_stream_base>
{
  REHEAT_HOST_DEVICE constexpr par_t() {}

  execute_on_stream on(const stream_type& stream) const { return execute_on_stream(stream); }

  friend REHEAT_HOST_DEVICE stream_type get_stream(const par_t&) { return default_stream(); }
  friend REHEAT_HOST_DEVICE bool must_perform_optional_stream_synchronization(const par_t&) { return true; }
};

//! Type of `par_nosync`: as `par`, but calls that return nothing from the device do not wait for it.
struct par_nosync_t : execution_policy<par_nosync_t>,
                      THRUST_NS_QUALIFIER::detail::allocator_aware_execution_policy<execute_on_stream_nosync_base>
{
  REHEAT_HOST_DEVICE constexpr par_nosync_t() {}

  execute_on_stream_nosync on(const stream_type& stream) const { return execute_on_stream_nosync(stream); }

  friend REHEAT_HOST_DEVICE stream_type get_stream(const par_nosync_t&) { return default_stream(); }
  friend REHEAT_HOST_DEVICE bool must_perform_optional_stream_synchronization(const par_nosync_t&) { return false; }
};

REHEAT_POLICY_OBJECT par_t par{};
REHEAT_POLICY_OBJECT par_nosync_t par_nosync{};

#if !defined(REHEAT_EMULATED)

// Thrust's own algorithms ask for their temporary memory through these. Under the policies that do not wait it must come and
// go in stream order; cudaMalloc and cudaFree, which Thrust would use for policies it does not know, wait for the device.

template <class T>
::cuda::std::pair<T*, std::ptrdiff_t> allocate_in_stream_order(stream_type stream, std::ptrdiff_t count)
{
  void* memory = nullptr;
  const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(count);
  if (cudaMallocAsync(&memory, bytes, stream) != cudaSuccess)
  {
    static_cast<void>(cudaGetLastError()); // devices without memory pools
    const cudaError_t status = cudaMalloc(&memory, bytes);
    if (status != cudaSuccess)
    {
      static_cast<void>(cudaGetLastError());
      throw THRUST_NS_QUALIFIER::system::detail::bad_alloc(cudaGetErrorString(status));
    }
  }
  return {static_cast<T*>(memory), count};
}
inline void free_in_stream_order(stream_type stream, void* memory) noexcept
{
  if (cudaFreeAsync(memory, stream) != cudaSuccess && cudaFree(memory) != cudaSuccess)
  {
    static_cast<void>(cudaGetLastError()); // of earlier work, which its own call reports
  }
}

template <class T>
::cuda::std::pair<T*, std::ptrdiff_t> get_temporary_buffer(par_nosync_t& policy, std::ptrdiff_t count)
{
  return allocate_in_stream_order<T>(get_stream(policy), count);
}
template <class T>
::cuda::std::pair<T*, std::ptrdiff_t> get_temporary_buffer(execute_on_stream_nosync& policy, std::ptrdiff_t count)
{
  return allocate_in_stream_order<T>(get_stream(policy), count);
}
template <class Pointer>
void return_temporary_buffer(par_nosync_t& policy, Pointer memory, std::ptrdiff_t)
{
  free_in_stream_order(get_stream(policy), THRUST_NS_QUALIFIER::raw_pointer_cast(memory));
}
template <class Pointer>
void return_temporary_buffer(execute_on_stream_nosync& policy, Pointer memory, std::ptrdiff_t)
{
  free_in_stream_order(get_stream(policy), THRUST_NS_QUALIFIER::raw_pointer_cast(memory));
}

#endif

} // namespace thrust_backend
REHEAT_NAMESPACE_END
