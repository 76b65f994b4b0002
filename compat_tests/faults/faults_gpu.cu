// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Small calls for compute-sanitizer, with no protocol fault or with one switched on. Scans and reductions use every loader.
//! Further calls work by key or in segments, transform their items, find extrema, stop early, or use the caller's memory.
//!
//! reheat_faults_gpu [fault | ladder | sorts | others | ranks]: exit 0 if all results are right, 1 if one is wrong, 2 for
//! bad usage, 3 after a CUDA error.

#include "ladder_gpu.hpp"
#include "memory_gpu.hpp"
#include "others_gpu.hpp"
#include "ranks_gpu.hpp"
#include "sorts_gpu.hpp"

#include "../support/faults.hpp"
#include "../support/offsets.hpp"
#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/segments.hpp"
#include "../support/strategies.hpp"

#include <reheat/device.cuh>
#include <reheat/reheat.cuh>

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <numeric>
#include <stdexcept>

using namespace compat;
using namespace faults_gpu;

namespace
{

//! Parts of the program that are run alone.
constexpr struct
{
  const char* name;
  bool (*is_right)();
} parts[] = {
    {"ladder", ladder_is_right}, {"sorts", sorts_are_right}, {"others", others_are_right}, {"ranks", ranks_are_right}};

//! Passes an item through a functor: what is not a pointer is loaded item by item.
struct unchanged
{
  template <class T>
  __host__ __device__ T operator()(const T& x) const
  {
    return x;
  }
};

//! One loader: whatever `first` leads to.
template <class T, class It>
void run_loader(const char* type, const char* loader, It first, const std::vector<T>& items, std::size_t skipped)
{
  const std::size_t count = items.size();
  const T init = values<T>::make(0);
  for (const forced_scan& how : {streaming_scans(), one_tile_scans(64, 2)})
  {
    const force_scans all(how);
    const exact_memory<T> out(items, skipped); // assigned to, so it holds objects already
    thrust::inclusive_scan(reheat::par, first, first + count, out.begin(), fold{});
    report("inclusive_scan", type, loader, count, same(inclusive_reference<T, T>(items, fold{}), out.items()));
    thrust::exclusive_scan(reheat::par, first, first + count, out.begin(), init, fold{});
    report("exclusive_scan", type, loader, count, same(exclusive_reference<T, T>(items, init, fold{}), out.items()));
  }
  const T sum = thrust::reduce(reheat::par, first, first + count, init, fold{});
  report("reduce", type, loader, count, values<T>::same(reduce_reference<T>(items, init, fold{}), sum));
  if constexpr (std::is_arithmetic<T>::value)
  {
    const T total = thrust::reduce(reheat::par, first, first + count);
    report("commutative reduce", type, loader, count, values<T>::same(reduce_reference<T>(items, T(0), fold{}), total));
  }
}

template <class T>
void run_type(const char* type, std::initializer_list<std::size_t> counts)
{
  for (const std::size_t count : counts)
  {
    const std::vector<T> items = make_items<T>(count, 1);
    const exact_memory<T> aligned(items, 0), misaligned(items, 1);
    run_loader<T>(type, "aligned", aligned.begin(), items, 0);
    run_loader<T>(type, "misaligned", misaligned.begin(), items, 1);
    run_loader<T>(type, "iterator", thrust::make_transform_iterator(aligned.begin(), unchanged{}), items, 0);
  }
}

//! Algorithms by key, of one type: keys of u32, values whose operator does not commute.
void run_by_key(std::size_t count, std::size_t skipped)
{
  const char* const where = skipped == 0 ? "aligned" : "misaligned";
  using value = affine<std::uint32_t>;
  const std::vector<std::uint32_t> keys = make_keys(count, segments::of_hundreds, reduce_by_key_tile<value>());
  const std::vector<value> items = make_items<value>(count, 1);
  const auto segment = reduce_by_key_reference<value, value>(keys, items, equal{}, fold{});
  const value init = values<value>::make(0);
  const exact_memory<std::uint32_t> in_keys(keys, skipped);
  const exact_memory<value> in(items, skipped);
  for (const forced_scan& how : {streaming_scans(), one_tile_scans(64, 2)})
  {
    const force_scans all(how);
    const exact_memory<std::uint32_t> keys_out(segment.first.size(), skipped);
    const exact_memory<value> out(count, skipped), values_out(segment.second.size(), skipped);
    thrust::inclusive_scan_by_key(reheat::par, in_keys.begin(), in_keys.end(), in.begin(), out.begin(), equal{}, fold{});
    report("inclusive_scan_by_key", "pairs", where, count,
           same(inclusive_by_key_reference<value, value>(keys, items, equal{}, fold{}), out.items()));
    thrust::exclusive_scan_by_key(reheat::par, in_keys.begin(), in_keys.end(), in.begin(), out.begin(), init, equal{},
                                  fold{});
    report("exclusive_scan_by_key", "pairs", where, count,
           same(exclusive_by_key_reference<value>(keys, items, init, equal{}, fold{}), out.items()));
    const auto ends = thrust::reduce_by_key(reheat::par, in_keys.begin(), in_keys.end(), in.begin(), keys_out.begin(),
                                            values_out.begin(), equal{}, fold{});
    report("reduce_by_key", "pairs", where, count,
           ends.first == keys_out.end() && ends.second == values_out.end() && same(segment.first, keys_out.items()) &&
               same(segment.second, values_out.items()));
  }
}

//! Segments between offsets.
template <class T>
void run_segments(const char* type, std::size_t segments, std::size_t skipped)
{
  const T init = values<T>::make(0);
  for (const lengths kind : all_lengths)
  {
    const std::vector<std::uint32_t> offsets = make_offsets(kind, segments, segmented_tile<T>() / 4, 1);
    const std::vector<T> items = make_items<T>(offsets.back());
    const exact_memory<T> in(items, skipped), out(std::vector<T>(segments, init), skipped); // out holds objects already
    const exact_memory<std::uint32_t> at(offsets, skipped);
    reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), init, fold{});
    report("segmented_reduce", type, name_of(kind), segments,
           same(segmented_reference<T>(items, offsets, init, fold{}), out.items()));
  }
}

