// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat::DeviceRunLengthEncode: runs of any length, types, places of outputs, and errors. On a GPU CUB is called beside it
//! where it has the form. Calls of all entry points (calls.cuh) test their memory, too.

#include "../support/device_calls.hpp"
#include "../support/runs.hpp"
#include "../support/user_code.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace compat;

namespace compat
{

//! Runs are equal by ==.
template <unsigned Words>
REHEAT_HOST_DEVICE bool operator==(const words<Words>& x, const words<Words>& y)
{
  return equal{}(x, y);
}

} // namespace compat

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(run_lengths)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using reheat::stream_type;

struct by_100
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return x / 100; }
};

void check_number(const std::string& what, std::size_t expected, const thrust::device_vector<i64>& actual)
{
  check_same(what + ", number of runs", std::vector<i64>{static_cast<i64>(expected)}, to_host(actual));
}

//! Input and outputs begin `behind` items after aligned addresses. Outputs have room for the runs, and no more.
template <class T, class Length>
void check_runs(std::size_t size, compat::run_lengths lengths, std::size_t behind)
{
  const std::string what = type_name<T>() + ", lengths of " + type_name<Length>() + ", " + std::to_string(size) + " items";
  const std::vector<T> items = make_runs<T>(size, lengths);
  const runs_of_items<T, Length> all = runs_reference<Length>(items, 1), non_trivial = runs_reference<Length>(items, 2);
  placed<T> in(items, behind), firsts(all.first.size(), 2 * behind);
  placed<Length> indices(non_trivial.index.size(), 2 * behind);
  thrust::device_vector<i64> number(1, -1);
  const int n = static_cast<int>(size); // as CUB 3.0.1
  check_gives(what + ", Encode", all.length,
              [&](auto api, Length* out, void* memory, std::size_t& bytes, stream_type stream)
              { return api.run_lengths.Encode(memory, bytes, in.begin(), firsts.begin(), out, raw(number), n, stream); });
  check_same(what + ", Encode, first items", all.first, firsts.items());
  check_number(what + ", Encode", all.length.size(), number);
  check_gives(
      what + ", NonTrivialRuns", non_trivial.length,
      [&](auto api, Length* out, void* memory, std::size_t& bytes, stream_type stream)
      { return api.run_lengths.NonTrivialRuns(memory, bytes, in.begin(), indices.begin(), out, raw(number), n, stream); });
  check_same(what + ", NonTrivialRuns, first items", non_trivial.index, indices.items());
  check_number(what + ", NonTrivialRuns", non_trivial.length.size(), number);
}

