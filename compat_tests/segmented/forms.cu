// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Segmented reductions: which offsets, iterators, initial values, operators and policies a call takes, and what it does to
//! its stream and its memory.

#include "../support/memory.hpp"
#include "../support/offsets.hpp"

#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <new>

using namespace compat;

BOOST_AUTO_TEST_SUITE(segmented)
BOOST_AUTO_TEST_SUITE(forms)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

//! Items in segments of up to seven, and the sums of these. Several spans.
struct example
{
  static constexpr std::size_t segments = 700;

  explicit example(std::size_t first = 0)
      : offsets(make_offsets(lengths::few, segments, 1, first)), items(make_items<u32>(offsets.back(), 1)),
        sums(segmented_reference<u32>(items, offsets, u32{0}, plus{})), at(to_device(offsets)), in(to_device(items)),
        out(segments)
  {}
  //! What calls have left, which is forgotten.
  void check(const std::string& what)
  {
    check_same(what, sums, to_host(out));
    wait_for_all_streams();
    const std::vector<u32> nothing(segments, 0xabcdef01u);
    copy_bytes(raw(out), nothing.data(), segments * sizeof(u32));
  }
  template <class Policy>
  void check_call(const std::string& what, const Policy& policy)
  {
    reheat::segmented_reduce(policy, in.begin(), at.begin(), at.end(), out.begin());
    check(what);
  }

  std::vector<u32> offsets, items, sums;
  thrust::device_vector<u32> at, in, out;
};

//! Offsets of another type, from `first` on.
template <class Offset>
void check_offsets(const char* what)
{
  for (const std::size_t first : {0, 1, 37})
  {
    example data(first);
    const thrust::device_vector<Offset> at(data.offsets.begin(), data.offsets.end());
    reheat::segmented_reduce(reheat::par, raw(data.in), raw(at), raw(at) + at.size(), raw(data.out));
    data.check(std::string(what) + " from " + std::to_string(first));
  }
}

//! Offsets from `first` on where no memory has items.
template <class Offset>
void check_high_offsets(u64 first)
{
  const std::vector<Offset> offsets = make_offsets<Offset>(lengths::few, 300, 1, first);
  const std::vector<interval> expected = segmented_reference_of<interval>(
      [](std::size_t i) { return make_item<interval>{}(i); }, offsets, interval{0, 0}, join_intervals{});
  const thrust::device_vector<Offset> at = to_device(offsets);
  thrust::device_vector<interval> out(expected.size());
  reheat::segmented_reduce(reheat::par, generated<interval>(), at.begin(), at.end(), out.begin(), interval{0, 0},
                           join_intervals{});
  check_same("offsets from " + std::to_string(first), expected, to_host(out));
}

struct times_thirty
{
  using result_type = u32;
  template <class Index>
  REHEAT_HOST_DEVICE u32 operator()(Index index) const
  {
    return static_cast<u32>(index) * 30u;
  }
};
struct product
{
  template <class Pair>
  REHEAT_HOST_DEVICE u32 operator()(const Pair& x) const
  {
    return thrust::get<0>(x) * thrust::get<1>(x);
  }
};
struct negated
{
  REHEAT_HOST_DEVICE i64 operator()(u32 x) const { return -static_cast<i64>(x); }
};

using triple = thrust::tuple<u8, u32, u32>;
struct triple_fold
{
  REHEAT_HOST_DEVICE triple operator()(const triple& x, const triple& y) const { return values<triple>::fold(x, y); }
};

} // namespace

// ---- offsets ------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(offsets_have_four_or_eight_bytes_with_or_without_a_sign)
{
  check_offsets<std::int32_t>("int32");
  check_offsets<u32>("uint32");
  check_offsets<i64>("int64");
  check_offsets<u64>("uint64");
}

BOOST_AUTO_TEST_CASE(offsets_reach_to_the_end_of_their_type_and_beyond_32_bits)
{
  check_high_offsets<u32>(0xffffffffu - 2100);
  check_high_offsets<u64>((u64{1} << 32) - 100);
  check_high_offsets<i64>(i64{1} << 40);
}

