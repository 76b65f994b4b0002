// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat::DeviceSegmentedReduce: what its functions give for segments that lie anywhere, which items they read, and what a
//! call needs. On a GPU CUB is called beside it.

#include "../support/device_calls.hpp"
#include "../support/iterators.hpp"
#include "../support/layouts.hpp"
#include "../support/offsets.hpp"
#include "../support/user_code.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#if !defined(REHEAT_EMULATED)
#  include <cub/device/device_segmented_reduce.cuh>
#endif

#include <cuda/std/functional>
#include <cuda/std/utility>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(segmented)

namespace
{

using i8 = std::int8_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using reheat::stream_type;
using map = affine<u32>; // whose fold does not commute

struct of_reheat : reheat::DeviceSegmentedReduce
{
  static constexpr const char* name = "reheat";
};
#if !defined(REHEAT_EMULATED)
struct of_cub : ::cub::DeviceSegmentedReduce
{
  static constexpr const char* name = "CUB";
};
#endif

//! `check(api)` for reheat and, on a GPU, for CUB if it `agrees`.
template <beside Other = beside::cub, class Check>
void for_each_class(bool agrees, Check check)
{
  check(of_reheat{});
#if !defined(REHEAT_EMULATED)
  if constexpr (Other == beside::cub)
  {
    if (agrees)
    {
      check(of_cub{});
    }
  }
#endif
  static_cast<void>(agrees);
}

// ---- results ------------------------------------------------------------------------------------------------------------

//! `call(api, output, memory, bytes, stream)` of either class leaves `expected`, and nothing behind it.
template <beside Other = beside::cub, class Out, class Call>
void check_class_gives(const std::string& what, const std::vector<Out>& expected, Call call, bool cub_agrees = true)
{
  for_each_class<Other>(cub_agrees,
                        [&](auto api)
                        {
                          const std::string whose = what + ", " + api.name;
                          placed<Out> out(expected.size(), placement::misaligned);
                          two_phases(whose, [&](void* memory, std::size_t& bytes, stream_type stream)
                                     { return call(api, out.begin(), memory, bytes, stream); });
                          check_same(whose, expected, out.items());
                        });
}

//! The same of pairs: their indices and their values.
template <class Pair>
i64 index_in(const Pair& pair)
{
  return pair.first;
}
template <class T>
i64 index_in(const ::cub::KeyValuePair<int, T>& pair)
{
  return pair.key;
}
template <class Pair>
auto value_in(const Pair& pair)
{
  return pair.second;
}
template <class T>
T value_in(const ::cub::KeyValuePair<int, T>& pair)
{
  return pair.value;
}
template <class T>
struct extrema
{
  std::vector<i64> indices;
  std::vector<T> values;
};

template <class Pair, beside Other = beside::cub, class T, class Call>
void check_class_finds(const std::string& what, const extrema<T>& expected, Call call, bool cub_agrees = true)
{
  for_each_class<Other>(cub_agrees,
                        [&](auto api)
                        {
                          const std::string whose = what + ", " + api.name;
                          const std::size_t count = expected.indices.size();
                          thrust::device_vector<unsigned char> out(count * sizeof(Pair));
                          two_phases(whose, [&](void* memory, std::size_t& bytes, stream_type stream)
                                     { return call(api, reinterpret_cast<Pair*>(raw(out)), memory, bytes, stream); });
                          const std::vector<unsigned char> bytes = to_host(out);
                          extrema<T> actual;
                          for (std::size_t i = 0; i < count; ++i)
                          {
                            Pair pair{};
                            std::memcpy(static_cast<void*>(&pair), bytes.data() + i * sizeof(Pair), sizeof(Pair));
                            actual.indices.push_back(index_in(pair));
                            actual.values.push_back(value_in(pair));
                          }
                          check_same(whose + ", indices", expected.indices, actual.indices);
                          check_same(whose + ", values", expected.values, actual.values);
                        });
}

//! The first of the items of each segment that come first by `before`.
template <class T, class In, class Before>
extrema<T> extrema_of(const layout& where, const std::vector<In>& items, T none, Before before)
{
  extrema<T> result;
  for (std::size_t s = 0; s < where.size(); ++s)
  {
    i64 found = -1;
    for (i64 i = where.begins[s]; i < where.ends[s]; ++i)
    {
      if (found < 0 || before(items[static_cast<std::size_t>(i)], items[static_cast<std::size_t>(found)]))
      {
        found = i;
      }
    }
    result.indices.push_back(found < 0 ? 1 : found - where.begins[s]);
    result.values.push_back(found < 0 ? none : static_cast<T>(items[static_cast<std::size_t>(found)]));
  }
  return result;
}

struct smaller
{
  template <class T>
  T operator()(T x, T y) const
  {
    return y < x ? y : x;
  }
};
struct larger
{
  template <class T>
  T operator()(T x, T y) const
  {
    return x < y ? y : x;
  }
};

//! Items; many are equal.
std::vector<u32> few_values(std::size_t size)
{
  std::vector<u32> items = make_items<u32>(size);
  for (u32& each : items)
  {
    each %= 97;
  }
  return items;
}

constexpr u32 max_u32 = std::numeric_limits<u32>::max();

//! Each function, of segments that `call_where(f)` passes on as f(arguments…).
template <class Pair, beside Other, class Pass>
void check_functions(const layout& where, Pass pass)
{
  const std::size_t size = items_of_layouts;
  const i64 n = static_cast<i64>(where.size());
  const std::vector<u32> items = few_values(size);
  const std::vector<map> maps = make_items<map>(size, 1);
  const thrust::device_vector<u32> in = to_device(items);
  const thrust::device_vector<map> maps_in = to_device(maps);
  const map init = values<map>::make(0);
  const bool agrees = where.cub_agrees();
  // CUB's operators commute.
  check_class_gives<beside::nothing>(
      where.name + ", Reduce", folds_of(where, maps, init, fold{}),
      [&](auto api, map* out, void* memory, std::size_t& bytes, stream_type stream) {
        return pass([&](auto... at)
                    { return api.Reduce(memory, bytes, raw(maps_in), out, n, at..., fold{}, init, stream); });
      });
  check_class_gives<Other>(
      where.name + ", Sum", folds_of(where, items, u32{0}, plus{}),
      [&](auto api, u32* out, void* memory, std::size_t& bytes, stream_type stream)
      { return pass([&](auto... at) { return api.Sum(memory, bytes, raw(in), out, n, at..., stream); }); },
      agrees);
  check_class_gives<Other>(
      where.name + ", Min", folds_of(where, items, max_u32, smaller{}),
      [&](auto api, u32* out, void* memory, std::size_t& bytes, stream_type stream)
      { return pass([&](auto... at) { return api.Min(memory, bytes, raw(in), out, n, at..., stream); }); },
      agrees);
  check_class_gives<Other>(
      where.name + ", Max", folds_of(where, items, u32{0}, larger{}),
      [&](auto api, u32* out, void* memory, std::size_t& bytes, stream_type stream)
      { return pass([&](auto... at) { return api.Max(memory, bytes, raw(in), out, n, at..., stream); }); },
      agrees);
  check_class_finds<Pair, Other>(
      where.name + ", ArgMin", extrema_of(where, items, max_u32, std::less<u32>{}),
      [&](auto api, Pair* out, void* memory, std::size_t& bytes, stream_type stream)
      { return pass([&](auto... at) { return api.ArgMin(memory, bytes, raw(in), out, n, at..., stream); }); },
      agrees);
  check_class_finds<Pair, Other>(
      where.name + ", ArgMax", extrema_of(where, items, u32{0}, std::greater<u32>{}),
      [&](auto api, Pair* out, void* memory, std::size_t& bytes, stream_type stream)
      { return pass([&](auto... at) { return api.ArgMax(memory, bytes, raw(in), out, n, at..., stream); }); },
      agrees);
}

//! A sum of segments at offsets that are passed as they are.
template <class BeginIt, class EndIt>
void check_sum(const std::string& what, const layout& where, BeginIt begins, EndIt ends)
{
  const std::vector<u32> items = make_items<u32>(items_of_layouts);
  const thrust::device_vector<u32> in = to_device(items);
  check_class_gives(
      where.name + ", " + what, folds_of(where, items, u32{0}, plus{}),
      [&](auto api, u32* out, void* memory, std::size_t& bytes, stream_type stream)
      { return api.Sum(memory, bytes, raw(in), out, static_cast<i64>(where.size()), begins, ends, stream); },
      where.cub_agrees());
}
template <class Offset>
void check_offsets_of()
{
  for (const layout& where : all_layouts())
  {
    const offsets_in_memory<Offset> offsets(where);
    check_sum("offsets of " + type_name<Offset>(), where, offsets.begins(), offsets.ends());
  }
}

struct times
{
  i64 factor;
  REHEAT_HOST_DEVICE i64 operator()(i64 x) const { return factor * x; }
};

struct item_at
{
  const u32* items;
  REHEAT_HOST_DEVICE u32 operator()(std::ptrdiff_t index) const { return items[index]; }
};

layout equal_segments(std::size_t count, i64 size)
{
  layout result{std::to_string(count) + " segments of " + std::to_string(size), {}, {}};
  for (std::size_t s = 0; s < count; ++s)
  {
    result.add(static_cast<i64>(s) * size, static_cast<i64>(s + 1) * size);
  }
  return result;
}

//! Numbers of segments and their sizes, of items_of_layouts items at most.
std::vector<std::pair<std::size_t, i64>> equal_sizes()
{
  return {{0, 5}, {1, 0}, {70, 0}, {1, 1}, {1, items_of_layouts}, {300, 1}, {400, 7}, {9, 257}, {2, items_of_layouts / 2}};
}

} // namespace

