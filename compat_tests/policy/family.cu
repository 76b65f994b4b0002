// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! For each algorithm by itself: what a call asks of the machine, and what becomes of it when its allocator throws.

#include "../support/family_calls.hpp"
#include "../support/host_calls.hpp"
#include "../support/large_calls.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>

using namespace compat;

BOOST_AUTO_TEST_SUITE(policy)
BOOST_AUTO_TEST_SUITE(family)

namespace
{

using u32 = std::uint32_t;

//! So many that every reduction and every search takes several blocks.
std::size_t enough()
{
  return emulated ? 9000 : 300000;
}

//! Items without a zero, but for one item.
std::vector<u32> make_numbers()
{
  std::vector<u32> items = make_items<u32>(enough());
  for (u32& x : items)
  {
    x |= 2;
  }
  for (std::size_t i = 0; i < items.size(); i += 7)
  {
    items[i] = items[items.size() / 2]; // the item that is counted
  }
  items[100] = 0;
  return items;
}

//! How often a call may be measured until it is as expected. A GPU that is busy with other programs may have a result later
//! than it is polled for, and then the call waits for it; a call that always waits does so each time.
int tries(const family_call& call)
{
  return call.what() == gives::words && !emulated ? 5 : 1;
}

//! Partitions in place and sorts take room for all items.
bool takes_room(const accelerated::algorithm_facts& facts)
{
  return facts.output == accelerated::output::partition || facts.sorts();
}

//! Each call, once it has been made before, is one launch, or two in a partition in place; it waits if the policy `waits`
//! and nothing else of it is waited for, or if it gives more than words. Room for items is allocated and given back; a
//! ledger of the test writes and waits, too.
template <class Policy>
void check_each_call(const std::string& where, bool waits, const Policy& policy, bool by_ledger = false)
{
  family_memory memory(enough());
  memory.set(make_numbers());
  for (const family_call& each : family_calls(policy, memory))
  {
    each.check(where, memory);
    host_calls expected;
    expected.launches = each.facts->output == accelerated::output::partition ? 2 : 1; // with a copy back
    const bool polled = reheat::runtime::default_result_wait == reheat::runtime::result_wait::poll;
    expected.waits = each.what() == gives::nothing ? waits : each.what() == gives::ends || !polled;
    if (!emulated && takes_room(*each.facts)) // on the emulator so little that the stream's memory has it
    {
      expected.allocations = expected.frees = 1;
      expected.others = by_ledger ? 1 : 0;
      expected.waits += by_ledger ? 1 : 0;
    }
    const host_calls copied = copying(policy, *each.facts, memory);
    const auto calls = [&]
    {
      host_calls made = calls_of([&] { (void)each.call(); }) - copied;
      if (each.facts->sorts() && made.launches != 0)
      {
        made.launches = expected.launches; // sorts have several, which depend on the number of digits
      }
      return made;
    };
    host_calls actual = calls();
    for (int left = tries(each) - 1; left > 0 && !(actual == expected); --left)
    {
      actual = calls();
    }
    BOOST_TEST(actual == expected, where << ", " << each.name << ": " << actual << "; expected " << expected);
  }
}

//! Each call hears its allocator throw, again and again, and is right when it throws no more; places for results that it had
//! taken are there again.
template <class Policy>
void check_each_failure(ledger& book, const std::string& where, const Policy& policy)
{
  for (const large_call& call : calls_with_large_values(policy))
  {
    BOOST_TEST_CONTEXT(where << ", " << call.name)
    {
      const std::size_t before = book.allocations;
      const auto expected = call();
      BOOST_TEST(book.allocations == before + 1);
      book.fails = true;
      const host_calls failing = calls_of(
          [&]
          {
            for (int round = 0; round < 70; ++round) // more than there are places in a page
            {
              BOOST_CHECK_THROW((void)call(), std::bad_alloc);
            }
          });
      BOOST_TEST(book.held == 0);
      BOOST_TEST(failing.allocations == 0u, "new places for results: " << failing);
      book.fails = false;
      check_same("after failures", expected, call());
      BOOST_TEST(book.held == 0);
    }
  }
}

//! The same with an allocator, which no call of numbers needs but those that take room.
template <class Policy>
void check_each_call_with(const ledger& book, const std::string& where, bool waits, const Policy& policy)
{
  const std::size_t before = book.allocations;
  check_each_call(where, waits, policy, true);
  std::size_t expected = 0;
  for (const accelerated::algorithm_facts& each : accelerated::all_facts)
  {
    expected += takes_room(each) ? 2 : 0; // each call is made twice
  }
  BOOST_TEST(book.allocations - before == expected, where << ": " << book.allocations - before << " allocations");
}

#if !defined(REHEAT_EMULATED)
//! As programs derive one from Thrust's base.
struct program_policy : thrust::cuda::execution_policy<program_policy>
{
  explicit program_policy(cudaStream_t stream) : stream_(stream) {}
  friend cudaStream_t get_stream(const program_policy& policy) { return policy.stream_; }

private:
  cudaStream_t stream_;
};
#endif

} // namespace

BOOST_AUTO_TEST_CASE(each_call_is_one_launch_and_waits_when_it_should)
{
  stream own;
  check_each_call("par.on(stream)", true, reheat::par.on(own.get()));
  check_each_call("par_nosync.on(stream)", false, reheat::par_nosync.on(own.get()));
}

BOOST_AUTO_TEST_CASE(with_an_allocator_each_call_is_the_same)
{
  stream own;
  ledger book;
  ledger_allocator<char> allocator(book);
  check_each_call_with(book, "par(allocator).on(stream)", true, reheat::par(allocator).on(own.get()));
  check_each_call_with(book, "par_nosync(allocator).on(stream)", false, reheat::par_nosync(allocator).on(own.get()));
}

BOOST_AUTO_TEST_CASE(each_call_hears_its_allocator_throw_and_loses_nothing)
{
  stream own;
  ledger book;
  ledger_allocator<char> allocator(book);
  check_each_failure(book, "par(allocator).on(stream)", reheat::par(allocator).on(own.get()));
  check_each_failure(book, "par_nosync(allocator).on(stream)", reheat::par_nosync(allocator).on(own.get()));
}

BOOST_AUTO_TEST_CASE(policies_of_thrusts_become_ours_for_each_call)
{
  ledger book;
  ledger_allocator<char> allocator(book);
  struct derived_policy : std::decay_t<decltype(thrust::device)>
  {};
  check_each_call("a tag", true, reheat::par_like(thrust::device_system_tag{}));
  check_each_call("a derived policy", true, reheat::par_like(derived_policy{}));
  check_each_call_with(book, "device(allocator)", true, reheat::par_like(thrust::device(allocator)));
#if !defined(REHEAT_EMULATED)
  check_each_call("cuda::tag", true, reheat::par_like(thrust::cuda::tag{}));
  stream own;
  const auto like_own = reheat::par_like(program_policy(own.get()));
  BOOST_TEST((get_stream(like_own) == own.get()), "the stream of a program's own policy is lost");
  check_each_call("a program's own policy", true, like_own);
  check_each_call_with(book, "cuda::par(allocator)", true, reheat::par_like(thrust::cuda::par(allocator)));
  check_each_call_with(book, "cuda::par_nosync(allocator)", false, reheat::par_like(thrust::cuda::par_nosync(allocator)));
#endif
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
