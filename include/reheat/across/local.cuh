// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Algorithms that do the same to every item, or keep some items in their order, run on each rank's part, and exchange
//! nothing. Ranks need not make these calls together. All other algorithms of Thrust's do not compile across ranks.
#pragma once

#include <reheat/across/policy.cuh>
#include <reheat/detail/config.cuh>

#include <thrust/copy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/generate.h>
#include <thrust/remove.h>
#include <thrust/transform.h>

// An algorithm that runs on the policy of this rank.
#define REHEAT_ON_EACH_RANK(algorithm_name)                                                                                 \
  template <class Derived, class... Arguments>                                                                              \
  auto algorithm_name(across_policy<Derived>& exec, Arguments... arguments)                                                 \
  {                                                                                                                         \
    return THRUST_NS_QUALIFIER::algorithm_name(calls::across_of(exec).local(), arguments...);                               \
  }

// One that does not: `result` is void or converts to anything, so that the compiler has nothing to say but this.
#define REHEAT_NOT_ACROSS(algorithm_name, result)                                                                           \
  template <class Derived, class... Arguments>                                                                              \
  result algorithm_name(across_policy<Derived>&, Arguments&&...)                                                            \
  {                                                                                                                         \
    static_assert(calls::is_served_v<Derived>,                                                                              \
                  "reheat: thrust::" #algorithm_name                                                                        \
                  " is not served across ranks. Served are reduce, reduce_into, transform_reduce, inner_product, count, "   \
                  "count_if, all_of, any_of, none_of, min_element, max_element, minmax_element, inclusive_scan, "           \
                  "exclusive_scan, transform_inclusive_scan, transform_exclusive_scan, inclusive_scan_by_key, "             \
                  "exclusive_scan_by_key and reduce_by_key; and, on each rank's part by itself, copy, copy_if, copy_n, "    \
                  "fill, fill_n, for_each, for_each_n, generate, generate_n, remove_copy, remove_copy_if, transform and "   \
                  "transform_if. For the part alone use the policy without across");                                        \
    return result();                                                                                                        \
  }

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{
namespace calls
{

template <class Derived>
inline constexpr bool is_served_v = false;
struct nothing
{
  template <class T>
  operator T() const
  {
    return *static_cast<T*>(nullptr); // nobody calls it: it stands behind a static_assert
  }
};

} // namespace calls

REHEAT_ON_EACH_RANK(copy)
REHEAT_ON_EACH_RANK(copy_if)
REHEAT_ON_EACH_RANK(copy_n)
REHEAT_ON_EACH_RANK(fill)
REHEAT_ON_EACH_RANK(fill_n)
REHEAT_ON_EACH_RANK(for_each)
REHEAT_ON_EACH_RANK(for_each_n)
REHEAT_ON_EACH_RANK(generate)
REHEAT_ON_EACH_RANK(generate_n)
REHEAT_ON_EACH_RANK(remove_copy)
REHEAT_ON_EACH_RANK(remove_copy_if)
REHEAT_ON_EACH_RANK(transform)
REHEAT_ON_EACH_RANK(transform_if)

REHEAT_NOT_ACROSS(adjacent_difference, calls::nothing)
REHEAT_NOT_ACROSS(binary_search, calls::nothing)
REHEAT_NOT_ACROSS(equal, calls::nothing)
REHEAT_NOT_ACROSS(equal_range, calls::nothing)
REHEAT_NOT_ACROSS(find, calls::nothing)
REHEAT_NOT_ACROSS(find_if, calls::nothing)
REHEAT_NOT_ACROSS(find_if_not, calls::nothing)
REHEAT_NOT_ACROSS(gather, calls::nothing)
REHEAT_NOT_ACROSS(gather_if, calls::nothing)
REHEAT_NOT_ACROSS(is_partitioned, calls::nothing)
REHEAT_NOT_ACROSS(is_sorted, calls::nothing)
REHEAT_NOT_ACROSS(is_sorted_until, calls::nothing)
REHEAT_NOT_ACROSS(lower_bound, calls::nothing)
REHEAT_NOT_ACROSS(merge, calls::nothing)
REHEAT_NOT_ACROSS(merge_by_key, calls::nothing)
REHEAT_NOT_ACROSS(mismatch, calls::nothing)
REHEAT_NOT_ACROSS(partition, calls::nothing)
REHEAT_NOT_ACROSS(partition_copy, calls::nothing)
REHEAT_NOT_ACROSS(partition_point, calls::nothing)
REHEAT_NOT_ACROSS(remove, calls::nothing)
REHEAT_NOT_ACROSS(remove_if, calls::nothing)
REHEAT_NOT_ACROSS(replace, void)
REHEAT_NOT_ACROSS(replace_copy, calls::nothing)
REHEAT_NOT_ACROSS(replace_copy_if, calls::nothing)
REHEAT_NOT_ACROSS(replace_if, void)
REHEAT_NOT_ACROSS(reverse, void)
REHEAT_NOT_ACROSS(reverse_copy, calls::nothing)
REHEAT_NOT_ACROSS(scatter, void)
REHEAT_NOT_ACROSS(scatter_if, void)
REHEAT_NOT_ACROSS(sequence, void)
REHEAT_NOT_ACROSS(set_difference, calls::nothing)
REHEAT_NOT_ACROSS(set_difference_by_key, calls::nothing)
REHEAT_NOT_ACROSS(set_intersection, calls::nothing)
REHEAT_NOT_ACROSS(set_intersection_by_key, calls::nothing)
REHEAT_NOT_ACROSS(set_symmetric_difference, calls::nothing)
REHEAT_NOT_ACROSS(set_symmetric_difference_by_key, calls::nothing)
REHEAT_NOT_ACROSS(set_union, calls::nothing)
REHEAT_NOT_ACROSS(set_union_by_key, calls::nothing)
REHEAT_NOT_ACROSS(shuffle, void)
REHEAT_NOT_ACROSS(shuffle_copy, void)
REHEAT_NOT_ACROSS(sort, void)
REHEAT_NOT_ACROSS(sort_by_key, void)
REHEAT_NOT_ACROSS(stable_partition, calls::nothing)
REHEAT_NOT_ACROSS(stable_partition_copy, calls::nothing)
REHEAT_NOT_ACROSS(stable_sort, void)
REHEAT_NOT_ACROSS(stable_sort_by_key, void)
REHEAT_NOT_ACROSS(swap_ranges, calls::nothing)
REHEAT_NOT_ACROSS(tabulate, void)
REHEAT_NOT_ACROSS(transform_if_n, calls::nothing)
REHEAT_NOT_ACROSS(transform_n, calls::nothing)
REHEAT_NOT_ACROSS(uninitialized_copy, calls::nothing)
REHEAT_NOT_ACROSS(uninitialized_copy_n, calls::nothing)
REHEAT_NOT_ACROSS(uninitialized_fill, void)
REHEAT_NOT_ACROSS(uninitialized_fill_n, calls::nothing)
REHEAT_NOT_ACROSS(unique, calls::nothing)
REHEAT_NOT_ACROSS(unique_by_key, calls::nothing)
REHEAT_NOT_ACROSS(unique_by_key_copy, calls::nothing)
REHEAT_NOT_ACROSS(unique_copy, calls::nothing)
REHEAT_NOT_ACROSS(unique_count, calls::nothing)
REHEAT_NOT_ACROSS(upper_bound, calls::nothing)

} // namespace thrust_backend
REHEAT_NAMESPACE_END

#undef REHEAT_NOT_ACROSS
#undef REHEAT_ON_EACH_RANK
