// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The rows of reheat-family, and what compares outputs.
#include "family/member.cuh"

#include <thrust/version.h>

namespace perf::family
{
namespace
{

__global__ void count_differences_kernel(const unsigned char* left, const unsigned char* right, std::uint64_t bytes,
                                         unsigned* differences)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < bytes; i += threads)
  {
    if (left[i] != right[i])
    {
      atomicAdd(differences, 1);
    }
  }
}

//! The rows of an algorithm on i32.
template <accelerated::algorithm Which>
void add_algorithm(std::vector<member>& all)
{
  constexpr accelerated::algorithm_facts facts = accelerated::facts_of(Which);
  input_shape input;
  if constexpr (facts.group == accelerated::group::by_key || Which == accelerated::algorithm::unique_by_key_copy)
  {
    add_by_key<Which, item, item>(all, "i32");
  }
  else if constexpr (facts.group == accelerated::group::early_stops)
  {
    input.pairs = Which == accelerated::algorithm::mismatch || Which == accelerated::algorithm::equal;
    for (const bool hit : {true, false})
    {
      input.hit = hit;
      all.push_back(member_of<Which, item, item, is_far_less>(hit ? "/early_hit" : "/no_hit", input));
    }
  }
  else if constexpr (!facts.is_in_place()) // the table's calls copy the items
  {
    input.wide = facts.group == accelerated::group::extrema;
    all.push_back(member_of<Which>("", input));
  }
  if constexpr (Which == accelerated::algorithm::min_element)
  {
    all.push_back(member_of<Which, item, item, thrust::greater<item>>("/greater", input));
  }
}

} // namespace

std::vector<member> all_members()
{
  std::vector<member> all;
  accelerated::for_each_algorithm([&](auto which) { add_algorithm<which>(all); });
  add_other_types(all);
  add_in_place(all);
  return all;
}

void count_differences(const void* left, const void* right, std::uint64_t bytes, unsigned* differences, cudaStream_t stream)
{
  count_differences_kernel<<<blocks, block_threads, 0, stream>>>(
      static_cast<const unsigned char*>(left), static_cast<const unsigned char*>(right), bytes, differences);
  timing::check(cudaGetLastError(), "comparing outputs");
}

std::string cccl_version()
{
  return std::to_string(THRUST_VERSION / 100000) + "." + std::to_string(THRUST_VERSION / 100 % 1000) + "." +
         std::to_string(THRUST_VERSION % 100);
}

} // namespace perf::family
