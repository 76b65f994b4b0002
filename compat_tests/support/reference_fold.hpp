// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scan and reduction in the order of operands that the heads of scan/stream/kernel.cuh and reduce/kernel.cuh document, for
//! values copyable by their bytes: on the host, one item after the other, bit for bit what the kernels give.
#pragma once

#include "strategies.hpp"
#include "tiles.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

namespace compat
{

//! A fold that may be empty.
template <class T, class Op>
class partial_fold
{
public:
  explicit partial_fold(Op op) : op_(op) {}
  void append(const T& right) { value_ = value_ ? T(op_(*value_, right)) : right; }
  void append(const partial_fold& right)
  {
    if (right.value_)
    {
      append(*right.value_);
    }
  }
  bool empty() const { return !value_; }
  const T& get() const { return *value_; }
  void clear() { value_.reset(); }

private:
  Op op_;
  std::optional<T> value_;
};

//! Kogge–Stone: step d puts the value d lanes below on the left.
template <class T, class Op>
void fold_warp_inclusive(std::vector<T>& lanes, Op op)
{
  for (std::size_t distance = 1; distance < 32; distance *= 2)
  {
    const std::vector<T> before = lanes;
    for (std::size_t lane = distance; lane < lanes.size(); ++lane)
    {
      lanes[lane] = op(before[lane - distance], before[lane]);
    }
  }
}

//! Neighbours first: step d puts the value d places above on the right, in every place that is a multiple of 2 d.
template <class T, class Op>
T fold_neighbours(std::vector<T> values, Op op)
{
  for (std::size_t distance = 1; distance < values.size(); distance *= 2)
  {
    for (std::size_t i = 0; i + distance < values.size(); i += 2 * distance)
    {
      values[i] = static_cast<T>(op(values[i], values[i + distance]));
    }
  }
  return values[0];
}

//! Warp by warp, then the warps' totals.
template <class T, class Op>
T fold_block(const std::vector<T>& threads, Op op)
{
  std::vector<T> totals;
  for (std::size_t first = 0; first < threads.size(); first += 32)
  {
    const std::size_t count = std::min<std::size_t>(32, threads.size() - first);
    const auto begin = threads.begin() + static_cast<std::ptrdiff_t>(first);
    totals.push_back(fold_neighbours(std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(count)), op));
  }
  return fold_neighbours(totals, op);
}

//! Up to 32 * slots_per_lane neighbouring aggregates.
template <class T, class Op>
T fold_group(const T* aggregate, std::size_t count, std::size_t slots_per_lane, Op op)
{
  std::vector<T> lanes;
  for (std::size_t i = 0; i < count; i += slots_per_lane)
  {
    T own = aggregate[i];
    for (std::size_t k = i + 1; k < count && k < i + slots_per_lane; ++k)
    {
      own = op(own, aggregate[k]);
    }
    lanes.push_back(own);
  }
  return fold_neighbours(lanes, op);
}

//! One tile: what stands before each thread, and the whole.
template <class T>
struct tile_fold
{
  std::vector<T> before_thread; //!< x(j); thread 0 has none
  T aggregate;
};

template <class T, class Op>
tile_fold<T> fold_tile(const T* items, std::size_t count, std::size_t items_per_thread, Op op)
{
  std::vector<T> inclusive; // per thread, within its warp
  std::vector<T> totals;    // per warp
  const std::size_t threads = (count + items_per_thread - 1) / items_per_thread;
  for (std::size_t warp = 0; warp * 32 < threads; ++warp)
  {
    std::vector<T> lanes;
    for (std::size_t thread = warp * 32; thread < threads && thread < warp * 32 + 32; ++thread)
    {
      const std::size_t first = thread * items_per_thread;
      T own = items[first];
      for (std::size_t i = first + 1; i < count && i < first + items_per_thread; ++i)
      {
        own = op(own, items[i]);
      }
      lanes.push_back(own);
    }
    fold_warp_inclusive(lanes, op);
    totals.push_back(lanes.back());
    inclusive.insert(inclusive.end(), lanes.begin(), lanes.end());
  }
  fold_warp_inclusive(totals, op);
  // What stands before thread j; one thread further than the last it is the aggregate.
  const auto before = [&](std::size_t thread, bool end)
  {
    const std::size_t warp = (end ? thread - 1 : thread) / 32;
    if (warp == 0)
    {
      return inclusive[thread - 1];
    }
    return !end && thread % 32 == 0 ? totals[warp - 1] : T(op(totals[warp - 1], inclusive[thread - 1]));
  };
  tile_fold<T> result{{}, before(threads, true)};
  result.before_thread.push_back(items[0]); // unused
  for (std::size_t thread = 1; thread < threads; ++thread)
  {
    result.before_thread.push_back(before(thread, false));
  }
  return result;
}

