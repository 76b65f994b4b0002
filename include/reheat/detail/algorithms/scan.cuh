// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan, plain and of what a functor makes of items. The operator is associative; operands keep their order.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/algorithms/reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/indexed.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/scan/collectives/mapped.cuh>
#include <reheat/detail/scan/dispatch.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/rounded_plus.cuh>
#include <reheat/detail/thrust_compat.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! As unwrap_input; and a transform_iterator over memory becomes an input whose full tiles move in bulk.
template <class Environment, class It>
auto scan_input(const Environment& env, It in)
{
  return detail::unwrap_input(env, in);
}
template <class Environment, class Map, class Base, class Reference, class Value>
auto scan_input(const Environment& env, THRUST_NS_QUALIFIER::transform_iterator<Map, Base, Reference, Value> in)
{
  const auto base = detail::unwrap_input(env, in.base());
  if constexpr (std::is_pointer_v<std::remove_cv_t<decltype(base)>>)
  {
    using source = detail::mapped_source<std::remove_cv_t<decltype(base)>, Map, detail::value_of<decltype(in)>>;
    return detail::indexed_input<source>(source{base, in.functor()});
  }
  else
  {
    return in;
  }
}

//! Nothing is stored for the total of an empty scan without an initial value.
template <class Environment, class Init>
void enqueue_total_of_nothing(const Environment&, const Init&)
{}
template <class Environment, class Init, class TotalIt>
void enqueue_total_of_nothing(const Environment& env, const detail::scan_storing_total<Init, TotalIt>& init)
{
  if constexpr (Init::present)
  {
    enqueue_store_to(env, init.total, static_cast<const Init&>(init));
  }
}

//! The operator as a scan of that association takes it.
template <detail::scan_association Association, class Accum, class Op>
auto operator_for(const Op& op)
{
  if constexpr (Association == detail::scan_association::v1)
  {
    return detail::rounding_alike<Accum>(op);
  }
  else
  {
    return op;
  }
}

//! out[i] = init ⊕ in[0] ⊕ … up to and with item i, or without it. `out` may be `in`. `Init` (scan/kind.cuh) names the
//! accumulator, the initial value and the output of the total. `Widens`: narrower items are converted tile by tile.
template <detail::scan_kind Kind, class Kernels = kernels::standard, bool Widens = false,
          detail::scan_association Association = detail::scan_association::tuned, class Environment, class InputIt,
          class OutputIt, class Op, class Init>
void scan(const Environment& env, InputIt in, OutputIt out, std::uint64_t items, Op op, Init init)
{
  enqueue_and_maybe_wait<detail::value_of<InputIt>>(
      env, items,
      [&]
      {
        if (items == 0)
        {
          enqueue_total_of_nothing(env, init);
        }
        else if constexpr (Widens && detail::widens_tiles_v<decltype(detail::unwrap_input(env, in)),
                                                            decltype(detail::unwrap(env, out)), typename Init::accum>)
        {
          detail::enqueue_widening_scan<Kind, Association>(env, detail::unwrap_input(env, in), detail::unwrap(env, out),
                                                           items, operator_for<Association, typename Init::accum>(op), init);
        }
        else if constexpr (Association == detail::scan_association::v1)
        {
          detail::enqueue_scan<Kind, Association>(env, scan_input(env, in), detail::unwrap(env, out), items,
                                                  operator_for<Association, typename Init::accum>(op), init);
        }
        else if constexpr (are_standard_v<Kernels>)
        {
          detail::enqueue_scan<Kind>(env, scan_input(env, in), detail::unwrap(env, out), items, op, init);
        }
        else
        {
          Kernels::template enqueue_scan<Kind>(env, detail::unwrap_input(env, in), detail::unwrap(env, out), items, op,
                                               init);
        }
      });
}

//! The scan of map(in[i]), each converted to Term.
template <detail::scan_kind Kind, class Term, detail::scan_association Association = detail::scan_association::tuned,
          class Environment, class InputIt, class OutputIt, class Map, class Op, class Init>
void transform_scan(const Environment& env, InputIt in, OutputIt out, std::uint64_t items, Map map, Op op, Init init)
{
  enqueue_and_maybe_wait<detail::value_of<InputIt>>(
      env, items,
      [&]
      {
        if (items == 0)
        {
          enqueue_total_of_nothing(env, init);
          return;
        }
        const auto memory = detail::unwrap_input(env, in);
        using source = detail::mapped_source<std::remove_cv_t<decltype(memory)>, Map, Term>;
        detail::enqueue_scan<Kind, Association>(env, detail::indexed_input<source>(source{memory, map}),
                                                detail::unwrap(env, out), items,
                                                operator_for<Association, typename Init::accum>(op), init);
      });
}

} // namespace algorithms
REHEAT_NAMESPACE_END
