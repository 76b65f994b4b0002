// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls of --ranks: the input is cut into a part for each rank, and what ranks get is put together to what one call on
//! all items gives. It makes no kernel.
#include "calls_across.hpp"

#include "ranks.hpp"
#include "this_machine.cuh"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace compare
{
namespace
{

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

void put_values_together(call& whole, const std::vector<call>& parts)
{
  whole.value_on_host = parts[0].value_on_host;
  for (const call& part : parts)
  {
    whole.returned_end = whole.returned_end && part.returned_end;
  }
  if (facts_of(whole.algorithm).group == accelerated::group::extrema)
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

// Outputs of which each rank writes as much as its call says: memory of each rank's own, whose contents are put together.
class outputs_of_ranks
{
public:
  outputs_of_ranks(std::vector<call>& parts, std::size_t item_bytes, bool keys) : item_bytes_(item_bytes), has_keys_(keys)
  {
    for (call& part : parts)
    {
      values_.push_back(std::make_unique<here::memory>(part.count * item_bytes));
      keys_.push_back(std::make_unique<here::memory>(keys ? part.count * sizeof(key_type) : 0));
      part.out = values_.back()->data();
      part.keys_out = reinterpret_cast<key_type*>(keys_.back()->data());
    }
    is_here_.resize(parts.size());
  }
  void has_run(int rank) { is_here_[static_cast<std::size_t>(rank)] = 1; }

  void put_together(call& whole, const std::vector<call>& parts) const
  {
    for (const call& part : parts)
    {
      if (part.returned_items < 0 || part.returned_items > static_cast<std::int64_t>(part.count))
      {
        throw std::runtime_error("a rank returned ends that are not in its outputs");
      }
      whole.returned_items += part.returned_items;
    }
    if (has_keys_)
    {
      const auto runs = static_cast<std::int64_t>(output_items(whole.algorithm, whole.count));
      whole.returned_end = whole.returned_items == runs;
      if (!whole.returned_end)
      {
        return; // the outputs of the whole have no room for others
      }
      put_together(reinterpret_cast<std::byte*>(whole.keys_out), parts, keys_, sizeof(key_type));
    }
    put_together(whole.out, parts, values_, item_bytes_);
  }

private:
  using memories = std::vector<std::unique_ptr<here::memory>>;

  void put_together(std::byte* to, const std::vector<call>& parts, const memories& from, std::size_t item_bytes) const
  {
    std::vector<std::size_t> bytes;
    for (const call& part : parts)
    {
      bytes.push_back(static_cast<std::size_t>(part.returned_items) * item_bytes);
    }
    std::vector<std::byte> all(std::accumulate(bytes.begin(), bytes.end(), std::size_t{0}));
    std::size_t begin = 0;
    for (std::size_t rank = 0; rank < bytes.size(); ++rank)
    {
      if (is_here_[rank] != 0)
      {
        here::copy_out(all.data() + begin, from[rank]->data(), bytes[rank]);
      }
      begin += bytes[rank];
    }
    gather_outputs(all.data(), bytes);
    here::copy_in(to, all.data(), all.size());
  }

  std::size_t item_bytes_;
  bool has_keys_;
  memories values_, keys_;
  std::vector<char> is_here_; // not bool: ranks are threads
};

} // namespace

void make_call_across(call& whole, int ranks, element type, operation operation)
{
  const rank_function make = !is_for_everything(whole.algorithm) ? find_rank_call_other(type)
                             : operation == operation::plus      ? find_rank_call_plain(type)
                                                                 : find_rank_call_ordered(type, operation);
  const algorithm_facts& facts = facts_of(whole.algorithm);
  std::vector<call> parts(ranks, whole);
  std::vector<std::size_t> output_bytes(ranks);
  for (int rank = 0; rank < ranks; ++rank)
  {
    call& part = parts[rank];
    const std::size_t begin = whole.count * rank / ranks;
    part.count = whole.count * (rank + 1) / ranks - begin;
    part.in += begin * size_of(type);
    part.keys += part.keys != nullptr ? begin : 0;
    if (facts.is_scan())
    {
      part.out += begin * size_of(type);
      output_bytes[rank] = part.count * size_of(type);
    }
  }
  if (facts.selects() || facts.output == output::run_totals)
  {
    outputs_of_ranks outputs(parts, size_of(type), facts.writes_keys());
    on_each_rank_here(ranks,
                      [&](reheat::ranks& own)
                      {
                        make(own, parts[own.rank()]);
                        outputs.has_run(own.rank());
                      });
    gather_outcomes(parts);
    outputs.put_together(whole, parts);
    return;
  }
  on_each_rank_here(ranks, [&](reheat::ranks& own) { make(own, parts[own.rank()]); });
  gather_outcomes(parts);
  if (facts.is_scan())
  {
    gather_outputs(whole.out, output_bytes);
  }
  put_values_together(whole, parts);
}

} // namespace compare
