// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The functions of DeviceReduce and DeviceScan, reheat's and CUB's, for the algorithms that are not for everything.
#include "call.hpp"
#include "two_phases.cuh"
#include "upstream.cuh"

namespace compare
{
namespace
{

template <class T, class Sum>
void call_by_class(call& c)
{
  c.who == implementation::cub
      ? here::call_other_of_cub<T, Sum>(c)
      : here::check_call(call_other_in_two_phases<reheat::DeviceReduce, reheat::DeviceScan, T, Sum>(c));
}

} // namespace

call_function find_call_device(element type)
{
  switch (type)
  {
    case element::i32:
      return call_by_class<std::int32_t, std::uint32_t>;
    case element::f32:
      return call_by_class<float, float>;
    default:
      return nullptr;
  }
}

} // namespace compare
