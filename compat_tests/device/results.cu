// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What reheat::DeviceReduce and reheat::DeviceScan compute: of any size, in the order of operands, of any iterators, each
//! output once. On a GPU the calls of all entry points are made of CUB, too, so that what these tests expect is known to be
//! what CUB gives.

#include "../support/device_calls.hpp"
#include "../support/user_code.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <algorithm>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(results)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using reheat::stream_type;

// ---- functors -----------------------------------------------------------------------------------------------------------

struct by_32
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return x / 32; }
};

// ---- operands in their order --------------------------------------------------------------------------------------------

//! Calls with a functor of the user's, of items of T, whose fold does not commute: of every kind of kernel, or of all entry
//! points.
template <class T, bool AllEntryPoints>
void check_order(std::size_t size)
{
  const std::string what = type_name<T>() + ", " + std::to_string(size) + " items, ";
  const std::vector<T> items = make_items<T>(size, 1);
  const std::vector<u32> keys = make_keys(size, segments::of_hundreds, scan_by_key_tile<T>());
  const T init = values<T>::make(0);
  const thrust::device_vector<T> in = to_device(items);
  const thrust::device_vector<u32> in_keys = to_device(keys);
  const auto n = static_cast<i64>(size);
  check_gives<beside::nothing>(what + "Reduce", std::vector<T>{reduce_reference<T>(items, init, fold{})},
                               [&](auto api, T* out, void* memory, std::size_t& bytes, stream_type stream)
                               { return api.reduce.Reduce(memory, bytes, raw(in), out, n, fold{}, init, stream); });
  check_gives<beside::nothing>(what + "InclusiveScan", inclusive_reference<T, T>(items, fold{}),
                               [&](auto api, T* out, void* memory, std::size_t& bytes, stream_type stream)
                               { return api.scan.InclusiveScan(memory, bytes, raw(in), out, fold{}, n, stream); });
  check_gives<beside::nothing>(
      what + "InclusiveScanByKey", inclusive_by_key_reference<T, T>(keys, items, equal{}, fold{}),
      [&](auto api, T* out, void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.InclusiveScanByKey(memory, bytes, raw(in_keys), raw(in), out, fold{}, n, equal{}, stream); });
  const auto runs = reduce_by_key_reference<T, T>(keys, items, equal{}, fold{});
  thrust::device_vector<u32> keys_out(runs.first.size()), count(1);
  check_gives<beside::nothing>(what + "ReduceByKey", runs.second,
                               [&](auto api, T* out, void* memory, std::size_t& bytes, stream_type stream) {
                                 return api.reduce.ReduceByKey(memory, bytes, raw(in_keys), raw(keys_out), raw(in), out,
                                                               raw(count), fold{}, n, stream);
                               });
  check_same(what + "unique keys", runs.first, to_host(keys_out));
  check_same(what + "number of runs", std::vector<u32>{static_cast<u32>(runs.first.size())}, to_host(count));
  if constexpr (AllEntryPoints)
  {
    check_gives<beside::nothing>(
        what + "TransformReduce", std::vector<T>{reduce_reference<T>(items, init, fold{})},
        [&](auto api, T* out, void* memory, std::size_t& bytes, stream_type stream)
        { return api.reduce.TransformReduce(memory, bytes, raw(in), out, n, fold{}, itself{}, init, stream); });
    check_gives<beside::nothing>(what + "InclusiveScanInit", inclusive_reference<T, T>(items, init, fold{}),
                                 [&](auto api, T* out, void* memory, std::size_t& bytes, stream_type stream) {
                                   return api.scan.InclusiveScanInit(memory, bytes, raw(in), out, fold{}, init, n, stream);
                                 });
    check_gives<beside::nothing>(what + "ExclusiveScan", exclusive_reference<T, T>(items, init, fold{}),
                                 [&](auto api, T* out, void* memory, std::size_t& bytes, stream_type stream)
                                 { return api.scan.ExclusiveScan(memory, bytes, raw(in), out, fold{}, init, n, stream); });
    check_gives<beside::nothing>(
        what + "ExclusiveScanByKey", exclusive_by_key_reference<T>(keys, items, init, equal{}, fold{}),
        [&](auto api, T* out, void* memory, std::size_t& bytes, stream_type stream) {
          return api.scan.ExclusiveScanByKey(memory, bytes, raw(in_keys), raw(in), out, fold{}, init, n, equal{}, stream);
        });
  }
}

// ---- numbers of items ---------------------------------------------------------------------------------------------------

