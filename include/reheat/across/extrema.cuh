// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Extrema across ranks: `thrust::min_element`, `max_element` and `minmax_element`, and calls that tell the place among all
//! items: `reheat::min_element_across`, `max_element_across` and `minmax_element_across`.
//!
//! Of equivalent items the first one in the order of ranks is found. Thrust's calls return an iterator on the rank that has
//! the item, and `last` on all others. The calls wait for their stream, whatever the policy.
#pragma once

#include <reheat/across/policy.cuh>
#include <reheat/across/reduce.cuh>
#include <reheat/detail/across/call.cuh>
#include <reheat/detail/algorithms/transform_reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/extremum.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/environment.cuh>

#include <cuda/std/functional>
#include <cuda/std/utility>

#include <cstdint>
#include <optional>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN

//! Where an extremum is.
template <class T>
struct element_across
{
  int rank;                   //!< that has it
  std::uint64_t index;        //!< in the part of that rank
  std::uint64_t global_index; //!< among the items of all ranks, in the order of ranks
  T value;
};
//! Both extrema.
template <class T>
struct elements_across
{
  element_across<T> min, max;
};

namespace thrust_backend
{
namespace calls
{

//! The fold of candidates of all ranks, by `keep` on each, and by `keep_first` between them. `Candidate` is what an item
//! becomes by `to_candidate`.
template <class Candidate, class Fold, class Derived, class InputIt, class ToCandidate, class Keep, class KeepFirst>
typename Fold::type extremum_across(const caller_across& caller, across_policy<Derived>& exec, InputIt first, InputIt last,
                                    ToCandidate to_candidate, Keep keep, KeepFirst keep_first)
{
  using place = typename Fold::type;
  const auto env = environment_across(caller, exec);
  return call_across_ranks<Candidate, detail::value_of<InputIt>>(
      env, across_of(exec).ranks(), caller, true, 0, items_or_none(first, last), [&] { return items_of(env, first, last); },
      [&](auto& call, std::uint64_t items)
      {
        enqueue_record_of_terms(
            call, [&] { return algorithms::mapped_items_of(env, first, to_candidate); }, items,
            detail::no_initial_value<Candidate>{}, keep);
      },
      [&](auto& call, const auto& gathered)
      { return to_host<place>()(call, [&](auto result) { call.fold(gathered, Fold{}, keep_first, result); }); });
}

template <template <class> class Keep, template <class> class KeepFirst, class Derived, class InputIt, class Less>
auto one_extremum(const caller_across& caller, across_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  using value = detail::value_of<InputIt>;
  return extremum_across<detail::candidate<value>, detail::folded_place<value>>(
      caller, exec, first, last, detail::to_candidate<value>{}, Keep<Less>{less}, KeepFirst<Less>{less});
}
template <class Derived, class InputIt, class Less>
auto both_extrema(const caller_across& caller, across_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  using value = detail::value_of<InputIt>;
  return extremum_across<detail::candidates<value>, detail::folded_places<value>>(
      caller, exec, first, last, detail::to_candidates<value>{}, detail::keep_both<Less>{less},
      detail::keep_first_of_both<Less>{less});
}

//! The iterator on this rank.
template <class Derived, class InputIt, class T>
InputIt iterator_of(across_policy<Derived>& exec, InputIt first, InputIt last, const detail::place_among_ranks<T>& found)
{
  return found.rank == across_of(exec).ranks().rank() ? advanced(first, found.index) : last;
}
template <class T>
element_across<T> element_of(const detail::place_among_ranks<T>& found)
{
  return {static_cast<int>(found.rank), found.index, found.global_index, found.value.value};
}

template <class Derived, class InputIt, class Less>
InputIt min_element(across_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  return iterator_of(exec, first, last,
                     one_extremum<detail::keep_smallest, detail::keep_first_smallest>(runtime::algorithm::min_element, exec,
                                                                                      first, last, less));
}
template <class Derived, class InputIt, class Less>
InputIt max_element(across_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  return iterator_of(exec, first, last,
                     one_extremum<detail::keep_largest, detail::keep_first_largest>(runtime::algorithm::max_element, exec,
                                                                                    first, last, less));
}
template <class Derived, class InputIt, class Less>
::cuda::std::pair<InputIt, InputIt> minmax_element(across_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  const auto found = both_extrema(runtime::algorithm::minmax_element, exec, first, last, less);
  return {iterator_of(exec, first, last, found.smallest), iterator_of(exec, first, last, found.largest)};
}

} // namespace calls

template <class Derived, class InputIt>
InputIt min_element(across_policy<Derived>& exec, InputIt first, InputIt last)
{
  return calls::min_element(exec, first, last, ::cuda::std::less<detail::value_of<InputIt>>{});
}
template <class Derived, class InputIt, class Less>
InputIt min_element(across_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  return calls::min_element(exec, first, last, less);
}
template <class Derived, class InputIt>
InputIt max_element(across_policy<Derived>& exec, InputIt first, InputIt last)
{
  return calls::max_element(exec, first, last, ::cuda::std::less<detail::value_of<InputIt>>{});
}
template <class Derived, class InputIt, class Less>
InputIt max_element(across_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  return calls::max_element(exec, first, last, less);
}
template <class Derived, class InputIt>
::cuda::std::pair<InputIt, InputIt> minmax_element(across_policy<Derived>& exec, InputIt first, InputIt last)
{
  return calls::minmax_element(exec, first, last, ::cuda::std::less<detail::value_of<InputIt>>{});
}
template <class Derived, class InputIt, class Less>
::cuda::std::pair<InputIt, InputIt> minmax_element(across_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  return calls::minmax_element(exec, first, last, less);
}

} // namespace thrust_backend

