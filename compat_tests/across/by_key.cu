// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls by key across ranks, whose runs go over the ends of parts, over whole parts and over ranks without items.

#include "../support/compare.hpp"
#include "../support/iterators.hpp"
#include "../support/ranks.hpp"
#include "../support/reference.hpp"
#include "../support/strategies.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstdint>
#include <memory>

using namespace compat;

BOOST_AUTO_TEST_SUITE(across)
BOOST_AUTO_TEST_SUITE(by_key)

namespace
{

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using reheat::gather_order;
using map32 = affine<u32>;

//! Keys of a group are equal. Their low bits tell the items of a run apart.
struct same_group
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return x / 64 == y / 64; }
};
//! Holds for neighbours in a sequence of numbers alone. It is no equivalence, so a comparison with any other key shows.
struct follows
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) { return y == x + 1; }
};

//! Keys in runs of the given length, or of lengths that are drawn.
std::vector<u32> keys_in_runs(std::size_t items, std::size_t length)
{
  std::vector<u32> keys;
  u32 group = 1;
  while (keys.size() < items)
  {
    const std::size_t run = length != 0 ? length : 1 + mix(group) % 9;
    for (std::size_t i = 0; i < run && keys.size() < items; ++i)
    {
      keys.push_back(group * 64 + static_cast<u32>(keys.size()) % 64);
    }
    group = 1 + (group + 1 + static_cast<u32>(mix(group) >> 60) % 2) % 7; // groups come back
  }
  return keys;
}
//! Keys that are counted on within a run.
std::vector<u32> keys_that_follow(std::size_t items)
{
  std::vector<u32> keys;
  for (std::size_t i = 0; i < items; ++i)
  {
    keys.push_back(i == 0 ? 7 : mix(i) % 40 == 0 ? keys[i - 1] : keys[i - 1] + 1);
  }
  return keys;
}

//! The items of all ranks, in memory of the device. Each rank uses its part.
template <class T>
struct keyed_items
{
  explicit keyed_items(const std::vector<u32>& all_keys) : keys(all_keys), items(make_items<T>(all_keys.size())) {}

  std::vector<u32> keys;
  std::vector<T> items;
  thrust::device_vector<u32> device_keys = to_device(keys);
  thrust::device_vector<T> device_items = to_device(items);
};

//! `call(policy, first key, last key, values, out)` of each part; it returns the end of `out`.
template <class T, class Call>
std::vector<T> scanned(const keyed_items<T>& all, const cut& parts, gather_order order, Call call)
{
  thrust::device_vector<T> results(all.items.size());
  T* const out = raw(results);
  on_ranks(parts.ranks(), order,
           [&](reheat::ranks& ranks)
           {
             const std::size_t begin = parts.begin(ranks.rank()), end = parts.end(ranks.rank());
             const T* const returned = call(reheat::par_nosync.across(ranks), raw(all.device_keys) + begin,
                                            raw(all.device_keys) + end, raw(all.device_items) + begin, out + begin);
             if (returned != out + end)
             {
               throw std::runtime_error("the end of the output is wrong");
             }
           });
  return to_host(results);
}

template <class T, class Equal>
void check_inclusive(const std::vector<u32>& keys, const cut& parts, gather_order order, Equal equal)
{
  const keyed_items<T> all(keys);
  std::vector<T> expected(all.items);
  thrust::inclusive_scan_by_key(thrust::host, keys.begin(), keys.end(), all.items.begin(), expected.begin(), equal, fold{});
  check_same("inclusive_scan_by_key", expected,
             scanned(all, parts, order,
                     [&](const auto& policy, const u32* first, const u32* last, const T* values, T* out)
                     { return thrust::inclusive_scan_by_key(policy, first, last, values, out, equal, fold{}); }));
}
template <class T, class Equal>
void check_exclusive(const std::vector<u32>& keys, const cut& parts, gather_order order, Equal equal)
{
  const keyed_items<T> all(keys);
  const T init = values<T>::make(1000000);
  std::vector<T> expected(all.items);
  thrust::exclusive_scan_by_key(thrust::host, keys.begin(), keys.end(), all.items.begin(), expected.begin(), init, equal,
                                fold{});
  check_same("exclusive_scan_by_key", expected,
             scanned(all, parts, order,
                     [&](const auto& policy, const u32* first, const u32* last, const T* values, T* out)
                     { return thrust::exclusive_scan_by_key(policy, first, last, values, out, init, equal, fold{}); }));
}

