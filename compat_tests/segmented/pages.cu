// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Segments on pages with unmapped memory before, between and behind them: calls touch nothing but items of segments, their
//! offsets and their results.

#include "../support/device_calls.hpp"
#include "../support/layouts.hpp"
#include "../support/offsets.hpp"
#include "../support/pages.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(segmented)
BOOST_AUTO_TEST_SUITE(pages)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using reheat::stream_type;

//! A range of items whose first page is mapped, the second one not, and so on. On the host it has no gaps.
template <class T>
class range_with_gaps
{
public:
  static constexpr std::size_t mapped = 3;

  explicit range_with_gaps(const std::vector<T>& items) : memory_(mapped) { set(items); }
  //! All items from the first page to the last.
  static std::size_t items_of(const pages_apart& page) { return (2 * mapped - 1) * page.items<T>(); }

  T* begin() { return memory_.template begin<T>(0); }
  i64 page_begin(std::size_t page) const { return static_cast<i64>(2 * page * memory_.template items<T>()); }
  i64 page_end(std::size_t page) const { return page_begin(page) + static_cast<i64>(memory_.template items<T>()); }
  void set(const std::vector<T>& items)
  {
    items_ = items;
    wait_for_all_streams();
    for (std::size_t page = 0; page < mapped; ++page)
    {
      copy_bytes(memory_.template begin<T>(page), items_.data() + page_begin(page), memory_.bytes());
    }
  }
  //! The items that the pages hold; between pages, the items that were set.
  std::vector<T> items() const
  {
    std::vector<T> now = items_;
    wait_for_all_streams();
    for (std::size_t page = 0; page < mapped; ++page)
    {
      copy_bytes(now.data() + page_begin(page), memory_.template begin<T>(page), memory_.bytes());
    }
    return now;
  }

private:
  pages_apart memory_;
  std::vector<T> items_;
};

//! An array that begins where its page begins, or ends where that ends.
enum class edge
{
  begin,
  end
};
template <class T>
class at_edge
{
public:
  at_edge(const std::vector<T>& items, edge where) : memory_(1), size_(items.size())
  {
    BOOST_REQUIRE(size_ <= memory_.items<T>());
    first_ = where == edge::begin ? memory_.begin<T>(0) : memory_.end<T>(0) - size_;
    wait_for_all_streams();
    copy_bytes(first_, items.data(), size_ * sizeof(T));
  }
  T* begin() { return first_; }
  T* end() { return first_ + size_; }
  std::vector<T> items() const
  {
    std::vector<T> now(size_);
    wait_for_all_streams();
    copy_bytes(now.data(), first_, size_ * sizeof(T));
    return now;
  }

private:
  pages_apart memory_;
  std::size_t size_;
  T* first_;
};

//! Where the arrays of a call lie: each at either end of a page.
template <class Check>
void for_each_edge(Check check)
{
  check(edge::begin, "arrays at the beginnings of pages");
  check(edge::end, "arrays at the ends of pages");
}

//! Segments that fill each page from its first item to its last, short ones at the beginning of one page and at the end of
//! the next. Between pages lie empty ones, and some that end before they begin.
template <class T>
layout filled_pages(const range_with_gaps<T>& where)
{
  const auto tile = static_cast<i64>(segmented_tile<T>());
  const i64 lengths[] = {1, 3, tile - 1, 0, tile, tile + 1, 33};
  layout result{"filled pages", {}, {}};
  for (std::size_t page = 0; page < range_with_gaps<T>::mapped; ++page)
  {
    i64 at = where.page_begin(page);
    const i64 end = where.page_end(page);
    const i64 rest = end - at - (1 + 3 + 3 * tile + 33);
    if (page % 2 == 1)
    {
      result.add(at, at + rest);
      at += rest;
    }
    for (const i64 length : lengths)
    {
      result.add(at, at + length);
      at += length;
    }
    if (page % 2 == 0)
    {
      result.add(at, at + rest);
    }
    if (page + 1 < range_with_gaps<T>::mapped)
    {
      result.add(end, end);
      result.add(end + 5, end + 5);
      result.add(end + 9, end + 2);
      result.add(end + 9, where.page_begin(page));
    }
  }
  return result;
}

//! The last and the first items of each page, so many in each segment.
template <class T>
layout ends_of_pages(const range_with_gaps<T>& where)
{
  const auto tile = static_cast<i64>(segmented_tile<T>());
  std::vector<i64> lengths{tile - 1, tile, tile + 1, 2 * tile + 3, where.page_end(0)};
  for (i64 length = 1; length <= 40; ++length)
  {
    lengths.push_back(length);
  }
  layout result{"ends of pages", {}, {}};
  for (std::size_t page = 0; page < range_with_gaps<T>::mapped; ++page)
  {
    for (const i64 length : lengths)
    {
      result.add(where.page_end(page) - length, where.page_end(page));
      result.add(where.page_begin(page), where.page_begin(page) + length);
    }
  }
  return result;
}

