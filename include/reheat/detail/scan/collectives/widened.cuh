// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Tiles of scans whose items in memory are narrower than their accumulators (accumulate_in). A tile is loaded as it is, in
//! bulk too. Each thread converts its items when it folds them, and again when it scans them, and leaves results as the
//! output has them, which are stored in bulk, too. Tiles of accumulators would be a fraction as large for the same memory
//! and the same barriers.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/indexed.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/collectives/plain.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/packed.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A source: item i is in[i], converted to Accum. Tiles hold results as `Stored`s.
template <class Item, class Accum, class Stored>
struct widened_source
{
  using value_type = Accum;
  const Item* in;

  REHEAT_DEVICE Accum at(std::uint64_t index) const { return static_cast<Accum>(in[index]); }
};

//! As what a tile holds its results: as the output does if that is memory of numbers; otherwise as accumulators.
template <class OutputIt, class Accum>
struct stored_type
{
  using type = Accum;
};
template <class Out, class Accum>
struct stored_type<Out*, Accum>
{
  static constexpr bool in_output = is_number_v<Out> && fills_vec16_v<Out> && !std::is_volatile_v<Out> &&
                                    sizeof(Out) <= sizeof(Accum) && std::is_constructible_v<Out, const Accum&>;
  using type = std::conditional_t<in_output, Out, Accum>;
};
template <class OutputIt, class Accum>
using stored_type_t = typename stored_type<OutputIt, Accum>::type;

//! Whether scans of items at InputIt in Accum convert whole tiles, which begin at multiples of the alignment then. In
//! accumulators of more than 8 bytes this has not been measured.
template <class InputIt, class OutputIt, class Accum>
inline constexpr bool widens_tiles_v = false;
template <class Item, class OutputIt, class Accum>
inline constexpr bool widens_tiles_v<Item*, OutputIt, Accum> =
    std::is_constructible_v<Accum, const Item&>&& fills_vec16_v<std::remove_const_t<Item>>&& fills_vec16_v<Accum> &&
    !std::is_volatile_v<Item> && sizeof(Item) < sizeof(Accum) && sizeof(Accum) <= 8 &&
    sizeof(stored_type_t<OutputIt, Accum>) <= 4 * sizeof(Item);

//! The tuning of plain scans of as many bytes, whatever the size of accumulators.
template <std::size_t TileItemBytes, std::size_t AccumBytes>
struct widened_tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    scan_config c = scan_tuning<TileItemBytes>{}(arch);
    if (TileItemBytes == 8 && c.in_bulk())
    {
      c.load_threads =
          32; // numbers come in bulk; H200, 256 MB of f32 to f64: 205 us, with room for 256 it spills and takes 215
    }
    return scan_config_fitting(c, {TileItemBytes, AccumBytes});
  }
  REHEAT_HOST_DEVICE static constexpr std::size_t shared_bound(const scan_config& c)
  {
    return scan_shared_bound(c, {TileItemBytes, AccumBytes});
  }
};

//! One access to a thread's run. Fourteen items of a byte, those of scan association v1, move two at a time.
template <std::size_t Bytes>
struct run_access : access<Bytes>
{};
template <>
struct run_access<2>
{
  struct __attribute__((aligned(2), may_alias)) type
  {
    std::uint16_t bits;
  };
};

//! A thread's neighbouring items in shared memory, which move by the largest words that fill them. A thread's run has an odd
//! number of words, unless they have 16 bytes: no bank conflicts.
template <class T, unsigned Items>
struct thread_run
{
  static constexpr std::size_t bytes = Items * sizeof(T), word_bytes = bytes % 16 == 0 ? 16 : bytes & (~bytes + 1);
  using word = typename run_access<word_bytes>::type;
  static constexpr unsigned words = static_cast<unsigned>(bytes / word_bytes);
  static constexpr unsigned per_word = static_cast<unsigned>(word_bytes / sizeof(T));