//! How many runs end in a part.
template <class Equal>
std::size_t runs_that_end(const std::vector<u32>& keys, std::size_t begin, std::size_t end, Equal equal)
{
  std::size_t count = 0;
  for (std::size_t i = begin; i < end; ++i)
  {
    count += i + 1 == keys.size() || !equal(keys[i], keys[i + 1]) ? 1 : 0;
  }
  return count;
}

struct unchanged
{
  template <class T>
  REHEAT_HOST_DEVICE T operator()(const T& x) const
  {
    return x;
  }
};
//! Ways to make the call.
enum class reduction
{
  into,             //!< by the one that leaves a place on the device
  to_memory,        //!< by the one that returns a place
  through_iterators //!< the same, to outputs that nobody can read: each part is read twice
};

template <class T, class Equal>
void check_reduce(const std::vector<u32>& keys, const cut& parts, gather_order order, Equal equal)
{
  const keyed_items<T> all(keys);
  std::vector<u32> expected_keys; // thrust::host compares with a run's first key
  std::vector<T> expected;
  for (std::size_t i = 0; i < keys.size(); ++i)
  {
    if (i != 0 && equal(keys[i - 1], keys[i]))
    {
      expected.back() = fold{}(expected.back(), all.items[i]);
      continue;
    }
    expected_keys.push_back(keys[i]);
    expected.push_back(all.items[i]);
  }
  const std::size_t guard = 3;
  for (const reduction way : {reduction::into, reduction::to_memory, reduction::through_iterators})
  {
    std::vector<std::vector<u32>> own_keys(parts.parts.size());
    std::vector<std::vector<T>> own(parts.parts.size());
    std::vector<reheat::place_across> places(parts.parts.size());
    on_ranks(parts.ranks(), order,
             [&](reheat::ranks& ranks)
             {
               const auto rank = static_cast<std::size_t>(ranks.rank());
               const std::size_t begin = parts.begin(ranks.rank()), end = parts.end(ranks.rank()), size = end - begin;
               const u32* const first = raw(all.device_keys) + begin;
               const T* const values = raw(all.device_items) + begin;
               auto keys_out = to_device(std::vector<u32>(size + guard, 0xabcdefu));
               thrust::device_vector<T> out(size + 1);
               const auto check_ends = [&](std::ptrdiff_t stored_keys, std::ptrdiff_t stored)
               {
                 if (stored_keys != stored)
                 {
                   throw std::runtime_error("the ends of the outputs are wrong");
                 }
               };
               if (way == reduction::into)
               {
                 thrust::device_vector<reheat::place_across> place(1);
                 reheat::reduce_by_key_across_into(reheat::par_nosync.across(ranks), first, first + size, values,
                                                   raw(keys_out), raw(out), raw(place), equal, fold{});
                 wait_for_all_streams();
                 places[rank] = to_host(place)[0];
               }
               else if (way == reduction::to_memory)
               {
                 const auto found = reheat::reduce_by_key_across(reheat::par_nosync.across(ranks), first, first + size,
                                                                 values, raw(keys_out), raw(out), equal, fold{});
                 places[rank] = {static_cast<u64>(found.keys_end - raw(keys_out)), found.global_index, found.total};
                 check_ends(found.keys_end - raw(keys_out), found.values_end - raw(out));
               }
               else
               {
                 const auto to_keys = thrust::make_transform_output_iterator(raw(keys_out), unchanged{});
                 const auto to_values = thrust::make_transform_output_iterator(raw(out), unchanged{});
                 const auto found = reheat::reduce_by_key_across(reheat::par_nosync.across(ranks), first, first + size,
                                                                 values, to_keys, to_values, equal, fold{});
                 places[rank] = {static_cast<u64>(found.keys_end - to_keys), found.global_index, found.total};
                 check_ends(found.keys_end - to_keys, found.values_end - to_values);
               }
               own_keys[rank] = to_host(keys_out);
               own[rank] = to_host(out);
             });
    std::vector<u32> found_keys;
    std::vector<T> found;
    bool right = true;
    for (std::size_t rank = 0; rank < places.size(); ++rank)
    {
      const std::size_t begin = parts.begin(static_cast<int>(rank)), end = parts.end(static_cast<int>(rank));
      const reheat::place_across& place = places[rank];
      right = right && place.count == runs_that_end(keys, begin, end, equal) &&
              place.global_index == runs_that_end(keys, 0, begin, equal) && place.total == expected.size() &&
              std::count(own_keys[rank].end() - guard, own_keys[rank].end(), 0xabcdefu) == guard;
      if (!right)
      {
        break;
      }
      const auto count = static_cast<std::ptrdiff_t>(place.count);
      found_keys.insert(found_keys.end(), own_keys[rank].begin(), own_keys[rank].begin() + count);
      found.insert(found.end(), own[rank].begin(), own[rank].begin() + count);
    }
    BOOST_TEST(right, "a rank's place among the runs is wrong, or something is written behind its output");
    check_same("keys of reduce_by_key", expected_keys, found_keys);
    check_same("reduce_by_key", expected, found);
  }
}

