// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The kernels of calls across ranks. All are one block of one warp.
//!
//! * Reduction: each rank reduces its part into its record, rank 0 with the initial value on the left. The ranks gather all
//!   records. Each rank folds them in the order of ranks (fold_ranks_kernel).
//! * Selection: each rank selects from its part, and its record gets the number of selected items. The ranks gather all
//!   records. Each rank adds them up to its place (place_kernel). by_key.cuh has calls by key.
//! * Scan: each rank but the last, whose total nobody needs, reduces its part into its record. The ranks gather all records.
//!   Each rank folds those of the ranks before it into its carry (carry_kernel), from which it scans its part.
//!
//! A kernel that finds ranks at odds, or that a record has not arrived, stores no result, but a report for the host.
#pragma once

#include <reheat/detail/across/records.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/result.cuh>
#include <reheat/detail/reduce/extremum.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The record of a rank without a value.
template <class Head>
REHEAT_KERNEL(simt::warp_lanes)
store_head_kernel(library::record_place record, Head head)
{
  begin_behind_earlier_work();
  if (simt::lane_index() == 0)
  {
    store_head(record, head);
  }
}

//! A record of one value in memory.
template <class T, class Op>
REHEAT_KERNEL(simt::warp_lanes)
store_record_kernel(record_result<T> result, const T* one, init_of_first_rank<T, T> init, Op op)
{
  begin_behind_earlier_work();
  if (simt::lane_index() == 0)
  {
    store_result(result, with_initial_value(init, *one, op));
  }
}

//! Looks whether ranks are at odds, before values follow, and nothing else.
template <class T>
REHEAT_KERNEL(simt::warp_lanes)
compare_heads_kernel(gathered_records all)
{
  begin_behind_earlier_work();
  static_cast<void>(rank_records<T>(all).agree(false));
}

// ---- what is folded, and where the fold is left -------------------------------------------------------------------------

//! The values themselves, of which there is one at least.
template <class T>
struct folded_value
{
  using type = T;
  REHEAT_DEVICE T operator()(const rank_records<T>&, const T& value, int) const { return value; }
};
template <class T, class Result>
REHEAT_DEVICE void store_fold(Result& result, const optional_accumulator<T>& fold)
{
  store_result(result, fold.value.get());
}

//! Where an extremum is among the items of all ranks.
template <class T>
struct place_among_ranks
{
  uninitialized<T> value; //!< nothing if there are no items
  std::int64_t rank;      //!< −1: there are no items
  std::uint64_t index;    //!< within the rank's part
  std::uint64_t global_index;
};
template <class T>
struct places_among_ranks
{
  place_among_ranks<T> smallest, largest;
};

template <class T, class Value>
REHEAT_DEVICE place_among_ranks<T> placed(const rank_records<Value>& records, const candidate<T>& found, int rank)
{
  std::uint64_t before = 0;
  for (int i = 0; i < rank && !simt::fault_active(simt::fault::local_place); ++i)
  {
    before += records.head(i).items;
  }
  place_among_ranks<T> result;
  result.value.construct(found.value);
  result.rank = rank;
  result.index = found.index;
  result.global_index = before + found.index;
  return result;
}
//! What ranks have found as an extremum, with its place. They have it as a candidate.
template <class T>
struct folded_place
{
  using type = place_among_ranks<T>;
  REHEAT_DEVICE type operator()(const rank_records<candidate<T>>& records, const candidate<T>& found, int rank) const
  {
    return placed(records, found, rank);
  }
};
template <class T>
struct folded_places
{
  using type = places_among_ranks<T>;
  REHEAT_DEVICE type operator()(const rank_records<candidates<T>>& records, const candidates<T>& found, int rank) const
  {
    return {placed(records, found.smallest, rank), placed(records, found.largest, rank)};
  }
};

//! Keeps the smallest or the largest of two places, of equivalent ones that of the lower rank, which is on the left.
template <class Less>
struct keep_first_smallest
{
  Less less;

  template <class T>
  REHEAT_DEVICE place_among_ranks<T> operator()(const place_among_ranks<T>& x, const place_among_ranks<T>& y)
  {
    return less(y.value.get(), x.value.get()) ? y : x;
  }
};
template <class Less>
struct keep_first_largest
{
  Less less;

  template <class T>
  REHEAT_DEVICE place_among_ranks<T> operator()(const place_among_ranks<T>& x, const place_among_ranks<T>& y)
  {
    return less(x.value.get(), y.value.get()) ? y : x;
  }
};
template <class Less>
struct keep_first_of_both
{
  Less less;

  template <class T>
  REHEAT_DEVICE places_among_ranks<T> operator()(const places_among_ranks<T>& x, const places_among_ranks<T>& y)
  {
    return {keep_first_smallest<Less>{less}(x.smallest, y.smallest), keep_first_largest<Less>{less}(x.largest, y.largest)};
  }
};