struct is_zero
{
  __host__ __device__ bool operator()(std::uint32_t x) const { return x == 0; }
};
struct is_no_zero
{
  __host__ __device__ bool operator()(std::uint32_t x) const { return x != 0; }
};
struct is_odd
{
  __host__ __device__ bool operator()(std::uint32_t x) const { return x % 2 == 1; }
};
struct twice
{
  __host__ __device__ std::uint32_t operator()(std::uint32_t x) const { return 2 * x; }
};

//! What folds or scans what a functor makes of items.
void run_terms(std::size_t count, std::size_t skipped)
{
  using u32 = std::uint32_t;
  const char* const where = skipped == 0 ? "aligned" : "misaligned";
  const std::vector<u32> items = make_items<u32>(count, 1);
  std::vector<u32> doubled;
  std::transform(items.begin(), items.end(), std::back_inserter(doubled), twice{});
  const exact_memory<u32> in(items, skipped);
  report("transform_reduce", "u32", where, count,
         thrust::transform_reduce(reheat::par, in.begin(), in.end(), twice{}, 3u, plus{}) ==
             reduce_reference<u32>(doubled, 3u, plus{}));
  report("commutative transform_reduce", "u32", where, count,
         thrust::transform_reduce(reheat::par, in.begin(), in.end(), twice{}, 3u, thrust::plus<u32>()) ==
             reduce_reference<u32>(doubled, 3u, plus{}));
  report("inner_product", "u32", where, count,
         thrust::inner_product(reheat::par, in.begin(), in.end(), in.begin(), 4u) ==
             std::inner_product(items.begin(), items.end(), items.begin(), 4u));
  report("count_if", "u32", where, count,
         thrust::count_if(reheat::par, in.begin(), in.end(), is_odd{}) ==
             std::count_if(items.begin(), items.end(), is_odd{}));
  for (const forced_scan& how : {streaming_scans(), one_tile_scans(64, 2)})
  {
    const force_scans all(how);
    const exact_memory<u32> out(count, skipped);
    thrust::transform_inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), twice{}, plus{});
    report("transform_inclusive_scan", "u32", where, count,
           same(inclusive_reference<u32, u32>(doubled, plus{}), out.items()));
  }
}

