// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The policies. They and all overloads live in this namespace, where argument-dependent lookup finds them. Add no other
//! function with the name of a Thrust algorithm: argument-dependent lookup would prefer it. The functions that overloads
//! call are in the namespace calls.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/requirements.cuh>
#include <reheat/detail/runtime/launch.h>
#include <reheat/thrust_backend/machine.cuh>

#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/detail/execute_with_allocator.h>
#include <thrust/detail/execution_policy.h>
#if !defined(REHEAT_EMULATED)
#  include <thrust/system/detail/bad_alloc.h>

#  include <cuda/std/utility>
#endif

#include <cstddef>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace kernels
{
struct standard; // both are of detail/algorithms/call.cuh
struct exact_sums;
} // namespace kernels
namespace thrust_backend
{

//! What a policy carries besides its stream and its allocator. `with` replaces a member.
template <class Kernels, runtime::early_starts EarlyStarts, bool ChecksOffsets = false, class Accumulator = void,
          detail::determinism Determinism = detail::determinism::not_guaranteed>
struct options
{
  using kernels = Kernels; //!< kernels::standard, kernels::exact_sums, or a rung of the ladder
  static constexpr runtime::early_starts early_starts = EarlyStarts;
  static constexpr bool checks_offsets = ChecksOffsets; //!< of segments
  using accumulator = Accumulator;                      //!< of reductions and scans; void: Thrust's
  static constexpr detail::determinism determinism = Determinism;

