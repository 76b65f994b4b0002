// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a warp moves its selected items together in shared memory and stores them as one run.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/select/ask.cuh>
#include <reheat/detail/select/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/packed_run.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The items of a warp, in an array or behind anything else that has an index.
template <class Items, class OutputIt>
struct warp_items
{
  Items first;
  unsigned items; //!< up to the tile's last one
  OutputIt out;   //!< where the warp's first selected item goes
};

//! How a lane moves the selected ones of four bytes to the front of a word: which byte goes where, as permute_bytes takes
//! it, and from bit 16 on how many bits are selected. The word's other bytes become 0. Bit i of `selected` is that of byte
//! i.
REHEAT_DEVICE inline std::uint32_t byte_move(unsigned selected)
{
  std::uint32_t from = 0x4444, count = 0; // byte 4 and those behind it are 0
  REHEAT_UNROLL
  for (unsigned i = 0; i < 4; ++i)
  {
    if ((selected >> i & 1) != 0)
    {
      from ^= (4 ^ i) << 4 * count;
      ++count;
    }
  }
  return from | count << 19;
}

//! Moves the selected bytes of a warp together in its part: those of the lane go from byte `at` of the ring on. All lanes
//! call. Four bytes move at a time: lanes 0 to 15 have the moves of the 16 masks for all lanes. A lane stores each word that
//! it completes, with zeros in place of the bytes of lanes before it. These lanes store such bytes behind the next barrier,
//! one by one. H200, 2^28 i8, a tenth, half and nine tenths: 182, 181, 188 us; byte by byte 190, 199, 211.
template <unsigned ItemsPerThread>
REHEAT_DEVICE void pack_selected_bytes(void* memory, const item_bits<words_of_bits(ItemsPerThread)>& bits, unsigned at)
{
  static_assert(ItemsPerThread % 4 == 0, "a lane has whole words");
  using bytes_of_word = raw_bytes<sizeof(std::uint32_t)>;
  constexpr unsigned own_words = ItemsPerThread / 4, part_words = simt::warp_lanes * own_words;
  const std::uint32_t lane_move = byte_move(simt::lane_index() % 16);
  held_items<own_words, std::uint32_t> held;
  held.load(static_cast<const std::uint32_t*>(memory) + simt::lane_index() * own_words);
  simt::sync_warp(simt::unless(simt::fault::skip_hold_barrier)); // all lanes hold their items
  bytes_of_word* const part = static_cast<bytes_of_word*>(memory);
  const unsigned first = in_ring(at / 4, part_words);
  unsigned to = first;
  std::uint32_t packed = 0, bit = at * 8; // bit % 32 bits of `packed` are set
  held.visit(
      [&](std::uint32_t word, unsigned w)
      {
        const std::uint32_t move = simt::shuffle(lane_move, bits.word[w / 8] >> w % 8 * 4 & 15);
        const std::uint32_t bytes = simt::permute_bytes(word, move);
        packed |= simt::funnel_left(0, bytes, bit);
        const std::uint32_t next = bit + (move >> 16);
        if (((bit ^ next) & 32) != 0)
        {
          part[to].words[0] = packed;
          packed = simt::funnel_left(bytes, 0, bit);
          to = in_ring(to + 1, part_words);
        }
        bit = next;
      });
  simt::sync_warp(simt::unless(simt::fault::skip_word_barrier)); // all lanes have stored the words that they complete
  const unsigned begin = to == first ? at % 4 : 0, end = bit / 8 % 4;
  REHEAT_UNROLL
  for (unsigned i = 0; i < 3; ++i)
  {
    if (i >= begin && i < end)
    {
      reinterpret_cast<unsigned char*>(part + to)[i] = static_cast<unsigned char>(packed >> 8 * i);
    }
  }
  simt::sync_warp(simt::unless(simt::fault::skip_move_barrier)); // and the other bytes
}

//! The same, out of line, where most warps have few selected items and do not come here.
template <unsigned ItemsPerThread>
REHEAT_DEVICE REHEAT_OUT_OF_LINE_IN_KERNEL void
pack_selected_bytes_apart(void* memory, item_bits<words_of_bits(ItemsPerThread)> bits, unsigned at)
{
  simt::assume_shared(memory);
  pack_selected_bytes<ItemsPerThread>(memory, bits, at);
}

