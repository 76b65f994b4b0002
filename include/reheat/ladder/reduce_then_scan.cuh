// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reduce, then scan: the first pass over the items only sums each chunk and writes nothing but the sums; the last pass
//! scans each chunk from its base and writes each item of the output once. Scan, then fan wrote every item twice.
//!
//! * Recursive: a chunk is a tile of 1024 items; the sums are scanned by the same algorithm, until one chunk is left.
//! * Two passes: as many chunks as blocks, so one block can scan all sums and there is no recursion. A chunk may be long: a
//!   block goes through it tile by tile and carries the base from one to the next.
//!
//! The items are read twice. Operands keep their order.
#pragma once

#include <reheat/detail/block/fold.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/ladder/block_scan.cuh>
#include <reheat/ladder/chunks.cuh>
#include <reheat/ladder/rung.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

//! sums[c] becomes the fold of chunk c. Blocks stride over the chunks.
template <class Tuning, class InputIt, class Accum, class Op>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads)
sum_chunks_kernel(InputIt in, std::uint64_t items, std::uint64_t chunk_items, Accum* sums, Op op)
{
  constexpr chunk_shape shape = Tuning{}(simt::arch);
  simt::shared_memory memory;
  const block_shared<Accum> shared(memory, shape.warps());
  const unsigned thread = simt::thread_index();
  for (std::uint64_t chunk = simt::block_index(); chunk * chunk_items < items; chunk += simt::grid_blocks())
  {
    optional_accumulator<Accum> sum; // thread 0's
    const std::uint64_t begin = chunk * chunk_items;
    const std::uint64_t end = items - begin < chunk_items ? items : begin + chunk_items;
    for (std::uint64_t first = begin; first < end; first += shape.block_threads)
    {
      const unsigned valid = valid_items(end, first, shape.block_threads);
      uninitialized<Accum> value;
      if (thread < valid)
      {
        value.construct(read_item(in, first + thread));
      }
      block_fold(value, valid, shared.sums, shared.own_scratch(), op);
      if (thread == 0)
      {
        sum.append(value.get(), op);
      }
      simt::sync_block(); // the warps' sums may be overwritten
    }
    if (thread == 0)
    {
      construct_at(sums + chunk, sum.value.get());
    }
  }
}

//! Scans the chunks, each from its base. `out` may be where `in` reads.
template <class Tuning, scan_kind Kind, class InputIt, class OutputIt, class Op, class Init>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads)
scan_from_base_kernel(InputIt in, OutputIt out, std::uint64_t items, std::uint64_t chunk_items,
                      const typename Init::accum* sums, Op op, Init init)
{
  using accum = typename Init::accum;
  static_assert(Kind == scan_kind::inclusive || Init::present, "an exclusive scan starts from an initial value");
  constexpr chunk_shape shape = Tuning{}(simt::arch);
  static_assert(shape.warps() <= 32, "one warp scans the sums of all");
  simt::shared_memory memory;
  const block_shared<accum> shared(memory, shape.warps());
  const unsigned thread = simt::thread_index();
  for (std::uint64_t chunk = simt::block_index(); chunk * chunk_items < items; chunk += simt::grid_blocks())
  {
    optional_accumulator<accum> base; // every thread carries it
    append_base(base, init, sums, chunk, op);
    const std::uint64_t begin = chunk * chunk_items;
    const std::uint64_t end = items - begin < chunk_items ? items : begin + chunk_items;
    for (std::uint64_t first = begin; first < end; first += shape.block_threads)
    {
      const unsigned valid = valid_items(end, first, shape.block_threads);
      uninitialized<accum> value;
      if (thread < valid)
      {
        value.construct(read_item(in, first + thread));
      }
      block_inclusive_scan<predicated_warp_scan>(shared, value, valid, op);
      const auto at = static_cast<std::ptrdiff_t>(first + thread);
      if constexpr (Kind == scan_kind::inclusive)
      {
        if (thread < valid)
        {
          out[at] = with_base(base, value.get(), op);
        }
      }
      else
      {
        uninitialized<accum> left;
        thread_before(shared, value, valid, left);
        if (thread < valid)
        {
          out[at] = thread == 0 ? base.value.get() : with_base(base, left.get(), op);
        }
      }
      base.append(shared.sums[(valid - 1) / simt::warp_lanes], op);
      if (!simt::fault_active(simt::fault::skip_chunk_barrier))
      {
        simt::sync_block(); // the warps' sums may be overwritten
      }
    }
  }
}

//! The launches of this family. A grid has at most `MaxBlocks` blocks.
template <unsigned MaxBlocks>
class reduce_then_scan_launches
{
protected:
  template <class Accum>
  using tuning = chunk_tuning<sizeof(Accum), MaxBlocks>;

  template <class Accum>
  static std::size_t shared_bytes(const chunk_shape& shape)
  {
    simt::shared_counter counter;
    const block_shared<Accum> layout(counter, shape.warps());
    static_cast<void>(layout);
    return counter.bytes();
  }

