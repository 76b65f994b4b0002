// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls by key across ranks. A *run* is a segment (segments/segments.cuh) of the items of all ranks: it may begin on one
//! rank, go on over parts within it and over ranks without items, and end on a later rank.
//!
//! Each rank reduces its part into its record: what its last run comes to, and the keys with which a neighbour compares its
//! own. The ranks gather all records. One warp of each rank joins those of the ranks before, in their order. What the last
//! of their runs comes to is the rank's carry, if the rank's first item belongs to that run. The rank then scans its part
//! from there, by the kernels of one GPU.
//!
//! The predicate sees the pairs of neighbours that it would see on one GPU: the last key of a part and the first key of the
//! next part that has one.
#pragma once

#include <reheat/detail/across/records.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/into.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/segments/collectives/form.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

// ---- a rank's part ------------------------------------------------------------------------------------------------------

//! What the items of one run come to, and the key of the first of them.
template <class Key, class T>
struct keyed_value
{
  Key key;
  T value;
};
template <class Op>
struct keep_first_key
{
  Op op;

  template <class Key, class T>
  REHEAT_DEVICE keyed_value<Key, T> operator()(const keyed_value<Key, T>& x, const keyed_value<Key, T>& y)
  {
    return {x.key, static_cast<T>(op(x.value, y.value))};
  }
};
//! A range of items: its last run, and the boundaries between its runs.
template <class Key, class T>
using keyed_fold = segmented<keyed_value<Key, T>, long_boundary_count>;

//! The input of the reduction of a part.
template <class Key, class T, class KeyIt, class ValueIt, class Equal>
struct keyed_source
{
  using value_type = keyed_fold<Key, T>;
  keyed_range<KeyIt, Equal> range;
  ValueIt values;

  REHEAT_DEVICE value_type at(std::uint64_t index)
  {
    const T value = static_cast<T>(read_item(values, index));
    return {long_boundary_count(0, range.boundary_behind(index)), {read_item(range.keys, index), value}};
  }
};

//! What a rank's items come to, or those of neighbouring ranks.
template <class Key, class T>
struct keyed_part
{
  Key first_key, last_key;
  keyed_value<Key, T> last_run;
  std::uint64_t boundaries; //!< between runs of the part
};

//! The rank's own record as the result of the reduction of its part.
template <class Key, class T, class KeyIt>
struct keyed_record
{
  record_result<keyed_part<Key, T>> record;
  KeyIt keys;
  std::uint64_t items;
};
template <class Key, class T, class KeyIt>
REHEAT_DEVICE void store_result(keyed_record<Key, T, KeyIt>& where, const keyed_fold<Key, T>& fold)
{
  store_result(where.record, keyed_part<Key, T>{read_item(where.keys, 0), read_item(where.keys, where.items - 1), fold.value,
                                                fold.boundaries.count()});
}

//! For a scan of the part's segments: stores the rank's record and nothing else. (A reduction of keys and values takes 2.4
//! times as long as reduce_by_key on them: 2^27 of 4 bytes in runs of 1000, NVIDIA H200.) Scans by key need no key of a run,
//! so any key stands there.
template <class Key, class T, class KeyIt>
struct record_sink
{
  struct no_output
  {};
  keyed_record<Key, T, KeyIt> record;
  no_output keys_out{}, values_out{};

  REHEAT_DEVICE record_sink from(std::uint64_t) const { return *this; }
  REHEAT_DEVICE void store_first_key() const {}
  template <class Index>
  REHEAT_DEVICE void store_end(Index, const T&, const Key&) const
  {}
  REHEAT_DEVICE void store_last(std::uint64_t segment, const T& value)
  {
    const Key last = read_item(record.keys, record.items - 1);
    store_result(record.record,
                 keyed_part<Key, T>{read_item(record.keys, 0), last, keyed_value<Key, T>{last, value}, segment});
  }
};
template <class... Parts>
struct keyed_collective_for<record_sink<Parts...>>
{
  template <class Tuning, class Source, class Accum>
  using tile_collective = keyed_reduce_collective<Tuning, Source, record_sink<Parts...>, Accum>;
};

// ---- the parts of ranks -------------------------------------------------------------------------------------------------

//! Whether the first run of part y is the last one of part x, which are neighbours.
template <class Equal, class Key, class T>
REHEAT_DEVICE bool goes_on(const keyed_part<Key, T>& x, const keyed_part<Key, T>& y, Equal& equal)
{
  const Key own = simt::fault_active(simt::fault::first_key_of_neighbour) ? x.first_key : x.last_key, next = y.first_key;
  return equal(own, next);
}

