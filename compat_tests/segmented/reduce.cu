// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Segmented reductions: every length of a segment, every mix of lengths, every kind of value, and the order of operands.

#include "../support/epoch.hpp"
#include "../support/offsets.hpp"

#include <reheat/detail/segmented/shared.cuh>

#include <algorithm>
#include <cmath>

using namespace compat;

BOOST_AUTO_TEST_SUITE(segmented)
BOOST_AUTO_TEST_SUITE(reduce)

namespace
{

using i8 = std::int8_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

//! Composes maps x -> a * x + b modulo 2^16, where a is odd. A number holds b in its lower half and a / 2 in its upper one.
//! So the operands may be narrower numbers, and the result depends on where each of them is.
struct compose_numbers
{
  REHEAT_HOST_DEVICE static affine<std::uint16_t> map_of(i32 number)
  {
    return {static_cast<std::uint16_t>(2 * (static_cast<u32>(number) >> 16) + 1), static_cast<std::uint16_t>(number)};
  }
  REHEAT_HOST_DEVICE i32 operator()(i32 first, i32 then) const
  {
    const affine<std::uint16_t> both = compose(map_of(first), map_of(then));
    return static_cast<i32>(u32{both.a} >> 1 << 16 | both.b);
  }
};

//! Numbers of segments: fewer than a warp, around how many one launch reduces and how many ends a window has, and more than
//! several windows.
std::vector<std::size_t> numbers_of_segments(const reheat::detail::segmented_config& shape)
{
  const std::size_t few = shape.few_segments, window = shape.window_ends;
  return {1, 2, 31, 33, few - 1, few, few + 1, window - 1, window, window + 1, 5 * window + 7};
}

//! Segments of every kind, items and offsets at either alignment.
template <class T, class Op = fold>
void check_kinds(std::size_t segments, unsigned seeds)
{
  for (const lengths kind : all_lengths)
  {
    for (const placement where : {placement::aligned, placement::misaligned})
    {
      const std::vector<u32> offsets = make_offsets(kind, segments, segmented_tile<T>());
      const std::string what = std::to_string(segments) + " segments, " + name_of(kind);
      check_segments(what, make_items<T>(offsets.back(), 1), offsets, Op{}, seeds, where);
    }
  }
}

//! Each length up to three tiles and one item, between two short segments, from four neighbouring items on. `check(first,
//! length)` makes a call.
template <class Check>
void for_each_length(std::size_t tile, Check check)
{
  const std::size_t step = emulated ? 1 : 13; // a GPU's tiles have thousands of items
  for (std::size_t length = 0; length <= 3 * tile + 1; length += length % tile < 40 || length % tile > tile - 3 ? 1 : step)
  {
    check(length % 4, length);
  }
}

//! As many spans as there may be; on a GPU, where those take gigabytes, as many as there are of smaller inputs.
template <class T>
std::size_t several_spans()
{
  const reheat::detail::span_limits limits = segmented_shape<T>().spans;
  return emulated ? limits.max_spans : limits.few_spans;
}
//! Items of each, in a call of so many.
template <class T>
std::size_t span_items()
{
  const reheat::detail::span_limits limits = segmented_shape<T>().spans;
  return (emulated ? limits.large_cost : limits.min_cost) / sizeof(T);
}

} // namespace

// ---- lengths ------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(segments_of_every_length_up_to_three_tiles_are_summed)
{
  const std::size_t tile = segmented_tile<u32>();
  const std::vector<u32> items = make_items<u32>(3 * tile + 20, 1);
  placed<u32> in(items, placement::misaligned), at(4, placement::aligned), out(3, placement::aligned);
  for_each_length(tile,
                  [&](std::size_t first, std::size_t length)
                  {
                    const auto begin = static_cast<u32>(first), end = static_cast<u32>(first + length);
                    const std::vector<u32> offsets{begin, begin + 5, begin + 5 + static_cast<u32>(length), end + 7};
                    wait_for_all_streams();
                    copy_bytes(at.begin(), offsets.data(), 4 * sizeof(u32));
                    reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
                    check_same("a segment of " + std::to_string(length) + " items from item " + std::to_string(begin + 5),
                               segmented_reference<u32>(items, offsets, u32{0}, plus{}), out.items());
                  });
}

