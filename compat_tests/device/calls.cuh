// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls of support/device_calls.hpp, for each interface that a source of this folder compiles them with.
#pragma once

#include "../support/device_calls.hpp"
#include "../support/user_code.hpp"

#include <thrust/iterator/discard_iterator.h>

#include <type_traits>

namespace compat
{

//! Composes maps over 16-bit words, whose factor is the lower half of a number: associative, and does not commute.
struct compose_halves
{
  using u32 = std::uint32_t;
  REHEAT_HOST_DEVICE u32 operator()(u32 x, u32 y) const
  {
    const affine<std::uint16_t> map = compose(halves(x), halves(y));
    return u32{map.b} << 16 | map.a;
  }
  REHEAT_HOST_DEVICE static affine<std::uint16_t> halves(u32 x)
  {
    return {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(x >> 16)};
  }
};

//! What selections ask of an item, or of its flag.
struct is_odd_item
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x) const { return x % 2 == 1; }
};

//! The second part of partitions in three.
struct is_multiple_of_4
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x) const { return x % 4 == 0; }
};

//! Whether two neighbours are both even or both odd.
struct same_parity
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x, std::uint32_t y) const { return x % 2 == y % 2; }
};

//! From which the calls begin that are given an initial value.
inline constexpr std::uint32_t device_init = 0x00050003u;

//! The bits by which some sorts sort: an odd number of passes, so that double buffers end in their alternate buffers.
inline constexpr int sorted_begin_bit = 3, sorted_end_bit = 20;

//! The size of segments of `items` items, if all have the same. The last items may be in none.
inline int size_of_segments(std::size_t items)
{
  return items < 7 ? 1 : 7;
}

//! Says where a sort between double buffers will leave its results. The first phase does not sort.
inline void select_buffers(const device_places& p, const void* memory, int items, int keys)
{
  if (memory != nullptr)
  {
    *p.selectors = {items, keys};
  }
}

//! A call of every entry point of Api at `p`. No output is expected of it yet.
template <class Api>
std::vector<device_call> device_calls_of(const device_places& p)
{
  using reheat::stream_type;
  using u32 = std::uint32_t;
  using signed_size = std::int64_t;
  const Api api{};
  const auto future = ::cub::FutureValue<u32>(const_cast<u32*>(p.first));
  const auto n = p.size;
  std::vector<device_call> calls;
  const auto add = [&](const char* name, auto call) { calls.push_back({name, call, {}}); };

  add("DeviceReduce::Reduce",
      [=](void* memory, std::size_t& bytes, stream_type stream) {
        return api.reduce.Reduce(memory, bytes, p.in, p.folded, static_cast<int>(n), compose_halves{}, device_init, stream);
      });
  add("DeviceReduce::Sum", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.reduce.Sum(memory, bytes, p.in, p.folded, n, stream); });
  add("DeviceReduce::Min", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.reduce.Min(memory, bytes, p.in, p.folded, static_cast<unsigned>(n), stream); });
  add("DeviceReduce::Max", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.reduce.Max(memory, bytes, p.in, p.folded, static_cast<signed_size>(n), stream); });
  add("DeviceReduce::ArgMin", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.reduce.ArgMin(memory, bytes, p.in, p.folded, p.index, static_cast<signed_size>(n), stream); });
  add("DeviceReduce::ArgMax", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.reduce.ArgMax(memory, bytes, p.in, p.folded, p.index, static_cast<signed_size>(n), stream); });
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  add("DeviceReduce::ArgMin, deprecated", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.reduce.ArgMin(memory, bytes, p.in, p.pair, static_cast<int>(n), stream); });
  add("DeviceReduce::ArgMax, deprecated", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.reduce.ArgMax(memory, bytes, p.in, p.pair, static_cast<int>(n), stream); });
