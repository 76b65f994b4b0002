// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Steps that scan one tile in shared memory, and before them the step that does not even use it. Each takes a tile from the
//! input and leaves its inclusive scan and its sum in global memory.
//!
//! * serial_step: thread 0 goes through the tile in global memory. Each item waits for a round trip of the one before.
//! * shared_step: all threads load the tile, so the round trips overlap; thread 0 scans it where an access is cheap. The
//!   other threads of the block still watch.
//! * rows_step: each warp scans a row of 32 items, then one warp scans the warps' sums, then every thread puts the sum of
//!   the warps before on the left of its own. How a row is scanned is rows.cuh's.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/ladder/chunks.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

//! Where a step leaves what it makes of a tile.
template <class Accum>
struct tile_output
{
  Accum* items;   //!< memory for the tile's items, which may hold nothing yet
  Accum* sum;     //!< null if nobody needs it
  unsigned valid; //!< items of the tile

  REHEAT_DEVICE void put(unsigned at, const Accum& value) const
  {
    construct_at(items + at, value);
    put_sum(at, value);
  }
  //! The last item of the scan is the tile's sum.
  REHEAT_DEVICE void put_sum(unsigned at, const Accum& value) const
  {
    if (sum != nullptr && at + 1 == valid)
    {
      construct_at(sum, value);
    }
  }
};

struct serial_step
{
  template <class Accum, class Op>
  static constexpr void needs()
  {}

  template <class Accum>
  struct shared
  {
    template <class Memory>
    REHEAT_HOST_DEVICE constexpr shared(Memory&, const chunk_shape&)
    {}
  };

  template <class InputIt, class Accum, class Op>
  static REHEAT_DEVICE void scan(const shared<Accum>&, InputIt& in, std::uint64_t first, const tile_output<Accum>& out,
                                 Op& op)
  {
    if (simt::thread_index() == 0)
    {
      optional_accumulator<Accum> fold;
      for (unsigned i = 0; i < out.valid; ++i)
      {
        fold.append(Accum(read_item(in, first + i)), op);
        out.put(i, fold.value.get());
      }
    }
  }
};

struct shared_step
{
  template <class Accum, class Op>
  static constexpr void needs()
  {}

  template <class Accum>
  struct shared
  {
    Accum* items;

    template <class Memory>
    REHEAT_HOST_DEVICE constexpr shared(Memory& memory, const chunk_shape& shape)
        : items(memory.template array<Accum>(shape.block_threads))
    {}
  };

  template <class InputIt, class Accum, class Op>
  static REHEAT_DEVICE void scan(const shared<Accum>& memory, InputIt& in, std::uint64_t first,
                                 const tile_output<Accum>& out, Op& op)
  {
    const unsigned thread = simt::thread_index();
    if (thread < out.valid)
    {
      construct_at(memory.items + thread, read_item(in, first + thread));
    }
    if (!simt::fault_active(simt::fault::skip_part_barrier))
    {
      simt::sync_block();
    }
    if (thread == 0)
    {
      for (unsigned i = 1; i < out.valid; ++i)
      {
        memory.items[i] = op(memory.items[i - 1], memory.items[i]);
      }
    }
    simt::sync_block();
    if (thread < out.valid)
    {
      out.put(thread, memory.items[thread]); // the thread loads the next tile's item to the same place
    }
  }
};

//! `Row` scans 32 values in shared memory. Row::padding identity elements stand before each row of items and before the
//! warps' sums.
template <class Row>
struct rows_step
{
  template <class Accum, class Op>
  static constexpr void needs()
  {
    Row::template needs<Accum, Op>();
  }

  template <class Accum>
  struct shared
  {
    Accum* items; //!< [warp][padding + 32]
    Accum* sums;  //!< [padding + warps]

    template <class Memory>
    REHEAT_HOST_DEVICE constexpr shared(Memory& memory, const chunk_shape& shape)
        : items(memory.template array<Accum>(shape.warps() * (Row::padding + simt::warp_lanes))),
          sums(memory.template array<Accum>(Row::padding + shape.warps()))
    {}
  };

  template <class InputIt, class Accum, class Op>
  static REHEAT_DEVICE void scan(const shared<Accum>& memory, InputIt& in, std::uint64_t first,
                                 const tile_output<Accum>& out, Op& op)
  {
    const unsigned thread = simt::thread_index(), lane = simt::lane_index(), warp = simt::warp_index();
    Accum* const row = memory.items + warp * (Row::padding + simt::warp_lanes) + Row::padding;
    Accum* const sums = memory.sums + Row::padding;

    // Load; a padded row is full whatever the tile's length is.
    if (thread < out.valid)
    {
      construct_at(row + lane, read_item(in, first + thread));
    }
    else if constexpr (Row::padding != 0)
    {
      construct_at(row + lane, identity_element<Op, Accum>());
    }
    if constexpr (Row::padding != 0)
    {
      if (lane < Row::padding && !simt::fault_active(simt::fault::skip_padding))
      {
        construct_at(row - Row::padding + lane, identity_element<Op, Accum>());
        if (warp == 0)
        {
          construct_at(memory.sums + lane, identity_element<Op, Accum>());
        }
      }
    }
    simt::sync_warp();

    // Each warp its row, then warp 0 the warps' sums.
    const unsigned lanes = Row::padding != 0 ? simt::warp_lanes : lanes_within(out.valid);
    Row::scan(row, lanes, op);
    if (lanes != 0 && lane == lanes - 1)
    {
      construct_at(sums + warp, row[lane]);
    }
    if (!simt::fault_active(simt::fault::skip_warp_sums_barrier))
    {
      simt::sync_block();
    }
    if (warp == 0)
    {
      const unsigned all = simt::block_threads() / simt::warp_lanes;
      Row::scan(sums, Row::padding != 0 ? all : (out.valid + simt::warp_lanes - 1) / simt::warp_lanes, op);
    }
    simt::sync_block();

    if (thread < out.valid)
    {
      out.put(thread, warp == 0 ? row[lane] : Accum(op(sums[warp - 1], row[lane])));
    }
    simt::sync_block(); // the sums may be overwritten
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END