  template <class Environment, class InputIt, class Accum, class Op>
  static void sum_chunks(const Environment& env, InputIt in, std::uint64_t items, std::uint64_t chunk_items, Accum* sums,
                         Op op)
  {
    const auto kernel = &sum_chunks_kernel<tuning<Accum>, InputIt, Accum, Op>;
    const chunk_shape shape = tuning<Accum>{}(runtime::arch_of(kernel));
    runtime::launch(env, {shape.grid(ceil_div(items, chunk_items)), shape.block_threads, shared_bytes<Accum>(shape)}, kernel,
                    in, items, chunk_items, sums, op);
  }

  //! `sums` may be null if there is one chunk.
  template <scan_kind Kind, class Environment, class InputIt, class OutputIt, class Op, class Init>
  static void scan_from_base(const Environment& env, InputIt in, OutputIt out, std::uint64_t items,
                             std::uint64_t chunk_items, const typename Init::accum* sums, Op op, Init init)
  {
    using accum = typename Init::accum;
    const auto kernel = &scan_from_base_kernel<tuning<accum>, Kind, InputIt, OutputIt, Op, Init>;
    const chunk_shape shape = tuning<accum>{}(runtime::arch_of(kernel));
    runtime::launch(env, {shape.grid(ceil_div(items, chunk_items)), shape.block_threads, shared_bytes<accum>(shape)}, kernel,
                    in, out, items, chunk_items, sums, op, init);
  }

  //! `values` become their own inclusive scan, in chunks of `chunk_items`.
  template <class Environment, class Accum, class Op>
  static void scan_in_place(const Environment& env, Accum* values, std::uint64_t count, std::uint64_t chunk_items,
                            const Accum* sums, Op op)
  {
    scan_from_base<scan_kind::inclusive>(env, static_cast<const Accum*>(values), values, count, chunk_items, sums, op,
                                         scan_without_init<Accum>{});
  }

  template <class Accum, class InputIt, class Op>
  static chunk_shape shape_of_launches()
  {
    return tuning<Accum>{}(runtime::arch_of(&sum_chunks_kernel<tuning<Accum>, InputIt, Accum, Op>));
  }
};

class reduce_then_scan_recursion : public scan_rung, reduce_then_scan_launches<128>
{
public:
  template <scan_kind Kind, class Environment, class InputIt, class OutputIt, class Op, class Init>
  static void enqueue_scan(const Environment& env, InputIt in, OutputIt out, std::uint64_t items, Op op, Init init)
  {
    using accum = typename Init::accum;
    needs_shuffles<accum>();
    const std::uint64_t chunk_items = shape_of_launches<accum, InputIt, Op>().block_threads;
    const sum_rows rows(items, chunk_items);
    const runtime::call_scratch<typename Environment::source> scratch(env, env.scratch, sizeof(workspace_header),
                                                                      rows.all_items() * sizeof(accum));
    accum* const sums = static_cast<accum*>(scratch.values());
    if (rows.rows() != 0)
    {
      sum_chunks(env, in, items, chunk_items, sums, op);
    }
    for (unsigned row = 0; row + 1 < rows.rows(); ++row)
    {
      sum_chunks(env, static_cast<const accum*>(sums + rows.first(row)), rows.items(row), chunk_items,
                 sums + rows.first(row + 1), op);
    }
    for (unsigned row = rows.rows(); row-- > 0;)
    {
      scan_in_place(env, sums + rows.first(row), rows.items(row), chunk_items, sums + rows.first(row + 1), op);
    }
    scan_from_base<Kind>(env, in, out, items, chunk_items, sums, op, init);
  }
};

class reduce_then_scan_passes : public scan_rung, reduce_then_scan_launches<1024>
{
public:
  template <scan_kind Kind, class Environment, class InputIt, class OutputIt, class Op, class Init>
  static void enqueue_scan(const Environment& env, InputIt in, OutputIt out, std::uint64_t items, Op op, Init init)
  {
    using accum = typename Init::accum;
    needs_shuffles<accum>();
    const chunk_shape shape = shape_of_launches<accum, InputIt, Op>();
    const std::uint64_t tiles = ceil_div(items, shape.block_threads);
    const std::uint64_t chunk_items = ceil_div(tiles, shape.max_blocks) * shape.block_threads;
    const std::uint64_t chunks = ceil_div(items, chunk_items);
    const runtime::call_scratch<typename Environment::source> scratch(env, env.scratch, sizeof(workspace_header),
                                                                      chunks * sizeof(accum));
    accum* const sums = static_cast<accum*>(scratch.values());
    if (chunks > 1)
    {
      sum_chunks(env, in, items, chunk_items, sums, op);
      scan_in_place(env, sums, chunks, chunks, static_cast<const accum*>(nullptr), op);
    }
    scan_from_base<Kind>(env, in, out, items, chunk_items, sums, op, init);
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END
