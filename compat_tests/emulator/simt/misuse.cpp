// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Each misuse of barriers, shuffles and votes is reported with its kernel, block, warp, lane, line and seed, under every
//! seed.
#include "run.h"

using namespace test;

BOOST_AUTO_TEST_SUITE(misuse)

BOOST_AUTO_TEST_CASE(a_shuffle_that_names_an_exited_lane)
{
  int line = 0;
  check_misuse(
      64,
      [&]
      {
        if (simt::thread_index() == 37)
        {
          return;
        }
        if (simt::warp_index() == 1)
        {
          line = __LINE__, simt::shuffle_down(simt::lane_index(), 1);
        }
      },
      "shuffle_down", "block 0, warp 1, lane", __FILE__, line);
}

BOOST_AUTO_TEST_CASE(a_launch_that_starts_early_and_does_not_wait_for_earlier_work)
{
  std::uint32_t word = 7;
  for_seeds(
      [&]
      {
        int line = 0;
        const std::string early = report_of_early(3, 64,
                                                  [&]
                                                  {
                                                    if (simt::block_index() == 1 && simt::thread_index() == 5)
                                                    {
                                                      line = __LINE__, simt::load_relaxed(&word);
                                                    }
                                                    simt::grid_dependency_wait();
                                                  });
        check_contains(early, "an access to global memory before grid_dependency_wait");
        check_contains(early, thread_text(1, 0, 5));
        check_contains(early, line_text(__FILE__, line));
        const std::string never = report_of_early(3, 64,
                                                  []
                                                  {
                                                    if (simt::block_index() != 2 || simt::thread_index() != 40)
                                                    {
                                                      simt::grid_dependency_wait();
                                                    }
                                                  });
        check_contains(never, "a thread exits without grid_dependency_wait");
        check_contains(never, thread_text(2, 1, 8));
        const std::string in_time = report_of_early(3, 64,
                                                    [&]
                                                    {
                                                      simt::grid_dependency_wait();
                                                      simt::trigger_dependent_launch();
                                                      simt::load_relaxed(&word);
                                                    });
        check_contains(in_time, "(nothing was reported)");
        const std::string passed_on = report_of_early(3, 64,
                                                      [&]
                                                      {
                                                        line = __LINE__, simt::trigger_dependent_launch();
                                                        simt::grid_dependency_wait();
                                                      });
        check_contains(passed_on, "trigger_dependent_launch before grid_dependency_wait");
        check_contains(passed_on, line_text(__FILE__, line));
      });
  run(2, 32, 0, [&] { simt::load_relaxed(&word); }); // of others nobody asks for it
}

BOOST_AUTO_TEST_CASE(a_vote_that_names_an_exited_lane)
{
  int line = 0;
  check_misuse(
      32,
      [&]
      {
        if (simt::lane_index() != 3)
        {
          line = __LINE__, simt::ballot(true);
        }
      },
      "lane 3", "kernel tested_kernel, block 0, warp 0, lane", __FILE__, line);
}

BOOST_AUTO_TEST_CASE(a_vote_that_names_a_lane_that_never_existed)
{
  int line = 0;
  check_misuse(
      40,
      [&]
      {
        if (simt::thread_index() == 39)
        {
          line = __LINE__, simt::any(true, 0x1ffu);
        }
      },
      "any for lanes 000001ff names lane 8, which does not exist in this block of 40 threads", thread_text(0, 1, 7),
      __FILE__, line);
}

BOOST_AUTO_TEST_CASE(a_caller_outside_its_own_mask)
{
  int line = 0;
  check_misuse(
      32,
      [&]
      {
        if (simt::lane_index() == 9)
        {
          line = __LINE__, simt::sync_warp(0xffu);
        }
      },
      "sync_warp for lanes 000000ff by a lane that is not among them", thread_text(0, 0, 9), __FILE__, line);
}

