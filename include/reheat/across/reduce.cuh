// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions across ranks: `thrust::reduce`, `reduce_into`, `transform_reduce`, `inner_product`, `count`, `count_if`,
//! `all_of`, `any_of` and `none_of`, and `reheat::prefix_across`.
//!
//! Each rank passes its part of the items. All ranks get the same result, bit for bit: that of one call on all parts, in the
//! order of ranks, one behind the other. The initial value is rank 0's, and stands once, before rank 0's items; those of
//! other ranks are ignored. Parts may have any number of items, also none. Types, exceptions and waits are those of the
//! calls on one GPU.
#pragma once

#include <reheat/across/policy.cuh>
#include <reheat/detail/across/call.cuh>
#include <reheat/detail/algorithms/count.cuh>
#include <reheat/detail/algorithms/exact.cuh>
#include <reheat/detail/algorithms/transform_reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/rounded_plus.cuh>
#include <reheat/thrust_backend/accumulation.cuh>
#include <reheat/thrust_backend/count.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/equals.cuh>
#include <reheat/thrust_backend/reduce.cuh>
#include <reheat/thrust_backend/transform_reduce.cuh>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{
namespace calls
{

//! Enqueues the rank's record: its items, folded in T.
template <class T, class Environment, class InputIt, class Init, class Op>
void enqueue_record_of_items(across::call<T, Environment>& call, InputIt in, std::uint64_t items, const Init& init, Op op)
{
  across::enqueue_record(call, items, init,
                         [&](const auto& start, const auto& result)
                         {
                           detail::enqueue_reduce_to<T>(call.env(), detail::unwrap_input(call.env(), in), items, start,
                                                        detail::rounding_alike<T>(op), result);
                         });
}
//! The same of what `make_terms()` makes of them.
template <class T, class Environment, class MakeTerms, class Init, class Op>
void enqueue_record_of_terms(across::call<T, Environment>& call, MakeTerms make_terms, std::uint64_t items, const Init& init,
                             Op op)
{
  across::enqueue_record(call, items, init,
                         [&](const auto& start, const auto& result)
                         {
                           algorithms::with_input_of_terms<T>(
                               make_terms(), items, op,
                               [&](const auto& input, std::uint64_t inputs, const auto& taken)
                               { detail::enqueue_reduce_to<T>(call.env(), input, inputs, start, taken, result); });
                         });
}

//! A call whose records hold Ts, on a part of Items. `count_items()` is called within it: a range that ends before it begins
//! is refused there, and the other ranks learn of it. `enqueue(call, items)` enqueues the record, and
//! `finish(call, gathered)` what follows the exchange.
template <class T, class Item, class Environment, class CountItems, class Enqueue, class Finish>
auto call_across_ranks(const Environment& env, library::ranks& ranks, const caller_across& caller, bool returns_value,
                       std::size_t carry_bytes, std::uint64_t likely_items, CountItems count_items, Enqueue enqueue,
                       Finish finish)
{
  const runtime::call_scope scope(env, likely_items, sizeof(Item));
  refuse_capture_across(env, ranks, returns_value);
  across::call<T, Environment> call(env, ranks, caller.code);
  const auto gathered = call.run(carry_bytes, [&] { enqueue(call, count_items()); });
  return finish(call, gathered);
}

//! A reduction in Accum by Op. `record(call, items)` enqueues the record; that of an exact sum is made of `make_terms(env)`.
//! `take(call, store)` takes the result: `store(result)` enqueues the fold of all ranks to it.
template <class Accum, class Item, class Derived, class InputIt, class Init, class Op, class MakeTerms, class Record,
          class Take>
auto reduce_across(const caller_across& caller, across_policy<Derived>& exec, InputIt first, InputIt last, const Init& init,
                   const Op& op, bool returns_value, MakeTerms make_terms, Record record, Take take)
{
  check_reduction<local_policy_of<Derived>, Op, Accum, Item>();
  const auto env = environment_across(caller, exec);
  const auto count = [&] { return items_of(env, first, last); };
  library::ranks& ranks = across_of(exec).ranks();
  if constexpr (algorithms::needs_exact_sum<kernels_of<local_policy_of<Derived>>, Accum, Op>())
  {
    return call_across_ranks<detail::exact_total<Accum>, Item>(
        env, ranks, caller, returns_value, 0, items_or_none(first, last), count,
        [&](auto& call, std::uint64_t items)
        { across::enqueue_exact_record(call, items, static_cast<Accum>(init), [&] { return make_terms(env); }); },
        [&](auto& call, const auto& gathered)
        { return take(call, [&](auto result) { across::enqueue_exact_fold<Accum>(env, gathered, result); }); });
  }
  else
  {
    return call_across_ranks<Accum, Item>(
        env, ranks, caller, returns_value, 0, items_or_none(first, last), count, record,
        [&](auto& call, const auto& gathered)
        {
          return take(call, [&](auto result)
                      { call.fold(gathered, detail::folded_value<Accum>{}, detail::rounding_alike<Accum>(op), result); });
        });
  }
}

//! Takes a result to the host, as a T.
template <class T>
auto to_host()
{
  return [](auto& call, auto store) { return call.template return_to_host<T>([&](T* result) { store(result); }); };
}
//! Leaves it at `output`.
template <class Accum, class OutputIt>
auto to_output(OutputIt output)
{
  return [output](auto& call, auto store)
  {
    call.leave_on_device(
        [&] { detail::with_result_of<Accum>(detail::unwrap(call.env(), output), [&](auto result) { store(result); }); });
  };
}

//! reduce and reduce_into.
template <class Accumulation, class Derived, class InputIt, class T, class Op, class Take>
auto reduce_items_across(const caller_across& caller, across_policy<Derived>& exec, InputIt first, InputIt last, T init,
                         Op op, bool returns_value, Take take)
{
  using accum = typename Accumulation::type;
  const std::decay_t<decltype(Accumulation::functor(op))> taken = Accumulation::functor(op);
  return reduce_across<accum, detail::value_of<InputIt>>(
      caller, exec, first, last, init, taken, returns_value,
      [&](const auto& env) { return algorithms::terms_of_items(detail::unwrap_input(env, first)); },
      [&](auto& call, std::uint64_t items)
      { enqueue_record_of_items(call, first, items, Accumulation::value(init), taken); },
      take);
}

template <class Derived, class T, class Op, class InputIt>
using accumulation_across = accumulation_of<local_policy_of<Derived>, reduce_accum<Op, T, InputIt>>;

template <class Derived, class InputIt, class T, class Op>
T reduce(across_policy<Derived>& exec, InputIt first, InputIt last, T init, Op op)
{
  using how = accumulation_across<Derived, T, Op, InputIt>;
  return reduce_items_across<how>(runtime::algorithm::reduce, exec, first, last, init, op, true, to_host<T>());
}

template <class Derived, class InputIt, class OutputIt, class T, class Op>
void reduce_into(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output, T init, Op op)
{
  using how = accumulation_across<Derived, T, Op, InputIt>;
  reduce_items_across<how>(runtime::algorithm::reduce_into, exec, first, last, init, op, false,
                           to_output<typename how::type>(output));
}

//! Reductions of terms. `make_terms(env)` makes them of the range.
template <class Accumulation, class Item, class Derived, class InputIt, class T, class Op, class MakeTerms>
T reduce_terms_across(const caller_across& caller, across_policy<Derived>& exec, InputIt first, InputIt last, T init, Op op,
                      MakeTerms make_terms)
{
  using accum = typename Accumulation::type;
  const std::decay_t<decltype(Accumulation::functor(op))> taken = Accumulation::functor(op);
  return reduce_across<accum, Item>(
      caller, exec, first, last, init, taken, true, make_terms,
      [&](auto& call, std::uint64_t items)
      {
        enqueue_record_of_terms(
            call, [&] { return make_terms(call.env()); }, items, Accumulation::value(init), taken);
      },
      to_host<T>());
}

template <class Accum, class Derived, class InputIt, class Map, class T, class Op>
T transform_reduce(across_policy<Derived>& exec, InputIt first, InputIt last, Map map, T init, Op op)
{
  using how = accumulation_of<local_policy_of<Derived>, Accum>;
  return reduce_terms_across<how, detail::value_of<InputIt>>(
      runtime::algorithm::transform_reduce, exec, first, last, init, op,
      [&](const auto& env) { return algorithms::mapped_items_of(env, first, algorithms::unary_term<Map>{map}); });
}

template <class Derived, class LeftIt, class RightIt, class T, class Op, class Product>
T inner_product(across_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt right, T init, Op op, Product product)
{
  using how = accumulation_of<local_policy_of<Derived>, inner_product_accum<Op, T, Product, LeftIt, RightIt>>;
  return reduce_terms_across<how, detail::value_of<LeftIt>>(
      runtime::algorithm::inner_product, exec, first, last, init, op,
      [&](const auto& env) { return algorithms::zipped_items_of(env, first, right, map_in<how>(product)); });
}

//! How many items of all ranks satisfy the predicate, as a Number. No option of a policy concerns it.
template <class Number, class Derived, class InputIt, class Predicate>
Number count_if(runtime::algorithm which, across_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  const auto env = environment_across(which, exec);
  return call_across_ranks<Number, detail::value_of<InputIt>>(
      env, across_of(exec).ranks(), which, true, 0, items_or_none(first, last), [&] { return items_of(env, first, last); },
      [&](auto& call, std::uint64_t items)
      {
        enqueue_record_of_terms(
            call, [&] { return algorithms::mapped_items_of(env, first, algorithms::hit_term<Predicate>{predicate}); }, items,
            Number(0), detail::add_hits{});
      },
      [&](auto& call, const auto& gathered)
      {
        return to_host<Number>()(call, [&](auto result)
                                 { call.fold(gathered, detail::folded_value<Number>{}, detail::add_hits{}, result); });
      });
}

//! What the predicate says no to.
template <class Predicate>
struct misses
{
  Predicate predicate;

