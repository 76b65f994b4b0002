// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "sorts/rows.hpp"

#include <algorithm>
#include <iterator>

namespace perf::sorts
{
namespace
{

// Whole calls: of the types that programs sort most, at sizes where the host's time counts, uniform and skewed.
constexpr std::array wall_types{type::u32, type::u64, type::f32, type::u32_u32};
constexpr std::array wall_distributions{distribution::uniform, distribution::sixteen_values};
constexpr std::array wall_powers{10u, 14u, 20u};

// With `quick`: sorts in one block, by ranges, and by passes.
constexpr std::array quick_types{type::u32, type::u64, type::u32_u32};
constexpr std::array quick_distributions{distribution::uniform, distribution::sixteen_values};
constexpr std::array quick_powers{10u, 14u, 20u, 24u};

constexpr std::array powers{10u, 12u, 14u, 16u, 18u, 20u, 22u, 24u, 26u, 28u};

template <class Values, class Value>
bool has(const Values& all, const Value& wanted)
{
  return std::find(all.begin(), all.end(), wanted) != all.end();
}

template <class Powers>
std::vector<std::uint64_t> sizes_of(const Powers& all)
{
  std::vector<std::uint64_t> sizes;
  std::transform(all.begin(), all.end(), std::back_inserter(sizes),
                 [](unsigned power) { return std::uint64_t{1} << power; });
  return sizes;
}

bool is_chosen(const selection& chosen, type which, distribution keys)
{
  return !chosen.quick || (has(quick_types, which) && has(quick_distributions, keys));
}

} // namespace

const char* name_of(implementation which)
{
  constexpr const char* names[]{"reheat", "cub-32", "cub-64", "cub-new-32", "cub-new-64", "thrust"};
  return names[static_cast<int>(which)];
}
const char* name_of(type which)
{
  constexpr const char* names[]{"u8", "u16", "u32", "u64", "i32", "f16", "f32", "f64", "u32_u32", "u64_u32", "u32_u64"};
  return names[static_cast<int>(which)];
}
const char* name_of(distribution which)
{
  constexpr const char* names[]{"uniform", "ascending", "equal", "16_values", "and_of_3", "below_1000"};
  return names[static_cast<int>(which)];
}
const char* name_of(clock which)
{
  return which == clock::graph ? "graph" : "wall";
}

std::size_t key_bytes_of(type which)
{
  constexpr std::size_t bytes[]{1, 2, 4, 8, 4, 2, 4, 8, 4, 8, 4};
  return bytes[static_cast<int>(which)];
}
std::size_t value_bytes_of(type which)
{
  return which == type::u32_u64 ? 8 : which == type::u32_u32 || which == type::u64_u32 ? 4 : 0;
}

std::string row::prefix() const
{
  return std::string(name_of(type)) + '/' + name_of(distribution) + '/' + std::to_string(items) + '/' + name_of(clock) + '/';
}

std::vector<implementation> row::measured() const
{
  std::vector<implementation> made;
  std::copy_if(implementations.begin(), implementations.end(), std::back_inserter(made),
               [&](implementation who)
               {
                 const bool is_whole_call = clock == sorts::clock::wall;
                 const bool is_built = who == implementation::reheat || is_whole_call == (who == implementation::thrust);
                 return holds(chosen, who) && is_built && (!is_newest(who) || has_newest());
               });
  return made;
}

std::vector<row> rows_of(const selection& chosen)
{
  const std::vector<std::uint64_t> graph_sizes = !chosen.sizes.empty() ? chosen.sizes
                                                 : chosen.quick        ? sizes_of(quick_powers)
                                                                       : sizes_of(powers);
  const std::vector<std::uint64_t> wall_sizes = chosen.sizes.empty() ? sizes_of(wall_powers) : chosen.sizes;
  std::vector<row> made;
  const auto add = [&](const auto& sizes, const auto& all_types, const auto& all_distributions, clock measured)
  {
    for (const std::uint64_t items : sizes)
    {
      for (const type which : all_types)
      {
        for (const distribution keys : all_distributions)
        {
          if (is_chosen(chosen, which, keys))
          {
            made.push_back({which, keys, items, measured, chosen.implementations});
          }
        }
      }
    }
  };
  add(graph_sizes, types, distributions, clock::graph);
  add(wall_sizes, wall_types, wall_distributions, clock::wall);
  return made;
}

} // namespace perf::sorts