//! Joins the parts of neighbours; parts without items are left out.
template <class Equal, class Op>
struct join_parts
{
  Equal equal;
  keep_first_key<Op> op;

  template <class Key, class T>
  REHEAT_DEVICE keyed_part<Key, T> operator()(const keyed_part<Key, T>& x, const keyed_part<Key, T>& y)
  {
    const bool same_run = goes_on(x, y, equal);
    const bool within = same_run && y.boundaries == 0 && !simt::fault_active(simt::fault::whole_part_restarts_run);
    return {x.first_key, y.last_key, within ? op(x.last_run, y.last_run) : y.last_run,
            x.boundaries + y.boundaries + (same_run ? 0 : 1)};
  }
};

//! The parts of all ranks, and how they join. All lanes of a warp call.
template <class Key, class T, class Equal, class Op>
class joined_parts
{
  using part = keyed_part<Key, T>;

public:
  REHEAT_DEVICE joined_parts(const gathered_records& all, Equal equal, Op op)
      : all_(all), records_(all), join_{equal, keep_first_key<Op>{op}}
  {}

  REHEAT_DEVICE bool agree() const { return records_.agree(); }
  //! Those of ranks first … last − 1, in lane 0; absent if none of them has items.
  REHEAT_DEVICE optional_accumulator<part> of(int first, int last)
  {
    return records_.template fold<part>(
        first, last, [](const part& each, int) { return each; }, join_);
  }
  REHEAT_DEVICE bool has_items(int rank) const { return rank < all_.count && records_.has_value(rank); }
  REHEAT_DEVICE const part& own() const { return records_.value(all_.rank); }

  //! The first rank with items from `rank` on, or the number of ranks.
  REHEAT_DEVICE int next_with_items(int rank) const
  {
    while (rank < all_.count && !records_.has_value(rank) && !simt::fault_active(simt::fault::empty_rank_ends_run))
    {
      ++rank;
    }
    return rank;
  }
  //! Whether the last run of `before` goes on on rank `rank`, which may be none.
  REHEAT_DEVICE bool goes_on_at(const part& before, int rank)
  {
    return has_items(rank) && goes_on(before, records_.value(rank), join_.equal);
  }
  //! The same of this rank's first run and what is joined of the ranks before.
  REHEAT_DEVICE bool goes_on_here(const optional_accumulator<part>& before)
  {
    if (simt::fault_active(simt::fault::empty_rank_ends_run) && all_.rank > 0 && !has_items(all_.rank - 1))
    {
      return false;
    }
    const bool any = simt::fault_active(simt::fault::join_any_run) && has_items(all_.rank);
    return before.has && (any || goes_on_at(before.value.get(), all_.rank));
  }

private:
  const gathered_records& all_;
  rank_records<part> records_;
  join_parts<Equal, Op> join_;
};

// ---- scans --------------------------------------------------------------------------------------------------------------

//! Stores what a scan by key starts from. `Init` is that of a scan (scan/kind.cuh), and begins each run.
template <class Key, class Init, class Equal, class Op>
REHEAT_KERNEL(simt::warp_lanes)
carry_by_key_kernel(gathered_records all, Init init, Equal equal, Op op,
                    scan_carry<segmented<typename Init::accum, boundary_flags>>* carry)
{
  begin_behind_earlier_work();
  using accum = typename Init::accum;
  joined_parts<Key, accum, Equal, Op> parts(all, equal, op);
  const int end = all.rank + (simt::fault_active(simt::fault::own_rank_in_prefix) ? 1 : 0);
  optional_accumulator<keyed_part<Key, accum>> before;
  if (parts.agree())
  {
    before = parts.of(0, end);
  }
  if (simt::lane_index() != 0)
  {
    return;
  }
  optional_accumulator<accum> start;
  if constexpr (Init::present)
  {
    start.append(init.load(), op);
  }
  if (parts.goes_on_here(before))
  {
    start.append(before.value.get().last_run.value, op);
  }
  if (start.has)
  {
    construct_at(&carry->value.value, segmented<accum, boundary_flags>{boundary_flags(false, false), start.value.get()});
  }
  carry->present = start.has ? 1 : 0;
}

// ---- reduce_by_key ------------------------------------------------------------------------------------------------------

//! What a rank's first run has of earlier ranks.
template <class Key, class T>
struct runs_carry
{
  scan_carry<segmented<T, boundary_count>> fold;
  uninitialized<Key> key;     //!< that of the run's first item
  std::uint64_t runs_of_part; //!< stored by the scan of the part, and read by nobody
};
//! For runs_kernel: leaves that for the scan of the part.
template <class Key, class T>
struct carry_to_scan
{
  runs_carry<Key, T>* carry;

