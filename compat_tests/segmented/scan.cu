// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans of segments: every length of a segment, every mix of lengths, every kind of value, the order of operands, and which
//! items a call touches.

#include "../support/memory.hpp"
#include "../support/offsets.hpp"

#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <cmath>

using namespace compat;

BOOST_AUTO_TEST_SUITE(segmented)
BOOST_AUTO_TEST_SUITE(scan)

namespace
{

using i8 = std::int8_t;
using u8 = std::uint8_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

template <class T, class Op = fold>
void check_kinds(std::size_t segments, unsigned seeds)
{
  for (const lengths kind : all_lengths)
  {
    for (const placement where : {placement::aligned, placement::misaligned})
    {
      for (const placement out_where : {placement::aligned, placement::misaligned})
      {
        const std::vector<u32> offsets = make_offsets(kind, segments, segmented_tile<T>(), 5);
        const std::string what = std::to_string(segments) + " segments, " + name_of(kind);
        check_segment_scans(what, make_items<T>(offsets.back() + 3, 1), offsets, Op{}, seeds, where, out_where);
      }
    }
  }
}

//! Items of a span in a large call, and how many spans there are then.
template <class T>
reheat::detail::span_limits limits_of_scans()
{
  return reheat::detail::segmented_scan_tuning<sizeof(T)>{}(kernel_arch()).spans;
}
template <class T>
std::size_t span_items()
{
  return (emulated ? limits_of_scans<T>().large_cost : limits_of_scans<T>().min_cost) /
         reheat::detail::segmented_scan_costs<sizeof(T)>::item;
}
template <class T>
std::size_t several_spans()
{
  return emulated ? limits_of_scans<T>().max_spans : limits_of_scans<T>().few_spans;
}

struct negated
{
  REHEAT_HOST_DEVICE i64 operator()(u32 x) const { return -static_cast<i64>(x); }
};

} // namespace

// ---- lengths ------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_segment_of_every_length_up_to_three_tiles_is_complete_and_in_order)
{
  const std::size_t tile = segmented_tile<interval>(), step = emulated ? 1 : 13; // a GPU's tiles have thousands of items
  const std::vector<interval> items = make_items<interval>(3 * tile + 20, 1);
  placed<interval> in(items, placement::misaligned), out(items.size(), placement::misaligned);
  placed<u64> at(4, placement::aligned);
  for (std::size_t length = 0; length <= 3 * tile + 1; length += length % tile < 40 || length % tile > tile - 3 ? 1 : step)
  {
    const std::size_t first = length % 4;
    const std::vector<u64> offsets{first, first + 5, first + 5 + length, first + length + 7};
    wait_for_all_streams();
    copy_bytes(at.begin(), offsets.data(), 4 * sizeof(u64));
    copy_bytes(out.begin(), items.data(), items.size() * sizeof(interval));
    reheat::segmented_inclusive_scan(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), join_intervals{});
    check_same("a segment of " + std::to_string(length) + " items",
               segmented_scan_reference<interval>(items, offsets, items, true, nullptr, join_intervals{}), out.items());
  }
}

BOOST_AUTO_TEST_CASE(all_lengths_up_to_three_tiles_are_scanned_in_one_call)
{
  using T = affine<u32>;
  const std::size_t tile = segmented_tile<T>(), step = emulated ? 1 : 13;
  std::vector<u32> offsets{0};
  for (std::size_t length = 0; length <= 3 * tile + 1; length += step)
  {
    offsets.push_back(offsets.back() + static_cast<u32>(length));
  }
  check_segment_scans("rising lengths", make_items<T>(offsets.back(), 1), offsets, fold{}, 3);
}

BOOST_AUTO_TEST_CASE(operands_keep_their_order_under_many_schedules)
{
  using T = affine<u32>;
  const std::size_t window = segmented_shape<T>().window_ends;
  for (const std::size_t segments :
       {std::size_t{1}, std::size_t{2}, std::size_t{33}, window, 2 * window + 5, 5 * window + 7})
  {
    check_kinds<T>(segments, 4);
  }
}