//! In runs of one, of few items, over about one part, and over several.
template <class Check>
void for_each_runs(Check check)
{
  for_each_cut(
      [&](const cut& parts, gather_order order)
      {
        for (const std::size_t length :
             {std::size_t{1}, std::size_t{0}, std::size_t{40}, std::size_t{302}, std::size_t{5000}})
        {
          BOOST_TEST_CONTEXT("runs of " << length)
          {
            check(keys_in_runs(parts.items(), length), parts, order);
          }
        }
      });
}

} // namespace

BOOST_AUTO_TEST_CASE(inclusive_scans_keep_the_order_of_items)
{
  for_each_runs([](const std::vector<u32>& keys, const cut& parts, gather_order order)
                { check_inclusive<interval>(keys, parts, order, same_group{}); });
}
BOOST_AUTO_TEST_CASE(exclusive_scans_begin_each_run_with_the_initial_value)
{
  for_each_runs([](const std::vector<u32>& keys, const cut& parts, gather_order order)
                { check_exclusive<map32>(keys, parts, order, same_group{}); });
}
BOOST_AUTO_TEST_CASE(reductions_store_each_run_once_where_it_ends)
{
  for_each_runs([](const std::vector<u32>& keys, const cut& parts, gather_order order)
                { check_reduce<interval>(keys, parts, order, same_group{}); });
}
BOOST_AUTO_TEST_CASE(keys_that_are_compared_with_their_neighbours_alone)
{
  for_each_cut(
      [](const cut& parts, gather_order order)
      {
        const std::vector<u32> keys = keys_that_follow(parts.items());
        check_inclusive<map32>(keys, parts, order, follows{});
        check_exclusive<map32>(keys, parts, order, follows{});
        check_reduce<map32>(keys, parts, order, follows{});
      });
}
BOOST_AUTO_TEST_CASE(values_that_records_have_no_room_for)
{
  for_each_cut(
      [](const cut& parts, gather_order order)
      {
        const std::vector<u32> keys = keys_in_runs(parts.items(), 150);
        check_inclusive<words<16>>(keys, parts, order, same_group{});
        check_exclusive<words<16>>(keys, parts, order, same_group{});
        check_reduce<words<16>>(keys, parts, order, same_group{});
      });
}
BOOST_AUTO_TEST_CASE(by_either_kernel_under_many_schedules)
{
  const cut parts{{700, 0, 1, 1100}};
  for (const std::size_t length : {std::size_t{0}, std::size_t{900}})
  {
    const std::vector<u32> keys = keys_in_runs(parts.items(), length);
    for_both_strategies<reheat::detail::segmented<map32, reheat::detail::boundary_flags>>(
        parts.items(),
        [&]
        {
          for_each_seed(5,
                        [&]
                        {
                          check_inclusive<interval>(keys, parts, gather_order::in_stream, same_group{});
                          check_exclusive<map32>(keys, parts, gather_order::in_stream, same_group{});
                          check_reduce<interval>(keys, parts, gather_order::in_stream, same_group{});
                        });
        });
  }
}

