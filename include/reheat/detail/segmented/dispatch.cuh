// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Segmented reductions and scans on the host: spans, scratch memory, launches.
#pragma once

#include <reheat/detail/call_workspace.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/segmented/anywhere_kernel.cuh>
#include <reheat/detail/segmented/each_kernel.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/equal_blocks_kernel.cuh>
#include <reheat/detail/segmented/equal_kernel.cuh>
#include <reheat/detail/segmented/few_anywhere_kernel.cuh>
#include <reheat/detail/segmented/few_kernel.cuh>
#include <reheat/detail/segmented/few_scan_kernel.cuh>
#include <reheat/detail/segmented/kernel.cuh>
#include <reheat/detail/segmented/long_list.cuh>
#include <reheat/detail/segmented/scan_anywhere_kernel.cuh>
#include <reheat/detail/segmented/scan_kernel.cuh>
#include <reheat/detail/segmented/tuning.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Enqueues one launch.
template <class Environment, class Kernel, class... Arguments>
void launch_segmented(const Environment& env, unsigned blocks, unsigned threads, std::size_t shared_bytes,
                      runtime::launch_kind kind, Kernel kernel, const Arguments&... arguments)
{
  runtime::prepare(kernel, threads, shared_bytes);
  runtime::launch(env, {blocks, threads, shared_bytes, kind, runtime::launch_start::programmatic}, kernel, arguments...);
}

//! Enqueues the reduction of a few segments in one launch, or measures it.
template <class Tuning, class Accum, class Environment, class InputIt, class Op, class Ends, class Sink>
void enqueue_reduce_few(const Environment& env, InputIt in, std::uint64_t segments, Ends ends, Op op, Sink sink)
{
  const auto kernel = &reduce_few_segments_kernel<Tuning, InputIt, Accum, Op, Ends, Sink>;
  const segmented_config cfg = Tuning{}(runtime::arch_of(kernel));
  with_workspace<Accum>(env, {sizeof(workspace_header), max_chunks(cfg) * sizeof(Accum)},
                        [&](const workspace<Accum>& scratch)
                        {
                          launch_segmented(env, cfg.spans.few_spans, cfg.block_threads, few_segments_bytes<Accum>(cfg),
                                           runtime::launch_kind::ordinary, kernel, in, static_cast<unsigned>(segments),
                                           scratch, op, ends, sink);
                        });
}

//! Enqueues the reduction of long segments of one size by blocks, or measures it.
template <class Accum, class Environment, class InputIt, class Op, class Sink>
void enqueue_reduce_equal_by_blocks(const Environment& env, InputIt in, std::uint64_t segments, std::uint64_t size, Op op,
                                    Sink sink)
{
  using tuning = equal_blocks_tuning<Accum>;
  const auto kernel = &reduce_equal_by_blocks_kernel<tuning, InputIt, Accum, Op, Sink>;
  const equal_blocks_config cfg = tuning{}(runtime::arch_of(kernel));
  const equal_shares params = share_equal_segments<Accum>(cfg, segments, size);
  const unsigned blocks = params.blocks();
  const workspace_size needed =
      params.are_cut() ? workspace_size{sizeof(workspace_header), 2 * blocks * sizeof(Accum)} : workspace_size{};
  with_workspace<Accum>(env, needed,
                        [&](const workspace<Accum>& scratch)
                        {
                          launch_segmented(env, blocks, cfg.block_threads, equal_blocks_bytes<Accum>(cfg),
                                           runtime::launch_kind::ordinary, kernel, in, params, scratch, op, sink);
                        });
}

