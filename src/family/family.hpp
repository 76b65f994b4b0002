// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The algorithms accelerated by reheat, and the facts of table.inc about each. Needs no Thrust; the calls are in calls.cuh.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace accelerated
{

enum class algorithm
{
#define REHEAT_FAMILY_ALGORITHM(name, ...) name,
#include "table.inc"
};

//! What reports show together.
enum class group
{
  reductions,
  extrema,
  early_stops, //!< of a range whose first part decides, the rest is not read
  lookups,     //!< they read a few items
  scans,
  by_key, //!< each run of equal keys is a range of its own
  selections,
  sorts,
};

//! What a call has for the host.
enum class gives
{
  nothing, //!< its output stays in the machine's memory: it waits if its policy does
  words,   //!< a result that is polled for: it needs no wait
  ends,    //!< where its output ends: a result beside other output, so it waits whatever the policy
};

//! What an algorithm makes of its items.
enum class output
{
  total,         //!< one fold of all
  inclusive,     //!< at each position the fold up to and with its item
  exclusive,     //!< the same without its item
  run_totals,    //!< for each run of equal keys its fold, and its key
  selection,     //!< the items that are selected
  remainder,     //!< the same at the beginning of the items' own memory: what stands behind them stays
  partition,     //!< the items that are selected, and behind them the others, in the items' own memory
  sorted,        //!< the items in another order, in their own memory
  sorted_by_key, //!< keys and items in the order of the keys, in their own memory
  number,        //!< a count, a position or a truth, whatever the items are
  two_numbers,
};

//! What is folded of each item.
enum class term
{
  none, //!< the algorithm folds nothing
  item,
  mapped,  //!< what a functor makes of the item
  product, //!< of the item and its key
  flagged, //!< nothing: the item's key says whether the item is selected
};

//! What an algorithm does with the array of keys.
enum class key_use
{
  none,
  factors, //!< every item is multiplied by its key
  runs,    //!< every run of equal keys is a range of its own
  flags,   //!< keys are the stencil of a selection
  order,   //!< items are sorted by their keys
};

struct algorithm_facts
{
  const char* name;
  accelerated::group group;
  accelerated::gives gives;
  accelerated::output output;
  accelerated::term term;
  const char* meaning; //!< of a row of reheat-compare

  //! Whether each fold starts with the initial value.
  constexpr bool starts_with_init() const { return output == output::total || output == output::exclusive; }
  constexpr key_use keys() const
  {
    return group == group::by_key            ? key_use::runs
           : output == output::sorted_by_key ? key_use::order
           : term == term::product           ? key_use::factors
           : term == term::flagged           ? key_use::flags
                                             : key_use::none;
  }
  constexpr bool is_scan() const { return output == output::inclusive || output == output::exclusive; }
  constexpr bool gives_numbers() const { return output == output::number || output == output::two_numbers; }
  constexpr bool selects() const
  {
    return output == output::selection || output == output::remainder || output == output::partition;
  }
  constexpr bool is_in_place() const { return output == output::remainder || output == output::partition || sorts(); }
  constexpr bool sorts() const { return output == output::sorted || output == output::sorted_by_key; }
  //! Whether keys are a part of the output.
  constexpr bool writes_keys() const { return output == output::run_totals || output == output::sorted_by_key; }
};

inline constexpr algorithm_facts all_facts[]{
#define REHEAT_FAMILY_ALGORITHM(name, in_group, for_host, made, folded, meaning)                                            \
  {#name, group::in_group, gives::for_host, output::made, term::folded, meaning},
#include "table.inc"
};
inline constexpr std::size_t algorithm_count = sizeof(all_facts) / sizeof(all_facts[0]);

constexpr const algorithm_facts& facts_of(algorithm which)
{
  return all_facts[static_cast<std::size_t>(which)];
}

inline constexpr std::array<algorithm, algorithm_count> algorithms{
#define REHEAT_FAMILY_ALGORITHM(name, ...) algorithm::name,
#include "table.inc"
};

template <algorithm Which>
using algorithm_constant = std::integral_constant<algorithm, Which>;

//! `visit(algorithm_constant<which>())` for each.
template <class Visit>
void for_each_algorithm(Visit&& visit)
{
#define REHEAT_FAMILY_ALGORITHM(name, ...) visit(algorithm_constant<algorithm::name>());
#include "table.inc"
}

//! What a call returns, in numbers: iterators are distances from where their range begins. A number that stands alone is the
//! first one.
using numbers = std::array<std::int64_t, 2>;

//! Of a count, a truth, a position, or of two positions in a pair.
template <class It, class Returned>
numbers numbers_of(It first, const Returned& returned)
{
  if constexpr (std::is_integral_v<Returned>)
  {
    return numbers{{static_cast<std::int64_t>(returned), 0}};
  }
  else if constexpr (std::is_convertible_v<Returned, It>)
  {
    return numbers{{returned - first, 0}};
  }
  else
  {
    return numbers{{returned.first - first, returned.second - first}};
  }
}

} // namespace accelerated
