// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The end of a sort by buckets (plan.cuh): each block sorts the keys of one digit by the bits below, in shared memory.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/one_block.cuh>
#include <reheat/detail/sort/plan.cuh>
#include <reheat/detail/sort/tuning.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The grid has a block for each digit. `params.pass` means nothing.
template <class Tuning, class Word, bool IsFloat, class Value>
REHEAT_KERNEL(Tuning{}(simt::arch).one_block_threads, Tuning{}(simt::arch).bucket_resident_blocks)
sort_buckets_kernel(sort_pass_params<Word, Value> params, key_form<Word, IsFloat> form)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  static_assert(cfg.bucket_items() <= 65536, "places in a bucket have 16 bits");
  simt::shared_memory memory;
  sort_one_block_shared<Word> shared(memory, cfg, cfg.bucket_items());
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  const sort_plan plan(params.passes, params.digits, params.needless());
  if (!plan.by_buckets() || (!has_values_v<Value> && params.of_few_values() == params.items))
  {
    return;
  }
  const unsigned digit = simt::block_index();
  const std::uint64_t* const starts = params.starts + plan.bucket_pass() * cfg.digits();
  const std::uint64_t begin = starts[digit], end = digit + 1 == cfg.digits() ? params.items : starts[digit + 1];
  if (begin == end)
  {
    return;
  }
  sort_memory<const Word, const Value> in{(plan.buckets_in_out() ? params.out.keys : params.spare.keys) + begin, nullptr};
  sort_memory<Word, Value> out{params.out.keys + begin, nullptr};
  if constexpr (has_values_v<Value>)
  {
    in.values = (plan.buckets_in_out() ? params.out.values : params.spare.values) + begin;
    out.values = params.out.values + begin;
  }
  sort_in_block<Tuning, true>(shared, in, out, static_cast<unsigned>(end - begin), params.passes, form);
}

} // namespace detail
REHEAT_NAMESPACE_END
