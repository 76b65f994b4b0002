// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Any bytes as a sequence of calls on the emulator (random_calls.hpp), whose schedules, streams, device and failing calls
//! of the machine are drawn from them, too. Each result is compared with the host's.

#include "../support/random_calls.hpp"

#include <reheat/emulator.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

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

//! One call, of which a call of the machine may fail.
void make_call(drawn::choices& choose, drawn::caller& caller, reheat::stream_type where)
{
  const bool machine_fails = choose.one_in(4);
  drawn::plan plan = caller.draw(choose, max_items, false);
  caller.prepare(plan, where);
  reheat::emulator::fail_host_call(machine_fails ? 1 + choose.below(12) : 0);
  bool refused = false;
  try
  {
    caller.call(plan, where);
  }
  catch (const std::exception& error)
  {
    refused = reheat::emulator::host_call_has_failed() || plan.allocator_throws;
    if (!refused)
    {
      fail(plan.described(caller.type()) + ": " + error.what());
    }
  }
  reheat::emulator::fail_no_host_call();
  const std::string wrong = refused ? "" : caller.check(plan, where);
  if (!wrong.empty())
  {
    fail(wrong);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  static const std::unique_ptr<drawn::caller> callers[] = {drawn::caller_of_u8(max_items), drawn::caller_of_u32(max_items)};
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
    make_call(choose, *callers[choose.below(2)], streams[choose.below(3)].get());
  }
  return 0;
}
