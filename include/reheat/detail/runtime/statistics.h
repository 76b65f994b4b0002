// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The public functions, and counts of their calls: part of the interface of src/runtime.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/workspace.h>

#include <cstddef>
#include <cstdint>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

//! The algorithms that reheat accelerates, in the order of src/family/table.inc.
enum class algorithm : unsigned char
{
  reduce,
  reduce_into,
  transform_reduce,
  inner_product,
  count,
  count_if,
  min_element,
  max_element,
  minmax_element,
  all_of,
  any_of,
  none_of,
  find,
  find_if,
  find_if_not,
  mismatch,
  equal,
  is_sorted,
  is_sorted_until,
  is_partitioned,
  partition_point,
  inclusive_scan,
  exclusive_scan,
  transform_inclusive_scan,
  transform_exclusive_scan,
  inclusive_scan_by_key,
  exclusive_scan_by_key,
  reduce_by_key,
  copy_if,
  remove,
  remove_if,
  remove_copy,
  remove_copy_if,
  partition,
  stable_partition,
  partition_copy,
  stable_partition_copy,
  unique,
  unique_copy,
  unique_by_key,
  unique_by_key_copy,
  unique_count,
  sort,
  stable_sort,
  sort_by_key,
  stable_sort_by_key,
  none //!< a call through another interface than Thrust's
};
inline constexpr std::size_t algorithm_count = static_cast<std::size_t>(algorithm::none);

//! As messages and a profiler's timeline have them: "reheat::reduce".
extern const char* const caller_names[algorithm_count + 1];
inline const char* name_of(algorithm which)
{
  return caller_names[static_cast<std::size_t>(which)];
}

//! Whether REHEAT_DISABLE names the algorithm. If so, the call on `stream` is counted as passed on.
bool is_passed_on(algorithm which, stream_type stream);

//! The calls of one algorithm.
struct algorithm_calls
{
  const char* name;              //!< such as "reduce"
  std::uint64_t accelerated = 0; //!< run by reheat. A call that threw is one of them
  std::uint64_t disabled = 0;    //!< passed on to Thrust, because REHEAT_DISABLE names the algorithm
};

//! What a process has asked of reheat, from its start on: calls of all threads, on all streams and devices. Each shared
//! object that holds the library counts for itself. Calls in device code are not counted, nor are calls of an empty range
//! that wait for nothing, nor calls that Thrust's backend ran without reheat being asked, such as `merge`.
struct call_statistics
{
  algorithm_calls algorithms[algorithm_count];
  std::uint64_t launches = 0;      //!< of reheat's kernels, into captures, too
  std::uint64_t waits = 0;         //!< for a stream. A result that was polled for and came in time is none
  std::size_t workspace_bytes = 0; //!< kept for later calls in the current context: what reheat::workspace_bytes() returns

  //! The calls between two snapshots; of workspace_bytes the later one.
  friend call_statistics operator-(call_statistics later, const call_statistics& earlier)
  {
    for (std::size_t i = 0; i < algorithm_count; ++i)
    {
      later.algorithms[i].accelerated -= earlier.algorithms[i].accelerated;
      later.algorithms[i].disabled -= earlier.algorithms[i].disabled;
    }
    later.launches -= earlier.launches;
    later.waits -= earlier.waits;
    return later;
  }
};

//! Writes what a call failed at to stderr, if REHEAT_LOG asks for it.
void log_failure(const char* attempt);

//! A snapshot. A call counts when it returns. Takes a lock that calls do not take.
call_statistics statistics();

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
