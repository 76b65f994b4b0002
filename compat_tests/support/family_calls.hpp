// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! One call of every algorithm that is ours, as a table: what it is called, what the host gets from it, what it must give.
#pragma once

#include "calls.hpp"
#include "segments.hpp"

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace compat
{

//! What a call has for the host.
enum class gives
{
  nothing,  //!< its output stays in the machine's memory: it waits if its policy does
  words,    //!< a result that is polled for: it needs no wait
  segments, //!< a result beside other output: it waits whatever the policy
};

//! Input of the calls, and their output. Keys are those of segments of up to seven items.
class family_memory
{
public:
  using u32 = std::uint32_t;

  explicit family_memory(std::size_t size)
      : keys_host_(make_keys(size, segments::of_few, scan_by_key_tile<u32>())), items_(size), keys_(to_device(keys_host_)),
        in_(size), keys_out_(size), out_(size), untouched_(size, untouched)
  {
    set(make_items<u32>(size));
  }
  void set(const std::vector<u32>& items)
  {
    items_ = items;
    wait_for_all_streams();
    copy_bytes(raw(in_), items_.data(), items_.size() * sizeof(u32));
    forget();
  }
  //! The output holds nothing any more, not even of calls that did not wait.
  void forget()
  {
    wait_for_all_streams();
    copy_bytes(keys_out(), untouched_.data(), untouched_.size() * sizeof(u32));
    copy_bytes(out(), untouched_.data(), untouched_.size() * sizeof(u32));
  }

  const std::vector<u32>& keys_host() const { return keys_host_; }
  const std::vector<u32>& items() const { return items_; }
  const u32* keys() const { return raw(keys_); }
  const u32* in() const { return raw(in_); }
  u32* keys_out() { return raw(keys_out_); }
  u32* out() { return raw(out_); }
  void check_output(const std::string& what, const std::vector<u32>& keys, const std::vector<u32>& values) const
  {
    check_one(what + ", keys", keys, keys_out_);
    check_one(what + ", values", values, out_);
  }

private:
  static constexpr u32 untouched = 0xabcdef01u;
  static void check_one(const std::string& what, std::vector<u32> expected, const thrust::device_vector<u32>& actual)
  {
    expected.resize(actual.size(), untouched);
    check_same(what, expected, to_host(actual));
  }

  std::vector<u32> keys_host_, items_;
  thrust::device_vector<u32> keys_, in_, keys_out_, out_;
  std::vector<u32> untouched_;
};

struct family_call
{
  std::string name;
  gives what;
  std::function<std::uint64_t()> call; //!< gives the result as a number, or the length of the output
  std::uint64_t expected;
  std::vector<std::uint32_t> expected_values; //!< in the output; nothing else is written
  std::vector<std::uint32_t> expected_keys;

  //! The function's name in messages.
  std::string function() const { return "reheat::" + name.substr(0, name.find(' ')); }
  void check_result_of(const std::string& where, std::uint64_t actual) const
  {
    BOOST_TEST(actual == expected, where << ", " << name << ": expected " << expected << ", actual " << actual);
  }
  //! Calls, and looks at all that it gives.
  void check(const std::string& where, family_memory& memory) const
  {
    memory.forget();
    check_result_of(where, call());
    memory.check_output(where + ", " + name, expected_keys, expected_values);
  }
};

struct double_it
{
  REHEAT_HOST_DEVICE std::uint32_t operator()(std::uint32_t x) const { return 2 * x; }
};
struct is_odd_number
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x) const { return x % 2 == 1; }
};
struct is_zero_number
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x) const { return x == 0; }
};
struct is_no_zero_number
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x) const { return x != 0; }
};

inline std::vector<std::uint32_t> twice_each(std::vector<std::uint32_t> items)
{
  for (std::uint32_t& x : items)
  {
    x *= 2;
  }
  return items;
}

