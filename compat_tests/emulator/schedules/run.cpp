// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <reheat/detail/runtime/workspace.h>
#include <reheat/emulator.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <new>

#include <sys/mman.h>

extern "C" [[gnu::weak]] void* __tsan_create_fiber(unsigned flags); // null in programs without ThreadSanitizer

namespace schedules
{
namespace
{

// From the text of a report to a word for tables.
const char* kind_of(const char* report)
{
  constexpr struct
  {
    const char* text;
    const char* kind;
  } kinds[] = {
      {"deadlock", "deadlock"}, {"no progress", "deadlock"}, {"data race", "data race"}, {"never written", "never written"}};
  for (const auto& each : kinds)
  {
    if (std::strstr(report, each.text) != nullptr)
    {
      return each.kind;
    }
  }
  return "misuse";
}

} // namespace

const scenario* find_scenario(const char* name)
{
  for (const scenario& each : all_scenarios())
  {
    if (std::strcmp(each.name, name) == 0)
    {
      return &each;
    }
  }
  return nullptr;
}

bool runs_apart()
{
  return __tsan_create_fiber != nullptr;
}

bool process_is_full()
{
  // A run takes up to 46000 of the 65530 mappings that Linux gives a process: seven for each thread. It uses the threads of
  // the runs before, so those are no more together. ThreadSanitizer keeps a few of each fiber that is destroyed.
  constexpr int enough = 40000;
  if (!runs_apart())
  {
    return false;
  }
  std::ifstream maps("/proc/self/maps"); // a line for each
  return std::count(std::istreambuf_iterator<char>(maps), {}, '\n') > enough;
}

void* shared_memory(std::size_t bytes)
{
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
  {
    throw std::bad_alloc();
  }
  return memory;
}

finding run_once(const scenario& which, std::uint64_t seed)
{
  namespace emulator = reheat::emulator;
  draw choose(seed);
  emulator::properties device;
  // ThreadSanitizer takes up to seven of a process's 65530 mappings for each thread of a kernel.
  device.multiprocessors = 1 + static_cast<int>(choose.below(4)) / (__tsan_create_fiber != nullptr ? 2 : 1);
  device.blocks_per_multiprocessor = 1 + static_cast<int>(choose.below(2));
  emulator::set_device_properties(device);
  emulator::set_seed(seed);
  emulator::set_replay_command(std::string("reheat_schedules --schedules 1 --scenario ") + which.name);
  reheat::library::trim_workspaces();
  try
  {
    const std::string wrong = which.run(choose);
    return wrong.empty() ? finding{nothing, {}} : finding{"wrong result", wrong};
  }
  catch (const emulator::error& report)
  {
    return {kind_of(report.what()), report.what()};
  }
  catch (const std::exception& thrown)
  {
    return {"exception", thrown.what()};
  }
}

} // namespace schedules
