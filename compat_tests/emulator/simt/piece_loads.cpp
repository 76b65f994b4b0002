// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Copies of 16 bytes that threads start on their own: late completion, the arrival that counts them, misuse.
#include "run.h"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace test;

namespace
{

constexpr unsigned vector_items = 4, threads = 40, turns = 3;
constexpr unsigned stage_items = threads * turns * vector_items, stage_bytes = stage_items * sizeof(unsigned);

alignas(16) unsigned global[64];

struct layout
{
  simt::shared_memory memory;
  unsigned* stage = memory.array<unsigned>(stage_items, 16);
  simt::mbarrier* barrier = memory.array<simt::mbarrier>(1);

  //! One thread calls.
  void init(unsigned arrivals) const { simt::mbarrier_init(*barrier, arrivals); }
};
constexpr unsigned shared_bytes = stage_bytes + sizeof(simt::mbarrier);

//! The thread's share of a stage.
void load(const layout& shared, const unsigned* from)
{
  for (unsigned turn = 0; turn < turns; ++turn)
  {
    const unsigned at = (turn * threads + simt::thread_index()) * vector_items;
    simt::vec16_load(shared.stage + at, from + at);
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(piece_loads)

BOOST_AUTO_TEST_CASE(a_stage_is_complete_when_all_who_load_it_have_arrived)
{
  std::vector<unsigned> input(2 * stage_items);
  std::iota(input.begin(), input.end(), 1u);
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(3, threads, shared_bytes,
            [&]
            {
              const layout shared;
              if (simt::thread_index() == 0)
              {
                shared.init(threads);
              }
              simt::sync_block();
              for (unsigned round = 0; round < 2; ++round)
              {
                load(shared, input.data() + round * stage_items);
                simt::mbarrier_arrive_loaded(*shared.barrier);
                simt::mbarrier_wait(*shared.barrier, round);
                for (unsigned i = simt::thread_index(); i < stage_items; i += threads)
                {
                  wrong += shared.stage[i] != round * stage_items + i + 1;
                }
                simt::sync_block();
              }
            });
        BOOST_TEST(wrong == 0u);
        BOOST_TEST(emulator::last_launch().piece_loads == 3u * 2 * turns * threads);
      });
}

BOOST_AUTO_TEST_CASE(pieces_come_at_once_or_late)
{
  std::uint64_t least = ~std::uint64_t{0}, most = 0; // switches: the thread sleeps if it has to wait
  for_seeds(
      [&]
      {
        run(1, 1, shared_bytes,
            []
            {
              const layout shared;
              shared.init(1);
              simt::vec16_load(shared.stage, global);
              simt::mbarrier_arrive_loaded(*shared.barrier);
              simt::mbarrier_wait(*shared.barrier, 0);
            });
        least = std::min(least, emulator::last_launch().switches);
        most = std::max(most, emulator::last_launch().switches);
      });
  BOOST_TEST(least < most);
}

BOOST_AUTO_TEST_CASE(an_arrival_after_no_load_is_like_any_other)
{
  run(1, threads, shared_bytes,
      []
      {
        const layout shared;
        if (simt::thread_index() == 0)
        {
          shared.init(threads);
        }
        simt::sync_block();
        simt::mbarrier_arrive_loaded(*shared.barrier);
        simt::mbarrier_wait(*shared.barrier, 0);
      });
  BOOST_TEST(emulator::last_launch().piece_loads == 0u);
}

BOOST_AUTO_TEST_CASE(a_plain_arrival_does_not_wait_for_pieces)
{
  unsigned early = 0;
  for_seeds(
      [&]
      {
        run(1, 1, shared_bytes,
            [&]
            {
              const layout shared;
              shared.init(1);
              simt::vec16_load(shared.stage, global);
              simt::mbarrier_arrive(*shared.barrier);
              simt::mbarrier_wait(*shared.barrier, 0);
              ++early;
              simt::mbarrier_arrive_loaded(*shared.barrier);
              simt::mbarrier_wait(*shared.barrier, 1);
            });
      });
  BOOST_TEST(early == seeds);
}

BOOST_AUTO_TEST_CASE(misuse_is_reported)
{
  int line = 0;
  const std::string who = thread_text(0, 0, 0);
  const auto at = [&line](unsigned to, unsigned from)
  {
    return [&line, to, from]
    {
      const layout shared;
      line = __LINE__, simt::vec16_load(shared.stage + to, global + from);
    };
  };
  check_misuse(1, at(1, 0), "vec16_load: the shared address", who, __FILE__, line);
  check_misuse(1, at(0, 2), "vec16_load: the global address", who, __FILE__, line);
  check_misuse(1, at(stage_items, 0), "do not lie within one of the block's shared arrays", who, __FILE__, line);
  check_misuse(1, at(0, 0), "without mbarrier_arrive_loaded after its latest 1 vec16_loads", who, __FILE__, line);
  check_misuse(
      1,
      [&]
      {
        const layout shared;
        shared.init(1);
        simt::vec16_load(shared.stage, global);
        line = __LINE__, simt::vec16_load(shared.stage, global);
      },
      "uses shared memory that a vec16_load has not finished writing", who, __FILE__, line);
  check_misuse(
      1,
      [&]
      {
        const layout shared;
        shared.init(1);
        simt::vec16_load(shared.stage, global);
        line = __LINE__, simt::bulk_store(global, shared.stage, 16);
      },
      "uses shared memory that a vec16_load has not finished writing", who, __FILE__, line);
  check_misuse(
      1, [&] { line = __LINE__, simt::mbarrier_arrive_loaded(*layout().barrier); },
      "mbarrier_arrive_loaded on an mbarrier that was not", who, __FILE__, line);
}

BOOST_AUTO_TEST_CASE(a_block_that_ends_before_its_pieces_have_come)
{
  int line = 0;
  unsigned reported = 0;
  for_seeds(
      [&]
      {
        const std::string report = report_of(1, 1, shared_bytes,
                                             [&]
                                             {
                                               const layout shared;
                                               shared.init(2);
                                               simt::vec16_load(shared.stage, global);
                                               line = __LINE__, simt::mbarrier_arrive_loaded(*shared.barrier);
                                             });
        if (report != "(nothing was reported)")
        {
          ++reported;
          check_contains(report, "the block ended while vec16_loads counted here were in flight");
          check_contains(report, line_text(__FILE__, line));
        }
      });
  BOOST_TEST(reported > seeds / 4);
}

BOOST_AUTO_TEST_SUITE_END()
