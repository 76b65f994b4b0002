// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The reductions of the ladder by name.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/ladder/reduce_finish.cuh>
#include <reheat/ladder/reduce_kernels.cuh>
#include <reheat/ladder/reduce_load.cuh>
#include <reheat/ladder/reduce_matrix_rungs.cuh>
#include <reheat/ladder/reduce_tree.cuh>
#include <reheat/ladder/reduce_warp.cuh>
#include <reheat/ladder/rung.cuh>

//! Every reduction, in ladder order: RUNG(name, what it is). The first eleven take blocks of 256 threads, the others of 128.
#define REHEAT_LADDER_REDUCTIONS(RUNG)                                                                                      \
  RUNG(reduce_multiple_kernels, "a tree per block in global memory, the same kernel again over the sums")                   \
  RUNG(reduce0_interleaved_modulo, "the tree in shared memory, threads that are multiples of 2s work")                      \
  RUNG(reduce1_interleaved_strided, "the same pairs by neighbouring threads: bank conflicts")                               \
  RUNG(reduce2_sequential_addressing, "halves of the block are combined: no conflicts, no order")                           \
  RUNG(reduce3_first_add_on_load, "two items per thread, combined while loading")                                           \
  RUNG(reduce4_last_warp_shuffle, "the last 32 values by shuffles")                                                         \
  RUNG(reduce5_unrolled, "the tree unrolled for the block's size")                                                          \
  RUNG(reduce6_grid_stride, "threads stride through the input before the tree")                                             \
  RUNG(reduce7_warp_then_warp, "warps by shuffles, then one warp over their sums: one barrier")                             \
  RUNG(reduce_tensor_core_16, "16 column sums per product of matrices")                                                     \
  RUNG(reduce_tensor_core_256, "products accumulate over the input, one more sums the columns")                             \
  RUNG(reduce_halving_global, "halving in a copy in global memory, sums folded on the host")                                \
  RUNG(reduce_halving_static_shared, "halving in a static shared array")                                                    \
  RUNG(reduce_halving_dynamic_shared, "halving in a dynamic shared array")                                                  \
  RUNG(reduce_atomic_finish, "sums of blocks combined by atomics")                                                          \
  RUNG(reduce_warp_synchronous, "the last warp with barriers of the warp")                                                  \
  RUNG(reduce_shuffle, "the last warp with shuffles")                                                                       \
  RUNG(reduce_cooperative_groups, "tiles of 32 by shuffles, a barrier of the grid before the last fold")

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

using tuning_256 = rung_tuning<256>;
using tuning_128 = rung_tuning<128>;

template <class Load, class Tree>
using step_256 = block_step<tuning_256, in_dynamic_shared_memory, Load, Tree>;
template <class Place, class Tree>
using step_128 = block_step<tuning_128, Place, load_one, Tree>;
using last_matrix_step = step_256<load_all, warp_then_warp_tree>;

} // namespace ladder
} // namespace detail

namespace ladder
{
namespace rungs = detail::ladder;

struct reduce_multiple_kernels_t
    : rungs::relaunch_finish<
          rungs::block_step<rungs::tuning_256, rungs::in_global_memory, rungs::load_one, rungs::interleaved_tree<false>>>
{};
struct reduce0_interleaved_modulo_t : rungs::relaunch_finish<rungs::step_256<rungs::load_one, rungs::interleaved_tree<true>>>
{};
struct reduce1_interleaved_strided_t : rungs::relaunch_finish<rungs::step_256<rungs::load_one, rungs::strided_tree>>
{};
struct reduce2_sequential_addressing_t : rungs::relaunch_finish<rungs::step_256<rungs::load_one, rungs::halving_tree>>
{};
struct reduce3_first_add_on_load_t : rungs::relaunch_finish<rungs::step_256<rungs::load_two, rungs::halving_tree>>
{};
struct reduce4_last_warp_shuffle_t : rungs::relaunch_finish<rungs::step_256<rungs::load_two, rungs::last_warp_tree>>
{};
struct reduce5_unrolled_t : rungs::relaunch_finish<rungs::step_256<rungs::load_two, rungs::unrolled_tree>>
{};
struct reduce6_grid_stride_t : rungs::relaunch_finish<rungs::step_256<rungs::load_all, rungs::unrolled_tree>>
{};
struct reduce7_warp_then_warp_t : rungs::relaunch_finish<rungs::step_256<rungs::load_all, rungs::warp_then_warp_tree>>
{};
struct reduce_tensor_core_16_t : rungs::matrix_rung<rungs::tuning_256, false, rungs::last_matrix_step>
{};
struct reduce_tensor_core_256_t : rungs::matrix_rung<rungs::tuning_256, true, rungs::last_matrix_step>
{};
struct reduce_halving_global_t : rungs::host_finish<rungs::step_128<rungs::in_global_memory, rungs::halving_tree>>
{};
struct reduce_halving_static_shared_t
    : rungs::host_finish<rungs::step_128<rungs::in_static_shared_memory, rungs::halving_tree>>
{};
struct reduce_halving_dynamic_shared_t
    : rungs::host_finish<rungs::step_128<rungs::in_dynamic_shared_memory, rungs::halving_tree>>
{};
struct reduce_atomic_finish_t : rungs::atomic_finish<rungs::step_128<rungs::in_static_shared_memory, rungs::halving_tree>>
{};
struct reduce_warp_synchronous_t
    : rungs::relaunch_finish<rungs::step_128<rungs::in_static_shared_memory, rungs::warp_synchronous_tree>>
{};
struct reduce_shuffle_t : rungs::relaunch_finish<rungs::step_128<rungs::in_static_shared_memory, rungs::last_warp_tree>>
{};
struct reduce_cooperative_groups_t
    : rungs::grid_finish<
          rungs::block_step<rungs::tuning_128, rungs::in_static_shared_memory, rungs::load_all, rungs::warp_then_warp_tree>>
{};

#define REHEAT_LADDER_TAG(NAME, WHAT) inline constexpr NAME##_t NAME{};
REHEAT_LADDER_REDUCTIONS(REHEAT_LADDER_TAG)
#undef REHEAT_LADDER_TAG

} // namespace ladder
REHEAT_NAMESPACE_END
