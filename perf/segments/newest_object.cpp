// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The shared object with another CCCL, if it lies beside the program, and which function measures what.
#include "common/companion_object.hpp"
#include "segments/calls.hpp"
#include "segments/newest.hpp"

#include <stdexcept>

namespace perf::segments
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
    const companion_object object(REHEAT_PERF_SEGMENTS_NEWEST);
    return object ? newest_object{object.function<newest_function>("reheat_perf_segments_newest"),
                                  object.function<newest_version_function>("reheat_perf_segments_newest_version")()}
                  : newest_object{};
  }();
  return found;
}

} // namespace

bool has_newest()
{
  return find_newest().call != nullptr;
}

call_function function_of(const row& which, implementation who)
{
  if (who != implementation::cub_new)
  {
    return compiled_function_of(which, who);
  }
  return [which](call& c)
  {
    const cudaError_t status =
        find_newest().call(&which, c.in, c.begins, c.ends, c.segments, c.out, c.temp, &c.temp_bytes, c.stream);
    if (status != cudaSuccess)
    {
      const bool is_sum = which.operation == operation::sum;
      throw std::runtime_error(std::string("the newer cub::DeviceSegmented") + (is_sum ? "Reduce" : "Scan") +
                               " failed: " + cudaGetErrorString(status));
    }
  };
}

std::string newest_cccl_version()
{
  return find_newest().version;
}

} // namespace perf::segments
