// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! accumulate_in: folds in a type of the caller's, in every algorithm that folds.

#include "../support/calls.hpp"
#include "../support/reference_fold.hpp"

#include <reheat/reheat.cuh>

#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <numeric>

using namespace compat;

BOOST_AUTO_TEST_SUITE(reduce)
BOOST_AUTO_TEST_SUITE(accumulators)

namespace
{

//! A tile, several tiles, and more than a grid has at a time. From some 300 items on, sums of bytes wrap, and from 2048 on
//! sums of ones in __half stop growing.
const std::vector<std::size_t> sizes = {1, 300, 7000};

struct twice
{
  template <class T>
  REHEAT_HOST_DEVICE float operator()(const T& item) const
  {
    return 2 * static_cast<float>(item);
  }
};

const auto in_float = reheat::par.with(reheat::accumulate_in<float>);
const auto in_int = reheat::par.with(reheat::accumulate_in<int>);

//! Of __half or __nv_bfloat16.
template <class T>
std::vector<T> halves(std::size_t size)
{
  std::vector<T> items;
  for (std::size_t i = 0; i < size; ++i)
  {
    items.push_back(static_cast<T>(static_cast<float>(mix(i) % 4))); // sums are exact in float
  }
  return items;
}

//! Reductions of them in float.
template <class T>
void check_sums_in_float()
{
  for (const std::size_t size : sizes)
  {
    const std::vector<T> items = halves<T>(size);
    const thrust::device_vector<T> in = to_device(items);
    float sum = 0, products = 0;
    for (const T& item : items)
    {
      sum += static_cast<float>(item);
      products += static_cast<float>(item) * static_cast<float>(item);
    }
    // The call returns a half, as Thrust's does.
    check_result_bitwise("reduce", size, static_cast<T>(sum), thrust::reduce(in_float, in.begin(), in.end()));
    check_result_bitwise("reduce by plus of halves", size, static_cast<T>(sum + 1),
                         thrust::reduce(in_float, in.begin(), in.end(), T(1.0f), thrust::plus<T>()));
    thrust::device_vector<float> out(1);
    reheat::reduce_into(in_float, in.begin(), in.end(), out.begin());
    check_result_bitwise("reduce_into", size, sum, to_host(out)[0]);
    check_result_bitwise("transform_reduce", size, static_cast<T>(2 * sum),
                         thrust::transform_reduce(in_float, in.begin(), in.end(), twice{}, T(0.0f), thrust::plus<T>()));
    check_result_bitwise("inner_product", size, static_cast<T>(products),
                         thrust::inner_product(in_float, in.begin(), in.end(), in.begin(), T(0.0f)));
  }
}

//! Scans of Ins in A into Outs, in either kind, wherever in memory the first item and the first result lie. Sums are exact
//! in A, and rounded when they are stored.
template <class A, class In, class Out, class... Options>
void check_scans_in(const std::string& what, Options... options)
{
  const auto in_a = reheat::par.with(reheat::accumulate_in<A>, options...);
  for (const std::size_t size : {std::size_t(1), std::size_t(300), 3 * scan_tile<In>() + 7})
  {
    std::vector<In> items;
    std::vector<Out> inclusive, exclusive;
    A sum = A(3);
    for (std::size_t i = 0; i < size; ++i)
    {
      items.push_back(static_cast<In>(static_cast<float>(mix(i) % 7)));
      exclusive.push_back(static_cast<Out>(sum));
      sum += static_cast<A>(items.back());
      inclusive.push_back(static_cast<Out>(sum - A(3)));
    }
    for_both_strategies<A>(size,
                           [&]
                           {
                             for (const unsigned behind : {0u, 1u, 3u})
                             {
                               for (const unsigned results_behind : {0u, behind})
                               {
                                 placed<In> in(items, behind);
                                 placed<Out> out(size, results_behind);
                                 thrust::inclusive_scan(in_a, in.begin(), in.end(), out.begin());
                                 check_same(what + ", inclusive_scan", inclusive, out.items());
                                 thrust::exclusive_scan(in_a, in.begin(), in.end(), out.begin(), In(3.0f));
                                 check_same(what + ", exclusive_scan", exclusive, out.items());
                                 if constexpr (std::is_same_v<In, Out>)
                                 {
                                   thrust::inclusive_scan(in_a, in.begin(), in.end(), in.begin());
                                   check_same(what + ", in place", inclusive, in.items());
                                 }
                               }
                             }
                           });
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(halves_are_summed_in_float)
{
  check_sums_in_float<__half>();
}
BOOST_AUTO_TEST_CASE(bfloat16s_are_summed_in_float)
{
  check_sums_in_float<__nv_bfloat16>();
}

BOOST_AUTO_TEST_CASE(halves_are_scanned_in_float)
{
  for (const std::size_t size : sizes)
  {
    const std::vector<__half> items = halves<__half>(size);
    const thrust::device_vector<__half> in = to_device(items);
    std::vector<float> inclusive, doubled, doubled_before;
    float sum = 0;
    for (const __half& item : items)
    {
      doubled_before.push_back(1 + 2 * sum);
      sum += static_cast<float>(item);
      inclusive.push_back(sum);
      doubled.push_back(2 * sum);
    }
    thrust::device_vector<float> out(size);
    for_both_strategies<float>(size,
                               [&]
                               {
                                 for_each_seed(5,
                                               [&]
                                               {
                                                 thrust::fill(out.begin(), out.end(), 0.0f);
                                                 thrust::inclusive_scan(in_float, in.begin(), in.end(), out.begin());
                                                 check_same("inclusive_scan", inclusive, to_host(out));
                                               });
                               });
    thrust::transform_inclusive_scan(in_float, in.begin(), in.end(), out.begin(), twice{}, thrust::plus<float>());
    check_same("transform_inclusive_scan", doubled, to_host(out));
    thrust::transform_exclusive_scan(in_float, in.begin(), in.end(), out.begin(), twice{}, __half(1.0f),
                                     thrust::plus<__half>());
    check_same("transform_exclusive_scan", doubled_before, to_host(out));
    // In place, at any address: of narrow results one of two tiles is stored while the next one is loaded.
    for_both_strategies<float>(
        size,
        [&]
        {
          for (const std::size_t behind : {0, 1, 3})
          {
            thrust::device_vector<__half> narrow(size + behind, __half(5));
            thrust::copy(in.begin(), in.end(), narrow.begin() + static_cast<std::ptrdiff_t>(behind));
            const auto first = narrow.begin() + static_cast<std::ptrdiff_t>(behind);
            thrust::exclusive_scan(in_float, first, narrow.end(), first, __half(0), thrust::plus<__half>());
            const std::vector<__half> stored = to_host(narrow);
            for (std::size_t i = 0; i < size; ++i)
            {
              const float before = i == 0 ? 0 : inclusive[i - 1];
              BOOST_REQUIRE(static_cast<float>(stored[behind + i]) == static_cast<float>(static_cast<__half>(before)));
            }
          }
        });
  }
}

BOOST_AUTO_TEST_CASE(scans_store_results_of_any_size)
{
  check_scans_in<float, __half, __half>("f16 in f32");
  check_scans_in<float, __half, float>("f16 in f32 to f32");
  check_scans_in<float, __nv_bfloat16, __nv_bfloat16>("bf16 in f32");
  check_scans_in<float, __nv_bfloat16, float>("bf16 in f32 to f32");
  check_scans_in<double, float, float>("f32 in f64");
  check_scans_in<double, float, double>("f32 in f64 to f64");
  check_scans_in<double, float, __half>("f32 in f64 to f16"); // results narrower than items
  check_scans_in<int, std::int8_t, std::int8_t>("i8 in i32");
  check_scans_in<int, std::int8_t, int>("i8 in i32 to i32");
  check_scans_in<int, std::int8_t, std::uint8_t>("i8 in i32 to u8");
  check_scans_in<std::int64_t, int, int>("i32 in i64");
  check_scans_in<std::int64_t, int, std::int64_t>("i32 in i64 to i64");
  check_scans_in<std::int64_t, std::int16_t, std::int64_t>("i16 in i64 to i64");
  check_scans_in<std::int64_t, std::int8_t, std::int64_t>("i8 in i64 to i64");                    // load warps convert
  check_scans_in<double, std::int8_t, float>("i8 in f64 to f32, gpu_to_gpu", reheat::gpu_to_gpu); // 14 bytes of a thread
}

BOOST_AUTO_TEST_CASE(bytes_are_folded_in_int_by_key_and_by_segment)
{
  for (const std::size_t size : sizes)
  {
    std::vector<std::int8_t> items;
    std::vector<int> keys, scanned, scanned_before, offsets = {0};
    std::vector<int> sums;
    for (std::size_t i = 0; i < size; ++i)
    {
      items.push_back(static_cast<std::int8_t>(mix(i) % 128));
      const int key = static_cast<int>(i / 1000);
      const bool starts = keys.empty() || keys.back() != key;
      scanned_before.push_back(5 + (starts ? 0 : scanned.back()));
      scanned.push_back(items.back() + (starts ? 0 : scanned.back()));
      starts ? sums.push_back(items.back()) : void(sums.back() += items.back());
      keys.push_back(key);
    }
    for (std::size_t end = 1000; end < size + 1000; end += 1000)
    {
      offsets.push_back(static_cast<int>(std::min(end, size)));
    }
    const thrust::device_vector<std::int8_t> in = to_device(items);
    const thrust::device_vector<int> in_keys = to_device(keys), ends = to_device(offsets);
    thrust::device_vector<int> out(size), keys_out(sums.size()), sums_out(sums.size());
    thrust::inclusive_scan_by_key(in_int, in_keys.begin(), in_keys.end(), in.begin(), out.begin());
    check_same("inclusive_scan_by_key", scanned, to_host(out));
    thrust::exclusive_scan_by_key(in_int, in_keys.begin(), in_keys.end(), in.begin(), out.begin(), std::int8_t(5));
    check_same("exclusive_scan_by_key", scanned_before, to_host(out));
    thrust::reduce_by_key(in_int, in_keys.begin(), in_keys.end(), in.begin(), keys_out.begin(), sums_out.begin());
    check_same("reduce_by_key", sums, to_host(sums_out));
    thrust::fill(sums_out.begin(), sums_out.end(), 0);
    reheat::segmented_reduce(in_int, in.begin(), ends.begin(), ends.end(), sums_out.begin());
    check_same("segmented_reduce", sums, to_host(sums_out));
    thrust::fill(out.begin(), out.end(), 0);
    reheat::segmented_inclusive_scan(in_int, in.begin(), ends.begin(), ends.end(), out.begin());
    check_same("segmented_inclusive_scan", scanned, to_host(out));
    reheat::segmented_exclusive_scan(in_int, in.begin(), ends.begin(), ends.end(), out.begin(), std::int8_t(5));
    check_same("segmented_exclusive_scan", scanned_before, to_host(out));
    BOOST_TEST((thrust::reduce(in_int, in.begin(), in.end(), std::int8_t(0), thrust::maximum<std::int8_t>()) ==
                *std::max_element(items.begin(), items.end())));
  }
}

BOOST_AUTO_TEST_CASE(options_combine)
{
  const std::vector<float> items = {0x1p60f, 1, -0x1p60f, 0x1p-30f};
  const thrust::device_vector<float> in = to_device(items);
  const auto exactly = reheat::par.with(reheat::accumulate_in<double>, reheat::exact_sums);
  BOOST_TEST(thrust::reduce(exactly.with(reheat::gpu_to_gpu), in.begin(), in.end(), 0.0) == 1 + 0x1p-30);
  BOOST_TEST(thrust::reduce(exactly, in.begin(), in.end()) == 1.0f);
  const std::vector<std::int8_t> bytes(1000, 100);
  const thrust::device_vector<std::int8_t> more = to_device(bytes);
  thrust::device_vector<int> sum(1);
  reheat::reduce_into(in_int.with(reheat::gpu_to_gpu, reheat::start_early), more.begin(), more.end(), sum.begin());
  BOOST_TEST(to_host(sum)[0] == 100000);

  // Scans are those of items that have the accumulators' type, wherever in memory the first item lies.
  std::vector<float> floats;
  for (std::size_t i = 0; i < 3 * scan_tile<float>() + 5; ++i)
  {
    floats.push_back(static_cast<float>(static_cast<__half>(static_cast<float>(mix(i) % 1000) * 0.37f - 120)));
  }
  std::vector<__half> narrow(floats.begin(), floats.end());
  narrow.insert(narrow.begin(), static_cast<__half>(0.0f));
  const thrust::device_vector<__half> halves = to_device(narrow);
  thrust::device_vector<float> scanned(floats.size());
  for (const bool streams : {false, true})
  {
    const force_scans all(streams ? streaming_scans() : forced_scan());
    thrust::inclusive_scan(reheat::par.with(reheat::accumulate_in<float>, reheat::gpu_to_gpu), halves.begin() + 1,
                           halves.end(), scanned.begin());
    check_bitwise("halves in float", scan_in_association_v1<float>(floats, kernel_arch(), {}, true, std::plus<float>()),
                  to_host(scanned));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
