// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat::DeviceSegmentedScan: what its functions give for segments that lie anywhere, in place and at other places, and
//! what a call needs.

#include "../support/device_calls.hpp"
#include "../support/iterators.hpp"
#include "../support/layouts.hpp"
#include "../support/offsets.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda/std/functional>

#include <algorithm>
#include <iterator>
#include <string>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(segmented_scan)

namespace
{

using i8 = std::int8_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using reheat::stream_type;
using api = reheat::DeviceSegmentedScan;
using map = affine<u32>; // whose fold does not commute

//! An index × `by` + `more`.
struct affine_index
{
  using result_type = i32;
  i32 by, more;
  REHEAT_HOST_DEVICE i32 operator()(i32 index) const { return by * index + more; }
};

//! Where segments go that lie one behind the other in the output, in their order.
std::vector<i64> packed(const layout& where)
{
  std::vector<i64> begins;
  i64 at = 3;
  for (std::size_t s = 0; s < where.size(); ++s)
  {
    begins.push_back(at);
    at += std::max(i64{0}, where.ends[s] - where.begins[s]) + (s % 3 == 0 ? 1 : 0);
  }
  begins.push_back(at);
  return begins;
}

//! Those in which no item is of two segments, or all.
std::vector<layout> layouts_for_scans(bool overlaps)
{
  std::vector<layout> chosen;
  for (layout& each : all_layouts())
  {
    const std::string all_overlapping[] = {"overlaps", "any order", "giants", "many short", "adjacent, once descending"};
    const bool overlapping =
        std::find(std::begin(all_overlapping), std::end(all_overlapping), each.name) != std::end(all_overlapping);
    if (overlaps || !overlapping)
    {
      chosen.push_back(std::move(each));
    }
  }
  return chosen;
}

//! `call(out, memory, bytes, stream)` turns `before` into `expected`.
template <class T, class Call>
void check_scan(const std::string& what, const std::vector<T>& expected, const std::vector<T>& before, Call call)
{
  placed<T> out(before, placement::misaligned);
  two_phases(what,
             [&](void* memory, std::size_t& bytes, stream_type stream) { return call(out.begin(), memory, bytes, stream); });
  check_same(what, expected, out.items());
}

} // namespace

BOOST_AUTO_TEST_CASE(every_function_gives_what_it_must)
{
  const std::vector<u32> items = make_items<u32>(items_of_layouts);
  const std::vector<u32> untouched(items.size(), 0xabcdef01u);
  placed<u32> in(items, placement::misaligned);
  const u32 zero = 0, init = 77;
  const auto multiply = thrust::multiplies<u32>();
  for (const layout& where : layouts_for_scans(false))
  {
    const offsets_in_memory<i32> at(where);
    const auto segments = static_cast<i64>(where.size());
    const auto expected = [&](bool inclusive, const u32* from, auto op)
    { return scans_of(where, items, untouched, where.begins, inclusive, from, op); };
    check_scan(where.name + ", exclusive sum", expected(false, &zero, plus{}), untouched,
               [&](u32* out, void* memory, std::size_t& bytes, stream_type stream) {
                 return api::ExclusiveSegmentedSum(memory, bytes, in.begin(), out, at.begins(), at.ends(), segments, stream);
               });
    check_scan(where.name + ", exclusive scan", expected(false, &init, multiply), untouched,
               [&](u32* out, void* memory, std::size_t& bytes, stream_type stream)
               {
                 return api::ExclusiveSegmentedScan(memory, bytes, in.begin(), out, at.begins(), at.ends(), segments,
                                                    multiply, init, stream);
               });
    check_scan(where.name + ", inclusive sum", expected(true, nullptr, plus{}), untouched,
               [&](u32* out, void* memory, std::size_t& bytes, stream_type stream) {
                 return api::InclusiveSegmentedSum(memory, bytes, in.begin(), out, at.begins(), at.ends(), segments, stream);
               });
    check_scan(where.name + ", inclusive scan", expected(true, nullptr, multiply), untouched,
               [&](u32* out, void* memory, std::size_t& bytes, stream_type stream) {
                 return api::InclusiveSegmentedScan(memory, bytes, in.begin(), out, at.begins(), at.ends(), segments,
                                                    multiply, stream);
               });
    check_scan(where.name + ", inclusive scan from a value", expected(true, &init, multiply), untouched,
               [&](u32* out, void* memory, std::size_t& bytes, stream_type stream)
               {
                 return api::InclusiveSegmentedScanInit(memory, bytes, in.begin(), out, at.begins(), at.ends(), segments,
                                                        multiply, init, stream);
               });
  }
}

