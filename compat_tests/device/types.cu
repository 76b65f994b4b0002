// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The types in which reheat::DeviceReduce and reheat::DeviceScan compute, which are CUB's: accumulators, limits, extrema
//! and their indices. On a GPU CUB is called beside them.

#include "../support/device_calls.hpp"
#include "../support/user_code.hpp"

#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <cuda/std/functional>

#include <algorithm>
#include <cstring>
#include <limits>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(types)

namespace
{

using i8 = std::int8_t;
using u8 = std::uint8_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;
using reheat::stream_type;

template <class T>
int count_of(const thrust::device_vector<T>& items)
{
  return static_cast<int>(items.size());
}

// ---- functors -----------------------------------------------------------------------------------------------------------

//! Gives a type that is neither operand's.
struct wide_plus
{
  REHEAT_HOST_DEVICE i64 operator()(i64 x, i64 y) const { return x + y; }
};
struct times_1000
{
  REHEAT_HOST_DEVICE i32 operator()(i8 x) const { return 1000 * x; }
};

// ---- types --------------------------------------------------------------------------------------------------------------

template <class Out, class In>
void check_sum(const char* what, const std::vector<In>& items, Out expected)
{
  const thrust::device_vector<In> in = to_device(items);
  check_gives<beside::cub>(what, std::vector<Out>{expected},
                           [&](auto api, Out* out, void* memory, std::size_t& bytes, stream_type stream)
                           { return api.reduce.Sum(memory, bytes, raw(in), out, count_of(in), stream); });
}

template <class Out, class In>
void check_min_and_max(const std::string& what, const std::vector<In>& items, Out smallest, Out largest)
{
  const thrust::device_vector<In> in = to_device(items);
  check_gives(what + ", Min", std::vector<Out>{smallest},
              [&](auto api, Out* out, void* memory, std::size_t& bytes, stream_type stream)
              { return api.reduce.Min(memory, bytes, raw(in), out, count_of(in), stream); });
  check_gives(what + ", Max", std::vector<Out>{largest},
              [&](auto api, Out* out, void* memory, std::size_t& bytes, stream_type stream)
              { return api.reduce.Max(memory, bytes, raw(in), out, count_of(in), stream); });
}

template <class Out, class In, class Init, class Op>
void check_reduce_of(const char* what, const std::vector<In>& items, Init init, Op op, Out expected)
{
  const thrust::device_vector<In> in = to_device(items);
  check_gives(what, std::vector<Out>{expected},
              [&](auto api, Out* out, void* memory, std::size_t& bytes, stream_type stream)
              { return api.reduce.Reduce(memory, bytes, raw(in), out, count_of(in), op, init, stream); });
}

//! The low bits of the sums of each segment's items before.
std::vector<u8> exclusive_by_key_low_bits(const std::vector<u32>& keys, const std::vector<i8>& items)
{
  std::vector<u8> result;
  for (const i32 each : exclusive_by_key_reference<i32>(keys, items, 0, equal{}, plus{}))
  {
    result.push_back(static_cast<u8>(each));
  }
  return result;
}

//! Several tiles of every kernel, of items that fit a byte.
std::size_t many()
{
  return 3 * several_blocks();
}

// ---- extrema with their indices -----------------------------------------------------------------------------------------

struct extremum_at
{
  i64 index;
  double value;
};

template <class Extremum, class Call>
extremum_at found_by(const std::string& what, Call call)
{
  thrust::device_vector<Extremum> extremum(1);
  thrust::device_vector<i64> index(1);
  two_phases(what, [&](void* memory, std::size_t& bytes, stream_type stream)
             { return call(raw(extremum), raw(index), memory, bytes, stream); });
  return {to_host(index)[0], static_cast<double>(to_host(extremum)[0])};
}

void check_extremum(const std::string& what, const extremum_at& expected, const extremum_at& actual)
{
  BOOST_TEST(actual.index == expected.index, what << ": index " << actual.index << ", expected " << expected.index);
  BOOST_TEST(actual.value == expected.value, what << ": value " << actual.value << ", expected " << expected.value);
}

//! In both directions, in two outputs.
template <class Extremum, beside Other, class In>
void check_arg_extrema(const std::string& what, const std::vector<In>& items, extremum_at smallest, extremum_at largest)
{
  const thrust::device_vector<In> in = to_device(items);
  const auto check = [&](auto api)
  {
    const std::string whose = what + ", " + api.name;
    check_extremum(whose + ", ArgMin", smallest,
                   found_by<Extremum>(whose + ", ArgMin",
                                      [&](auto* extremum, i64* index, void* memory, std::size_t& bytes, stream_type stream) {
                                        return api.reduce.ArgMin(memory, bytes, raw(in), extremum, index,
                                                                 static_cast<i64>(items.size()), stream);
                                      }));
    check_extremum(whose + ", ArgMax", largest,
                   found_by<Extremum>(whose + ", ArgMax",
                                      [&](auto* extremum, i64* index, void* memory, std::size_t& bytes, stream_type stream) {
                                        return api.reduce.ArgMax(memory, bytes, raw(in), extremum, index,
                                                                 static_cast<i64>(items.size()), stream);
                                      }));
  };
  check(reheat_api{});
#if !defined(REHEAT_EMULATED)
  if constexpr (Other == beside::cub)
  {
    check(cub_api{});
  }
#endif
}

//! In both directions, as pairs.
template <class Extremum, class In>
void check_arg_extrema_as_pairs(const std::string& what, const std::vector<In>& items, extremum_at smallest,
                                extremum_at largest)
{
  using pair = ::cub::KeyValuePair<int, Extremum>;
  const thrust::device_vector<In> in = to_device(items);
  const auto check = [&](auto api, bool is_min, extremum_at expected)
  {
    const std::string whose = what + (is_min ? ", ArgMin of pairs, " : ", ArgMax of pairs, ") + api.name;
    thrust::device_vector<unsigned char> memory_of_pair(sizeof(pair));
    pair* const out = reinterpret_cast<pair*>(raw(memory_of_pair));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    two_phases(whose,
               [&](void* memory, std::size_t& bytes, stream_type stream)
               {
                 return is_min ? api.reduce.ArgMin(memory, bytes, raw(in), out, count_of(in), stream)
                               : api.reduce.ArgMax(memory, bytes, raw(in), out, count_of(in), stream);
               });
#pragma GCC diagnostic pop
    pair found;
    std::memcpy(static_cast<void*>(&found), to_host(memory_of_pair).data(), sizeof found);
    check_extremum(whose, expected, {found.key, static_cast<double>(found.value)});
  };
  check(reheat_api{}, true, smallest);
  check(reheat_api{}, false, largest);
#if !defined(REHEAT_EMULATED)
  check(cub_api{}, true, smallest);
  check(cub_api{}, false, largest);
#endif
}

} // namespace