  //! Loads the items of word w.
  REHEAT_DEVICE static void load_word(const T* items, unsigned w, uninitialized<T>* to)
  {
    const word bits = reinterpret_cast<const word*>(items)[w];
    memcpy(static_cast<void*>(to), &bits, sizeof bits);
  }
  //! Calls `visit(item)` for each item in order, a word in registers at a time.
  template <class Visit>
  REHEAT_DEVICE static void visit(const T* items, Visit visit)
  {
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w)
    {
      uninitialized<T> item[per_word];
      load_word(items, w, item);
      REHEAT_UNROLL
      for (unsigned i = 0; i < per_word; ++i)
      {
        visit(item[i].get());
      }
    }
  }
  //! Writes `make(i)` for each item in order.
  template <class Make>
  REHEAT_DEVICE static void make(T* items, Make make)
  {
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w)
    {
      uninitialized<T> item[per_word];
      REHEAT_UNROLL
      for (unsigned i = 0; i < per_word; ++i)
      {
        item[i].construct(make(w * per_word + i));
      }
      word bits;
      memcpy(&bits, static_cast<const void*>(item), sizeof bits);
      reinterpret_cast<word*>(items)[w] = bits;
    }
  }
};

//! A stage holds the items as they are in memory, at its end, and then the results, from its begin on.
template <class Tuning, class Item, class OutputIt, class Accum, class Stored>
class widened_collective : public plain_collective<Tuning, indexed_input<widened_source<Item, Accum, Stored>>, OutputIt,
                                                   std::conditional_t<(sizeof(Item) > sizeof(Stored)), Item, Stored>>
{
  using input = indexed_input<widened_source<Item, Accum, Stored>>;
  using larger = std::conditional_t<(sizeof(Item) > sizeof(Stored)), Item, Stored>;
  using base = plain_collective<Tuning, input, OutputIt, larger>;
  static constexpr scan_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned items = cfg.items_per_thread;
  using run = thread_run<Item, items>;
  static_assert(cfg.tile_items() * sizeof(Item) % cfg.tile_alignment == 0, "tiles begin at multiples of it");
  static_assert(cfg.tile_items() * (sizeof(larger) - sizeof(Item)) % 16 == 0, "bulk copies go to multiples of 16 bytes");

public:
  static constexpr bool bulk_in = true;
  static constexpr bool always_aligned = !cfg.fixed_tiles && always_aligns<Item>(cfg.tile_alignment, cfg.tile_items());
  static constexpr bool bulk_out = moves_in_vec16_v<OutputIt, Stored>;
  static std::optional<unsigned> head_of(const input& in, unsigned alignment)
  {
    return items_before_aligned(in.source().in, alignment);
  }
  static bool is_aligned_output(const OutputIt& out, unsigned head) { return bulk_out && is_aligned(out, head); }
  using base::base;

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

  template <class Op>
  REHEAT_DEVICE void reduce(input&, const thread_slice& slice, Op& op, uninitialized<Accum>& fold) const
  {
    optional_accumulator<Accum> sum;
    if (slice.count == items)
    {
      run::visit(own_narrow(slice), [&](const Item& item) { sum.append(static_cast<Accum>(item), op); });
    }
    else
    {
      for (unsigned i = 0; i < slice.count; ++i)
      {
        sum.append(static_cast<Accum>(own_narrow(slice)[i]), op);
      }
    }
    fold = sum.value;
  }

  //! Leaves the scan's results in the tile. All compute threads call.
  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan(input&, OutputIt&, const thread_slice& slice, optional_accumulator<Accum>& fold, Op& op) const
  {
    const Item* const own = own_narrow(slice);
    Stored* const results = stored_of(slice.place.stage) + slice.thread * items;
    if constexpr (sizeof(Item) == sizeof(Stored))
    {
      if (slice.count == items)
      {
        uninitialized<Item> item[run::per_word];
        thread_run<Stored, items>::make(results,
                                        [&](unsigned i)
                                        {
                                          if (i % run::per_word == 0)
                                          {
                                            run::load_word(own, i / run::per_word, item);
                                          }
                                          return scanned<Kind>(item[i % run::per_word].get(), i + 1 < items, fold, op);
                                        });
      }
      else
      {
        for (unsigned i = 0; i < slice.count; ++i)
        {
          const Item item = own[i];
          construct_at(results + i, scanned<Kind>(item, i + 1 < slice.count, fold, op));
        }
      }
    }
    else
    {
      uninitialized<Item> item[items];
      if (slice.count == items)
      {
        REHEAT_UNROLL
        for (unsigned w = 0; w < run::words; ++w)
        {
          run::load_word(own, w, item + w * run::per_word);
        }
      }
      else
      {
        REHEAT_UNROLL
        for (unsigned i = 0; i < items; ++i)
        {
          if (i < slice.count)
          {
            item[i].construct(own[i]);
          }
        }
      }
      // Results of one thread lie where items of others were.
      simt::sync_named(compute_barrier, cfg.compute_threads, simt::unless(simt::fault::skip_widen_barrier));
      if (slice.count == items)
      {
        thread_run<Stored, items>::make(results,
                                        [&](unsigned i) { return scanned<Kind>(item[i].get(), i + 1 < items, fold, op); });
      }
      else
      {
        REHEAT_UNROLL
        for (unsigned i = 0; i < items; ++i)
        {
          if (i < slice.count)
          {
            construct_at(results + i, scanned<Kind>(item[i].get(), i + 1 < slice.count, fold, op));
          }
        }
      }
    }
  }

  REHEAT_DEVICE void store_in_bulk(OutputIt& out, std::uint64_t first, unsigned stage, bool evict) const
  {
    simt::bulk_store(out + first, stored_of(stage), static_cast<unsigned>(cfg.tile_items() * sizeof(Stored)), evict);
  }

  template <unsigned ItemsPerThread, bool RarelyScalar>
  REHEAT_DEVICE void store(OutputIt& out, bool aligned, std::uint64_t first, unsigned valid, unsigned stage, unsigned thread,
                           unsigned threads) const
  {
    store_tile<ItemsPerThread, RarelyScalar, cfg.clears_vec16>(stored_of(stage), out, aligned, first, valid, thread,
                                                               threads);
  }

private:
  //! What the scan gives for an item with what `fold` holds on its left. `goes_on`: the thread has more items.
  template <scan_kind Kind, class Op>
  REHEAT_DEVICE static Stored scanned(const Item& item, bool goes_on, optional_accumulator<Accum>& fold, Op& op)
  {
    if constexpr (Kind == scan_kind::inclusive)
    {
      fold.append(static_cast<Accum>(item), op);
      return static_cast<Stored>(fold.value.get());
    }
    else
    {
      const Stored result = static_cast<Stored>(fold.value.get());
      if (goes_on)
      {
        fold.append(static_cast<Accum>(item), op);
      }
      return result;
    }
  }

  REHEAT_DEVICE Stored* stored_of(unsigned stage) const { return reinterpret_cast<Stored*>(this->items_of(stage)); }
  REHEAT_DEVICE Item* narrow_of(unsigned stage) const
  {
    return reinterpret_cast<Item*>(this->items_of(stage + 1)) - cfg.tile_items();
  }
  REHEAT_DEVICE const Item* own_narrow(const thread_slice& slice) const
  {
    return narrow_of(slice.place.stage) + slice.thread * items;
  }
};

template <class Item, class Accum, class Stored>
struct collective_for<indexed_input<widened_source<Item, Accum, Stored>>>
{
  template <class Tuning, class OutputIt, class>
  using tile_collective = widened_collective<Tuning, Item, OutputIt, Accum, Stored>;
  template <class>
  using tuning = widened_tuning<(sizeof(Item) > sizeof(Stored) ? sizeof(Item) : sizeof(Stored)), sizeof(Accum)>;
};

} // namespace detail
REHEAT_NAMESPACE_END
