// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls of segments in CUDA graphs: captured, cloned, in graphs of other graphs, and behind conditions. Not part of the
//! emulated build.

#include "../support/device_calls.hpp"
#include "../support/graphs.hpp"
#include "../support/offsets.hpp"
#include "../support/raw_graphs.hpp"

#include <reheat/device.cuh>

#include <thrust/functional.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(segmented)
BOOST_AUTO_TEST_SUITE(graphs)

namespace
{

using u32 = std::uint32_t;

//! The calls that are captured.
enum class segment_call
{
  reduce,
  scan,
  extremum,
  device_reduce,
  device_scan
};
constexpr segment_call all_calls[] = {segment_call::reduce, segment_call::scan, segment_call::extremum,
                                      segment_call::device_reduce, segment_call::device_scan};
std::string name_of(segment_call call)
{
  constexpr const char* names[] = {"segmented_reduce", "segmented_inclusive_scan", "segmented_min_element",
                                   "DeviceSegmentedReduce::Sum", "DeviceSegmentedScan::InclusiveSegmentedSum"};
  return names[static_cast<int>(call)];
}

//! One of these calls, of a fixed number of segments, whose offsets and items change. A call of a device-wide class has a
//! block of memory of its own.
class replayed
{
public:
  static constexpr std::size_t segments = 40000;

  explicit replayed(segment_call which) : which_(which), in_(most), out_(most), at_(segments + 1)
  {
    std::size_t bytes = 0;
    if (which_ == segment_call::device_reduce || which_ == segment_call::device_scan)
    {
      call_device(nullptr, bytes, nullptr);
      memory_.resize(bytes);
    }
  }

  //! Segments of another kind, and other items.
  void set(lengths kind, std::size_t first)
  {
    offsets_ = make_offsets(kind, segments, segmented_tile<u32>(), first);
    items_ = make_items<u32>(offsets_.back(), first);
    for (u32& item : items_)
    {
      item %= 97;
    }
    wait_for_all_streams();
    copy_bytes(raw(in_), items_.data(), items_.size() * sizeof(u32));
    copy_bytes(raw(at_), offsets_.data(), offsets_.size() * sizeof(u32));
    forget();
  }
  void forget()
  {
    wait_for_all_streams();
    require(cudaMemset(raw(out_), 0xee, most * sizeof(u32)), "forget results");
    wait_for_all_streams();
  }
  void enqueue(stream& where)
  {
    const auto policy = reheat::par_nosync.on(where.get());
    const u32* const at = raw(at_);
    std::size_t bytes = memory_.size();
    switch (which_)
    {
      case segment_call::reduce:
        reheat::segmented_reduce(policy, raw(in_), at, at + segments + 1, raw(out_));
        break;
      case segment_call::scan:
        reheat::segmented_inclusive_scan(policy, raw(in_), at, at + segments + 1, raw(out_));
        break;
      case segment_call::extremum:
        reheat::segmented_min_element(policy, raw(in_), at, at + segments + 1, raw(out_));
        break;
      default:
        call_device(raw(memory_), bytes, where.get());
    }
  }
  void check(const std::string& what) const
  {
    const std::vector<u32> expected = results();
    check_same(what + ", " + name_of(which_), expected, to_host(out_, 0, expected.size()));
  }
  void check_untouched(const std::string& what) const
  {
    check_same(what + ", " + name_of(which_), std::vector<u32>(most, untouched), to_host(out_));
  }

private:
  static constexpr std::size_t most = segments * 160; // hundreds
  static constexpr u32 untouched = 0xeeeeeeeeu;