//! The prefix of every tile.
template <class T, class Op>
std::vector<partial_fold<T, Op>> fold_prefixes(const std::vector<T>& aggregates, const reheat::detail::scan_config& shape,
                                               const std::optional<T>& init, Op op)
{
  std::vector<partial_fold<T, Op>> result;
  partial_fold<T, Op> supergroups(op), groups(op);
  if (init)
  {
    supergroups.append(*init);
  }
  const std::size_t group_tiles = shape.group_tiles();
  std::size_t folded = 0, group_count = 0;
  for (std::size_t tile = 0; tile < aggregates.size(); ++tile)
  {
    if (folded + group_tiles <= tile)
    {
      groups.append(fold_group(&aggregates[folded], group_tiles, shape.slots_per_lane, op));
      folded += group_tiles;
      if (++group_count == shape.groups_per_supergroup)
      {
        supergroups.append(groups);
        groups.clear();
        group_count = 0;
      }
    }
    partial_fold<T, Op> prefix = supergroups;
    prefix.append(groups);
    if (folded < tile)
    {
      prefix.append(fold_group(&aggregates[folded], tile - folded, shape.slots_per_lane, op));
    }
    result.push_back(prefix);
  }
  return result;
}

//! A tile of a small scan, in rows: what stands before each lane of each row in its tile, and the whole. Its first lane
//! lacks `head_padding` items.
template <class T>
struct row_tile_fold
{
  std::vector<std::optional<T>> before_lane; //!< row after row of warp after warp
  T aggregate;
};

template <class T, class Op>
row_tile_fold<T> fold_row_tile(const T* items, std::size_t count, std::size_t head_padding, std::size_t per_lane,
                               std::size_t rows, Op op)
{
  std::vector<std::optional<T>> before_lane;
  partial_fold<T, Op> warps(op);
  for (std::size_t at = 0; at < count;)
  {
    std::vector<partial_fold<T, Op>> before_row;
    std::vector<std::vector<T>> lanes_of_row;
    partial_fold<T, Op> before(op);
    for (std::size_t row = 0; row < rows && at < count; ++row)
    {
      std::vector<T> lanes;
      for (std::size_t lane = 0; lane < 32 && at < count; ++lane)
      {
        const std::size_t lane_items = at == 0 ? per_lane - head_padding : per_lane;
        T own = items[at++];
        for (std::size_t i = 1; i < lane_items && at < count; ++i)
        {
          own = op(own, items[at++]);
        }
        lanes.push_back(own);
      }
      fold_warp_inclusive(lanes, op);
      before_row.push_back(before);
      before.append(lanes.back());
      lanes_of_row.push_back(lanes);
    }
    for (std::size_t row = 0; row < before_row.size(); ++row)
    {
      for (std::size_t lane = 0; lane < lanes_of_row[row].size(); ++lane)
      {
        partial_fold<T, Op> own = before_row[row], all = warps;
        if (lane > 0)
        {
          own.append(lanes_of_row[row][lane - 1]);
        }
        all.append(own);
        before_lane.push_back(all.empty() ? std::optional<T>() : all.get());
      }
    }
    warps.append(before);
  }
  return {before_lane, warps.get()};
}

