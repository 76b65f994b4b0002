// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What reheat-family compares: the call of each algorithm of the family's table, its types erased, by reheat and by Thrust.
//! Only calls.cu, by_key.cu and in_place.cu know their headers.
#pragma once

#include "common/axes.hpp"

#include <family/family.hpp>

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
  bool pairs = false;              //!< the second input holds the values, but for that item
};

//! Where a call reads and writes. Keys follow the values directly, so that both can be read as one range.
struct places
{
  void* values;
  void* seconds; //!< keys, or the second input
  void* out;
  void* keys_out;
  std::uint64_t items;
};

using result = accelerated::numbers;

constexpr std::array compared{implementation::reheat, implementation::thrust, implementation::thrust_pool};

constexpr std::size_t index_of(implementation who)
{
  std::size_t index = 0;
  while (compared[index] != who)
  {
    ++index;
  }
  return index;
}

//! What a call leaves in memory.
enum class output
{
  nothing,
  value,    //!< one; next to what is read it counts as nothing
  values,   //!< as many as there are items
  selected, //!< as many values as it says
  segments  //!< as many keys and values as it says
};

using call_function = std::function<result(const places&, cudaStream_t)>;

struct member
{
  std::string name;  //!< algorithm, or algorithm/variant
  std::string types; //!< i32, or those of keys_values
  std::size_t value_bytes, key_bytes;
  input_shape input;
  unsigned inputs; //!< 0: stops early or reads a few items, so it has no limit
  output writes;
  std::function<void(const places&, const input_shape&, cudaStream_t)> fill; //!< enqueues writing the inputs
  //! Of each implementation, or of some.
  std::array<call_function, compared.size()> waiting;
  std::array<call_function, compared.size()> enqueuing; //!< none where a value comes back to the host
  bool in_place = false;                                //!< what it works on is the output, a copy of the values

  bool has(implementation who) const { return waiting[index_of(who)] != nullptr; }
  bool returns_value() const { return !enqueuing[0]; }
  //! Of the inputs that are read.
  std::size_t item_bytes() const { return value_bytes + (inputs > 1 ? key_bytes : 0); }
};

//! Every algorithm and variant.
std::vector<member> all_members();

//! Those by key of other types than i32.
void add_other_types(std::vector<member>& all);

//! Those of algorithms in place.
void add_in_place(std::vector<member>& all);

//! Enqueues adding to *differences how many bytes differ.
void count_differences(const void* left, const void* right, std::uint64_t bytes, unsigned* differences, cudaStream_t stream);

//! Of the CCCL that the calls were compiled with.
std::string cccl_version();

//! What implementations are measured against each other on.
struct comparison
{
  const member* what;
  std::uint64_t items;
  perf::clock clock;

  //! algorithm[/variant]/types/items/clock/
  std::string prefix() const
  {
    return what->name + "/" + what->types + "/" + std::to_string(items) + "/" + perf::name_of(clock) + "/";
  }
  std::vector<std::string> names() const
  {
    std::vector<std::string> made;
    for (const implementation who : compared)
    {
      if (what->has(who))
      {
        made.push_back(prefix() + perf::name_of(who));
      }
    }
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
  //! Of a call that does nothing but read: a read whose end the host waits for.
  bool has_waiting_limit() const { return has_limit() && what->writes <= output::value; }
};

} // namespace perf::family