  void call_device(void* memory, std::size_t& bytes, reheat::stream_type where)
  {
    const u32* const at = raw(at_);
    const auto count = static_cast<std::int64_t>(segments);
    const cudaError_t status =
        which_ == segment_call::device_reduce
            ? reheat::DeviceSegmentedReduce::Sum(memory, bytes, raw(in_), raw(out_), count, at, at + 1, where)
            : reheat::DeviceSegmentedScan::InclusiveSegmentedSum(memory, bytes, raw(in_), raw(out_), at, at + 1, count,
                                                                 where);
    require(status, "call a device-wide function");
  }
  std::vector<u32> results() const
  {
    if (which_ == segment_call::reduce || which_ == segment_call::device_reduce)
    {
      return segmented_reference<u32>(items_, offsets_, u32{0}, plus{});
    }
    if (which_ != segment_call::extremum)
    {
      return segmented_scan_reference<u32>(items_, offsets_, std::vector<u32>(items_.size(), untouched), true,
                                           static_cast<const u32*>(nullptr), plus{});
    }
    std::vector<u32> found;
    for (std::size_t s = 0; s < segments; ++s)
    {
      found.push_back(static_cast<u32>(std::min_element(items_.begin() + offsets_[s], items_.begin() + offsets_[s + 1]) -
                                       items_.begin()));
    }
    return found;
  }

  segment_call which_;
  std::vector<u32> offsets_, items_;
  thrust::device_vector<u32> in_, out_, at_;
  thrust::device_vector<unsigned char> memory_;
};

} // namespace

BOOST_AUTO_TEST_CASE(each_call_is_captured_in_every_mode_and_each_replay_sees_the_offsets_of_its_time)
{
  stream capturing;
  for (const segment_call which : all_calls)
  {
    replayed one(which);
    for (const cudaStreamCaptureMode mode : capture_modes)
    {
      one.set(lengths::few, 1);
      graph captured(capturing, mode, [&] { one.enqueue(capturing); });
      const bool one_launch = which == segment_call::reduce || which == segment_call::extremum;
      BOOST_TEST(nodes_of(captured) == (one_launch ? 1u : 2u), name_of(which));
      one.check_untouched("before a replay");
      const executable replay(captured);
      captured.destroy();
      for (std::size_t i = 0; i < std::size(all_lengths); ++i)
      {
        one.set(all_lengths[i], i);
        replay.launch(capturing);
        capturing.synchronise();
        one.check(std::string("a replay, ") + compat::name_of(all_lengths[i]));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(clones_outlive_the_graph)
{
  stream capturing;
  for (const segment_call which : all_calls)
  {
    replayed one(which);
    one.set(lengths::power_law, 3);
    cudaGraph_t copy = nullptr;
    {
      const graph captured(capturing, cudaStreamCaptureModeRelaxed, [&] { one.enqueue(capturing); });
      require(cudaGraphClone(&copy, captured.get()), "clone a graph");
    }
    raw_graph clone(copy);
    clone.instantiate();
    for (unsigned round = 0; round < 3; ++round)
    {
      one.set(all_lengths[2 * round + 1], round);
      clone.launch(capturing);
      capturing.synchronise();
      one.check("a clone");
    }
  }
}

BOOST_AUTO_TEST_CASE(calls_run_in_child_graphs_and_behind_conditions)
{
  stream capturing;
  for (const segment_call which : all_calls)
  {
    replayed one(which);
    one.set(lengths::hundreds, 3);
    raw_graph parent(new_graph());
    {
      const graph captured(capturing, cudaStreamCaptureModeRelaxed, [&] { one.enqueue(capturing); });
      add_child(parent.get(), captured.get());
    }
    parent.instantiate();
    one.forget();
    parent.launch(capturing);
    capturing.synchronise();
    one.check("a child");
    for (const bool holds : {false, true})
    {
      raw_graph outer(new_graph());
      capture_into(add_condition(outer.get(), holds), capturing, [&] { one.enqueue(capturing); });
      outer.instantiate();
      for (unsigned round = 0; round < 3; ++round)
      {
        one.set(all_lengths[2 * round + 2], round);
        outer.launch(capturing);
        capturing.synchronise();
        if (holds)
        {
          one.check("behind a condition");
        }
        else
        {
          one.check_untouched("behind a condition that does not hold");
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
