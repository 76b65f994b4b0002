// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sums by matrix units. Adding one item per instruction leaves idle the units that do hundreds of multiply-adds in one:
//! with A a tile of items and P a matrix whose first row is ones, row 0 of P · A holds the sums of A's columns. The first
//! rung takes those sums out after every tile, through shared memory, and adds them up lane by lane; the second keeps V = P
//! · A + V in the accumulators over the whole input and at the end takes V · Pᵀ, whose element (0, 0) is the sum.
//!
//! Warps stride over the tiles. The warps' sums are folded by warp_then_warp_tree, the blocks' by a second launch.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/result.cuh>
#include <reheat/detail/simt/matrix.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/ladder/reduce_kernels.cuh>
#include <reheat/ladder/reduce_matrix_operands.cuh>
#include <reheat/ladder/reduce_warp.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

//! What one warp does.
template <class Item>
class matrix_warp
{
  using shape = simt::matrix_shape<Item>;
  using product = simt::matrix_product<Item>;
  using sum_type = typename shape::sum_type;
  static constexpr unsigned tile_items = shape::depth * shape::columns;

public:
  REHEAT_DEVICE explicit matrix_warp(const matrix_shared<Item>& shared)
      : sums_(shared.sums + simt::warp_index() * shared.sum_items),
        operand_(shared.operand + simt::warp_index() * shared.operand_items),
        term_operand_(shared.term_operand + simt::warp_index() * shared.operand_items)
  {
    load_made<product>(ones_, operand_, shape::rows * shape::depth, [](unsigned i) { return first_row(i); });
  }

  //! Adds row 0 of P · A to `sum`, a column per lane.
  template <class InputIt>
  REHEAT_DEVICE void add_columns(InputIt& in, std::uint64_t items, std::uint64_t tile, bool direct, sum_type& sum)
  {
    typename product::right a;
    load_items(a, in, items, tile, direct);
    typename product::sum columns;
    product::clear(columns);
    product::multiply_add(columns, ones_, a);
    product::store(sums_, columns);
    sync_product();
    if (simt::lane_index() < shape::columns)
    {
      sum = wrapping_plus<sum_type>{}(sum, sums_[simt::lane_index()]);
    }
    simt::sync_warp(); // the sums have been read
  }

  //! V += P · A.
  template <class InputIt>
  REHEAT_DEVICE void accumulate(InputIt& in, std::uint64_t items, std::uint64_t tile, bool direct, typename product::sum& v)
  {
    typename product::right a;
    load_items(a, in, items, tile, direct);
    product::multiply_add(v, ones_, a);
  }

  //! Lane 0 gets element (0, 0) of V · Pᵀ, others nothing. Where a row of V is longer than an operand's, it is multiplied in
  //! several steps.
  REHEAT_DEVICE void total(const typename product::sum& v, sum_type& sum)
  {
    using terms = operand_terms<sum_type>;
    using last_item = typename terms::item;
    using last_shape = simt::matrix_shape<last_item>;
    using last_product = simt::matrix_product<last_item>;
    static_assert(last_shape::rows == shape::rows && last_shape::columns == shape::columns);
    typename last_product::right ones;
    load_made<last_product>(ones, term_operand_, last_shape::depth * last_shape::columns,
                            [](unsigned i) { return last_item(i % last_shape::columns == 0 ? 1.0f : 0.0f); });
    product::store(sums_, v);
    sync_product();
    constexpr unsigned own_items = shape::rows * shape::columns / simt::warp_lanes;
    sum_type rest[own_items]; // of elements lane, lane + 32, …
    for (unsigned i = 0; i < own_items; ++i)
    {
      rest[i] = sums_[i * simt::warp_lanes + simt::lane_index()];
    }
    for (unsigned term = 0; term < terms::count; ++term)
    {
      typename last_product::sum w;
      last_product::clear(w);
      last_item split[own_items];
      for (unsigned i = 0; i < own_items; ++i)
      {
        split[i] = terms::split(rest[i]);
      }
      for (unsigned first = 0; first < shape::columns; first += last_shape::depth)
      {
        for (unsigned i = 0; i < own_items; ++i)
        {
          const unsigned at = i * simt::warp_lanes + simt::lane_index();
          const unsigned column = at % shape::columns;
          if (column / last_shape::depth == first / last_shape::depth)
          {
            term_operand_[at / shape::columns * last_shape::depth + column - first] = split[i];
          }
        }
        sync_operand();
        typename last_product::left v_columns;
        last_product::load(v_columns, term_operand_);
        simt::sync_warp(); // the tile is free again
        last_product::multiply_add(w, v_columns, ones);
      }
      last_product::store(sums_, w);
      sync_product();
      if (simt::lane_index() == 0)
      {
        sum = wrapping_plus<sum_type>{}(sum, terms::weigh(sums_[0], term));
      }
      simt::sync_warp(); // the sums have been read
    }
  }

private:
  REHEAT_DEVICE static Item first_row(unsigned i) { return Item(i < shape::depth ? 1.0f : 0.0f); }

