// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Device-wide calls in CUDA graphs, and behind other work of a stream. They use the caller's memory alone: a graph may be
//! cloned for other memory, and run beside its original. Not part of the emulated build.

#include "../support/device_calls.hpp"
#include "../support/graphs.hpp"
#include "../support/raw_graphs.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(graphs)

namespace
{

using u32 = std::uint32_t;

//! Several tiles or blocks of every kernel.
inline constexpr std::size_t many = 300000;

//! Every entry point at one place, each with a block of its own.
class blocks_of_calls
{
public:
  explicit blocks_of_calls(std::size_t size) : memory(size)
  {
    for (const device_call& each : device_calls(memory))
    {
      blocks.push_back(std::make_unique<temp_block>(bytes_of_call(each.name, each.call), 9, content::tags));
    }
  }
  std::vector<device_call> calls() { return device_calls(memory); }
  void enqueue(const device_call& call, std::size_t index, stream& where)
  {
    std::size_t bytes = blocks[index]->bytes();
    check_status(call.name, cudaSuccess, call.call(blocks[index]->get(), bytes, where.get()));
  }
  //! The call and what its block must not have touched.
  void check(const std::string& where, const device_call& call, std::size_t index) const
  {
    call.expected.check(where + ", " + call.name, memory);
    blocks[index]->check(where + ", " + call.name);
  }

  device_memory memory;
  std::vector<std::unique_ptr<temp_block>> blocks;
};

// ---- a graph that is moved to other memory ------------------------------------------------------------------------------

//! Where calls of `from` find their operands, and those of `to`. Partitions store backwards from behind the output.
std::vector<moved_range> moves(blocks_of_calls& from, blocks_of_calls& to, std::size_t call)
{
  const device_places a = from.memory.places(), b = to.memory.places();
  const std::size_t bytes = a.size * sizeof(u32), segment_bytes = a.segments * sizeof(u32);
  return {{a.in, b.in, bytes},
          {a.keys, b.keys, bytes},
          {a.begins, b.begins, segment_bytes + sizeof(u32)},
          {a.ends, b.ends, segment_bytes},
          {a.out_begins, b.out_begins, segment_bytes},
          {a.first, b.first, sizeof(u32)},
          {a.data, b.data, bytes},
          {a.keys_data, b.keys_data, bytes},
          {a.pairs, b.pairs, 2 * bytes},
          {a.out, b.out, bytes + 1},
          {a.keys_out, b.keys_out, bytes},
          {a.folded, b.folded, sizeof(device_numbers)},
          {from.blocks[call]->get(), to.blocks[call]->get(), from.blocks[call]->bytes()}};
}

// ---- other work of a stream ---------------------------------------------------------------------------------------------

//! Takes a while, and then copies a value.
__global__ void slow_copy_kernel(u32* to, const u32* from)
{
  const long long start = clock64();
  while (clock64() - start < 100000)
  {}
  *to = *from;
}

void set_value(thrust::device_vector<u32>& memory, u32 value)
{
  wait_for_all_streams();
  copy_bytes(raw(memory), &value, sizeof value);
}

} // namespace

