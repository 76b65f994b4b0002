// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Searches. Each function returns an index, and the number of items if there is no such index; of no items at once, without
//! a wait. Functors may be called for items behind the index that is found, and see values, never proxies.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/algorithms/transform_reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/search/dispatch.cuh>
#include <reheat/detail/search/neighbours.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! Whether the predicate says `Wanted` of an item. It gets a copy of the item, so that it may take a T&, as in Thrust.
template <class Predicate, bool Wanted>
struct answer_term
{
  Predicate predicate;

  template <class T>
  REHEAT_DEVICE bool operator()(T& item, std::uint64_t)
  {
    return static_cast<bool>(predicate(item)) == Wanted;
  }
};

//! Whether a pair does not satisfy the predicate.
template <class Predicate>
struct mismatch_term
{
  Predicate predicate;

  template <class Left, class Right>
  REHEAT_DEVICE bool operator()(Left& left, Right& right)
  {
    return !static_cast<bool>(predicate(left, right));
  }
};

//! Whether two neighbours descend.
template <class Less>
struct descent_term
{
  Less less;

  template <class T>
  REHEAT_DEVICE bool operator()(const T& item, const T& next)
  {
    return static_cast<bool>(less(next, item));
  }
};

//! Whether an item that does not satisfy the predicate precedes one that does.
template <class Predicate>
struct unpartitioned_term
{
  Predicate predicate;

  template <class T>
  REHEAT_DEVICE bool operator()(const T& item, const T& next)
  {
    T own(item), behind(next); // the predicate may take a T&
    return static_cast<bool>(predicate(behind)) && !static_cast<bool>(predicate(own));
  }
};

//! Whether the item at an index satisfies the predicate.
template <class InputIt, class Predicate>
struct is_at_index
{
  InputIt in;
  Predicate predicate;

  REHEAT_DEVICE bool operator()(std::uint64_t index)
  {
    detail::value_of<InputIt> item = detail::read_item(in, index);
    return static_cast<bool>(predicate(item));
  }
};

//! A public call on `items` items: returns the first hit among the `count` terms of `make_terms()`, which is called only if
//! there are any, and `items` if there is none.
template <class Item, class Environment, class MakeTerms>
std::uint64_t search_made_terms(const Environment& env, std::uint64_t items, std::uint64_t count, MakeTerms make_terms)
{
  if (count == 0)
  {
    return items;
  }
  return return_from_device<Item>(env, items, "",
                                  [&]
                                  {
                                    const std::uint64_t found = detail::first_hit(env, make_terms(), count);
                                    return found == count ? items : found;
                                  });
}

//! The first item of which the predicate says `Wanted`.
template <bool Wanted, class Environment, class InputIt, class Predicate>
std::uint64_t find_if(const Environment& env, InputIt in, std::uint64_t items, Predicate predicate)
{
  return search_made_terms<detail::value_of<InputIt>>(
      env, items, items, [&] { return mapped_items_of(env, in, answer_term<Predicate, Wanted>{predicate}); });
}

//! The first pair of which the predicate is false.
template <class Environment, class LeftIt, class RightIt, class Predicate>
std::uint64_t mismatch(const Environment& env, LeftIt left, RightIt right, std::uint64_t items, Predicate predicate)
{
  return search_made_terms<detail::value_of<LeftIt>>(
      env, items, items, [&] { return zipped_items_of(env, left, right, mismatch_term<Predicate>{predicate}); });
}

//! The first item whose pair with the next one is a hit. Of n items n − 1 have a next one.
template <class Environment, class InputIt, class Map>
std::uint64_t find_neighbours(const Environment& env, InputIt in, std::uint64_t items, Map map)
{
  return search_made_terms<detail::value_of<InputIt>>(
      env, items, items < 2 ? 0 : items - 1,
      [&]
      {
        const auto unwrapped = detail::unwrap_input(env, in);
        return detail::neighbour_items<std::remove_cv_t<decltype(unwrapped)>, Map>{unwrapped, detail::is_aligned(unwrapped),
                                                                                   map};
      });
}

//! The first item that is smaller than the one before it.
template <class Environment, class InputIt, class Less>
std::uint64_t is_sorted_until(const Environment& env, InputIt in, std::uint64_t items, Less less)
{
  const std::uint64_t found = find_neighbours(env, in, items, descent_term<Less>{less});
  return found == items ? items : found + 1;
}

template <class Environment, class InputIt, class Predicate>
bool is_partitioned(const Environment& env, InputIt in, std::uint64_t items, Predicate predicate)
{
  return find_neighbours(env, in, items, unpartitioned_term<Predicate>{predicate}) == items;
}

//! The first item of which the predicate is false, where the items of which it is true come first.
template <class Environment, class InputIt, class Predicate>
std::uint64_t partition_point(const Environment& env, InputIt in, std::uint64_t items, Predicate predicate)
{
  if (items == 0)
  {
    return 0;
  }
  return return_from_device<detail::value_of<InputIt>>(
      env, items, "",
      [&]
      {
        const auto unwrapped = detail::unwrap_input(env, in);
        return detail::partition_point(
            env, is_at_index<std::remove_cv_t<decltype(unwrapped)>, Predicate>{unwrapped, predicate}, items);
      });
}

} // namespace algorithms
REHEAT_NAMESPACE_END
