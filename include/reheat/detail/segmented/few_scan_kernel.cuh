// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans of few segments that may lie anywhere, in one launch. The number of items is on the device.
//!
//! 1. Each block looks at all segments (few_kernel.cuh). So all blocks know the same without telling each other.
//! 2. A warp each scans the short ones, and a block each the long ones, in tiles (scan_block.cuh). That is all, unless one
//!    of them is so long that its block would be late.
//! 3. In that case long segments are cut into chunks, and blocks draw tickets. The first tickets fold the chunks of cut
//!    segments, but for each segment's last one. The others scan the chunks. Who scans a chunk of a cut segment waits until
//!    all are folded, and folds the values of the chunks before it, while the chunk's first tile is on its way.
//!
//! Waiting. All tickets to fold are drawn before the first ticket to scan, and nobody waits who folds. So a block waits for
//! blocks that run. The block that finishes last clears tickets and count for the next launch.
//!
//! In place. An item of a cut segment is overwritten only after all chunks are folded. So the output may be the input.
//!
//! Association. In a short segment rows of a warp, in a long one or in a chunk tiles of the block. What stands before a
//! chunk: its chunks' folds, and the fold of those, as rows.cuh says. Chunks follow from the number of items of all
//! segments, of the longest one, and from where in 16 bytes each begins, and so do rows and tiles. Neither the architecture,
//! nor the number of multiprocessors, nor other work matters.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/few_kernel.cuh>
#include <reheat/detail/segmented/long_list.cuh>
#include <reheat/detail/segmented/rows.cuh>
#include <reheat/detail/segmented/scan_anywhere.cuh>
#include <reheat/detail/segmented/scan_block.cuh>
#include <reheat/detail/segmented/shared.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Shared memory of a block.
template <class T>
struct few_scan_shared
{
  segmented_shared<T> tiles;
  few_segments_shared<T> few;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr few_scan_shared(Memory& memory, const segmented_config& c) : tiles(memory, c), few(memory, c)
  {}
};
template <class T>
constexpr std::size_t few_scan_bytes(const segmented_config& c)
{
  return memory_of_layout<few_scan_shared<T>>(c, c).shared_bytes();
}

//! Blocks on a multiprocessor. Of three, each thread spills some 350 bytes, for which the L1 cache has no room beside tiles.
constexpr unsigned few_scan_blocks(const segmented_config& c)
{
  return c.resident_blocks < 2 ? c.resident_blocks : 2;
}

//! In place of a sink: a scan stores items, and nothing else.
struct no_results
{};

//! One block. Segment s goes to out_begins[s] and behind.
template <scan_kind Kind, class Tuning, class Input, class OutputIt, class Op, class Ends, class OutBeginIt, class Init>
class few_scan_block : few_segments_block<Tuning, Input, typename Init::accum, Op, Ends, no_results>
{
  using accum = typename Init::accum;
  using few = few_segments_block<Tuning, Input, accum, Op, Ends, no_results>;
  using few::cfg;
  using few::warps;
  using typename few::bounds;
  using typename few::folder;
  using typename few::folds;
  using block = segmented_scan_block<Kind, Tuning, Input, OutputIt, Op, Ends, Init>;
  static_assert(!cfg.in_scratch, "rows lie in registers, and tiles in shared memory");
  static_assert(few_scan_bytes<accum>(cfg) <= device_traits_of(simt::arch).block_shared_bytes, "beside tiles there is room");
  //! That a warp scans at a time.
  static constexpr unsigned scanned_rows = cfg.rows < 2 ? cfg.rows : 2;

public:
  REHEAT_DEVICE few_scan_block(const few_scan_shared<accum>& shared, Input in, OutputIt out, unsigned segments, Op op,
                               Ends ends, OutBeginIt out_begins, const Init& init)
      : few(shared.few, in, segments, op, ends, {}), tiles_(shared.tiles), out_begins_(out_begins), out_(out), init_(init)
  {}

