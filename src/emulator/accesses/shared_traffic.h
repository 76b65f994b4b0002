// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Puts the accesses of lanes, which arrive one by one, together to the instructions of warps, and counts their wavefronts.
#pragma once

#include "accesses.h"

#include <reheat/detail/simt/emulated_calls.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>

namespace reheat::REHEAT_MACHINE::emulator::accesses
{

//! Of one instruction, or a sum.
struct wavefront_count
{
  std::uint64_t needed = 0;
  std::uint64_t least = 0;
};

//! One instruction of a warp, as far as its lanes have come.
struct instruction
{
  unsigned lanes = 0; //!< bits
  std::array<std::uintptr_t, 32> address;
  std::array<std::size_t, 32> bytes;

  wavefront_count wavefronts() const;
};

class traffic_counter
{
public:
  void begin_launch();
  void access(const calls::identity& who, const void* place, bool store, const void* address, std::size_t bytes);
  //! Counts what not all lanes of a warp came to.
  void end_block(unsigned block);
  void end_launch();

  const shared_traffic& total() const { return total_; }
  std::string conflicts() const;

private:
  //! A load or store in the code of one warp.
  struct place_in_warp
  {
    std::array<std::uint64_t, 32> executed = {}; //!< per lane
    std::deque<instruction> open;                //!< oldest first; those before are counted
    std::uint64_t first_open = 0;
  };
  struct place_total
  {
    std::uint64_t instructions = 0;
    wavefront_count wavefronts;
  };
  struct place_key
  {
    const void* place;
    bool store;
    bool operator==(const place_key& other) const { return place == other.place && store == other.store; }
    bool operator<(const place_key& other) const { return std::tie(place, store) < std::tie(other.place, other.store); }
  };
  struct place_hash
  {
    std::size_t operator()(const place_key& key) const
    {
      return reinterpret_cast<std::uintptr_t>(key.place) * 2 + (key.store ? 1 : 0);
    }
  };
  using warp_code = std::unordered_map<place_key, place_in_warp, place_hash>;

  void count(const place_key& key, const instruction& done);

  std::unordered_map<unsigned, std::array<warp_code, 32>> blocks_;
  std::map<place_key, place_total> places_;
  shared_traffic total_;
};

} // namespace reheat::REHEAT_MACHINE::emulator::accesses
