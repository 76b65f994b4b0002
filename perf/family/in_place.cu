// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The rows of reheat-family in place, whose input is copied before each call: partitions, whose time depends on where their
//! memory comes from.
#include "common/keeping_allocator.hpp"
#include "family/member.cuh"

#include <thrust/partition.h>

#include <cstdint>

namespace perf::family
{
namespace
{

//! stable_partition by whether an item is odd, as half of them are.
template <class Value>
member stable_partition_of(const char* types)
{
  const auto by = [](auto policy_on)
  {
    return [policy_on](const places& p, cudaStream_t stream)
    {
      Value* const first = static_cast<Value*>(p.out);
      return result{{thrust::stable_partition(policy_on(stream), first, first + p.items, is_odd()) - first, 0}};
    };
  };
  member made{"stable_partition", types, sizeof(Value), sizeof(item), {}, 1, output::values, {}, {}, {}};
  made.in_place = true;
  made.fill = fill_inputs<Value, item>;
  made.waiting = {by([](cudaStream_t stream) { return reheat::par.on(stream); }),
                  by([](cudaStream_t stream) { return thrust::cuda::par.on(stream); }),
                  by([](cudaStream_t stream) { return thrust::cuda::par(pool()).on(stream); })};
  return made;
}

} // namespace

void add_in_place(std::vector<member>& all)
{
  all.push_back(stable_partition_of<std::int32_t>("i32"));
  all.push_back(stable_partition_of<std::int8_t>("i8"));
  all.push_back(stable_partition_of<std::int64_t>("i64"));
}

} // namespace perf::family