  template <class Op>
  REHEAT_DEVICE void join(const keyed_value<Key, T>& run, Op&) const
  {
    construct_at(&carry->fold.value.value, segmented<T, boundary_count>{boundary_count(0, false), run.value});
    carry->key.construct(run.key);
    carry->fold.present = 1;
  }
  REHEAT_DEVICE void join_nothing() const { carry->fold.present = 0; }
};
//! The key of a part's first run.
template <class Key, class T>
struct key_of_first_run
{
  const runs_carry<Key, T>* carry;

  template <class KeyIt>
  REHEAT_DEVICE Key load(KeyIt& keys) const
  {
    const bool began_earlier = carry->fold.present != 0 && !simt::fault_active(simt::fault::key_of_own_first_item);
    return began_earlier ? carry->key.get() : read_item(keys, 0);
  }
};

//! Whether runs are stored to memory from which keys and folds can be read again as they were. Then one pass over the part
//! will do: the runs are stored as if no rank stood before, and the first of them is joined later.
template <class Key, class T, class KeyOutputIt, class ValueOutputIt>
inline constexpr bool can_reread_runs_v = is_plain_memory_of_v<KeyOutputIt, Key>&& is_plain_memory_of_v<ValueOutputIt, T>;

//! For runs_kernel: joins it to the part's first run, which is stored.
template <class Key, class T>
struct stored_first_run
{
  Key* key;
  T* value;

  template <class Op>
  REHEAT_DEVICE void join(const keyed_value<Key, T>& run, Op& op) const
  {
    if (!simt::fault_active(simt::fault::stored_run_not_joined))
    {
      construct_at(value, static_cast<T>(op(run.value, *value)));
    }
    if (!simt::fault_active(simt::fault::key_of_own_first_item))
    {
      construct_at(key, run.key);
    }
  }
  REHEAT_DEVICE void join_nothing() const {}
};

//! Makes the rank's record of the runs of its part. `*runs` of them are stored.
template <class Key, class T, class KeyIt>
REHEAT_KERNEL(simt::warp_lanes)
store_record_of_runs_kernel(record_result<keyed_part<Key, T>> record, KeyIt keys, std::uint64_t items,
                            const std::uint64_t* runs, const Key* keys_out, const T* values_out)
{
  begin_behind_earlier_work();
  if (simt::lane_index() == 0)
  {
    const std::uint64_t boundaries = *runs - 1;
    const std::uint64_t last = simt::fault_active(simt::fault::first_run_in_record) ? 0 : boundaries;
    store_result(record, keyed_part<Key, T>{read_item(keys, 0), read_item(keys, items - 1),
                                            keyed_value<Key, T>{keys_out[last], values_out[last]}, boundaries});
  }
}

//! Joins what earlier ranks have of the part's first run, and stores where the runs that end in the rank's part are among
//! those of all ranks.
template <class Key, class T, class Equal, class Op, class FirstRun>
REHEAT_KERNEL(simt::warp_lanes)
runs_kernel(gathered_records all, Equal equal, Op op, FirstRun first_run, library::place_across* place)
{
  begin_behind_earlier_work();
  joined_parts<Key, T, Equal, Op> parts(all, equal, op);
  const bool agree = parts.agree();
  optional_accumulator<keyed_part<Key, T>> before, total;
  if (agree)
  {
    before = parts.of(0, all.rank + (simt::fault_active(simt::fault::own_rank_in_prefix) ? 1 : 0));
    total = parts.of(0, all.count);
  }
  if (simt::lane_index() != 0)
  {
    return;
  }
  if (parts.goes_on_here(before))
  {
    first_run.join(before.value.get().last_run, op);
  }
  else
  {
    first_run.join_nothing();
  }
  if (!agree)
  {
    return;
  }
  place->count = 0;
  if (parts.has_items(all.rank))
  {
    const bool ends = !parts.goes_on_at(parts.own(), parts.next_with_items(all.rank + 1)) ||
                      simt::fault_active(simt::fault::goes_on_counted_twice);
    place->count = parts.own().boundaries + (ends ? 1 : 0);
  }
  place->global_index = 0;
  if (before.has && !simt::fault_active(simt::fault::local_place))
  {
    const bool ended = !parts.goes_on_at(before.value.get(), parts.next_with_items(all.rank));
    place->global_index = before.value.get().boundaries + (ended ? 1 : 0);
  }
  place->total = total.has ? total.value.get().boundaries + 1 : 0;
}

} // namespace detail
REHEAT_NAMESPACE_END
