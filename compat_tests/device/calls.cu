// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls of reheat, and the output that a test expects of each. They are compiled once for all tests of the program.

#include "calls.cuh"

#include "../support/runs.hpp"
#include "../support/sort_keys.hpp"

#include <reheat/detail/sort/tuning.cuh>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>

namespace compat
{
namespace
{

using u32 = std::uint32_t;

//! The smallest or largest item, and its place; of nothing what calls store, with place 1.
std::pair<u32, std::int64_t> extremum_of(const std::vector<u32>& items, bool smallest)
{
  if (items.empty())
  {
    return {smallest ? std::numeric_limits<u32>::max() : std::numeric_limits<u32>::lowest(), 1};
  }
  const auto place = smallest ? std::min_element(items.begin(), items.end()) : std::max_element(items.begin(), items.end());
  return {*place, place - items.begin()};
}

//! What a sort leaves: the items, or keys and items in the order of either.
device_output expected_of_sort(const std::string& name, const device_memory& memory)
{
  const bool pairs = name.find("SortPairs") != std::string::npos, descending = name.find("Descending") != std::string::npos;
  const bool buffers = name.find("double buffers") != std::string::npos;
  const bool by_keys = pairs && !descending;
  const bool some_bits = name.find("some bits") != std::string::npos || (pairs && descending);
  const int begin = some_bits ? sorted_begin_bit : 0;
  const int end = some_bits ? sorted_end_bit : pairs && buffers ? sorted_end_bit - sorted_begin_bit : 32;
  const std::vector<std::size_t> places = places_by_bits(by_keys ? memory.keys() : memory.items(), !descending, begin, end);
  device_output result;
  result.out = at_places(pairs && descending ? memory.keys() : memory.items(), places);
  if (pairs)
  {
    result.keys_out = at_places(by_keys ? memory.keys() : memory.items(), places);
  }
  result.place = buffers ? left_in::double_buffers : left_in::outputs;
  return result;
}

//! A segment's items, and where its results go if the call stores one for each item.
struct segment_of_call
{
  std::vector<u32> items;
  std::size_t to;
};
std::vector<segment_of_call> segments_of_call(const std::string& name, const device_memory& memory)
{
  const std::vector<u32>& items = memory.items();
  std::vector<segment_of_call> result;
  const auto add = [&](std::size_t begin, std::size_t end, std::size_t to)
  {
    const auto first = items.begin();
    result.push_back({{first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end)}, to});
  };
  if (name.find("of one size") != std::string::npos)
  {
    const auto size = static_cast<std::size_t>(size_of_segments(items.size()));
    for (std::size_t begin = 0; begin + size <= items.size(); begin += size)
    {
      add(begin, begin + size, begin);
    }
    return result;
  }
  const bool gaps = name.find("gaps") != std::string::npos;
  for (std::size_t s = 0; s < memory.segment_count(); ++s)
  {
    const u32 begin = memory.begins()[s];
    add(begin, gaps ? memory.ends()[s] : memory.begins()[s + 1], gaps ? memory.out_begins()[s] : begin);
  }
  return result;
}

device_output expected_of_segments(const std::string& name, const device_memory& memory)
{
  const compose_halves op;
  constexpr u32 init = device_init;
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  const bool scans = has("SegmentedScan::");
  device_output result;
  result.place = has("in place") ? left_in::inputs : left_in::outputs;
  if (scans)
  {
    result.out = result.is_in_place() ? memory.items() : std::vector<u32>(memory.items().size(), device_memory::untouched);
  }
  for (const segment_of_call& segment : segments_of_call(name, memory))
  {
    const std::vector<u32>& items = segment.items;
    if (scans)
    {
      const std::vector<u32> scanned = has("ExclusiveSegmentedSum")        ? exclusive_reference<u32, u32>(items, 0u, plus{})
                                       : has("ExclusiveSegmentedScan")     ? exclusive_reference<u32, u32>(items, init, op)
                                       : has("InclusiveSegmentedSum")      ? inclusive_reference<u32, u32>(items, plus{})
                                       : has("InclusiveSegmentedScanInit") ? inclusive_reference<u32, u32>(items, init, op)
                                                                           : inclusive_reference<u32, u32>(items, op);
      std::copy(scanned.begin(), scanned.end(), result.out.begin() + static_cast<std::ptrdiff_t>(segment.to));
    }
    else if (has("::Reduce") || has("::Sum"))
    {
      result.out.push_back(has("::Sum") ? reduce_reference<u32>(items, 0u, plus{}) : reduce_reference<u32>(items, init, op));
    }
    else
    {
      const auto [extremum, index] = extremum_of(items, has("Min"));
      if (has("::Arg"))
      {
        result.pairs.insert(result.pairs.end(), {static_cast<u32>(index), extremum});
      }
      else
      {
        result.out.push_back(extremum);
      }
    }
  }
  return result;
}

//! The output that a test expects of the call of this name.
device_output expected_of(const std::string& name, const device_memory& memory)
{
  const std::vector<u32>& items = memory.items();
  const std::vector<u32>& keys = memory.keys();
  const compose_halves op;
  constexpr u32 init = device_init;
  const auto is = [&](const char* function) { return name.rfind(std::string("Device") + function, 0) == 0; };
  const auto is_exactly = [&](const char* function) { return name == std::string("Device") + function; };
  if (is("RadixSort::"))
  {
    return expected_of_sort(name, memory);
  }
  if (is("Segmented"))
  {
    return expected_of_segments(name, memory);
  }
  device_output result;
  result.place = name.find("in place") != std::string::npos ? left_in::inputs : left_in::outputs;
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
    if (result.is_in_place())
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
    if (result.is_in_place()) // items behind the selected ones stay
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
    const auto [extremum, index] = extremum_of(items, is("Reduce::Min") || is("Reduce::ArgMin"));
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

std::size_t device_call::max_launches() const
{
  constexpr unsigned key_bits = 32;
  const unsigned digit_bits = reheat::detail::sort_tuning<sizeof(u32), 0>{}(kernel_arch()).digit_bits;
  return is_sort() ? (key_bits + digit_bits - 1) / digit_bits + 8 : !has_gaps() ? 2 : is_of("DeviceSegmentedReduce") ? 3 : 4;
}

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
