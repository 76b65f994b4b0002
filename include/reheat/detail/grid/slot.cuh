// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How blocks of one launch hand values to each other: slots in global memory that need no clearing between launches.
//!
//! A slot is a row of 64-bit words {tag: 32, payload: 32}, one for each 32-bit word of the value. The tag is the launch's
//! epoch, so each word shows whether this launch has written it. Words therefore need no order among themselves, and the PTX
//! memory model promises none. The tag is in the same half whatever the type, so no word of another type passes for ready.
//! Values of more than 32 bytes, or not copyable by their bytes, have one word as a flag, which is written with release, and
//! separate memory for the value, which never overlaps words.
//!
//! New memory is zeroed, and epochs start at 1. At the last epoch, the launch's last block clears all words that were ever
//! used, and epochs start again.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! What launches that share a workspace leave each other. Between launches, next_ticket, finished_blocks and listed are 0.
struct alignas(128) workspace_header
{
  std::uint64_t next_ticket;     //!< tickets drawn in the running launch
  std::uint64_t used_words;      //!< the maximum number of words that a launch has used since the last clearing
  std::uint32_t epoch;           //!< the epoch of the last finished launch
  std::uint32_t finished_blocks; //!< blocks of the running launch that have finished
  std::uint64_t listed; //!< by the first launch of a call (segmented/long_list.cuh): entries, and above them pieces.
                        //!< Or how many chunks are folded (segmented/few_scan_kernel.cuh)
};

inline constexpr std::uint32_t last_epoch = 0xffffffffu;

//! The shape of a T's slot.
template <class T>
struct slot_traits
{
  static constexpr bool in_words = is_bitwise_copyable_v<T> && sizeof(T) <= 32;
  static constexpr unsigned words = in_words ? (sizeof(T) + 3) / 4 : 1;
};

//! Scratch memory of one launch: header, words, and values if their type does not fit words.
template <class T>
struct workspace
{
  workspace_header* header;
  std::uint64_t* words;
  T* values;
};

//! Scratch memory that `slots` slots need: bytes of header and words, which start as zeros, and bytes of values.
template <class T>
constexpr std::size_t workspace_word_bytes(std::uint64_t slots)
{
  return sizeof(workspace_header) + slots * slot_traits<T>::words * sizeof(std::uint64_t);
}
template <class T>
REHEAT_HOST_DEVICE constexpr std::size_t workspace_value_bytes(std::uint64_t slots)
{
  return slot_traits<T>::in_words ? 0 : slots * sizeof(T);
}
//! `words` is null for a launch that needs none.
template <class T>
workspace<T> make_workspace(void* words, void* values)
{
  auto* const header = static_cast<workspace_header*>(words);
  auto* const behind = header != nullptr ? reinterpret_cast<std::uint64_t*>(header + 1) : nullptr;
  return {header, behind, static_cast<T*>(values)};
}

//! The words of one slot as read, ready or not.
template <class T>
struct slot_reading
{
  std::uint64_t word[slot_traits<T>::words] = {};

  REHEAT_DEVICE bool ready(std::uint32_t epoch) const { return tag_mismatch(epoch) == 0; }
  //! 0 if the slot is ready.
  REHEAT_DEVICE std::uint32_t tag_mismatch(std::uint32_t epoch) const
  {
    std::uint32_t result = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i < slot_traits<T>::words; ++i)
    {
      result |= differing(i, epoch);
    }
    return result;
  }

private:
  //! The bits in which the tag of word `i` differs from the launch's epoch.
  REHEAT_DEVICE std::uint32_t differing(unsigned i, std::uint32_t epoch) const
  {
    if (simt::fault_active(simt::fault::skip_slot_wait) || (i != 0 && simt::fault_active(simt::fault::first_word_only)))
    {
      return 0;
    }
    if (slot_traits<T>::words == 2 && simt::fault_active(simt::fault::tag_beside_value))
    {
      return static_cast<std::uint32_t>(word[slot_traits<T>::words - 1]) ^ epoch;
    }
    const std::uint32_t bits = static_cast<std::uint32_t>(word[i] >> 32) ^ epoch;
    return simt::fault_active(simt::fault::narrow_tag) ? bits & 0xff : bits;
  }
};

//! The slots of one launch.
template <class T>
class slot_array
{
  using traits = slot_traits<T>;

public:
  REHEAT_DEVICE slot_array(const workspace<T>& scratch, std::uint32_t epoch)
      : words_(scratch.words),
        values_(simt::fault_active(simt::fault::values_over_words) ? reinterpret_cast<T*>(scratch.words) : scratch.values),
        epoch_(epoch)
  {}

