// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Tiles of selections: an array of items, and an array of the stencil's items if there is one.
//!
//! A thread asks the predicate about each of its items once, when it reduces them, and leaves a bit per item. The scan needs
//! only items and bits. Each warp moves its selected items together in its part of the stage, and stores them as one run:
//! in vectors of 16 bytes where they are aligned in the output, or one by one if it packs items of 4 bytes and more while it
//! waits (few tiles). Nothing is stored behind the last selected item.
//!
//! The output may begin where the input begins. Tile t stores at most as many items as the tiles up to t have, so never
//! behind its own last item. It stores after its prefix is known, so after all tiles up to t have published their counts.
//! A tile is published by threads that have waited until all of its items are in its stage. So every place that tile t
//! overwrites has been read by then. (Counts are published without a release. None is needed: a load that has filled a stage
//! is over, and no later store changes what it has read.)
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/collectives/plain.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/select/ask.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/detail/select/store.cuh>
#include <reheat/detail/select/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>

#include <cstdint>
#include <optional>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The value type of a stencil; a byte where there is none.
template <class StencilIt>
struct stencil_item
{
  using type = value_of<StencilIt>;
  static constexpr std::size_t bytes = sizeof(type);
};
template <>
struct stencil_item<no_stencil>
{
  using type = unsigned char;
  static constexpr std::size_t bytes = 0;
};

//! Whether a selection's items and stencil can be copied into stages as they are. Generated items need no copy.
template <class Source, class ItemIt = decltype(Source::items), class StencilIt = decltype(Source::stencil)>
inline constexpr bool
    selects_from_memory_v = (is_generated_v<ItemIt> || is_zipped_v<ItemIt> || moves_in_vec16_v<ItemIt, value_of<ItemIt>>)&&(
        !Source::has_stencil || moves_in_vec16_v<StencilIt, typename stencil_item<StencilIt>::type>);

//! What a selection reads of an item, without the stencil.
template <class ItemIt>
inline constexpr std::size_t item_bytes_v = sizeof(value_of<ItemIt>);
template <class Zip>
inline constexpr std::size_t item_bytes_v<zipped_pointers<Zip>> = zipped_pointers<Zip>::item_bytes;

//! What a warp knows of its items of a tile.
template <class Bits>
struct warp_selection
{
  const thread_slice& slice;
  const Bits& bits;            //!< of the lane
  unsigned own;                //!< how many of them are selected
  unsigned first;              //!< the warp's first item, in the tile
  std::uint64_t position;      //!< selected items before the lane's
  std::uint64_t warp_position; //!< and before the warp's

  REHEAT_DEVICE unsigned items() const { return slice.items - first; } //!< from its first one to the tile's last one
};

template <class Tuning, class Source, class Sink>
class select_collective
{
protected:
  static constexpr scan_config cfg = Tuning{}(simt::arch);
  using item_iterator = decltype(Source::items);
  using item = value_of<item_iterator>;
  using stencil_iterator = decltype(Source::stencil);
  using flag = typename stencil_item<stencil_iterator>::type; //!< an item of the stencil
  using output_iterator = decltype(Sink::out);
  static constexpr unsigned words = words_of_bits(cfg.items_per_thread);
  using bits_type = item_bits<words>;

  static_assert(std::uint64_t{cfg.group_tiles()} * cfg.tile_items() < std::uint64_t{1} << 32, "selected_count");
  static_assert(cfg.in_scratch || cfg.key_stages == 0);

  static constexpr bool generates = is_generated_v<item_iterator>;
  //! Whether a stage has an array of items. Zipped items have one for each pointer (zipped.cuh).
  static constexpr bool has_items = !generates && !is_zipped_v<item_iterator>;
  static_assert(!generates || cfg.items_per_thread <= simt::warp_lanes, "a lane for each row");

public:
  //! Items of 4 bytes and more, whose stores one by one are as wide as a warp's of vectors.
  static constexpr bool packs_early =
      cfg.stages == 1 && has_items && walks_in_vec16_v<item, cfg.items_per_thread> && sizeof(item) >= 4;
  static constexpr bool bulk_in = selects_from_memory_v<Source>;
  static constexpr bool always_aligned =
      bulk_in && !Source::has_stencil && (generates || always_aligns<item>(cfg.tile_alignment, cfg.tile_items()));
  static constexpr bool bulk_out = false;
  static constexpr bool scan_stores = true;
  static std::optional<unsigned> head_of(const Source& in, unsigned alignment)
  {
    if constexpr (!bulk_in)
    {
      return std::nullopt;
    }
    else if constexpr (generates && Source::has_stencil)
    {
      return items_before_aligned(in.stencil, alignment);
    }
    else if constexpr (generates)
    {
      return 0;
    }
    else
    {
      const std::optional<unsigned> head = items_before_aligned(in.items, alignment);
      if constexpr (Source::has_stencil)
      {
        return head && is_aligned(in.stencil, *head) ? head : std::nullopt;
      }
      return head;
    }
  }
  static bool is_aligned_output(const Sink&, unsigned) { return false; }

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr select_collective(Memory& memory, const scan_config& c)
      : items_(memory.template array<item>(has_items ? c.stages * c.tile_items() : 0,
                                           alignof(item) > 128 ? alignof(item) : 128)),
        flags_(memory.template array<flag>(Source::has_stencil ? c.stages * c.tile_items() : 0,
                                           alignof(flag) > 128 ? alignof(flag) : 128)),
        bits_(memory.template array<std::uint32_t>(c.stages * words_of_bits(c.items_per_thread) * c.compute_threads))
  {}

