// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! mbarriers and bulk copies: phases, bytes, late completion, groups of stores.
#include "run.h"

#include <numeric>
#include <vector>

using namespace test;

namespace
{

constexpr unsigned stage_items = 64;
constexpr unsigned stage_bytes = stage_items * 4;

std::vector<unsigned> numbers(std::size_t count)
{
  std::vector<unsigned> made(count);
  std::iota(made.begin(), made.end(), 1u);
  return made;
}

} // namespace

BOOST_AUTO_TEST_SUITE(bulk_copies)

BOOST_AUTO_TEST_CASE(a_phase_completes_with_its_last_arrival)
{
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(2, 96, 64,
            [&]
            {
              simt::shared_memory memory;
              simt::mbarrier* const full = memory.array<simt::mbarrier>(1);
              unsigned* const arrived = memory.array<unsigned>(1);
              if (simt::thread_index() == 0)
              {
                simt::mbarrier_init(*full, 64);
                *arrived = 0;
                simt::mbarrier_init_fence();
              }
              simt::sync_block();
              for (unsigned phase = 0; phase < 7; ++phase)
              {
                if (simt::warp_index() < 2)
                {
                  ++*arrived;
                  simt::mbarrier_arrive(*full);
                }
                simt::mbarrier_wait(*full, phase % 2);
                wrong += *arrived != 64 * (phase + 1);
                simt::sync_block();
              }
            });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(the_phase_before_the_first_counts_as_complete)
{
  run(1, 32, 16,
      []
      {
        simt::shared_memory memory;
        simt::mbarrier* const empty = memory.array<simt::mbarrier>(1);
        if (simt::lane_index() == 0)
        {
          simt::mbarrier_init(*empty, 1);
          simt::mbarrier_init_fence();
        }
        simt::sync_warp();
        simt::mbarrier_wait(*empty, 1);
      });
  BOOST_TEST(emulator::last_launch().mbarrier_waits == 32u);
}

BOOST_AUTO_TEST_CASE(a_loaded_stage_is_complete_after_the_wait)
{
  const std::vector<unsigned> input = numbers(stage_items * 4);
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(4, 64, stage_bytes + 64,
            [&]
            {
              simt::shared_memory memory;
              unsigned* const stage = memory.array<unsigned>(stage_items, 128);
              simt::mbarrier* const full = memory.array<simt::mbarrier>(1);
              if (simt::thread_index() == 0)
              {
                simt::mbarrier_init(*full, 1);
                simt::mbarrier_init_fence();
              }
              simt::sync_block();
              if (simt::thread_index() == 0)
              {
                const unsigned* const from = input.data() + simt::block_index() * stage_items;
                simt::mbarrier_arrive_expect(*full, stage_bytes);
                simt::bulk_load(stage, from, stage_bytes / 2, *full);
                simt::bulk_load(stage + stage_items / 2, from + stage_items / 2, stage_bytes / 2, *full);
              }
              simt::mbarrier_wait(*full, 0);
              wrong += stage[simt::thread_index()] != simt::block_index() * stage_items + simt::thread_index() + 1;
              simt::sync_block();
            });
        BOOST_TEST(wrong == 0u);
        BOOST_TEST(emulator::last_launch().bulk_loaded_bytes == input.size() * 4);
      });
}

BOOST_AUTO_TEST_CASE(a_load_reads_global_memory_late_under_some_seed)
{
  unsigned late = 0;
  for_seeds(
      [&]
      {
        alignas(16) unsigned source[4] = {1, 1, 1, 1};
        run(1, 1, 64,
            [&]
            {
              simt::shared_memory memory;
              unsigned* const stage = memory.array<unsigned>(4, 16);
              simt::mbarrier* const full = memory.array<simt::mbarrier>(1);
              simt::mbarrier_init(*full, 1);
              simt::mbarrier_init_fence();
              simt::mbarrier_arrive_expect(*full, 16);
              simt::bulk_load(stage, source, 16, *full);
              source[0] = 2; // a race in a real kernel
              simt::mbarrier_wait(*full, 0);
              late += stage[0] == 2;
            });
      });
  BOOST_TEST(late > seeds / 2);
}

