// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Selections under many schedules: by a predicate and by a stencil, at every alignment, to other memory and in place.
#include "checks.hpp"

#include "../../support/iterators.hpp"
#include "../../support/selections.hpp"

#include <thrust/copy.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <algorithm>
#include <iterator>

namespace schedules::selections
{
namespace
{

// A tile's output may overwrite items that tiles before have read: what those published came after their loads.
// ThreadSanitizer knows no order but that of releases and acquires, which small values are published without.
#if defined(__SANITIZE_THREAD__) && !REHEAT_SCHEDULES_WATCH
inline constexpr bool in_place = false;
#else
inline constexpr bool in_place = true;
#endif

//! `items` behind so many others.
template <class T>
std::vector<T> behind(std::size_t others, std::vector<T> items)
{
  items.insert(items.begin(), others, T(0));
  return items;
}

//! What the output has to hold: its first items and all behind the selected ones as they were.
template <class T>
std::vector<T> expected_output(std::vector<T> before, std::size_t first, const std::vector<T>& chosen)
{
  std::copy(chosen.begin(), chosen.end(), before.begin() + static_cast<std::ptrdiff_t>(first));
  return before;
}

//! Is asked about a flag's place, and counts how often.
template <class T>
struct counted_flag
{
  const T* flags;
  unsigned* asked;
  bool operator()(std::uint32_t place) const
  {
    ++asked[place];
    return flags[place] % 2 == 1;
  }
};

//! Items are their own flags.
template <class T>
std::string by_predicate(draw& choose)
{
  constexpr std::size_t vector = 16 / sizeof(T);
  const std::size_t count = choose.items(select_tile<T>(), 12), skipped = choose.below(vector);
  const std::vector<T> items = make_flags<T>(count, all_selections[choose.below(std::size(all_selections))]);
  const std::vector<T> chosen = selection_reference(items, items), before = behind(skipped, items);
  placed_items<T> in(before, false);
  if (in_place && choose.below(3) == 0)
  {
    const T* const end =
        thrust::copy_if(reheat::par, in.data() + skipped, in.data() + skipped + count, in.data() + skipped, is_flag{});
    return end != in.data() + skipped + chosen.size() ? "the number of items is wrong"
                                                      : differing(expected_output(before, skipped, chosen), in.items());
  }
  const std::size_t first = choose.below(vector);
  const std::vector<T> room = behind(first, std::vector<T>(count, T(77)));
  placed_items<T> out(room, false);
  const T* const begin = in.data() + skipped;
  const bool one_by_one = choose.below(4) == 0;
  const std::ptrdiff_t stored =
      one_by_one ? thrust::copy_if(reheat::par, begin, begin + count,
                                   thrust::make_transform_output_iterator(out.data() + first, unchanged{}), is_flag{}) -
                       thrust::make_transform_output_iterator(out.data() + first, unchanged{})
                 : thrust::copy_if(reheat::par, begin, begin + count, out.data() + first, is_flag{}) - (out.data() + first);
  return stored != static_cast<std::ptrdiff_t>(chosen.size()) ? "the number of items is wrong"
                                                              : differing(expected_output(room, first, chosen), out.items());
}

//! The stencil holds places, and the predicate counts how often it is asked about each.
template <class T>
std::string by_stencil(draw& choose)
{
  const std::size_t count = choose.items(select_tile<T, 4>(), 12);
  const std::vector<T> items = make_items<T>(count, choose.below(1000));
  const std::vector<std::uint32_t> flags =
      make_flags<std::uint32_t>(count, all_selections[choose.below(std::size(all_selections))]);
  std::vector<std::uint32_t> places(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    places[i] = static_cast<std::uint32_t>(i);
  }
  std::vector<unsigned> asked(count, 0);
  const std::vector<T> chosen = selection_reference(items, flags);
  placed_items<T> in(items, choose.flip()), separate(items, choose.flip());
  placed_items<std::uint32_t> stencil(places, choose.flip());
  placed_items<T>& out = in_place && choose.flip() ? in : separate;
  const T* const end = thrust::copy_if(reheat::par, in.data(), in.data() + count, stencil.data(), out.data(),
                                       counted_flag<std::uint32_t>{flags.data(), asked.data()});
  if (end != out.data() + chosen.size())
  {
    return "the number of items is wrong";
  }
  if (asked != std::vector<unsigned>(count, 1))
  {
    return "the predicate was not asked once about each item";
  }
  return differing(expected_output(items, 0, chosen), out.items());
}

} // namespace

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> all = {
      {"selections/bytes", "selection", by_predicate<std::uint8_t>},
      {"selections/words", "selection", by_predicate<std::uint32_t>},
      {"selections/words_by_stencil", "selection", by_stencil<std::uint64_t>},
      {"selections/pairs_by_stencil", "selection", by_stencil<affine<std::uint32_t>>},
  };
  return all;
}

} // namespace schedules::selections