  template <class T>
  REHEAT_DEVICE bool operator()(const T& item)
  {
    return !predicate(item);
  }
};

} // namespace calls

template <class Derived, class InputIt>
detail::value_of<InputIt> reduce(across_policy<Derived>& exec, InputIt first, InputIt last)
{
  using value = detail::value_of<InputIt>;
  return calls::reduce(exec, first, last, value(0), ::cuda::std::plus<value>{});
}
template <class Derived, class InputIt, class T>
T reduce(across_policy<Derived>& exec, InputIt first, InputIt last, T init)
{
  return calls::reduce(exec, first, last, init, ::cuda::std::plus<T>{});
}
template <class Derived, class InputIt, class T, class Op>
T reduce(across_policy<Derived>& exec, InputIt first, InputIt last, T init, Op op)
{
  return calls::reduce(exec, first, last, init, op);
}

template <class Derived, class InputIt, class OutputIt>
void reduce_into(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output)
{
  using value = detail::value_of<InputIt>;
  calls::reduce_into(exec, first, last, output, value(0), ::cuda::std::plus<value>{});
}
template <class Derived, class InputIt, class OutputIt, class T>
void reduce_into(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output, T init)
{
  calls::reduce_into(exec, first, last, output, init, ::cuda::std::plus<T>{});
}
template <class Derived, class InputIt, class OutputIt, class T, class Op>
void reduce_into(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output, T init, Op op)
{
  calls::reduce_into(exec, first, last, output, init, op);
}

