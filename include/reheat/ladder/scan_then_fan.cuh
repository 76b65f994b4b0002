// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scan, then fan: the textbook scan of many tiles, in three phases, each a launch, for a launch is a barrier of the grid.
//!
//! * Phase 1: blocks stride over the tiles, scan each on its own and leave its sum. How a tile is scanned is the step's.
//! * Phase 2: the sums are scanned, by one thread, which has n / 1024 of them to go through; or, `Recursive`, by the same
//!   algorithm, whose sums are scanned by the same algorithm …, until one tile is left.
//! * Phase 3: each item gets its tile's base on its left: the initial value and the sums of the tiles before.
//!
//! The scanned tiles lie in the output where it can hold them, else in scratch memory: every item is read twice and written
//! twice. An inclusive scan of a single tile without initial value ends after phase 1. Operands keep their order.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/ladder/chunks.cuh>
#include <reheat/ladder/rung.cuh>
#include <reheat/ladder/tile_steps.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

//! Phase 1. `work` and, unless null, `sums` are memory that may hold nothing yet; `work` may be where `in` reads.
template <class Tuning, class Step, class InputIt, class Accum, class Op>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads)
scan_tiles_kernel(InputIt in, std::uint64_t items, Accum* work, Accum* sums, Op op)
{
  constexpr chunk_shape shape = Tuning{}(simt::arch);
  static_assert(shape.warps() <= 32, "one warp scans the sums of all");
  simt::shared_memory memory;
  const typename Step::template shared<Accum> shared(memory, shape);
  for (std::uint64_t tile = simt::block_index(); tile * shape.block_threads < items; tile += simt::grid_blocks())
  {
    const std::uint64_t first = tile * shape.block_threads;
    const tile_output<Accum> out{work + first, sums == nullptr ? nullptr : sums + tile,
                                 valid_items(items, first, shape.block_threads)};
    Step::scan(shared, in, first, out, op);
  }
}

//! Phase 2 without recursion. One thread.
template <class Accum, class Op>
REHEAT_KERNEL(32)
scan_sums_kernel(Accum* sums, std::uint64_t count, Op op)
{
  for (std::uint64_t i = 1; i < count; ++i)
  {
    sums[i] = op(sums[i - 1], sums[i]);
  }
}

//! Phase 3. `work` may be the output of an inclusive scan.
template <class Tuning, scan_kind Kind, class OutputIt, class Op, class Init>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads)
fan_kernel(const typename Init::accum* work, const typename Init::accum* sums, OutputIt out, std::uint64_t items, Op op,
           Init init)
{
  using accum = typename Init::accum;
  static_assert(Kind == scan_kind::inclusive || Init::present, "an exclusive scan starts from an initial value");
  constexpr chunk_shape shape = Tuning{}(simt::arch);
  const unsigned thread = simt::thread_index();
  for (std::uint64_t tile = simt::block_index(); tile * shape.block_threads < items; tile += simt::grid_blocks())
  {
    const std::uint64_t first = tile * shape.block_threads;
    if (thread >= valid_items(items, first, shape.block_threads))
    {
      continue;
    }
    optional_accumulator<accum> base;
    append_base(base, init, sums, tile, op);
    const auto at = static_cast<std::ptrdiff_t>(first + thread);
    if constexpr (Kind == scan_kind::inclusive)
    {
      out[at] = with_base(base, work[at], op);
    }
    else
    {
      out[at] = thread == 0 ? base.value.get() : with_base(base, work[at - 1], op);
    }
  }
}

//! A rung of this family. `MaxBlocks` is the largest grid.
template <class Step, bool Recursive, unsigned MaxBlocks>
class scan_then_fan : public scan_rung
{
  template <class Accum>
  using tuning = chunk_tuning<sizeof(Accum), MaxBlocks>;

public:
  template <scan_kind Kind, class Environment, class InputIt, class OutputIt, class Op, class Init>
  static void enqueue_scan(const Environment& env, InputIt in, OutputIt out, std::uint64_t items, Op op, Init init)
  {
    using accum = typename Init::accum;
    Step::template needs<accum, Op>();
    constexpr bool in_output = Kind == scan_kind::inclusive && is_memory_of_v<OutputIt, accum>;
    const auto fan = &fan_kernel<tuning<accum>, Kind, OutputIt, Op, Init>;
    const chunk_shape shape = tuning<accum>{}(runtime::arch_of(fan));
    const sum_rows rows(items, shape.block_threads);
    const std::uint64_t scratch_items = rows.all_items() + (in_output ? 0 : items);
    const runtime::call_scratch<typename Environment::source> scratch(env, env.scratch, sizeof(workspace_header),
                                                                      scratch_items * sizeof(accum));
    accum* const sums = static_cast<accum*>(scratch.values());
    accum* work = sums + rows.all_items();
    if constexpr (in_output)
    {
      work = out;
    }

    scan_tiles(env, in, items, work, rows.rows() == 0 ? nullptr : sums, op);
    if (rows.rows() != 0)
    {
      scan_sums(env, sums, rows, op);
    }
    if (!in_output || Init::present || rows.rows() != 0)
    {
      runtime::launch(env, {shape.grid(ceil_div(items, shape.block_threads)), shape.block_threads}, fan, work, sums, out,
                      items, op, init);
    }
  }

private:
  template <class Environment, class InputIt, class Accum, class Op>
  static void scan_tiles(const Environment& env, InputIt in, std::uint64_t items, Accum* work, Accum* sums, Op op)
  {
    const auto kernel = &scan_tiles_kernel<tuning<Accum>, Step, InputIt, Accum, Op>;
    const chunk_shape shape = tuning<Accum>{}(runtime::arch_of(kernel));
    simt::shared_counter counter;
    const typename Step::template shared<Accum> layout(counter, shape);
    static_cast<void>(layout);
    runtime::prepare(kernel, shape.block_threads, counter.bytes());
    runtime::launch(env, {shape.grid(ceil_div(items, shape.block_threads)), shape.block_threads, counter.bytes()}, kernel,
                    in, items, work, sums, op);
  }

  //! The lowest row becomes its own inclusive scan: the rows are scanned by tiles from the lowest to the last, which is one
  //! tile, and get their bases on the way back.
  template <class Environment, class Accum, class Op>
  static void scan_sums(const Environment& env, Accum* sums, const sum_rows& rows, Op op)
  {
    if constexpr (Recursive)
    {
      for (unsigned row = 0; row < rows.rows(); ++row)
      {
        const bool last = row + 1 == rows.rows();
        scan_tiles(env, static_cast<const Accum*>(sums + rows.first(row)), rows.items(row), sums + rows.first(row),
                   last ? nullptr : sums + rows.first(row + 1), op);
      }
      const auto fan = &fan_kernel<tuning<Accum>, scan_kind::inclusive, Accum*, Op, scan_without_init<Accum>>;
      const chunk_shape shape = tuning<Accum>{}(runtime::arch_of(fan));
      for (unsigned row = rows.rows() - 1; row-- > 0;)
      {
        Accum* const values = sums + rows.first(row);
        runtime::launch(env, {shape.grid(rows.items(row + 1)), shape.block_threads}, fan, values, sums + rows.first(row + 1),
                        values, rows.items(row), op, scan_without_init<Accum>{});
      }
    }
    else
    {
      runtime::launch(env, {1u, 1u}, &scan_sums_kernel<Accum, Op>, sums, rows.items(0), op);
    }
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END
