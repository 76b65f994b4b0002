// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "segments/rows.hpp"

#include <algorithm>
#include <iterator>

namespace perf::segments
{
namespace
{

// A warp takes a second for 2^30 items of one segment.
constexpr std::uint64_t max_warp_items = std::uint64_t{1} << 22;
constexpr std::uint64_t giants_neighbours = 1023;

template <class Value>
bool holds(const std::vector<Value>& all, const Value& wanted)
{
  return std::find(all.begin(), all.end(), wanted) != all.end();
}

std::string name_of(const row& which)
{
  switch (which.shape)
  {
    case shape::equal:
      return "length_" + std::to_string(which.length);
    case shape::random:
      return "random_" + std::to_string(which.length);
    case shape::power_law:
      return "power_law";
    case shape::giant:
      return "giant";
    case shape::half:
      return "half";
    case shape::sparse:
      return "sparse";
    case shape::empty:
      return "empty";
  }
  return "";
}

const char* name_of(value_type which)
{
  switch (which)
  {
    case value_type::u32:
      return "u32";
    case value_type::u8:
      return "u8";
    case value_type::u8_u32:
      return "u8_u32";
    case value_type::u64:
      return "u64";
    case value_type::f32:
      return "f32";
  }
  return "";
}

bool fits(const row& which)
{
  return which.shape == shape::giant ? which.items > 2 * giants_neighbours * usual_length : which.length <= which.items;
}

//! All rows of one operation and size.
std::vector<row> rows_of_size(operation which, std::uint64_t items, bool quick)
{
  std::vector<row> made;
  const auto add = [&](value_type type, unsigned offset_bytes, shape what, std::uint64_t length) {
    made.push_back({which, type, offset_bytes, what, length, items});
  };
  for (const std::uint64_t length : {1, 2, 4, 16, 64, 512, 8192, 1000000})
  {
    add(value_type::u32, 4, shape::equal, length);
  }
  add(value_type::u32, 4, shape::random, usual_length);
  for (const shape what : {shape::power_law, shape::giant, shape::half, shape::sparse})
  {
    add(value_type::u32, 4, what, usual_length);
  }
  if (which == operation::sum && items == std::uint64_t{1} << 28)
  {
    add(value_type::u32, 4, shape::empty, 0);
  }
  if (!quick)
  {
    for (const std::uint64_t length : {4, 64})
    {
      add(value_type::u32, 8, shape::equal, length);
    }
    for (const value_type type : {value_type::u8, value_type::u8_u32, value_type::u64, value_type::f32})
    {
      for (const std::uint64_t length : {16, 64, 512})
      {
        if (which == operation::sum || type != value_type::u8_u32)
        {
          add(type, 4, shape::random, length);
        }
      }
    }
  }
  return made;
}

} // namespace

const char* name_of(implementation which)
{
  switch (which)
  {
    case implementation::reheat:
      return "reheat";
    case implementation::cub:
      return "cub";
    case implementation::cub_new:
      return "cub-new";
    case implementation::by_key:
      return "by-key";
    case implementation::warp:
      return "warp";
    case implementation::limit:
      return "limit";
  }
  return "";
}

std::size_t in_bytes_of(value_type which)
{
  switch (which)
  {
    case value_type::u8:
    case value_type::u8_u32:
      return 1;
    case value_type::u32:
    case value_type::f32:
      return 4;
    case value_type::u64:
      return 8;
  }
  return 0;
}

std::size_t out_bytes_of(value_type which)
{
  return which == value_type::u8_u32 ? 4 : in_bytes_of(which);
}

std::string row::prefix() const
{
  return std::string(operation == segments::operation::sum ? "sum/" : "scan/") + name_of(type) + "/o" +
         std::to_string(8 * offset_bytes) + '/' + name_of(*this) + '/' + std::to_string(items) + '/';
}

std::vector<implementation> row::measured() const
{
  const bool common = type == value_type::u32 && offset_bytes == 4;
  const bool is_sum = operation == segments::operation::sum;
  const bool has_empty = shape == segments::shape::sparse || shape == segments::shape::empty; // whose sums no key stands for
  std::vector<implementation> made{implementation::reheat};
  if (is_sum)
  {
    made.push_back(implementation::cub);
  }
  if (has_newest())
  {
    made.push_back(implementation::cub_new);
  }
  if (common && !(is_sum && has_empty))
  {
    made.push_back(implementation::by_key);
  }
  if (is_sum && max_length(*this) <= max_warp_items)
  {
    made.push_back(implementation::warp);
  }
  made.push_back(implementation::limit);
  return made;
}

std::uint64_t max_length(const row& which)
{
  switch (which.shape)
  {
    case shape::giant:
      return which.items - giants_neighbours * usual_length;
    case shape::half:
      return which.items / 2;
    case shape::power_law:
      return std::min(which.items, std::uint64_t{1} << 20);
    case shape::equal:
      return which.length;
    default:
      return 2 * which.length;
  }
}

std::vector<row> rows_of(const selection& chosen)
{
  const std::vector<unsigned> powers = chosen.quick ? std::vector<unsigned>{20, 24} : std::vector<unsigned>{16, 20, 24, 28};
  std::vector<std::uint64_t> sizes = chosen.sizes;
  if (sizes.empty())
  {
    std::transform(powers.begin(), powers.end(), std::back_inserter(sizes),
                   [](unsigned power) { return std::uint64_t{1} << power; });
  }
  std::vector<row> made;
  for (const std::uint64_t items : sizes)
  {
    for (const operation which : {operation::sum, operation::scan})
    {
      for (const row& each : rows_of_size(which, items, chosen.quick))
      {
        if (fits(each) && (chosen.lengths.empty() || (each.shape == shape::equal && holds(chosen.lengths, each.length))))
        {
          made.push_back(each);
        }
      }
    }
  }
  return made;
}

} // namespace perf::segments
