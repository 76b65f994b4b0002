// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The collective of an input with keys, which follows from the output, and its tuning.
#pragma once

#include <reheat/detail/config.cuh>
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
struct keyed_collective_for<value_sink<ValueOutputIt>>
{
  template <class Tuning, class Source, class Accum>
  using tile_collective = keyed_scan_collective<Tuning, Source, ValueOutputIt, Accum>;
};
template <class... Parts>
struct keyed_collective_for<segment_sink<Parts...>>
{
  template <class Tuning, class Source, class Accum>
  using tile_collective = keyed_reduce_collective<Tuning, Source, segment_sink<Parts...>, Accum>;
};

template <class Source>
struct collective_for_keys
{
  static constexpr std::size_t key_bytes = sizeof(value_of<decltype(Source::range.keys)>),
                               value_bytes = sizeof(Source::value_type::value);
  static constexpr std::size_t few_tiles_item_bytes = key_bytes + value_bytes;
  template <class Tuning, class OutputIt, class Accum>
  using tile_collective = typename keyed_collective_for<OutputIt>::template tile_collective<Tuning, Source, Accum>;
  template <class Accum>
  using tuning = segment_tuning<sizeof(Accum), key_bytes, sizeof(Accum::value),
                                std::is_same_v<decltype(Accum::boundaries), boundary_flags>>;
};
template <class T, class Boundaries, class KeyIt, class ValueIt, class Equal>
struct collective_for<segmented_source<T, Boundaries, KeyIt, ValueIt, Equal>>
    : collective_for_keys<segmented_source<T, Boundaries, KeyIt, ValueIt, Equal>>
{};
template <class T, class KeyIt, class ValueIt, class Equal>
struct collective_for<restarting_source<T, KeyIt, ValueIt, Equal>>
    : collective_for_keys<restarting_source<T, KeyIt, ValueIt, Equal>>
{};

} // namespace detail
REHEAT_NAMESPACE_END
