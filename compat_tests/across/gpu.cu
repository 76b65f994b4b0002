// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Ranks on GPUs: streams of one device, a device for each rank, and parts of 2^32 items. Not part of the emulated build.

#include "../support/compare.hpp"
#include "../support/ranks.hpp"
#include "../support/reference.hpp"

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/tabulate.h>

#include <cstdint>

using namespace compat;

BOOST_AUTO_TEST_SUITE(across)
BOOST_AUTO_TEST_SUITE(gpu)

namespace
{

using u32 = std::uint32_t;
using u64 = std::uint64_t;

int device_count()
{
  int count = 0;
  require(cudaGetDeviceCount(&count), "count devices");
  return count;
}

struct is_odd
{
  REHEAT_HOST_DEVICE bool operator()(u64 x) const { return x % 2 == 1; }
};

//! Several calls in a row on each rank, under policies that do not wait, in streams of the device `device_of(rank)`.
template <class DeviceOf>
void check_calls(int count, std::size_t items_per_rank, unsigned rounds, DeviceOf device_of)
{
  const std::size_t items = static_cast<std::size_t>(count) * items_per_rank;
  reheat::thread_group group(count);
  const auto failures = failures_of_threads(
      count,
      [&](int rank)
      {
        require(cudaSetDevice(device_of(rank)), "set the device");
        reheat::thread_ranks ranks(group, rank);
        stream where;
        const auto nosync = reheat::par_nosync.across(ranks).on(where.get());
        const std::size_t begin = static_cast<std::size_t>(rank) * items_per_rank;
        const auto own = to_device(make_items<interval>(items_per_rank, begin));
        thrust::device_vector<interval> scanned(items_per_rank), all(rounds);
        for (unsigned round = 0; round < rounds; ++round)
        {
          const interval init{-1 - static_cast<std::int64_t>(round), 0};
          reheat::reduce_into(nosync, raw(own), raw(own) + items_per_rank, raw(all) + round, init, fold{});
          thrust::exclusive_scan(nosync, raw(own), raw(own) + items_per_rank, raw(scanned), init, fold{});
        }
        const u64 odd = static_cast<u64>(thrust::count_if(nosync, thrust::counting_iterator<u64>(begin),
                                                          thrust::counting_iterator<u64>(begin + items_per_rank), is_odd{}));
        const auto least = reheat::min_element_across(nosync, thrust::counting_iterator<u64>(begin),
                                                      thrust::counting_iterator<u64>(begin + items_per_rank));
        where.synchronise();
        ranks.check();
        const auto host = to_host(all);
        const auto last = to_host(scanned, items_per_rank - 1, 1)[0];
        bool right = odd == items / 2 && least && least->rank == 0 && least->global_index == 0 &&
                     last.begin == -static_cast<std::int64_t>(rounds) &&
                     last.end == static_cast<std::int64_t>(begin + items_per_rank) - 1;
        for (unsigned round = 0; round < rounds; ++round)
        {
          right = right && host[round].begin == -1 - static_cast<std::int64_t>(round) &&
                  host[round].end == static_cast<std::int64_t>(items);
        }
        if (!right)
        {
          throw std::runtime_error("a result is wrong on rank " + std::to_string(rank));
        }
      });
  check_none_failed(failures);
}

} // namespace

BOOST_AUTO_TEST_CASE(streams_of_one_gpu)
{
  for (const int count : {2, 4})
  {
    for (const std::size_t items : {std::size_t{2}, std::size_t{5000}, std::size_t{1} << 21})
    {
      check_calls(count, items, items > 10000 ? 20 : 200, [](int) { return 0; });
    }
  }
}
BOOST_AUTO_TEST_CASE(a_gpu_for_each_rank)
{
  const int devices = device_count();
  BOOST_TEST_MESSAGE(devices << " devices");
  check_calls(devices, 5000, 200, [](int rank) { return rank; });
  check_calls(devices, std::size_t{1} << 22, 20, [](int rank) { return rank; });
  check_calls(2 * devices, 70000, 50, [&](int rank) { return rank % devices; });
}

