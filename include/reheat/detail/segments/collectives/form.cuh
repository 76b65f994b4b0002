// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The collective of an input with keys, which follows from the output, and its tuning.
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

//! The collective that belongs to a sink.
template <class OutputIt>
struct keyed_collective_for;
template <class ValueOutputIt>
struct keyed_collective_for<indexed_output<value_sink<ValueOutputIt>>>
{
  template <class Tuning, class Source, class Accum>
  using tile_collective = keyed_scan_collective<Tuning, Source, ValueOutputIt, Accum>;
};
template <class... Parts>
struct keyed_collective_for<indexed_output<segment_sink<Parts...>>>
{
  template <class Tuning, class Source, class Accum>
  using tile_collective = keyed_reduce_collective<Tuning, Source, segment_sink<Parts...>, Accum>;
};

template <class Source>
struct collective_for_keys
{
  template <class Tuning, class OutputIt, class Accum>
  using tile_collective = typename keyed_collective_for<OutputIt>::template tile_collective<Tuning, Source, Accum>;
  template <class Accum>
  using tuning = segment_tuning<sizeof(Accum), sizeof(value_of<decltype(Source::range.keys)>), sizeof(Accum::value),
                                std::is_same_v<decltype(Accum::boundaries), boundary_flags>>;
  //! H200, reduce_by_key in segments of 32, a tile per block and streaming: i32 4.80 and 4.69 us at 2^17 items, 6.04
  //! and 5.14 at 2^18; i64 4.67 and 4.71 at 2^15, 5.13 and 4.95 at 2^16.
  template <class Accum>
  static constexpr std::uint64_t one_tile_items = std::uint64_t{1} << (sizeof(Accum) <= 8 ? 17 : 15);
};
template <class T, class Boundaries, class KeyIt, class ValueIt, class Equal>
struct collective_for<indexed_input<segmented_source<T, Boundaries, KeyIt, ValueIt, Equal>>>
    : collective_for_keys<segmented_source<T, Boundaries, KeyIt, ValueIt, Equal>>
{};
template <class T, class KeyIt, class ValueIt, class Equal>
struct collective_for<indexed_input<restarting_source<T, KeyIt, ValueIt, Equal>>>
    : collective_for_keys<restarting_source<T, KeyIt, ValueIt, Equal>>
{};

} // namespace detail
REHEAT_NAMESPACE_END
