// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions: every item takes part once and in order, whatever the schedule; and the same bits come out every time.

#include "../support/calls.hpp"
#include "../support/epoch.hpp"
#include "../support/reference_fold.hpp"

#include <thrust/complex.h>

#include <cuda/std/complex>

#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <functional>
#include <thread>

using namespace compat;

BOOST_AUTO_TEST_SUITE(reduce)
BOOST_AUTO_TEST_SUITE(order)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

//! Floats whose sums round.
template <class Real>
std::vector<Real> make_reals(std::size_t count)
{
  std::vector<Real> items(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    items[i] = static_cast<Real>(static_cast<double>(mix(i) >> 11) * 0x1p-53 - 0.3);
  }
  return items;
}

//! The documented order of operands, bit for bit: for a sum known to be commutative and for one that is not.
template <class Real>
void check_documented_order(std::size_t size, unsigned seeds)
{
  const std::vector<Real> items = make_reals<Real>(size);
  const thrust::device_vector<Real> in = to_device(items);
  const Real init = static_cast<Real>(0.1);
  const Real commutative = reduce_in_documented_order<Real>(items, init, std::plus<Real>());
  const Real ordered = reduce_in_documented_order<Real>(items, init, plus{});
  for_each_seed(seeds,
                [&]
                {
                  check_result_bitwise("reduce, commutative", size, commutative,
                                       thrust::reduce(reheat::par, in.begin(), in.end(), init));
                  check_result_bitwise("reduce, any operator", size, ordered,
                                       thrust::reduce(reheat::par, in.begin(), in.end(), init, plus{}));
                });
}

//! Of numbers that are not arithmetic types, whose sums are known to be commutative all the same.
template <class Number>
void check_order_of_sums(unsigned seeds)
{
  const std::size_t tile = reduce_shape<Number, Number, std::plus<Number>>().tile_items();
  for (const std::size_t size : {std::size_t(1), std::size_t(77), tile, 13 * tile + 5})
  {
    const std::vector<Number> items = make_reals<Number>(size);
    const thrust::device_vector<Number> aligned = to_device(items);
    thrust::device_vector<Number> shifted(size + 1);
    thrust::copy(items.begin(), items.end(), shifted.begin() + 1);
    const Number init = static_cast<Number>(0.1);
    const Number expected = reduce_in_documented_order<Number>(items, init, std::plus<Number>());
    for_each_seed(seeds,
                  [&]
                  {
                    check_result_bitwise("reduce, aligned", size, expected,
                                         thrust::reduce(reheat::par, aligned.begin(), aligned.end(), init));
                    check_result_bitwise("reduce, misaligned", size, expected,
                                         thrust::reduce(reheat::par, shifted.begin() + 1, shifted.end(), init));
                  });
  }
}

template <class Real>
std::size_t commutative_tile()
{
  return reduce_shape<Real, Real, std::plus<Real>>().tile_items();
}

//! Of sums of Reals.
template <class Real>
std::size_t max_items_of_one_block()
{
  const reheat::detail::reduce_config shape = reduce_shape<Real, Real, std::plus<Real>>();
  return std::size_t{shape.single_block_threads} * shape.items_per_thread;
}

//! Within the bound of a sum of log2(n) levels.
template <class Real>
void check_error(const char* what, const std::vector<Real>& items)
{
  long double exact = 0, magnitude = 0;
  for (const Real item : items)
  {
    exact += item;
    magnitude += std::fabs(static_cast<long double>(item));
  }
  const thrust::device_vector<Real> in = to_device(items);
  for (const Real actual : {thrust::reduce(reheat::par, in.begin(), in.end()),
                            thrust::reduce(reheat::par, in.begin(), in.end(), Real(0), plus{})})
  {
    const long double error = std::fabs(actual - exact), bound = sum_bound<Real>(items.size(), magnitude);
    BOOST_CHECK_MESSAGE(error <= bound, what << " of " << type_name<Real>() << ", " << items.size() << " items: expected "
                                             << exact << ", actual " << describe(actual) << ", error " << error << ", bound "
                                             << bound);
  }
}

template <class T, class Policy>
void reduce_once(const Policy& policy, std::size_t size, std::size_t first)
{
  const std::vector<T> items = make_items<T>(size, first);
  const thrust::device_vector<T> in = to_device(items);
  const T init = values<T>::make(first + 77);
  check_result("reduce", size, reduce_reference<T>(items, init, fold{}),
               thrust::reduce(policy, in.begin(), in.end(), init, fold{}));
}

//! Rounds of reductions on one policy; what went wrong, if anything.
template <class Policy>
std::string reduce_repeatedly(const Policy& policy, std::size_t thread)
{
  std::string failure;
  for (std::size_t round = 0; round < 30; ++round)
  {
    const std::size_t size = 1 + mix(round * 5 + thread) % (20 * commutative_tile<u32>());
    const std::vector<u32> items = make_items<u32>(size, thread * 1000 + round);
    const thrust::device_vector<u32> in = to_device(items);
    if (thrust::reduce(policy, in.begin(), in.end()) != reduce_reference<u32>(items, 0u, plus{}))
    {
      failure = "round " + std::to_string(round) + ", " + std::to_string(size) + " items: wrong result";
    }
  }
  return failure;
}