BOOST_AUTO_TEST_CASE(operands_keep_their_order_in_place)
{
  const std::vector<map> items = make_items<map>(items_of_layouts);
  for (const layout& where : layouts_for_scans(false))
  {
    const offsets_in_memory<i64> at(where);
    const std::vector<map> expected =
        scans_of(where, items, items, where.begins, true, static_cast<const map*>(nullptr), fold{});
    check_scan(where.name, expected, items,
               [&](map* out, void* memory, std::size_t& bytes, stream_type stream)
               {
                 if (memory != nullptr) // a second call scans the input anew
                 {
                   wait_for_all_streams();
                   copy_bytes(out, items.data(), items.size() * sizeof(map));
                 }
                 return api::InclusiveSegmentedScan(memory, bytes, static_cast<const map*>(out), out, at.begins(), at.ends(),
                                                    static_cast<i64>(where.size()), fold{}, stream);
               });
  }
}

//! An end lies before the one before it, and no item is of two segments.
BOOST_AUTO_TEST_CASE(adjacent_ends_may_descend_where_nothing_overlaps)
{
  layout where{"adjacent, descending", {}, {}, true, true};
  i64 at = 4;
  for (std::size_t s = 0; s < 700; ++s)
  {
    const i64 next = s == 698 ? 2 : s == 699 ? 2 : at + static_cast<i64>(mix(s) % 7); // the last two are empty
    where.add(at, next);
    at = next;
  }
  const std::vector<u32> items = make_items<u32>(items_of_layouts);
  const offsets_in_memory<i32> offsets(where);
  const std::vector<u32> expected =
      scans_of(where, items, items, where.begins, true, static_cast<const u32*>(nullptr), plus{});
  check_scan(where.name, expected, items,
             [&](u32* out, void* memory, std::size_t& bytes, stream_type stream)
             {
               if (memory != nullptr)
               {
                 wait_for_all_streams();
                 copy_bytes(out, items.data(), items.size() * sizeof(u32));
               }
               return api::InclusiveSegmentedSum(memory, bytes, out, out, offsets.begins(), offsets.ends(),
                                                 static_cast<i64>(where.size()), stream);
             });
}

BOOST_AUTO_TEST_CASE(segments_go_to_offsets_of_the_output)
{
  const std::vector<map> items = make_items<map>(items_of_layouts);
  const thrust::device_vector<map> in = to_device(items);
  const map init = values<map>::make(5);
  for (const layout& where : layouts_for_scans(true))
  {
    const std::vector<i64> begins = packed(where);
    const std::vector<map> untouched(static_cast<std::size_t>(begins.back()) + 1, values<map>::make(3));
    const offsets_in_memory<i32> at(where);
    const thrust::device_vector<i64> to = to_device(begins);
    const auto segments = static_cast<i64>(where.size());
    check_scan(where.name + ", exclusive", scans_of(where, items, untouched, begins, false, &init, fold{}), untouched,
               [&](map* out, void* memory, std::size_t& bytes, stream_type stream)
               {
                 return api::ExclusiveSegmentedScan(memory, bytes, raw(in), out, at.begins(), at.ends(), raw(to), segments,
                                                    fold{}, init, stream);
               });
    check_scan(where.name + ", inclusive",
               scans_of(where, items, untouched, begins, true, static_cast<const map*>(nullptr), fold{}), untouched,
               [&](map* out, void* memory, std::size_t& bytes, stream_type stream)
               {
                 return api::InclusiveSegmentedScan(memory, bytes, raw(in), out, at.begins(), at.ends(), raw(to), segments,
                                                    fold{}, stream);
               });
    check_scan(where.name + ", inclusive from a value", scans_of(where, items, untouched, begins, true, &init, fold{}),
               untouched,
               [&](map* out, void* memory, std::size_t& bytes, stream_type stream)
               {
                 return api::InclusiveSegmentedScanInit(memory, bytes, raw(in), out, at.begins(), at.ends(), raw(to),
                                                        segments, fold{}, init, stream);
               });
  }
}