template <class Derived, class InputIt, class Map, class T, class Op>
T transform_reduce(across_policy<Derived>& exec, InputIt first, InputIt last, Map map, T init, Op op)
{
  using accum = ::cuda::std::decay_t<
      ::cuda::std::invoke_result_t<Op, T, ::cuda::std::invoke_result_t<Map, detail::value_of<InputIt>>>>;
  return calls::transform_reduce<accum>(exec, first, last, map, init, op);
}

template <class Derived, class LeftIt, class RightIt, class T>
T inner_product(across_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt right, T init)
{
  return calls::inner_product(exec, first, last, right, init, ::cuda::std::plus<T>{}, ::cuda::std::multiplies<T>{});
}
template <class Derived, class LeftIt, class RightIt, class T, class Op, class Product>
T inner_product(across_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt right, T init, Op op, Product product)
{
  return calls::inner_product(exec, first, last, right, init, op, product);
}

template <class Derived, class InputIt, class T>
detail::distance_of<InputIt> count(across_policy<Derived>& exec, InputIt first, InputIt last, const T& value)
{
  return calls::count_if<detail::distance_of<InputIt>>(runtime::algorithm::count, exec, first, last,
                                                       calls::equals<T>{value});
}
template <class Derived, class InputIt, class Predicate>
detail::distance_of<InputIt> count_if(across_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  return calls::count_if<detail::distance_of<InputIt>>(runtime::algorithm::count_if, exec, first, last, predicate);
}

