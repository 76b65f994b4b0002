// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! One pass: for every number of items, a reduction reads each byte of its input once and writes its result once. No shared
//! memory or scratch memory is read that was not written before, and each slot is written once.

#include "calls.hpp"

#include "../../support/calls.hpp"

#include <thrust/functional.h>

using namespace compat;

BOOST_AUTO_TEST_SUITE(accesses)
BOOST_AUTO_TEST_SUITE(reduce)

namespace
{

template <class T, class Op>
void check_reduction(const std::vector<T>& items, placement where, Op op)
{
  const T init = values<T>::make(0);
  placed<T> in(items, where);
  std::uint64_t counted = items.size(); // but for those before the first vector
  reheat::detail::kernel_input<T, Op>(static_cast<const T*>(in.begin()), counted,
                                      reduce_shape<T, T, Op>().single_block_items());
  const std::size_t blocks = reduce_blocks<T, T, Op>(counted);
  stream on;
  const watched_scratch<T> scratch(on.get(), blocks);
  const watched_range input(in.begin(), items.size() * sizeof(T), content::written, "input");
  const watched_range result(next_result<T>(), sizeof(T), content::never_written, "result");
  const T actual = thrust::reduce(reheat::par.on(on.get()), in.begin(), in.end(), init, op);
  check_counts(input, items.size() * sizeof(T), 1, 0);
  check_counts(result, sizeof(T), 0, 1);
  scratch.check(blocks - 1); // the last block needs none
  check_result("reduce", items.size(), reduce_reference<T>(items, init, op), actual);
}

template <class T, class Op>
void check_reduce_accesses(placement where, Op op)
{
  const reheat::detail::reduce_config shape = reduce_shape<T, T, Op>();
  for (const std::size_t count : tile_sweep(shape.tile_items()))
  {
    const std::vector<T> items = make_items<T>(count, 1);
    BOOST_TEST_CONTEXT(count << " items of " << sizeof(T) << " bytes")
    {
      for_each_seed(access_seeds, [&] { check_reduction(items, where, op); });
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(an_ordered_reduction_of_bytes_reads_each_once)
{
  check_reduce_accesses<std::uint8_t>(placement::aligned, fold{});
}
BOOST_AUTO_TEST_CASE(an_ordered_reduction_of_words_reads_each_once)
{
  check_reduce_accesses<std::int32_t>(placement::aligned, fold{});
  check_reduce_accesses<std::int32_t>(placement::misaligned, fold{});
}
BOOST_AUTO_TEST_CASE(a_sum_of_words_reads_each_once)
{
  check_reduce_accesses<std::int32_t>(placement::aligned, thrust::plus<std::int32_t>{});
  check_reduce_accesses<std::int32_t>(placement::misaligned, thrust::plus<std::int32_t>{});
}
BOOST_AUTO_TEST_CASE(a_sum_of_bytes_reads_each_once)
{
  check_reduce_accesses<std::uint8_t>(placement::aligned, thrust::plus<std::uint8_t>{});
  check_reduce_accesses<std::uint8_t>(placement::misaligned, thrust::plus<std::uint8_t>{});
}
BOOST_AUTO_TEST_CASE(a_reduction_of_twelve_byte_items_reads_each_once)
{
  check_reduce_accesses<words<3>>(placement::aligned, fold{});
  check_reduce_accesses<words<3>>(placement::misaligned, fold{});
}
BOOST_AUTO_TEST_CASE(a_reduction_of_forty_byte_items_reads_each_once)
{
  check_reduce_accesses<words<10>>(placement::aligned, fold{});
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
