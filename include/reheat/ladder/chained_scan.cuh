// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The chained scan's prefixes: each tile waits until the tile before has published its inclusive prefix, which is what
//! stands left of this one; folds its own aggregate into it, and publishes that. The items are read once, which the two
//! passes before did not achieve. But one tile follows the other: with t the time of a store and a load between two blocks,
//! n tiles take n · t however many blocks there are.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/ladder/one_pass.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

struct chained_prefix
{
  static constexpr unsigned slots_per_tile = 1; //!< the inclusive prefix

  template <class Accum, class Op, class Init>
  static REHEAT_DEVICE void exchange(slot_array<Accum>& slots, std::uint64_t tiles, std::uint64_t tile,
                                     const Accum& aggregate, const one_pass_shared<Accum>& shared, Op& op, const Init& init)
  {
    if (simt::lane_index() != 0)
    {
      return;
    }
    optional_accumulator<Accum> prefix;
    if (tile > 0)
    {
      slot_reading<Accum> reading;
      for (slots.read(tile - 1, reading); !slots.ready(reading); slots.read(tile - 1, reading))
      {
        simt::backoff();
      }
      slots.value(tile - 1, reading, prefix.value);
      prefix.has = true;
    }
    else if constexpr (Init::present)
    {
      prefix.append(init.value, op);
    }
    if (tile + 1 < tiles)
    {
      slots.publish(tile, with_base(prefix, aggregate, op));
    }
    leave_prefix(shared, prefix);
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END
