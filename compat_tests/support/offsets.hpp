// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Segments between offsets: lengths of every kind, and what reductions and scans of them must give, one item after the
//! other.
#pragma once

#include "calls.hpp"

#include <reheat/detail/segmented/even.cuh>
#include <reheat/detail/segmented/tuning.cuh>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace compat
{

//! How long segments are.
enum class lengths
{
  all_empty,
  mostly_empty, //!< one in ten has up to 40 items
  singles,      //!< one item
  few,          //!< up to seven items, some none
  hundreds,     //!< up to 299 items
  power_law,    //!< half have one item, a quarter two or three, and so on
  one_giant     //!< many tiles in the middle of short ones
};
inline constexpr lengths all_lengths[] = {lengths::all_empty, lengths::mostly_empty, lengths::singles,  lengths::few,
                                          lengths::hundreds,  lengths::power_law,    lengths::one_giant};
inline const char* name_of(lengths kind)
{
  constexpr const char* names[] = {"all empty", "mostly empty", "singles", "few", "hundreds", "power law", "one giant"};
  return names[static_cast<int>(kind)];
}

//! The shape of a block's work where Accums are folded.
template <class Accum>
reheat::detail::segmented_config segmented_shape()
{
  return reheat::detail::segmented_tuning<sizeof(Accum)>{}(kernel_arch());
}
template <class Accum>
std::size_t segmented_tile()
{
  return segmented_shape<Accum>().tile_items();
}

//! The length of segment `segment` of `segments`.
inline std::size_t length_of(lengths kind, std::size_t segment, std::size_t segments, std::size_t tile)
{
  const std::uint64_t bits = mix(segment), drawn = bits >> 16;
  switch (kind)
  {
    case lengths::all_empty:
      return 0;
    case lengths::mostly_empty:
      return bits % 10 == 0 ? 1 + drawn % 40 : 0;
    case lengths::singles:
      return 1;
    case lengths::few:
      return drawn % 8;
    case lengths::hundreds:
      return drawn % 300;
    case lengths::power_law: {
      std::size_t least = 1;
      for (std::uint64_t rest = bits; rest % 2 == 1 && least < 4096; rest /= 2)
      {
        least *= 2;
      }
      return least + drawn % least;
    }
    default:
      return segment == segments / 2 ? 20 * tile + 3 : drawn % 4;
  }
}

//! The offsets of `segments` segments, the first at `first`. 0 segments have one offset.
template <class Offset = std::uint32_t>
std::vector<Offset> make_offsets(lengths kind, std::size_t segments, std::size_t tile, std::uint64_t first = 0)
{
  std::vector<Offset> offsets{static_cast<Offset>(first)};
  for (std::size_t segment = 0; segment < segments; ++segment)
  {
    first += length_of(kind, segment, segments, tile);
    offsets.push_back(static_cast<Offset>(first));
  }
  return offsets;
}

//! Some numbers in [-0.3, 0.7).
inline std::vector<float> make_reals(std::size_t count)
{
  std::vector<float> items;
  for (std::size_t i = 0; i < count; ++i)
  {
    items.push_back(static_cast<float>(static_cast<double>(mix(i) >> 11) * 0x1p-53 - 0.3));
  }
  return items;
}

//! Segments of one item, more than are reduced as few. Segment `longest` of `parts` has as many items as shares allow whose
//! search has so many `candidates` (detail/segmented/even.cuh), and `more`.
inline std::vector<std::uint32_t> make_shares(const reheat::detail::segmented_config& shape, std::size_t candidates,
                                              std::size_t longest, std::size_t parts, int more)
{
  const std::size_t shares = shape.spans.few_spans, segments = shares * (shape.few_segments / shares + 1);
  const std::size_t group = segments / candidates + 1, most = reheat::detail::max_even_items(shape);
  const std::size_t allowed = most * segments / (segments - group) + 1;
  std::vector<std::uint32_t> offsets{1};
  for (std::size_t segment = 0; segment < segments; ++segment)
  {
    const bool is_longest = segment == segments * longest / parts / group * group;
    offsets.push_back(offsets.back() + (is_longest ? static_cast<std::uint32_t>(allowed + more) : 1));
  }
  return offsets;
}

//! init ⊕ the items of each segment, folded in Accum; `item(i)` is that at offset i.
template <class Accum, class Offset, class Item, class Init, class Op>
std::vector<Init> segmented_reference_of(Item item, const std::vector<Offset>& offsets, Init init, Op op)
{
  std::vector<Init> results;
  for (std::size_t segment = 0; segment + 1 < offsets.size(); ++segment)
  {
    const auto begin = static_cast<std::size_t>(offsets[segment]), end = static_cast<std::size_t>(offsets[segment + 1]);
    if (begin == end)
    {
      results.push_back(init);
      continue;
    }
    Accum folded = static_cast<Accum>(item(begin));
    for (std::size_t i = begin + 1; i < end; ++i)
    {
      folded = static_cast<Accum>(op(folded, static_cast<Accum>(item(i))));
    }
    results.push_back(static_cast<Init>(op(init, folded)));
  }
  return results;
}
template <class Accum, class In, class Offset, class Init, class Op>
std::vector<Init> segmented_reference(const std::vector<In>& items, const std::vector<Offset>& offsets, Init init, Op op)
{
  return segmented_reference_of<Accum>([&](std::size_t i) -> const In& { return items[i]; }, offsets, init, op);
}

//! The scan of each segment in Accum, inclusive or exclusive, from `*init` if that is not null. Items outside of segments
//! stay as they are in `result`.
template <class Accum, class In, class Offset, class Out, class Op>
std::vector<Out> segmented_scan_reference(const std::vector<In>& items, const std::vector<Offset>& offsets,
                                          std::vector<Out> result, bool inclusive, const Accum* init, Op op)
{
  for (std::size_t segment = 0; segment + 1 < offsets.size(); ++segment)
  {
    const auto begin = static_cast<std::size_t>(offsets[segment]), end = static_cast<std::size_t>(offsets[segment + 1]);
    std::vector<Accum> sums; // up to each item
    for (std::size_t i = begin; i < end; ++i)
    {
      const Accum item = static_cast<Accum>(items[i]);
      sums.push_back(i != begin        ? static_cast<Accum>(op(sums.back(), item))
                     : init != nullptr ? static_cast<Accum>(op(*init, item))
                                       : item);
      result[i] = static_cast<Out>(inclusive ? sums.back() : i == begin ? *init : sums[i - begin - 1]);
    }
  }
  return result;
}

//! Joins intervals that meet. Nothing, from 0 to 0, joins with everything.
struct join_intervals
{
  REHEAT_HOST_DEVICE static bool nothing(const interval& x) { return x.begin == 0 && x.end == 0; }
  REHEAT_HOST_DEVICE interval operator()(const interval& x, const interval& y) const
  {
    return nothing(x) ? y : nothing(y) ? x : values<interval>::fold(x, y);
  }
};

//! One call over items in memory with an initial value, against the reference, under `seeds` schedules.
template <class T, class Offset, class Op>
void check_segments(const std::string& what, const std::vector<T>& items, const std::vector<Offset>& offsets, Op op,
                    unsigned seeds, placement where = placement::aligned)
{
  const T init = values<T>::make(0);
  const std::vector<T> expected = segmented_reference<T>(items, offsets, init, op);
  placed<T> in(items, where);
  placed<Offset> at(offsets, where);
  for_each_seed(seeds,
                [&]
                {
                  placed<T> out(expected.size(), where);
                  reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), init, op);
                  check_same(what, expected, out.items());
                });
}