template <class T, class Length>
void check_runs_of_all()
{
  const std::size_t tile =
      reheat::detail::run_length_tuning<sizeof(T), true, (sizeof(Length) > sizeof(T) ? sizeof(Length) : 0)>{}(kernel_arch())
          .tile_items();
  for (const compat::run_lengths lengths : all_run_lengths)
  {
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{2}, std::size_t{33}, tile / 4 + 3, tile / 2 + 1, tile - 1, tile, tile + 1, tile + 2,
          2 * tile - 7, 3 * tile + 5}) // of one to four tiles with a block each, and streamed
    {
      check_runs<T, Length>(size, lengths, size % 4);
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(runs_have_first_items_and_lengths)
{
  check_runs_of_all<u8, u32>();
  check_runs_of_all<u32, u32>();
  check_runs_of_all<u64, int>();
}

BOOST_AUTO_TEST_CASE(of_items_that_are_no_numbers_and_lengths_of_other_sizes)
{
  check_runs_of_all<u32, i64>();
  check_runs_of_all<large_value, u8>();
}

BOOST_AUTO_TEST_CASE(many_tiles_of_one_run_and_of_few)
{
  // The run that is open passes from tile to tile, and from one group of tiles to the next.
  const std::size_t size = 300 * unique_tile<u32>() + 3;
  std::vector<u32> items(size, 5);
  for (const std::size_t end : {size, size / 2, std::size_t{1}})
  {
    items[size - end] = 6;
    const runs_of_items<u32, u32> all = runs_reference<u32>(items, 1), non_trivial = runs_reference<u32>(items, 2);
    placed<u32> in(items, 0);
    thrust::device_vector<i64> number(1, -1);
    check_gives("Encode", all.length,
                [&](auto api, u32* out, void* memory, std::size_t& bytes, stream_type stream)
                {
                  return api.run_lengths.Encode(memory, bytes, in.begin(), thrust::make_discard_iterator(), out, raw(number),
                                                static_cast<int>(size), stream);
                });
    check_number("Encode", all.length.size(), number);
    check_gives("NonTrivialRuns", non_trivial.length,
                [&](auto api, u32* out, void* memory, std::size_t& bytes, stream_type stream)
                {
                  return api.run_lengths.NonTrivialRuns(memory, bytes, in.begin(), thrust::make_discard_iterator(), out,
                                                        raw(number), static_cast<int>(size), stream);
                });
    check_number("NonTrivialRuns", non_trivial.length.size(), number);
  }
}

BOOST_AUTO_TEST_CASE(items_lengths_and_numbers_have_any_iterators)
{
  const std::size_t size = 3 * unique_tile<u32>() + 7;
  const auto hundreds = thrust::make_transform_iterator(thrust::make_counting_iterator(u32{0}), by_100{});
  std::vector<i64> firsts, indices, lengths;
  for (std::size_t i = 0; i < size; i += 100)
  {
    firsts.push_back(static_cast<i64>(2 * (i / 100)));
    indices.push_back(static_cast<i64>(2 * i));
    lengths.push_back(static_cast<i64>(2 * (size - i < 100 ? size - i : 100)));
  }
  thrust::device_vector<i64> number(1), others(lengths.size());
  const auto twice = [](i64* out) { return thrust::make_transform_output_iterator(out, twice_as_wide{}); };
  check_gives<beside::nothing>("Encode", firsts,
                               [&](auto api, i64* out, void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 return api.run_lengths.Encode(memory, bytes, hundreds, twice(out), twice(raw(others)),
                                                               twice(raw(number)), static_cast<i64>(size), stream);
                               });
  check_same("Encode, lengths", lengths, to_host(others));
  check_number("Encode", 2 * firsts.size(), number);
  const bool one_alone = size % 100 == 1;
  indices.resize(indices.size() - (one_alone ? 1 : 0));
  lengths.resize(indices.size());
  check_gives<beside::nothing>("NonTrivialRuns", indices,
                               [&](auto api, i64* out, void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 return api.run_lengths.NonTrivialRuns(memory, bytes, hundreds, twice(out),
                                                                       twice(raw(others)), raw(number), size, stream);
                               });
  check_number("NonTrivialRuns", indices.size(), number);
}

BOOST_AUTO_TEST_CASE(no_items_have_no_runs_and_less_than_none_are_an_error)
{
  const std::vector<u32> items(40, 5);
  thrust::device_vector<u32> in = to_device(items), out(40, 1);
  thrust::device_vector<i64> number(1, 77);
  const auto encode = [&](int n, void* memory, std::size_t& bytes)
  { return reheat::DeviceRunLengthEncode::Encode(memory, bytes, raw(in), raw(out), raw(out), raw(number), n); };
  const auto non_trivial = [&](int n, void* memory, std::size_t& bytes)
  { return reheat::DeviceRunLengthEncode::NonTrivialRuns(memory, bytes, raw(in), raw(out), raw(out), raw(number), n); };
  temp_block block(4096, 3, content::noise);
  for (void* const memory : {static_cast<void*>(nullptr), block.get()})
  {
    std::size_t bytes = block.bytes();
    const host_calls asked = calls_of(
        [&]
        {
          check_status("Encode", invalid_value, encode(-1, memory, bytes));
          check_status("NonTrivialRuns", invalid_value, non_trivial(-1, memory, bytes));
        });
    wait_for_all_streams();
    BOOST_TEST(asked.launches == 0u, asked);
    check_number("an error", 77, number);
  }
  block.check("an error");
  two_phases("Encode of nothing", [&](void* memory, std::size_t& bytes, stream_type) { return encode(0, memory, bytes); });
  check_number("Encode of nothing", 0, number);
  number[0] = 77;
  two_phases("NonTrivialRuns of nothing",
             [&](void* memory, std::size_t& bytes, stream_type) { return non_trivial(0, memory, bytes); });
  check_number("NonTrivialRuns of nothing", 0, number);
  check_same("outputs", std::vector<u32>(40, 1), to_host(out));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