BOOST_AUTO_TEST_CASE(lanes_of_one_mask_in_different_operations)
{
  int line = 0;
  check_misuse(
      32, [&] { line = __LINE__, simt::lane_index() == 4 ? simt::ballot(true) : simt::shuffle(1u, 0); },
      "waits for this lane in", "kernel tested_kernel, block 0, warp 0, lane", __FILE__, line);
}

BOOST_AUTO_TEST_CASE(lanes_that_name_each_other_by_different_masks)
{
  int line = 0;
  check_misuse(
      32,
      [&]
      {
        if (simt::lane_index() < 2)
        {
          line = __LINE__, simt::sync_warp(simt::lane_index() == 0 ? 3u : 7u);
        }
        else if (simt::lane_index() == 2)
        {
          simt::sync_warp(7u);
        }
      },
      "waits for this lane in sync_warp", "warp 0, lane", __FILE__, line);
}

BOOST_AUTO_TEST_CASE(a_shuffle_from_a_lane_outside_the_mask)
{
  int line = 0;
  check_misuse(
      32,
      [&]
      {
        if (simt::lane_index() < 4)
        {
          line = __LINE__, simt::shuffle(1u, simt::lane_index() == 2 ? 5 : 0, 0xfu);
        }
      },
      "shuffle for lanes 0000000f: lane 2 reads from lane 5, which is not among them", "warp 0, lane", __FILE__, line);
}

BOOST_AUTO_TEST_CASE(a_lane_at_the_block_barrier_that_others_shuffle_with)
{
  int line = 0;
  check_misuse(
      32,
      [&]
      {
        if (simt::lane_index() == 7)
        {
          simt::sync_block();
        }
        line = __LINE__, simt::shuffle(1u, 0);
      },
      "lane", "warp 0, lane", __FILE__, line);
}

BOOST_AUTO_TEST_CASE(a_thread_that_exits_while_others_wait_in_sync_block)
{
  int line = 0;
  check_misuse(
      64,
      [&]
      {
        if (simt::thread_index() != 45)
        {
          line = __LINE__, simt::sync_block();
        }
      },
      "sync_block", "kernel tested_kernel, block 0, warp", __FILE__, line);
}

BOOST_AUTO_TEST_CASE(thread_counts_of_named_barriers)
{
  int line = 0;
  const auto named = [&](unsigned id, unsigned threads)
  { return [&line, id, threads] { line = __LINE__, simt::sync_named(id, threads); }; };
  check_misuse(64, named(2, 48), "48 threads at barrier 2", "warp", __FILE__, line);
  check_misuse(64, named(2, 96), "96 threads at barrier 2; it takes whole warps of a block of 64 threads", "warp", __FILE__,
               line);
  check_misuse(64, named(0, 64), "barrier 0 is not one of 1", "warp", __FILE__, line);
  check_misuse(64, named(16, 64), "barrier 16 is not one of 1", "warp", __FILE__, line);
  check_misuse(
      96, [&] { line = __LINE__, simt::sync_named(3, simt::warp_index() == 1 ? 64 : 96); }, "but the first to arrive",
      "warp", __FILE__, line);
}

BOOST_AUTO_TEST_CASE(parts_of_warps_at_a_named_barrier)
{
  int line = 0;
  check_misuse(
      64,
      [&]
      {
        if (simt::lane_index() < 16)
        {
          line = __LINE__, simt::sync_named(1, 32);
        }
      },
      "it takes whole warps", "warp", __FILE__, line);
}

BOOST_AUTO_TEST_CASE(words_in_pairs_at_an_odd_address)
{
  int line = 0;
  alignas(16) std::uint64_t row[4] = {};
  check_misuse(
      1,
      [&]
      {
        std::uint64_t word[2];
        line = __LINE__, simt::load_words_relaxed<2>(row + 1, word);
      },
      "2 words, which travel in pairs", thread_text(0, 0, 0), __FILE__, line);
}

BOOST_AUTO_TEST_CASE(calls_outside_of_kernels)
{
  BOOST_CHECK_THROW(simt::sync_block(), emulator::error);
  BOOST_CHECK_THROW(simt::backoff(), emulator::error);
  BOOST_TEST(simt::thread_index() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
