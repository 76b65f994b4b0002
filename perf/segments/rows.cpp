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

const char* name_of(bounds which)
{
  constexpr const char* names[]{"o32", "o64", "fixed", "gaps"};
  return names[static_cast<int>(which)];
}

bool fits(const row& which)
{
  const std::uint64_t with_gap = (which.bounds == bounds::gaps ? 2 : 1) * which.length; // or more
  return which.shape == shape::giant ? which.items > 2 * giants_neighbours * usual_length : with_gap <= which.items;
}

constexpr std::uint64_t all_lengths[]{1, 2, 4, 16, 64, 512, 8192, 1000000};

//! All rows of one operation and size.
class rows_of_size
{
public:
  rows_of_size(operation which, std::uint64_t items, const selection& chosen)
      : operation_(which), items_(items), implementations_(chosen.implementations)
  {
    add_lengths(value_type::u32, bounds::offsets_32, all_lengths);
    add(value_type::u32, bounds::offsets_32, shape::random, usual_length);
    for (const shape what : {shape::power_law, shape::giant, shape::half, shape::sparse})
    {
      add(value_type::u32, bounds::offsets_32, what, usual_length);
    }
    if (which == operation::sum && items == std::uint64_t{1} << 28)
    {
      add(value_type::u32, bounds::offsets_32, shape::empty, 0);
    }
    if (!chosen.quick)
    {
      add_other_types();
      add_other_bounds();
    }
  }

  std::vector<row> all() const { return rows_; }

private:
  void add(value_type type, bounds where, shape what, std::uint64_t length)
  {
    rows_.push_back({operation_, type, where, what, length, items_, implementations_});
  }
  template <class Lengths>
  void add_lengths(value_type type, bounds where, const Lengths& lengths)
  {
    for (const std::uint64_t length : lengths)
    {
      add(type, where, shape::equal, length);
    }
  }

  void add_other_types()
  {
    for (const value_type type : {value_type::u8, value_type::u64})
    {
      add_lengths(type, bounds::offsets_32, all_lengths);
    }
    for (const value_type type : {value_type::u8, value_type::u8_u32, value_type::u64, value_type::f32})
    {
      for (const std::uint64_t length : {16, 64, 512})
      {
        if (operation_ == operation::sum || type != value_type::u8_u32)
        {
          add(type, bounds::offsets_32, shape::random, length);
        }
      }
    }
  }
  void add_other_bounds()
  {
    add_lengths(value_type::u32, bounds::offsets_64, all_lengths);
    for (const value_type type : {value_type::u32, value_type::u8, value_type::u64})
    {
      add_lengths(type, bounds::fixed, all_lengths);
    }
    constexpr std::uint64_t with_gaps[]{1, 4, 16, 64, 512, 8192};
    add_lengths(value_type::u32, bounds::gaps, with_gaps);
    add(value_type::u32, bounds::gaps, shape::power_law, usual_length);
    add(value_type::u32, bounds::gaps, shape::giant, usual_length);
  }

  operation operation_;
  std::uint64_t items_;
  implementation_bits implementations_;
  std::vector<row> rows_;
};

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

std::size_t offset_bytes_of(bounds which)
{
  constexpr std::size_t bytes[]{4, 8, 0, 4};
  return bytes[static_cast<int>(which)];
}

std::string row::prefix() const
{
  return std::string(operation == segments::operation::sum ? "sum/" : "scan/") + name_of(type) + '/' + name_of(bounds) +
         '/' + name_of(*this) + '/' + std::to_string(items) + '/';
}

std::vector<implementation> row::measured() const
{
  const bool common = type == value_type::u32 && bounds == segments::bounds::offsets_32;
  const bool is_sum = operation == segments::operation::sum;
  const bool is_fixed = bounds == segments::bounds::fixed;
  const bool has_empty = shape == segments::shape::sparse || shape == segments::shape::empty; // whose sums no key stands for
  std::vector<implementation> made;
  const auto add = [&](implementation who, bool is_built)
  {
    if (is_built && holds(chosen, who))
    {
      made.push_back(who);
    }
  };
  add(implementation::reheat, true);
  add(implementation::cub, is_sum && !is_fixed);
  add(implementation::cub_new, has_newest() && (is_sum || !is_fixed));
  add(implementation::by_key, common && !(is_sum && has_empty));
  add(implementation::warp, is_sum && !is_fixed && max_length(*this) <= max_warp_items);
  add(implementation::limit, true);
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
      for (const row& each : rows_of_size(which, items, chosen).all())
      {
        if (fits(each) &&
            (chosen.lengths.empty() || (each.shape == shape::equal && std::find(chosen.lengths.begin(), chosen.lengths.end(),
                                                                                each.length) != chosen.lengths.end())))
        {
          made.push_back(each);
        }
      }
    }
  }
  return made;
}

} // namespace perf::segments
