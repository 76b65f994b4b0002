// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls of reheat-family that go by keys. Their speed depends on both types: i32 in all forms, others in some.
#include "family/member.cuh"

#include <thrust/reduce.h>
#include <thrust/scan.h>

namespace perf::family
{
namespace
{

constexpr std::uint64_t averages[]{1, 32, 1000000};

input_shape segments(std::uint64_t items)
{
  input_shape input;
  input.segment_items = items;
  return input;
}
std::string variant(std::uint64_t items)
{
  return "/segments_" + std::to_string(items);
}

template <class Key, class Value, class Call>
void add_scan(std::vector<member>& all, const std::string& name, const char* types, Call call)
{
  for (const std::uint64_t average : averages)
  {
    all.push_back(scanning<Value, Key>(name + variant(average), segments(average), 2, call));
    all.back().types = types;
  }
}

template <class Key, class Value>
void add_inclusive(std::vector<member>& all, const char* types)
{
  add_scan<Key, Value>(
      all, "inclusive_scan_by_key", types,
      [](const auto& policy, const auto& r)
      { return result{thrust::inclusive_scan_by_key(policy, r.seconds, r.seconds_end(), r.values, r.out) - r.out}; });
}

template <class Key, class Value>
void add_reduce(std::vector<member>& all, const char* types)
{
  for (const std::uint64_t average : averages)
  {
    all.push_back(returning<Value, Key>(
        "reduce_by_key" + variant(average), segments(average), 2,
        [](const auto& policy, const auto& r)
        {
          const auto ends = thrust::reduce_by_key(policy, r.seconds, r.seconds_end(), r.values, r.keys_out, r.out);
          return result{ends.first - r.keys_out, ends.second - r.out};
        },
        output::segments));
    all.back().types = types;
  }
}

} // namespace

void add_by_key(std::vector<member>& all)
{
  add_inclusive<item, item>(all, "i32");
  add_inclusive<std::int32_t, std::int64_t>(all, "i32_i64");
  add_inclusive<std::int64_t, std::int64_t>(all, "i64_i64");
  add_inclusive<std::int8_t, std::int8_t>(all, "i8_i8");
  add_scan<item, item>(
      all, "exclusive_scan_by_key", "i32",
      [](const auto& policy, const auto& r)
      { return result{thrust::exclusive_scan_by_key(policy, r.seconds, r.seconds_end(), r.values, r.out) - r.out}; });
  add_reduce<item, item>(all, "i32");
  add_reduce<std::int32_t, std::int64_t>(all, "i32_i64");
  add_reduce<std::int64_t, std::int64_t>(all, "i64_i64");
  add_reduce<std::int8_t, std::int8_t>(all, "i8_i8");
}

} // namespace perf::family
