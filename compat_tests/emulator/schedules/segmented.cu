// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Segmented reductions and scans under many schedules: segments of all lengths, over several windows of ends, tiles and
//! spans.
#include "checks.hpp"

#include "../../support/offsets.hpp"

#include <algorithm>
#include <iterator>

namespace schedules::segmented
{
namespace
{

using word = std::uint32_t;

//! Up to `tiles` tiles in up to `max_segments` segments of one kind. Every fourth input has another kind behind it, and
//! every fourth begins with an item that belongs to no segment.
std::vector<word> draw_offsets(draw& choose, std::size_t tile, std::size_t tiles, std::size_t max_segments = 600)
{
  const std::size_t most = choose.items(tile, tiles), kinds = std::size(all_lengths);
  lengths kind = all_lengths[choose.below(kinds)];
  const bool changes = choose.below(4) == 0;
  const std::size_t change = choose.below(most), first = choose.below(4) == 0 ? 1 : 0,
                    segments = 1 + choose.below(max_segments);
  const std::size_t skipped = choose.below(1000); // so that lengths differ from run to run
  std::vector<word> offsets{static_cast<word>(first)};
  for (std::size_t segment = 0; segment < segments && offsets.back() < most; ++segment)
  {
    if (changes && offsets.back() > change)
    {
      kind = all_lengths[choose.below(kinds)];
    }
    const std::size_t length = kind == lengths::one_giant
                                   ? (segment == segments / 2 ? tiles * tile / 2 + 3 : choose.below(4))
                                   : length_of(kind, skipped + segment, segments, tile);
    offsets.push_back(offsets.back() + static_cast<word>(length));
  }
  return offsets;
}

//! The offsets of `segments` segments of up to three items. Segment `longest`, if there is one, has `items` more.
std::vector<word> short_segments(draw& choose, std::size_t segments, std::size_t longest = ~std::size_t{0}, word items = 0)
{
  std::vector<word> offsets{0};
  for (std::size_t segment = 0; segment < segments; ++segment)
  {
    offsets.push_back(offsets.back() + static_cast<word>(choose.below(4)) + (segment == longest ? items : 0));
  }
  return offsets;
}

template <class T, class Op>
std::string reduce_between(draw& choose, const std::vector<word>& offsets)
{
  const std::vector<T> items = make_items<T>(offsets.back(), choose.below(1000));
  const T init = values<T>::make(0);
  const std::vector<T> expected = segmented_reference<T>(items, offsets, init, Op{});
  placed_items<T> in(items, choose.flip()), out(expected, choose.flip());
  placed_items<word> at(offsets, choose.flip());
  std::fill(out.data(), out.data() + expected.size(), values<T>::make(1));
  if (choose.flip())
  {
    reheat::segmented_reduce(reheat::par, in.data(), at.data(), at.data() + offsets.size(), out.data(), init, Op{});
  }
  else
  {
    reheat::segmented_reduce(reheat::par, thrust::make_transform_iterator(in.data(), unchanged{}), at.data(),
                             at.data() + offsets.size(), out.data(), init, Op{});
  }
  return differing(expected, out.items());
}

template <class T, class Op>
std::string reduce(draw& choose, std::size_t tiles, std::size_t max_segments = 600)
{
  return reduce_between<T, Op>(choose, draw_offsets(choose, segmented_tile<T>(), tiles, max_segments));
}

std::string sums(draw& choose)
{
  return reduce<word, thrust::plus<word>>(choose, 20);
}
std::string in_order(draw& choose)
{
  return reduce<affine<word>, fold>(choose, 20);
}
//! Shares, or spans because of one segment.
std::string in_shares(draw& choose)
{
  const std::size_t segments = segmented_shape<word>().few_segments + 1 + choose.below(500);
  const word items = static_cast<word>(choose.below(6 * segmented_tile<word>()));
  return reduce_between<word, thrust::plus<word>>(choose, short_segments(choose, segments, choose.below(segments), items));
}
//! Segments that are long on average, so that warps stream them.
std::string streams(draw& choose)
{
  const reheat::detail::segmented_config shape = segmented_shape<word>();
  const std::size_t segments = shape.few_segments + 1 + choose.below(100), longest = choose.below(segments),
                    items = shape.stream_mean_items * segments + choose.below(6 * shape.tile_items());
  std::vector<word> offsets = short_segments(choose, segments, longest, static_cast<word>(choose.flip() ? items : 0));
  for (std::size_t segment = 0; segment <= segments; ++segment)
  {
    const std::size_t behind = choose.below(8) + shape.stream_mean_items;
    offsets[segment] += static_cast<word>(segment * behind);
  }
  std::sort(offsets.begin(), offsets.end());
  return reduce_between<word, thrust::plus<word>>(choose, offsets);
}
std::string large(draw& choose)
{
  return reduce<words<10>, fold>(choose, 20);
}
std::string objects(draw& choose)
{
  return reduce<tracked<false>, fold>(choose, 15);
}
//! In one launch.
std::string few(draw& choose)
{
  const std::size_t most = segmented_shape<word>().few_segments;
  return choose.flip() ? reduce<word, thrust::plus<word>>(choose, 20, most) : reduce<affine<word>, fold>(choose, 20, most);
}
//! Of one size, by blocks: each a segment, or several a segment, whose pieces lanes or warps join.
template <class T, class Op>
std::string in_blocks(draw& choose)
{
  const std::size_t size = 129 + choose.below(choose.flip() ? 5000 : 900), segments = 1 + choose.below(size > 1200 ? 6 : 40);
  std::vector<word> offsets;
  for (std::size_t s = 0; s <= segments; ++s)
  {
    offsets.push_back(static_cast<word>(s * size));
  }
  const std::vector<T> items = make_items<T>(offsets.back(), choose.below(1000));
  const T init = values<T>::make(0);
  const std::vector<T> expected = segmented_reference<T>(items, offsets, init, Op{});
  placed_items<T> in(items, choose.flip()), out(std::vector<T>(segments, values<T>::make(1)), choose.flip());
  for (unsigned call = 0; call < 2; ++call) // the second one finds what the first one has left
  {
    std::fill(out.data(), out.data() + segments, values<T>::make(1));
    reheat::segmented_reduce(reheat::par, in.data(), reheat::equal_segments{segments, size}, out.data(), init, Op{});
    const std::string wrong = differing(expected, out.items());
    if (!wrong.empty())
    {
      return wrong;
    }
  }
  return "";
}
//! More spans than a block joins in a round.
std::string many_spans(draw& choose)
{
  return reduce<affine<word>, fold>(choose, 600);
}
//! Tiles lie in scratch memory.
std::string in_scratch(draw& choose)
{
  return reduce<words<256>, fold>(choose, 20);
}

//! The first of the smallest or largest items of each segment. Many are equivalent.
template <class Offset>
std::string extrema_between(draw& choose)
{
  const std::vector<word> drawn = draw_offsets(choose, segmented_tile<std::uint64_t>(), 20);
  const std::vector<Offset> offsets(drawn.begin(), drawn.end());
  std::vector<word> items = make_items<word>(drawn.back(), choose.below(1000));
  for (word& item : items)
  {
    item %= 11;
  }
  const bool smallest = choose.flip();
  std::vector<Offset> expected;
  for (std::size_t s = 0; s + 1 < drawn.size(); ++s)
  {
    const auto begin = items.begin() + drawn[s], end = items.begin() + drawn[s + 1];
    expected.push_back(
        static_cast<Offset>((smallest ? std::min_element(begin, end) : std::max_element(begin, end)) - items.begin()));
  }
  placed_items<word> in(items, choose.flip());
  placed_items<Offset> at(offsets, choose.flip()), out(std::vector<Offset>(expected.size(), ~Offset{0}), choose.flip());
  const Offset *const first = at.data(), *const last = first + offsets.size();
  if (smallest)
  {
    reheat::segmented_min_element(reheat::par, in.data(), first, last, out.data());
  }
  else
  {
    reheat::segmented_max_element(reheat::par, in.data(), first, last, out.data());
  }
  return differing(expected, out.items());
}
//! Indices have the size of the offsets.
std::string extrema(draw& choose)
{
  return choose.flip() ? extrema_between<word>(choose) : extrema_between<std::uint64_t>(choose);
}

//! A scan of each kind, some of them in place.
template <class T, class Op>
std::string scan_between(draw& choose, const std::vector<word>& offsets)
{
  const std::vector<T> items = make_items<T>(offsets.back(), choose.below(1000));
  const T init = values<T>::make(0);
  const bool inclusive = choose.flip(), from_init = !inclusive || choose.flip(), in_place = choose.flip();
  const std::vector<T> before = in_place ? items : std::vector<T>(items.size(), values<T>::make(1));
  const std::vector<T> expected =
      segmented_scan_reference<T>(items, offsets, before, inclusive, from_init ? &init : nullptr, Op{});
  placed_items<T> in(items, choose.flip()), out(before, choose.flip());
  placed_items<word> at(offsets, choose.flip());
  const word *const first = at.data(), *const last = first + offsets.size();
  const auto run = [&](auto input)
  {
    if (!inclusive)
    {
      reheat::segmented_exclusive_scan(reheat::par, input, first, last, out.data(), init, Op{});
    }
    else if (from_init)
    {
      reheat::segmented_inclusive_scan(reheat::par, input, first, last, out.data(), init, Op{});
    }
    else
    {
      reheat::segmented_inclusive_scan(reheat::par, input, first, last, out.data(), Op{});
    }
  };
  if (in_place)
  {
    run(out.data());
  }
  else if (choose.flip())
  {
    run(in.data());
  }
  else
  {
    run(thrust::make_transform_iterator(in.data(), unchanged{}));
  }
  return differing(expected, out.items());
}

template <class T, class Op>
std::string scan(draw& choose, std::size_t tiles)
{
  return scan_between<T, Op>(choose, draw_offsets(choose, segmented_tile<T>(), tiles));
}

std::string scanned_sums(draw& choose)
{
  return scan<word, thrust::plus<word>>(choose, 40);
}
std::string scanned_in_order(draw& choose)
{
  return scan<affine<word>, fold>(choose, 40);
}
//! More segments than blocks take as shares. Many of them end where a span begins.
std::string scanned_in_spans(draw& choose)
{
  return scan_between<word, thrust::plus<word>>(choose, short_segments(choose, 3000 + choose.below(2000)));
}
//! More spans than a block has threads.
std::string scanned_many_spans(draw& choose)
{
  return scan<affine<word>, fold>(choose, 450);
}
std::string scanned_objects(draw& choose)
{
  return scan<tracked<false>, fold>(choose, 30);
}
std::string scanned_in_scratch(draw& choose)
{
  return scan<words<256>, fold>(choose, 20);
}

//! Under a policy whose allocator gives memory full of anything.
std::string in_dirty_memory(draw& choose)
{
  using T = affine<word>;
  ledger book = dirty_memory();
  const ledger_allocator<char> allocator(book);
  const std::vector<word> offsets = draw_offsets(choose, segmented_tile<T>(), 12);
  const std::vector<T> items = make_items<T>(offsets.back(), choose.below(1000));
  const T init = values<T>::make(0);
  const std::vector<T> expected = segmented_reference<T>(items, offsets, init, fold{});
  placed_items<T> in(items, choose.flip()), out(expected, choose.flip());
  placed_items<word> at(offsets, choose.flip());
  std::fill(out.data(), out.data() + expected.size(), values<T>::make(1));
  reheat::segmented_reduce(reheat::par(allocator), in.data(), at.data(), at.data() + offsets.size(), out.data(), init,
                           fold{});
  return book.held == 0 ? differing(expected, out.items()) : "memory was not given back";
}

} // namespace

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> all = {
      {"segmented/sums", "spans", sums},
      {"segmented/in_order", "spans", in_order},
      {"segmented/in_shares", "spans", in_shares},
      {"segmented/streams", "spans", streams},
      {"segmented/few", "spans", few},
      {"segmented/in_blocks", "spans", in_blocks<word, thrust::plus<word>>},
      {"segmented/in_blocks_in_order", "spans", in_blocks<affine<word>, fold>},
      {"segmented/many_spans", "spans", many_spans},
      {"segmented/large", "spans", large},
      {"segmented/objects", "spans", objects},
      {"segmented/in_scratch", "spans", in_scratch},
      {"segmented/in_dirty_memory", "spans", in_dirty_memory},
      {"segmented/extrema", "spans", extrema},
      {"segmented/scanned_sums", "spans", scanned_sums},
      {"segmented/scanned_in_order", "spans", scanned_in_order},
      {"segmented/scanned_in_spans", "spans", scanned_in_spans},
      {"segmented/scanned_many_spans", "spans", scanned_many_spans},
      {"segmented/scanned_objects", "spans", scanned_objects},
      {"segmented/scanned_in_scratch", "spans", scanned_in_scratch},
  };
  return all;
}

} // namespace schedules::segmented