//! Enqueues the reduction of segments of one size whose accumulators fit rows, or measures it. Returns whether it does.
template <class Accum, class Environment, class InputIt, class Op, class Ends, class Sink>
bool enqueue_reduce_equal(const Environment& env, InputIt in, std::uint64_t segments, const Ends& ends, Op op, Sink sink)
{
  if constexpr (std::is_same_v<Ends, equal_ends> && folds_in_rows_v<Accum>)
  {
    using tuning = equal_tuning<Accum>;
    const auto kernel = &reduce_equal_kernel<tuning, InputIt, Accum, Op, Sink>;
    const equal_config cfg = tuning{}(runtime::arch_of(kernel));
    if (ends.size == 0)
    {
      return false;
    }
    if (!cfg.serves(segments, ends.size, simt::warp_lanes * row_items<Accum>::per_lane))
    {
      enqueue_reduce_equal_by_blocks<Accum>(env, in, segments, ends.size, op, sink);
      return true;
    }
    const equal_params params = deal_equal_segments<Accum>(segments, ends.size);
    const auto chosen = params.lane_segments != 1 ? &reduce_equal_short_kernel<tuning, InputIt, Accum, Op, Sink> : kernel;
    with_workspace<Accum>(env, {},
                          [&](const workspace<Accum>&)
                          {
                            launch_segmented(env, equal_blocks(cfg, params), cfg.block_threads, 0,
                                             runtime::launch_kind::ordinary, chosen, in, params, op, sink);
                          });
    return true;
  }
  return false;
}

//! Whether the host knows that no share of the segments has too many items (even.cuh).
template <class BeginIt, class EndIt, bool Descends>
bool are_even(const segmented_config&, const adjacent_ends<BeginIt, EndIt, Descends>&, std::uint64_t)
{
  return false;
}
//! How many shares have segments.
inline unsigned shares_of(const segmented_config& cfg, std::uint64_t segments)
{
  const std::uint64_t share = segments_of_share(cfg, segments);
  return static_cast<unsigned>((segments + share - 1) / share);
}

//! Enqueues the reduction of `segments` >= 1 segments without gaps on the environment's stream, or measures it. One launch;
//! two if ends may descend. The offsets are on the device, and the number of items with them, unless segments have one size.
//! Where blocks may take shares, there are as many blocks as shares, which draw spans if shares are not even. Of more
//! segments there is a block for each span: 2^28 u32 in segments of 4 took 1.06 times as long by 396 blocks (NVIDIA H200).
template <class Accum, class Environment, class InputIt, class Op, class Ends, class Sink>
void enqueue_segmented_reduce(const Environment& env, InputIt in, std::uint64_t segments, Ends ends, Op op, Sink sink)
{
  if (enqueue_reduce_equal<Accum>(env, in, segments, ends, op, sink))
  {
    return;
  }
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
  const bool even = are_even(cfg, ends, segments);
  const unsigned spans = max_spans_of<segmented_costs<sizeof(Accum)>>(cfg, ends, segments),
                 blocks = even                                               ? shares_of(cfg, segments)
                          : Ends::may_descend || !may_be_even(cfg, segments) ? spans
                                                                             : std::min(spans, cfg.spans.few_spans);
  using fold = run_fold<Accum>;
  const bool records = spans != 1 && !even, in_slots = records && !Ends::may_descend;
  const std::size_t value_bytes = !records   ? 0
                                  : in_slots ? workspace_value_bytes<fold>(spans)
                                             : spans * sizeof(span_record<Accum>),
                    word_bytes = in_slots ? workspace_word_bytes<fold>(spans) : 0;
  with_workspace<fold>(
      env, {word_bytes, values_and_scratch_bytes(value_bytes, blocks, segmented_scratch_bytes<Accum>(cfg))},
      [&](const workspace<fold>& scratch)
      {
        const std::size_t shared_bytes = segmented_shared_bytes<Accum>(cfg);
        auto* const left = reinterpret_cast<span_record<Accum>*>(records && !in_slots ? scratch.values : nullptr);
        const segmented_params<Accum> params{segments, spans, value_bytes, scratch, left};
        launch_segmented(env, blocks, cfg.block_threads, shared_bytes,
                         in_slots ? runtime::launch_kind::in_order : runtime::launch_kind::ordinary, kernel, in, params, op,
                         ends, sink);
        if constexpr (Ends::may_descend)
        {
          const auto all = each_of(ends);
          launch_segmented(
              env, rarely_each_blocks(arch, segments), cfg.block_threads, shared_bytes, runtime::launch_kind::ordinary,
              &segmented_reduce_each_kernel<tuning, InputIt, Accum, Op, decltype(all.begins), decltype(all.ends), Sink>, in,
              params, op, all, sink);
        }
      });
}