// ---- captured -----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(every_entry_point_is_captured_in_every_mode_and_each_replay_sees_the_data_of_its_time)
{
  stream capturing;
  for (const std::size_t size : {std::size_t(0), std::size_t(1000), many})
  {
    blocks_of_calls all(size);
    const std::vector<device_call> calls = all.calls();
    const auto set_round = [&](u32 round) { all.memory.set(make_items<u32>(size, 1000 * round), 100 + round); };
    std::vector<std::vector<device_call>> expected; // of each round
    for (u32 round = 0; round < 3; ++round)
    {
      set_round(round);
      expected.push_back(all.calls());
    }
    for (std::size_t i = 0; i < calls.size(); ++i)
    {
      for (const cudaStreamCaptureMode mode : capture_modes)
      {
        const std::string where = std::to_string(size) + " items, mode " + std::to_string(mode);
        all.memory.set(make_items<u32>(size, 5), 17);
        graph captured(capturing, mode, [&] { all.enqueue(calls[i], i, capturing); });
        const std::size_t nodes = nodes_of(captured);
        BOOST_TEST(nodes <= calls[i].max_launches(), where << ", " << calls[i].name << ": " << nodes << " nodes");
        BOOST_TEST((nodes == 0) == (size == 0 && calls[i].needs_items()), where << ", " << calls[i].name);
        device_output nothing;
        nothing.check(where + ", before a replay, " + calls[i].name, all.memory);
        const executable replay(captured);
        captured.destroy();
        for (u32 round = 0; round < 3; ++round)
        {
          set_round(round);
          all.blocks[i]->fill(all_contents[round]);
          replay.launch(capturing);
          capturing.synchronise();
          all.check(where, expected[round][i], i);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_clone_with_other_pointers_runs_beside_its_original)
{
  stream capturing, other;
  blocks_of_calls original(many), moved(many);
  original.memory.set(make_items<u32>(many, 3), 21);
  moved.memory.set(make_items<u32>(many, 12345), 4711);
  const std::vector<device_call> calls = original.calls(), moved_calls = moved.calls();
  for (std::size_t i = 0; i < calls.size(); ++i)
  {
    const graph captured(capturing, cudaStreamCaptureModeGlobal, [&] { original.enqueue(calls[i], i, capturing); });
    cudaGraph_t clone = nullptr;
    require(cudaGraphClone(&clone, captured.get()), "clone a graph");
    raw_graph with_other_pointers(clone);
    const std::size_t pointers = original.blocks[i]->bytes() > 1 ? 3 : 2; // input, output, and memory
    BOOST_TEST(move_pointers(clone, moves(original, moved, i)) >= pointers, calls[i].name);
    with_other_pointers.instantiate();
    const executable replay(captured);
    moved.enqueue(moved_calls[i], i, other);               // says which of two buffers will have the result
    const bool in_place = calls[i].expected.is_in_place(); // such a call changes its input
    for (int round = 0; round < 3; ++round)
    {
      original.memory.forget();
      moved.memory.forget();
      for (int turn = 0; turn < (in_place ? 1 : 100); ++turn)
      {
        replay.launch(capturing);
        with_other_pointers.launch(other);
      }
      wait_for_all_streams();
      original.check("the original", calls[i], i);
      moved.check("the clone", moved_calls[i], i);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_is_captured_twice_with_memory_of_its_own_runs_beside_itself)
{
  stream capturing, other;
  blocks_of_calls first(many), second(many / 2);
  const std::vector<device_call> calls = first.calls(), second_calls = second.calls();
  for (std::size_t i = 0; i < calls.size(); ++i)
  {
    const graph one(capturing, cudaStreamCaptureModeThreadLocal, [&] { first.enqueue(calls[i], i, capturing); });
    const graph two(capturing, cudaStreamCaptureModeThreadLocal, [&] { second.enqueue(second_calls[i], i, capturing); });
    const executable replay_one(one), replay_two(two);
    first.memory.forget();
    second.memory.forget();
    for (int turn = 0; turn < (calls[i].expected.is_in_place() ? 1 : 100); ++turn)
    {
      replay_one.launch(capturing);
      replay_two.launch(other);
    }
    wait_for_all_streams();
    first.check("the first", calls[i], i);
    second.check("the second", second_calls[i], i);
  }
}

BOOST_AUTO_TEST_CASE(calls_run_in_child_graphs_and_behind_conditions)
{
  stream capturing;
  for (const std::size_t size : {std::size_t(1000), many})
  {
    blocks_of_calls all(size);
    const std::vector<device_call> calls = all.calls();
    for (std::size_t i = 0; i < calls.size(); ++i)
    {
      raw_graph parent(new_graph());
      {
        const graph captured(capturing, cudaStreamCaptureModeRelaxed, [&] { all.enqueue(calls[i], i, capturing); });
        add_child(parent.get(), captured.get());
      }
      parent.instantiate();
      all.memory.forget();
      parent.launch(capturing);
      capturing.synchronise();
      all.check("a child", calls[i], i);
      for (const bool holds : {false, true})
      {
        raw_graph outer(new_graph());
        capture_into(add_condition(outer.get(), holds), capturing, [&] { all.enqueue(calls[i], i, capturing); });
        outer.instantiate();
        all.memory.forget();
        outer.launch(capturing);
        capturing.synchronise();
        if (holds)
        {
          all.check("behind a condition", calls[i], i);
        }
        else
        {
          device_output nothing;
          nothing.check("behind a condition that does not hold, " + calls[i].name, all.memory);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(ten_thousand_captured_calls_allocate_nothing_and_keep_nothing)
{
  stream capturing;
  blocks_of_calls all(many);
  const std::vector<device_call> calls = all.calls();
  const auto capture = [&]
  {
    return std::make_unique<graph>(capturing, cudaStreamCaptureModeGlobal,
                                   [&]
                                   {
                                     for (std::size_t i = 0; i < calls.size(); ++i)
                                     {
                                       all.enqueue(calls[i], i, capturing);
                                     }
                                   });
  };
  (void)capture(); // loads the kernels
  const std::size_t kept = reheat::workspace_bytes();
  const host_calls asked = calls_of(
      [&]
      {
        for (std::size_t i = 0; i < 10000; i += calls.size())
        {
          (void)capture();
        }
      });
  BOOST_TEST(asked.allocations == 0u, asked);
  BOOST_TEST(asked.frees == 0u, asked);
  BOOST_TEST(asked.fills == 0u, asked);
  BOOST_TEST(reheat::workspace_bytes() == kept);
}

BOOST_AUTO_TEST_CASE(a_capture_that_has_failed_is_a_status_and_leaves_no_error)
{
  stream capturing;
  blocks_of_calls all(many);
  const std::vector<device_call> calls = all.calls();
  for (std::size_t i = 0; i < calls.size(); ++i)
  {
    require(cudaStreamBeginCapture(capturing.get(), cudaStreamCaptureModeGlobal), "begin a capture");
    BOOST_TEST(cudaStreamSynchronize(capturing.get()) != cudaSuccess); // which ends the capture
    (void)cudaGetLastError();
    std::size_t bytes = all.blocks[i]->bytes();
    const cudaError_t status = calls[i].call(all.blocks[i]->get(), bytes, capturing.get());
    BOOST_TEST(status != cudaSuccess, calls[i].name);
    BOOST_TEST(cudaGetLastError() == cudaSuccess, calls[i].name << ": the error is left to the next call of anything");
    cudaGraph_t graph = nullptr;
    BOOST_TEST(cudaStreamEndCapture(capturing.get(), &graph) != cudaSuccess);
    (void)cudaGetLastError();
    all.memory.forget();
    all.enqueue(calls[i], i, capturing);
    capturing.synchronise();
    all.check("afterwards", calls[i], i);
  }
}

// ---- in the order of a stream -------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_future_value_is_read_behind_the_kernel_that_writes_it)
{
  stream own;
  for (const std::size_t size : {std::size_t(100), many})
  {
    blocks_of_calls all(size);
    thrust::device_vector<u32> source(1);
    const std::vector<device_call> calls = all.calls();
    for (std::size_t i = 0; i < calls.size(); ++i)
    {
      if (calls[i].name.find("future") == std::string::npos)
      {
        continue;
      }
      const auto enqueue = [&]
      {
        slow_copy_kernel<<<1, 1, 0, own.get()>>>(all.memory.first_in_memory(), raw(source));
        all.enqueue(calls[i], i, own);
      };
      const graph captured(own, cudaStreamCaptureModeGlobal, enqueue);
      const executable replay(captured);
      for (u32 round = 0; round < 6; ++round)
      {
        // The expected output is that of `value`; until the kernel writes it there is another one.
        const u32 value = 1000 + round;
        all.memory.set_first(value);
        const std::vector<device_call> expected = all.calls();
        all.memory.set_first(round);
        set_value(source, value);
        all.memory.forget();
        if (round % 2 == 0)
        {
          enqueue();
        }
        else
        {
          replay.launch(own);
        }
        own.synchronise();
        all.check(round % 2 == 0 ? "a stream" : "a graph", expected[i], i);
      }
    }
  }
}

// CUB's callers use one block for all calls of a stream. Launches may start before the one before has ended.
BOOST_AUTO_TEST_CASE(calls_in_a_row_share_one_block_of_memory)
{
  stream own;
  for (const std::size_t size : {std::size_t(1000), std::size_t(100000), std::size_t(3000000)})
  {
    std::vector<u32> a = make_items<u32>(size), b(size);
    thrust::device_vector<u32> device_a = to_device(a), device_b(size), sum(1);
    const auto scan = [&](void* memory, std::size_t& bytes)
    { return reheat::DeviceScan::InclusiveSum(memory, bytes, raw(device_a), raw(device_b), size, own.get()); };
    const auto reduce = [&](void* memory, std::size_t& bytes)
    { return reheat::DeviceReduce::Sum(memory, bytes, raw(device_b), raw(sum), size, own.get()); };
    const auto scan_back = [&](void* memory, std::size_t& bytes)
    {
      return reheat::DeviceScan::ExclusiveScan(memory, bytes, raw(device_b), raw(device_a), plus{},
                                               ::cub::FutureValue<u32>(raw(sum)), size, own.get());
    };
    std::size_t most = 0;
    const auto ask = [&](auto call)
    {
      std::size_t bytes = 0;
      check_status("asked for its memory", cudaSuccess, call(nullptr, bytes));
      most = std::max(most, bytes);
    };
    ask(scan);
    ask(reduce);
    ask(scan_back);
    temp_block block(most, 5, content::noise);
    const auto enqueue = [&](auto call)
    {
      std::size_t bytes = most;
      check_status("in a row", cudaSuccess, call(block.get(), bytes));
    };
    const auto enqueue_all = [&]
    {
      enqueue(scan);
      enqueue(reduce);
      enqueue(scan_back);
    };
    const graph captured(own, cudaStreamCaptureModeGlobal, enqueue_all);
    const executable replay(captured);
    for (int round = 0; round < 40; ++round)
    {
      round % 4 == 3 ? replay.launch(own) : enqueue_all();
    }
    own.synchronise();
    for (int round = 0; round < 40; ++round)
    {
      b = inclusive_reference<u32, u32>(a, plus{});
      a = exclusive_reference<u32, u32>(b, reduce_reference<u32>(b, 0u, plus{}), plus{});
    }
    check_same(std::to_string(size) + " items", a, to_host(device_a));
    block.check("in a row");
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
