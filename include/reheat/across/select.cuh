// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::copy_if_across`, `remove_copy_if_across`, and the same with `_into`.
//!
//! Each rank copies the selected items of its part, in their order, to an output of its own. Those of all ranks, in the
//! order of ranks, are what one call on all parts copies. (`thrust::copy_if` and `thrust::remove_copy_if` across ranks do
//! the same without an exchange: across/local.cuh.) These calls say in addition where the rank's copies are among those of
//! all ranks. With a stencil, the predicate is asked about the stencil's items. It is asked once about each. Nothing behind
//! the copies is written. The output may begin where the input begins; otherwise it overlaps no input. A range that ends
//! before it begins has no items.
#pragma once

#include <reheat/across/policy.cuh>
#include <reheat/across/reduce.cuh>
#include <reheat/detail/across/call.cuh>
#include <reheat/detail/algorithms/count.cuh>
#include <reheat/detail/algorithms/select.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/environment.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN

//! What a selection across ranks returns.
template <class OutputIt>
struct selection_across
{
  OutputIt end;               //!< of this rank's copies
  std::uint64_t global_index; //!< of this rank's first copy among those of all ranks
  std::uint64_t total;        //!< copies of all ranks
};

namespace thrust_backend
{
namespace calls
{

//! Takes a rank's place to the host. It waits for the stream, since outputs may be written behind the place.
struct place_to_host
{
  static constexpr bool returns_value = true;

  template <class Call, class Enqueue>
  library::place_across operator()(Call& call, Enqueue enqueue) const
  {
    return call.template return_to_host<library::place_across>(enqueue);
  }
};
//! Leaves it in device memory.
struct place_to_device
{
  static constexpr bool returns_value = false;
  library::place_across* place;

  template <class Call, class Enqueue>
  void operator()(Call& call, Enqueue enqueue) const
  {
    call.leave_on_device([&] { enqueue(place); });
  }
};

template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate, class Take>
auto select_across(const caller_across& caller, across_policy<Derived>& exec, InputIt first, InputIt last, StencilIt stencil,
                   OutputIt result, Predicate predicate, Take take)
{
  const auto env = environment_across(caller, exec);
  const std::uint64_t items = items_or_none(first, last);
  return call_across_ranks<std::uint64_t, detail::value_of<InputIt>>(
      env, across_of(exec).ranks(), caller, Take::returns_value, 0, items, [&] { return items; },
      [&](auto& call, std::uint64_t)
      {
        if (items == 0)
        {
          call.store_absent(0);
          return;
        }
        algorithms::enqueue_select(env, first, stencil, result, detail::count_record{call.result(items)}, items, predicate);
      },
      [&](auto& call, const auto& gathered)
      {
        return take(call,
                    [&](library::place_across* place) {
                      runtime::launch(env, call.one_warp, &detail::place_kernel<detail::add_hits>, gathered,
                                      detail::add_hits{}, place);
                    });
      });
}

//! The public calls.
template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate>
selection_across<OutputIt> returned_selection(const caller_across& caller, const across_policy<Derived>& policy,
                                              InputIt first, InputIt last, StencilIt stencil, OutputIt result,
                                              Predicate predicate)
{
  const library::place_across place = select_across(caller, const_cast<across_policy<Derived>&>(policy), first, last,
                                                    stencil, result, predicate, place_to_host{});
  return {advanced(result, place.count), place.global_index, place.total};
}
template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate>
void selection_into(const caller_across& caller, const across_policy<Derived>& policy, InputIt first, InputIt last,
                    StencilIt stencil, OutputIt result, Predicate predicate, library::place_across* place)
{
  select_across(caller, const_cast<across_policy<Derived>&>(policy), first, last, stencil, result, predicate,
                place_to_device{place});
}

inline caller_across copy_if_caller()
{
  return {"reheat::copy_if_across", library::call_across::copy_if};
}
inline caller_across copy_if_into_caller()
{
  return {"reheat::copy_if_across_into", library::call_across::copy_if_into};
}
inline caller_across remove_copy_if_caller()
{
  return {"reheat::remove_copy_if_across", library::call_across::remove_copy_if};
}
inline caller_across remove_copy_if_into_caller()
{
  return {"reheat::remove_copy_if_across_into", library::call_across::remove_copy_if_into};
}

} // namespace calls
} // namespace thrust_backend

