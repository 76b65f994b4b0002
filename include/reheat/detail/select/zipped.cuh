// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Tiles of selections and partitions whose items are a zip_iterator of pointers: an array in the stage for each pointer.
//!
//! A tile is a bulk copy for each array. The predicate is asked about the tuple of the items at one place. The bits that it
//! leaves are those of a single array, and each array is moved together and stored by them, one after the other. An output
//! that is no zip_iterator of pointers to the same types gets tuples, one by one.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/select/ask.cuh>
#include <reheat/detail/select/collective.cuh>
#include <reheat/detail/select/partition.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/detail/select/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cuda/std/tuple>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Neighbours of an array, which one or more accesses of 16 bytes load.
template <class T, unsigned Items>
struct array_piece
{
  uninitialized<T> item[Items];

  REHEAT_DEVICE explicit array_piece(const T* from)
  {
    constexpr unsigned vectors = Items * sizeof(T) / sizeof(vec16);
    static_assert(vectors * sizeof(vec16) == Items * sizeof(T), "whole vectors");
    vec16 bits[vectors];
    REHEAT_UNROLL
    for (unsigned v = 0; v < vectors; ++v)
    {
      bits[v] = reinterpret_cast<const vec16*>(from)[v];
    }
    memcpy(static_cast<void*>(item), bits, sizeof(bits));
  }
};

//! The arrays of a zip_iterator's items, from one item on.
template <class Value, class... T>
struct array_tuples
{
  ::cuda::std::tuple<T*...> arrays;

  REHEAT_DEVICE Value operator[](unsigned i) const { return at(i, std::index_sequence_for<T...>()); }

private:
  template <std::size_t... I>
  REHEAT_DEVICE Value at(unsigned i, std::index_sequence<I...>) const
  {
    return Value(::cuda::std::get<I>(arrays)[i]...);
  }
};

//! `Base` is a select_collective or a partition_collective.
template <class Base, class Source, class Sink, class Items>
class zipped_collective;
template <class Base, class Source, class Sink, class... T>
class zipped_collective<Base, Source, Sink, ::cuda::std::tuple<T...>> : public Base
{
  using Base::cfg;
  using Base::words;
  using typename Base::bits_type;
  using typename Base::item;
  using typename Base::item_iterator;
  using each_array = std::index_sequence_for<T...>;
  using tuples = array_tuples<item, T...>;

  static constexpr unsigned piece_items = item_iterator::piece_items;
  static constexpr bool asks_in_pieces = (fills_vec16_v<T> && ...) && cfg.items_per_thread % piece_items == 0;

public:
  static constexpr bool always_aligned = false;
  static std::optional<unsigned> head_of(const Source& in, unsigned alignment)
  {
    const std::optional<unsigned> head = items_before_aligned(in.items.template array<0>(), alignment);
    if (!head || !are_aligned(in.items, *head, each_array()))
    {
      return std::nullopt;
    }
    if constexpr (Source::has_stencil)
    {
      return is_aligned(in.stencil, *head) ? head : std::nullopt;
    }
    return head;
  }

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr zipped_collective(Memory& memory, const scan_config& c)
      : Base(memory, c), arrays_{memory.template array<T>(c.stages * c.tile_items(), alignof(T) > 128 ? alignof(T) : 128)...}
  {}

  template <class Copier>
  REHEAT_DEVICE void load_bulk(const Source& in, std::uint64_t first, bool last, tile_place place,
                               const Copier& copier) const
  {
    Base::load_bulk(in, first, last, place, copier); // announces all bytes
    load_arrays_bulk(in.items, first, place.stage, copier, each_array());
  }

  template <unsigned ItemsPerThread, bool RarelyScalar>
  REHEAT_DEVICE void load(Source& in, bool aligned, std::uint64_t first, unsigned valid, bool last, tile_place place,
                          unsigned thread, unsigned threads) const
  {
    Base::template load<ItemsPerThread, RarelyScalar>(in, aligned, first, valid, last, place, thread, threads);
    load_arrays<ItemsPerThread, RarelyScalar>(in.items, first, valid, place.stage, thread, threads, each_array());
  }

  template <class Op>
  REHEAT_DEVICE void reduce(Source& in, const thread_slice& slice, Op& op, uninitialized<selected_count>& fold) const
  {
    if constexpr (Source::has_stencil)
    {
      Base::reduce(in, slice, op, fold);
    }
    else
    {
      const bits_type bits = ask_tuples(in.predicate, slice);
      Base::leave_bits(bits, slice, fold);
    }
  }

  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan(Source&, Sink& sink, const thread_slice& slice, optional_accumulator<long_selected_count>& fold,
                          Op&) const
  {
    Base::scan_warp(sink, slice, fold,
                    [&](const warp_selection<bits_type>& mine)
                    {
                      if constexpr (Base::template takes_arrays<Sink>)
                      {
                        store_arrays(sink, mine, each_array());
                      }
                      else
                      {
                        Base::store_array(from(slice.place.stage, mine.first, each_array()), sink, mine);
                      }
                    });
  }

private:
  template <std::size_t... I>
  static bool are_aligned(const item_iterator& in, unsigned head, std::index_sequence<I...>)
  {
    return (is_aligned(in.template array<I>(), head) && ...);
  }