// ---- the types of sums --------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_sum_accumulates_in_the_type_of_its_output)
{
  const std::size_t size = many();
  check_sum("i8 to i32", std::vector<i8>(size, i8(100)), static_cast<i32>(100 * size));
  check_sum("u32 to u64", std::vector<u32>(size, 0xf0000000u), u64{0xf0000000u} * size);
  check_sum("double to i32", std::vector<double>(size, 0.5), static_cast<i32>(size / 2));
  check_sum("i8 to i32, nothing", std::vector<i8>{}, i32{0});
}

BOOST_AUTO_TEST_CASE(a_sum_whose_output_has_no_type_accumulates_in_that_of_its_input)
{
  const std::size_t size = many();
  const thrust::device_vector<i8> in(size, i8(100));
  check_gives("transformed output", std::vector<i64>{static_cast<i64>(200 * size)},
              [&](auto api, i64* out, void* memory, std::size_t& bytes, stream_type stream)
              {
                return api.reduce.Sum(memory, bytes, raw(in), thrust::make_transform_output_iterator(out, twice_as_wide{}),
                                      size, stream);
              });
  const std::vector<float> large{16777216.0f, 1.0f};
  const thrust::device_vector<float> floats = to_device(large);
  check_gives("transformed sum of float", std::vector<i64>{2 * 16777216},
              [&](auto api, i64* out, void* memory, std::size_t& bytes, stream_type stream)
              {
                return api.reduce.Sum(memory, bytes, raw(floats),
                                      thrust::make_transform_output_iterator(out, twice_as_wide{}), 2, stream);
              });
  check_gives("discarded", std::vector<i64>{},
              [&](auto api, i64*, void* memory, std::size_t& bytes, stream_type stream)
              { return api.reduce.Sum(memory, bytes, raw(in), thrust::make_discard_iterator(), size, stream); });
}

