// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where the arrays of a block lie: in its shared memory, or in scratch memory if the items are too large.
//!
//! Every block has its own scratch memory, behind the values of the slots. Only threads of the block touch it, and the
//! barriers that order shared memory within a block order it, too. Bulk copies and vector copies need shared memory, so
//! threads load and store these tiles. That is slower than shared memory, but such large items are rare.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Whether Ts lie in the same memory as the block's items. Barriers always lie in shared memory.
template <class T>
inline constexpr bool lies_with_items_v = true;
template <>
inline constexpr bool lies_with_items_v<simt::mbarrier> = false;

//! Each block's scratch memory starts at a multiple of this many bytes, as values in the workspace do.
inline constexpr std::size_t scratch_alignment = 256;
REHEAT_HOST_DEVICE constexpr std::size_t whole_scratch(std::size_t bytes)
{
  return (bytes + scratch_alignment - 1) / scratch_alignment * scratch_alignment;
}

//! Counts the bytes that block_memory would hand out, for the host and for the tuning.
class block_memory_counter
{
public:
  REHEAT_HOST_DEVICE constexpr explicit block_memory_counter(bool in_scratch) : in_scratch_(in_scratch) {}

  template <class T>
  REHEAT_HOST_DEVICE constexpr T* array(unsigned count, std::size_t alignment = alignof(T))
  {
    simt::shared_counter& counter = in_scratch_ && lies_with_items_v<T> ? scratch_ : shared_;
    return counter.template array<T>(count, alignment);
  }
  REHEAT_HOST_DEVICE constexpr std::size_t shared_bytes() const { return shared_.bytes(); }
  REHEAT_HOST_DEVICE constexpr std::size_t scratch_bytes() const { return whole_scratch(scratch_.bytes()); }

private:
  bool in_scratch_;
  simt::shared_counter shared_, scratch_;
};

//! Hands out the block's memory, array after array. Every thread asks for the same arrays in the same order.
template <bool InScratch>
class block_memory : public simt::shared_memory
{};
template <>
class block_memory<true>
{
public:
  //! `scratch` is the block's scratch memory.
  REHEAT_DEVICE explicit block_memory(unsigned char* scratch) : scratch_(scratch) {}

  template <class T>
  REHEAT_DEVICE T* array(unsigned count, std::size_t alignment = alignof(T))
  {
    if constexpr (lies_with_items_v<T>)
    {
      offset_ = (offset_ + alignment - 1) / alignment * alignment;
      T* const first = reinterpret_cast<T*>(scratch_ + offset_);
      offset_ += count * sizeof(T);
      return first;
    }
    else
    {
      return shared_.template array<T>(count, alignment);
    }
  }

private:
  simt::shared_memory shared_;
  unsigned char* scratch_;
  std::size_t offset_ = 0;
};

//! Bytes of `value_bytes` bytes of values, and behind them scratch memory of `scratch_bytes` for each of `blocks` blocks.
constexpr std::size_t values_and_scratch_bytes(std::size_t value_bytes, unsigned blocks, std::size_t scratch_bytes)
{
  return scratch_bytes == 0 ? value_bytes : whole_scratch(value_bytes) + blocks * scratch_bytes;
}

//! The memory of the calling block in a workspace with that many bytes.
template <bool InScratch, class T>
REHEAT_DEVICE block_memory<InScratch> memory_of_block(const workspace<T>& scratch, std::size_t value_bytes,
                                                      std::size_t scratch_bytes)
{
  if constexpr (InScratch)
  {
    const std::size_t before = whole_scratch(value_bytes) + simt::block_index() * scratch_bytes;
    return block_memory<true>(reinterpret_cast<unsigned char*>(scratch.values) + before);
  }
  else
  {
    return {};
  }
}

} // namespace detail
REHEAT_NAMESPACE_END
