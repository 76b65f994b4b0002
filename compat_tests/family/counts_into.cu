// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat::count_into and count_if_into: the counts, the kinds of outputs, and the policies.

#include "../support/calls.hpp"
#include "../support/host_calls.hpp"
#include "../support/memory.hpp"
#include "../support/tiles.hpp"

#include <thrust/count.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <stdexcept>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(counts_into)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 no_count = 77777;

struct is_odd
{
  template <class T>
  REHEAT_HOST_DEVICE bool operator()(const T& x) const
  {
    return x % 2 == 1;
  }
};
struct sum_is_even
{
  REHEAT_HOST_DEVICE bool operator()(const thrust::tuple<u32, u8>& x)
  {
    return (thrust::get<0>(x) + thrust::get<1>(x)) % 2 == 0;
  }
};
struct squared
{
  REHEAT_HOST_DEVICE double operator()(u64 x) const { return static_cast<double>(x) * static_cast<double>(x); }
};

//! None, around what one block holds, and many tiles of Ts.
template <class T>
std::vector<std::size_t> some_sizes()
{
  const std::size_t run = reheat::detail::mapped_vector_items_v<T>;
  const std::size_t tile = run_tile<u64, reheat::detail::add_hits, T>();
  const std::size_t alone = run_alone<u64, reheat::detail::add_hits, T>();
  return {0, 1, run + 1, tile - 1, tile + 1, alone, alone + 1, 60 * tile - 1};
}

u64 odd_ones(const std::vector<u32>& items)
{
  return static_cast<u64>(std::count_if(items.begin(), items.end(), is_odd{}));
}

template <class T>
void check_counts()
{
  for (const std::size_t size : some_sizes<T>())
  {
    std::vector<T> items = make_items<T>(size);
    for (std::size_t i = 3; i < size; i += 1000)
    {
      items[i] = T(7);
    }
    const thrust::device_vector<T> in = to_device(items);
    const auto sevens = static_cast<u64>(std::count(items.begin(), items.end(), T(7)));
    const auto odd = static_cast<u64>(std::count_if(items.begin(), items.end(), is_odd{}));
    for_each_seed(
        3,
        [&]
        {
          thrust::device_vector<u64> counts(4, no_count);
          reheat::count_into(reheat::par_nosync, in.begin(), in.end(), 7, counts.begin());
          reheat::count_if_into(reheat::par_nosync, raw(in), raw(in) + size, is_odd{}, raw(counts) + 1);
          reheat::count_if_into(reheat::par, in.begin(), in.end(), is_odd{}, counts.begin() + 2);
          check_same(std::to_string(size) + " items", std::vector<u64>{sevens, odd, odd, no_count}, to_host(counts));
        });
  }
}

