// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans across ranks: `thrust::inclusive_scan`, `exclusive_scan`, `transform_inclusive_scan` and
//! `transform_exclusive_scan`.
//!
//! Each rank passes its part of the items, and gets its part of the result: that of one call on all parts, in the order of
//! ranks, one behind the other. The initial value is rank 0's, and stands once, before rank 0's items; those of other ranks
//! are ignored. Parts may have any number of items, also none. `result` may be `first`. Every rank but the last reads its
//! items twice. Types and waits are those of the calls on one GPU; the results of a rank are the same bits in every run.
#pragma once

#include <reheat/across/policy.cuh>
#include <reheat/across/reduce.cuh>
#include <reheat/detail/across/call.cuh>
#include <reheat/detail/algorithms/scan.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/indexed.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/scan/collectives/mapped.cuh>
#include <reheat/detail/scan/dispatch.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/rounded_plus.cuh>
#include <reheat/thrust_backend/accumulation.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/scan.cuh>
#include <reheat/thrust_backend/transform_scan.cuh>

#include <cuda/std/functional>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{
namespace calls
{

//! Where the record of a scan begins: a scan without an initial value has none.
template <class Accum>
detail::no_initial_value<Accum> start_of(const detail::scan_without_init<Accum>&)
{
  return {};
}
template <class Accum>
Accum start_of(const detail::scan_with_init<Accum>& init)
{
  return init.value;
}

template <detail::scan_kind Kind, bool Widens, detail::scan_association Association, class Environment, class InputIt,
          class OutputIt, class Op, class Init>
void enqueue_scan_of_part(const Environment& env, InputIt in, OutputIt out, std::uint64_t items, Op op, Init init)
{
  if constexpr (Widens && detail::widens_tiles_v<InputIt, OutputIt, typename Init::accum>)
  {
    detail::enqueue_widening_scan<Kind, Association>(env, in, out, items,
                                                     algorithms::operator_for<Association, typename Init::accum>(op), init);
  }
  else if constexpr (Association == detail::scan_association::v1)
  {
    detail::enqueue_scan<Kind, Association>(env, in, out, items, detail::rounding_alike<typename Init::accum>(op), init);
  }
  else
  {
    detail::enqueue_scan<Kind>(env, in, out, items, op, init);
  }
}

//! `make_input(env)` gives the input as the scan's kernels take it, `reduce(call, items, init)` enqueues the record.
template <detail::scan_kind Kind, bool Widens, class Item, class Derived, class InputIt, class OutputIt, class Op,
          class Init, class MakeInput, class Reduce>
OutputIt scan_across(runtime::algorithm which, across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                     Op op, Init init, MakeInput make_input, Reduce reduce)
{
  using accum = typename Init::accum;
  constexpr detail::scan_association association = check_scan<local_policy_of<Derived>, Op, accum>();
  const auto env = environment_across(which, exec);
  const std::uint64_t items = items_or_none(first, last);
  call_across_ranks<accum, Item>(
      env, across_of(exec).ranks(), which, false, sizeof(detail::scan_carry<accum>), items, [&] { return items; },
      [&](auto& call, std::uint64_t)
      {
        if (call.is_last())
        {
          call.store_absent(items);
        }
        else
        {
          reduce(call, items, start_of(init));
        }
      },
      [&](auto& call, const auto& gathered)
      {
        call.leave_on_device(
            [&]
            {
              runtime::launch(env, call.one_warp, &detail::carry_kernel<accum, Init, Op>, gathered, init, op, call.carry());
              if (items != 0)
              {
                enqueue_scan_of_part<Kind, Widens, association>(env, make_input(env), detail::unwrap(env, result), items, op,
                                                                detail::scan_with_carry<accum>{call.carry()});
              }
            });
      });
  return advanced(result, items);
}

template <detail::scan_kind Kind, class Derived, class InputIt, class OutputIt, class Op, class Init>
OutputIt scan(runtime::algorithm which, across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result, Op op,
              Init init)
{
  using local_policy = local_policy_of<Derived>;
  using how = accumulation_of<local_policy, typename Init::accum>;
  constexpr bool widens = !std::is_void_v<typename local_policy::option::accumulator>;
  const std::decay_t<decltype(how::functor(op))> taken = how::functor(op);
  return scan_across<Kind, widens, detail::value_of<InputIt>>(
      which, exec, first, last, result, taken, how::init(init),
      [&](const auto& env)
      {
        if constexpr (widens)
        {
          return detail::unwrap_input(env, first);
        }
        else
        {
          return algorithms::scan_input(env, first);
        }
      },
      [&](auto& call, std::uint64_t items, const auto& start)
      { enqueue_record_of_items(call, first, items, start, taken); });
}

//! An item as what a functor makes of it, converted to a Term.
template <class Map, class Term>
struct mapped_term
{
  Map map;

