// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls of reheat-family, and what prepares and compares their data.
#include "family.hpp"

#include <reheat/reheat.cuh>
#include <timing/clocks.hpp>

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/version.h>

#include <algorithm>
#include <utility>

namespace perf::family
{
namespace
{

using timing::check;

constexpr item looked_for = 1000; // no other item has this value
constexpr item counted = 3;       // one item in 15 does

constexpr unsigned blocks = 1024, block_threads = 256;

//! Early: in the first part of the range that anybody looks at.
std::uint64_t hit_at(std::uint64_t items)
{
  return std::min<std::uint64_t>(items / 2, 1000);
}

__device__ std::uint32_t random_bits(std::uint64_t i, std::uint32_t seed)
{
  std::uint32_t x = static_cast<std::uint32_t>(i) * 2654435761u ^ seed;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// Segments come in pairs of twice the average, with a random boundary between the two: so a key follows from its index, and
// lengths are anything from 1 to twice the average less 1.
__device__ item key_at(std::uint64_t i, std::uint64_t segment_items)
{
  const std::uint64_t pair = i / (2 * segment_items), inside = i % (2 * segment_items);
  const std::uint64_t first_items = 1 + random_bits(pair, 3) % (2 * segment_items - 1);
  return static_cast<item>(2 * pair + (inside >= first_items ? 1 : 0));
}

__global__ void fill_kernel(item* values, item* seconds, std::uint64_t items, input_shape shape, std::uint64_t hit)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < items; i += threads)
  {
    const std::uint32_t bits = random_bits(i, 1);
    values[i] = shape.hit && i == hit ? looked_for : static_cast<item>(shape.wide ? bits : bits % 15) - (shape.wide ? 0 : 7);
    seconds[i] = shape.segment_items == 0 ? static_cast<item>(random_bits(i, 2) % 15) - 7 : key_at(i, shape.segment_items);
  }
}

__global__ void count_differences_kernel(const item* left, const item* right, std::uint64_t items, unsigned* differences)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < items; i += threads)
  {
    if (left[i] != right[i])
    {
      atomicAdd(differences, 1);
    }
  }
}

//! `call(policy, range)` is the public call.
template <class Call>
member returning(std::string name, input_shape input, unsigned inputs, Call call, output writes = output::nothing)
{
  member made{std::move(name), input, inputs, writes, {}, {}};
  made.waiting = {[call](const range& r, cudaStream_t stream) { return call(reheat::par.on(stream), r); },
                  [call](const range& r, cudaStream_t stream) { return call(thrust::cuda::par.on(stream), r); }};
  return made;
}

template <class Call>
member scanning(std::string name, input_shape input, unsigned inputs, Call call)
{
  member made = returning(std::move(name), input, inputs, call, output::values);
  made.enqueuing = {[call](const range& r, cudaStream_t stream) { return call(reheat::par_nosync.on(stream), r); },
                    [call](const range& r, cudaStream_t stream) { return call(thrust::cuda::par_nosync.on(stream), r); }};
  return made;
}

struct is_positive
{
  __host__ __device__ bool operator()(item x) const { return x > 0; }
};
struct is_looked_for
{
  __host__ __device__ bool operator()(item x) const { return x == looked_for; }
};
struct is_another
{
  __host__ __device__ bool operator()(item x) const { return x != looked_for; }
};
struct twice
{
  __host__ __device__ item operator()(item x) const { return 2 * x; }
};

void add_reductions(std::vector<member>& all)
{
  const input_shape small;
  all.push_back(returning("reduce", small, 1,
                          [](const auto& policy, const range& r)
                          { return result{thrust::reduce(policy, r.values, r.end())}; }));
  all.push_back(returning(
      "transform_reduce", small, 1,
      [](const auto& policy, const range& r)
      { return result{thrust::transform_reduce(policy, r.values, r.end(), twice{}, item{0}, thrust::plus<item>{})}; }));
  all.push_back(returning("inner_product", small, 2,
                          [](const auto& policy, const range& r)
                          { return result{thrust::inner_product(policy, r.values, r.end(), r.seconds, item{0})}; }));
  all.push_back(returning("count", small, 1,
                          [](const auto& policy, const range& r)
                          { return result{thrust::count(policy, r.values, r.end(), counted)}; }));
  all.push_back(returning("count_if", small, 1,
                          [](const auto& policy, const range& r)
                          { return result{thrust::count_if(policy, r.values, r.end(), is_positive{})}; }));
}

void add_extrema(std::vector<member>& all)
{
  input_shape wide;
  wide.wide = true;
  all.push_back(returning("min_element", wide, 1,
                          [](const auto& policy, const range& r)
                          { return result{thrust::min_element(policy, r.values, r.end()) - r.values}; }));
  all.push_back(returning("max_element", wide, 1,
                          [](const auto& policy, const range& r)
                          { return result{thrust::max_element(policy, r.values, r.end()) - r.values}; }));
  all.push_back(returning("minmax_element", wide, 1,
                          [](const auto& policy, const range& r)
                          {
                            const auto found = thrust::minmax_element(policy, r.values, r.end());
                            return result{found.first - r.values, found.second - r.values};
                          }));
}

