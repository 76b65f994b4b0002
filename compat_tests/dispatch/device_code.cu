// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls in device code, which belong to CUB: none of them compiles (check_device_code.py).

#include <reheat/device.cuh>

#include <cub/util_type.cuh>

struct take_left
{
  __host__ __device__ int operator()(int x) const { return x; }
  __host__ __device__ int operator()(int x, int) const { return x; }
};
struct is_odd
{
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct same_parity
{
  __host__ __device__ bool operator()(int x, int y) const { return x % 2 == y % 2; }
};

__global__ void reduces(int* p, long long* index, cub::KeyValuePair<int, int>* pair, std::size_t bytes, void* memory)
{
  using reheat::DeviceReduce;
  DeviceReduce::Reduce(memory, bytes, p, p, 9, take_left{}, 1);
  DeviceReduce::Sum(memory, bytes, p, p, 9);
  DeviceReduce::Min(memory, bytes, p, p, 9);
  DeviceReduce::Max(memory, bytes, p, p, 9);
  DeviceReduce::ArgMin(memory, bytes, p, p, index, 9LL);
  DeviceReduce::ArgMin(memory, bytes, p, pair, 9);
  DeviceReduce::ArgMax(memory, bytes, p, p, index, 9LL);
  DeviceReduce::ArgMax(memory, bytes, p, pair, 9);
  DeviceReduce::TransformReduce(memory, bytes, p, p, 9, take_left{}, take_left{}, 1);
  DeviceReduce::ReduceByKey(memory, bytes, p, p, p, p, p, take_left{}, 9);
}

__global__ void scans(int* p, std::size_t bytes, void* memory)
{
  using reheat::DeviceScan;
  const cub::FutureValue<int> future(p);
  DeviceScan::ExclusiveSum(memory, bytes, p, p, 9);
  DeviceScan::ExclusiveSum(memory, bytes, p, 9);
  DeviceScan::InclusiveSum(memory, bytes, p, p, 9);
  DeviceScan::InclusiveSum(memory, bytes, p, 9);
  DeviceScan::ExclusiveScan(memory, bytes, p, p, take_left{}, 1, 9);
  DeviceScan::ExclusiveScan(memory, bytes, p, take_left{}, 1, 9);
  DeviceScan::ExclusiveScan(memory, bytes, p, p, take_left{}, future, 9);
  DeviceScan::ExclusiveScan(memory, bytes, p, take_left{}, future, 9);
  DeviceScan::InclusiveScan(memory, bytes, p, p, take_left{}, 9);
  DeviceScan::InclusiveScan(memory, bytes, p, take_left{}, 9);
  DeviceScan::InclusiveScanInit(memory, bytes, p, p, take_left{}, 1, 9);
  DeviceScan::ExclusiveSumByKey(memory, bytes, p, p, p, 9);
  DeviceScan::ExclusiveScanByKey(memory, bytes, p, p, p, take_left{}, 1, 9);
  DeviceScan::InclusiveSumByKey(memory, bytes, p, p, p, 9);
  DeviceScan::InclusiveScanByKey(memory, bytes, p, p, p, take_left{}, 9);
}

__global__ void selections(int* p, std::size_t bytes, void* memory)
{
  using reheat::DeviceSelect;
  DeviceSelect::If(memory, bytes, p, p, p, 9, is_odd{});
  DeviceSelect::If(memory, bytes, p, p, 9, is_odd{});
  DeviceSelect::Flagged(memory, bytes, p, p, p, p, 9);
  DeviceSelect::Flagged(memory, bytes, p, p, p, 9);
  DeviceSelect::FlaggedIf(memory, bytes, p, p, p, p, 9, is_odd{});
  DeviceSelect::FlaggedIf(memory, bytes, p, p, p, 9, is_odd{});
  DeviceSelect::Unique(memory, bytes, p, p, p, 9);
  DeviceSelect::Unique(memory, bytes, p, p, 9);
  DeviceSelect::Unique(memory, bytes, p, p, p, 9, same_parity{});
  DeviceSelect::Unique(memory, bytes, p, p, 9, same_parity{});
  DeviceSelect::UniqueByKey(memory, bytes, p, p, p, p, p, 9);
  DeviceSelect::UniqueByKey(memory, bytes, p, p, p, p, p, 9, same_parity{});
}

__global__ void partitions_and_runs(int* p, std::size_t bytes, void* memory)
{
  using reheat::DevicePartition;
  using reheat::DeviceRunLengthEncode;
  DevicePartition::If(memory, bytes, p, p, p, 9, is_odd{});
  DevicePartition::If(memory, bytes, p, p, p, p, p, 9, is_odd{}, is_odd{});
  DevicePartition::Flagged(memory, bytes, p, p, p, p, 9);
  DeviceRunLengthEncode::Encode(memory, bytes, p, p, p, p, 9);
  DeviceRunLengthEncode::NonTrivialRuns(memory, bytes, p, p, p, p, 9);
}

__global__ void sorts(const int* in, int* p, cub::DoubleBuffer<int>* keys, std::size_t bytes, void* memory)
{
  using reheat::DeviceRadixSort;
  DeviceRadixSort::SortKeys(memory, bytes, in, p, 9);
  DeviceRadixSort::SortKeys(memory, bytes, *keys, 9);
  DeviceRadixSort::SortKeysDescending(memory, bytes, in, p, 9);
  DeviceRadixSort::SortKeysDescending(memory, bytes, *keys, 9);
  DeviceRadixSort::SortPairs(memory, bytes, in, p, in, p, 9);
  DeviceRadixSort::SortPairs(memory, bytes, *keys, *keys, 9);
  DeviceRadixSort::SortPairsDescending(memory, bytes, in, p, in, p, 9);
  DeviceRadixSort::SortPairsDescending(memory, bytes, *keys, *keys, 9);
}

__global__ void reduces_of_segments(int* p, cub::KeyValuePair<int, int>* pair, std::size_t bytes, void* memory)
{
  using reheat::DeviceSegmentedReduce;
  DeviceSegmentedReduce::Reduce(memory, bytes, p, p, 9, p, p + 1, take_left{}, 1);
  DeviceSegmentedReduce::Reduce(memory, bytes, p, p, 9, 5, take_left{}, 1);
  DeviceSegmentedReduce::Sum(memory, bytes, p, p, 9, p, p + 1);
  DeviceSegmentedReduce::Sum(memory, bytes, p, p, 9, 5);
  DeviceSegmentedReduce::Min(memory, bytes, p, p, 9, p, p + 1);
  DeviceSegmentedReduce::Min(memory, bytes, p, p, 9, 5);
  DeviceSegmentedReduce::Max(memory, bytes, p, p, 9, p, p + 1);
  DeviceSegmentedReduce::Max(memory, bytes, p, p, 9, 5);
  DeviceSegmentedReduce::ArgMin(memory, bytes, p, pair, 9, p, p + 1);
  DeviceSegmentedReduce::ArgMin(memory, bytes, p, pair, 9, 5);
  DeviceSegmentedReduce::ArgMax(memory, bytes, p, pair, 9, p, p + 1);
  DeviceSegmentedReduce::ArgMax(memory, bytes, p, pair, 9, 5);
}

__global__ void scans_of_segments(int* p, std::size_t bytes, void* memory)
{
  using reheat::DeviceSegmentedScan;
  DeviceSegmentedScan::ExclusiveSegmentedSum(memory, bytes, p, p, p, p + 1, 9);
  DeviceSegmentedScan::ExclusiveSegmentedSum(memory, bytes, p, p, p, p + 1, p, 9);
  DeviceSegmentedScan::ExclusiveSegmentedScan(memory, bytes, p, p, p, p + 1, 9, take_left{}, 1);
  DeviceSegmentedScan::ExclusiveSegmentedScan(memory, bytes, p, p, p, p + 1, p, 9, take_left{}, 1);
  DeviceSegmentedScan::InclusiveSegmentedSum(memory, bytes, p, p, p, p + 1, 9);
  DeviceSegmentedScan::InclusiveSegmentedSum(memory, bytes, p, p, p, p + 1, p, 9);
  DeviceSegmentedScan::InclusiveSegmentedScan(memory, bytes, p, p, p, p + 1, 9, take_left{});
  DeviceSegmentedScan::InclusiveSegmentedScan(memory, bytes, p, p, p, p + 1, p, 9, take_left{});
  DeviceSegmentedScan::InclusiveSegmentedScanInit(memory, bytes, p, p, p, p + 1, 9, take_left{}, 1);
  DeviceSegmentedScan::InclusiveSegmentedScanInit(memory, bytes, p, p, p, p + 1, p, 9, take_left{}, 1);
}
