// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Schedules: repeatable from the seed, different between seeds; deadlocks and livelocks are reported.
#include "run.h"

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

using namespace test;

namespace
{

struct step
{
  unsigned block, thread;
  bool operator==(const step& other) const { return block == other.block && thread == other.thread; }
};

//! Which thread came when, in a kernel with every kind of call.
std::vector<step> trace()
{
  std::vector<step> steps;
  std::uint32_t counter = 0;
  run(9, 64, 64,
      [&]
      {
        const auto note = [&] { steps.push_back({simt::block_index(), simt::thread_index()}); };
        note();
        simt::sync_block();
        note();
        (void)simt::shuffle(1u, 0);
        note();
        simt::fetch_add(&counter, 1u);
        note();
        while (simt::load_relaxed(&counter) < 64)
        {
          simt::backoff();
        }
        note();
      });
  return steps;
}

} // namespace

BOOST_AUTO_TEST_SUITE(schedules)

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_run)
{
  for_seeds(
      [&]
      {
        const std::uint64_t seed = emulator::seed();
        const std::vector<step> first = trace();
        const std::uint64_t first_hash = emulator::last_launch().schedule_hash;
        const std::vector<step> second = trace(); // the next launch has a schedule of its own
        emulator::set_seed(seed);
        BOOST_TEST((trace() == first));
        BOOST_TEST(emulator::last_launch().schedule_hash == first_hash);
        BOOST_TEST((trace() == second));
        BOOST_TEST((first != second));
      });
}

BOOST_AUTO_TEST_CASE(different_seeds_give_different_orders_of_blocks_warps_and_lanes)
{
  std::set<std::uint64_t> hashes;
  std::set<unsigned> first_block, first_warp, first_lane, last_block;
  unsigned warp_runs_alone = 0, lanes_mix = 0;
  for_seeds(
      [&]
      {
        const std::vector<step> steps = trace();
        hashes.insert(emulator::last_launch().schedule_hash);
        first_block.insert(steps.front().block);
        last_block.insert(steps.back().block);
        first_warp.insert(steps.front().thread / 32);
        first_lane.insert(steps.front().thread % 32);
        unsigned changes = 0; // of warp, over the first 128 steps
        for (std::size_t i = 1; i < 128; ++i)
        {
          changes += steps[i].block != steps[i - 1].block || steps[i].thread / 32 != steps[i - 1].thread / 32;
        }
        warp_runs_alone += changes < 10;
        lanes_mix += changes > 40;
      });
  BOOST_TEST(hashes.size() == seeds);
  BOOST_TEST(first_block.size() >= 4u);
  BOOST_TEST(last_block.size() >= 2u);
  BOOST_TEST(first_warp.size() == 2u);
  BOOST_TEST(first_lane.size() >= 12u);
  BOOST_TEST(warp_runs_alone > 5u);
  BOOST_TEST(lanes_mix > 3u);
}

//! In which order blocks started.
std::vector<unsigned> starts()
{
  std::vector<unsigned> order;
  run(12, 32, 0,
      [&]
      {
        if (simt::lane_index() == 0 && std::find(order.begin(), order.end(), simt::block_index()) == order.end())
        {
          order.push_back(simt::block_index());
        }
      });
  return order;
}

BOOST_AUTO_TEST_CASE(blocks_start_in_any_order)
{
  unsigned ascending = 0, last_first = 0, other = 0;
  for_seeds(
      [&]
      {
        const std::vector<unsigned> order = starts();
        BOOST_TEST(order.size() == 12u);
        const bool up = std::is_sorted(order.begin(), order.end());
        ascending += up;
        last_first += std::is_sorted(order.rbegin(), order.rend());
        other += !up && order.front() != 11;
      });
  BOOST_TEST(ascending > 2u);
  BOOST_TEST(last_first > 2u);
  BOOST_TEST(other > 10u);
}

BOOST_AUTO_TEST_CASE(lanes_warps_and_blocks_are_stalled_until_all_others_are_done)
{
  unsigned lane_last = 0, warp_last = 0, block_last = 0;
  for_seeds(
      [&]
      {
        std::vector<step> ends;
        std::uint32_t counter = 0;
        run_together(3, 64, 0,
                     [&]
                     {
                       for (unsigned i = 0; i < 20; ++i)
                       {
                         simt::fetch_add(&counter, 1u);
                       }
                       ends.push_back({simt::block_index(), simt::thread_index()});
                     });
        // How far from the end the first thread of that lane's, warp's or block's kind is.
        const step last = ends.back();
        const auto from_end = [&](auto same)
        {
          unsigned count = 0;
          while (count < ends.size() && same(ends[ends.size() - 1 - count]))
          {
            ++count;
          }
          return count;
        };
        const unsigned of_lane = from_end([&](const step& s) { return s == last; });
        const unsigned of_warp =
            from_end([&](const step& s) { return s.block == last.block && s.thread / 32 == last.thread / 32; });
        const unsigned of_block = from_end([&](const step& s) { return s.block == last.block; });
        lane_last += of_lane == 1 && of_warp == 1;
        warp_last += of_warp == 32;
        block_last += of_block == 64;
      });
  BOOST_TEST(lane_last > 2u);
  BOOST_TEST(warp_last > 2u);
  BOOST_TEST(block_last > 2u);
}

BOOST_AUTO_TEST_CASE(reports_name_the_command_that_runs_them_again)
{
  emulator::set_replay_command("program --case 7");
  const std::string report = report_of(1, 32, 0,
                                       []
                                       {
                                         if (simt::lane_index() == 0)
                                         {
                                           simt::sync_warp(1u << 1);
                                         }
                                       });
  emulator::set_replay_command("");
  check_contains(report, "replay: program --case 7 --seed " + std::to_string(emulator::seed()));
}

