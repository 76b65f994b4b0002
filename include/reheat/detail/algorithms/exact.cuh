// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Exact sums as the kernels of a reduction (kernels::exact_sums).
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/exact/dispatch.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/reduce/mapped_input.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/thread/initial_value.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! Whether a reduction in Accum by Op needs the exact kernel. One of integers is exact already. Other reductions do not
//! compile.
template <class Kernels, class Accum, class Op>
constexpr bool needs_exact_sum()
{
  if constexpr (!sum_exactly_v<Kernels> || detail::is_exact_v<Op, Accum>)
  {
    return false;
  }
  else
  {
    constexpr bool adds = detail::kind_on_v<Op, Accum> == detail::operator_kind::plus;
    static_assert(adds, "reheat: exact_sums serves sums by plus alone: other operators round what they return, and what has "
                        "been rounded in one order has no exact value that another order could keep; use a policy without "
                        "exact_sums for this call");
    static_assert(!adds || detail::float_format<Accum>::exists,
                  "reheat: exact_sums serves sums of float, double, __half, __nv_bfloat16 and integers; the type in which "
                  "this call accumulates is none of these");
    return true;
  }
}

//! The map of plain items.
struct item_itself
{
  template <class T>
  REHEAT_DEVICE const T& operator()(const T& item, std::uint64_t) const
  {
    return item;
  }
};

//! The items at `in`, an unwrapped iterator, as terms.
template <class InputIt>
auto terms_of_items(InputIt in)
{
  return detail::mapped_items<InputIt, item_itself>{in, detail::is_aligned(in), {}};
}

//! Returns init + `items` >= 1 terms, correctly rounded to an Accum; waits for it. Part of a call.
template <class Accum, class Environment, class Terms, class T>
T exact_sum(const Environment& env, const Terms& terms, std::uint64_t items, T init)
{
  return runtime::result_on_host<T, runtime::default_result_wait>(
      env, [&](T* result) { detail::enqueue_exact_sum<Accum>(env, terms, items, detail::init_value<T>{init}, result); });
}

//! Enqueues *out = that sum. `out` is unwrapped.
template <class Accum, class Environment, class Terms, class OutputIt, class Init>
void enqueue_exact_sum_into(const Environment& env, const Terms& terms, std::uint64_t items, OutputIt out, Init init)
{
  detail::with_result_of<typename Init::type>(out, [&](auto result)
                                              { detail::enqueue_exact_sum<Accum>(env, terms, items, init, result); });
}

} // namespace algorithms
REHEAT_NAMESPACE_END
