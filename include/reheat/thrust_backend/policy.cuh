// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The policies. They and all overloads live in this namespace, where argument-dependent lookup finds them, and nothing else
//! does: an unconstrained function of the same name here would take calls away from Thrust.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/message.h>
#include <reheat/thrust_backend/machine.cuh>

#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/detail/execute_with_allocator.h>
#include <thrust/detail/execution_policy.h>
#if !defined(REHEAT_EMULATED)
#  include <thrust/system/detail/bad_alloc.h>

#  include <cuda/std/utility>
#endif

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

//! What a policy carries until `with` gives it something else: our default kernels run.
struct no_option
{};
//! Type of `start_early`.
struct start_early_t
{};
//! `policy.with(reheat::start_early)`: large launches, too, get ready while the kernel before them on the stream still runs,
//! as small ones always do. For streams on which no kernel lets its successors start early and then waits for another
//! kernel: that one may find no place for its blocks.
REHEAT_POLICY_OBJECT start_early_t start_early{};

//! Whether a policy with this option runs our default kernels, not a rung of the ladder.
template <class Option>
inline constexpr bool has_default_kernels_v = std::is_same_v<Option, no_option> || std::is_same_v<Option, start_early_t>;

//! The base of all our policies, and what our overloads take: nearer to them than Thrust's own base, so ours are preferred,
//! and whatever has no overload of ours falls through to Thrust's backend.
template <class Derived>
struct execution_policy : machine_policy<Derived>
{
  using option = no_option;
};

template <bool Waits, class Option>
struct on_stream_t;
template <bool Waits, class Option>
struct stream_base;

//! The same policy, allocator included, with another option.
template <class Policy, bool Waits, class Option>
struct with_option
{
  static auto make(const Policy&) { return on_stream_t<Waits, Option>(); }
};
template <class Allocator, template <class> class Base, bool Waits, class Option>
struct with_option<THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, Base>, Waits, Option>
{
  using policy_type = THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, Base>;
  static auto make(const policy_type& policy)
  {
    using result = THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, stream_base<Waits, Option>::template type>;
    return result(const_cast<policy_type&>(policy).get_allocator());
  }
};

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
  //! The same policy with an option of ours in place of what it carried: a rung of the ladder. Algorithms that are not ours
  //! take no notice.
  template <class Option>
  auto with(const Option&) const
  {
    return with_option<Derived, Waits, Option>::make(THRUST_NS_QUALIFIER::detail::derived_cast(*this)).on(stream_);
  }

  friend REHEAT_HOST_DEVICE stream_type get_stream(const stream_policy& policy) { return policy.stream_; }
  friend REHEAT_HOST_DEVICE bool must_perform_optional_stream_synchronization(const stream_policy&) { return Waits; }

private:
  stream_type stream_;
};

//! The base of what takes a stream; `type` in the shape in which Thrust adds an allocator.
template <bool Waits, class Option>
struct stream_base
{
  template <class Derived>
  struct type : stream_policy<Derived, Waits>
  {
    using option = Option;
    using stream_policy<Derived, Waits>::stream_policy;
  };
};

//! What `par.on(stream)` and `par_nosync.on(stream)` return.
template <bool Waits, class Option>
struct on_stream_t : stream_base<Waits, Option>::template type<on_stream_t<Waits, Option>>
{
  using stream_base<Waits, Option>::template type<on_stream_t<Waits, Option>>::type;
};

//! The default stream. `policy(allocator)` and `policy(&memory_resource)` take scratch memory from there.
template <bool Waits, class Option>
struct on_default_t
    : execution_policy<on_default_t<Waits, Option>>,
      THRUST_NS_QUALIFIER::detail::allocator_aware_execution_policy<stream_base<Waits, Option>::template type>
{
  using option = Option;

  REHEAT_HOST_DEVICE constexpr on_default_t() {}

  on_stream_t<Waits, Option> on(const stream_type& stream) const { return on_stream_t<Waits, Option>(stream); }
  template <class Other>
  on_default_t<Waits, Other> with(const Other&) const
  {
    return {};
  }

  friend REHEAT_HOST_DEVICE stream_type get_stream(const on_default_t&) { return default_stream(); }
  friend REHEAT_HOST_DEVICE bool must_perform_optional_stream_synchronization(const on_default_t&) { return Waits; }
};

