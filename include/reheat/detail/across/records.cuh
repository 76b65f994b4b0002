// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The records of ranks in kernels: how a rank's value gets into its record, and how one warp folds those of all ranks.
//!
//! Association. Of the ranks that have a value, in the order of ranks: warp_fold folds 32 neighbours, and the folds of such
//! groups are folded from the left. Ranks without a value leave no trace. The result depends on nothing but the values, so
//! every rank gets the same bits. It is deterministic for operators that only are associative, too.
//!
//! Seals. The number of the gather and the rank tell a whole record from the one that is looked for, if it is of one of the
//! 65535 gathers before on the same object of ranks, or of a rank whose number differs modulo 2^16. Objects made anew, or
//! beside it, on the same communicator repeat numbers: a record of theirs passes if its call has the same number and
//! signature, too. A record that is pieced together from several passes once in 2^16 times.
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

// ---- seals --------------------------------------------------------------------------------------------------------------

//! A digest of words: a sum of products with odd factors, which do not wait for each other.
class digest
{
public:
  REHEAT_DEVICE void add(std::uint64_t word)
  {
    sum_ += word * factor_;
    factor_ *= 0xd1342543de82ef95;
  }
  //! Words in memory. They are loaded from there, also if this thread has just stored them: what pads a value between its
  //! members is known nowhere else.
  template <unsigned Words>
  REHEAT_DEVICE void add_memory(const void* memory)
  {
    auto* const words = static_cast<std::uint64_t*>(const_cast<void*>(memory));
    constexpr unsigned together = 16; // loads that do not wait for each other
    for (unsigned first = 0; first < Words; first += together)
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < together; ++i)
      {
        if (first + i < Words)
        {
          add(simt::load_relaxed(words + first + i));
        }
      }
    }
  }
  REHEAT_DEVICE std::uint64_t value() const
  {
    const std::uint64_t folded = (sum_ ^ sum_ >> 32) * 0x9e3779b97f4a7c15; // the high bits of words get into its high bits
    return folded ^ folded >> 29;
  }

private:
  std::uint64_t sum_ = 0, factor_ = 0xbf58476d1ce4e5b9;
};

constexpr unsigned word_bytes = sizeof(std::uint64_t);

struct head_words
{
  std::uint64_t word[sizeof(record_head) / word_bytes];
};
//! As they lie in memory.
REHEAT_DEVICE inline head_words words_of(const record_head& head)
{
  return {{head.items, head.call_number | static_cast<std::uint64_t>(head.value_bytes) << 32,
           head.call | static_cast<std::uint64_t>(head.value_alignment) << 16 |
               static_cast<std::uint64_t>(head.state) << 24 | static_cast<std::uint64_t>(head.gather) << 32 |
               static_cast<std::uint64_t>(head.seal) << 48}};
}

//! The seal of rank `rank`'s record with this head. `record` is where it lies: behind the head all bytes count, since of
//! another call nobody knows how many are in use.
REHEAT_DEVICE inline std::uint16_t seal_of(record_head head, const record_head* record, int rank)
{
  head.seal = 0;
  digest all;
  const head_words words = words_of(head);
  for (const std::uint64_t word : words.word)
  {
    all.add(word);
  }
  if (!simt::fault_active(simt::fault::head_sealed_alone))
  {
    all.add_memory<(library::record_bytes - sizeof(record_head)) / word_bytes>(record + 1);
  }
  const int told = simt::fault_active(simt::fault::rank_not_in_seal) ? 0 : rank;
  return static_cast<std::uint16_t>((all.value() >> 48) ^ static_cast<unsigned>(told));
}

//! Whether Ts have no room in a record. Then their digest stands behind the head.
template <class T>
inline constexpr bool follows_record_v = library::value_offset(sizeof(T), alignof(T)) == 0;

template <class T>
REHEAT_DEVICE std::uint64_t digest_of(const T* value)
{
  digest all;
  all.add_memory<(sizeof(T) + word_bytes - 1) / word_bytes>(value);
  return all.value();
}