//! Calls `enqueue(cfg, params, blocks)` for segments that may lie anywhere, with memory for a list of long ones. `blocks`:
//! of the first launch.
template <class Accum, class Environment, class Enqueue>
void with_long_list(const Environment& env, const anywhere_config& cfg, std::uint64_t segments, Enqueue enqueue)
{
  auto params = deal_segments<Accum>(cfg, segments);
  const std::uint64_t needed = (params.groups() + cfg.warps() - 1) / cfg.warps();
  with_workspace<Accum>(env, {sizeof(workspace_header), long_list_bytes<Accum>(params.room)},
                        [&](const workspace<Accum>& scratch)
                        {
                          params.scratch = scratch;
                          enqueue(cfg, params, static_cast<unsigned>(std::min<std::uint64_t>(needed, cfg.max_blocks)));
                        });
}

//! Enqueues the reduction of a few segments that may lie anywhere by an exact operator, or measures it. Returns whether they
//! are few.
template <class Accum, class Environment, class InputIt, class Op, class BeginIt, class EndIt, class Sink>
bool enqueue_reduce_few_anywhere(const Environment& env, InputIt in, std::uint64_t segments, each_ends<BeginIt, EndIt> ends,
                                 Op op, Sink sink)
{
  using tuning = few_anywhere_tuning<Accum>;
  const auto kernel = &reduce_few_anywhere_kernel<tuning, InputIt, Accum, Op, each_ends<BeginIt, EndIt>, Sink>;
  const few_anywhere_config cfg = tuning{}(runtime::arch_of(kernel));
  if (segments > cfg.max_segments)
  {
    return false;
  }
  const few_anywhere_params params = deal_few_segments(cfg, static_cast<unsigned>(segments));
  with_workspace<Accum>(env, {sizeof(workspace_header), cfg.max_chunks() * sizeof(Accum)},
                        [&](const workspace<Accum>& scratch)
                        {
                          launch_segmented(env, params.groups() + cfg.sharing_blocks, cfg.block_threads,
                                           few_anywhere_bytes<Accum>(cfg), runtime::launch_kind::ordinary, kernel, in,
                                           params, scratch, op, ends, sink);
                        });
  return true;
}

//! The same for segments that may lie anywhere: two launches, or one if they are few and the operator is exact. Accumulators
//! that do not fit rows of registers have a block for each segment in one launch, and no memory unless items are too large
//! for shared memory.
template <class Accum, class Environment, class InputIt, class Op, class BeginIt, class EndIt, class Sink>
void enqueue_reduce_anywhere(const Environment& env, InputIt in, std::uint64_t segments, each_ends<BeginIt, EndIt> ends,
                             Op op, Sink sink)
{
  if constexpr (is_exact_v<Op, Accum>)
  {
    if (enqueue_reduce_few_anywhere<Accum>(env, in, segments, ends, op, sink))
    {
      return;
    }
  }
  if constexpr (folds_in_rows_v<Accum>)
  {
    using tuning = anywhere_tuning<Accum, is_known_commutative_v<Op, Accum>>;
    const auto kernel = &reduce_anywhere_kernel<tuning, InputIt, Accum, Op, BeginIt, EndIt, Sink>;
    with_long_list<Accum>(env, tuning{}(runtime::arch_of(kernel)), segments,
                          [&](const anywhere_config& cfg, const anywhere_params<Accum>& params, unsigned blocks)
                          {
                            launch_segmented(env, blocks, cfg.block_threads, 0, runtime::launch_kind::ordinary, kernel, in,
                                             params, op, ends, sink);
                            launch_segmented(env, cfg.list_blocks, cfg.block_threads, 0, runtime::launch_kind::ordinary,
                                             &reduce_listed_kernel<tuning, InputIt, Accum, Op, BeginIt, EndIt, Sink>, in,
                                             params, op, sink);
                          });
  }
  else
  {
    using tuning = fitting_segmented_tuning<Accum>;
    const auto kernel = &segmented_reduce_each_kernel<tuning, InputIt, Accum, Op, BeginIt, EndIt, Sink>;
    const int arch = runtime::arch_of(kernel);
    const segmented_config cfg = tuning{}(arch);
    const unsigned blocks = each_blocks(arch, cfg, segments);
    with_workspace<run_fold<Accum>>(env, {0, values_and_scratch_bytes(0, blocks, segmented_scratch_bytes<Accum>(cfg))},
                                    [&](const workspace<run_fold<Accum>>& scratch)
                                    {
                                      launch_segmented(env, blocks, cfg.block_threads, segmented_shared_bytes<Accum>(cfg),
                                                       runtime::launch_kind::ordinary, kernel, in,
                                                       segmented_params<Accum>{segments, 0, 0, scratch, nullptr}, op, ends,
                                                       sink);
                                    });
  }
}

