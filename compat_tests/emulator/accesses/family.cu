// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The adaptors keep to one pass: values are read once and outputs written once, keys once or by two neighbours. Searches
//! read little behind the item that they find.

#include "calls.hpp"

#include "../../support/calls.hpp"
#include "../../support/segments.hpp"

#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/logical.h>
#include <thrust/partition.h>
#include <thrust/sort.h>

#include <algorithm>
#include <numeric>

using namespace compat;

BOOST_AUTO_TEST_SUITE(accesses)
BOOST_AUTO_TEST_SUITE(family)

namespace
{

using u32 = std::uint32_t;
using value = affine<u32>;
using scanned = reheat::detail::segmented<value, reheat::detail::boundary_flags>;
using reduced = reheat::detail::segmented<value, reheat::detail::boundary_count>;

//! Item `i` was read reads(i) times, and never written.
template <class T, class Reads>
void check_reads(const watched_range& range, std::size_t count, Reads reads)
{
  for (std::size_t byte = 0; byte < count * sizeof(T); ++byte)
  {
    const unsigned expected = reads(byte / sizeof(T));
    if (range.reads_of(byte) != expected || range.writes_of(byte) != 0)
    {
      BOOST_ERROR(range.report() << ". Item " << byte / sizeof(T) << " of " << count << ": " << range.reads_of(byte)
                                 << " reads, expected " << expected << "; " << range.writes_of(byte) << " writes");
      return;
    }
  }
  BOOST_TEST(true);
}

//! Keys and values of one size, and what calls do to them.
class by_key_checker
{
public:
  by_key_checker(std::size_t count, segments lengths, std::size_t tile, bool streaming)
      : count_(count), tile_(tile), tiles_((count + tile - 1) / tile), streaming_(streaming),
        keys_(make_keys(count, lengths, tile)), items_(make_items<value>(count, 1)), in_keys_(keys_, placement::aligned),
        in_(items_, placement::aligned)
  {}

  void inclusive_scan()
  {
    scan([&](auto policy, value* out)
         { thrust::inclusive_scan_by_key(policy, in_keys_.begin(), in_keys_.end(), in_.begin(), out, equal{}, fold{}); },
         [](std::size_t) { return 1u; }, inclusive_by_key_reference<value, value>(keys_, items_, equal{}, fold{}));
  }

  void exclusive_scan()
  {
    const value init = values<value>::make(0);
    scan(
        [&](auto policy, value* out) {
          thrust::exclusive_scan_by_key(policy, in_keys_.begin(), in_keys_.end(), in_.begin(), out, init, equal{}, fold{});
        },
        [](std::size_t) { return 1u; }, // also of a segment's last, which is in no result
        exclusive_by_key_reference<value>(keys_, items_, init, equal{}, fold{}));
  }

  //! The first segment's key is read once more, to be written.
  void reduce()
  {
    const auto expected = reduce_by_key_reference<value, value>(keys_, items_, equal{}, fold{});
    const std::size_t found = expected.first.size();
    placed<u32> keys_out(found, placement::aligned);
    placed<value> out(found, placement::aligned);
    {
      const watched_scratch<reduced> scratch(stream_.get(), tiles_);
      const watched_range keys(in_keys_.begin(), count_ * sizeof(u32), content::written, "keys");
      const watched_range items(in_.begin(), count_ * sizeof(value), content::written, "values");
      const watched_range found_keys(keys_out.begin(), found * sizeof(u32), content::never_written, "keys of segments");
      const watched_range found_values(out.begin(), found * sizeof(value), content::never_written, "values of segments");
      const watched_range number(next_result<std::uint64_t>(), sizeof(std::uint64_t), content::never_written, "number");
      thrust::reduce_by_key(reheat::par.on(stream_.get()), in_keys_.begin(), in_keys_.end(), in_.begin(), keys_out.begin(),
                            out.begin(), equal{}, fold{});
      check_reads<u32>(keys, count_ - 1, [&](std::size_t i) { return readers_of(i) + (i == 0 ? 1 : 0); });
      check_counts(items, count_ * sizeof(value), 1, 0);
      check_counts(found_keys, found * sizeof(u32), 0, 1);
      check_counts(found_values, found * sizeof(value), 0, 1);
      check_counts(number, sizeof(std::uint64_t), 0, 1);
      scratch.check(tiles_ - 1); // nobody needs the last tile's aggregate
    }
    check_same("keys of reduce_by_key", expected.first, keys_out.items());
    check_same("values of reduce_by_key", expected.second, out.items());
  }

private:
  //! A tile's keys are read once, the first ones with the tile before, too: as many as 16 bytes hold if the tile is
  //! streamed, or one if there are not so many or its block has no other tile.
  unsigned readers_of(std::size_t i) const
  {
    const std::size_t begin = i / tile_ * tile_, few = streaming_ ? reheat::detail::further_keys_v<u32> : 1;
    return 1 + (begin > 0 && i - begin < (begin + few <= count_ ? few : 1) ? 1 : 0);
  }

