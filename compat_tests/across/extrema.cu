// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Extrema across ranks: the first of equivalent items, on the rank that has it.

#include "../support/compare.hpp"
#include "../support/ranks.hpp"
#include "../support/reference.hpp"

#include <thrust/extrema.h>

#include <algorithm>
#include <cstdint>

using namespace compat;

BOOST_AUTO_TEST_SUITE(across)
BOOST_AUTO_TEST_SUITE(extrema)

namespace
{

using u32 = std::uint32_t;

struct by_remainder
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return x % 97 < y % 97; }
};

//! Few values, so that equivalent items are on several ranks.
std::vector<u32> few_values(std::size_t count)
{
  std::vector<u32> items(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    items[i] = static_cast<u32>(mix(i) % 211);
  }
  return items;
}

//! A place as the calls tell it: rank, index, global index, value; nothing of no items.
using place = std::vector<std::int64_t>;
place place_of(const std::vector<u32>& items, const cut& parts, std::size_t index)
{
  int rank = 0;
  while (parts.end(rank) <= index)
  {
    ++rank;
  }
  return {rank, static_cast<std::int64_t>(index - parts.begin(rank)), static_cast<std::int64_t>(index), items[index]};
}
place place_of(const std::optional<reheat::element_across<u32>>& found)
{
  return found ? place{found->rank, static_cast<std::int64_t>(found->index), static_cast<std::int64_t>(found->global_index),
                       found->value}
               : place{};
}

template <class Less>
void check_extrema(Less less)
{
  for_each_cut(
      [&](const cut& parts, reheat::gather_order order)
      {
        const std::vector<u32> items = few_values(parts.items());
        const auto memory = to_device(items);
        place min, max; // of equivalent items the first, also of the largest
        if (!items.empty())
        {
          min = place_of(items, parts,
                         static_cast<std::size_t>(std::min_element(items.begin(), items.end(), less) - items.begin()));
          max = place_of(items, parts,
                         static_cast<std::size_t>(std::max_element(items.begin(), items.end(), less) - items.begin()));
        }
        std::vector<std::vector<place>> places(parts.parts.size());
        std::vector<std::vector<std::int64_t>> iterators(parts.parts.size());
        on_ranks(parts.ranks(), order,
                 [&](reheat::ranks& ranks)
                 {
                   const auto policy = reheat::par.across(ranks);
                   const u32* const first = raw(memory) + parts.begin(ranks.rank());
                   const u32* const last = raw(memory) + parts.end(ranks.rank());
                   const auto both = reheat::minmax_element_across(policy, first, last, less);
                   const auto rank = static_cast<std::size_t>(ranks.rank());
                   places[rank] = {place_of(reheat::min_element_across(policy, first, last, less)),
                                   place_of(reheat::max_element_across(policy, first, last, less)),
                                   both ? place_of(both->min) : place{}, both ? place_of(both->max) : place{}};
                   const auto pair = thrust::minmax_element(policy, first, last, less);
                   iterators[rank] = {thrust::min_element(policy, first, last, less) - first,
                                      thrust::max_element(policy, first, last, less) - first, pair.first - first,
                                      pair.second - first};
                 });
        for (int rank = 0; rank < parts.ranks(); ++rank)
        {
          const std::vector<place> expected{min, max, min, max};
          const auto own = static_cast<std::size_t>(rank);
          std::vector<std::int64_t> expected_iterators;
          for (std::size_t i = 0; i < expected.size(); ++i)
          {
            check_same("place of an extremum", expected[i], places[own][i]);
            const bool is_owner = !expected[i].empty() && expected[i][0] == rank;
            expected_iterators.push_back(is_owner ? expected[i][1] : static_cast<std::int64_t>(parts.parts[own]));
          }
          check_same("iterators", expected_iterators, iterators[own]);
        }
      });
}

} // namespace

BOOST_AUTO_TEST_CASE(the_first_of_equivalent_items_on_the_rank_that_has_it)
{
  check_extrema(thrust::less<u32>{});
}
BOOST_AUTO_TEST_CASE(by_an_order_of_the_program)
{
  check_extrema(by_remainder{});
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
