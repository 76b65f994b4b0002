// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a public call becomes a row of reheat-family, and what fills its inputs.
#pragma once

#include "common/random.cuh"
#include "family/calls.hpp"

#include <family/calls.cuh>
#include <timing/clocks.hpp>

#include <thrust/functional.h>
#include <thrust/system/cuda/execution_policy.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace perf::family
{

inline constexpr item looked_for = 1000; // no other item has this value

inline constexpr unsigned blocks = 1024, block_threads = 256;

//! Early: in the first part of the range that anybody looks at.
inline std::uint64_t hit_at(std::uint64_t items)
{
  return std::min<std::uint64_t>(items / 2, 1000);
}

template <class Value, class Key>
__global__ void fill_kernel(Value* values, Key* seconds, std::uint64_t items, input_shape shape, std::uint64_t hit)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < items; i += threads)
  {
    const std::uint32_t bits = random_bits(i, 1);
    const int small = static_cast<int>(bits % 15) - 7;
    values[i] = static_cast<Value>(shape.hit && i == hit ? looked_for : shape.wide ? static_cast<int>(bits) : small);
    seconds[i] = shape.segment_items != 0 ? static_cast<Key>(key_at(i, shape.segment_items))
                 : shape.pairs            ? static_cast<Key>(small)
                                          : static_cast<Key>(static_cast<int>(random_bits(i, 2) % 15) - 7);
  }
}

struct is_positive
{
  template <class T>
  __host__ __device__ bool operator()(T x) const
  {
    return x > 0;
  }
};
struct is_looked_for
{
  template <class T>
  __host__ __device__ bool operator()(T x) const
  {
    return x == looked_for;
  }
};
struct is_another
{
  template <class T>
  __host__ __device__ bool operator()(T x) const
  {
    return x != looked_for;
  }
};
//! Of items that are no hits, none is less than another.
struct is_far_less
{
  template <class T>
  __host__ __device__ bool operator()(T x, T y) const
  {
    return x < y - looked_for / 2;
  }
};
struct is_odd
{
  template <class T>
  __host__ __device__ bool operator()(T x) const
  {
    return x % 2 != 0;
  }
};
struct twice
{
  template <class T>
  __host__ __device__ T operator()(T x) const
  {
    return 2 * x;
  }
};

//! The operands of a call.
template <class Value, class Key, class Less>
struct operands
{
  const Value *first, *last, *others;
  const Key *keys, *keys_last;
  Value* out;
  Key* keys_out;
  Value init = 0, counted = 3;                   // one item in 15 is counted
  Value sought = static_cast<Value>(looked_for); // bytes are not searched
  thrust::plus<Value> op{};
  twice map{};
  thrust::multiplies<Value> product{};
  thrust::equal_to<Key> equal{};
  thrust::equal_to<Value> same{};
  Less less{};
  is_positive is_counted{};
  is_looked_for is_sought{};
  is_another is_not_sought{};
  is_odd is_flagged{}; // half of the keys

  explicit operands(const places& p)
      : first(static_cast<const Value*>(p.values)), last(first + p.items), others(static_cast<const Value*>(p.seconds)),
        keys(static_cast<const Key*>(p.seconds)), keys_last(keys + p.items), out(static_cast<Value*>(p.out)),
        keys_out(static_cast<Key*>(p.keys_out))
  {}
};

constexpr output output_of(const accelerated::algorithm_facts& facts)
{
  switch (facts.output)
  {
    case accelerated::output::total:
      return facts.gives == accelerated::gives::nothing ? output::value : output::nothing;
    case accelerated::output::run_totals:
      return output::segments;
    case accelerated::output::selection:
      return output::selected;
    default:
      return facts.is_scan() ? output::values : output::nothing;
  }
}

//! What fills the inputs of a row.
template <class Value, class Key>
void fill_inputs(const places& p, const input_shape& shape, cudaStream_t stream)
{
  fill_kernel<<<blocks, block_threads, 0, stream>>>(static_cast<Value*>(p.values), static_cast<Key*>(p.seconds), p.items,
                                                    shape, hit_at(p.items));
  timing::check(cudaGetLastError(), "writing the input");
}

//! A row of an algorithm: its name with a variant, and input of a shape.
template <accelerated::algorithm Which, class Value = item, class Key = item, class Less = thrust::less<Value>>
member member_of(const std::string& variant, input_shape input)
{
  using typed = operands<Value, Key, Less>;
  constexpr accelerated::algorithm_facts facts = accelerated::facts_of(Which);
  const auto by = [](auto policy_on)
  {
    return [policy_on](const places& p, cudaStream_t stream)
    { return accelerated::call_numbers<Which>(policy_on(stream), typed(p)); };
  };
  member made{facts.name + variant, "i32", sizeof(Value), sizeof(Key), input, 1, output_of(facts), {}, {}, {}};
  const bool reads_little = input.hit || facts.group == accelerated::group::lookups;
  made.inputs = reads_little ? 0 : input.pairs || facts.keys() != accelerated::key_use::none ? 2 : 1;
  made.fill = fill_inputs<Value, Key>;
  made.waiting = {by([](cudaStream_t stream) { return reheat::par.on(stream); }),
                  by([](cudaStream_t stream) { return thrust::cuda::par.on(stream); })};
  if constexpr (facts.is_scan())
  {
    made.enqueuing = {by([](cudaStream_t stream) { return reheat::par_nosync.on(stream); }),
                      by([](cudaStream_t stream) { return thrust::cuda::par_nosync.on(stream); })};
  }
  return made;
}

//! The rows of an algorithm by key, of keys in segments of three average lengths.
template <accelerated::algorithm Which, class Key, class Value>
void add_by_key(std::vector<member>& all, const char* types)
{
  for (const std::uint64_t average : {1, 32, 1000000})
  {
    input_shape input;
    input.segment_items = average;
    all.push_back(member_of<Which, Value, Key>("/segments_" + std::to_string(average), input));
    all.back().types = types;
  }
}

} // namespace perf::family
