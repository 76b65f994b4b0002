// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The memory of segmented reductions and scans: of a block, and of the record that it leaves of its span.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/segmented/carry.cuh>
#include <reheat/detail/segmented/spans.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! What a block leaves of its span.
template <class T>
struct span_record
{
  std::uint64_t segment; //!< the first that ends in the span
  std::uint64_t start;   //!< the input's item where that segment begins
  bool pending;          //!< it began before the span, so its result is not stored yet
  bool has_head, has_tail;
  bool ended;            //!< a segment ends in the span
  bool descends;         //!< an end in the span lies before the one before it, if that was looked for
  uninitialized<T> head; //!< the fold of that segment's items in the span
  uninitialized<T> tail; //!< the fold of the items behind the last end; anything if there are none
};

//! A byte for each of a thread's items, in whole words.
REHEAT_HOST_DEVICE constexpr unsigned segmented_mark_words(const segmented_config& c)
{
  return (c.items_per_thread + 3) / 4;
}

//! Shared memory of a block; scratch memory if items are too large for it.
template <class T>
struct segmented_shared
{
  T* items;             //!< [stage][tile_items]; in place of a segment's last item, later its fold
  std::uint32_t* marks; //!< [thread][segmented_mark_words]: the byte of an item is 1 if a segment ends behind it
  std::uint16_t* ends;  //!< [2][window_ends], if the tuning keeps them: the item in the tile before which a segment ends
  unsigned* counts;     //!< [warp]: its ends in the tile
  span_search* search;
  unsigned* next_span;
  span_record<T>* record; //!< the span's, where another block does not need it
  span_record<T>* parts;  //!< [warp]: of the warps' parts of a span, if they stream
  simt::mbarrier* full;   //!< [stage]
  carry_shared<T> carry;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr segmented_shared(Memory& memory, const segmented_config& c)
      : items(memory.template array<T>(c.stages * c.tile_items(), alignof(T) > 16 ? alignof(T) : 16)),
        marks(memory.template array<std::uint32_t>(c.block_threads * segmented_mark_words(c))),
        ends(memory.template array<std::uint16_t>(c.keeps_ends ? 2 * c.window_ends : 0)),
        counts(memory.template array<unsigned>(c.warps())), search(memory.template array<span_search>(1)),
        next_span(memory.template array<unsigned>(1)), record(memory.template array<span_record<T>>(1)),
        parts(memory.template array<span_record<T>>(std::is_arithmetic_v<T> && c.stream_mean_items != 0 ? c.warps() : 0)),
        full(memory.template array<simt::mbarrier>(c.stages)), carry(memory, c.warps())
  {}
};

//! What the arrays of a Layout take: shared memory, and scratch memory if items are too large for it.
template <class Layout, class Size>
REHEAT_HOST_DEVICE constexpr block_memory_counter memory_of_layout(const segmented_config& c, const Size& size)
{
  block_memory_counter counter(c.in_scratch);
  Layout layout(counter, size);
  static_cast<void>(layout);
  return counter;
}

template <class T>
REHEAT_HOST_DEVICE constexpr std::size_t segmented_shared_bytes(const segmented_config& c)
{
  return memory_of_layout<segmented_shared<T>>(c, c).shared_bytes();
}
template <class T>
REHEAT_HOST_DEVICE constexpr std::size_t segmented_scratch_bytes(const segmented_config& c)
{
  return memory_of_layout<segmented_shared<T>>(c, c).scratch_bytes();
}

//! What a warp has found of a span: its last border, and what stands behind its last end.
struct span_tail
{
  span_border border;
  bool ended;    //!< a segment ends in the span
  bool there;    //!< items stand behind its last end
  bool descends; //!< an end in the span lies before the one before it, if that was looked for
};

//! Memory of a block that folds what spans carry, a warp each.
template <class T>
struct carries_shared
{
  span_tail* tails; //!< [warp]
  T* folds;         //!< [warp]: of tails
  T* scratch;       //!< [warp][warp_scratch_items]

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr carries_shared(Memory& memory, const segmented_config& c)
      : tails(memory.template array<span_tail>(c.carry_threads / 32)), folds(memory.template array<T>(c.carry_threads / 32)),
        scratch(memory.template array<T>(c.carry_threads / 32 * warp_scratch_items<T>))
  {}
};
template <class T>
REHEAT_HOST_DEVICE constexpr std::size_t carries_shared_bytes(const segmented_config& c)
{
  return memory_of_layout<carries_shared<T>>(c, c).shared_bytes();
}
template <class T>
REHEAT_HOST_DEVICE constexpr std::size_t carries_scratch_bytes(const segmented_config& c)
{
  return memory_of_layout<carries_shared<T>>(c, c).scratch_bytes();
}

//! `Tuning` for Ts. Tiles lie in scratch memory on every architecture if the one with the least shared memory has not enough
//! for them.
template <class T, class Tuning = segmented_tuning<sizeof(T)>>
struct fitting_segmented_tuning
{
  static constexpr bool fits_everywhere = on_every_arch(
      [](int arch)
      {
        const segmented_config c = Tuning{}(arch);
        const std::size_t most = device_traits_of(arch).block_shared_bytes;
        return segmented_shared_bytes<T>(c) <= most && carries_shared_bytes<T>(c) <= most;
      });
  REHEAT_HOST_DEVICE constexpr segmented_config operator()(int arch) const
  {
    segmented_config c = Tuning{}(arch);
    c.in_scratch = !fits_everywhere;
    return c;
  }
};

} // namespace detail
REHEAT_NAMESPACE_END
