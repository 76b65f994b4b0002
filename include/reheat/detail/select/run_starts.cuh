// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Which items begin a run of equal neighbours: tiles of items, and an array of values beside them if there is one.
//!
//! A thread compares each of its items once, with the item before, and leaves a bit for each item. The bit of an item that
//! begins a run is 1, and so is that of the input's first item. A thread has the item before its first one from the tile.
//! The first thread of a tile reads it from the input, because it is the last item of the tile before.
//!
//! The output may begin where the input begins. Let item e be the last one of a tile.
//! * Of the tiles behind e, the next one reads e before it publishes its count, which depends on e. All tiles behind e store
//!   after they know their prefix, so after the next tile has published. So they overwrite e after it has been read.
//! * Of the tiles up to e, none stores another item over e: item i goes to place i or to one before. Item e itself goes to
//!   place e if all items up to e begin runs. In place, a warp whose items are all stored where they are stores nothing
//!   (unique.cuh). So no store meets the next tile's read of e.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/select/ask.cuh>
#include <reheat/detail/select/equal_bytes.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/detail/select/tuning.cuh>
#include <reheat/detail/select/unique_tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/packed_run.cuh>

#include <cstdint>
#include <optional>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The input: items, and values that move along with them. `equal(previous, item)` says whether two neighbours are equal.
template <class ItemIt, class ValueIt, class Equal>
struct run_source
{
  static constexpr bool has_values = !std::is_same_v<ValueIt, no_values>;
  ItemIt items;
  ValueIt values;
  Equal equal;
};

//! The value type of values; a byte where there are none.
template <class ValueIt>
struct moved_value
{
  using type = value_of<ValueIt>;
  static constexpr std::size_t bytes = sizeof(type);
  static constexpr bool in_memory = moves_in_vec16_v<ValueIt, type>;
};
template <>
struct moved_value<no_values>
{
  using type = unsigned char;
  static constexpr std::size_t bytes = 0;
  static constexpr bool in_memory = true;
};

//! Whether items and values can be copied into stages as they are.
template <class Source>
inline constexpr bool runs_in_memory_v = moves_in_vec16_v<decltype(Source::items), value_of<decltype(Source::items)>>&&
    moved_value<decltype(Source::values)>::in_memory;

//! How tiles are loaded, and how a thread finds the items that begin runs.
template <class Tuning, class Source>
class run_starts_collective
{
protected:
  static constexpr scan_config cfg = Tuning{}(simt::arch);
  using item_iterator = decltype(Source::items);
  using item = value_of<item_iterator>;
  using value_iterator = decltype(Source::values);
  using value = typename moved_value<value_iterator>::type;
  static constexpr unsigned words = words_of_bits(cfg.items_per_thread);
  using bits_type = item_bits<words>;
  static constexpr unsigned items_of_warp = simt::warp_lanes * cfg.items_per_thread;

  static_assert(std::uint64_t{cfg.group_tiles()} * cfg.tile_items() < std::uint64_t{1} << 32, "counts of 32 bits");
  static_assert(cfg.in_scratch || cfg.key_stages == 0);

public:
  static constexpr bool packs_early = packs_runs_early(sizeof(item), cfg) && is_held_v<item, cfg.items_per_thread> &&
                                      (!Source::has_values || is_held_v<value, cfg.items_per_thread>);
  static constexpr bool bulk_in = runs_in_memory_v<Source>;
  static constexpr bool always_aligned =
      bulk_in && !Source::has_values && always_aligns<item>(cfg.tile_alignment, cfg.tile_items());
  static constexpr bool bulk_out = false;
  static constexpr bool scan_stores = true;
  static std::optional<unsigned> head_of(const Source& in, unsigned alignment)
  {
    if constexpr (bulk_in)
    {
      const std::optional<unsigned> head = items_before_aligned(in.items, alignment);
      if constexpr (Source::has_values)
      {
        return head && is_aligned(in.values, *head) ? head : std::nullopt;
      }
      return head;
    }
    return std::nullopt;
  }

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr run_starts_collective(Memory& memory, const scan_config& c)
      : items_(memory.template array<item>(c.stages * c.tile_items(), alignof(item) > 128 ? alignof(item) : 128)),
        values_(memory.template array<value>(Source::has_values ? c.stages * c.tile_items() : 0,
                                             alignof(value) > 128 ? alignof(value) : 128)),
        bits_(memory.template array<std::uint32_t>(c.stages * words_of_bits(c.items_per_thread) * c.compute_threads)),
        before_(memory.template array<item>(loads_before ? 1 : 0))
  {}

