// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::segmented_inclusive_scan` and `reheat::segmented_exclusive_scan`. Thrust has no such algorithms.
#pragma once

#include <reheat/detail/algorithms/segmented.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/kind.cuh>
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

template <detail::scan_kind Kind>
inline constexpr const char* segmented_scan_name =
    Kind == detail::scan_kind::inclusive ? "reheat::segmented_inclusive_scan" : "reheat::segmented_exclusive_scan";

template <detail::scan_kind Kind, class Derived, class InputIt, class OffsetIt, class OutputIt, class Op, class Init>
void segmented_scan(const execution_policy<Derived>& exec, InputIt first, OffsetIt offsets_first, OffsetIt offsets_last,
                    OutputIt out, Op op, Init init)
{
  using how = accumulation_of<Derived, typename Init::accum>;
  const auto taken = how::functor(op);
  check_segments<Derived, std::remove_const_t<decltype(taken)>, typename how::type>();
  const auto env = environment_of(segmented_scan_name<Kind>, const_cast<execution_policy<Derived>&>(exec));
  const std::uint64_t segments = number_of_segments(exec, env, offsets_first, offsets_last);
  if (segments != 0)
  {
    check_item_results(exec, env, offsets_first, segments, out);
    algorithms::segmented_scan<Kind>(env, first, segments, ends_behind(env, offsets_first), algorithms::same_places{}, out,
                                     taken, how::init(init));
  }
}

template <detail::scan_kind Kind, class Derived, class InputIt, class OutputIt, class Op, class Init>
void segmented_scan(const execution_policy<Derived>& exec, InputIt first, const equal_segments& where, OutputIt out, Op op,
                    Init init)
{
  using how = accumulation_of<Derived, typename Init::accum>;
  const auto taken = how::functor(op);
  check_segments<Derived, std::remove_const_t<decltype(taken)>, typename how::type>();
  const auto env = environment_of(segmented_scan_name<Kind>, const_cast<execution_policy<Derived>&>(exec));
  if (where.segments != 0)
  {
    algorithms::segmented_scan<Kind>(env, first, where.segments, algorithms::segments_of_size{where.size},
                                     algorithms::same_places{}, out, taken, how::init(init));
  }
}

} // namespace calls
} // namespace thrust_backend

//! out[i] = first[b] ⊕ … ⊕ first[i] for each item i of each segment, where b is the segment's first item. A segment lies
//! between two neighbouring offsets, as segmented_reduce says. Items before the first offset and from the last one on are
//! not touched, neither in the input nor in the output.
//!
//! Without `op` sums; with `init` init ⊕ first[b] ⊕ … ⊕ first[i]. Types are those of thrust::inclusive_scan. The operator is
//! associative; operands keep their order. Results are the same bits in every run. They are not always those of a scan of
//! the segment by itself, whose items would be folded in another association.
//!
//! Enqueued on the policy's stream in two launches; waits as scans do: under `par`, not under `par_nosync`. Under
//! `par_nosync` the call can be captured into a CUDA graph. `out` may be `first`; the output overlaps neither the input in
//! any other way nor the offsets.
template <class Derived, class InputIt, class OffsetIt, class OutputIt, class T, class Op>
void segmented_inclusive_scan(const thrust_backend::execution_policy<Derived>& policy, InputIt first, OffsetIt offsets_first,
                              OffsetIt offsets_last, OutputIt out, T init, Op op)
{
  using accum = thrust_backend::calls::segment_accum<Op, T, InputIt>;
  thrust_backend::calls::segmented_scan<detail::scan_kind::inclusive>(policy, first, offsets_first, offsets_last, out, op,
                                                                      detail::scan_with_init<accum>{{accum(init)}});
}
template <class Derived, class InputIt, class OffsetIt, class OutputIt, class Op>
void segmented_inclusive_scan(const thrust_backend::execution_policy<Derived>& policy, InputIt first, OffsetIt offsets_first,
                              OffsetIt offsets_last, OutputIt out, Op op)
{
  thrust_backend::calls::segmented_scan<detail::scan_kind::inclusive>(
      policy, first, offsets_first, offsets_last, out, op, detail::scan_without_init<detail::value_of<InputIt>>{});
}
template <class Derived, class InputIt, class OffsetIt, class OutputIt>
void segmented_inclusive_scan(const thrust_backend::execution_policy<Derived>& policy, InputIt first, OffsetIt offsets_first,
                              OffsetIt offsets_last, OutputIt out)
{
  segmented_inclusive_scan(policy, first, offsets_first, offsets_last, out, ::cuda::std::plus<>{});
}