//! The scan of `items` in tiles of this shape, one per block; the first lane lacks `head_padding` items.
template <class T, class Op>
std::vector<T> scan_one_tile_in_documented_order(const std::vector<T>& items, std::size_t head_padding,
                                                 const std::optional<T>& init, bool inclusive, Op op,
                                                 const reheat::detail::one_tile_shape& shape)
{
  constexpr std::size_t per_lane = reheat::detail::row_items<T>::per_lane;
  const std::size_t tile_items = one_tile_items<T>(shape),
                    tiles = (items.size() + head_padding + tile_items - 1) / tile_items;
  std::vector<T> aggregates, result;
  for (std::size_t tile = 0; tile < tiles; ++tile)
  {
    const std::size_t begin = tile == 0 ? 0 : tile * tile_items - head_padding;
    const std::size_t end = std::min(items.size(), (tile + 1) * tile_items - head_padding);
    const std::size_t lacking = tile == 0 ? head_padding : 0;
    const row_tile_fold<T> fold = fold_row_tile(&items[begin], end - begin, lacking, per_lane, shape.rows, op);
    partial_fold<T, Op> prefix(op);
    if (init)
    {
      prefix.append(*init);
    }
    if (tile > 0)
    {
      constexpr std::size_t group = 32;
      const std::size_t warps = shape.block_threads / 32, groups = (tile + group - 1) / group;
      const std::size_t per_warp = (groups + warps - 1) / warps;
      for (std::size_t first = 0; first < groups; first += per_warp)
      {
        partial_fold<T, Op> warp(op);
        for (std::size_t g = first; g < std::min(first + per_warp, groups); ++g)
        {
          warp.append(fold_group(&aggregates[g * group], std::min(group, tile - g * group), 1, op));
        }
        prefix.append(warp);
      }
    }
    aggregates.push_back(fold.aggregate);
    for (std::size_t lane = 0; lane < fold.before_lane.size(); ++lane)
    {
      partial_fold<T, Op> running = prefix;
      if (fold.before_lane[lane])
      {
        running.append(*fold.before_lane[lane]);
      }
      const std::size_t first = lane == 0 ? begin : begin + lane * per_lane - lacking;
      for (std::size_t i = first; i < end && i < begin + (lane + 1) * per_lane - lacking; ++i)
      {
        if (inclusive)
        {
          running.append(items[i]);
          result.push_back(running.get());
        }
        else
        {
          result.push_back(running.get());
          running.append(items[i]);
        }
      }
    }
  }
  return result;
}

//! The streaming scan of `items` in tiles of this shape; the first one lacks `head_padding` items.
template <class T, class Op>
std::vector<T> scan_streaming_in_documented_order(const std::vector<T>& items, std::size_t head_padding,
                                                  const std::optional<T>& init, bool inclusive, Op op,
                                                  const reheat::detail::scan_config& shape)
{
  const std::size_t tile_items = shape.tile_items(), per_thread = shape.items_per_thread;
  std::vector<tile_fold<T>> tiles;
  std::vector<T> aggregates;
  std::vector<std::size_t> begin{0}; // of each tile
  while (begin.back() < items.size())
  {
    const std::size_t first = begin.back(), most = first == 0 ? tile_items - head_padding : tile_items;
    const std::size_t count = std::min(items.size() - first, most);
    tiles.push_back(fold_tile(&items[first], count, per_thread, op));
    aggregates.push_back(tiles.back().aggregate);
    begin.push_back(first + count);
  }
  const std::vector<partial_fold<T, Op>> prefixes = fold_prefixes(aggregates, shape, init, op);
  std::vector<T> result;
  for (std::size_t tile = 0; tile < tiles.size(); ++tile)
  {
    for (std::size_t thread = 0; thread < tiles[tile].before_thread.size(); ++thread)
    {
      partial_fold<T, Op> running = prefixes[tile];
      if (thread > 0)
      {
        running.append(tiles[tile].before_thread[thread]);
      }
      const std::size_t first = begin[tile] + thread * per_thread;
      for (std::size_t i = first; i < first + per_thread && i < begin[tile + 1]; ++i)
      {
        if (inclusive)
        {
          running.append(items[i]);
          result.push_back(running.get());
        }
        else
        {
          result.push_back(running.get());
          running.append(items[i]);
        }
      }
    }
  }
  return result;
}

//! The scan of `items`, which are copied from `in` on and go to `out`, in T throughout, as its size or the test has it.
template <class T, class Op>
std::vector<T> scan_in_documented_order(const std::vector<T>& items, const T* in, const T* out, const std::optional<T>& init,
                                        bool inclusive, Op op)
{
  const std::size_t head_padding = head_padding_of_lane(in, out, items.size());
  const reheat::detail::one_tile_shape tiled = scan_shape_of<T>(items.size(), head_padding, misaligned_alike(in, out));
  return tiled.rows != 0
             ? scan_one_tile_in_documented_order(items, head_padding, init, inclusive, op, tiled)
             : scan_streaming_in_documented_order(items, head_padding_of_tile(in), init, inclusive, op, scan_shape<T>());
}