  REHEAT_DEVICE static bool is_bulk_tile(std::uint64_t first, std::uint64_t items)
  {
    return first + cfg.tile_items() <= items;
  }

  template <class Copier>
  REHEAT_DEVICE void load_bulk(const Source& in, std::uint64_t first, bool, tile_place place, const Copier& copier) const
  {
    copier.expect(cfg.tile_items() * ((generates ? 0 : item_bytes_v<item_iterator>)+stencil_item<stencil_iterator>::bytes));
    if constexpr (has_items)
    {
      copier.template copy<cfg.tile_items()>(items_of(place.stage), in.items + first, cfg.tile_items());
    }
    if constexpr (Source::has_stencil)
    {
      copier.template copy<cfg.tile_items()>(flags_of(place.stage), in.stencil + first, cfg.tile_items());
    }
  }

  template <unsigned ItemsPerThread, bool RarelyScalar>
  REHEAT_DEVICE void load(Source& in, bool, std::uint64_t first, unsigned valid, bool, tile_place place, unsigned thread,
                          unsigned threads) const
  {
    if constexpr (has_items)
    {
      load_tile<ItemsPerThread, RarelyScalar, cfg.clears_vec16>(in.items, is_aligned_at(in.items, first), first, valid,
                                                                items_of(place.stage), thread, threads);
    }
    if constexpr (Source::has_stencil)
    {
      load_tile<ItemsPerThread, RarelyScalar, cfg.clears_vec16>(in.stencil, is_aligned_at(in.stencil, first), first, valid,
                                                                flags_of(place.stage), thread, threads);
    }
  }

  //! Counts the thread's selected items and leaves a bit for each item. Of generated items a lane has a row of 32 neighbours
  //! in place of its own neighbours. Their order and their number in a warp are the same.
  template <class Op>
  REHEAT_DEVICE void reduce(Source& in, const thread_slice& slice, Op&, uninitialized<selected_count>& fold) const
  {
    const unsigned first = slice.thread * cfg.items_per_thread;
    bits_type bits;
    if constexpr (generates)
    {
      bits.word[0] = ask_rows(in, slice);
    }
    else if constexpr (Source::has_stencil)
    {
      bits = ask_items<cfg.items_per_thread>(in.predicate, flags_of(slice.place.stage) + first, slice.count);
    }
    else
    {
      bits = ask_items<cfg.items_per_thread>(in.predicate, items_of(slice.place.stage) + first, slice.count);
    }
    leave_bits(bits, slice, fold);
  }

  REHEAT_DEVICE void pack_early(Source&, const thread_slice& slice,
                                const uninitialized<selected_count>& of_lanes_before) const
  {
    const unsigned first = (slice.thread - simt::lane_index()) * cfg.items_per_thread; // of the warp's items
    if (first < slice.items)
    {
      pack_to_front<cfg.items_per_thread>(items_of(slice.place.stage) + first, slice.count, thread_bits(slice),
                                          simt::lane_index() == 0 ? 0 : of_lanes_before.get().count,
                                          [](unsigned, unsigned) {});
    }
  }

