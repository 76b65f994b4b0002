// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The shapes the library chooses on this machine, so that tests meet its boundaries.
#pragma once

#include "machine.hpp"
#include "operators.hpp"

#include <reheat/detail/operators.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/reduce/mapped_input.cuh>
#include <reheat/detail/scan/dispatch.cuh>
#include <reheat/detail/search/dispatch.cuh>

namespace compat
{

#if defined(REHEAT_EMULATED)
inline int kernel_arch()
{
  return 0;
}
#else
template <class>
__global__ void probe_kernel()
{}
//! What kernels of this program were compiled for, as the library asks it of its own.
inline int kernel_arch()
{
  static const int arch = []
  {
    cudaFuncAttributes attributes;
    require(cudaFuncGetAttributes(&attributes, probe_kernel<void>), "look up a kernel's attributes");
    return attributes.ptxVersion * 10;
  }();
  return arch;
}
#endif

//! Tiles, groups and their sizes in a scan that accumulates in Accum.
template <class Accum>
reheat::detail::scan_config scan_shape()
{
  return reheat::detail::scan_tuning<sizeof(Accum)>{}(kernel_arch());
}
template <class Accum>
std::size_t scan_tile()
{
  return scan_shape<Accum>().tile_items();
}
//! Items in a group of tiles, which the look-back folds at a time.
template <class Accum>
std::size_t scan_group()
{
  return scan_tile<Accum>() * scan_shape<Accum>().group_tiles();
}

//! The tiles of a call whose few tiles have a block each. None: it is streamed.
struct tiles_of_blocks
{
  std::size_t tiles;
  std::size_t tile_items;
};
template <class Tuning, std::size_t ItemBytes, reheat::detail::few_tiles_size Size = reheat::detail::few_tiles_size::small>
tiles_of_blocks few_tiles_of(std::size_t items)
{
  using reheat::detail::few_tiles_size;
  using tuning = reheat::detail::few_tiles_tuning<Tuning, ItemBytes, Size>;
  const reheat::detail::few_tiles_shape shape = reheat::detail::few_tiles_shape_for<tuning>(kernel_arch(), items);
  if constexpr (Size == few_tiles_size::small && tuning::have_large)
  {
    if (shape.tiles == 0)
    {
      return few_tiles_of<Tuning, ItemBytes, few_tiles_size::large>(items);
    }
  }
  return {shape.tiles, std::size_t{shape.block_threads} * tuning{}(kernel_arch()).items_per_thread};
}

//! Tiles and grid of a reduction of Ins in Accum by Op.
template <class Accum, class In, class Op>
reheat::detail::reduce_config reduce_shape()
{
  return reheat::detail::reduce_tuning_of<In, Accum, Op>{}(kernel_arch());
}
//! Blocks of that reduction of `items`.
template <class Accum, class In, class Op>
std::size_t reduce_blocks(std::size_t items)
{
  return reheat::detail::reduce_grid_for(reduce_shape<Accum, In, Op>(), items).blocks;
}
//! Terms as reductions have them whose functors map an In, or an In and another.
template <class... In>
struct terms_of_inputs;
template <class In>
struct terms_of_inputs<In>
{
  using type = reheat::detail::mapped_items<const In*, int>;
};
template <class Left, class Right>
struct terms_of_inputs<Left, Right>
{
  using type = reheat::detail::zipped_items<const Left*, const Right*, int>;
};
//! Items of each input that a thread reads at a time.
template <class... In>
constexpr std::size_t vector_items()
{
  return terms_of_inputs<In...>::type::vector_items;
}
//! Tiles and grid of a reduction of such terms in Accum by Op. Items are those of the inputs.
template <class Accum, class Op, class... In>
reheat::detail::reduce_config run_shape()
{
  using terms = typename terms_of_inputs<In...>::type;
  if constexpr (reheat::detail::is_known_commutative_v<Op, Accum>)
  {
    return typename reheat::detail::mapped_vector_input<Accum, terms, Op>::tuning{}(kernel_arch());
  }
  else
  {
    reheat::detail::reduce_config shape = reheat::detail::reduce_tuning_of<Accum, Accum, Op>{}(kernel_arch());
    shape.items_per_thread *= terms::vector_items;
    return shape;
  }
}
//! Items of a tile of that reduction.
template <class Accum, class Op, class... In>
std::size_t run_tile()
{
  return run_shape<Accum, Op, In...>().tile_items();
}
//! Items, at most, that one block of it reduces by itself.
template <class Accum, class Op, class... In>
std::size_t run_alone()
{
  const reheat::detail::reduce_config shape = run_shape<Accum, Op, In...>();
  return std::size_t{shape.single_block_threads == 0 ? shape.block_threads : shape.single_block_threads} *
         shape.items_per_thread;
}
//! Tiles and grid of a search of items, or pairs, of these types.
template <class... In>
reheat::detail::reduce_config search_shape()
{
  return reheat::detail::search_tuning<typename terms_of_inputs<In...>::type>{}(kernel_arch());
}
//! Items of the head of such a search: of more items, these are searched before all others.
template <class... In>
std::size_t search_head()
{
  return search_shape<In...>().tile_items() * reheat::detail::search_head_blocks(kernel_arch());
}
//! Items of the smallest input that has a head.
template <class... In>
std::size_t search_with_head()
{
  return search_shape<In...>().tile_items() * reheat::detail::search_headless_tiles(kernel_arch()) + 1;
}
//! Of an operator not known to be commutative.
template <class T>
std::size_t reduce_tile()
{
  return reduce_shape<T, T, fold>().tile_items();
}
//! Items of the smallest input of which some block has more than one tile.
template <class T>
std::size_t reduce_grid()
{
  return reduce_tile<T>() * reduce_shape<T, T, fold>().max_blocks;
}

} // namespace compat