// Of all items: none of these stops early.

template <class Derived, class InputIt, class Predicate>
bool all_of(across_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  return calls::count_if<std::uint64_t>(runtime::algorithm::all_of, exec, first, last,
                                        calls::misses<Predicate>{predicate}) == 0;
}
template <class Derived, class InputIt, class Predicate>
bool any_of(across_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  return calls::count_if<std::uint64_t>(runtime::algorithm::any_of, exec, first, last, predicate) != 0;
}
template <class Derived, class InputIt, class Predicate>
bool none_of(across_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  return calls::count_if<std::uint64_t>(runtime::algorithm::none_of, exec, first, last, predicate) == 0;
}

namespace calls
{

template <class Derived, class T, class Op>
void prefix_across(across_policy<Derived>& exec, const T* one, T* before, T* all, T init, Op op)
{
  const caller_across caller("reheat::prefix_across", library::call_across::prefix);
  const auto env = environment_across(caller, exec);
  call_across_ranks<T, T>(
      env, across_of(exec).ranks(), caller, false, 0, 1, [] { return std::uint64_t{1}; },
      [&](auto& call, std::uint64_t items)
      {
        runtime::launch(env, call.one_warp, &detail::store_record_kernel<T, Op>, call.result(items), one,
                        detail::init_of_first_rank<T, T>{init, call.is_first()}, op);
      },
      [&](auto& call, const auto& gathered)
      {
        call.leave_on_device(
            [&] { runtime::launch(env, call.one_warp, &detail::prefix_kernel<T, Op>, gathered, init, op, before, all); });
      });
}

} // namespace calls
} // namespace thrust_backend

//! `reduce_into` across ranks (thrust_backend/reduce_into.cuh): *output is the same on every rank.
template <class Derived, class InputIt, class OutputIt, class... More>
void reduce_into(const thrust_backend::across_policy<Derived>& policy, InputIt first, InputIt last, OutputIt output,
                 More... more)
{
  thrust_backend::reduce_into(const_cast<thrust_backend::across_policy<Derived>&>(policy), first, last, output, more...);
}

//! The building block of a scan across ranks whose carry the program knows already. Each rank has one value, *one. Leaves
//! init ⊕ the values of the ranks before this one in *before, and init ⊕ the values of all ranks in *all, the same bits on
//! every rank. All are pointers to device memory; `before` and `all` may be null, and may be `one`. `init` is rank 0's, and
//! the `before` of rank 0. T is copyable by its bytes, `op` associative. Enqueued on the policy's stream; waits for it as
//! scans do.
template <class Derived, class T, class Op = ::cuda::std::plus<T>>
void prefix_across(const thrust_backend::across_policy<Derived>& policy, const T* one,
                   ::cuda::std::type_identity_t<T>* before, ::cuda::std::type_identity_t<T>* all,
                   ::cuda::std::type_identity_t<T> init = T{}, Op op = {})
{
  thrust_backend::calls::prefix_across(const_cast<thrust_backend::across_policy<Derived>&>(policy), one, before, all, init,
                                       op);
}

REHEAT_NAMESPACE_END
