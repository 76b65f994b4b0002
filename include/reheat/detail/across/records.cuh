// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The records of ranks in kernels: how a rank's value gets into its record, and how one warp folds those of all ranks.
//!
//! Association. Of the ranks that have a value, in the order of ranks: warp_fold folds 32 neighbours, and the folds of such
//! groups are folded from the left. Ranks without a value leave no trace. The result depends on nothing but the values, so
//! every rank gets the same bits. It is deterministic for operators that only are associative, too.
#pragma once

#include <reheat/detail/across/exchange.h>
#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/result.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

using library::gathered_records;
using library::record_head;
using library::record_state;

//! How a kernel of ranks begins. It waits for the end of earlier work, and lets the next launch get ready meanwhile: the
//! scan of a part starts while one warp folds the records before it.
REHEAT_DEVICE inline void begin_behind_earlier_work()
{
  simt::grid_dependency_wait(simt::unless(simt::fault::ranks_too_early));
  simt::trigger_dependent_launch();
}

//! The rank's own record as the result of a reduction (reduce/into.cuh): the kernel that has the value stores the head, too.
template <class T>
struct record_result
{
  record_head* record;
  T* value;
  record_head head;
};
template <class T, class From>
REHEAT_DEVICE void store_result(record_result<T>& where, const From& from)
{
  construct_at(where.value, T(from));
  *where.record = where.head;
}

//! Where a fold of all ranks begins: the initial value counts on rank 0 alone.
template <class T, class Accum>
struct init_of_first_rank
{
  using type = Accum;
  T value;
  bool is_first;
};
template <class T, class Accum, class Fold, class Op>
REHEAT_DEVICE Accum with_initial_value(init_of_first_rank<T, Accum>& init, Fold& fold, Op& op)
{
  if (init.is_first || simt::fault_active(simt::fault::init_on_every_rank))
  {
    return Accum(op(init.value, fold));
  }
  return Accum(fold);
}

//! The gathered records of Ts, as one warp reads them.
template <class T>
class rank_records
{
public:
  REHEAT_DEVICE explicit rank_records(const gathered_records& all) : all_(all) {}

  REHEAT_DEVICE const record_head& head(int rank) const
  {
    return *reinterpret_cast<const record_head*>(all_.records + static_cast<std::size_t>(rank) * library::record_bytes);
  }
  REHEAT_DEVICE const T& value(int rank) const
  {
    return *reinterpret_cast<const T*>(all_.values + static_cast<std::size_t>(rank) * all_.stride);
  }
  REHEAT_DEVICE bool has_value(int rank) const
  {
    return head(rank).state == record_state::present || simt::fault_active(simt::fault::absent_ranks_folded);
  }

  //! Whether all ranks have made the same call, and none has failed, in all lanes. If not, the host gets all heads. All
  //! lanes call.
  REHEAT_DEVICE bool agree() const
  {
    const record_head own = head(all_.rank);
    bool own_part = true;
    for (int rank = lane(); rank < all_.count; rank += lanes)
    {
      const record_head other = head(rank);
      const bool same = (other.call_number == own.call_number && other.value_bytes == own.value_bytes &&
                         other.call == own.call && other.value_alignment == own.value_alignment) ||
                        simt::fault_active(simt::fault::signature_unchecked);
      const bool failed = other.state == record_state::failed && !simt::fault_active(simt::fault::failure_unnoticed);
      own_part = own_part && same && !failed;
    }
    const bool all_parts = simt::all(own_part);
    if (!all_parts && all_.report != nullptr)
    {
      report();
    }
    return all_parts;
  }

  //! The fold of the values of ranks first … last − 1, in lane 0; absent if none of them has one. `make(value, rank)` says
  //! what is folded. All lanes call.
  template <class Folded, class Make, class Op>
  REHEAT_DEVICE optional_accumulator<Folded> fold(int first, int last, Make make, Op& op) const
  {
    optional_accumulator<Folded> result;
    for (int base = first; base < last; base += lanes)
    {
      const unsigned there = simt::ballot(base + lane() < last && has_value(base + lane()));
      const auto valid = static_cast<int>(simt::count_ones(there));
      uninitialized<Folded> value;
      if (lane() < valid)
      {
        const bool reversed = simt::fault_active(simt::fault::ranks_reversed);
        const int rank = base + place_of_one(there, reversed ? valid - 1 - lane() : lane());
        value.construct(make(this->value(rank), rank));
      }
      warp_fold(value, static_cast<unsigned>(valid), op, static_cast<Folded*>(nullptr));
      if (valid != 0 && lane() == 0)
      {
        result.append(value.get(), op);
      }
    }
    return result;
  }

private:
  static constexpr int lanes = static_cast<int>(simt::warp_lanes);

  REHEAT_DEVICE static int lane() { return static_cast<int>(simt::lane_index()); }

  //! The place of the word's one number `index`, from the lowest.
  REHEAT_DEVICE static int place_of_one(unsigned word, int index)
  {
    int place = 0;
    for (int i = 0; i < lanes; ++i)
    {
      const bool one = (word >> i & 1u) != 0;
      place = one && index == 0 ? i : place;
      index -= one ? 1 : 0;
    }
    return place;
  }

  //! The host reads the heads once it has seen that the report is raised. What it has not read stays.
  REHEAT_DEVICE void report() const
  {
    std::uint32_t* const raised = &all_.report->raised;
    if (simt::all(simt::load_relaxed(raised) != 0))
    {
      return;
    }
    auto* const heads = reinterpret_cast<std::uint64_t*>(all_.report + 1);
    constexpr int words = sizeof(record_head) / sizeof(std::uint64_t);
    for (int i = lane(); i < all_.count * words; i += lanes)
    {
      const std::uint64_t word[1] = {reinterpret_cast<const std::uint64_t*>(&head(i / words))[i % words]};
      simt::store_words_to_host(heads + i, word);
    }
    simt::sync_warp();
    if (lane() == 0)
    {
      simt::store_release_to_host(raised, 1u);
    }
  }

  const gathered_records& all_;
};

} // namespace detail
REHEAT_NAMESPACE_END
