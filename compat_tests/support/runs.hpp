// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Items in runs of equal neighbours, and what unique has to leave of them.
#pragma once

#include "machine.hpp"
#include "tiles.hpp"
#include "values.hpp"

#include <reheat/detail/select/unique_tuning.cuh>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace compat
{

//! The tile of unique of Ts, with values of so many bytes.
template <class T, std::size_t ValueBytes = 0>
std::size_t unique_tile()
{
  return reheat::detail::unique_tuning<sizeof(T), ValueBytes>{}(kernel_arch()).tile_items();
}

//! The tile in a call of so many items: few tiles are blocks' own, more are streamed.
template <class T>
std::size_t unique_tile_of(std::size_t items)
{
  const tiles_of_blocks few = few_tiles_of<reheat::detail::unique_tuning<sizeof(T), 0>, sizeof(T)>(items);
  return few.tiles == 0 ? unique_tile<T>() : few.tile_items;
}

//! Where runs begin.
enum class run_lengths
{
  of_one,
  all_equal,
  of_four,
  mixed,     //!< of 1 to 8
  of_dozens, //!< 30 on average
  long_ones, //!< of some thousand
  last_item, //!< the last item is a run of its own
};
inline constexpr run_lengths all_run_lengths[] = {run_lengths::of_one,   run_lengths::all_equal, run_lengths::of_four,
                                                  run_lengths::mixed,    run_lengths::of_dozens, run_lengths::long_ones,
                                                  run_lengths::last_item};

//! Of items behind the first one.
inline bool begins_run(run_lengths lengths, std::size_t index, std::size_t size)
{
  switch (lengths)
  {
    case run_lengths::of_one:
      return true;
    case run_lengths::all_equal:
      return false;
    case run_lengths::of_four:
      return index % 4 == 0;
    case run_lengths::mixed:
      return mix(index) % 3 == 0;
    case run_lengths::of_dozens:
      return mix(index) % 30 == 0;
    case run_lengths::long_ones:
      return mix(index) % 3000 == 0;
    default:
      return index + 1 == size;
  }
}

//! Numbers of runs. Neighbouring runs differ, and numbers come back: equal items that are apart are no run.
inline std::vector<std::uint64_t> make_run_numbers(std::size_t size, run_lengths lengths)
{
  std::vector<std::uint64_t> numbers;
  std::uint64_t number = 7;
  for (std::size_t i = 0; i < size; ++i)
  {
    number = (number + (i != 0 && begins_run(lengths, i, size) ? 1 + mix(i) % 2 : 0)) % 117;
    numbers.push_back(number);
  }
  return numbers;
}
//! The same as Ts.
template <class T>
std::vector<T> make_runs(std::size_t size, run_lengths lengths)
{
  std::vector<T> items;
  for (const std::uint64_t number : make_run_numbers(size, lengths))
  {
    items.push_back(values<T>::make(static_cast<std::uint32_t>(number)));
  }
  return items;
}

//! The items, or what stands at the places of `items` in `beside`, that differ from the one before.
template <class T, class Beside, class Equal>
std::vector<Beside> unique_reference(const std::vector<T>& items, const std::vector<Beside>& beside, Equal equal)
{
  std::vector<Beside> result;
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    if (i == 0 || !equal(items[i - 1], items[i]))
    {
      result.push_back(beside[i]);
    }
  }
  return result;
}

template <class T, class Length>
struct runs_of_items
{
  std::vector<T> first;
  std::vector<Length> index, length;
};

//! The runs of at least so many items: their first items, the indices of these, and lengths.
template <class Length, class T>
runs_of_items<T, Length> runs_reference(const std::vector<T>& items, std::size_t least)
{
  runs_of_items<T, Length> runs;
  for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end)
  {
    for (end = begin + 1; end < items.size() && items[end] == items[begin]; ++end)
    {}
    if (end - begin >= least)
    {
      runs.first.push_back(items[begin]);
      runs.index.push_back(static_cast<Length>(begin));
      runs.length.push_back(static_cast<Length>(end - begin));
    }
  }
  return runs;
}

//! The range after unique in place: the items that are kept, and behind them the items that stood there before.
template <class T>
std::vector<T> unique_in_place_reference(std::vector<T> kept, const std::vector<T>& items)
{
  kept.insert(kept.end(), items.begin() + static_cast<std::ptrdiff_t>(kept.size()), items.end());
  return kept;
}

} // namespace compat
