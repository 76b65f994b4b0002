// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions and scans of segments that offsets cut from a range.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/indexed.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/runtime/environment.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/segmented/dispatch.cuh>
#include <reheat/detail/segmented/each.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/results.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/rounded_plus.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! Where segments lie: between offsets of two iterators, as the caller passed them, in any order.
template <class BeginIt, class EndIt>
struct segments_between
{
  BeginIt begins;
  EndIt ends;
};
//! Segments of the same size, one behind the other.
struct segments_of_size
{
  std::uint64_t size;
};

//! Enqueues the reduction of segments of each kind. Those whose ends are the next begins in memory are read as one range.
template <class Accum, class Environment, class InputIt, class Ends, class Op, class Sink>
void enqueue_segments(const Environment& env, InputIt in, std::uint64_t segments, const Ends& ends, Op op, Sink sink)
{
  detail::enqueue_segmented_reduce<Accum>(env, in, segments, ends, op, sink);
}
template <class Accum, class Environment, class InputIt, class Op, class Sink>
void enqueue_segments(const Environment& env, InputIt in, std::uint64_t segments, const segments_of_size& where, Op op,
                      Sink sink)
{
  detail::enqueue_segmented_reduce<Accum>(env, in, segments, detail::equal_ends{where.size}, op, sink);
}
template <class Accum, class Environment, class InputIt, class BeginIt, class EndIt, class Op, class Sink>
void enqueue_segments(const Environment& env, InputIt in, std::uint64_t segments,
                      const segments_between<BeginIt, EndIt>& where, Op op, Sink sink)
{
  const auto begins = detail::unwrap_input(env, where.begins);
  const auto ends = detail::unwrap_input(env, where.ends);
  using begin_iterator = std::remove_const_t<decltype(begins)>;
  using end_iterator = std::remove_const_t<decltype(ends)>;
  // The size of the memory does not depend on addresses: it is enough for both ways.
  if constexpr (detail::may_be_adjacent_v<begin_iterator, end_iterator>)
  {
    const bool adjacent = ends == begins + 1;
    if (adjacent || runtime::only_measures_v<Environment>)
    {
      detail::enqueue_segmented_reduce<Accum>(
          env, in, segments, detail::adjacent_ends<begin_iterator, end_iterator, true>{begins, ends}, op, sink);
    }
    if (adjacent && !runtime::only_measures_v<Environment>)
    {
      return;
    }
  }
  detail::enqueue_reduce_anywhere<Accum>(env, in, segments, detail::each_ends<begin_iterator, end_iterator>{begins, ends},
                                         op, sink);
}

//! out[s] = init ⊕ the items of segment s, folded in Accum, for `segments` segments; init if it has none. `where` is
//! segments_between, segments_of_size, or says where segments end (segmented/ends.cuh) with iterators that are unwrapped.
template <class Accum, class Environment, class InputIt, class Where, class OutputIt, class T, class Op>
void segmented_reduce(const Environment& env, InputIt in, std::uint64_t segments, const Where& where, OutputIt out, T init,
                      Op op)
{
  enqueue_and_maybe_wait<detail::value_of<InputIt>>(
      env, segments,
      [&]
      {
        if (segments == 0)
        {
          return;
        }
        const auto output = detail::unwrap(env, out);
        const auto taken = detail::rounding_alike<Accum>(op);
        using sink = detail::segment_folds<std::remove_cv_t<decltype(output)>, T, std::remove_const_t<decltype(taken)>>;
        enqueue_segments<Accum>(env, detail::unwrap_input(env, in), segments, where, taken, sink{output, init, taken});
      });
}

//! out[s] = the extremum of segment s that `keep` (detail::keep_smallest or keep_largest) is left with, of items converted
//! to T, as a Pair of its index in the segment, an Index, and its value; of an empty segment the index is 1 and the value
//! `none`. `where` is segments_between or segments_of_size.
template <class Pair, class Index, class T, class Environment, class InputIt, class Where, class OutputIt, class Keep>
void segmented_extremum(const Environment& env, InputIt in, std::uint64_t segments, const Where& where, OutputIt out, T none,
                        Keep keep)
{
  enqueue_and_maybe_wait<detail::value_of<InputIt>>(
      env, segments,
      [&]
      {
        if (segments == 0)
        {
          return;
        }
        const auto input = detail::unwrap_input(env, in);
        const auto output = detail::unwrap(env, out);
        using source = detail::segment_candidates<std::remove_const_t<decltype(input)>, T>;
        using sink = detail::segment_extrema<Pair, Index, std::remove_const_t<decltype(output)>, T>;
        enqueue_segments<detail::segment_candidate<T>>(env, detail::indexed_input<source>(source{input}), segments, where,
                                                       detail::keep_in_segment<Keep>{keep}, sink{output, {none, 1}});
      });
}

