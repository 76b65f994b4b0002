// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan of small inputs: every block scans one tile, which stays in registers, and all wait for each other once.
//!
//! What a large input hides behind its traffic, a small one pays for: tickets, a ring of stages, a look-back tile after
//! tile. Here a block's tile is that of its index. It is read into registers, in rows: 32 lanes with neighbouring vectors
//! each, so that the order of items needs no exchange in shared memory. The block publishes its aggregate, waits for those
//! of all tiles before, and writes. From a tile's last load to the first store the way is one trip through the L2 (1.0–1.3
//! us on an NVIDIA H200), however many tiles there are. A single tile has no need of scratch memory.
//!
//! Blocks start in the order of their indices (launch_kind::in_order) and wait for lower ones only, which therefore run or
//! have ended: two such grids that share a GPU can not lock each other out. The last tile's block has seen all others
//! publish, and ends the launch: nobody counts. Only when the epoch is the last of its count, blocks count themselves
//! finished, since words must not be cleared while others read them.
//!
//! Launches may overlap (launch_start::programmatic): a launch waits for the end of what is before it, and lets the next one
//! start when all blocks have their loads on the way, or, where a multiprocessor has more than one of them, begin to store.
//! i32 in a graph on an NVIDIA H200, us without, then with the next launch from the start, from the loads, from the stores
//! on: 4 KB 1.76, 1.34, 1.23, 1.37; 1 MB 4.57, 4.13, 3.73, 4.20; 4 MB, 128 blocks, 6.95, 6.68, 6.17, 6.19; 8 MB, 256
//! blocks, 9.15, 9.28, 9.24, 8.45. From the start on, a third and fourth launch gather on the multiprocessors, whose blocks
//! are spread unevenly.
//!
//! Input and output that are misaligned alike are read and written in rows of whole vectors all the same: the rows are
//! shifted, so that the first lane has fewer items than the others.
//!
//! Association, for a shape that follows from the number of items, the size of the accumulator, and whether rows are
//! shifted:
//! * thread: e(r, l) folds the items of lane l in row r of its warp from the left; lane 0 of the first row may have fewer
//! * row: Kogge–Stone over the e of its lanes
//! * warp: the rows' totals from the left; block: the warps' totals from the left
//! * before a lane's items of a row: x = warps before ⊕ (rows before ⊕ inclusive value of the lane before), each from the
//!   left; absent parts are left out
//! * prefix: P(t) = ((init ⊕ w) ⊕ w) …, where each warp's w folds ⌈groups / warps⌉ groups of 32 of the t aggregates before
//!   from the left; a group: warp_fold
//! * item: ((P(t) ⊕ x) ⊕ item) ⊕ item …, from the left
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/retire.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/grid/slot_fold.cuh>
#include <reheat/detail/scan/items.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/identity_accumulator.cuh>
#include <reheat/detail/warp/row.cuh>
#include <reheat/detail/warp/scan.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Whether values travel through shuffles and slots of words, and a lane's registers hold some rows of them.
template <class Accum>
inline constexpr bool scans_in_registers_v = slot_traits<Accum>::in_words;

//! Whether rows of misaligned pointers can be shifted to where they are aligned.
template <class InputIt, class OutputIt, class Accum>
inline constexpr bool shifts_rows_v =
    row_items<Accum>::per_lane > 1 && moves_in_vec16_v<InputIt, Accum>&& moves_in_vec16_v<OutputIt, Accum>;

//! The parameters of one launch, apart from its iterators, operator and initial value.
template <class Accum>
struct one_tile_params
{
  std::uint64_t items;
  unsigned rows;              //!< of each warp; a tile is block_threads · rows · row_items::per_lane items
  bool aligned_in;            //!< `in` is a pointer, aligned to 16 bytes
  bool aligned_out;           //!< `out` likewise
  std::uint16_t head_padding; //!< where rows are shifted: padded items of the first lane, which has fewer items
  workspace<Accum> scratch;
};

//! Warps of a block at most.
inline constexpr unsigned one_tile_max_warps = 16;

//! Shared memory of a block. Arrays have room for the most warps: compilers read some totals at once, and more than there
//! are, which must be nobody's.
template <class Accum>
struct one_tile_shared
{
  Accum* warp_totals;   //!< [warp]
  Accum* warp_prefixes; //!< [warp]: of the aggregates before the tile that the warp has waited for
  std::uint32_t* epoch;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr explicit one_tile_shared(Memory& memory)
      : warp_totals(memory.template array<Accum>(one_tile_max_warps)),
        warp_prefixes(memory.template array<Accum>(one_tile_max_warps)), epoch(memory.template array<std::uint32_t>(1))
  {}
};

