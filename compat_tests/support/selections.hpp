// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The items that a test selects, and the results that it expects.
#pragma once

#include "machine.hpp"
#include "tiles.hpp"
#include "values.hpp"

#include <reheat/detail/select/tuning.cuh>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace compat
{

//! The tile of selections of Ts, with a stencil of so many bytes an item.
template <class T, std::size_t FlagBytes = 0>
std::size_t select_tile()
{
  return reheat::detail::select_tuning<sizeof(T), FlagBytes>{}(kernel_arch()).tile_items();
}

//! How many tiles a selection of Ts has, all of them aligned: few are blocks' own, more are streamed.
template <class T, std::size_t FlagBytes = 0>
std::size_t select_tiles(std::size_t items)
{
  const std::size_t few =
      few_tiles_of<reheat::detail::select_tuning<sizeof(T), FlagBytes>, sizeof(T) + FlagBytes>(items).tiles;
  return few != 0 ? few : (items + select_tile<T, FlagBytes>() - 1) / select_tile<T, FlagBytes>();
}

//! Which items are selected.
enum class selected
{
  none,
  all,
  first,
  last,
  every_second,
  a_tenth,
  nine_tenths,
  runs, //!< of up to some thousand neighbours all are, or none is
};
inline constexpr selected all_selections[] = {selected::none,        selected::all,          selected::first,
                                              selected::last,        selected::every_second, selected::a_tenth,
                                              selected::nine_tenths, selected::runs};

inline bool is_selected(selected which, std::size_t index, std::size_t size)
{
  switch (which)
  {
    case selected::none:
      return false;
    case selected::all:
      return true;
    case selected::first:
      return index == 0;
    case selected::last:
      return index + 1 == size;
    case selected::every_second:
      return index % 2 == 1;
    case selected::a_tenth:
      return mix(index) % 10 == 0;
    case selected::nine_tenths:
      return mix(index) % 10 != 0;
    default:
      return (mix(index / 1500) & 1) != 0;
  }
}

//! A stencil: an odd number for each item that is selected, an even one for each that is not.
template <class Flag>
std::vector<Flag> make_flags(std::size_t size, selected which)
{
  std::vector<Flag> flags;
  for (std::size_t i = 0; i < size; ++i)
  {
    flags.push_back(static_cast<Flag>(2 * (mix(i) % 60) + (is_selected(which, i, size) ? 1 : 0)));
  }
  return flags;
}
struct is_flag
{
  template <class Flag>
  REHEAT_HOST_DEVICE bool operator()(const Flag& flag) const
  {
    return flag % 2 == 1;
  }
};

//! The items whose flags are odd.
template <class T, class Flag>
std::vector<T> selection_reference(const std::vector<T>& items, const std::vector<Flag>& flags)
{
  std::vector<T> result;
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    if (is_flag{}(flags[i]))
    {
      result.push_back(items[i]);
    }
  }
  return result;
}

//! What a selection in place leaves: the selected items, and behind them what was there.
template <class T>
std::vector<T> in_place_reference(std::vector<T> chosen, const std::vector<T>& items)
{
  chosen.insert(chosen.end(), items.begin() + static_cast<std::ptrdiff_t>(chosen.size()), items.end());
  return chosen;
}

} // namespace compat
