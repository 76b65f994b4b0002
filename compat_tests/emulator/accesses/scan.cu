// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! One pass: for every number of items, a scan reads each byte of its input once and writes each byte of its output once. No
//! shared memory or scratch memory is read that was not written before, and each slot is written once.

#include "scan.hpp"

#include "../../support/shapes.hpp"

#include <cstdio>
#include <numeric>

using namespace compat;

BOOST_AUTO_TEST_SUITE(accesses)
BOOST_AUTO_TEST_SUITE(scan)

namespace
{

//! In the shape of an architecture; 0 is the emulator.
template <int Arch, class T>
void check_no_conflicts()
{
  constexpr reheat::detail::scan_config shape = reheat::detail::scan_tuning<sizeof(T)>{}(Arch);
  const std::size_t count = 4 * shape.tile_items();
  placed<T> in(make_items<T>(count + shape.tile_alignment), placement::aligned);
  placed<T> out(count, placement::aligned);
  // No short tile comes first, to which fewer lanes would come: lanes' accesses are counted together by how many each made.
  T* const from = in.begin() + reheat::detail::items_before_aligned(in.begin(), shape.tile_alignment).value();
  scan_in_shape<Arch, reheat::detail::scan_kind::inclusive>(from, out.begin(), count,
                                                            reheat::detail::scan_without_init<T>{});
  const shared_traffic traffic = last_shared_traffic();
  std::printf("scan of 4 tiles of %zu-byte items, shape of %s: %llu loads and %llu stores of warps in shared memory, %llu "
              "wavefronts, at least %llu\n",
              sizeof(T), Arch == 0 ? "the emulator" : ("sm_" + std::to_string(Arch / 10)).c_str(),
              static_cast<unsigned long long>(traffic.loads), static_cast<unsigned long long>(traffic.stores),
              static_cast<unsigned long long>(traffic.wavefronts),
              static_cast<unsigned long long>(traffic.least_wavefronts));
  BOOST_TEST(traffic.wavefronts == traffic.least_wavefronts, last_bank_conflicts());
}

} // namespace

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
BOOST_AUTO_TEST_CASE(bytes_from_misaligned_to_otherwise_misaligned_are_read_once_and_written_once)
{
  check_scan_accesses<std::uint8_t>(loader::misaligned_in);
}
BOOST_AUTO_TEST_CASE(words_from_misaligned_to_otherwise_misaligned_are_read_once_and_written_once)
{
  check_scan_accesses<std::int32_t>(loader::misaligned_in);
}
BOOST_AUTO_TEST_CASE(words_from_an_iterator_are_read_once_and_written_once)
{
  check_scan_accesses<std::int32_t>(loader::iterator);
}
BOOST_AUTO_TEST_CASE(words_in_place_are_read_once_and_written_once)
{
  check_scan_accesses<std::int32_t>(loader::in_place);
}

BOOST_AUTO_TEST_CASE(halfwords_that_are_summed_in_words_are_read_once_and_written_once)
{
  const force_scans all(streaming_scans());
  for (const std::size_t count : tile_sweep(scan_tile<std::int32_t>()))
  {
    const std::vector<std::int16_t> items = make_items<std::int16_t>(count, 1);
    std::vector<std::int32_t> expected(items.begin(), items.end());
    std::partial_sum(expected.begin(), expected.end(), expected.begin());
    for (const placement where : {placement::aligned, placement::misaligned})
    {
      for_each_seed(access_seeds,
                    [&]
                    {
                      placed<std::int16_t> in(items, where);
                      placed<std::int32_t> out(count, placement::aligned);
                      {
                        const watched_range input(in.begin(), count * 2, content::written, "input");
                        const watched_range output(out.begin(), count * 4, content::never_written, "output");
                        thrust::inclusive_scan(reheat::par.with(reheat::accumulate_in<std::int32_t>), in.begin(), in.end(),
                                               out.begin());
                        check_counts(input, count * 2, 1, 0);
                        check_counts(output, count * 4, 0, 1);
                      }
                      check_same("inclusive_scan", expected, out.items());
                    });
    }
  }
}

BOOST_AUTO_TEST_CASE(whole_tiles_are_walked_without_bank_conflicts)
{
  check_no_conflicts<0, std::uint8_t>();
  check_no_conflicts<0, std::int32_t>();
  check_no_conflicts<0, std::int64_t>();
}
BOOST_AUTO_TEST_CASE(in_the_shapes_of_gpus_too_whole_tiles_are_walked_without_bank_conflicts)
{
  check_no_conflicts<750, std::int32_t>();
  check_no_conflicts<800, std::int32_t>();
  check_no_conflicts<900, std::uint8_t>();
  check_no_conflicts<900, std::int32_t>();
  check_no_conflicts<900, std::int64_t>();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