template <class Count>
void check_count_type()
{
  const std::string what = type_name<Count>();
  const Count n = 97;
  const std::vector<u32> items = make_items<u32>(97), keys = make_keys(97, segments::of_few, 33);
  const thrust::device_vector<u32> in = to_device(items), in_keys = to_device(keys);
  check_gives<beside::nothing>(what + ", Sum", std::vector<u32>{reduce_reference<u32>(items, 0u, plus{})},
                               [&](auto api, u32* out, void* memory, std::size_t& bytes, stream_type stream)
                               { return api.reduce.Sum(memory, bytes, raw(in), out, n, stream); });
  check_gives<beside::nothing>(what + ", InclusiveSum", inclusive_reference<u32, u32>(items, plus{}),
                               [&](auto api, u32* out, void* memory, std::size_t& bytes, stream_type stream)
                               { return api.scan.InclusiveSum(memory, bytes, raw(in), out, n, stream); });
  check_gives<beside::nothing>(
      what + ", InclusiveSumByKey", inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{}),
      [&](auto api, u32* out, void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.InclusiveSumByKey(memory, bytes, raw(in_keys), raw(in), out, n, equal{}, stream); });
}

//! Both kinds of memory that a position behind others can stand for.
template <class T>
class behind_others
{
public:
  explicit behind_others(const std::vector<T>& items) : place_(1, others), memory_(to_device(after_others(items))) {}
  explicit behind_others(std::size_t size) : place_(1, others), memory_(others + size) {}
  appended_iterator<T> begin() { return {raw(memory_), raw(place_)}; }
  std::vector<T> items() const { return to_host(memory_, others, memory_.size() - others); }

private:
  static constexpr std::ptrdiff_t others = 13;
  static std::vector<T> after_others(const std::vector<T>& items)
  {
    std::vector<T> result(others, values<T>::make(99));
    result.insert(result.end(), items.begin(), items.end());
    return result;
  }

  thrust::device_vector<std::ptrdiff_t> place_;
  thrust::device_vector<T> memory_;
};

} // namespace

// ---- every entry point --------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(every_entry_point_gives_what_it_must_for_every_size)
{
  for (const std::size_t size : device_call_sizes())
  {
    device_memory memory(size);
    const std::string where = std::to_string(size) + " items";
    for_each_seed(2,
                  [&]
                  {
                    for (const device_call& each : device_calls(memory))
                    {
                      each.check(where, memory);
                    }
                  });
#if !defined(REHEAT_EMULATED)
    for (const device_call& each : device_calls_of_cub(memory))
    {
      // CUB's reductions do not keep the order of operands, and its newer extrema store nothing for no items.
      const bool reorders = each.name == "DeviceReduce::Reduce" || each.name == "DeviceReduce::TransformReduce";
      const bool stores_nothing = size == 0 && (each.name == "DeviceReduce::ArgMin" || each.name == "DeviceReduce::ArgMax");
      if (!reorders && !stores_nothing)
      {
        each.check(where + ", CUB", memory);
      }
    }
#endif
  }
}

BOOST_AUTO_TEST_CASE(every_scan_that_streams_gives_what_it_must)
{
  const force_scans all(streaming_scans());
  for (const std::size_t size : {std::size_t(1), scan_tile<u32>() + 1, several_blocks()})
  {
    device_memory memory(size);
    for_each_seed(2,
                  [&]
                  {
                    for (const device_call& each : device_calls(memory))
                    {
                      each.check(std::to_string(size) + " items", memory);
                    }
                  });
  }
}

BOOST_AUTO_TEST_CASE(calls_run_on_the_stream_that_they_are_given)
{
  stream own;
  device_memory memory(several_blocks());
  for (const device_call& each : device_calls(memory))
  {
#if defined(REHEAT_EMULATED)
    own.get()->clear();
    const std::size_t elsewhere = default_stream()->launch_count();
#endif
    each.check("a stream of its own", memory, 1, content::tags, own.get());
#if defined(REHEAT_EMULATED)
    BOOST_TEST(own.get()->launch_count() >= 1u, each.name);
    BOOST_TEST(default_stream()->launch_count() == elsewhere, each.name << ": launches on the default stream");
#endif
  }
}

BOOST_AUTO_TEST_CASE(operands_keep_their_order_and_objects_are_assigned)
{
  for (const std::size_t size : {std::size_t(1), std::size_t(33), std::size_t(1000), several_blocks()})
  {
    check_order<tracked<false>, true>(size);
  }
  for (const std::size_t size : {std::size_t(1), std::size_t(33), several_blocks_of_large_values()})
  {
    check_order<large_value, false>(size);
  }
}

