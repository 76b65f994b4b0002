// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The places of the smallest and of the largest item. Of equivalent items the first one counts.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/algorithms/transform_reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/extremum.cuh>
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
                                         env, mapped_items_of(in, detail::to_candidate<value>{}), 0, items, std::uint64_t{0},
                                         keep);
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
                                         env, mapped_items_of(in, detail::to_candidates<value>{}), 0, items,
                                         detail::extrema_indices{}, detail::keep_both<Less>{less});
                                   });
}

} // namespace algorithms
REHEAT_NAMESPACE_END
