// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::all_of`, `thrust::any_of` and `thrust::none_of` for our policies.
//!
//! They stop early: parts of the range are reduced one after the other, each 16 times as large as the one before, and the
//! host looks between them. The predicate may be called for items behind the first that decides. An empty or negative range
//! gives true, false, true. Otherwise the call waits for its stream, once per part, whatever the policy.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/thrust_backend/call.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/logical.h>

#include <cuda/std/functional>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

//! The parts that are reduced between two looks at the result.
struct early_stop_tuning
{
  std::uint64_t first_items; //!< a multiple of the items of every run
  unsigned growth;           //!< of each part over the one before
};

//! On GPUs the first part is what takes about as long to read as to launch; few parts follow, for each costs a launch and a
//! wait: 2^28 items take four. The emulator's are small, so that small inputs have several.
constexpr early_stop_tuning early_stop(int arch)
{
  return arch == 0 ? early_stop_tuning{256, 4} : early_stop_tuning{std::uint64_t{1} << 18, 16};
}

//! One for items of which the predicate says `Wanted`, else zero. As Thrust's, the predicate may take items as T&; what it
//! gets is a copy.
template <class Predicate, bool Wanted>
struct answer_term
{
  Predicate predicate;

  REHEAT_EXEC_CHECK_DISABLE
  template <class T>
  REHEAT_DEVICE unsigned operator()(T& item, std::uint64_t)
  {
    return static_cast<bool>(predicate(item)) == Wanted ? 1u : 0u;
  }
};

//! Whether the predicate says `Wanted` of some item.
template <bool Wanted, class Derived, class InputIt, class Predicate>
bool some_answer(const char* call, execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  if (last - first <= 0)
  {
    return false;
  }
  const auto items = static_cast<std::uint64_t>(last - first);
  auto&& policy = default_kernels(exec);
  refuse_captured_result(policy, call);
  const auto terms = mapped_items_of(first, answer_term<Predicate, Wanted>{predicate});
  const early_stop_tuning tuning = early_stop(simt::arch);
  std::uint64_t part = tuning.first_items;
  for (std::uint64_t begin = 0; begin < items; part *= tuning.growth)
  {
    const runtime::call_scope scope = scope_of(call, exec); // each part is a launch and a wait of its own
    const std::uint64_t end = begin + (part < items - begin ? part : items - begin);
    if (reduce_terms<unsigned>(call, policy, terms, begin, end, 0u, ::cuda::std::bit_or<unsigned>{}) != 0)
    {
      return true;
    }
    begin = end;
  }
  return false;
}

#if !(REHEAT_DROPPED_OVERLOADS & 0x800000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Predicate>
REHEAT_HOST_DEVICE bool all_of(execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL((!some_answer<false>("reheat::all_of", exec, first, last, predicate)),
                                (THRUST_NS_QUALIFIER::all_of(THRUST_NS_QUALIFIER::seq, first, last, predicate)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x1000000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Predicate>
REHEAT_HOST_DEVICE bool any_of(execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL((some_answer<true>("reheat::any_of", exec, first, last, predicate)),
                                (THRUST_NS_QUALIFIER::any_of(THRUST_NS_QUALIFIER::seq, first, last, predicate)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x2000000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Predicate>
REHEAT_HOST_DEVICE bool none_of(execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL((!some_answer<true>("reheat::none_of", exec, first, last, predicate)),
                                (THRUST_NS_QUALIFIER::none_of(THRUST_NS_QUALIFIER::seq, first, last, predicate)));
}
#endif

} // namespace thrust_backend
REHEAT_NAMESPACE_END
