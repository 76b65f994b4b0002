// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Memory shared between blocks: atomics, publication, polling, torn rows of words, grids larger than what is resident.
#include "run.h"

#include <algorithm>
#include <set>
#include <vector>

using namespace test;

BOOST_AUTO_TEST_SUITE(global_memory)

BOOST_AUTO_TEST_CASE(fetch_add_hands_out_each_ticket_once)
{
  for_seeds(
      [&]
      {
        std::uint32_t next = 0;
        std::vector<unsigned> taken(17 * 64, 0);
        run(17, 64, 0, [&] { ++taken[simt::fetch_add(&next, 1u)]; });
        BOOST_TEST(next == taken.size());
        BOOST_TEST(std::count(taken.begin(), taken.end(), 1u) == static_cast<long>(taken.size()));
        BOOST_TEST(emulator::last_launch().atomics == taken.size());
      });
}

BOOST_AUTO_TEST_CASE(fetch_add_relaxed_adds_every_value_of_any_number_type)
{
  for_seeds(
      [&]
      {
        float real = 0.5f;
        double wide = 0.25;
        std::int32_t whole = -7;
        std::uint64_t large = std::uint64_t{1} << 40;
        run(9, 64, 0,
            [&]
            {
              (void)simt::fetch_add_relaxed(&real, 1.0f);
              (void)simt::fetch_add_relaxed(&wide, -1.0);
              (void)simt::fetch_add_relaxed(&whole, -2);
              (void)simt::fetch_add_relaxed(&large, std::uint64_t{3});
            });
        BOOST_TEST(real == 9 * 64 + 0.5f);
        BOOST_TEST(wide == 0.25 - 9 * 64);
        BOOST_TEST(whole == -7 - 2 * 9 * 64);
        BOOST_TEST(large == (std::uint64_t{1} << 40) + 3u * 9 * 64);
        BOOST_TEST(emulator::last_launch().atomics == 4u * 9 * 64);
      });
}

BOOST_AUTO_TEST_CASE(two_blocks_exchange_by_polling)
{
  constexpr unsigned rounds = 10;
  for_seeds(
      [&]
      {
        std::uint64_t flag[2] = {0, 0};
        unsigned value[2] = {0, 0};
        unsigned wrong = 0;
        run_together(2, 32, 0,
                     [&]
                     {
                       const unsigned me = simt::block_index();
                       for (unsigned round = 1; round <= rounds; ++round)
                       {
                         if (simt::lane_index() == 0)
                         {
                           value[me] = round * 10 + me;
                           simt::store_release(&flag[me], std::uint64_t{round});
                         }
                         while (simt::load_acquire(&flag[1 - me]) < round)
                         {
                           simt::backoff();
                         }
                         wrong += value[1 - me] / 10 < round || value[1 - me] % 10 != 1 - me;
                       }
                     });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(a_grid_larger_than_what_is_resident_chains_by_tickets)
{
  BOOST_TEST(emulator::resident_blocks(64, 0) == 6u);
  unsigned max_ever = 0, alone = 0;
  for_seeds(
      [&]
      {
        constexpr unsigned blocks = 25;
        std::uint32_t ticket = 0;
        std::vector<std::uint32_t> prefix(blocks + 1, 0);
        prefix[0] = 1;
        unsigned live = 0, max_live = 0;
        run(blocks, 64, 16,
            [&]
            {
              simt::shared_memory memory;
              std::uint32_t* const tile = memory.array<std::uint32_t>(1);
              if (simt::thread_index() == 0)
              {
                max_live = std::max(max_live, ++live);
                *tile = simt::fetch_add(&ticket, 1u);
              }
              simt::sync_block();
              if (simt::warp_index() == 0)
              {
                // The whole warp polls together, as a look-back does.
                while (!simt::all(simt::load_relaxed(&prefix[*tile]) != 0))
                {
                  simt::backoff();
                }
              }
              simt::sync_block();
              if (simt::thread_index() == 0)
              {
                simt::store_release(&prefix[*tile + 1], prefix[*tile] + *tile);
                --live;
              }
            });
        BOOST_TEST(prefix[blocks] == 1 + blocks * (blocks - 1) / 2);
        BOOST_TEST(max_live <= 6u);
        max_ever = std::max(max_ever, max_live);
        alone += max_live == 1;
        BOOST_TEST(emulator::last_launch().blocks == blocks);
        // Pollers look again when memory changed (2 changes per block, 192 threads), not all the time.
        BOOST_TEST(emulator::last_launch().polls < 2 * 2 * blocks * 192);
      });
  BOOST_TEST(max_ever > 3u);
  BOOST_TEST(alone > seeds / 10); // blocks that run one after the other
}

BOOST_AUTO_TEST_CASE(rows_of_words_are_sometimes_torn_but_words_never_are)
{
  unsigned torn_seeds = 0, wrong = 0;
  for_seeds(
      [&]
      {
        alignas(16) std::uint64_t row[4] = {};
        std::set<std::uint64_t> torn;
        run(2, 32, 0,
            [&]
            {
              for (std::uint64_t round = 1; round <= 20; ++round)
              {
                if (simt::block_index() == 0 && simt::lane_index() == 0)
                {
                  const std::uint64_t word[4] = {round, round, round, round};
                  simt::store_words_relaxed<4>(row, word);
                }
                else
                {
                  std::uint64_t word[4];
                  simt::load_words_relaxed<4>(row, word);
                  for (const std::uint64_t each : word)
                  {
                    wrong += each > 20;
                    if (each != word[0])
                    {
                      torn.insert(round);
                    }
                  }
                }
              }
            });
        torn_seeds += !torn.empty();
      });
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(torn_seeds > seeds / 4);
}

BOOST_AUTO_TEST_CASE(words_arrive_complete_in_rows_of_any_length)
{
  for_seeds(
      [&]
      {
        alignas(16) std::uint64_t row[8] = {};
        unsigned wrong = 0;
        run(1, 1, 0,
            [&]
            {
              const std::uint64_t three[3] = {7, 8, 9};
              simt::store_words_relaxed<3>(row + 1, three);
              std::uint64_t one[1], eight[8];
              simt::load_words_relaxed<1>(row + 2, one);
              simt::load_words_relaxed<8>(row, eight);
              wrong += one[0] != 8 || eight[0] != 0 || eight[1] != 7 || eight[3] != 9 || eight[4] != 0;
            });
        BOOST_TEST(wrong == 0u);
        BOOST_TEST(emulator::last_launch().loads == 9u);
        BOOST_TEST(emulator::last_launch().stores == 3u);
      });
}

BOOST_AUTO_TEST_SUITE_END()