BOOST_AUTO_TEST_CASE(sums_go_to_offsets_of_the_output_and_offsets_come_from_any_iterator)
{
  const std::vector<u32> items = make_items<u32>(1200);
  const thrust::device_vector<u32> in = to_device(items);
  layout where{"segments of 3 items, each fourth item in none", {}, {}};
  for (i64 s = 0; s < 300; ++s)
  {
    where.add(4 * s, 4 * s + 3);
  }
  const std::vector<u32> untouched(items.size(), 9);
  const thrust::counting_iterator<i32> counted(0);
  const auto begins = thrust::make_transform_iterator(counted, affine_index{4, 0}),
             ends = thrust::make_transform_iterator(counted, affine_index{4, 3}),
             to = thrust::make_transform_iterator(counted, affine_index{3, 1});
  std::vector<i64> out_begins;
  for (i64 s = 0; s < 300; ++s)
  {
    out_begins.push_back(3 * s + 1);
  }
  const u32 zero = 0;
  check_scan("exclusive", scans_of(where, items, untouched, out_begins, false, &zero, plus{}), untouched,
             [&](u32* out, void* memory, std::size_t& bytes, stream_type stream)
             { return api::ExclusiveSegmentedSum(memory, bytes, raw(in), out, begins, ends, to, 300, stream); });
  check_scan("inclusive", scans_of(where, items, untouched, out_begins, true, static_cast<const u32*>(nullptr), plus{}),
             untouched,
             [&](u32* out, void* memory, std::size_t& bytes, stream_type stream)
             { return api::InclusiveSegmentedSum(memory, bytes, raw(in), out, begins, ends, to, 300, stream); });
  check_scan("inclusive, where they are",
             scans_of(where, items, untouched, where.begins, true, static_cast<const u32*>(nullptr), plus{}), untouched,
             [&](u32* out, void* memory, std::size_t& bytes, stream_type stream)
             { return api::InclusiveSegmentedSum(memory, bytes, raw(in), out, begins, ends, 300, stream); });
}

BOOST_AUTO_TEST_CASE(accumulators_are_those_of_cub)
{
  const std::vector<i8> items(1000, 100);
  const thrust::device_vector<i8> in = to_device(items);
  const thrust::device_vector<i32> at = to_device(std::vector<i32>{0, 400, 1000});
  std::vector<i32> expected;
  for (i32 i = 0; i < 1000; ++i)
  {
    expected.push_back(100 * (i < 400 ? i + 1 : i - 399));
  }
  check_scan("bytes that add up to ints", expected, std::vector<i32>(1000),
             [&](i32* out, void* memory, std::size_t& bytes, stream_type stream)
             { return api::InclusiveSegmentedSum(memory, bytes, raw(in), out, raw(at), raw(at) + 1, 2, stream); });
}