BOOST_AUTO_TEST_CASE(a_capture_is_refused_before_anything_is_enqueued)
{
  check_on_ranks(2, reheat::gather_order::in_stream,
                 [](reheat::ranks& ranks)
                 {
                   stream where;
                   const thrust::device_vector<u32> items(10, 1);
                   thrust::device_vector<u32> out(1);
                   require(cudaStreamBeginCapture(where.get(), cudaStreamCaptureModeThreadLocal), "begin a capture");
                   std::string text;
                   try
                   {
                     reheat::reduce_into(reheat::par_nosync.across(ranks).on(where.get()), raw(items), raw(items) + 10,
                                         raw(out));
                   }
                   catch (const std::exception& thrown)
                   {
                     text = thrown.what();
                   }
                   cudaGraph_t graph = nullptr;
                   require(cudaStreamEndCapture(where.get(), &graph), "end a capture");
                   require(cudaGraphDestroy(graph), "destroy a graph");
                   if (text.find("can not be captured into a graph") == std::string::npos)
                   {
                     throw std::runtime_error("the capture was not refused: " + text);
                   }
                 });
}

BOOST_AUTO_TEST_SUITE_END() // gpu
BOOST_AUTO_TEST_SUITE(gpu_large)

namespace
{

using u32 = std::uint32_t;
using u64 = std::uint64_t;

//! Items that tell their place, of few bits.
struct item_at
{
  REHEAT_HOST_DEVICE u32 operator()(u64 index) const { return static_cast<u32>(mix(index) & 0xffff) + 1; }
};
struct real_at
{
  REHEAT_HOST_DEVICE float operator()(u64 index) const
  {
    return static_cast<float>(static_cast<double>(mix(index) >> 11) * 0x1p-53 - 0.4);
  }
};

struct is_odd
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 2 == 1; }
};
//! Ascending keys. Each key stands `divisor` times.
struct million_and_three
{
  static constexpr u64 divisor = 1000003;
  REHEAT_HOST_DEVICE u32 operator()(u64 index) const { return static_cast<u32>(index / divisor); }
};

constexpr std::size_t huge = std::size_t{1} << 32;
const cut huge_parts{{huge / 4 - 5, huge / 4 + 77, 1, huge / 2 - 73}};

//! `call(policy, begin, end)` in four streams of one device.
template <class Call>
void in_huge_parts(Call call)
{
  on_ranks(huge_parts.ranks(), reheat::gather_order::in_stream,
           [&](reheat::ranks& ranks)
           {
             stream where;
             call(reheat::par.across(ranks).on(where.get()), huge_parts.begin(ranks.rank()), huge_parts.end(ranks.rank()));
             where.synchronise();
           });
}

} // namespace