//! The scan of `items` in scan association v1, as its size or the test has it. `arch`: of any GPU, or of this machine.
template <class T, class Op>
std::vector<T> scan_in_association_v1(const std::vector<T>& items, int arch, const std::optional<T>& init, bool inclusive,
                                      Op op)
{
  const reheat::detail::one_tile_shape tiled = scan_shape_of<T>(items.size(), 0, false, arch);
  return tiled.rows != 0 ? scan_one_tile_in_documented_order(items, 0, init, inclusive, op, tiled)
                         : scan_streaming_in_documented_order(items, 0, init, inclusive, op,
                                                              reheat::detail::fixed_scan_tuning<sizeof(T)>{}(arch));
}

//! Eight values of a level make one of the next; the last level takes any number.
template <class T, class Op>
class cascade_fold
{
public:
  cascade_fold(Op op, std::size_t levels) : level_(levels, partial_fold<T, Op>(op)), count_(levels, 0), op_(op) {}
  void push(T value)
  {
    for (std::size_t level = 0; level < level_.size(); ++level)
    {
      level_[level].append(value);
      if (++count_[level] < 8 || level + 1 == level_.size())
      {
        return;
      }
      value = level_[level].get();
      level_[level].clear();
      count_[level] = 0;
    }
  }
  bool empty() const { return total().empty(); }
  T get() const { return total().get(); }

private:
  partial_fold<T, Op> total() const
  {
    partial_fold<T, Op> result(op_);
    for (std::size_t level = level_.size(); level > 0; --level)
    {
      result.append(level_[level - 1]);
    }
    return result;
  }
  std::vector<partial_fold<T, Op>> level_;
  std::vector<unsigned> count_;
  Op op_;
};

//! What a thread of a commutative reduction folds at a time, and how.
struct vector_fold
{
  std::size_t items;
  bool from_left; //!< else by neighbours
};

//! `tiles` tiles of block_threads · per_thread items, each `step` after the last, for an operator that is known to be
//! commutative: a thread has the same vectors of every tile.
template <class Accum, class In, class Op>
Accum fold_tiles_commutative(const std::vector<In>& items, std::size_t first, std::size_t tiles, std::size_t step,
                             std::size_t block_threads, std::size_t per_thread, vector_fold vector, Op op)
{
  std::vector<Accum> threads;
  for (std::size_t thread = 0; thread < block_threads; ++thread)
  {
    cascade_fold<Accum, Op> sum(op, 4);
    for (std::size_t tile = first; tile < first + tiles * step; tile += step)
    {
      std::vector<Accum> own;
      for (std::size_t p = 0; p < per_thread / vector.items; ++p)
      {
        const std::size_t begin = tile * block_threads * per_thread + (p * block_threads + thread) * vector.items;
        if (begin < items.size())
        {
          const std::size_t end = std::min(items.size(), begin + vector.items);
          std::vector<Accum> values(items.begin() + static_cast<std::ptrdiff_t>(begin),
                                    items.begin() + static_cast<std::ptrdiff_t>(end));
          own.push_back(vector.from_left ? std::accumulate(values.begin() + 1, values.end(), values[0], op)
                                         : fold_neighbours(values, op));
        }
      }
      if (!own.empty())
      {
        sum.push(fold_neighbours(own, op));
      }
    }
    if (!sum.empty())
    {
      threads.push_back(sum.get());
    }
  }
  return fold_block(threads, op);
}

//! Warp tiles [first, end) of `warp_tile` items each for any other operator: a lane has a run of per_thread items in each.
template <class Accum, class In, class Op>
Accum fold_warp_tiles(const std::vector<In>& items, std::size_t first, std::size_t end, std::size_t warp_tile,
                      std::size_t per_thread, Op op)
{
  cascade_fold<Accum, Op> sum(op, 3);
  for (std::size_t at = first * warp_tile; at < end * warp_tile && at < items.size(); at += warp_tile)
  {
    std::vector<Accum> lanes;
    const std::size_t last = std::min(items.size(), at + warp_tile);
    for (std::size_t begin = at; begin < last; begin += per_thread)
    {
      Accum own = static_cast<Accum>(items[begin]);
      for (std::size_t i = begin + 1; i < last && i < begin + per_thread; ++i)
      {
        own = static_cast<Accum>(op(own, static_cast<Accum>(items[i])));
      }
      lanes.push_back(own);
    }
    sum.push(fold_neighbours(lanes, op));
  }
  return sum.get();
}

