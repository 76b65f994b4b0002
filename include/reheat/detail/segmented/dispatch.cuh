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

//! Enqueues the reduction of `segments` >= 1 segments on the environment's stream, or measures it. The offsets are on the
//! device, and the number of items with them, so the grid has as many blocks as there may be spans; those of `known_spans`
//! if the host can tell. One launch if that is one, else two.
template <class Accum, class Environment, class InputIt, class Op, class Ends, class Sink>
void enqueue_segmented_reduce(const Environment& env, InputIt in, std::uint64_t segments, Ends ends, Op op, Sink sink)
{
  using tuning = fitting_segmented_tuning<Accum>;
  const auto kernel = &segmented_reduce_kernel<tuning, InputIt, Accum, Op, Ends, Sink>;
  const segmented_config cfg = tuning{}(runtime::arch_of(kernel));
  const unsigned spans = max_spans_of<segmented_costs<sizeof(Accum)>>(cfg, ends, segments);
  const std::size_t join_bytes = join_scratch_bytes<Accum>(cfg),
                    block_bytes = std::max(segmented_scratch_bytes<Accum>(cfg), join_bytes),
                    record_bytes = spans == 1 ? 0 : spans * sizeof(span_record<Accum>);
  with_workspace<span_record<Accum>>(env, {0, values_and_scratch_bytes(record_bytes, spans, block_bytes)},
                                     [&](const workspace<span_record<Accum>>& scratch)
                                     {
                                       const std::size_t shared_bytes = segmented_shared_bytes<Accum>(cfg);
                                       const segmented_params<Accum> params{segments, spans, record_bytes, scratch};
                                       runtime::prepare(kernel, cfg.block_threads, shared_bytes);
                                       runtime::launch(env,
                                                       {spans, cfg.block_threads, shared_bytes,
                                                        runtime::launch_kind::ordinary, runtime::launch_start::programmatic},
                                                       kernel, in, params, op, ends, sink);
                                       if (spans != 1)
                                       {
                                         const auto join = &join_spans_kernel<tuning, Accum, Op, Ends, Sink>;
                                         const std::size_t join_shared = join_shared_bytes<Accum>(cfg);
                                         runtime::prepare(join, cfg.join_threads, join_shared);
                                         runtime::launch(env,
                                                         {1, cfg.join_threads, join_shared, runtime::launch_kind::ordinary,
                                                          runtime::launch_start::programmatic},
                                                         join, params, op, ends, sink);
                                       }
                                     });
}

//! The same for segments that may lie anywhere: one launch, and no memory unless items are too large for shared memory.
template <class Accum, class Environment, class InputIt, class Op, class BeginIt, class EndIt, class Sink>
void enqueue_reduce_each(const Environment& env, InputIt in, std::uint64_t segments, each_ends<BeginIt, EndIt> ends, Op op,
                         Sink sink)
{
  using tuning = fitting_segmented_tuning<Accum>;
  const auto kernel = &segmented_reduce_each_kernel<tuning, InputIt, Accum, Op, each_ends<BeginIt, EndIt>, Sink>;
  const int arch = runtime::arch_of(kernel);
  const segmented_config cfg = tuning{}(arch);
  const unsigned blocks = each_blocks(arch, cfg, segments);
  with_workspace<Accum>(env, {0, values_and_scratch_bytes(0, blocks, segmented_scratch_bytes<Accum>(cfg))},
                        [&](const workspace<Accum>& scratch)
                        {
                          const std::size_t shared_bytes = segmented_shared_bytes<Accum>(cfg);
                          runtime::prepare(kernel, cfg.block_threads, shared_bytes);
                          runtime::launch(env,
                                          {blocks, cfg.block_threads, shared_bytes, runtime::launch_kind::ordinary,
                                           runtime::launch_start::programmatic},
                                          kernel, in, each_params<Accum>{segments, scratch}, op, ends, sink);
                        });
}

} // namespace detail
REHEAT_NAMESPACE_END