//! Offsets of segments of one kind that fill a page, at most `most` of them.
std::vector<u32> cut_page(lengths kind, i64 first, i64 last, std::size_t tile, std::size_t most)
{
  std::vector<u32> offsets{static_cast<u32>(first)};
  for (std::size_t segment = 0; offsets.back() < last && segment + 1 < most; ++segment)
  {
    const auto length = static_cast<i64>(length_of(kind, segment, 40, tile));
    offsets.push_back(static_cast<u32>(std::min(last, offsets.back() + length)));
  }
  offsets.push_back(static_cast<u32>(last));
  return offsets;
}

template <class T>
std::vector<T> items_for(std::size_t first)
{
  return make_items<T>(range_with_gaps<T>::items_of(pages_apart(1)), first);
}

template <class T>
void check_reductions_anywhere()
{
  const std::vector<T> items = items_for<T>(1);
  range_with_gaps<T> in(items);
  const T init = values<T>::make(0);
  for (const layout& where : {filled_pages(in), ends_of_pages(in)})
  {
    const std::vector<u32> begin_offsets(where.begins.begin(), where.begins.end()),
        end_offsets(where.ends.begin(), where.ends.end());
    const std::vector<T> expected = folds_of(where, items, init, fold{});
    for_each_edge(
        [&](edge at, const char* name)
        {
          const std::string what = type_name<T>() + ", " + where.name + ", " + name;
          at_edge<u32> begins(begin_offsets, at), ends(end_offsets, at);
          for_each_seed(2,
                        [&]
                        {
                          at_edge<T> out(std::vector<T>(expected.size(), init), at);
                          two_phases(what,
                                     [&](void* memory, std::size_t& bytes, stream_type stream)
                                     {
                                       return reheat::DeviceSegmentedReduce::Reduce(
                                           memory, bytes, in.begin(), out.begin(), static_cast<i64>(where.size()),
                                           begins.begin(), ends.begin(), fold{}, init, stream);
                                     });
                          check_same(what, expected, out.items());
                        });
        });
  }
}

template <class T>
void check_scans_anywhere()
{
  const std::vector<T> items = items_for<T>(1), untouched = items_for<T>(77);
  range_with_gaps<T> in(items), out(untouched);
  const layout where = filled_pages(in);
  const std::vector<u32> begin_offsets(where.begins.begin(), where.begins.end()),
      end_offsets(where.ends.begin(), where.ends.end());
  const std::vector<T> expected =
      scans_of(where, items, untouched, where.begins, true, static_cast<const T*>(nullptr), fold{});
  const std::vector<T> expected_in_place =
      scans_of(where, items, items, where.begins, true, static_cast<const T*>(nullptr), fold{});
  for_each_edge(
      [&](edge at, const char* name)
      {
        const std::string what = type_name<T>() + ", " + where.name + ", " + name;
        at_edge<u32> begins(begin_offsets, at), ends(end_offsets, at);
        const auto scan = [&](T* from, T* to)
        {
          two_phases(what,
                     [&](void* memory, std::size_t& bytes, stream_type stream)
                     {
                       return reheat::DeviceSegmentedScan::InclusiveSegmentedScan(
                           memory, bytes, from, to, begins.begin(), ends.begin(), static_cast<i64>(where.size()), fold{},
                           stream);
                     });
        };
        for_each_seed(2,
                      [&]
                      {
                        out.set(untouched);
                        scan(in.begin(), out.begin());
                        check_same(what, expected, out.items());
                        out.set(items);
                        scan(out.begin(), out.begin());
                        check_same(what + ", in place", expected_in_place, out.items());
                      });
      });
}

//! Under the policy: segments that fill one page, and whose offsets and results lie at either end of one.
template <class T>
void check_neighbours()
{
  const std::vector<T> items = items_for<T>(1), untouched = items_for<T>(77);
  range_with_gaps<T> in(items), out(untouched);
  const T init = values<T>::make(0);
  const std::size_t most = pages_apart(1).items<u32>() - 1;
  for (const lengths kind : {lengths::few, lengths::hundreds, lengths::one_giant})
  {
    for (std::size_t page = 0; page < 2; ++page)
    {
      const std::vector<u32> offsets = cut_page(kind, in.page_begin(page), in.page_end(page), segmented_tile<T>(),
                                                std::min(most, pages_apart(1).items<T>()));
      const std::vector<T> folds = segmented_reference<T>(items, offsets, init, fold{});
      const std::vector<T> sums =
          segmented_scan_reference<T>(items, offsets, untouched, true, static_cast<const T*>(nullptr), fold{});
      for_each_edge(
          [&](edge at, const char* name)
          {
            const std::string what = type_name<T>() + ", " + name_of(kind) + ", " + name;
            at_edge<u32> bounds(offsets, at);
            for_each_seed(2,
                          [&]
                          {
                            at_edge<T> results(std::vector<T>(folds.size(), init), at);
                            reheat::segmented_reduce(reheat::par, in.begin(), bounds.begin(), bounds.end(), results.begin(),
                                                     init, fold{});
                            check_same(what + ", folds", folds, results.items());
                            out.set(untouched);
                            reheat::segmented_inclusive_scan(reheat::par, in.begin(), bounds.begin(), bounds.end(),
                                                             out.begin(), fold{});
                            check_same(what + ", scans", sums, out.items());
                          });
          });
    }
  }
}

