// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! inclusive_scan, of every implementation.
#include "suite/scan.cuh"

#include <cub/device/device_scan.cuh>

#include <thrust/scan.h>

namespace perf
{
namespace
{

struct inclusive
{
  template <class Variant, class Policy, class InputIt, class T>
  static void thrust(const Policy& policy, InputIt first, std::uint64_t items, T* result)
  {
    ::thrust::inclusive_scan(policy, first, first + items, result, typename Variant::op{});
  }
  template <class Variant, class InputIt, class T, class Items>
  static cudaError_t cub(void* scratch, std::size_t& scratch_bytes, InputIt first, T* result, Items items,
                         cudaStream_t stream)
  {
    return ::cub::DeviceScan::InclusiveScan(scratch, scratch_bytes, first, result, typename Variant::op{}, items, stream);
  }
};

} // namespace

template <>
call_pair find_calls_of<algorithm::inclusive_scan>(type type, operation operation, reading reading, implementation who)
{
  return find_scan<algorithm::inclusive_scan, inclusive>(type, operation, reading, who);
}

} // namespace perf