  //! All threads call.
  REHEAT_DEVICE void scan(const workspace<accum>& scratch)
  {
    std::uint64_t items[few::per_thread];
    if (this->look_at_all(items))
    {
      if (in_chunks_)
      {
        size_ = (size_ + cfg.tile_items() - 1) / cfg.tile_items() * cfg.tile_items();
      }
      this->count_chunks(items);
      scan_long(scratch);
    }
    scan_short();
    if (in_chunks_ && is_last_to_finish(scratch.header, simt::grid_blocks(), shared_.totals) && simt::thread_index() == 0 &&
        !simt::fault_active(simt::fault::keep_chunk_counts))
    {
      scratch.header->next_ticket = 0;
      scratch.header->listed = 0;
    }
  }

private:
  REHEAT_DEVICE std::uint64_t out_of(unsigned segment)
  {
    return static_cast<std::uint64_t>(read_item(out_begins_, segment));
  }

  REHEAT_DEVICE void scan_short()
  {
    run_scanner<Kind, scanned_rows, Input, OutputIt, Op, Init> scanner(in_, out_, this->op_, init_);
    const unsigned step = simt::grid_blocks() * warps;
    for (unsigned segment = simt::block_index() + simt::warp_index() * simt::grid_blocks(); segment < segments_;
         segment += step)
    {
      const bounds own = this->bounds_of(segment);
      if (own.items() != 0 && this->items_and_past(own) <= folder::batch_items)
      {
        scanner.scan({own.first(), own.items()}, out_of(segment), folds{});
      }
    }
  }

  //! Scans the chunks of long segments. If segments are cut, blocks draw tickets: first of chunks to fold, then of chunks
  //! to scan. Otherwise they take turns, and nothing is folded.
  REHEAT_DEVICE void scan_long(const workspace<accum>& scratch)
  {
    block scanner(tiles_, in_, out_, this->op_, this->ends_, init_);
    const std::uint32_t chunks = shared_.chunks[cfg.few_segments], folded = in_chunks_ ? chunks : 0;
    std::uint32_t next = in_chunks_ ? draw(scratch.header) : simt::block_index();
    bool waits = true;
    while (true)
    {
      const std::uint32_t ticket = in_chunks_ ? handed_to_all(next) : next;
      if (ticket >= folded + chunks)
      {
        break;
      }
      next = in_chunks_ ? draw(scratch.header) : next + simt::grid_blocks(); // on its way while this one is worked on
      const std::uint32_t chunk = ticket < folded ? ticket : ticket - folded;
      const unsigned turn = this->turn_of(chunk);
      const bool is_cut = shared_.chunks[turn + 1] - shared_.chunks[turn] != 1;
      if (ticket < folded)
      {
        if (is_cut && chunk + 1 != shared_.chunks[turn + 1])
        {
          fold_chunk(chunk, turn, scratch.values);
        }
        count_as_folded(scratch.header);
        continue;
      }
      scan_chunk(scanner, chunk, turn, scratch.values,
                 [&]
                 {
                   if (is_cut && waits)
                   {
                     wait_for_folds(scratch.header, chunks);
                     waits = false;
                   }
                 });
    }
    scanner.finish();
  }
  //! Thread 0 draws.
  REHEAT_DEVICE static std::uint32_t draw(workspace_header* header)
  {
    return simt::thread_index() == 0
               ? static_cast<std::uint32_t>(simt::fetch_add_relaxed(&header->next_ticket, std::uint64_t{1}))
               : 0;
  }
  REHEAT_DEVICE std::uint32_t handed_to_all(std::uint32_t drawn)
  {
    if (simt::thread_index() == 0)
    {
      *tiles_.next_span = drawn;
    }
    simt::sync_block(simt::unless(simt::fault::skip_few_ticket_barrier));
    const std::uint32_t ticket = *tiles_.next_span;
    simt::sync_block(simt::unless(simt::fault::skip_few_read_barrier));
    return ticket;
  }

