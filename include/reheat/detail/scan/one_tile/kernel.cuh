// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan of small inputs: every block scans one tile, which stays in registers, and waits once for all previous tiles.
//!
//! Tickets, a ring of stages and a look-back per tile cost time that only a large input hides behind its traffic. Here the
//! block index chooses the tile. A block reads its tile into registers in rows: each of 32 lanes holds a vector of
//! neighbouring items, so keeping the order needs no exchange in shared memory. The block publishes its aggregate, waits
//! for the aggregates of all previous tiles, and writes. Between a tile's last load and its first store lies one round trip
//! through the L2 (1.0 to 1.3 us, NVIDIA H200), however many tiles there are. A single tile needs no scratch memory.
//!
//! Progress. Blocks start in the order of their indices (launch_kind::in_order) and wait only for lower ones, which are
//! running or have ended. So two such grids that share a GPU cannot deadlock. The block of the last tile has seen all other
//! blocks publish, so it ends the launch without a count of finished blocks. Only at the last epoch do blocks count
//! themselves finished, because no words may be cleared while another block reads them.
//!
//! Launches may overlap (launch_start::programmatic). A launch waits for the end of earlier work. It lets the next launch
//! start when all its blocks have issued their loads. If a multiprocessor has more than one block, it does so when all
//! blocks begin to store (8 MB of i32 in a graph: 8.45 us, 9.24 from the loads on, NVIDIA H200). Earlier starts are slower:
//! blocks of a third and a fourth launch gather on the multiprocessors, spread unevenly.
//!
//! If input and output of items of 1 or 2 bytes are misaligned by the same number of bytes, whole vectors are read and
//! written all the same: the rows are shifted, so that the first lane has fewer items than the others. (Not with
//! fixed_tiles.)
//!
//! Association. The shape follows from the number of items, the size of the accumulator, and whether rows are shifted:
//! * thread: e(r, l) folds the items of lane l in row r of its warp from the left; lane 0 of the first row may have fewer
//! * row: Kogge–Stone over the e of its lanes
//! * warp: the rows' totals from the left; block: the warps' totals from the left
//! * exclusive value of a lane in a row: x = previous warps ⊕ (previous rows ⊕ inclusive value of the previous lane), each
//!   from the left; absent parts are left out
//! * prefix: P(t) = ((init ⊕ w) ⊕ w) …, one w for each warp. A warp's w folds ⌈groups / warps⌉ groups from the left; a group
//!   is 32 of the t previous aggregates, folded by warp_fold.
//! * item: ((P(t) ⊕ x) ⊕ item) ⊕ item …, from the left
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/retire.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/grid/slot_fold.cuh>
#include <reheat/detail/scan/items.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/scan/one_tile/shared.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/identity_accumulator.cuh>
#include <reheat/detail/warp/row.cuh>
#include <reheat/detail/warp/scan.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! One block. `Shifted`: the first lane lacks items, so that all further vectors of input and output are aligned.
template <scan_kind Kind, bool Shifted, class InputIt, class OutputIt, class Op, class Init>
class scan_one_tile
{
  using accum = typename Init::accum;
  using row = row_items<accum>;
  using fold_type = accumulator_for<accum, Op>;
  static constexpr unsigned max_rows = one_tile_max_rows(sizeof(accum));
  static constexpr unsigned lone_blocks = one_tile_config_for(simt::arch, sizeof(accum)).lone_blocks;
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
    // One thread reads the epoch, before its block publishes: a block that has seen all aggregates may end the launch and
    // change the epoch. The loads of the items hide the round trip.
    std::uint32_t last_launch = 0;
    const bool reads_epoch = tiles_ > 1 && simt::thread_index() == 0;
    if (reads_epoch)
    {
      last_launch = last_launch_epoch(params_.scratch.header);
    }
    load();
    if (tiles_ <= lone_blocks)
    {
      simt::trigger_dependent_launch();
    }
    scan_warp();
    if (reads_epoch)
    {
      *shared_.epoch = last_launch + 1; // not earlier: the addition would delay the loads
    }
    simt::sync_block(simt::unless(simt::fault::skip_warps_barrier)); // the warps' totals and the epoch are in shared memory
    fold_type prefix;
    if constexpr (Init::present)
    {
      if (init_presence<Init>(init).holds)
      {
        prefix.append(init.load(), op_);
      }
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
      retire_in_order(params_.scratch, std::uint64_t{tiles_} * slot_traits<accum>::words, *shared_.epoch);
    }
    if (tiles_ > lone_blocks)
    {
      simt::trigger_dependent_launch();
    }
    store(prefix, total_of<Init>(init));
  }

