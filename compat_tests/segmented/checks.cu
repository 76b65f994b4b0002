// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Policies that check offsets: which offsets calls of segments refuse, with which words, and what a check costs.

#include "../support/memory.hpp"
#include "../support/offsets.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(segmented)
BOOST_AUTO_TEST_SUITE(checks)

namespace
{

using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

const auto checking = reheat::par.with(reheat::check_offsets);

//! `call` throws std::runtime_error with exactly this message.
template <class Call>
void check_message(const std::string& expected, Call call)
{
  try
  {
    call();
    BOOST_ERROR("no error, expected: " << expected);
  }
  catch (const std::runtime_error& error)
  {
    BOOST_TEST(std::string(error.what()) == expected);
  }
}
std::string message(const std::string& caller, std::size_t at, const std::string& value, const std::string& before)
{
  const std::string left = std::to_string(at - 1);
  return caller + ": offset " + std::to_string(at) + " is " + value + ", smaller than offset " + left + ", which is " +
         before + ": segment " + left + " ends before it begins; pass offsets that do not descend";
}

//! Offsets of so many segments of one item.
template <class Offset = u32>
std::vector<Offset> ascending(std::size_t segments)
{
  std::vector<Offset> offsets;
  for (std::size_t i = 0; i <= segments; ++i)
  {
    offsets.push_back(static_cast<Offset>(i));
  }
  return offsets;
}

//! Each call of segments between offsets, with the name that its messages begin with.
template <class Policy, class InputIt, class OffsetIt, class OutputIt, class Check>
void for_each_call(const Policy& policy, InputIt in, OffsetIt first, OffsetIt last, OutputIt out, Check check)
{
  check("reheat::segmented_reduce", [&] { reheat::segmented_reduce(policy, in, first, last, out); });
  check("reheat::segmented_min_element", [&] { reheat::segmented_min_element(policy, in, first, last, out); });
  check("reheat::segmented_max_element", [&] { reheat::segmented_max_element(policy, in, first, last, out); });
  check("reheat::segmented_inclusive_scan", [&] { reheat::segmented_inclusive_scan(policy, in, first, last, out); });
  check("reheat::segmented_exclusive_scan", [&] { reheat::segmented_exclusive_scan(policy, in, first, last, out); });
}

//! Values of an offset's type that descend, and how a message writes them.
template <class Offset>
void check_values(Offset before, Offset value, const std::string& before_text, const std::string& text)
{
  const thrust::device_vector<Offset> at = to_device(std::vector<Offset>{before, value});
  thrust::device_vector<u32> in(1), out(1);
  check_message(message("reheat::segmented_reduce", 1, text, before_text),
                [&] { reheat::segmented_reduce(checking, in.begin(), at.begin(), at.end(), out.begin()); });
}

struct falling
{
  using result_type = int;
  template <class Index>
  REHEAT_HOST_DEVICE int operator()(Index index) const
  {
    return 100 - 7 * static_cast<int>(index);
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(each_call_names_the_first_offset_that_descends_and_stores_nothing)
{
  std::vector<u32> offsets = ascending(400);
  offsets[123] = 50;
  offsets[300] = 7;
  const thrust::device_vector<u32> in(500, 1), at = to_device(offsets);
  watched_output<u32> out(500);
  for_each_call(checking, in.begin(), at.begin(), at.end(), out.begin(),
                [](const std::string& caller, auto call) { check_message(message(caller, 123, "50", "122"), call); });
  check_same("stores", std::vector<unsigned>(501, 0u), out.counts());
}

BOOST_AUTO_TEST_CASE(a_descent_is_found_wherever_it_stands)
{
  const std::size_t segments = 5000;
  const thrust::device_vector<u32> in(segments, 1);
  thrust::device_vector<u32> out(segments);
  for (const std::size_t place :
       {std::size_t{1}, std::size_t{2}, std::size_t{64}, std::size_t{2047}, segments - 1, segments})
  {
    std::vector<u32> offsets = ascending(segments);
    offsets[place - 1] += 1;
    offsets[place] = offsets[place - 1] - 1;
    const thrust::device_vector<u32> at = to_device(offsets);
    check_message(message("reheat::segmented_reduce", place, std::to_string(place - 1), std::to_string(place)),
                  [&] { reheat::segmented_reduce(checking, in.begin(), at.begin(), at.end(), out.begin()); });
  }
}

BOOST_AUTO_TEST_CASE(offsets_are_compared_and_written_in_their_own_type)
{
  check_values<int>(3, -4, "3", "-4");
  check_values<u32>(0x80000000u, 1, "2147483648", "1");
  check_values<i64>(i64{1} << 40, -1, "1099511627776", "-1");
  check_values<u64>(~u64{0}, 9, "18446744073709551615", "9");
  const auto at = thrust::make_transform_iterator(counting(0), falling{});
  thrust::device_vector<u32> in(1), out(9);
  check_message(message("reheat::segmented_reduce", 1, "93", "100"),
                [&] { reheat::segmented_reduce(checking, in.begin(), at, at + 10, out.begin()); });
}

BOOST_AUTO_TEST_CASE(offsets_that_do_not_descend_pass)
{
  for (const lengths kind : all_lengths)
  {
    const std::vector<u32> offsets = make_offsets(kind, 300, segmented_tile<u32>(), 5);
    const std::vector<u32> items = make_items<u32>(offsets.back(), 1);
    const thrust::device_vector<u32> in = to_device(items), at = to_device(offsets);
    thrust::device_vector<u32> out(300);
    reheat::segmented_reduce(checking, in.begin(), at.begin(), at.end(), out.begin());
    check_same(name_of(kind), segmented_reference<u32>(items, offsets, u32{0}, plus{}), to_host(out));
  }
  const thrust::device_vector<u32> at(1, 4);
  thrust::device_vector<u32> in(1), out(1, 77);
  reheat::segmented_reduce(checking, in.begin(), at.begin(), at.begin(), out.begin()); // no offset
  reheat::segmented_reduce(checking, in.begin(), at.begin(), at.end(), out.begin());   // one
  BOOST_TEST(to_host(out)[0] == 77u);
}

BOOST_AUTO_TEST_CASE(an_output_that_overlaps_the_offsets_is_refused)
{
  constexpr u32 n = 40;
  const std::vector<u32> offsets = ascending(n);
  std::vector<u32> memory(3 * n + 1, 1); // n words before the offsets, n + 1 offsets, and more words
  std::copy(offsets.begin(), offsets.end(), memory.begin() + n);
  thrust::device_vector<u32> all = to_device(memory);
  u32* const at = raw(all) + n;
  for (const std::ptrdiff_t begin : {1, 20, 40, 80})
  {
    for_each_call(checking, at, at, at + n + 1, raw(all) + begin,
                  [&](const std::string& caller, auto call)
                  {
                    check_message(caller +
                                      ": the output overlaps the offsets, which are read while it is stored; pass other "
                                      "memory for one of them",
                                  call);
                  });
  }
  check_same("nothing was stored", memory, to_host(all));
  for (const std::size_t begin : {std::size_t{0}, std::size_t{2 * n + 1}})
  {
    reheat::segmented_reduce(checking, at, at, at + n + 1, raw(all) + begin);
    check_same("beside the offsets", std::vector<u32>(offsets.begin(), offsets.end() - 1), to_host(all, begin, n));
  }
  // A scan stores behind the first offset.
  std::vector<u32> ones(100, 1);
  ones[0] = 50;
  ones[1] = 60;
  ones[2] = 90;
  thrust::device_vector<u32> both = to_device(ones);
  reheat::segmented_inclusive_scan(checking, raw(both), raw(both), raw(both) + 3, raw(both));
  BOOST_TEST(to_host(both)[59] == 10u);
  BOOST_TEST(to_host(both)[89] == 30u);
}

BOOST_AUTO_TEST_CASE(the_option_goes_with_any_stream_allocator_and_other_option)
{
  const std::vector<u32> offsets{0, 5, 3};
  const thrust::device_vector<u32> in(5, 1), at = to_device(offsets);
  thrust::device_vector<u32> out(2);
  stream own;
  ledger book;
  const ledger_allocator<char> allocator(book);
  const auto check = [&](const auto& policy)
  {
    check_message(message("reheat::segmented_reduce", 2, "3", "5"),
                  [&] { reheat::segmented_reduce(policy, in.begin(), at.begin(), at.end(), out.begin()); });
  };
  check(checking.on(own.get()));
  check(reheat::par_nosync.on(own.get()).with(reheat::check_offsets));
  check(reheat::par(allocator).on(own.get()).with(reheat::check_offsets));
  check(reheat::par.with(reheat::check_offsets, reheat::start_serially));
  check(reheat::par.with(reheat::start_early).with(reheat::check_offsets));
  check(reheat::par.with(reheat::check_offsets).with(reheat::start_early));
  BOOST_TEST(book.held == 0);
}

BOOST_AUTO_TEST_CASE(only_a_policy_with_the_option_takes_a_launch_for_it)
{
#if defined(REHEAT_EMULATED)
  const thrust::device_vector<u32> in(300, 1), at = to_device(ascending(300));
  thrust::device_vector<u32> out(300);
  stream own;
  const auto launches = [&](const auto& policy)
  {
    own.get()->clear();
    reheat::segmented_reduce(policy, in.begin(), at.begin(), at.end(), out.begin());
    return own.get()->launch_count();
  };
  BOOST_TEST(launches(reheat::par.on(own.get())) == 1u);
  BOOST_TEST(launches(reheat::par.on(own.get()).with(reheat::check_offsets)) == 2u);
#endif
  BOOST_TEST((!std::is_same_v<std::decay_t<decltype(checking)>, reheat::thrust_backend::par_t>));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