BOOST_AUTO_TEST_CASE(a_segment_of_every_length_up_to_three_tiles_is_complete_and_in_order)
{
  const std::size_t tile = segmented_tile<interval>();
  placed<interval> in(make_items<interval>(3 * tile + 20, 1), placement::misaligned), out(1, placement::aligned);
  placed<u64> at(2, placement::aligned);
  for_each_length(
      tile,
      [&](std::size_t first, std::size_t length)
      {
        const u64 offsets[] = {first, first + length};
        wait_for_all_streams();
        copy_bytes(at.begin(), offsets, sizeof offsets);
        reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), interval{0, 0},
                                 join_intervals{});
        const auto begin = static_cast<std::int64_t>(first) + 1;
        const auto expected = length == 0 ? interval{0, 0} : interval{begin, begin + static_cast<std::int64_t>(length)};
        check_result("the only segment", length, expected, out.items()[0]);
      });
}

BOOST_AUTO_TEST_CASE(items_need_not_lie_at_multiples_of_their_size)
{
  using T = affine<u32>; // of 8 bytes, at multiples of 4
  static_assert(alignof(T) == 4 && sizeof(T) == 8);
  const std::size_t tile = segmented_tile<T>();
  for (const std::size_t length : {std::size_t{5}, tile, 9 * tile})
  {
    const std::vector<u32> offsets{1, 4, static_cast<u32>(length + 4), static_cast<u32>(length + 9)};
    const std::vector<T> items = make_items<T>(offsets.back(), 1);
    const thrust::device_vector<u32> ends = to_device(offsets);
    thrust::device_vector<u32> words(2 * items.size() + 1);
    thrust::device_vector<T> out(3);
    T* const in = reinterpret_cast<T*>(raw(words) + 1);
    wait_for_all_streams();
    copy_bytes(in, items.data(), items.size() * sizeof(T));
    const T init = values<T>::make(0);
    reheat::segmented_reduce(reheat::par, in, ends.begin(), ends.end(), out.begin(), init, fold{});
    check_same("a segment of " + std::to_string(length) + " items", segmented_reference<T>(items, offsets, init, fold{}),
               to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(all_lengths_up_to_three_tiles_are_reduced_in_one_call)
{
  using T = affine<u32>;
  const std::size_t tile = segmented_tile<T>(), step = emulated ? 1 : 13;
  std::vector<u32> offsets{0};
  for (std::size_t length = 0; length <= 3 * tile + 1; length += step)
  {
    offsets.push_back(offsets.back() + static_cast<u32>(length));
  }
  check_segments("rising lengths", make_items<T>(offsets.back(), 1), offsets, fold{}, 3);
}

BOOST_AUTO_TEST_CASE(segments_of_every_kind_are_complete_and_in_order)
{
  for (const std::size_t segments : numbers_of_segments(segmented_shape<interval>()))
  {
    for (const lengths kind : all_lengths)
    {
      const std::vector<u32> offsets = make_offsets(kind, segments, segmented_tile<interval>());
      const std::vector<interval> items = make_items<interval>(offsets.back(), 1);
      const std::vector<interval> expected = segmented_reference<interval>(items, offsets, interval{0, 0}, join_intervals{});
      const thrust::device_vector<interval> in = to_device(items);
      const thrust::device_vector<u32> at = to_device(offsets);
      for_each_seed(3,
                    [&]
                    {
                      thrust::device_vector<interval> out(segments);
                      reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), interval{0, 0},
                                               join_intervals{});
                      check_same(std::to_string(segments) + " segments, " + name_of(kind), expected, to_host(out));
                    });
    }
  }
}

BOOST_AUTO_TEST_CASE(operands_keep_their_order_under_many_schedules)
{
  using T = affine<u32>;
  check_kinds<T>(2 * segmented_shape<T>().window_ends + 5, 10);
  check_kinds<T>(7, 10);
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
    check_segments(std::to_string(giant) + " items between empty segments", make_items<T>(giant, 1), offsets, fold{}, 10);
  }
}

BOOST_AUTO_TEST_CASE(segments_that_reach_over_two_or_three_spans_are_joined)
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
    check_segments("segments of " + std::to_string(length) + " items", make_items<T>(offsets.back(), 1), offsets, fold{},
                   10);
  }
}

BOOST_AUTO_TEST_CASE(a_segment_as_long_as_shares_allow_or_longer_is_reduced)
{
  using T = affine<u32>;
  const auto shape = segmented_shape<T>();
  for (const std::size_t longest : {0, 1, 2})
  {
    for (const int more : {-1, 0, 1, 1000})
    {
      for (const placement where : {placement::aligned, placement::misaligned})
      {
        const std::vector<u32> offsets = make_shares(shape, shape.block_threads, longest, 3, more);
        check_segments(std::to_string(more) + " items more than shares allow, " + std::to_string(longest) + " of 3",
                       make_items<T>(offsets.back(), 1), offsets, fold{}, 3, where);
      }
    }
  }
}