BOOST_AUTO_TEST_CASE(cooperative_grids_that_do_not_fit_are_refused)
{
  BOOST_CHECK_EXCEPTION(run_together(7, 32, 0, [] {}), emulator::error,
                        [](const emulator::error& report) {
                          return std::string(report.what()).find("a cooperative grid of 7 blocks; the device holds 6") !=
                                 std::string::npos;
                        });
}

BOOST_AUTO_TEST_CASE(a_deadlock_is_reported_with_who_waits_for_what)
{
  int barrier_line = 0, poll_line = 0, named_line = 0, phase_line = 0;
  for_seeds(
      [&]
      {
        std::uint32_t never = 0;
        const std::string report = report_of(2, 128, 64,
                                             [&]
                                             {
                                               simt::shared_memory memory;
                                               simt::mbarrier* const full = memory.array<simt::mbarrier>(1);
                                               if (simt::thread_index() == 0)
                                               {
                                                 simt::mbarrier_init(*full, 2);
                                                 simt::mbarrier_init_fence();
                                                 simt::mbarrier_arrive_expect(*full, 16);
                                               }
                                               simt::sync_block();
                                               switch (simt::warp_index())
                                               {
                                                 case 0:
                                                   barrier_line = __LINE__, simt::sync_block();
                                                   break;
                                                 case 1:
                                                   while (simt::load_relaxed(&never) == 0)
                                                   {
                                                     poll_line = __LINE__, simt::backoff();
                                                   }
                                                   break;
                                                 case 2:
                                                   named_line = __LINE__, simt::sync_named(4, 64);
                                                   break;
                                                 default:
                                                   phase_line = __LINE__, simt::mbarrier_wait(*full, 0);
                                               }
                                             });
        check_contains(report, "deadlock: no thread can go on\n  in kernel tested_kernel (grid of 2 blocks of 128 threads");
        check_contains(report,
                       "warp 0, lane 0-31: sync_block (32 of 128 threads arrived) at " + line_text(__FILE__, barrier_line));
        check_contains(report, "warp 1, lane 0-31: polls at " + line_text(__FILE__, poll_line));
        check_contains(report,
                       "warp 2, lane 0-31: sync_named 4 (32 of 64 threads arrived) at " + line_text(__FILE__, named_line));
        check_contains(report, "1 of 2 arrivals and 16 bytes missing) at " + line_text(__FILE__, phase_line));
        check_contains(report, "replay: REHEAT_SEED=" + std::to_string(emulator::seed()) + ", launch 0");
        BOOST_TEST((report.find("block 0, 1:") != std::string::npos || report.find("block 1, 0:") != std::string::npos),
                   report);
      });
}

BOOST_AUTO_TEST_CASE(blocks_that_wait_for_one_that_cannot_become_resident_deadlock)
{
  std::uint32_t arrived = 0;
  const std::string report = report_of(20, 32, 0,
                                       [&]
                                       {
                                         if (simt::lane_index() == 0)
                                         {
                                           simt::fetch_add(&arrived, 1u);
                                         }
                                         while (simt::load_relaxed(&arrived) < 20)
                                         {
                                           simt::backoff();
                                         }
                                       });
  check_contains(report, " started, 0 ended");
}

BOOST_AUTO_TEST_CASE(a_polling_loop_without_backoff_is_reported_in_the_end)
{
  std::uint32_t never = 0;
  const std::string report = report_of(1, 32, 0,
                                       [&]
                                       {
                                         while (simt::load_relaxed(&never) == 0)
                                         {
                                           simt::sync_warp();
                                         }
                                       });
  check_contains(report, "no progress");
  check_contains(report, "schedules.cpp");
}

BOOST_AUTO_TEST_CASE(long_waits_that_end_are_no_deadlock)
{
  for_seeds(
      [&]
      {
        std::uint32_t flag = 0;
        run_together(2, 32, 0,
                     [&]
                     {
                       if (simt::block_index() == 1)
                       {
                         for (unsigned i = 0; i < 300; ++i)
                         {
                           simt::backoff();
                         }
                         simt::store_release(&flag, 1u);
                       }
                       while (simt::load_acquire(&flag) == 0)
                       {
                         simt::backoff();
                       }
                     });
      });
  BOOST_TEST(emulator::last_launch().polls >= 300u * 32);
}

BOOST_AUTO_TEST_CASE(two_os_threads_launch_at_once)
{
  unsigned wrong[2] = {0, 0};
  std::uint32_t shared_counter = 0;
  const auto work = [&](unsigned which)
  {
    for (unsigned round = 0; round < 40; ++round)
    {
      std::uint32_t count = 0;
      run(8, 64, 0,
          [&]
          {
            const unsigned before = simt::fetch_add(&count, 1u);
            simt::fetch_add(&shared_counter, 1u);
            simt::sync_block();
            wrong[which] += before >= 8 * 64;
          });
      wrong[which] += count != 8 * 64 || emulator::last_launch().atomics != 2 * 8 * 64;
    }
  };
  std::thread other(work, 1u);
  work(0);
  other.join();
  BOOST_TEST(wrong[0] == 0u);
  BOOST_TEST(wrong[1] == 0u);
  BOOST_TEST(shared_counter == 2u * 40 * 8 * 64);
}

BOOST_AUTO_TEST_SUITE_END()
