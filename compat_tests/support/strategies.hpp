// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The ways to scan: which of them a call takes follows from its size, unless a test has it another way.
#pragma once

#include "tiles.hpp"

#include <reheat/detail/scan/dispatch.cuh>

namespace compat
{

using reheat::detail::forced_scan;

inline forced_scan streaming_scans()
{
  forced_scan how;
  how.streaming = true;
  return how;
}
//! In tiles of block_threads / 32 · rows rows. Types that do not fit registers stay as they are.
inline forced_scan one_tile_scans(unsigned block_threads, unsigned rows)
{
  forced_scan how;
  how.one_tile = {block_threads, rows};
  return how;
}

//! All scans of the program go as `how` says, as long as the object lives.
class __attribute__((visibility("hidden"))) force_scans // as the library it looks into
{
public:
  explicit force_scans(const forced_scan& how) : before_(reheat::detail::forced) { reheat::detail::forced = how; }
  force_scans(const force_scans&) = delete;
  force_scans& operator=(const force_scans&) = delete;
  ~force_scans() { reheat::detail::forced = before_; }

private:
  forced_scan before_;
};

//! How many items from `begin` on stand before the first at a multiple of `bytes`; 0 if it never comes.
template <class T>
std::size_t items_before_multiple(const T* begin, std::size_t bytes)
{
  for (std::size_t items = 0; items < bytes; ++items)
  {
    if ((reinterpret_cast<std::uintptr_t>(begin) + items * sizeof(T)) % bytes == 0)
    {
      return items;
    }
  }
  return 0;
}
//! How many items the first tile of a streaming scan lacks that reads Ts, which are copied by their bytes, from `in` on.
template <class T>
std::size_t head_padding_of_tile(const T* in)
{
  const std::size_t head = items_before_multiple(in, scan_shape<T>().tile_alignment);
  return head == 0 ? 0 : scan_tile<T>() - head;
}
//! Whether input and output are misaligned alike, by Ts that fill vectors.
template <class T>
bool misaligned_alike(const T* in, const T* out)
{
  const std::size_t head = items_before_multiple(in, 16);
  return reheat::detail::row_items<T>::per_lane > 1 && head != 0 && head == items_before_multiple(out, 16);
}
//! How many items the first lane of a one-tile scan of `items` Ts lacks: of pointers that are misaligned alike, if Ts have 1
//! or 2 bytes.
template <class T>
std::size_t head_padding_of_lane(const T* in, const T* out, std::size_t items)
{
  const bool shifts = sizeof(T) <= 2 && items >= reheat::detail::one_tile_shifted_from(kernel_arch());
  return shifts && misaligned_alike(in, out) ? reheat::detail::row_items<T>::per_lane - items_before_multiple(in, 16) : 0;
}

//! How a scan of `items` items that accumulates in Accum is done: the shape of its tiles, or no rows if it streams. The
//! first lane lacks `head_padding` items. `misaligned`: input and output are, alike. `arch`: of the kernels.
template <class Accum>
reheat::detail::one_tile_shape scan_shape_of(std::size_t items, std::size_t head_padding = 0, bool misaligned = false,
                                             int arch = kernel_arch())
{
  const forced_scan& how = reheat::detail::forced;
  if (!reheat::detail::scans_in_registers_v<Accum> || how.streaming)
  {
    return {0, 0};
  }
  constexpr std::size_t row = 32 * reheat::detail::row_items<Accum>::per_lane;
  const std::size_t rows = (items + head_padding + row - 1) / row;
  return how.one_tile.rows != 0
             ? how.one_tile
             : reheat::detail::one_tile_shape_for(arch, rows, sizeof(Accum), misaligned && sizeof(Accum) > 2);
}
//! Items of such a tile.
template <class Accum>
std::size_t one_tile_items(const reheat::detail::one_tile_shape& shape)
{
  return shape.block_threads * shape.rows * reheat::detail::row_items<Accum>::per_lane;
}

//! Runs `body`, which scans `items` items, as their number has it; and streaming, if that is another way.
template <class Accum, class Body>
void for_both_strategies(std::size_t items, Body body)
{
  body();
  if (scan_shape_of<Accum>(items).rows != 0)
  {
    const force_scans all(streaming_scans());
    BOOST_TEST_CONTEXT("streaming")
    {
      body();
    }
  }
}

//! Sizes around one tile, and so many that blocks share the wait for those before, and that a warp waits for several groups.
template <class Accum>
std::vector<std::size_t> one_tile_sizes(const reheat::detail::one_tile_shape& shape)
{
  const std::size_t tile = one_tile_items<Accum>(shape);
  return {1, 2, 31, 33, tile - 1, tile, tile + 1, 2 * tile - 1, 5 * tile + tile / 2 + 1, 32 * tile, 33 * tile + 3};
}

} // namespace compat