  //! All chunks of a segment but the first one begin where memory is aligned to 16 bytes. So each has whole tiles.
  REHEAT_DEVICE item_run items_of(std::uint32_t chunk, unsigned turn, const bounds& of_segment)
  {
    const unsigned past = this->items_past(of_segment);
    const std::uint64_t before = (chunk - shared_.chunks[turn]) * size_, left = past + of_segment.items() - before,
                        items = left < size_ ? left : size_;
    return before == 0 ? item_run{of_segment.first(), items - past} : item_run{of_segment.first() - past + before, items};
  }
  REHEAT_DEVICE void fold_chunk(std::uint32_t chunk, unsigned turn, accum* values)
  {
    const item_run own = items_of(chunk, turn, this->bounds_of(this->segment_of(turn)));
    const folds fold = this->folder_.fold(own.first, own.items, warps, shared_.values);
    if (simt::thread_index() == 0)
    {
      construct_at(values + chunk, fold.value.get());
    }
  }
  //! Counts a chunk whose value, if it needs one, thread 0 has stored.
  REHEAT_DEVICE static void count_as_folded(workspace_header* header)
  {
    if (simt::thread_index() != 0)
    {
      return;
    }
    if (simt::fault_active(simt::fault::count_fold_relaxed))
    {
      simt::fetch_add_relaxed(&header->listed, std::uint64_t{1});
    }
    else
    {
      simt::fetch_add(&header->listed, std::uint64_t{1});
    }
  }
  REHEAT_DEVICE void wait_for_folds(workspace_header* header, std::uint32_t chunks)
  {
    if (simt::thread_index() == 0)
    {
      const auto folded = [&]
      {
        return simt::fault_active(simt::fault::see_folds_relaxed) ? simt::load_relaxed(&header->listed)
                                                                  : simt::load_acquire(&header->listed);
      };
      while (folded() != chunks && !simt::fault_active(simt::fault::scan_unfolded))
      {
        simt::backoff();
      }
    }
    simt::sync_block(simt::unless(simt::fault::skip_folded_barrier));
  }
  //! Scans a chunk behind the chunks before it. `wait`: until their folds are in `values`.
  template <class Wait>
  REHEAT_DEVICE void scan_chunk(block& scanner, std::uint32_t chunk, unsigned turn, const accum* values, Wait wait)
  {
    const unsigned segment = this->segment_of(turn);
    const bounds of_segment = this->bounds_of(segment);
    const item_run own = items_of(chunk, turn, of_segment);
    scanner.scan({own.first, own.items, 0, 0, out_of(segment) + (own.first - of_segment.first())}, false,
                 [&] // while the first items are on their way
                 {
                   wait();
                   const std::uint32_t first = shared_.chunks[turn], before = chunk - first;
                   folds& open = scanner.open();
                   open.has = before != 0;
                   if (before != 0) // each warp by itself
                   {
                     run_folder<cfg.rows, const accum*, accum, Op> folder(values, this->op_);
                     open.value = simt::shuffle(folder.fold(first, before, 1, nullptr).value, 0);
                   }
                 });
  }

  using few::in_;
  using few::in_chunks_;
  using few::segments_;
  using few::shared_;
  using few::size_;

  const segmented_shared<accum>& tiles_;
  OutBeginIt out_begins_;
  OutputIt out_;
  Init init_;
};

template <scan_kind Kind, class Tuning, class Input, class OutputIt, class Op, class Ends, class OutBeginIt, class Init>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, few_scan_blocks(Tuning{}(simt::arch)))
scan_few_segments_kernel(Input in, OutputIt out, unsigned segments, workspace<typename Init::accum> scratch, Op op,
                         Ends ends, OutBeginIt out_begins, Init init)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  simt::shared_memory memory;
  const few_scan_shared<typename Init::accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  few_scan_block<Kind, Tuning, Input, OutputIt, Op, Ends, OutBeginIt, Init>(shared, in, out, segments, op, ends, out_begins,
                                                                            init)
      .scan(scratch);
}

} // namespace detail
REHEAT_NAMESPACE_END