//! Moves the selected items of a warp with all its items together, and stores them. The lane has `before` selected items
//! on its left, the warp has `selected`. `Apart`: bytes move out of line.
//!
//! The items move to where a vector of the stage is a vector of the output. So the first one goes up to a vector further
//! than the warp's first item, and items that would pass the warp's last item go to its front: the part is a ring.
template <unsigned ItemsPerThread, bool Apart = false, class T>
REHEAT_DEVICE void pack_and_store(const warp_items<T*, T*>& mine, const item_bits<words_of_bits(ItemsPerThread)>& bits,
                                  unsigned before, unsigned selected)
{
  constexpr unsigned part = simt::warp_lanes * ItemsPerThread;
  const unsigned shift = items_behind_vec16(mine.out);
  unsigned at = shift + before;
  if constexpr (sizeof(T) == 1 && Apart)
  {
    pack_selected_bytes_apart<ItemsPerThread>(mine.first, bits, at);
  }
  else if constexpr (sizeof(T) == 1)
  {
    pack_selected_bytes<ItemsPerThread>(mine.first, bits, at);
  }
  else
  {
    held_items<ItemsPerThread, T> held;
    held.load(mine.first + simt::lane_index() * ItemsPerThread);
    simt::sync_warp(simt::unless(simt::fault::skip_hold_barrier)); // all lanes hold their items
    held.visit(
        [&](const T& item, unsigned i)
        {
          if (bits[i])
          {
            construct_at(mine.first + in_ring(at, part), item);
            ++at;
          }
        });
    simt::sync_warp(simt::unless(simt::fault::skip_move_barrier)); // all lanes have moved theirs
  }
  store_packed(mine.first, part, mine.out, shift, selected);
}

//! Moves the selected items of a warp to the front of its part of a tile, which is aligned to 16 bytes, and calls
//! `emit(place, i)` for each: the lane's item i goes to a place of the part. The lane has `count` items, and `before`
//! selected ones on its left.
template <unsigned ItemsPerThread, class T, class Emit>
REHEAT_DEVICE void pack_to_front(T* part, unsigned count, const item_bits<words_of_bits(ItemsPerThread)>& bits,
                                 unsigned before, const Emit& emit)
{
  held_items<ItemsPerThread, T> held;
  held.load(part + simt::lane_index() * ItemsPerThread, count);
  simt::sync_warp(simt::unless(simt::fault::skip_hold_barrier)); // all lanes hold their items
  unsigned at = before;
  held.visit(
      [&](const T& item, unsigned i)
      {
        if (bits[i])
        {
          construct_at(part + at, item);
          emit(at, i);
          ++at;
        }
      });
  simt::sync_warp(simt::unless(simt::fault::skip_move_barrier)); // all lanes have moved theirs
}

//! Stores `count` items that a warp has packed, of up to ItemsPerThread a lane: get(i) is the one that goes to out[i]. Lanes
//! store neighbours one by one: nothing has to be where the output has its vectors. All lanes call.
template <unsigned ItemsPerThread, class Get, class OutputIt>
REHEAT_DEVICE void store_front(unsigned count, const Get& get, OutputIt out)
{
  REHEAT_UNROLL
  for (unsigned row = 0; row < ItemsPerThread; ++row)
  {
    const unsigned i = row * simt::warp_lanes + simt::lane_index();
    if (i < count)
    {
      out[static_cast<std::ptrdiff_t>(i)] = get(i);
    }
  }
}

