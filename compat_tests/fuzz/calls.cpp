// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Any bytes as a sequence of calls on the emulator (random_calls.hpp), by themselves, in graphs and across ranks.
//! Schedules, streams, device and failing calls of the machine are drawn from them, too. Each result is compared with the
//! host's.

#include "../support/random_calls.hpp"

#include <reheat/across/thread_ranks.h>
#include <reheat/emulator.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace compat;

namespace
{

constexpr std::size_t max_items = 4000;
constexpr unsigned max_calls = 6;

class bytes final : public drawn::choices
{
public:
  bytes(const std::uint8_t* data, std::size_t size) : next_(data), end_(data + size) {}
  bool are_left() const { return next_ != end_; }
  std::uint32_t next() override
  {
    std::uint32_t word = 0;
    for (int i = 0; i < 2 && next_ != end_; ++i)
    {
      word = word << 8 | *next_++;
    }
    return word;
  }

private:
  const std::uint8_t *next_, *end_;
};

[[noreturn]] void fail(const std::string& what)
{
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

std::vector<drawn::caller_ptr> make_callers()
{
  std::vector<drawn::caller_ptr> callers;
  for (const auto make : {&drawn::family_of_u8, &drawn::family_of_u32, &drawn::segments_of_u32, &drawn::device_of_u32,
                          &drawn::selections, &drawn::options})
  {
    callers.push_back(make(max_items));
  }
  return callers;
}

//! Up to three calls before the first is looked at. In each, a call of the machine may fail.
void make_calls(drawn::choices& choose, const std::vector<drawn::caller_ptr>& callers, drawn::output_space& space,
                reheat::stream_type where)
{
  std::vector<std::unique_ptr<drawn::call>> calls;
  space.begin();
  for (unsigned count = 1 + choose.below(3); calls.size() < count && space.has_room();)
  {
    calls.push_back(callers[choose.below(static_cast<std::uint32_t>(callers.size()))]->draw(choose, space, false));
  }
  space.clear(where);
  std::vector<bool> refused;
  for (const auto& each : calls)
  {
    const bool machine_fails = choose.one_in(4);
    each->prepare(where);
    reheat::emulator::fail_host_call(machine_fails ? 1 + choose.below(12) : 0);
    refused.push_back(false);
    try
    {
      each->make(where);
    }
    catch (const std::exception& error)
    {
      refused.back() = reheat::emulator::host_call_has_failed() || each->allocator_throws();
      if (!refused.back())
      {
        fail(each->described() + ": " + error.what());
      }
    }
    reheat::emulator::fail_no_host_call();
  }
  space.fetch(where);
  for (std::size_t i = 0; i < calls.size(); ++i)
  {
    const std::string wrong = refused[i] ? "" : calls[i]->check();
    if (!wrong.empty())
    {
      fail(wrong);
    }
  }
}

//! Up to three calls in a graph, which is cloned, replayed on changing input, and used again after the calls of another
//! graph and of the stream itself.
void make_graph(drawn::choices& choose, const std::vector<drawn::caller_ptr>& callers, drawn::output_space& space,
                reheat::stream_type where)
{
  std::vector<std::unique_ptr<drawn::call>> calls;
  space.begin();
  for (unsigned count = 1 + choose.below(3); calls.size() < count && space.has_room();)
  {
    calls.push_back(callers[choose.below(static_cast<std::uint32_t>(callers.size()))]->draw(choose, space, true));
  }
  const bool machine_fails = choose.one_in(8), clones = choose.one_in(2);
  std::string refused;
  where->begin_capture();
  reheat::emulator::fail_host_call(machine_fails ? 1 + choose.below(24) : 0);
  try
  {
    for (const auto& each : calls)
    {
      each->make(where);
    }
  }
  catch (const std::exception& error)
  {
    refused = error.what();
  }
  const bool failed = reheat::emulator::host_call_has_failed();
  reheat::emulator::fail_no_host_call();
  reheat::emulator::graph captured = where->end_capture();
  if (!refused.empty())
  {
    failed ? void() : fail("a capture: " + refused);
    return;
  }
  if (clones)
  {
    const reheat::emulator::graph original = std::move(captured);
    captured = original;
  }
  for (unsigned round = 0, rounds = 1 + choose.below(3); round < rounds; ++round)
  {
    if (choose.one_in(8))
    {
      reheat::trim_workspaces();
    }
    space.clear(where);
    for (const auto& each : calls)
    {
      each->change_input(choose);
      each->prepare(where);
    }
    captured.launch(where);
    space.fetch(where);
    for (const auto& each : calls)
    {
      const std::string wrong = each->check();
      if (!wrong.empty())
      {
        fail("in a graph, " + wrong);
      }
    }
  }
}

//! The same calls on two ranks, which are threads.
void make_calls_across(std::uint64_t seed)
{
  static drawn::output_space spaces[2] = {drawn::output_space(drawn::bytes_for(max_items)),
                                          drawn::output_space(drawn::bytes_for(max_items))};
  reheat::thread_group group(2);
  const auto run_rank = [&](int rank)
  {
    try
    {
      reheat::thread_ranks ranks(group, rank);
      const drawn::caller_ptr caller = drawn::across(ranks, max_items);
      drawn::generator choose(seed);
      stream where;
      for (int round = 0; round < 3; ++round)
      {
        spaces[rank].begin();
        const std::unique_ptr<drawn::call> call = caller->draw(choose, spaces[rank], false);
        spaces[rank].clear(where.get());
        call->make(where.get());
        spaces[rank].fetch(where.get());
        const std::string wrong = call->check();
        if (!wrong.empty())
        {
          fail(wrong);
        }
      }
    }
    catch (const std::exception& error)
    {
      fail("rank " + std::to_string(rank) + " threw: " + error.what());
    }
  };
  std::thread other(run_rank, 1);
  run_rank(0);
  other.join();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  static const std::vector<drawn::caller_ptr> callers = make_callers();
  static drawn::output_space space(drawn::bytes_for(max_items));
  bytes choose(data, size);
  // Nothing is left of the input before.
  reheat::trim_workspaces();
  reheat::emulator::set_seed(choose.next());
  reheat::emulator::properties device;
  device.multiprocessors = 1 + static_cast<int>(choose.below(4));
  device.blocks_per_multiprocessor = 1 + static_cast<int>(choose.below(3));
  reheat::emulator::set_device_properties(device);
  stream streams[3];
  for (unsigned i = 0; i < max_calls && choose.are_left(); ++i)
  {
    if (choose.one_in(16))
    {
      reheat::trim_workspaces();
    }
    if (choose.one_in(16))
    {
      make_calls_across(choose.next());
    }
    const auto make = choose.one_in(4) ? &make_graph : &make_calls;
    make(choose, callers, space, streams[choose.below(3)].get());
  }
  return 0;
}