BOOST_AUTO_TEST_CASE(a_segment_of_many_spans_has_empty_ones_at_both_ends)
{
  using T = affine<u32>;
  const auto shape = segmented_shape<T>();
  const std::size_t window = shape.window_ends, all_spans = several_spans<T>() * span_items<T>();
  for (const std::size_t giant : {20 * shape.tile_items() + std::size_t{1}, all_spans, all_spans + all_spans / 2 + 1})
  {
    std::vector<u32> offsets(3 * window, 0);
    offsets.resize(6 * window, static_cast<u32>(giant));
    check_segment_scans(std::to_string(giant) + " items between empty segments", make_items<T>(giant, 1), offsets, fold{},
                        4);
  }
}

BOOST_AUTO_TEST_CASE(segments_that_reach_over_two_or_three_spans_are_carried)
{
  using T = affine<u32>;
  const std::size_t span = span_items<T>();
  for (const std::size_t length : {span - 1, span, span + 1, 2 * span, 2 * span + span / 2})
  {
    std::vector<u32> offsets{0};
    while (offsets.back() < several_spans<T>() * span)
    {
      offsets.push_back(offsets.back() + static_cast<u32>(length));
      offsets.insert(offsets.end(), offsets.size() % 3, offsets.back());
    }
    check_segment_scans("segments of " + std::to_string(length) + " items", make_items<T>(offsets.back(), 1), offsets,
                        fold{}, 4);
  }
}

BOOST_AUTO_TEST_CASE(empty_segments_stand_wherever_a_tile_or_a_span_may_end)
{
  using T = affine<u32>;
  const std::size_t tile = segmented_tile<T>();
  for (const std::size_t length : {tile / 4, tile / 2, tile, 2 * tile})
  {
    for (const std::size_t empty : {std::size_t{1}, std::size_t{40}, segmented_shape<T>().window_ends + std::size_t{3}})
    {
      std::vector<u32> offsets{0};
      for (unsigned i = 0; i < 9; ++i)
      {
        offsets.insert(offsets.end(), empty, offsets.back());
        offsets.push_back(offsets.back() + static_cast<u32>(length));
      }
      check_segment_scans(std::to_string(length) + " items behind each " + std::to_string(empty) + " empty segments",
                          make_items<T>(offsets.back(), 1), offsets, fold{}, 3);
    }
  }
}

// ---- values -------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(numbers_are_summed)
{
  check_kinds<u32>(5 * segmented_shape<u32>().window_ends + 7, 1);
  check_kinds<u64>(300, 1);
  check_kinds<i8>(5 * segmented_shape<i8>().window_ends + 7, 1);
}

BOOST_AUTO_TEST_CASE(objects_that_their_bytes_do_not_copy_are_scanned)
{
  for (const std::size_t segments : {3, 200})
  {
    check_kinds<tracked<emulated>>(segments, 1); // a GPU's objects reach it by their bytes, at another address
  }
}

