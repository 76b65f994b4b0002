// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What is measured: the axes of the suite, and the names of their values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perf
{

enum class algorithm
{
  reduce,
  inclusive_scan,
  exclusive_scan,
};
enum class type
{
  i8,
  u8, //!< in reheat-device alone
  i16,
  i32,
  i64,
  f16,
  bf16,
  f32,
  f64,
  complex_f32,
  complex_f64,
  struct_12,
};
enum class operation
{
  plus,
  max,
  last, //!< the right operand unless it is zero: associative, not commutative
};
enum class input
{
  pointer,
  device_vector,
  misaligned, //!< pointers one item behind an aligned address
  transform,  //!< a transform_iterator
  in_place,
};
enum class clock
{
  graph,
  graph_foreign, //!< as graph, and a kernel of somebody else's in front of each call
  warm,
  cold,
  wall,
  wall_nosync,
  wall_poll,
};
enum class implementation
{
  reheat,
  reheat_serial, //!< without early starts
  thrust,
  thrust_pool, //!< with an allocator that keeps its blocks
  cub,
  cub_new,           //!< of another CCCL, from a shared object: suite/cub_new.hpp
  cub_new_lookahead, //!< its other scan, which it would not choose by itself
  limit,
  limit_early, //!< the limit, also of kernels that start early
};

inline constexpr std::array algorithms{algorithm::reduce, algorithm::inclusive_scan, algorithm::exclusive_scan};
//! Of the suite.
inline constexpr std::array types{type::i8,  type::i16, type::i32,         type::i64,         type::f16,      type::bf16,
                                  type::f32, type::f64, type::complex_f32, type::complex_f64, type::struct_12};

const char* name_of(algorithm which);
const char* name_of(type which);
const char* name_of(operation which);
const char* name_of(input which);
const char* name_of(clock which);
const char* name_of(implementation which);

std::size_t size_of(type which);

//! What implementations are measured against each other on.
struct row
{
  perf::algorithm algorithm;
  perf::type type;
  perf::operation operation;
  perf::input input;
  std::uint64_t items;
  perf::clock clock;
};

//! algorithm/type/operator/input/items/clock
std::string name_of(const row& which);
//! algorithm/type/operator/input/items/clock/implementation
std::string name_of(const row& which, implementation who);

//! What the quick set has, and all implementations are built for: sums of these types over pointers.
inline constexpr std::array common_types{type::i8, type::i32, type::i64, type::f32};
constexpr bool is_common(type which, operation operation, input input)
{
  bool is_one = false;
  for (const type each : common_types)
  {
    is_one = is_one || each == which;
  }
  return is_one && operation == operation::plus && input == input::pointer;
}

//! Rows of a common kind have more implementations and clocks up to here, where a launch is most of a call.
inline constexpr std::uint64_t max_small_items = std::uint64_t{1} << 20;

//! Those that can be measured so, of the given ones.
std::vector<implementation> implementations_for(const row& which, const std::vector<implementation>& built);

constexpr bool is_scan(algorithm which)
{
  return which != algorithm::reduce;
}
//! Calls inside a CUDA graph.
inline bool is_graph(clock which)
{
  return which == clock::graph || which == clock::graph_foreign || which == clock::warm;
}
//! Of the host's time, not of the GPU's.
inline bool is_wall(clock which)
{
  return which == clock::wall || which == clock::wall_nosync || which == clock::wall_poll;
}
//! Bytes of the input, and of the output.
inline std::uint64_t input_bytes(const row& which)
{
  return which.items * size_of(which.type);
}
inline std::uint64_t output_bytes(const row& which)
{
  return (is_scan(which.algorithm) ? which.items : 1) * size_of(which.type);
}

} // namespace perf
