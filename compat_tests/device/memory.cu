// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Memory of the caller's: how much a call asks for, and what it does with it and without it. Calls allocate nothing, keep
//! nothing, and cost a launch or two.

#include "../support/device_calls.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(memory)

namespace
{

using u32 = std::uint32_t;
using reheat::stream_type;

//! What the machine is asked for by a call: nothing but launches, and as many as are counted.
std::uint64_t launches_of(const std::string& what, const device_call& call, void* memory, std::size_t bytes)
{
  const reheat::call_statistics before = reheat::statistics();
  const host_calls asked =
      calls_of([&] { check_status(what, reheat::runtime::success, call.call(memory, bytes, default_stream())); });
  const reheat::call_statistics counted = reheat::statistics() - before;
  BOOST_TEST(asked.waits == 0u, what << ": " << asked);
  BOOST_TEST(asked.allocations == 0u, what << ": " << asked);
  BOOST_TEST(asked.frees == 0u, what << ": " << asked);
  BOOST_TEST(asked.fills == 0u, what << ": " << asked);
  BOOST_TEST(counted.launches == asked.launches, what << ": " << asked << ", counted " << counted.launches << " launches");
  BOOST_TEST(counted.waits == 0u, what);
  wait_for_all_streams();
  return asked.launches;
}

//! Places at which there is nothing.
device_places places_at(std::uintptr_t address, std::size_t size)
{
  u32* const here = reinterpret_cast<u32*>(address);
  const auto pair = reinterpret_cast<::cub::KeyValuePair<int, u32>*>(address);
  return {size, size / 5, here,   here, here,
          here, here,     here,   here, here,
          here, here,     here,   here, reinterpret_cast<std::int64_t*>(address),
          pair, pair,     nullptr};
}

//! Some of the offsets from 0 to 255; those of all calls together are all of them.
std::vector<std::size_t> some_offsets(std::size_t call)
{
  std::vector<std::size_t> offsets{0, 1, 8, 255};
  for (std::size_t offset = call; emulated && offset < 256; offset += 50)
  {
    offsets.push_back(offset);
  }
  return offsets;
}

//! All calls of one size, in one block after the other.
class calls_in_blocks
{
public:
  explicit calls_in_blocks(std::size_t size) : memory_(size), calls_(device_calls(memory_))
  {
    for (const device_call& each : calls_)
    {
      blocks_.emplace_back(bytes_of_call(each.name, each.call), 3, content::tags);
    }
  }
  //! The call `index` modulo their number, without a wait.
  reheat::status_type call(std::size_t index, stream_type where = default_stream())
  {
    temp_block& block = blocks_[index % calls_.size()];
    std::size_t bytes = block.bytes();
    return calls_[index % calls_.size()].call(block.get(), bytes, where);
  }
  std::size_t count() const { return calls_.size(); }
  std::size_t max_launches(std::size_t index) const { return calls_[index % calls_.size()].max_launches(); }
  //! Each call once more by itself.
  void check(const std::string& where)
  {
    wait_for_all_streams();
    for (std::size_t i = 0; i < calls_.size(); ++i)
    {
      memory_.forget();
      check_status(where + ", " + calls_[i].name, reheat::runtime::success, call(i));
      wait_for_all_streams();
      calls_[i].expected.check(where + ", " + calls_[i].name, memory_);
      blocks_[i].check(where + ", " + calls_[i].name);
    }
  }

private:
  device_memory memory_;
  std::vector<device_call> calls_;
  std::vector<temp_block> blocks_;
};

} // namespace