BOOST_AUTO_TEST_CASE(every_function_gives_what_it_must_for_adjacent_segments)
{
  for (const layout& where : adjacent_layouts())
  {
    const offsets_in_memory<i32> offsets(where);
    for_each_seed(2,
                  [&]
                  {
                    check_functions<::cub::KeyValuePair<int, u32>, beside::cub>(
                        where, [&](auto call) { return call(offsets.begins(), offsets.ends()); });
                  });
  }
}

BOOST_AUTO_TEST_CASE(every_function_gives_what_it_must_for_segments_anywhere)
{
  for (const layout& where : other_layouts())
  {
    const offsets_in_memory<i32> offsets(where);
    for_each_seed(2,
                  [&]
                  {
                    check_functions<::cub::KeyValuePair<int, u32>, beside::cub>(
                        where, [&](auto call) { return call(offsets.begins(), offsets.ends()); });
                  });
  }
}

// CUB has these functions since CCCL 3.1 or later.
BOOST_AUTO_TEST_CASE(every_function_gives_what_it_must_for_segments_of_one_size)
{
  for (const auto& each : equal_sizes())
  {
    const int size = static_cast<int>(each.second);
    check_functions<::cuda::std::pair<int, u32>, beside::nothing>(equal_segments(each.first, size),
                                                                  [&](auto call) { return call(size); });
  }
}