//! There are no more segments than blocks, so each block takes one segment. Long, short and empty ones, in any order.
BOOST_AUTO_TEST_CASE(each_of_a_few_segments_has_a_block_of_its_own)
{
  using T = affine<u32>;
  BOOST_REQUIRE(segmented_shape<T>().spans.few_spans >= 4);
  std::vector<u32> lengths{0, 5, 300, 590};
  do
  {
    for (std::size_t segments = 1; segments <= lengths.size(); ++segments)
    {
      std::vector<u32> offsets{0};
      for (std::size_t i = 0; i < segments; ++i)
      {
        offsets.push_back(offsets.back() + lengths[i]);
      }
      check_segments(std::to_string(segments) + " segments, the first of " + std::to_string(lengths[0]) + " items",
                     make_items<T>(offsets.back(), 1), offsets, fold{}, 3);
    }
  } while (std::next_permutation(lengths.begin(), lengths.end()));
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
      check_segments(std::to_string(length) + " items behind each " + std::to_string(empty) + " empty segments",
                     make_items<T>(offsets.back(), 1), offsets, fold{}, 5);
    }
  }
}

// ---- values -------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(numbers_are_summed)
{
  check_kinds<i32>(5 * segmented_shape<i32>().window_ends + 7, 3);
  check_kinds<u64>(300, 3);
}

BOOST_AUTO_TEST_CASE(bytes_are_summed_in_bytes)
{
  check_kinds<i8>(5 * segmented_shape<i8>().window_ends + 7, 3);
}

BOOST_AUTO_TEST_CASE(sums_of_floats_are_within_the_error_bound)
{
  const std::size_t tile = segmented_tile<float>();
  const std::vector<u32> offsets = make_offsets(lengths::one_giant, 200, tile);
  const std::vector<float> items = make_reals(offsets.back());
  const thrust::device_vector<float> in = to_device(items);
  const thrust::device_vector<u32> at = to_device(offsets);
  thrust::device_vector<float> out(200);
  reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
  const std::vector<float> actual = to_host(out);
  for (std::size_t segment = 0; segment < actual.size(); ++segment)
  {
    long double exact = 0, magnitude = 0;
    for (std::size_t i = offsets[segment]; i < offsets[segment + 1]; ++i)
    {
      exact += items[i];
      magnitude += std::fabs(items[i]);
    }
    const std::size_t length = offsets[segment + 1] - offsets[segment];
    const long double error = std::fabs(actual[segment] - exact), bound = sum_bound<float>(length, magnitude);
    BOOST_TEST(error <= bound, "segment " << segment << " of " << length << " items: " << error << " off, bound " << bound);
  }
}

BOOST_AUTO_TEST_CASE(objects_that_their_bytes_do_not_copy_are_reduced)
{
  for (const std::size_t segments : {3, 200})
  {
    check_kinds<tracked<emulated>>(segments, 3); // a GPU's objects reach it by their bytes, at another address
  }
}

BOOST_AUTO_TEST_CASE(values_too_large_for_shared_memory_are_reduced_in_scratch_memory)
{
  using T = words<256>; // 1 KB
  const std::size_t tile = segmented_tile<T>();
  for (const lengths kind : {lengths::all_empty, lengths::few, lengths::one_giant})
  {
    const std::vector<u32> offsets = make_offsets(kind, 150, tile / 4);
    check_segments(name_of(kind), make_items<T>(offsets.back(), 1), offsets, fold{}, 3, placement::misaligned);
  }
}

BOOST_AUTO_TEST_CASE(narrow_items_are_summed_in_the_type_of_the_initial_value)
{
  for (const lengths kind : all_lengths)
  {
    for (const placement where : {placement::aligned, placement::misaligned})
    {
      const std::vector<u32> offsets = make_offsets(kind, 500, segmented_tile<i32>());
      const std::vector<i8> items = make_items<i8>(offsets.back(), 1);
      placed<i8> in(items, where);
      const thrust::device_vector<u32> at = to_device(offsets);
      thrust::device_vector<i32> out(500);
      reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), i32{1000});
      check_same(name_of(kind), segmented_reference<i32>(items, offsets, i32{1000}, plus{}), to_host(out));
    }
  }
}