// ---- any number of items, any iterators ---------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(numbers_of_items_have_any_integral_type)
{
  check_count_type<signed char>();
  check_count_type<unsigned char>();
  check_count_type<short>();
  check_count_type<unsigned short>();
  check_count_type<int>();
  check_count_type<unsigned>();
  check_count_type<long>();
  check_count_type<std::size_t>();
  check_count_type<long long>();
  check_count_type<unsigned long long>();
}

BOOST_AUTO_TEST_CASE(inputs_and_outputs_may_be_any_iterators)
{
  const std::size_t size = several_blocks();
  const auto numbers = thrust::make_counting_iterator(u32{5});
  const auto doubled = thrust::make_transform_iterator(numbers, twice{});
  std::vector<u32> items, keys;
  for (u32 i = 0; i < size; ++i)
  {
    items.push_back(2 * (5 + i));
    keys.push_back((5 + i) / 32);
  }
  const auto in_keys = thrust::make_transform_iterator(numbers, by_32{});
  check_gives<beside::nothing>("Sum", std::vector<i64>{2 * static_cast<i64>(reduce_reference<u32>(items, 0u, plus{}))},
                               [&](auto api, i64* out, void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 return api.reduce.Sum(memory, bytes, doubled,
                                                       thrust::make_transform_output_iterator(out, twice_as_wide{}), size,
                                                       stream);
                               });
  thrust::device_vector<i64> index(1);
  check_gives<beside::nothing>("ArgMax", std::vector<i64>{2 * i64{items.back()}},
                               [&](auto api, i64* out, void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 return api.reduce.ArgMax(
                                     memory, bytes, doubled, thrust::make_transform_output_iterator(out, twice_as_wide{}),
                                     thrust::make_transform_output_iterator(raw(index), twice_as_wide{}),
                                     static_cast<i64>(size), stream);
                               });
  BOOST_TEST(to_host(index)[0] == 2 * static_cast<i64>(size - 1));
  std::vector<i64> scanned;
  for (const u32 each : exclusive_reference<u32, u32>(items, 0u, plus{}))
  {
    scanned.push_back(2 * i64{each});
  }
  check_gives<beside::nothing>("ExclusiveSum", scanned,
                               [&](auto api, i64* out, void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 return api.scan.ExclusiveSum(memory, bytes, doubled,
                                                              thrust::make_transform_output_iterator(out, twice_as_wide{}),
                                                              size, stream);
                               });
  const auto runs = reduce_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
  check_gives<beside::nothing>("ReduceByKey", runs.second,
                               [&](auto api, u32* out, void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 return api.reduce.ReduceByKey(memory, bytes, in_keys, thrust::make_discard_iterator(),
                                                               doubled, out, thrust::make_discard_iterator(), plus{}, size,
                                                               stream);
                               });
  check_gives<beside::nothing>(
      "InclusiveSumByKey", inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{}),
      [&](auto api, u32* out, void* memory, std::size_t& bytes, stream_type stream)
      { return api.scan.InclusiveSumByKey(memory, bytes, in_keys, doubled, out, size, equal{}, stream); });
}

