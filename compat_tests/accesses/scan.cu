// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! One pass: for every number of items, a scan reads each byte of its input once and writes each byte of its output once. No
//! shared memory or scratch memory is read that was not written before, and each slot is written once.

#include "scan.hpp"

#include <cstdio>

using namespace compat;

BOOST_AUTO_TEST_SUITE(accesses)
BOOST_AUTO_TEST_SUITE(scan)

BOOST_AUTO_TEST_CASE(bytes_in_bulk_are_read_once_and_written_once)
{
  check_scan_accesses<std::uint8_t>(loader::aligned);
}
BOOST_AUTO_TEST_CASE(misaligned_bytes_are_read_once_and_written_once)
{
  check_scan_accesses<std::uint8_t>(loader::misaligned);
}
BOOST_AUTO_TEST_CASE(words_in_bulk_are_read_once_and_written_once)
{
  check_scan_accesses<std::int32_t>(loader::aligned);
}
BOOST_AUTO_TEST_CASE(misaligned_words_are_read_once_and_written_once)
{
  check_scan_accesses<std::int32_t>(loader::misaligned);
}
BOOST_AUTO_TEST_CASE(words_from_an_iterator_are_read_once_and_written_once)
{
  check_scan_accesses<std::int32_t>(loader::iterator);
}
BOOST_AUTO_TEST_CASE(words_in_place_are_read_once_and_written_once)
{
  check_scan_accesses<std::int32_t>(loader::in_place);
}

BOOST_AUTO_TEST_CASE(whole_tiles_of_words_are_walked_without_bank_conflicts)
{
  const std::vector<std::int32_t> items = make_items<std::int32_t>(40 * scan_tile<std::int32_t>());
  placed<std::int32_t> in(items, placement::aligned);
  placed<std::int32_t> out(items.size(), placement::aligned);
  thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin());
  const shared_traffic traffic = last_shared_traffic();
  std::printf(
      "inclusive_scan of %zu 4-byte items: %llu loads and %llu stores of warps in shared memory, %llu wavefronts, at "
      "least %llu\n%s",
      items.size(), static_cast<unsigned long long>(traffic.loads), static_cast<unsigned long long>(traffic.stores),
      static_cast<unsigned long long>(traffic.wavefronts), static_cast<unsigned long long>(traffic.least_wavefronts),
      last_bank_conflicts().c_str());
  BOOST_TEST(traffic.wavefronts == traffic.least_wavefronts);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
