// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The segmented reduction on the host: spans, scratch memory, launches.
#pragma once

#include <reheat/detail/call_workspace.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/segmented/each_kernel.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/kernel.cuh>
#include <reheat/detail/segmented/tuning.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Enqueues one launch of a reduction.
template <class Environment, class Kernel, class... Arguments>
void launch_segmented(const Environment& env, unsigned blocks, unsigned threads, std::size_t shared_bytes, Kernel kernel,
                      const Arguments&... arguments)
{
  runtime::prepare(kernel, threads, shared_bytes);
  runtime::launch(env, {blocks, threads, shared_bytes, runtime::launch_kind::ordinary, runtime::launch_start::programmatic},
                  kernel, arguments...);
}

//! Enqueues the reduction of `segments` >= 1 segments without gaps on the environment's stream, or measures it. The offsets
//! are on the device, and the number of items with them, so there are as many blocks as there may be spans, unless the
//! segments have one size. Two launches; one if there is only one span.
template <class Accum, class Environment, class InputIt, class Op, class Ends, class Sink>
void enqueue_segmented_reduce(const Environment& env, InputIt in, std::uint64_t segments, Ends ends, Op op, Sink sink)
{
  using tuning = fitting_segmented_tuning<Accum>;
  const auto kernel = &segmented_reduce_kernel<tuning, InputIt, Accum, Op, Ends, Sink>;
  const int arch = runtime::arch_of(kernel);
  const segmented_config cfg = tuning{}(arch);
  const unsigned spans = max_spans_of<segmented_costs<sizeof(Accum)>>(cfg, ends, segments);
  const std::size_t block_bytes = std::max(segmented_scratch_bytes<Accum>(cfg), join_scratch_bytes<Accum>(cfg)),
                    record_bytes = spans == 1 ? 0 : spans * sizeof(span_record<Accum>);
  with_workspace<span_record<Accum>>(
      env, {0, values_and_scratch_bytes(record_bytes, spans, block_bytes)},
      [&](const workspace<span_record<Accum>>& scratch)
      {
        const std::size_t shared_bytes = segmented_shared_bytes<Accum>(cfg);
        const segmented_params<Accum> params{segments, spans, record_bytes, scratch};
        launch_segmented(env, spans, cfg.block_threads, shared_bytes, kernel, in, params, op, ends, sink);
        if constexpr (Ends::may_descend)
        {
          const auto all = each_of(ends);
          launch_segmented(
              env, rarely_each_blocks(arch, segments), cfg.block_threads, shared_bytes,
              &segmented_reduce_each_kernel<tuning, InputIt, Accum, Op, decltype(all.begins), decltype(all.ends), Sink>, in,
              params, op, all, sink);
        }
        else if (spans != 1)
        {
          launch_segmented(env, 1, cfg.join_threads, join_shared_bytes<Accum>(cfg),
                           &join_spans_kernel<tuning, Accum, Op, Ends, Sink>, params, op, ends, sink);
        }
      });
}

//! The same for segments that may lie anywhere: one launch, and no memory unless items are too large for shared memory.
template <class Accum, class Environment, class InputIt, class Op, class BeginIt, class EndIt, class Sink>
void enqueue_reduce_each(const Environment& env, InputIt in, std::uint64_t segments, each_ends<BeginIt, EndIt> ends, Op op,
                         Sink sink)
{
  using tuning = fitting_segmented_tuning<Accum>;
  const auto kernel = &segmented_reduce_each_kernel<tuning, InputIt, Accum, Op, BeginIt, EndIt, Sink>;
  const int arch = runtime::arch_of(kernel);
  const segmented_config cfg = tuning{}(arch);
  const unsigned blocks = each_blocks(arch, cfg, segments);
  with_workspace<span_record<Accum>>(env, {0, values_and_scratch_bytes(0, blocks, segmented_scratch_bytes<Accum>(cfg))},
                                     [&](const workspace<span_record<Accum>>& scratch)
                                     {
                                       launch_segmented(env, blocks, cfg.block_threads, segmented_shared_bytes<Accum>(cfg),
                                                        kernel, in, segmented_params<Accum>{segments, 0, 0, scratch}, op,
                                                        ends, sink);
                                     });
}

} // namespace detail
REHEAT_NAMESPACE_END