#pragma GCC diagnostic pop
  add("DeviceReduce::TransformReduce",
      [=](void* memory, std::size_t& bytes, stream_type stream) {
        return api.reduce.TransformReduce(memory, bytes, p.in, p.folded, n, compose_halves{}, twice{}, device_init, stream);
      });
  add("DeviceReduce::ReduceByKey",
      [=](void* memory, std::size_t& bytes, stream_type stream)
      {
        return api.reduce.ReduceByKey(memory, bytes, p.keys, p.keys_out, p.in, p.out, p.runs, compose_halves{},
                                      static_cast<int>(n), stream);
      });

  add("DeviceScan::ExclusiveSum", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.ExclusiveSum(memory, bytes, p.in, p.out, static_cast<int>(n), stream); });
  add("DeviceScan::ExclusiveSum, in place", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.ExclusiveSum(memory, bytes, p.data, n, stream); });
  add("DeviceScan::InclusiveSum", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.InclusiveSum(memory, bytes, p.in, p.out, n, stream); });
  add("DeviceScan::InclusiveSum, in place", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.InclusiveSum(memory, bytes, p.data, static_cast<unsigned>(n), stream); });
  add("DeviceScan::ExclusiveScan",
      [=](void* memory, std::size_t& bytes, stream_type stream) {
        return api.scan.ExclusiveScan(memory, bytes, p.in, p.out, compose_halves{}, device_init, static_cast<int>(n),
                                      stream);
      });
  add("DeviceScan::ExclusiveScan, in place", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.ExclusiveScan(memory, bytes, p.data, compose_halves{}, device_init, n, stream); });
  add("DeviceScan::ExclusiveScan, future value",
      [=](void* memory, std::size_t& bytes, stream_type stream)
      {
        return api.scan.ExclusiveScan(memory, bytes, p.in, p.out, compose_halves{}, future, static_cast<signed_size>(n),
                                      stream);
      });
  add("DeviceScan::ExclusiveScan, future value, in place", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.ExclusiveScan(memory, bytes, p.data, compose_halves{}, future, static_cast<int>(n), stream); });
  add("DeviceScan::InclusiveScan", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.InclusiveScan(memory, bytes, p.in, p.out, compose_halves{}, n, stream); });
  add("DeviceScan::InclusiveScan, in place", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.InclusiveScan(memory, bytes, p.data, compose_halves{}, static_cast<int>(n), stream); });
  add("DeviceScan::InclusiveScanInit", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.InclusiveScanInit(memory, bytes, p.in, p.out, compose_halves{}, device_init, n, stream); });
  add("DeviceScan::ExclusiveSumByKey", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.ExclusiveSumByKey(memory, bytes, p.keys, p.in, p.out, static_cast<unsigned>(n), equal{}, stream); });
  add("DeviceScan::ExclusiveScanByKey",
      [=](void* memory, std::size_t& bytes, stream_type stream)
      {
        return api.scan.ExclusiveScanByKey(memory, bytes, p.keys, p.in, p.out, compose_halves{}, device_init,
                                           static_cast<signed_size>(n), equal{}, stream);
      });
  add("DeviceScan::InclusiveSumByKey", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.InclusiveSumByKey(memory, bytes, p.keys, p.in, p.out, static_cast<int>(n), equal{}, stream); });
  add("DeviceScan::InclusiveScanByKey", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.InclusiveScanByKey(memory, bytes, p.keys, p.in, p.out, compose_halves{}, n, equal{}, stream); });

  const auto size = static_cast<signed_size>(n);
  add("DeviceSelect::If", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.select.If(memory, bytes, p.in, p.out, p.runs, size, is_odd_item{}, stream); });
  add("DeviceSelect::If, in place", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.select.If(memory, bytes, p.data, p.runs, size, is_odd_item{}, stream); });
  add("DeviceSelect::Flagged", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.select.Flagged(memory, bytes, p.in, p.keys, p.out, p.runs, size, stream); });
  add("DeviceSelect::Flagged, in place", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.select.Flagged(memory, bytes, p.data, p.keys, p.runs, size, stream); });
  add("DeviceSelect::FlaggedIf", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.select.FlaggedIf(memory, bytes, p.in, p.keys, p.out, p.runs, size, is_odd_item{}, stream); });
  add("DeviceSelect::FlaggedIf, in place", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.select.FlaggedIf(memory, bytes, p.data, p.keys, p.runs, size, is_odd_item{}, stream); });
  add("DeviceSelect::Unique", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.select.Unique(memory, bytes, p.keys, p.out, p.runs, size, stream); });
  if constexpr (std::is_same_v<Api, reheat_api>) // CUB 3.0.1 has none of these
  {
    add("DeviceSelect::Unique, compared", [=](void* memory, std::size_t& bytes, stream_type stream)
        { return api.select.Unique(memory, bytes, p.in, p.out, p.runs, size, same_parity{}, stream); });
    add("DeviceSelect::Unique, in place, compared", [=](void* memory, std::size_t& bytes, stream_type stream)
        { return api.select.Unique(memory, bytes, p.data, p.runs, size, same_parity{}, stream); });
  }
  add("DeviceSelect::UniqueByKey",
      [=](void* memory, std::size_t& bytes, stream_type stream) {
        return api.select.UniqueByKey(memory, bytes, p.keys, p.in, p.keys_out, p.out, p.runs, static_cast<int>(n), stream);
      });
  add("DeviceSelect::UniqueByKey, compared", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.select.UniqueByKey(memory, bytes, p.keys, p.in, p.keys_out, p.out, p.runs, n, same_parity{}, stream); });
  add("DevicePartition::If", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.partition.If(memory, bytes, p.in, p.out, p.runs, size, is_odd_item{}, stream); });
  add("DevicePartition::Flagged", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.partition.Flagged(memory, bytes, p.in, p.keys, p.out, p.runs, size, stream); });
  add("DevicePartition::If, in three", // the number of the second part goes behind that of the first one
      [=](void* memory, std::size_t& bytes, stream_type stream)
      {
        return api.partition.If(memory, bytes, p.in, p.out, p.keys_out, ::thrust::make_discard_iterator(), p.folded, size,
                                is_odd_item{}, is_multiple_of_4{}, stream);
      });
  add("DeviceRunLengthEncode::Encode", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.run_lengths.Encode(memory, bytes, p.keys, p.keys_out, p.out, p.runs, static_cast<int>(n), stream); });
  add("DeviceRunLengthEncode::NonTrivialRuns",
      [=](void* memory, std::size_t& bytes, stream_type stream) {
        return api.run_lengths.NonTrivialRuns(memory, bytes, p.keys, p.keys_out, p.out, p.runs, static_cast<int>(n), stream);
      });

  // Keys that are equal, as far as their bits are compared, show whether a sort is stable.
  add("DeviceRadixSort::SortKeys", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.sort.SortKeys(memory, bytes, p.in, p.out, n, 0, 32, stream); });
  add("DeviceRadixSort::SortKeys, some bits",
      [=](void* memory, std::size_t& bytes, stream_type stream) {
        return api.sort.SortKeys(memory, bytes, p.in, p.out, static_cast<int>(n), sorted_begin_bit, sorted_end_bit, stream);
      });
  add("DeviceRadixSort::SortKeysDescending", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.sort.SortKeysDescending(memory, bytes, p.in, p.out, static_cast<unsigned>(n), 0, 32, stream); });
  add("DeviceRadixSort::SortKeys, double buffers",
      [=](void* memory, std::size_t& bytes, stream_type stream)
      {
        ::cub::DoubleBuffer<u32> items(p.data, p.out);
        const auto status = api.sort.SortKeys(memory, bytes, items, n, 0, 32, stream);
        select_buffers(p, memory, items.selector, 0);
        return status;
      });
  add("DeviceRadixSort::SortPairs", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.sort.SortPairs(memory, bytes, p.keys, p.keys_out, p.in, p.out, static_cast<int>(n), 0, 32, stream); });
  add("DeviceRadixSort::SortPairsDescending",
      [=](void* memory, std::size_t& bytes, stream_type stream)
      {
        return api.sort.SortPairsDescending(memory, bytes, p.in, p.keys_out, p.keys, p.out, n, sorted_begin_bit,
                                            sorted_end_bit, stream);
      });
  add("DeviceRadixSort::SortPairs, double buffers",
      [=](void* memory, std::size_t& bytes, stream_type stream)
      {
        ::cub::DoubleBuffer<u32> items(p.data, p.out), keys(p.keys_data, p.keys_out);
        const auto status = api.sort.SortPairs(memory, bytes, keys, items, n, 0, sorted_end_bit - sorted_begin_bit, stream);
        select_buffers(p, memory, items.selector, keys.selector);
        return status;
      });

  const auto segments = static_cast<signed_size>(p.segments);
  const u32 *const begins = p.begins, *const ends = p.begins + 1;
  add("DeviceSegmentedReduce::Reduce",
      [=](void* memory, std::size_t& bytes, stream_type stream)
      {
        return api.segmented_reduce.Reduce(memory, bytes, p.in, p.out, segments, begins, ends, compose_halves{}, device_init,
                                           stream);
      });
  add("DeviceSegmentedReduce::Sum", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.segmented_reduce.Sum(memory, bytes, p.in, p.out, segments, begins, ends, stream); });
  add("DeviceSegmentedReduce::Sum, gaps", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.segmented_reduce.Sum(memory, bytes, p.in, p.out, segments, begins, p.ends, stream); });
  add("DeviceSegmentedReduce::Min", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.segmented_reduce.Min(memory, bytes, p.in, p.out, segments, begins, ends, stream); });
  add("DeviceSegmentedReduce::Max", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.segmented_reduce.Max(memory, bytes, p.in, p.out, segments, begins, ends, stream); });
  add("DeviceSegmentedReduce::ArgMin", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.segmented_reduce.ArgMin(memory, bytes, p.in, p.pairs, segments, begins, ends, stream); });
  add("DeviceSegmentedReduce::ArgMax", [=](void* memory, std::size_t& bytes, stream_type stream)
      { return api.segmented_reduce.ArgMax(memory, bytes, p.in, p.pairs, segments, begins, ends, stream); });
  if constexpr (std::is_same_v<Api, reheat_api>) // CUB 3.0.1 has none of these
  {
    const int each = size_of_segments(n);
    const auto equal_ones = static_cast<signed_size>(n) / each;
    add("DeviceSegmentedReduce::Reduce, of one size",
        [=](void* memory, std::size_t& bytes, stream_type stream)
        {
          return api.segmented_reduce.Reduce(memory, bytes, p.in, p.out, equal_ones, each, compose_halves{}, device_init,
                                             stream);
        });
    add("DeviceSegmentedReduce::Sum, of one size", [=](void* memory, std::size_t& bytes, stream_type stream)
        { return api.segmented_reduce.Sum(memory, bytes, p.in, p.out, equal_ones, each, stream); });
    add("DeviceSegmentedReduce::Min, of one size", [=](void* memory, std::size_t& bytes, stream_type stream)
        { return api.segmented_reduce.Min(memory, bytes, p.in, p.out, equal_ones, each, stream); });
    add("DeviceSegmentedReduce::Max, of one size", [=](void* memory, std::size_t& bytes, stream_type stream)
        { return api.segmented_reduce.Max(memory, bytes, p.in, p.out, equal_ones, each, stream); });
    add("DeviceSegmentedReduce::ArgMin, of one size", [=](void* memory, std::size_t& bytes, stream_type stream)
        { return api.segmented_reduce.ArgMin(memory, bytes, p.in, p.pairs, equal_ones, each, stream); });
    add("DeviceSegmentedReduce::ArgMax, of one size", [=](void* memory, std::size_t& bytes, stream_type stream)
        { return api.segmented_reduce.ArgMax(memory, bytes, p.in, p.pairs, equal_ones, each, stream); });

    add("DeviceSegmentedScan::ExclusiveSegmentedSum", [=](void* memory, std::size_t& bytes, stream_type stream)
        { return api.segmented_scan.ExclusiveSegmentedSum(memory, bytes, p.in, p.out, begins, ends, segments, stream); });
    add("DeviceSegmentedScan::ExclusiveSegmentedScan",
        [=](void* memory, std::size_t& bytes, stream_type stream)
        {
          return api.segmented_scan.ExclusiveSegmentedScan(memory, bytes, p.in, p.out, begins, ends, segments,
                                                           compose_halves{}, device_init, stream);
        });
    add("DeviceSegmentedScan::InclusiveSegmentedSum, in place", [=](void* memory, std::size_t& bytes, stream_type stream)
        { return api.segmented_scan.InclusiveSegmentedSum(memory, bytes, p.data, p.data, begins, ends, segments, stream); });
    add("DeviceSegmentedScan::InclusiveSegmentedScan",
        [=](void* memory, std::size_t& bytes, stream_type stream)
        {
          return api.segmented_scan.InclusiveSegmentedScan(memory, bytes, p.in, p.out, begins, ends, segments,
                                                           compose_halves{}, stream);
        });
    add("DeviceSegmentedScan::InclusiveSegmentedScanInit",
        [=](void* memory, std::size_t& bytes, stream_type stream)
        {
          return api.segmented_scan.InclusiveSegmentedScanInit(memory, bytes, p.in, p.out, begins, ends, segments,
                                                               compose_halves{}, device_init, stream);
        });
    add("DeviceSegmentedScan::InclusiveSegmentedScan, gaps",
        [=](void* memory, std::size_t& bytes, stream_type stream)
        {
          return api.segmented_scan.InclusiveSegmentedScan(memory, bytes, p.in, p.out, begins, p.ends, p.out_begins,
                                                           segments, compose_halves{}, stream);
        });
  }
  return calls;
}

} // namespace compat
