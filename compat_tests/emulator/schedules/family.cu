// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The algorithms that are adaptors of scans and reductions, under many schedules: by key, extrema, inner products,
//! searches that stop early.
#include "checks.hpp"

#include "../../support/segments.hpp"
#include "../../support/strategies.hpp"

#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace schedules::family
{
namespace
{

//! Keys too: `a` tells segments apart, `b` the items of one.
using item = affine<std::uint32_t>;
using scanned = reheat::detail::segmented<item, reheat::detail::boundary_flags>;
using reduced = reheat::detail::segmented<item, reheat::detail::boundary_count>;

struct same_segment
{
  bool operator()(const item& x, const item& y) const { return x.a == y.a; }
};

inline constexpr std::size_t max_few_tiles = 4; //!< of the emulator

//! Half the time segments end with a tile.
std::vector<item> make_item_keys(draw& choose, std::size_t count, std::size_t tile)
{
  const std::size_t skipped = choose.flip() ? 0 : choose.below(300);
  const std::vector<std::uint32_t> segment = make_keys(skipped + count, all_segments[choose.below(4)], tile);
  std::vector<item> keys;
  for (std::size_t i = 0; i < count; ++i)
  {
    keys.push_back({segment[skipped + i], static_cast<std::uint32_t>(i)});
  }
  return keys;
}

// A tile's output may overwrite a key that the tile before has compared: what that one published was computed from the key.
// ThreadSanitizer knows no order but that of releases and acquires, which small values are published without.
#if defined(__SANITIZE_THREAD__) && !REHEAT_SCHEDULES_WATCH
inline constexpr bool over_keys = false;
#else
inline constexpr bool over_keys = true;
#endif

//! Of up to so many tiles. Output is separate, or goes over the values or the keys.
std::string check_scan(draw& choose, std::size_t tile, std::size_t tiles)
{
  const bool inclusive = choose.flip();
  const std::size_t count = choose.items(tile, tiles);
  const std::vector<item> keys = make_item_keys(choose, count, tile), items = make_items<item>(count, choose.below(1000));
  placed_items<item> in_keys(keys, choose.flip()), in(items, choose.flip()), separate(items, choose.flip());
  placed_items<item>* const places[] = {&separate, &in, &in_keys, &in_keys};
  placed_items<item>& out = *places[choose.below(over_keys ? std::size(places) : 2)];
  item* const first = in_keys.data();
  const item init = values<item>::make(0);
  if (inclusive)
  {
    thrust::inclusive_scan_by_key(reheat::par, first, first + count, in.data(), out.data(), same_segment{}, fold{});
    return differing(inclusive_by_key_reference<item, item>(keys, items, same_segment{}, fold{}), out.items());
  }
  thrust::exclusive_scan_by_key(reheat::par, first, first + count, in.data(), out.data(), init, same_segment{}, fold{});
  return differing(exclusive_by_key_reference<item>(keys, items, init, same_segment{}, fold{}), out.items());
}

//! There is room for as many segments as there are.
std::string check_reduce(draw& choose, std::size_t tile, std::size_t tiles)
{
  const std::size_t count = choose.items(tile, tiles);
  const std::vector<item> keys = make_item_keys(choose, count, tile), items = make_items<item>(count, choose.below(1000));
  const auto expected = reduce_by_key_reference<item, item>(keys, items, same_segment{}, fold{});
  const std::vector<item> empty(expected.first.size(), item{0, 0});
  placed_items<item> in_keys(keys, choose.flip()), in(items, choose.flip());
  placed_items<item> keys_out(empty, choose.flip()), out(empty, choose.flip());
  const auto ends = thrust::reduce_by_key(reheat::par, in_keys.data(), in_keys.data() + count, in.data(), keys_out.data(),
                                          out.data(), same_segment{}, fold{});
  if (ends.first != keys_out.data() + empty.size() || ends.second != out.data() + empty.size())
  {
    return "the number of segments is wrong";
  }
  const std::string wrong = differing(expected.first, keys_out.items());
  return wrong.empty() ? differing(expected.second, out.items()) : "keys: " + wrong;
}

//! So many segments end in a tile that warps pack them, or store 32 neighbours at a time.
template <bool FewTiles>
std::string dense_reduce_by_key(draw& choose)
{
  using word = std::uint32_t;
  using accum = reheat::detail::segmented<word, reheat::detail::boundary_count>;
  const force_scans all(FewTiles ? forced_scan{} : streaming_scans());
  const std::size_t tile = FewTiles ? few_segments_tile<accum, word, word>() : reduce_by_key_tile<word>(),
                    count = choose.items(tile, FewTiles ? max_few_tiles : 12);
  const std::vector<word> keys = make_keys(count, choose.flip() ? segments::of_one : segments::of_few, tile);
  const std::vector<word> items = make_items<word>(count, choose.below(1000));
  const auto expected = reduce_by_key_reference<word, word>(keys, items, equal{}, plus{});
  const std::vector<word> empty(expected.first.size(), 0);
  placed_items<word> in_keys(keys, choose.flip()), in(items, choose.flip());
  placed_items<word> keys_out(empty, choose.flip()), out(empty, choose.flip());
  thrust::reduce_by_key(reheat::par, in_keys.data(), in_keys.data() + count, in.data(), keys_out.data(), out.data());
  const std::string wrong = differing(expected.first, keys_out.items());
  return wrong.empty() ? differing(expected.second, out.items()) : "keys: " + wrong;
}

template <class Accum, std::string (*Check)(draw&, std::size_t, std::size_t)>
std::string streaming(draw& choose)
{
  const force_scans all(streaming_scans());
  return Check(choose, segments_tile<Accum, item, item>(), 12);
}
template <class Accum, std::string (*Check)(draw&, std::size_t, std::size_t)>
std::string few_tiles(draw& choose)
{
  return Check(choose, few_segments_tile<Accum, item, item>(), max_few_tiles);
}

//! So few values that both extrema come again and again.
std::string minmax_element(draw& choose)
{
  using word = std::uint32_t;
  using keep = reheat::detail::keep_both<thrust::less<word>>;
  const std::size_t count = choose.items(run_tile<reheat::detail::candidates<word>, keep, word>(), 20);
  const std::size_t different = 2 + choose.below(choose.flip() ? 2 : count);
  std::vector<word> items;
  for (std::size_t i = 0; i < count; ++i)
  {
    items.push_back(static_cast<word>(choose.below(different)));
  }
  placed_items<word> in(items, choose.flip());
  const auto actual = thrust::minmax_element(reheat::par, in.data(), in.data() + count);
  const auto smallest = std::min_element(items.begin(), items.end()) - items.begin();
  const auto largest = std::max_element(items.begin(), items.end()) - items.begin();
  return actual.first == in.data() + smallest && actual.second == in.data() + largest ? "" : "an extremum is wrong";
}

//! More tiles than blocks, of two inputs.
std::string inner_product(draw& choose)
{
  using word = std::uint32_t;
  const std::size_t count = choose.items(run_tile<word, thrust::plus<word>, word, word>(), 80);
  const std::vector<word> left = make_items<word>(count, choose.below(1000)), right = make_items<word>(count, 7);
  placed_items<word> in(left, choose.flip()), other(right, choose.flip());
  const word actual = thrust::inner_product(reheat::par, in.data(), in.data() + count, other.data(), word(5));
  return actual == std::inner_product(left.begin(), left.end(), right.begin(), word(5)) ? "" : "the result is wrong";
}

struct is_zero
{
  bool operator()(std::uint32_t x) const { return x == 0; }
};

//! A search's input: `count` ones, some of which become zeros.
class searched_items
{
public:
  searched_items(draw& choose, std::size_t count) : items_(count, 1), in_(items_, choose.flip()) {}

  std::uint32_t* begin() { return in_.data(); }
  std::uint32_t* end() { return in_.data() + items_.size(); }
  std::size_t size() const { return items_.size(); }

  //! A zero, and often more within a tile behind it; or none. Returns where the first one is.
  std::size_t set_hits(draw& choose, std::size_t tile, std::size_t head)
  {
    std::fill(begin(), end(), 1);
    const std::size_t places[] = {size() - 1, choose.below(size()), choose.below(size()), head - 1, head, 0, size()};
    const std::size_t hit = std::min(places[choose.below(std::size(places))], size());
    const std::size_t apart = choose.flip() ? tile / 2 : 8;
    for (std::size_t more = choose.below(8), at = hit; more-- > 0 && at < size(); at += 1 + choose.below(apart))
    {
      begin()[at] = 0;
    }
    if (hit < size())
    {
      begin()[hit] = 0;
    }
    return hit;
  }

private:
  std::vector<std::uint32_t> items_;
  placed_items<std::uint32_t> in_;
};

//! Searches of one range, of which each finds what the launches before have left in the workspace. Blocks have up to three
//! tiles.
template <class Find>
std::string search_again(draw& choose, Find find)
{
  const std::size_t tile = search_shape<std::uint32_t>().tile_items();
  searched_items in(choose, choose.items(tile, 3 * search_shape<std::uint32_t>().max_blocks));
  for (int call = 0; call < 3; ++call)
  {
    const std::size_t hit = in.set_hits(choose, tile, search_head<std::uint32_t>());
    if (find(in) != static_cast<std::ptrdiff_t>(hit))
    {
      return "call " + std::to_string(call) + " found another item than " + std::to_string(hit) + " of " +
             std::to_string(in.size());
    }
  }
  return "";
}

std::string find(draw& choose)
{
  return search_again(choose,
                      [](searched_items& in) { return thrust::find(reheat::par, in.begin(), in.end(), 0u) - in.begin(); });
}
std::string any_of(draw& choose)
{
  return search_again(choose,
                      [](searched_items& in)
                      {
                        const bool found = thrust::any_of(reheat::par, in.begin(), in.end(), is_zero{});
                        const auto hit = std::find(in.begin(), in.end(), 0u);
                        return found == (hit != in.end()) ? hit - in.begin() : -1;
                      });
}
std::string mismatch(draw& choose)
{
  return search_again(choose,
                      [](searched_items& in)
                      {
                        const std::vector<std::uint32_t> ones(in.size(), 1);
                        return thrust::mismatch(reheat::par, in.begin(), in.end(), ones.data()).first - in.begin();
                      });
}

//! Items ascend, but for a few. Often the last item of a row of vectors is larger than the next, or smaller than the first.
std::string is_sorted_until(draw& choose)
{
  const std::size_t tile = search_shape<std::uint32_t>().tile_items();
  const std::size_t count = choose.items(tile, 3 * search_shape<std::uint32_t>().max_blocks);
  std::vector<std::uint32_t> items(count);
  std::iota(items.begin(), items.end(), 1u);
  for (std::size_t more = choose.below(3); more-- > 0;)
  {
    const std::size_t at = choose.below(count);
    items[choose.flip() ? at : std::min(at / 128 * 128 + 127, count - 1)] = choose.flip() ? 0 : 1000000;
  }
  placed_items<std::uint32_t> in(items, choose.flip());
  const auto end = std::is_sorted_until(items.begin(), items.end()) - items.begin();
  return thrust::is_sorted_until(reheat::par, in.data(), in.data() + count) == in.data() + end ? "" : "the end is wrong";
}

std::string partition_point(draw& choose)
{
  const std::size_t count = choose.items(1000, 100), ones = choose.flip() ? choose.below(count + 1) : count;
  std::vector<std::uint32_t> items(count, 0);
  std::fill_n(items.begin(), ones, 1);
  placed_items<std::uint32_t> in(items, choose.flip());
  const auto end =
      thrust::partition_point(reheat::par, in.data(), in.data() + count, [](std::uint32_t x) { return x == 1; });
  return end == in.data() + ones ? "" : "the point is wrong";
}

} // namespace

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> all = {
      {"family/scan_by_key", "segments", streaming<scanned, check_scan>},
      {"family/scan_by_key_few_tiles", "segments few_tiles", few_tiles<scanned, check_scan>},
      {"family/reduce_by_key", "segments", streaming<reduced, check_reduce>},
      {"family/reduce_by_key_few_tiles", "segments few_tiles", few_tiles<reduced, check_reduce>},
      {"family/dense_reduce_by_key", "segments", dense_reduce_by_key<false>},
      {"family/dense_reduce_by_key_few_tiles", "segments", dense_reduce_by_key<true>},
      {"family/minmax_element", "extrema runs", minmax_element},
      {"family/inner_product", "runs", inner_product},
      {"family/find", "search", find},
      {"family/any_of", "search", any_of},
      {"family/mismatch", "search runs", mismatch},
      {"family/is_sorted_until", "search", is_sorted_until},
      {"family/partition_point", "search", partition_point},
  };
  return all;
}

} // namespace schedules::family