  template <class T>
  REHEAT_DEVICE Term operator()(const T& item, std::uint64_t)
  {
    return static_cast<Term>(map(item));
  }
};

template <detail::scan_kind Kind, class Term, class Derived, class InputIt, class OutputIt, class Map, class Op, class Init>
OutputIt transform_scan(runtime::algorithm which, across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                        Map map, Op op, Init init)
{
  using local_policy = local_policy_of<Derived>;
  using how = accumulation_of<local_policy, typename Init::accum>;
  using term = std::conditional_t<std::is_void_v<typename local_policy::option::accumulator>, Term, typename how::type>;
  const std::decay_t<decltype(how::functor(op))> taken = how::functor(op);
  return scan_across<Kind, false, detail::value_of<InputIt>>(
      which, exec, first, last, result, taken, how::init(init),
      [&](const auto& env)
      {
        const auto memory = detail::unwrap_input(env, first);
        using source = detail::mapped_source<std::remove_cv_t<decltype(memory)>, Map, term>;
        return detail::indexed_input<source>(source{memory, map});
      },
      [&](auto& call, std::uint64_t items, const auto& start)
      {
        enqueue_record_of_terms(
            call, [&] { return algorithms::mapped_items_of(call.env(), first, mapped_term<Map, term>{map}); }, items, start,
            taken);
      });
}

} // namespace calls

template <class Derived, class InputIt, class OutputIt>
OutputIt inclusive_scan(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result)
{
  using accum = detail::value_of<InputIt>;
  return calls::scan<detail::scan_kind::inclusive>(runtime::algorithm::inclusive_scan, exec, first, last, result,
                                                   ::cuda::std::plus<>{}, detail::scan_without_init<accum>{});
}
template <class Derived, class InputIt, class OutputIt, class Op>
OutputIt inclusive_scan(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result, Op op)
{
  using accum = detail::value_of<InputIt>;
  return calls::scan<detail::scan_kind::inclusive>(runtime::algorithm::inclusive_scan, exec, first, last, result, op,
                                                   detail::scan_without_init<accum>{});
}
template <class Derived, class InputIt, class OutputIt, class T, class Op>
OutputIt inclusive_scan(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result, T init, Op op)
{
  using accum = calls::accumulator_of<Op, T, detail::value_of<InputIt>>;
  return calls::scan<detail::scan_kind::inclusive>(runtime::algorithm::inclusive_scan, exec, first, last, result, op,
                                                   detail::scan_with_init<accum>{{accum(init)}});
}

template <class Derived, class InputIt, class OutputIt>
OutputIt exclusive_scan(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result)
{
  using accum = detail::value_of<InputIt>;
  return calls::scan<detail::scan_kind::exclusive>(runtime::algorithm::exclusive_scan, exec, first, last, result,
                                                   ::cuda::std::plus<>{}, detail::scan_with_init<accum>{{accum{}}});
}
template <class Derived, class InputIt, class OutputIt, class T>
OutputIt exclusive_scan(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result, T init)
{
  return calls::scan<detail::scan_kind::exclusive>(runtime::algorithm::exclusive_scan, exec, first, last, result,
                                                   ::cuda::std::plus<>{}, detail::scan_with_init<T>{{init}});
}
template <class Derived, class InputIt, class OutputIt, class T, class Op>
OutputIt exclusive_scan(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result, T init, Op op)
{
  return calls::scan<detail::scan_kind::exclusive>(runtime::algorithm::exclusive_scan, exec, first, last, result, op,
                                                   detail::scan_with_init<T>{{init}});
}

template <class Derived, class InputIt, class OutputIt, class Map, class Op>
OutputIt transform_inclusive_scan(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result, Map map, Op op)
{
  using term = calls::mapped_type<Map, detail::value_of<InputIt>>;
  return calls::transform_scan<detail::scan_kind::inclusive, term>(runtime::algorithm::transform_inclusive_scan, exec, first,
                                                                   last, result, map, op, detail::scan_without_init<term>{});
}
template <class Derived, class InputIt, class OutputIt, class Map, class T, class Op>
OutputIt transform_inclusive_scan(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result, Map map,
                                  T init, Op op)
{
  using term = calls::mapped_type<Map, detail::value_of<InputIt>>;
  using accum = calls::accumulator_of<Op, T, term>;
  return calls::transform_scan<detail::scan_kind::inclusive, term>(runtime::algorithm::transform_inclusive_scan, exec, first,
                                                                   last, result, map, op,
                                                                   detail::scan_with_init<accum>{{accum(init)}});
}
template <class Derived, class InputIt, class OutputIt, class Map, class T, class Op>
OutputIt transform_exclusive_scan(across_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result, Map map,
                                  T init, Op op)
{
  return calls::transform_scan<detail::scan_kind::exclusive, T>(runtime::algorithm::transform_exclusive_scan, exec, first,
                                                                last, result, map, op, detail::scan_with_init<T>{{init}});
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END