  //! Makes `value` visible to readers of slot `index`. One thread calls, once per launch and slot.
  REHEAT_DEVICE void publish(std::uint64_t index, const T& value) const
  {
    std::uint64_t* const row = words_ + index * traits::words;
    const std::uint64_t tag = static_cast<std::uint64_t>(epoch_) << 32;
    if constexpr (traits::in_words)
    {
      std::uint32_t payload[traits::words] = {};
      memcpy(payload, &value, sizeof(T));
      std::uint64_t word[traits::words];
      REHEAT_UNROLL
      for (unsigned i = 0; i < traits::words; ++i)
      {
        word[i] = tag | payload[i];
      }
      if (traits::words == 2 && simt::fault_active(simt::fault::tag_beside_value))
      {
        word[0] = static_cast<std::uint64_t>(payload[traits::words - 1]) << 32 | payload[0];
        word[traits::words - 1] = epoch_;
      }
      simt::store_words_relaxed(row, word);
    }
    else
    {
      if (simt::fault_active(simt::fault::flag_before_value))
      {
        simt::store_release(row, tag);
        construct_at(values_ + index, value);
        return;
      }
      construct_at(values_ + index, value);
      if (simt::fault_active(simt::fault::relaxed_flag))
      {
        simt::store_relaxed(row, tag);
        return;
      }
      simt::store_release(row, tag);
    }
  }

  //! Starts reading slot `index`. Callers issue several readings before they use the first, because each costs an L2 round
  //! trip (0.6 us, NVIDIA H200), and together they cost one.
  REHEAT_DEVICE void read(std::uint64_t index, slot_reading<T>& reading) const
  {
    if constexpr (traits::in_words)
    {
      simt::load_words_relaxed(words_ + index * traits::words, reading.word);
    }
    else
    {
      reading.word[0] = simt::fault_active(simt::fault::relaxed_flag_read) ? simt::load_relaxed(words_ + index)
                                                                           : simt::load_acquire(words_ + index);
    }
  }

  REHEAT_DEVICE bool ready(const slot_reading<T>& reading) const { return reading.ready(epoch_); }
  REHEAT_DEVICE std::uint32_t tag_mismatch(const slot_reading<T>& reading) const { return reading.tag_mismatch(epoch_); }

  //! Makes `result` the value of slot `index`. `reading` is ready.
  REHEAT_DEVICE void value(std::uint64_t index, const slot_reading<T>& reading, uninitialized<T>& result) const
  {
    if constexpr (traits::in_words)
    {
      std::uint32_t payload[traits::words];
      REHEAT_UNROLL
      for (unsigned i = 0; i < traits::words; ++i)
      {
        payload[i] = static_cast<std::uint32_t>(reading.word[i]);
      }
      if (traits::words == 2 && simt::fault_active(simt::fault::tag_beside_value))
      {
        payload[traits::words - 1] = static_cast<std::uint32_t>(reading.word[0] >> 32);
      }
      memcpy(static_cast<void*>(&result), payload, sizeof(T));
    }
    else
    {
      result.construct(values_[index]);
    }
  }

private:
  std::uint64_t* words_;
  T* values_;
  std::uint32_t epoch_;
};

//! The epoch of the previous launch. This launch's epoch is one higher. It is no kernel argument, because a captured graph
//! would freeze it. The addition of 1 waits for the load.
REHEAT_DEVICE inline std::uint32_t last_launch_epoch(workspace_header* header)
{
  return simt::load_relaxed(&header->epoch);
}

//! Whether this is the last epoch.
REHEAT_DEVICE inline bool is_last_epoch(std::uint32_t epoch)
{
  return epoch == last_epoch && !simt::fault_active(simt::fault::wrap_to_zero);
}

//! Ends the launch in the header, whose counters are 0 already and whose used_words is `used`. One thread calls, when no
//! block of this launch will read header or slots again.
REHEAT_DEVICE inline void retire_launch(workspace_header* header, std::uint32_t epoch, std::uint64_t words,
                                        std::uint64_t used)
{
  if (used < words || simt::fault_active(simt::fault::clear_own_words))
  {
    simt::store_relaxed(&header->used_words, words); // other threads of the caller's block may still be reading it
  }
  if (is_last_epoch(epoch))
  {
    return; // clear_words does the rest
  }
  if (!simt::fault_active(simt::fault::keep_epoch))
  {
    simt::store_relaxed(&header->epoch, epoch);
  }
}

REHEAT_DEVICE inline void retire_launch(workspace_header* header, std::uint32_t epoch, std::uint64_t words)
{
  retire_launch(header, epoch, words, header->used_words);
}

//! Ends a launch of the last epoch: clears all words that were ever used, and epochs start again. The warp that has retired
//! the launch calls.
template <class T>
REHEAT_DEVICE void clear_words(const workspace<T>& scratch)
{
  simt::sync_warp(); // lane 0 has retired the launch
  const std::uint64_t used = simt::fault_active(simt::fault::keep_words) ? 0 : scratch.header->used_words;
  for (std::uint64_t i = simt::lane_index(); i < used; i += simt::warp_lanes)
  {
    simt::store_relaxed(scratch.words + i, std::uint64_t{0});
  }
  simt::sync_warp(simt::unless(simt::fault::skip_clear_barrier));
  if (simt::lane_index() == 0)
  {
    simt::store_relaxed(&scratch.header->next_ticket, std::uint64_t{0});
    simt::store_relaxed(&scratch.header->finished_blocks, std::uint32_t{0});
    scratch.header->used_words = 0;
    simt::store_relaxed(&scratch.header->epoch, std::uint32_t{0});
  }
}

} // namespace detail
REHEAT_NAMESPACE_END
