// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Faults of the kernels' protocols, switched on by tests to show that a test catches each. Without REHEAT_FAULT_SWITCHES,
//! which only test targets define, `fault_active` is a constant false and the kernels contain no trace of it.
#pragma once

#include <reheat/detail/config.cuh>

//! Every fault: FAULT(protocol it breaks, name, what a kernel does wrong when the switch is on).
#define REHEAT_FAULTS(FAULT)                                                                                                \
  /* How blocks hand values to each other. */                                                                               \
  FAULT(slots, skip_slot_wait, "the reader takes whatever a slot holds for ready")                                          \
  FAULT(slots, first_word_only, "the reader looks at the tag of a slot's first word only")                                  \
  FAULT(slots, tag_beside_value, "8-byte values fill a word, their tag stands in the low half of the next")                 \
  FAULT(slots, narrow_tag, "tags are compared in their low 8 bits only")                                                    \
  FAULT(slots, flag_before_value, "a value's flag is raised before the value is stored")                                    \
  FAULT(slots, relaxed_flag, "a value's flag is raised without release")                                                    \
  FAULT(slots, relaxed_flag_read, "a value's flag is read without acquire")                                                 \
  FAULT(slots, values_over_words, "values are stored where the words are")                                                  \
  FAULT(slots, drop_publish, "one aggregate is never published")                                                            \
  FAULT(slots, publish_early, "a tile's slot is written before the warps' totals are in it, then once more")                \
  FAULT(slots, commute_fold, "look-back puts a group's fold on the left")                                                   \
  FAULT(slots, short_group, "look-back leaves out the last tile of a group")                                                \
  FAULT(slots, keep_groups, "groups stay in the fold when they have become a supergroup")                                   \
  /* A scanning block's stages: producer, compute warps, look-back warp, bulk copies. */                                    \
  FAULT(ring, skip_full_wait, "tiles are reduced without waiting for their items")                                          \
  FAULT(ring, skip_empty_wait, "the producer fills a stage without waiting until it is empty")                              \
  FAULT(ring, skip_prefix_wait, "tiles are scanned without waiting for their prefix")                                       \
  FAULT(ring, reuse_stage_early, "a stage is handed back before its tile has been scanned")                                 \
  FAULT(ring, skip_read_wait, "a stage is handed back while a bulk store still reads it")                                   \
  FAULT(ring, skip_exit_wait, "a block ends without waiting for its bulk stores")                                           \
  FAULT(ring, skip_proxy_fence, "no proxy fence between writing a stage and its bulk store")                                \
  FAULT(ring, skip_store_barrier, "no barrier between scanning a stage and storing it")                                     \
  FAULT(ring, skip_load_barrier, "no barrier between loading a tile and reducing it")                                       \
  FAULT(ring, skip_totals_barrier, "no barrier between writing the warps' totals and reading them")                         \
  FAULT(ring, one_totals_buffer, "tiles share the memory of the warps' totals")                                             \
  FAULT(ring, skip_tile_barrier, "lane 0 of the look-back warp hands a stage on while others read its tile's number")       \
  FAULT(ring, keep_parity, "waits keep their parity when the ring begins anew")                                             \
  FAULT(ring, expect_too_few, "a stage counts as full 16 bytes early")                                                      \
  FAULT(ring, skip_init_fence, "mbarriers are not made known to bulk copies")                                               \
  FAULT(ring, skip_init_barrier, "nobody waits until the mbarriers are initialised")                                        \
  FAULT(ring, ticket_by_block, "a block's first tile is its index instead of a ticket")                                     \
  FAULT(ring, read_past_end, "the loader reads one item past the input")                                                    \
  FAULT(ring, divergent_barrier, "one thread does not come to a block barrier")                                             \
  /* Reduction: the last block to start folds the values of all. */                                                         \
  FAULT(fold, last_by_index, "the block with the last index folds, instead of the last one to start")                       \
  FAULT(fold, skip_ticket_barrier, "no barrier before threads look at the ticket and overwrite the warps' totals")          \
  FAULT(fold, skip_turn_barrier, "no barrier between loading a tile and folding it")                                        \
  FAULT(fold, one_value_less, "the last block's value is left out")                                                         \
  FAULT(fold, one_thread_more, "a thread without items takes part in the fold")                                             \
  FAULT(fold, uneven_tiles, "one block too many has a tile more")                                                           \
  FAULT(fold, commute_lanes, "lanes fold with their operands swapped")                                                      \
  FAULT(fold, late_publish, "the folding block does not publish its own value before it folds")                             \
  FAULT(fold, every_block_writes, "every block writes a result")                                                            \
  FAULT(fold, plain_retirement, "the header is reset by plain stores")                                                      \
  /* What launches leave each other. */                                                                                     \
  FAULT(workspace, keep_epoch, "a launch leaves the epoch as it found it")                                                  \
  FAULT(workspace, keep_ticket, "a launch leaves its tickets")                                                              \
  FAULT(workspace, keep_finished, "a launch leaves its count of finished blocks")                                           \
  FAULT(workspace, keep_words, "words are not cleared when the epoch starts again")                                         \
  FAULT(workspace, clear_own_words, "only the words of the last launch are cleared when the epoch starts again")            \
  FAULT(workspace, wrap_to_zero, "the epoch passes its last number like any other")                                         \
  FAULT(workspace, early_retirement, "the last block but one resets the header")                                            \
  FAULT(workspace, relaxed_finish, "blocks count themselves finished without release and acquire")                          \
  FAULT(workspace, retire_first, "a block counts itself finished before it draws tickets and looks back")                   \
  FAULT(workspace, skip_clear_barrier, "the header starts again while words are still being cleared")                       \
  FAULT(workspace, dirty_scratch, "memory of the user's allocator is not zeroed")                                           \
  /* The ladder's scans. */                                                                                                 \
  FAULT(ladder_scan, part_too_long, "the last part of a scan is taken to be one item longer")                               \
  FAULT(ladder_scan, skip_part_barrier, "no barrier between loading a part and one thread's scan of it")                    \
  FAULT(ladder_scan, skip_warp_sums_barrier, "no barrier between writing the warps' sums and scanning them")                \
  FAULT(ladder_scan, skip_step_barrier, "a lane overwrites its value before the lane that needs it has read it")            \
  FAULT(ladder_scan, skip_padding, "there is no identity before the items of a warp")                                       \
  FAULT(ladder_scan, fan_own_sum, "a part's base includes the part's own sum")                                              \
  FAULT(ladder_scan, ignore_shuffle_range, "lanes combine with themselves where a shuffle finds no lane to the left")       \
  FAULT(ladder_scan, skip_chunk_barrier, "the warps' sums of the next chunk overwrite those that others still read")        \
  FAULT(ladder_scan, skip_doubling_barrier, "a thread overwrites its value before the thread that needs it has read it")    \
  FAULT(ladder_scan, tile_by_block, "tiles come from the block's index, whether or not the block before is running")        \
  FAULT(ladder_scan, aggregate_for_prefix, "look-back takes an aggregate for a prefix")                                     \
  /* The ladder's reductions. */                                                                                            \
  FAULT(ladder_reduce, reduce_skip_interleaved_barrier, "no barrier between the steps of the interleaved tree")             \
  FAULT(ladder_reduce, reduce_skip_strided_barrier, "no barrier between the steps of the strided tree")                     \
  FAULT(ladder_reduce, reduce_skip_halving_barrier, "no barrier between the steps of the halving tree")                     \
  FAULT(ladder_reduce, reduce_unguarded_second_item, "a thread combines its item with one past the input")                  \
  FAULT(ladder_reduce, reduce_skip_handover_barrier, "no barrier between the steps that lead to the last warp")             \
  FAULT(ladder_reduce, reduce_skip_lane_barrier, "no barrier of the warp between the last warp's steps in shared memory")   \
  FAULT(ladder_reduce, reduce_unguarded_lanes, "lanes without a value take part in the last warp's shuffles")               \
  FAULT(ladder_reduce, reduce_skip_unrolled_barrier, "no barrier between the steps of the unrolled tree")                   \
  FAULT(ladder_reduce, reduce_stride_by_block, "threads stride by their block instead of the grid")                         \
  FAULT(ladder_reduce, reduce_skip_warp_sums_barrier, "no barrier between writing the warps' sums and reading them")        \
  FAULT(ladder_reduce, reduce_skip_tile_barrier, "a block loads its next tile while its threads still fold the last")       \
  FAULT(ladder_reduce, reduce_plain_add, "blocks add to the cell without an atomic")                                        \
  FAULT(ladder_reduce, reduce_skip_grid_barrier, "block 0 does not wait for the sums of the grid")                          \
  FAULT(ladder_reduce, reduce_keep_padding, "a matrix tile is not filled up with zeros")                                    \
  FAULT(ladder_reduce, reduce_skip_operand_barrier, "a matrix tile is loaded while lanes still fill it")                    \
  FAULT(ladder_reduce, reduce_skip_product_barrier, "a product of matrices is read while lanes still store it")

REHEAT_NAMESPACE_BEGIN
namespace simt
{

enum class fault : int
{
  none = 0,
#define REHEAT_FAULT_ENUMERATOR(PROTOCOL, NAME, WHAT) NAME,
  REHEAT_FAULTS(REHEAT_FAULT_ENUMERATOR)
#undef REHEAT_FAULT_ENUMERATOR
};

#if defined(REHEAT_FAULT_SWITCHES)
#  if defined(REHEAT_EMULATED)
inline fault active_fault = fault::none;
#  else
static __device__ fault active_fault = fault::none; // per translation unit: set with cudaMemcpyToSymbol
#  endif
REHEAT_DEVICE inline bool fault_active(fault which)
{
  return active_fault == which;
}
#else
REHEAT_DEVICE constexpr bool fault_active(fault)
{
  return false;
}
#endif

} // namespace simt
REHEAT_NAMESPACE_END
