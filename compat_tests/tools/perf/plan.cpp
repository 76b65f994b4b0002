// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The rows of the benchmarks, and how much memory, how many calls and how many samples each of them takes.
#include <common/axes.hpp>
#include <suite/plan.hpp>
#include <suite/row_sets.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

using namespace perf;

namespace
{

constexpr device_size h200{std::uint64_t{60} << 20, std::uint64_t{137} << 30};

row graph_row(algorithm algorithm, type type, std::uint64_t items, input input = input::pointer)
{
  return {algorithm, type, operation::plus, input, items, clock::graph};
}

bool over_the_ring(perf::clock which)
{
  return which == clock::graph || which == clock::graph_foreign;
}

// Of a program without the shared object.
const std::vector<implementation> all_built{
    implementation::reheat, implementation::reheat_serial, implementation::thrust,     implementation::thrust_pool,
    implementation::cub,    implementation::limit,         implementation::limit_early};

} // namespace

BOOST_AUTO_TEST_SUITE(plan_of_a_row)

BOOST_AUTO_TEST_CASE(in_a_graph_no_call_finds_its_data_in_the_cache)
{
  for (const row& each : full_row_set())
  {
    const plan made = make_plan(each, h200);
    if (over_the_ring(each.clock) && made.fits)
    {
      BOOST_TEST((made.flush_between || made.ring_bytes() > 4 * h200.l2_bytes), name_of(each));
      BOOST_TEST((!made.flush_between || made.calls == made.slots), name_of(each) << " comes back to a slot");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_graph_goes_through_the_ring_a_whole_number_of_times)
{
  for (const row& each : full_row_set())
  {
    const plan made = make_plan(each, h200);
    if (over_the_ring(each.clock) && made.fits)
    {
      BOOST_TEST(made.slots >= 1u);
      BOOST_TEST(made.calls % made.slots == 0u, name_of(each));
    }
  }
  // In place, what a second turn would find is no longer the input.
  const plan in_place = make_plan(graph_row(algorithm::inclusive_scan, type::i32, 1u << 20, input::in_place), h200);
  BOOST_TEST(in_place.calls == in_place.slots);
  BOOST_TEST(in_place.out_bytes == 0u);
}

BOOST_AUTO_TEST_CASE(everything_that_fits_stays_inside_the_memory)
{
  const device_size small{std::uint64_t{4} << 20, std::uint64_t{6} << 30};
  for (const row& each : full_row_set())
  {
    const plan made = make_plan(each, small);
    if (made.fits)
    {
      BOOST_TEST(made.ring_bytes() <= small.free_bytes, name_of(each));
      BOOST_TEST(made.samples >= 3u, name_of(each));
    }
    else
    {
      BOOST_TEST((each.clock == clock::warm || input_bytes(each) + output_bytes(each) > small.free_bytes / 2),
                 name_of(each));
    }
  }
  BOOST_TEST(!make_plan(graph_row(algorithm::inclusive_scan, type::i64, std::uint64_t{1} << 32), small).fits);
}

BOOST_AUTO_TEST_CASE(what_only_enqueues_is_called_several_times_in_a_row)
{
  row which = graph_row(algorithm::inclusive_scan, type::i32, 1u << 28);
  which.clock = clock::wall_nosync;
  BOOST_TEST(make_plan(which, h200).calls >= 8u);
  BOOST_TEST(make_plan(which, h200).samples >= 7u);
  which.clock = clock::wall;
  BOOST_TEST(make_plan(which, h200).calls == 1u);
}

BOOST_AUTO_TEST_CASE(slots_have_room_for_what_is_shifted)
{
  const plan made = make_plan(graph_row(algorithm::inclusive_scan, type::i32, 1u << 16, input::misaligned), h200);
  BOOST_TEST(made.in_bytes >= ((1u << 16) + 1) * 4u);
  BOOST_TEST(made.out_bytes >= ((1u << 16) + 1) * 4u);
  BOOST_TEST(made.in_bytes % 256 == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sets_of_rows)

BOOST_AUTO_TEST_CASE(no_name_comes_twice)
{
  for (const auto& rows : {quick_row_set(), dense_row_set(), default_row_set(), full_row_set()})
  {
    std::set<std::string> names;
    for (const row& each : rows)
    {
      for (const implementation who : implementations_for(each, all_built))
      {
        BOOST_TEST(names.insert(name_of(each, who)).second, name_of(each, who));
      }
    }
    BOOST_TEST(!names.empty());
  }
}

BOOST_AUTO_TEST_CASE(every_row_of_the_smaller_sets_has_its_limit_and_is_part_of_the_full_set)
{
  std::set<std::string> full;
  for (const row& each : full_row_set())
  {
    full.insert(name_of(each));
  }
  std::vector<row> smaller = default_row_set();
  const std::vector<row> quick = quick_row_set();
  smaller.insert(smaller.end(), quick.begin(), quick.end());
  for (const row& each : smaller)
  {
    const auto all = implementations_for(each, all_built);
    BOOST_TEST((std::count(all.begin(), all.end(), implementation::limit) == 1), name_of(each));
    BOOST_TEST(full.count(name_of(each)) == 1u, name_of(each));
  }
}

BOOST_AUTO_TEST_CASE(the_dense_set_has_what_is_next_to_every_change_of_a_scans_ways)
{
  std::map<type, std::set<std::uint64_t>> sizes;
  for (const row& each : dense_row_set())
  {
    BOOST_TEST((each.algorithm == algorithm::inclusive_scan && each.clock == clock::graph), name_of(each));
    BOOST_TEST(make_plan(each, h200).fits, name_of(each));
    BOOST_TEST(input_bytes(each) <= std::uint64_t{8} << 30, name_of(each));
    sizes[each.type].insert(each.items);
  }
  BOOST_TEST(sizes.size() == 3u);
  for (const auto& [which, all] : sizes)
  {
    BOOST_TEST(all.size() >= 200u, name_of(which));
    for (std::uint64_t items = 16; items * size_of(which) <= std::uint64_t{8} << 30; items *= 2)
    {
      BOOST_TEST(all.count(items) == 1u, items << " items of " << name_of(which));
    }
  }
  // The tuning's numbers once more, so that the set is seen to follow from them: bytes in one block, in a tile per block,
  // and of a streaming tile; a wave is 132 of those.
  const auto has_neighbours_of = [&](type which, std::uint64_t bytes)
  {
    for (const std::uint64_t items : {bytes / size_of(which) - 1, bytes / size_of(which), bytes / size_of(which) + 1})
    {
      BOOST_TEST(sizes[which].count(items) == 1u, items << " items of " << name_of(which));
    }
  };
  for (const auto& [which, max_in_one_block, max_in_tiles, tile] :
       {std::tuple{type::i8, 8u << 10, 4u << 20, 384u * 5 * 16}, std::tuple{type::i32, 8u << 10, 8u << 20, 384u * 5 * 16},
        std::tuple{type::i64, 8u << 10, 4u << 20, 256u * 7 * 16}})
  {
    has_neighbours_of(which, max_in_one_block);
    has_neighbours_of(which, max_in_tiles);
    has_neighbours_of(which, tile);
    has_neighbours_of(which, std::uint64_t{tile} * 132);
    has_neighbours_of(which, std::uint64_t{tile} * 132 * 64);
  }
}

BOOST_AUTO_TEST_CASE(small_inputs_of_common_types_are_also_measured_behind_a_foreign_kernel)
{
  std::set<std::string> names;
  for (const row& each : default_row_set())
  {
    names.insert(name_of(each));
    if (each.clock == clock::graph_foreign)
    {
      BOOST_TEST((each.items <= max_small_items && is_common(each.type, each.operation, each.input)), name_of(each));
      row alike = each;
      alike.clock = clock::graph;
      const plan behind = make_plan(each, h200), in_a_row = make_plan(alike, h200);
      BOOST_TEST((behind.calls == in_a_row.calls && behind.slots == in_a_row.slots), name_of(each));
      for (const implementation who : {implementation::cub, implementation::limit})
      {
        BOOST_TEST(implementations_for(each, {who}).size() == 1u, name_of(each, who));
      }
    }
  }
  for (const char* const algorithm : {"reduce/", "inclusive_scan/"})
  {
    for (const char* const type : {"i8", "i32", "i64", "f32"})
    {
      for (std::uint64_t items = 256; items <= max_small_items; items *= 4)
      {
        const std::string kind = std::string(algorithm) + type + "/plus/pointer/" + std::to_string(items);
        for (const char* const clock : {"/graph", "/graph_foreign"})
        {
          BOOST_TEST(names.count(kind + clock) == 1u, kind << clock);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(what_few_rows_have_stands_where_it_says_something)
{
  const std::uint64_t large = 2 * max_small_items;
  const auto has = [](implementation who, algorithm algorithm, type type, std::uint64_t items, perf::clock clock) {
    return !implementations_for({algorithm, type, operation::plus, input::pointer, items, clock}, {who}).empty();
  };
  const auto scan = algorithm::inclusive_scan, reduce = algorithm::reduce;
  BOOST_TEST(has(implementation::reheat_serial, scan, type::i32, max_small_items, clock::graph));
  BOOST_TEST(has(implementation::reheat_serial, reduce, type::i8, 256, clock::cold));
  BOOST_TEST(!has(implementation::reheat_serial, scan, type::i32, large, clock::graph));
  BOOST_TEST(!has(implementation::reheat_serial, scan, type::i16, 256, clock::graph));
  BOOST_TEST(!has(implementation::reheat_serial, scan, type::i32, 256, clock::graph_foreign));
  BOOST_TEST(has(implementation::thrust_pool, reduce, type::i32, large, clock::wall));
  BOOST_TEST(has(implementation::thrust_pool, scan, type::i32, large, clock::wall_nosync));
  BOOST_TEST(!has(implementation::thrust_pool, reduce, type::i32, large, clock::wall_nosync));
  BOOST_TEST(!has(implementation::thrust_pool, scan, type::i32, large, clock::graph));
  BOOST_TEST(has(implementation::cub_new, reduce, type::f32, large, clock::graph));
  BOOST_TEST(has(implementation::cub_new, scan, type::i64, 256, clock::graph_foreign));
  BOOST_TEST(!has(implementation::cub_new, algorithm::exclusive_scan, type::i32, large, clock::graph));
  BOOST_TEST(!has(implementation::cub_new, scan, type::i8, std::uint64_t{1} << 32, clock::graph));
  BOOST_TEST(has(implementation::cub_new_lookahead, scan, type::i8, large, clock::graph));
  BOOST_TEST(!has(implementation::cub_new_lookahead, reduce, type::i8, large, clock::graph));
  BOOST_TEST(has(implementation::limit_early, scan, type::struct_12, large, clock::graph));
  BOOST_TEST(!has(implementation::limit_early, scan, type::i32, 256, clock::graph_foreign));
  BOOST_TEST(!has(implementation::limit_early, scan, type::i32, 256, clock::wall));
}

BOOST_AUTO_TEST_CASE(a_filter_keeps_rows_whole)
{
  const auto kept = matching(default_row_set(), "inclusive_scan/i32/plus/pointer/268435456/graph/cub$", all_built);
  BOOST_TEST(kept.size() == 1u);
  BOOST_TEST(implementations_for(kept.at(0), all_built).size() == 5u);
  BOOST_TEST(matching(default_row_set(), "cub-new", all_built).empty());
  BOOST_CHECK_THROW(matching(default_row_set(), "*", all_built), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