BOOST_AUTO_TEST_CASE(iterators_are_dereferenced_on_the_device_alone)
{
  const std::size_t size = several_blocks();
  const std::vector<u32> items = make_items<u32>(size), keys = make_keys(size, segments::of_few, 33);
  behind_others<u32> in(items), in_keys(keys), out(size), one(1), unique(size), aggregates(size),
      first(std::vector<u32>{4711});
  host_dereferences = 0;
  const auto run = [&](const char* what, auto call) { two_phases(what, call); };
  run("Sum", [&](void* memory, std::size_t& bytes, stream_type stream)
      { return reheat::DeviceReduce::Sum(memory, bytes, in.begin(), one.begin(), size, stream); });
  check_same("Sum", std::vector<u32>{reduce_reference<u32>(items, 0u, plus{})}, one.items());
  run("Sum of nothing", [&](void* memory, std::size_t& bytes, stream_type stream)
      { return reheat::DeviceReduce::Sum(memory, bytes, in.begin(), one.begin(), 0, stream); });
  check_same("Sum of nothing", std::vector<u32>{0}, one.items());
  thrust::device_vector<i64> index(1);
  run("ArgMin",
      [&](void* memory, std::size_t& bytes, stream_type stream)
      {
        return reheat::DeviceReduce::ArgMin(memory, bytes, in.begin(), one.begin(), raw(index), static_cast<i64>(size),
                                            stream);
      });
  const auto smallest = std::min_element(items.begin(), items.end());
  check_same("ArgMin", std::vector<u32>{*smallest}, one.items());
  BOOST_TEST(to_host(index)[0] == smallest - items.begin());
  run("InclusiveSum", [&](void* memory, std::size_t& bytes, stream_type stream)
      { return reheat::DeviceScan::InclusiveSum(memory, bytes, in.begin(), out.begin(), size, stream); });
  check_same("InclusiveSum", inclusive_reference<u32, u32>(items, plus{}), out.items());
  run("ExclusiveScan of a future value",
      [&](void* memory, std::size_t& bytes, stream_type stream)
      {
        const ::cub::FutureValue<u32, appended_iterator<u32>> init(first.begin());
        return reheat::DeviceScan::ExclusiveScan(memory, bytes, in.begin(), out.begin(), plus{}, init, size, stream);
      });
  check_same("ExclusiveScan of a future value", exclusive_reference<u32, u32>(items, 4711u, plus{}), out.items());
  run("InclusiveScanByKey",
      [&](void* memory, std::size_t& bytes, stream_type stream)
      {
        return reheat::DeviceScan::InclusiveScanByKey(memory, bytes, in_keys.begin(), in.begin(), out.begin(), plus{}, size,
                                                      equal{}, stream);
      });
  check_same("InclusiveScanByKey", inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{}), out.items());
  run("ReduceByKey",
      [&](void* memory, std::size_t& bytes, stream_type stream)
      {
        return reheat::DeviceReduce::ReduceByKey(memory, bytes, in_keys.begin(), unique.begin(), in.begin(),
                                                 aggregates.begin(), one.begin(), plus{}, size, stream);
      });
  const auto runs = reduce_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
  const std::size_t found = runs.first.size();
  check_same("number of runs", std::vector<u32>{static_cast<u32>(found)}, one.items());
  std::vector<u32> sums = aggregates.items(), found_keys = unique.items();
  sums.resize(found);
  found_keys.resize(found);
  check_same("aggregates", runs.second, sums);
  check_same("unique keys", runs.first, found_keys);
  BOOST_TEST(host_dereferences == 0u);
}

BOOST_AUTO_TEST_CASE(every_output_is_written_once)
{
  for (const std::size_t size : {std::size_t(1), std::size_t(1000), several_blocks()})
  {
    const std::vector<u32> items = make_items<u32>(size), keys = make_keys(size, segments::of_few, 33);
    const thrust::device_vector<u32> in = to_device(items), in_keys = to_device(keys);
    const auto runs = reduce_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
    const auto check = [&](const std::string& what, const std::vector<u32>& expected, auto call)
    {
      for_each_seed(2,
                    [&]
                    {
                      watched_output<u32> out(expected.size());
                      two_phases(what, [&](void* memory, std::size_t& bytes, stream_type stream)
                                 { return call(out.begin(), memory, bytes, stream); });
                      out.check(what);
                      check_same(what, expected, out.items());
                    });
    };
    check("Sum", {reduce_reference<u32>(items, 0u, plus{})},
          [&](auto out, void* memory, std::size_t& bytes, stream_type stream)
          { return reheat::DeviceReduce::Sum(memory, bytes, raw(in), out, size, stream); });
    check("Reduce of nothing", {3},
          [&](auto out, void* memory, std::size_t& bytes, stream_type stream)
          { return reheat::DeviceReduce::Reduce(memory, bytes, raw(in), out, 0, plus{}, 3u, stream); });
    thrust::device_vector<u32> ignored(size);
    thrust::device_vector<i64> index(1);
    check("ArgMax, extremum", {*std::max_element(items.begin(), items.end())},
          [&](auto out, void* memory, std::size_t& bytes, stream_type stream)
          { return reheat::DeviceReduce::ArgMax(memory, bytes, raw(in), out, raw(index), static_cast<i64>(size), stream); });
    check("ArgMax, index", {static_cast<u32>(std::max_element(items.begin(), items.end()) - items.begin())},
          [&](auto out, void* memory, std::size_t& bytes, stream_type stream) {
            return reheat::DeviceReduce::ArgMax(memory, bytes, raw(in), raw(ignored), out, static_cast<i64>(size), stream);
          });
    check("InclusiveSum", inclusive_reference<u32, u32>(items, plus{}),
          [&](auto out, void* memory, std::size_t& bytes, stream_type stream)
          { return reheat::DeviceScan::InclusiveSum(memory, bytes, raw(in), out, size, stream); });
    check("ExclusiveSumByKey", exclusive_by_key_reference<u32>(keys, items, 0u, equal{}, plus{}),
          [&](auto out, void* memory, std::size_t& bytes, stream_type stream) {
            return reheat::DeviceScan::ExclusiveSumByKey(memory, bytes, raw(in_keys), raw(in), out, size, equal{}, stream);
          });
    watched_output<u32> unique(runs.first.size()), count(1);
    check("ReduceByKey, aggregates", runs.second,
          [&](auto out, void* memory, std::size_t& bytes, stream_type stream)
          {
            return reheat::DeviceReduce::ReduceByKey(memory, bytes, raw(in_keys), raw(ignored), raw(in), out, raw(index),
                                                     plus{}, size, stream);
          });
    two_phases("ReduceByKey",
               [&](void* memory, std::size_t& bytes, stream_type stream)
               {
                 return reheat::DeviceReduce::ReduceByKey(memory, bytes, raw(in_keys), unique.begin(), raw(in), raw(ignored),
                                                          count.begin(), plus{}, size, stream);
               });
    unique.check("ReduceByKey, unique keys");
    count.check("ReduceByKey, number of runs");
    check_same("ReduceByKey, number of runs", std::vector<u32>{static_cast<u32>(runs.first.size())}, count.items());
  }
}

