// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The end of a launch whose blocks draw tickets, of one whose blocks start in order, and of any launch that uses up the
//! last epoch.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/simt/simt.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The last block to call makes the workspace ready for the next launch. This launch has used `words` words. One warp of
//! each of `blocks` blocks calls when no thread of the block will draw tickets or look back again; the block's other warps
//! may go on. The block need not have published everything: when the last block calls, every aggregate that is still needed
//! has been read.
template <class Accum>
REHEAT_DEVICE void retire_blocks(const workspace<Accum>& scratch, std::uint64_t words, std::uint32_t epoch, unsigned blocks)
{
  workspace_header* const header = scratch.header;
  bool last = false;
  if (simt::lane_index() == 0)
  {
    const std::uint32_t before = simt::fault_active(simt::fault::relaxed_finish)
                                     ? simt::fetch_add_relaxed(&header->finished_blocks, std::uint32_t{1})
                                     : simt::fetch_add(&header->finished_blocks, std::uint32_t{1});
    const bool early = simt::fault_active(simt::fault::early_retirement) && blocks > 1;
    last = before == blocks - (early ? 2 : 1);
    if (last)
    {
      // Plain stores suffice: the counter orders the other blocks' accesses before them.
      header->next_ticket = simt::fault_active(simt::fault::keep_ticket) ? header->next_ticket : 0;
      header->finished_blocks = simt::fault_active(simt::fault::keep_finished) ? header->finished_blocks : 0;
      retire_launch(header, epoch, words);
    }
  }
  if (is_last_epoch(epoch) && simt::any(last))
  {
    clear_words(scratch);
  }
}
//! The same of all blocks.
template <class Accum>
REHEAT_DEVICE void retire_blocks(const workspace<Accum>& scratch, std::uint64_t words, std::uint32_t epoch)
{
  retire_blocks(scratch, words, epoch, simt::grid_blocks());
}

//! Ends a launch whose blocks start in the order of their indices and publish a value each, for which all later blocks wait.
//! All threads of all blocks call, when they read no further slots. The last block has seen all others publish, so it ends
//! the launch without a count of finished blocks. Only at the last epoch do blocks count themselves finished, because no
//! words may be cleared while another block reads them.
template <class Accum>
REHEAT_DEVICE void retire_in_order(const workspace<Accum>& scratch, std::uint64_t words, std::uint32_t epoch)
{
  if (is_last_epoch(epoch))
  {
    simt::sync_block(); // no warp of the block reads slots any more
    if (simt::warp_index() == 0)
    {
      retire_blocks(scratch, words, epoch);
    }
    return;
  }
  const unsigned last = simt::fault_active(simt::fault::first_tile_retires) ? 0 : simt::grid_blocks() - 1;
  if (simt::block_index() == last && simt::thread_index() == 0)
  {
    retire_launch(scratch.header, epoch, words);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END
