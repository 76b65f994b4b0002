// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A call of CUB's classes, or of reheat's of the same names.
#pragma once

#include "call.hpp"

#include <reheat/device.cuh>

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
    default: // in calls_sum.cu and calls_search.cu
      return {};
  }
}

} // namespace compare
