// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the scans in several launches share. A tile has as many items as a block has threads. A chunk is one tile or several
//! neighbouring ones, and has one sum. A chunk's base is the fold of the initial value, if there is one, and the sums of all
//! chunks before.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

#include <algorithm>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

struct chunk_shape
{
  unsigned block_threads; //!< also the items of a tile
  unsigned max_blocks;    //!< if there are more chunks than these, blocks stride over them

  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / 32; }
  constexpr unsigned grid(std::uint64_t chunks) const
  {
    return static_cast<unsigned>(std::min<std::uint64_t>(chunks, max_blocks));
  }
};

//! arch → shape. Tiles of 1024 items are the authors'; items over 32 bytes make smaller ones, or shared memory would not
//! hold them. The emulator has tiles of three warps, and as few blocks as make them stride soon.
template <std::size_t ItemBytes, unsigned MaxBlocks>
struct chunk_tuning
{
  REHEAT_HOST_DEVICE constexpr chunk_shape operator()(int arch) const
  {
    constexpr std::size_t max_bytes = 32 * 1024;
    chunk_shape shape = arch == 0 ? chunk_shape{96, MaxBlocks < 1024 ? 3u : 5u} : chunk_shape{1024, MaxBlocks};
    while (arch != 0 && shape.block_threads > 32 && shape.block_threads * ItemBytes > max_bytes)
    {
      shape.block_threads /= 2;
    }
    return shape;
  }
};

//! How many chunks, or tiles, of `chunk_items` the items are.
constexpr std::uint64_t ceil_div(std::uint64_t items, std::uint64_t chunk_items)
{
  return (items + chunk_items - 1) / chunk_items;
}

//! How many items of the tile that begins at `first` there are.
REHEAT_DEVICE inline unsigned valid_items(std::uint64_t items, std::uint64_t first, unsigned tile_items)
{
  const std::uint64_t left = items - first;
  const unsigned valid = left < tile_items ? static_cast<unsigned>(left) : tile_items;
  return valid + (simt::fault_active(simt::fault::part_too_long) && valid < tile_items ? 1 : 0);
}

//! How many of the first `valid` threads of the block are lanes of this warp.
REHEAT_DEVICE inline unsigned lanes_within(unsigned valid)
{
  const unsigned before = simt::warp_index() * simt::warp_lanes;
  const unsigned left = valid > before ? valid - before : 0;
  return left < simt::warp_lanes ? left : simt::warp_lanes;
}

//! Appends the base of chunk `chunk`; `sums` holds the fold of the sums up to and with each chunk.
template <class Init, class Op>
REHEAT_DEVICE void append_base(optional_accumulator<typename Init::accum>& base, const Init& init,
                               const typename Init::accum* sums, std::uint64_t chunk, Op& op)
{
  if constexpr (Init::present)
  {
    base.append(init.value, op);
  }
  if (chunk > 0)
  {
    base.append(sums[chunk - (simt::fault_active(simt::fault::fan_own_sum) ? 0 : 1)], op);
  }
}

//! `value` with the base on its left, if there is one.
template <class T, class Op>
REHEAT_DEVICE T with_base(const optional_accumulator<T>& base, const T& value, Op& op)
{
  return base.has ? T(op(base.value.get(), value)) : value;
}

//! The rows of sums that a recursion makes, whose chunks are tiles: row 0 has a sum for each tile of the items, row k + 1
//! one for each tile of row k, the last row is a single tile. There is no row if the items are a single tile.
class sum_rows
{
public:
  sum_rows(std::uint64_t items, std::uint64_t tile_items)
  {
    while (items > tile_items)
    {
      items = ceil_div(items, tile_items);
      items_[rows_] = items;
      first_[rows_ + 1] = first_[rows_] + items;
      ++rows_;
    }
  }
  unsigned rows() const { return rows_; }
  std::uint64_t items(unsigned row) const { return items_[row]; }
  std::uint64_t first(unsigned row) const { return first_[row]; } //!< where the row starts in the memory of all
  std::uint64_t all_items() const { return first_[rows_]; }

private:
  static constexpr unsigned max_rows = 13; // of 2^64 items in tiles of 32

  std::uint64_t items_[max_rows] = {};
  std::uint64_t first_[max_rows + 1] = {};
  unsigned rows_ = 0;
};

//! Whether inclusive scans can leave their intermediate values in the output: it is memory for values of this type.
template <class OutputIt, class Accum>
inline constexpr bool is_memory_of_v = std::is_pointer_v<OutputIt>&& std::is_same_v<std::remove_pointer_t<OutputIt>, Accum>;

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END
