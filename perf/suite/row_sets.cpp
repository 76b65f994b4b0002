// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/row_sets.hpp"

#include <reheat/detail/scan/tuning.cuh>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <regex>
#include <stdexcept>

namespace perf
{
namespace
{

using sizes = std::vector<std::uint64_t>;

sizes powers(unsigned first, unsigned last, unsigned step)
{
  sizes made;
  for (unsigned k = first; k <= last; k += step)
  {
    made.push_back(std::uint64_t{1} << k);
  }
  return made;
}

//! Powers of four up to two gigabytes of input.
sizes coarse_sizes(type which)
{
  sizes made = powers(8, 30, 2);
  made.erase(std::remove_if(made.begin(), made.end(),
                            [&](std::uint64_t items) { return items * size_of(which) > std::uint64_t{2} << 30; }),
             made.end());
  return made;
}

//! Every power of two, and its neighbours: around a tile, around a wave of blocks, and where numbers are odd anyway.
sizes all_sizes()
{
  sizes made = powers(8, 32, 1);
  for (const unsigned k : {8u, 12u, 16u, 20u, 24u, 28u, 31u})
  {
    made.push_back((std::uint64_t{1} << k) - 1);
    made.push_back((std::uint64_t{1} << k) + 1);
  }
  made.push_back(1000);
  made.push_back(1000000);
  std::sort(made.begin(), made.end());
  return made;
}

// ---- the dense set: where what a scan does changes, as its tuning says, and a ladder through everything else

constexpr int dense_arch = 900;
constexpr std::uint64_t dense_multiprocessors = 132; // of an NVIDIA H200
constexpr std::uint64_t dense_max_bytes = std::uint64_t{8} << 30;
constexpr unsigned dense_steps = 6; // per power of two

std::uint64_t streaming_tile_items(type which)
{
  using namespace reheat::detail;
  switch (size_of(which))
  {
    case 1:
      return scan_tuning<1>{}(dense_arch).tile_items();
    case 2:
      return scan_tuning<2>{}(dense_arch).tile_items();
    case 4:
      return scan_tuning<4>{}(dense_arch).tile_items();
    default:
      return scan_tuning<8>{}(dense_arch).tile_items();
  }
}

//! The most items of each shape that small inputs are cut into; beyond the last one they stream.
sizes max_items_of_shapes(type which)
{
  const std::uint64_t row_items = 512 / size_of(which); // 16 bytes per lane
  const auto shape_of = [&](std::uint64_t rows)
  { return reheat::detail::one_tile_shape_for(dense_arch, rows, size_of(which)); };
  sizes made;
  for (std::uint64_t rows = 1; shape_of(rows).rows != 0; ++rows)
  {
    const auto shape = shape_of(rows), next = shape_of(rows + 1);
    if (shape.block_threads != next.block_threads || shape.rows != next.rows)
    {
      made.push_back(rows * row_items);
    }
  }
  return made;
}

sizes dense_sizes(type which)
{
  sizes edges = max_items_of_shapes(which);
  const std::uint64_t tile = streaming_tile_items(which);
  edges.push_back(tile);
  for (const std::uint64_t waves : {1, 2, 3, 4, 5, 8, 16, 32, 64})
  {
    edges.push_back(waves * tile * dense_multiprocessors);
  }
  sizes made;
  for (const std::uint64_t edge : edges)
  {
    made.insert(made.end(), {edge - 1, edge, edge + 1});
  }
  const std::uint64_t most = dense_max_bytes / size_of(which);
  std::uint64_t items = 16;
  for (unsigned step = 1; items <= most; ++step)
  {
    made.push_back(items);
    items = static_cast<std::uint64_t>(std::llround(16 * std::exp2(static_cast<double>(step) / dense_steps)));
  }
  std::sort(made.begin(), made.end());
  made.erase(std::unique(made.begin(), made.end()), made.end());
  return made;
}

class collected
{
public:
  void add(std::initializer_list<algorithm> algorithms, type type, operation operation, input input, clock clock,
           const sizes& all)
  {
    for (const algorithm algorithm : algorithms)
    {
      // A reduction has nothing to write where its input is; a value comes back, so it waits. Of bf16 it rounds.
      if (!is_scan(algorithm) && (input == input::in_place || clock == clock::wall_nosync || type == type::bf16))
      {
        continue;
      }
      for (const std::uint64_t items : all)
      {
        rows_.push_back({algorithm, type, operation, input, items, clock});
      }
    }
  }
  std::vector<row> take() { return std::move(rows_); }

private:
  std::vector<row> rows_;
};

constexpr std::initializer_list<algorithm> every{algorithm::reduce, algorithm::inclusive_scan, algorithm::exclusive_scan};
constexpr std::initializer_list<algorithm> one_scan{algorithm::reduce, algorithm::inclusive_scan};
constexpr input other_inputs[]{input::device_vector, input::misaligned, input::transform, input::in_place};

} // namespace

std::vector<row> default_row_set()
{
  collected rows;
  for (const type each : types)
  {
    // The two scans share their kernel but for one shift: the second is measured where a difference would show first.
    const bool both = each == type::i8 || each == type::i32 || each == type::f32;
    rows.add(both ? every : one_scan, each, operation::plus, input::pointer, clock::graph, coarse_sizes(each));
    if (each != type::i32) // which has other inputs, too
    {
      rows.add(one_scan, each, operation::plus, input::misaligned, clock::graph, powers(20, 26, 3));
    }
  }
  const sizes few = powers(16, 28, 4);
  rows.add(one_scan, type::i32, operation::plus, input::pointer, clock::graph,
           {1000, (1u << 16) - 1, (1u << 16) + 1, 1000000, (1u << 24) - 1, (1u << 24) + 1});
  rows.add(one_scan, type::i32, operation::max, input::pointer, clock::graph, few);
  rows.add(one_scan, type::i32, operation::last, input::pointer, clock::graph, few);
  for (const input each : other_inputs)
  {
    rows.add(one_scan, type::i32, operation::plus, each, clock::graph, few);
  }
  for (const type each : common_types)
  {
    rows.add(one_scan, each, operation::plus, input::pointer, clock::graph_foreign, powers(8, 20, 2));
  }
  rows.add(one_scan, type::i32, operation::plus, input::pointer, clock::warm, powers(8, 22, 2));
  rows.add(every, type::i32, operation::plus, input::pointer, clock::cold, powers(8, 28, 2));
  rows.add(every, type::i32, operation::plus, input::pointer, clock::wall, powers(8, 28, 2));
  rows.add(every, type::i32, operation::plus, input::pointer, clock::wall_nosync, powers(8, 28, 4));
  rows.add({algorithm::reduce}, type::i32, operation::plus, input::pointer, clock::wall_poll, {1u << 8});
  return rows.take();
}

std::vector<row> quick_row_set()
{
  collected rows;
  for (const type each : common_types)
  {
    rows.add(one_scan, each, operation::plus, input::pointer, clock::graph, powers(12, 30, 2));
  }
  return rows.take();
}

std::vector<row> dense_row_set()
{
  collected rows;
  for (const type each : {type::i8, type::i32, type::i64})
  {
    rows.add({algorithm::inclusive_scan}, each, operation::plus, input::pointer, clock::graph, dense_sizes(each));
  }
  return rows.take();
}

std::vector<row> full_row_set()
{
  collected rows;
  const sizes all = all_sizes();
  sizes small = all;
  small.erase(std::remove_if(small.begin(), small.end(), [](std::uint64_t items) { return items > max_small_items; }),
              small.end());
  for (const type each : types)
  {
    for (const clock clock : {clock::graph, clock::warm, clock::cold, clock::wall, clock::wall_nosync})
    {
      rows.add(every, each, operation::plus, input::pointer, clock, all);
    }
    if (each != type::i32)
    {
      rows.add(one_scan, each, operation::plus, input::misaligned, clock::graph, all);
    }
    if (is_common(each, operation::plus, input::pointer))
    {
      rows.add(one_scan, each, operation::plus, input::pointer, clock::graph_foreign, small);
    }
  }
  for (const clock clock : {clock::graph, clock::cold})
  {
    rows.add(every, type::i32, operation::max, input::pointer, clock, all);
    rows.add(every, type::i32, operation::last, input::pointer, clock, all);
    for (const input each : other_inputs)
    {
      rows.add(every, type::i32, operation::plus, each, clock, all);
    }
  }
  rows.add({algorithm::reduce}, type::i32, operation::plus, input::pointer, clock::wall_poll, {1u << 8});
  return rows.take();
}

std::vector<row> matching(const std::vector<row>& rows, const std::string& expression,
                          const std::vector<implementation>& built)
{
  std::regex wanted;
  try
  {
    wanted.assign(expression);
  }
  catch (const std::regex_error& error)
  {
    throw std::runtime_error("\"" + expression + "\" is no regular expression: " + error.what());
  }
  std::vector<row> kept;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept),
               [&](const row& each)
               {
                 const auto all = implementations_for(each, built);
                 return std::any_of(all.begin(), all.end(),
                                    [&](implementation who) { return std::regex_search(name_of(each, who), wanted); });
               });
  return kept;
}

} // namespace perf
