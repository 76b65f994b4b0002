// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Prefixes by decoupled look-back. The chained scan waits for the prefix of the tile before, though that tile's aggregate
//! was known long ago. Here each tile publishes its aggregate as soon as it has it, and its inclusive prefix later. One warp
//! looks at the 32 tiles before: up to the nearest one whose prefix is there, it takes that prefix and the aggregates since;
//! if there is none, it takes all 32 aggregates and looks further back. No tile waits for a chain of others.
//!
//! Where a prefix is found depends on how fast the blocks are, and with it how the operands associate: the result of a
//! floating-point scan may differ from run to run in its last bits. Operands keep their order.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/warp/fold.cuh>
#include <reheat/ladder/one_pass.cuh>

#include <cuda/std/bit>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

//! Operands in the opposite order: lane i of a looking warp holds the tile i + 1 before its own.
template <class Op>
struct reversed
{
  Op& op;

  template <class T>
  REHEAT_DEVICE T operator()(const T& right, const T& left)
  {
    return op(left, right);
  }
};

struct lookback_prefix
{
  static constexpr unsigned slots_per_tile = 2; //!< all tiles' inclusive prefixes, then all tiles' aggregates

  template <class Accum, class Op, class Init>
  static REHEAT_DEVICE void exchange(slot_array<Accum>& slots, std::uint64_t tiles, std::uint64_t tile,
                                     const Accum& aggregate, const one_pass_shared<Accum>& shared, Op& op, const Init& init)
  {
    const bool first_lane = simt::lane_index() == 0;
    const bool has_readers = tile + 1 < tiles;
    optional_accumulator<Accum> prefix; // lane 0's
    if (tile > 0)
    {
      if (first_lane && has_readers)
      {
        slots.publish(tiles + tile, aggregate);
      }
      look_back(slots, tiles, tile, prefix, op, shared.block.own_scratch());
    }
    else if constexpr (Init::present)
    {
      prefix.append(init.value, op);
    }
    if (first_lane)
    {
      if (has_readers)
      {
        slots.publish(tile, with_base(prefix, aggregate, op));
      }
      leave_prefix(shared, prefix);
    }
  }

private:
  //! Lane 0 gets the prefix of `tile` > 0. Tile 0 publishes a prefix and no aggregate: the search ends there at the latest.
  template <class Accum, class Op>
  static REHEAT_DEVICE void look_back(const slot_array<Accum>& slots, std::uint64_t tiles, std::uint64_t tile,
                                      optional_accumulator<Accum>& prefix, Op& op, Accum* scratch)
  {
    for (std::uint64_t end = tile; end > 0; end -= simt::warp_lanes)
    {
      uninitialized<Accum> value;
      bool found = false;
      const unsigned taken = read_window(slots, tiles, end, value, found);
      reversed<Op> backwards{op};
      warp_fold(value, taken, backwards, scratch);
      if (simt::lane_index() == 0)
      {
        if (prefix.has)
        {
          prefix.value.get() = op(value.get(), prefix.value.get());
        }
        else
        {
          prefix.append(value.get(), op);
        }
      }
      if (found)
      {
        return;
      }
    }
  }

  //! Lane i gets what tile end − 1 − i contributes, for i below the result; `found`: the last of them is a prefix. Waits for
  //! every tile on the way to it.
  template <class Accum>
  static REHEAT_DEVICE unsigned read_window(const slot_array<Accum>& slots, std::uint64_t tiles, std::uint64_t end,
                                            uninitialized<Accum>& value, bool& found)
  {
    const unsigned lane = simt::lane_index();
    const bool inside = lane < end;
    const std::uint64_t mine = inside ? end - 1 - lane : 0;
    for (;;)
    {
      slot_reading<Accum> prefix, aggregate;
      if (inside)
      {
        slots.read(mine, prefix);
        slots.read(tiles + mine, aggregate);
      }
      const bool has_aggregate = inside && slots.ready(aggregate);
      const bool has_prefix =
          inside && (slots.ready(prefix) || (has_aggregate && simt::fault_active(simt::fault::aggregate_for_prefix)));
      const unsigned prefixes = simt::ballot(has_prefix);
      const unsigned missing = simt::ballot(!has_prefix && !has_aggregate);
      const unsigned nearest = prefixes & (0u - prefixes); // its lowest bit
      found = prefixes != 0;
      if ((missing & (nearest - 1u)) == 0) // without a prefix: none may be missing
      {
        const unsigned taken = found ? static_cast<unsigned>(::cuda::std::countr_zero(prefixes)) + 1 : simt::warp_lanes;
        if (lane < taken)
        {
          const bool takes_prefix = lane + 1 == taken && found && slots.ready(prefix);
          if (takes_prefix)
          {
            slots.value(mine, prefix, value);
          }
          else
          {
            slots.value(tiles + mine, aggregate, value);
          }
        }
        return taken;
      }
      simt::backoff();
    }
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END
