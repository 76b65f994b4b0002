// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls that the program is compiled with: by reheat, by CUB, and by a warp for each segment.
#include "segments/calls.hpp"
#include "segments/values.cuh"

#include <cub/device/device_segmented_reduce.cuh>
#include <cub/version.cuh>
#include <thrust/iterator/discard_iterator.h>

#include <reheat/device.cuh>
#include <reheat/reheat.cuh>

#include <cuda/std/functional>

#include <stdexcept>

namespace perf::segments
{
namespace
{

constexpr unsigned block_threads = 256, warp_lanes = 32, all_lanes = 0xffffffffu;

template <class In, class Out, class Offset>
__global__ void __launch_bounds__(block_threads)
    warp_per_segment_kernel(const In* in, const Offset* begins, const Offset* ends, std::uint64_t segments, Out* out)
{
  const std::uint64_t segment = (std::uint64_t{blockIdx.x} * block_threads + threadIdx.x) / warp_lanes;
  if (segment >= segments)
  {
    return;
  }
  const unsigned lane = threadIdx.x % warp_lanes;
  const std::uint64_t last = ends[segment];
  Out sum{};
#pragma unroll 4
  for (std::uint64_t i = begins[segment] + lane; i < last; i += warp_lanes)
  {
    sum = static_cast<Out>(sum + in[i]);
  }
  for (unsigned distance = warp_lanes / 2; distance != 0; distance /= 2)
  {
    sum = static_cast<Out>(sum + static_cast<Out>(__shfl_xor_sync(all_lanes, sum, distance)));
  }
  if (lane == 0)
  {
    out[segment] = sum;
  }
}

void check_call(cudaError_t status, const char* what)
{
  if (status != cudaSuccess)
  {
    (void)cudaGetLastError();
    throw std::runtime_error(std::string(what) + " failed: " + cudaGetErrorString(status));
  }
}

template <class In, class Out, class Offset>
struct calls
{
  static const In* in(const call& c) { return static_cast<const In*>(c.in); }
  static const Offset* begins(const call& c) { return static_cast<const Offset*>(c.begins); }
  static const Offset* ends(const call& c) { return static_cast<const Offset*>(c.ends); }
  static Out* out(const call& c) { return static_cast<Out*>(c.out); }

  static void reheat_sum(call& c)
  {
    ::reheat::segmented_reduce(::reheat::par_nosync.on(c.stream), in(c), begins(c), begins(c) + c.segments + 1, out(c),
                               Out{});
  }
  static void reheat_scan(call& c)
  {
    ::reheat::segmented_inclusive_scan(::reheat::par_nosync.on(c.stream), in(c), begins(c), begins(c) + c.segments + 1,
                                       out(c));
  }
  static void reheat_sum_of_fixed(call& c)
  {
    ::reheat::segmented_reduce(::reheat::par_nosync.on(c.stream), in(c), ::reheat::equal_segments{c.segments, c.length},
                               out(c), Out{});
  }
  static void reheat_scan_of_fixed(call& c)
  {
    ::reheat::segmented_inclusive_scan(::reheat::par_nosync.on(c.stream), in(c),
                                       ::reheat::equal_segments{c.segments, c.length}, out(c));
  }
  static void reheat_sum_with_gaps(call& c)
  {
    check_call(::reheat::DeviceSegmentedReduce::Sum(c.temp, c.temp_bytes, in(c), out(c),
                                                    static_cast<std::int64_t>(c.segments), begins(c), ends(c), c.stream),
               "reheat::DeviceSegmentedReduce::Sum");
  }
  static void reheat_scan_with_gaps(call& c)
  {
    check_call(::reheat::DeviceSegmentedScan::InclusiveSegmentedSum(c.temp, c.temp_bytes, in(c), out(c), begins(c), ends(c),
                                                                    static_cast<std::int64_t>(c.segments), c.stream),
               "reheat::DeviceSegmentedScan::InclusiveSegmentedSum");
  }
  static void cub(call& c)
  {
    check_call(::cub::DeviceSegmentedReduce::Sum(c.temp, c.temp_bytes, in(c), out(c), static_cast<std::int64_t>(c.segments),
                                                 begins(c), ends(c), c.stream),
               "cub::DeviceSegmentedReduce::Sum");
  }
  static void sum_by_key(call& c)
  {
    check_call(::reheat::DeviceReduce::ReduceByKey(c.temp, c.temp_bytes, c.keys, ::thrust::make_discard_iterator(), in(c),
                                                   out(c), c.runs_out, ::cuda::std::plus<>{}, c.items, c.stream),
               "reheat::DeviceReduce::ReduceByKey");
  }
  static void scan_by_key(call& c)
  {
    check_call(::reheat::DeviceScan::InclusiveSumByKey(c.temp, c.temp_bytes, c.keys, in(c), out(c), c.items,
                                                       ::cuda::std::equal_to<>{}, c.stream),
               "reheat::DeviceScan::InclusiveSumByKey");
  }
  static void warp(call& c)
  {
    const std::uint64_t blocks = (c.segments * warp_lanes + block_threads - 1) / block_threads;
    warp_per_segment_kernel<<<static_cast<unsigned>(blocks), block_threads, 0, c.stream>>>(in(c), begins(c), ends(c),
                                                                                           c.segments, out(c));
    check_call(cudaGetLastError(), "launching a warp for each segment");
  }
};

template <class Types>
call_function reheat_function_of(const row& which)
{
  using made = calls<typename Types::in, typename Types::out, typename Types::offset>;
  const bool is_sum = which.operation == operation::sum;
  if constexpr (Types::has_fixed)
  {
    if (which.bounds == bounds::fixed)
    {
      return is_sum ? made::reheat_sum_of_fixed : made::reheat_scan_of_fixed;
    }
  }
  if constexpr (Types::has_gaps)
  {
    if (which.bounds == bounds::gaps)
    {
      return is_sum ? made::reheat_sum_with_gaps : made::reheat_scan_with_gaps;
    }
  }
  return is_sum ? made::reheat_sum : made::reheat_scan;
}

} // namespace

call_function compiled_function_of(const row& which, implementation who)
{
  const bool is_sum = which.operation == operation::sum;
  if (who == implementation::by_key)
  {
    using made = calls<std::uint32_t, std::uint32_t, std::uint32_t>;
    return is_sum ? made::sum_by_key : made::scan_by_key;
  }
  return with_types(which,
                    [&](auto of) -> call_function
                    {
                      using made =
                          calls<typename decltype(of)::in, typename decltype(of)::out, typename decltype(of)::offset>;
                      switch (who)
                      {
                        case implementation::reheat:
                          return reheat_function_of<decltype(of)>(which);
                        case implementation::cub:
                          return made::cub;
                        default:
                          return made::warp;
                      }
                    });
}

std::string cccl_version()
{
  return std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
         std::to_string(CUB_SUBMINOR_VERSION);
}

} // namespace perf::segments