BOOST_AUTO_TEST_CASE(a_segment_as_long_as_shares_allow_or_longer_is_scanned)
{
  using T = affine<u32>;
  const auto shape = reheat::detail::segmented_scan_tuning<sizeof(T)>{}(kernel_arch());
  for (const std::size_t longest : {0, 1, 2})
  {
    for (const int more : {-1, 0, 1, 1000})
    {
      for (const placement where : {placement::aligned, placement::misaligned})
      {
        const std::vector<u32> offsets = make_shares(shape, 32, longest, 3, more);
        check_segment_scans(std::to_string(more) + " items more than shares allow, " + std::to_string(longest) + " of 3",
                            make_items<T>(offsets.back(), 1), offsets, fold{}, 3, where);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(items_need_not_lie_at_multiples_of_their_size)
{
  using T = affine<u32>; // of 8 bytes, at multiples of 4
  static_assert(alignof(T) == 4 && sizeof(T) == 8);
  for (const std::size_t length : {segmented_tile<T>(), 3 * span_items<T>()})
  {
    const std::vector<u32> offsets{1, 4, static_cast<u32>(length + 4), static_cast<u32>(length + 9)};
    const std::vector<T> items = make_items<T>(offsets.back(), 1);
    const thrust::device_vector<u32> ends = to_device(offsets);
    thrust::device_vector<u32> words(2 * items.size() + 1);
    thrust::device_vector<T> out = to_device(items);
    T* const in = reinterpret_cast<T*>(raw(words) + 1);
    wait_for_all_streams();
    copy_bytes(in, items.data(), items.size() * sizeof(T));
    reheat::segmented_inclusive_scan(reheat::par, in, ends.begin(), ends.end(), out.begin(), fold{});
    check_same("a segment of " + std::to_string(length) + " items",
               segmented_scan_reference<T>(items, offsets, items, true, static_cast<const T*>(nullptr), fold{}),
               to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(values_too_large_for_shared_memory_are_scanned_in_scratch_memory)
{
  using T = words<256>; // 1 KB
  const std::size_t tile = segmented_tile<T>();
  for (const lengths kind : {lengths::all_empty, lengths::few, lengths::one_giant})
  {
    const std::vector<u32> offsets = make_offsets(kind, 150, tile / 4);
    check_segment_scans(name_of(kind), make_items<T>(offsets.back(), 1), offsets, fold{}, 2, placement::misaligned);
  }
}

BOOST_AUTO_TEST_CASE(narrow_items_are_summed_in_the_type_of_the_initial_value)
{
  for (const lengths kind : all_lengths)
  {
    const std::vector<u32> offsets = make_offsets(kind, 500, segmented_tile<i32>());
    const std::vector<i8> items = make_items<i8>(offsets.back(), 1);
    const i32 init = 1000;
    placed<i8> in(items, placement::misaligned);
    const thrust::device_vector<u32> at = to_device(offsets);
    thrust::device_vector<i32> out(items.size());
    reheat::segmented_exclusive_scan(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), init);
    check_same(std::string(name_of(kind)) + ", exclusive",
               segmented_scan_reference<i32>(items, offsets, std::vector<i32>(items.size()), false, &init, plus{}),
               to_host(out));
    reheat::segmented_inclusive_scan(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), init, plus{});
    check_same(std::string(name_of(kind)) + ", inclusive",
               segmented_scan_reference<i32>(items, offsets, std::vector<i32>(items.size()), true, &init, plus{}),
               to_host(out));
  }
}

//! At addresses that are alike in 128 bytes. In others spans and tiles begin elsewhere.
BOOST_AUTO_TEST_CASE(sums_of_floats_have_the_same_bits_where_the_input_begins_at_the_same_place_in_128_bytes)
{
  const std::vector<float> items = make_reals(300000);
  const thrust::device_vector<u32> at = to_device(std::vector<u32>{0, 1000, 1003, 120000, 120000, 300000});
  thrust::device_vector<float> memory(items.size() + 128);
  const std::size_t to_aligned = items_before_multiple(raw(memory), 128);
  const auto sums = [&](std::size_t behind)
  {
    float* const in = raw(memory) + to_aligned + behind;
    copy_bytes(in, items.data(), items.size() * sizeof(float));
    thrust::device_vector<float> out(items.size());
    reheat::segmented_inclusive_scan(reheat::par, in, at.begin(), at.end(), out.begin());
    return to_host(out);
  };
  const std::vector<float> aligned = sums(0);
  check_bitwise("128 bytes further", aligned, sums(32));
  check_bitwise("4 and 132 bytes behind", sums(1), sums(33));
  BOOST_TEST((sums(1) != aligned));
}

BOOST_AUTO_TEST_CASE(sums_of_floats_have_the_same_bits_in_every_run_and_on_every_device)
{
  const std::vector<u32> offsets = make_offsets(lengths::power_law, 2000, segmented_tile<float>(), 3);
  const std::vector<float> items = make_reals(offsets.back());
  const thrust::device_vector<float> in = to_device(items);
  const thrust::device_vector<u32> at = to_device(offsets);
  std::vector<float> first;
  for (int multiprocessors = 1; multiprocessors <= (emulated ? 5 : 1); multiprocessors += 2)
  {
#if defined(REHEAT_EMULATED)
    reheat::emulator::properties device;
    device.multiprocessors = multiprocessors;
    reheat::emulator::set_device_properties(device);
#endif
    for_each_seed(10,
                  [&]
                  {
                    thrust::device_vector<float> out(items.size(), 0.0f);
                    reheat::segmented_inclusive_scan(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
                    first = first.empty() ? to_host(out) : first;
                    check_bitwise("sums of floats", first, to_host(out));
                  });
  }
#if defined(REHEAT_EMULATED)
  reheat::emulator::set_device_properties({});
#endif
  long double exact = 0, magnitude = 0;
  std::size_t segment = 0;
  for (std::size_t i = offsets[0]; i < items.size(); ++i)
  {
    while (offsets[segment + 1] <= i)
    {
      ++segment;
      exact = magnitude = 0;
    }
    exact += items[i];
    magnitude += std::fabs(items[i]);
    const long double error = std::fabs(first[i] - exact), bound = sum_bound<float>(i - offsets[segment] + 1, magnitude);
    BOOST_TEST(error <= bound, "item " << i << " of segment " << segment << ": " << error << " off, bound " << bound);
  }
}

// ---- forms --------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(sums_from_zero_and_of_segments_of_one_size)
{
  for (const std::size_t size : {0, 1, 3, 64, 5000})
  {
    for (const std::size_t segments : {1, 2, 10, 300})
    {
      std::vector<u32> offsets;
      for (std::size_t s = 0; s <= segments; ++s)
      {
        offsets.push_back(static_cast<u32>(s * size));
      }
      const std::vector<u32> items = make_items<u32>(segments * size + 1, 1);
      const reheat::equal_segments where{segments, size};
      const std::string what = std::to_string(segments) + " segments of " + std::to_string(size);
      const thrust::device_vector<u32> at = to_device(offsets);
      const u32 zero = 0, seven = 7;
      const auto check = [&](bool inclusive, const u32* init, auto op, auto call)
      {
        const std::vector<u32> expected = segmented_scan_reference<u32>(items, offsets, items, inclusive, init, op);
        thrust::device_vector<u32> in = to_device(items), out = to_device(items);
        call(in.begin(), out.begin(), op);
        check_same(what, expected, to_host(out));
        call(in.begin(), in.begin(), op);
        check_same(what + ", in place", expected, to_host(in));
      };
      const thrust::maximum<u32> larger;
      check(true, nullptr, plus{},
            [&](auto from, auto out, auto) { reheat::segmented_inclusive_scan(reheat::par, from, where, out); });
      check(true, nullptr, larger,
            [&](auto from, auto out, auto op) { reheat::segmented_inclusive_scan(reheat::par, from, where, out, op); });
      check(true, &seven, larger,
            [&](auto from, auto out, auto op)
            { reheat::segmented_inclusive_scan(reheat::par, from, where, out, seven, op); });
      check(false, &zero, plus{},
            [&](auto from, auto out, auto) { reheat::segmented_exclusive_scan(reheat::par, from, where, out); });
      check(false, &seven, plus{},
            [&](auto from, auto out, auto) { reheat::segmented_exclusive_scan(reheat::par, from, where, out, seven); });
      check(false, &seven, larger,
            [&](auto from, auto out, auto op)
            { reheat::segmented_exclusive_scan(reheat::par, from, where, out, seven, op); });
      check(true, nullptr, plus{},
            [&](auto from, auto out, auto)
            { reheat::segmented_inclusive_scan(reheat::par, from, at.begin(), at.end(), out); });
      check(false, &zero, plus{},
            [&](auto from, auto out, auto)
            { reheat::segmented_exclusive_scan(reheat::par, from, at.begin(), at.end(), out); });
    }
  }
}

BOOST_AUTO_TEST_CASE(offsets_and_outputs_come_from_any_iterator)
{
  const std::vector<u32> offsets = make_offsets(lengths::few, 700, 1, 5);
  const std::vector<u32> items = make_items<u32>(offsets.back(), 1);
  const std::vector<u32> sums = segmented_scan_reference<u32>(items, offsets, std::vector<u32>(items.size(), 9), true,
                                                              static_cast<const u32*>(nullptr), plus{});
  const thrust::device_vector<u32> in = to_device(items);
  const thrust::device_vector<i64> wide_at(offsets.begin(), offsets.end());
  thrust::device_vector<i64> wide(items.size(), -9);
  reheat::segmented_inclusive_scan(reheat::par, in.begin(), wide_at.begin(), wide_at.end(),
                                   thrust::make_transform_output_iterator(wide.begin(), negated{}));
  std::vector<i64> expected;
  for (const u32 sum : sums)
  {
    expected.push_back(-static_cast<i64>(sum));
  }
  check_same("transformed outputs", expected, to_host(wide));
  thrust::device_vector<u32> out(items.size(), 0);
  const thrust::counting_iterator<u32> counted(0);
  reheat::segmented_exclusive_scan(reheat::par, in.begin(), counted, counted + static_cast<std::ptrdiff_t>(items.size()) + 1,
                                   out.begin(), 17u);
  check_same("a segment for each item", std::vector<u32>(items.size(), 17), to_host(out));
}

BOOST_AUTO_TEST_CASE(each_result_is_written_once_and_nothing_else_is_touched)
{
  using T = affine<u32>;
  for (const lengths kind : all_lengths)
  {
    const std::vector<u32> offsets = make_offsets(kind, 300, segmented_tile<T>(), 29);
    const std::size_t count = offsets.back() - 29;
    const std::vector<T> items = make_items<T>(count, 30);
    std::vector<u32> moved;
    for (const u32 offset : offsets)
    {
      moved.push_back(offset - 29);
    }
    const thrust::device_vector<u32> at = to_device(offsets);
    const std::vector<T> expected =
        segmented_scan_reference<T>(items, moved, items, true, static_cast<const T*>(nullptr), fold{});
    for_each_seed(3,
                  [&]
                  {
                    watched_input<T> in(items); // no item before, and none behind
                    watched_output<T> out(count);
                    reheat::segmented_inclusive_scan(reheat::par, in.begin() - 29, at.begin(), at.end(), out.begin() + (-29),
                                                     fold{});
                    out.check(name_of(kind));
                    check_same(name_of(kind), expected, out.items());
                  });
  }
}

BOOST_AUTO_TEST_CASE(calls_take_two_launches_and_wait_as_the_policy_says)
{
  const std::vector<u32> offsets = make_offsets(lengths::few, 700, 1);
  const std::vector<u32> items = make_items<u32>(offsets.back(), 1);
  const std::vector<u32> expected =
      segmented_scan_reference<u32>(items, offsets, items, true, static_cast<const u32*>(nullptr), plus{});
  const thrust::device_vector<u32> in = to_device(items), at = to_device(offsets);
  thrust::device_vector<u32> out(items.size());
  stream own;
  ledger book;
  const ledger_allocator<char> allocator(book);
  for (const u64 content : {u64{0}, ~u64{0}, u64{1} << 32 | 1u})
  {
    book = {};
    book.content = content;
    reheat::segmented_inclusive_scan(reheat::par(allocator), in.begin(), at.begin(), at.end(), out.begin());
    check_same("par(allocator)", expected, to_host(out));
    BOOST_TEST(book.allocations == 1u);
    BOOST_TEST(book.held == 0);
  }
  reheat::segmented_inclusive_scan(reheat::par.on(own.get()), in.begin(), at.begin(), at.end(), out.begin());
  check_same("par.on", expected, to_host(out));
#if defined(REHEAT_EMULATED)
  BOOST_TEST(own.get()->launch_count() == 2u);
  BOOST_TEST(own.get()->synchronisation_count() == 1u);
  own.get()->clear();
  reheat::segmented_inclusive_scan(reheat::par_nosync.on(own.get()), in.begin(), reheat::equal_segments{2, 3}, out.begin());
  BOOST_TEST(own.get()->launch_count() == 1u);
  BOOST_TEST(own.get()->synchronisation_count() == 0u);
#endif
}

BOOST_AUTO_TEST_CASE(no_offset_or_one_stores_nothing)
{
  const std::vector<u32> items = make_items<u32>(10, 1);
  const thrust::device_vector<u32> in = to_device(items), at(1, 0);
  watched_output<u32> out(3);
  for (const std::ptrdiff_t offsets : {0, 1})
  {
    reheat::segmented_inclusive_scan(reheat::par, in.begin(), at.begin(), at.begin() + offsets, out.begin());
    reheat::segmented_exclusive_scan(reheat::par, in.begin(), at.begin(), at.begin() + offsets, out.begin());
  }
  reheat::segmented_inclusive_scan(reheat::par, in.begin(), reheat::equal_segments{0, 3}, out.begin());
  check_same("no segment", std::vector<unsigned>(4, 0u), out.counts());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
