// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Exact sums across ranks. A rank's record is its sum before it is rounded (exact/number.cuh); the sum of all is rounded
//! once. So neither the number of ranks nor the cut shows in the result.
#pragma once

#include <reheat/detail/across/records.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/exact/column.cuh>
#include <reheat/detail/exact/kernel.cuh>
#include <reheat/detail/exact/number.cuh>
#include <reheat/detail/grid/result.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A rank's sum goes into its record as it is, with carries passed on: then chunks of any two billion ranks can be added.
template <class Accum>
REHEAT_DEVICE void store_sum(record_result<exact_total<Accum>>& result, exact_total<Accum>& total, chunk_range)
{
  pass_carries<Accum>([&](unsigned k) -> std::int64_t& { return total.chunk[k]; });
  store_result(result, total);
}

//! The record of a rank that has the initial value alone.
template <class Accum>
REHEAT_KERNEL(simt::warp_lanes)
store_exact_init_kernel(record_result<exact_total<Accum>> result, Accum init)
{
  begin_behind_earlier_work();
  if (simt::lane_index() != 0)
  {
    return;
  }
  exact_total<Accum> total;
  make_total_of(init, total);
  store_sum(result, total, chunk_range{0, exact_layout<Accum>::chunks});
}

template <class Accum>
struct exact_ranks_shared
{
  exact_total<Accum>* total;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr explicit exact_ranks_shared(Memory& memory)
      : total(memory.template array<exact_total<Accum>>(1))
  {}
};
template <class Accum>
constexpr std::size_t exact_ranks_shared_bytes()
{
  simt::shared_counter counter;
  exact_ranks_shared<Accum> layout(counter);
  static_cast<void>(layout);
  return counter.bytes();
}

//! Stores the rounded sum of all ranks, one of which at least has a value.
template <class Accum, class Result>
REHEAT_KERNEL(simt::warp_lanes)
sum_ranks_kernel(gathered_records all, Result result)
{
  constexpr unsigned chunks = exact_layout<Accum>::chunks;
  simt::shared_memory memory;
  const exact_ranks_shared<Accum> shared(memory);
  begin_behind_earlier_work();
  const rank_records<exact_total<Accum>> records(all);
  if (!records.agree())
  {
    return;
  }
  // One word more than chunks: the kinds of special items.
  for (unsigned k = simt::lane_index(); k <= chunks; k += simt::warp_lanes)
  {
    std::int64_t sum = 0;
    std::uint64_t specials = 0;
    for (int rank = 0; rank < all.count; ++rank)
    {
      if (records.has_value(rank))
      {
        sum += k < chunks ? records.value(rank).chunk[k] : 0;
        specials |= k == chunks ? records.value(rank).specials : 0;
      }
    }
    if (k < chunks)
    {
      shared.total->chunk[k] = sum;
    }
    else
    {
      shared.total->specials = specials;
    }
  }
  simt::sync_warp();
  const chunk_range in_use = chunks_in_use(*shared.total);
  if (simt::lane_index() == 0)
  {
    store_sum(result, *shared.total, in_use);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END
