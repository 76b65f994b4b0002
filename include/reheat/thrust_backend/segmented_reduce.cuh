// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::segmented_reduce`. Thrust has no such algorithm.
#pragma once

#include <reheat/detail/algorithms/segmented.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/accumulation.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/policy.cuh>
#include <reheat/thrust_backend/segments.cuh>

#include <cuda/std/functional>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{
namespace calls
{

template <class Derived, class InputIt, class OffsetIt, class OutputIt, class T, class Op>
void segmented_reduce(const execution_policy<Derived>& exec, InputIt first, OffsetIt offsets_first, OffsetIt offsets_last,
                      OutputIt out, T init, Op op)
{
  using how = accumulation_of<Derived, segment_accum<Op, T, InputIt>>;
  const auto taken = how::functor(op);
  check_segments<Derived, std::remove_const_t<decltype(taken)>, typename how::type>();
  const auto env = environment_of("reheat::segmented_reduce", const_cast<execution_policy<Derived>&>(exec));
  const std::uint64_t segments = number_of_segments(exec, env, offsets_first, offsets_last);
  if (segments != 0)
  {
    check_results(exec, env, offsets_first, segments, out);
    algorithms::segmented_reduce<typename how::type>(env, first, segments, ends_behind(env, offsets_first), out,
                                                     how::value(init), taken);
  }
}

template <class Derived, class InputIt, class OutputIt, class T, class Op>
void segmented_reduce(const execution_policy<Derived>& exec, InputIt first, std::uint64_t segments, std::uint64_t size,
                      OutputIt out, T init, Op op)
{
  using how = accumulation_of<Derived, segment_accum<Op, T, InputIt>>;
  const auto taken = how::functor(op);
  check_segments<Derived, std::remove_const_t<decltype(taken)>, typename how::type>();
  const auto env = environment_of("reheat::segmented_reduce", const_cast<execution_policy<Derived>&>(exec));
  if (segments != 0)
  {
    algorithms::segmented_reduce<typename how::type>(env, first, segments, algorithms::segments_of_size{size}, out,
                                                     how::value(init), taken);
  }
}

} // namespace calls
} // namespace thrust_backend

//! out[s] = init ⊕ first[offsets[s]] ⊕ … ⊕ first[offsets[s + 1] − 1] for each segment s between two neighbouring offsets,
//! and init where both are equal. The offsets are integers that do not descend, in memory or behind any iterator that the
//! device can read; n + 1 of them make n segments, and none or one make nothing. The time depends on how many items and
//! segments there are, and hardly on how long each segment is. A policy with reheat::check_offsets, or a
//! unit with REHEAT_CHECK_OFFSETS, throws std::runtime_error if offsets descend; otherwise nobody looks.
//!
//! Without `op` the sum; without `init` from 0, in the input's value type. Types are those of thrust::reduce. The operator
//! is associative; operands keep their order. Results are the same bits in every run. They are not always those of a
//! reduction of the segment by itself, whose items would be folded in another association.
//!
//! Enqueued on the policy's stream in two launches; waits as scans do: under `par`, not under `par_nosync`. Under
//! `par_nosync` the call can be captured into a CUDA graph. The output overlaps neither the input nor the offsets.
template <class Derived, class InputIt, class OffsetIt, class OutputIt, class T, class Op>
void segmented_reduce(const thrust_backend::execution_policy<Derived>& policy, InputIt first, OffsetIt offsets_first,
                      OffsetIt offsets_last, OutputIt out, T init, Op op)
{
  thrust_backend::calls::segmented_reduce(policy, first, offsets_first, offsets_last, out, init, op);
}
template <class Derived, class InputIt, class OffsetIt, class OutputIt, class T>
void segmented_reduce(const thrust_backend::execution_policy<Derived>& policy, InputIt first, OffsetIt offsets_first,
                      OffsetIt offsets_last, OutputIt out, T init)
{
  thrust_backend::calls::segmented_reduce(policy, first, offsets_first, offsets_last, out, init, ::cuda::std::plus<T>{});
}
template <class Derived, class InputIt, class OffsetIt, class OutputIt>
void segmented_reduce(const thrust_backend::execution_policy<Derived>& policy, InputIt first, OffsetIt offsets_first,
                      OffsetIt offsets_last, OutputIt out)
{
  using value = detail::value_of<InputIt>;
  thrust_backend::calls::segmented_reduce(policy, first, offsets_first, offsets_last, out, value(0),
                                          ::cuda::std::plus<value>{});
}

//! The same for `where.segments` segments of `where.size` items. No offsets are read. One launch if one block holds all.
template <class Derived, class InputIt, class OutputIt, class T, class Op>
void segmented_reduce(const thrust_backend::execution_policy<Derived>& policy, InputIt first, equal_segments where,
                      OutputIt out, T init, Op op)
{
  thrust_backend::calls::segmented_reduce(policy, first, where.segments, where.size, out, init, op);
}
template <class Derived, class InputIt, class OutputIt, class T>
void segmented_reduce(const thrust_backend::execution_policy<Derived>& policy, InputIt first, equal_segments where,
                      OutputIt out, T init)
{
  thrust_backend::calls::segmented_reduce(policy, first, where.segments, where.size, out, init, ::cuda::std::plus<T>{});
}
template <class Derived, class InputIt, class OutputIt>
void segmented_reduce(const thrust_backend::execution_policy<Derived>& policy, InputIt first, equal_segments where,
                      OutputIt out)
{
  using value = detail::value_of<InputIt>;
  thrust_backend::calls::segmented_reduce(policy, first, where.segments, where.size, out, value(0),
                                          ::cuda::std::plus<value>{});
}

REHEAT_NAMESPACE_END
