// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What reheat-family compares: a public call of each algorithm, its types erased, by reheat and by Thrust. Only
//! family_calls.cu knows their headers.
#pragma once

#include "axes.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace perf::family
{

using item = std::int32_t;

struct input_shape
{
  bool wide = false;               //!< values of all 32 bits; else -7 … 7, whose sums stay small
  std::uint64_t segment_items = 0; //!< of keys, on average; 0: the second input holds values
  bool hit = false;                //!< one item is `looked_for`
};

//! Where a call reads and writes. Keys follow the values directly, so that both can be read as one range.
struct range
{
  const item* values;
  const item* seconds; //!< keys, or the second input
  item* out;
  item* keys_out;
  std::uint64_t items;

  const item* end() const { return values + items; }
  const item* seconds_end() const { return seconds + items; }
};

//! What a call returns, as numbers: indices of iterators.
using result = std::array<std::int64_t, 2>;

constexpr std::array compared{implementation::reheat, implementation::thrust};

constexpr std::size_t index_of(implementation who)
{
  return who == implementation::reheat ? 0 : 1;
}

//! What a call leaves in memory.
enum class output
{
  nothing,
  values,  //!< as many as there are items
  segments //!< as many keys and values as it says
};

using call_function = std::function<result(const range&, cudaStream_t)>;

struct member
{
  std::string name; //!< algorithm, or algorithm/variant
  input_shape input;
  unsigned inputs; //!< 0: stops early, so it has no limit
  output writes;
  std::array<call_function, 2> waiting;   //!< of each implementation
  std::array<call_function, 2> enqueuing; //!< none where a value comes back to the host

  bool returns_value() const { return !enqueuing[0]; }
};

//! Every algorithm and variant.
std::vector<member> all_members();

//! Enqueues writing the inputs of `items` items.
void fill(item* values, item* seconds, std::uint64_t items, const input_shape& shape, cudaStream_t stream);
//! Enqueues adding to *differences how many items differ.
void count_differences(const item* left, const item* right, std::uint64_t items, unsigned* differences, cudaStream_t stream);

//! Of the CCCL that the calls were compiled with.
std::string cccl_version();

//! What implementations are measured against each other on.
struct comparison
{
  const member* what;
  std::uint64_t items;
  perf::clock clock;

  //! algorithm[/variant]/i32/items/clock/
  std::string prefix() const { return what->name + "/i32/" + std::to_string(items) + "/" + perf::name_of(clock) + "/"; }
  std::vector<std::string> names() const
  {
    std::vector<std::string> made{prefix() + "reheat", prefix() + "thrust"};
    if (has_limit())
    {
      made.push_back(prefix() + "limit");
    }
    if (has_waiting_limit())
    {
      made.push_back(prefix() + "limit_waits");
    }
    return made;
  }
  bool has_limit() const { return clock == perf::clock::cold && what->inputs != 0; }
  //! Of a call that only reads: a read whose end the host waits for.
  bool has_waiting_limit() const { return has_limit() && what->writes == output::nothing; }
};

} // namespace perf::family