BOOST_AUTO_TEST_CASE(min_and_max_begin_with_the_limits_of_the_input)
{
  constexpr float infinity = std::numeric_limits<float>::infinity(), largest = std::numeric_limits<float>::max();
  std::vector<i8> bytes = make_items<i8>(many());
  check_min_and_max("i8 to i32", bytes, i32{*std::min_element(bytes.begin(), bytes.end())},
                    i32{*std::max_element(bytes.begin(), bytes.end())});
  check_min_and_max("i8 to i32, nothing", std::vector<i8>{}, i32{127}, i32{-128});
  check_min_and_max("float to double, nothing", std::vector<float>{}, double{largest}, -double{largest});
  check_min_and_max("infinite", std::vector<float>(100, infinity), double{largest}, double{infinity});
  check_min_and_max("negatively infinite", std::vector<float>(100, -infinity), -double{infinity}, -double{largest});
}

BOOST_AUTO_TEST_CASE(a_reduction_accumulates_in_the_type_of_its_operator)
{
  const std::size_t size = many();
  const auto wide = static_cast<i64>(size);
  check_reduce_of("u8, from an i64, to i32", std::vector<u8>(size, u8(255)), i64{3}, plus{},
                  static_cast<i32>(255 * size + 3));
  check_reduce_of("i32, from a double, to float", std::vector<i32>(1000, 1), 0.5, plus{}, 1000.5f);
  check_reduce_of("i32 by an operator of i64", std::vector<i32>(size, 0x40000000), i32{1}, wide_plus{},
                  0x40000000 * wide + 1);
  check_reduce_of("nothing, from an i64, to i32", std::vector<u8>{}, i64{3}, plus{}, i32{3});
  const std::vector<i8> items(size, i8(100));
  const thrust::device_vector<i8> in = to_device(items);
  check_gives("i8 mapped to i32, from an i64", std::vector<i64>{100000 * wide + 9},
              [&](auto api, i64* out, void* memory, std::size_t& bytes, stream_type stream) {
                return api.reduce.TransformReduce(memory, bytes, raw(in), out, size, plus{}, times_1000{}, i64{9}, stream);
              });
}