//! As store_front, of small items from `packed` on, which is aligned to words of 4 bytes; `out` is aligned to items. Lanes
//! store neighbouring words of the output. A word of the output has items of two packed words.
template <unsigned ItemsPerThread, class T>
REHEAT_DEVICE void store_front_words(const T* packed, unsigned count, T* out)
{
  using word = raw_bytes<sizeof(std::uint32_t)>;
  constexpr unsigned word_items = sizeof(word) / sizeof(T), rows = ItemsPerThread / word_items + 1;
  constexpr unsigned bits = 8 * sizeof(word);
  const unsigned lane = simt::lane_index();
  const unsigned shift = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(out) / sizeof(T)) % word_items;
  const unsigned end = shift + count, whole = end / word_items; // words from the one on in which `out` is
  const word* const from = reinterpret_cast<const word*>(packed);
  word* const to = reinterpret_cast<word*>(out - shift);
  REHEAT_UNROLL
  for (unsigned row = 0; row < rows; ++row)
  {
    const unsigned w = row * simt::warp_lanes + lane;
    if (w < whole && (w != 0 || shift == 0))
    {
      const std::uint64_t before = shift == 0 ? 0 : from[w - 1].words[0], own = from[w].words[0];
      to[w].words[0] = static_cast<std::uint32_t>((own << bits | before) >> (bits - shift * 8 * sizeof(T)));
    }
  }
  // The items before the first whole word, by the lower lanes, and those behind the last one, by the upper lanes.
  constexpr unsigned half = simt::warp_lanes / 2;
  const bool lower = lane < half;
  const unsigned head_end = shift == 0 ? 0 : end < word_items ? end : word_items;
  const unsigned tail = whole * word_items < head_end ? head_end : whole * word_items;
  const unsigned i = lower ? shift + lane : tail + lane - half;
  if (i < (lower ? head_end : end))
  {
    out[static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(shift)] = packed[i - shift];
  }
}

//! How many of its items a lane packs one by one at most, in place of a look at each of all.
REHEAT_HOST_DEVICE constexpr unsigned few_items(unsigned items_per_thread)
{
  return (items_per_thread + 3) / 4;
}
//! The items of a warp's memory in which it packs few of them.
template <class T>
REHEAT_HOST_DEVICE constexpr unsigned packing_items(unsigned items_per_thread)
{
  return simt::warp_lanes * few_items(items_per_thread) + static_cast<unsigned>(16 / sizeof(T));
}

//! As pack_and_store, if no lane has more than few_items selected items, with further memory of the warp to pack them in.
//! The warp need not have all its items.
template <unsigned ItemsPerThread, class T>
REHEAT_DEVICE void pack_few_and_store(const warp_items<T*, T*>& mine, const item_bits<words_of_bits(ItemsPerThread)>& bits,
                                      unsigned before, unsigned selected, T* packing)
{
  const unsigned shift = items_behind_vec16(mine.out);
  const T* const own = mine.first + simt::lane_index() * ItemsPerThread;
  simt::sync_warp(); // all lanes have stored those of the tile before
  T* to = packing + shift + before;
  REHEAT_UNROLL
  for (unsigned w = 0; w < words_of_bits(ItemsPerThread); ++w)
  {
    for (std::uint32_t left = bits.word[w]; left != 0; left &= left - 1)
    {
      construct_at(to++, own[w * 32 + lowest_one(left)]);
    }
  }
  simt::sync_warp(simt::unless(simt::fault::unique_skip_pack_barrier)); // all lanes have packed theirs
  store_packed(packing, packing_items<T>(ItemsPerThread), mine.out, shift, selected);
}

//! Stores a warp's selected items one by one, of 32 neighbours at a time. `word_of(lane, w)` is word w of the bits of a lane
//! of the warp.
template <unsigned ItemsPerThread, class Items, class OutputIt, class WordOf>
REHEAT_DEVICE void store_rows(const warp_items<Items, OutputIt>& mine, const WordOf& word_of)
{
  const unsigned lane = simt::lane_index();
  unsigned position = 0;
  for (unsigned row = 0; row < simt::warp_lanes * ItemsPerThread && row < mine.items; row += simt::warp_lanes)
  {
    const unsigned i = row + lane, owner = i / ItemsPerThread, bit = i % ItemsPerThread;
    const bool selected = i < mine.items && (word_of(owner, bit / 32) >> bit % 32 & 1) != 0;
    const std::uint32_t all = simt::ballot(selected);
    if (selected)
    {
      mine.out[static_cast<std::ptrdiff_t>(position + simt::count_ones(all & ((1u << lane) - 1)))] = mine.first[i];
    }
    position += simt::count_ones(all);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END
