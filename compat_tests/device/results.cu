// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What device-wide calls compute: of any size, in the order of operands, from any initial value.
//! On a GPU the calls of all entry points are made of CUB, too, so that what these tests expect is known to be what CUB
//! gives.

#include "../support/device_calls.hpp"
#include "../support/user_code.hpp"

#include <thrust/iterator/counting_iterator.h>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(results)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using reheat::stream_type;

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
      // CUB's reductions do not keep the order of operands, and its newer extrema store nothing for no items. Without
      // segments it does not say how much memory it needs.
      const bool reorders = each.name == "DeviceReduce::Reduce" || each.name == "DeviceReduce::TransformReduce" ||
                            each.name == "DeviceSegmentedReduce::Reduce";
      const bool is_extremum = each.name == "DeviceReduce::ArgMin" || each.name == "DeviceReduce::ArgMax";
      if (!reorders && !(size == 0 && (is_extremum || each.is_of_segments())))
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

// ---- any number of items -------------------------------------------------------------------------------------------------

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
