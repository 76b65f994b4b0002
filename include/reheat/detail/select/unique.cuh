// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! unique and unique_by_key: a selection of the items that begin runs.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/collectives/plain.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/select/run_starts.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/detail/select/store.cuh>
#include <reheat/detail/select/unique_tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Where an array of what begins runs goes.
template <class OutputIt>
struct unique_output
{
  OutputIt out;
  bool in_place; //!< it begins where the input begins
};

//! The outputs, and where the number of runs goes. `values` is like no_values where there are none.
template <class OutputIt, class ValueOutputIt, class CountIt>
struct unique_sink
{
  unique_output<OutputIt> items;
  unique_output<ValueOutputIt> values;
  CountIt count;

  REHEAT_DEVICE void store_count(std::uint64_t runs) { *count = static_cast<count_of<CountIt>>(runs); }
};

template <class Tuning, class Source, class Sink>
class unique_collective : public run_starts_collective<Tuning, Source>
{
  using base = run_starts_collective<Tuning, Source>;

protected:
  using base::cfg;
  using base::items_of_warp;
  using typename base::bits_type;
  using typename base::item;
  using typename base::value;

private:
  //! Whether a warp packs few items in memory of its own. Larger ones are a copy even if all are looked at.
  template <class T>
  static constexpr bool packs_few = is_bitwise_copyable_v<T> && sizeof(T) <= 2;

public:
  static bool is_aligned_output(const Sink&, unsigned) { return false; }

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr unique_collective(Memory& memory, const scan_config& c)
      : base(memory, c), packing_(memory.template array<item>(packing_size<item>(c), 128)),
        value_packing_(memory.template array<value>(Source::has_values ? packing_size<value>(c) : 0, 128))
  {}

  template <class Op>
  REHEAT_DEVICE void reduce(Source& in, const thread_slice& slice, Op&, uninitialized<selected_count>& fold) const
  {
    fold.construct(selected_count(this->find_starts(in, slice).count()));
  }

  REHEAT_DEVICE void pack_early(Source& in, const thread_slice& slice,
                                const uninitialized<selected_count>& of_lanes_before) const
  {
    const unsigned first = (slice.thread - simt::lane_index()) * cfg.items_per_thread; // of the warp's items
    if (first < slice.items)
    {
      pack_to_front<cfg.items_per_thread>(this->items_of(slice.place.stage) + first, slice.count, this->own_bits(in, slice),
                                          simt::lane_index() == 0 ? 0 : of_lanes_before.get().count,
                                          [](unsigned, unsigned) {});
      if constexpr (Source::has_values)
      {
        pack_to_front<cfg.items_per_thread>(
            this->values_of(slice.place.stage) + first, slice.count, this->own_bits(in, slice),
            simt::lane_index() == 0 ? 0 : of_lanes_before.get().count, [](unsigned, unsigned) {});
      }
    }
  }

  //! Stores what begins the warp's runs. All lanes call; `fold` counts the runs that begin before the thread's items.
  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan(Source& in, Sink& sink, const thread_slice& slice, optional_accumulator<long_selected_count>& fold,
                          Op&) const
  {
    const unsigned lane = simt::lane_index(), first = (slice.thread - lane) * cfg.items_per_thread; // of the warp's items
    if (first >= slice.items)
    {
      return;
    }
    const bits_type bits = this->own_bits(in, slice);
    const unsigned own = bits.count();
    const std::uint64_t position = fold.has ? fold.value.get().count : 0;
    if (this->ends_input(slice))
    {
      sink.store_count(position + own);
    }
    const warp_runs mine{slice,
                         bits,
                         first,
                         simt::shuffle(position, 0),
                         position,
                         sum_over_lanes(own),
                         !simt::any(own > few_items(cfg.items_per_thread))};
    store_items<true>(sink, mine);
    if constexpr (Source::has_values)
    {
      store<true>(sink.values, this->values_of(slice.place.stage), value_packing_, mine);
    }
  }

protected:
  //! What a warp knows of its items of a tile.
  struct warp_runs
  {
    const thread_slice& slice;
    const bits_type& bits; //!< of the lane
    unsigned first;        //!< its first item, in the tile
    std::uint64_t begin;   //!< where its first run goes
    std::uint64_t place;   //!< where the lane's first run goes
    unsigned count;        //!< of its runs
    bool few;              //!< no lane has more than few_items

