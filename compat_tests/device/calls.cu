// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls of reheat, and the output that a test expects of each. They are compiled once for all tests of the program.

#include "calls.cuh"

#include "../support/runs.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace compat
{
namespace
{

using u32 = std::uint32_t;

//! The output that a test expects of the call of this name.
device_output expected_of(const std::string& name, const device_memory& memory)
{
  const std::vector<u32>& items = memory.items();
  const std::vector<u32>& keys = memory.keys();
  const compose_halves op;
  constexpr u32 init = device_init;
  const auto is = [&](const char* function) { return name.rfind(std::string("Device") + function, 0) == 0; };
  const auto is_exactly = [&](const char* function) { return name == std::string("Device") + function; };
  device_output result;
  result.in_place = name.find("in place") != std::string::npos;
  if (is("Select::Unique"))
  {
    const bool compared = name.find("compared") != std::string::npos, by_key = is("Select::UniqueByKey");
    const std::vector<u32>& asked = compared && !by_key ? items : keys;
    const auto kept = [&](const std::vector<u32>& beside)
    { return compared ? unique_reference(asked, beside, same_parity{}) : unique_reference(asked, beside, equal{}); };
    result.out = kept(by_key ? items : asked);
    result.numbers.runs = static_cast<u32>(result.out.size());
    if (by_key)
    {
      result.keys_out = kept(keys);
    }
    if (result.in_place)
    {
      result.out = unique_in_place_reference(result.out, items);
    }
  }
  else if (is("Select::"))
  {
    const bool by_item = is("Select::If");
    for (std::size_t i = 0; i < items.size(); ++i)
    {
      const u32 asked = by_item ? items[i] : keys[i];
      if (is("Select::FlaggedIf") || by_item ? is_odd_item{}(asked) : asked != 0)
      {
        result.out.push_back(items[i]);
      }
    }
    result.numbers.runs = static_cast<u32>(result.out.size());
    if (result.in_place) // what is behind the selected items stays
    {
      result.out.insert(result.out.end(), items.begin() + static_cast<std::ptrdiff_t>(result.out.size()), items.end());
    }
  }
  else if (is_exactly("Partition::If, in three"))
  {
    for (const u32 item : items)
    {
      if (is_odd_item{}(item))
      {
        result.out.push_back(item);
      }
      else if (is_multiple_of_4{}(item))
      {
        result.keys_out.push_back(item);
      }
    }
    result.numbers.folded = static_cast<u32>(result.out.size());
    result.numbers.runs = static_cast<u32>(result.keys_out.size());
  }
  else if (is("RunLengthEncode::"))
  {
    const bool all = is("RunLengthEncode::Encode");
    const runs_of_items<u32, u32> runs = runs_reference<u32>(keys, all ? 1 : 2);
    result.keys_out = all ? runs.first : runs.index;
    result.out = runs.length;
    result.numbers.runs = static_cast<u32>(runs.length.size());
  }
  else if (is("Partition::"))
  {
    std::vector<u32> others;
    for (std::size_t i = 0; i < items.size(); ++i)
    {
      const bool selected = is("Partition::If") ? is_odd_item{}(items[i]) : keys[i] != 0;
      (selected ? result.out : others).push_back(items[i]);
    }
    result.numbers.runs = static_cast<u32>(result.out.size());
    result.out.insert(result.out.end(), others.rbegin(), others.rend());
  }
  else if (is("Reduce::Reduce") && !is("Reduce::ReduceByKey"))
  {
    result.numbers.folded = reduce_reference<u32>(items, init, op);
  }
  else if (is("Reduce::Sum"))
  {
    result.numbers.folded = reduce_reference<u32>(items, 0u, plus{});
  }
  else if (is("Reduce::TransformReduce"))
  {
    result.numbers.folded = reduce_reference<u32>(mapped(items, twice{}), init, op);
  }
  else if (is("Reduce::ReduceByKey"))
  {
    std::tie(result.keys_out, result.out) = reduce_by_key_reference<u32, u32>(keys, items, equal{}, op);
    result.numbers.runs = static_cast<u32>(result.keys_out.size());
  }
  else if (is("Reduce::"))
  {
    const bool smallest = is("Reduce::Min") || is("Reduce::ArgMin");
    const auto place =
        smallest ? std::min_element(items.begin(), items.end()) : std::max_element(items.begin(), items.end());
    const u32 of_nothing = smallest ? std::numeric_limits<u32>::max() : std::numeric_limits<u32>::lowest();
    const u32 extremum = items.empty() ? of_nothing : *place;
    const std::int64_t index = items.empty() ? 1 : place - items.begin();
    if (name.find("deprecated") != std::string::npos)
    {
      result.numbers.pair = ::cub::KeyValuePair<int, u32>(static_cast<int>(index), extremum);
      return result;
    }
    result.numbers.folded = extremum;
    if (is("Reduce::Arg"))
    {
      result.numbers.index = index;
    }
  }
  else if (is_exactly("Scan::ExclusiveSumByKey"))
  {
    result.out = exclusive_by_key_reference<u32>(keys, items, 0u, equal{}, plus{});
  }
  else if (is_exactly("Scan::ExclusiveScanByKey"))
  {
    result.out = exclusive_by_key_reference<u32>(keys, items, init, equal{}, op);
  }
  else if (is_exactly("Scan::InclusiveSumByKey"))
  {
    result.out = inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
  }
  else if (is_exactly("Scan::InclusiveScanByKey"))
  {
    result.out = inclusive_by_key_reference<u32, u32>(keys, items, equal{}, op);
  }
  else if (is("Scan::ExclusiveSum"))
  {
    result.out = exclusive_reference<u32, u32>(items, 0u, plus{});
  }
  else if (is("Scan::InclusiveSum"))
  {
    result.out = inclusive_reference<u32, u32>(items, plus{});
  }
  else if (is("Scan::ExclusiveScan"))
  {
    const bool future = name.find("future") != std::string::npos;
    result.out = exclusive_reference<u32, u32>(items, future ? memory.first() : init, op);
  }
  else if (is_exactly("Scan::InclusiveScanInit"))
  {
    result.out = inclusive_reference<u32, u32>(items, init, op);
  }
  else
  {
    result.out = inclusive_reference<u32, u32>(items, op);
  }
  return result;
}

} // namespace

void expect_outputs(std::vector<device_call>& calls, const device_memory& memory)
{
  for (device_call& each : calls)
  {
    each.expected = expected_of(each.name, memory);
  }
}

std::vector<device_call> device_calls(device_memory& memory)
{
  std::vector<device_call> calls = device_calls_at(memory.places());
  expect_outputs(calls, memory);
  return calls;
}
std::vector<device_call> device_calls_at(const device_places& places)
{
  return device_calls_of<reheat_api>(places);
}

std::vector<std::size_t> device_call_sizes()
{
  const std::size_t commutative = reduce_shape<u32, u32, thrust::plus<u32>>().single_block_items();
  const std::size_t ordered = reduce_tile<u32>(), scanned = scan_tile<u32>(), by_key = scan_by_key_tile<u32>();
  return {0,
          1,
          2,
          31,
          32,
          33,
          commutative - 1,
          commutative,
          commutative + 1,
          ordered - 1,
          ordered,
          ordered + 1,
          scanned - 1,
          scanned,
          scanned + 1,
          by_key + 1,
          5 * scanned + 3,
          several_blocks()};
}

std::size_t several_blocks()
{
  const std::size_t commutative = reduce_shape<u32, u32, thrust::plus<u32>>().single_block_items();
  return 2 * commutative + 3 * std::max(reduce_tile<u32>(), std::max(scan_tile<u32>(), reduce_by_key_tile<u32>())) + 5;
}

} // namespace compat
