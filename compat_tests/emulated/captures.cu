// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls on a stream that the emulator captures: they run when the graph does, and each time on what memory holds then.
#include "../support/compare.hpp"
#include "../support/machine.hpp"
#include "../support/segment_graphs.hpp"
#include "../support/values.hpp"

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/partition.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <algorithm>
#include <exception>
#include <numeric>
#include <string>

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

struct is_even
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x) const { return x % 2 == 0; }
};

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
  std::vector<std::uint64_t> even(1);
  auto graph = captured_on(own,
                           [&]
                           {
                             const auto policy = reheat::par_nosync.on(own.get());
                             thrust::inclusive_scan(policy, items.data(), items.data() + count, sums.data());
                             reheat::count_if_into(policy, items.data(), items.data() + count, is_even{}, even.data());
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
    check_same("count_if_into",
               std::vector<std::uint64_t>{static_cast<std::uint64_t>(std::count_if(items.begin(), items.end(), is_even{}))},
               even);
    if (round == 1)
    {
      const reheat::emulator::graph copy = graph;
      graph = copy; // what the first one was made of is gone
      reheat::trim_workspaces();
    }
  }
}

BOOST_AUTO_TEST_CASE(a_count_is_one_kernel_node)
{
  stream own;
  std::vector<std::uint32_t> items(300000, 4);
  std::uint64_t even = 0;
  const auto graph = captured_on(own,
                                 [&] {
                                   reheat::count_if_into(reheat::par_nosync.on(own.get()), items.data(),
                                                         items.data() + items.size(), is_even{}, &even);
                                 });
  BOOST_TEST(graph.node_count() == 1u);
  graph.launch(own.get());
  BOOST_TEST(even == items.size());
}

BOOST_AUTO_TEST_CASE(a_refused_number_names_the_call_that_leaves_it_on_the_device)
{
  stream own;
  std::vector<std::uint32_t> items(10, 1u), out(10), rest(10);
  std::uint32_t *const first = items.data(), *const last = first + items.size();
  const auto policy = reheat::par_nosync.on(own.get());
  const auto check = [](const char* caller, const char* instead, auto call)
  {
    const std::string expected =
        std::string(caller) + ": a result on the host can not be captured into a graph; reheat" + instead;
    BOOST_CHECK_EXCEPTION(call(), std::exception,
                          [&](const std::exception& error)
                          { return std::string(error.what()).find(expected) != std::string::npos; });
  };
  const char* const same_name = "'s call of that name with _into leaves the number on the device";
  const auto graph = captured_on(
      own,
      [&]
      {
        check("reheat::count", same_name, [&] { (void)thrust::count(policy, first, last, 1u); });
        check("reheat::count_if", same_name, [&] { (void)thrust::count_if(policy, first, last, is_even{}); });
        check("reheat::copy_if", same_name, [&] { (void)thrust::copy_if(policy, first, last, out.data(), is_even{}); });
        check("reheat::unique", same_name, [&] { (void)thrust::unique(policy, first, last); });
        check("reheat::unique_count", "::unique_copy_into to a discard_iterator leaves the number on the device",
              [&] { (void)thrust::unique_count(policy, first, last); });
        check("reheat::stable_partition", "::partition_into leaves the number on the device",
              [&] { (void)thrust::stable_partition(policy, first, last, is_even{}); });
        check("reheat::partition_copy", "::partition_copy_into leaves the number on the device",
              [&] { (void)thrust::partition_copy(policy, first, last, out.data(), rest.data(), is_even{}); });
      });
  BOOST_TEST(graph.node_count() == 0u);
}

BOOST_AUTO_TEST_CASE(calls_of_segments_see_the_offsets_of_each_replay)
{
  stream own;
  for (const segment_call_facts& which : all_segment_calls)
  {
    replayed one(which);
    one.set(lengths::few, 1);
    auto graph = captured_on(own, [&] { one.enqueue(own); });
    BOOST_TEST(graph.node_count() == which.launches, which.name);
    one.check_untouched("before a replay");
    const reheat::emulator::graph copy = graph;
    graph = {}; // only the copy is left
    reheat::trim_workspaces();
    for (std::size_t i = 0; i < std::size(all_lengths); ++i)
    {
      one.set(all_lengths[i], i);
      copy.launch(own.get());
      one.check(std::string("a replay, ") + name_of(all_lengths[i]));
    }
    one.forget();
    one.enqueue(own); // has other scratch memory
    one.check("without a graph");
    one.forget();
    copy.launch(own.get());
    one.check("another replay");
  }
}

BOOST_AUTO_TEST_SUITE_END()
