// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The rows of reheat-family by key of other types than i32: the speed depends on the types of keys and of values.
#include "family/member.cuh"

namespace perf::family
{
namespace
{

template <class Key, class Value>
void add_types(std::vector<member>& all, const char* types)
{
  add_by_key<accelerated::algorithm::inclusive_scan_by_key, Key, Value>(all, types);
  add_by_key<accelerated::algorithm::reduce_by_key, Key, Value>(all, types);
}

} // namespace

void add_other_types(std::vector<member>& all)
{
  add_types<std::int32_t, std::int64_t>(all, "i32_i64");
  add_types<std::int64_t, std::int64_t>(all, "i64_i64");
  add_types<std::int8_t, std::int8_t>(all, "i8_i8");
}

} // namespace perf::family
