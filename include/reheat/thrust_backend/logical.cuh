// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::all_of`, `thrust::any_of` and `thrust::none_of` for reheat's policies.
//!
//! They stop early: parts of the range are reduced one after the other, each 16 times as large as the one before, and the
//! host looks between them. The predicate may be called for items behind the first that decides. An empty or negative range
//! gives true, false, true. Otherwise the call waits for its stream, once per part, whatever the policy.
#pragma once

#include <reheat/detail/algorithms/logical.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/logical.h>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

//! Whether the predicate says `Wanted` of some item.
template <bool Wanted, class Derived, class InputIt, class Predicate>
bool any_of(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  return algorithms::any_of<Wanted>(environment_of(which, exec), first, items_or_none(first, last), predicate);
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
