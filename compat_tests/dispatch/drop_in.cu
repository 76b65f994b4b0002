// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//
// A library that calls CUB as `cub::…`, with the line that makes this reheat::drop_in_cub. check_drop_in.py looks at its
// kernels.
#include <reheat/cub.cuh>

#include <cuda/std/functional>
#include <cuda/std/tuple>

#include <cstddef>
#include <type_traits>

namespace theirs = CUB_NS_QUALIFIER;

namespace mylib
{

namespace cub = reheat::drop_in_cub;

#if defined(REHEAT_PASSTHROUGH)
namespace ours = theirs;
#else
namespace ours = reheat;
#endif
static_assert(std::is_same_v<cub::DeviceReduce, ours::DeviceReduce>);
static_assert(std::is_same_v<cub::DeviceScan, ours::DeviceScan>);
static_assert(std::is_same_v<cub::DeviceSegmentedReduce, ours::DeviceSegmentedReduce>);
#if !defined(REHEAT_PASSTHROUGH) // CUB has none before CCCL 3.3
static_assert(std::is_same_v<cub::DeviceSegmentedScan, ours::DeviceSegmentedScan>);
#endif
static_assert(std::is_same_v<cub::DeviceSelect, ours::DeviceSelect>);
static_assert(std::is_same_v<cub::DevicePartition, ours::DevicePartition>);
static_assert(std::is_same_v<cub::DeviceRunLengthEncode, ours::DeviceRunLengthEncode>);
#if !defined(REHEAT_PASSTHROUGH) // reheat's has no decomposers
static_assert(std::is_base_of_v<ours::DeviceRadixSort, cub::DeviceRadixSort>);
#endif

// What stays CUB's: classes for the device, for blocks and for warps, values, iterators and functions.
static_assert(std::is_same_v<cub::BlockReduce<int, 128>, theirs::BlockReduce<int, 128>>);
static_assert(std::is_same_v<cub::WarpScan<int>, theirs::WarpScan<int>>);
static_assert(std::is_same_v<cub::FutureValue<int>, theirs::FutureValue<int>>);
static_assert(std::is_same_v<cub::KeyValuePair<int, float>, theirs::KeyValuePair<int, float>>);
static_assert(std::is_same_v<cub::CacheModifiedInputIterator<cub::LOAD_LDG, int>,
                             theirs::CacheModifiedInputIterator<theirs::LOAD_LDG, int>>);

__global__ void total_of_block(const int* in, int* out)
{
  using reduce = cub::BlockReduce<int, 128>;
  __shared__ reduce::TempStorage memory;
  const int total = reduce(memory).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0)
  {
    *out = total;
  }
}

struct is_positive
{
  __host__ __device__ bool operator()(int x) const { return x > 0; }
};

struct two_numbers
{
  int first, second;
};
struct taken_apart
{
  __host__ __device__ ::cuda::std::tuple<int&, int&> operator()(two_numbers& key) const { return {key.first, key.second}; }
};

cudaError_t sorted(void* memory, std::size_t& bytes, const two_numbers* in, two_numbers* out, int n, cudaStream_t stream)
{
  return cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, n, taken_apart{}, stream);
}

//! Memory: of any pointer type, or of a null pointer's own, which asks how many bytes a call needs.
template <class Memory>
cudaError_t totals(Memory memory, std::size_t& bytes, const int* in, int* out, int n, cudaStream_t stream)
{
  cub::DeviceReduce::Sum(memory, bytes, in, out, n);
  cub::DeviceScan::InclusiveSum(memory, bytes, in, out, n, stream);
  cub::DeviceSegmentedReduce::Sum(memory, bytes, in, out, n, in, in + 1, stream);
  cub::DeviceScan::ExclusiveScan(memory, bytes, in, out, ::cuda::std::plus<>{}, cub::FutureValue<int>(out), n, stream);
  cub::DeviceSelect::If(memory, bytes, in, out, out, n, is_positive{}, stream);
  cub::DeviceSelect::Flagged(memory, bytes, out, in, out, n, stream);
  cub::DeviceSelect::FlaggedIf(memory, bytes, in, in, out, out, n, is_positive{});
  cub::DeviceSelect::Unique(memory, bytes, in, out, out, n);
  cub::DeviceSelect::Unique(memory, bytes, in, out, out, n, stream);
  cub::DeviceSelect::UniqueByKey(memory, bytes, in, in, out, out, out, n);
  cub::DeviceSelect::UniqueByKey(memory, bytes, in, in, out, out, out, n, ::cuda::std::equal_to<>{}, stream);
  cub::DevicePartition::If(memory, bytes, in, out, out, n, is_positive{}, stream);
  cub::DevicePartition::Flagged(memory, bytes, in, in, out, out, n);
  cub::DevicePartition::If(memory, bytes, in, out, out, out, out, n, is_positive{}, is_positive{}, stream);
  cub::DeviceRunLengthEncode::Encode(memory, bytes, in, out, out, out, n, stream);
  cub::DeviceRunLengthEncode::NonTrivialRuns(memory, bytes, in, out, out, out, n);
  cub::DoubleBuffer<int> keys(out, out), values(out, out);
  cub::DeviceRadixSort::SortPairs(memory, bytes, keys, values, n);
  return cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, n, 0, 32, stream);
}
template cudaError_t totals(void*, std::size_t&, const int*, int*, int, cudaStream_t);
template cudaError_t totals(std::nullptr_t, std::size_t&, const int*, int*, int, cudaStream_t);

} // namespace mylib

// Outside of the library, and inside of reheat, the name is CUB's.
#if !defined(CUB_WRAPPED_NAMESPACE)
namespace reheat
{
static_assert(std::is_same_v<cub::DeviceReduce, ::cub::DeviceReduce>);
} // namespace reheat
static_assert(!std::is_same_v<cub::DeviceReduce, reheat::DeviceReduce>);
#endif
