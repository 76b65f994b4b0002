// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Segments that lie anywhere: neighbours, with gaps, over each other, in any order; their offsets in memory, and what
//! reductions and scans of them must give, one item after the other.
#pragma once

#include "calls.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace compat
{

struct layout
{
  std::string name;
  std::vector<std::int64_t> begins, ends;
  bool adjacent = false; //!< in memory, each begin is the end before it
  bool descends = false; //!< although one of them lies before the one before it

  std::size_t size() const { return begins.size(); }
  //! CUB 3.0.1 leaves anything for a segment that ends before it begins, and says nothing of its memory without segments.
  bool cub_agrees() const
  {
    return size() != 0 && std::equal(begins.begin(), begins.end(), ends.begin(), std::less_equal<std::int64_t>{});
  }
  void add(std::int64_t begin, std::int64_t end)
  {
    begins.push_back(begin);
    ends.push_back(end);
  }
};

//! Several tiles and spans of every kernel.
inline constexpr std::int64_t items_of_layouts = emulated ? 3000 : 150000;

inline layout adjacent_segments(const std::string& name, std::int64_t first, std::size_t count,
                                std::int64_t (*length)(std::uint64_t))
{
  layout result{name, {}, {}, true};
  for (std::size_t s = 0; s < count; ++s)
  {
    const std::int64_t begin = s == 0 ? first : result.ends.back();
    result.add(begin, std::min(items_of_layouts, begin + length(mix(s + count))));
  }
  return result;
}

inline std::vector<layout> adjacent_layouts()
{
  const std::size_t many = emulated ? 1000 : 20000;
  return {
      adjacent_segments("short and empty", 3, many, [](std::uint64_t bits) { return static_cast<std::int64_t>(bits % 5); }),
      adjacent_segments("long", 0, 12,
                        [](std::uint64_t bits) { return static_cast<std::int64_t>(bits % (items_of_layouts / 8)); }),
      adjacent_segments("all kinds", 5, many,
                        [](std::uint64_t bits) {
                          return static_cast<std::int64_t>(bits % 64 == 0 ? bits % 700 : bits % 4 == 0 ? bits % 9 : 0);
                        }),
      adjacent_segments("nothing", 7, 50, [](std::uint64_t) { return std::int64_t{0}; }),
      adjacent_segments("no segments", 7, 0, [](std::uint64_t) { return std::int64_t{0}; }),
  };
}

inline std::vector<layout> other_layouts()
{
  std::mt19937_64 bits(first_seed());
  const auto below = [&](std::int64_t limit)
  { return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(limit)); };
  layout gaps{"gaps", {}, {}}, overlaps{"overlaps", {}, {}}, any{"any order", {}, {}};
  for (std::int64_t at = 1; at < items_of_layouts; at += below(40))
  {
    const std::int64_t end = std::min(items_of_layouts, at + below(at % 32 == 0 ? 900 : 12));
    gaps.add(at, end);
    at = end + 1;
  }
  for (std::int64_t at = 0; at + 1300 < items_of_layouts; at += emulated ? 61 : 511)
  {
    overlaps.add(at, at + below(1300));
  }
  for (int s = 0; s < (emulated ? 150 : 3000); ++s)
  {
    const std::int64_t begin = below(items_of_layouts - 600);
    any.add(begin, s % 3 == 0 ? below(items_of_layouts) : begin + below(600)); // some end before they begin
    if (any.ends.back() - begin > 2000)
    {
      any.ends.back() = begin + 2000;
    }
  }
  layout one_giant{"one giant", {}, {}}, giants{"giants", {}, {}}, many{"many short", {}, {}};
  const std::int64_t short_segments = emulated ? 50 : 3000;
  for (std::int64_t s = 0; s < 2 * short_segments; ++s)
  {
    const std::int64_t begin = s < short_segments ? 4 * s : items_of_layouts - 4 * (2 * short_segments - s);
    one_giant.add(begin, s == short_segments ? begin : begin + below(4));
    if (s == short_segments)
    {
      one_giant.add(4 * s, begin);
    }
  }
  for (int s = 0; s < 20; ++s)
  {
    const std::int64_t begin = below(items_of_layouts / 4);
    giants.add(begin, items_of_layouts - below(items_of_layouts / 4));
  }
  for (int s = 0; s < (emulated ? 3000 : 1000000); ++s)
  {
    const std::int64_t begin = below(items_of_layouts - 5);
    many.add(begin, begin + below(6));
  }
  layout backwards = gaps, inverted = gaps,
         descending = adjacent_segments("", 0, 700, [](std::uint64_t b) { return static_cast<std::int64_t>(b % 7); });
  backwards.name = "backwards";
  std::reverse(backwards.begins.begin(), backwards.begins.end());
  std::reverse(backwards.ends.begin(), backwards.ends.end());
  inverted.name = "ends before begins";
  std::swap(inverted.begins, inverted.ends);
  // Each end is the next begin, and in the middle one lies before its segment: the next segment covers others again.
  descending.name = "adjacent, once descending";
  descending.ends[350] = descending.begins[351] = 11;
  descending.adjacent = descending.descends = true;
  // The first segment begins behind all others, and is empty.
  layout from_above =
      adjacent_segments("adjacent, from above", 3, 700, [](std::uint64_t b) { return static_cast<std::int64_t>(b % 7); });
  from_above.begins[0] = items_of_layouts - 5;
  from_above.descends = true;
  return {gaps,
          overlaps,
          any,
          backwards,
          inverted,
          one_giant,
          giants,
          many,
          descending,
          from_above,
          layout{"no segments", {}, {}}};
}
inline std::vector<layout> all_layouts()
{
  std::vector<layout> all = adjacent_layouts();
  for (layout& each : other_layouts())
  {
    all.push_back(std::move(each));
  }
  return all;
}