BOOST_AUTO_TEST_CASE(offsets_have_any_integral_type)
{
  check_offsets_of<u32>();
  check_offsets_of<i64>();
  for (const layout& where : all_layouts())
  {
    const offsets_in_memory<i32> begins(where);
    const offsets_in_memory<std::uint64_t> ends(where);
    check_sum("begins of i32 and ends of u64", where, begins.begins(), ends.ends());
  }
}

BOOST_AUTO_TEST_CASE(offsets_come_from_any_iterator)
{
  const i64 windows = items_of_layouts - 40;
  layout sliding{"sliding windows", {}, {}};
  for (i64 i = 0; i < windows; ++i)
  {
    sliding.add(i, i + 40);
  }
  check_sum("counting", sliding, thrust::make_counting_iterator(i64{0}), thrust::make_counting_iterator(i64{40}));
  const auto multiples = thrust::make_transform_iterator(thrust::make_counting_iterator(i64{0}), times{13});
  check_sum("transformed", equal_segments(100, 13), multiples, multiples + 1);
  const layout adjacent = adjacent_layouts()[0];
  std::vector<i32> bounds(adjacent.begins.begin(), adjacent.begins.end());
  bounds.push_back(static_cast<i32>(adjacent.ends.back()));
  const thrust::device_vector<i32> in_vector = to_device(bounds);
  check_sum("iterators of a vector", adjacent, in_vector.begin(), in_vector.begin() + 1);
}