//! The same for `where.segments` segments of `where.size` items. No offsets are read. One launch if one block scans all.
template <class Derived, class InputIt, class OutputIt, class T, class Op>
void segmented_inclusive_scan(const thrust_backend::execution_policy<Derived>& policy, InputIt first, equal_segments where,
                              OutputIt out, T init, Op op)
{
  using accum = thrust_backend::calls::segment_accum<Op, T, InputIt>;
  thrust_backend::calls::segmented_scan<detail::scan_kind::inclusive>(policy, first, where, out, op,
                                                                      detail::scan_with_init<accum>{{accum(init)}});
}
template <class Derived, class InputIt, class OutputIt, class Op>
void segmented_inclusive_scan(const thrust_backend::execution_policy<Derived>& policy, InputIt first, equal_segments where,
                              OutputIt out, Op op)
{
  thrust_backend::calls::segmented_scan<detail::scan_kind::inclusive>(
      policy, first, where, out, op, detail::scan_without_init<detail::value_of<InputIt>>{});
}
template <class Derived, class InputIt, class OutputIt>
void segmented_inclusive_scan(const thrust_backend::execution_policy<Derived>& policy, InputIt first, equal_segments where,
                              OutputIt out)
{
  segmented_inclusive_scan(policy, first, where, out, ::cuda::std::plus<>{});
}

//! out[i] = init ⊕ first[b] ⊕ … ⊕ first[i − 1]; of a segment's first item `init`. Without `op` sums, without `init` from 0
//! in the input's value type. Types are those of thrust::exclusive_scan. All else is as for segmented_inclusive_scan.
template <class Derived, class InputIt, class OffsetIt, class OutputIt, class T, class Op>
void segmented_exclusive_scan(const thrust_backend::execution_policy<Derived>& policy, InputIt first, OffsetIt offsets_first,
                              OffsetIt offsets_last, OutputIt out, T init, Op op)
{
  thrust_backend::calls::segmented_scan<detail::scan_kind::exclusive>(policy, first, offsets_first, offsets_last, out, op,
                                                                      detail::scan_with_init<T>{{init}});
}
template <class Derived, class InputIt, class OffsetIt, class OutputIt, class T>
void segmented_exclusive_scan(const thrust_backend::execution_policy<Derived>& policy, InputIt first, OffsetIt offsets_first,
                              OffsetIt offsets_last, OutputIt out, T init)
{
  segmented_exclusive_scan(policy, first, offsets_first, offsets_last, out, init, ::cuda::std::plus<>{});
}
template <class Derived, class InputIt, class OffsetIt, class OutputIt>
void segmented_exclusive_scan(const thrust_backend::execution_policy<Derived>& policy, InputIt first, OffsetIt offsets_first,
                              OffsetIt offsets_last, OutputIt out)
{
  segmented_exclusive_scan(policy, first, offsets_first, offsets_last, out, detail::value_of<InputIt>(0));
}

//! The same for `where.segments` segments of `where.size` items. No offsets are read. One launch if one block scans all.
template <class Derived, class InputIt, class OutputIt, class T, class Op>
void segmented_exclusive_scan(const thrust_backend::execution_policy<Derived>& policy, InputIt first, equal_segments where,
                              OutputIt out, T init, Op op)
{
  thrust_backend::calls::segmented_scan<detail::scan_kind::exclusive>(policy, first, where, out, op,
                                                                      detail::scan_with_init<T>{{init}});
}
template <class Derived, class InputIt, class OutputIt, class T>
void segmented_exclusive_scan(const thrust_backend::execution_policy<Derived>& policy, InputIt first, equal_segments where,
                              OutputIt out, T init)
{
  segmented_exclusive_scan(policy, first, where, out, init, ::cuda::std::plus<>{});
}
template <class Derived, class InputIt, class OutputIt>
void segmented_exclusive_scan(const thrust_backend::execution_policy<Derived>& policy, InputIt first, equal_segments where,
                              OutputIt out)
{
  segmented_exclusive_scan(policy, first, where, out, detail::value_of<InputIt>(0));
}

REHEAT_NAMESPACE_END
