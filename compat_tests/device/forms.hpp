// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every form of call that CUB of CCCL 3.5 takes, of sorts those without a decomposer. Nothing is called: the compiler only
//! chooses an overload.
#pragma once

#include <reheat/device.cuh>

#include <cub/util_type.cuh>

#include <cuda/argument>

#if !defined(REHEAT_EMULATED)
#  include <cub/device/device_partition.cuh>
#  include <cub/device/device_radix_sort.cuh>
#  include <cub/device/device_reduce.cuh>
#  include <cub/device/device_run_length_encode.cuh>
#  include <cub/device/device_scan.cuh>
#  include <cub/device/device_segmented_reduce.cuh>
#  include <cub/device/device_segmented_scan.cuh>
#  include <cub/device/device_select.cuh>

#  include <cuda/stream_ref>
#endif

#include <cstddef>
#include <cstdint>

namespace compat
{

struct form_less
{
  REHEAT_HOST_DEVICE bool operator()(int x, int y) const { return x < y; }
};
struct form_negate
{
  REHEAT_HOST_DEVICE int operator()(int x) const { return -x; }
};
struct form_odd
{
  REHEAT_HOST_DEVICE bool operator()(int x) const { return x % 2 != 0; }
};

//! Whose classes are called.
struct forms_of_reheat
{
  using reduce = reheat::DeviceReduce;
  using scan = reheat::DeviceScan;
  using select = reheat::DeviceSelect;
  using partition = reheat::DevicePartition;
  using run_lengths = reheat::DeviceRunLengthEncode;
  using sort = reheat::DeviceRadixSort;
  using segmented_reduce = reheat::DeviceSegmentedReduce;
  using segmented_scan = reheat::DeviceSegmentedScan;
};
#if !defined(REHEAT_EMULATED)
struct forms_of_cub
{
  using reduce = ::cub::DeviceReduce;
  using scan = ::cub::DeviceScan;
  using select = ::cub::DeviceSelect;
  using partition = ::cub::DevicePartition;
  using run_lengths = ::cub::DeviceRunLengthEncode;
  using sort = ::cub::DeviceRadixSort;
  using segmented_reduce = ::cub::DeviceSegmentedReduce;
  using segmented_scan = ::cub::DeviceSegmentedScan;
};
#endif

#define REHEAT_FORM(...) static_cast<void>(sizeof(__VA_ARGS__))

//! In one phase, with environments or with none; `NumItems`: the type of the number of items.
template <class Api, class NumItems, class... Env>
void forms_in_one_phase(const Env&... env)
{
  using Reduce = typename Api::reduce;
  using Scan = typename Api::scan;
  using Select = typename Api::select;
  using Partition = typename Api::partition;
  using RunLengths = typename Api::run_lengths;
  using Sort = typename Api::sort;
  using SegmentedReduce = typename Api::segmented_reduce;
  using SegmentedScan = typename Api::segmented_scan;
  const int* in = nullptr;
  int *out = nullptr, *runs = nullptr;
  std::int64_t* at = nullptr;
  ::cub::KeyValuePair<int, int>* pair = nullptr;
  ::cub::DoubleBuffer<int> keys(out, out), values(out, out);
  const NumItems n = 1;
  const form_odd odd;
  const ::cuda::std::plus<> op;
  const ::cuda::std::equal_to<> same;
  const ::cub::FutureValue<int> future(out);
  const ::cuda::args::deferred<const int*> later(in);
  REHEAT_FORM(Reduce::Reduce(in, out, n, op, 0, env...));
  REHEAT_FORM(Reduce::Sum(in, out, n, env...));
  REHEAT_FORM(Reduce::Min(in, out, n, env...));
  REHEAT_FORM(Reduce::Max(in, out, n, env...));
  REHEAT_FORM(Reduce::ArgMin(in, out, at, n, env...));
  REHEAT_FORM(Reduce::ArgMax(in, out, at, n, env...));
  REHEAT_FORM(Reduce::ArgMin(in, out, at, n, form_less{}, env...));
  REHEAT_FORM(Reduce::ArgMax(in, out, at, n, form_less{}, env...));
  REHEAT_FORM(Reduce::TransformReduce(in, out, n, op, form_negate{}, 0, env...));
  REHEAT_FORM(Reduce::ReduceByKey(in, out, in, out, runs, op, n, env...));
  REHEAT_FORM(Scan::ExclusiveSum(in, out, n, env...));
  REHEAT_FORM(Scan::InclusiveSum(in, out, n, env...));
  REHEAT_FORM(Scan::ExclusiveScan(in, out, op, 0, n, env...));
  REHEAT_FORM(Scan::ExclusiveScan(in, out, op, future, n, env...));
  REHEAT_FORM(Scan::InclusiveScan(in, out, op, n, env...));
  REHEAT_FORM(Scan::InclusiveScanInit(in, out, op, 0, n, env...));
  REHEAT_FORM(Scan::InclusiveScanInit(in, out, op, later, n, env...));
  REHEAT_FORM(Scan::ExclusiveSum(out, n, env...));
  REHEAT_FORM(Scan::InclusiveSum(out, n, env...));
  REHEAT_FORM(Scan::ExclusiveScan(out, op, 0, n, env...));
  REHEAT_FORM(Scan::ExclusiveScan(out, op, future, n, env...));
  REHEAT_FORM(Scan::InclusiveScan(out, op, n, env...));
  REHEAT_FORM(Scan::ExclusiveSumByKey(in, in, out, n, same, env...));
  REHEAT_FORM(Scan::InclusiveSumByKey(in, in, out, n, same, env...));
  REHEAT_FORM(Scan::ExclusiveScanByKey(in, in, out, op, 0, n, same, env...));
  REHEAT_FORM(Scan::InclusiveScanByKey(in, in, out, op, n, same, env...));
  REHEAT_FORM(Scan::ExclusiveSumByKey(in, in, out, n));
  REHEAT_FORM(Scan::InclusiveSumByKey(in, in, out, n));
  REHEAT_FORM(Scan::ExclusiveScanByKey(in, in, out, op, 0, n));
  REHEAT_FORM(Scan::InclusiveScanByKey(in, in, out, op, n));
  REHEAT_FORM(Select::Unique(in, out, runs, n, env...));
  REHEAT_FORM(Select::Unique(in, out, runs, n, same, env...));
  REHEAT_FORM(Select::Unique(out, runs, n, env...));
  REHEAT_FORM(Select::Unique(out, runs, n, same, env...));
  REHEAT_FORM(Select::UniqueByKey(in, in, out, out, runs, n, env...));
  REHEAT_FORM(Select::UniqueByKey(in, in, out, out, runs, n, same, env...));
  REHEAT_FORM(Select::If(in, out, runs, n, odd, env...));
  REHEAT_FORM(Select::If(out, runs, n, odd, env...));
  REHEAT_FORM(Select::Flagged(in, in, out, runs, n, env...));
  REHEAT_FORM(Select::Flagged(out, in, runs, n, env...));
  REHEAT_FORM(Select::FlaggedIf(in, in, out, runs, n, odd, env...));
  REHEAT_FORM(Select::FlaggedIf(out, in, runs, n, odd, env...));
  REHEAT_FORM(Partition::If(in, out, runs, n, odd, env...));
  REHEAT_FORM(Partition::If(in, out, out, out, runs, n, odd, odd, env...));
  REHEAT_FORM(Partition::Flagged(in, in, out, runs, n, env...));
  REHEAT_FORM(RunLengths::Encode(in, out, out, runs, n, env...));
  REHEAT_FORM(RunLengths::NonTrivialRuns(in, out, out, runs, n, env...));
  REHEAT_FORM(Sort::SortKeys(in, out, n));
  REHEAT_FORM(Sort::SortKeys(in, out, n, 0, 8, env...));
  REHEAT_FORM(Sort::SortKeys(keys, n));
  REHEAT_FORM(Sort::SortKeys(keys, n, 0, 8, env...));
  REHEAT_FORM(Sort::SortPairs(in, out, in, out, n));
  REHEAT_FORM(Sort::SortPairs(in, out, in, out, n, 0, 8, env...));
  REHEAT_FORM(Sort::SortPairs(keys, values, n));
  REHEAT_FORM(Sort::SortPairs(keys, values, n, 0, 8, env...));
  REHEAT_FORM(Sort::SortKeysDescending(in, out, n));
  REHEAT_FORM(Sort::SortKeysDescending(in, out, n, 0, 8, env...));
  REHEAT_FORM(Sort::SortKeysDescending(keys, n));
  REHEAT_FORM(Sort::SortKeysDescending(keys, n, 0, 8, env...));
  REHEAT_FORM(Sort::SortPairsDescending(in, out, in, out, n));
  REHEAT_FORM(Sort::SortPairsDescending(in, out, in, out, n, 0, 8, env...));
  REHEAT_FORM(Sort::SortPairsDescending(keys, values, n));
  REHEAT_FORM(Sort::SortPairsDescending(keys, values, n, 0, 8, env...));
  REHEAT_FORM(SegmentedReduce::Sum(in, out, 9, in, in, env...));
  REHEAT_FORM(SegmentedReduce::Sum(in, out, 9, 5, env...));
  REHEAT_FORM(SegmentedReduce::Min(in, out, 9, in, in, env...));
  REHEAT_FORM(SegmentedReduce::Min(in, out, 9, 5, env...));
  REHEAT_FORM(SegmentedReduce::Max(in, out, 9, in, in, env...));
  REHEAT_FORM(SegmentedReduce::Max(in, out, 9, 5, env...));
  REHEAT_FORM(SegmentedReduce::ArgMin(in, pair, 9, in, in, env...));
  REHEAT_FORM(SegmentedReduce::ArgMin(in, pair, 9, 5, env...));
  REHEAT_FORM(SegmentedReduce::ArgMax(in, pair, 9, in, in, env...));
  REHEAT_FORM(SegmentedReduce::ArgMax(in, pair, 9, 5, env...));
  REHEAT_FORM(SegmentedReduce::Reduce(in, out, 9, in, in, op, 0, env...));
  REHEAT_FORM(SegmentedReduce::Reduce(in, out, 9, 5, op, 0, env...));
  REHEAT_FORM(SegmentedScan::ExclusiveSegmentedSum(in, out, in, in, 9, env...));
  REHEAT_FORM(SegmentedScan::ExclusiveSegmentedScan(in, out, in, in, 9, op, 0, env...));
  REHEAT_FORM(SegmentedScan::InclusiveSegmentedSum(in, out, in, in, 9, env...));
  REHEAT_FORM(SegmentedScan::InclusiveSegmentedScan(in, out, in, in, 9, op, env...));
  REHEAT_FORM(SegmentedScan::InclusiveSegmentedScanInit(in, out, in, in, 9, op, 0, env...));
  REHEAT_FORM(SegmentedScan::ExclusiveSegmentedSum(in, out, in, in, in, 9, env...));
  REHEAT_FORM(SegmentedScan::ExclusiveSegmentedScan(in, out, in, in, in, 9, op, 0, env...));
  REHEAT_FORM(SegmentedScan::InclusiveSegmentedSum(in, out, in, in, in, 9, env...));
  REHEAT_FORM(SegmentedScan::InclusiveSegmentedScan(in, out, in, in, in, 9, op, env...));
  REHEAT_FORM(SegmentedScan::InclusiveSegmentedScanInit(in, out, in, in, in, 9, op, 0, env...));
}

//! In two phases, with a stream or with none. ArgMin, ArgMax, selections and partitions take any environment as the stream.
template <class Api, class NumItems, class Memory, class... Stream>
void forms_in_two_phases(Memory memory, const Stream&... stream)
{
  using Reduce = typename Api::reduce;
  using Scan = typename Api::scan;
  using Select = typename Api::select;
  using Partition = typename Api::partition;
  using RunLengths = typename Api::run_lengths;
  using Sort = typename Api::sort;
  using SegmentedReduce = typename Api::segmented_reduce;
  using SegmentedScan = typename Api::segmented_scan;
  std::size_t bytes = 0;
  const int* in = nullptr;
  int *out = nullptr, *runs = nullptr;
  std::int64_t* at = nullptr;
  ::cub::KeyValuePair<int, int>* pair = nullptr;
  ::cub::DoubleBuffer<int> keys(out, out), values(out, out);
  const NumItems n = 1;
  const form_odd odd;
  const ::cuda::std::plus<> op;
  const ::cuda::std::equal_to<> same;
  const ::cub::FutureValue<int> future(out);
  const ::cuda::args::deferred<const int*> later(in);
  const ::cuda::std::execution::env<> env;
  REHEAT_FORM(Reduce::Reduce(memory, bytes, in, out, n, op, 0, stream...));
  REHEAT_FORM(Reduce::Sum(memory, bytes, in, out, n, stream...));
  REHEAT_FORM(Reduce::Min(memory, bytes, in, out, n, stream...));
  REHEAT_FORM(Reduce::Max(memory, bytes, in, out, n, stream...));
  REHEAT_FORM(Reduce::ArgMin(memory, bytes, in, pair, 1, stream...));
  REHEAT_FORM(Reduce::ArgMax(memory, bytes, in, pair, 1, stream...));
  REHEAT_FORM(Reduce::ArgMin(memory, bytes, in, out, at, n, stream...));
  REHEAT_FORM(Reduce::ArgMax(memory, bytes, in, out, at, n, stream...));
  REHEAT_FORM(Reduce::ArgMin(memory, bytes, in, out, at, n, form_less{}, stream...));
  REHEAT_FORM(Reduce::ArgMax(memory, bytes, in, out, at, n, form_less{}, stream...));
  REHEAT_FORM(Reduce::ArgMin(memory, bytes, in, out, at, n, env));
  REHEAT_FORM(Reduce::ArgMax(memory, bytes, in, out, at, n, env));
  REHEAT_FORM(Reduce::ArgMin(memory, bytes, in, out, at, n, form_less{}, env));
  REHEAT_FORM(Reduce::ArgMax(memory, bytes, in, out, at, n, form_less{}, env));
  REHEAT_FORM(Reduce::TransformReduce(memory, bytes, in, out, n, op, form_negate{}, 0, stream...));
  REHEAT_FORM(Reduce::ReduceByKey(memory, bytes, in, out, in, out, runs, op, n, stream...));
  REHEAT_FORM(Scan::ExclusiveSum(memory, bytes, in, out, n, stream...));
  REHEAT_FORM(Scan::InclusiveSum(memory, bytes, in, out, n, stream...));
  REHEAT_FORM(Scan::ExclusiveScan(memory, bytes, in, out, op, 0, n, stream...));
  REHEAT_FORM(Scan::ExclusiveScan(memory, bytes, in, out, op, future, n, stream...));
  REHEAT_FORM(Scan::InclusiveScan(memory, bytes, in, out, op, n, stream...));
  REHEAT_FORM(Scan::InclusiveScanInit(memory, bytes, in, out, op, 0, n, stream...));
  REHEAT_FORM(Scan::InclusiveScanInit(memory, bytes, in, out, op, later, n, stream...));
  REHEAT_FORM(Scan::ExclusiveSum(memory, bytes, out, n, stream...));
  REHEAT_FORM(Scan::InclusiveSum(memory, bytes, out, n, stream...));
  REHEAT_FORM(Scan::ExclusiveScan(memory, bytes, out, op, 0, n, stream...));
  REHEAT_FORM(Scan::ExclusiveScan(memory, bytes, out, op, future, n, stream...));
  REHEAT_FORM(Scan::InclusiveScan(memory, bytes, out, op, n, stream...));
  REHEAT_FORM(Scan::ExclusiveSumByKey(memory, bytes, in, in, out, n));
  REHEAT_FORM(Scan::InclusiveSumByKey(memory, bytes, in, in, out, n));
  REHEAT_FORM(Scan::ExclusiveScanByKey(memory, bytes, in, in, out, op, 0, n));
  REHEAT_FORM(Scan::InclusiveScanByKey(memory, bytes, in, in, out, op, n));
  REHEAT_FORM(Scan::ExclusiveSumByKey(memory, bytes, in, in, out, n, same, stream...));
  REHEAT_FORM(Scan::InclusiveSumByKey(memory, bytes, in, in, out, n, same, stream...));
  REHEAT_FORM(Scan::ExclusiveScanByKey(memory, bytes, in, in, out, op, 0, n, same, stream...));
  REHEAT_FORM(Scan::InclusiveScanByKey(memory, bytes, in, in, out, op, n, same, stream...));
  REHEAT_FORM(Select::Unique(memory, bytes, in, out, runs, n, stream...));
  REHEAT_FORM(Select::Unique(memory, bytes, in, out, runs, n, same, stream...));
  REHEAT_FORM(Select::Unique(memory, bytes, out, runs, n, stream...));
  REHEAT_FORM(Select::Unique(memory, bytes, out, runs, n, same, stream...));
  REHEAT_FORM(Select::UniqueByKey(memory, bytes, in, in, out, out, runs, n, stream...));
  REHEAT_FORM(Select::UniqueByKey(memory, bytes, in, in, out, out, runs, n, same, stream...));
  REHEAT_FORM(Select::Unique(memory, bytes, in, out, runs, n, env));
  REHEAT_FORM(Select::Unique(memory, bytes, in, out, runs, n, same, env));
  REHEAT_FORM(Select::Unique(memory, bytes, out, runs, n, env));
  REHEAT_FORM(Select::Unique(memory, bytes, out, runs, n, same, env));
  REHEAT_FORM(Select::UniqueByKey(memory, bytes, in, in, out, out, runs, n, env));
  REHEAT_FORM(Select::UniqueByKey(memory, bytes, in, in, out, out, runs, n, same, env));
  REHEAT_FORM(Select::If(memory, bytes, in, out, runs, n, odd, stream...));
  REHEAT_FORM(Select::If(memory, bytes, out, runs, n, odd, stream...));
  REHEAT_FORM(Select::Flagged(memory, bytes, in, in, out, runs, n, stream...));
  REHEAT_FORM(Select::Flagged(memory, bytes, out, in, runs, n, stream...));
  REHEAT_FORM(Select::FlaggedIf(memory, bytes, in, in, out, runs, n, odd, stream...));
  REHEAT_FORM(Select::FlaggedIf(memory, bytes, out, in, runs, n, odd, stream...));
  REHEAT_FORM(Partition::If(memory, bytes, in, out, runs, n, odd, stream...));
  REHEAT_FORM(Partition::If(memory, bytes, in, out, out, out, runs, n, odd, odd, stream...));
  REHEAT_FORM(Partition::Flagged(memory, bytes, in, in, out, runs, n, stream...));
  REHEAT_FORM(Select::If(memory, bytes, in, out, runs, n, odd, env));
  REHEAT_FORM(Select::If(memory, bytes, out, runs, n, odd, env));
  REHEAT_FORM(Select::Flagged(memory, bytes, in, in, out, runs, n, env));
  REHEAT_FORM(Select::Flagged(memory, bytes, out, in, runs, n, env));
  REHEAT_FORM(Select::FlaggedIf(memory, bytes, in, in, out, runs, n, odd, env));
  REHEAT_FORM(Select::FlaggedIf(memory, bytes, out, in, runs, n, odd, env));
  REHEAT_FORM(Partition::If(memory, bytes, in, out, runs, n, odd, env));
  REHEAT_FORM(Partition::If(memory, bytes, in, out, out, out, runs, n, odd, odd, env));
  REHEAT_FORM(Partition::Flagged(memory, bytes, in, in, out, runs, n, env));
  REHEAT_FORM(RunLengths::Encode(memory, bytes, in, out, out, runs, n, stream...));
  REHEAT_FORM(RunLengths::NonTrivialRuns(memory, bytes, in, out, out, runs, n, stream...));
  REHEAT_FORM(Sort::SortKeys(memory, bytes, in, out, n));
  REHEAT_FORM(Sort::SortKeys(memory, bytes, in, out, n, 0, 8, stream...));
  REHEAT_FORM(Sort::SortKeys(memory, bytes, keys, n));
  REHEAT_FORM(Sort::SortKeys(memory, bytes, keys, n, 0, 8, stream...));
  REHEAT_FORM(Sort::SortPairs(memory, bytes, in, out, in, out, n));
  REHEAT_FORM(Sort::SortPairs(memory, bytes, in, out, in, out, n, 0, 8, stream...));
  REHEAT_FORM(Sort::SortPairs(memory, bytes, keys, values, n));
  REHEAT_FORM(Sort::SortPairs(memory, bytes, keys, values, n, 0, 8, stream...));
  REHEAT_FORM(Sort::SortKeysDescending(memory, bytes, in, out, n));
  REHEAT_FORM(Sort::SortKeysDescending(memory, bytes, in, out, n, 0, 8, stream...));
  REHEAT_FORM(Sort::SortKeysDescending(memory, bytes, keys, n));
  REHEAT_FORM(Sort::SortKeysDescending(memory, bytes, keys, n, 0, 8, stream...));
  REHEAT_FORM(Sort::SortPairsDescending(memory, bytes, in, out, in, out, n));
  REHEAT_FORM(Sort::SortPairsDescending(memory, bytes, in, out, in, out, n, 0, 8, stream...));
  REHEAT_FORM(Sort::SortPairsDescending(memory, bytes, keys, values, n));
  REHEAT_FORM(Sort::SortPairsDescending(memory, bytes, keys, values, n, 0, 8, stream...));
  REHEAT_FORM(SegmentedReduce::Sum(memory, bytes, in, out, 9, in, in, stream...));
  REHEAT_FORM(SegmentedReduce::Sum(memory, bytes, in, out, 9, 5, stream...));
  REHEAT_FORM(SegmentedReduce::Min(memory, bytes, in, out, 9, in, in, stream...));
  REHEAT_FORM(SegmentedReduce::Min(memory, bytes, in, out, 9, 5, stream...));
  REHEAT_FORM(SegmentedReduce::Max(memory, bytes, in, out, 9, in, in, stream...));
  REHEAT_FORM(SegmentedReduce::Max(memory, bytes, in, out, 9, 5, stream...));
  REHEAT_FORM(SegmentedReduce::ArgMin(memory, bytes, in, pair, 9, in, in, stream...));
  REHEAT_FORM(SegmentedReduce::ArgMin(memory, bytes, in, pair, 9, 5, stream...));
  REHEAT_FORM(SegmentedReduce::ArgMax(memory, bytes, in, pair, 9, in, in, stream...));
  REHEAT_FORM(SegmentedReduce::ArgMax(memory, bytes, in, pair, 9, 5, stream...));
  REHEAT_FORM(SegmentedReduce::Reduce(memory, bytes, in, out, 9, in, in, op, 0, stream...));
  REHEAT_FORM(SegmentedReduce::Reduce(memory, bytes, in, out, 9, 5, op, 0, stream...));
  REHEAT_FORM(SegmentedScan::ExclusiveSegmentedSum(memory, bytes, in, out, in, in, 9, stream...));
  REHEAT_FORM(SegmentedScan::ExclusiveSegmentedScan(memory, bytes, in, out, in, in, 9, op, 0, stream...));
  REHEAT_FORM(SegmentedScan::InclusiveSegmentedSum(memory, bytes, in, out, in, in, 9, stream...));
  REHEAT_FORM(SegmentedScan::InclusiveSegmentedScan(memory, bytes, in, out, in, in, 9, op, stream...));
  REHEAT_FORM(SegmentedScan::InclusiveSegmentedScanInit(memory, bytes, in, out, in, in, 9, op, 0, stream...));
  REHEAT_FORM(SegmentedScan::ExclusiveSegmentedSum(memory, bytes, in, out, in, in, in, 9, stream...));
  REHEAT_FORM(SegmentedScan::ExclusiveSegmentedScan(memory, bytes, in, out, in, in, in, 9, op, 0, stream...));
  REHEAT_FORM(SegmentedScan::InclusiveSegmentedSum(memory, bytes, in, out, in, in, in, 9, stream...));
  REHEAT_FORM(SegmentedScan::InclusiveSegmentedScan(memory, bytes, in, out, in, in, in, 9, op, stream...));
  REHEAT_FORM(SegmentedScan::InclusiveSegmentedScanInit(memory, bytes, in, out, in, in, in, 9, op, 0, stream...));
}

#undef REHEAT_FORM

template <class Api>
void all_forms()
{
  const reheat::stream_type stream = nullptr;
  forms_in_one_phase<Api, int>();
  forms_in_one_phase<Api, std::size_t>(stream);
#if !defined(REHEAT_EMULATED)
  forms_in_one_phase<Api, unsigned short>(::cuda::stream_ref(stream));
#endif
  forms_in_one_phase<Api, std::int64_t>(::cuda::execution::require(::cuda::execution::determinism::run_to_run));
  forms_in_two_phases<Api, int>(static_cast<void*>(nullptr));
  forms_in_two_phases<Api, std::size_t>(static_cast<void*>(nullptr), stream);
  forms_in_two_phases<Api, int>(nullptr);
  forms_in_two_phases<Api, std::int64_t>(nullptr, stream);
  forms_in_two_phases<Api, unsigned>(static_cast<char*>(nullptr));
  forms_in_two_phases<Api, int>(static_cast<unsigned char*>(nullptr), stream);
}

} // namespace compat
