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