  // Options with another member.
  template <class New>
  using with_kernels = options<New, EarlyStarts, ChecksOffsets, Accumulator, Determinism>;
  template <runtime::early_starts New>
  using with_starts = options<Kernels, New, ChecksOffsets, Accumulator, Determinism>;
  using with_checks = options<Kernels, EarlyStarts, true, Accumulator, Determinism>;
  template <class New>
  using with_accumulator = options<Kernels, EarlyStarts, ChecksOffsets, New, Determinism>;
  template <detail::determinism New>
  using with_determinism = options<Kernels, EarlyStarts, ChecksOffsets, Accumulator, New>;
};
using no_option = options<kernels::standard, runtime::early_starts::small>;

//! Type of `start_early`.
struct start_early_t
{};
//! `policy.with(reheat::start_early)`: large launches, too, get ready while the kernel before them on the stream still runs,
//! as small ones do by default. For streams on which no kernel lets its successors start and then waits for another kernel:
//! that one may find no place for its blocks.
REHEAT_POLICY_OBJECT start_early_t start_early{};

//! Type of `start_serially`.
struct start_serially_t
{};
//! `policy.with(reheat::start_serially)`: no launch of a call starts before the kernel before it on the stream has ended,
//! not even a small one, and not in a capture. For measurements, and to see whether early starts are the reason of
//! something.
REHEAT_POLICY_OBJECT start_serially_t start_serially{};

//! Type of `check_offsets`.
struct check_offsets_t
{};
//! `policy.with(reheat::check_offsets)`: calls of segments, such as reheat::segmented_reduce, look first whether their
//! offsets descend. If an offset is smaller than the one before it, they throw std::runtime_error, which names both, and
//! enqueue nothing; also if the output overlaps the offsets in memory. So each call waits for the stream's earlier work,
//! whatever the policy, and during a capture it throws. In a translation unit that is compiled with REHEAT_CHECK_OFFSETS,
//! calls do so under any policy, and during a capture they do not look.
REHEAT_POLICY_OBJECT check_offsets_t check_offsets{};

//! Type of `exact_sums`.
struct exact_sums_t
{};
//! `policy.with(reheat::exact_sums)`: `reduce`, `reduce_into`, `transform_reduce` and `inner_product` by plus return the
//! correctly rounded sum of the initial value and all items (terms, rounded products), whatever their order, their cut and
//! the GPU. Of float, double, __half and __nv_bfloat16; sums of integers are exact without it. Infinities and NaNs count as
//! IEEE 754 says; a sum that is zero is +0, unless there are no items. Other operators, scans, and calls by key or by
//! segment do not compile. All other algorithms take no notice. Nor do calls in device code, and calls that are switched
//! off.
REHEAT_POLICY_OBJECT exact_sums_t exact_sums{};

//! Type of `accumulate_in<A>`.
template <class A>
struct accumulate_in_t
{};
//! `policy.with(reheat::accumulate_in<double>)`: reductions and scans, also by key and by segment, fold in that type. Items
//! are converted to it when they are read, and so are initial values and what functors return; results are converted when
//! they are stored or returned. The standard's functors of another type, such as plus<float>, fold in it, too; other
//! operators have to take two As. A is not narrower than the type in which the call folds without the option. Algorithms
//! that fold nothing take no notice. Nor do calls in device code, and calls that are switched off.
template <class A>
REHEAT_POLICY_OBJECT accumulate_in_t<A> accumulate_in{};

//! Type of `gpu_to_gpu`.
struct gpu_to_gpu_t
{};
//! `policy.with(reheat::gpu_to_gpu)`: a reduction or a scan compiles only if its result is the same on every GPU. Reductions
//! by the standard's operators on numbers keep that without the option (association v1), which changes none of their
//! results. Scans of floating-point numbers round in another order (scan association v1). Calls by key or by segment compile
//! where no operation rounds.
//!
//! `with` also takes what CCCL says for it since 3.1: cuda::execution::determinism::gpu_to_gpu and
//! cuda::execution::require(gpu_to_gpu). run_to_run holds for all calls, but rungs of the ladder that round do not compile
//! with it; not_guaranteed takes back what a policy asked for.
REHEAT_POLICY_OBJECT gpu_to_gpu_t gpu_to_gpu{};

//! Options that `with` takes besides those are rungs of the ladder, and derive from this.
struct kernels_option
{};

//! The determinism that a Given asks for in CCCL's words, which its query says; else nothing.
template <class Given, class = void>
struct cccl_determinism
{
  static constexpr bool exists = false;
};
#if REHEAT_HAS_ENVIRONMENTS
template <class Given>
struct cccl_determinism<Given, std::enable_if_t<detail::is_determinism<Given>()>>
{
  static constexpr bool exists = true;
  static constexpr detail::determinism value = detail::determinism_of<Given>();
};
template <class Given>
struct cccl_determinism<Given, std::enable_if_t<detail::requires_determinisms_v<Given>>>
{
  static constexpr bool exists = true;
  static constexpr detail::determinism value = detail::required_determinism<Given>();
};
#endif

//! `Option`, with the given options in place of what it had.
template <class Option, class... Given>
struct options_with
{
  using type = Option;
};
template <class Option, class... Others>
struct options_with<Option, start_early_t, Others...>
    : options_with<typename Option::template with_starts<runtime::early_starts::all>, Others...>
{};
template <class Option, class... Others>
struct options_with<Option, start_serially_t, Others...>
    : options_with<typename Option::template with_starts<runtime::early_starts::none>, Others...>
{};
template <class Option, class... Others>
struct options_with<Option, check_offsets_t, Others...> : options_with<typename Option::with_checks, Others...>
{};
template <class Option, class A, class... Others>
struct options_with<Option, accumulate_in_t<A>, Others...>
    : options_with<typename Option::template with_accumulator<A>, Others...>
{};
template <class Option, class... Others>
struct options_with<Option, gpu_to_gpu_t, Others...>
    : options_with<typename Option::template with_determinism<detail::determinism::gpu_to_gpu>, Others...>
{};
template <class Option, class... Others>
struct options_with<Option, exact_sums_t, Others...>
    : options_with<typename Option::template with_kernels<kernels::exact_sums>, Others...>
{
  static_assert(
      !(std::is_base_of_v<kernels_option, Others> || ...),
      "reheat: a rung of the ladder has kernels of its own, which exact_sums would replace; `with` was given both");
};
//! A determinism of CCCL's, or a rung of the ladder.
template <class Option, class Given, bool IsDeterminism = cccl_determinism<Given>::exists>
struct with_other
{
  using type = typename Option::template with_kernels<Given>;
  static_assert(std::is_base_of_v<kernels_option, Given>,
                "reheat: `with` takes reheat::start_early or start_serially, reheat::check_offsets, reheat::exact_sums, "
                "reheat::accumulate_in<A>, reheat::gpu_to_gpu, a determinism of cuda::execution or what require() makes of "
                "it, and a rung of the ladder (reheat/ladder.cuh)");
};
template <class Option, class Given>
struct with_other<Option, Given, true>
{
  using type = typename Option::template with_determinism<cccl_determinism<Given>::value>;
};
template <class Option, class Given, class... Others>
struct options_with<Option, Given, Others...> : options_with<typename with_other<Option, Given>::type, Others...>
{
  static constexpr bool is_rung = std::is_base_of_v<kernels_option, Given>;
  static_assert(!is_rung || !(std::is_base_of_v<kernels_option, Others> || ...),
                "reheat: a policy has one rung of the ladder; `with` was given several");
  static_assert(
      !is_rung || !(std::is_same_v<exact_sums_t, Others> || ...),
      "reheat: a rung of the ladder has kernels of its own, which exact_sums would replace; `with` was given both");
};

//! The base of reheat's policies. reheat's overloads take it, and win against Thrust's, which take its base. Other
//! algorithms run on Thrust's backend.
template <class Derived>
struct execution_policy : machine_policy<Derived>
{
  using option = no_option;
};

template <bool Waits, class Option>
struct on_stream_t;
template <bool Waits, class Option>
struct stream_base;

//! What `policy.across(ranks)` returns (reheat/across/policy.cuh).
template <class Policy>
struct across_t;

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
template <class Derived, bool Waits, template <class> class Base = execution_policy>
struct stream_policy : Base<Derived>
{
  static constexpr bool waits = Waits;