//! The first launch of the next count must not take what the first of this one has left behind for its own.
template <class T>
void check_wrap()
{
  reheat::trim_workspaces(); // a new workspace begins with launch 1
  stream own;
  const auto policy = reheat::par.on(own.get());
  reduce_once<T>(policy, 20 * reduce_tile<T>(), 0);
  set_launch_count(own.get(), reheat::detail::last_epoch - 2);
  reduce_once<u32>(policy, 2 * reduce_tile<u32>(), 1);
  reduce_once<u32>(policy, 2 * reduce_tile<u32>(), 2); // the last of the count
  reduce_once<T>(policy, 20 * reduce_tile<T>(), 3);    // the first of the next
}

} // namespace

// ---- order and completeness ---------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(intervals_meet_at_every_boundary)
{
  for (const std::size_t size : boundary_sizes(reduce_tile<interval>()))
  {
    check_reduce<interval>(size, many_seeds, placement::aligned);
  }
}

BOOST_AUTO_TEST_CASE(intervals_meet_when_blocks_have_several_tiles)
{
  const std::size_t tile = reduce_tile<interval>(), grid = reduce_grid<interval>();
  for (const std::size_t size : {grid - 1, grid, grid + 1, grid + tile + 1, 5 * grid - 7, 30 * grid + 3 * tile + 11})
  {
    check_reduce<interval>(size, size < 6 * grid ? many_seeds : 10, placement::aligned);
  }
}

BOOST_AUTO_TEST_CASE(intervals_meet_through_iterators)
{
  for (const std::size_t size : boundary_sizes(reduce_tile<interval>()))
  {
    const interval init{0, 1}, expected{0, static_cast<std::int64_t>(size) + 1};
    for_each_seed(many_seeds,
                  [&]
                  {
                    const auto in = generated<interval>(1);
                    const interval actual =
                        thrust::reduce(reheat::par, in, in + static_cast<std::ptrdiff_t>(size), init, fold{});
                    check_result("reduce", size, expected, actual);
                  });
  }
}

BOOST_AUTO_TEST_CASE(affine_maps_compose_in_order)
{
  using T = affine<u32>;
  for (const std::size_t size : boundary_sizes(reduce_tile<T>()))
  {
    check_reduce<T>(size, many_seeds, placement::aligned);
    check_reduce<T>(size, 10, placement::misaligned);
  }
  check_reduce<T>(3 * reduce_grid<T>() + 5, many_seeds, placement::aligned);
}

BOOST_AUTO_TEST_CASE(matrices_multiply_in_order)
{
  for (const std::size_t size : few_sizes(reduce_tile<matrix>()))
  {
    check_reduce<matrix>(size, 20, placement::aligned);
  }
}

BOOST_AUTO_TEST_CASE(the_last_item_wins)
{
  for (const std::size_t size : few_sizes(reduce_tile<u32>()))
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    for_each_seed(
        20,
        [&] { check_result("reduce", size, items.back(), thrust::reduce(reheat::par, in.begin(), in.end(), 0u, last{})); });
  }
}

BOOST_AUTO_TEST_CASE(commutative_sums_are_complete_whatever_the_schedule)
{
  const std::size_t tile = commutative_tile<u32>();
  std::vector<std::size_t> sizes = boundary_sizes(tile);
  const std::size_t grid = tile * reduce_shape<u32, u32, std::plus<u32>>().max_blocks;
  const std::size_t alone = max_items_of_one_block<u32>();
  sizes.insert(sizes.end(), {alone - 1, alone, alone + 1, grid - 1, grid + 1, 5 * grid + tile + 3});
  for (const std::size_t size : sizes)
  {
    const std::vector<u32> items = make_items<u32>(size);
    const u32 expected = reduce_reference<u32>(items, 0u, plus{});
    placed<u32> aligned(items, placement::aligned), misaligned(items, placement::misaligned);
    for_each_seed(many_seeds,
                  [&]
                  {
                    check_result("reduce, aligned", size, expected,
                                 thrust::reduce(reheat::par, aligned.begin(), aligned.end()));
                    check_result("reduce, misaligned", size, expected,
                                 thrust::reduce(reheat::par, misaligned.begin(), misaligned.end()));
                  });
  }
}

