// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What selections select, and how sorts order, on the host.
#pragma once

#include "key_runs.hpp"
#include "machine.hpp"
#include "vocabulary.hpp"

#include <family/host.hpp>

#include <cmath>
#include <functional>
#include <vector>

namespace compare
{

//! The operands of a selection or a sort, as in calls.cuh.
template <class T>
struct selection_range
{
  struct has_odd_key
  {
    bool operator()(key_type key) const { return key % 2 != 0; }
  };

  struct is_less
  {
    T bound;
    bool operator()(T item) const { return item < bound; }
  };

  // As radix sorts have it: what is not a number stands behind all numbers, or in front of all if its sign is set.
  struct in_order
  {
    static int side(T item) { return item == item ? 0 : std::signbit(static_cast<double>(item)) ? -1 : 1; }
    bool operator()(T x, T y) const { return side(x) != side(y) ? side(x) < side(y) : x < y; }
  };

  const T *first, *last;
  std::vector<key_type> keys;
  T counted;
  has_odd_key is_flagged{};
  is_less is_counted;
  std::equal_to<key_type> equal{};
  in_order less{};

  explicit selection_range(const request& row)
      : first(reinterpret_cast<const T*>(row.items)), last(first + row.count), keys(row.count),
        counted(*first), is_counted{*first}
  {
    fill_keys(keys.data(), row.count);
  }
};

//! The items that the row's algorithm, a selection, selects, or those that it does not select.
template <class T, bool Selected = true>
std::vector<T> selected_items(const request& row)
{
  std::vector<T> selected;
  accelerated::for_each_algorithm(
      [&](auto which)
      {
        if constexpr (facts_of(which).selects())
        {
          if (row.algorithm == which)
          {
            selected = accelerated::selected_on_host<which, Selected>(selection_range<T>(row));
          }
        }
      });
  return selected;
}

//! The places of the items in the order of the row's algorithm, a sort.
template <class T>
std::vector<std::size_t> sorted_places(const request& row)
{
  std::vector<std::size_t> places;
  accelerated::for_each_algorithm(
      [&](auto which)
      {
        if constexpr (facts_of(which).sorts())
        {
          if (row.algorithm == which)
          {
            places = accelerated::sorted_on_host<which>(selection_range<T>(row));
          }
        }
      });
  return places;
}

} // namespace compare