BOOST_AUTO_TEST_CASE(long_segments_of_narrow_items_are_complete_and_in_order)
{
  const std::size_t batch = emulated ? 256 : 1024; // items of a byte that a warp reads before it folds any
  const std::size_t few = segmented_shape<i32>().few_segments;
  for (const std::size_t segments : {few / 2, few / 2 + 1, few, 6 * few})
  {
    for (const std::size_t mean : {batch / 4, batch / 2 + 5, 2 * batch})
    {
      for (const std::size_t giant : {std::size_t{0}, 3 * batch, 100 * batch})
      {
        std::vector<u32> offsets{0};
        for (std::size_t i = 0; i < segments; ++i)
        {
          const std::size_t length = i % 7 == 3 ? 0 : i % 5 * mean / 2 + i % 11;
          offsets.push_back(static_cast<u32>(offsets.back() + (giant != 0 && i == segments / 2 ? giant : length)));
        }
        const std::vector<i8> items = make_items<i8>(offsets.back(), 1);
        const thrust::device_vector<u32> at = to_device(offsets);
        const std::string what =
            std::to_string(segments) + " of " + std::to_string(mean) + " on average, one of " + std::to_string(giant);
        for (const placement where : {placement::aligned, placement::misaligned})
        {
          placed<i8> in(items, where);
          thrust::device_vector<i32> out(segments);
          reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), i32{1000});
          check_same(what, segmented_reference<i32>(items, offsets, i32{1000}, plus{}), to_host(out));
          reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), i32{1000}, compose_numbers{});
          check_same(what + ", in order", segmented_reference<i32>(items, offsets, i32{1000}, compose_numbers{}),
                     to_host(out));
        }
      }
    }
  }
}

//! Segments that warps stream (detail/segmented/stream.cuh): of all lengths, some empty, and one over many spans.
template <class In, class Accum, class Op>
void check_streams(const std::string& what, Op op)
{
  const reheat::detail::segmented_config shape = segmented_shape<Accum>();
  const std::size_t segments = shape.few_segments + 70,
                    mean = std::max<std::size_t>(2 * shape.stream_mean_items + 5, shape.stream_min_items / segments);
  for (const std::size_t giant : {std::size_t{0}, span_items<Accum>() * 3, span_items<Accum>() * (emulated ? 60 : 9)})
  {
    for (const std::size_t even : {0, 1})
    {
      std::vector<u32> offsets{3};
      for (std::size_t i = 0; i < segments; ++i)
      {
        const std::size_t mixed = i % 7 == 3 ? 0 : i % 5 * mean + i % 11 + (i % 64 < 40 ? 3 * mean : 0);
        const std::size_t length = even == 1 ? (2 * mean + 31) / 32 * 32 : mixed;
        offsets.push_back(static_cast<u32>(offsets.back() + (giant != 0 && i == segments / 2 ? giant : length)));
      }
      for (std::size_t i = 0; i < 40 * even; ++i) // behind all items; so many keep to tiles
      {
        offsets.push_back(offsets.back());
      }
      const std::vector<In> items = make_items<In>(offsets.back(), 1);
      const std::vector<Accum> expected = segmented_reference<Accum>(items, offsets, Accum{7}, op);
      const thrust::device_vector<u32> at = to_device(offsets);
      for (const placement where : {placement::aligned, placement::misaligned})
      {
        placed<In> in(items, where);
        for_each_seed(3,
                      [&]
                      {
                        thrust::device_vector<Accum> out(expected.size());
                        reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), Accum{7}, op);
                        check_same(what + ", giant of " + std::to_string(giant), expected, to_host(out));
                      });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(long_segments_of_numbers_are_streamed)
{
  check_streams<u32, u32>("u32", plus{});
  check_streams<u64, u64>("u64", plus{});
  check_streams<double, double>("f64", plus{});
  check_streams<std::uint8_t, std::uint8_t>("u8", plus{});
  check_streams<i8, i32>("i8 as i32", plus{});
  check_streams<std::int16_t, i32>("largest i16", thrust::maximum<i32>{});
}

// ---- the same in every run ----------------------------------------------------------------------------------------------

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
                    thrust::device_vector<float> out(2000);
                    reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
                    first = first.empty() ? to_host(out) : first;
                    check_bitwise("sums of floats", first, to_host(out));
                  });
  }
#if defined(REHEAT_EMULATED)
  reheat::emulator::set_device_properties({});
#endif
}