//! The place of the smallest item of all ranks, the same on every rank; nothing if no rank has an item. `less` is a strict
//! weak order, by default that of the items.
template <class Derived, class InputIt, class Less = ::cuda::std::less<detail::value_of<InputIt>>>
std::optional<element_across<detail::value_of<InputIt>>>
min_element_across(const thrust_backend::across_policy<Derived>& policy, InputIt first, InputIt last, Less less = {})
{
  namespace calls = thrust_backend::calls;
  const auto found = calls::one_extremum<detail::keep_smallest, detail::keep_first_smallest>(
      calls::caller_across("reheat::min_element_across", library::call_across::min_element),
      const_cast<thrust_backend::across_policy<Derived>&>(policy), first, last, less);
  return found.rank < 0 ? std::nullopt : std::make_optional(calls::element_of(found));
}
//! The same of the largest item.
template <class Derived, class InputIt, class Less = ::cuda::std::less<detail::value_of<InputIt>>>
std::optional<element_across<detail::value_of<InputIt>>>
max_element_across(const thrust_backend::across_policy<Derived>& policy, InputIt first, InputIt last, Less less = {})
{
  namespace calls = thrust_backend::calls;
  const auto found = calls::one_extremum<detail::keep_largest, detail::keep_first_largest>(
      calls::caller_across("reheat::max_element_across", library::call_across::max_element),
      const_cast<thrust_backend::across_policy<Derived>&>(policy), first, last, less);
  return found.rank < 0 ? std::nullopt : std::make_optional(calls::element_of(found));
}
//! The same of both, in one pass.
template <class Derived, class InputIt, class Less = ::cuda::std::less<detail::value_of<InputIt>>>
std::optional<elements_across<detail::value_of<InputIt>>>
minmax_element_across(const thrust_backend::across_policy<Derived>& policy, InputIt first, InputIt last, Less less = {})
{
  namespace calls = thrust_backend::calls;
  using value = detail::value_of<InputIt>;
  const auto found =
      calls::both_extrema(calls::caller_across("reheat::minmax_element_across", library::call_across::minmax_element),
                          const_cast<thrust_backend::across_policy<Derived>&>(policy), first, last, less);
  return found.smallest.rank < 0 ? std::nullopt
                                 : std::make_optional(elements_across<value>{calls::element_of(found.smallest),
                                                                             calls::element_of(found.largest)});
}

REHEAT_NAMESPACE_END
