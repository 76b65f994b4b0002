// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! DeviceReduce: every entry point, of i32 or f32, and sums of other types.
#include "device/entry.cuh"

#include <thrust/iterator/transform_iterator.h>

#include <limits>

namespace perf::device_wide
{
namespace
{

using limits = std::numeric_limits<std::int32_t>;

constexpr type i32 = type::i32, f32 = type::f32;
constexpr shape extrema{i32, i32, content::any, output::value};

struct square
{
  __host__ __device__ float operator()(float x) const { return x * x; }
};

void add_extrema(std::vector<entry>& all)
{
  entry* added =
      &add_entry<i32, i32>(all, "DeviceReduce::Min", "", "i32", extrema, true,
                           [](auto api, const auto& c)
                           { return decltype(api)::reduce::Min(c.temp, c.temp_bytes, c.in, c.out, c.items, c.stream); });
  set_policy<i32, i32>(*added, [](const auto& c)
                       { ::reheat::reduce_into(c.policy(), c.in, c.last, c.out, limits::max(), ::cuda::minimum<>{}); });
  added = &add_entry<i32, i32>(all, "DeviceReduce::Max", "", "i32", extrema, true,
                               [](auto api, const auto& c)
                               { return decltype(api)::reduce::Max(c.temp, c.temp_bytes, c.in, c.out, c.items, c.stream); });
  set_policy<i32, i32>(*added, [](const auto& c)
                       { ::reheat::reduce_into(c.policy(), c.in, c.last, c.out, limits::lowest(), ::cuda::maximum<>{}); });
}

//! These have no policy: min_element and max_element return to the host.
void add_extrema_with_index(std::vector<entry>& all)
{
  using index = std::int64_t;
  add_entry<i32, i32>(all, "DeviceReduce::ArgMin", "", "i32", extrema, true,
                      [](auto api, const auto& c)
                      {
                        return decltype(api)::reduce::ArgMin(c.temp, c.temp_bytes, c.in, c.out,
                                                             static_cast<index*>(c.raw.second_out), c.items, c.stream);
                      });
  add_entry<i32, i32>(all, "DeviceReduce::ArgMax", "", "i32", extrema, true,
                      [](auto api, const auto& c)
                      {
                        return decltype(api)::reduce::ArgMax(c.temp, c.temp_bytes, c.in, c.out,
                                                             static_cast<index*>(c.raw.second_out), c.items, c.stream);
                      });
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
void add_deprecated_extrema(std::vector<entry>& all)
{
  using pair = ::cub::KeyValuePair<int, std::int32_t>;
  add_entry<i32, i32>(all, "DeviceReduce::ArgMin", "KeyValuePair", "i32", extrema, true,
                      [](auto api, const auto& c) {
                        return decltype(api)::reduce::ArgMin(c.temp, c.temp_bytes, c.in, static_cast<pair*>(c.raw.out),
                                                             c.items, c.stream);
                      });
  add_entry<i32, i32>(all, "DeviceReduce::ArgMax", "KeyValuePair", "i32", extrema, true,
                      [](auto api, const auto& c) {
                        return decltype(api)::reduce::ArgMax(c.temp, c.temp_bytes, c.in, static_cast<pair*>(c.raw.out),
                                                             c.items, c.stream);
                      });
}
#pragma GCC diagnostic pop

void add_transform_reduce(std::vector<entry>& all)
{
  entry& added = add_entry<f32, f32>(
      all, "DeviceReduce::TransformReduce", "square", "f32", {f32, f32, content::sparse, output::value}, true,
      [](auto api, const auto& c)
      {
        return decltype(api)::reduce::TransformReduce(c.temp, c.temp_bytes, c.in, c.out, c.items, ::cuda::std::plus<>{},
                                                      square{}, 0.0f, c.stream);
      });
  set_policy<f32, f32>(added,
                       [](const auto& c)
                       {
                         ::reheat::reduce_into(c.policy(), ::thrust::make_transform_iterator(c.in, square{}),
                                               ::thrust::make_transform_iterator(c.last, square{}), c.out, 0.0f,
                                               ::cuda::std::plus<>{});
                       });
}

//! Its call by a policy returns to the host, so it has none.
void add_reduce_by_key(std::vector<entry>& all, std::uint64_t segment_items)
{
  add_entry<i32, i32>(all, "DeviceReduce::ReduceByKey", "segments_" + std::to_string(segment_items), "i32",
                      {i32, i32, content::steps, output::segments, segment_items}, true,
                      [](auto api, const auto& c)
                      {
                        return decltype(api)::reduce::ReduceByKey(
                            c.temp, c.temp_bytes, c.keys, static_cast<std::int32_t*>(c.raw.second_out), c.in, c.out,
                            static_cast<std::int32_t*>(c.raw.segments_out), ::cuda::std::plus<>{}, c.items, c.stream);
                      });
}

template <type In, type Out = In>
void add_sum(std::vector<entry>& all, const char* types)
{
  entry& added =
      add_entry<In, Out>(all, "DeviceReduce::Sum", "", types, {In, Out, content::steps, output::value}, In == i32,
                         [](auto api, const auto& c)
                         { return decltype(api)::reduce::Sum(c.temp, c.temp_bytes, c.in, c.out, c.items, c.stream); });
  set_policy<In, Out>(added,
                      [](const auto& c)
                      {
                        using value = item_t<Out>;
                        ::reheat::reduce_into(c.policy(), c.in, c.last, c.out, value{}, ::cuda::std::plus<>{});
                      });
}

void add_sums(std::vector<entry>& all)
{
  add_sum<i32>(all, "i32");
  add_sum<type::i8>(all, "i8");
  add_sum<type::i8, i32>(all, "i8_i32");
  add_sum<type::f16>(all, "f16");
  add_sum<f32>(all, "f32");
  add_sum<type::i64>(all, "i64");
  add_sum<type::f64>(all, "f64");
}

} // namespace

void add_reductions(std::vector<entry>& all)
{
  add_sums(all);
  entry& added = add_entry<i32, i32>(all, "DeviceReduce::Reduce", "max", "i32", extrema, true,
                                     [](auto api, const auto& c)
                                     {
                                       return decltype(api)::reduce::Reduce(c.temp, c.temp_bytes, c.in, c.out, c.items,
                                                                            ::cuda::maximum<>{}, limits::lowest(), c.stream);
                                     });
  set_policy<i32, i32>(added, [](const auto& c)
                       { ::reheat::reduce_into(c.policy(), c.in, c.last, c.out, limits::lowest(), ::cuda::maximum<>{}); });
  add_extrema(all);
  add_extrema_with_index(all);
  add_deprecated_extrema(all);
  add_transform_reduce(all);
  add_reduce_by_key(all, 32);
  add_reduce_by_key(all, 4);
}

} // namespace perf::device_wide
