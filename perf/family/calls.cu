// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls of reheat-family that do not go by keys, and what compares outputs.
#include "family/member.cuh"

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/version.h>

namespace perf::family
{
namespace
{

constexpr item counted = 3; // one item in 15 does

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

result reduce_into_by_reheat(const places& p, cudaStream_t stream)
{
  const range<item, item> r(p);
  reheat::reduce_into(reheat::par.on(stream), r.values, r.end(), r.out);
  return {1};
}
// Thrust has reduce_into from CCCL 3.1 on. Before, a program that wants the sum on the device reduces and copies it there.
result reduce_into_by_thrust(const places& p, cudaStream_t stream)
{
  const range<item, item> r(p);
#if THRUST_VERSION >= 300100
  thrust::reduce_into(thrust::cuda::par.on(stream), r.values, r.end(), r.out);
#else
  const item sum = thrust::reduce(thrust::cuda::par.on(stream), r.values, r.end());
  timing::check(cudaMemcpyAsync(r.out, &sum, sizeof(sum), cudaMemcpyHostToDevice, stream), "copying a sum to the GPU");
  timing::check(cudaStreamSynchronize(stream), "copying a sum to the GPU");
#endif
  return {1};
}

void add_reductions(std::vector<member>& all)
{
  const input_shape small;
  all.push_back(returning("reduce", small, 1,
                          [](const auto& policy, const auto& r)
                          { return result{thrust::reduce(policy, r.values, r.end())}; }));
  all.push_back(without_calls("reduce_into", small, 1, output::value));
  all.back().waiting = {reduce_into_by_reheat, reduce_into_by_thrust};
  all.push_back(returning(
      "transform_reduce", small, 1,
      [](const auto& policy, const auto& r)
      { return result{thrust::transform_reduce(policy, r.values, r.end(), twice{}, item{0}, thrust::plus<item>{})}; }));
  all.push_back(returning("inner_product", small, 2,
                          [](const auto& policy, const auto& r)
                          { return result{thrust::inner_product(policy, r.values, r.end(), r.seconds, item{0})}; }));
  all.push_back(returning("count", small, 1,
                          [](const auto& policy, const auto& r)
                          { return result{thrust::count(policy, r.values, r.end(), counted)}; }));
  all.push_back(returning("count_if", small, 1,
                          [](const auto& policy, const auto& r)
                          { return result{thrust::count_if(policy, r.values, r.end(), is_positive{})}; }));
}

void add_extrema(std::vector<member>& all)
{
  input_shape wide;
  wide.wide = true;
  all.push_back(returning("min_element", wide, 1,
                          [](const auto& policy, const auto& r)
                          { return result{thrust::min_element(policy, r.values, r.end()) - r.values}; }));
  all.push_back(
      returning("min_element/greater", wide, 1,
                [](const auto& policy, const auto& r)
                { return result{thrust::min_element(policy, r.values, r.end(), thrust::greater<item>{}) - r.values}; }));
  all.push_back(returning("max_element", wide, 1,
                          [](const auto& policy, const auto& r)
                          { return result{thrust::max_element(policy, r.values, r.end()) - r.values}; }));
  all.push_back(returning("minmax_element", wide, 1,
                          [](const auto& policy, const auto& r)
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
                            [](const auto& policy, const auto& r)
                            { return result{thrust::all_of(policy, r.values, r.end(), is_another{})}; }));
    all.push_back(returning("any_of" + variant, input, inputs,
                            [](const auto& policy, const auto& r)
                            { return result{thrust::any_of(policy, r.values, r.end(), is_looked_for{})}; }));
    all.push_back(returning("none_of" + variant, input, inputs,
                            [](const auto& policy, const auto& r)
                            { return result{thrust::none_of(policy, r.values, r.end(), is_looked_for{})}; }));
  }
}

void add_scans(std::vector<member>& all)
{
  const input_shape small;
  all.push_back(scanning("inclusive_scan", small, 1,
                         [](const auto& policy, const auto& r)
                         { return result{thrust::inclusive_scan(policy, r.values, r.end(), r.out) - r.out}; }));
  all.push_back(scanning("exclusive_scan", small, 1,
                         [](const auto& policy, const auto& r)
                         { return result{thrust::exclusive_scan(policy, r.values, r.end(), r.out) - r.out}; }));
  all.push_back(scanning("transform_inclusive_scan", small, 1,
                         [](const auto& policy, const auto& r)
                         {
                           return result{thrust::transform_inclusive_scan(policy, r.values, r.end(), r.out, twice{},
                                                                          thrust::plus<item>{}) -
                                         r.out};
                         }));
  all.push_back(scanning("transform_exclusive_scan", small, 1,
                         [](const auto& policy, const auto& r)
                         {
                           return result{thrust::transform_exclusive_scan(policy, r.values, r.end(), r.out, twice{}, item{0},
                                                                          thrust::plus<item>{}) -
                                         r.out};
                         }));
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
