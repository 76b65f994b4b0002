// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What becomes of several runs of one row.
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace perf::family
{

using nlohmann::json;

//! The entries of one name, a run each, as one: that of the median time, with the times of all as `runs` if there are
//! several; or the first that failed. Of an even number, the faster of the two in the middle.
inline json merge_runs(std::vector<json> runs)
{
  const auto failed =
      std::find_if(runs.begin(), runs.end(), [](const json& each) { return each.contains("error_message"); });
  if (failed != runs.end())
  {
    return *failed;
  }
  json times = json::array();
  bool host_time = false;
  for (const json& each : runs)
  {
    times.push_back(each["real_time"]);
    // If the GPU could not be kept busy in one of the runs, the host's time may be in the median.
    host_time = host_time || each["host_time"].get<bool>();
  }
  std::sort(runs.begin(), runs.end(), [](const json& a, const json& b) { return a["real_time"] < b["real_time"]; });
  const std::size_t middle = (runs.size() - 1) / 2;
  json made = std::move(runs[middle]);
  made["host_time"] = host_time;
  if (times.size() > 1)
  {
    made["runs"] = std::move(times);
  }
  return made;
}

} // namespace perf::family