  template <class Call, class Reads>
  void scan(Call call, Reads reads_of_value, const std::vector<value>& expected)
  {
    placed<value> out(count_, placement::aligned);
    {
      const watched_scratch<scanned> scratch(stream_.get(), tiles_);
      const watched_range keys(in_keys_.begin(), count_ * sizeof(u32), content::written, "keys");
      const watched_range items(in_.begin(), count_ * sizeof(value), content::written, "values");
      const watched_range output(out.begin(), count_ * sizeof(value), content::never_written, "output");
      call(reheat::par.on(stream_.get()), out.begin());
      check_reads<u32>(keys, count_ - 1, [&](std::size_t i) { return readers_of(i); });
      check_reads<value>(items, count_, reads_of_value);
      check_counts(output, count_ * sizeof(value), 0, 1);
      scratch.check(tiles_ - 1);
    }
    check_same("scan by key", expected, out.items());
  }

  std::size_t count_, tile_, tiles_;
  bool streaming_;
  std::vector<u32> keys_;
  std::vector<value> items_;
  placed<u32> in_keys_;
  placed<value> in_;
  stream stream_;
};

//! One of the calls, streaming and a few tiles with a block for each.
template <class Accum>
void check_by_key(void (by_key_checker::*call)())
{
  const auto sweep = [&](std::size_t tile, bool streaming)
  {
    for (const std::size_t count : tile_sweep(tile))
    {
      if (!streaming && count > 4 * tile)
      {
        continue; // it is streamed
      }
      by_key_checker checker(count, count % 2 == 0 ? segments::of_few : segments::of_hundreds, tile, streaming);
      BOOST_TEST_CONTEXT(count << " items")
      {
        for_each_seed(5, [&] { (checker.*call)(); });
      }
    }
  };
  {
    const force_scans all(streaming_scans());
    sweep(segments_tile<Accum, value, u32>(), true);
  }
  sweep(few_segments_tile<Accum, value, u32>(), false);
}

//! Items of a warp's vectors of a tile.
template <class T>
std::size_t warp_items()
{
  return 32 * search_shape<T>().items_per_thread;
}

struct is_zero
{
  bool operator()(u32 x) const { return x == 0; }
};
struct is_one
{
  bool operator()(u32 x) const { return x == 1; }
};

//! `count` ones of which item `hit` is zero, if there is one. Each search for it reads the first `once` items once, and the
//! others at most once, or `never`.
void check_search(std::size_t count, std::size_t hit, std::size_t once, bool never)
{
  std::vector<u32> items(count, 1);
  const std::vector<u32> ones = items;
  if (hit < count)
  {
    items[hit] = 0;
  }
  placed<u32> in(items, placement::aligned), others(ones, placement::aligned);
  for_each_seed(
      5,
      [&]
      {
        const auto check = [&](const char* what, auto search)
        {
          const watched_range input(in.begin(), count * sizeof(u32), content::written, what);
          BOOST_TEST(search(in.begin(), in.end()), what);
          check_reads<u32>(input, count,
                           [&](std::size_t i) {
                             return i < once ? 1u : never ? 0u : std::min(1u, input.reads_of(i * sizeof(u32)));
                           });
        };
        const bool some = hit < count;
        check("any_of", [=](auto first, auto last) { return thrust::any_of(reheat::par, first, last, is_zero{}) == some; });
        check("all_of", [=](auto first, auto last) { return thrust::all_of(reheat::par, first, last, is_one{}) != some; });
        check("find", [=](auto first, auto last)
              { return thrust::find(reheat::par, first, last, 0u) == (some ? first + hit : last); });
        check("equal", [=, &others](auto first, auto last)
              { return thrust::equal(reheat::par, first, last, others.begin()) != some; });
      });
}

} // namespace

