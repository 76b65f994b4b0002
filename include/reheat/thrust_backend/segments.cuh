// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How calls of reheat's own name the segments of a range.
#pragma once

#include <reheat/detail/algorithms/reduce.cuh>
#include <reheat/detail/algorithms/search.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN

//! Segments of one size, one behind the other, such as the rows of a matrix.
struct equal_segments
{
  std::uint64_t segments;
  std::uint64_t size; //!< the items of each
};

namespace thrust_backend
{
namespace calls
{

//! What a reduction or an inclusive scan of segments from a T accumulates in: as thrust::reduce and
//! thrust::inclusive_scan.
template <class Op, class T, class InputIt>
using segment_accum = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Op, T, detail::value_of<InputIt>>>;

//! The ends of segments between offsets that do not descend.
template <class Environment, class OffsetIt>
auto ends_behind(const Environment& env, OffsetIt offsets)
{
  const auto begins = detail::unwrap_input(env, offsets);
  using iterator = std::remove_const_t<decltype(begins)>;
  return detail::adjacent_ends<iterator, iterator>{begins, begins + 1};
}

//! The operator of a reduction that gives the last item.
struct keep_last
{
  template <class T>
  REHEAT_DEVICE T operator()(const T&, const T& y) const
  {
    return y;
  }
};
//! An offset, on the host.
template <class Environment, class OffsetIt>
auto offset_at(const Environment& env, OffsetIt offsets, std::uint64_t index)
{
  using offset = detail::value_of<OffsetIt>;
  return algorithms::reduce<offset>(env, advanced(offsets, index), 1, offset{}, keep_last{});
}
//! Throws std::runtime_error if an offset is smaller than the one before it. Waits.
template <class Environment, class OffsetIt>
void refuse_descent(const Environment& env, OffsetIt offsets, std::uint64_t count)
{
  runtime::refuse_capture(env, "a call that checks its offsets waits for its stream, which can not be captured into a graph",
                          "; take a policy without reheat::check_offsets");
  const std::uint64_t at = algorithms::is_sorted_until(env, offsets, count, ::cuda::std::less<>{});
  if (at < count)
  {
    const std::string before = std::to_string(at - 1);
    throw std::runtime_error(std::string(env.caller) + ": offset " + std::to_string(at) + " is " +
                             std::to_string(offset_at(env, offsets, at)) + ", smaller than offset " + before +
                             ", which is " + std::to_string(offset_at(env, offsets, at - 1)) + ": segment " + before +
                             " ends before it begins; pass offsets that do not descend");
  }
}

//! Throws std::runtime_error if `items` items from out[first] on overlap the offsets of `segments` segments, both in memory.
template <class Environment, class OffsetIt, class OutputIt>
void refuse_output_on_offsets(const Environment& env, OffsetIt offsets, std::uint64_t segments, OutputIt out,
                              std::uint64_t first, std::uint64_t items)
{
  const auto at = detail::unwrap_input(env, offsets);
  const auto output = detail::unwrap(env, out);
  if constexpr (std::is_pointer_v<std::remove_const_t<decltype(at)>> &&
                std::is_pointer_v<std::remove_const_t<decltype(output)>>)
  {
    const std::less<const volatile void*> lies_before;
    if (lies_before(at, output + first + items) && lies_before(output + first, at + segments + 1))
    {
      throw std::runtime_error(std::string(env.caller) + ": the output overlaps the offsets, which are read while it is "
                                                         "stored; pass other memory for one of them");
    }
  }
}

//! Whether calls under a policy may look at offsets.
#if defined(REHEAT_CHECK_OFFSETS)
template <class Derived>
inline constexpr bool may_check_offsets_v = true;
#else
template <class Derived>
inline constexpr bool may_check_offsets_v = Derived::option::checks_offsets;
#endif
//! Whether this call looks at them. For REHEAT_CHECK_OFFSETS none does that is being captured, because it would wait; under
//! a policy with reheat::check_offsets such a call is refused.
template <class Derived, class Environment>
bool checks_offsets(const Environment& env)
{
  return Derived::option::checks_offsets || !runtime::is_captured(env);
}

//! refuse_output_on_offsets for a result of each segment, if offsets are checked.
template <class Derived, class Environment, class OffsetIt, class OutputIt>
void check_results(const execution_policy<Derived>&, const Environment& env, OffsetIt offsets, std::uint64_t segments,
                   OutputIt out)
{
  if constexpr (may_check_offsets_v<Derived>)
  {
    if (checks_offsets<Derived>(env))
    {
      refuse_output_on_offsets(env, offsets, segments, out, 0, segments);
    }
  }
}
//! The same for a result of each item.
template <class Derived, class Environment, class OffsetIt, class OutputIt>
void check_item_results(const execution_policy<Derived>&, const Environment& env, OffsetIt offsets, std::uint64_t segments,
                        OutputIt out)
{
  if constexpr (may_check_offsets_v<Derived>)
  {
    if (checks_offsets<Derived>(env))
    {
      const auto first = static_cast<std::uint64_t>(offset_at(env, offsets, 0));
      const auto last = static_cast<std::uint64_t>(offset_at(env, offsets, segments));
      refuse_output_on_offsets(env, offsets, segments, out, first, last - first);
    }
  }
}

//! How many segments lie between offsets, which are looked at if offsets are checked.
template <class Derived, class Environment, class OffsetIt>
std::uint64_t number_of_segments(const execution_policy<Derived>&, const Environment& env, OffsetIt offsets_first,
                                 OffsetIt offsets_last)
{
  const std::uint64_t offsets = items_of(env, offsets_first, offsets_last);
  if constexpr (may_check_offsets_v<Derived>)
  {
    if (checks_offsets<Derived>(env))
    {
      refuse_descent(env, offsets_first, offsets);
    }
  }
  return offsets == 0 ? 0 : offsets - 1;
}

} // namespace calls
} // namespace thrust_backend

REHEAT_NAMESPACE_END