BOOST_AUTO_TEST_CASE(scans_accumulate_in_the_types_of_their_operators)
{
  const std::vector<u8> bytes(many(), u8(255));
  const std::vector<u32> keys = make_keys(bytes.size(), segments::of_hundreds, scan_by_key_tile<u32>());
  const thrust::device_vector<u8> in = to_device(bytes);
  const thrust::device_vector<u32> in_keys = to_device(keys);
  const int n = count_of(in);
  check_gives("InclusiveSum of u8", inclusive_reference<i32, i32>(bytes, plus{}),
              [&](auto api, i32* out, void* memory, std::size_t& size, stream_type stream)
              { return api.scan.InclusiveSum(memory, size, raw(in), out, n, stream); });
  check_gives("ExclusiveSum of u8", exclusive_reference<i32, i64>(bytes, 0, plus{}),
              [&](auto api, i64* out, void* memory, std::size_t& size, stream_type stream)
              { return api.scan.ExclusiveSum(memory, size, raw(in), out, n, stream); });
  check_gives("ExclusiveScan of u8 from a double", exclusive_reference<double, double>(bytes, 0.5, plus{}),
              [&](auto api, double* out, void* memory, std::size_t& size, stream_type stream)
              { return api.scan.ExclusiveScan(memory, size, raw(in), out, plus{}, 0.5, n, stream); });
  check_gives("InclusiveScanInit of u8 from an i64", inclusive_reference<i64, i64>(bytes, i64{1} << 40, plus{}),
              [&](auto api, i64* out, void* memory, std::size_t& size, stream_type stream)
              { return api.scan.InclusiveScanInit(memory, size, raw(in), out, plus{}, i64{1} << 40, n, stream); });
  check_gives<beside::nothing>("InclusiveScan of u8 by an operator of i64",
                               inclusive_reference<i64, i64>(bytes, wide_plus{}),
                               [&](auto api, i64* out, void* memory, std::size_t& size, stream_type stream)
                               { return api.scan.InclusiveScan(memory, size, raw(in), out, wide_plus{}, n, stream); });
  check_gives("InclusiveSumByKey of u8", inclusive_by_key_reference<i32, i32>(keys, bytes, equal{}, plus{}),
              [&](auto api, i32* out, void* memory, std::size_t& size, stream_type stream)
              { return api.scan.InclusiveSumByKey(memory, size, raw(in_keys), raw(in), out, n, equal{}, stream); });
  check_gives("ExclusiveScanByKey of u8 from an i64",
              exclusive_by_key_reference<i64>(keys, bytes, i64{1} << 40, equal{}, plus{}),
              [&](auto api, i64* out, void* memory, std::size_t& size, stream_type stream) {
                return api.scan.ExclusiveScanByKey(memory, size, raw(in_keys), raw(in), out, plus{}, i64{1} << 40, n,
                                                   equal{}, stream);
              });
  // To bytes, where only the low bits of sums can be seen.
  std::vector<i8> signed_bytes = make_items<i8>(many());
  const thrust::device_vector<i8> signed_in = to_device(signed_bytes);
  check_gives("InclusiveSum of u8 to u8", inclusive_reference<i32, u8>(bytes, plus{}),
              [&](auto api, u8* out, void* memory, std::size_t& size, stream_type stream)
              { return api.scan.InclusiveSum(memory, size, raw(in), out, n, stream); });
  check_gives("ExclusiveScan of i8 to i8 from an i32", exclusive_reference<i32, i8>(signed_bytes, 1000, plus{}),
              [&](auto api, i8* out, void* memory, std::size_t& size, stream_type stream)
              { return api.scan.ExclusiveScan(memory, size, raw(signed_in), out, ::cuda::std::plus<>{}, 1000, n, stream); });
  check_gives<beside::nothing>(
      "ExclusiveSumByKey of i8 to u8", exclusive_by_key_low_bits(keys, signed_bytes),
      [&](auto api, u8* out, void* memory, std::size_t& size, stream_type stream)
      { return api.scan.ExclusiveSumByKey(memory, size, raw(in_keys), raw(signed_in), out, n, equal{}, stream); });
  // In float, where the second sum rounds.
  const thrust::device_vector<float> floats = to_device(std::vector<float>{16777216.0f, 1.0f});
  check_gives("InclusiveSum of float to double", std::vector<double>{16777216.0, 16777216.0},
              [&](auto api, double* out, void* memory, std::size_t& size, stream_type stream)
              { return api.scan.InclusiveSum(memory, size, raw(floats), out, 2, stream); });
}

