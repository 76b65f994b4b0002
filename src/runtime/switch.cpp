// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{
namespace
{

//! A bit for each algorithm.
using algorithm_set = std::uint64_t;
static_assert(algorithm_count < 64, "a set holds them all");

template <class... Algorithms>
constexpr algorithm_set set_of(Algorithms... which)
{
  return (algorithm_set{0} | ... | (algorithm_set{1} << static_cast<unsigned>(which)));
}

struct family
{
  const char* name;
  algorithm_set members;
};
constexpr family families[] = {
    {"all", (algorithm_set{1} << algorithm_count) - 1},
    {"reductions", set_of(algorithm::reduce, algorithm::reduce_into, algorithm::transform_reduce, algorithm::inner_product,
                          algorithm::count, algorithm::count_if)},
    {"extrema", set_of(algorithm::min_element, algorithm::max_element, algorithm::minmax_element)},
    {"logical", set_of(algorithm::all_of, algorithm::any_of, algorithm::none_of)},
    {"searches",
     set_of(algorithm::find, algorithm::find_if, algorithm::find_if_not, algorithm::mismatch, algorithm::equal,
            algorithm::is_sorted, algorithm::is_sorted_until, algorithm::is_partitioned, algorithm::partition_point)},
    {"scan",
     set_of(algorithm::inclusive_scan, algorithm::exclusive_scan, algorithm::transform_inclusive_scan,
            algorithm::transform_exclusive_scan, algorithm::inclusive_scan_by_key, algorithm::exclusive_scan_by_key)},
    {"by_key", set_of(algorithm::inclusive_scan_by_key, algorithm::exclusive_scan_by_key, algorithm::reduce_by_key)},
    {"selections",
     set_of(algorithm::copy_if, algorithm::remove, algorithm::remove_if, algorithm::remove_copy, algorithm::remove_copy_if,
            algorithm::partition, algorithm::stable_partition, algorithm::partition_copy, algorithm::stable_partition_copy,
            algorithm::unique, algorithm::unique_copy, algorithm::unique_by_key, algorithm::unique_by_key_copy,
            algorithm::unique_count)},
    {"sorts", set_of(algorithm::sort, algorithm::stable_sort, algorithm::sort_by_key, algorithm::stable_sort_by_key)},
};

//! What a name of REHEAT_DISABLE stands for; nothing, if it is unknown.
algorithm_set members_of(std::string_view name)
{
  for (const family& each : families)
  {
    if (name == each.name)
    {
      return each.members;
    }
  }
  for (std::size_t i = 0; i < algorithm_count; ++i)
  {
    if (name == caller_names[i] + sizeof "reheat::" - 1)
    {
      return set_of(static_cast<algorithm>(i));
    }
  }
  return 0;
}

void report_unknown(std::string_view name)
{
  std::fprintf(
      stderr,
      "reheat: REHEAT_DISABLE names \"%.*s\", which is unknown and disables nothing. Names are separated by commas: "
      "all; reductions (reduce, reduce_into, transform_reduce, inner_product, count, count_if); extrema "
      "(min_element, max_element, minmax_element); logical (all_of, any_of, none_of); searches (find, "
      "find_if, find_if_not, mismatch, equal, is_sorted, is_sorted_until, is_partitioned, partition_point); scan "
      "(inclusive_scan, "
      "exclusive_scan, transform_inclusive_scan, transform_exclusive_scan, and the next two); by_key "
      "(inclusive_scan_by_key, exclusive_scan_by_key, reduce_by_key); selections (copy_if, remove, remove_if, "
      "remove_copy, remove_copy_if, partition, stable_partition, partition_copy, stable_partition_copy, unique, "
      "unique_copy, unique_by_key, unique_by_key_copy, unique_count); sorts (sort, stable_sort, sort_by_key, "
      "stable_sort_by_key)\n",
      static_cast<int>(name.size()), name.data());
}

//! Without memory of the host's, because a call that returns asks, too.
algorithm_set disabled_by_environment()
{
  if (!environment_asks_for("REHEAT_DISABLE"))
  {
    return 0;
  }
  algorithm_set result = 0;
  const std::string_view names = std::getenv("REHEAT_DISABLE");
  for (std::size_t begin = 0; begin <= names.size();)
  {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string_view name = names.substr(begin, end - begin);
    const algorithm_set members = members_of(name);
    if (members == 0)
    {
      report_unknown(name);
    }
    result |= members;
    begin = end + 1;
  }
  return result;
}

} // namespace

bool is_disabled(algorithm which)
{
  static const algorithm_set disabled = disabled_by_environment(); // once in a process
  return (disabled >> static_cast<unsigned>(which) & 1) != 0;
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
