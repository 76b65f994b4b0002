// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The shared object with another CCCL, if it lies beside the program, and which function measures what.
#include "sorts/newest.hpp"

#include "common/companion_object.hpp"
#include "sorts/calls.hpp"

#include <stdexcept>

namespace perf::sorts
{
namespace
{

struct newest_object
{
  newest_function* call = nullptr;
  const char* version = "not built";
};

const newest_object& find_newest()
{
  static const newest_object found = []() -> newest_object
  {
    const companion_object object(REHEAT_PERF_SORT_NEWEST);
    return object ? newest_object{object.function<newest_function>("reheat_perf_sort_newest"),
                                  object.function<newest_version_function>("reheat_perf_sort_newest_version")()}
                  : newest_object{};
  }();
  return found;
}

call_function newest_function_of(type which, bool wide)
{
  return [which, wide](call& c)
  {
    const cudaError_t status = find_newest().call(static_cast<int>(which), wide, c.keys_in, c.keys_out, c.values_in,
                                                  c.values_out, c.items, c.temp, &c.temp_bytes, c.stream);
    if (status != cudaSuccess)
    {
      throw std::runtime_error(std::string("the newer cub::DeviceRadixSort failed: ") + cudaGetErrorString(status));
    }
  };
}

} // namespace

bool has_newest()
{
  return find_newest().call != nullptr;
}

call_function function_of(const row& which, implementation who)
{
  switch (who)
  {
    case implementation::reheat:
      return reheat_function_of(which);
    case implementation::thrust:
      return thrust_function_of(which.type);
    case implementation::cub_32:
    case implementation::cub_64:
      return cub_function_of(which.type, who == implementation::cub_64);
    default:
      return newest_function_of(which.type, who == implementation::cub_new_64);
  }
}

std::string newest_cccl_version()
{
  return find_newest().version;
}

} // namespace perf::sorts