//! Counts on a policy, and what that costs the host, the second time.
template <class Policy>
void check_policy(const std::string& what, std::uint64_t waits, Policy policy)
{
  for (const std::size_t size : {std::size_t{0}, std::size_t{40}, 20 * run_tile<u64, reheat::detail::add_hits, u32>() + 5})
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u64> count(1, no_count);
    const auto call = [&] { reheat::count_if_into(policy, raw(in), raw(in) + size, is_odd{}, raw(count)); };
    call();
    host_calls expected;
    expected.launches = 1;
    expected.waits = waits;
    const host_calls actual = calls_of(call);
    BOOST_TEST(actual == expected, what << ", " << size << " items: " << actual << "; expected " << expected);
    wait_for_all_streams();
    check_same(what, std::vector<u64>{odd_ones(items)}, to_host(count));
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(counts_are_those_of_the_reference)
{
  check_counts<u8>();
  check_counts<u32>();
}

BOOST_AUTO_TEST_CASE(each_call_is_one_launch_and_waits_as_the_policy_says)
{
  stream own;
  ledger book;
  ledger_allocator<char> allocator(book);
  check_policy("par", 1, reheat::par);
  check_policy("par_nosync", 0, reheat::par_nosync);
  check_policy("par.on(stream)", 1, reheat::par.on(own.get()));
  check_policy("par_nosync.on(stream)", 0, reheat::par_nosync.on(own.get()));
  check_policy("par_nosync(allocator).on(stream)", 0, reheat::par_nosync(allocator).on(own.get()));
  BOOST_TEST(book.allocations == 0u);
}

BOOST_AUTO_TEST_CASE(the_count_goes_to_any_output_and_is_converted_to_its_type)
{
  const std::vector<u32> items = make_items<u32>(5000);
  const thrust::device_vector<u32> in = to_device(items);
  const u64 odd = odd_ones(items);
  thrust::device_vector<u8> narrow(1, u8{0xee});
  thrust::device_vector<int> with_sign(1, -1);
  thrust::device_vector<double> real(2, -1.0);
  reheat::count_if_into(reheat::par, in.begin(), in.end(), is_odd{}, narrow.begin());
  reheat::count_if_into(reheat::par, in.begin(), in.end(), is_odd{}, with_sign.begin());
  reheat::count_if_into(reheat::par, in.begin(), in.end(), is_odd{}, real.begin());
  reheat::count_if_into(reheat::par, in.begin(), in.end(), is_odd{},
                        thrust::make_transform_output_iterator(real.begin() + 1, squared{}));
  reheat::count_if_into(reheat::par, in.begin(), in.end(), is_odd{}, thrust::make_discard_iterator());
  check_same("narrow", std::vector<u8>{static_cast<u8>(odd)}, to_host(narrow));
  check_same("with a sign", std::vector<int>{static_cast<int>(odd)}, to_host(with_sign));
  check_same("real", std::vector<double>{static_cast<double>(odd), squared{}(odd)}, to_host(real));
}

BOOST_AUTO_TEST_CASE(each_item_is_read_once_and_the_count_written_once)
{
  for (const std::size_t size : some_sizes<u32>())
  {
    const std::vector<u32> items = make_items<u32>(size);
    for_each_seed(3,
                  [&]
                  {
                    watched_input<u32> in(items);
                    watched_output<u64> count(1);
                    reheat::count_if_into(reheat::par, in.begin(), in.end(), is_odd{}, count.begin());
                    in.check(1, "count_if_into");
                    count.check("count_if_into");
                    check_same("count_if_into", std::vector<u64>{odd_ones(items)}, count.items());
                  });
  }
}

BOOST_AUTO_TEST_CASE(zipped_ranges_are_counted_as_tuples)
{
  const std::size_t size = 5000;
  const std::vector<u32> left = make_items<u32>(size);
  const std::vector<u8> right = make_items<u8>(size);
  const thrust::device_vector<u32> in = to_device(left);
  const thrust::device_vector<u8> other = to_device(right);
  u64 even = 0;
  for (std::size_t i = 0; i < size; ++i)
  {
    even += (left[i] + right[i]) % 2 == 0 ? 1 : 0;
  }
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(in.begin(), other.begin()));
  thrust::device_vector<u64> count(1, no_count);
  reheat::count_if_into(reheat::par, first, first + size, sum_is_even{}, count.begin());
  check_same("count_if_into", std::vector<u64>{even}, to_host(count));
}

BOOST_AUTO_TEST_CASE(a_range_that_ends_before_it_begins_is_described)
{
  const thrust::device_vector<u32> in(3, 1u);
  thrust::device_vector<u64> count(1, no_count);
  const auto says = [](const std::string& name)
  {
    return [name](const std::runtime_error& error)
    { return std::string(error.what()).find(name + ": the range ends 3 items before it begins") != std::string::npos; };
  };
  BOOST_CHECK_EXCEPTION(reheat::count_into(reheat::par, in.end(), in.begin(), 1u, count.begin()), std::runtime_error,
                        says("reheat::count_into"));
  BOOST_CHECK_EXCEPTION(reheat::count_if_into(reheat::par_nosync, in.end(), in.begin(), is_odd{}, count.begin()),
                        std::runtime_error, says("reheat::count_if_into"));
  wait_for_all_streams();
  check_same("count", std::vector<u64>{no_count}, to_host(count));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
