// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Runs of equal neighbours: their first items, and how many there are. `equal(previous, item)` is asked once about each
//! item and the one before it.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/algorithms/count.cuh>
#include <reheat/detail/algorithms/select.cuh>
#include <reheat/detail/algorithms/transform_reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/reduce/neighbour_terms.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/scan/dispatch.cuh>
#include <reheat/detail/select/run_starts.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/detail/select/unique.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! What moves along with the items, as kernels take it.
template <class Environment, class ValueIt>
auto unwrap_values(const Environment& env, ValueIt values)
{
  return detail::unwrap_input(env, values);
}
template <class Environment>
detail::no_values unwrap_values(const Environment&, detail::no_values none)
{
  return none;
}

//! An output as kernels take it. It begins where the input begins if both are pointers to one place, or if the caller says
//! so.
template <class Environment, class InputIt, class OutputIt>
auto unique_output_of(const Environment& env, const InputIt& in, OutputIt out, bool in_place)
{
  const auto output = detail::unwrap(env, out);
  using output_type = std::remove_cv_t<decltype(output)>;
  bool same = in_place;
  if constexpr (std::is_pointer_v<InputIt> && std::is_pointer_v<output_type>)
  {
    same = static_cast<const volatile void*>(in) == static_cast<const volatile void*>(output);
  }
  return detail::unique_output<output_type>{output, same};
}
template <class Environment>
auto unique_output_of(const Environment&, detail::no_values, detail::no_values none, bool)
{
  return detail::unique_output<detail::no_values>{none, false};
}

//! Enqueues the stores of what begins runs, and of their number to `count_out`; items >= 1. Part of a call.
template <class Environment, class InputIt, class ValueIt, class OutputIt, class ValueOutputIt, class CountIt, class Equal>
void enqueue_unique(const Environment& env, InputIt in, ValueIt values, OutputIt out, ValueOutputIt values_out,
                    CountIt count_out, std::uint64_t items, Equal equal, bool in_place)
{
  const auto input = detail::unwrap_input(env, in);
  const auto value_input = unwrap_values(env, values);
  const auto output = unique_output_of(env, input, out, in_place);
  const auto value_output = unique_output_of(env, value_input, values_out, in_place);
  using source = detail::run_source<std::remove_cv_t<decltype(input)>, std::remove_cv_t<decltype(value_input)>, Equal>;
  using sink = detail::unique_sink<decltype(output.out), decltype(value_output.out), CountIt>;
  detail::enqueue_scan<detail::scan_kind::inclusive>(env, source{input, value_input, equal},
                                                     sink{output, value_output, count_out}, items, detail::add_selected{},
                                                     detail::scan_without_init<detail::selected_count>{});
}

//! Stores the first item of each run from `out` on, and its value from `values_out` on, and returns how many there are;
//! items >= 1. Values and their output are no_values where items move alone. An output may begin where its input begins. If
//! it does and is no pointer, `in_place` says so. Nothing is stored behind the last of them.
template <class Environment, class InputIt, class ValueIt, class OutputIt, class ValueOutputIt, class Equal>
std::uint64_t unique(const Environment& env, InputIt in, ValueIt values, OutputIt out, ValueOutputIt values_out,
                     std::uint64_t items, Equal equal, bool in_place)
{
  return return_from_device<detail::value_of<InputIt>>(
      env, items, number_into,
      [&]
      {
        return runtime::result_on_host<std::uint64_t, runtime::result_wait::synchronize>(
            env,
            [&](std::uint64_t* runs) { enqueue_unique(env, in, values, out, values_out, runs, items, equal, in_place); });
      });
}

//! The same, with the number of runs stored to `count_out`. Of no items that is 0, and nothing else is stored.
template <class Environment, class InputIt, class ValueIt, class OutputIt, class ValueOutputIt, class CountIt, class Equal>
void unique_into(const Environment& env, InputIt in, ValueIt values, OutputIt out, ValueOutputIt values_out,
                 CountIt count_out, std::uint64_t items, Equal equal, bool in_place)
{
  enqueue_with_count<detail::value_of<InputIt>>(
      env, count_out, items,
      [&](auto count_output) { enqueue_unique(env, in, values, out, values_out, count_output, items, equal, in_place); });
}

//! One for two neighbours between which a run ends, else zero.
template <class Equal>
struct run_end_term
{
  Equal equal;

  template <class T>
  REHEAT_DEVICE unsigned operator()(const T& previous, const T& item)
  {
    return equal(previous, item) ? 0u : 1u;
  }
};

//! Returns how many runs there are; items >= 1. Nothing is stored, so it is a sum over pairs of neighbours, which takes less
//! time than a scan.
template <class Environment, class InputIt, class Equal>
std::uint64_t unique_count(const Environment& env, InputIt in, std::uint64_t items, Equal equal)
{
  return return_from_device<detail::value_of<InputIt>>(
      env, items, "; reheat::unique_copy_into to a discard_iterator leaves the number on the device",
      [&]
      {
        if (items == 1)
        {
          runtime::synchronize(env); // as of a range without items: the call waits for earlier work
          return std::uint64_t{1};
        }
        const auto input = detail::unwrap_input(env, in);
        using terms = detail::neighbour_terms<std::remove_cv_t<decltype(input)>, run_end_term<Equal>>;
        return reduce_terms<std::uint64_t>(env, terms{input, detail::is_aligned(input), {equal}}, items - 1,
                                           std::uint64_t{1}, detail::add_hits{});
      });
}

} // namespace algorithms
REHEAT_NAMESPACE_END
