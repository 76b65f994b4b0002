// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! DeviceSelect::Unique, DevicePartition::If and DeviceRunLengthEncode::Encode, of i32. Runs are those of keys.
#include "device/entry.cuh"

#include <string>

namespace perf::device_wide
{
namespace
{

constexpr type i32 = type::i32;

struct is_even
{
  __host__ __device__ bool operator()(std::int32_t x) const { return x % 2 == 0; }
};

//! Their calls by a policy return to the host, or do not exist, so they have none.
void add_runs(std::vector<entry>& all, std::uint64_t run_items)
{
  const shape runs{i32, i32, content::any, output::segments, run_items};
  const std::string variant = "runs_" + std::to_string(run_items);
  add_entry<i32, i32>(all, "DeviceSelect::Unique", variant, "i32", runs, true,
                      [](auto api, const auto& c)
                      {
                        return decltype(api)::select::Unique(
                            c.temp, c.temp_bytes, c.keys, static_cast<std::int32_t*>(c.raw.second_out),
                            static_cast<std::int32_t*>(c.raw.segments_out), c.items, c.stream);
                      });
  add_entry<i32, i32>(all, "DeviceRunLengthEncode::Encode", variant, "i32", runs, true,
                      [](auto api, const auto& c)
                      {
                        return decltype(api)::run_lengths::Encode(
                            c.temp, c.temp_bytes, c.keys, static_cast<std::int32_t*>(c.raw.second_out), c.out,
                            static_cast<std::int32_t*>(c.raw.segments_out), c.items, c.stream);
                      });
}

//! Half of the items are selected.
void add_partition(std::vector<entry>& all)
{
  add_entry<i32, i32>(all, "DevicePartition::If", "half", "i32", {i32, i32, content::any, output::segments, 1}, true,
                      [](auto api, const auto& c)
                      {
                        return decltype(api)::partition::If(c.temp, c.temp_bytes, c.in, c.out,
                                                            static_cast<std::int32_t*>(c.raw.segments_out), c.items,
                                                            is_even{}, c.stream);
                      });
}

} // namespace

void add_selections(std::vector<entry>& all)
{
  for (const std::uint64_t run_items : {1, 4, 100})
  {
    add_runs(all, run_items);
  }
  add_partition(all);
}

} // namespace perf::device_wide
