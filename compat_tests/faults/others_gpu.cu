// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "others_gpu.hpp"

#include "memory_gpu.hpp"

#include "../support/offsets.hpp"
#include "../support/reference.hpp"
#include "../support/runs.hpp"
#include "../support/selections.hpp"
#include "../support/strategies.hpp"

#include <reheat/device.cuh>
#include <reheat/reheat.cuh>

#include <thrust/copy.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

using namespace compat;
using namespace faults_gpu;

namespace
{

using u32 = std::uint32_t;
using u64 = std::uint64_t;

const char* name_of_place(std::size_t skipped)
{
  return skipped == 0 ? "aligned" : "misaligned";
}

//! Whether memory begins with these items.
template <class T>
bool begins_with(const exact_memory<T>& memory, const std::vector<T>& expected)
{
  std::vector<T> found = memory.items();
  found.resize(std::min(found.size(), expected.size()));
  return same(expected, found);
}

//! Small integers between two large numbers that cancel each other: any rounding shows.
template <class T>
void run_exact_sums(const char* type, T large, std::size_t count, std::size_t skipped)
{
  std::vector<T> items(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    items[i] = static_cast<T>(i % 3);
  }
  const T sum = std::accumulate(items.begin() + 1, items.end() - 1, T(2)); // far below what T holds
  items.front() = large;
  items.back() = -large;
  const exact_memory<T> in(items, skipped), out(1, skipped);
  const auto exact = reheat::par.with(reheat::exact_sums);
  const char* const where = name_of_place(skipped);
  report("exact reduce", type, where, count, thrust::reduce(exact, in.begin(), in.end(), T(2)) == sum);
  reheat::reduce_into(exact, in.begin(), in.end(), out.begin(), T(2));
  report("exact reduce_into", type, where, count, begins_with(out, {sum}));
}

//! Items with a stencil, and items that are their own; results that are counted on the host and on the device.
template <class T>
void run_selections(const char* type, std::size_t count, std::size_t skipped)
{
  const char* const where = name_of_place(skipped);
  const std::vector<T> items = make_items<T>(count, 1);
  const std::vector<std::uint8_t> flags = make_flags<std::uint8_t>(count, selected::nine_tenths);
  std::vector<std::uint8_t> others;
  for (const std::uint8_t flag : flags)
  {
    others.push_back(static_cast<std::uint8_t>(flag ^ 1));
  }
  const std::vector<T> chosen = selection_reference(items, flags), rejected = selection_reference(items, others);
  std::vector<T> parted = chosen;
  parted.insert(parted.end(), rejected.begin(), rejected.end());
  const exact_memory<T> in(items, skipped), out(chosen.size(), skipped), rest(rejected.size(), skipped);
  const exact_memory<std::uint8_t> at(flags, skipped);
  const exact_memory<u64> number(1, skipped);
  const T* const end = thrust::copy_if(reheat::par, in.begin(), in.end(), at.begin(), out.begin(), is_flag{});
  report("copy_if", type, where, count, end == out.end() && same(chosen, out.items()));
  {
    const exact_memory<T> both(items, skipped);
    const T* const kept = thrust::remove_if(reheat::par, both.begin(), both.end(), at.begin(), is_flag{});
    report("remove_if", type, where, count,
           static_cast<std::size_t>(kept - both.begin()) == rejected.size() && begins_with(both, rejected));
  }
  reheat::remove_copy_if_into(reheat::par, in.begin(), in.end(), at.begin(), rest.begin(), is_flag{}, number.begin());
  report("remove_copy_if_into", type, where, count, same(rejected, rest.items()) && begins_with(number, {rejected.size()}));
  {
    const exact_memory<T> first(chosen.size(), skipped), second(rejected.size(), skipped);
    const auto ends =
        thrust::partition_copy(reheat::par, in.begin(), in.end(), at.begin(), first.begin(), second.begin(), is_flag{});
    report("partition_copy", type, where, count,
           ends.first == first.end() && ends.second == second.end() && same(chosen, first.items()) &&
               same(rejected, second.items()));
  }
  {
    const exact_memory<T> first(chosen.size(), skipped), second(rejected.size(), skipped);
    reheat::partition_copy_into(reheat::par, in.begin(), in.end(), at.begin(), first.begin(), second.begin(), is_flag{},
                                number.begin());
    report("partition_copy_into", type, where, count,
           same(chosen, first.items()) && same(rejected, second.items()) && begins_with(number, {chosen.size()}));
  }
  const exact_memory<T> both(items, skipped), again(items, skipped);
  const T* const middle = thrust::stable_partition(reheat::par, both.begin(), both.end(), at.begin(), is_flag{});
  report("stable_partition", type, where, count,
         static_cast<std::size_t>(middle - both.begin()) == chosen.size() && same(parted, both.items()));
  reheat::partition_into(reheat::par, again.begin(), again.end(), at.begin(), is_flag{}, number.begin());
  report("partition_into", type, where, count, same(parted, again.items()) && begins_with(number, {chosen.size()}));
}

struct is_below_40
{
  __host__ __device__ bool operator()(u32 x) const { return x < 40; }
};
struct is_below_80
{
  __host__ __device__ bool operator()(u32 x) const { return x < 80; }
};

//! Three parts, the point of a partition, and copies that decide by the item itself.
void run_parts(std::size_t count, std::size_t skipped)
{
  const char* const where = name_of_place(skipped);
  const std::vector<u32> items = make_runs<u32>(count, run_lengths::mixed); // 0 to 116
  std::vector<u32> low, middle, high;
  for (const u32 item : items)
  {
    (is_below_40{}(item) ? low : is_below_80{}(item) ? middle : high).push_back(item);
  }
  const exact_memory<u32> in(items, skipped), first(low.size(), skipped), second(middle.size(), skipped),
      third(high.size(), skipped), copies(low.size(), skipped);
  const exact_memory<u64> numbers(2, skipped);
  run_in_given_memory(
      [&](void* memory, std::size_t& bytes)
      {
        return reheat::DevicePartition::If(memory, bytes, in.begin(), first.begin(), second.begin(), third.begin(),
                                           numbers.begin(), count, is_below_40{}, is_below_80{});
      });
  report("DevicePartition::If", "u32", where, count,
         same(low, first.items()) && same(middle, second.items()) && same(high, third.items()) &&
             begins_with(numbers, {low.size(), middle.size()}));
  reheat::copy_if_into(reheat::par, in.begin(), in.end(), copies.begin(), is_below_40{}, numbers.begin());
  report("copy_if_into", "u32", where, count, same(low, copies.items()) && begins_with(numbers, {low.size()}));
  low.insert(low.end(), high.begin(), high.end());
  const exact_memory<u32> parted(low, skipped);
  report("partition_point", "u32", where, low.size(),
         static_cast<std::size_t>(thrust::partition_point(reheat::par, parted.begin(), parted.end(), is_below_40{}) -
                                  parted.begin()) == first.items().size());
}

//! Runs of equal items: the first of each, with values beside them, and how long they are.
void run_uniques(std::size_t count, std::size_t skipped)
{
  const char* const where = name_of_place(skipped);
  const std::vector<u32> items = make_runs<u32>(count, run_lengths::mixed), values = make_items<u32>(count, 1);
  const runs_of_items<u32, u32> all = runs_reference<u32>(items, 1), long_ones = runs_reference<u32>(items, 2);
  std::vector<u32> first_values;
  for (const u32 at : all.index)
  {
    first_values.push_back(values[at]);
  }
  const std::size_t runs = all.first.size();
  const exact_memory<u32> in(items, skipped), beside(values, skipped);
  const exact_memory<u64> number(1, skipped);
  {
    const exact_memory<u32> out(runs, skipped);
    report("unique_copy", "u32", where, count,
           thrust::unique_copy(reheat::par, in.begin(), in.end(), out.begin()) == out.end() && same(all.first, out.items()));
  }
  report("unique_count", "u32", where, count,
         static_cast<std::size_t>(thrust::unique_count(reheat::par, in.begin(), in.end())) == runs);
  {
    const exact_memory<u32> both(items, skipped);
    reheat::unique_into(reheat::par, both.begin(), both.end(), number.begin());
    report("unique_into", "u32", where, count, begins_with(both, all.first) && begins_with(number, {runs}));
  }
  {
    const exact_memory<u32> out(runs, skipped), values_out(runs, skipped);
    const auto ends =
        thrust::unique_by_key_copy(reheat::par, in.begin(), in.end(), beside.begin(), out.begin(), values_out.begin());
    report("unique_by_key_copy", "u32", where, count,
           ends.first == out.end() && ends.second == values_out.end() && same(all.first, out.items()) &&
               same(first_values, values_out.items()));
  }
  {
    const exact_memory<u32> both(items, skipped), both_values(values, skipped);
    reheat::unique_by_key_into(reheat::par, both.begin(), both.end(), both_values.begin(), number.begin());
    report("unique_by_key_into", "u32", where, count,
           begins_with(both, all.first) && begins_with(both_values, first_values) && begins_with(number, {runs}));
  }
  const exact_memory<u32> firsts(runs, skipped), lengths(runs, skipped);
  run_in_given_memory(
      [&](void* memory, std::size_t& bytes)
      {
        return reheat::DeviceRunLengthEncode::Encode(memory, bytes, in.begin(), firsts.begin(), lengths.begin(),
                                                     number.begin(), count);
      });
  report("Encode", "u32", where, count,
         same(all.first, firsts.items()) && same(all.length, lengths.items()) && begins_with(number, {runs}));
  const exact_memory<u32> indices(long_ones.index.size(), skipped), long_lengths(long_ones.index.size(), skipped);
  run_in_given_memory(
      [&](void* memory, std::size_t& bytes)
      {
        return reheat::DeviceRunLengthEncode::NonTrivialRuns(memory, bytes, in.begin(), indices.begin(),
                                                             long_lengths.begin(), number.begin(), count);
      });
  report("NonTrivialRuns", "u32", where, count,
         same(long_ones.index, indices.items()) && same(long_ones.length, long_lengths.items()) &&
             begins_with(number, {long_ones.index.size()}));
}

//! Values that are moved by their positions.
void run_sort_with_values(std::size_t count, std::size_t skipped)
{
  const std::vector<u32> keys = make_runs<u32>(count, run_lengths::mixed);
  const std::vector<words<64>> values = make_items<words<64>>(count, 1);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  std::vector<u32> sorted;
  std::vector<words<64>> moved;
  for (const std::size_t at : order)
  {
    sorted.push_back(keys[at]);
    moved.push_back(values[at]);
  }
  const exact_memory<u32> in(keys, skipped);
  const exact_memory<words<64>> beside(values, skipped);
  thrust::stable_sort_by_key(reheat::par, in.begin(), in.end(), beside.begin());
  report("stable_sort_by_key", "u32 with 256-byte structs", name_of_place(skipped), count,
         same(sorted, in.items()) && same(moved, beside.items()));
}

//! The index of the first of the smallest or the largest items of each segment; of an empty one its end.
template <class Before>
std::vector<u32> first_extrema(const std::vector<u32>& items, const std::vector<u32>& offsets, Before before)
{
  std::vector<u32> found;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
  {
    u32 at = offsets[s];
    for (u32 i = at; i < offsets[s + 1]; ++i)
    {
      at = before(items[i], items[at]) ? i : at;
    }
    found.push_back(at);
  }
  return found;
}

//! Scans and extrema of segments between offsets, and segments whose ends are given each by itself.
void run_segments_of(const char* kind, const std::vector<u32>& offsets, std::size_t skipped)
{
  const std::size_t segments = offsets.size() - 1;
  const std::vector<u32> items = make_items<u32>(offsets.back()), before(items.size(), 3);
  const u32 init = 7;
  const exact_memory<u32> in(items, skipped), at(offsets, skipped), out(before, skipped), results(segments, skipped);
  reheat::segmented_inclusive_scan(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), plus{});
  const std::vector<u32> inclusive =
      segmented_scan_reference<u32>(items, offsets, before, true, static_cast<const u32*>(nullptr), plus{});
  report("segmented_inclusive_scan", "u32", kind, segments, same(inclusive, out.items()));
  reheat::segmented_exclusive_scan(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), init, plus{});
  report("segmented_exclusive_scan", "u32", kind, segments,
         same(segmented_scan_reference<u32>(items, offsets, before, false, &init, plus{}), out.items()));
  reheat::segmented_min_element(reheat::par, in.begin(), at.begin(), at.end(), results.begin());
  report("segmented_min_element", "u32", kind, segments,
         same(first_extrema(items, offsets, [](u32 x, u32 y) { return x < y; }), results.items()));
  reheat::segmented_max_element(reheat::par, in.begin(), at.begin(), at.end(), results.begin());
  report("segmented_max_element", "u32", kind, segments,
         same(first_extrema(items, offsets, [](u32 x, u32 y) { return x > y; }), results.items()));

  // In an order that only blocks that take a segment each can follow.
  const exact_memory<u32> begins(std::vector<u32>(offsets.rbegin() + 1, offsets.rend()), skipped),
      ends(std::vector<u32>(offsets.rbegin(), offsets.rend() - 1), skipped);
  const auto number = static_cast<std::int64_t>(segments);
  run_in_given_memory(
      [&](void* memory, std::size_t& bytes)
      {
        return reheat::DeviceSegmentedReduce::Reduce(memory, bytes, in.begin(), results.begin(), number, begins.begin(),
                                                     ends.begin(), plus{}, init);
      });
  std::vector<u32> sums = segmented_reference<u32>(items, offsets, init, plus{});
  std::reverse(sums.begin(), sums.end());
  report("DeviceSegmentedReduce", "u32", kind, segments, same(sums, results.items()));
  const exact_memory<u32> scanned(before, skipped);
  run_in_given_memory(
      [&](void* memory, std::size_t& bytes)
      {
        return reheat::DeviceSegmentedScan::InclusiveSegmentedScan(memory, bytes, in.begin(), scanned.begin(),
                                                                   begins.begin(), ends.begin(), number, plus{});
      });
  report("DeviceSegmentedScan", "u32", kind, segments, same(inclusive, scanned.items()));
}

} // namespace

bool others_are_right()
{
  for (const std::size_t skipped : {0u, 1u})
  {
    run_exact_sums<float>("f32", 0x1p60f, 50021, skipped);
    run_exact_sums<double>("f64", 0x1p200, 9001, skipped);
    for (const forced_scan& how : {forced_scan{}, streaming_scans()}) // a block for each tile, or blocks that take turns
    {
      const force_scans all(how);
      run_selections<u32>("u32", 20021, skipped);
      run_selections<words<3>>("12-byte structs", 5003, skipped);
      run_parts(20021, skipped);
      run_uniques(20021, skipped);
    }
    run_sort_with_values(701, skipped);
    for (const lengths kind : all_lengths)
    {
      run_segments_of(name_of(kind), make_offsets(kind, 2000, segmented_tile<u32>() / 4, 1), skipped);
    }
    run_segments_of("two", {0, 3, static_cast<u32>(5 * segmented_tile<u32>())}, skipped);
  }
  return all_right;
}