void add_logical(std::vector<member>& all)
{
  for (const bool hit : {true, false})
  {
    input_shape input;
    input.hit = hit;
    const std::string variant = hit ? "/early_hit" : "/no_hit";
    const unsigned inputs = hit ? 0 : 1;
    all.push_back(returning("all_of" + variant, input, inputs,
                            [](const auto& policy, const range& r)
                            { return result{thrust::all_of(policy, r.values, r.end(), is_another{})}; }));
    all.push_back(returning("any_of" + variant, input, inputs,
                            [](const auto& policy, const range& r)
                            { return result{thrust::any_of(policy, r.values, r.end(), is_looked_for{})}; }));
    all.push_back(returning("none_of" + variant, input, inputs,
                            [](const auto& policy, const range& r)
                            { return result{thrust::none_of(policy, r.values, r.end(), is_looked_for{})}; }));
  }
}

void add_scans(std::vector<member>& all)
{
  const input_shape small;
  all.push_back(scanning("inclusive_scan", small, 1,
                         [](const auto& policy, const range& r)
                         { return result{thrust::inclusive_scan(policy, r.values, r.end(), r.out) - r.out}; }));
  all.push_back(scanning("exclusive_scan", small, 1,
                         [](const auto& policy, const range& r)
                         { return result{thrust::exclusive_scan(policy, r.values, r.end(), r.out) - r.out}; }));
  all.push_back(scanning("transform_inclusive_scan", small, 1,
                         [](const auto& policy, const range& r)
                         {
                           return result{thrust::transform_inclusive_scan(policy, r.values, r.end(), r.out, twice{},
                                                                          thrust::plus<item>{}) -
                                         r.out};
                         }));
  all.push_back(scanning("transform_exclusive_scan", small, 1,
                         [](const auto& policy, const range& r)
                         {
                           return result{thrust::transform_exclusive_scan(policy, r.values, r.end(), r.out, twice{}, item{0},
                                                                          thrust::plus<item>{}) -
                                         r.out};
                         }));
}

void add_by_key(std::vector<member>& all)
{
  constexpr std::uint64_t averages[]{1, 32, 1000000};
  const auto segments = [](std::uint64_t items)
  {
    input_shape input;
    input.segment_items = items;
    return input;
  };
  const auto variant = [](std::uint64_t items) { return "/segments_" + std::to_string(items); };
  for (const std::uint64_t average : averages)
  {
    all.push_back(scanning(
        "inclusive_scan_by_key" + variant(average), segments(average), 2,
        [](const auto& policy, const range& r)
        { return result{thrust::inclusive_scan_by_key(policy, r.seconds, r.seconds_end(), r.values, r.out) - r.out}; }));
  }
  for (const std::uint64_t average : averages)
  {
    all.push_back(scanning(
        "exclusive_scan_by_key" + variant(average), segments(average), 2,
        [](const auto& policy, const range& r)
        { return result{thrust::exclusive_scan_by_key(policy, r.seconds, r.seconds_end(), r.values, r.out) - r.out}; }));
  }
  for (const std::uint64_t average : averages)
  {
    all.push_back(returning(
        "reduce_by_key" + variant(average), segments(average), 2,
        [](const auto& policy, const range& r)
        {
          const auto ends = thrust::reduce_by_key(policy, r.seconds, r.seconds_end(), r.values, r.keys_out, r.out);
          return result{ends.first - r.keys_out, ends.second - r.out};
        },
        output::segments));
  }
}

} // namespace

std::vector<member> all_members()
{
  std::vector<member> all;
  add_reductions(all);
  add_extrema(all);
  add_logical(all);
  add_scans(all);
  add_by_key(all);
  return all;
}

void fill(item* values, item* seconds, std::uint64_t items, const input_shape& shape, cudaStream_t stream)
{
  fill_kernel<<<blocks, block_threads, 0, stream>>>(values, seconds, items, shape, hit_at(items));
  check(cudaGetLastError(), "writing the input");
}

void count_differences(const item* left, const item* right, std::uint64_t items, unsigned* differences, cudaStream_t stream)
{
  count_differences_kernel<<<blocks, block_threads, 0, stream>>>(left, right, items, differences);
  check(cudaGetLastError(), "comparing outputs");
}

std::string cccl_version()
{
  return std::to_string(THRUST_VERSION / 100000) + "." + std::to_string(THRUST_VERSION / 100 % 1000) + "." +
         std::to_string(THRUST_VERSION % 100);
}

} // namespace perf::family