//! out[s] = the place in the input of the extremum of segment s that `keep` is left with, as a Place; of an empty segment
//! where it ends. Index holds the number of items of any segment, less one. `where` is as for segmented_reduce.
template <class Place, class Index, class Environment, class InputIt, class Where, class OutputIt, class Keep>
void segmented_extremum_place(const Environment& env, InputIt in, std::uint64_t segments, const Where& where, OutputIt out,
                              Keep keep)
{
  using item = detail::value_of<InputIt>;
  enqueue_and_maybe_wait<item>(
      env, segments,
      [&]
      {
        if (segments == 0)
        {
          return;
        }
        const auto input = detail::unwrap_input(env, in);
        const auto output = detail::unwrap(env, out);
        using source = detail::segment_candidates<std::remove_const_t<decltype(input)>, item, Index>;
        using sink = detail::segment_extremum_places<Place, std::remove_const_t<decltype(output)>>;
        enqueue_segments<detail::segment_candidate<item, Index>>(env, detail::indexed_input<source>(source{input}), segments,
                                                                 where, detail::keep_in_segment<Keep>{keep}, sink{output});
      });
}

//! Where scans of segments go: each item to the place that it has in the input, or each segment to its own offset in the
//! output.
struct same_places
{};
template <class OutBeginIt>
struct places_from
{
  OutBeginIt begins;
};

template <class Environment, class BeginIt>
BeginIt out_begins_of(const Environment&, BeginIt begins, same_places)
{
  return begins;
}
template <class Environment, class BeginIt, class OutBeginIt>
auto out_begins_of(const Environment& env, BeginIt, const places_from<OutBeginIt>& places)
{
  return detail::unwrap_input(env, places.begins);
}
//! Whether all segments stay where they are, as far as pointers tell.
template <class BeginIt, class OutBeginIt>
bool stay_in_place(const BeginIt&, const OutBeginIt&)
{
  return false;
}
template <class Offset>
bool stay_in_place(const Offset* begins, const Offset* out_begins)
{
  return begins == out_begins;
}

//! Enqueues the scan of segments of each kind, as enqueue_segments. Those without gaps stay where they are.
template <detail::scan_kind Kind, class Environment, class InputIt, class OutputIt, class Ends, class Places, class Op,
          class Init>
void enqueue_segment_scans(const Environment& env, InputIt in, OutputIt out, std::uint64_t segments, const Ends& ends,
                           Places, Op op, Init init)
{
  detail::enqueue_segmented_scan<Kind>(env, in, out, segments, ends, op, init);
}
template <detail::scan_kind Kind, class Environment, class InputIt, class OutputIt, class Places, class Op, class Init>
void enqueue_segment_scans(const Environment& env, InputIt in, OutputIt out, std::uint64_t segments,
                           const segments_of_size& where, Places, Op op, Init init)
{
  detail::enqueue_segmented_scan<Kind>(env, in, out, segments, detail::equal_ends{where.size}, op, init);
}
template <detail::scan_kind Kind, class Environment, class InputIt, class OutputIt, class BeginIt, class EndIt, class Places,
          class Op, class Init>
void enqueue_segment_scans(const Environment& env, InputIt in, OutputIt out, std::uint64_t segments,
                           const segments_between<BeginIt, EndIt>& where, Places places, Op op, Init init)
{
  const auto begins = detail::unwrap_input(env, where.begins);
  const auto ends = detail::unwrap_input(env, where.ends);
  const auto out_begins = out_begins_of(env, begins, places);
  using begin_iterator = std::remove_const_t<decltype(begins)>;
  using end_iterator = std::remove_const_t<decltype(ends)>;
  // The size of the memory does not depend on addresses: it is enough for both ways.
  if constexpr (detail::may_be_adjacent_v<begin_iterator, end_iterator>)
  {
    const bool adjacent = ends == begins + 1 && stay_in_place(begins, out_begins);
    if (adjacent || runtime::only_measures_v<Environment>)
    {
      detail::enqueue_segmented_scan<Kind>(
          env, in, out, segments, detail::adjacent_ends<begin_iterator, end_iterator, true>{begins, ends}, op, init);
    }
    if (adjacent && !runtime::only_measures_v<Environment>)
    {
      return;
    }
  }
  detail::enqueue_scan_anywhere<Kind>(env, in, out, segments, detail::each_ends<begin_iterator, end_iterator>{begins, ends},
                                      out_begins, op, init);
}

//! Scans each of `segments` segments from Init (scan/kind.cuh). Item i of the input goes to out[i], or as `places` says.
//! `out` may be `in` then. `where` is as for segmented_reduce. Nothing but items of segments is stored.
template <detail::scan_kind Kind, class Environment, class InputIt, class Where, class Places, class OutputIt, class Op,
          class Init>
void segmented_scan(const Environment& env, InputIt in, std::uint64_t segments, const Where& where, Places places,
                    OutputIt out, Op op, Init init)
{
  enqueue_and_maybe_wait<detail::value_of<InputIt>>(
      env, segments,
      [&]
      {
        if (segments != 0)
        {
          enqueue_segment_scans<Kind>(env, detail::unwrap_input(env, in), detail::unwrap(env, out), segments, where, places,
                                      detail::rounding_alike<typename Init::accum>(op), init);
        }
      });
}

} // namespace algorithms
REHEAT_NAMESPACE_END
