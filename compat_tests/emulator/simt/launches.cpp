// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The host's side: what a launch accepts, exceptions out of kernels, recovery, streams, properties; shared memory's
//! contents and bounds.
#include "run.h"

#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace test;

namespace
{

void launch_works()
{
  unsigned sum = 0;
  run(5, 64, 0,
      [&]
      {
        simt::sync_block();
        sum += simt::thread_index();
      });
  BOOST_TEST(sum == 5u * 2016);
}

#if defined(__SANITIZE_ADDRESS__)
//! What a child process prints when the kernel runs into AddressSanitizer.
template <class Kernel>
std::string sanitizer_report_of(Kernel kernel)
{
  int ends[2];
  BOOST_REQUIRE(pipe(ends) == 0);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0)
  {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    (void)report_of(3, 64, 4096, kernel);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t got = read(ends[0], part, sizeof(part)); got > 0; got = read(ends[0], part, sizeof(part)))
  {
    text.append(part, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  BOOST_TEST(status != 0);
  return text;
}
#endif

} // namespace

BOOST_AUTO_TEST_SUITE(launches)

BOOST_AUTO_TEST_CASE(shapes_the_device_cannot_run_are_refused)
{
  const auto nothing = [] {};
  check_contains(report_of(0, 32, 0, nothing), "launch of tested_kernel: a grid of 0 blocks");
  check_contains(report_of(1, 0, 0, nothing), "0 threads per block");
  check_contains(report_of(1, 1025, 0, nothing), "1025 threads per block");
  check_contains(report_of(1, 32, 227 * 1024 + 1, nothing), "the device has 232448");
  check_contains(report_of(1, 1, 0, [&] { run(1, 1, 0, nothing); }), "from within a kernel");
  launch_works();
}

BOOST_AUTO_TEST_CASE(exceptions_of_a_kernel_reach_the_host)
{
  for_seeds(
      [&]
      {
        BOOST_CHECK_EXCEPTION(run(9, 64, 0,
                                  [&]
                                  {
                                    simt::sync_block();
                                    if (simt::block_index() == 4 && simt::thread_index() == 33)
                                    {
                                      throw std::length_error("from the kernel");
                                    }
                                    simt::sync_block();
                                  }),
                              std::length_error,
                              [](const std::length_error& e) { return !std::strcmp(e.what(), "from the kernel"); });
        launch_works();
      });
}

BOOST_AUTO_TEST_CASE(errors_thrown_by_a_kernel_get_its_position)
{
  const std::string report = report_of(1, 64, 0,
                                       []
                                       {
                                         if (simt::thread_index() == 40)
                                         {
                                           throw emulator::error("mine");
                                         }
                                       });
  check_contains(report, "mine\n  escaped from " + thread_text(0, 1, 8));
}

BOOST_AUTO_TEST_CASE(exceptions_may_be_caught_inside_a_kernel)
{
  for_seeds(
      [&]
      {
        unsigned caught = 0;
        run(3, 64, 0,
            [&]
            {
              try
              {
                simt::sync_warp();
                throw static_cast<int>(simt::thread_index());
              }
              catch (const int value)
              {
                caught += value == static_cast<int>(simt::thread_index());
              }
              simt::sync_block();
            });
        BOOST_TEST(caught == 3u * 64);
      });
}

BOOST_AUTO_TEST_CASE(reports_pass_through_noexcept_functions_and_catch_blocks)
{
  const auto kernel = []
  {
    try
    {
      throw 1;
    }
    catch (int)
    {
      [&]() noexcept { simt::sync_warp(0); }();
    }
  };
  for (unsigned round = 0; round < 20; ++round)
  {
    check_contains(report_of(3, 64, 0, kernel), "sync_warp for lanes 00000000 by a lane that is not among them");
    BOOST_TEST(std::uncaught_exceptions() == 0);
    BOOST_TEST((std::current_exception() == nullptr));
    launch_works();
  }
}

BOOST_AUTO_TEST_CASE(streams_record_launches_and_synchronisations)
{
  emulator::stream mine;
  emulator::default_stream()->clear();
  const auto body = [](void*) {};
  emulator::launch(&mine, {"first", 1, 1, 0}, body, nullptr);
  emulator::launch(&mine, {nullptr, 1, 1, 0}, body, nullptr);
  emulator::launch(nullptr, {"third", 1, 1, 0}, body, nullptr);
  emulator::synchronize(&mine);
  emulator::synchronize(nullptr);
  emulator::synchronize(emulator::default_stream());
  BOOST_TEST((mine.launches() == std::vector<std::string>{"first", "(unnamed kernel)"}));
  BOOST_TEST(mine.synchronisation_count() == 1u);
  BOOST_TEST((emulator::default_stream()->launches() == std::vector<std::string>{"third"}));
  BOOST_TEST(emulator::default_stream()->synchronisation_count() == 2u);
  mine.clear();
  BOOST_TEST(mine.launch_count() == 0u);
}

BOOST_AUTO_TEST_CASE(captured_launches_run_with_their_graphs)
{
  emulator::stream mine;
  unsigned sum = 0;
  struct addition
  {
    unsigned* sum;
    unsigned operand;
  };
  const auto body = [](void* argument)
  {
    const addition& add = *static_cast<addition*>(argument);
    *add.sum = 10 * *add.sum + add.operand;
  };
  const emulator::argument_copier copy = [](const void* argument) -> std::shared_ptr<void>
  { return std::make_shared<addition>(*static_cast<const addition*>(argument)); };
  unsigned forgotten = 0;
  mine.begin_capture();
  for (unsigned i = 1; i < 3; ++i)
  {
    addition add{&sum, i};
    emulator::launch(&mine, {"captured", 1, 1, 0}, body, &add, copy);
  }
  mine.captured()->retain([](void* count) { ++*static_cast<unsigned*>(count); }, &forgotten);
  BOOST_CHECK_THROW(mine.begin_capture(), emulator::error);
  addition lost{&sum, 3};
  BOOST_CHECK_THROW(emulator::launch(&mine, {"lost", 1, 1, 0}, body, &lost), emulator::error);
  {
    const emulator::graph captured = mine.end_capture(), clone = captured;
    BOOST_CHECK_THROW(mine.end_capture(), emulator::error);
    BOOST_TEST(captured.node_count() == 2u);
    BOOST_TEST(sum == 0u);
    captured.launch(&mine);
    clone.launch(nullptr);
    BOOST_TEST(sum == 1212u);
    BOOST_TEST(forgotten == 0u);
  }
  BOOST_TEST(forgotten == 1u);
}

BOOST_AUTO_TEST_CASE(properties_bound_the_resident_blocks)
{
  const emulator::properties usual = emulator::device_properties();
  BOOST_TEST(emulator::resident_blocks(128, 200 * 1024) == 3u);
  BOOST_TEST(emulator::resident_blocks(1024, 0) == 6u);
  emulator::set_device_properties({1, 40, 64 * 1024});
  BOOST_TEST(emulator::resident_blocks(1024, 0) == 2u);
  BOOST_TEST(emulator::resident_blocks(32, 10 * 1024) == 5u);
  BOOST_TEST(emulator::resident_blocks(32, 0) == 40u);
  check_contains(report_of(1, 1, 65 * 1024, [] {}), "the device has 65536");
  launch_works();
  emulator::set_device_properties(usual);
  BOOST_CHECK_THROW(emulator::set_device_properties({0, 1, 0}), emulator::error);
}

BOOST_AUTO_TEST_CASE(blocks_of_1024_threads_and_other_stacks_work)
{
  const std::size_t usual = emulator::stack_bytes();
  for (const std::size_t bytes : {usual, 4 * usual, usual})
  {
    emulator::set_stack_bytes(bytes);
    unsigned count = 0;
    run(8, 1024, 0,
        [&]
        {
          volatile unsigned char deep[20000];
          deep[0] = 1;
          simt::sync_block();
          count += deep[0];
        });
    BOOST_TEST(count == 8u * 1024);
  }
}

BOOST_AUTO_TEST_CASE(shared_arrays_start_with_a_pattern_and_keep_their_alignment)
{
  for_seeds(
      [&]
      {
        unsigned wrong = 0;
        run(13, 32, 1024,
            [&]
            {
              simt::shared_memory memory;
              unsigned char* const bytes = memory.array<unsigned char>(5);
              unsigned* const aligned = memory.array<unsigned>(100, 128);
              wrong += reinterpret_cast<std::uintptr_t>(aligned) % 128 != 0;
              wrong += memory.array<double>(2) == nullptr;
              wrong += bytes[4] != 0xa5 || aligned[99] != 0xa5a5a5a5u;
              simt::sync_block();
              bytes[4] = 1;
              aligned[99] = 2;
            });
        BOOST_TEST(wrong == 0u);
      });
}

BOOST_AUTO_TEST_CASE(writing_out_of_bounds_is_reported)
{
  const auto kernel = []
  {
    simt::shared_memory memory;
    unsigned* volatile const array = memory.array<unsigned>(10);
    simt::sync_block();
    if (simt::block_index() == 1 && simt::thread_index() == 50)
    {
      array[10] = 7;
    }
  };
#if defined(__SANITIZE_ADDRESS__)
  const std::string report = sanitizer_report_of(kernel);
  check_contains(report, "AddressSanitizer error in kernel tested_kernel, block 1, warp 1, lane 18 ");
  check_contains(report, "use-after-poison");
  check_contains(report, "launches.cpp:" + std::to_string(__LINE__ - 7));
  check_contains(report, "REHEAT_SEED=");
#else
  check_contains(report_of(3, 64, 4096, kernel), "the block wrote 0 bytes behind its shared array 0 of 40 bytes");
  check_contains(report_of(3, 64, 4096, kernel), "kernel tested_kernel, block 1,");
#endif
}

BOOST_AUTO_TEST_CASE(reading_a_stage_before_its_load_is_complete_is_seen)
{
  alignas(16) static unsigned source[4] = {1, 1, 1, 1};
  unsigned early = 0;
  const auto kernel = [&]
  {
    simt::shared_memory memory;
    unsigned* const stage = memory.array<unsigned>(4, 16);
    simt::mbarrier* const full = memory.array<simt::mbarrier>(1);
    if (simt::thread_index() == 0)
    {
      simt::mbarrier_init(*full, 1);
      simt::mbarrier_init_fence();
      simt::bulk_load(stage, source, 16, *full);
      early += *static_cast<volatile unsigned*>(stage) == 0xa5a5a5a5u;
      simt::mbarrier_arrive_expect(*full, 16);
      simt::mbarrier_wait(*full, 0);
    }
  };
#if defined(__SANITIZE_ADDRESS__)
  check_contains(sanitizer_report_of(kernel), "use-after-poison");
#else
  for_seeds([&] { run(1, 32, 64, kernel); });
  BOOST_TEST(early > seeds / 2);
#endif
}

#if defined(__SANITIZE_ADDRESS__)
#  define REHEAT_END_OF_GLOBAL_MEMORY copies_beyond_global_memory_are_reported_at_their_call
#else
#  define REHEAT_END_OF_GLOBAL_MEMORY copies_take_every_byte_of_global_memory
#endif
BOOST_AUTO_TEST_CASE(REHEAT_END_OF_GLOBAL_MEMORY)
{
  const std::vector<unsigned> source(64, 5);
  const auto kernel = [&](unsigned bytes)
  {
    return [&source, bytes]
    {
      simt::shared_memory memory;
      unsigned* const stage = memory.array<unsigned>(128, 16);
      simt::mbarrier* const full = memory.array<simt::mbarrier>(1);
      simt::mbarrier_init(*full, 1);
      simt::mbarrier_init_fence();
      simt::mbarrier_arrive_expect(*full, bytes);
      simt::bulk_load(stage, source.data(), bytes, *full);
      simt::mbarrier_wait(*full, 0);
    };
  };
  run(1, 1, 1024, kernel(256));
#if defined(__SANITIZE_ADDRESS__)
  check_contains(report_of(1, 1, 1024, kernel(272)), "byte 256 is out of bounds or freed");
#endif
}

BOOST_AUTO_TEST_SUITE_END()
