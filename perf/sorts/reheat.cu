// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls of reheat-sort by reheat.
#include "sorts/calls.hpp"
#include "sorts/values.cuh"
#include "sorts/whole_call.cuh"

#include <reheat/device.cuh>
#include <reheat/reheat.cuh>

#include <stdexcept>
#include <string>

namespace perf::sorts
{
namespace
{

template <class Types>
void sort_keys(call& c)
{
  const cudaError_t status = sort_in_two_phases<::reheat::DeviceRadixSort, Types>(
      c.keys_in, c.keys_out, c.values_in, c.values_out, c.items, c.temp, c.temp_bytes, c.stream);
  if (status != cudaSuccess)
  {
    (void)cudaGetLastError();
    throw std::runtime_error(std::string("reheat::DeviceRadixSort failed: ") + cudaGetErrorString(status));
  }
}

} // namespace

call_function reheat_function_of(const row& which)
{
  if (which.clock == clock::wall)
  {
    return whole_call(which.type, [](cudaStream_t stream) { return ::reheat::par.on(stream); });
  }
  return with_types(which.type, [](auto of) -> call_function { return sort_keys<decltype(of)>; });
}

std::size_t ranked_again_at(type which)
{
  return ::reheat::detail::ranked_again_word(static_cast<unsigned>(key_bytes_of(which))) * sizeof(std::uint32_t);
}

} // namespace perf::sorts