private:
  //! The index of the lane's first item in row r within the tile, padded items included.
  REHEAT_DEVICE unsigned first_of(unsigned r) const
  {
    return (simt::warp_index() * params_.rows * 32 + simt::lane_index()) * row::per_lane + r * (32 * row::per_lane);
  }
  //! The index of that item within the input.
  REHEAT_DEVICE std::uint64_t index_of(unsigned r) const { return first_item_ + first_of(r) + head_padding_of(r); }
  //! Returns how many of the lane's first items are padding.
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
        // In shifted rows all lanes of a warp take the same branch: otherwise both branches fill the same registers, one
        // after the other (512 bytes of i32: 2.58 us instead of 2.28, NVIDIA H200).
        const bool aligned = Shifted ? simt::all(count_[r] == row::per_lane) : params_.aligned_in;
        items_[r].load(in_, aligned, index_of(r), count_[r]);
      }
    }
  }

  //! Returns how many lanes of the warp have items in row r.
  REHEAT_DEVICE unsigned lanes_of(unsigned r) const
  {
    const unsigned first = (simt::warp_index() * params_.rows + r) * 32 * row::per_lane;
    const unsigned lanes = (valid_ > first ? valid_ - first + row::per_lane - 1 : 0) / row::per_lane;
    return lanes < 32 ? lanes : 32;
  }

  //! Leaves in before_row_, for each row, the fold of the warp's items before the lane's. Leaves the warp's total in shared
  //! memory.
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

  //! Completes before_row_ with the previous warps' totals. The last warp publishes the tile's aggregate unless the tile is
  //! the last one.
  REHEAT_DEVICE void scan_block(const slot_array<accum>* slots)
  {
    const unsigned warp =
        warp_total_.has ? simt::warp_index() : 0; // a warp without items needs no total, and must read none
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

  //! Appends the aggregates of all previous tiles, in every thread. Each warp waits for some of them, one slot per lane.
  //! Four slots per lane cost 6 to 15 % (4 MB and 256 KB of i32, NVIDIA H200).
  REHEAT_DEVICE void append_aggregates(const slot_array<accum>& slots, fold_type& prefix)
  {
    constexpr unsigned group = simt::warp_lanes;
    const unsigned groups = (tile_ + group - 1) / group;
    // If the grid has few warps, each polls for itself, since a barrier takes longer than the loads. More warps slow each
    // other down, as they poll the same lines (200 KB of 12-byte items, 512 warps: 13.8 us instead of 5, NVIDIA H200).
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
  std::uint64_t first_item_ = 0; //!< the tile's first item; with head padding, tile 0 starts before item 0 (modulo 2^64)
  unsigned valid_ = 0;           //!< items of the tile, the head padding included, up to the input's last item
  row items_[max_rows];
  unsigned count_[max_rows] = {}; //!< the lane's items of each row
  fold_type warp_total_;
  fold_type
      before_row_[max_rows]; //!< by row: the fold of the items before the lane's, at first in the warp, then in the tile
};

//! One launch scans everything, a tile per block. Shifted rows have a kernel of their own: one kernel for both costs aligned
//! inputs up to 5 % (256 KB of i32, NVIDIA H200).
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
