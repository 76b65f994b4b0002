// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Tiles of plain scans, and of all scans whose input has no collective of its own.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/items.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/byte_sums.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>
#include <optional>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The collective of plain scans: tiles are arrays of accumulators.
template <class Tuning, class InputIt, class OutputIt, class Accum>
class plain_collective
{
  static constexpr scan_config cfg = Tuning{}(simt::arch);

public:
  static constexpr bool bulk_in = moves_in_vec16_v<InputIt, Accum>;
  static constexpr bool always_aligned =
      bulk_in && !cfg.fixed_tiles && always_aligns<Accum>(cfg.tile_alignment, cfg.tile_items());
  static constexpr bool bulk_out = moves_in_vec16_v<OutputIt, Accum>;
  static constexpr bool scan_stores = false;
  static std::optional<unsigned> head_of(const InputIt& in, unsigned alignment)
  {
    return bulk_in ? items_before_aligned(in, alignment) : std::nullopt;
  }
  static bool is_aligned_output(const OutputIt& out, unsigned head) { return bulk_out && is_aligned(out, head); }

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr plain_collective(Memory& memory, const scan_config& c)
      : items_(memory.template array<Accum>(c.stages * c.tile_items(), alignof(Accum) > 128 ? alignof(Accum) : 128))
  {}

  REHEAT_DEVICE static bool is_bulk_tile(std::uint64_t first, std::uint64_t items)
  {
    return first + cfg.tile_items() <= items;
  }

  template <class Copier>
  REHEAT_DEVICE void load_bulk(const InputIt& in, std::uint64_t first, bool, tile_place place, const Copier& copier) const
  {
    load_bulk_items(in + first, items_of(place.stage), copier);
  }

  REHEAT_DEVICE void prefetch(const InputIt& in, std::uint64_t first) const { prefetch_items(in + first); }

  template <unsigned ItemsPerThread, bool RarelyScalar>
  REHEAT_DEVICE void load(InputIt& in, bool aligned, std::uint64_t first, unsigned valid, bool, tile_place place,
                          unsigned thread, unsigned threads) const
  {
    load_tile<ItemsPerThread, RarelyScalar, cfg.clears_vec16>(in, aligned, first, valid, items_of(place.stage), thread,
                                                              threads);
  }

  //! Folds the thread's items.
  template <class Op>
  REHEAT_DEVICE void reduce(InputIt&, const thread_slice& slice, Op& op, uninitialized<Accum>& fold) const
  {
    if constexpr (adds_bytes_of_vec16_v<Op, Accum, cfg.items_per_thread>)
    {
      if (slice.count == cfg.items_per_thread)
      {
        unsigned sum = 0;
        REHEAT_UNROLL
        for (unsigned p = 0; p < cfg.items_per_thread / sizeof(vec16); ++p)
        {
          const vec16 bytes = reinterpret_cast<const vec16*>(own_items(slice))[p];
          sum = add_bytes_of(bytes, sum);
        }
        fold.construct(static_cast<Accum>(sum));
        return;
      }
    }
    walk_items<false, cfg.items_per_thread>(own_items(slice), slice.count,
                                            [&](const Accum& item, unsigned i)
                                            {
                                              if (i == 0)
                                              {
                                                fold.construct(item);
                                              }
                                              else
                                              {
                                                fold.get() = op(fold.get(), item);
                                              }
                                            });
  }

  //! Replaces the thread's items with the scan's results. All lanes of a warp call.
  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan(InputIt&, OutputIt&, const thread_slice& slice, optional_accumulator<Accum>& fold, Op& op) const
  {
    // The count is a constant for all threads with all their items: otherwise every item of an exclusive scan tests whether
    // it is the last one (2^30 bytes: 907 us instead of 557, NVIDIA H200).
    if (slice.count == cfg.items_per_thread)
    {
      scan_items<Kind, cfg.items_per_thread>(own_items(slice), cfg.items_per_thread, fold, op);
    }
    else
    {
      scan_items<Kind, cfg.items_per_thread>(own_items(slice), slice.count, fold, op);
    }
  }

  REHEAT_DEVICE void store_in_bulk(OutputIt& out, std::uint64_t first, unsigned stage, bool evict) const
  {
    simt::bulk_store(out + first, items_of(stage), static_cast<unsigned>(cfg.tile_items() * sizeof(Accum)), evict);
  }

  template <unsigned ItemsPerThread, bool RarelyScalar>
  REHEAT_DEVICE void store(OutputIt& out, bool aligned, std::uint64_t first, unsigned valid, unsigned stage, unsigned thread,
                           unsigned threads) const
  {
    store_tile<ItemsPerThread, RarelyScalar, cfg.clears_vec16>(items_of(stage), out, aligned, first, valid, thread, threads);
  }

  REHEAT_DEVICE Accum* own_items(const thread_slice& slice) const
  {
    return items_of(slice.place.stage) + slice.thread * cfg.items_per_thread;
  }

protected:
  REHEAT_DEVICE Accum* items_of(unsigned stage) const { return items_ + stage * cfg.tile_items(); }

  template <class From>
  REHEAT_DEVICE static void prefetch_items(const From* from)
  {
    constexpr unsigned bytes = static_cast<unsigned>(cfg.tile_items() * sizeof(From)), line = 128;
    if constexpr (cfg.in_bulk())
    {
      if (simt::thread_index() == 0)
      {
        simt::prefetch(from, bytes);
      }
    }
    else if (simt::thread_index() < bytes / line)
    {
      simt::prefetch_line(reinterpret_cast<const char*>(from) + simt::thread_index() * line);
    }
  }

  template <class From, class Copier>
  REHEAT_DEVICE static void load_bulk_items(const From* from, Accum* to, const Copier& copier)
  {
    static_assert(sizeof(From) == sizeof(Accum));
    copier.expect(cfg.tile_items() * sizeof(Accum));
    copier.template copy<cfg.tile_items()>(to, from, cfg.tile_items());
  }

private:
  Accum* items_; //!< [stage][tile_items]
};

//! The tile collective of scans of InputIt, and its tuning. Inputs whose tiles are not arrays of accumulators specialise
//! this trait.
template <class InputIt>
struct collective_for
{
  template <class Tuning, class OutputIt, class Accum>
  using tile_collective = plain_collective<Tuning, InputIt, OutputIt, Accum>;
  template <class Accum>
  using tuning = scan_tuning<sizeof(Accum)>;
};

} // namespace detail
REHEAT_NAMESPACE_END
