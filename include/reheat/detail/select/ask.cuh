// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a thread asks a predicate about its items of a tile, once about each, and keeps a bit for each.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/select/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The bits of a thread's items, in words of 32.
template <unsigned Words>
struct item_bits
{
  std::uint32_t word[Words];

  REHEAT_DEVICE unsigned count() const
  {
    unsigned ones = 0;
    REHEAT_UNROLL
    for (unsigned w = 0; w < Words; ++w)
    {
      ones += simt::count_ones(word[w]);
    }
    return ones;
  }
  REHEAT_DEVICE bool operator[](unsigned i) const { return (word[i / 32] >> i % 32 & 1) != 0; }
};

//! The place of the lowest bit that is 1; there is one.
REHEAT_DEVICE inline unsigned lowest_one(std::uint32_t bits)
{
  return simt::count_ones((bits & (0 - bits)) - 1);
}

//! Bytes of any items that one access moves.
template <unsigned Bytes>
struct __attribute__((aligned(Bytes), may_alias)) raw_bytes
{
  using word = std::conditional_t<Bytes == 2, std::uint16_t, std::uint32_t>;
  word words[Bytes / sizeof(word)];
};
//! The widest access, up to 16 bytes, that divides runs of so many bytes.
REHEAT_HOST_DEVICE constexpr unsigned access_bytes(std::size_t run)
{
  const std::size_t power = run & (~run + 1);
  return power < 16 ? static_cast<unsigned>(power) : 16;
}

//! Whether the predicate selects.
template <class Predicate, class T>
REHEAT_DEVICE bool ask_about(Predicate& predicate, const T& item)
{
  if (simt::fault_active(simt::fault::ask_twice))
  {
    static_cast<void>(predicate(item));
  }
  return predicate(item) ? true : false;
}

//! Calls `visit(item, i)` for each of Count neighbours of a thread, which it reads in as wide accesses as the beginning of
//! each thread's items allows.
template <unsigned ItemsPerThread, unsigned Count, class T, class Visit>
REHEAT_DEVICE void visit_run(const T* items, const Visit& visit)
{
  constexpr unsigned bytes = access_bytes(ItemsPerThread * sizeof(T));
  if constexpr (is_bitwise_copyable_v<T> && bytes > sizeof(T) && bytes % sizeof(T) == 0)
  {
    constexpr unsigned piece_items = bytes / sizeof(T);
    REHEAT_UNROLL
    for (unsigned p = 0; p < Count / piece_items; ++p)
    {
      const raw_bytes<bytes> piece = reinterpret_cast<const raw_bytes<bytes>*>(items)[p];
      uninitialized<T> item[piece_items];
      memcpy(static_cast<void*>(item), &piece, sizeof(piece));
      REHEAT_UNROLL
      for (unsigned i = 0; i < piece_items; ++i)
      {
        visit(item[i].get(), p * piece_items + i);
      }
    }
  }
  else
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < Count; ++i)
    {
      visit(items[i], i);
    }
  }
}

//! Asks the predicate about the first `count` of a thread's items, from word `Word` on.
template <unsigned ItemsPerThread, unsigned Word = 0, class Predicate, class T>
REHEAT_DEVICE item_bits<words_of_bits(ItemsPerThread)> ask_items(Predicate& predicate, const T* items, unsigned count)
{
  constexpr unsigned before = Word * 32, rest = ItemsPerThread - before, most = rest < 32 ? rest : 32;
  item_bits<words_of_bits(ItemsPerThread)> bits;
  if constexpr (Word + 1 < words_of_bits(ItemsPerThread))
  {
    bits = ask_items<ItemsPerThread, Word + 1>(predicate, items, count);
  }
  std::uint32_t own = 0;
  const auto visit = [&](const T& item, unsigned i)
  {
    if constexpr (sizeof(T) == 1) // larger items wait for memory, not for instructions
    {
      simt::add_if(ask_about(predicate, item), own, 1u << i);
    }
    else
    {
      own |= ask_about(predicate, item) ? 1u << i : 0;
    }
  };
  const unsigned left = count > before ? count - before : 0;
  if (left >= most)
  {
    visit_run<ItemsPerThread, most>(items + before, visit);
  }
  else
  {
    for (unsigned i = 0; i < left; ++i)
    {
      visit(items[before + i], i);
    }
  }
  bits.word[Word] = own;
  return bits;
}

} // namespace detail
REHEAT_NAMESPACE_END