// ---- asking -------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(asking_touches_nothing_and_does_not_depend_on_pointers)
{
  for (const std::size_t size : {std::size_t(0), std::size_t(1), std::size_t(33), several_blocks(), std::size_t(100000000)})
  {
    const std::vector<device_call> nowhere = device_calls_at(places_at(0, size));
    std::vector<std::size_t> wanted;
    for (const device_call& each : nowhere)
    {
      const std::string what = each.name + ", " + std::to_string(size) + " items";
      std::size_t bytes = 0;
      BOOST_TEST(launches_of(what, each, nullptr, 0) == 0u, what);
      check_status(what, reheat::runtime::success, each.call(nullptr, bytes, default_stream()));
      BOOST_TEST(bytes >= 1u, what);
      wanted.push_back(bytes);
    }
    for (const std::uintptr_t address : {std::uintptr_t{0x700000000000}, std::uintptr_t{0x70000000a00c}, std::uintptr_t{3}})
    {
      const std::vector<device_call> elsewhere = device_calls_at(places_at(address, size));
      for (std::size_t i = 0; i < elsewhere.size(); ++i)
      {
        const std::size_t bytes = bytes_of_call(elsewhere[i].name, elsewhere[i].call);
        BOOST_TEST(bytes == wanted[i], elsewhere[i].name << ", " << size << " items at " << address << ": " << bytes
                                                         << " bytes, at null " << wanted[i]);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(asking_again_gives_the_same)
{
  device_memory memory(several_blocks());
  for (const device_call& each : device_calls(memory))
  {
    std::size_t bytes = 12345678;
    check_status(each.name, reheat::runtime::success, each.call(nullptr, bytes, default_stream()));
    BOOST_TEST(bytes == bytes_of_call(each.name, each.call), each.name);
  }
}

// ---- what the memory may be ---------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(memory_may_lie_at_any_address_and_hold_anything)
{
  device_memory memory(several_blocks());
  const std::vector<device_call> calls = device_calls(memory);
  for (std::size_t i = 0; i < calls.size(); ++i)
  {
    std::size_t turn = i;
    for (const std::size_t offset : some_offsets(i))
    {
      calls[i].check("offset " + std::to_string(offset), memory, offset, all_contents[turn++ % std::size(all_contents)]);
    }
    for (const content before : all_contents)
    {
      calls[i].check("any content", memory, 0, before);
    }
  }
}

BOOST_AUTO_TEST_CASE(memory_may_hold_what_any_earlier_call_has_left)
{
  std::mt19937_64 choose(first_seed());
  device_memory memories[] = {device_memory(several_blocks()), device_memory(several_blocks() / 2 + 1)};
  std::vector<device_call> calls;
  std::vector<device_memory*> of;
  std::size_t most = 0;
  for (device_memory& memory : memories)
  {
    for (const device_call& each : device_calls(memory))
    {
      calls.push_back(each);
      of.push_back(&memory);
      most = std::max(most, bytes_of_call(each.name, each.call));
    }
  }
  temp_block block(most + 8, 5, content::noise);
  for (int round = 0; round < (emulated ? 300 : 600); ++round)
  {
    const std::size_t which = choose() % calls.size(), shift = choose() % 9;
    std::size_t bytes = most + 8 - shift;
    of[which]->forget();
    check_status(calls[which].name, reheat::runtime::success,
                 calls[which].call(static_cast<unsigned char*>(block.get()) + shift, bytes, default_stream()));
    wait_for_all_streams();
    calls[which].expected.check("round " + std::to_string(round) + ", " + calls[which].name, *of[which]);
  }
  block.check("many calls");
}

// Memory that lies well may do although it is smaller than what suffices anywhere.
BOOST_AUTO_TEST_CASE(too_little_memory_is_an_error_and_nothing_is_done)
{
  device_memory memory(several_blocks());
  for (const device_call& each : device_calls(memory))
  {
    const std::size_t wanted = bytes_of_call(each.name, each.call);
    BOOST_TEST((wanted > 1 || each.may_need_no_memory()), each.name << ": the input is not that of several blocks");
    if (wanted == 1)
    {
      continue;
    }
    unsigned refused = 0;
    for (const std::size_t given : {wanted - 1, wanted - 16, wanted / 2, wanted / 4, std::size_t(8), std::size_t(1)})
    {
      for (const std::size_t offset : {std::size_t(0), std::size_t(1)})
      {
        const std::string what = each.name + ", " + std::to_string(given) + " of " + std::to_string(wanted) + " bytes";
        temp_block block(given, offset, content::noise);
        memory.forget();
        std::size_t bytes = given;
        reheat::status_type status = reheat::runtime::success;
        const host_calls asked = calls_of([&] { status = each.call(block.get(), bytes, default_stream()); });
        wait_for_all_streams();
        block.check(what);
        const bool is_refused = status != reheat::runtime::success;
        (is_refused ? device_output{} : each.expected).check(what, memory);
        if (is_refused)
        {
          ++refused;
          check_status(what, invalid_value, status);
          BOOST_TEST(asked.launches == 0u, what << ": " << asked);
#if !defined(REHEAT_EMULATED)
          BOOST_TEST(cudaGetLastError() == cudaSuccess, what << ": the error is left to the next call of anything");
#endif
        }
      }
    }
    const unsigned least = each.uses_memory() ? 4 : 0; // of 8 bytes and of 1 at any rate
    BOOST_TEST(refused >= least, each.name << ": " << refused << " refusals");
    each.check("after an error", memory);
  }
}

// ---- what a call costs --------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(what_one_block_computes_needs_no_memory_and_one_launch)
{
  for (const std::size_t size : {std::size_t(1), std::size_t(33), std::size_t(96)})
  {
    device_memory memory(size);
    for (const device_call& each : device_calls(memory))
    {
      if (each.is_of_segments()) // each may have a block
      {
        continue;
      }
      const std::string what = each.name + ", " + std::to_string(size) + " items";
      BOOST_TEST(bytes_of_call(what, each.call) == 1u, what);
      temp_block block(1, 77, content::ones);
      each.check(what, memory); // loads the kernel
      memory.forget();
      BOOST_TEST(launches_of(what, each, block.get(), 1) == 1u, what);
      each.expected.check(what, memory);
      block.check(what);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_call_is_a_few_launches_and_nothing_else)
{
  const std::size_t several = several_blocks();
  for (const std::size_t size : {std::size_t(0), several, 20 * several})
  {
    device_memory memory(size);
    for (const device_call& each : device_calls(memory))
    {
      // More items make no other launches of these on the emulator, which takes half a second for each call.
      if (emulated && size > several && (each.is_sort() || each.is_of_segments()))
      {
        continue;
      }
      const std::string what = each.name + ", " + std::to_string(size) + " items";
      each.check(what, memory);
      const std::size_t bytes = bytes_of_call(what, each.call);
      temp_block block(bytes, 16, content::noise);
      memory.forget();
      const std::uint64_t launches = launches_of(what, each, block.get(), bytes);
      BOOST_TEST(launches <= each.max_launches(), what << ": " << launches << " launches");
      BOOST_TEST((launches == 0) == (size == 0 && each.needs_items()), what << ": " << launches << " launches");
      each.expected.check(what, memory);
    }
  }
}

BOOST_AUTO_TEST_CASE(ten_thousand_calls_allocate_nothing_and_keep_nothing)
{
  calls_in_blocks few(50), many(several_blocks());
  few.check("before");
  many.check("before");
  const std::size_t kept = reheat::workspace_bytes();
  unsigned failed = 0;
  std::size_t max_launches = 0;
  const host_calls asked = calls_of(
      [&]
      {
        for (std::size_t i = 0; i < 10000; ++i)
        {
          calls_in_blocks& some = emulated && i % 40 != 0 ? few : many;
          failed += some.call(i + i / 40) == reheat::runtime::success ? 0 : 1;
          max_launches += some.max_launches(i + i / 40);
        }
      });
  BOOST_TEST(failed == 0u);
  BOOST_TEST(asked.allocations == 0u, asked);
  BOOST_TEST(asked.frees == 0u, asked);
  BOOST_TEST(asked.fills == 0u, asked);
  BOOST_TEST(asked.waits == 0u, asked);
  BOOST_TEST(asked.launches >= 10000u, asked);
  BOOST_TEST(asked.launches <= max_launches, asked);
  BOOST_TEST(reheat::workspace_bytes() == kept);
  few.check("afterwards");
  many.check("afterwards");
}

// ---- calls at once ------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(threads_with_memory_of_their_own_call_at_once)
{
  std::vector<std::unique_ptr<calls_in_blocks>> of_threads;
  for (std::size_t i = 0; i < 4; ++i)
  {
    of_threads.push_back(std::make_unique<calls_in_blocks>(several_blocks() + i));
  }
  std::vector<stream> streams(of_threads.size());
  std::atomic<unsigned> failed{0};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < of_threads.size(); ++i)
  {
    threads.emplace_back(
        [&, i]
        {
          const std::size_t first = i * of_threads[i]->count() / of_threads.size(); // together they make every call
          for (std::size_t call = 0; call < (emulated ? 50u : 1000u); ++call)
          {
            failed += of_threads[i]->call(first + call, streams[i].get()) == reheat::runtime::success ? 0 : 1;
          }
        });
  }
  for (std::thread& each : threads)
  {
    each.join();
  }
  BOOST_TEST(failed == 0u);
  for (std::size_t i = 0; i < of_threads.size(); ++i)
  {
    of_threads[i]->check("thread " + std::to_string(i));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
