// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How the block that finishes last finds out that it does.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Counts the caller's block as finished. Returns whether it is the last of `blocks`, which then sees what thread 0 of each
//! has stored. All threads call. `is_last`: a word of shared memory.
REHEAT_DEVICE inline bool is_last_to_finish(workspace_header* header, unsigned blocks, unsigned* is_last)
{
  if (simt::thread_index() == 0)
  {
    const std::uint32_t before = simt::fetch_add(&header->finished_blocks, std::uint32_t{1});
    const bool last = before + 1 == blocks;
    if (last && !simt::fault_active(simt::fault::keep_finished))
    {
      header->finished_blocks = 0; // for the next launch
    }
    *is_last = (simt::fault_active(simt::fault::join_unfinished) ? before == 0 : last) ? 1 : 0;
  }
  simt::sync_block(simt::unless(simt::fault::skip_finished_barrier));
  return *is_last != 0;
}

} // namespace detail
REHEAT_NAMESPACE_END
