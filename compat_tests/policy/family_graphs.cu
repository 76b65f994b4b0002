// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! CUDA graphs of each algorithm by itself: what leaves its output on the GPU is captured, what has something for the host
//! is refused. Not part of the emulated build.

#include "../support/family_calls.hpp"
#include "../support/graphs.hpp"

#include <algorithm>
#include <deque>

using namespace compat;

BOOST_AUTO_TEST_SUITE(policy)
BOOST_AUTO_TEST_SUITE(family_graphs)

namespace
{

using u32 = std::uint32_t;

//! Several tiles or blocks of every kernel.
inline constexpr std::size_t many = 300000;

template <class Policy>
std::vector<family_call> calls_that_give_nothing(const Policy& policy, family_memory& memory)
{
  std::vector<family_call> calls;
  for (family_call& each : family_calls(policy, memory))
  {
    if (each.what() == gives::nothing)
    {
      calls.push_back(std::move(each));
    }
  }
  return calls;
}

//! A graph of each call, replayed with other data each time.
void check_replays(const std::string& where, std::size_t size)
{
  stream capturing;
  family_memory memory(size);
  const auto policy = reheat::par_nosync.on(capturing.get());
  const std::vector<family_call> calls = calls_that_give_nothing(policy, memory);
  std::deque<executable> replays;
  for (std::size_t i = 0; i < calls.size(); ++i)
  {
    accelerated::numbers returned{};
    const graph captured(capturing, capture_modes[i % 3], [&] { returned = calls[i].call(); });
    calls[i].check_result_of(where + ", captured", returned);
    BOOST_TEST((nodes_of(captured) == 1u) != calls[i].facts->sorts(),
               where << ", " << calls[i].name << ": " << nodes_of(captured) << " nodes");
    replays.emplace_back(captured);
  }
  memory.check_output(where + ", before a replay", {}, {}); // captured calls do nothing yet
  for (std::size_t round = 0; round < 3; ++round)
  {
    memory.set(make_items<u32>(size, 1000 * round));
    const std::vector<family_call> now = calls_that_give_nothing(policy, memory);
    for (std::size_t i = 0; i < now.size(); ++i)
    {
      memory.forget();
      replays[i].launch(capturing);
      capturing.synchronise();
      memory.check_output(where + ", replay of " + now[i].name, now[i].expected_keys, now[i].expected_values);
      now[i].check(where + ", in between", memory); // has other scratch memory
      capturing.synchronise();
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(scans_of_every_kind_are_captured_and_each_replay_sees_the_data_of_its_time)
{
  check_replays("one tile", 1000);
  check_replays("a tile per block", many);
  const force_scans all(streaming_scans());
  check_replays("streaming", many);
}

BOOST_AUTO_TEST_CASE(what_has_a_result_for_the_host_is_refused_and_the_capture_goes_on)
{
  stream capturing;
  family_memory memory(many);
  const auto waits = reheat::par.on(capturing.get());
  const auto nosync = reheat::par_nosync.on(capturing.get());
  const std::vector<family_call> waiting_calls = family_calls(waits, memory), calls = family_calls(nosync, memory);
  for (const cudaStreamCaptureMode mode : capture_modes)
  {
    memory.forget();
    const family_call& by_key = *std::find_if(calls.begin(), calls.end(),
                                              [](const family_call& each) { return each.name == "inclusive_scan_by_key"; });
    const graph captured(
        capturing, mode,
        [&]
        {
          for (std::size_t i = 0; i < calls.size(); ++i)
          {
            if (calls[i].facts->is_in_place()) // it copies first: below, and family/sorts_gpu
            {
              continue;
            }
            const bool has_result = calls[i].what() != gives::nothing;
            const std::string why = has_result ? ": a result on the host can not be captured" : ": this policy waits";
            check_refused(waiting_calls[i].name, waiting_calls[i].function() + why, [&] { (void)waiting_calls[i].call(); });
            if (has_result)
            {
              check_refused("nosync " + calls[i].name, calls[i].function() + why, [&] { (void)calls[i].call(); });
            }
          }
          u32* const out = memory.out();
          check_refused("remove", "reheat::remove: a result on the host can not be captured",
                        [&] { (void)thrust::remove(nosync, out, out + many, 0u); });
          check_refused("partition", "reheat::partition: a result on the host can not be captured",
                        [&] { (void)thrust::partition(nosync, out, out + many, is_odd_number()); });
          check_refused("unique", "reheat::unique: a result on the host can not be captured",
                        [&] { (void)thrust::unique(nosync, out, out + many); });
          (void)by_key.call();
        });
    BOOST_TEST(nodes_of(captured) == 1u, "a refused call has left something in the graph");
    memory.check_output("captured", {}, {});
    const executable replay(captured);
    replay.launch(capturing);
    capturing.synchronise();
    memory.check_output("after refusals", by_key.expected_keys, by_key.expected_values);
  }
  for (const family_call& each : waiting_calls)
  {
    each.check("after captures", memory);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
