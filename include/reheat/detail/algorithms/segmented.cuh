// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of segments that offsets cut from a range.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/segmented/dispatch.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/results.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! out[s] = init ⊕ the items of segment s, folded in Accum, for `segments` segments; init if it has none. `ends` says where
//! segments end (segmented/ends.cuh); its iterators are unwrapped.
template <class Accum, class Environment, class InputIt, class Ends, class OutputIt, class T, class Op>
void segmented_reduce(const Environment& env, InputIt in, std::uint64_t segments, Ends ends, OutputIt out, T init, Op op)
{
  enqueue_and_maybe_wait<detail::value_of<InputIt>>(
      env, segments,
      [&]
      {
        if (segments == 0)
        {
          return;
        }
        const auto output = detail::unwrap(env, out);
        using sink = detail::segment_folds<std::remove_cv_t<decltype(output)>, T, Op>;
        detail::enqueue_segmented_reduce<Accum>(env, detail::unwrap_input(env, in), segments, ends, op,
                                                sink{output, init, op});
      });
}

} // namespace algorithms
REHEAT_NAMESPACE_END