template <class T>
REHEAT_DEVICE void store_fold(place_among_ranks<T>*& result, const optional_accumulator<place_among_ranks<T>>& fold)
{
  if (fold.has)
  {
    *result = fold.value.get();
  }
  else
  {
    result->rank = -1;
  }
}
template <class T>
REHEAT_DEVICE void store_fold(places_among_ranks<T>*& result, const optional_accumulator<places_among_ranks<T>>& fold)
{
  if (fold.has)
  {
    *result = fold.value.get();
  }
  else
  {
    result->smallest.rank = result->largest.rank = -1;
  }
}

// ---- folds --------------------------------------------------------------------------------------------------------------

//! Stores the fold of all ranks' values. `Make` says what is folded of a T.
template <class T, class Make, class Op, class Result>
REHEAT_KERNEL(simt::warp_lanes)
fold_ranks_kernel(gathered_records all, Make make, Op op, Result result)
{
  begin_behind_earlier_work();
  const rank_records<T> records(all);
  if (!records.agree())
  {
    return;
  }
  const auto fold = records.template fold<typename Make::type>(
      0, all.count, [&](const T& value, int rank) { return make(records, value, rank); }, op);
  if (simt::lane_index() == 0)
  {
    store_fold(result, fold);
  }
}

//! Stores the fold of the values of the ranks before this one; on rank 0 the initial value, if there is one. `Init` is that
//! of a scan (scan/kind.cuh).
template <class T, class Init, class Op>
REHEAT_KERNEL(simt::warp_lanes)
carry_kernel(gathered_records all, Init init, Op op, scan_carry<T>* carry)
{
  begin_behind_earlier_work();
  const rank_records<T> records(all);
  const int end = all.rank + (simt::fault_active(simt::fault::own_rank_in_prefix) ? 1 : 0);
  optional_accumulator<T> fold;
  if (records.agree())
  {
    fold = records.template fold<T>(
        0, end, [](const T& value, int) { return value; }, op);
  }
  if (simt::lane_index() != 0)
  {
    return;
  }
  if constexpr (Init::present)
  {
    if (all.rank == 0)
    {
      fold.value.construct(init.load());
      fold.has = true;
    }
  }
  if (fold.has)
  {
    construct_at(&carry->value.value, fold.value.get());
  }
  carry->present = fold.has ? 1 : 0;
}

//! *before = init ⊕ the values of the ranks before this one, *all_of_them = init ⊕ the values of all; rank 0's value has
//! init in it. A null pointer is not stored to.
template <class T, class Op>
REHEAT_KERNEL(simt::warp_lanes)
prefix_kernel(gathered_records all, T init, Op op, T* before, T* all_of_them)
{
  begin_behind_earlier_work();
  const rank_records<T> records(all);
  if (!records.agree())
  {
    return;
  }
  const auto value = [](const T& value, int) { return value; };
  const int end = all.rank + (simt::fault_active(simt::fault::own_rank_in_prefix) ? 1 : 0);
  const auto lower = records.template fold<T>(0, end, value, op);
  const auto total = records.template fold<T>(0, all.count, value, op);
  if (simt::lane_index() != 0)
  {
    return;
  }
  if (before != nullptr)
  {
    construct_at(before, lower.has ? lower.value.get() : init);
  }
  if (all_of_them != nullptr)
  {
    construct_at(all_of_them, total.value.get());
  }
}

// ---- selections ---------------------------------------------------------------------------------------------------------

//! The rank's record as the place where a kernel stores a number through an assignment.
struct count_record
{
  using value_type = std::uint64_t;
  record_result<std::uint64_t> record;

  REHEAT_DEVICE count_record& operator*() { return *this; }
  REHEAT_DEVICE void operator=(std::uint64_t count) { store_result(record, count); }
};

//! Stores where the rank's selected items are among those of all ranks, whose numbers the records have; a rank without items
//! has none.
template <class Op>
REHEAT_KERNEL(simt::warp_lanes)
place_kernel(gathered_records all, Op add, library::place_across* place)
{
  begin_behind_earlier_work();
  const rank_records<std::uint64_t> records(all);
  if (!records.agree())
  {
    return;
  }
  const auto count = [](std::uint64_t items, int) { return items; };
  const int end = simt::fault_active(simt::fault::local_place) ? 0 : all.rank;
  const auto before = records.template fold<std::uint64_t>(0, end, count, add);
  const auto total = records.template fold<std::uint64_t>(0, all.count, count, add);
  if (simt::lane_index() == 0)
  {
    const auto number = [](const optional_accumulator<std::uint64_t>& fold) { return fold.has ? fold.value.get() : 0; };
    place->count = records.has_value(all.rank) ? records.value(all.rank) : 0;
    place->global_index = number(before);
    place->total = number(total);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END