  //! `direct`: whole tiles can be loaded from where they are. Others pass through shared memory, filled up with zeros.
  template <class InputIt>
  REHEAT_DEVICE void load_items(typename product::right& a, InputIt& in, std::uint64_t items, std::uint64_t tile,
                                bool direct)
  {
    const std::uint64_t first = tile * tile_items;
    const unsigned valid = at_most(items - first, tile_items);
    if constexpr (std::is_pointer_v<InputIt>)
    {
      if (direct && valid == tile_items)
      {
        product::load(a, in + first);
        return;
      }
    }
    const unsigned filled = simt::fault_active(simt::fault::reduce_keep_padding) ? valid : tile_items;
    load_made<product>(a, operand_, filled,
                       [&](unsigned i) { return i < valid ? Item(read_item(in, first + i)) : Item(0.0f); });
  }

  sum_type* sums_;
  Item* operand_;
  typename matrix_shared<Item>::last_item* term_operand_;
  typename product::left ones_;
};

//! Each block leaves the sum of its warps' tiles.
template <class Tuning, bool Accumulates, class Item, class InputIt>
REHEAT_KERNEL(Tuning{}(simt::arch, sizeof(Item)).block_threads)
ladder_reduce_matrix_kernel(InputIt in, std::uint64_t items, std::uint64_t tiles, bool direct,
                            typename simt::matrix_shape<Item>::sum_type* block_sums)
{
  using sum_type = typename simt::matrix_shape<Item>::sum_type;
  constexpr unsigned warps = Tuning{}(simt::arch, sizeof(Item)).block_threads / simt::warp_lanes;
  simt::shared_memory memory;
  const matrix_shared<Item> shared(memory, warps);
  matrix_warp<Item> self(shared);
  const std::uint64_t first = std::uint64_t{simt::block_index()} * warps + simt::warp_index();
  const std::uint64_t stride = std::uint64_t{simt::grid_blocks()} * warps;
  uninitialized<sum_type> sum;
  sum.construct(sum_type{});
  if constexpr (Accumulates)
  {
    typename simt::matrix_product<Item>::sum v;
    simt::matrix_product<Item>::clear(v);
    for (std::uint64_t tile = first; tile < tiles; tile += stride)
    {
      self.accumulate(in, items, tile, direct, v);
    }
    self.total(v, sum.get());
  }
  else
  {
    for (std::uint64_t tile = first; tile < tiles; tile += stride)
    {
      self.add_columns(in, items, tile, direct, sum.get());
    }
  }
  wrapping_plus<sum_type> plus;
  warp_then_warp_tree::fold<warps * simt::warp_lanes>(sum, shared.warps, warps * simt::warp_lanes, plus);
  if (simt::thread_index() == 0)
  {
    block_sums[simt::block_index()] = sum.get();
  }
}

//! The last sum, converted, behind the initial value.
template <class Accum, class T, class Op>
struct to_matrix_result
{
  Op op;
  T init;
  T* result;
  template <class Sum, class Plus>
  REHEAT_DEVICE void operator()(std::uint64_t, std::uint64_t, const Sum& value, Plus&)
  {
    store_result(result, op(init, static_cast<Accum>(value)));
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END
