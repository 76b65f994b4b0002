// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::all_of`, `thrust::any_of` and `thrust::none_of` for reheat's policies.
//!
//! They search for the first item that decides, in one launch, and stop early. The predicate may be called for items behind
//! that one. An empty or negative range gives true, false, true. Otherwise the call waits for its result, whatever the
//! policy.
#pragma once

#include <reheat/detail/algorithms/search.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/logical.h>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

//! Whether the predicate says `Wanted` of some item.
template <bool Wanted, class Derived, class InputIt, class Predicate>
bool any_of(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  const std::uint64_t items = items_or_none(first, last);
  return algorithms::find_if<Wanted>(environment_of(which, exec), first, items, predicate) != items;
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Predicate>
REHEAT_HOST_DEVICE bool all_of(execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  REHEAT_ACCELERATED((!calls::any_of<false>(runtime::algorithm::all_of, exec, first, last, predicate)), all_of, first, last,
                     predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Predicate>
REHEAT_HOST_DEVICE bool any_of(execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::any_of<true>(runtime::algorithm::any_of, exec, first, last, predicate)), any_of, first, last,
                     predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Predicate>
REHEAT_HOST_DEVICE bool none_of(execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  REHEAT_ACCELERATED((!calls::any_of<true>(runtime::algorithm::none_of, exec, first, last, predicate)), none_of, first, last,
                     predicate);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END