BOOST_AUTO_TEST_CASE(a_call_takes_two_launches_and_its_memory_does_not_depend_on_addresses)
{
  const layout where = adjacent_layouts()[2];
  const offsets_in_memory<i32> at(where);
  const std::vector<u32> items = make_items<u32>(items_of_layouts);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(items.size());
  const auto call = [&](void* memory, std::size_t& bytes, stream_type stream)
  {
    return api::InclusiveSegmentedSum(memory, bytes, raw(in), raw(out), at.begins(), at.ends(),
                                      static_cast<i64>(where.size()), stream);
  };
  const std::size_t bytes = bytes_of_call(where.name, call);
  const std::size_t elsewhere = bytes_of_call(
      "nowhere",
      [&](void* memory, std::size_t& size, stream_type stream)
      {
        return api::InclusiveSegmentedSum(memory, size, static_cast<const u32*>(nullptr), static_cast<u32*>(nullptr),
                                          at.begins(), at.begins() + 7, static_cast<i64>(where.size()), stream);
      });
  BOOST_TEST(bytes == elsewhere);
  for (const content before : all_contents)
  {
    temp_block block(bytes, 8, before);
    std::size_t given = bytes;
    const host_calls asked =
        calls_of([&] { check_status(where.name, reheat::runtime::success, call(block.get(), given, {})); });
    wait_for_all_streams();
    block.check(where.name);
    BOOST_TEST(asked.launches == 2u, asked);
    BOOST_TEST(asked.waits == 0u, asked);
    BOOST_TEST(asked.allocations == 0u, asked);
    check_same(where.name,
               scans_of(where, items, to_host(out), where.begins, true, static_cast<const u32*>(nullptr), plus{}),
               to_host(out));
  }
  std::size_t too_few = 1;
  temp_block block(bytes, 0, content::noise);
  check_status("too little memory", invalid_value, call(block.get(), too_few, {}));
}

// One of them clears words of the memory.
BOOST_AUTO_TEST_CASE(segments_with_gaps_take_two_launches_if_they_are_few_and_four_otherwise)
{
  const std::vector<u32> items = make_items<u32>(items_of_layouts);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(items.size());
  const i64 few = segmented_shape<u32>().few_segments;
  for (const i64 segments : {i64{1}, few, few + 1})
  {
    layout where{std::to_string(segments) + " segments with gaps", {}, {}};
    for (i64 s = 0; s < segments; ++s)
    {
      where.add(2 * s, 2 * s + 1);
    }
    const offsets_in_memory<i32> at(where);
    const auto call = [&](void* memory, std::size_t& bytes, stream_type stream)
    { return api::InclusiveSegmentedSum(memory, bytes, raw(in), raw(out), at.begins(), at.ends(), segments, stream); };
    std::size_t bytes = bytes_of_call(where.name, call);
    temp_block block(bytes, 8, content::noise);
    const host_calls asked =
        calls_of([&] { check_status(where.name, reheat::runtime::success, call(block.get(), bytes, {})); });
    wait_for_all_streams();
    block.check(where.name);
    BOOST_TEST(asked.launches == (segments <= few ? 2u : 4u), asked);
    BOOST_TEST(asked.waits == 0u, asked);
    BOOST_TEST(asked.allocations == 0u, asked);
  }
}

namespace
{

//! Segments of `shortest` to `longest` items, with an item of none between two of them.
layout all_lengths(i64 shortest, i64 longest)
{
  layout where{"segments of " + std::to_string(shortest) + " to " + std::to_string(longest) + " items", {}, {}};
  for (i64 length = shortest, at = 0; length <= longest; at += length + 1, ++length)
  {
    where.add(at, at + length);
  }
  return where;
}

template <class T>
void check_lengths(const layout& where)
{
  const std::size_t per_vector = 16 / sizeof(T);
  const std::vector<T> items = make_items<T>(static_cast<std::size_t>(where.ends.back()));
  const std::vector<T> untouched(items.size(), values<T>::make(3));
  const std::vector<T> expected =
      scans_of(where, items, untouched, where.begins, true, static_cast<const T*>(nullptr), fold{});
  const offsets_in_memory<i32> at(where);
  for (std::size_t behind = 0; behind < 2 * per_vector; ++behind)
  {
    // As far past alignment as the input, or not.
    placed<T> in(items, behind % per_vector), out(untouched, behind < per_vector ? behind : behind % per_vector + 1);
    two_phases(where.name,
               [&](void* memory, std::size_t& bytes, stream_type stream)
               {
                 return api::InclusiveSegmentedScan(memory, bytes, static_cast<const T*>(in.begin()), out.begin(),
                                                    at.begins(), at.ends(), static_cast<i64>(where.size()), fold{}, stream);
               });
    check_same(where.name + ", at item " + std::to_string(behind), expected, out.items());
  }
}

} // namespace

