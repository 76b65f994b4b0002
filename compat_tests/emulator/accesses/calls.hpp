// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls of the library with everything watched that they touch: input, output, scratch memory.
#pragma once

#include "watch.hpp"

#include "../../support/compare.hpp"
#include "../../support/iterators.hpp"
#include "../../support/operators.hpp"
#include "../../support/reference.hpp"
#include "../../support/tiles.hpp"

#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <memory>
#include <string>
#include <vector>

namespace compat
{

//! Schedules per size.
inline constexpr unsigned access_seeds = 20;

//! The scratch memory of the next call on a stream, which it leaves where it is. Values are watched as never written.
template <class Accum>
class watched_scratch
{
  using traits = reheat::detail::slot_traits<Accum>;
  static constexpr std::size_t header_bytes = sizeof(reheat::detail::workspace_header);

public:
  watched_scratch(reheat::stream_type stream, std::size_t slots) : slots_(slots)
  {
    reheat::runtime::workspace_lease lease;
    BOOST_REQUIRE((lease.acquire(stream, reheat::detail::workspace_word_bytes<Accum>(slots),
                                 reheat::detail::workspace_value_bytes<Accum>(slots)) == reheat::runtime::success));
    const auto* const words = static_cast<const unsigned char*>(lease.words()) + header_bytes;
    words_ = std::make_unique<watched_range>(words, slots * slot_bytes, content::written, "slot words");
    if (!traits::in_words)
    {
      values_ =
          std::make_unique<watched_range>(lease.values(), slots * sizeof(Accum), content::never_written, "slot values");
    }
  }

  //! The first `published` slots were written once, the others never.
  void check(std::size_t published) const
  {
    check_slots(*words_, slot_bytes, published);
    if (values_)
    {
      check_slots(*values_, sizeof(Accum), published);
    }
  }

private:
  static constexpr std::size_t slot_bytes = traits::words * sizeof(std::uint64_t);

  void check_slots(const watched_range& memory, std::size_t bytes, std::size_t published) const
  {
    for (std::size_t byte = 0; byte < slots_ * bytes; ++byte)
    {
      const unsigned expected = byte / bytes < published ? 1 : 0;
      if (memory.writes_of(byte) != expected)
      {
        BOOST_ERROR(memory.report() << ". Slot " << byte / bytes << " of " << slots_ << ": " << memory.writes_of(byte)
                                    << " writes, expected " << expected);
        return;
      }
    }
    BOOST_TEST(true);
  }

  std::size_t slots_;
  std::unique_ptr<watched_range> words_;
  std::unique_ptr<watched_range> values_;
};

//! Where the next call leaves a result of T.
template <class T>
const void* next_result()
{
  reheat::runtime::result_slot slot;
  BOOST_REQUIRE((slot.acquire(sizeof(T)) == reheat::runtime::success));
  return slot.get(); // given back here, so the call finds it
}

//! One item, warps, tiles and their neighbours, more than a group of tiles.
inline std::vector<std::size_t> tile_sweep(std::size_t tile)
{
  return {1,
          2,
          31,
          33,
          tile - 1,
          tile,
          tile + 1,
          2 * tile,
          2 * tile - 1,
          2 * tile + 1,
          3 * tile + tile / 2 + 3,
          7 * tile,
          40 * tile + tile / 2 + 3};
}

} // namespace compat
