// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Barriers of blocks, warps and named subsets: nobody passes before all have come.
#include "run.h"

#include <string>
#include <vector>

using namespace test;

BOOST_AUTO_TEST_SUITE(barriers)

BOOST_AUTO_TEST_CASE(threads_know_who_they_are)
{
  std::vector<unsigned> seen(7 * 80, 0);
  bool consistent = true;
  run(7, 80, 0,
      [&]
      {
        ++seen[simt::block_index() * simt::block_threads() + simt::thread_index()];
        consistent = consistent && simt::block_threads() == 80 && simt::grid_blocks() == 7 &&
                     simt::warp_index() * simt::warp_lanes + simt::lane_index() == simt::thread_index();
      });
  BOOST_TEST(consistent);
  BOOST_TEST(seen == std::vector<unsigned>(seen.size(), 1), boost::test_tools::per_element());
  BOOST_TEST(simt::arch == 0);
}

BOOST_AUTO_TEST_CASE(sync_block_separates_rounds)
{
  constexpr unsigned threads = 96, rounds = 9;
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(3, threads, threads * 4,
            [&]
            {
              simt::shared_memory memory;
              unsigned* const round_of = memory.array<unsigned>(threads);
              const unsigned me = simt::thread_index();
              for (unsigned round = 1; round <= rounds; ++round)
              {
                round_of[me] = round;
                simt::sync_block();
                wrong += round_of[(me * 7 + 5) % threads] != round;
                simt::sync_block();
              }
            });
        BOOST_TEST(wrong == 0u);
        BOOST_TEST(emulator::last_launch().barriers == 3u * threads * rounds * 2);
      });
}

BOOST_AUTO_TEST_CASE(a_missing_barrier_shows_under_some_seed)
{
  unsigned seeds_that_show_it = 0;
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(1, 64, 256,
            [&]
            {
              simt::shared_memory memory;
              unsigned* const value = memory.array<unsigned>(64);
              const unsigned me = simt::thread_index();
              value[me] = me;
              simt::sync_warp();
              wrong += value[me ^ 32u] != (me ^ 32u);
            });
        seeds_that_show_it += wrong != 0;
      });
  BOOST_TEST(seeds_that_show_it > seeds / 2);
}

BOOST_AUTO_TEST_CASE(sync_warp_separates_lanes_of_its_mask_only)
{
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(2, 64, 256,
            [&]
            {
              simt::shared_memory memory;
              unsigned* const value = memory.array<unsigned>(64);
              const unsigned me = simt::thread_index();
              const unsigned half = simt::lane_index() < 12 ? 0xfffu : ~0xfffu;
              for (unsigned round = 0; round < (half == 0xfffu ? 5u : 8u); ++round)
              {
                value[me] = round;
                simt::sync_warp(half);
                const unsigned lane = half == 0xfffu ? (simt::lane_index() + 1) % 12 : 12 + (simt::lane_index() - 11) % 20;
                wrong += value[simt::warp_index() * 32 + lane] != round;
                simt::sync_warp(half);
              }
              simt::sync_warp();
            });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(named_barriers_join_producers_and_consumers)
{
  constexpr unsigned rounds = 6;
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(2, 128, 64,
            [&]
            {
              simt::shared_memory memory;
              unsigned* const slot = memory.array<unsigned>(2);
              const unsigned pair = simt::warp_index() / 2; // warps 0 and 1 use barriers 1, 2; warps 2 and 3 barriers 3, 4
              const bool producer = simt::warp_index() % 2 == 0;
              for (unsigned round = 0; round < rounds; ++round)
              {
                if (producer && simt::lane_index() == 0)
                {
                  slot[pair] = round + 100 * pair;
                }
                simt::sync_named(1 + 2 * pair, 64);
                wrong += !producer && slot[pair] != round + 100 * pair;
                simt::sync_named(2 + 2 * pair, 64);
              }
            });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(an_incomplete_last_warp_counts_as_a_whole_one)
{
  for_seeds(
      [&]
      {
        unsigned arrived = 0, wrong = 0;
        run(1, 40, 0,
            [&]
            {
              ++arrived;
              simt::sync_named(5, 64);
              wrong += arrived != 40;
            });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(sync_grid_separates_rounds_of_all_blocks)
{
  constexpr unsigned blocks = 5, threads = 40, rounds = 7;
  for_seeds(
      [&]
      {
        std::vector<unsigned> round_of(blocks * threads, 0);
        unsigned wrong = 0;
        run_together(blocks, threads, 0,
                     [&]
                     {
                       const unsigned me = simt::block_index() * threads + simt::thread_index();
                       for (unsigned round = 1; round <= rounds; ++round)
                       {
                         round_of[me] = round;
                         simt::sync_grid();
                         wrong += round_of[(me * 7 + 41) % round_of.size()] != round;
                         simt::sync_grid();
                       }
                     });
        BOOST_TEST(wrong == 0u);
        BOOST_TEST(emulator::last_launch().grid_barriers == blocks * threads * rounds * 2);
      });
}

BOOST_AUTO_TEST_CASE(sync_grid_is_for_cooperative_launches_that_all_threads_attend)
{
  for_seeds(
      [&]
      {
        std::string ordinary;
        try
        {
          run(2, 32, 0, [] { simt::sync_grid(); });
        }
        catch (const emulator::error& report)
        {
          ordinary = report.what();
        }
        check_contains(ordinary, "sync_grid in a launch that is not cooperative");
        const std::string absent = report_of(3, 32, 0,
                                             []
                                             {
                                               if (simt::block_index() != 1)
                                               {
                                                 simt::sync_grid();
                                               }
                                             });
        check_contains(absent, "sync_grid");
        const std::string stuck = report_of(2, 64, 0,
                                            []
                                            {
                                              if (simt::block_index() == 0 || simt::warp_index() == 0)
                                              {
                                                simt::sync_grid();
                                              }
                                              else
                                              {
                                                simt::sync_block();
                                              }
                                            });
        check_contains(stuck, "deadlock");
        check_contains(stuck, "sync_grid (96 of 128 threads of the grid arrived)");
      });
}

BOOST_AUTO_TEST_SUITE_END()
