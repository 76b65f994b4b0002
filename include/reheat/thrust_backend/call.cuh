// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the calls share that are adaptors over the reduction and the scan.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/indexed.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/reduce/mapped_input.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <cuda/std/type_traits>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

//! The policy, without the rung of the ladder that it may carry: rungs serve reduce, inclusive_scan and exclusive_scan.
template <class Derived>
decltype(auto) default_kernels(execution_policy<Derived>& exec)
{
  auto& policy = THRUST_NS_QUALIFIER::detail::derived_cast(exec);
  if constexpr (has_default_kernels_v<typename Derived::option>)
  {
    return (policy);
  }
  else
  {
    return policy.with(no_option{});
  }
}

//! What a functor makes of a T.
template <class Map, class T>
using mapped_type = ::cuda::std::remove_cvref_t<::cuda::std::invoke_result_t<Map, T>>;

//! A user's functor as the map of terms, which gets the item's index, too.
template <class Map>
struct unary_term
{
  Map map;

  REHEAT_EXEC_CHECK_DISABLE
  template <class T>
  REHEAT_DEVICE decltype(auto) operator()(const T& item, std::uint64_t)
  {
    return map(item);
  }
};

//! The terms of the range at `first`, which is not empty.
template <class InputIt, class Map>
auto mapped_items_of(InputIt first, Map map)
{
  const auto in = detail::unwrap_input(first);
  return detail::mapped_items<std::remove_cv_t<decltype(in)>, Map>{in, detail::is_aligned(in), map};
}

//! init ⊕ the terms [begin, end), begin < end, folded in Accum; waits for the policy's stream.
template <class Accum, class Policy, class Terms, class T, class Op>
T reduce_terms(const char* call, Policy& policy, const Terms& terms, std::uint64_t begin, std::uint64_t end, T init, Op op)
{
  if constexpr (detail::is_known_commutative_v<Op, Accum>)
  {
    const detail::mapped_vector_input<Accum, Terms, Op> vectors{terms, begin};
    return detail::reduce_n<Accum>(call, policy, vectors, end - begin, init, op);
  }
  else
  {
    const detail::vector_fold_source<Accum, Terms, Op> source{terms, begin, end, op};
    const detail::indexed_input<detail::vector_fold_source<Accum, Terms, Op>> in(source);
    return detail::reduce_n<Accum>(call, policy, in, source.vectors(), init, op);
  }
}

//! A whole call that reduces what `map(item, index)` makes of items.
template <class Accum, class Derived, class InputIt, class Map, class T, class Op>
T reduce_mapped(const char* call, execution_policy<Derived>& exec, InputIt first, InputIt last, Map map, T init, Op op)
{
  const runtime::call_scope scope = scope_of(call, exec);
  auto&& policy = default_kernels(exec);
  const std::uint64_t items = items_of(call, first, last);
  refuse_captured_result(policy, call);
  if (items == 0)
  {
    runtime::synchronize(policy, call);
    return init;
  }
  return reduce_terms<Accum>(call, policy, mapped_items_of(first, map), 0, items, init, op);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END