BOOST_AUTO_TEST_CASE(offsets_are_counted_or_computed)
{
  example data;
  const std::size_t size = data.items.size();
  thrust::device_vector<u32> out(size);
  const thrust::counting_iterator<u32> counted(0);
  reheat::segmented_reduce(reheat::par, data.in.begin(), counted, counted + static_cast<std::ptrdiff_t>(size) + 1,
                           out.begin());
  check_same("a segment for each item", data.items, to_host(out));

  const auto computed = thrust::make_transform_iterator(counting(0), times_thirty{});
  const std::size_t segments = size / 30;
  std::vector<u32> offsets;
  for (std::size_t i = 0; i <= segments; ++i)
  {
    offsets.push_back(static_cast<u32>(30 * i));
  }
  reheat::segmented_reduce(reheat::par, data.in.begin(), computed, computed + static_cast<std::ptrdiff_t>(segments) + 1,
                           out.begin());
  check_same("segments of 30 items", segmented_reference<u32>(data.items, offsets, 0u, plus{}), to_host(out, 0, segments));
}

//! `segments` segments of `size` items each, by all three forms.
void check_equal_segments(std::size_t segments, std::size_t size)
{
  std::vector<u32> offsets;
  for (std::size_t s = 0; s <= segments; ++s)
  {
    offsets.push_back(static_cast<u32>(s * size));
  }
  const std::vector<u32> items = make_items<u32>(segments * size, 1);
  const thrust::device_vector<u32> in = to_device(items);
  const reheat::equal_segments where{segments, size};
  const std::string what = std::to_string(segments) + " segments of " + std::to_string(size);
  thrust::device_vector<u32> out(segments);
  reheat::segmented_reduce(reheat::par, in.begin(), where, out.begin());
  check_same(what, segmented_reference<u32>(items, offsets, u32{0}, plus{}), to_host(out));
  reheat::segmented_reduce(reheat::par, in.begin(), where, out.begin(), u32{7});
  check_same(what + " behind 7", segmented_reference<u32>(items, offsets, u32{7}, plus{}), to_host(out));
  reheat::segmented_reduce(reheat::par, in.begin(), where, out.begin(), u32{9}, thrust::maximum<u32>());
  check_same(what + ", largest", segmented_reference<u32>(items, offsets, u32{9}, thrust::maximum<u32>()), to_host(out));
}
BOOST_AUTO_TEST_CASE(segments_of_one_size_need_no_offsets)
{
  for (const std::size_t size : {0, 1, 3, 64, 5000})
  {
    for (const std::size_t segments : {1, 2, 5, 300})
    {
      check_equal_segments(segments, size);
    }
  }
  thrust::device_vector<u32> nothing(1, 5);
  reheat::segmented_reduce(reheat::par, nothing.begin(), reheat::equal_segments{0, 3}, nothing.begin());
  BOOST_TEST(to_host(nothing)[0] == 5u);
}

//! First one map, then the other: they do not commute.
struct composed
{
  template <class Word>
  REHEAT_HOST_DEVICE affine<Word> operator()(const affine<Word>& f, const affine<Word>& g) const
  {
    return compose(f, g);
  }
};

//! Segments of each size that lanes, teams of lanes, or warps reduce, and of some that blocks reduce: each a segment, or
//! several a segment. Input and output begin `past` items behind an address of some alignment.
template <class T, class Op>
void check_sizes(const char* what, std::size_t past, Op op)
{
  std::vector<std::size_t> sizes = {63,  64,  65,  127, 128, 129, 255,  256,  257, 511,
                                    513, 599, 600, 601, 700, 297, 1100, 1500, 3001};
  for (std::size_t size = 1; size <= 40; ++size)
  {
    sizes.push_back(size);
  }
  for (const std::size_t size : sizes)
  {
    const std::size_t segments = size % 3 == 0   ? 5
                                 : size < 70     ? 450
                                 : size % 5 == 0 ? 25
                                                 : 67; // full turns of warps, and others
    std::vector<u32> offsets;
    for (std::size_t s = 0; s <= segments; ++s)
    {
      offsets.push_back(static_cast<u32>(s * size));
    }
    const std::vector<T> items = make_items<T>(past + segments * size, 1);
    const std::vector<T> own(items.begin() + static_cast<std::ptrdiff_t>(past), items.end());
    const thrust::device_vector<T> in = to_device(items);
    thrust::device_vector<T> out(past + segments);
    const T init = own[0];
    reheat::segmented_reduce(reheat::par, raw(in) + past, reheat::equal_segments{segments, size}, raw(out) + past, init, op);
    check_same(std::string(what) + ": " + std::to_string(segments) + " segments of " + std::to_string(size),
               segmented_reference<T>(own, offsets, init, op), to_host(out, past, segments));
  }
}
BOOST_AUTO_TEST_CASE(segments_of_one_size_are_complete_and_in_order_for_each_size)
{
  check_sizes<u8>("u8", 0, thrust::plus<u8>());
  check_sizes<u8>("u8 behind 3 items", 3, thrust::plus<u8>());
  check_sizes<u32>("u32", 0, thrust::plus<u32>());
  check_sizes<u64>("u64", 0, thrust::plus<u64>());
  check_sizes<u32>("u32 behind an item", 1, thrust::maximum<u32>());
  check_sizes<affine<u8>>("maps of 2 bytes", 0, composed{});
  check_sizes<affine<u8>>("maps of 2 bytes behind 3 items", 3, composed{});
  check_sizes<affine<u32>>("maps of 8 bytes", 0, composed{});
  check_sizes<affine<u32>>("maps of 8 bytes behind an item", 1, composed{});
  check_sizes<affine<u64>>("maps of 16 bytes", 0, composed{});
}

