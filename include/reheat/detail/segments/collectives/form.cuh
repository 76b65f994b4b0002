// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Which form tiles of keys and values have, and their tuning: it follows from the output.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/indexed.cuh>
#include <reheat/detail/scan/collectives/plain.cuh>
#include <reheat/detail/segments/collectives/reduce.cuh>
#include <reheat/detail/segments/collectives/scan.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/segments/tuning.cuh>
#include <reheat/detail/thread/items.cuh>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The form that goes with a sink.
template <class OutputIt>
struct segments_of;
template <class ValueOutputIt>
struct segments_of<indexed_output<value_sink<ValueOutputIt>>>
{
  template <class Tuning, class Source, class Accum>
  using form = scanned_segments<Tuning, Source, ValueOutputIt, Accum>;
};
template <class KeyIt, class KeyOutputIt, class ValueOutputIt>
struct segments_of<indexed_output<segment_sink<KeyIt, KeyOutputIt, ValueOutputIt>>>
{
  template <class Tuning, class Source, class Accum>
  using form = reduced_segments<Tuning, Source, segment_sink<KeyIt, KeyOutputIt, ValueOutputIt>, Accum>;
};

template <class Source>
struct segment_tiles
{
  template <class Tuning, class OutputIt, class Accum>
  using form = typename segments_of<OutputIt>::template form<Tuning, Source, Accum>;
  template <class Accum>
  using tuning = segment_tuning<sizeof(Accum), sizeof(value_of<decltype(Source::range.keys)>), sizeof(Accum::value),
                                std::is_same_v<decltype(Accum::boundaries), boundary_flags>>;
};
template <class T, class Boundaries, class KeyIt, class ValueIt, class Equal>
struct scan_tiles<indexed_input<segmented_source<T, Boundaries, KeyIt, ValueIt, Equal>>>
    : segment_tiles<segmented_source<T, Boundaries, KeyIt, ValueIt, Equal>>
{};
template <class T, class KeyIt, class ValueIt, class Equal>
struct scan_tiles<indexed_input<restarting_source<T, KeyIt, ValueIt, Equal>>>
    : segment_tiles<restarting_source<T, KeyIt, ValueIt, Equal>>
{};

} // namespace detail
REHEAT_NAMESPACE_END