  template <std::size_t I>
  REHEAT_DEVICE auto array_of(unsigned stage) const
  {
    return ::cuda::std::get<I>(arrays_) + stage * cfg.tile_items();
  }
  template <std::size_t... I>
  REHEAT_DEVICE tuples from(unsigned stage, unsigned first, std::index_sequence<I...>) const
  {
    return {{array_of<I>(stage) + first...}};
  }

  template <class Copier, std::size_t... I>
  REHEAT_DEVICE void load_arrays_bulk(const item_iterator& in, std::uint64_t first, unsigned stage, const Copier& copier,
                                      std::index_sequence<I...>) const
  {
    (copier.template copy<cfg.tile_items()>(array_of<I>(stage), in.template array<I>() + first, cfg.tile_items()), ...);
  }

  template <unsigned ItemsPerThread, bool RarelyScalar, std::size_t... I>
  REHEAT_DEVICE void load_arrays(const item_iterator& in, std::uint64_t first, unsigned valid, unsigned stage,
                                 unsigned thread, unsigned threads, std::index_sequence<I...>) const
  {
    (load_array<ItemsPerThread, RarelyScalar>(in.template array<I>(), first, valid, array_of<I>(stage), thread, threads),
     ...);
  }
  template <unsigned ItemsPerThread, bool RarelyScalar, class It, class Item>
  REHEAT_DEVICE void load_array(It in, std::uint64_t first, unsigned valid, Item* to, unsigned thread,
                                unsigned threads) const
  {
    load_tile<ItemsPerThread, RarelyScalar, cfg.clears_vec16>(in, Base::is_aligned_at(in, first), first, valid, to, thread,
                                                              threads);
  }

  //! Asks the predicate about the thread's items.
  template <class Predicate>
  REHEAT_DEVICE bits_type ask_tuples(Predicate& predicate, const thread_slice& slice) const
  {
    bits_type bits{};
    const unsigned first = slice.thread * cfg.items_per_thread;
    if constexpr (asks_in_pieces)
    {
      if (slice.count == cfg.items_per_thread)
      {
        REHEAT_UNROLL
        for (unsigned i = 0; i < cfg.items_per_thread; i += piece_items)
        {
          ask_piece(predicate, slice.place.stage, first + i, i, bits, each_array());
        }
        return bits;
      }
    }
    const tuples own = from(slice.place.stage, first, each_array());
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w) // the word is a constant, so that words stay in registers
    {
      for (unsigned i = w * 32; i < slice.count && i < w * 32 + 32; ++i)
      {
        bits.word[w] |= ask_about(predicate, own[i]) ? 1u << i % 32 : 0;
      }
    }
    return bits;
  }
  //! Of a piece, from item `at` of the tile on; it is item `i` of the thread.
  template <class Predicate, std::size_t... I>
  REHEAT_DEVICE void ask_piece(Predicate& predicate, unsigned stage, unsigned at, unsigned i, bits_type& bits,
                               std::index_sequence<I...>) const
  {
    ask_about_pieces(predicate, i, bits, array_piece<T, piece_items>(array_of<I>(stage) + at)...);
  }
  template <class Predicate, class... Piece>
  REHEAT_DEVICE static void ask_about_pieces(Predicate& predicate, unsigned first, bits_type& bits, const Piece&... piece)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < piece_items; ++i)
    {
      bits.word[(first + i) / 32] |= ask_about(predicate, item(piece.item[i].get()...)) ? 1u << (first + i) % 32 : 0;
    }
  }

  template <std::size_t... I>
  REHEAT_DEVICE void store_arrays(const Sink& sink, const warp_selection<bits_type>& mine, std::index_sequence<I...>) const
  {
    (store_to(sink.template array<I>(), array_of<I>(mine.slice.place.stage) + mine.first, mine), ...);
  }
  template <class To, class Item>
  REHEAT_DEVICE void store_to(To to, Item* items, const warp_selection<bits_type>& mine) const
  {
    Base::store_array(items, to, mine);
  }

  ::cuda::std::tuple<T*...> arrays_; //!< [stage][tile_items] each
};

template <class Zip, class StencilIt, class Predicate>
struct collective_for<selection_source<zipped_pointers<Zip>, StencilIt, Predicate>>
{
  using source = selection_source<zipped_pointers<Zip>, StencilIt, Predicate>;
  static constexpr std::size_t few_tiles_item_bytes = select_item_bytes<source>;
  template <class Tuning, class Sink, class Accum>
  using tile_collective =
      zipped_collective<select_collective<Tuning, source, Sink>, source, Sink, typename zipped_pointers<Zip>::items>;
  template <class Accum>
  using tuning = zipped_tuning_for<source>;
};

template <class Zip, class StencilIt, class Predicate>
struct collective_for<partition_source<zipped_pointers<Zip>, StencilIt, Predicate>>
{
  using source = partition_source<zipped_pointers<Zip>, StencilIt, Predicate>;
  static constexpr std::size_t few_tiles_item_bytes = select_item_bytes<source>;
  template <class Tuning, class Sink, class Accum>
  using tile_collective =
      zipped_collective<partition_collective<Tuning, source, Sink>, source, Sink, typename zipped_pointers<Zip>::items>;
  template <class Accum>
  using tuning = zipped_tuning_for<source, warp_room_bytes>;
};

} // namespace detail
REHEAT_NAMESPACE_END