BOOST_AUTO_TEST_CASE(no_offset_or_one_stores_nothing)
{
  example data;
  watched_output<u32> out(3);
  for (const std::size_t offsets : {0, 1})
  {
    reheat::segmented_reduce(reheat::par, data.in.begin(), data.at.begin(),
                             data.at.begin() + static_cast<std::ptrdiff_t>(offsets), out.begin());
  }
  check_same("no segment", std::vector<unsigned>(4, 0u), out.counts());
}

BOOST_AUTO_TEST_CASE(offsets_that_end_before_they_begin_are_described)
{
  example data;
  const auto is_described = [](const std::runtime_error& error)
  {
    return std::string(error.what()) ==
           "reheat::segmented_reduce: the range ends 3 items before it begins; pass (first, last) with first <= last";
  };
  BOOST_CHECK_EXCEPTION(
      reheat::segmented_reduce(reheat::par, data.in.begin(), data.at.begin() + 5, data.at.begin() + 2, data.out.begin()),
      std::runtime_error, is_described);
}

// ---- initial values and operators ---------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(an_initial_value_begins_each_segment_and_fills_empty_ones)
{
  example data;
  reheat::segmented_reduce(reheat::par, data.in.begin(), data.at.begin(), data.at.end(), data.out.begin(), 17u);
  check_same("a sum from 17", segmented_reference<u32>(data.items, data.offsets, 17u, plus{}), to_host(data.out));
}

BOOST_AUTO_TEST_CASE(an_operator_may_carry_a_value_and_be_inconstant)
{
  example data;
  std::vector<u32> remainders = data.items;
  for (u32& item : remainders)
  {
    item %= 1009;
  }
  const thrust::device_vector<u32> in = to_device(remainders);
  reheat::segmented_reduce(reheat::par, in.begin(), data.at.begin(), data.at.end(), data.out.begin(), 5u, plus_modulo{1009});
  check_same("sums modulo 1009", segmented_reference<u32>(remainders, data.offsets, 5u, plus_modulo{1009}),
             to_host(data.out));
  reheat::segmented_reduce(reheat::par, data.in.begin(), data.at.begin(), data.at.end(), data.out.begin(), 5u,
                           unconstant_plus{});
  check_same("sums", segmented_reference<u32>(data.items, data.offsets, 5u, plus{}), to_host(data.out));
}

BOOST_AUTO_TEST_CASE(an_operator_may_return_a_reference)
{
  example data;
  reheat::segmented_reduce(reheat::par, data.in.begin(), data.at.begin(), data.at.end(), data.out.begin(), 1u << 30,
                           maximum_by_reference{});
  check_same("maxima", segmented_reference<u32>(data.items, data.offsets, 1u << 30, maximum_by_reference{}),
             to_host(data.out));
}

