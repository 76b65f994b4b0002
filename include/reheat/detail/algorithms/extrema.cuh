// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The places of the smallest and of the largest item. Of equivalent items the first one counts.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/algorithms/transform_reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/reduce/extremum.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! Returns the index of the candidate that `keep` (detail::keep_smallest or keep_largest) is left with; items >= 1.
template <class Environment, class InputIt, class Keep>
std::uint64_t extremum(const Environment& env, InputIt in, std::uint64_t items, Keep keep)
{
  using value = detail::value_of<InputIt>;
  return return_from_device<value>(env, items, "",
                                   [&]
                                   {
                                     return reduce_terms<detail::candidate<value>>(
                                         env, mapped_items_of(env, in, detail::to_candidate<value>{}), items,
                                         std::uint64_t{0}, keep);
                                   });
}

//! An item as a candidate, converted to T.
template <class T>
struct as_candidate
{
  template <class Item, class Index>
  REHEAT_DEVICE detail::candidate<T, Index> operator()(const Item& item, Index index) const
  {
    return {static_cast<T>(item), index};
  }
};

//! Stores the candidate that `keep` is left with, of items converted to T, to `result` (reduce/into.cuh); of no items,
//! `none`.
template <class T, class Environment, class InputIt, class Keep, class Result>
void extremum_into(const Environment& env, InputIt in, std::uint64_t items, Keep keep, detail::candidate<T> none,
                   Result result)
{
  using candidate = detail::candidate<T>;
  enqueue_and_maybe_wait<detail::value_of<InputIt>>(
      env, items,
      [&]
      {
        if (items == 0)
        {
          detail::enqueue_store_init(env, result, detail::init_value<candidate>{none});
          return;
        }
        with_input_of_terms<candidate>(mapped_items_of(env, in, as_candidate<T>{}), items, keep,
                                       [&](const auto& input, std::uint64_t inputs, const auto&) {
                                         detail::enqueue_reduce_to<candidate>(
                                             env, input, inputs, detail::no_initial_value<candidate>{}, keep, result);
                                       });
      });
}

//! Returns the indices of both extrema, in one pass; items >= 1.
template <class Environment, class InputIt, class Less>
detail::extrema_indices extrema(const Environment& env, InputIt in, std::uint64_t items, Less less)
{
  using value = detail::value_of<InputIt>;
  return return_from_device<value>(env, items, "",
                                   [&]
                                   {
                                     return reduce_terms<detail::candidates<value>>(
                                         env, mapped_items_of(env, in, detail::to_candidates<value>{}), items,
                                         detail::extrema_indices{}, detail::keep_both<Less>{less});
                                   });
}

} // namespace algorithms
REHEAT_NAMESPACE_END