//! Enqueues the scan of `segments` >= 1 segments without gaps, or measures it. `Init` is a scan's (scan/kind.cuh). Two
//! launches; one if there is only one span, or if the host knows that shares are even.
template <scan_kind Kind, class Environment, class InputIt, class OutputIt, class Op, class Ends, class Init>
void enqueue_segmented_scan(const Environment& env, InputIt in, OutputIt out, std::uint64_t segments, Ends ends, Op op,
                            Init init)
{
  using accum = typename Init::accum;
  using tuning = fitting_segmented_tuning<accum, segmented_scan_tuning<sizeof(accum)>>;
  const auto kernel = &segmented_scan_kernel<Kind, tuning, InputIt, OutputIt, Op, Ends, Init>;
  const segmented_config cfg = tuning{}(runtime::arch_of(kernel));
  const std::size_t shared_bytes = segmented_shared_bytes<accum>(cfg);
  const unsigned spans = max_spans_of<segmented_scan_costs<sizeof(accum)>>(cfg, ends, segments);
  const bool even = spans != 1 && are_even(cfg, ends, segments); // a span is scanned by one block alone
  const unsigned multiprocessors = runtime::prepare(kernel, cfg.block_threads, shared_bytes).multiprocessors,
                 groups = (spans + spans_of_group(cfg) - 1) / spans_of_group(cfg),
                 carry_blocks = std::min(groups, 2 * multiprocessors),
                 blocks = std::min(even ? shares_of(cfg, segments) : spans, cfg.resident_blocks * multiprocessors);
  const bool carries = spans != 1 && !even;
  const std::size_t block_bytes = std::max(segmented_scratch_bytes<accum>(cfg), carries_scratch_bytes<accum>(cfg)),
                    carry_bytes = carries ? carry_bytes_of<accum>(spans) : 0;
  with_workspace<span_carry<accum>>(
      env, {0, values_and_scratch_bytes(carry_bytes, std::max(blocks, carry_blocks), block_bytes)},
      [&](const workspace<span_carry<accum>>& scratch)
      {
        const segmented_scan_params<accum> params{segments, spans != 1, spans, blocks, carry_bytes, scratch};
        if (carries)
        {
          launch_segmented(env, carry_blocks, cfg.carry_threads, carries_shared_bytes<accum>(cfg),
                           runtime::launch_kind::ordinary, &segmented_carry_kernel<tuning, InputIt, accum, Op, Ends>, in,
                           params, op, ends);
        }
        launch_segmented(env, blocks, cfg.block_threads, shared_bytes, runtime::launch_kind::ordinary, kernel, in, out,
                         params, op, ends, init);
      });
}

//! Enqueues the scan of a few segments that may lie anywhere, in one launch, or measures it.
template <scan_kind Kind, class Tuning, class Environment, class InputIt, class OutputIt, class Op, class Ends,
          class OutBeginIt, class Init>
