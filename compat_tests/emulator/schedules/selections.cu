// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Selections and partitions under many schedules: by a predicate and by a stencil, at every alignment, to other memory and
//! in place.
#include "checks.hpp"

#include "../../support/iterators.hpp"
#include "../../support/selections.hpp"

#include <reheat/device.cuh>

#include <thrust/copy.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/tuple.h>

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

template <class T, reheat::detail::few_tiles_size Size = reheat::detail::few_tiles_size::small>
std::size_t few_tiles_items()
{
  return most_items_of_few_tiles<reheat::detail::select_tuning<sizeof(T), 0>, sizeof(T), Size>();
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

//! Items are their own flags. There are up to so many, or some tiles that are streamed.
template <class T, std::size_t (*MaxItems)() = nullptr>
std::string by_predicate(draw& choose)
{
  constexpr std::size_t vector = 16 / sizeof(T);
  const std::size_t count = MaxItems != nullptr ? choose.items(MaxItems(), 1) : choose.items(select_tile<T>(), 12),
                    skipped = choose.below(vector);
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

//! Two calls of a stream: the second one selects from the first one's output.
std::string one_after_another(draw& choose)
{
  using u32 = std::uint32_t;
  const std::size_t count = choose.items(few_tiles_items<u32>(), 1);
  const std::vector<u32> items(count, 1), none(count, 0);
  placed_items<u32> in(items, choose.flip()), between(none, choose.flip()), out(none, choose.flip());
  placed_items<std::uint64_t> numbers(std::vector<std::uint64_t>(2, 77), false);
  reheat::copy_if_into(reheat::par_nosync, in.data(), in.data() + count, between.data(), is_flag{}, numbers.data());
  reheat::copy_if_into(reheat::par_nosync, between.data(), between.data() + count, out.data(), is_flag{},
                       numbers.data() + 1);
  wait_for_all_streams();
  return numbers.items() != std::vector<std::uint64_t>(2, count) ? "the number of items is wrong"
                                                                 : differing(items, out.items());
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

//! The items whose flags are even.
template <class T, class Flag>
std::vector<T> rejected_of(const std::vector<T>& items, const std::vector<Flag>& flags)
{
  std::vector<T> result;
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    if (!is_flag{}(flags[i]))
    {
      result.push_back(items[i]);
    }
  }
  return result;
}

//! To two outputs at any alignment, with nothing but what belongs there stored in them.
template <class T>
std::string partition_copy(draw& choose)
{
  constexpr std::size_t vector = 16 / sizeof(T);
  const std::size_t count = choose.items(select_tile<T>(), 12), skipped = choose.below(vector);
  const std::vector<T> items = make_flags<T>(count, all_selections[choose.below(std::size(all_selections))]);
  const std::vector<T> chosen = selection_reference(items, items), others = rejected_of(items, items);
  placed_items<T> in(behind(skipped, items), false);
  const std::size_t first = choose.below(vector), second = choose.below(vector);
  const std::vector<T> room = behind(first, std::vector<T>(count, T(77))),
                       other_room = behind(second, std::vector<T>(count, T(77)));
  placed_items<T> out(room, false), rejected(other_room, false);
  const T* const begin = in.data() + skipped;
  const auto ends =
      thrust::partition_copy(reheat::par, begin, begin + count, out.data() + first, rejected.data() + second, is_flag{});
  if (ends.first != out.data() + first + chosen.size() || ends.second != rejected.data() + second + others.size())
  {
    return "the number of items is wrong";
  }
  const std::string differs = differing(expected_output(room, first, chosen), out.items());
  return !differs.empty() ? differs : differing(expected_output(other_room, second, others), rejected.items());
}

//! In place, where the rejected items are copied back from scratch memory.
template <class T>
std::string partition_in_place(draw& choose)
{
  const std::size_t count = choose.items(select_tile<T>(), 12), skipped = choose.below(16 / sizeof(T));
  const std::vector<T> items = make_flags<T>(count, all_selections[choose.below(std::size(all_selections))]);
  std::vector<T> expected = selection_reference(items, items);
  const std::size_t chosen = expected.size();
  const std::vector<T> others = rejected_of(items, items), before = behind(skipped, items);
  expected.insert(expected.end(), others.begin(), others.end());
  placed_items<T> both(before, false);
  T* const begin = both.data() + skipped;
  const T* const middle = thrust::stable_partition(reheat::par, begin, begin + count, is_flag{});
  return middle != begin + chosen ? "the number of items is wrong"
                                  : differing(expected_output(before, skipped, expected), both.items());
}

//! Is asked about pairs, whose first item is the flag.
struct is_flag_of_pair
{
  template <class Pair>
  bool operator()(const Pair& pair) const
  {
    return is_flag{}(thrust::get<0>(pair));
  }
};

//! Of pairs in two arrays, to two others or in place, or parted to four others.
template <bool Parts>
std::string zipped(draw& choose)
{
  using u8 = std::uint8_t;
  using u32 = std::uint32_t;
  const std::size_t count = choose.items(select_tile<u32>(), 8), skipped = choose.below(4), first = choose.below(4);
  const std::vector<u8> flags = make_flags<u8>(count, all_selections[choose.below(std::size(all_selections))]);
  const std::vector<u32> items = make_items<u32>(count, choose.below(1000));
  const std::vector<u8> chosen_flags = selection_reference(flags, flags), other_flags = rejected_of(flags, flags);
  const std::vector<u32> chosen = selection_reference(items, flags), others = rejected_of(items, flags);
  const std::vector<u8> flags_before = behind(skipped, flags), flag_room = behind(first, std::vector<u8>(count, u8(77)));
  const std::vector<u32> before = behind(skipped, items), room = behind(first, std::vector<u32>(count, 77u));
  placed_items<u8> in_flags(flags_before, false), out_flags(flag_room, false), rejected_flags(flag_room, false);
  placed_items<u32> in(before, false), out(room, false), rejected(room, false);
  const auto from = thrust::make_zip_iterator(in_flags.data() + skipped, in.data() + skipped),
             to = thrust::make_zip_iterator(out_flags.data() + first, out.data() + first);
  const auto number = static_cast<std::ptrdiff_t>(count), found = static_cast<std::ptrdiff_t>(chosen.size());
  if constexpr (Parts)
  {
    const auto rest = thrust::make_zip_iterator(rejected_flags.data() + first, rejected.data() + first);
    const auto ends = thrust::partition_copy(reheat::par, from, from + number, to, rest, is_flag_of_pair{});
    const std::string wrong = differing(expected_output(flag_room, first, other_flags), rejected_flags.items()) +
                              differing(expected_output(room, first, others), rejected.items());
    if (ends.first - to != found || ends.second - rest != number - found || !wrong.empty())
    {
      return "rejected pairs: " + wrong;
    }
  }
  else if (in_place && choose.flip())
  {
    if (thrust::copy_if(reheat::par, from, from + number, from, is_flag_of_pair{}) - from != found)
    {
      return "the number of items is wrong";
    }
    return differing(expected_output(flags_before, skipped, chosen_flags), in_flags.items()) +
           differing(expected_output(before, skipped, chosen), in.items());
  }
  else if (thrust::copy_if(reheat::par, from, from + number, to, is_flag_of_pair{}) - to != found)
  {
    return "the number of items is wrong";
  }
  return differing(expected_output(flag_room, first, chosen_flags), out_flags.items()) +
         differing(expected_output(room, first, chosen), out.items());
}

//! CUB's: the rejected items are reversed behind the selected ones. Several calls share the caller's memory.
template <class T>
std::string partition_reversed(draw& choose)
{
  const std::size_t count = choose.items(select_tile<T>(), 12), first = choose.below(16 / sizeof(T));
  const std::vector<T> items = make_flags<T>(count, all_selections[choose.below(std::size(all_selections))]);
  std::vector<T> expected = selection_reference(items, items);
  const std::vector<T> others = rejected_of(items, items);
  const std::uint64_t chosen = expected.size();
  expected.insert(expected.end(), others.rbegin(), others.rend());
  placed_items<T> in(items, choose.flip());
  const std::vector<T> room = behind(first, std::vector<T>(count, T(77)));
  placed_items<T> out(room, false);
  placed_items<std::uint64_t> number(std::vector<std::uint64_t>(1, 77), false);
  const T* const begin = in.data();
  std::size_t bytes = 0;
  static_cast<void>(reheat::DevicePartition::If(nullptr, bytes, begin, out.data() + first, number.data(),
                                                static_cast<std::int64_t>(count), is_flag{}));
  std::vector<unsigned char> memory(bytes, 0xff);
  static_cast<void>(reheat::DevicePartition::If(memory.data(), bytes, begin, out.data() + first, number.data(),
                                                static_cast<std::int64_t>(count), is_flag{}));
  wait_for_all_streams();
  return number.items()[0] != chosen ? "the number of items is wrong"
                                     : differing(expected_output(room, first, expected), out.items());
}

//! Counts how often an item, which is an index, is asked about.
struct counted_index
{
  std::uint32_t of;
  unsigned* asked;
  bool operator()(std::uint32_t index) const
  {
    ++asked[index];
    return index % of == 0;
  }
};

std::string three_parts(draw& choose)
{
  using u32 = std::uint32_t;
  const std::size_t count = choose.items(select_tile<u32>(), 12);
  std::vector<u32> items(count), parts[3];
  std::vector<unsigned> first_asked(count, 0), second_asked(count, 0), second_expected(count, 0);
  for (u32 i = 0; i < count; ++i)
  {
    items[i] = i;
    parts[i % 3 == 0 ? 0 : i % 2 == 0 ? 1 : 2].push_back(i);
    second_expected[i] = i % 3 == 0 ? 0 : 1;
  }
  placed_items<u32> in(items, choose.flip()), first(std::vector<u32>(parts[0].size(), 77), false);
  placed_items<u32> second(std::vector<u32>(parts[1].size(), 77), false), rest(std::vector<u32>(parts[2].size(), 77), false);
  placed_items<std::uint64_t> numbers(std::vector<std::uint64_t>(2, 77), false);
  const u32* const begin = in.data();
  const auto call = [&](void* memory, std::size_t& bytes)
  {
    return reheat::DevicePartition::If(memory, bytes, begin, first.data(), second.data(), rest.data(), numbers.data(), count,
                                       counted_index{3, first_asked.data()}, counted_index{2, second_asked.data()});
  };
  std::size_t bytes = 0;
  static_cast<void>(call(nullptr, bytes));
  std::vector<unsigned char> memory(bytes, 0xff);
  static_cast<void>(call(memory.data(), bytes));
  wait_for_all_streams();
  if (numbers.items() != std::vector<std::uint64_t>{parts[0].size(), parts[1].size()})
  {
    return "the numbers of items are wrong";
  }
  if (first_asked != std::vector<unsigned>(count, 1) || second_asked != second_expected)
  {
    return "an operator was not asked once about each of its items";
  }
  const std::string wrong = differing(parts[0], first.items()) + differing(parts[1], second.items());
  return !wrong.empty() ? wrong : differing(parts[2], rest.items());
}

} // namespace

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> all = []
  {
    std::vector<scenario> listed = {
        {"selections/bytes", "selection", by_predicate<std::uint8_t>},
        {"selections/words", "selection", by_predicate<std::uint32_t>},
        {"selections/words_by_stencil", "selection", by_stencil<std::uint64_t>},
        {"selections/pairs_by_stencil", "selection", by_stencil<affine<std::uint32_t>>},
        {"selections/bytes_of_few_tiles", "few_tiles", by_predicate<std::uint8_t, few_tiles_items<std::uint8_t>>},
        {"selections/words_of_few_tiles", "few_tiles", by_predicate<std::uint32_t, few_tiles_items<std::uint32_t>>},
        {"selections/words_of_large_tiles", "few_tiles",
         by_predicate<std::uint32_t, few_tiles_items<std::uint32_t, reheat::detail::few_tiles_size::large>>},
        {"selections/one_after_another", "few_tiles", one_after_another},
        {"selections/zipped", "selection", zipped<false>},
        {"partitions/zipped", "partition", zipped<true>},
        {"partitions/bytes", "partition", partition_copy<std::uint8_t>},
        {"partitions/words", "partition", partition_copy<std::uint32_t>},
        {"partitions/three_parts", "partition", three_parts},
        {"partitions/bytes_reversed", "partition", partition_reversed<std::uint8_t>},
    };
    if (in_place)
    {
      listed.push_back({"partitions/bytes_in_place", "partition", partition_in_place<std::uint8_t>});
      listed.push_back({"partitions/halves_in_place", "partition", partition_in_place<std::uint16_t>});
    }
    return listed;
  }();
  return all;
}

} // namespace schedules::selections
