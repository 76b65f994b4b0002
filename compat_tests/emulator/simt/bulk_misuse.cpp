// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Each misuse of mbarriers, bulk copies and shared arrays is reported.
#include "run.h"

using namespace test;

namespace
{

alignas(16) unsigned global[64];

//! What a kernel of one thread needs; 256 bytes of stage.
struct layout
{
  simt::shared_memory memory;
  unsigned* stage = memory.array<unsigned>(64, 16);
  simt::mbarrier* barrier = memory.array<simt::mbarrier>(2);
};

} // namespace

BOOST_AUTO_TEST_SUITE(bulk_misuse)

BOOST_AUTO_TEST_CASE(an_mbarrier_used_before_it_is_initialised)
{
  int line = 0;
  const std::string who = thread_text(0, 0, 0);
  check_misuse(
      1, [&] { line = __LINE__, simt::mbarrier_arrive(*layout().barrier); }, "mbarrier_arrive on an mbarrier that was not",
      who, __FILE__, line);
  check_misuse(
      1, [&] { line = __LINE__, simt::mbarrier_wait(*layout().barrier, 0); }, "mbarrier_wait on an mbarrier that was not",
      who, __FILE__, line);
  check_misuse(
      1,
      [&]
      {
        const layout shared;
        line = __LINE__, simt::bulk_load(shared.stage, global, 16, *shared.barrier);
      },
      "bulk_load on an mbarrier that was not", who, __FILE__, line);
}

BOOST_AUTO_TEST_CASE(an_mbarrier_initialised_again_while_in_use)
{
  int line = 0;
  check_misuse(
      1,
      [&]
      {
        const layout shared;
        simt::mbarrier_init(*shared.barrier, 2);
        simt::mbarrier_init_fence();
        simt::mbarrier_arrive(*shared.barrier);
        line = __LINE__, simt::mbarrier_init(*shared.barrier, 2);
      },
      "mbarrier_init on an mbarrier in use", thread_text(0, 0, 0), __FILE__, line);
}

BOOST_AUTO_TEST_CASE(an_mbarrier_outside_shared_memory)
{
  int line = 0;
  simt::mbarrier elsewhere;
  check_misuse(
      1, [&] { line = __LINE__, simt::mbarrier_init(elsewhere, 1); }, "not in one of the block's shared arrays",
      thread_text(0, 0, 0), __FILE__, line);
}

BOOST_AUTO_TEST_CASE(more_arrivals_than_expected)
{
  int line = 0;
  check_misuse(
      1,
      [&]
      {
        const layout shared;
        simt::mbarrier_init(*shared.barrier, 1);
        simt::mbarrier_init_fence();
        simt::mbarrier_arrive_expect(*shared.barrier, 16);
        line = __LINE__, simt::mbarrier_arrive(*shared.barrier);
      },
      "one arrival more than the 1 per phase", thread_text(0, 0, 0), __FILE__, line);
}

BOOST_AUTO_TEST_CASE(copies_that_are_not_multiples_of_16)
{
  int line = 0;
  const std::string who = thread_text(0, 0, 0);
  const auto load = [&](unsigned to, unsigned from, unsigned bytes)
  {
    return [&line, to, from, bytes]
    {
      const layout shared;
      simt::mbarrier_init(*shared.barrier, 1);
      simt::mbarrier_init_fence();
      line = __LINE__, simt::bulk_load(shared.stage + to, global + from, bytes, *shared.barrier);
    };
  };
  check_misuse(1, load(0, 0, 24), "bulk_load: 24 bytes is not a multiple of 16", who, __FILE__, line);
  check_misuse(1, load(1, 0, 16), "bulk_load: the shared address", who, __FILE__, line);
  check_misuse(1, load(0, 2, 16), "bulk_load: the global address", who, __FILE__, line);
  check_misuse(
      1, [&] { line = __LINE__, simt::bulk_store(global, layout().stage, 4); }, "bulk_store: 4 bytes", who, __FILE__, line);
  check_misuse(
      1, [&] { line = __LINE__, simt::prefetch(global, 24); }, "prefetch: 24 bytes is not a multiple of 16", who, __FILE__,
      line);
  check_misuse(
      1, [&] { line = __LINE__, simt::prefetch(global + 1, 16); }, "prefetch: the global address", who, __FILE__, line);
}

