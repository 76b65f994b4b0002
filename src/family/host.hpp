// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the calls of table.inc that return numbers have to return, by the standard library, what selections select, and how
//! sorts order.
//! Needs no Thrust.
#pragma once

#include "family.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace accelerated
{

template <algorithm Which>
struct host_call_of;

//! How many runs there are of items that the predicate all holds for, or for none.
template <class It, class Predicate>
std::ptrdiff_t runs_of(It first, It last, Predicate predicate)
{
  std::ptrdiff_t runs = 0;
  for (It item = first; item != last; ++item)
  {
    runs += item == first || predicate(item[-1]) != predicate(*item) ? 1 : 0;
  }
  return runs;
}

#define REHEAT_FAMILY_NUMBERS(name, ...)                                                                                    \
  template <>                                                                                                               \
  struct host_call_of<algorithm::name>                                                                                      \
  {                                                                                                                         \
    template <class Range>                                                                                                  \
    auto operator()(const Range& r) const                                                                                   \
    {                                                                                                                       \
      return __VA_ARGS__;                                                                                                   \
    }                                                                                                                       \
  };
#include "table.inc"

//! `r` is in host memory; its operands have the names of those in calls.cuh.
template <algorithm Which, class Range>
numbers numbers_on_host(const Range& r)
{
  return numbers_of(r.first, host_call_of<Which>()(r));
}

template <algorithm Which>
struct selection_of;

#define REHEAT_FAMILY_SELECTS(name, ...)                                                                                    \
  template <>                                                                                                               \
  struct selection_of<algorithm::name>                                                                                      \
  {                                                                                                                         \
    template <class Range, class Item, class Key>                                                                           \
    static bool selects(const Range& r, [[maybe_unused]] const Item& item, [[maybe_unused]] const Key& key,                 \
                        [[maybe_unused]] std::ptrdiff_t at)                                                                 \
    {                                                                                                                       \
      return __VA_ARGS__;                                                                                                   \
    }                                                                                                                       \
  };
#include "table.inc"

//! The items that the algorithm selects, or those that it does not select. `r` is in host memory.
template <algorithm Which, bool Selected = true, class Range>
auto selected_on_host(const Range& r)
{
  std::vector<std::decay_t<decltype(*r.first)>> selected;
  for (auto item = r.first; item != r.last; ++item)
  {
    if (selection_of<Which>::selects(r, *item, r.keys[item - r.first], item - r.first) == Selected)
    {
      selected.push_back(*item);
    }
  }
  return selected;
}

template <algorithm Which>
struct order_of;

#define REHEAT_FAMILY_SORTS(name, ...)                                                                                      \
  template <>                                                                                                               \
  struct order_of<algorithm::name>                                                                                          \
  {                                                                                                                         \
    template <class Range, class Item, class Key>                                                                           \
    static bool comes_before([[maybe_unused]] const Range& r, [[maybe_unused]] const Item& x,                               \
                             [[maybe_unused]] const Key& x_key, [[maybe_unused]] const Item& y,                             \
                             [[maybe_unused]] const Key& y_key)                                                             \
    {                                                                                                                       \
      return __VA_ARGS__;                                                                                                   \
    }                                                                                                                       \
  };
#include "table.inc"

//! The places of the items in the order that the algorithm, a sort, brings them in. Equals keep their order. `r` is in host
//! memory.
template <algorithm Which, class Range>
std::vector<std::size_t> sorted_on_host(const Range& r)
{
  std::vector<std::size_t> places(static_cast<std::size_t>(r.last - r.first));
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t x, std::size_t y)
                   { return order_of<Which>::comes_before(r, r.first[x], r.keys[x], r.first[y], r.keys[y]); });
  return places;
}

} // namespace accelerated