//! Type of `par`: calls wait for their stream.
using par_t = on_default_t<true, no_option>;
//! Type of `par_nosync`: calls that return nothing from the device do not wait for it.
using par_nosync_t = on_default_t<false, no_option>;

REHEAT_POLICY_OBJECT par_t par{};
REHEAT_POLICY_OBJECT par_nosync_t par_nosync{};

[[noreturn]] REHEAT_COLD inline void refuse_negative_range(const char* call, long long items)
{
  throw std::runtime_error(runtime::format_message("%s: the range ends %lld items before it begins; pass (first, last) with "
                                                   "first <= last",
                                                   call, -items)
                               .text);
}
//! How many items [first, last) has. Throws std::runtime_error if it ends before it begins.
template <class It>
std::uint64_t items_of(const char* call, It first, It last)
{
  const auto items = last - first;
  if (items < 0)
  {
    refuse_negative_range(call, static_cast<long long>(items));
  }
  return static_cast<std::uint64_t>(items);
}

//! A public call, as long as the result lives.
template <class Derived>
runtime::call_scope scope_of(const char* call, const execution_policy<Derived>&)
{
  constexpr bool early = std::is_same_v<typename Derived::option, start_early_t>;
  return runtime::call_scope(call, early ? runtime::launch_start::programmatic : runtime::launch_start::serial);
}

//! For calls that return something from the device: they wait whatever the policy, which can not be captured. `instead` says
//! what can.
template <class Policy>
void refuse_captured_result(Policy& policy, const char* call, const char* instead = "")
{
  runtime::refuse_capture(policy, call, "a result on the host can not be captured into a graph", instead);
}

//! For calls that return nothing from the device: only a policy that waits for it is in the way of a capture.
template <class Policy>
void refuse_capture_if_waiting(Policy& policy, const char* call)
{
  if (runtime::waits_always(policy))
  {
    runtime::refuse_capture(policy, call, "this policy waits for its stream, which can not be captured into a graph",
                            "; take reheat::par_nosync");
  }
}

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
  if (cudaFreeAsync(memory, stream) !=
      cudaSuccess) // it is cudaMalloc's, or earlier work has failed, which its own call reports
  {
    static_cast<void>(cudaFree(memory));
    static_cast<void>(cudaGetLastError());
  }
}

template <class T, class Option>
::cuda::std::pair<T*, std::ptrdiff_t> get_temporary_buffer(on_default_t<false, Option>& policy, std::ptrdiff_t count)
{
  return allocate_in_stream_order<T>(get_stream(policy), count);
}
template <class T, class Option>
::cuda::std::pair<T*, std::ptrdiff_t> get_temporary_buffer(on_stream_t<false, Option>& policy, std::ptrdiff_t count)
{
  return allocate_in_stream_order<T>(get_stream(policy), count);
}
template <class Pointer, class Option>
void return_temporary_buffer(on_default_t<false, Option>& policy, Pointer memory, std::ptrdiff_t)
{
  free_in_stream_order(get_stream(policy), THRUST_NS_QUALIFIER::raw_pointer_cast(memory));
}
template <class Pointer, class Option>
void return_temporary_buffer(on_stream_t<false, Option>& policy, Pointer memory, std::ptrdiff_t)
{
  free_in_stream_order(get_stream(policy), THRUST_NS_QUALIFIER::raw_pointer_cast(memory));
}

#endif

} // namespace thrust_backend
REHEAT_NAMESPACE_END
