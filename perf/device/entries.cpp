// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What this program measures.
#include "device/calls.hpp"

#include "common/companion_object.hpp"
#include "device/newest.hpp"

#include <cub/version.cuh>

#include <stdexcept>
#include <utility>

namespace perf::device_wide
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
    const companion_object object(REHEAT_PERF_DEVICE_NEWEST);
    return object ? newest_object{object.function<newest_function>("reheat_perf_device_newest"),
                                  object.function<newest_version_function>("reheat_perf_device_newest_version")()}
                  : newest_object{};
  }();
  return found;
}

void add_newest(entry& to, newest_entry which)
{
  for (const implementation who : {implementation::reheat_env, implementation::cub_new, implementation::cub_new_env})
  {
    to.by(who) = [function = find_newest().call, which, who, name = to.name](call& c)
    {
      const cudaError_t status =
          function(static_cast<int>(which), static_cast<int>(who), c.in, c.out, c.items, c.temp, &c.temp_bytes, c.stream);
      if (status != cudaSuccess)
      {
        throw std::runtime_error(std::string(name_of(who)) + "'s " + name + " failed: " + cudaGetErrorString(status));
      }
    };
  }
}

} // namespace

const char* name_of(implementation which)
{
  switch (which)
  {
    case implementation::reheat:
      return "reheat";
    case implementation::policy:
      return "policy";
    case implementation::cub:
      return "cub";
    case implementation::reheat_env:
      return "reheat-env";
    case implementation::cub_new:
      return "cub-new";
    case implementation::cub_new_env:
      return "cub-new-env";
    case implementation::limit:
      return "limit";
  }
  return "";
}

std::vector<entry> all_entries()
{
  std::vector<entry> all;
  add_reductions(all);
  add_scans(all);
  add_selections(all);
  if (find_newest().call != nullptr)
  {
    const std::pair<const char*, newest_entry> with_environment[] = {
        {"DeviceReduce::Sum", newest_entry::sum},
        {"DeviceReduce::Reduce/max", newest_entry::reduce_max},
        {"DeviceScan::InclusiveSum", newest_entry::inclusive_sum},
        {"DeviceScan::ExclusiveSum", newest_entry::exclusive_sum},
    };
    for (entry& each : all)
    {
      for (const auto& [name, which] : with_environment)
      {
        if (each.name == name && each.types == "i32")
        {
          add_newest(each, which);
        }
      }
    }
  }
  return all;
}

std::string cccl_version()
{
  return std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
         std::to_string(CUB_SUBMINOR_VERSION);
}

std::string newest_cccl_version()
{
  return find_newest().version;
}

} // namespace perf::device_wide
