// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls of --ranks: the input is cut into a part for each rank, and what ranks get is put together to what one call on
//! all items gives.
#include "calls.cuh"
#include "calls_across.hpp"
#include "ranks.hpp"

#include <reheat/across/across.cuh>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace compare
{
namespace
{

template <class T>
void call_on_rank(reheat::ranks& ranks, call& c)
{
  const auto policy = reheat::par.across(ranks);
  accelerated::for_each_algorithm(
      [&](auto which)
      {
        if constexpr (is_served_across(which))
        {
          if (c.algorithm == which)
          {
            // Sums of i32 run as unsigned: the same bits, and nothing overflows.
            using wrapping = std::conditional_t<std::is_same_v<T, std::int32_t>, std::uint32_t, T>;
            using item = std::conditional_t<takes_operation(which), wrapping, T>;
            make_call_of<which, item, thrust::plus<item>>(policy, c);
          }
        }
      });
}

// The numbers of an extremum's call: a rank that does not have the item returns the end of its part.
void put_positions_together(call& whole, const std::vector<call>& parts)
{
  const std::size_t numbers = output_items(whole.algorithm, whole.count);
  accelerated::numbers all{};
  std::fill_n(all.begin(), numbers, static_cast<std::int64_t>(whole.count));
  std::size_t begin = 0;
  for (const call& part : parts)
  {
    accelerated::numbers found;
    std::memcpy(found.data(), part.value, sizeof(found));
    for (std::size_t i = 0; i < numbers; ++i)
    {
      if (found[i] != static_cast<std::int64_t>(part.count))
      {
        if (all[i] != static_cast<std::int64_t>(whole.count))
        {
          throw std::runtime_error("two ranks have the extremum");
        }
        all[i] = static_cast<std::int64_t>(begin) + found[i];
      }
    }
    begin += part.count;
  }
  std::memcpy(whole.value, all.data(), sizeof(all));
}

void put_together(call& whole, const std::vector<call>& parts)
{
  const algorithm_facts& facts = facts_of(whole.algorithm);
  whole.value_on_host = parts[0].value_on_host;
  for (const call& part : parts)
  {
    whole.returned_end = whole.returned_end && part.returned_end;
  }
  if (facts.group == accelerated::group::extrema)
  {
    put_positions_together(whole, parts);
    return;
  }
  std::memcpy(whole.value, parts[0].value, sizeof(whole.value));
  for (std::size_t rank = 1; rank < parts.size(); ++rank)
  {
    if (std::memcmp(whole.value, parts[rank].value, sizeof(whole.value)) != 0)
    {
      throw std::runtime_error("rank " + std::to_string(rank) + " got another result than rank 0");
    }
  }
}

template <class T>
void call_on_all_ranks(call& whole, int ranks)
{
  const bool is_scan = facts_of(whole.algorithm).is_scan();
  std::vector<call> parts(ranks, whole);
  std::vector<std::size_t> output_bytes(ranks);
  for (int rank = 0; rank < ranks; ++rank)
  {
    call& part = parts[rank];
    const std::size_t begin = whole.count * rank / ranks;
    part.count = whole.count * (rank + 1) / ranks - begin;
    part.in += begin * sizeof(T);
    part.keys += part.keys != nullptr ? begin : 0;
    if (is_scan)
    {
      part.out += begin * sizeof(T);
      output_bytes[rank] = part.count * sizeof(T);
    }
  }
  on_each_rank_here(ranks, [&](reheat::ranks& own) { call_on_rank<T>(own, parts[own.rank()]); });
  gather_parts(parts, whole.out, output_bytes);
  put_together(whole, parts);
}

} // namespace

void make_call_across(call& whole, int ranks, element type)
{
  type == element::f32 ? call_on_all_ranks<float>(whole, ranks) : call_on_all_ranks<std::int32_t>(whole, ranks);
}

} // namespace compare