  //! Stores the warp's selected items. All lanes call; `fold` counts the selected items before the thread's.
  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan(Source& in, Sink& sink, const thread_slice& slice, optional_accumulator<long_selected_count>& fold,
                          Op&) const
  {
    scan_warp(sink, slice, fold,
              [&](const warp_selection<bits_type>& mine)
              {
                item* const items = items_of(slice.place.stage) + mine.first;
                if constexpr (generates)
                {
                  store_generated(in.items, slice.first + mine.first,
                                  warp_items<item*, output_iterator>{
                                      items, mine.items(), sink.out + static_cast<std::ptrdiff_t>(mine.warp_position)},
                                  mine.bits.word[0]);
                }
                else if constexpr (packs_early)
                {
                  store_front<cfg.items_per_thread>(
                      sum_over_lanes(mine.own), [&](unsigned i) { return items[i]; },
                      sink.out + static_cast<std::ptrdiff_t>(mine.warp_position));
                }
                else
                {
                  store_array(items, sink, mine);
                }
              });
  }

protected:
  static constexpr unsigned items_of_warp = simt::warp_lanes * cfg.items_per_thread;
  //! Whether the arrays of zipped items are stored as they are.
  template <class To>
  static constexpr bool takes_arrays = takes_arrays_v<decltype(To::out), item_iterator>;

  //! Calls `store` for a warp that has items, and stores the number of selected items. All lanes call.
  template <class Store>
  REHEAT_DEVICE void scan_warp(Sink& sink, const thread_slice& slice, optional_accumulator<long_selected_count>& fold,
                               const Store& store) const
  {
    const unsigned lane = simt::lane_index(), first = (slice.thread - lane) * cfg.items_per_thread; // of the warp's items
    if (first >= slice.items)
    {
      return;
    }
    const bits_type bits = thread_bits(slice);
    const unsigned own = bits.count();
    const std::uint64_t position = fold.has ? fold.value.get().count : 0;
    store_last_count(sink, slice, position + (simt::fault_active(simt::fault::lose_last_count) ? 0 : own));
    store(warp_selection<bits_type>{slice, bits, own, first, position, simt::shuffle(position, 0)});
  }

  //! Stores the selected ones of a warp's items, the first of which is `items[0]`, to `to.out`.
  template <class Items, class To>
  REHEAT_DEVICE void store_array(Items items, const To& to, const warp_selection<bits_type>& mine) const
  {
    using output = decltype(To::out);
    using stored = std::remove_reference_t<decltype(items[0])>;
    constexpr bool packs =
        std::is_pointer_v<Items> && walks_in_vec16_v<stored, cfg.items_per_thread> && moves_in_vec16_v<output, stored>;
    const warp_items<Items, output> run{items, mine.items(), to.out + static_cast<std::ptrdiff_t>(mine.warp_position)};
    if constexpr (packs)
    {
      if (run.items >= items_of_warp && reinterpret_cast<std::uintptr_t>(run.out) % sizeof(stored) == 0)
      {
        pack_and_store<cfg.items_per_thread>(run, mine.bits, static_cast<unsigned>(mine.position - mine.warp_position),
                                             sum_over_lanes(mine.own));
        return;
      }
    }
    const thread_slice& slice = mine.slice;
    store_rows<cfg.items_per_thread>(run, [&](unsigned owner, unsigned w)
                                     { return bits_of(slice.place.stage, w)[slice.thread - simt::lane_index() + owner]; });
  }

  //! Whether the item is in memory, at a multiple of 16 bytes. Items and stencil may be misaligned differently.
  template <class It>
  REHEAT_DEVICE static bool is_aligned_at([[maybe_unused]] const It& in, [[maybe_unused]] std::uint64_t first)
  {
    if constexpr (moves_in_vec16_v<It, value_of<It>>)
    {
      return reinterpret_cast<std::uintptr_t>(in + first) % 16 == 0;
    }
    return false;
  }

  REHEAT_DEVICE item* items_of(unsigned stage) const { return items_ + stage * cfg.tile_items(); }
  REHEAT_DEVICE flag* flags_of(unsigned stage) const { return flags_ + stage * cfg.tile_items(); }
  //! [thread]: word w of its bits.
  REHEAT_DEVICE std::uint32_t* bits_of(unsigned stage, unsigned w) const
  {
    return bits_ + (stage * words + w) * cfg.compute_threads;
  }