BOOST_AUTO_TEST_CASE(a_store_is_read_late_and_written_later)
{
  unsigned read_late = 0, written_late = 0;
  for_seeds(
      [&]
      {
        alignas(16) unsigned target[4] = {0, 0, 0, 0};
        run(1, 1, 64,
            [&]
            {
              simt::shared_memory memory;
              unsigned* const stage = memory.array<unsigned>(4, 16);
              stage[0] = 1;
              simt::async_proxy_fence();
              simt::bulk_store(target, stage, 16);
              simt::bulk_commit();
              stage[0] = 2; // a race in a real kernel
              simt::bulk_wait_read<0>();
              stage[0] = 3;
              written_late += target[0] == 0;
              simt::bulk_wait<0>();
              read_late += target[0] == 2;
            });
        BOOST_TEST((target[0] == 1 || target[0] == 2));
      });
  BOOST_TEST(read_late > seeds / 4);
  BOOST_TEST(written_late > seeds / 4);
}

BOOST_AUTO_TEST_CASE(a_store_whose_reads_were_waited_for_may_outlive_its_thread)
{
  for_seeds(
      [&]
      {
        std::vector<unsigned> output(stage_items * 9, 0);
        run(9, 32, stage_bytes,
            [&]
            {
              simt::shared_memory memory;
              unsigned* const stage = memory.array<unsigned>(stage_items, 16);
              const unsigned first = simt::block_index() * stage_items;
              for (unsigned i = simt::lane_index(); i < stage_items; i += 32)
              {
                stage[i] = first + i + 1;
              }
              simt::async_proxy_fence();
              simt::sync_warp();
              if (simt::lane_index() == 0)
              {
                simt::bulk_store(output.data() + first, stage, stage_bytes);
                simt::bulk_commit();
                simt::bulk_wait_read<0>();
              }
            });
        BOOST_TEST((output == numbers(output.size())));
      });
}

BOOST_AUTO_TEST_CASE(waits_leave_the_latest_groups_pending)
{
  for_seeds(
      [&]
      {
        alignas(16) unsigned target[5][4] = {};
        unsigned wrong = 0;
        run(1, 1, 128,
            [&]
            {
              simt::shared_memory memory;
              unsigned* const stage = memory.array<unsigned>(20, 16);
              for (unsigned k = 0; k < 5; ++k)
              {
                stage[4 * k] = k + 1;
                simt::bulk_store(target[k], stage + 4 * k, 16);
                simt::bulk_commit();
                simt::bulk_wait<2>();
                wrong += k >= 2 && target[k - 2][0] != k - 1;
              }
              simt::bulk_wait<0>();
              wrong += target[4][0] != 5;
            });
        BOOST_TEST(wrong == 0u);
        BOOST_TEST(emulator::last_launch().bulk_stored_bytes == 80u);
      });
}

// The shape of the streaming scan: a producer warp, consumers, a ring of stages, in-place work, bulk stores.
BOOST_AUTO_TEST_CASE(a_ring_of_stages_streams_tiles_in_order)
{
  constexpr unsigned stages = 3, tiles = 11;
  const std::vector<unsigned> input = numbers(stage_items * tiles);
  for_seeds(
      [&]
      {
        std::vector<unsigned> output(input.size(), 0);
        run(1, 96, stages * stage_bytes + 128,
            [&]
            {
              simt::shared_memory memory;
              unsigned* const ring = memory.array<unsigned>(stages * stage_items, 128);
              simt::mbarrier* const full = memory.array<simt::mbarrier>(stages);
              simt::mbarrier* const empty = memory.array<simt::mbarrier>(stages);
              if (simt::thread_index() == 0)
              {
                for (unsigned s = 0; s < stages; ++s)
                {
                  simt::mbarrier_init(full[s], 1);
                  simt::mbarrier_init(empty[s], 1);
                }
                simt::mbarrier_init_fence();
              }
              simt::sync_block();
              for (unsigned t = 0; t < tiles; ++t)
              {
                const unsigned s = t % stages, parity = t / stages % 2;
                unsigned* const stage = ring + s * stage_items;
                if (simt::warp_index() == 2)
                {
                  if (simt::lane_index() == 0)
                  {
                    simt::mbarrier_wait(empty[s], 1 - parity);
                    simt::mbarrier_arrive_expect(full[s], stage_bytes);
                    simt::bulk_load(stage, input.data() + t * stage_items, stage_bytes, full[s]);
                  }
                  continue;
                }
                simt::mbarrier_wait(full[s], parity);
                stage[simt::thread_index()] *= 2;
                simt::async_proxy_fence();
                simt::sync_named(1, 64);
                if (simt::thread_index() == 0)
                {
                  simt::bulk_store(output.data() + t * stage_items, stage, stage_bytes);
                  simt::bulk_commit();
                  simt::bulk_wait_read<0>();
                  simt::mbarrier_arrive(empty[s]);
                }
              }
            });
        unsigned wrong = 0;
        for (std::size_t i = 0; i < output.size(); ++i)
        {
          wrong += output[i] != 2 * input[i];
        }
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_SUITE_END()
