// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Segments of every length from 0 to three tiles and one item, at every address modulo 16 bytes.

#include "../support/device_calls.hpp"
#include "../support/layouts.hpp"
#include "../support/offsets.hpp"

#include <thrust/device_ptr.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/functional.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(segmented)
BOOST_AUTO_TEST_SUITE(alignment)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using reheat::stream_type;

//! How many addresses items of T have modulo 16 bytes.
template <class T>
constexpr std::size_t alignments = 16 / sizeof(T);

std::string place(const std::string& what, std::size_t behind)
{
  return what + ", " + std::to_string(behind) + " items behind a multiple of 16 bytes";
}

//! Memory that is compared where it lies. Only if it differs, the host gets it and says where.
template <class T>
void check_on_device(const std::string& what, const thrust::device_vector<T>& expected, const T* actual)
{
  const thrust::device_ptr<const T> first(actual);
  wait_for_all_streams();
  if (!thrust::equal(thrust::device, expected.begin(), expected.end(), first))
  {
    const thrust::device_vector<T> items(first, first + static_cast<std::ptrdiff_t>(expected.size()));
    check_same(what, to_host(expected), to_host(items));
  }
}

//! Segments of each length from 0 to three tiles and one item, one behind the other. On the emulator, of those that end 17
//! items or more from the end of a tile, some.
template <class T>
layout rising_lengths()
{
  const auto tile = static_cast<i64>(segmented_tile<T>());
  layout result{"rising lengths", {}, {}, true};
  i64 at = 0;
  for (i64 length = 0; length <= 3 * tile + 1; ++length)
  {
    const bool near_the_end = (length + 16) % tile <= 32;
    if (!emulated || near_the_end || length % 13 == 0)
    {
      result.add(at, at + length);
      at += length;
    }
  }
  return result;
}

//! Calls `check(in, behind, at, what)`, where the items lie at `in`, for every address of theirs (on the emulator, of bytes
//! for some), and offsets in one array and in two, which are other kernels.
template <class T, class Check>
void for_each_alignment(layout where, const std::vector<T>& items, Check check)
{
  const thrust::device_vector<T> source = to_device(items);
  thrust::device_vector<T> memory(items.size() + alignments<T>);
  for (const bool adjacent : {true, false})
  {
    where.adjacent = adjacent;
    const offsets_in_memory<u32> at(where);
    const std::string what = type_name<T>() + (adjacent ? ", one array of offsets" : ", two arrays of offsets");
    for (std::size_t behind = 0; behind < alignments<T>; behind += emulated && sizeof(T) == 1 ? 5 : 1)
    {
      T* const in = raw(memory) + behind;
      copy_bytes(in, raw(source), items.size() * sizeof(T));
      check(in, behind, at, place(what, behind));
    }
  }
}

template <class T>
void check_rising_sums()
{
  const layout where = rising_lengths<T>();
  const std::vector<T> items = make_items<T>(static_cast<std::size_t>(where.ends.back()), 1);
  const std::vector<T> expected = folds_of(where, items, T{5}, plus{});
  for_each_alignment(where, items,
                     [&](T* in, std::size_t, const offsets_in_memory<u32>& at, const std::string& what)
                     {
                       thrust::device_vector<T> out(where.size());
                       two_phases(what,
                                  [&](void* memory, std::size_t& bytes, stream_type stream)
                                  {
                                    return reheat::DeviceSegmentedReduce::Reduce(memory, bytes, in, raw(out),
                                                                                 static_cast<i64>(where.size()), at.begins(),
                                                                                 at.ends(), thrust::plus<T>{}, T{5}, stream);
                                  });
                       check_same(what, expected, to_host(out));
                     });
}

template <class T>
void check_rising_scans()
{
  const layout where = rising_lengths<T>();
  const std::vector<T> items = make_items<T>(static_cast<std::size_t>(where.ends.back()), 1);
  const thrust::device_vector<T> expected =
      to_device(scans_of(where, items, items, where.begins, true, static_cast<const T*>(nullptr), thrust::plus<T>{}));
  thrust::device_vector<T> memory_out(items.size() + alignments<T>);
  for_each_alignment(where, items,
                     [&](T* in, std::size_t behind, const offsets_in_memory<u32>& at, const std::string& what)
                     {
                       T* const out =
                           raw(memory_out) + (3 * behind + 1) % alignments<T>; // at another address than the input
                       wait_for_all_streams();
                       thrust::fill(thrust::device, memory_out.begin(), memory_out.end(), T{});
                       two_phases(what,
                                  [&](void* memory, std::size_t& bytes, stream_type stream)
                                  {
                                    return reheat::DeviceSegmentedScan::InclusiveSegmentedScan(
                                        memory, bytes, in, out, at.begins(), at.ends(), static_cast<i64>(where.size()),
                                        thrust::plus<T>{}, stream);
                                  });
                       check_on_device(what, expected, out);
                     });
}

