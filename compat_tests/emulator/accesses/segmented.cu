// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Segmented reductions read each item once and write each result once, whatever lengths segments have. Offsets are read in
//! windows, which reach behind the tile that they are for: three reads for each segment and 32 for each tile, at most. Scans
//! of segments read items behind the last end of a span a second time.

#include "calls.hpp"

#include "../../support/offsets.hpp"

using namespace compat;

BOOST_AUTO_TEST_SUITE(accesses)
BOOST_AUTO_TEST_SUITE(segmented)

namespace
{

using u32 = std::uint32_t;

//! How often all of `count` Ts were read together; nobody wrote them.
template <class T>
std::size_t reads_of_all(const watched_range& range, std::size_t count)
{
  std::size_t reads = 0, writes = 0;
  for (std::size_t i = 0; i < count; ++i)
  {
    reads += range.reads_of(i * sizeof(T));
    writes += range.writes_of(i * sizeof(T));
  }
  BOOST_TEST(writes == 0u, range.report());
  return reads;
}

//! Reads of offsets, at most, in a call that reads `items` items. A block's threads each read the first and the last offset,
//! and a few more while they look for their span.
std::size_t max_offset_reads(const reheat::detail::segmented_config& shape, std::size_t items, std::size_t segments)
{
  const std::size_t most = shape.spans.max_spans, tiles = items / shape.tile_items() + 2 * most, blocks = most + 1;
  return 6 * blocks * shape.block_threads + 32 * tiles + 3 * segments;
}

template <class T>
void check_accesses(lengths kind, std::size_t segments)
{
  const reheat::detail::segmented_config shape = segmented_shape<T>();
  const std::vector<u32> offsets = make_offsets(kind, segments, shape.tile_items(), 1);
  const std::vector<T> items = make_items<T>(offsets.back());
  const T init = values<T>::make(0);
  const std::vector<T> expected = segmented_reference<T>(items, offsets, init, fold{});
  const std::size_t first = offsets[0], count = items.size() - first, bytes = count * sizeof(T);
  placed<T> in(items, placement::aligned);
  placed<u32> at(offsets, placement::aligned);
  for_each_seed(5,
                [&]
                {
                  placed<T> out(segments, placement::aligned);
                  {
                    const watched_range before(in.begin(), first * sizeof(T), content::never_written, "items before");
                    const watched_range input(in.begin() + first, bytes, content::written, "items");
                    const watched_range ends(at.begin(), offsets.size() * sizeof(u32), content::written, "offsets");
                    const watched_range output(out.begin(), segments * sizeof(T), content::never_written, "results");
                    reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), init, fold{});
                    check_counts(before, first * sizeof(T), 0, 0);
                    check_counts(input, bytes, 1, 0);
                    check_counts(output, segments * sizeof(T), 0, 1);
                    const std::size_t reads = reads_of_all<u32>(ends, offsets.size());
                    const std::size_t limit = max_offset_reads(shape, count, segments);
                    BOOST_TEST(reads <= limit, reads << " reads of the offsets of " << segments << " segments of " << count
                                                     << " items, " << name_of(kind) << ": more than " << limit);
                  }
                  check_same(name_of(kind), expected, out.items());
                });
}

template <class T>
void check_accesses_of_scan(lengths kind, std::size_t segments)
{
  const std::vector<u32> offsets = make_offsets(kind, segments, segmented_shape<T>().tile_items(), 1);
  const std::vector<T> items = make_items<T>(offsets.back());
  const std::vector<T> before(items.size(), values<T>::make(1));
  const std::vector<T> expected =
      segmented_scan_reference<T>(items, offsets, before, true, static_cast<const T*>(nullptr), fold{});
  const std::size_t first = offsets[0], bytes = (items.size() - first) * sizeof(T);
  placed<T> in(items, placement::aligned);
  placed<u32> at(offsets, placement::aligned);
  for_each_seed(5,
                [&]
                {
                  placed<T> out(before, placement::aligned);
                  {
                    const watched_range ahead(in.begin(), first * sizeof(T), content::never_written, "items before");
                    const watched_range input(in.begin() + first, bytes, content::written, "items");
                    const watched_range output(out.begin() + first, bytes, content::never_written, "results");
                    reheat::segmented_inclusive_scan(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), fold{});
                    check_counts(ahead, first * sizeof(T), 0, 0);
                    check_counts(output, bytes, 0, 1);
                    for (std::size_t i = 0; i < bytes; i += sizeof(T))
                    {
                      const std::size_t reads = input.reads_of(i);
                      BOOST_TEST((reads == 1 || reads == 2), "item " << i / sizeof(T) << " was read " << reads << " times");
                    }
                  }
                  check_same(name_of(kind), expected, out.items());
                });
}

} // namespace

BOOST_AUTO_TEST_CASE(each_result_of_a_scan_is_written_once_and_items_are_read_twice_at_most)
{
  using T = affine<u32>;
  const std::size_t window = segmented_shape<T>().window_ends;
  for (const lengths kind : all_lengths)
  {
    for (const std::size_t segments : {std::size_t{1}, std::size_t{33}, window - 1, window, 20 * window + 7})
    {
      check_accesses_of_scan<T>(kind, segments);
    }
  }
}

BOOST_AUTO_TEST_CASE(each_item_is_read_once_each_result_written_once_and_offsets_are_read_a_few_times)
{
  using T = affine<u32>;
  const std::size_t window = segmented_shape<T>().window_ends;
  for (const lengths kind : all_lengths)
  {
    for (const std::size_t segments : {std::size_t{1}, std::size_t{33}, window - 1, window, 20 * window + 7})
    {
      check_accesses<T>(kind, segments);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