//! Stores the head of a record, whose value is stored.
REHEAT_DEVICE inline void store_head(const library::record_place& where, record_head head)
{
  if (where.latest != nullptr)
  {
    const bool numbered = !simt::fault_active(simt::fault::gathers_not_numbered);
    head.gather = numbered ? static_cast<std::uint16_t>(where.latest->gather + 1) : std::uint16_t(0);
    head.seal = seal_of(head, where.record, where.rank);
  }
  *where.record = head;
}

// ---- records ------------------------------------------------------------------------------------------------------------

//! The rank's own record as the result of a reduction (reduce/into.cuh): the kernel that has the value stores the head, too.
template <class T>
struct record_result
{
  library::record_place record;
  T* value;
  record_head head;
};
template <class T, class From>
REHEAT_DEVICE void store_result(record_result<T>& where, const From& from)
{
  construct_at(where.value, T(from));
  if constexpr (follows_record_v<T>)
  {
    if (where.record.latest != nullptr)
    {
      *reinterpret_cast<std::uint64_t*>(where.record.record + 1) = digest_of(where.value);
    }
  }
  store_head(where.record, where.head);
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

  //! Whether all records have arrived, all ranks have made the same call, and none has failed, in all lanes. If not, the
  //! host gets all heads. `with_values`: values that follow their records have been gathered, too. All lanes call.
  REHEAT_DEVICE bool agree(bool with_values = true) const
  {
    const record_head own = *all_.sent;
    bool own_part = true;
    for (int rank = lane(); rank < all_.count; rank += lanes)
    {
      const record_head other = head(rank);
      const bool same = (other.call_number == own.call_number && other.value_bytes == own.value_bytes &&
                         other.call == own.call && other.value_alignment == own.value_alignment) ||
                        simt::fault_active(simt::fault::signature_unchecked);
      const bool failed = other.state == record_state::failed && !simt::fault_active(simt::fault::failure_unnoticed);
      own_part = own_part && same && !failed && has_arrived(rank, with_values);
    }
    const bool all_parts = simt::all(own_part);
    if (!all_parts && all_.report != nullptr)
    {
      report(with_values);
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

  //! Whether the rank's record is the one that this gather should have brought.
  REHEAT_DEVICE bool has_arrived(int rank, bool with_values) const
  {
    if (all_.report == nullptr || simt::fault_active(simt::fault::arrival_unchecked))
    {
      return true; // engines that gather on the host mark what is missing
    }
    const record_head& there = head(rank);
    bool arrived = there.gather == all_.sent->gather && there.seal == seal_of(there, &there, rank);
    if constexpr (follows_record_v<T>)
    {
      const bool is_this_call = there.value_bytes == sizeof(T) && there.state == record_state::present;
      if (arrived && with_values && is_this_call && !simt::fault_active(simt::fault::late_value_unchecked))
      {
        arrived = digest_of(&value(rank)) == *reinterpret_cast<const std::uint64_t*>(&there + 1);
      }
    }
    return arrived;
  }

  //! The host reads the heads once it has seen that the report is raised. What it has not read stays.
  REHEAT_DEVICE void report(bool with_values) const
  {
    std::uint32_t* const raised = &all_.report->raised;
    if (simt::all(simt::load_relaxed(raised) != 0))
    {
      return;
    }
    auto* const heads = reinterpret_cast<std::uint64_t*>(all_.report + 1);
    constexpr int words = sizeof(record_head) / sizeof(std::uint64_t);
    for (int rank = lane(); rank < all_.count; rank += lanes)
    {
      record_head told = head(rank);
      if (!has_arrived(rank, with_values))
      {
        told = *all_.sent;
        told.state = record_state::missing;
      }
      for (int i = 0; i < words; ++i)
      {
        const std::uint64_t word[1] = {words_of(told).word[i]};
        simt::store_words_to_host(heads + rank * words + i, word);
      }
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
