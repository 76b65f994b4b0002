// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reads of bytes that nobody wrote, and other accesses that no build without the instrument notices, end the launch with a
//! report.
#include "watch.hpp"

using namespace compat;
using test::check_contains;
using test::line_text;
using test::report_of;

namespace
{

//! Under every seed the report says what, who, which line of this file, and how to replay it.
template <class Kernel>
void check_reported(unsigned block_threads, Kernel kernel, const std::string& what, const std::string& who, const int& line)
{
  test::for_seeds(
      [&]
      {
        const std::string report = report_of(1, block_threads, 4096, kernel);
        check_contains(report, what);
        check_contains(report, who);
        check_contains(report, line_text(file_name(__FILE__), line));
        check_contains(report, "\n  replay: ");
      });
}

//! Twice the item, from a line of its own.
inline constexpr int doubled_line = __LINE__ + 3;
inline unsigned doubled(const unsigned* item)
{
  return 2 * *item;
}

//! Waits for a while until `word` is not zero: the other block may not be resident.
template <class Word>
void meet(Word& word)
{
  for (unsigned i = 0; i < 50 && simt::load_acquire(&word) == 0; ++i)
  {
    simt::backoff();
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(accesses)
BOOST_AUTO_TEST_SUITE(never_written)

BOOST_AUTO_TEST_CASE(a_shared_read_of_what_was_never_written_is_reported_with_thread_and_line)
{
  int line = 0;
  const auto kernel = [&]
  {
    simt::shared_memory memory;
    auto* const numbers = memory.array<unsigned>(64);
    auto* const items = memory.array<unsigned>(64);
    numbers[simt::thread_index()] = 1;
    if (simt::thread_index() != 37)
    {
      items[simt::thread_index()] = 2;
    }
    simt::sync_block();
    if (simt::thread_index() == 36)
    {
      line = __LINE__ + 1;
      keep(unsigned(items[simt::thread_index() + 1]));
    }
  };
  check_reported(64, kernel, "shared array 1: a read of 4 bytes at byte 148: byte 148 was never written",
                 test::thread_text(0, 1, 4), line);
}

BOOST_AUTO_TEST_CASE(padding_of_values_in_shared_memory_may_be_read_and_their_members_may_not)
{
  struct padded
  {
    unsigned char small;
    unsigned large;
  };
  bool all = true;
  const auto kernel = [&]
  {
    simt::shared_memory memory;
    auto* const values = memory.array<padded>(2);
    values[1].small = 1;
    if (all)
    {
      values[1].large = 2;
    }
    keep(bytes_of<8>(*reinterpret_cast<bytes_of<8>*>(&values[1])));
  };
  run_thread(kernel);
  all = false;
  check_contains(report_of(1, 1, 64, kernel), "a read of 8 bytes at byte 8: byte 12 was never written");
}

BOOST_AUTO_TEST_CASE(each_block_finds_shared_memory_never_written)
{
  const std::string report = report_of(20, 32, 256,
                                       []
                                       {
                                         simt::shared_memory memory;
                                         auto* const items = memory.array<unsigned>(32);
                                         if (simt::block_index() != 19)
                                         {
                                           items[simt::thread_index()] = 1;
                                         }
                                         keep(unsigned(items[simt::thread_index()]));
                                       });
  check_contains(report, "was never written");
  check_contains(report, "block 19, warp 0, lane");
}

BOOST_AUTO_TEST_CASE(a_global_read_of_what_was_never_written_is_reported)
{
  unsigned long items[8] = {};
  const watched_range memory(items, sizeof(items), content::never_written, "scratch");
  int line = 0;
  const auto kernel = [&]
  {
    if (simt::thread_index() == 9)
    {
      items[0] = 1;
      keep(unsigned(items[0]));
      line = __LINE__ + 1;
      keep(bytes_of<16>(*reinterpret_cast<bytes_of<16>*>(items)));
    }
  };
  check_reported(32, kernel, "scratch: a read of 16 bytes at byte 0: byte 8 was never written", test::thread_text(0, 0, 9),
                 line);
}

BOOST_AUTO_TEST_CASE(atomics_and_memcpy_read_too)
{
  unsigned long items[2] = {};
  unsigned long copy[2] = {};
  const watched_range memory(items, sizeof(items), content::never_written, "scratch");
  check_contains(report_of(1, 1, 0, [&] { keep(__atomic_load_n(&items[1], __ATOMIC_RELAXED)); }), "byte 8 was never");
  check_contains(report_of(1, 1, 0, [&] { keep(__atomic_fetch_add(&items[1], 1, __ATOMIC_RELAXED)); }), "byte 8 was never");
  int line = 0;
  const auto copies = [&]
  {
    line = __LINE__ + 1;
    std::memcpy(copy, items, sizeof(items));
    keep(copy);
  };
  const std::string report = report_of(1, 1, 0, copies);
  check_contains(report, "byte 0 was never");
  check_contains(report, line_text(file_name(__FILE__), line));
  run_thread([&] { std::memset(items, 0, sizeof(items)); });
  run_thread([&] { std::memcpy(copy, items, sizeof(items)); });
}

BOOST_AUTO_TEST_CASE(a_bulk_store_of_what_was_never_written_is_reported)
{
  int line = 0;
  alignas(16) unsigned char out[64] = {};
  const auto kernel = [&]
  {
    simt::shared_memory memory;
    auto* const items = memory.array<unsigned>(16, 16);
    if (simt::thread_index() < 15)
    {
      items[simt::thread_index()] = 1;
    }
    simt::async_proxy_fence();
    simt::sync_block();
    if (simt::thread_index() == 0)
    {
      line = __LINE__ + 1;
      simt::bulk_store(out, items, sizeof(out));
      simt::bulk_commit();
      simt::bulk_wait<0>();
    }
  };
  check_reported(32, kernel, "bulk_store from shared array 0: a read of 64 bytes at byte 0: byte 60 was never written",
                 test::thread_text(0, 0, 0), line);
}

BOOST_AUTO_TEST_CASE(a_stage_may_be_read_when_its_bulk_load_is_complete_and_not_before)
{
  alignas(16) unsigned in[16] = {};
  const auto load = [&](bool waits)
  {
    simt::shared_memory memory;
    auto* const items = memory.array<unsigned>(16, 16);
    auto* const full = memory.array<simt::mbarrier>(1);
    items[simt::thread_index()] = 1; // what a stage held before counts no more
    simt::async_proxy_fence();
    simt::sync_block();
    if (simt::thread_index() == 0)
    {
      simt::mbarrier_init(*full, 1);
      simt::mbarrier_init_fence();
      simt::mbarrier_arrive_expect(*full, sizeof(in));
      simt::bulk_load(items, in, sizeof(in), *full);
      if (waits)
      {
        simt::mbarrier_wait(*full, 0);
      }
      keep(unsigned(items[15]));
      simt::mbarrier_wait(*full, 0);
    }
  };
  unsigned reported = 0;
  test::for_seeds(
      [&]
      {
        test::run(1, 16, 1024, [&] { load(true); });
        reported += report_of(1, 16, 1024, [&] { load(false); }).find("never written") != std::string::npos;
      });
  BOOST_TEST(reported > test::seeds / 2); // unless the scheduler happened to complete it
}

BOOST_AUTO_TEST_CASE(a_read_that_leaves_watched_memory_is_reported)
{
  unsigned items[4] = {};
  const watched_range memory(items, 12, content::written, "three items");
  int line = 0;
  const auto kernel = [&]
  {
    keep(bytes_of<12>(*reinterpret_cast<bytes_of<12>*>(items)));
    line = __LINE__ + 1;
    keep(bytes_of<8>(*reinterpret_cast<bytes_of<8>*>(items + 2)));
  };
  check_reported(1, kernel, "three items: a read of 8 bytes at byte 8 leaves it", test::thread_text(0, 0, 0), line);
}

BOOST_AUTO_TEST_CASE(another_blocks_shared_memory_is_out_of_bounds)
{
  for (const bool writes : {false, true})
  {
    unsigned reported = 0;
    test::for_seeds(
        [&]
        {
          std::uintptr_t of_block_0 = 0;
          unsigned finished = 0;
          const std::string report = report_of(2, 1, 64,
                                               [&]
                                               {
                                                 simt::shared_memory memory;
                                                 auto* const items = memory.array<unsigned>(1);
                                                 if (simt::block_index() == 0)
                                                 {
                                                   *items = 1;
                                                   simt::store_release(&of_block_0, reinterpret_cast<std::uintptr_t>(items));
                                                   meet(finished);
                                                   return;
                                                 }
                                                 meet(of_block_0);
                                                 auto* const others = reinterpret_cast<unsigned*>(of_block_0);
                                                 if (others != nullptr && writes)
                                                 {
                                                   *others = 2;
                                                 }
                                                 else if (others != nullptr)
                                                 {
                                                   keep(unsigned(*others));
                                                 }
                                                 simt::store_release(&finished, 1u);
                                               });
          const char* const access = writes ? "a write" : "a read";
          reported += report.find("shared array 0: " + std::string(access) + " by another block than its own, 0") !=
                      std::string::npos;
        });
    BOOST_TEST(reported > 0u); // where block 0 is still there
  }
}

BOOST_AUTO_TEST_CASE(accesses_before_an_early_launch_has_waited_for_earlier_work_are_reported)
{
  for (const bool writes : {false, true})
  {
    unsigned item = 0;
    const watched_range memory(&item, sizeof(item), content::written, "item");
    const auto touch = [&]
    {
      if (writes)
      {
        *static_cast<volatile unsigned*>(&item) = 1;
      }
      else
      {
        keep(unsigned(item));
      }
    };
    const std::string before = test::report_of_early(1, 1,
                                                     [&]
                                                     {
                                                       touch();
                                                       simt::grid_dependency_wait();
                                                     });
    check_contains(before, std::string("item: a ") + (writes ? "write" : "read") + " before grid_dependency_wait");
    const std::string after = test::report_of_early(1, 1,
                                                    [&]
                                                    {
                                                      simt::grid_dependency_wait();
                                                      touch();
                                                    });
    check_contains(after, "(nothing was reported)");
  }
}

BOOST_AUTO_TEST_CASE(a_report_names_every_line_of_inlined_code)
{
  unsigned item = 0;
  const watched_range memory(&item, sizeof(item), content::never_written, "item");
  int line = 0;
  const std::string report = report_of(1, 1, 0,
                                       [&]
                                       {
                                         line = __LINE__ + 1;
                                         keep(doubled(&item));
                                       });
  const std::size_t inner = report.find(line_text(file_name(__FILE__), doubled_line) + "\n  inlined at ");
  BOOST_REQUIRE(inner != std::string::npos);
  check_contains(report.substr(inner), line_text(file_name(__FILE__), line));
}

BOOST_AUTO_TEST_CASE(after_a_report_launches_work_and_arrays_are_new)
{
  for (unsigned i = 0; i < 3; ++i)
  {
    const auto kernel = [](bool writes)
    {
      simt::shared_memory memory;
      auto* const items = memory.array<unsigned>(32);
      if (writes)
      {
        items[simt::thread_index()] = 1;
      }
      keep(unsigned(items[simt::thread_index()]));
    };
    check_contains(report_of(1, 32, 256, [&] { kernel(false); }), "was never written");
    run_warp([&] { kernel(true); });
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
