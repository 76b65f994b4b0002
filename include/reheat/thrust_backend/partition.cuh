// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::partition`, `thrust::stable_partition`, `thrust::partition_copy` and `thrust::stable_partition_copy` for
//! reheat's policies.
//!
//! All of them are stable: the items that the predicate selects keep their order, and so do the others. With a stencil, the
//! predicate is asked about the stencil's items instead. It is asked once about each, and each item of an input is read
//! once. A range that ends before it begins has no items. The call waits for its stream, whatever the policy.
//!
//! `partition` and `stable_partition` move the selected items to the front of their range and the others behind them, and
//! return where the others begin. They need scratch memory for all items, which goes back at the end: from the policy's
//! allocator; without one from the library's pool, or as Thrust's algorithms on the policy take theirs if the pool keeps
//! less. If there is none, the call throws and the range stays as it is. A stencil does not overlap the range.
//!
//! The copies store the selected items from the first output on and the others from the second one on, and return both ends.
//! Nothing is written behind them. The first output may begin where the input begins; otherwise no output overlaps an input
//! or the other output.
#pragma once

#include <reheat/detail/algorithms/partition.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/partition.h>

#include <cuda/std/utility>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

//! In place, with or without a stencil.
template <class Derived, class It, class StencilIt, class Predicate>
It partition(runtime::algorithm which, execution_policy<Derived>& exec, It first, It last, StencilIt stencil,
             Predicate predicate)
{
  const std::uint64_t items = items_or_none(first, last);
  if (items == 0)
  {
    return first;
  }
  return with_memory_for_items(which, exec, items, sizeof(detail::value_of<It>),
                               [&](const auto& env)
                               { return advanced(first, algorithms::partition(env, first, stencil, items, predicate)); });
}

//! With or without a stencil.
template <class Derived, class InputIt, class StencilIt, class SelectedIt, class RejectedIt, class Predicate>
::cuda::std::pair<SelectedIt, RejectedIt> partition_copy(runtime::algorithm which, execution_policy<Derived>& exec,
                                                         InputIt first, InputIt last, StencilIt stencil, SelectedIt selected,
                                                         RejectedIt rejected, Predicate predicate)
{
  const std::uint64_t items = items_or_none(first, last);
  if (items == 0)
  {
    return {selected, rejected};
  }
  const std::uint64_t count =
      algorithms::partition_copy(environment_of(which, exec), first, stencil, selected, rejected, items, predicate);
  return {advanced(selected, count), advanced(rejected, items - count)};
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class It, class Predicate>
REHEAT_HOST_DEVICE It partition(execution_policy<Derived>& exec, It first, It last, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::partition(runtime::algorithm::partition, exec, first, last, detail::no_stencil{}, predicate)),
                     partition, first, last, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class It, class StencilIt, class Predicate>
REHEAT_HOST_DEVICE It partition(execution_policy<Derived>& exec, It first, It last, StencilIt stencil, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::partition(runtime::algorithm::partition, exec, first, last, stencil, predicate)), partition,
                     first, last, stencil, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class It, class Predicate>
REHEAT_HOST_DEVICE It stable_partition(execution_policy<Derived>& exec, It first, It last, Predicate predicate)
{
  REHEAT_ACCELERATED(
      (calls::partition(runtime::algorithm::stable_partition, exec, first, last, detail::no_stencil{}, predicate)),
      stable_partition, first, last, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class It, class StencilIt, class Predicate>
REHEAT_HOST_DEVICE It stable_partition(execution_policy<Derived>& exec, It first, It last, StencilIt stencil,
                                       Predicate predicate)
{
  REHEAT_ACCELERATED((calls::partition(runtime::algorithm::stable_partition, exec, first, last, stencil, predicate)),
                     stable_partition, first, last, stencil, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class SelectedIt, class RejectedIt, class Predicate>
REHEAT_HOST_DEVICE ::cuda::std::pair<SelectedIt, RejectedIt> partition_copy(execution_policy<Derived>& exec, InputIt first,
                                                                            InputIt last, SelectedIt selected,
                                                                            RejectedIt rejected, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::partition_copy(runtime::algorithm::partition_copy, exec, first, last, detail::no_stencil{},
                                            selected, rejected, predicate)),
                     partition_copy, first, last, selected, rejected, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class StencilIt, class SelectedIt, class RejectedIt, class Predicate>
REHEAT_HOST_DEVICE ::cuda::std::pair<SelectedIt, RejectedIt>
partition_copy(execution_policy<Derived>& exec, InputIt first, InputIt last, StencilIt stencil, SelectedIt selected,
               RejectedIt rejected, Predicate predicate)
{
  REHEAT_ACCELERATED(
      (calls::partition_copy(runtime::algorithm::partition_copy, exec, first, last, stencil, selected, rejected, predicate)),
      partition_copy, first, last, stencil, selected, rejected, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class SelectedIt, class RejectedIt, class Predicate>
REHEAT_HOST_DEVICE ::cuda::std::pair<SelectedIt, RejectedIt>
stable_partition_copy(execution_policy<Derived>& exec, InputIt first, InputIt last, SelectedIt selected, RejectedIt rejected,
                      Predicate predicate)
{
  REHEAT_ACCELERATED((calls::partition_copy(runtime::algorithm::stable_partition_copy, exec, first, last,
                                            detail::no_stencil{}, selected, rejected, predicate)),
                     stable_partition_copy, first, last, selected, rejected, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class StencilIt, class SelectedIt, class RejectedIt, class Predicate>
REHEAT_HOST_DEVICE ::cuda::std::pair<SelectedIt, RejectedIt>
stable_partition_copy(execution_policy<Derived>& exec, InputIt first, InputIt last, StencilIt stencil, SelectedIt selected,
                      RejectedIt rejected, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::partition_copy(runtime::algorithm::stable_partition_copy, exec, first, last, stencil, selected,
                                            rejected, predicate)),
                     stable_partition_copy, first, last, stencil, selected, rejected, predicate);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END