BOOST_AUTO_TEST_CASE(items_are_read_once_for_each_segment_and_no_others)
{
  const std::vector<u32> items = make_items<u32>(items_of_layouts);
  const thrust::device_vector<u32> in = to_device(items);
  for (const layout& where : all_layouts())
  {
    const offsets_in_memory<i32> offsets(where);
    thrust::device_vector<unsigned> counts(items.size() + 1, 0u);
    const auto watched =
        thrust::make_transform_iterator(counting(0), watched_read<u32>{raw(in), raw(counts), items_of_layouts});
    std::vector<unsigned> expected(items.size() + 1, 0u);
    for (std::size_t s = 0; s < where.size(); ++s)
    {
      for (i64 i = where.begins[s]; i < where.ends[s]; ++i)
      {
        ++expected[static_cast<std::size_t>(i)];
      }
    }
    placed<u32> out(where.size(), placement::aligned);
    two_phases(where.name,
               [&](void* memory, std::size_t& bytes, stream_type stream)
               {
                 return of_reheat::Sum(memory, bytes, watched, out.begin(), static_cast<i64>(where.size()), offsets.begins(),
                                       offsets.ends(), stream);
               });
    check_same(where.name, folds_of(where, items, u32{0}, plus{}), out.items());
    std::vector<unsigned> reads = to_host(counts);
    if (where.descends) // the first launch has read some items in vain
    {
      std::transform(expected.begin(), expected.end(), reads.begin(), reads.begin(),
                     [](unsigned least, unsigned read) { return least != 0 && read > least ? least : read; });
    }
    check_same(where.name + ", reads", expected, reads);
  }
}

BOOST_AUTO_TEST_CASE(offsets_may_lie_below_zero)
{
  const std::vector<u32> items = make_items<u32>(items_of_layouts);
  const thrust::device_vector<u32> in = to_device(items);
  const i64 middle = items_of_layouts / 2;
  layout where{"around the middle", {}, {}};
  for (const i64 reach : {i64{1}, i64{3}, i64{100}, middle})
  {
    where.add(middle - reach, middle + reach);
    where.add(middle - reach, middle);
  }
  layout shifted = where;
  for (std::size_t s = 0; s < where.size(); ++s)
  {
    shifted.begins[s] -= middle;
    shifted.ends[s] -= middle;
  }
  const offsets_in_memory<i32> offsets(shifted);
  check_class_gives("offsets from -n to n", folds_of(where, items, u32{0}, plus{}),
                    [&](auto api, u32* out, void* memory, std::size_t& bytes, stream_type stream)
                    {
                      const auto from = thrust::make_transform_iterator(counting(middle), item_at{raw(in)});
                      return api.Sum(memory, bytes, from, out, static_cast<i64>(where.size()), offsets.begins(),
                                     offsets.ends(), stream);
                    });
}

// ---- types --------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(types_are_those_of_cub)
{
  const layout where = other_layouts()[0];
  const offsets_in_memory<i32> offsets(where);
  const i64 n = static_cast<i64>(where.size());
  const std::vector<i8> bytes_of_items = make_items<i8>(items_of_layouts);
  const thrust::device_vector<i8> in = to_device(bytes_of_items);
  check_class_gives("Sum of i8 to i32", folds_of(where, bytes_of_items, i32{0}, plus{}),
                    [&](auto api, i32* out, void* memory, std::size_t& bytes, stream_type stream)
                    { return api.Sum(memory, bytes, raw(in), out, n, offsets.begins(), offsets.ends(), stream); });
  check_class_gives("Min of i8 to i32",
                    folds_of(where, bytes_of_items, i32{127}, [](i32 x, i32 y) { return std::min(x, y); }),
                    [&](auto api, i32* out, void* memory, std::size_t& bytes, stream_type stream)
                    { return api.Min(memory, bytes, raw(in), out, n, offsets.begins(), offsets.ends(), stream); });
  check_class_gives(
      "Reduce of i8 from a double", folds_of(where, bytes_of_items, 0.5, plus{}),
      [&](auto api, double* out, void* memory, std::size_t& bytes, stream_type stream)
      { return api.Reduce(memory, bytes, raw(in), out, n, offsets.begins(), offsets.ends(), plus{}, 0.5, stream); });
  using pair = ::cub::KeyValuePair<int, double>;
  check_class_finds<pair>("ArgMax of i8 to double", extrema_of(where, bytes_of_items, -128.0, std::greater<i8>{}),
                          [&](auto api, pair* out, void* memory, std::size_t& bytes, stream_type stream)
                          { return api.ArgMax(memory, bytes, raw(in), out, n, offsets.begins(), offsets.ends(), stream); });
  check_class_gives("discarded", std::vector<i32>{},
                    [&](auto api, i32*, void* memory, std::size_t& bytes, stream_type stream) {
                      return api.Sum(memory, bytes, raw(in), thrust::make_discard_iterator(), n, offsets.begins(),
                                     offsets.ends(), stream);
                    });
}

