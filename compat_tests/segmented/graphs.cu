// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls of segments in CUDA graphs: captured, cloned, in graphs of other graphs, and behind conditions. Not part of the
//! emulated build.

#include "../support/graphs.hpp"
#include "../support/raw_graphs.hpp"
#include "../support/segment_graphs.hpp"

#include <string>

using namespace compat;

BOOST_AUTO_TEST_SUITE(segmented)
BOOST_AUTO_TEST_SUITE(graphs)

BOOST_AUTO_TEST_CASE(each_call_is_captured_in_every_mode_and_each_replay_sees_the_offsets_of_its_time)
{
  stream capturing;
  for (const segment_call_facts& which : all_segment_calls)
  {
    replayed one(which);
    for (const cudaStreamCaptureMode mode : capture_modes)
    {
      one.set(lengths::few, 1);
      graph captured(capturing, mode, [&] { one.enqueue(capturing); });
      BOOST_TEST(nodes_of(captured) == which.launches, which.name);
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
  for (const segment_call_facts& which : all_segment_calls)
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
  for (const segment_call_facts& which : all_segment_calls)
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
