// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How neighbouring integers of one or two bytes are compared, a word at a time.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/select/ask.cuh>
#include <reheat/detail/select/tuning.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/packed_run.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Whether a thread compares its items a word at a time: numbers of one or two bytes by the standard's equality, which needs
//! 3 instructions an item otherwise.
template <class Equal, class T, unsigned ItemsPerThread>
inline constexpr bool compares_words_v = compares_bits_v<Equal, T> && sizeof(T) <= 2 && ItemsPerThread * sizeof(T) % 8 == 0;

//! A bit for each item of a word, from the lowest on, which differs from the one before it. `before` is the word before.
template <std::size_t ItemBytes>
REHEAT_DEVICE std::uint32_t differing_items(std::uint32_t before, std::uint32_t word)
{
  constexpr unsigned bits = 8 * ItemBytes;
  constexpr std::uint32_t high = ItemBytes == 1 ? 0x80808080u : 0x80008000u;
  const std::uint32_t differs = word ^ (word << bits | before >> (32 - bits));
  // An item's highest bit becomes 1 if any of its bits is.
  const std::uint32_t any = (((differs & ~high) + ~high) | differs) & high;
  // The product moves the highest bits side by side, to the top.
  return ItemBytes == 1 ? (any * 0x00204081u) >> 28 : (any * 0x00008001u) >> 30;
}

//! The bits of the items that differ from the one before, of a thread with all its items, whose first one stands behind
//! `before`.
template <unsigned ItemsPerThread, class T>
REHEAT_DEVICE item_bits<words_of_bits(ItemsPerThread)> starts_in_words(const T* items, const T& before)
{
  using vector = std::conditional_t<ItemsPerThread * sizeof(T) % sizeof(vec16) == 0, vec16, vec8>;
  constexpr unsigned word_items = 4 / sizeof(T), vectors = ItemsPerThread * sizeof(T) / sizeof(vector),
                     words = sizeof(vector) / sizeof(std::uint32_t);
  item_bits<words_of_bits(ItemsPerThread)> bits{};
  std::uint32_t previous = static_cast<std::uint32_t>(static_cast<std::make_unsigned_t<T>>(before)) << (32 - 8 * sizeof(T));
  REHEAT_UNROLL
  for (unsigned v = 0; v < vectors; ++v)
  {
    const vector own = reinterpret_cast<const vector*>(items)[v];
    std::uint32_t word[words];
    memcpy(word, &own, sizeof(word));
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w)
    {
      const unsigned i = (v * words + w) * word_items;
      bits.word[i / 32] |= differing_items<sizeof(T)>(previous, word[w]) << i % 32;
      previous = word[w];
    }
  }
  return bits;
}

} // namespace detail
REHEAT_NAMESPACE_END