BOOST_AUTO_TEST_CASE(reduce_by_key_accumulates_in_the_type_of_its_operator)
{
  const std::vector<u8> items(many(), u8(255));
  const std::vector<u32> keys = make_keys(items.size(), segments::of_hundreds, reduce_by_key_tile<u32>());
  const auto expected = reduce_by_key_reference<i32, i32>(keys, items, equal{}, plus{});
  const thrust::device_vector<u8> in = to_device(items);
  const thrust::device_vector<u32> in_keys = to_device(keys);
  thrust::device_vector<u64> keys_out(expected.first.size());
  thrust::device_vector<u8> runs(1);
  check_gives("ReduceByKey of u8", expected.second,
              [&](auto api, i32* out, void* memory, std::size_t& bytes, stream_type stream)
              {
                return api.reduce.ReduceByKey(memory, bytes, raw(in_keys), raw(keys_out), raw(in), out, raw(runs), plus{},
                                              count_of(in), stream);
              });
  const std::vector<u64> wide_keys(expected.first.begin(), expected.first.end());
  check_same("keys of another type", wide_keys, to_host(keys_out));
  check_same("runs of another type", std::vector<u8>{static_cast<u8>(wide_keys.size())}, to_host(runs));
  // To bytes, where only the low bits of sums can be seen.
  std::vector<u8> low_bits;
  for (const i32 each : expected.second)
  {
    low_bits.push_back(static_cast<u8>(each));
  }
  check_gives<beside::nothing>("ReduceByKey of u8 to u8", low_bits,
                               [&](auto api, u8* out, void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 return api.reduce.ReduceByKey(memory, bytes, raw(in_keys), raw(keys_out), raw(in), out,
                                                               raw(runs), ::cuda::std::plus<>{}, count_of(in), stream);
                               });
}

// ---- extrema with their indices -----------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(of_equal_extrema_the_first_is_found)
{
  std::vector<i32> items(many(), 5);
  const std::size_t quarter = items.size() / 4;
  for (const std::size_t place : {quarter + 1, 2 * quarter + 3, items.size() - 1})
  {
    items[place] = -7;
    items[place - 1] = 11;
  }
  const extremum_at smallest{static_cast<i64>(quarter + 1), -7}, largest{static_cast<i64>(quarter), 11};
  check_arg_extrema<i32, beside::cub>("i32", items, smallest, largest);
  check_arg_extrema<i32, beside::cub>("all equal", std::vector<i32>(many(), 3), {0, 3}, {0, 3});
}

BOOST_AUTO_TEST_CASE(items_are_compared_in_the_type_of_the_extremum)
{
  std::vector<float> items(many(), 5.25f);
  items[100] = items[200] = 1.75f;
  items[300] = 1.25f; // the smallest, but for its fraction
  items[400] = 9.25f;
  items[500] = 9.75f;
  check_arg_extrema<double, beside::cub>("float to double", items, {300, 1.25}, {500, 9.75});
  check_arg_extrema<i32, beside::nothing>("float to i32", items, {100, 1}, {400, 9}); // CUB narrows in braces
  check_arg_extrema_as_pairs<i32>("float to i32", items, {100, 1}, {400, 9});
}

BOOST_AUTO_TEST_CASE(an_infinite_extremum_is_found)
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  check_arg_extrema<double, beside::cub>("infinite", std::vector<float>(100, std::numeric_limits<float>::infinity()),
                                         {0, infinity}, {0, infinity});
  check_arg_extrema<double, beside::cub>("negatively infinite",
                                         std::vector<float>(100, -std::numeric_limits<float>::infinity()), {0, -infinity},
                                         {0, -infinity});
}

BOOST_AUTO_TEST_CASE(extrema_of_nothing_are_the_limits_at_index_1)
{
  constexpr double largest = std::numeric_limits<float>::max();
  // CUB's documentation says so; CUB 3.0.1 stores nothing.
  check_arg_extrema<double, beside::nothing>("float to double", std::vector<float>{}, {1, largest}, {1, -largest});
  check_arg_extrema<i32, beside::nothing>("i32", std::vector<i32>{}, {1, 2147483647.0}, {1, -2147483648.0});
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
