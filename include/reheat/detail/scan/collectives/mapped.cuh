// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Tiles of scans over mapped items in memory (transform_inclusive_scan and its like). A tile is loaded as it is, in bulk
//! too, and each thread maps its own items in place. Mapping in the load warps instead costs 30 % (2^28 i32, NVIDIA H200).
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/indexed.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/collectives/plain.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A stage holds the items as they are in memory. reduce replaces each with its mapped value, which has the same size.
template <class Tuning, class Source, class OutputIt, class Accum>
class mapped_collective : public plain_collective<Tuning, indexed_input<Source>, OutputIt, Accum>
{
  using base = plain_collective<Tuning, indexed_input<Source>, OutputIt, Accum>;
  static constexpr scan_config cfg = Tuning{}(simt::arch);
  using input = indexed_input<Source>;
  using memory_item = value_of<decltype(Source::in)>;

public:
  static constexpr bool bulk_in = true;
  static constexpr bool always_aligned =
      !cfg.fixed_tiles && always_aligns<memory_item>(cfg.tile_alignment, cfg.tile_items());
  static std::optional<unsigned> head_of(const input& in, unsigned alignment)
  {
    return items_before_aligned(in.source().in, alignment);
  }
  using base::base;

  REHEAT_DEVICE void prefetch(const input& in, std::uint64_t first) const { this->prefetch_items(in.source().in + first); }

  template <class Copier>
  REHEAT_DEVICE void load_bulk(const input& in, std::uint64_t first, bool, tile_place place, const Copier& copier) const
  {
    this->load_bulk_items(in.source().in + first, this->items_of(place.stage), copier);
  }

  template <unsigned ItemsPerThread, bool RarelyScalar>
  REHEAT_DEVICE void load(input& in, bool aligned, std::uint64_t first, unsigned valid, bool, tile_place place,
                          unsigned thread, unsigned threads) const
  {
    load_tile<ItemsPerThread, RarelyScalar, cfg.clears_vec16>(
        in.source().in, aligned, first, valid, reinterpret_cast<memory_item*>(this->items_of(place.stage)), thread, threads);
  }

  template <class Op>
  REHEAT_DEVICE void reduce(input& in, const thread_slice& slice, Op& op, uninitialized<Accum>& fold) const
  {
    Source& source = in.source();
    walk_items<true, cfg.items_per_thread>(this->own_items(slice), slice.count,
                                           [&](Accum& item, unsigned i)
                                           {
                                             uninitialized<memory_item> own;
                                             memcpy(static_cast<void*>(&own), static_cast<const void*>(&item), sizeof(own));
                                             construct_at(&item, source.mapped(own.get()));
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
};

template <class It, class Map, class Value>
struct collective_for<indexed_input<mapped_source<It, Map, Value>>>
{
  template <class Accum>
  static constexpr bool in_place = moves_in_vec16_v<It, value_of<It>>&& is_bitwise_copyable_v<Accum> &&
                                   sizeof(value_of<It>) == sizeof(Accum) && alignof(value_of<It>) <= alignof(Accum);
  template <class Tuning, class OutputIt, class Accum>
  using tile_collective =
      std::conditional_t<in_place<Accum>, mapped_collective<Tuning, mapped_source<It, Map, Value>, OutputIt, Accum>,
                         plain_collective<Tuning, indexed_input<mapped_source<It, Map, Value>>, OutputIt, Accum>>;
  template <class Accum>
  using tuning = scan_tuning<sizeof(Accum)>;
};

} // namespace detail
REHEAT_NAMESPACE_END
