// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The collective of scans by key.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/segments/collectives/keyed.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Scans by key. The scan replaces each value with its result, in place.
template <class Tuning, class Source, class ValueOutputIt, class Accum>
class keyed_scan_collective : public keyed_collective<Tuning, Source, Accum>
{
  using base = keyed_collective<Tuning, Source, Accum>;
  using base::cfg;
  using typename base::in_thread;
  using typename base::value;
  using output = value_sink<ValueOutputIt>;
  static_assert(std::is_same_v<Accum, in_thread>);

public:
  static constexpr bool bulk_out = moves_in_vec16_v<ValueOutputIt, value>;
  static constexpr bool scan_stores = false;
  static bool is_aligned_output(const output& out, unsigned) { return is_aligned(out.out); }
  using base::base;

  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan(Source& source, output&, const thread_slice& slice, optional_accumulator<Accum>& fold,
                          Op& op) const
  {
    // The count is a constant for all threads with all their items, as in plain_collective.
    if (slice.count == cfg.items_per_thread)
    {
      scan_own<Kind>(source, slice, cfg.items_per_thread, fold, op);
    }
    else
    {
      scan_own<Kind>(source, slice, slice.count, fold, op);
    }
  }

  REHEAT_DEVICE void store_in_bulk(output& out, std::uint64_t first, unsigned stage, bool evict) const
  {
    simt::bulk_store(out.out + first, this->values_of(stage), static_cast<unsigned>(cfg.tile_items() * sizeof(value)),
                     evict);
  }

  template <unsigned ItemsPerThread, bool RarelyScalar>
  REHEAT_DEVICE void store(output& out, bool aligned, std::uint64_t first, unsigned valid, unsigned stage, unsigned thread,
                           unsigned threads) const
  {
    store_tile<ItemsPerThread, RarelyScalar, cfg.clears_vec16>(this->values_of(stage), out.out, aligned, first, valid,
                                                               thread, threads);
  }

private:
  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan_own(Source& source, const thread_slice& slice, unsigned count, optional_accumulator<Accum>& fold,
                              Op& op) const
  {
    const std::uint32_t bits = this->own_bits(slice);
    walk_items<true, cfg.items_per_thread>(this->own_values(slice), count,
                                           [&](value& item, unsigned i)
                                           {
                                             const Accum own = source.item(item, (bits >> i & 1) != 0);
                                             if constexpr (Kind == scan_kind::inclusive)
                                             {
                                               fold.append(own, op);
                                               item = fold.value.get().value;
                                             }
                                             else
                                             {
                                               item = fold.value.get().value;
                                               if (i + 1 < count)
                                               {
                                                 fold.append(own, op);
                                               }
                                             }
                                           });
  }
};

} // namespace detail
REHEAT_NAMESPACE_END