//! Segments of one size, which fill a page.
template <class T>
void check_equal_segments()
{
  const std::vector<T> items = items_for<T>(1), untouched = items_for<T>(77);
  range_with_gaps<T> in(items), out(untouched);
  const T init = values<T>::make(0);
  const i64 first = in.page_begin(1), all = in.page_end(1) - first;
  for (const i64 size : {i64{8}, i64{64}, all / 2, all})
  {
    std::vector<u32> offsets;
    for (i64 at = first; at <= first + all; at += size)
    {
      offsets.push_back(static_cast<u32>(at));
    }
    const std::string what = type_name<T>() + ", segments of " + std::to_string(size);
    const reheat::equal_segments where{static_cast<std::uint64_t>(all / size), static_cast<std::uint64_t>(size)};
    at_edge<T> results(std::vector<T>(offsets.size() - 1, init), edge::end);
    reheat::segmented_reduce(reheat::par, in.begin() + first, where, results.begin(), init, fold{});
    check_same(what + ", folds", segmented_reference<T>(items, offsets, init, fold{}), results.items());
    out.set(untouched);
    reheat::segmented_inclusive_scan(reheat::par, in.begin() + first, where, out.begin() + first, fold{});
    check_same(what + ", scans",
               segmented_scan_reference<T>(items, offsets, untouched, true, static_cast<const T*>(nullptr), fold{}),
               out.items());
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(reductions_of_segments_anywhere_touch_no_gap)
{
  check_reductions_anywhere<u8>();
  check_reductions_anywhere<u32>();
}

BOOST_AUTO_TEST_CASE(scans_of_segments_anywhere_touch_no_gap)
{
  check_scans_anywhere<u8>();
  check_scans_anywhere<u32>();
}

BOOST_AUTO_TEST_CASE(neighbours_that_fill_a_page_touch_nothing_beside_it)
{
  check_neighbours<u8>();
  check_neighbours<u32>();
}

BOOST_AUTO_TEST_CASE(segments_of_one_size_that_fill_a_page_touch_nothing_beside_it)
{
  check_equal_segments<u32>();
}

BOOST_AUTO_TEST_CASE(extrema_touch_no_gap)
{
  using pair = ::cub::KeyValuePair<int, u32>;
  std::vector<u32> items = items_for<u32>(1);
  for (u32& item : items)
  {
    item %= 97;
  }
  range_with_gaps<u32> in(items);
  const layout where = ends_of_pages(in);
  at_edge<u32> begins(std::vector<u32>(where.begins.begin(), where.begins.end()), edge::end),
      ends(std::vector<u32>(where.ends.begin(), where.ends.end()), edge::end);
  at_edge<pair> out(std::vector<pair>(where.size()), edge::end);
  two_phases("ArgMin",
             [&](void* memory, std::size_t& bytes, stream_type stream)
             {
               return reheat::DeviceSegmentedReduce::ArgMin(memory, bytes, in.begin(), out.begin(),
                                                            static_cast<i64>(where.size()), begins.begin(), ends.begin(),
                                                            stream);
             });
  std::vector<i64> expected, found;
  const std::vector<pair> pairs = out.items();
  for (std::size_t s = 0; s < where.size(); ++s)
  {
    expected.push_back(std::min_element(items.begin() + where.begins[s], items.begin() + where.ends[s]) - items.begin());
    found.push_back(where.begins[s] + pairs[s].key);
  }
  check_same("ArgMin", expected, found);

  const std::vector<u32> offsets =
      cut_page(lengths::hundreds, in.page_begin(1), in.page_end(1), segmented_tile<u32>(), pages_apart(1).items<u32>() - 1);
  std::vector<u32> places;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
  {
    places.push_back(
        static_cast<u32>(std::min_element(items.begin() + offsets[s], items.begin() + offsets[s + 1]) - items.begin()));
  }
  at_edge<u32> bounds(offsets, edge::end), results(std::vector<u32>(places.size(), 0), edge::end);
  reheat::segmented_min_element(reheat::par, in.begin(), bounds.begin(), bounds.end(), results.begin());
  check_same("segmented_min_element", places, results.items());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