//! The same for scans, of each kind and in place.
template <class T, class Offset, class Op>
void check_segment_scans(const std::string& what, const std::vector<T>& items, const std::vector<Offset>& offsets, Op op,
                         unsigned seeds, placement where = placement::aligned, placement out_where = placement::aligned)
{
  const T init = values<T>::make(0);
  const std::vector<T> untouched(items.size(), values<T>::make(3));
  const auto expected = [&](bool inclusive, const T* from, const std::vector<T>& before)
  { return segmented_scan_reference<T>(items, offsets, before, inclusive, from, op); };
  placed<Offset> at(offsets, where);
  placed<T> in(items, where);
  for_each_seed(seeds,
                [&]
                {
                  placed<T> out(untouched, out_where), from(untouched, out_where), before(untouched, out_where),
                      both(items, where);
                  reheat::segmented_inclusive_scan(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), op);
                  reheat::segmented_inclusive_scan(reheat::par, in.begin(), at.begin(), at.end(), from.begin(), init, op);
                  reheat::segmented_exclusive_scan(reheat::par, in.begin(), at.begin(), at.end(), before.begin(), init, op);
                  reheat::segmented_inclusive_scan(reheat::par, both.begin(), at.begin(), at.end(), both.begin(), op);
                  check_same(what + ", inclusive", expected(true, nullptr, untouched), out.items());
                  check_same(what + ", inclusive from a value", expected(true, &init, untouched), from.items());
                  check_same(what + ", exclusive", expected(false, &init, untouched), before.items());
                  check_same(what + ", in place", expected(true, nullptr, items), both.items());
                });
}

} // namespace compat