template <class Accum>
REHEAT_HOST_DEVICE constexpr std::size_t one_tile_shared_bytes()
{
  simt::shared_counter counter;
  one_tile_shared<Accum> layout(counter);
  static_cast<void>(layout);
  return counter.bytes();
}

//! One block. `Shifted`: the first lane lacks items, so that those behind it are aligned to 16 bytes, in and out.
template <scan_kind Kind, bool Shifted, class InputIt, class OutputIt, class Op, class Init>
class scan_one_tile
{
  using accum = typename Init::accum;
  using row = row_items<accum>;
  using fold_type = accumulator_for<accum, Op>;
  static constexpr unsigned max_rows = one_tile_max_rows(sizeof(accum));
  static constexpr unsigned max_warps = one_tile_max_warps;
  static constexpr unsigned max_warps_that_poll = 256;

public:
  REHEAT_DEVICE scan_one_tile(const one_tile_params<accum>& params, const one_tile_shared<accum>& shared, InputIt in,
                              OutputIt out, Op op)
      : params_(params), shared_(shared), in_(in), out_(out), op_(op), tile_(simt::block_index()),
        tiles_(simt::grid_blocks()), warps_(simt::block_threads() / 32)
  {}

  REHEAT_DEVICE void run(const Init& init)
  {
    // One thread reads the epoch, and nobody publishes before it is here: a block that has seen a publication may end the
    // launch. Its round trip hides behind that of the items.
    std::uint32_t last_launch = 0;
    const bool reads_epoch = tiles_ > 1 && simt::thread_index() == 0;
    if (reads_epoch)
    {
      last_launch = last_launch_epoch(params_.scratch.header);
    }
    load();
    if (tiles_ <= one_tile_lone_blocks)
    {
      simt::trigger_dependent_launch();
    }
    scan_warp();
    if (reads_epoch)
    {
      *shared_.epoch = last_launch + 1; // not before: the addition would hold back the loads behind it
    }
    simt::sync_block(simt::unless(simt::fault::skip_warps_barrier)); // the warps' totals and the epoch are there
    fold_type prefix;
    if constexpr (Init::present)
    {
      prefix.append(init.load(), op_);
    }
    if (tiles_ == 1)
    {
      scan_block(nullptr);
    }
    else
    {
      const slot_array<accum> slots(params_.scratch, *shared_.epoch);
      scan_block(&slots);
      if (tile_ > 0)
      {
        append_aggregates(slots, prefix);
      }
      retire(*shared_.epoch);
    }
    if (tiles_ > one_tile_lone_blocks)
    {
      simt::trigger_dependent_launch();
    }
    store(prefix, total_of<Init>(init));
  }

private:
  //! The lane's first item in row r, counted from the tile's first, padded items included.
  REHEAT_DEVICE unsigned first_of(unsigned r) const
  {
    return (simt::warp_index() * params_.rows * 32 + simt::lane_index()) * row::per_lane + r * (32 * row::per_lane);
  }
  //! The item there, counted from the input's first.
  REHEAT_DEVICE std::uint64_t index_of(unsigned r) const { return first_item_ + first_of(r) + head_padding_of(r); }
  //! How many of the lane's items are padding, at their front.
  REHEAT_DEVICE unsigned head_padding_of(unsigned r) const
  {
    return Shifted && r == 0 && tile_ == 0 && simt::thread_index() == 0 ? params_.head_padding : 0;
  }
  REHEAT_DEVICE unsigned tile_items() const { return simt::block_threads() * params_.rows * row::per_lane; }

  REHEAT_DEVICE void load()
  {
    const unsigned head_padding = Shifted ? params_.head_padding : 0;
    first_item_ = std::uint64_t{tile_} * tile_items() - head_padding;
    const std::uint64_t left = params_.items - first_item_;
    valid_ = left < tile_items() ? static_cast<unsigned>(left) : tile_items();
    REHEAT_UNROLL
    for (unsigned r = 0; r < max_rows; ++r)
    {
      count_[r] = 0;
      if (r < params_.rows)
      {
        const unsigned first = first_of(r);
        const unsigned more = valid_ > first ? valid_ - first : 0;
        count_[r] = (more < row::per_lane ? more : row::per_lane) - head_padding_of(r);
        // Shifted, all lanes of a warp take the same way: two would fill the same registers, and the second would wait for
        // the first (512 bytes of i32 on an NVIDIA H200: 2.28 us instead of 2.58).
        const bool aligned = Shifted ? simt::all(count_[r] == row::per_lane) : params_.aligned_in;
        items_[r].load(in_, aligned, index_of(r), count_[r]);
      }
    }
  }