  //! Leaves the thread's bits for the scan.
  REHEAT_DEVICE void leave_bits(const bits_type& bits, const thread_slice& slice, uninitialized<selected_count>& fold) const
  {
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w)
    {
      bits_of(slice.place.stage, w)[slice.thread] = bits.word[w];
    }
    fold.construct(selected_count(bits.count()));
  }
  //! What reduce has left of the thread's items.
  REHEAT_DEVICE bits_type thread_bits(const thread_slice& slice) const
  {
    bits_type bits;
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w)
    {
      bits.word[w] = bits_of(slice.place.stage, w)[slice.thread];
    }
    return bits;
  }

  //! The thread with the input's last item stores the number of selected items up to its last one.
  REHEAT_DEVICE static void store_last_count(Sink& sink, const thread_slice& slice, std::uint64_t selected)
  {
    if (slice.last && slice.count != 0 && slice.thread * cfg.items_per_thread + slice.count == slice.items)
    {
      sink.store_count(selected);
    }
  }

  //! Asks the predicate about the generated items of a warp or about their places in the stencil. Bit i of lane r's result
  //! is that of item 32 · r + i.
  REHEAT_DEVICE std::uint32_t ask_rows(Source& in, const thread_slice& slice) const
  {
    const unsigned lane = simt::lane_index(), first = (slice.thread - lane) * cfg.items_per_thread + lane;
    const auto asks = [&](unsigned row)
    {
      const unsigned i = first + row * simt::warp_lanes;
      if constexpr (Source::has_stencil)
      {
        return ask_about(in.predicate, flags_of(slice.place.stage)[i]) ? 1u : 0u;
      }
      else
      {
        return ask_about(in.predicate, read_item(in.items, slice.first + i)) ? 1u : 0u;
      }
    };
    std::uint32_t of_lane = 0; // bit r: the lane's item in row r
    if (first - lane + items_of_warp <= slice.items)
    {
      REHEAT_UNROLL
      for (unsigned row = 0; row < cfg.items_per_thread; ++row)
      {
        of_lane |= asks(row) << row;
      }
    }
    else
    {
      for (unsigned row = 0; row < cfg.items_per_thread && first + row * simt::warp_lanes < slice.items; ++row)
      {
        of_lane |= asks(row) << row;
      }
    }
    std::uint32_t of_row = 0;
    REHEAT_UNROLL
    for (unsigned row = 0; row < cfg.items_per_thread; ++row)
    {
      const std::uint32_t all = simt::ballot((of_lane >> row & 1) != 0);
      of_row = lane == row ? all : of_row;
    }
    return of_row;
  }

  //! Stores a warp's selected items, which are generated; `index` is that of its first item. Lane r has the bits of row r.
  REHEAT_DEVICE static void store_generated(item_iterator& in, std::uint64_t index,
                                            const warp_items<item*, output_iterator>& mine, std::uint32_t of_row)
  {
    const unsigned lane = simt::lane_index();
    unsigned position = 0;
    REHEAT_UNROLL
    for (unsigned row = 0; row < cfg.items_per_thread; ++row)
    {
      const std::uint32_t all = simt::shuffle(of_row, row);
      if ((all >> lane & 1) != 0)
      {
        mine.out[static_cast<std::ptrdiff_t>(position + simt::count_ones(all & ((1u << lane) - 1)))] =
            read_item(in, index + row * simt::warp_lanes + lane);
      }
      position += simt::count_ones(all);
    }
  }

  item* items_;         //!< [stage][tile_items]
  flag* flags_;         //!< [stage][tile_items], if there is a stencil
  std::uint32_t* bits_; //!< [stage][word][compute thread]
};

//! What a selection reads of an item.
template <class Source>
inline constexpr std::size_t select_item_bytes =
    item_bytes_v<decltype(Source::items)> + stencil_item<decltype(Source::stencil)>::bytes;

//! The tuning of a selection, with WarpBytes more for each compute warp, and so many counts.
template <class Source, std::size_t WarpBytes = 0, unsigned Counts = 1>
using select_tuning_for =
    select_tuning<sizeof(value_of<decltype(Source::items)>), stencil_item<decltype(Source::stencil)>::bytes,
                  is_generated_v<decltype(Source::items)> ? select_input::generated
                  : selects_from_memory_v<Source>         ? select_input::memory
                                                          : select_input::iterator,
                  WarpBytes, Counts>;

//! The same for zipped items.
template <class Source, std::size_t WarpBytes = 0>
using zipped_tuning_for =
    select_tuning<item_bytes_v<decltype(Source::items)>, stencil_item<decltype(Source::stencil)>::bytes,
                  selects_from_memory_v<Source> ? select_input::memory : select_input::iterator, WarpBytes, 1,
                  decltype(Source::items)::piece_items>;

template <class ItemIt, class StencilIt, class Predicate>
struct collective_for<selection_source<ItemIt, StencilIt, Predicate>>
{
  using source = selection_source<ItemIt, StencilIt, Predicate>;
  static constexpr std::size_t few_tiles_item_bytes = select_item_bytes<source>;
  template <class Tuning, class Sink, class Accum>
  using tile_collective = select_collective<Tuning, source, Sink>;
  template <class Accum>
  using tuning = select_tuning_for<source>;
};

} // namespace detail
REHEAT_NAMESPACE_END