//! The blocks' values, the last of which folds.
template <class Accum, class T, class Op>
T fold_blocks(const std::vector<Accum>& aggregates, const reheat::detail::reduce_config& shape, T init, Op op)
{
  std::vector<Accum> warps;
  const std::size_t per_warp = 32 * shape.slots_per_lane, others = aggregates.size() - 1;
  for (std::size_t first = 0; first < others; first += per_warp)
  {
    warps.push_back(fold_group(&aggregates[first], std::min(per_warp, others - first), shape.slots_per_lane, op));
  }
  Accum total = aggregates[others];
  if (others != 0)
  {
    total = static_cast<Accum>(op(fold_neighbours(warps, op), total));
  }
  return static_cast<T>(op(init, total));
}

//! The reduction of `items`, at least one, by an operator that is known to be commutative: blocks take tiles in turn.
template <class Accum, class In, class T, class Op>
T reduce_commutative(const std::vector<In>& items, const reheat::detail::reduce_config& shape, vector_fold vector, T init,
                     Op op)
{
  const reheat::detail::reduce_grid grid = reheat::detail::reduce_grid_for(shape, items.size());
  const std::size_t per_thread = grid.one_tile ? shape.items_per_thread : shape.multi_tile_items_per_thread;
  const std::size_t tile = grid.block_threads * per_thread, tiles = (items.size() + tile - 1) / tile;
  std::vector<Accum> aggregates;
  for (std::size_t block = 0; block < grid.blocks; ++block)
  {
    const std::size_t own = tiles / grid.blocks + (block < tiles % grid.blocks);
    aggregates.push_back(
        fold_tiles_commutative<Accum>(items, block, own, grid.blocks, grid.block_threads, per_thread, vector, op));
  }
  return fold_blocks(aggregates, shape, init, op);
}

//! The same by any other operator: warps have equal runs of warp tiles, give or take one; one where a block has one tile.
template <class Accum, class In, class T, class Op>
T reduce_ordered(const std::vector<In>& items, const reheat::detail::reduce_config& shape, T init, Op op)
{
  const reheat::detail::reduce_grid grid = reheat::detail::reduce_grid_for(shape, items.size());
  const std::size_t warp_tile = 32 * shape.items_per_thread, warp_tiles = (items.size() + warp_tile - 1) / warp_tile;
  const std::size_t warps = grid.blocks * (grid.block_threads / 32);
  const std::size_t each = grid.one_tile ? 1 : warp_tiles / warps;
  const std::size_t fraction = grid.one_tile ? 0 : (warp_tiles % warps << 32) / warps; // of a warp tile, in 2^-32
  std::vector<Accum> aggregates;
  for (std::size_t block = 0; block < grid.blocks; ++block)
  {
    std::vector<Accum> own;
    for (std::size_t warp = block * (warps / grid.blocks); warp < (block + 1) * (warps / grid.blocks); ++warp)
    {
      const std::size_t first = warp * each + (warp * fraction >> 32);
      const std::size_t end = warp + 1 == warps ? warp_tiles : (warp + 1) * each + ((warp + 1) * fraction >> 32);
      if (first < warp_tiles)
      {
        own.push_back(fold_warp_tiles<Accum>(items, first, end, warp_tile, shape.items_per_thread, op));
      }
    }
    aggregates.push_back(fold_neighbours(own, op));
  }
  return fold_blocks(aggregates, shape, init, op);
}

//! The reduction of `items`, at least one, accumulated in Accum.
template <class Accum, class In, class T, class Op>
T reduce_in_documented_order(const std::vector<In>& items, T init, Op op)
{
  const reheat::detail::reduce_config shape = reduce_shape<Accum, In, Op>();
  return reheat::detail::is_known_commutative_v<Op, Accum>
             ? reduce_commutative<Accum>(items, shape, {reheat::detail::vector_items_v<In>, false}, init, op)
             : reduce_ordered<Accum>(items, shape, init, op);
}

//! The reduction, by an operator that is known to be commutative, of what a functor makes of Ins: of `terms`, at least one.
template <class... In, class Accum, class T, class Op>
T reduce_terms_in_documented_order(const std::vector<Accum>& terms, T init, Op op)
{
  return reduce_commutative<Accum>(terms, run_shape<Accum, Op, In...>(), {vector_items<In...>(), true}, init, op);
}

} // namespace compat