  REHEAT_DEVICE static bool is_bulk_tile(std::uint64_t first, std::uint64_t items)
  {
    return first + cfg.tile_items() <= items;
  }

  template <class Copier>
  REHEAT_DEVICE void load_bulk(const Source& in, std::uint64_t first, bool, tile_place place, const Copier& copier) const
  {
    copier.expect(cfg.tile_items() * (sizeof(item) + moved_value<value_iterator>::bytes));
    copier.template copy<cfg.tile_items()>(items_of(place.stage), in.items + first, cfg.tile_items());
    if constexpr (Source::has_values)
    {
      copier.template copy<cfg.tile_items()>(values_of(place.stage), in.values + first, cfg.tile_items());
    }
  }

  template <unsigned ItemsPerThread, bool RarelyScalar>
  REHEAT_DEVICE void load(Source& in, bool, std::uint64_t first, unsigned valid, bool, tile_place place, unsigned thread,
                          unsigned threads) const
  {
    [[maybe_unused]] uninitialized<item> before;
    [[maybe_unused]] const bool loads = thread == 0 && first != 0;
    if constexpr (loads_before)
    {
      if (loads)
      {
        before.construct(read_item(in.items, first - 1));
      }
    }
    load_tile<ItemsPerThread, RarelyScalar, cfg.clears_vec16>(in.items, starts_vec16(in.items, first), first, valid,
                                                              items_of(place.stage), thread, threads);
    if constexpr (Source::has_values)
    {
      load_tile<ItemsPerThread, RarelyScalar, cfg.clears_vec16>(in.values, starts_vec16(in.values, first), first, valid,
                                                                values_of(place.stage), thread, threads);
    }
    if constexpr (loads_before)
    {
      if (loads)
      {
        construct_at(before_, before.get());
      }
    }
  }

protected:
  //! Finds the thread's items that begin runs, and leaves their bits for the scan.
  REHEAT_DEVICE bits_type find_starts(Source& in, const thread_slice& slice) const
  {
    bits_type bits{};
    if (slice.count != 0)
    {
      const item* const own = items_of(slice.place.stage) + slice.thread * cfg.items_per_thread;
      if (slice.thread != 0)
      {
        bits = starts_behind(in.equal, own, slice.count, own[-1]);
      }
      else if (slice.first != 0)
      {
        bits = starts_behind(in.equal, own, slice.count, item_before(in, slice.first));
      }
      else
      {
        bits = starts_of_input(in.equal, own, slice.count);
      }
    }
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w)
    {
      bits_of(slice.place.stage, w)[slice.thread] = bits.word[w];
    }
    return bits;
  }

  //! The bits that find_starts has left.
  REHEAT_DEVICE bits_type own_bits([[maybe_unused]] Source& in, const thread_slice& slice) const
  {
    bits_type bits;
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w)
    {
      bits.word[w] = bits_of(slice.place.stage, w)[slice.thread];
    }
    if (simt::fault_active(simt::fault::unique_look_again) && slice.thread == 0 && slice.first != 0)
    {
      const item before = read_item(in.items, slice.first - 1);
      bits.word[0] = (bits.word[0] & ~1u) | (in.equal(before, *items_of(slice.place.stage)) ? 0u : 1u);
    }
    return bits;
  }

  REHEAT_DEVICE item* items_of(unsigned stage) const { return items_ + stage * cfg.tile_items(); }
  REHEAT_DEVICE value* values_of(unsigned stage) const { return values_ + stage * cfg.tile_items(); }
  //! [thread]: word w of its bits.
  REHEAT_DEVICE std::uint32_t* bits_of(unsigned stage, unsigned w) const
  {
    return bits_ + (stage * words + w) * cfg.compute_threads;
  }
  //! Whether the input's last item is one of the thread's.
  REHEAT_DEVICE static bool ends_input(const thread_slice& slice)
  {
    return slice.last && slice.count != 0 && slice.thread * cfg.items_per_thread + slice.count == slice.items;
  }