void enqueue_scan_few(const Environment& env, InputIt in, OutputIt out, std::uint64_t segments, Ends ends,
                      OutBeginIt out_begins, Op op, Init init)
{
  using accum = typename Init::accum;
  const auto kernel = &scan_few_segments_kernel<Kind, Tuning, InputIt, OutputIt, Op, Ends, OutBeginIt, Init>;
  const segmented_config cfg = Tuning{}(runtime::arch_of(kernel));
  const std::size_t shared_bytes = few_scan_bytes<accum>(cfg);
  const unsigned blocks = few_scan_blocks(cfg) * runtime::prepare(kernel, cfg.block_threads, shared_bytes).multiprocessors;
  with_workspace<accum>(env, {sizeof(workspace_header), max_chunks(cfg) * sizeof(accum)},
                        [&](const workspace<accum>& scratch)
                        {
                          launch_segmented(env, blocks, cfg.block_threads, shared_bytes, runtime::launch_kind::ordinary,
                                           kernel, in, out, static_cast<unsigned>(segments), scratch, op, ends, out_begins,
                                           init);
                        });
}

//! Scans segments that may lie anywhere; segment s goes to out[out_begins[s]] and behind. Three launches, or one if
//! they are few. Accumulators that do not fit rows of registers have a block for each segment in one launch, and no memory
//! unless items are too large for shared memory.
template <scan_kind Kind, class Environment, class InputIt, class OutputIt, class Op, class BeginIt, class EndIt,
          class OutBeginIt, class Init>
void enqueue_scan_anywhere(const Environment& env, InputIt in, OutputIt out, std::uint64_t segments,
                           each_ends<BeginIt, EndIt> ends, OutBeginIt out_begins, Op op, Init init)
{
  using accum = typename Init::accum;
  using block_tuning = fitting_segmented_tuning<accum, segmented_scan_tuning<sizeof(accum)>>;
  if constexpr (folds_in_rows_v<accum>)
  {
    using all_ends = each_ends<BeginIt, EndIt>;
    const auto few = &scan_few_segments_kernel<Kind, block_tuning, InputIt, OutputIt, Op, all_ends, OutBeginIt, Init>;
    if (segments <= block_tuning{}(runtime::arch_of(few)).few_segments)
    {
      enqueue_scan_few<Kind, block_tuning>(env, in, out, segments, ends, out_begins, op, init);
      return;
    }
    using tuning = anywhere_scan_tuning<accum, is_known_commutative_v<Op, accum>>;
    const auto kernel = &scan_anywhere_kernel<Kind, tuning, InputIt, OutputIt, Op, BeginIt, EndIt, OutBeginIt, Init>;
    with_long_list<accum>(env, tuning{}(runtime::arch_of(kernel)), segments,
                          [&](const anywhere_config& cfg, const anywhere_params<accum>& params, unsigned blocks)
                          {
                            constexpr auto kind = runtime::launch_kind::ordinary;
                            launch_segmented(env, blocks, cfg.block_threads, 0, kind, kernel, in, out, params, op, ends,
                                             out_begins, init);
                            launch_segmented(env, cfg.list_blocks, cfg.block_threads, 0, kind,
                                             &fold_listed_kernel<tuning, InputIt, accum, Op>, in, params, op);
                            launch_segmented(env, cfg.list_blocks, cfg.block_threads, 0, kind,
                                             &scan_listed_kernel<Kind, tuning, InputIt, OutputIt, Op, OutBeginIt, Init>, in,
                                             out, params, op, out_begins, init);
                          });
  }
  else
  {
    const auto kernel =
        &segmented_scan_each_kernel<Kind, block_tuning, InputIt, OutputIt, Op, BeginIt, EndIt, OutBeginIt, Init>;
    const int arch = runtime::arch_of(kernel);
    const segmented_config cfg = block_tuning{}(arch);
    const unsigned blocks = each_blocks(arch, cfg, segments);
    with_workspace<span_carry<accum>>(env, {0, values_and_scratch_bytes(0, blocks, segmented_scratch_bytes<accum>(cfg))},
                                      [&](const workspace<span_carry<accum>>& scratch)
                                      {
                                        launch_segmented(env, blocks, cfg.block_threads, segmented_shared_bytes<accum>(cfg),
                                                         runtime::launch_kind::ordinary, kernel, in, out,
                                                         segmented_scan_params<accum>{segments, false, 0, 0, 0, scratch}, op,
                                                         ends, out_begins, init);
                                      });
  }
}

} // namespace detail
REHEAT_NAMESPACE_END
