// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat::DeviceReduce, DeviceScan and DeviceSelect::Unique with any iterators. They are dereferenced on the device alone,
//! and each output is written once.

#include "../support/device_calls.hpp"
#include "../support/runs.hpp"
#include "../support/user_code.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <algorithm>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(iterators)

namespace
{

using u32 = std::uint32_t;
using i64 = std::int64_t;
using reheat::stream_type;

struct by_32
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return x / 32; }
};

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
  run("Unique",
      [&](void* memory, std::size_t& bytes, stream_type stream)
      {
        return reheat::DeviceSelect::Unique(memory, bytes, in_keys.begin(), unique.begin(), one.begin(),
                                            static_cast<i64>(size), stream);
      });
  found_keys = unique.items();
  found_keys.resize(found);
  check_same("Unique", runs.first, found_keys);
  check_same("Unique, number of runs", std::vector<u32>{static_cast<u32>(found)}, one.items());
  run("UniqueByKey",
      [&](void* memory, std::size_t& bytes, stream_type stream)
      {
        return reheat::DeviceSelect::UniqueByKey(memory, bytes, in_keys.begin(), in.begin(), unique.begin(),
                                                 aggregates.begin(), one.begin(), size, stream);
      });
  std::vector<u32> beside = aggregates.items();
  beside.resize(found);
  check_same("UniqueByKey", unique_reference(keys, items, equal{}), beside);
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
    check("Unique", runs.first,
          [&](auto out, void* memory, std::size_t& bytes, stream_type stream) {
            return reheat::DeviceSelect::Unique(memory, bytes, raw(in_keys), out, raw(index), static_cast<i64>(size),
                                                stream);
          });
    check("UniqueByKey, keys", runs.first,
          [&](auto out, void* memory, std::size_t& bytes, stream_type stream)
          {
            return reheat::DeviceSelect::UniqueByKey(memory, bytes, raw(in_keys), raw(in), out, raw(ignored), raw(index),
                                                     size, stream);
          });
    check("UniqueByKey, values", unique_reference(keys, items, equal{}),
          [&](auto out, void* memory, std::size_t& bytes, stream_type stream)
          {
            return reheat::DeviceSelect::UniqueByKey(memory, bytes, raw(in_keys), raw(in), raw(ignored), out, raw(index),
                                                     size, stream);
          });
    check("Unique, number of runs", {static_cast<u32>(runs.first.size())},
          [&](auto out, void* memory, std::size_t& bytes, stream_type stream) {
            return reheat::DeviceSelect::Unique(memory, bytes, raw(in_keys), raw(ignored), out, static_cast<i64>(size),
                                                stream);
          });
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
