// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Shuffles and votes.
#include "run.h"

#include <cstring>

using namespace test;

namespace
{

// 12 bytes, copyable but not assignable.
struct odd_value
{
  const std::uint32_t a, b, c;
};

// The largest item the library supports.
struct large_value
{
  unsigned char bytes[256];
};

} // namespace

BOOST_AUTO_TEST_SUITE(warps)

BOOST_AUTO_TEST_CASE(shuffle_reads_any_lane)
{
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(2, 64, 0,
            [&]
            {
              const unsigned lane = simt::lane_index();
              const unsigned mine = simt::thread_index() * 3 + simt::block_index() * 1000;
              const unsigned base = mine - lane * 3;
              wrong += simt::shuffle(mine, 5) != base + 15;
              wrong += simt::shuffle(mine, lane ^ 9u) != base + (lane ^ 9u) * 3;
              wrong += simt::shuffle(mine, lane + 33) != base + (lane + 1) % 32 * 3; // the lane number wraps
            });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(sum_of_lanes_reaches_every_lane_and_wraps)
{
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(2, 64, 0,
            [&]
            {
              const unsigned base = 0xf0000000u + simt::warp_index();
              wrong += simt::redux_add(base + simt::lane_index()) != 32 * base + 496;
            });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(lowest_and_highest_of_lanes_reach_every_lane_from_any)
{
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(2, 64, 0,
            [&]
            {
              for (unsigned lowest = 0; lowest < 32; ++lowest)
              {
                const unsigned base = 0x7ffffff0u + simt::warp_index(); // the highest bit is no sign
                const unsigned distance = (simt::lane_index() - lowest) % 32;
                wrong += simt::redux_min(base + distance) != base;
                wrong += simt::redux_max(base + distance) != base + 31;
                const int below_zero = static_cast<int>(simt::warp_index()) - 16; // here it is one
                wrong += simt::redux_min(below_zero + static_cast<int>(distance)) != below_zero;
                wrong += simt::redux_max(below_zero + static_cast<int>(distance)) != below_zero + 31;
              }
            });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(words_are_taken_apart_and_put_together)
{
  BOOST_TEST(simt::add_bytes(0x80ff0201u, 0x01010101u, 5u) == 5u + 0x80 + 0xff + 2 + 1);
  BOOST_TEST(simt::add_bytes(0x80ff0201u, 0x00010001u, 0xffffffffu) == 0xffu + 1 - 1);
  BOOST_TEST(simt::pack_bytes(0x111u, 0x222u, 0xfffffff3u, 0x104u) == 0x04f32211u);
  BOOST_TEST(simt::highest_one(1u) == 0u);
  BOOST_TEST(simt::highest_one(0x80000000u) == 31u);
  BOOST_TEST(simt::highest_one(0x000a0001u) == 19u);
}

BOOST_AUTO_TEST_CASE(shuffle_up_and_down_keep_the_own_value_at_the_ends)
{
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(1, 96, 0,
            [&]
            {
              const unsigned lane = simt::lane_index();
              const std::uint64_t mine = std::uint64_t{lane} << 40 | lane;
              for (unsigned distance = 0; distance <= 32; ++distance)
              {
                const unsigned from_up = lane >= distance ? lane - distance : lane;
                const unsigned from_down = lane + distance < 32 ? lane + distance : lane;
                wrong += simt::shuffle_up(mine, distance) != (std::uint64_t{from_up} << 40 | from_up);
                wrong += simt::shuffle_down(mine, distance) != (std::uint64_t{from_down} << 40 | from_down);
              }
            });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(values_of_any_size_travel)
{
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(1, 32, 0,
            [&]
            {
              const unsigned lane = simt::lane_index();
              const odd_value odd = simt::shuffle_down(odd_value{lane, lane + 1, lane + 2}, 1);
              const unsigned from = lane < 31 ? lane + 1 : 31;
              wrong += odd.a != from || odd.b != from + 1 || odd.c != from + 2;
              large_value large;
              std::memset(large.bytes, static_cast<int>(lane), sizeof(large.bytes));
              const large_value other = simt::shuffle(large, 31 - lane);
              wrong += other.bytes[0] != 31 - lane || other.bytes[255] != 31 - lane;
              wrong += simt::shuffle(static_cast<unsigned char>(lane), 7u) != 7;
              wrong += simt::shuffle(lane == 3, 3u) != true;
              wrong += simt::shuffle(lane * 0.5, 9u) != 4.5;
            });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(a_warp_scan_by_shuffles_is_right)
{
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(3, 128, 0,
            [&]
            {
              const unsigned lane = simt::lane_index();
              unsigned sum = lane + 1;
              for (unsigned distance = 1; distance < 32; distance *= 2)
              {
                const unsigned other = simt::shuffle_up(sum, distance);
                sum += lane >= distance ? other : 0;
              }
              wrong += sum != (lane + 1) * (lane + 2) / 2;
            });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(votes_see_every_named_lane)
{
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(2, 64, 0,
            [&]
            {
              const unsigned lane = simt::lane_index();
              wrong += simt::ballot(lane % 3 == 0) != 0x49249249u;
              wrong += !simt::all(lane < 32) || simt::all(lane != 17);
              wrong += !simt::any(lane == 17) || simt::any(lane > 31);
            });
        BOOST_TEST(wrong == 0u);
        BOOST_TEST(emulator::last_launch().votes == 2u * 64 * 5);
      });
}

BOOST_AUTO_TEST_CASE(disjoint_masks_work_side_by_side)
{
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(1, 64, 0,
            [&]
            {
              const unsigned lane = simt::lane_index();
              const bool even = lane % 2 == 0;
              const unsigned mask = even ? 0x55555555u : 0xaaaaaaaau;
              if (even)
              {
                wrong += simt::shuffle(lane, 4, mask) != 4;
                wrong += simt::ballot(true, mask) != mask;
              }
              else
              {
                wrong += simt::ballot(lane == 9, mask) != 1u << 9;
                wrong += simt::shuffle_up(lane, 2, mask) != (lane >= 2 ? lane - 2 : lane);
                wrong += !simt::all(true, mask);
              }
              wrong += simt::ballot(even) != 0x55555555u;
            });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(an_incomplete_warp_uses_the_mask_of_its_lanes)
{
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(1, 40, 0,
            [&]
            {
              const unsigned mask = simt::warp_index() == 0 ? simt::all_lanes : 0xffu;
              wrong += simt::ballot(true, mask) != mask;
            });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(lanes_add_to_a_shared_counter_one_after_the_other_in_some_order)
{
  unsigned in_order = 0;
  for_seeds(
      [&]
      {
        unsigned wrong = 0, ascending = 0;
        run(1, 32, 4,
            [&]
            {
              std::uint32_t* const counter = simt::shared_memory().array<std::uint32_t>(1);
              const unsigned lane = simt::lane_index();
              if (lane == 0)
              {
                *counter = 5;
              }
              simt::sync_block();
              const std::uint32_t before = simt::shared_add_of_warp(counter, lane % 4 != 0);
              const unsigned takers = simt::ballot(lane % 4 != 0), below = (1u << lane) - 1;
              ascending += lane % 4 != 0 && before == 5 + simt::count_ones(takers & below);
              std::uint32_t sum = simt::redux_add(lane % 4 != 0 ? before : 0);
              wrong += sum != 24 * 5 + 23 * 24 / 2; // each of 24 numbers once
              simt::shared_add(counter, 1);
              simt::sync_block();
              wrong += *counter != 5 + 24 + 32;
            });
        BOOST_TEST(wrong == 0u);
        in_order += ascending == 24;
      });
  BOOST_TEST(in_order > 0u);
  BOOST_TEST(in_order < seeds);
}

BOOST_AUTO_TEST_SUITE_END()