//! The offsets of a layout in memory: of adjacent segments in one array.
template <class Offset>
class offsets_in_memory
{
public:
  explicit offsets_in_memory(const layout& where)
  {
    std::vector<Offset> begins(where.begins.begin(), where.begins.end()), ends(where.ends.begin(), where.ends.end());
    if (where.adjacent)
    {
      begins.push_back(ends.empty() ? Offset(0) : ends.back());
      ends.clear();
    }
    begins_ = to_device(begins);
    ends_ = to_device(ends);
    adjacent_ = where.adjacent;
  }
  const Offset* begins() const { return raw(begins_); }
  const Offset* ends() const { return adjacent_ ? begins() + 1 : raw(ends_); }

private:
  thrust::device_vector<Offset> begins_, ends_;
  bool adjacent_ = false;
};

//! init ⊕ the items of each segment, from the left.
template <class Out, class In, class Op>
std::vector<Out> folds_of(const layout& where, const std::vector<In>& items, Out init, Op op)
{
  std::vector<Out> result(where.size(), init);
  for (std::size_t s = 0; s < where.size(); ++s)
  {
    for (std::int64_t i = where.begins[s]; i < where.ends[s]; ++i)
    {
      result[s] = static_cast<Out>(op(result[s], items[static_cast<std::size_t>(i)]));
    }
  }
  return result;
}

//! out[to(s) + i] = the scan of segment s up to item i; other items of `result` stay.
template <class T, class Op>
std::vector<T> scans_of(const layout& where, const std::vector<T>& items, std::vector<T> result,
                        const std::vector<std::int64_t>& out_begins, bool inclusive, const T* init, Op op)
{
  for (std::size_t s = 0; s < where.size(); ++s)
  {
    T sum{}; // up to the item before
    for (std::int64_t i = where.begins[s]; i < where.ends[s]; ++i)
    {
      const T item = items[static_cast<std::size_t>(i)];
      const bool first = i == where.begins[s];
      const T next = !first ? op(sum, item) : init != nullptr ? op(*init, item) : item;
      result[static_cast<std::size_t>(out_begins[s] + i - where.begins[s])] = inclusive ? next : first ? *init : sum;
      sum = next;
    }
  }
  return result;
}

} // namespace compat