// With few segments, more lengths are cut into pieces.
BOOST_AUTO_TEST_CASE(every_length_at_every_alignment)
{
  constexpr i64 whole = emulated ? 150 : 8200, few = emulated ? 45 : 2055;
  check_lengths<map>(all_lengths(0, emulated ? 170 : 300));
  check_lengths<map>(all_lengths(few - 10, few));
  check_lengths<map>(all_lengths(whole - 10, whole));
  check_lengths<u32>(all_lengths(0, emulated ? 170 : 300));
  check_lengths<u32>(all_lengths(few - 10, few));
  check_lengths<std::uint8_t>(all_lengths(0, emulated ? 170 : 300));
  check_lengths<double>(all_lengths(few - 10, few));
}

namespace
{

//! 60 long segments. The first is `giant` times as long as the others. `empty` empty segments stand behind them.
void check_bits_of_long_segments(i64 giant, i64 empty)
{
  const i64 segments = 60 + empty, length = emulated ? 900 : 300000;
  layout where{"long segments and " + std::to_string(empty) + " empty ones", {}, {}};
  for (i64 s = 0; s < segments; ++s)
  {
    const i64 begin = s == 0 ? 0 : (std::min(s, i64{60}) + giant) * (length + 3);
    where.add(begin, s >= 60 ? begin : begin + (s == 0 ? giant : 1) * length - 7 * s);
  }
  std::vector<float> items(static_cast<std::size_t>(where.ends.back()));
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    items[i] = 1.0f / static_cast<float>(1 + mix(i) % 1000);
  }
  const thrust::device_vector<float> in = to_device(items);
  const offsets_in_memory<i64> at(where);
  const std::vector<u32> whole = make_items<u32>(items.size()), untouched(items.size());
  const thrust::device_vector<u32> whole_in = to_device(whole);
  check_scan(
      where.name, scans_of(where, whole, untouched, where.begins, true, static_cast<const u32*>(nullptr), plus{}), untouched,
      [&](u32* out, void* memory, std::size_t& bytes, stream_type stream)
      { return api::InclusiveSegmentedSum(memory, bytes, raw(whole_in), out, at.begins(), at.ends(), segments, stream); });
  std::vector<float> first;
  for_each_seed(emulated ? 12 : 3,
                [&]
                {
                  placed<float> out(std::vector<float>(items.size()), placement::aligned);
                  two_phases(where.name,
                             [&](void* memory, std::size_t& bytes, stream_type stream) {
                               return api::InclusiveSegmentedSum(memory, bytes, raw(in), out.begin(), at.begins(), at.ends(),
                                                                 segments, stream);
                             });
                  const std::vector<float> sums = out.items();
                  if (first.empty())
                  {
                    first = sums;
                  }
                  check_same(where.name, first, sums);
                });
}

} // namespace

// On the emulator there are more long segments than the list has room for: which of them a warp scans alone depends on the
// schedule. Of few segments, blocks cut the giant.
BOOST_AUTO_TEST_CASE(bits_are_the_same_whoever_scans_a_long_segment)
{
  check_bits_of_long_segments(1, segmented_shape<float>().few_segments);
  check_bits_of_long_segments(1, 0);
  check_bits_of_long_segments(30, 0);
}

