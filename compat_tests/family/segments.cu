// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reduce_by_key; for every algorithm of the family: all forms of policy, and those of other libraries; and calls from
//! device code.

#include "../support/calls.hpp"
#include "../support/family_calls.hpp"
#include "../support/memory.hpp"
#include "../support/segments.hpp"

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/remove.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <algorithm>
#include <numeric>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct twice
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return 2 * x; }
};
struct same_parity
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) { return x % 2 == y % 2; }
};
struct follows
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return y == x + 1; }
};
struct is_odd
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 2 == 1; }
};

//! What lies behind the results must stay as it was.
inline constexpr u32 untouched = 0xabcdef01u;

template <class T, class Key = u32>
void check_reduce_by_key(std::size_t size, segments lengths, placement where)
{
  const std::vector<Key> keys = make_keys<Key>(size, lengths, reduce_by_key_tile<T, Key>());
  const std::vector<T> items = make_items<T>(size, 1);
  const auto expected = reduce_by_key_reference<T, T>(keys, items, equal{}, fold{});
  const std::size_t count = expected.first.size();
  placed<Key> in_keys(keys, where);
  placed<T> in(items, where);
  for_each_seed(5,
                [&]
                {
                  placed<Key> keys_out(count, where);
                  placed<T> out(count, where); // no more room than there are segments
                  const auto ends = thrust::reduce_by_key(reheat::par, in_keys.begin(), in_keys.end(), in.begin(),
                                                          keys_out.begin(), out.begin(), equal{}, fold{});
                  BOOST_TEST((ends.first == keys_out.end()));
                  BOOST_TEST((ends.second == out.end()));
                  check_same("keys of reduce_by_key", expected.first, keys_out.items());
                  check_same("values of reduce_by_key", expected.second, out.items());
                });
}
template <class T>
void check_type()
{
  for (const std::size_t size : few_sizes(reduce_by_key_tile<T>()))
  {
    check_reduce_by_key<T>(size, segments::of_few, placement::aligned);
    check_reduce_by_key<T>(size, segments::of_hundreds, placement::misaligned);
  }
}

template <class T, class Key>
void check_streamed()
{
  for_each_streamed(reduce_by_key_tile<T, Key>(),
                    [](std::size_t size, segments lengths)
                    {
                      check_reduce_by_key<T, Key>(size, lengths, placement::aligned);
                      check_reduce_by_key<T, Key>(size, lengths, placement::misaligned);
                    });
}

// ---- policies -----------------------------------------------------------------------------------------------------------

family_memory make_family_memory()
{
  const std::size_t size = 6 * scan_by_key_tile<u32>() + 5; // a question looks at one part of it
  std::vector<u32> items = make_items<u32>(size);
  items[100] = 0;
  family_memory memory(size);
  memory.set(items);
  return memory;
}

//! One call of every algorithm through one policy. On the emulator each launched our kernels on `where`, and waited
//! as often as it should. (On the GPU the dispatch proof says so.)
template <class Policy>
void check_family_on([[maybe_unused]] reheat::stream_type where, [[maybe_unused]] bool waits, const std::string& what,
                     const Policy& policy)
{
  family_memory memory = make_family_memory();
  for (const family_call& each : family_calls(policy, memory))
  {
    memory.forget();
#if defined(REHEAT_EMULATED)
    where->clear();
#endif
    const accelerated::numbers returned = each.call();
#if defined(REHEAT_EMULATED)
    const std::size_t launches = where->launch_count(), waited = where->synchronisation_count();
    const unsigned wanted = each.facts->output == accelerated::output::partition ? 2 : 1; // with a copy back
    BOOST_TEST((launches == wanted || (each.facts->sorts() && launches > 1)),
               what << ", " << each.name << ": " << launches << " launches on its stream");
    // Results that are polled for come without a wait.
    const std::size_t expected = each.what() == gives::nothing ? waits : each.what() == gives::ends;
    BOOST_TEST(waited == expected, what << ", " << each.name << ": waited " << waited << " times");
#endif
    each.check_result_of(what, returned);
    memory.check_output(what + ", " + each.name, each.expected_keys, each.expected_values);
  }
}

// ---- device code --------------------------------------------------------------------------------------------------------