BOOST_AUTO_TEST_CASE(forms_without_operator_or_predicate)
{
  const cut parts{{100, 0, 3, 200, 50}};
  std::vector<u32> keys = keys_in_runs(parts.items(), 60);
  for (u32& key : keys)
  {
    key /= 64;
  }
  const keyed_items<u32> all(keys);
  std::vector<u32> expected(all.items), keys_out(keys);
  const auto compare = [&](const char* what, auto call)
  { check_same(what, expected, scanned(all, parts, gather_order::in_stream, call)); };
  const auto from = keys.begin(), to = keys.end();
  const auto in = all.items.begin();
  using thrust::equal_to;
  thrust::inclusive_scan_by_key(thrust::host, from, to, in, expected.begin());
  compare("inclusive_scan_by_key", [](const auto& policy, auto first, auto last, auto values, auto out)
          { return thrust::inclusive_scan_by_key(policy, first, last, values, out); });
  compare("inclusive_scan_by_key with a predicate", [](const auto& policy, auto first, auto last, auto values, auto out)
          { return thrust::inclusive_scan_by_key(policy, first, last, values, out, equal_to<u32>{}); });
  thrust::exclusive_scan_by_key(thrust::host, from, to, in, expected.begin());
  compare("exclusive_scan_by_key", [](const auto& policy, auto first, auto last, auto values, auto out)
          { return thrust::exclusive_scan_by_key(policy, first, last, values, out); });
  thrust::exclusive_scan_by_key(thrust::host, from, to, in, expected.begin(), 7u);
  compare("exclusive_scan_by_key from 7", [](const auto& policy, auto first, auto last, auto values, auto out)
          { return thrust::exclusive_scan_by_key(policy, first, last, values, out, 7u); });
  compare("exclusive_scan_by_key from 7 with a predicate",
          [](const auto& policy, auto first, auto last, auto values, auto out)
          { return thrust::exclusive_scan_by_key(policy, first, last, values, out, 7u, equal_to<u32>{}); });

  const auto ends = thrust::reduce_by_key(thrust::host, from, to, in, keys_out.begin(), expected.begin());
  expected.erase(ends.second, expected.end());
  for (const bool predicate : {false, true})
  {
    std::vector<std::vector<u32>> own(parts.parts.size());
    on_ranks(parts.ranks(), gather_order::in_stream,
             [&](reheat::ranks& ranks)
             {
               const auto policy = reheat::par.across(ranks);
               const std::size_t begin = parts.begin(ranks.rank()), end = parts.end(ranks.rank());
               const u32 *const first = raw(all.device_keys) + begin, *const last = raw(all.device_keys) + end;
               thrust::device_vector<u32> out(end - begin + 1);
               const auto nowhere = thrust::make_discard_iterator();
               const u32* const values = raw(all.device_items) + begin;
               const auto returned =
                   predicate ? thrust::reduce_by_key(policy, first, last, values, nowhere, raw(out), equal_to<u32>{})
                             : thrust::reduce_by_key(policy, first, last, values, nowhere, raw(out));
               own[static_cast<std::size_t>(ranks.rank())] =
                   to_host(out, 0, static_cast<std::size_t>(returned.second - raw(out)));
             });
    std::vector<u32> found;
    for (const std::vector<u32>& each : own)
    {
      found.insert(found.end(), each.begin(), each.end());
    }
    check_same("reduce_by_key", expected, found);
  }
}

