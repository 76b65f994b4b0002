// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The reduction, with its result on the host or on the device. `init ⊕ in[0] ⊕ … ⊕ in[items − 1]`: the initial value is
//! applied once, on the left; the items are folded in Accum. The operator is associative; operands keep their order unless
//! it is known to be commutative.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/algorithms/exact.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/rounded_plus.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! Returns the fold. Of no items, `init`, after a wait for the stream.
template <class Accum, class Kernels = kernels::standard, class Environment, class InputIt, class T, class Op>
T reduce(const Environment& env, InputIt in, std::uint64_t items, T init, Op op)
{
  return return_from_device<detail::value_of<InputIt>>(
      env, items, "; reheat::reduce_into leaves it on the device",
      [&]
      {
        if (items == 0)
        {
          runtime::synchronize(env);
          return init;
        }
        if constexpr (needs_exact_sum<Kernels, Accum, Op>())
        {
          return exact_sum<Accum>(env, terms_of_items(detail::unwrap_input(env, in)), items, init);
        }
        else if constexpr (are_standard_v<Kernels> || sum_exactly_v<Kernels>)
        {
          return detail::reduce_n<Accum>(env, detail::unwrap_input(env, in), items, detail::init_value<T>{init},
                                         detail::rounding_alike<Accum>(op));
        }
        else
        {
          return Kernels::template reduce_n<Accum>(env, detail::unwrap_input(env, in), items, init, op);
        }
      });
}

//! Enqueues *out = init.
template <class Environment, class OutputIt, class Init>
void enqueue_store_to(const Environment& env, OutputIt out, Init init)
{
  detail::with_result_of<typename Init::type>(out, [&](auto result) { detail::enqueue_store_init(env, result, init); });
}

//! *out = the fold, and `init` of no items. `out` is a pointer or an iterator that the device can assign through. `Init` is
//! detail::init_value or detail::future_init_value.
template <class Accum, class Kernels = kernels::standard, class Environment, class InputIt, class OutputIt, class Init,
          class Op>
void reduce_into(const Environment& env, InputIt in, std::uint64_t items, OutputIt out, Init init, Op op)
{
  enqueue_and_maybe_wait<detail::value_of<InputIt>>(
      env, items,
      [&]
      {
        const auto output = detail::unwrap(env, out);
        if (items == 0)
        {
          enqueue_store_to(env, output, init);
        }
        else if constexpr (needs_exact_sum<Kernels, Accum, Op>())
        {
          enqueue_exact_sum_into<Accum>(env, terms_of_items(detail::unwrap_input(env, in)), items, output, init);
        }
        else if constexpr (are_standard_v<Kernels> || sum_exactly_v<Kernels>)
        {
          detail::enqueue_reduce_into<Accum>(env, detail::unwrap_input(env, in), items, output, init,
                                             detail::rounding_alike<Accum>(op));
        }
        else
        {
          static_assert(detail::is_plain_memory_of_v<std::remove_cv_t<decltype(output)>, decltype(init.value)>,
                        "reheat: this rung of the ladder leaves results in memory for the initial "
                        "value's type, which is a type that is copied by its bytes");
          Kernels::template enqueue_reduce<Accum>(env, detail::unwrap_input(env, in), items, init.value, op, output);
        }
      });
}

} // namespace algorithms
REHEAT_NAMESPACE_END