REHEAT_KERNEL(32) call_from_device_code(const u32* in, const u32* keys, int count, u32* out, u32* results)
{
  const u32* const end = in + count;
  results[0] = thrust::transform_reduce(reheat::par, in, end, twice{}, 1u, plus{});
  results[1] = thrust::inner_product(reheat::par, in, end, in, 1u);
  results[2] = thrust::inner_product(reheat::par, in, end, in, 1u, plus{}, plus{});
  results[3] = static_cast<u32>(thrust::count(reheat::par, keys, keys + count, 5u));
  results[4] = static_cast<u32>(thrust::count_if(reheat::par_nosync, in, end, is_odd{}));
  results[5] = static_cast<u32>(thrust::min_element(reheat::par, in, end) - in);
  results[6] = static_cast<u32>(thrust::max_element(reheat::par, in, end) - in);
  results[7] = static_cast<u32>(thrust::minmax_element(reheat::par, in, end).first - in);
  results[8] = thrust::all_of(reheat::par, in, end, is_odd{}) ? 1 : 0;
  results[9] = thrust::any_of(reheat::par, in, end, is_odd{}) ? 1 : 0;
  results[10] = thrust::none_of(reheat::par, in, end, is_odd{}) ? 1 : 0;
  thrust::transform_inclusive_scan(reheat::par, in, end, out, twice{}, plus{});
  thrust::transform_inclusive_scan(reheat::par, in, end, out + count, twice{}, 2u, plus{});
  thrust::transform_exclusive_scan(reheat::par, in, end, out + 2 * count, twice{}, 2u, plus{});
  thrust::inclusive_scan_by_key(reheat::par, keys, keys + count, in, out + 3 * count);
  thrust::exclusive_scan_by_key(reheat::par_nosync, keys, keys + count, in, out + 4 * count);
  results[11] =
      static_cast<u32>(thrust::reduce_by_key(reheat::par, keys, keys + count, in, out + 5 * count, out + 6 * count).first -
                       (out + 5 * count));
  results[12] = static_cast<u32>(thrust::copy_if(reheat::par, in, end, out + 7 * count, is_odd{}) - (out + 7 * count));
  results[13] = static_cast<u32>(thrust::copy_if(reheat::par, in, end, keys, out + 8 * count, is_odd{}) - (out + 8 * count));
  u32* const odd = out + 7 * count;
  u32* const place = thrust::remove_copy_if(reheat::par, in, end, out + 9 * count, is_odd{});
  results[14] = static_cast<u32>(place - (out + 9 * count));
  results[15] =
      static_cast<u32>(thrust::remove_copy_if(reheat::par, in, end, keys, out + 10 * count, is_odd{}) - (out + 10 * count));
  results[16] = static_cast<u32>(thrust::remove_copy(reheat::par, in, end, out + 11 * count, in[7]) - (out + 11 * count));
  results[17] = static_cast<u32>(thrust::remove_if(reheat::par, odd, odd + results[12], is_odd{}) - odd);
  results[18] =
      static_cast<u32>(thrust::remove(reheat::par, out + 9 * count, place, *(out + 9 * count)) - (out + 9 * count));
}

} // namespace

BOOST_AUTO_TEST_SUITE(reduce_by_key)