  REHEAT_HOST_DEVICE stream_policy(stream_type stream = default_stream()) : stream_(stream) {}

  //! The same policy on another stream.
  Derived on(const stream_type& stream) const
  {
    Derived result = THRUST_NS_QUALIFIER::detail::derived_cast(*this);
    result.stream_ = stream;
    return result;
  }
  //! The same policy with these options, in any order: start_early or start_serially (the last one counts), check_offsets,
  //! exact_sums or a rung of the ladder, accumulate_in, gpu_to_gpu or a determinism of CCCL's (the last one counts). What is
  //! not given stays as it was.
  //! Algorithms that run on Thrust's backend take no notice.
  template <class... Given>
  auto with(const Given&...) const
  {
    using result = typename options_with<typename Derived::option, Given...>::type;
    return with_option<Derived, Waits, result>::make(THRUST_NS_QUALIFIER::detail::derived_cast(*this)).on(stream_);
  }

  //! A policy for calls that all of the ranks make, each with its part of the items. Such as reheat::mpi_ranks, from the
  //! headers of reheat/across.
  template <class Ranks>
  across_t<Derived> across(Ranks& ranks) const
  {
    return across_t<Derived>(THRUST_NS_QUALIFIER::detail::derived_cast(*this), ranks);
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

//! The default stream. `policy(allocator)` and `policy(&memory_resource)` take temporary memory from there: for values of
//! more than 32 bytes, and for algorithms that run on Thrust's backend.
template <bool Waits, class Option>
struct on_default_t
    : execution_policy<on_default_t<Waits, Option>>,
      THRUST_NS_QUALIFIER::detail::allocator_aware_execution_policy<stream_base<Waits, Option>::template type>
{
  using option = Option;
  static constexpr bool waits = Waits;

  REHEAT_HOST_DEVICE constexpr on_default_t() {}

  on_stream_t<Waits, Option> on(const stream_type& stream) const { return on_stream_t<Waits, Option>(stream); }
  //! As stream_policy::with.
  template <class... Given>
  on_default_t<Waits, typename options_with<Option, Given...>::type> with(const Given&...) const
  {
    return {};
  }

  //! As stream_policy::across.
  template <class Ranks>
  across_t<on_default_t> across(Ranks& ranks) const
  {
    return across_t<on_default_t>(*this, ranks);
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
