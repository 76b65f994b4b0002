// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the race detector finds in small kernels, whatever the schedule: each order that is missing is reported, and the
//! same kernel with it is clean.
#include "../simt/run.h"

using namespace test;

namespace
{

//! Two warps; lane i of the one reads what lane i of the other wrote.
template <bool Barrier>
void exchange()
{
  simt::shared_memory memory;
  auto* const items = memory.array<unsigned>(64);
  items[simt::thread_index()] = simt::thread_index();
  if constexpr (Barrier)
  {
    simt::sync_block();
  }
  const unsigned other = items[simt::thread_index() ^ 32];
  simt::sync_block();
  items[simt::thread_index()] = other;
}

//! Three rounds in one array; the barrier before an overwrite may be missing.
template <bool Barrier>
void overwrite()
{
  simt::shared_memory memory;
  auto* const items = memory.array<unsigned>(64);
  unsigned sum = 0;
  for (unsigned round = 0; round < 3; ++round)
  {
    items[simt::thread_index()] = round;
    simt::sync_block();
    sum += items[simt::thread_index() ^ 32];
    if constexpr (Barrier)
    {
      simt::sync_block();
    }
  }
  simt::sync_block();
  items[simt::thread_index()] = sum;
}

template <bool Barrier>
void through_warp()
{
  simt::shared_memory memory;
  auto* const items = memory.array<unsigned>(32);
  items[simt::lane_index()] = simt::lane_index();
  (void)simt::shuffle(1u, 0); // all lanes meet, but memory is not ordered
  if constexpr (Barrier)
  {
    simt::sync_warp();
  }
  const unsigned other = items[simt::lane_index() ^ 1];
  simt::sync_warp();
  items[simt::lane_index()] = other;
}

enum class flag_order
{
  relaxed_store,
  relaxed_load,
  both_ordered
};

//! Block 0 hands a value to block 1 behind a flag.
template <flag_order Order>
void hand_over(std::uint64_t& flag, unsigned& value)
{
  if (simt::block_index() == 0)
  {
    value = 7;
    if constexpr (Order == flag_order::relaxed_store)
    {
      simt::store_relaxed(&flag, std::uint64_t{1});
    }
    else
    {
      simt::store_release(&flag, std::uint64_t{1});
    }
    return;
  }
  const auto up = [&]
  { return (Order == flag_order::relaxed_load ? simt::load_relaxed(&flag) : simt::load_acquire(&flag)) != 0; };
  while (!up())
  {
    simt::backoff();
  }
  value += 1;
}

enum class stage_fault
{
  none,
  no_wait_for_items,
  no_proxy_fence,
  no_barrier_before_store,
  written_under_store
};

//! A stage goes through a block: bulk load, every thread doubles its items, bulk store.
template <stage_fault Fault>
void through_stage(const unsigned* in, unsigned* out)
{
  simt::shared_memory memory;
  auto* const stage = memory.array<unsigned>(64, 128);
  auto* const full = memory.array<simt::mbarrier>(1);
  const unsigned thread = simt::thread_index();
  if (thread == 0)
  {
    simt::mbarrier_init(*full, 1);
    simt::mbarrier_init_fence();
  }
  simt::sync_block();
  if (thread == 0)
  {
    simt::mbarrier_arrive_expect(*full, 256);
    simt::bulk_load(stage, in, 256, *full);
  }
  if (Fault != stage_fault::no_wait_for_items || thread == 0)
  {
    simt::mbarrier_wait(*full, 0);
  }
  stage[thread] *= 2;
  if constexpr (Fault != stage_fault::no_proxy_fence)
  {
    simt::async_proxy_fence();
  }
  if constexpr (Fault != stage_fault::no_barrier_before_store)
  {
    simt::sync_block();
  }
  if (thread == 0)
  {
    simt::bulk_store(out, stage, 256);
    simt::bulk_commit();
    if constexpr (Fault != stage_fault::written_under_store)
    {
      simt::bulk_wait_read<0>();
    }
  }
  simt::sync_block();
  stage[thread] = 0;
  if (Fault == stage_fault::written_under_store && thread == 0)
  {
    simt::bulk_wait_read<0>();
  }
}

template <stage_fault Fault>
std::string stage_report()
{
  alignas(16) unsigned in[64] = {}, out[64] = {};
  return report_of(1, 64, 1024, [&] { through_stage<Fault>(in, out); });
}

template <flag_order Order>
std::string flag_report()
{
  std::uint64_t flag = 0;
  unsigned value = 0;
  return report_of(2, 1, 0, [&] { hand_over<Order>(flag, value); });
}

//! Every schedule shows it. A few suffice, and reports take their time.
constexpr unsigned few_seeds = 6;
template <class Report>
void check_race(Report report)
{
  for (unsigned seed = 1; seed <= few_seeds; ++seed)
  {
    emulator::set_seed(seed);
    const std::string text = report();
    check_contains(text, "data race");
    check_contains(text, "in kernel tested_kernel");
    check_contains(text, "replay: REHEAT_SEED=" + std::to_string(seed));
  }
}

template <class Report>
void check_clean(Report report)
{
  for_seeds([&] { BOOST_TEST(report() == "(nothing was reported)"); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(races)

BOOST_AUTO_TEST_CASE(a_missing_barrier_before_a_read)
{
  check_race([] { return report_of(2, 64, 1024, exchange<false>); });
  check_clean([] { return report_of(2, 64, 1024, exchange<true>); });
}

BOOST_AUTO_TEST_CASE(a_missing_barrier_before_an_overwrite)
{
  check_race([] { return report_of(2, 64, 1024, overwrite<false>); });
  check_clean([] { return report_of(2, 64, 1024, overwrite<true>); });
}

BOOST_AUTO_TEST_CASE(a_shuffle_taken_for_a_barrier)
{
  check_race([] { return report_of(1, 32, 1024, through_warp<false>); });
  check_clean([] { return report_of(1, 32, 1024, through_warp<true>); });
}

BOOST_AUTO_TEST_CASE(a_flag_stored_without_release)
{
  check_race(flag_report<flag_order::relaxed_store>);
}

BOOST_AUTO_TEST_CASE(a_flag_loaded_without_acquire)
{
  check_race(flag_report<flag_order::relaxed_load>);
  check_clean(flag_report<flag_order::both_ordered>);
}

BOOST_AUTO_TEST_CASE(items_read_before_their_bulk_load_is_complete)
{
  check_race(stage_report<stage_fault::no_wait_for_items>);
  check_clean(stage_report<stage_fault::none>);
}

BOOST_AUTO_TEST_CASE(a_bulk_store_without_a_proxy_fence)
{
  check_race(stage_report<stage_fault::no_proxy_fence>);
}

BOOST_AUTO_TEST_CASE(a_bulk_store_without_a_barrier)
{
  check_race(stage_report<stage_fault::no_barrier_before_store>);
}

BOOST_AUTO_TEST_CASE(a_stage_written_while_a_bulk_store_reads_it)
{
  check_race(stage_report<stage_fault::written_under_store>);
}

BOOST_AUTO_TEST_CASE(blocks_that_follow_each_other_share_no_shared_memory)
{
  check_clean([] { return report_of(40, 64, 1024, exchange<true>); });
}

BOOST_AUTO_TEST_SUITE_END()

extern "C" __attribute__((visibility("default"), used)) const char* __tsan_default_options()
{
  return "suppress_equal_stacks=0:suppress_equal_addresses=0:exitcode=0";
}
