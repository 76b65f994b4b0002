// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What reheat-device compares: calls of the entry points of CUB's device-wide interface, their types erased, by each
//! implementation. Only the .cu files know the headers of CUB and reheat.
#pragma once

#include "common/axes.hpp"
#include "common/implementations.hpp"
#include "common/ring.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace perf::device_wide
{

enum class implementation
{
  reheat,      //!< reheat's class, in two phases
  policy,      //!< the same by a policy of reheat's, where there is such a call that only enqueues
  cub,         //!< in two phases
  reheat_env,  //!< reheat's single-phase form, with a stream as environment
  cub_new,     //!< in two phases, of another CCCL: device/newest.hpp
  cub_new_env, //!< its single-phase form, with a stream as environment
  limit,       //!< moving as many bytes, of selections: common/transfers.hpp
};
inline constexpr std::array implementations{implementation::reheat,     implementation::policy,  implementation::cub,
                                            implementation::reheat_env, implementation::cub_new, implementation::cub_new_env,
                                            implementation::limit};
const char* name_of(implementation which);

constexpr bool has_two_phases(implementation which)
{
  return which == implementation::reheat || which == implementation::cub || which == implementation::cub_new;
}

//! What fills the items. Sums of neighbouring items are small integers or sparse, so every type holds every result exactly.
enum class content
{
  steps,  //!< the differences of neighbours in a sequence of random values from 0 to 8
  any,    //!< all bits are random
  flags,  //!< 0 or 1
  sparse, //!< -1 or 1, one item in 64; else 0: sums of squares stay exact in f32 up to 2^30 items
  runs,   //!< run_items equal ones in a row, on average
};

//! What a call leaves in memory.
enum class output
{
  value,   //!< one, or a value and an index
  values,  //!< as many as there are items
  segments //!< so many keys and values, and their number
};

struct shape
{
  type in, out;
  device_wide::content content;
  device_wide::output output;
  std::uint64_t segment_items = 0; //!< of i32 keys, on average; 0: there are no keys
  bool has_flags = false;          //!< in the place of keys: a byte for each item, which is 0 or 1
  std::uint64_t run_items = 0;     //!< of content::runs
};

//! Where a call reads and writes: a slot's bytes. Its second output is the index of an extremum, or the keys of segments.
struct slot
{
  std::uint64_t values_bytes, in_bytes;            //!< keys or flags follow the values
  std::uint64_t first_out_bytes, second_out_bytes; //!< the number of segments follows the second output
  std::uint64_t out_bytes;

  std::uint64_t bytes() const { return in_bytes + out_bytes; }
};

constexpr std::size_t key_bytes = sizeof(std::int32_t), max_value_bytes = 8; // a value may be a pair of index and item

inline slot slot_of(const shape& what, std::uint64_t items)
{
  const bool values = what.output != output::value, segments = what.output == output::segments;
  slot made{};
  made.values_bytes = padded(items * size_of(what.in));
  made.in_bytes = made.values_bytes + padded(items * (what.segment_items != 0 ? key_bytes : what.has_flags ? 1 : 0));
  made.first_out_bytes = padded(values ? items * size_of(what.out) : max_value_bytes);
  made.second_out_bytes = segments ? padded(items * key_bytes) : values ? 0 : padded(sizeof(std::int64_t));
  made.out_bytes = made.first_out_bytes + made.second_out_bytes + (segments ? padded(sizeof(std::int32_t)) : 0);
  return made;
}

//! Of scans that have one and are not by key.
inline constexpr std::int32_t initial_value = 3;

struct call
{
  const void *in, *keys;
  void *out, *second_out, *segments_out;
  std::int32_t* future_value; //!< the initial value in device memory
  int items;
  cudaStream_t stream;
  void* temp = nullptr; //!< while it is null, an implementation with two phases only sets temp_bytes
  std::size_t temp_bytes = 0;
};

//! Throws std::runtime_error where the call reports an error.
using call_function = std::function<void(call&)>;

//! Of one item.
struct moved_bytes
{
  double read = 0, written = 0;
};

struct entry
{
  std::string name;  //!< DeviceReduce::Sum, or with a variant
  std::string types; //!< of the items; if the output has another type, of both
  device_wide::shape shape;
  bool on_the_host_clocks; //!< the host's time does not depend on the type of the items: one of them is enough
  moved_bytes per_item{};  //!< on average; where both are 0, the row has no limit
  std::array<call_function, implementations.size()> calls{};

  bool has_limit() const { return per_item.read != 0; }

  call_function& by(implementation who) { return calls[static_cast<std::size_t>(who)]; }
  const call_function& by(implementation who) const { return calls[static_cast<std::size_t>(who)]; }
};

//! Every entry point, with the implementations that this program has.
std::vector<entry> all_entries();

// Each in the file of its name.
void add_reductions(std::vector<entry>& all);
void add_scans(std::vector<entry>& all);
void add_selections(std::vector<entry>& all);

//! Of the CCCL that the calls were compiled with, and of the other one; "not built" without it.
std::string cccl_version();
std::string newest_cccl_version();

// ---- data ----------------------------------------------------------------------------------------------------------------

//! Enqueues the writing of inputs into `slots` slots, the first of which begins at `memory`: all get the same.
void fill_inputs(const shape& what, std::uint64_t items, std::byte* memory, std::uint64_t slots, cudaStream_t stream);

//! Enqueues adding to *differences how many of the slots' outputs differ from `expected`, in units of 16 bytes.
void count_differences(const slot& each, const std::byte* memory, std::uint64_t slots, const std::byte* expected,
                       unsigned* differences, cudaStream_t stream);

} // namespace perf::device_wide
