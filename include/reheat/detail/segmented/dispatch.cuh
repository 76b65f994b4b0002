// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Segmented reductions and scans on the host: spans, scratch memory, launches.
#pragma once

#include <reheat/detail/call_workspace.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/segmented/each_kernel.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/few_kernel.cuh>
#include <reheat/detail/segmented/kernel.cuh>
#include <reheat/detail/segmented/scan_kernel.cuh>
#include <reheat/detail/segmented/tuning.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Enqueues one launch.
template <class Environment, class Kernel, class... Arguments>
void launch_segmented(const Environment& env, unsigned blocks, unsigned threads, std::size_t shared_bytes, Kernel kernel,
                      const Arguments&... arguments)
{
  runtime::prepare(kernel, threads, shared_bytes);
  runtime::launch(env, {blocks, threads, shared_bytes, runtime::launch_kind::ordinary, runtime::launch_start::programmatic},
                  kernel, arguments...);
}

//! Whether a block may reduce any of the segments alone, as far as the host knows.
template <class Ends>
bool are_alike(const segmented_config&, const Ends&, std::uint64_t)
{
  return false;
}
inline bool are_alike(const segmented_config& cfg, const equal_ends& ends, std::uint64_t segments)
{
  return ends.size <= share_of(cfg.spans.max_spans, segments * ends.size, cfg.whole_items);
}

//! Enqueues the reduction of a few segments in one launch, or measures it.
template <class Tuning, class Accum, class Environment, class InputIt, class Op, class Ends, class Sink>
void enqueue_reduce_few(const Environment& env, InputIt in, std::uint64_t segments, Ends ends, Op op, Sink sink)
{
  const auto kernel = &reduce_few_segments_kernel<Tuning, InputIt, Accum, Op, Ends, Sink>;
  const segmented_config cfg = Tuning{}(runtime::arch_of(kernel));
  const bool alike = are_alike(cfg, ends, segments);
  const workspace_size size =
      alike ? workspace_size{} : workspace_size{sizeof(workspace_header), max_chunks(cfg) * sizeof(Accum)};
  const unsigned most = cfg.spans.few_spans, blocks = alike && segments < most ? static_cast<unsigned>(segments) : most;
  with_workspace<Accum>(env, size,
                        [&](const workspace<Accum>& scratch)
                        {
                          launch_segmented(env, blocks, cfg.block_threads, few_segments_bytes<Accum>(cfg), kernel, in,
                                           static_cast<unsigned>(segments), scratch, op, ends, sink);
                        });
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
  if constexpr (folds_in_rows_v<Accum>)
  {
    if (segments <= cfg.few_segments)
    {
      enqueue_reduce_few<tuning, Accum>(env, in, segments, ends, op, sink);
      return;
    }
  }
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

//! Enqueues the scan of `segments` >= 1 segments without gaps, or measures it. `Init` is a scan's (scan/kind.cuh). Two
//! launches; one if there is only one span.
template <scan_kind Kind, class Environment, class InputIt, class OutputIt, class Op, class Ends, class Init>
void enqueue_segmented_scan(const Environment& env, InputIt in, OutputIt out, std::uint64_t segments, Ends ends, Op op,
                            Init init)
{
  using accum = typename Init::accum;
  using tuning = fitting_segmented_tuning<accum, segmented_scan_tuning<sizeof(accum)>>;
  const auto kernel = &segmented_scan_kernel<Kind, tuning, InputIt, OutputIt, Op, Ends, Init>;
  const segmented_config cfg = tuning{}(runtime::arch_of(kernel));
  const std::size_t shared_bytes = segmented_shared_bytes<accum>(cfg);
  const unsigned spans = max_spans_of<segmented_scan_costs<sizeof(accum)>>(cfg, ends, segments),
                 multiprocessors = runtime::prepare(kernel, cfg.block_threads, shared_bytes).multiprocessors,
                 groups = (spans + spans_of_group(cfg) - 1) / spans_of_group(cfg),
                 carry_blocks = std::min(groups, 2 * multiprocessors),
                 blocks = std::min(spans, cfg.resident_blocks * multiprocessors);
  const std::size_t block_bytes = std::max(segmented_scratch_bytes<accum>(cfg), carries_scratch_bytes<accum>(cfg)),
                    carry_bytes = spans == 1 ? 0 : carry_bytes_of<accum>(spans);
  with_workspace<span_carry<accum>>(
      env, {0, values_and_scratch_bytes(carry_bytes, std::max(blocks, carry_blocks), block_bytes)},
      [&](const workspace<span_carry<accum>>& scratch)
      {
        const segmented_scan_params<accum> params{segments, spans != 1, spans, blocks, carry_bytes, scratch};
        if (spans != 1)
        {
          launch_segmented(env, carry_blocks, cfg.join_threads, carries_shared_bytes<accum>(cfg),
                           &segmented_carry_kernel<tuning, InputIt, accum, Op, Ends>, in, params, op, ends);
        }
        launch_segmented(env, blocks, cfg.block_threads, shared_bytes, kernel, in, out, params, op, ends, init);
      });
}

//! The same for segments that may lie anywhere; segment s goes to out[out_begins[s]] and behind. One launch, and no memory
//! unless items are too large for shared memory.
template <scan_kind Kind, class Environment, class InputIt, class OutputIt, class Op, class BeginIt, class EndIt,
          class OutBeginIt, class Init>
void enqueue_scan_each(const Environment& env, InputIt in, OutputIt out, std::uint64_t segments,
                       each_ends<BeginIt, EndIt> ends, OutBeginIt out_begins, Op op, Init init)
{
  using accum = typename Init::accum;
  using tuning = fitting_segmented_tuning<accum, segmented_scan_tuning<sizeof(accum)>>;
  const auto kernel = &segmented_scan_each_kernel<Kind, tuning, InputIt, OutputIt, Op, BeginIt, EndIt, OutBeginIt, Init>;
  const int arch = runtime::arch_of(kernel);
  const segmented_config cfg = tuning{}(arch);
  const unsigned blocks = each_blocks(arch, cfg, segments);
  with_workspace<span_carry<accum>>(
      env, {0, values_and_scratch_bytes(0, blocks, segmented_scratch_bytes<accum>(cfg))},
      [&](const workspace<span_carry<accum>>& scratch)
      {
        launch_segmented(env, blocks, cfg.block_threads, segmented_shared_bytes<accum>(cfg), kernel, in, out,
                         segmented_scan_params<accum>{segments, false, 0, 0, 0, scratch}, op, ends, out_begins, init);
      });
}

} // namespace detail
REHEAT_NAMESPACE_END
