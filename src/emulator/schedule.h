// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The random numbers of a launch, and the habits its scheduler takes on. One launch runs warp after warp, the next hops
//! between single lanes of all blocks: a fixed mixture would show only the average of both.
#pragma once

#include <reheat/detail/config.cuh>

#include <cstdint>

namespace reheat::REHEAT_MACHINE::emulator
{

//! splitmix64: one multiplication chain per number, any seed will do.
class random_bits
{
public:
  explicit random_bits(std::uint64_t seed = 0) : state_(seed) {}
  std::uint64_t next()
  {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  //! Below `limit`.
  unsigned below(unsigned limit) { return static_cast<unsigned>((next() >> 32) * limit >> 32); }

private:
  std::uint64_t state_;
};

//! Which of several runnable blocks, warps or lanes comes next.
enum class order : unsigned
{
  random,
  lowest,
  highest,
  cyclic
};

//! What the scheduler stalls as one.
enum class stalled_unit : unsigned
{
  lane,
  warp,
  block
};

struct habits
{
  unsigned warp_steps = 1;   //!< mean number of switches within a warp before another is drawn
  unsigned block_steps = 1;  //!< mean number of warps of a block before another block is drawn
  unsigned any_instead = 16; //!< of 256: take a random thread against the orders below, so that none starves
  order blocks = order::random;
  order warps = order::random;
  order lanes = order::random;
  unsigned switch_at_access = 0;     //!< of 65536: before a global load, store or atomic
  unsigned switch_at_ready = 0;      //!< of 65536: at a wait that need not wait
  unsigned wake_pollers = 0;         //!< of 65536 per switch; in any case when nothing else can run
  unsigned advance_copy = 0;         //!< of 65536 per switch; in any case when nothing else can run
  unsigned split_copy = 0;           //!< of 256: a copy advances by a part only
  bool copies_before_pollers = true; //!< when nothing else can run
  unsigned stall = 0;                //!< of 65536 per choice: somebody is taken out of the schedule …
  stalled_unit stalls = stalled_unit::lane;
  unsigned wake_stalled = 0;         //!< … and of 65536 put back; in any case when nothing else can run
  bool copies_before_stalled = true; //!< then
  unsigned resident_share = 256;     //!< of 256: how many of the blocks that fit are resident at a time, at least one
  order admission = order::lowest;   //!< in which order blocks start; cyclic counts as lowest
};

//! Draws the habits of one launch.
habits draw_habits(random_bits& random);

} // namespace reheat::REHEAT_MACHINE::emulator