BOOST_AUTO_TEST_CASE(negative_numbers_of_segments_are_errors_and_none_does_nothing)
{
  std::size_t bytes = 0;
  const i32* const at = nullptr;
  const u32* const in = nullptr;
  u32* const out = nullptr;
  check_status("-1 segments", invalid_value, api::InclusiveSegmentedSum(nullptr, bytes, in, out, at, at + 1, -1));
  check_status("no segments", reheat::runtime::success, api::InclusiveSegmentedSum(nullptr, bytes, in, out, at, at + 1, 0));
  char memory[1];
  bytes = 1;
  check_status("no segments", reheat::runtime::success, api::InclusiveSegmentedSum(memory, bytes, in, out, at, at + 1, 0));
}

BOOST_AUTO_TEST_CASE(calls_in_one_phase_give_the_same)
{
#if REHEAT_HAS_ENVIRONMENTS
  const std::vector<u32> items = make_items<u32>(items_of_layouts);
  const thrust::device_vector<u32> in = to_device(items);
  const u32 init = 7, zero = 0;
  const u32* const none = nullptr;
  const auto multiply = thrust::multiplies<u32>();
  stream own;
  for (const layout& where : {adjacent_layouts()[2], other_layouts()[0]})
  {
    const offsets_in_memory<i32> at(where);
    const std::vector<i64> begins = packed(where);
    const thrust::device_vector<i64> to = to_device(begins);
    const std::vector<u32> untouched(std::max(items.size(), static_cast<std::size_t>(begins.back()) + 1), 9u);
    const auto n = static_cast<i64>(where.size());
    thrust::device_vector<u32> memory(untouched.size());
    u32* const out = raw(memory);
    const auto check =
        [&](const char* what, const std::vector<i64>& places, bool inclusive, const u32* from, auto op, auto call)
    {
      copy_bytes(out, untouched.data(), untouched.size() * sizeof(u32));
      check_status(what, reheat::runtime::success, call());
      wait_for_all_streams();
      check_same(where.name + ", " + what, scans_of(where, items, untouched, places, inclusive, from, op), to_host(memory));
    };
    const auto b = at.begins(), e = at.ends();
    const i64* const o = raw(to);
    check("exclusive sum", where.begins, false, &zero, plus{},
          [&] { return api::ExclusiveSegmentedSum(raw(in), out, b, e, n); });
    check("exclusive sum elsewhere", begins, false, &zero, plus{},
          [&] { return api::ExclusiveSegmentedSum(raw(in), out, b, e, o, n, own.get()); });
    check("exclusive scan", where.begins, false, &init, multiply,
          [&] { return api::ExclusiveSegmentedScan(raw(in), out, b, e, n, multiply, init, own.get()); });
    check("exclusive scan elsewhere", begins, false, &init, multiply,
          [&] { return api::ExclusiveSegmentedScan(raw(in), out, b, e, o, n, multiply, init); });
    check("inclusive sum", where.begins, true, none, plus{},
          [&] { return api::InclusiveSegmentedSum(raw(in), out, b, e, n, own.get()); });
    check("inclusive sum elsewhere", begins, true, none, plus{},
          [&] { return api::InclusiveSegmentedSum(raw(in), out, b, e, o, n); });
    check("inclusive scan", where.begins, true, none, multiply,
          [&] { return api::InclusiveSegmentedScan(raw(in), out, b, e, n, multiply); });
    check("inclusive scan elsewhere", begins, true, none, multiply,
          [&] { return api::InclusiveSegmentedScan(raw(in), out, b, e, o, n, multiply, own.get()); });
    check("inclusive scan from a value", where.begins, true, &init, multiply,
          [&] { return api::InclusiveSegmentedScanInit(raw(in), out, b, e, n, multiply, init); });
    check("inclusive scan from a value elsewhere", begins, true, &init, multiply,
          [&] { return api::InclusiveSegmentedScanInit(raw(in), out, b, e, o, n, multiply, init); });
  }
#else
  BOOST_TEST_MESSAGE("not checked: CCCL has no environments before 3.1");
#endif
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