//! Lengths around one, two and three tiles, and around where the first, second and third tile of a segment may end whose
//! first item lies `behind` items behind a multiple of 16 bytes: the first tile is as many items shorter.
template <class T>
std::vector<std::size_t> lengths_around_tiles(std::size_t behind)
{
  std::vector<std::size_t> around;
  for (const std::size_t tiles : {1, 2, 3})
  {
    for (const std::size_t shorter : {std::size_t{0}, behind})
    {
      for (const std::size_t more : {0, 1, 2})
      {
        around.push_back(tiles * segmented_tile<T>() - shorter - 1 + more);
      }
    }
  }
  return around;
}

//! One segment of such a length between two short ones. With offsets in two arrays there is an item before each.
template <class T, class Check>
void for_each_around_tiles(Check check)
{
  for (std::size_t behind = 0; behind < alignments<T>; ++behind)
  {
    const std::vector<T> items = make_items<T>(3 * segmented_tile<T>() + 64, behind);
    placed<T> in(items, std::size_t{0});
    for (const std::size_t length : lengths_around_tiles<T>(behind))
    {
      for (const bool adjacent : {true, false})
      {
        layout where{"between two short ones", {}, {}, adjacent};
        i64 at = static_cast<i64>(behind) + 16 - 5 - (adjacent ? 1 : 2);
        for (const std::size_t each : {std::size_t{5}, length, std::size_t{9}})
        {
          at += adjacent && where.size() != 0 ? 0 : 1;
          where.add(at, at + static_cast<i64>(each));
          at = where.ends.back();
        }
        check(items, in.begin(), where,
              place(type_name<T>() + ", " + std::to_string(length) + (adjacent ? " items" : " items between gaps"), behind));
      }
    }
  }
}

template <class T>
void check_sums_around_tiles()
{
  for_each_around_tiles<T>(
      [](const std::vector<T>& items, T* in, const layout& where, const std::string& what)
      {
        const offsets_in_memory<u32> at(where);
        thrust::device_vector<T> out(where.size());
        two_phases(what,
                   [&](void* memory, std::size_t& bytes, stream_type stream)
                   {
                     return reheat::DeviceSegmentedReduce::Reduce(memory, bytes, in, raw(out),
                                                                  static_cast<i64>(where.size()), at.begins(), at.ends(),
                                                                  thrust::plus<T>{}, T{5}, stream);
                   });
        check_same(what, folds_of(where, items, T{5}, plus{}), to_host(out));
      });
}

template <class T>
void check_scans_around_tiles()
{
  for_each_around_tiles<T>(
      [](const std::vector<T>& items, T* in, const layout& where, const std::string& what)
      {
        const offsets_in_memory<u32> at(where);
        placed<T> out(std::vector<T>(items.size(), T{99}), std::size_t{1});
        two_phases(what,
                   [&](void* memory, std::size_t& bytes, stream_type stream)
                   {
                     return reheat::DeviceSegmentedScan::InclusiveSegmentedScan(memory, bytes, in, out.begin(), at.begins(),
                                                                                at.ends(), static_cast<i64>(where.size()),
                                                                                thrust::plus<T>{}, stream);
                   });
        check_same(what,
                   scans_of(where, items, std::vector<T>(items.size(), T{99}), where.begins, true,
                            static_cast<const T*>(nullptr), thrust::plus<T>{}),
                   out.items());
      });
}

} // namespace

BOOST_AUTO_TEST_CASE(segments_of_every_length_are_summed_at_every_alignment)
{
  check_rising_sums<u8>();
  check_rising_sums<u32>();
}

BOOST_AUTO_TEST_CASE(segments_of_every_length_are_scanned_at_every_alignment)
{
  check_rising_scans<u8>();
  check_rising_scans<u32>();
}

BOOST_AUTO_TEST_CASE(a_segment_that_ends_about_where_a_tile_does_is_summed_at_every_alignment)
{
  check_sums_around_tiles<u8>();
  check_sums_around_tiles<u32>();
}

BOOST_AUTO_TEST_CASE(a_segment_that_ends_about_where_a_tile_does_is_scanned_at_every_alignment)
{
  check_scans_around_tiles<u8>();
  check_scans_around_tiles<u32>();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