  //! How many lanes of the warp have items in row r.
  REHEAT_DEVICE unsigned lanes_of(unsigned r) const
  {
    const unsigned first = (simt::warp_index() * params_.rows + r) * 32 * row::per_lane;
    const unsigned lanes = (valid_ > first ? valid_ - first + row::per_lane - 1 : 0) / row::per_lane;
    return lanes < 32 ? lanes : 32;
  }

  //! Leaves in before_row_ what stands before the lane's items of each row in its warp, the warp's total in shared memory.
  REHEAT_DEVICE void scan_warp()
  {
    uninitialized<accum> inclusive[max_rows];
    unsigned lanes[max_rows];
    REHEAT_UNROLL
    for (unsigned r = 0; r < max_rows; ++r)
    {
      lanes[r] = 0;
      if (r < params_.rows)
      {
        lanes[r] = lanes_of(r);
        items_[r].template walk<false>(count_[r],
                                       [&](const accum& item, unsigned i)
                                       {
                                         if (i == 0)
                                         {
                                           inclusive[r].construct(item);
                                         }
                                         else
                                         {
                                           inclusive[r].get() = op_(inclusive[r].get(), item);
                                         }
                                       });
      }
    }
    warp_inclusive_scans(inclusive, lanes, params_.rows, op_);
    REHEAT_UNROLL
    for (unsigned r = 0; r < max_rows; ++r)
    {
      if (r < params_.rows)
      {
        const uninitialized<accum> left = simt::shuffle_up(inclusive[r], 1);
        const uninitialized<accum> total = simt::shuffle(inclusive[r], lanes[r] == 0 ? 0 : lanes[r] - 1);
        if (count_[r] != 0)
        {
          before_row_[r] = warp_total_;
          before_row_[r].append_if(simt::lane_index() != 0, left, op_);
        }
        warp_total_.append_if(lanes[r] != 0, total, op_);
      }
    }
    if (warp_total_.has && simt::lane_index() == 0)
    {
      construct_at(shared_.warp_totals + simt::warp_index(), warp_total_.value.get());
    }
  }

  //! Completes before_row_ with the warps before. The last warp publishes the tile's aggregate, if there are tiles behind.
  REHEAT_DEVICE void scan_block(const slot_array<accum>* slots)
  {
    const unsigned warp =
        warp_total_.has ? simt::warp_index() : 0; // behind the last item: no item asks, no total may be read
    uninitialized<accum> total[max_warps];
    REHEAT_UNROLL
    for (unsigned i = 0; i + 1 < max_warps; ++i)
    {
      if (i < warp)
      {
        total[i].construct(shared_.warp_totals[i]);
      }
    }
    fold_type before;
    REHEAT_UNROLL
    for (unsigned i = 0; i + 1 < max_warps; ++i)
    {
      before.append_if(i < warp, total[i], op_);
    }
    if (slots != nullptr && tile_ + 1 < tiles_ && warp + 1 == warps_ && simt::lane_index() == 0)
    {
      fold_type aggregate = before;
      aggregate.append(warp_total_, op_);
      slots->publish(tile_, aggregate.value.get());
    }
    if (warp == 0)
    {
      return;
    }
    REHEAT_UNROLL
    for (unsigned r = 0; r < max_rows; ++r)
    {
      if (count_[r] != 0)
      {
        fold_type x = before;
        x.append(before_row_[r], op_);
        before_row_[r] = x;
      }
    }
  }