BOOST_AUTO_TEST_CASE(results_over_keys_or_values)
{
  const cut parts{{400, 1, 0, 700}};
  const std::vector<u32> keys = keys_in_runs(parts.items(), 250);
  for (const bool over_keys : {false, true})
  {
    const keyed_items<u32> all(keys);
    std::vector<u32> expected(all.items);
    thrust::inclusive_scan_by_key(thrust::host, keys.begin(), keys.end(), all.items.begin(), expected.begin(), same_group{});
    auto memory_of_keys = all.device_keys;
    auto memory_of_values = all.device_items;
    u32* const out = over_keys ? raw(memory_of_keys) : raw(memory_of_values);
    on_ranks(parts.ranks(), gather_order::in_stream,
             [&](reheat::ranks& ranks)
             {
               const std::size_t begin = parts.begin(ranks.rank()), end = parts.end(ranks.rank());
               thrust::inclusive_scan_by_key(reheat::par.across(ranks), raw(memory_of_keys) + begin,
                                             raw(memory_of_keys) + end, raw(memory_of_values) + begin, out + begin,
                                             same_group{});
             });
    check_same("inclusive_scan_by_key in place", expected, to_host(over_keys ? memory_of_keys : memory_of_values));
  }
}

namespace
{

struct third
{
  REHEAT_HOST_DEVICE u32 operator()(u32 index) const { return index / 300; }
};

} // namespace

BOOST_AUTO_TEST_CASE(iterators_and_a_wider_type)
{
  const cut parts{{250, 0, 700, 50}};
  std::vector<u64> sums(parts.items() / 300 + 1);
  std::vector<u64> counts(parts.parts.size());
  on_ranks(parts.ranks(), gather_order::in_stream,
           [&](reheat::ranks& ranks)
           {
             const auto rank = static_cast<std::size_t>(ranks.rank());
             const auto first = static_cast<u32>(parts.begin(ranks.rank())),
                        last = static_cast<u32>(parts.end(ranks.rank()));
             const auto keys = thrust::make_transform_iterator(thrust::counting_iterator<u32>(first), third{});
             const auto ones = to_device(std::vector<std::uint8_t>(last - first + 1, 255));
             thrust::device_vector<u64> out(last - first + 1);
             const auto found =
                 reheat::reduce_by_key_across(reheat::par.across(ranks).with(reheat::accumulate_in<u64>), keys,
                                              keys + (last - first), raw(ones), thrust::make_discard_iterator(), raw(out));
             counts[rank] = static_cast<u64>(found.values_end - raw(out));
             const std::vector<u64> own = to_host(out, 0, counts[rank]);
             std::copy(own.begin(), own.end(), sums.begin() + static_cast<std::ptrdiff_t>(found.global_index));
           });
  check_same("sums", std::vector<u64>{300 * 255, 300 * 255, 300 * 255, 100 * 255}, sums);
  check_same("runs that end in each part", std::vector<u64>{0, 0, 3, 1}, counts);
}

