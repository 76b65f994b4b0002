// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What compile_time.py compiles: CUB's headers of device-wide reductions and scans, or ours; WITH_CALLS, also one call on
//! pointers of each of 14 functions. Where a function takes an operator, it is one of the program's.

#if defined(THROUGH_REHEAT)
#  include <reheat/device/reduce.cuh>
#  include <reheat/device/scan.cuh>
#else
#  include <cub/device/device_reduce.cuh>
#  include <cub/device/device_scan.cuh>
#endif

#if defined(WITH_CALLS)
#  include <cstddef>

#  if defined(THROUGH_REHEAT)
namespace library = reheat;
#  else
namespace library = cub;
#  endif
#  if defined(__CUDACC__)
#    define HOST_DEVICE __host__ __device__
#  else
#    define HOST_DEVICE
#  endif

struct larger
{
  HOST_DEVICE int operator()(int a, int b) const { return a < b ? b : a; }
};
struct squared
{
  HOST_DEVICE int operator()(int a) const { return a * a; }
};

void reduce(void* memory, std::size_t& bytes, const int* in, int* out, long long n)
{
  library::DeviceReduce::Sum(memory, bytes, in, out, n);
  library::DeviceReduce::Reduce(memory, bytes, in, out, n, larger{}, 0);
  library::DeviceReduce::Min(memory, bytes, in, out, n);
  library::DeviceReduce::Max(memory, bytes, in, out, n);
  library::DeviceReduce::TransformReduce(memory, bytes, in, out, n, larger{}, squared{}, 0);
}
void find(void* memory, std::size_t& bytes, const int* in, int* extremum, long long* index, long long n)
{
  library::DeviceReduce::ArgMin(memory, bytes, in, extremum, index, n);
}
void scan(void* memory, std::size_t& bytes, const int* in, int* out, long long n)
{
  library::DeviceScan::ExclusiveSum(memory, bytes, in, out, n);
  library::DeviceScan::InclusiveSum(memory, bytes, in, out, n);
  library::DeviceScan::ExclusiveScan(memory, bytes, in, out, larger{}, 0, n);
  library::DeviceScan::InclusiveScan(memory, bytes, in, out, larger{}, n);
  library::DeviceScan::InclusiveScanInit(memory, bytes, in, out, larger{}, 0, n);
}
void by_key(void* memory, std::size_t& bytes, const int* keys, const int* values, int* unique_keys, int* out, int* runs,
            long long n)
{
  library::DeviceReduce::ReduceByKey(memory, bytes, keys, unique_keys, values, out, runs, larger{}, n);
  library::DeviceScan::InclusiveSumByKey(memory, bytes, keys, values, out, n);
  library::DeviceScan::ExclusiveScanByKey(memory, bytes, keys, values, out, larger{}, 0, n);
}
#endif