BOOST_AUTO_TEST_CASE(minima_of_infinite_items_begin_with_the_limits_of_the_type)
{
  constexpr float infinity = std::numeric_limits<float>::infinity(), limit = std::numeric_limits<float>::max();
  const thrust::device_vector<float> in(300, infinity);
  check_class_gives<beside::nothing>("Min", std::vector<float>(3, limit),
                                     [&](auto api, float* out, void* memory, std::size_t& bytes, stream_type stream)
                                     { return api.Min(memory, bytes, raw(in), out, 3, 100, stream); });
  using pair = ::cub::KeyValuePair<int, float>;
  check_class_finds<pair, beside::nothing>("ArgMin", extrema<float>{{0, 0, 0}, {infinity, infinity, infinity}},
                                           [&](auto api, pair* out, void* memory, std::size_t& bytes, stream_type stream)
                                           { return api.ArgMin(memory, bytes, raw(in), out, 3, 100, stream); });
}

BOOST_AUTO_TEST_CASE(large_items_lie_in_the_memory_of_the_caller)
{
  using kilobyte = words<256>;
  const std::vector<kilobyte> items = make_items<kilobyte>(200);
  const thrust::device_vector<kilobyte> in = to_device(items);
  const kilobyte init = values<kilobyte>::make(500);
  layout near{"adjacent", {}, {}, true}, far{"anywhere", {}, {}};
  for (i64 at = 2; at < 190; at += 3 + at % 50)
  {
    near.add(at, at + 3 + at % 50 > 190 ? 190 : at + 3 + at % 50);
    far.add(at, at + 9);
    far.add(at, at - 1);
  }
  for (const layout& where : {near, far})
  {
    const offsets_in_memory<i32> offsets(where);
    check_class_gives<beside::nothing>(where.name, folds_of(where, items, init, fold{}),
                                       [&](auto api, kilobyte* out, void* memory, std::size_t& bytes, stream_type stream)
                                       {
                                         return api.Reduce(memory, bytes, raw(in), out, static_cast<i64>(where.size()),
                                                           offsets.begins(), offsets.ends(), fold{}, init, stream);
                                       });
  }
}

BOOST_AUTO_TEST_CASE(a_sum_of_floats_depends_on_its_segment_alone)
{
  const std::vector<float> items = make_reals(items_of_layouts);
  const thrust::device_vector<float> in = to_device(items);
  layout all{"all", {}, {}};
  for (const layout& each : other_layouts())
  {
    for (std::size_t s = 0; s < each.size(); s += 1 + each.size() / 40)
    {
      all.add(each.begins[s], each.ends[s]);
    }
  }
  const auto sums_of = [&](const layout& where)
  {
    const offsets_in_memory<i32> offsets(where);
    thrust::device_vector<float> out(where.size());
    two_phases(where.name,
               [&](void* memory, std::size_t& bytes, stream_type stream)
               {
                 return of_reheat::Sum(memory, bytes, raw(in), raw(out), static_cast<i64>(where.size()), offsets.begins(),
                                       offsets.ends(), stream);
               });
    return to_host(out);
  };
  std::vector<float> alone;
  for (std::size_t s = 0; s < all.size(); ++s)
  {
    layout one{"one", {}, {}};
    one.add(all.begins[s], all.ends[s]);
    alone.push_back(sums_of(one)[0]);
  }
  // In every order of segments the list of long ones is full at another one.
  for (int multiprocessors = 1; multiprocessors <= (emulated ? 5 : 1); multiprocessors += 2)
  {
#if defined(REHEAT_EMULATED)
    reheat::emulator::properties device;
    device.multiprocessors = multiprocessors;
    reheat::emulator::set_device_properties(device);
#endif
    for_each_seed(5, [&] { check_bitwise("sums of floats", alone, sums_of(all)); });
    std::reverse(all.begins.begin(), all.begins.end());
    std::reverse(all.ends.begin(), all.ends.end());
    std::reverse(alone.begin(), alone.end());
  }
#if defined(REHEAT_EMULATED)
  reheat::emulator::set_device_properties({});
#endif
}

