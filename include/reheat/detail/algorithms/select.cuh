// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Selections: the items that a predicate selects, in their order. It is asked about the items, or about those at the same
//! places of a stencil, once about each.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/scan/dispatch.cuh>
#include <reheat/detail/select/collective.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/detail/select/zipped.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/thrust_compat.cuh>

#include <cuda/std/tuple>

#include <cstdint>
#include <type_traits>
#include <utility>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! The stencil as kernels take it.
template <class Environment, class StencilIt>
auto unwrap_stencil(const Environment& env, StencilIt stencil)
{
  return detail::unwrap_input(env, stencil);
}
template <class Environment>
detail::no_stencil unwrap_stencil(const Environment&, detail::no_stencil none)
{
  return none;
}

//! Whether kernels move the items at a pointer as an array.
template <class It>
inline constexpr bool is_array_v = false;
template <class T>
inline constexpr bool is_array_v<T*> = !std::is_volatile_v<T> && detail::is_bitwise_copyable_v<T>;

//! A zip_iterator as kernels take it: its arrays if `unwrap` makes each of its iterators a pointer, else itself.
template <class Unwrap, class... It>
auto unwrap_zip(THRUST_NS_QUALIFIER::zip_iterator<::cuda::std::tuple<It...>> zip, Unwrap unwrap)
{
  if constexpr ((is_array_v<decltype(unwrap(std::declval<It>()))> && ...))
  {
    using arrays = ::cuda::std::tuple<decltype(unwrap(std::declval<It>()))...>;
    using zipped = THRUST_NS_QUALIFIER::zip_iterator<arrays>;
    return detail::zipped_pointers<zipped>(
        zipped(::cuda::std::apply([&](const It&... each) { return arrays(unwrap(each)...); }, zip.get_iterator_tuple())));
  }
  else
  {
    return zip;
  }
}
//! An input of a selection as kernels take it.
template <class Environment, class It>
auto unwrap_items(const Environment& env, It in)
{
  return detail::unwrap_input(env, in);
}
template <class Environment, class... It>
auto unwrap_items(const Environment& env, THRUST_NS_QUALIFIER::zip_iterator<::cuda::std::tuple<It...>> in)
{
  return unwrap_zip(in, [&](const auto& each) { return detail::unwrap_input(env, each); });
}
//! The same of an output.
template <class Environment, class It>
auto unwrap_output(const Environment& env, It out)
{
  return detail::unwrap(env, out);
}
template <class Environment, class... It>
auto unwrap_output(const Environment& env, THRUST_NS_QUALIFIER::zip_iterator<::cuda::std::tuple<It...>> out)
{
  return unwrap_zip(out, [&](const auto& each) { return detail::unwrap(env, each); });
}

//! Enqueues the stores of the selected items, and of their number to `count_out`; items >= 1. Part of a call.
template <class Environment, class InputIt, class StencilIt, class OutputIt, class CountIt, class Predicate>
void enqueue_select(const Environment& env, InputIt in, StencilIt stencil, OutputIt out, CountIt count_out,
                    std::uint64_t items, Predicate predicate)
{
  const auto input = unwrap_items(env, in);
  const auto flags = unwrap_stencil(env, stencil);
  const auto output = unwrap_output(env, out);
  using source = detail::selection_source<std::remove_cv_t<decltype(input)>, std::remove_cv_t<decltype(flags)>, Predicate>;
  using sink = detail::selection_sink<std::remove_cv_t<decltype(output)>, CountIt>;
  detail::enqueue_scan<detail::scan_kind::inclusive>(env, source{input, flags, predicate}, sink{output, count_out}, items,
                                                     detail::add_selected{},
                                                     detail::scan_without_init<detail::selected_count>{});
}

//! Enqueues the store of the number of selected ones of no items, or measures it. `count_out` is what kernels take.
template <class Environment, class CountIt>
void enqueue_no_items_selected(const Environment& env, CountIt count_out)
{
  detail::enqueue_store_init(env, detail::assigned_result<CountIt>{count_out},
                             detail::init_value<detail::count_of<CountIt>>{0});
}

//! A whole call that leaves a number on the device: `enqueue(count_out as kernels take it)`, or of no items the store of 0.
template <class Item, class Environment, class CountIt, class Enqueue>
void enqueue_with_count(const Environment& env, CountIt count_out, std::uint64_t items, Enqueue enqueue)
{
  enqueue_and_maybe_wait<Item>(env, items,
                               [&]
                               {
                                 const auto count_output = detail::unwrap(env, count_out);
                                 if (items == 0)
                                 {
                                   enqueue_no_items_selected(env, count_output);
                                   return;
                                 }
                                 enqueue(count_output);
                               });
}

//! Stores the selected items from `out` on, and returns their number; items >= 1. `out` may be `in`. Nothing is stored
//! behind the last selected item.
template <class Environment, class InputIt, class StencilIt, class OutputIt, class Predicate>
std::uint64_t select(const Environment& env, InputIt in, StencilIt stencil, OutputIt out, std::uint64_t items,
                     Predicate predicate)
{
  return return_from_device<detail::value_of<InputIt>>(
      env, items, number_into,
      [&]
      {
        return runtime::result_on_host<std::uint64_t, runtime::result_wait::synchronize>(
            env, [&](std::uint64_t* selected) { enqueue_select(env, in, stencil, out, selected, items, predicate); });
      });
}

//! The same, with the number of selected items stored to `count_out`. Of no items that is 0, and nothing else is stored.
template <class Environment, class InputIt, class StencilIt, class OutputIt, class CountIt, class Predicate>
void select_into(const Environment& env, InputIt in, StencilIt stencil, OutputIt out, CountIt count_out, std::uint64_t items,
                 Predicate predicate)
{
  enqueue_with_count<detail::value_of<InputIt>>(env, count_out, items,
                                                [&](auto count_output)
                                                { enqueue_select(env, in, stencil, out, count_output, items, predicate); });
}

} // namespace algorithms
REHEAT_NAMESPACE_END