// ---- initial values from memory -----------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_future_value_is_what_the_work_before_has_left)
{
  const std::size_t size = several_blocks();
  const std::vector<u32> items = make_items<u32>(size);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> total(1), out(size);
  stream own;
  const auto sum = [&](void* memory, std::size_t& bytes, stream_type stream)
  { return reheat::DeviceReduce::Sum(memory, bytes, raw(in), raw(total), size, stream); };
  const auto scan = [&](void* memory, std::size_t& bytes, stream_type stream)
  {
    return reheat::DeviceScan::ExclusiveScan(memory, bytes, raw(in), raw(out), plus{}, ::cub::FutureValue<u32>(raw(total)),
                                             size, stream);
  };
  temp_block for_sum(bytes_of_call("Sum", sum), 0, content::noise), for_scan(bytes_of_call("scan", scan), 0, content::noise);
  for (int round = 0; round < 3; ++round)
  {
    thrust::fill(total.begin(), total.end(), 77u);
    wait_for_all_streams();
    std::size_t sum_bytes = for_sum.bytes(), scan_bytes = for_scan.bytes();
    check_status("Sum", reheat::runtime::success, sum(for_sum.get(), sum_bytes, own.get()));
    check_status("ExclusiveScan", reheat::runtime::success, scan(for_scan.get(), scan_bytes, own.get()));
    own.synchronise();
    const u32 init = reduce_reference<u32>(items, 0u, plus{});
    check_same("ExclusiveScan", exclusive_reference<u32, u32>(items, init, plus{}), to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(a_future_value_may_have_any_type_and_iterator_and_is_not_read_for_nothing)
{
  const std::size_t size = several_blocks();
  const std::vector<u8> items(size, u8(255));
  const thrust::device_vector<u8> in = to_device(items);
  thrust::device_vector<double> first(1, 0.5);
  const std::vector<double> expected = exclusive_reference<double, double>(items, 0.5, plus{});
  check_gives("a double for items of u8", expected,
              [&](auto api, double* out, void* memory, std::size_t& bytes, stream_type stream)
              {
                const ::cub::FutureValue<double> init(raw(first));
                return api.scan.ExclusiveScan(memory, bytes, raw(in), out, plus{}, init, size, stream);
              });
  // CUB 3.0.1 dereferences the iterator on the host, unless it is a T*. So these calls are made of reheat alone.
  check_gives<beside::nothing>("a double in constant memory", expected,
                               [&](auto api, double* out, void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 const double* const place = raw(first);
                                 const ::cub::FutureValue<double, const double*> init(place);
                                 return api.scan.ExclusiveScan(memory, bytes, raw(in), out, plus{}, init, size, stream);
                               });
  check_gives<beside::nothing>("a counting iterator", exclusive_reference<i64, i64>(items, i64{41}, plus{}),
                               [&](auto api, i64* out, void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 const auto from = thrust::make_counting_iterator(i64{41});
                                 const ::cub::FutureValue<i64, thrust::counting_iterator<i64>> init(from);
                                 return api.scan.ExclusiveScan(memory, bytes, raw(in), out, plus{}, init, size, stream);
                               });
  check_gives<beside::nothing>("nothing", std::vector<double>{},
                               [&](auto api, double* out, void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 const ::cub::FutureValue<double, const double*> init(static_cast<const double*>(nullptr));
                                 return api.scan.ExclusiveScan(memory, bytes, raw(in), out, plus{}, init, 0, stream);
                               });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