//! Copies the items that the predicate selects; waits for the stream, whatever the policy.
template <class Derived, class InputIt, class OutputIt, class Predicate>
selection_across<OutputIt> copy_if_across(const thrust_backend::across_policy<Derived>& policy, InputIt first, InputIt last,
                                          OutputIt result, Predicate predicate)
{
  namespace calls = thrust_backend::calls;
  return calls::returned_selection(calls::copy_if_caller(), policy, first, last, detail::no_stencil{}, result, predicate);
}
template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate>
selection_across<OutputIt> copy_if_across(const thrust_backend::across_policy<Derived>& policy, InputIt first, InputIt last,
                                          StencilIt stencil, OutputIt result, Predicate predicate)
{
  namespace calls = thrust_backend::calls;
  return calls::returned_selection(calls::copy_if_caller(), policy, first, last, stencil, result, predicate);
}

//! Copies the items that the predicate rejects; waits for the stream, whatever the policy.
template <class Derived, class InputIt, class OutputIt, class Predicate>
selection_across<OutputIt> remove_copy_if_across(const thrust_backend::across_policy<Derived>& policy, InputIt first,
                                                 InputIt last, OutputIt result, Predicate predicate)
{
  namespace calls = thrust_backend::calls;
  return calls::returned_selection(calls::remove_copy_if_caller(), policy, first, last, detail::no_stencil{}, result,
                                   detail::rejected_by<Predicate>{predicate});
}
template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate>
selection_across<OutputIt> remove_copy_if_across(const thrust_backend::across_policy<Derived>& policy, InputIt first,
                                                 InputIt last, StencilIt stencil, OutputIt result, Predicate predicate)
{
  namespace calls = thrust_backend::calls;
  return calls::returned_selection(calls::remove_copy_if_caller(), policy, first, last, stencil, result,
                                   detail::rejected_by<Predicate>{predicate});
}

//! The same calls, which leave the place of the rank's copies in *place, in device memory. They wait for the stream as scans
//! do: under `par`, not under `par_nosync`, where an engine that can be captured takes them into a graph.
template <class Derived, class InputIt, class OutputIt, class Predicate>
void copy_if_across_into(const thrust_backend::across_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result,
                         Predicate predicate, place_across* place)
{
  namespace calls = thrust_backend::calls;
  calls::selection_into(calls::copy_if_into_caller(), policy, first, last, detail::no_stencil{}, result, predicate, place);
}
template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate>
void copy_if_across_into(const thrust_backend::across_policy<Derived>& policy, InputIt first, InputIt last,
                         StencilIt stencil, OutputIt result, Predicate predicate, place_across* place)
{
  namespace calls = thrust_backend::calls;
  calls::selection_into(calls::copy_if_into_caller(), policy, first, last, stencil, result, predicate, place);
}
template <class Derived, class InputIt, class OutputIt, class Predicate>
void remove_copy_if_across_into(const thrust_backend::across_policy<Derived>& policy, InputIt first, InputIt last,
                                OutputIt result, Predicate predicate, place_across* place)
{
  namespace calls = thrust_backend::calls;
  calls::selection_into(calls::remove_copy_if_into_caller(), policy, first, last, detail::no_stencil{}, result,
                        detail::rejected_by<Predicate>{predicate}, place);
}
template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate>
void remove_copy_if_across_into(const thrust_backend::across_policy<Derived>& policy, InputIt first, InputIt last,
                                StencilIt stencil, OutputIt result, Predicate predicate, place_across* place)
{
  namespace calls = thrust_backend::calls;
  calls::selection_into(calls::remove_copy_if_into_caller(), policy, first, last, stencil, result,
                        detail::rejected_by<Predicate>{predicate}, place);
}

REHEAT_NAMESPACE_END