  //! Appends the aggregates of all tiles before, in every thread. The warps share the wait, a slot for each lane: with four
  //! for each, i32 of 256 KB took 3.22 us on an NVIDIA H200, instead of 2.79, and of 4 MB 6.18 instead of 5.81.
  REHEAT_DEVICE void append_aggregates(const slot_array<accum>& slots, fold_type& prefix)
  {
    constexpr unsigned group = simt::warp_lanes;
    const unsigned groups = (tile_ + group - 1) / group;
    // Few warps poll each for itself: a barrier takes longer than the loads. (512 warps made a scan of 200 KB of 12-byte
    // items take 13.8 us instead of 5 on an NVIDIA H200: they poll the same few lines.)
    if (tiles_ <= 32 && tiles_ * warps_ <= max_warps_that_poll)
    {
      uninitialized<accum> fold;
      fold_slots<1>(slots, 0, tile_, fold, op_, static_cast<accum*>(nullptr));
      fold = simt::shuffle(fold, 0);
      prefix.append(fold.get(), op_);
      return;
    }
    const unsigned per_warp = (groups + warps_ - 1) / warps_;
    fold_type own;
    for (unsigned g = 0; g < per_warp; ++g)
    {
      const unsigned first = (simt::warp_index() * per_warp + g) * group;
      if (first < tile_)
      {
        uninitialized<accum> fold;
        const unsigned left = tile_ - first;
        fold_slots<1>(slots, first, left < group ? left : group, fold, op_, static_cast<accum*>(nullptr));
        if (simt::lane_index() == 0)
        {
          own.append(fold.get(), op_);
        }
      }
    }
    if (own.has && simt::lane_index() == 0)
    {
      construct_at(shared_.warp_prefixes + simt::warp_index(), own.value.get());
    }
    simt::sync_block(simt::unless(simt::fault::skip_prefixes_barrier));
    const unsigned used = (groups + per_warp - 1) / per_warp;
    for (unsigned warp = 0; warp < used; ++warp)
    {
      prefix.append(shared_.warp_prefixes[warp], op_);
    }
  }

  //! Once this thread looks at slots no more.
  REHEAT_DEVICE void retire(std::uint32_t epoch)
  {
    const std::uint64_t words = std::uint64_t{tiles_} * slot_traits<accum>::words;
    if (is_last_epoch(epoch))
    {
      simt::sync_block(); // no warp looks at slots any more
      if (simt::warp_index() == 0)
      {
        retire_blocks(params_.scratch, words, epoch);
      }
      return;
    }
    const unsigned last = simt::fault_active(simt::fault::first_tile_retires) ? 0 : tiles_ - 1;
    if (tile_ == last && simt::thread_index() == 0)
    {
      retire_launch(params_.scratch.header, epoch, words);
    }
  }

  REHEAT_DEVICE void store(const fold_type& prefix, const total_of<Init>& total)
  {
    REHEAT_UNROLL
    for (unsigned r = 0; r < max_rows; ++r)
    {
      if (count_[r] != 0)
      {
        fold_type fold = prefix;
        fold.append(before_row_[r], op_);
        item_scanner<Kind, accum, Op, fold_type> scan{fold, count_[r], op_};
        if constexpr (total_of<Init>::is_stored)
        {
          const bool ends_input = index_of(r) + count_[r] == params_.items;
          items_[r].template walk<true>(count_[r],
                                        [&](accum& item, unsigned i)
                                        {
                                          const accum own(item);
                                          scan(item, i);
                                          if (ends_input && i + 1 == count_[r])
                                          {
                                            total.template store<Kind>(item, own, op_);
                                          }
                                        });
        }
        else
        {
          items_[r].template walk<true>(count_[r], scan);
        }
        items_[r].store(out_, Shifted || params_.aligned_out, index_of(r), count_[r]);
      }
    }
  }

  const one_tile_params<accum>& params_;
  const one_tile_shared<accum>& shared_;
  InputIt in_;
  OutputIt out_;
  Op op_;
  unsigned tile_;
  unsigned tiles_;
  unsigned warps_;
  std::uint64_t first_item_ = 0; //!< of the tile, counted from the input's first; below 0 by the head padding
  unsigned valid_ = 0;           //!< items of the tile with the head padding, up to the input's last item
  row items_[max_rows];
  unsigned count_[max_rows] = {}; //!< the lane's items of each row
  fold_type warp_total_;
  fold_type before_row_[max_rows]; //!< what stands before them in the tile
};

//! One launch scans everything, a tile per block. Shifted rows have a kernel of their own: where one kernel asked whether
//! there is padding, aligned inputs took up to 5 % longer (256 KB of i32 on an NVIDIA H200: 4.15 us instead of 3.98).
template <class Tuning, scan_kind Kind, bool Shifted, class InputIt, class OutputIt, class Op, class Init>
REHEAT_KERNEL(Tuning{}(simt::arch).one_tile_threads)
scan_one_tile_kernel(InputIt in, OutputIt out, one_tile_params<typename Init::accum> params, Op op, Init init)
{
  static_assert(Kind == scan_kind::inclusive || Init::present, "an exclusive scan starts from an initial value");
  simt::shared_memory memory;
  const one_tile_shared<typename Init::accum> shared(memory);
  simt::grid_dependency_wait(simt::unless(simt::fault::scan_too_early));
  scan_one_tile<Kind, Shifted, InputIt, OutputIt, Op, Init>(params, shared, in, out, op).run(init);
}

} // namespace detail
REHEAT_NAMESPACE_END
