// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What one-tile scans serve, their parameters and shared memory.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/warp/row.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Whether values can travel through shuffles and slots of words. Then a lane's registers hold its items.
template <class Accum>
inline constexpr bool scans_in_registers_v = slot_traits<Accum>::in_words;

//! Whether both pointers may be misaligned by the same number of bytes, so that rows could be shifted to where both are
//! aligned.
template <class InputIt, class OutputIt, class Accum>
inline constexpr bool may_be_misaligned_alike_v =
    row_items<Accum>::per_lane > 1 && moves_in_vec16_v<InputIt, Accum>&& moves_in_vec16_v<OutputIt, Accum>;
//! Whether rows are shifted then: for items of 1 and 2 bytes, whose kernel is worth it. Others go item by item.
template <class InputIt, class OutputIt, class Accum>
inline constexpr bool shifts_rows_v = may_be_misaligned_alike_v<InputIt, OutputIt, Accum> && sizeof(Accum) <= 2;

//! The parameters of one launch, apart from its iterators, operator and initial value.
template <class Accum>
struct one_tile_params
{
  std::uint64_t items;
  unsigned rows;              //!< of each warp; a tile is block_threads · rows · row_items::per_lane items
  bool aligned_in;            //!< `in` is a pointer, aligned to 16 bytes
  bool aligned_out;           //!< `out` is a pointer, aligned to 16 bytes
  std::uint16_t head_padding; //!< if rows are shifted: items that the first lane lacks
  workspace<Accum> scratch;
};

//! The maximum number of warps of a block.
inline constexpr unsigned one_tile_max_warps = 16;

//! Shared memory of a block. Arrays have room for the maximum number of warps, because compilers read several totals at
//! once, beyond the last one that is used.
template <class Accum>
struct one_tile_shared
{
  Accum* warp_totals;   //!< [warp]
  Accum* warp_prefixes; //!< [warp]: the fold of those previous aggregates that the warp has waited for
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

} // namespace detail
REHEAT_NAMESPACE_END