//! What the bits of a result follow from. Stages and resident blocks may differ.
BOOST_AUTO_TEST_CASE(every_architecture_folds_and_scans_segments_in_the_same_order)
{
  const auto check = [](auto tuning, const char* what)
  {
    const auto is_alike = [&](int arch)
    {
      const reheat::detail::segmented_config x = tuning(arch), y = tuning(900);
      return x.block_threads == y.block_threads && x.items_per_thread == y.items_per_thread &&
             x.window_ends == y.window_ends && x.carry_threads == y.carry_threads &&
             x.spans.few_spans == y.spans.few_spans && x.spans.max_spans == y.spans.max_spans &&
             x.spans.min_cost == y.spans.min_cost && x.spans.large_cost == y.spans.large_cost && x.rows == y.rows &&
             x.few_segments == y.few_segments && x.whole_items == y.whole_items && x.chunk_items == y.chunk_items &&
             x.stream_rows == y.stream_rows && x.stream_mean_items == y.stream_mean_items &&
             x.stream_min_items == y.stream_min_items && x.streams_words == y.streams_words && x.in_scratch == y.in_scratch;
    };
    BOOST_TEST(
        reheat::detail::on_every_arch([&](int arch) { return arch == reheat::detail::emulated_arch || is_alike(arch); }),
        what);
  };
  const auto check_equal = [](auto tuning)
  {
    const auto is_alike = [&](int arch)
    {
      const reheat::detail::equal_blocks_config x = tuning(arch), y = tuning(900);
      return x.block_threads == y.block_threads && x.rows == y.rows && x.shares == y.shares && x.min_share == y.min_share &&
             x.whole_items == y.whole_items && x.many_segments == y.many_segments && x.max_blocks == y.max_blocks &&
             x.lane_pieces == y.lane_pieces;
    };
    BOOST_TEST(
        reheat::detail::on_every_arch([&](int arch) { return arch == reheat::detail::emulated_arch || is_alike(arch); }),
        "segments of one size by blocks");
  };
  const auto check_values = [&](auto value)
  {
    using T = decltype(value);
    check_equal(reheat::detail::equal_blocks_tuning<T>{});
    check(reheat::detail::fitting_segmented_tuning<T>{}, "reductions");
    check(reheat::detail::fitting_segmented_tuning<T, reheat::detail::segmented_scan_tuning<sizeof(T)>>{}, "scans");
  };
  check_values(i8{});
  check_values(std::int16_t{});
  check_values(float{});
  check_values(double{});
  check_values(words<4>{});
  check_values(words<300>{});
}

//! So many segments that the launch has blocks for more spans than there are. Those that have none may ask for the epoch
//! when the others have ended the launch.
BOOST_AUTO_TEST_CASE(blocks_without_a_span_leave_the_last_epochs_alone)
{
  reheat::trim_workspaces();
  const auto cfg = segmented_shape<u32>();
  const std::vector<u32> items = make_items<u32>(3, 1);
  std::vector<u32> offsets(2 * cfg.window_ends * cfg.spans.few_spans + 2, 0);
  offsets.back() = static_cast<u32>(items.size());
  const std::vector<u32> expected = segmented_reference<u32>(items, offsets, u32{7}, plus{});
  const thrust::device_vector<u32> in = to_device(items), at = to_device(offsets);
  stream own;
  const auto call = [&](const char* what)
  {
    thrust::device_vector<u32> out(expected.size(), 9);
    wait_for_all_streams();
    reheat::segmented_reduce(reheat::par.on(own.get()), in.begin(), at.begin(), at.end(), out.begin(), u32{7}, plus{});
    check_same(what, expected, to_host(out));
    const reheat::detail::workspace_header header = header_of(own.get());
    BOOST_TEST(header.finished_blocks == 0u, what << ": " << header.finished_blocks << " blocks count as finished");
    BOOST_TEST(header.next_ticket == 0u, what);
  };
  call("the first launch");
  for_each_seed(40,
                [&]
                {
                  set_launch_count(own.get(), reheat::detail::last_epoch - 2);
                  for (const char* const what : {"the launch before the last", "the last launch", "a first launch"})
                  {
                    call(what);
                  }
                });
}

//! At addresses that are alike in 16 bytes. In others tiles begin elsewhere.
BOOST_AUTO_TEST_CASE(sums_of_floats_have_the_same_bits_where_the_input_begins_at_the_same_place_in_16_bytes)
{
  const std::vector<float> items = make_reals(300000);
  const thrust::device_vector<u32> at = to_device(std::vector<u32>{0, 1000, 1003, 120000, 120000, 300000});
  const auto sums = [&](std::size_t behind)
  {
    placed<float> in(items, behind);
    thrust::device_vector<float> out(at.size() - 1);
    reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
    return to_host(out);
  };
  const std::vector<float> aligned = sums(0);
  check_bitwise("16 bytes further", aligned, sums(4));
  check_bitwise("4 and 36 bytes behind", sums(1), sums(9));
  if (emulated) // in tiles of its size, these items do show it
  {
    BOOST_TEST((sums(1) != aligned));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