BOOST_AUTO_TEST_CASE(every_form_gives_the_reference_and_upstreams_result)
{
  for (const segments lengths : all_segments)
  {
    for (const std::size_t size : boundary_sizes(reduce_by_key_tile<u32>()))
    {
      const std::vector<u32> keys = make_keys(size, lengths, reduce_by_key_tile<u32>());
      const std::vector<u32> items = make_items<u32>(size);
      const thrust::device_vector<u32> k = to_device(keys), v = to_device(items);
      thrust::device_vector<u32> keys_out(size + 1, untouched), out(size + 1, untouched);
      const auto check =
          [&](const std::string& what, const std::pair<std::vector<u32>, std::vector<u32>>& expected, auto ends)
      {
        const std::size_t count = expected.first.size();
        BOOST_TEST((ends.first - keys_out.begin() == static_cast<std::ptrdiff_t>(count)), what);
        BOOST_TEST((ends.second - out.begin() == static_cast<std::ptrdiff_t>(count)), what);
        const std::vector<u32> rest(size + 1 - count, untouched);
        check_same(what + ", keys", expected.first, to_host(keys_out, 0, count));
        check_same(what + ", values", expected.second, to_host(out, 0, count));
        check_same(what + ", behind the keys", rest, to_host(keys_out, count, rest.size()));
        check_same(what + ", behind the values", rest, to_host(out, count, rest.size()));
        thrust::fill(keys_out.begin(), keys_out.end(), untouched);
        thrust::fill(out.begin(), out.end(), untouched);
      };
      const auto expected = reduce_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
      for_each_seed(3,
                    [&]
                    {
                      check(
                          "of 6 arguments", expected,
                          thrust::reduce_by_key(reheat::par, k.begin(), k.end(), v.begin(), keys_out.begin(), out.begin()));
                      check("of 7 arguments", reduce_by_key_reference<u32, u32>(keys, items, same_parity{}, plus{}),
                            thrust::reduce_by_key(reheat::par, k.begin(), k.end(), v.begin(), keys_out.begin(), out.begin(),
                                                  same_parity{}));
                      check("of 8 arguments", expected,
                            thrust::reduce_by_key(reheat::par, k.begin(), k.end(), v.begin(), keys_out.begin(), out.begin(),
                                                  equal{}, unconstant_plus{}));
                    });
      check("upstream", expected,
            thrust::reduce_by_key(upstream, k.begin(), k.end(), v.begin(), keys_out.begin(), out.begin()));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_segments_key_is_that_of_its_first_item)
{
  const std::size_t size = 5000;
  std::vector<u32> keys;
  for (std::size_t i = 0; i < size; ++i)
  {
    keys.push_back(static_cast<u32>(i + mix(i / 50) % 3)); // ascending by one, but for some places
  }
  const std::vector<u32> items = make_items<u32>(size);
  const auto expected = reduce_by_key_reference<u32, u32>(keys, items, follows{}, plus{});
  const thrust::device_vector<u32> k = to_device(keys), v = to_device(items);
  thrust::device_vector<u32> keys_out(expected.first.size()), out(expected.first.size());
  thrust::reduce_by_key(reheat::par, k.begin(), k.end(), v.begin(), keys_out.begin(), out.begin(), follows{}, plus{});
  check_same("keys", expected.first, to_host(keys_out));
  check_same("values", expected.second, to_host(out));
}

BOOST_AUTO_TEST_CASE(operands_keep_their_order_in_segments_of_any_length)
{
  for (const segments lengths : all_segments)
  {
    for (const std::size_t size : {reduce_by_key_tile<text>() - 1, 7 * reduce_by_key_tile<text>() + 5})
    {
      check_reduce_by_key<text>(size, lengths, placement::aligned);
    }
  }
}

BOOST_AUTO_TEST_CASE(streamed_keys_and_values_of_all_sizes)
{
  check_streamed<u32, u32>();
  check_streamed<u8, u64>();
  check_streamed<u64, u8>();
  check_streamed<words<3>, u32>();
  check_streamed<u32, words<3>>();
  check_streamed<u64, words<6>>();
  check_streamed<double, float>();
}

BOOST_AUTO_TEST_CASE(doubles)
{
  check_type<double>();
}
BOOST_AUTO_TEST_CASE(structs_of_256_bytes)
{
  check_type<words<64>>();
}
BOOST_AUTO_TEST_CASE(objects)
{
  check_type<tracked<false>>();
}

BOOST_AUTO_TEST_CASE(values_accumulate_in_their_own_type_whatever_the_output)
{
  const std::size_t size = 900;
  const std::vector<u32> keys = make_keys(size, segments::of_hundreds, reduce_by_key_tile<u8>());
  const std::vector<u8> items = make_items<u8>(size);
  const thrust::device_vector<u32> k = to_device(keys);
  const thrust::device_vector<u8> v = to_device(items);
  const auto expected = reduce_by_key_reference<u8, u32>(keys, items, equal{}, plus{});
  thrust::device_vector<u32> keys_out(expected.first.size()), out(expected.first.size());
  thrust::reduce_by_key(reheat::par, k.begin(), k.end(), v.begin(), keys_out.begin(), out.begin());
  check_same("bytes wrap", expected.second, to_host(out));
}

BOOST_AUTO_TEST_CASE(outputs_are_written_once_and_may_transform_or_discard)
{
  for (const std::size_t size : few_sizes(reduce_by_key_tile<u32>()))
  {
    const std::vector<u32> keys = make_keys(size, segments::of_few, reduce_by_key_tile<u32>());
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> k = to_device(keys);
    auto expected = reduce_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
    const std::size_t count = expected.first.size();
    for_each_seed(3,
                  [&]
                  {
                    watched_input<u32> in(items);
                    watched_output<u32> keys_out(count), out(count);
                    thrust::reduce_by_key(reheat::par, k.begin(), k.end(), in.begin(), keys_out.begin(), out.begin());
                    in.check(1, "reduce_by_key");
                    keys_out.check("keys of reduce_by_key");
                    out.check("values of reduce_by_key");
                    check_same("keys", expected.first, keys_out.items());
                    check_same("values", expected.second, out.items());
                  });
    const thrust::device_vector<u32> v = to_device(items);
    thrust::device_vector<u32> out(count);
    const auto zipped = thrust::make_zip_iterator(thrust::make_tuple(k.begin(), k.begin()));
    const auto ends = thrust::reduce_by_key(reheat::par, zipped, zipped + static_cast<std::ptrdiff_t>(size), v.begin(),
                                            thrust::make_discard_iterator(),
                                            thrust::make_transform_output_iterator(out.begin(), twice{}), equal{}, plus{});
    BOOST_TEST((ends.first - thrust::make_discard_iterator() == static_cast<std::ptrdiff_t>(count)));
    for (u32& x : expected.second)
    {
      x *= 2;
    }
    check_same("twice the values", expected.second, to_host(out));
    // Nothing is known of the output's type: sums are taken in the input's.
    const auto discarded =
        thrust::reduce_by_key(reheat::par, k.begin(), k.end(), v.begin(), out.begin(), thrust::make_discard_iterator());
    BOOST_TEST((discarded.first == out.end()));
    check_same("the keys alone", expected.first, to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(empty_ranges_write_nothing_and_negative_ones_are_runtime_errors)
{
  const thrust::device_vector<u32> in(10, 1u);
  thrust::device_vector<u32> keys_out(10, 5u), out(10, 5u);
  const auto at = in.begin() + 4, before = in.begin() + 1;
  const auto keys_to = keys_out.begin(), to = out.begin();
  const auto check = [&](const char* what, auto call)
  {
    BOOST_TEST((call(at) == thrust::make_pair(keys_to, to)), what << ", no items");
    BOOST_CHECK_THROW(call(before), std::runtime_error);
  };
  check("of 6", [&](auto last) { return thrust::reduce_by_key(reheat::par, at, last, at, keys_to, to); });
  check("of 7", [&](auto last) { return thrust::reduce_by_key(reheat::par, at, last, at, keys_to, to, equal{}); });
  check("of 8", [&](auto last) { return thrust::reduce_by_key(reheat::par, at, last, at, keys_to, to, equal{}, plus{}); });
  check_same("the keys", std::vector<u32>(10, 5), to_host(keys_out));
  check_same("the values", std::vector<u32>(10, 5), to_host(out));
}

BOOST_AUTO_TEST_SUITE_END()

// ---- policies -----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_SUITE(policies)

BOOST_AUTO_TEST_CASE(every_form_runs_on_its_stream_and_waits_when_it_should)
{
  stream own;
  check_family_on(default_stream(), true, "par", reheat::par);
  check_family_on(default_stream(), false, "par_nosync", reheat::par_nosync);
  check_family_on(own.get(), true, "par.on(stream)", reheat::par.on(own.get()));
  const auto constant = reheat::par.on(own.get());
  check_family_on(own.get(), true, "a const par.on(stream)", constant);
  check_family_on(own.get(), false, "par_nosync.on(stream)", reheat::par_nosync.on(own.get()));
}

BOOST_AUTO_TEST_CASE(an_allocator_or_a_resource_changes_no_call_of_numbers)
{
  stream own;
  ledger book;
  ledger_allocator<char> allocator(book);
  ledger_resource resource(book);
  check_family_on(default_stream(), true, "par(allocator)", reheat::par(allocator));
  check_family_on(own.get(), false, "par_nosync(allocator).on(stream)", reheat::par_nosync(allocator).on(own.get()));
  check_family_on(own.get(), true, "par(&resource).on(stream)", reheat::par(&resource).on(own.get()));
  constexpr unsigned policies = 3, partitions_in_place = 2, sorts = 4; // which take memory for rejected items, for all
  BOOST_TEST(book.allocations == policies * (partitions_in_place + sorts));
  BOOST_TEST(book.held == 0u);
}

BOOST_AUTO_TEST_CASE(policies_of_other_libraries_become_ours)
{
  static_assert(std::is_same<decltype(reheat::par_like(thrust::device)), std::decay_t<decltype(reheat::par)>>::value,
                "thrust::device is par");
  check_family_on(default_stream(), true, "par_like(device)", reheat::par_like(thrust::device));
  ledger book;
  ledger_allocator<char> allocator(book);
  const auto check = [&](reheat::stream_type where, bool waits, const char* what, const auto& policy)
  {
    check_family_on(where, waits, what, policy);
    check_values_come_from(book, what, policy);
  };
  check(default_stream(), true, "par_like(device(allocator))", reheat::par_like(thrust::device(allocator)));
  check(default_stream(), true, "par_like(device(rvalue allocator))",
        reheat::par_like(thrust::device(ledger_allocator<char>(book))));
  stream own;
  check_family_on(own.get(), false, "par_like of ours", reheat::par_like(reheat::par_nosync.on(own.get())));
  check(own.get(), true, "par_like of ours, with an allocator", reheat::par_like(reheat::par(allocator).on(own.get())));
#if !defined(REHEAT_EMULATED)
  check_family_on(own.get(), true, "par_like(par.on(stream))", reheat::par_like(thrust::cuda::par.on(own.get())));
  check_family_on(own.get(), false, "par_like(par_nosync.on(stream))",
                  reheat::par_like(thrust::cuda::par_nosync.on(own.get())));
  check(own.get(), true, "par_like(par(allocator).on(stream))",
        reheat::par_like(thrust::cuda::par(allocator).on(own.get())));
  // As another library derives its policy.
  struct other_library : std::decay_t<decltype(thrust::cuda::par_nosync(allocator).on(own.get()))>
  {
    using base = std::decay_t<decltype(thrust::cuda::par_nosync(std::declval<ledger_allocator<char>&>()))>;
    explicit other_library(base policy) : base(policy) {}
  };
  check(own.get(), false, "par_like of a derived policy",
        reheat::par_like(other_library(thrust::cuda::par_nosync(allocator).on(own.get()))));
  BOOST_TEST((get_stream(reheat::par_like(thrust::cuda::par_nosync.on(own.get()))) == own.get()));
  static_assert(
      std::is_same<decltype(reheat::par_like(thrust::cuda::par_nosync)), std::decay_t<decltype(reheat::par_nosync)>>::value,
      "par_nosync stays one");
#endif
}

// ---- device code --------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(calls_from_device_code_run_in_the_calling_thread)
{
  const int count = 100;
  const std::vector<u32> items = make_items<u32>(count);
  const std::vector<u32> keys = make_keys(count, segments::of_few, scan_by_key_tile<u32>());
  const thrust::device_vector<u32> in = to_device(items), k = to_device(keys);
  thrust::device_vector<u32> out(12 * count), results(19);
  reheat::runtime::launch(environment_on(default_stream()), {1, 1}, &call_from_device_code, raw(in), raw(k), count, raw(out),
                          raw(results));
  std::vector<u32> doubled = items;
  for (u32& x : doubled)
  {
    x *= 2;
  }
  const auto reduced = reduce_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
  const u32 smallest = static_cast<u32>(std::min_element(items.begin(), items.end()) - items.begin());
  const u32 largest = static_cast<u32>(std::max_element(items.begin(), items.end()) - items.begin());
  const auto odd = std::count_if(items.begin(), items.end(), is_odd{});
  const auto odd_keys = std::count_if(keys.begin(), keys.end(), is_odd{});
  const auto same_as_7 = std::count(items.begin(), items.end(), items[7]);
  const u32 first_even = *std::find_if_not(items.begin(), items.end(), is_odd{});
  const auto same_as_even = std::count(items.begin(), items.end(), first_even);
  check_same("results",
             std::vector<u32>{reduce_reference<u32>(doubled, 1u, plus{}),
                              std::inner_product(items.begin(), items.end(), items.begin(), 1u),
                              reduce_reference<u32>(doubled, 1u, plus{}),
                              static_cast<u32>(std::count(keys.begin(), keys.end(), 5u)), static_cast<u32>(odd), smallest,
                              largest, smallest, odd == count ? 1u : 0u, odd > 0 ? 1u : 0u, odd == 0 ? 1u : 0u,
                              static_cast<u32>(reduced.first.size()), static_cast<u32>(odd), static_cast<u32>(odd_keys),
                              static_cast<u32>(count - odd), static_cast<u32>(count - odd_keys),
                              static_cast<u32>(count - same_as_7), 0u, static_cast<u32>(count - odd - same_as_even)},
             to_host(results));
  std::vector<u32> all;
  for (const std::vector<u32>& part :
       {inclusive_reference<u32, u32>(doubled, plus{}), inclusive_reference<u32, u32>(doubled, 2u, plus{}),
        exclusive_reference<u32, u32>(doubled, 2u, plus{}),
        inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{}),
        exclusive_by_key_reference<u32>(keys, items, 0u, equal{}, plus{})})
  {
    all.insert(all.end(), part.begin(), part.end());
  }
  check_same("scans", all, to_host(out, 0, 5 * count));
  check_same("keys of reduce_by_key", reduced.first, to_host(out, 5 * count, reduced.first.size()));
  check_same("values of reduce_by_key", reduced.second, to_host(out, 6 * count, reduced.second.size()));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