// ---- iterators ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(each_item_is_read_once_and_each_result_written_once)
{
  using T = affine<u32>;
  for (const lengths kind : all_lengths)
  {
    const std::vector<u32> offsets = make_offsets(kind, 300, segmented_tile<T>());
    const std::vector<T> items = make_items<T>(offsets.back(), 1);
    const thrust::device_vector<u32> at = to_device(offsets);
    const T init = values<T>::make(0);
    for_each_seed(5,
                  [&]
                  {
                    watched_input<T> in(items);
                    watched_output<T> out(300);
                    reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), init, fold{});
                    in.check(1, name_of(kind));
                    out.check(name_of(kind));
                    check_same(name_of(kind), segmented_reference<T>(items, offsets, init, fold{}), out.items());
                  });
  }
}

BOOST_AUTO_TEST_CASE(items_outside_the_offsets_are_not_read)
{
  const std::vector<u32> offsets = make_offsets(lengths::few, 300, 1, 29);
  const std::vector<u32> items = make_items<u32>(offsets.back() - 29, 30);
  watched_input<u32> in(items);
  const thrust::device_vector<u32> at = to_device(offsets);
  thrust::device_vector<u32> out(300);
  reheat::segmented_reduce(reheat::par, in.begin() - 29, at.begin(), at.end(), out.begin());
  in.check(1, "items from 29 on");
}

BOOST_AUTO_TEST_CASE(input_comes_from_two_ranges)
{
  example data;
  const thrust::device_vector<u32> other = to_device(make_items<u32>(data.items.size(), 5000));
  const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(data.in.begin(), other.begin()));
  std::vector<u32> products = make_items<u32>(data.items.size(), 5000);
  for (std::size_t i = 0; i < products.size(); ++i)
  {
    products[i] *= data.items[i];
  }
  reheat::segmented_reduce(reheat::par, thrust::make_transform_iterator(pairs, product{}), data.at.begin(), data.at.end(),
                           data.out.begin());
  check_same("inner products", segmented_reference<u32>(products, data.offsets, 0u, plus{}), to_host(data.out));
}

BOOST_AUTO_TEST_CASE(tuples_of_three_ranges_are_folded)
{
  example data;
  const std::vector<triple> items = make_items<triple>(data.items.size(), 1);
  std::vector<u8> first;
  std::vector<u32> second, third;
  for (const triple& item : items)
  {
    first.push_back(thrust::get<0>(item));
    second.push_back(thrust::get<1>(item));
    third.push_back(thrust::get<2>(item));
  }
  const thrust::device_vector<u8> a = to_device(first);
  const thrust::device_vector<u32> b = to_device(second), c = to_device(third);
  const triple init = values<triple>::make(0);
  thrust::device_vector<triple> out(example::segments);
  reheat::segmented_reduce(reheat::par, thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin())),
                           data.at.begin(), data.at.end(), out.begin(), init, triple_fold{});
  check_same("tuples", segmented_reference<triple>(items, data.offsets, init, triple_fold{}), to_host(out));
}

BOOST_AUTO_TEST_CASE(output_is_converted_transformed_or_discarded)
{
  example data;
  thrust::device_vector<i64> out(example::segments);
  std::vector<i64> expected(data.sums.begin(), data.sums.end());
  reheat::segmented_reduce(reheat::par, data.in.begin(), data.at.begin(), data.at.end(), out.begin());
  check_same("wider output", expected, to_host(out));
  for (i64& sum : expected)
  {
    sum = -sum;
  }
  reheat::segmented_reduce(reheat::par, data.in.begin(), data.at.begin(), data.at.end(),
                           thrust::make_transform_output_iterator(out.begin(), negated{}));
  check_same("transformed output", expected, to_host(out));
  reheat::segmented_reduce(reheat::par, data.in.begin(), data.at.begin(), data.at.end(), thrust::make_discard_iterator());
}

// ---- policies -----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(policies_name_the_stream_and_whether_to_wait)
{
  example data;
  stream own;
  data.check_call("par", reheat::par);
  data.check_call("par_nosync", reheat::par_nosync);
  data.check_call("par.on", reheat::par.on(own.get()));
#if defined(REHEAT_EMULATED)
  BOOST_TEST(own.get()->launch_count() == 1u);
  BOOST_TEST(own.get()->synchronisation_count() == 1u);
  own.get()->clear();
#endif
  data.check_call("par_nosync.on", reheat::par_nosync.on(own.get()));
#if defined(REHEAT_EMULATED)
  BOOST_TEST(own.get()->launch_count() == 1u);
  BOOST_TEST(own.get()->synchronisation_count() == 0u);
  own.get()->clear();
  const thrust::device_vector<u32> in(30, 1), at = to_device(std::vector<u32>{0, 10, 10, 30});
  thrust::device_vector<u32> out(3);
  reheat::segmented_reduce(reheat::par_nosync.on(own.get()), in.begin(), at.begin(), at.end(), out.begin());
  wait_for_all_streams();
  check_same("three segments", std::vector<u32>{10, 0, 20}, to_host(out));
  BOOST_TEST(own.get()->launch_count() == 1u);
#endif
}

