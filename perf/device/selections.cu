// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! DeviceSelect::If and Unique, DevicePartition::If and DeviceRunLengthEncode::Encode. Runs are those of keys.
#include "device/entry.cuh"

#include <cstdint>
#include <limits>
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

template <class T>
struct is_below
{
  T limit;
  __host__ __device__ bool operator()(T x) const { return x < limit; }
};
//! Selects `part` of `parts` of all values, the lowest ones.
template <class T>
is_below<T> lowest(std::int64_t part, std::int64_t parts)
{
  constexpr std::int64_t values = std::int64_t{1} << 8 * sizeof(T);
  return {static_cast<T>(std::numeric_limits<T>::min() + values * part / parts)};
}

//! A tenth of the items is selected.
template <type Item>
void add_selection(std::vector<entry>& all, const char* types, bool on_the_host_clocks)
{
  using item = item_t<Item>;
  add_entry<Item, Item>(
      all, "DeviceSelect::If", "a_tenth", types, {Item, Item, content::any, output::segments, 1}, on_the_host_clocks,
      [](auto api, const auto& c)
      {
        return decltype(api)::select::If(c.temp, c.temp_bytes, c.in, c.out, static_cast<std::int32_t*>(c.raw.segments_out),
                                         c.items, lowest<item>(1, 10), c.stream);
      });
}

//! Two operators select a third of the items each. The rest goes to the second half of the first output.
void add_three_parts(std::vector<entry>& all)
{
  add_entry<i32, i32>(all, "DevicePartition::If", "thirds", "i32", {i32, i32, content::any, output::segments, 1}, true,
                      [](auto api, const auto& c)
                      {
                        return decltype(api)::partition::If(
                            c.temp, c.temp_bytes, c.in, c.out, static_cast<std::int32_t*>(c.raw.second_out),
                            c.out + c.items / 2, static_cast<std::int32_t*>(c.raw.segments_out), c.items,
                            lowest<std::int32_t>(1, 3), lowest<std::int32_t>(2, 3), c.stream);
                      });
}

} // namespace

void add_selections(std::vector<entry>& all)
{
  for (const std::uint64_t run_items : {1, 4, 100})
  {
    add_runs(all, run_items);
  }
  add_selection<i32>(all, "i32", true);
  add_selection<type::i8>(all, "i8", false);
  add_partition(all);
  add_three_parts(all);
}

} // namespace perf::device_wide