//! Calls that fold, count, search and ask, and reduce_by_key.
template <class Policy>
void add_reductions(std::vector<family_call>& calls, const Policy& policy, family_memory& memory)
{
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  const std::vector<u32>&items = memory.items(), &keys = memory.keys_host();
  const std::size_t size = items.size();
  const u32 *const in = memory.in(), *const end = in + size, *const k = memory.keys(), *const k_end = k + size;
  u32 *const out = memory.out(), *const keys_out = memory.keys_out();
  const auto returns = [&](const char* name, u64 expected, std::function<u64()> call) {
    calls.push_back({name, gives::words, std::move(call), expected, {}, {}});
  };
  const auto place = [in](const u32* found) { return static_cast<u64>(found - in); };

  const u32 sum = reduce_reference<u32>(items, 0u, plus{});
  returns("reduce", sum, [=] { return thrust::reduce(policy, in, end); });
  returns("reduce in order", sum + 1, [=] { return thrust::reduce(policy, in, end, 1u, plus{}); });
  calls.push_back({"reduce_into",
                   gives::nothing,
                   [=]
                   {
                     reheat::reduce_into(policy, in, end, out, 2u);
                     return u64{1};
                   },
                   1,
                   {sum + 2},
                   {}});
  returns("transform_reduce", reduce_reference<u32>(twice_each(items), 3u, plus{}),
          [=] { return thrust::transform_reduce(policy, in, end, double_it{}, 3u, plus{}); });
  returns("inner_product", std::inner_product(items.begin(), items.end(), keys.begin(), 4u),
          [=] { return thrust::inner_product(policy, in, end, k, 4u); });
  returns("count", static_cast<u64>(std::count(keys.begin(), keys.end(), 5u)),
          [=] { return static_cast<u64>(thrust::count(policy, k, k_end, 5u)); });
  returns("count_if", static_cast<u64>(std::count_if(items.begin(), items.end(), is_odd_number{})),
          [=] { return static_cast<u64>(thrust::count_if(policy, in, end, is_odd_number{})); });
  const auto smallest = static_cast<u64>(std::min_element(items.begin(), items.end()) - items.begin());
  const auto largest = static_cast<u64>(std::max_element(items.begin(), items.end()) - items.begin());
  returns("min_element", smallest, [=] { return place(thrust::min_element(policy, in, end)); });
  returns("max_element", largest, [=] { return place(thrust::max_element(policy, in, end)); });
  returns("minmax_element", smallest << 32 | largest,
          [=]
          {
            const auto both = thrust::minmax_element(policy, in, end);
            return place(both.first) << 32 | place(both.second);
          });
  const bool zero = std::any_of(items.begin(), items.end(), is_zero_number{});
  returns("all_of", zero ? 0 : 1, [=] { return u64{thrust::all_of(policy, in, end, is_no_zero_number{})}; });
  returns("any_of", zero ? 1 : 0, [=] { return u64{thrust::any_of(policy, in, end, is_zero_number{})}; });
  returns("none_of", zero ? 0 : 1, [=] { return u64{thrust::none_of(policy, in, end, is_zero_number{})}; });
  const auto reduced = reduce_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
  calls.push_back({"reduce_by_key", gives::segments,
                   [=]
                   {
                     const auto ends = thrust::reduce_by_key(policy, k, k_end, in, keys_out, out);
                     return ends.first - keys_out == ends.second - out ? static_cast<u64>(ends.second - out) : ~u64{0};
                   },
                   reduced.first.size(), reduced.second, reduced.first});
}

//! Scans of all kinds.
template <class Policy>
void add_scans(std::vector<family_call>& calls, const Policy& policy, family_memory& memory)
{
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  const std::vector<u32>&items = memory.items(), &keys = memory.keys_host();
  const std::vector<u32> doubled = twice_each(items);
  const std::size_t size = items.size();
  const u32 *const in = memory.in(), *const end = in + size, *const k = memory.keys(), *const k_end = k + size;
  u32* const out = memory.out();
  const auto writes = [&](const char* name, std::vector<u32> expected, std::function<u64()> call) {
    calls.push_back({name, gives::nothing, std::move(call), expected.size(), std::move(expected), {}});
  };
  const auto length = [out](const u32* result_end) { return static_cast<u64>(result_end - out); };

  writes("inclusive_scan", inclusive_reference<u32, u32>(items, plus{}),
         [=] { return length(thrust::inclusive_scan(policy, in, end, out)); });
  writes("exclusive_scan", exclusive_reference<u32, u32>(items, 5u, plus{}),
         [=] { return length(thrust::exclusive_scan(policy, in, end, out, 5u)); });
  writes("transform_inclusive_scan", inclusive_reference<u32, u32>(doubled, plus{}),
         [=] { return length(thrust::transform_inclusive_scan(policy, in, end, out, double_it{}, plus{})); });
  writes("transform_inclusive_scan from an initial value", inclusive_reference<u32, u32>(doubled, 6u, plus{}),
         [=] { return length(thrust::transform_inclusive_scan(policy, in, end, out, double_it{}, 6u, plus{})); });
  writes("transform_exclusive_scan", exclusive_reference<u32, u32>(doubled, 7u, plus{}),
         [=] { return length(thrust::transform_exclusive_scan(policy, in, end, out, double_it{}, 7u, plus{})); });
  writes("inclusive_scan_by_key", inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{}),
         [=] { return length(thrust::inclusive_scan_by_key(policy, k, k_end, in, out)); });
  writes("exclusive_scan_by_key", exclusive_by_key_reference<u32>(keys, items, 8u, equal{}, plus{}),
         [=] { return length(thrust::exclusive_scan_by_key(policy, k, k_end, in, out, 8u)); });
}

//! One call of every algorithm through one policy, on what is in `memory` now.
template <class Policy>
std::vector<family_call> family_calls(const Policy& policy, family_memory& memory)
{
  std::vector<family_call> calls;
  add_reductions(calls, policy, memory);
  add_scans(calls, policy, memory);
  return calls;
}

} // namespace compat