    REHEAT_DEVICE unsigned items() const { return slice.items - first; } //!< from its first one to the tile's last one
    //! Whether each of its items begins a run and goes to its own place in the input.
    REHEAT_DEVICE bool stay() const
    {
      return begin == slice.first + first && count == (items() < items_of_warp ? items() : items_of_warp);
    }
  };

  //! Stores the items that begin the warp's runs. `Apart`: the code for warps with many of them is out of line.
  //! H200, 2^28 i8 in runs of 1, 4 and 100: 163, 136, 100 us, in line 164, 133, 113; with their lengths 478, 249, 132, in
  //! line 464, 234, 128.
  template <bool Apart>
  REHEAT_DEVICE void store_items(const Sink& sink, const warp_runs& mine) const
  {
    store<Apart>(sink.items, this->items_of(mine.slice.place.stage), packing_, mine);
  }

private:
  //! Items of memory in which the warps of a block pack few of them.
  template <class T>
  REHEAT_HOST_DEVICE static constexpr unsigned packing_size(const scan_config& c)
  {
    return packs_few<T> ? c.compute_threads / simt::warp_lanes * packing_items<T>(c.items_per_thread) : 0;
  }

  //! Stores those of `tile`'s items, or values, that begin the warp's runs.
  template <bool Apart, class T, class OutputIt>
  REHEAT_DEVICE void store(const unique_output<OutputIt>& to, T* tile, [[maybe_unused]] T* packing,
                           const warp_runs& mine) const
  {
    if (is_discarded_v<OutputIt> || (to.in_place && mine.stay() && !simt::fault_active(simt::fault::unique_store_in_place)))
    {
      return;
    }
    if constexpr (base::packs_early)
    {
      const T* const packed = tile + mine.first;
      const OutputIt out = to.out + static_cast<std::ptrdiff_t>(mine.begin);
      if constexpr (moves_in_vec16_v<OutputIt, T> && sizeof(T) < sizeof(std::uint32_t))
      {
        if (reinterpret_cast<std::uintptr_t>(out) % sizeof(T) == 0)
        {
          store_front_words<cfg.items_per_thread>(packed, mine.count, out);
          return;
        }
      }
      store_front<cfg.items_per_thread>(
          mine.count, [&](unsigned i) { return packed[i]; }, out);
    }
    else
    {
      const warp_items<T*, OutputIt> run{tile + mine.first, mine.items(), to.out + static_cast<std::ptrdiff_t>(mine.begin)};
      [[maybe_unused]] const unsigned before = static_cast<unsigned>(mine.place - mine.begin);
      if constexpr (moves_in_vec16_v<OutputIt, T> && fills_vec16_v<T>)
      {
        const bool places = reinterpret_cast<std::uintptr_t>(run.out) % sizeof(T) == 0;
        if constexpr (packs_few<T>)
        {
          if (mine.few && places)
          {
            const unsigned warp = mine.slice.thread / simt::warp_lanes;
            pack_few_and_store<cfg.items_per_thread>(run, mine.bits, before, mine.count,
                                                     packing + warp * packing_items<T>(cfg.items_per_thread));
            return;
          }
        }
        if constexpr (walks_in_vec16_v<T, cfg.items_per_thread>)
        {
          if (run.items >= items_of_warp && places)
          {
            pack_and_store<cfg.items_per_thread, Apart>(run, mine.bits, before, mine.count);
            return;
          }
        }
      }
      const unsigned first_thread = mine.slice.thread - simt::lane_index();
      store_rows<cfg.items_per_thread>(run, [&](unsigned owner, unsigned w)
                                       { return this->bits_of(mine.slice.place.stage, w)[first_thread + owner]; });
    }
  }

  item* packing_;        //!< [compute warp][packing_items]
  value* value_packing_; //!< the same of values
};

template <class ItemIt, class ValueIt, class Equal>
struct collective_for<run_source<ItemIt, ValueIt, Equal>>
{
  static constexpr std::size_t few_tiles_item_bytes = sizeof(value_of<ItemIt>) + moved_value<ValueIt>::bytes;
  template <class Tuning, class Sink, class Accum>
  using tile_collective = unique_collective<Tuning, run_source<ItemIt, ValueIt, Equal>, Sink>;
  template <class Accum>
  using tuning = unique_tuning<sizeof(value_of<ItemIt>), moved_value<ValueIt>::bytes,
                               runs_in_memory_v<run_source<ItemIt, ValueIt, Equal>>>;
};

} // namespace detail
REHEAT_NAMESPACE_END