//! Records of values that are too large for words. Several spans.
struct large_example
{
  using item = words<10>;

  large_example()
      : offsets(make_offsets(lengths::few, example::segments, 1)), items(make_items<item>(offsets.back(), 1)),
        expected(segmented_reference<item>(items, offsets, values<item>::make(0), fold{})), at(to_device(offsets)),
        in(to_device(items)), out(example::segments)
  {}
  template <class Policy>
  void check_call(const std::string& what, const Policy& policy)
  {
    out = thrust::device_vector<item>(example::segments);
    reheat::segmented_reduce(policy, in.begin(), at.begin(), at.end(), out.begin(), values<item>::make(0), fold{});
    wait_for_all_streams();
    check_same(what, expected, to_host(out));
  }

  std::vector<u32> offsets;
  std::vector<item> items, expected;
  thrust::device_vector<u32> at;
  thrust::device_vector<item> in, out;
};

BOOST_AUTO_TEST_CASE(scratch_memory_comes_from_the_policys_allocator_and_may_hold_anything)
{
  large_example data;
  example small;
  stream own;
  ledger book;
  const ledger_allocator<char> allocator(book);
  for (const u64 content : {u64{0}, u64{0xa5a5a5a5a5a5a5a5u}, ~u64{0}, u64{1} << 32 | 1u})
  {
    book = {};
    book.content = content;
    data.check_call("par(allocator)", reheat::par(allocator));
    data.check_call("par(allocator).on(stream)", reheat::par(allocator).on(own.get()));
    data.check_call("par_nosync(allocator).on(stream)", reheat::par_nosync(allocator).on(own.get()));
    BOOST_TEST(book.allocations == 3u, book.allocations << " allocations by three calls");
    BOOST_TEST(book.held == 0, book.held << " bytes were not given back");
    small.check_call("values that fit words", reheat::par(allocator));
    BOOST_TEST(book.allocations == (emulated ? 3u : 4u)); // a GPU keeps chunks of so few segments
  }
}

BOOST_AUTO_TEST_CASE(an_allocator_that_throws_is_heard_and_nothing_is_lost)
{
  large_example data;
  ledger book;
  book.fails = true;
  ledger_allocator<char> allocator(book);
  BOOST_CHECK_THROW(data.check_call("with an allocator that throws", reheat::par(allocator)), std::bad_alloc);
  BOOST_TEST(book.held == 0);
  book.fails = false;
  data.check_call("afterwards", reheat::par(allocator));
}

BOOST_AUTO_TEST_CASE(calls_one_after_the_other_share_scratch_memory)
{
  example data;
  const std::vector<u32> offsets = make_offsets(lengths::one_giant, 50, segmented_tile<u32>());
  const thrust::device_vector<u32> in = to_device(make_items<u32>(offsets.back(), 7)), at = to_device(offsets);
  const std::vector<u32> expected = segmented_reference<u32>(make_items<u32>(offsets.back(), 7), offsets, 3u, plus{});
  stream own;
  for_each_seed(10,
                [&]
                {
                  thrust::device_vector<u32> out(50), scanned(data.items.size());
                  const auto policy = reheat::par_nosync.on(own.get());
                  reheat::segmented_reduce(policy, data.in.begin(), data.at.begin(), data.at.end(), data.out.begin());
                  reheat::segmented_reduce(policy, in.begin(), at.begin(), at.end(), out.begin(), 3u);
                  thrust::inclusive_scan(policy, data.in.begin(), data.in.end(), scanned.begin(), plus{});
                  data.check("the first call");
                  check_same("the second call", expected, to_host(out));
                  check_same("a scan", inclusive_reference<u32, u32>(data.items, plus{}), to_host(scanned));
                });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