BOOST_AUTO_TEST_CASE(parts_of_2_to_the_32_numbers)
{
  thrust::device_vector<u32> items(huge), whole(huge), in_parts(huge);
  thrust::tabulate(items.begin(), items.end(), item_at{});
  u32 *const from = raw(items), *const to = raw(in_parts);
  const u64 sum = thrust::reduce(reheat::par, from, from + huge, u64{7});
  const auto place = thrust::max_element(reheat::par, from, from + huge) - from;
  const auto smallest = thrust::min_element(reheat::par, from, from + huge) - from;
  const auto odd = static_cast<std::int64_t>(thrust::count_if(reheat::par, from, from + huge, is_odd{}));
  thrust::inclusive_scan(reheat::par, from, from + huge, raw(whole));
  in_huge_parts(
      [&](const auto& policy, std::size_t begin, std::size_t end)
      {
        const u64 found = thrust::reduce(policy, from + begin, from + end, u64{7});
        const auto most = reheat::max_element_across(policy, from + begin, from + end);
        const auto both = reheat::minmax_element_across(policy, from + begin, from + end);
        const auto odd_ones = static_cast<std::int64_t>(thrust::count_if(policy, from + begin, from + end, is_odd{}));
        thrust::inclusive_scan(policy, from + begin, from + end, to + begin);
        if (found != sum || odd_ones != odd || !most || most->global_index != static_cast<u64>(place) || !both ||
            both->min.global_index != static_cast<u64>(smallest) || both->max.value != most->value)
        {
          throw std::runtime_error("a sum, a count or the place of an extremum is wrong");
        }
      });
  BOOST_TEST(thrust::equal(thrust::device, whole.begin(), whole.end(), in_parts.begin()));
  thrust::exclusive_scan(reheat::par, from, from + huge, raw(whole), 11u);
  in_huge_parts([&](const auto& policy, std::size_t begin, std::size_t end)
                { thrust::exclusive_scan(policy, from + begin, from + end, to + begin, 11u); });
  BOOST_TEST(thrust::equal(thrust::device, whole.begin(), whole.end(), in_parts.begin()));
}
BOOST_AUTO_TEST_CASE(runs_of_2_to_the_32_numbers)
{
  const std::size_t runs = huge / million_and_three::divisor + 1;
  thrust::device_vector<u32> items(huge), sums(runs), keys(runs), part_sums(runs + 4), part_keys(runs + 4);
  thrust::tabulate(items.begin(), items.end(), item_at{});
  const u32* const from = raw(items);
  const auto keys_from = [](std::size_t begin)
  { return thrust::make_transform_iterator(thrust::counting_iterator<u64>(begin), million_and_three{}); };
  const auto ends = thrust::reduce_by_key(reheat::par, keys_from(0), keys_from(huge), from, raw(keys), raw(sums));
  BOOST_TEST((ends.second - raw(sums) == static_cast<std::ptrdiff_t>(runs)));
  std::mutex mutex;
  u64 found_runs = 0;
  in_huge_parts(
      [&](const auto& policy, std::size_t begin, std::size_t end)
      {
        const std::size_t room = (end - begin) / million_and_three::divisor + 2;
        thrust::device_vector<u32> own_keys(room), own_sums(room);
        const auto found = reheat::reduce_by_key_across(policy, keys_from(begin), keys_from(end), from + begin,
                                                        raw(own_keys), raw(own_sums));
        const auto count = found.values_end - raw(own_sums);
        thrust::copy_n(thrust::device, own_keys.begin(), count,
                       part_keys.begin() + static_cast<std::ptrdiff_t>(found.global_index));
        thrust::copy_n(thrust::device, own_sums.begin(), count,
                       part_sums.begin() + static_cast<std::ptrdiff_t>(found.global_index));
        const std::lock_guard<std::mutex> lock(mutex);
        found_runs += found.total == runs ? static_cast<u64>(count) : 0;
      });
  BOOST_TEST(found_runs == runs);
  BOOST_TEST(thrust::equal(thrust::device, sums.begin(), sums.end(), part_sums.begin()));
  BOOST_TEST(thrust::equal(thrust::device, keys.begin(), keys.end(), part_keys.begin()));
}
BOOST_AUTO_TEST_CASE(parts_of_2_to_the_32_reals)
{
  thrust::device_vector<float> items(huge);
  thrust::tabulate(items.begin(), items.end(), real_at{});
  const float* const from = raw(items);
  const float exact = thrust::reduce(reheat::par.with(reheat::exact_sums), from, from + huge, 0.5f);
  std::vector<float> exactly(4), rounded(4);
  std::mutex mutex;
  std::size_t ranks = 0;
  in_huge_parts(
      [&](const auto& policy, std::size_t begin, std::size_t end)
      {
        const float one = thrust::reduce(policy.with(reheat::exact_sums), from + begin, from + end, 0.5f);
        const float other = thrust::reduce(policy, from + begin, from + end, 0.5f);
        const std::lock_guard<std::mutex> lock(mutex);
        exactly[ranks] = one;
        rounded[ranks++] = other;
      });
  check_bitwise("exact sum", std::vector<float>(4, exact), exactly);
  check_bitwise("sum on every rank", std::vector<float>(4, rounded[0]), rounded);
  const long double magnitude = 0.6L * huge; // of each item at most
  BOOST_TEST(std::abs(static_cast<long double>(rounded[0]) - exact) <= sum_bound<float>(huge, magnitude));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
