// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! DeviceSelect, DevicePartition and DeviceRunLengthEncode. Runs of i32 are those of keys, others those of the items.
#include "device/entry.cuh"

#include <cstdint>
#include <string>

namespace perf::device_wide
{
namespace
{

constexpr type i32 = type::i32;

//! Selects half of all values, and of flags.
struct is_even
{
  template <class T>
  __host__ __device__ bool operator()(T x) const
  {
    return x % 2 == 0;
  }
};

//! An entry that reads and writes so many bytes for each item, on average.
template <type Item, type Out = Item, class Call>
void add_selection(std::vector<entry>& all, const char* name, const std::string& variant, const char* types,
                   const shape& what, moved_bytes per_item, Call call)
{
  // The host's time does not depend on the type of the items.
  add_entry<Item, Out>(all, name, variant, types, what, Item == i32, call).per_item = per_item;
}

// Calls by a policy return to the host, or do not exist, so there are none.

//! Runs of two items or more, of one item, where a run has from 1 to 2 * run_items - 1 items, each as often.
double non_trivial_runs(std::uint64_t run_items)
{
  const double average = static_cast<double>(run_items);
  return (1 - 1 / (2 * average - 1)) / average;
}

//! Of keys in runs of so many items, on average.
void add_runs(std::vector<entry>& all, std::uint64_t run_items)
{
  const shape runs{i32, i32, content::any, output::segments, run_items};
  const std::string variant = "runs_" + std::to_string(run_items);
  const double size = sizeof(std::int32_t), per_item = 1.0 / static_cast<double>(run_items);
  add_selection<i32>(
      all, "DeviceSelect::Unique", variant, "i32", runs, {size, size * per_item},
      [](auto api, const auto& c)
      { return decltype(api)::select::Unique(c.temp, c.temp_bytes, c.keys, c.second_out, c.count_out, c.items, c.stream); });
  add_selection<i32>(all, "DeviceSelect::UniqueByKey", variant, "i32", runs, {2 * size, 2 * size * per_item},
                     [](auto api, const auto& c)
                     {
                       return decltype(api)::select::UniqueByKey(c.temp, c.temp_bytes, c.keys, c.in, c.second_out, c.out,
                                                                 c.count_out, c.items, c.stream);
                     });
  add_selection<i32>(all, "DeviceRunLengthEncode::Encode", variant, "i32", runs, {size, 2 * size * per_item},
                     [](auto api, const auto& c)
                     {
                       return decltype(api)::run_lengths::Encode(c.temp, c.temp_bytes, c.keys, c.second_out, c.out,
                                                                 c.count_out, c.items, c.stream);
                     });
  const double non_trivial = non_trivial_runs(run_items);
  add_selection<i32>(all, "DeviceRunLengthEncode::NonTrivialRuns", variant, "i32", runs, {size, 2 * size * non_trivial},
                     [](auto api, const auto& c)
                     {
                       return decltype(api)::run_lengths::NonTrivialRuns(c.temp, c.temp_bytes, c.keys, c.second_out, c.out,
                                                                         c.count_out, c.items, c.stream);
                     });
}

//! Of items that are themselves in such runs, on average. Lengths and positions are i32.
template <type Item>
void add_runs_of(std::vector<entry>& all, const char* types, std::uint64_t run_items)
{
  using item = item_t<Item>;
  const std::string variant = "runs_" + std::to_string(run_items);
  const double size = sizeof(item), runs = 1.0 / static_cast<double>(run_items);
  const double non_trivial = non_trivial_runs(run_items);
  const auto in_runs = [&](type out)
  {
    shape made{Item, out, content::runs, output::segments};
    made.run_items = run_items;
    return made;
  };
  add_selection<Item>(
      all, "DeviceSelect::Unique", variant, types, in_runs(Item), {size, size * runs},
      [](auto api, const auto& c)
      { return decltype(api)::select::Unique(c.temp, c.temp_bytes, c.in, c.out, c.count_out, c.items, c.stream); });
  add_selection<Item>(all, "DeviceRunLengthEncode::Encode", variant, types, in_runs(Item),
                      {size, (size + sizeof(std::int32_t)) * runs},
                      [](auto api, const auto& c)
                      {
                        return decltype(api)::run_lengths::Encode(c.temp, c.temp_bytes, c.in, c.out, c.second_out,
                                                                  c.count_out, c.items, c.stream);
                      });
  add_selection<Item, i32>(all, "DeviceRunLengthEncode::NonTrivialRuns", variant, types, in_runs(i32),
                           {size, 2 * sizeof(std::int32_t) * non_trivial},
                           [](auto api, const auto& c)
                           {
                             return decltype(api)::run_lengths::NonTrivialRuns(c.temp, c.temp_bytes, c.in, c.second_out,
                                                                               c.out, c.count_out, c.items, c.stream);
                           });
}

template <class T>
struct is_below
{
  T limit;
  __host__ __device__ bool operator()(T x) const { return x < limit; }
};
//! Selects `part` of `parts` of all values, the lowest ones. Random items of 8 bytes have the values of 4 bytes.
template <class T>
is_below<T> lowest(std::int64_t part, std::int64_t parts)
{
  constexpr std::int64_t values = std::int64_t{1} << 8 * (sizeof(T) < 4 ? sizeof(T) : 4);
  return {static_cast<T>(values * part / parts - values / 2)};
}

//! `part` of `parts` of the items are selected.
template <type Item>
void add_if(std::vector<entry>& all, const char* variant, const char* types, std::int64_t part, std::int64_t parts)
{
  using item = item_t<Item>;
  const double size = sizeof(item), selected = static_cast<double>(part) / static_cast<double>(parts);
  add_selection<Item>(all, "DeviceSelect::If", variant, types, {Item, Item, content::any, output::segments},
                      {size, size * selected},
                      [part, parts](auto api, const auto& c)
                      {
                        return decltype(api)::select::If(c.temp, c.temp_bytes, c.in, c.out, c.count_out, c.items,
                                                         lowest<item>(part, parts), c.stream);
                      });
}
template <type Item>
void add_ifs(std::vector<entry>& all, const char* types)
{
  add_if<Item>(all, "a_tenth", types, 1, 10);
  add_if<Item>(all, "half", types, 1, 2);
  add_if<Item>(all, "nine_tenths", types, 9, 10);
}

//! Half of the items are selected.
template <type Item>
void add_partition(std::vector<entry>& all, const char* types)
{
  const double size = sizeof(item_t<Item>);
  add_selection<Item>(all, "DevicePartition::If", "half", types, {Item, Item, content::any, output::segments}, {size, size},
                      [](auto api, const auto& c) {
                        return decltype(api)::partition::If(c.temp, c.temp_bytes, c.in, c.out, c.count_out, c.items,
                                                            is_even{}, c.stream);
                      });
}

//! Half of the items are selected, by flags of a byte each.
void add_flagged(std::vector<entry>& all)
{
  const shape flagged{i32, i32, content::any, output::segments, 0, true};
  const double size = sizeof(std::int32_t);
  add_selection<i32>(all, "DeviceSelect::Flagged", "half", "i32", flagged, {size + 1, size / 2},
                     [](auto api, const auto& c) {
                       return decltype(api)::select::Flagged(c.temp, c.temp_bytes, c.in, c.flags, c.out, c.count_out,
                                                             c.items, c.stream);
                     });
  add_selection<i32>(all, "DeviceSelect::FlaggedIf", "half", "i32", flagged, {size + 1, size / 2},
                     [](auto api, const auto& c)
                     {
                       return decltype(api)::select::FlaggedIf(c.temp, c.temp_bytes, c.in, c.flags, c.out, c.count_out,
                                                               c.items, is_even{}, c.stream);
                     });
  add_selection<i32>(all, "DevicePartition::Flagged", "half", "i32", flagged, {size + 1, size},
                     [](auto api, const auto& c) {
                       return decltype(api)::partition::Flagged(c.temp, c.temp_bytes, c.in, c.flags, c.out, c.count_out,
                                                                c.items, c.stream);
                     });
}

//! Two operators select a third of the items each. The rest goes to the second half of the first output.
void add_three_parts(std::vector<entry>& all)
{
  const double size = sizeof(std::int32_t);
  add_selection<i32>(all, "DevicePartition::If", "thirds", "i32", {i32, i32, content::any, output::segments}, {size, size},
                     [](auto api, const auto& c)
                     {
                       return decltype(api)::partition::If(c.temp, c.temp_bytes, c.in, c.out, c.second_out,
                                                           c.out + c.items / 2, c.count_out, c.items,
                                                           lowest<std::int32_t>(1, 3), lowest<std::int32_t>(2, 3), c.stream);
                     });
}

} // namespace

void add_selections(std::vector<entry>& all)
{
  for (const std::uint64_t run_items : {1, 4, 100})
  {
    add_runs(all, run_items);
    add_runs_of<type::i8>(all, "i8", run_items);
    add_runs_of<type::i64>(all, "i64", run_items);
  }
  add_ifs<i32>(all, "i32");
  add_ifs<type::i8>(all, "i8");
  add_ifs<type::i64>(all, "i64");
  add_flagged(all);
  add_partition<i32>(all, "i32");
  add_partition<type::i8>(all, "i8");
  add_partition<type::i64>(all, "i64");
  add_three_parts(all);
}

} // namespace perf::device_wide
