// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! unique keeps to one pass: each item is read once, and the last one of a tile once more by the next tile; each item that
//! is kept is written once, and nothing behind the last one. In place, a warp that only keeps items writes none.

#include "calls.hpp"

#include "../../support/calls.hpp"
#include "../../support/runs.hpp"

#include <thrust/unique.h>

using namespace compat;

BOOST_AUTO_TEST_SUITE(accesses)
BOOST_AUTO_TEST_SUITE(uniques)

namespace
{

//! Each item of `size` bytes was read once, or twice if it is the last one of a tile but not of the input.
void check_reads(const watched_range& range, std::size_t count, std::size_t size, std::size_t tile)
{
  for (std::size_t byte = 0; byte < count * size; ++byte)
  {
    const std::size_t item = byte / size;
    const unsigned expected = (item + 1) % tile == 0 && item + 1 != count ? 2 : 1;
    if (range.reads_of(byte) != expected)
    {
      BOOST_ERROR(range.report() << ". Byte " << byte << ": " << range.reads_of(byte) << " reads, expected " << expected);
      return;
    }
  }
  BOOST_TEST(true);
}

//! Of aligned memory, whose tiles count from its first item.
template <class T>
void check_unique(std::size_t count, run_lengths lengths)
{
  const std::size_t tile = unique_tile_of<T>(count);
  const std::vector<T> items = make_runs<T>(count, lengths);
  const auto same = [](const T& x, const T& y) { return values<T>::same(x, y); };
  const std::vector<T> kept = unique_reference(items, items, same);
  const std::size_t bytes = kept.size() * sizeof(T);
  stream own;
  placed<T> in(items, placement::aligned), out(count, placement::aligned);
  {
    const watched_range input(in.begin(), count * sizeof(T), content::written, "items");
    const watched_range output(out.begin(), bytes, content::never_written, "output");
    const watched_range behind(out.begin() + kept.size(), count * sizeof(T) - bytes + 1, content::never_written, "behind");
    thrust::unique_copy(reheat::par.on(own.get()), in.begin(), in.end(), out.begin(), same);
    check_reads(input, count, sizeof(T), tile);
    check_counts(output, bytes, 0, 1);
    for (std::size_t byte = 0; byte < count * sizeof(T) - bytes; ++byte)
    {
      BOOST_REQUIRE_EQUAL(behind.writes_of(byte), 0u);
    }
  }
  std::vector<T> written = out.items();
  written.resize(kept.size(), values<T>::make(0));
  check_same("unique_copy", kept, written);
  if (kept.size() == count)
  {
    const watched_range input(in.begin(), count * sizeof(T), content::written, "items in place");
    thrust::unique(reheat::par.on(own.get()), in.begin(), in.end(), same);
    check_reads(input, count, sizeof(T), tile);
    for (std::size_t byte = 0; byte < count * sizeof(T); ++byte)
    {
      BOOST_REQUIRE_EQUAL(input.writes_of(byte), 0u);
    }
  }
  check_same("items", items, in.items());
}

template <class T>
void check_all()
{
  for (const run_lengths lengths : all_run_lengths)
  {
    for (const std::size_t count : {unique_tile<T>() - 1, 2 * unique_tile<T>(), 5 * unique_tile<T>() + 3})
    {
      check_unique<T>(count, lengths);
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(bytes_are_read_once_and_kept_ones_written_once)
{
  check_all<std::uint8_t>();
}
BOOST_AUTO_TEST_CASE(words_are_read_once_and_kept_ones_written_once)
{
  check_all<std::uint32_t>();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
