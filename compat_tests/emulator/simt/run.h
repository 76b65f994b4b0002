// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Launching a lambda on the emulator, under many seeds, and catching its reports.
#pragma once

#include <reheat/detail/simt/simt.cuh>
#include <reheat/emulator.h>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace test
{

namespace simt = reheat::simt;
namespace emulator = reheat::emulator;

inline constexpr unsigned seeds = 60;

//! Nothing may be checked inside a kernel: the framework would leave a fiber by an exception of its own.
template <class Kernel>
void run(unsigned grid_blocks, unsigned block_threads, std::size_t shared_bytes, Kernel kernel,
         const char* name = "tested_kernel")
{
  emulator::launch(
      nullptr, {name, grid_blocks, block_threads, shared_bytes}, [](void* body) { (*static_cast<Kernel*>(body))(); },
      &kernel);
}

//! With all blocks resident at once.
template <class Kernel>
void run_together(unsigned grid_blocks, unsigned block_threads, std::size_t shared_bytes, Kernel kernel)
{
  emulator::launch(
      nullptr, {"tested_kernel", grid_blocks, block_threads, shared_bytes, true},
      [](void* body) { (*static_cast<Kernel*>(body))(); }, &kernel);
}

//! That starts before earlier work is done. The emulator's report, if there is one.
template <class Kernel>
std::string report_of_early(unsigned grid_blocks, unsigned block_threads, Kernel kernel)
{
  try
  {
    emulator::launch(
        nullptr, {"tested_kernel", grid_blocks, block_threads, 0, false, true, true},
        [](void* body) { (*static_cast<Kernel*>(body))(); }, &kernel);
  }
  catch (const emulator::error& report)
  {
    return report.what();
  }
  return "(nothing was reported)";
}

//! The emulator's report of a launch that must end with one. Its blocks are resident together if they fit.
template <class Kernel>
std::string report_of(unsigned grid_blocks, unsigned block_threads, std::size_t shared_bytes, Kernel kernel)
{
  try
  {
    if (grid_blocks <= emulator::resident_blocks(block_threads, shared_bytes))
    {
      run_together(grid_blocks, block_threads, shared_bytes, kernel);
    }
    else
    {
      run(grid_blocks, block_threads, shared_bytes, kernel);
    }
  }
  catch (const emulator::error& report)
  {
    return report.what();
  }
  return "(nothing was reported)";
}

template <class Body>
void for_seeds(Body body)
{
  for (unsigned seed = 1; seed <= seeds; ++seed)
  {
    emulator::set_seed(seed);
    BOOST_TEST_CONTEXT("REHEAT_SEED=" << seed)
    {
      body();
    }
  }
}

//! "file.cpp:12" of this file.
inline std::string line_text(const char* file, int line)
{
  return std::string(file) + ":" + std::to_string(line);
}

inline void check_contains(const std::string& report, const std::string& part)
{
  BOOST_TEST(report.find(part) != std::string::npos, "'" << part << "' is missing in:\n" << report);
}

//! Which warp and lane the kernel's thread is, as reports write it.
inline std::string thread_text(unsigned block, unsigned warp, unsigned lane)
{
  return "kernel tested_kernel, block " + std::to_string(block) + ", warp " + std::to_string(warp) + ", lane " +
         std::to_string(lane) + " ";
}

//! Misuse whose place does not depend on the schedule: the report names what, who, the line and the seed.
template <class Kernel>
void check_misuse(unsigned block_threads, Kernel kernel, const std::string& what, const std::string& who, const char* file,
                  const int& line)
{
  for_seeds(
      [&]
      {
        const std::string report = report_of(1, block_threads, 4096, kernel);
        check_contains(report, what);
        check_contains(report, who);
        check_contains(report, line_text(file, line));
        check_contains(report, "REHEAT_SEED=" + std::to_string(emulator::seed()));
      });
}

} // namespace test
