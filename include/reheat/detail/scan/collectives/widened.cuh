// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Tiles of scans whose items in memory are narrower than their accumulators (accumulate_in). A tile is loaded as it is, in
//! bulk too, and each thread converts its own items: 1 GB of i8 in i32 takes 1.38 ms, where load warps that convert them
//! took 1.99; of f16 in f32 0.88, where they took 1.18 (NVIDIA H100).
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/indexed.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/collectives/plain.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A source: item i is in[i], converted to Accum.
template <class Item, class Accum>
struct widened_source
{
  using value_type = Accum;
  const Item* in;

  REHEAT_DEVICE Accum at(std::uint64_t index) const { return static_cast<Accum>(in[index]); }
};

//! Whether scans of items at InputIt in Accum convert whole tiles. In accumulators of 8 bytes, tiles of floats that load
//! warps convert are faster: 782 us for 1 GB, 837 so (NVIDIA H100).
template <class InputIt, class Accum>
inline constexpr bool widens_tiles_v = false;
template <class Item, class Accum>
inline constexpr bool widens_tiles_v<Item*, Accum> =
    std::is_constructible_v<Accum, const Item&>&& fills_vec16_v<std::remove_const_t<Item>>&& fills_vec16_v<Accum> &&
    !std::is_volatile_v<Item> && sizeof(Item) < sizeof(Accum) && sizeof(Accum) <= 4;

//! The tuning of plain scans, with room for both forms of a tile.
template <std::size_t ItemBytes, std::size_t AccumBytes>
struct widened_tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    return scan_config_fitting(scan_tuning<AccumBytes>{}(arch), {ItemBytes + AccumBytes, AccumBytes});
  }
  REHEAT_HOST_DEVICE static constexpr std::size_t shared_bound(const scan_config& c)
  {
    return scan_shared_bound(c, {ItemBytes + AccumBytes, AccumBytes});
  }
};

//! A stage holds the items as they are in memory, and the accumulators that reduce makes of them.
template <class Tuning, class Item, class OutputIt, class Accum>
class widened_collective : public plain_collective<Tuning, indexed_input<widened_source<Item, Accum>>, OutputIt, Accum>
{
  using input = indexed_input<widened_source<Item, Accum>>;
  using base = plain_collective<Tuning, input, OutputIt, Accum>;
  using word = std::uint32_t __attribute__((may_alias));
  static constexpr scan_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned own_bytes = static_cast<unsigned>(cfg.items_per_thread * sizeof(Item));
  static_assert(own_bytes % sizeof(word) == 0, "threads read their items by the word");
  static_assert(cfg.tile_items() * sizeof(Item) % cfg.tile_alignment == 0, "tiles begin at multiples of it");

public:
  static constexpr bool bulk_in = true;
  static constexpr bool always_aligned = always_aligns<Item>(cfg.tile_alignment, cfg.tile_items());
  static std::optional<unsigned> head_of(const input& in, unsigned alignment)
  {
    return items_before_aligned(in.source().in, alignment);
  }

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr widened_collective(Memory& memory, const scan_config& c)
      : base(memory, c), narrow_(memory.template array<Item>(c.stages * c.tile_items(), 128))
  {}

  REHEAT_DEVICE void prefetch(const input& in, std::uint64_t first) const { this->prefetch_items(in.source().in + first); }

  template <class Copier>
  REHEAT_DEVICE void load_bulk(const input& in, std::uint64_t first, bool, tile_place place, const Copier& copier) const
  {
    copier.expect(cfg.tile_items() * sizeof(Item));
    copier.template copy<cfg.tile_items()>(narrow_of(place.stage), in.source().in + first, cfg.tile_items());
  }

  template <unsigned ItemsPerThread, bool RarelyScalar>
  REHEAT_DEVICE void load(input& in, bool aligned, std::uint64_t first, unsigned valid, bool, tile_place place,
                          unsigned thread, unsigned threads) const
  {
    load_tile<ItemsPerThread, RarelyScalar, cfg.clears_vec16>(in.source().in, aligned, first, valid, narrow_of(place.stage),
                                                              thread, threads);
  }

  //! Converts the thread's items and folds them.
  template <class Op>
  REHEAT_DEVICE void reduce(input&, const thread_slice& slice, Op& op, uninitialized<Accum>& fold) const
  {
    constexpr unsigned items = cfg.items_per_thread, vector_items = 16 / sizeof(Accum);
    const Item* const own = narrow_of(slice.place.stage) + slice.thread * items;
    Accum* const wide = this->own_items(slice);
    optional_accumulator<Accum> sum;
    if (slice.count == items && walks_in_vec16_v<Accum, items>)
    {
      std::uint32_t words[own_bytes / sizeof(word)];
      REHEAT_UNROLL
      for (unsigned w = 0; w < own_bytes / sizeof(word); ++w)
      {
        words[w] = reinterpret_cast<const word*>(own)[w];
      }
      uninitialized<Item> item[items];
      memcpy(static_cast<void*>(item), words, own_bytes);
      REHEAT_UNROLL
      for (unsigned first = 0; first < items; first += vector_items)
      {
        uninitialized<Accum> value[vector_items];
        REHEAT_UNROLL
        for (unsigned i = 0; i < vector_items; ++i)
        {
          value[i].construct(static_cast<Accum>(item[first + i].get()));
          sum.append(value[i].get(), op);
        }
        vec16 bits;
        memcpy(&bits, value, sizeof(bits));
        reinterpret_cast<vec16*>(wide)[first / vector_items] = bits;
      }
    }
    else
    {
      for (unsigned i = 0; i < slice.count; ++i)
      {
        construct_at(wide + i, static_cast<Accum>(own[i]));
        sum.append(wide[i], op);
      }
    }
    fold = sum.value;
  }

private:
  REHEAT_DEVICE Item* narrow_of(unsigned stage) const { return narrow_ + stage * cfg.tile_items(); }

  Item* narrow_; //!< [stage][tile_items]
};

template <class Item, class Accum>
struct collective_for<indexed_input<widened_source<Item, Accum>>>
{
  template <class Tuning, class OutputIt, class>
  using tile_collective = widened_collective<Tuning, Item, OutputIt, Accum>;
  template <class>
  using tuning = widened_tuning<sizeof(Item), sizeof(Accum)>;
  template <class>
  static constexpr std::uint64_t one_tile_items = ~std::uint64_t{0};
};

} // namespace detail
REHEAT_NAMESPACE_END