BOOST_AUTO_TEST_CASE(inclusive_scans_by_key_read_each_value_once_and_each_key_once_or_twice)
{
  check_by_key<scanned>(&by_key_checker::inclusive_scan);
}
BOOST_AUTO_TEST_CASE(exclusive_scans_by_key_read_each_value_once)
{
  check_by_key<scanned>(&by_key_checker::exclusive_scan);
}
BOOST_AUTO_TEST_CASE(reduce_by_key_writes_each_segment_and_their_number_once)
{
  check_by_key<reduced>(&by_key_checker::reduce);
}
BOOST_AUTO_TEST_CASE(both_extrema_are_found_reading_each_item_once)
{
  using keep = reheat::detail::keep_both<thrust::less<u32>>;
  for (const std::size_t count : tile_sweep(run_tile<reheat::detail::candidates<u32>, keep, u32>()))
  {
    const std::vector<u32> items = make_items<u32>(count, 1);
    placed<u32> in(items, placement::aligned);
    for_each_seed(5,
                  [&]
                  {
                    const watched_range input(in.begin(), count * sizeof(u32), content::written, "input");
                    const auto found = thrust::minmax_element(reheat::par, in.begin(), in.end());
                    check_counts(input, count * sizeof(u32), 1, 0);
                    BOOST_TEST((found.second - in.begin() == std::max_element(items.begin(), items.end()) - items.begin()));
                  });
  }
}
BOOST_AUTO_TEST_CASE(a_search_reads_each_item_once_and_none_behind_a_head_with_a_hit)
{
  const std::size_t head = search_head<u32>(), tile = search_shape<u32>().tile_items();
  const std::size_t count = head + 3 * search_shape<u32>().max_blocks * tile + 100;
  check_search(count, count, count, true);
  check_search(count, count - 1, count, true);
  check_search(count, 0, head, true);
  check_search(count, head - 1, head, true);
  check_search(count, head, head + tile, false);
  check_search(count, count / 2, head + (count / 2 - head) / tile * tile + tile, false);
  check_search(search_with_head<u32>() - 1, 5, search_with_head<u32>() - 1, true);
}
//! Whatever the schedule, if every tile behind the head has a hit.
BOOST_AUTO_TEST_CASE(no_block_draws_more_tiles_when_one_has_a_hit)
{
  const std::size_t head = search_head<u32>(), tile = search_shape<u32>().tile_items();
  const std::size_t wave = search_shape<u32>().max_blocks * tile, count = head + 20 * wave;
  std::vector<u32> items(count, 0);
  std::fill_n(items.begin(), head, 1u);
  placed<u32> in(items, placement::aligned);
  for_each_seed(5,
                [&]
                {
                  const watched_range input(in.begin(), count * sizeof(u32), content::written, "input");
                  BOOST_TEST((thrust::find(reheat::par, in.begin(), in.end(), 0u) == in.begin() + head));
                  std::size_t read = 0;
                  for (std::size_t i = 0; i < count; ++i)
                  {
                    read += input.reads_of(i * sizeof(u32));
                  }
                  BOOST_TEST(read <= head + 3 * wave, read << " of " << count << " items were read");
                });
}
BOOST_AUTO_TEST_CASE(neighbours_are_compared_reading_each_item_once_but_one_a_warp)
{
  const std::size_t head = search_head<u32>(), tile = search_shape<u32>().tile_items();
  const std::size_t count = head + 3 * search_shape<u32>().max_blocks * tile + 1; // tiles of pairs are full
  const std::size_t of_warp = warp_items<u32>();
  std::vector<u32> items(count);
  std::iota(items.begin(), items.end(), 1u);
  placed<u32> in(items, placement::aligned);
  for_each_seed(5,
                [&]
                {
                  const watched_range input(in.begin(), count * sizeof(u32), content::written, "input");
                  BOOST_TEST(thrust::is_sorted(reheat::par, in.begin(), in.end()));
                  check_reads<u32>(input, count,
                                   [&](std::size_t i) { return i != 0 && i % of_warp == 0 && i + 1 != count ? 2u : 1u; });
                });
}
BOOST_AUTO_TEST_CASE(a_partition_point_takes_few_reads)
{
  const std::size_t count = 200000;
  std::vector<u32> items(count, 0);
  std::fill_n(items.begin(), 777, 1u);
  placed<u32> in(items, placement::aligned);
  for_each_seed(5,
                [&]
                {
                  const watched_range input(in.begin(), count * sizeof(u32), content::written, "input");
                  BOOST_TEST((thrust::partition_point(reheat::par, in.begin(), in.end(), is_one{}) == in.begin() + 777));
                  std::size_t read = 0;
                  for (std::size_t i = 0; i < count; ++i)
                  {
                    read += input.reads_of(i * sizeof(u32));
                  }
                  BOOST_TEST(read <= 3 * reheat::detail::partition_point_threads(0), read << " items were read");
                });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