BOOST_AUTO_TEST_CASE(copies_outside_the_shared_arrays)
{
  int line = 0;
  check_misuse(
      1,
      [&]
      {
        const layout shared;
        simt::mbarrier_init(*shared.barrier, 1);
        simt::mbarrier_init_fence();
        line = __LINE__, simt::bulk_load(shared.stage + 60, global, 32, *shared.barrier);
      },
      "bulk_load: 32 bytes", thread_text(0, 0, 0), __FILE__, line);
  check_misuse(
      1, [&] { line = __LINE__, simt::bulk_store(global + 16, global, 16); },
      "do not lie within one of the block's shared arrays", thread_text(0, 0, 0), __FILE__, line);
}

BOOST_AUTO_TEST_CASE(an_mbarrier_that_bulk_copies_do_not_know_of)
{
  alignas(16) unsigned char items[16] = {};
  int line = 0;
  check_misuse(
      1,
      [&]
      {
        layout shared;
        simt::mbarrier_init(*shared.barrier, 1);
        line = __LINE__, simt::bulk_load(shared.stage, items, 16, *shared.barrier);
      },
      "was not made known to bulk copies by mbarrier_init_fence", thread_text(0, 0, 0), __FILE__, line);
}

BOOST_AUTO_TEST_CASE(a_stage_reused_while_a_copy_uses_it)
{
  int line = 0;
  unsigned reported = 0;
  for_seeds(
      [&]
      {
        const std::string report = report_of(1, 1, 4096,
                                             [&]
                                             {
                                               const layout shared;
                                               simt::mbarrier_init(*shared.barrier, 1);
                                               simt::mbarrier_init_fence();
                                               simt::bulk_store(global, shared.stage, 64);
                                               simt::bulk_commit();
                                               simt::mbarrier_arrive_expect(*shared.barrier, 64);
                                               line = __LINE__, simt::bulk_load(shared.stage, global, 64, *shared.barrier);
                                               simt::mbarrier_wait(*shared.barrier, 0);
                                               simt::bulk_wait<0>();
                                             });
        if (report != "(nothing was reported)") // else the store had read in time
        {
          ++reported;
          check_contains(report, "bulk_load uses shared memory that the bulk_store started at");
          check_contains(report, line_text(__FILE__, line));
        }
      });
  BOOST_TEST(reported > seeds / 2);
}

BOOST_AUTO_TEST_CASE(stores_that_nobody_waits_for)
{
  int line = 0;
  check_misuse(
      32,
      [&]
      {
        const layout shared;
        if (simt::lane_index() == 6)
        {
          line = __LINE__, simt::bulk_store(global, shared.stage, 16);
          simt::bulk_commit();
        }
      },
      "bulk_wait_read or bulk_wait is missing", thread_text(0, 0, 6), __FILE__, line);
  check_misuse(
      1,
      [&]
      {
        const layout shared;
        line = __LINE__, simt::bulk_store(global, shared.stage, 16);
      },
      "the last group is not committed", thread_text(0, 0, 0), __FILE__, line);
}

BOOST_AUTO_TEST_CASE(a_block_that_ends_under_a_load)
{
  unsigned reported = 0;
  int line = 0;
  for_seeds(
      [&]
      {
        const std::string report = report_of(1, 1, 4096,
                                             [&]
                                             {
                                               const layout shared;
                                               simt::mbarrier_init(*shared.barrier, 1);
                                               simt::mbarrier_init_fence();
                                               line = __LINE__, simt::bulk_load(shared.stage, global, 64, *shared.barrier);
                                             });
        if (report != "(nothing was reported)") // else the copy was early
        {
          ++reported;
          check_contains(report, "the block ended while this bulk_load into its shared memory was in flight");
          check_contains(report, line_text(__FILE__, line));
        }
      });
  BOOST_TEST(reported > seeds / 2);
}

BOOST_AUTO_TEST_CASE(threads_that_ask_for_different_shared_arrays)
{
  int line = 0;
  check_misuse(
      32,
      [&]
      {
        simt::shared_memory memory;
        line = __LINE__, memory.array<unsigned>(simt::lane_index() == 11 ? 8 : 16);
      },
      "shared array 0 is", "warp 0, lane", __FILE__, line);
  check_misuse(
      32,
      [&]
      {
        simt::shared_memory memory;
        line = __LINE__, memory.array<unsigned>(16, simt::lane_index() == 11 ? 16 : 4);
      },
      "aligned to", "warp 0, lane", __FILE__, line);
}

BOOST_AUTO_TEST_CASE(more_shared_memory_than_launched_with)
{
  int line = 0;
  check_misuse(
      1,
      [&]
      {
        simt::shared_memory memory;
        memory.array<char>(3);
        line = __LINE__, memory.array<unsigned>(1024);
      },
      "shared array 1 of 4096 bytes at offset 4: the launch has only 4096 bytes", thread_text(0, 0, 0), __FILE__, line);
}

BOOST_AUTO_TEST_SUITE_END()
