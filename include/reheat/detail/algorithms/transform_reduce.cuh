// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of what a functor makes of items: its *terms*.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/algorithms/exact.cuh>
#include <reheat/detail/algorithms/reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/indexed.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/reduce/mapped_input.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/rounded_plus.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! The items at `in`, one at least, and `map(item, index)`, which makes terms of them.
template <class Environment, class InputIt, class Map>
auto mapped_items_of(const Environment& env, InputIt in, Map map)
{
  const auto items = detail::unwrap_input(env, in);
  return detail::mapped_items<std::remove_cv_t<decltype(items)>, Map>{items, detail::is_aligned(items), map};
}
//! The same of pairs of items, and `map(left, right)`.
template <class Environment, class LeftIt, class RightIt, class Map>
auto zipped_items_of(const Environment& env, LeftIt left, RightIt right, Map map)
{
  const auto in = detail::unwrap_input(env, left);
  const auto other = detail::unwrap_input(env, right);
  return detail::zipped_items<std::remove_cv_t<decltype(in)>, std::remove_cv_t<decltype(other)>, Map>{
      in, other, detail::is_aligned(in), detail::is_aligned(other), map};
}

//! Calls `reduce(input, inputs, op)` with `items` >= 1 terms and the operator as the reduction takes them.
template <class Accum, class Terms, class Op, class Reduce>
auto with_input_of_terms(const Terms& terms, std::uint64_t items, const Op& given, Reduce reduce)
{
  const auto op = detail::rounding_alike<Accum>(given);
  using taken = std::remove_const_t<decltype(op)>;
  if constexpr (detail::is_known_commutative_v<taken, Accum>)
  {
    return reduce(detail::mapped_vector_input<Accum, Terms, taken>{terms}, items, op);
  }
  else
  {
    const detail::vector_fold_source<Accum, Terms, taken> source{terms, items, op};
    return reduce(detail::indexed_input<detail::vector_fold_source<Accum, Terms, taken>>(source), source.vectors(), op);
  }
}

//! init ⊕ `items` >= 1 terms, folded in Accum; waits for it. Part of a call. Of `Kernels` only exact sums are different.
template <class Accum, class Kernels = kernels::standard, class Environment, class Terms, class T, class Op>
T reduce_terms(const Environment& env, const Terms& terms, std::uint64_t items, T init, Op op)
{
  if constexpr (needs_exact_sum<Kernels, Accum, Op>())
  {
    return exact_sum<Accum>(env, terms, items, init);
  }
  else
  {
    return with_input_of_terms<Accum>(
        terms, items, op,
        [&](const auto& input, std::uint64_t inputs, const auto& taken)
        { return detail::reduce_n<Accum>(env, input, inputs, detail::init_value<T>{init}, taken); });
  }
}

//! Enqueues the store of init ⊕ `items` >= 1 terms, folded in Accum, or measures it. Part of a call. `result` is what
//! kernels take.
template <class Accum, class Environment, class Terms, class Init, class Op, class Result>
void enqueue_reduce_terms(const Environment& env, const Terms& terms, std::uint64_t items, Init init, Op op, Result result)
{
  with_input_of_terms<Accum>(terms, items, op,
                             [&](const auto& input, std::uint64_t inputs, const auto& taken)
                             { detail::enqueue_reduce_to<Accum>(env, input, inputs, init, taken, result); });
}

//! A user's functor as the map of terms, which gets the item's index, too.
template <class Map>
struct unary_term
{
  Map map;

  template <class T>
  REHEAT_DEVICE decltype(auto) operator()(const T& item, std::uint64_t)
  {
    return map(item);
  }
};

//! A public call on Items: returns init ⊕ the terms of `make_terms()`, which is called only if there are items. Of none it
//! returns `init`, after a wait for the stream. `alternative` says what can be captured.
template <class Accum, class Item, class Kernels = kernels::standard, class Environment, class MakeTerms, class T, class Op>
T reduce_made_terms(const Environment& env, std::uint64_t items, MakeTerms make_terms, T init, Op op,
                    const char* alternative = "")
{
  return return_from_device<Item>(env, items, alternative,
                                  [&]
                                  {
                                    if (items == 0)
                                    {
                                      runtime::synchronize(env);
                                      return init;
                                    }
                                    return reduce_terms<Accum, Kernels>(env, make_terms(), items, init, op);
                                  });
}

//! Returns init ⊕ map(in[0]) ⊕ …, folded in Accum.
template <class Accum, class Kernels = kernels::standard, class Environment, class InputIt, class Map, class T, class Op>
T transform_reduce(const Environment& env, InputIt in, std::uint64_t items, Map map, T init, Op op)
{
  return reduce_made_terms<Accum, detail::value_of<InputIt>, Kernels>(
      env, items, [&] { return mapped_items_of(env, in, unary_term<Map>{map}); }, init, op);
}

//! *out = init ⊕ map(in[0]) ⊕ …, folded in Accum, and `init` of no items. As reduce_into.
template <class Accum, class Environment, class InputIt, class OutputIt, class Map, class Init, class Op>
void transform_reduce_into(const Environment& env, InputIt in, std::uint64_t items, OutputIt out, Map map, Init init, Op op)
{
  enqueue_and_maybe_wait<detail::value_of<InputIt>>(
      env, items,
      [&]
      {
        const auto output = detail::unwrap(env, out);
        if (items == 0)
        {
          enqueue_store_to(env, output, init);
          return;
        }
        const auto terms = mapped_items_of(env, in, unary_term<Map>{map});
        detail::with_result_of<typename Init::type>(output, [&](auto result)
                                                    { enqueue_reduce_terms<Accum>(env, terms, items, init, op, result); });
      });
}

//! Returns init ⊕ product(left[0], right[0]) ⊕ …, folded in Accum.
template <class Accum, class Kernels = kernels::standard, class Environment, class LeftIt, class RightIt, class T, class Op,
          class Product>
T inner_product(const Environment& env, LeftIt left, RightIt right, std::uint64_t items, T init, Op op, Product product)
{
  return reduce_made_terms<Accum, detail::value_of<LeftIt>, Kernels>(
      env, items, [&] { return zipped_items_of(env, left, right, product); }, init, op);
}

} // namespace algorithms
REHEAT_NAMESPACE_END
