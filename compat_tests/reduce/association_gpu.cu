// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The golden bits: sums of this GPU have the bits that are recorded, also while it does something else.

#include "../support/calls.hpp"
#include "../support/golden.hpp"
#include "../support/waiting_kernels.hpp"

#include <algorithm>
#include <set>
#include <string>

using namespace compat;

BOOST_AUTO_TEST_SUITE(association_v1)

BOOST_AUTO_TEST_CASE(sums_have_the_recorded_bits_at_any_alignment_and_beside_other_kernels)
{
  constexpr std::size_t others = std::size_t{1} << 24; // a scan of so many takes longer than a call of most rows
  const thrust::device_vector<std::uint32_t> in(others, 1u);
  thrust::device_vector<std::uint32_t> out(others);
  const auto scan = [&](stream& where)
  { thrust::inclusive_scan(reheat::par_nosync.on(where.get()), raw(in), raw(in) + others, raw(out)); };
  // As few blocks of a grid are resident then as on a GPU with so many multiprocessors: the others follow when these end.
  const unsigned all = multiprocessor_count();
  const std::set<unsigned> left_to_calls{1, 2, std::max(1u, all / 4), all / 2, all - all / 4};
  stream busy, held;
  scan(busy);
  busy.synchronise();
  for (const association::golden_row& row : association::golden_rows)
  {
    for (const std::size_t shift : {0u, 1u})
    {
      const std::string how = shift == 0 ? "an aligned call" : "a misaligned call";
      association::with_row(row, shift,
                            [&](const auto& hash)
                            {
                              check_hash(row, how.c_str(), hash()); // kernels are loaded
                              for (unsigned i = 0; i < 20; ++i)
                              {
                                scan(busy);
                              }
                              check_hash(row, (how + " beside scans").c_str(), hash());
                              busy.synchronise();
                              for (const unsigned left : left_to_calls)
                              {
                                watched_flag release;
                                hold_multiprocessors(all - left, release, held);
                                check_hash(row, (how + " on " + std::to_string(left) + " multiprocessors").c_str(), hash());
                                BOOST_TEST(!release.timed_out(), row.algorithm << " of " << row.items << ' ' << row.type);
                              }
                            });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