// ---- the same bits ------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(f32_sums_follow_the_documented_order)
{
  const std::size_t tile = commutative_tile<float>(), alone = max_items_of_one_block<float>();
  std::vector<std::size_t> sizes = boundary_sizes(tile);
  sizes.insert(sizes.end(), {tile / 3, alone - tile / 5, alone - 1, alone, alone + 1});
  for (const std::size_t size : sizes)
  {
    if (size != 0)
    {
      check_documented_order<float>(size, many_seeds);
    }
  }
  const std::size_t grid = tile * reduce_shape<float, float, std::plus<float>>().max_blocks;
  check_documented_order<float>(grid + 1, many_seeds);
  check_documented_order<float>((emulated ? 100 : 3) * grid + 5 * tile + 13,
                                10); // a pairwise_accumulator with three levels, on the emulator
}

BOOST_AUTO_TEST_CASE(f64_sums_follow_the_documented_order)
{
  const std::size_t tile = commutative_tile<double>();
  for (const std::size_t size : few_sizes(tile))
  {
    check_documented_order<double>(size, many_seeds);
  }
  check_documented_order<double>(tile * reduce_shape<double, double, std::plus<double>>().max_blocks * 10 + 1, 10);
}

BOOST_AUTO_TEST_CASE(sums_of_half_bfloat16_and_complex_follow_the_documented_order)
{
  check_order_of_sums<__half>(10);
  check_order_of_sums<__nv_bfloat16>(10);
  check_order_of_sums<thrust::complex<float>>(10);
  check_order_of_sums<::cuda::std::complex<double>>(10);
}

BOOST_AUTO_TEST_CASE(alignment_does_not_change_a_bit)
{
  const std::size_t size = 13 * commutative_tile<float>() + 77;
  const std::vector<float> items = make_reals<float>(size);
  placed<float> aligned(items, placement::aligned), misaligned(items, placement::misaligned);
  const float expected = thrust::reduce(reheat::par, aligned.begin(), aligned.end());
  for_each_seed(20,
                [&]
                {
                  check_result_bitwise("reduce, misaligned", size, expected,
                                       thrust::reduce(reheat::par, misaligned.begin(), misaligned.end()));
                });
}

BOOST_AUTO_TEST_CASE(sums_are_within_the_error_bound)
{
  const std::size_t size = emulated ? 300000 : 30000000;
  check_error("reduce of random items", make_reals<float>(size));
  check_error("reduce of random items", make_reals<double>(size));
  check_error("reduce of a constant", std::vector<float>(size, 1.23f));
}

// ---- sequences of calls -------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(calls_of_many_types_and_sizes_share_a_workspace)
{
  for_each_seed(10,
                [&]
                {
                  stream own;
                  const auto policy = reheat::par.on(own.get());
                  for (std::size_t round = 0; round < 12; ++round)
                  {
                    const auto size = [&](std::size_t tile) { return 1 + (mix(round) >> 8) % (14 * tile); };
                    reduce_once<u32>(policy, size(reduce_tile<u32>()), round);
                    reduce_once<u64>(policy, size(reduce_tile<u64>()), round);
                    reduce_once<u8>(policy, size(reduce_tile<u8>()), round);
                    reduce_once<words<3>>(policy, size(reduce_tile<words<3>>()), round);
                    reduce_once<words<8>>(policy, size(reduce_tile<words<8>>()), round);
                    reduce_once<words<9>>(policy, size(reduce_tile<words<9>>()), round);
                  }
                });
}

BOOST_AUTO_TEST_CASE(scans_and_reductions_share_a_workspace)
{
  for_each_seed(10,
                [&]
                {
                  stream own;
                  const auto policy = reheat::par.on(own.get());
                  for (std::size_t round = 0; round < 20; ++round)
                  {
                    const std::size_t size = 1 + mix(round) % (9 * reduce_tile<u32>());
                    reduce_once<u32>(policy, size, round);
                    const std::vector<u32> items = make_items<u32>(size, round);
                    thrust::device_vector<u32> data = to_device(items);
                    thrust::inclusive_scan(policy, data.begin(), data.end(), data.begin(), plus{});
                    check_same("inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), to_host(data));
                  }
                });
}

BOOST_AUTO_TEST_CASE(the_count_of_launches_may_wrap)
{
  for_each_seed(10,
                []
                {
                  check_wrap<u64>();
                  check_wrap<words<9>>();
                });
}

BOOST_AUTO_TEST_CASE(two_host_threads_share_a_stream)
{
  stream shared;
  const auto policy = reheat::par.on(shared.get());
  std::string theirs;
  std::thread other([&] { theirs = reduce_repeatedly(policy, 1); });
  const std::string ours = reduce_repeatedly(policy, 0);
  other.join();
  BOOST_TEST(ours == "");
  BOOST_TEST(theirs == "");
}

BOOST_AUTO_TEST_CASE(two_host_threads_use_streams_of_their_own)
{
  stream first, second;
  std::string theirs;
  std::thread other([&] { theirs = reduce_repeatedly(reheat::par.on(second.get()), 1); });
  const std::string ours = reduce_repeatedly(reheat::par.on(first.get()), 0);
  other.join();
  BOOST_TEST(ours == "");
  BOOST_TEST(theirs == "");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
