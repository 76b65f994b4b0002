// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scans of the ladder by name. Each folds operands in order: the operator has to be associative. Floating-point results
//! are the same bits in every run, but for decoupled_lookback, whose association depends on which prefixes are there when a
//! tile looks.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/ladder/chained_scan.cuh>
#include <reheat/ladder/decoupled_lookback.cuh>
#include <reheat/ladder/hillis_steele.cuh>
#include <reheat/ladder/reduce_then_scan.cuh>
#include <reheat/ladder/register_step.cuh>
#include <reheat/ladder/rows.cuh>
#include <reheat/ladder/rung.cuh>
#include <reheat/ladder/scan_then_fan.cuh>
#include <reheat/ladder/tile_steps.cuh>

//! Every scan, in the order of the ladder: RUNG(name, what it is).
#define REHEAT_LADDER_SCANS(RUNG)                                                                                           \
  RUNG(scan_then_fan_serial,                                                                                                \
       "one thread per block scans a tile in global memory, one thread the sums, a third kernel adds")                      \
  RUNG(scan_then_fan_shared, "all threads load the tile into shared memory, one thread scans it there")                     \
  RUNG(scan_then_fan_warps, "one lane of each warp scans its 32 items, one lane of one warp the warps' sums")               \
  RUNG(scan_then_fan_kogge_stone, "all lanes scan the warp's items in five steps in shared memory")                         \
  RUNG(scan_then_fan_padded, "identity elements before the items make every lane alike")                                    \
  RUNG(scan_then_fan_recursive, "the tiles' sums are scanned by the same algorithm")                                        \
  RUNG(scan_then_fan_shuffle, "the warp's items are scanned by shuffles")                                                   \
  RUNG(scan_then_fan_predicated, "items stay in registers, the shuffle tells which lanes have a neighbour")                 \
  RUNG(reduce_then_scan_recursive, "the first pass only sums each tile, the last one scans it from its base")               \
  RUNG(reduce_then_scan_two_pass, "as many chunks as blocks, each scanned tile by tile with a running base")                \
  RUNG(chained_scan, "one pass: each tile waits for the prefix of the tile before")                                         \
  RUNG(decoupled_lookback, "one pass: each tile looks back over aggregates to the nearest prefix")                          \
  RUNG(hillis_steele_global, "log2 steps by all threads of a block, n log n operations, in global memory")                  \
  RUNG(hillis_steele_shared, "the same in shared memory")

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

inline constexpr unsigned striding_blocks = 128;     //!< as the authors have it
inline constexpr unsigned block_per_tile = 1u << 20; //!< for up to 2^30 items; larger inputs are strided over

using scan_then_fan_serial = scan_then_fan<serial_step, false, striding_blocks>;
using scan_then_fan_shared = scan_then_fan<shared_step, false, striding_blocks>;
using scan_then_fan_warps = scan_then_fan<rows_step<one_lane_row>, false, striding_blocks>;
using scan_then_fan_kogge_stone = scan_then_fan<rows_step<kogge_stone_row>, false, striding_blocks>;
using scan_then_fan_padded = scan_then_fan<rows_step<padded_row>, false, striding_blocks>;
using scan_then_fan_recursive = scan_then_fan<rows_step<padded_row>, true, striding_blocks>;
using scan_then_fan_shuffle = scan_then_fan<rows_step<shuffle_row>, true, striding_blocks>;
using scan_then_fan_predicated = scan_then_fan<register_step, true, striding_blocks>;
using reduce_then_scan_recursive = reduce_then_scan_recursion;
using reduce_then_scan_two_pass = reduce_then_scan_passes;
using chained_scan = one_pass<chained_prefix>;
using decoupled_lookback = one_pass<lookback_prefix>;
using hillis_steele_global = scan_then_fan<global_doubling_step, true, block_per_tile>;
using hillis_steele_shared = scan_then_fan<shared_doubling_step, true, block_per_tile>;

} // namespace ladder
} // namespace detail

namespace ladder
{

#define REHEAT_LADDER_SCAN(NAME, WHAT)                                                                                      \
  struct NAME##_t : detail::ladder::NAME                                                                                    \
  {};                                                                                                                       \
  inline constexpr NAME##_t NAME{};
REHEAT_LADDER_SCANS(REHEAT_LADDER_SCAN)
#undef REHEAT_LADDER_SCAN

} // namespace ladder
REHEAT_NAMESPACE_END