namespace
{

// Of which pieces are several parts.
constexpr i64 items_of_giants = emulated ? 5500 : 3000000;

//! One giant among short ones; giants, and segments of two or three pieces, for which the list has not room enough.
std::vector<layout> layouts_of_giants()
{
  layout one{"a giant among short ones", {}, {}}, giants{"giants", {}, {}}, many{"long ones", {}, {}};
  for (i64 s = 0; s < 300; ++s)
  {
    one.add(s == 140 ? 1 : 5 * s, s == 140 ? items_of_giants : 5 * s + s % 5);
  }
  const auto below = [](i64 limit, i64 number)
  { return static_cast<i64>(mix(static_cast<std::uint64_t>(number)) % static_cast<std::uint64_t>(limit)); };
  const i64 not_whole = emulated ? 145 : 8193, third = items_of_giants / 3;
  for (i64 s = 0; s < (emulated ? 50 : 1200); ++s)
  {
    giants.add(below(third, 4 * s), items_of_giants - below(third, 4 * s + 1));
    const i64 begin = below(items_of_giants - 2 * not_whole, 4 * s + 2);
    many.add(begin, begin + not_whole + below(not_whole, 4 * s + 3));
  }
  return {one, giants, many};
}

template <class T, class Op>
void check_giants(const std::vector<T>& items, T init, Op op)
{
  const thrust::device_vector<T> in = to_device(items);
  const auto folds = [&](const layout& where)
  {
    const offsets_in_memory<i32> offsets(where);
    thrust::device_vector<T> out(where.size(), init);
    two_phases(where.name,
               [&](void* memory, std::size_t& bytes, stream_type stream)
               {
                 return of_reheat::Reduce(memory, bytes, raw(in), raw(out), static_cast<i64>(where.size()), offsets.begins(),
                                          offsets.ends(), op, init, stream);
               });
    return to_host(out);
  };
  const std::size_t step = emulated ? 1 : 7;
  for (const layout& where : layouts_of_giants())
  {
    const std::string what = type_name<T>() + ", " + where.name;
    std::vector<T> alone;
    for (std::size_t s = 0; s < where.size(); s += step)
    {
      layout one{what + ", segment " + std::to_string(s), {}, {}};
      one.add(where.begins[s], where.ends[s]);
      alone.push_back(folds(one)[0]);
      if (!std::is_floating_point_v<T> && s % 20 == 0)
      {
        check_same(one.name, folds_of(one, items, init, op), std::vector<T>{alone.back()});
      }
    }
    for_each_seed(3,
                  [&]
                  {
                    const std::vector<T> all = folds(where);
                    std::vector<T> together;
                    for (std::size_t s = 0; s < where.size(); s += step)
                    {
                      together.push_back(all[s]);
                    }
                    check_bitwise(what, alone, together);
                  });
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(a_fold_of_many_pieces_depends_on_its_segment_alone)
{
  check_giants<float>(make_reals(items_of_giants), 0.0f, plus{});
  check_giants<map>(make_items<map>(items_of_giants), values<map>::make(0), fold{});
}

// ---- memory, launches, errors -------------------------------------------------------------------------------------------

namespace
{

//! A call of Sum, and what it leaves.
class sums
{
public:
  explicit sums(const layout& where)
      : where_(where), offsets_(where), items_(make_items<u32>(items_of_layouts)), in_(to_device(items_)), out_(where.size())
  {}
  reheat::status_type operator()(void* memory, std::size_t& bytes, stream_type stream)
  {
    return of_reheat::Sum(memory, bytes, raw(in_), raw(out_), static_cast<i64>(where_.size()), offsets_.begins(),
                          offsets_.ends(), stream);
  }
  void forget() { out_ = to_device(std::vector<u32>(where_.size(), untouched)); }
  void check(const std::string& what, bool done) const
  {
    check_same(what, done ? folds_of(where_, items_, u32{0}, plus{}) : std::vector<u32>(where_.size(), untouched),
               to_host(out_));
  }

private:
  static constexpr u32 untouched = 0xabcdef01u;
  layout where_;
  offsets_in_memory<i32> offsets_;
  std::vector<u32> items_;
  thrust::device_vector<u32> in_, out_;
};

template <class Call>
std::uint64_t launches_of(const std::string& what, Call call)
{
  std::size_t bytes = bytes_of_call(what, call);
  temp_block block(bytes, 5, content::noise);
  const host_calls asked =
      calls_of([&] { check_status(what, reheat::runtime::success, call(block.get(), bytes, default_stream())); });
  wait_for_all_streams();
  BOOST_TEST(asked.waits == 0u, what << ": " << asked);
  BOOST_TEST(asked.allocations == 0u, what << ": " << asked);
  return asked.launches;
}

} // namespace

BOOST_AUTO_TEST_CASE(memory_may_lie_at_any_address_and_hold_anything)
{
  for (const layout& where : {adjacent_layouts()[2], other_layouts()[0]})
  {
    sums call(where);
    for (const std::size_t offset : {std::size_t(0), std::size_t(1), std::size_t(8), std::size_t(255)})
    {
      for (const content before : all_contents)
      {
        call.forget();
        two_phases(where.name, call, default_stream(), offset, before);
        call.check(where.name, true);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_size_of_the_memory_does_not_depend_on_addresses)
{
  const auto asked_at = [](const u32* in, const i32* begins, const i32* ends)
  {
    return bytes_of_call(
        "Sum", [&](void* memory, std::size_t& bytes, stream_type stream)
        { return of_reheat::Sum(memory, bytes, in, static_cast<u32*>(nullptr), i64{1} << 33, begins, ends, stream); });
  };
  const i32 offsets[3] = {};
  const u32 items[1] = {};
  const std::size_t nowhere = asked_at(nullptr, nullptr, nullptr);
  BOOST_TEST(nowhere > 1u);
  BOOST_TEST(asked_at(items, offsets, offsets + 1) == nowhere);
  BOOST_TEST(asked_at(items, offsets, offsets + 2) == nowhere);
}

BOOST_AUTO_TEST_CASE(too_little_memory_is_an_error_and_nothing_is_done)
{
  // Adjacent segments need less, and so do few.
  layout where = other_layouts()[0];
  const std::size_t few = reheat::detail::few_anywhere_tuning<u32>{}(kernel_arch()).max_segments;
  while (where.size() <= few)
  {
    where.add(0, 3);
  }
  sums call(where);
  const std::size_t wanted = bytes_of_call(where.name, call);
  for (const std::size_t given : {wanted - 1, wanted / 2, std::size_t(1)})
  {
    temp_block block(given, 3, content::noise);
    call.forget();
    std::size_t bytes = given;
    const host_calls asked =
        calls_of([&] { check_status(where.name, invalid_value, call(block.get(), bytes, default_stream())); });
    BOOST_TEST(asked.launches == 0u, asked);
    block.check(where.name);
    call.check(where.name, false);
  }
}

BOOST_AUTO_TEST_CASE(a_call_takes_a_few_launches_and_none_without_segments)
{
  const std::size_t few = reheat::detail::few_anywhere_tuning<u32>{}(kernel_arch()).max_segments;
  for (const layout& where : all_layouts())
  {
    sums call(where);
    const std::uint64_t expected = where.size() == 0 ? 0 : where.adjacent || where.size() <= few ? 2 : 3;
    const std::uint64_t launches = launches_of(where.name, call);
    BOOST_TEST(launches == expected, where.name << ": " << launches << " launches, expected " << expected);
  }
  const thrust::device_vector<u32> in(100, 1u);
  thrust::device_vector<u32> out(10);
  const auto equal = [&](void* memory, std::size_t& bytes, stream_type stream)
  { return of_reheat::Sum(memory, bytes, raw(in), raw(out), 5, 10, stream); };
  BOOST_TEST(launches_of("five of ten", equal) == 1u);
  BOOST_TEST(bytes_of_call("five of ten", equal) == 1u);
}

BOOST_AUTO_TEST_CASE(negative_numbers_are_errors)
{
  const thrust::device_vector<u32> in(100, 1u);
  const thrust::device_vector<i32> offsets(12, 0);
  thrust::device_vector<u32> out(10, 7u);
  std::size_t bytes = 1;
  const i32* const at = raw(offsets);
  check_status("-1 segments", invalid_value, of_reheat::Sum(nullptr, bytes, raw(in), raw(out), -1, at, at + 1));
  check_status("-1 segments of one size", invalid_value, of_reheat::Max(nullptr, bytes, raw(in), raw(out), -1, 10));
  check_status("segments of size -1", invalid_value, of_reheat::Sum(nullptr, bytes, raw(in), raw(out), 10, -1));
  check_status("segments of size -1", invalid_value, of_reheat::Sum(raw(out), bytes, raw(in), raw(out), 10, -1));
  check_same("output", std::vector<u32>(10, 7u), to_host(out));
}

BOOST_AUTO_TEST_CASE(calls_run_on_the_stream_that_they_are_given)
{
  for (const layout& where : {adjacent_layouts()[0], other_layouts()[0]})
  {
    stream own;
    sums call(where);
#if defined(REHEAT_EMULATED)
    const std::size_t elsewhere = default_stream()->launch_count();
#endif
    two_phases(where.name, call, own.get());
    call.check(where.name, true);
#if defined(REHEAT_EMULATED)
    const bool few = where.size() <= reheat::detail::few_anywhere_tuning<u32>{}(kernel_arch()).max_segments;
    BOOST_TEST(own.get()->launch_count() == (where.adjacent || few ? 2u : 3u));
    BOOST_TEST(default_stream()->launch_count() == elsewhere);
#endif
  }
}

// ---- one phase ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(calls_in_one_phase_give_the_same)
{
#if REHEAT_HAS_ENVIRONMENTS
  using pair = ::cub::KeyValuePair<int, u32>;
  const std::vector<u32> items = few_values(items_of_layouts);
  const thrust::device_vector<u32> in = to_device(items);
  stream own;
  const auto run_to_run = ::cuda::execution::require(::cuda::execution::determinism::run_to_run);
  layout equal = equal_segments(80, 13);
  for (const layout& where : {adjacent_layouts()[2], other_layouts()[0], equal})
  {
    const offsets_in_memory<i32> offsets(where);
    const i64 n = static_cast<i64>(where.size());
    thrust::device_vector<u32> out(where.size());
    thrust::device_vector<unsigned char> pairs(where.size() * sizeof(pair));
    pair* const found = reinterpret_cast<pair*>(raw(pairs));
    const auto left = [&](const char* what, reheat::status_type status, const std::vector<u32>& expected)
    {
      check_status(what, reheat::runtime::success, status);
      wait_for_all_streams();
      check_same(where.name + ", " + what, expected, to_host(out));
    };
    const auto call = [&](auto... at)
    {
      const auto sum_of = [&](u32 init) { return folds_of(where, items, init, plus{}); };
      left("Reduce", of_reheat::Reduce(raw(in), raw(out), n, at..., plus{}, 3u), sum_of(3));
      left("Reduce on a stream", of_reheat::Reduce(raw(in), raw(out), n, at..., plus{}, 4u, own.get()), sum_of(4));
      left("Sum", of_reheat::Sum(raw(in), raw(out), n, at...), sum_of(0));
      left("Sum, as in every run", of_reheat::Sum(raw(in), raw(out), n, at..., run_to_run), sum_of(0));
      left("Min", of_reheat::Min(raw(in), raw(out), n, at...), folds_of(where, items, max_u32, smaller{}));
      left("Max on a stream", of_reheat::Max(raw(in), raw(out), n, at..., own.get()), folds_of(where, items, 0u, larger{}));
      const auto expected = folds_of(where, items, max_u32, smaller{});
      for (const bool largest : {false, true})
      {
        check_status("ArgMin or ArgMax", reheat::runtime::success,
                     largest ? of_reheat::ArgMax(raw(in), found, n, at..., own.get())
                             : of_reheat::ArgMin(raw(in), found, n, at...));
        wait_for_all_streams();
        const std::vector<unsigned char> bytes = to_host(pairs);
        const extrema<u32> wanted = largest ? extrema_of(where, items, 0u, std::greater<u32>{})
                                            : extrema_of(where, items, max_u32, std::less<u32>{});
        extrema<u32> actual;
        for (std::size_t s = 0; s < where.size(); ++s)
        {
          pair each;
          std::memcpy(static_cast<void*>(&each), bytes.data() + s * sizeof(pair), sizeof(pair));
          actual.indices.push_back(each.key);
          actual.values.push_back(each.value);
        }
        check_same(where.name + ", indices", wanted.indices, actual.indices);
        check_same(where.name + ", values", wanted.values, actual.values);
      }
    };
    call(offsets.begins(), offsets.ends());
    if (where.name == equal.name)
    {
      call(13);
    }
  }
#else
  BOOST_TEST_MESSAGE("not checked: CCCL has no environments before 3.1");
#endif
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
