// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A call of CUB's classes, or of reheat's of the same names.
#pragma once

#include "call.hpp"

#include <reheat/device.cuh>

#include <thrust/functional.h>

#include <cstdint>

namespace compare
{

//! Without scratch memory the call only says how much of it is needed.
template <class DeviceReduce, class DeviceScan, class T, class Op>
reheat::status_type call_in_two_phases(call& c)
{
  const T* const in = reinterpret_cast<const T*>(c.in);
  T* const out = reinterpret_cast<T*>(c.out);
  const T init = read_item<T>(c.init);
  switch (c.algorithm)
  {
    case algorithm::reduce:
      return DeviceReduce::Reduce(c.scratch, c.scratch_bytes, in, out, c.count, Op{}, init);
    case algorithm::inclusive_scan:
      return DeviceScan::InclusiveScan(c.scratch, c.scratch_bytes, in, out, Op{}, c.count);
    case algorithm::exclusive_scan:
      return DeviceScan::ExclusiveScan(c.scratch, c.scratch_bytes, in, out, Op{}, init, c.count);
    default: // in calls_device.cu
      return {};
  }
}

//! As call_in_two_phases, of the algorithms that are not for everything. T is the items' type, Sum the one in which they are
//! added.
template <class DeviceReduce, class DeviceScan, class T, class Sum>
reheat::status_type call_other_in_two_phases(call& c)
{
  const T* const items = reinterpret_cast<const T*>(c.in);
  const Sum* const in = reinterpret_cast<const Sum*>(c.in);
  Sum* const out = reinterpret_cast<Sum*>(c.out);
  const Sum init = read_item<Sum>(c.init);
  const auto count = static_cast<std::int64_t>(c.count);
  const thrust::plus<Sum> op{};
  switch (c.algorithm)
  {
    case algorithm::transform_reduce:
      return DeviceReduce::TransformReduce(c.scratch, c.scratch_bytes, in, out, count, op, thrust::negate<Sum>{}, init);
    case algorithm::min_element:
      return DeviceReduce::ArgMin(c.scratch, c.scratch_bytes, items, reinterpret_cast<T*>(c.beside),
                                  reinterpret_cast<std::int64_t*>(c.out), count);
    case algorithm::max_element:
      return DeviceReduce::ArgMax(c.scratch, c.scratch_bytes, items, reinterpret_cast<T*>(c.beside),
                                  reinterpret_cast<std::int64_t*>(c.out), count);
    case algorithm::inclusive_scan_by_key:
      return DeviceScan::InclusiveScanByKey(c.scratch, c.scratch_bytes, c.keys, in, out, op, count);
    case algorithm::exclusive_scan_by_key:
      return DeviceScan::ExclusiveScanByKey(c.scratch, c.scratch_bytes, c.keys, in, out, op, init, count);
    case algorithm::reduce_by_key:
      return DeviceReduce::ReduceByKey(c.scratch, c.scratch_bytes, c.keys, c.keys_out, in, out,
                                       reinterpret_cast<std::int64_t*>(c.beside), op, count);
    default:
      return {};
  }
}

} // namespace compare