//! Both extrema, each of which comes several times, and searches that find something in the last part or nothing.
void run_places(std::size_t count)
{
  std::vector<std::uint32_t> items = make_items<std::uint32_t>(count, 1);
  for (std::uint32_t& item : items)
  {
    item = 1 + item % 5;
  }
  for (const std::uint32_t last : {1u, 0u})
  {
    items.back() = last;
    for (const std::size_t skipped : {0u, 1u})
    {
      const char* const where = skipped == 0 ? "aligned" : "misaligned";
      const exact_memory<std::uint32_t> in(items, skipped);
      const auto both = thrust::minmax_element(reheat::par, in.begin(), in.end());
      report("minmax_element", "u32", where, count,
             both.first - in.begin() == std::min_element(items.begin(), items.end()) - items.begin() &&
                 both.second - in.begin() == std::max_element(items.begin(), items.end()) - items.begin());
      const std::uint32_t* const smallest = thrust::min_element(reheat::par, in.begin(), in.end());
      report("min_element", "u32", where, count,
             smallest - in.begin() == std::min_element(items.begin(), items.end()) - items.begin());
      const bool found = thrust::any_of(reheat::par, in.begin(), in.end(), is_zero{});
      report("any_of", "u32", where, count, found == (last == 0));
      const bool all = thrust::all_of(reheat::par, in.begin(), in.end(), is_no_zero{});
      report("all_of", "u32", where, count, all == (last != 0));
    }
  }
}

template <class T>
void run_device_wide(const char* type, std::size_t count)
{
  const std::vector<T> items = make_items<T>(count, 1);
  const T init = values<T>::make(0);
  const std::vector<T> one(1, init);
  const exact_memory<T> in(items, 0), out(items, 1), sum(one, 0); // assigned to, so they hold objects already
  run_in_given_memory([&](void* memory, std::size_t& bytes)
                      { return reheat::DeviceReduce::Reduce(memory, bytes, in.begin(), sum.begin(), count, fold{}, init); });
  report("Reduce", type, "given memory", count, same({reduce_reference<T>(items, init, fold{})}, sum.items()));
  for (const forced_scan& how : {streaming_scans(), one_tile_scans(64, 2)})
  {
    const force_scans all(how);
    run_in_given_memory(
        [&](void* memory, std::size_t& bytes)
        { return reheat::DeviceScan::InclusiveScan(memory, bytes, in.begin(), out.begin(), fold{}, count); });
    report("InclusiveScan", type, "given memory", count, same(inclusive_reference<T, T>(items, fold{}), out.items()));
  }
}

} // namespace

int main(int argc, char* argv[])
{
  const auto* const part = std::find_if(std::begin(parts), std::end(parts),
                                        [&](const auto& each) { return argc == 2 && std::strcmp(argv[1], each.name) == 0; });
  const named_fault* const named = argc == 2 ? find_fault(argv[1]) : nullptr;
  if (argc > 2 || (argc == 2 && named == nullptr && part == std::end(parts)))
  {
    std::fprintf(stderr, "usage: reheat_faults_gpu [fault | ladder | sorts | others | ranks]; no fault is called '%s'\n",
                 argv[1]);
    return 2;
  }
  const reheat::simt::fault wanted = named == nullptr ? reheat::simt::fault::none : named->value;
  try
  {
    if (part != std::end(parts))
    {
      return part->is_right() ? 0 : 1;
    }
    require(cudaMemcpyToSymbol(reheat::simt::active_fault, &wanted, sizeof wanted), "switch the fault on");
    run_type<std::uint32_t>("u32", {1, 1000, 50021});
    run_type<std::uint8_t>("u8", {70001});
    run_type<words<64>>("256-byte structs", {501});
    run_type<tracked<false>>("objects", {3001});
    run_by_key(9001, 0);
    run_by_key(9001, 1);
    run_terms(9001, 0);
    run_terms(9001, 1);
    run_segments<std::uint32_t>("u32", 5000, 0);
    run_segments<affine<std::uint32_t>>("pairs", 3000, 1);
    run_segments<words<64>>("256-byte structs", 100, 0);
    run_places(300007); // two parts of a search
    run_device_wide<std::uint32_t>("u32", 50021);
    run_device_wide<tracked<false>>("objects", 3001);
  }
  catch (const std::exception& error)
  {
    std::printf("error: %s\n", error.what());
    return 3;
  }
  return all_right ? 0 : 1;
}
