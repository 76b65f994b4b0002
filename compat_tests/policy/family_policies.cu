// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! For every algorithm of the family: all forms of policy, and those of other libraries; and calls from device code. It
//! stands beside family.cu because both instantiate every algorithm: in one unit that is compiled once.

#include "../support/calls.hpp"
#include "../support/family_calls.hpp"
#include "../support/memory.hpp"
#include "../support/segments.hpp"

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <algorithm>
#include <numeric>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)

namespace
{

using u32 = std::uint32_t;

struct twice
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return 2 * x; }
};
struct is_odd
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 2 == 1; }
};

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
