// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! DeviceScan: every entry point, of i32, and sums of other types.
#include "device/entry.cuh"

#include <thrust/scan.h>

#include <limits>

namespace perf::device_wide
{
namespace
{

using plus = ::cuda::std::plus<>;
using maximum = ::cuda::maximum<>;
using equal = ::cuda::std::equal_to<>;

constexpr type i32 = type::i32;
constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::lowest();
constexpr shape sums{i32, i32, content::steps, output::values}, extrema{i32, i32, content::any, output::values};

void add_inclusive(std::vector<entry>& all)
{
  entry* added = &add_entry<i32, i32>(
      all, "DeviceScan::InclusiveScan", "max", "i32", extrema, true,
      [](auto api, const auto& c)
      { return decltype(api)::scan::InclusiveScan(c.temp, c.temp_bytes, c.in, c.out, maximum{}, c.items, c.stream); });
  set_policy<i32, i32>(*added, [](const auto& c) { ::thrust::inclusive_scan(c.policy(), c.in, c.last, c.out, maximum{}); });
  added = &add_entry<i32, i32>(all, "DeviceScan::InclusiveScanInit", "plus", "i32", sums, true,
                               [](auto api, const auto& c)
                               {
                                 return decltype(api)::scan::InclusiveScanInit(c.temp, c.temp_bytes, c.in, c.out, plus{},
                                                                               initial_value, c.items, c.stream);
                               });
  set_policy<i32, i32>(*added, [](const auto& c)
                       { ::thrust::inclusive_scan(c.policy(), c.in, c.last, c.out, initial_value, plus{}); });
}

void add_exclusive(std::vector<entry>& all)
{
  const auto with_value = [](const auto& c)
  { ::thrust::exclusive_scan(c.policy(), c.in, c.last, c.out, initial_value, plus{}); };
  entry* added = &add_entry<i32, i32>(all, "DeviceScan::ExclusiveScan", "plus", "i32", sums, true,
                                      [](auto api, const auto& c) {
                                        return decltype(api)::scan::ExclusiveScan(c.temp, c.temp_bytes, c.in, c.out, plus{},
                                                                                  initial_value, c.items, c.stream);
                                      });
  set_policy<i32, i32>(*added, with_value);
  added = &add_entry<i32, i32>(all, "DeviceScan::ExclusiveScan", "FutureValue", "i32", sums, true,
                               [](auto api, const auto& c)
                               {
                                 // Through a T*: CUB 3.0.1 dereferences any other iterator on the host.
                                 using future = ::cub::FutureValue<std::int32_t>;
                                 return decltype(api)::scan::ExclusiveScan(c.temp, c.temp_bytes, c.in, c.out, plus{},
                                                                           future(c.raw.future_value), c.items, c.stream);
                               });
  set_policy<i32, i32>(*added, with_value); // no policy's call reads its value on the device
}

//! A scan in segments of 32 items.
template <class Call, class Policy>
void add_scan_by_key(std::vector<entry>& all, const char* name, const char* variant, content items, Call call, Policy policy)
{
  set_policy<i32, i32>(add_entry<i32, i32>(all, name, variant, "i32", {i32, i32, items, output::values, 32}, true, call),
                       policy);
}

void add_by_key(std::vector<entry>& all)
{
  add_scan_by_key(
      all, "DeviceScan::InclusiveSumByKey", "segments_32", content::steps,
      [](auto api, const auto& c) {
        return decltype(api)::scan::InclusiveSumByKey(c.temp, c.temp_bytes, c.keys, c.in, c.out, c.items, equal{}, c.stream);
      },
      [](const auto& c) { ::thrust::inclusive_scan_by_key(c.policy(), c.keys, c.keys_last, c.in, c.out); });
  add_scan_by_key(
      all, "DeviceScan::ExclusiveSumByKey", "segments_32", content::steps,
      [](auto api, const auto& c) {
        return decltype(api)::scan::ExclusiveSumByKey(c.temp, c.temp_bytes, c.keys, c.in, c.out, c.items, equal{}, c.stream);
      },
      [](const auto& c) { ::thrust::exclusive_scan_by_key(c.policy(), c.keys, c.keys_last, c.in, c.out); });
  add_scan_by_key(
      all, "DeviceScan::InclusiveScanByKey", "max_segments_32", content::any,
      [](auto api, const auto& c)
      {
        return decltype(api)::scan::InclusiveScanByKey(c.temp, c.temp_bytes, c.keys, c.in, c.out, maximum{}, c.items,
                                                       equal{}, c.stream);
      },
      [](const auto& c)
      { ::thrust::inclusive_scan_by_key(c.policy(), c.keys, c.keys_last, c.in, c.out, equal{}, maximum{}); });
  add_scan_by_key(
      all, "DeviceScan::ExclusiveScanByKey", "max_segments_32", content::any,
      [](auto api, const auto& c)
      {
        return decltype(api)::scan::ExclusiveScanByKey(c.temp, c.temp_bytes, c.keys, c.in, c.out, maximum{}, lowest, c.items,
                                                       equal{}, c.stream);
      },
      [](const auto& c)
      { ::thrust::exclusive_scan_by_key(c.policy(), c.keys, c.keys_last, c.in, c.out, lowest, equal{}, maximum{}); });
}

template <type In, type Out = In>
void add_inclusive_sum(std::vector<entry>& all, const char* types)
{
  entry& added =
      add_entry<In, Out>(all, "DeviceScan::InclusiveSum", "", types, {In, Out, content::steps, output::values}, In == i32,
                         [](auto api, const auto& c) {
                           return decltype(api)::scan::InclusiveSum(c.temp, c.temp_bytes, c.in, c.out, c.items, c.stream);
                         });
  set_policy<In, Out>(added,
                      [](const auto& c)
                      {
                        if constexpr (In == Out)
                        {
                          ::thrust::inclusive_scan(c.policy(), c.in, c.last, c.out);
                        }
                        else // sums of the output's type
                        {
                          ::thrust::inclusive_scan(c.policy(), c.in, c.last, c.out, item_t<Out>{}, plus{});
                        }
                      });
}

template <type In, type Out = In>
void add_exclusive_sum(std::vector<entry>& all, const char* types, content items = content::steps)
{
  entry& added =
      add_entry<In, Out>(all, "DeviceScan::ExclusiveSum", "", types, {In, Out, items, output::values}, In == i32,
                         [](auto api, const auto& c) {
                           return decltype(api)::scan::ExclusiveSum(c.temp, c.temp_bytes, c.in, c.out, c.items, c.stream);
                         });
  set_policy<In, Out>(added, [](const auto& c)
                      { ::thrust::exclusive_scan(c.policy(), c.in, c.last, c.out, item_t<Out>{}, plus{}); });
}

template <type In, type Out = In>
void add_sums(std::vector<entry>& all, const char* types)
{
  add_inclusive_sum<In, Out>(all, types);
  add_exclusive_sum<In, Out>(all, types);
}

void add_all_sums(std::vector<entry>& all)
{
  add_sums<i32>(all, "i32");
  add_sums<type::i8>(all, "i8");
  add_sums<type::i8, i32>(all, "i8_i32");
  add_sums<type::f16>(all, "f16");
  add_sums<type::f32>(all, "f32");
  add_sums<type::i64>(all, "i64");
  add_sums<type::f64>(all, "f64");
  add_exclusive_sum<type::u8, i32>(all, "u8_i32", content::flags);
}

} // namespace

void add_scans(std::vector<entry>& all)
{
  add_all_sums(all);
  add_inclusive(all);
  add_exclusive(all);
  add_by_key(all);
}

} // namespace perf::device_wide