private:
  //! Whether the first thread loads the item before the tile together with the tile, and keeps it: the block has no other
  //! tile that would hide the round trip.
  static constexpr bool loads_before = cfg.stages == 1 && is_bitwise_copyable_v<item>;

  //! The item before item `first` > 0, which is the tile's first one. The tile's first thread calls.
  REHEAT_DEVICE item item_before([[maybe_unused]] Source& in, [[maybe_unused]] std::uint64_t first) const
  {
    if constexpr (loads_before)
    {
      return *before_;
    }
    else
    {
      return read_item(in.items, first - 1);
    }
  }

  //! Whether the item is in memory, at a multiple of 16 bytes. Items and values may be misaligned differently.
  template <class It>
  REHEAT_DEVICE static bool starts_vec16([[maybe_unused]] const It& in, [[maybe_unused]] std::uint64_t first)
  {
    if constexpr (moves_in_vec16_v<It, value_of<It>>)
    {
      return reinterpret_cast<std::uintptr_t>(in + first) % 16 == 0;
    }
    return false;
  }

  //! Of the first `count` items of a thread, which stand behind `before`.
  template <class Equal>
  REHEAT_DEVICE static bits_type starts_behind(Equal& equal, const item* own, unsigned count, const item& before)
  {
    bits_type bits{};
    if constexpr (compares_words_v<Equal, item, cfg.items_per_thread>)
    {
      if (count == cfg.items_per_thread)
      {
        return starts_in_words<cfg.items_per_thread>(own, before);
      }
    }
    if constexpr (is_bitwise_copyable_v<item>)
    {
      uninitialized<item> previous; // outlives its vector
      previous.construct(before);
      const auto visit = [&](const item& own_item, unsigned i)
      {
        bits.word[i / 32] |= starts_run(equal, previous.get(), own_item) ? 1u << i % 32 : 0;
        previous.construct(own_item);
      };
      if (count == cfg.items_per_thread)
      {
        visit_run<cfg.items_per_thread, cfg.items_per_thread>(own, visit);
        return bits;
      }
    }
    const item* previous = &before;
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w) // the word is a constant, so that words stay in registers
    {
      for (unsigned i = w * 32; i < count && i < w * 32 + 32; ++i)
      {
        bits.word[w] |= starts_run(equal, *previous, own[i]) ? 1u << i % 32 : 0;
        previous = own + i;
      }
    }
    return bits;
  }
  template <class Equal>
  REHEAT_DEVICE static bool starts_run(Equal& equal, const item& previous, const item& own)
  {
    if (simt::fault_active(simt::fault::unique_ask_twice))
    {
      static_cast<void>(equal(previous, own));
    }
    return simt::fault_active(simt::fault::unique_swap_neighbours) ? !equal(own, previous) : !equal(previous, own);
  }
  //! Of the first thread's items at the beginning of the input. Nothing is before them, and the first one begins a run.
  template <class Equal>
  REHEAT_DEVICE static bits_type starts_of_input(Equal& equal, const item* own, unsigned count)
  {
    bits_type bits{};
    bits.word[0] = simt::fault_active(simt::fault::unique_lose_first) ? 0 : 1;
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w)
    {
      for (unsigned i = w == 0 ? 1 : w * 32; i < count && i < w * 32 + 32; ++i)
      {
        bits.word[w] |= starts_run(equal, own[i - 1], own[i]) ? 1u << i % 32 : 0;
      }
    }
    return bits;
  }

  item* items_;         //!< [stage][tile_items]
  value* values_;       //!< [stage][tile_items], if there are values
  std::uint32_t* bits_; //!< [stage][word][compute thread]
  item* before_;        //!< the item before the tile, if loads_before
};

} // namespace detail
REHEAT_NAMESPACE_END