BOOST_AUTO_TEST_CASE(a_reduction_to_memory_reads_each_value_once)
{
  constexpr int count = 3;
  for (const std::size_t items : {std::size_t{7}, std::size_t{900}, emulated ? std::size_t{20000} : std::size_t{1} << 20})
  {
    for (const bool to_memory : {true, false})
    {
      const auto keys = to_device(keys_in_runs(items, 250));
      const std::vector<u32> values = make_items<u32>(items);
      std::vector<std::unique_ptr<watched_input<u32>>> inputs;
      for (int rank = 0; rank < count; ++rank)
      {
        inputs.push_back(std::make_unique<watched_input<u32>>(values));
      }
      on_ranks(count, gather_order::in_stream,
               [&](reheat::ranks& ranks)
               {
                 thrust::device_vector<u32> keys_out(items), out(items);
                 const auto reduce = [&](auto to_keys)
                 {
                   reheat::reduce_by_key_across(reheat::par.across(ranks), raw(keys), raw(keys) + items,
                                                inputs[static_cast<std::size_t>(ranks.rank())]->begin(), to_keys, raw(out),
                                                same_group{});
                 };
                 to_memory ? reduce(raw(keys_out)) : reduce(thrust::make_discard_iterator());
               });
      for (const auto& input : inputs)
      {
        input->check(to_memory ? 1 : 2, "reduce_by_key_across"); // nobody can read the keys of a discard_iterator again
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(sums_that_round_have_the_same_bits_in_every_run)
{
  const cut parts{{700, 0, 411, 1000}};
  const std::vector<u32> keys = keys_in_runs(parts.items(), 600);
  std::vector<float> items(keys.size()), first;
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    items[i] = static_cast<float>(static_cast<double>(mix(i) >> 11) * 0x1p-53 - 0.3);
  }
  const auto memory = to_device(items);
  const auto device_keys = to_device(keys);
  for_each_seed(5,
                [&]
                {
                  thrust::device_vector<float> scans(items.size());
                  std::vector<float> results;
                  std::mutex mutex;
                  on_ranks(parts.ranks(), gather_order::in_stream,
                           [&](reheat::ranks& ranks)
                           {
                             const std::size_t begin = parts.begin(ranks.rank()), end = parts.end(ranks.rank());
                             thrust::device_vector<float> out(end - begin + 1);
                             const auto policy = reheat::par.across(ranks);
                             thrust::inclusive_scan_by_key(policy, raw(device_keys) + begin, raw(device_keys) + end,
                                                           raw(memory) + begin, raw(scans) + begin, same_group{});
                             const auto reduce = [&](auto keys_out, std::size_t turn)
                             {
                               const auto found =
                                   reheat::reduce_by_key_across(policy, raw(device_keys) + begin, raw(device_keys) + end,
                                                                raw(memory) + begin, keys_out, raw(out), same_group{});
                               const auto own = to_host(out, 0, static_cast<std::size_t>(found.values_end - raw(out)));
                               const std::lock_guard<std::mutex> lock(mutex);
                               results.resize(2 * found.total);
                               std::copy(own.begin(), own.end(),
                                         results.begin() +
                                             static_cast<std::ptrdiff_t>(turn * found.total + found.global_index));
                             };
                             thrust::device_vector<u32> keys_out(end - begin + 1);
                             reduce(raw(keys_out), 0);
                             reduce(thrust::make_discard_iterator(), 1);
                           });
                  const std::vector<float> host = to_host(scans);
                  results.insert(results.end(), host.begin(), host.end());
                  first = first.empty() ? results : first;
                  check_bitwise("scan and reduction of floats by key", first, results);
                });
}

BOOST_AUTO_TEST_CASE(a_range_that_ends_before_it_begins_fails_on_all_ranks)
{
  for (const auto order : {gather_order::in_stream, gather_order::on_host})
  {
    const auto failures =
        failures_of_ranks(3, order,
                          [](reheat::ranks& ranks)
                          {
                            thrust::device_vector<u32> items(10, 1), out(10);
                            const u32* const first = raw(items) + 5;
                            const int backwards = ranks.rank() == 1 ? -1 : 1;
                            static_cast<void>(thrust::reduce_by_key(reheat::par.across(ranks), first, first + 5 * backwards,
                                                                    first, raw(out), raw(out) + 5));
                          });
    BOOST_TEST(text_of(failures[0]).find("rank_failed 1: reheat::reduce_by_key: rank 1 has failed") == 0u,
               text_of(failures[0]));
    BOOST_TEST(text_of(failures[1]).find("the range ends 5 items before it begins") != std::string::npos);
    BOOST_TEST(text_of(failures[2]).find("rank_failed 1: ") == 0u);
  }
}
BOOST_AUTO_TEST_CASE(different_calls_are_named)
{
  for (const auto order : {gather_order::in_stream, gather_order::on_host})
  {
    const auto failures =
        failures_of_ranks(2, order,
                          [](reheat::ranks& ranks)
                          {
                            thrust::device_vector<u32> items(10, 1), out(10), keys_out(10);
                            const auto policy = reheat::par.across(ranks);
                            if (ranks.rank() == 0)
                            {
                              static_cast<void>(thrust::reduce_by_key(policy, raw(items), raw(items) + 10, raw(items),
                                                                      raw(keys_out), raw(out)));
                            }
                            else
                            {
                              thrust::inclusive_scan_by_key(policy, raw(items), raw(items) + 10, raw(items), raw(out));
                            }
                          });
    for (const auto& failure : failures)
    {
      const std::string text = text_of(failure);
      BOOST_TEST(text.find("rank 0 made call 1, reheat::reduce_by_key") != std::string::npos, text);
      BOOST_TEST(text.find("rank 1 made call 1, reheat::inclusive_scan_by_key") != std::string::npos, text);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
