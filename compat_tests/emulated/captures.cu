// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls on a stream that the emulator captures: they run when the graph does, and each time on what memory holds then.
#include "../support/compare.hpp"
#include "../support/machine.hpp"
#include "../support/values.hpp"

#include <thrust/scan.h>
#include <thrust/sort.h>

#include <algorithm>
#include <numeric>

using namespace compat;

BOOST_AUTO_TEST_SUITE(captures)

namespace
{

template <class Enqueue>
reheat::emulator::graph captured_on(stream& where, Enqueue enqueue)
{
  where.get()->begin_capture();
  enqueue();
  return where.get()->end_capture();
}

} // namespace

BOOST_AUTO_TEST_CASE(zeros_are_stored_each_time_a_graph_runs)
{
  stream own;
  unsigned word = 7;
  const auto graph = captured_on(own, [&] { reheat::runtime::zero(&word, sizeof(word), own.get()); });
  BOOST_TEST(graph.node_count() == 1u);
  BOOST_TEST(word == 7u);
  for (const unsigned before : {7u, 9u})
  {
    word = before;
    graph.launch(own.get());
    BOOST_TEST(word == 0u);
  }
}

BOOST_AUTO_TEST_CASE(replays_and_copies_of_graphs_work_on_what_memory_holds)
{
  constexpr std::size_t count = 3000;
  stream own;
  std::vector<std::uint32_t> items(count), sums(count);
  auto graph = captured_on(own,
                           [&]
                           {
                             const auto policy = reheat::par_nosync.on(own.get());
                             thrust::inclusive_scan(policy, items.data(), items.data() + count, sums.data());
                             thrust::sort(policy, items.data(), items.data() + count);
                           });
  BOOST_TEST(std::count(sums.begin(), sums.end(), 0u) == static_cast<std::ptrdiff_t>(count), "nothing has run");
  for (std::uint32_t round = 0; round < 3; ++round)
  {
    for (std::size_t i = 0; i < count; ++i)
    {
      items[i] = static_cast<std::uint32_t>(mix(i + round));
    }
    std::vector<std::uint32_t> expected(count), sorted = items;
    std::partial_sum(items.begin(), items.end(), expected.begin());
    std::sort(sorted.begin(), sorted.end());
    graph.launch(own.get());
    check_same("inclusive_scan", expected, sums);
    check_same("sort", sorted, items);
    if (round == 1)
    {
      const reheat::emulator::graph copy = graph;
      graph = copy; // what the first one was made of is gone
      reheat::trim_workspaces();
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
