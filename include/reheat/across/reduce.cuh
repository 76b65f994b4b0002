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
#include <reheat/detail/algorithms/transform_reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/rounded_plus.cuh>
#include <reheat/thrust_backend/accumulation.cuh>
#include <reheat/thrust_backend/count.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/reduce.cuh>
#include <reheat/thrust_backend/transform_reduce.cuh>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

#include <cstdint>
#include <type_traits>
#include <utility>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{
namespace calls
{

//! A range of Items, whose number is asked for within the call: a range that ends before it begins is refused there, and the
//! other ranks learn of it.
template <class InputIt>
struct part
{
  InputIt first, last;

  std::uint64_t items(const runtime::environment& env) const { return items_of(env, first, last); }
};

//! Enqueues the rank's record: its items, folded.
template <class T, class Environment, class InputIt, class Init, class Op>
void enqueue_record_of_items(across::call<T, Environment>& call, InputIt in, std::uint64_t items, const Init& init, Op op)
{
  across::enqueue_record(
      call, items, init,
      [&](const auto& start, const auto& result)
      { detail::enqueue_reduce_to<T>(call.env(), detail::unwrap_input(call.env(), in), items, start, op, result); });
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

//! A reduction in Accum that returns a T on every rank. `local(call, items)` enqueues the record.
template <class Accum, class T, class Item, class Derived, class Environment, class Range, class Op, class Local>
T reduce_across(const Environment& env, across_policy<Derived>& exec, std::uint16_t which, const Range& range, Op op,
                Local local)
{
  library::ranks& ranks = across_of(exec).ranks();
  const runtime::call_scope scope(env, items_or_none(range.first, range.last), sizeof(Item));
  refuse_capture_across(env, ranks, true);
  across::call<Accum, Environment> call(env, ranks, which);
  const auto all = call.run(0, [&] { local(call, range.items(env)); });
  return call.template folded<T>(all, detail::folded_value<Accum>{}, op);
}

constexpr std::uint16_t code_of(runtime::algorithm which)
{
  return static_cast<std::uint16_t>(which);
}

template <class Derived, class InputIt, class T, class Op>
T reduce(across_policy<Derived>& exec, InputIt first, InputIt last, T init, Op op)
{
  using local_policy = local_policy_of<Derived>;
  using how = accumulation_of<local_policy, reduce_accum<Op, T, InputIt>>;
  using accum = typename how::type;
  const auto taken = detail::rounding_alike<accum>(how::functor(op));
  check_reduction<local_policy, std::decay_t<decltype(how::functor(op))>, accum, detail::value_of<InputIt>>();
  const auto env = environment_across(runtime::algorithm::reduce, exec);
  return reduce_across<accum, T, detail::value_of<InputIt>>(
      env, exec, code_of(runtime::algorithm::reduce), part<InputIt>{first, last}, taken,
      [&](auto& call, std::uint64_t items) { enqueue_record_of_items(call, first, items, how::value(init), taken); });
}

template <class Derived, class InputIt, class OutputIt, class T, class Op>
void reduce_into(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output, T init, Op op)
{
  using local_policy = local_policy_of<Derived>;
  using how = accumulation_of<local_policy, reduce_accum<Op, T, InputIt>>;
  using accum = typename how::type;
  const auto taken = detail::rounding_alike<accum>(how::functor(op));
  check_reduction<local_policy, std::decay_t<decltype(how::functor(op))>, accum, detail::value_of<InputIt>>();
  const auto env = environment_across(runtime::algorithm::reduce_into, exec);
  library::ranks& ranks = across_of(exec).ranks();
  const runtime::call_scope scope(env, items_or_none(first, last), sizeof(detail::value_of<InputIt>));
  refuse_capture_across(env, ranks, false);
  across::call<accum, std::decay_t<decltype(env)>> call(env, ranks, code_of(runtime::algorithm::reduce_into));
  const auto all =
      call.run(0, [&] { enqueue_record_of_items(call, first, items_of(env, first, last), how::value(init), taken); });
  detail::with_result_of<accum>(detail::unwrap(env, output),
                                [&](auto result) { call.fold(all, detail::folded_value<accum>{}, taken, result); });
  call.finish_enqueued();
}

template <class Accum, class Derived, class InputIt, class Map, class T, class Op>
T transform_reduce(across_policy<Derived>& exec, InputIt first, InputIt last, Map map, T init, Op op)
{
  using local_policy = local_policy_of<Derived>;
  using how = accumulation_of<local_policy, Accum>;
  using accum = typename how::type;
  const auto given = how::functor(op);
  check_reduction<local_policy, std::decay_t<decltype(given)>, accum, detail::value_of<InputIt>>();
  const auto env = environment_across(runtime::algorithm::transform_reduce, exec);
  return reduce_across<accum, T, detail::value_of<InputIt>>(
      env, exec, code_of(runtime::algorithm::transform_reduce), part<InputIt>{first, last},
      detail::rounding_alike<accum>(given),
      [&](auto& call, std::uint64_t items)
      {
        enqueue_record_of_terms(
            call, [&] { return algorithms::mapped_items_of(env, first, algorithms::unary_term<Map>{map}); }, items,
            how::value(init), given);
      });
}

template <class Derived, class LeftIt, class RightIt, class T, class Op, class Product>
T inner_product(across_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt right, T init, Op op, Product product)
{
  using local_policy = local_policy_of<Derived>;
  using how = accumulation_of<local_policy, inner_product_accum<Op, T, Product, LeftIt, RightIt>>;
  using accum = typename how::type;
  const auto given = how::functor(op);
  check_reduction<local_policy, std::decay_t<decltype(given)>, accum, detail::value_of<LeftIt>>();
  const auto env = environment_across(runtime::algorithm::inner_product, exec);
  return reduce_across<accum, T, detail::value_of<LeftIt>>(
      env, exec, code_of(runtime::algorithm::inner_product), part<LeftIt>{first, last}, detail::rounding_alike<accum>(given),
      [&](auto& call, std::uint64_t items)
      {
        enqueue_record_of_terms(
            call, [&] { return algorithms::zipped_items_of(env, first, right, map_in<how>(product)); }, items,
            how::value(init), given);
      });
}

//! How many items of all ranks satisfy the predicate.
template <class Number, class Derived, class InputIt, class Predicate>
Number count_if(runtime::algorithm which, across_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  const auto env = environment_across(which, exec);
  return reduce_across<Number, Number, detail::value_of<InputIt>>(
      env, exec, code_of(which), part<InputIt>{first, last}, detail::add_hits{},
      [&](auto& call, std::uint64_t items)
      {
        enqueue_record_of_terms(
            call, [&] { return algorithms::mapped_items_of(env, first, algorithms::hit_term<Predicate>{predicate}); }, items,
            Number(0), detail::add_hits{});
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
  const auto env = environment_across("reheat::prefix_across", exec);
  library::ranks& ranks = across_of(exec).ranks();
  const runtime::call_scope scope(env, 1, sizeof(T));
  refuse_capture_across(env, ranks, false);
  across::call<T, std::decay_t<decltype(env)>> call(env, ranks, static_cast<std::uint16_t>(library::call_across::prefix));
  const auto gathered = call.run(0,
                                 [&]
                                 {
                                   runtime::launch(env, call.one_warp, &detail::store_record_kernel<T, Op>, call.result(1),
                                                   one, detail::init_of_first_rank<T, T>{init, call.is_first()}, op);
                                 });
  runtime::launch(env, call.one_warp, &detail::prefix_kernel<T, Op>, gathered, init, op, before, all);
  call.finish();
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
