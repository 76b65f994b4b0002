// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Faults of the kernels' protocols, and of the host's protocol for scratch memory. Tests switch them on to show that a test
//! catches each. Only test targets define REHEAT_FAULT_SWITCHES. Without it `fault_active` is false, a constant, and kernels
//! contain no trace of faults.
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
  FAULT(ring, skip_widen_barrier, "no barrier between reading narrow items and storing wider results over them")            \
  FAULT(ring, hand_on_unloaded, "a load warp hands a stage on before it has loaded")                                        \
  FAULT(ring, arrive_unloaded, "a load warp hands a stage on while the vectors that it copies are on their way")            \
  FAULT(ring, hand_on_unscanned, "a thread hands a stage to the store warps before it has scanned")                         \
  FAULT(ring, hand_back_unstored, "a store warp hands a stage back before it has stored")                                   \
  FAULT(ring, skip_totals_barrier, "no barrier between writing the warps' totals and reading them")                         \
  FAULT(ring, one_totals_buffer, "tiles share the memory of the warps' totals")                                             \
  FAULT(ring, skip_tile_barrier, "lane 0 of the look-back warp hands a stage on while others read its tile's number")       \
  FAULT(ring, keep_parity, "waits keep their parity when the ring begins anew")                                             \
  FAULT(ring, expect_too_few, "a stage counts as full 16 bytes early")                                                      \
  FAULT(ring, skip_init_fence, "mbarriers are not made known to bulk copies")                                               \
  FAULT(ring, skip_init_barrier, "nobody waits until the mbarriers are initialised")                                        \
  FAULT(ring, ticket_by_block, "a block's first tile is its index instead of a ticket")                                     \
  FAULT(ring, read_past_end, "the load warp reads one item past the input")                                                 \
  FAULT(ring, divergent_barrier, "one thread does not come to a block barrier")                                             \
  FAULT(ring, stream_too_early, "a launch that starts early does not wait for the work before it")                          \
  /* Blocks that scan one tile each. */                                                                                     \
  FAULT(one_tile, skip_warps_barrier, "no barrier between writing the warps' totals and reading them")                      \
  FAULT(one_tile, skip_prefixes_barrier, "no barrier between the warps' shares of a prefix and reading them")               \
  FAULT(one_tile, first_tile_retires, "the first tile's block ends the launch")                                             \
  FAULT(one_tile, scan_too_early, "a launch that starts early does not wait for the work before it")                        \
  /* Reduction: the block with the last index folds the values of all. */                                                   \
  FAULT(fold, first_block_folds, "the first block folds, which others may wait for before they can start")                  \
  FAULT(fold, reuse_totals, "the blocks' totals overwrite the warps' while those are read")                                 \
  FAULT(fold, skip_turn_barrier, "no barrier between loading a warp tile and folding it")                                   \
  FAULT(fold, skip_warp_tile_barrier, "no barrier between folding a warp tile and loading the next")                        \
  FAULT(fold, skip_block_totals_barrier, "no barrier between writing the warps' totals and folding them")                   \
  FAULT(fold, reduce_past_end, "a reduction reads one item past the input")                                                 \
  FAULT(fold, divergent_reduce_barrier, "one thread of a reduction does not come to a block barrier")                       \
  FAULT(fold, one_value_less, "the value of the last block but one is left out")                                            \
  FAULT(fold, one_thread_more, "a thread without items takes part in the fold")                                             \
  FAULT(fold, uneven_tiles, "one block too many has a tile more")                                                           \
  FAULT(fold, commute_lanes, "lanes fold with their operands swapped")                                                      \
  FAULT(fold, every_block_writes, "every block writes a result")                                                            \
  FAULT(fold, reduce_too_early, "a reduction that starts early does not wait for the work before it")                       \
  /* Exact sums: columns of threads, totals of blocks. */                                                                   \
  FAULT(exact, exact_lost_carry, "a thread's carries are dropped")                                                          \
  FAULT(exact, exact_lost_special, "infinities and NaNs leave no trace")                                                    \
  FAULT(exact, exact_truncates, "the sum is rounded towards zero")                                                          \
  FAULT(exact, exact_init_everywhere, "every block adds the initial value")                                                 \
  FAULT(exact, exact_short_tile, "the last item of the last tile is left out")                                              \
  FAULT(exact, exact_too_early, "an exact sum that starts early does not wait for the work before it")                      \
  FAULT(exact, exact_short_range, "rows that a block adds up end before the last one that its threads have touched")        \
  FAULT(exact, exact_first_part_only, "a block's first part that is ready passes for all of its parts")                     \
  FAULT(exact, exact_lost_block, "the last block leaves out the one before it")                                             \
  FAULT(exact, skip_exact_columns_barrier, "no barrier between adding to columns and adding them up")                       \
  FAULT(exact, skip_exact_rows_barrier, "no barrier between adding up rows and making totals of them")                      \
  FAULT(exact, skip_exact_blocks_barrier, "no barrier between the warps' sums of totals and adding them up")                \
  FAULT(exact, skip_exact_sum_barrier, "no barrier between adding up totals and rounding")                                  \
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
  /* Memory that the caller of a call gives. */                                                                             \
  FAULT(given, dirty_scratch, "scratch memory that the caller gives is not zeroed")                                         \
  FAULT(given, zeros_too_early, "scratch memory is zeroed before the earlier launch that uses it is done")                  \
  FAULT(given, fold_too_early, "the blocks' values are folded before the launch that stores them is done")                  \
  FAULT(given, lose_last_value, "the value of the last block is left out of the fold")                                      \
  /* The host's side: who owns which scratch memory, and when it is passed on. */                                           \
  FAULT(scratch, trust_remembered_block, "a thread takes the block that it remembers without looking whose it is")          \
  FAULT(scratch, recycle_at_once, "a stream's block goes to another stream while a call still uses it")                     \
  FAULT(scratch, mark_no_use, "no point in time is marked behind a call whose block may go to another stream")              \
  FAULT(scratch, ignore_failed_mark, "a block goes to another stream although its last call could not be marked")           \
  FAULT(scratch, free_out_of_order, "a block that has become too small is taken back while a call still uses it")           \
  FAULT(scratch, free_values_at_once, "values of a call's own are taken back before its last launch")                       \
  FAULT(scratch, skip_zeros, "a stream's new words are not zeroed")                                                         \
  FAULT(scratch, ignore_failed_zeros, "a stream's new words are used although they could not be zeroed")                    \
  FAULT(scratch, trim_without_wait, "a trim takes memory back without a wait for the device")                               \
  FAULT(scratch, share_graph_piece, "captured calls share memory")                                                          \
  FAULT(scratch, skip_graph_zeros, "a captured call's new words are not zeroed")                                            \
  FAULT(scratch, skip_ready_wait, "a graph does not wait until its memory is zeroed")                                       \
  FAULT(scratch, return_piece_at_once, "a captured call's memory goes to another call while its graph lives")               \
  /* Segments of equal keys: their boundaries are folded with the values. */                                                \
  FAULT(segments, ignore_boundaries_inside, "a value is carried into a range past the boundaries inside")                   \
  FAULT(segments, ignore_boundary_between, "a value is carried over the boundary between two ranges")                       \
  FAULT(segments, forget_boundaries, "the fold of two ranges forgets the boundaries inside the left one")                   \
  FAULT(segments, miscount_boundaries, "the boundary between two ranges is not counted")                                    \
  FAULT(segments, commute_segment, "the values of a segment fold with their operands swapped")                              \
  FAULT(segments, compare_past_end, "the last item's key is compared with one past the input")                              \
  FAULT(segments, compare_key_before, "items look at the key before theirs, which output may have overwritten")             \
  FAULT(segments, carry_into_segment, "the initial value of a segment stands behind the values before it")                  \
  FAULT(segments, keep_last_value, "a segment of an exclusive scan starts from the last value of the one before")           \
  FAULT(segments, skip_first_key, "nobody writes the first segment's key")                                                  \
  FAULT(segments, key_of_last_item, "a segment's key is that of its last item")                                             \
  FAULT(segments, lose_last_segment, "the last segment, behind which there is no boundary, is not stored")                  \
  FAULT(segments, every_item_stores, "every item of a segment stores what its segment folds to so far")                     \
  FAULT(segments, skip_key_stage_wait, "keys are loaded over those of a tile that is still being reduced")                  \
  FAULT(segments, skip_tile_reduced_wait, "tiles are scanned without waiting for the threads that reduce them")             \
  FAULT(segments, skip_rows_barrier, "a warp stores the ends of segments while lanes still fold theirs")                    \
  FAULT(segments, pack_over_values, "ends of segments are packed over values that other lanes have not read")               \
  FAULT(segments, store_unpacked_values, "a warp stores the values that end segments while lanes still pack theirs")        \
  FAULT(segments, pack_over_keys, "keys of segments are packed over keys that other lanes have not read")                   \
  FAULT(segments, pack_over_first_key, "a warp packs keys over its first one, which the warp before may not have read")     \
  FAULT(segments, store_unpacked_keys, "a warp stores the keys of segments while lanes still pack theirs")                  \
  FAULT(segments, count_at_boundaries, "every last item of a segment writes how many segments there are")                   \
  /* Segments between offsets: what threads, tiles and spans carry into each other. */                                      \
  FAULT(spans, skip_search_barrier, "no barrier between the counts of a search and reading them")                           \
  FAULT(spans, skip_window_barrier, "no barrier between loading a tile with its ends and folding it")                       \
  FAULT(spans, skip_carry_barrier, "no barrier between writing the warps' folds and reading them")                          \
  FAULT(spans, skip_results_barrier, "no barrier between the folds of segments and storing them")                           \
  FAULT(spans, skip_tile_wait, "a tile is folded without waiting for its items")                                            \
  FAULT(spans, forget_open, "what is open before a thread does not join the segment that ends there")                       \
  FAULT(spans, lose_head, "the items that end a segment of several spans are left out of it")                               \
  FAULT(spans, lose_tail, "the items that a segment of several spans begins with are left out of it")                       \
  FAULT(spans, skip_rows_joined_barrier, "no barrier between the folds of a run by warps and joining them")                 \
  FAULT(spans, skip_parts_barrier, "no barrier between the records of a span's parts and joining them")                     \
  FAULT(spans, skip_long_barrier, "no barrier between finding long segments and reducing them")                             \
  FAULT(spans, skip_chunks_barrier, "no barrier between counting the chunks before segments and looking for one")           \
  FAULT(spans, join_unfinished, "the block that finishes first joins chunks")                                               \
  FAULT(spans, skip_units_barrier, "no barrier between adding up the items of long segments and cutting these")             \
  FAULT(spans, skip_chunk_totals_barrier, "no barrier between the warps' counts of chunks and adding them up")              \
  FAULT(spans, skip_finished_barrier, "no barrier between counting a block as finished and joining pieces")                 \
  FAULT(spans, first_span_by_block, "a block that draws spans takes that of its index first")                               \
  FAULT(spans, look_at_one_row, "a block looks back at no more spans than a warp has lanes")                                \
  FAULT(spans, first_span_retires, "the block of the first span ends the launch before others have published")              \
  FAULT(spans, skip_record_barrier, "lanes look back before the record of their span is there")                             \
  FAULT(spans, see_own_share, "a block looks at its own share of segments alone, to see whether all are even")              \
  FAULT(spans, segmented_too_early, "a launch that starts early does not wait for the work before it")                      \
  FAULT(spans, join_too_early, "spans are joined before the launch that reduces them is done")                              \
  FAULT(spans, ignore_descents, "spans are joined although ends in one of them descend")                                    \
  FAULT(spans, skip_tails_barrier, "no barrier between writing the tails of a group's spans and folding them")              \
  FAULT(spans, skip_ticket_barrier, "a block draws its next span before all threads know this one")                         \
  FAULT(spans, carry_past_end, "what a span carries goes into the next one although its segment has ended")                 \
  FAULT(spans, skip_borders_barrier, "no barrier between finding the borders of spans and reading them")                    \
  FAULT(spans, lose_groups, "what earlier groups of spans carry into a span is left out of it")                             \
  FAULT(spans, spans_too_early, "spans are scanned before the launch that folds what they carry is done")                   \
  FAULT(spans, one_window, "ends behind a tile's first window of ends are not marked")                                      \
  FAULT(spans, skip_window_counts_barrier, "the ends of a window are counted again before all have read the counts")        \
  FAULT(spans, forget_carried, "what is open before a thread is not part of its items' scan")                               \
  FAULT(spans, skip_stage_wait, "a tile is loaded over one that is still being stored")                                     \
  FAULT(spans, skip_scanned_barrier, "no barrier between scanning a tile and storing it")                                   \
  FAULT(spans, skip_segmented_fence, "no fence between scanning items and the bulk copy that stores them")                  \
  FAULT(spans, skip_segmented_exit_wait, "a block ends while its last tiles are still being stored")                        \
  /* A few tiles, a block for each. */                                                                                      \
  FAULT(few_tiles, few_tiles_too_early, "a block reads its input before the launch that makes it is done")                  \
  FAULT(few_tiles, few_tiles_skip_load_barrier, "a tile is reduced before all threads have loaded it")                      \
  FAULT(few_tiles, few_tiles_skip_totals_barrier, "the warps' totals are read before all of them are there")                \
  FAULT(few_tiles, few_tiles_skip_folds_barrier, "the folds of the tiles before are read before all of them are there")     \
  FAULT(few_tiles, few_tiles_skip_scanned_barrier, "a tile is stored before all threads have scanned it")                   \
  /* Selections: each warp moves its selected items together. */                                                            \
  FAULT(selection, ask_twice, "the predicate is asked about an item twice")                                                 \
  FAULT(selection, skip_hold_barrier, "selected items move over items that other lanes have not read")                      \
  FAULT(selection, skip_move_barrier, "a warp stores its selected items while lanes still move theirs")                     \
  FAULT(selection, skip_word_barrier, "lanes store bytes of a word before another lane stores the whole word")              \
  FAULT(selection, leave_part, "selected items move behind the warp's part of the stage")                                   \
  FAULT(selection, store_whole_tail, "the vector with the last selected items is stored whole")                             \
  FAULT(selection, skip_vector_head, "the items before the first whole vector of the output are not stored")                \
  FAULT(selection, lose_last_count, "the last thread's items are left out of the number of selected items")                 \
  /* Partitions: each warp moves its selected and its rejected items apart. */                                              \
  FAULT(partition, partition_skip_hold_barrier, "items move over items that other lanes have not read")                     \
  FAULT(partition, partition_skip_move_barrier, "a warp stores its items while lanes still move theirs")                    \
  FAULT(partition, partition_leave_ring, "items move behind the warp's part of the stage")                                  \
  FAULT(partition, partition_lose_tail, "the items behind the last whole vector of a run are not stored")                   \
  FAULT(partition, partition_store_missing, "a warp without all its items stores the missing ones, too")                    \
  FAULT(partition, partition_keep_order, "rejected items that are to be reversed stand in their order")                     \
  FAULT(partition, partition_ask_both, "the second predicate is asked about items that the first one selects")              \
  FAULT(partition, partition_return_too_early, "rejected items are copied back before the launch that stores them is done") \
  FAULT(partition, partition_return_unshifted, "rejected items are copied back from the vector below theirs")               \
  FAULT(partition, partition_return_too_few, "the vector with the last rejected items is not copied back")                  \
  /* Runs of equal neighbours: which items begin one, and what is stored of them. */                                        \
  FAULT(unique, unique_look_again, "the item before a tile is read once more when the tile is stored")                      \
  FAULT(unique, unique_store_in_place, "in place, a warp stores items where they are")                                      \
  FAULT(unique, unique_ask_twice, "neighbours are compared twice")                                                          \
  FAULT(unique, unique_swap_neighbours, "an item is compared with the one before, in place of the one before with it")      \
  FAULT(unique, unique_lose_first, "the first item of the input is taken for one that follows its equal")                   \
  FAULT(unique, unique_skip_pack_barrier, "a warp stores its few selected items while lanes still pack theirs")             \
  /* Lengths of runs. */                                                                                                    \
  FAULT(runs, run_keep_tail, "a range that opens a run keeps the items before it")                                          \
  FAULT(runs, run_lose_last, "the length of the input's last run is not stored")                                            \
  FAULT(runs, run_skip_item_barrier, "a warp packs lengths where lanes still store items")                                  \
  FAULT(runs, run_lose_tail_before, "the first run that ends in a warp counts from the warp's first item on")               \
  FAULT(runs, run_skip_pack_barrier, "a warp stores lengths while lanes still pack theirs")                                 \
  /* Segments that lie anywhere: long ones in a list, whose pieces a second launch folds; or scanned in chunks. */          \
  FAULT(lists, list_too_early, "pieces are folded before the launch that lists segments is done")                           \
  FAULT(lists, listed_scan_too_early, "pieces are scanned before the launch that folds them is done")                       \
  FAULT(lists, finish_relaxed, "a warp counts its piece as finished without release and acquire")                           \
  FAULT(lists, join_first_piece, "the warp that finishes a piece first joins all of them")                                  \
  FAULT(lists, skip_joined_barrier, "lanes read the values of pieces before lane 0 knows that they are there")              \
  FAULT(lists, keep_listed, "the list of long segments goes on where the last call has stopped")                            \
  FAULT(lists, skip_left_barrier, "a block counts as finished while warps of it still look at the list")                    \
  FAULT(lists, skip_few_ticket_barrier, "a thread looks for its block's ticket before thread 0 has drawn it")               \
  FAULT(lists, skip_few_read_barrier, "thread 0 draws the next ticket before all threads have read the last")               \
  FAULT(lists, scan_unfolded, "chunks of a segment are scanned before all of them are folded")                              \
  FAULT(lists, count_fold_relaxed, "a block counts a chunk as folded without release")                                      \
  FAULT(lists, see_folds_relaxed, "a block sees that all chunks are folded, without acquire")                               \
  FAULT(lists, skip_folded_barrier, "warps read the values of chunks before thread 0 knows that they are there")            \
  FAULT(lists, keep_chunk_counts, "a scan in chunks leaves its tickets, and its count of folded chunks")                    \
  /* Radix sorts: histograms, passes, tiles in shared memory. */                                                            \
  FAULT(sort, sort_too_early, "a launch of a sort that starts early does not wait for the work before it")                  \
  FAULT(sort, sort_skip_counters_barrier, "digits are counted before the counters are cleared")                             \
  FAULT(sort, sort_skip_counts_barrier, "no barrier between counting digits and adding up the copies of counters")          \
  FAULT(sort, sort_keep_slots, "slots are not cleared")                                                                     \
  FAULT(sort, sort_skip_sums_barrier, "no barrier between the sums of blocks' counts and adding them up")                   \
  FAULT(sort, sort_skip_totals_barrier, "no barrier between the warps' totals of digits and reading them")                  \
  FAULT(sort, sort_drop_pass, "no digit varies")                                                                            \
  FAULT(sort, sort_skip_clear_barrier, "a warp counts before its counters are cleared")                                     \
  FAULT(sort, sort_skip_uniform_barrier, "a counter moves on before all lanes with that digit have read it")                \
  FAULT(sort, sort_skip_ranks_barrier, "no barrier between counting the keys of warps and adding them up")                  \
  FAULT(sort, sort_skip_warps_barrier, "no barrier between the warps' totals of a tile's digits and reading them")          \
  FAULT(sort, sort_skip_places_barrier, "no barrier between the places of digits and moving keys there")                    \
  FAULT(sort, sort_skip_sorted_barrier, "no barrier between moving keys to their places and reading them in order")         \
  FAULT(sort, sort_skip_disorders_barrier, "no barrier between finding that a tile is not in order and asking")             \
  FAULT(sort, sort_trust_atomics, "ranks of atomic additions are taken for those of the input's order")                     \
  FAULT(sort, sort_trust_zeros, "zeros of both signs are taken to be in the input's order")                                 \
  FAULT(sort, sort_skip_recount_barrier, "ballots: no barrier between counting the keys of warps and adding them up")       \
  FAULT(sort, sort_skip_replaces_barrier, "ballots: no barrier between the places of digits and moving keys there")         \
  FAULT(sort, sort_skip_resorted_barrier, "ballots: no barrier between moving keys to their places and reading them")       \
  FAULT(sort, sort_skip_ballots_barrier, "ballots: a counter moves on before all lanes with that digit have read it")       \
  FAULT(sort, sort_ballots_from_above, "ballots: lanes are ranked from the highest down")                                   \
  FAULT(sort, sort_skip_slot_wait, "look-back takes whatever a slot holds for a count")                                     \
  FAULT(sort, sort_any_pass, "look-back takes the counts of an earlier pass")                                               \
  FAULT(sort, sort_lose_own, "the count that is published for all tiles so far lacks the tile's own")                       \
  FAULT(sort, sort_skip_differences_barrier, "one block: no barrier between the warps' differences and reading them")       \
  FAULT(sort, sort_any_bucket, "buckets count as small enough for a block, however many keys they have")                    \
  FAULT(sort, sort_skip_fill_barrier, "no barrier between loading where digits start and looking for those of places")      \
  FAULT(sort, sort_bytes_skip_clear_barrier, "bytes: keys are counted before the counters are cleared")                     \
  FAULT(sort, sort_bytes_skip_counts_barrier, "bytes: no barrier between counting keys and adding up their counts")         \
  FAULT(sort, sort_bytes_skip_totals_barrier, "bytes: no barrier between the warps' totals of bytes and reading them")      \
  FAULT(sort, sort_bytes_skip_list_barrier, "bytes: no barrier between listing the bytes that occur and looking them up")   \
  FAULT(sort, sort_halfwords_skip_clear_barrier, "halfwords: keys are counted before the counters are cleared")             \
  FAULT(sort, sort_halfwords_skip_counts_barrier, "halfwords: no barrier between counting keys and adding up their counts") \
  FAULT(sort, sort_halfwords_skip_totals_barrier, "halfwords: no barrier between the warps' totals and reading them")       \
  FAULT(sort, sort_halfwords_skip_staged_barrier,                                                                           \
        "one block: no barrier between storing where words begin and reading that")                                         \
  FAULT(sort, sort_halfwords_skip_highest_barrier,                                                                          \
        "one block: no barrier between the warps' highest words and reading them")                                          \
  FAULT(sort, sort_halfwords_skip_zeros_barrier,                                                                            \
        "one block: no barrier between the warps' zeros and reading how many there are")                                    \
  FAULT(sort, sort_halfwords_lose_limit, "halfwords: what is taken from a counter at its limit is lost")                    \
  FAULT(sort, sort_halfwords_trust_zeros, "halfwords: zeros of both signs are taken to be in the order of their words")     \
  FAULT(sort, sort_halfwords_skip_groups_barrier, "halfwords: no barrier between where groups begin and reading that")      \
  FAULT(sort, sort_halfwords_skip_sums_barrier, "halfwords: no barrier between the warps' sums of counts and reading them") \
  FAULT(sort, sort_halfwords_skip_list_barrier, "halfwords: no barrier between listing words and looking them up")          \
  FAULT(sort, sort_skip_bins_barrier, "one block: no barrier between counting the keys of bins and adding them up")         \
  FAULT(sort, sort_skip_bin_totals_barrier, "one block: no barrier between the totals of bins and reading them")            \
  FAULT(sort, sort_skip_begins_barrier, "one block: no barrier between finding where bins begin and moving keys there")     \
  FAULT(sort, sort_skip_binned_barrier, "one block: no barrier between moving keys to their bins and ranking them there")   \
  FAULT(sort, sort_skip_mixed_barrier, "one block: no barrier between finding that a bin has keys that differ and asking")  \
  FAULT(sort, sort_skip_witnesses_barrier, "one block: no barrier between storing a key of each bin and comparing others")  \
  FAULT(sort, sort_skip_kinds_barrier, "one block: no barrier between the warps' totals of bins in use and reading them")   \
  FAULT(sort, sort_skip_numbers_barrier, "one block: no barrier between numbering the bins in use and reading the numbers") \
  FAULT(sort, sort_skip_numbered_barrier, "one block: counters are cleared while threads still read the numbers of bins")   \
  FAULT(sort, sort_skip_network_barrier, "one block: no barrier between storing keys of a network and reading others'")     \
  FAULT(sort, sort_skip_short_runs_barrier, "one block: no barrier between storing the runs of a warp and merging them")    \
  FAULT(sort, sort_skip_long_runs_barrier, "one block: no barrier between storing the runs of warps and merging them")      \
  FAULT(sort, sort_skip_merged_barrier, "one block: no barrier between storing merged keys and reading them")               \
  FAULT(sort, sort_skip_zeros_barrier, "one block: no barrier between looking for zeros of both signs and asking")          \
  FAULT(sort, sort_skip_zero_totals_barrier, "one block: no barrier between the warps' numbers of zeros and reading them")  \
  FAULT(sort, sort_skip_ordered_zeros_barrier, "one block: no barrier between putting zeros in order and reading them")     \
  FAULT(sort, sort_block_skip_ranks_barrier, "one block: no barrier between counting warps' digits and adding them up")     \
  FAULT(sort, sort_block_skip_places_barrier, "one block: no barrier between the places of digits and moving keys there")   \
  FAULT(sort, sort_block_skip_sorted_barrier, "one block: no barrier between moving keys by a digit and reading them")      \
  FAULT(sort, sort_skip_values_barrier, "one block: values are stored over those that other threads have not read")         \
  FAULT(sort, sort_skip_values_wait, "values are stored before they have come to shared memory")                            \
  FAULT(sort, sort_miscount_common, "a warp counts a key more of a digit that many have")                                   \
  FAULT(sort, sort_spread_all, "keys are taken for spread although a bucket is too large or not counted")                   \
  FAULT(sort, sort_trust_table, "counters of a table are taken to be right although one has run over")                      \
  FAULT(sort, sort_trust_samples, "digits counted in a sample are taken for those of all keys, which are not spread")       \
  FAULT(sort, sort_skip_recleared_barrier, "keys are counted before the sample is cleared away")                            \
  FAULT(sort, sort_skip_sample_barrier, "no barrier between counting a sample and asking whether it is spread")             \
  FAULT(sort, sort_skip_parts_barrier, "no barrier between the warps' totals of parts and reading them")                    \
  FAULT(sort, sort_skip_parts_again_barrier, "totals of the tiles of parts are stored while those of keys are read")        \
  FAULT(sort, sort_skip_partitioned_barrier, "a first tile is looked for before it is known where parts begin")             \
  FAULT(sort, sort_skip_part_barrier, "no barrier between finding the part of a first tile and reading it")                 \
  FAULT(sort, sort_skip_partition_clear_barrier, "a tile is counted before counters are cleared")                           \
  FAULT(sort, sort_skip_partition_counts_barrier, "no barrier between counting a tile's keys and adding them up")           \
  FAULT(sort, sort_skip_partition_totals_barrier, "no barrier between the warps' totals of a tile and reading them")        \
  FAULT(sort, sort_skip_partition_places_barrier, "no barrier between finding the places of keys and moving them there")    \
  FAULT(sort, sort_skip_partition_sorted_barrier, "no barrier between moving keys to their places and storing them")        \
  FAULT(sort, sort_reserve_less, "a tile reserves room for a key less than it has of a digit")                              \
  FAULT(sort, sort_forget_spread, "the second partition does not see that the first one has been")                          \
  FAULT(sort, sort_trust_bins, "crowded bins are taken to have one key each")                                               \
  FAULT(sort, sort_skip_parts_of_buckets_barrier, "buckets are looked for before it is known where parts begin")            \
  FAULT(sort, sort_skip_begins_of_buckets_barrier, "no barrier between finding where buckets begin and reading it")         \
  FAULT(sort, sort_skip_first_bucket_barrier, "no barrier between storing keys of the first bucket's stage and reading")    \
  FAULT(sort, sort_skip_bucket_wait, "a bucket's keys are read before they have come to shared memory")                     \
  FAULT(sort, sort_skip_left_buckets_barrier, "no barrier between noting buckets with crowded bins and sorting them")       \
  FAULT(sort, sort_skip_clear_bins_barrier, "keys of a bucket are counted before its bins are cleared")                     \
  FAULT(sort, sort_skip_count_bins_barrier, "no barrier between counting the keys of a bucket's bins and adding them up")   \
  FAULT(sort, sort_skip_spread_totals_barrier, "no barrier between the warps' totals of a bucket's bins and reading them")  \
  FAULT(sort, sort_skip_bin_begins_barrier, "no barrier between finding where a bucket's bins begin and moving keys there") \
  FAULT(sort, sort_skip_windows_barrier, "no barrier between moving keys to their bins and sorting windows")                \
  FAULT(sort, sort_skip_sorted_windows_barrier, "no barrier between sorting windows and merging their halves")              \
  FAULT(sort, sort_skip_merged_windows_barrier, "no barrier between merging windows and storing them")                      \
  FAULT(sort, sort_skip_mixed_bins_barrier, "no barrier between finding that a bin has keys that differ and asking")        \
  FAULT(sort, sort_skip_asked_barrier, "threads still ask for mixed bins when thread 0 clears what they read")              \
  FAULT(sort, sort_skip_crowded_barrier, "bins are cleared for the next bucket while threads still rank keys in them")      \
  FAULT(sort, sort_ranges_skip_ends_barrier, "ranges: no barrier between the ends of warps' samples and reading them")      \
  FAULT(sort, sort_ranges_skip_sample_barrier, "ranges: no barrier between counting a sample and asking about it")          \
  FAULT(sort, sort_ranges_skip_counts_barrier, "ranges: no barrier between counting the keys of warps and adding them up")  \
  FAULT(sort, sort_ranges_skip_places_barrier, "ranges: no barrier between the places of buckets and moving keys there")    \
  FAULT(sort, sort_ranges_skip_sorted_barrier, "ranges: no barrier between moving keys to their buckets and storing them")  \
  FAULT(sort, sort_ranges_skip_runs_barrier, "ranges: no barrier between finding a bucket's runs and loading them")         \
  FAULT(sort, sort_ranges_any_bucket, "ranges: a bucket that is too large is left as it is")                                \
  FAULT(sort, sort_skip_pass_wait, "passes in one launch: a block does not wait for the pass before")                       \
  FAULT(sort, sort_skip_waited_barrier, "passes in one launch: no barrier between waiting and loading a tile")              \
  FAULT(sort, sort_skip_stored_barrier, "passes in one launch: no barrier between storing a tile and counting it")          \
  FAULT(sort, sort_skip_few_places_barrier,                                                                                 \
        "few values: no barrier between taking places of a table and looking who has them")                                 \
  FAULT(sort, sort_skip_few_found_barrier, "few values: no barrier between making a table and counting keys in it")         \
  FAULT(sort, sort_skip_few_added_barrier, "few values: no barrier between counting keys and adding up their counts")       \
  FAULT(sort, sort_trust_few, "few values: keys that are not in the table are taken to be in it")                           \
  FAULT(sort, sort_trust_few_places, "few values: a value of the sample that has no place in the table is forgotten")       \
  FAULT(sort, sort_skip_few_list_barrier, "few values: no barrier between listing where values start and writing them")     \
  FAULT(sort, sort_trust_few_zeros, "few values: zeros of both signs are written in their own order")                       \
  /* Extrema: places of items. */                                                                                           \
  FAULT(extrema, last_smallest, "of equivalent smallest items the last is found")                                           \
  FAULT(extrema, last_largest, "of equivalent largest items the last is found")                                             \
  FAULT(extrema, forget_index, "of equivalent items of two threads the one of the lower thread is found")                   \
  FAULT(extrema, index_of_run, "the place of an item is that of its run's first")                                           \
  /* Searches: the lowest index of a hit, and how blocks draw tiles until there is one. */                                  \
  FAULT(search, keep_old_tickets, "tickets go on where an earlier launch has stopped")                                      \
  FAULT(search, drop_drawn_tile, "a block that can draw no more tiles leaves out its last one")                             \
  FAULT(search, one_drawn_tile, "the tiles that a block draws share one place")                                             \
  FAULT(search, skip_drawn_barrier, "no barrier between drawing a tile and reading its number")                             \
  FAULT(search, last_of_thread, "of a thread's hits the last counts")                                                       \
  FAULT(search, lose_last_items, "the items behind the last whole vector are not searched")                                 \
  FAULT(search, compare_with_itself, "the last item of a row is compared with the first")                                   \
  FAULT(search, skip_head_barrier, "threads go on before they know what the head has")                                      \
  FAULT(search, search_too_early, "a search that starts early does not wait for the work before it")                        \
  FAULT(search, one_count_buffer, "the counts of two rounds share memory")                                                  \
  FAULT(search, skip_counts_barrier, "no barrier between the counts of a round and reading them")                           \
  /* Runs of neighbouring items. */                                                                                         \
  FAULT(runs, short_last_run, "the last run leaves out its last item")                                                      \
  FAULT(runs, long_last_run, "the last run is taken for a whole one")                                                       \
  FAULT(runs, reversed_run, "a run is folded from the right")                                                               \
  FAULT(runs, misaligned_run, "a run is read in one access, whatever its address")                                          \
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
  /* Ranks hand values to each other. */                                                                                    \
  FAULT(ranks, ranks_reversed, "values are folded from the last rank to the first")                                         \
  FAULT(ranks, init_on_every_rank, "every rank folds the initial value in, not rank 0 alone")                               \
  FAULT(ranks, absent_ranks_folded, "whatever the record of a rank without a value holds is folded, too")                   \
  FAULT(ranks, carry_always_present, "a scan starts from its carry though no rank before has a value")                      \
  FAULT(ranks, own_rank_in_prefix, "the prefix of a rank holds the rank's own value")                                       \
  FAULT(ranks, stale_records, "a rank gathers before its record of this call is written")                                   \
  FAULT(ranks, ranks_skip_meeting, "a thread reads the others' bytes without waiting until they are there")                 \
  FAULT(ranks, ranks_one_slot, "a thread overwrites its bytes while others may still read them")                            \
  FAULT(ranks, signature_unchecked, "nobody compares the calls that ranks make")                                            \
  FAULT(ranks, arrival_unchecked, "nobody looks whether the records in memory are those that were gathered")                \
  FAULT(ranks, gathers_not_numbered, "records of all gathers have the same number")                                         \
  FAULT(ranks, rank_not_in_seal, "a record's seal does not say whose it is")                                                \
  FAULT(ranks, head_sealed_alone, "a record's seal does not count what follows the head")                                   \
  FAULT(ranks, late_value_unchecked, "nobody compares values that follow their records with what the records say")          \
  FAULT(ranks, failure_unnoticed, "nobody sees that a rank has failed")                                                     \
  FAULT(ranks, local_place, "the place of an extremum does not count the items of earlier ranks")                           \
  FAULT(ranks, goes_on_counted_twice, "a run that goes on in the next part is counted by both ranks")                       \
  FAULT(ranks, empty_rank_ends_run, "a run ends where a rank has no items")                                                 \
  FAULT(ranks, first_key_of_neighbour, "a part's first key is compared with the first key of the parts before")             \
  FAULT(ranks, whole_part_restarts_run, "a part within one run begins the run anew")                                        \
  FAULT(ranks, key_of_own_first_item, "a run that began on an earlier rank gets the key of this rank's first item")         \
  FAULT(ranks, stored_run_not_joined, "a run that began on an earlier rank is left as it was stored")                       \
  FAULT(ranks, first_run_in_record, "a rank sends its first run in place of its last one")                                  \
  FAULT(ranks, ranks_too_early, "a kernel of ranks begins before the launch before it has ended")                           \
  FAULT(ranks, join_any_run, "what earlier parts end with joins the first run, whatever its key")                           \
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

//! Some primitives take a condition as their last argument and do nothing if it does not hold:
//! `sync_block(unless(fault::skip_x))` is a barrier unless that fault is switched on.
struct condition
{
  bool holds = true;
};
REHEAT_DEVICE inline condition unless(fault which)
{
  return {!fault_active(which)};
}
REHEAT_DEVICE inline condition only_with(fault which)
{
  return {fault_active(which)};
}

} // namespace simt
REHEAT_NAMESPACE_END
