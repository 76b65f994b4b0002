// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The policies of calls across ranks. They are no policies of Thrust's CUDA backend: there an algorithm that reheat does
//! not serve across ranks would run on the rank's part alone, in silence.
#pragma once

#include <reheat/across/ranks.h>
#include <reheat/detail/across/call.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/detail/execution_policy.h>

#include <cstdint>
#include <type_traits>
#include <utility>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

//! The base of such policies. Thrust's entry points take it, and no function of Thrust's behind them does.
template <class Derived>
struct across_policy : THRUST_NS_QUALIFIER::detail::execution_policy_base<Derived>
{};

//! `Policy`, one of reheat's for a single GPU, across ranks. `on`, `with` and allocators give what they give there.
template <class Policy>
struct across_t : across_policy<across_t<Policy>>
{
  using local_policy = Policy;

  across_t(const Policy& local, library::ranks& ranks) : local_(local), ranks_(&ranks) {}

  auto on(const stream_type& stream) const { return with_local(local_.on(stream)); }
  template <class... Given>
  auto with(const Given&... given) const
  {
    return with_local(local_.with(given...));
  }
  template <class Allocator>
  auto operator()(Allocator&& allocator) const
  {
    return with_local(local_(std::forward<Allocator>(allocator)));
  }

  Policy& local() { return local_; }
  library::ranks& ranks() const { return *ranks_; }

private:
  template <class Local>
  across_t<Local> with_local(const Local& local) const
  {
    return across_t<Local>(local, *ranks_);
  }

  Policy local_;
  library::ranks* ranks_;
};

namespace calls
{

template <class Across>
using local_policy_of = typename Across::local_policy;

template <class Derived>
Derived& across_of(across_policy<Derived>& exec)
{
  return static_cast<Derived&>(exec);
}

//! A public call: its name, as what it is counted, and how other ranks recognise it.
struct caller_across
{
  caller_across(runtime::algorithm algorithm)
      : name(runtime::name_of(algorithm)), which(algorithm), code(static_cast<std::uint16_t>(algorithm))
  {}
  caller_across(const char* name, library::call_across call)
      : name(name), which(runtime::algorithm::none), code(static_cast<std::uint16_t>(call))
  {}

  const char* name;
  runtime::algorithm which;
  std::uint16_t code;
};

//! What the call runs with on this rank.
template <class Derived>
auto environment_across(const caller_across& caller, across_policy<Derived>& exec)
{
  static_assert(!is_rung_v<kernels_of<local_policy_of<Derived>>>,
                "reheat: a rung of the ladder has kernels for one GPU; use a policy without one across ranks");
  return environment_of(caller.name, across_of(exec).local(), caller.which);
}

//! Before ranks exchange anything. A call that returns a value, or waits, throws during a capture; and so do all calls if
//! the engine can not be captured.
inline void refuse_capture_across(const runtime::environment& env, const library::ranks& ranks, bool returns_value)
{
  if (returns_value)
  {
    runtime::refuse_capture(env, "a result on the host can not be captured into a graph", "");
  }
  if (env.waits)
  {
    runtime::refuse_capture(env, "this policy waits for its stream, which can not be captured into a graph",
                            "; take reheat::par_nosync");
  }
  if (ranks.order() != library::gather_order::in_stream_or_graph)
  {
    runtime::refuse_capture(env, "calls across these ranks can not be captured into a graph", "; those over NCCL can");
  }
}

} // namespace calls
} // namespace thrust_backend
REHEAT_NAMESPACE_END
