// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a call on reheat's policies goes to Thrust's kernels instead. With -DREHEAT_PASSTHROUGH reheat.cuh leaves all
//! overloads out, and every call finds Thrust's own. With -DREHEAT_RUNTIME_SWITCH each overload asks REHEAT_DISABLE, and
//! calls Thrust on a policy that no overload of reheat's takes. Without either macro, nothing of this is compiled.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/statistics.h>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thrust_compat.cuh>
#include <reheat/thrust_backend/machine.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/detail/execute_with_allocator.h>
#if defined(REHEAT_PASSTHROUGH) || defined(REHEAT_RUNTIME_SWITCH)
#  include <thrust/fill.h>
#  include <thrust/reduce.h>

#  include <cuda/std/type_traits>
#endif

#include <cstddef>

// In an overload whose policy is `exec`: `return (passed_on)` if REHEAT_DISABLE names the algorithm. Not in device code,
// where the dead branch keeps Thrust's kernels in sight, as in REHEAT_PARALLEL_OR_SEQUENTIAL.
#if !defined(REHEAT_RUNTIME_SWITCH)
#  define REHEAT_PASS_ON_IF_DISABLED(algorithm_name, passed_on)
#else
#  if defined(REHEAT_EMULATED)
#    define REHEAT_IS_DISABLED(algorithm_name)                                                                              \
      (!::reheat::emulator::in_kernel() && calls::is_passed_on(runtime::algorithm::algorithm_name, exec))
#  elif defined(__CUDA_ARCH__)
#    define REHEAT_IS_DISABLED(algorithm_name) false
#  else
#    define REHEAT_IS_DISABLED(algorithm_name) calls::is_passed_on(runtime::algorithm::algorithm_name, exec)
#  endif
#  define REHEAT_PASS_ON_IF_DISABLED(algorithm_name, passed_on)                                                             \
    if (REHEAT_IS_DISABLED(algorithm_name))                                                                                 \
    {                                                                                                                       \
      return passed_on;                                                                                                     \
    }
#endif

// The body of an overload whose policy is `exec`: `return (parallel)`, which reheat accelerates; or, by Thrust,
// thrust::algorithm_name of the arguments that follow.
#define REHEAT_ACCELERATED(parallel, algorithm_name, ...)                                                                   \
  REHEAT_PASS_ON_IF_DISABLED(algorithm_name, (THRUST_NS_QUALIFIER::algorithm_name(calls::passed_on(exec), __VA_ARGS__)))    \
  REHEAT_PARALLEL_OR_SEQUENTIAL(parallel, (THRUST_NS_QUALIFIER::algorithm_name(THRUST_NS_QUALIFIER::seq, __VA_ARGS__)))

#if defined(REHEAT_PASSTHROUGH) || defined(REHEAT_RUNTIME_SWITCH)

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{
namespace calls
{

//! By Thrust's kernels; `more` is nothing or an initial value. Where Thrust has no reduce_into, one kernel writes what
//! others have returned to the host: the call waits for the stream in between, whatever the policy.
template <class Policy, class InputIt, class OutputIt, class... More>
void reduce_into_by_thrust(const Policy& policy, InputIt first, InputIt last, OutputIt output, More... more)
{
#  if REHEAT_THRUST_HAS_REDUCE_INTO
  THRUST_NS_QUALIFIER::reduce_into(policy, first, last, output, more...);
#  else
  THRUST_NS_QUALIFIER::fill_n(policy, output, 1, THRUST_NS_QUALIFIER::reduce(policy, first, last, more...));
#  endif
}
//! From what the operator makes of init, because Thrust's reduce, and some backends' reduce_into, convert the result to the
//! type of the initial value.
template <class Policy, class InputIt, class OutputIt, class T, class Op>
void reduce_into_by_thrust(const Policy& policy, InputIt first, InputIt last, OutputIt output, T init, Op op)
{
  using accum = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Op, T, detail::value_of<InputIt>>>;
  const accum from(init);
#  if REHEAT_THRUST_HAS_REDUCE_INTO
  THRUST_NS_QUALIFIER::reduce_into(policy, first, last, output, from, op);
#  else
  THRUST_NS_QUALIFIER::fill_n(policy, output, 1, THRUST_NS_QUALIFIER::reduce(policy, first, last, from, op));
#  endif
}

} // namespace calls
} // namespace thrust_backend
REHEAT_NAMESPACE_END

#endif

#if defined(REHEAT_RUNTIME_SWITCH)

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

//! The base of policies of calls that are passed on, in the shape in which Thrust adds an allocator. Stream and waiting are
//! those of the call's policy.
template <bool Waits>
struct passed_on_base
{
  template <class Derived>
  struct type : stream_policy<Derived, Waits, machine_policy>
  {
    using stream_policy<Derived, Waits, machine_policy>::stream_policy;
  };
};
template <bool Waits>
struct passed_on_t : passed_on_base<Waits>::template type<passed_on_t<Waits>>
{
  using passed_on_base<Waits>::template type<passed_on_t<Waits>>::type;
};

#  if !defined(REHEAT_EMULATED)
template <class T>
::cuda::std::pair<T*, std::ptrdiff_t> get_temporary_buffer(passed_on_t<false>& policy, std::ptrdiff_t count)
{
  return allocate_in_stream_order<T>(get_stream(policy), count);
}
template <class Pointer>
void return_temporary_buffer(passed_on_t<false>& policy, Pointer memory, std::ptrdiff_t)
{
  free_in_stream_order(get_stream(policy), THRUST_NS_QUALIFIER::raw_pointer_cast(memory));
}
#  endif

namespace calls
{

template <class Policy>
struct passing_on
{
  static auto make(Policy& policy) { return passed_on_t<Policy::waits>(stream_of(policy)); }
};
template <class Allocator, template <class> class Base>
struct passing_on<THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, Base>>
{
  using policy_type = THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, Base>;
  static auto make(policy_type& policy)
  {
    using result =
        THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, passed_on_base<policy_type::waits>::template type>;
    return result(policy.get_allocator()).on(stream_of(policy));
  }
};

//! A policy on which Thrust's own kernels run, with the stream, the allocator and the waiting of `exec`.
template <class Derived>
auto passed_on(execution_policy<Derived>& exec)
{
  return passing_on<Derived>::make(THRUST_NS_QUALIFIER::detail::derived_cast(exec));
}

//! Whether REHEAT_DISABLE names the algorithm; if so, the call is counted as passed on.
template <class Derived>
bool is_passed_on(runtime::algorithm which, execution_policy<Derived>& exec)
{
  return runtime::is_passed_on(which, stream_of(THRUST_NS_QUALIFIER::detail::derived_cast(exec)));
}

} // namespace calls
} // namespace thrust_backend
REHEAT_NAMESPACE_END

#endif
