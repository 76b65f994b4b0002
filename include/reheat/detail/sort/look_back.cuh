// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How many keys of a digit the tiles before have: decoupled look-back, one thread for each digit.
//!
//! A slot is a word of 64 bits, {tag: 8, count: 56}. Its tag names the pass, so that slots are cleared once for all passes,
//! and says whether the count is the tile's own or includes all tiles before. A slot needs no order with other memory.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

class digit_slots
{
public:
  //! Slots of the calling thread's digit.
  REHEAT_DEVICE digit_slots(std::uint64_t* slots, unsigned digits, unsigned digit, unsigned pass)
      : slots_(slots + digit), digits_(digits), own_tag_(2 * pass + 1)
  {}

  //! Publishes the tile's own count.
  REHEAT_DEVICE void publish(std::uint64_t tile, unsigned count) const
  {
    store(tile, tile == 0 ? own_tag_ + 1 : own_tag_, count);
  }

  //! Returns the count of all tiles before, and publishes it with the tile's own. Tiles before have started.
  REHEAT_DEVICE std::uint64_t look_back(std::uint64_t tile, unsigned count) const
  {
    if (tile == 0)
    {
      return 0;
    }
    std::uint64_t before = 0, next = tile; // of the tiles from `next` on, `before` has the counts
    for (bool done = false; !done;)
    {
      std::uint64_t word[at_a_time];
      REHEAT_UNROLL
      for (unsigned i = 0; i < at_a_time; ++i)
      {
        word[i] = i < next ? simt::load_relaxed(slots_ + (next - 1 - i) * digits_) : 0;
      }
      const std::uint64_t begin = next;
      bool is_ready = true;
      REHEAT_UNROLL
      for (unsigned i = 0; i < at_a_time; ++i)
      {
        const std::uint64_t tag = word[i] >> count_bits;
        is_ready = is_ready && !done &&
                   (tag == own_tag_ || tag == own_tag_ + 1 || simt::fault_active(simt::fault::sort_skip_slot_wait) ||
                    (simt::fault_active(simt::fault::sort_any_pass) && tag != 0));
        if (is_ready)
        {
          before += word[i] & count_mask;
          done = tag == own_tag_ + 1 || next == 1;
          --next;
        }
      }
      if (next == begin)
      {
        simt::backoff();
      }
    }
    store(tile, own_tag_ + 1, simt::fault_active(simt::fault::sort_lose_own) ? before : before + count);
    return before;
  }

private:
  static constexpr unsigned at_a_time = 4; //!< loads whose round trips overlap
  static constexpr unsigned count_bits = 56;
  static constexpr std::uint64_t count_mask = (std::uint64_t{1} << count_bits) - 1;

  REHEAT_DEVICE void store(std::uint64_t tile, unsigned tag, std::uint64_t count) const
  {
    simt::store_relaxed(slots_ + tile * digits_, std::uint64_t{tag} << count_bits | count);
  }

  std::uint64_t* slots_;
  unsigned digits_;
  unsigned own_tag_;
};

} // namespace detail
REHEAT_NAMESPACE_END
