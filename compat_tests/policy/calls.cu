// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What a call costs the host once its kind has been called before: one launch, at most one wait, and nothing else, with an
//! allocator, too. On a GPU that other programs keep busy results come too late to be polled for, and waits are counted that
//! would not be there.

#include "../support/calls.hpp"
#include "../support/host_calls.hpp"
#include "../support/memory.hpp"
#include "../support/tiles.hpp"

#include <thrust/functional.h>

using namespace compat;

BOOST_AUTO_TEST_SUITE(policy)
BOOST_AUTO_TEST_SUITE(calls)

namespace
{

using u32 = std::uint32_t;
using detail_wait = reheat::runtime::result_wait;

//! On a stream of the user's: is it being captured, and which one is it, asked in a mode that breaks no capture. The default
//! stream takes none.
constexpr std::uint64_t max_looks = 6;

host_calls cost(std::uint64_t waits)
{
  host_calls expected;
  expected.launches = 1;
  expected.waits = waits;
  return expected;
}

//! The second and the third call of a kind. `expected` of each.
template <class Call>
void check_cost(const std::string& what, const host_calls& expected, Call call)
{
  call();
  for (int round = 0; round < 2; ++round)
  {
    const host_calls actual = calls_of(call);
    BOOST_TEST(actual == expected, what << ": " << actual << "; expected " << expected);
    BOOST_TEST(actual.looks <= max_looks, what << ": " << actual);
  }
}

//! Every kind of call on `size` items through one policy. `waits`: of calls that return nothing.
template <class Policy>
void check_costs(const std::string& what, std::size_t size, std::uint64_t waits, Policy policy)
{
  const std::string with_size = what + ", " + std::to_string(size) + " items, ";
  const thrust::device_vector<u32> in = to_device(make_items<u32>(size));
  thrust::device_vector<u32> out(size);
  const u32* const first = raw(in);
  const u32* const last = first + size;
  u32* const to = raw(out);
  const auto result_waits = reheat::runtime::default_result_wait == detail_wait::poll ? std::uint64_t{0} : 1;
  check_cost(with_size + "reduce", cost(result_waits), [&] { (void)thrust::reduce(policy, first, last); });
  check_cost(with_size + "reduce in order", cost(result_waits),
             [&] { (void)thrust::reduce(policy, first, last, 1u, plus{}); });
  check_cost(with_size + "reduce_into", cost(waits), [&] { reheat::reduce_into(policy, first, last, to); });
  check_cost(with_size + "reduce_into of another type", cost(waits),
             [&]
             { reheat::reduce_into(policy, first, last, thrust::device_pointer_cast(reinterpret_cast<float*>(to)), 1u); });
  check_cost(with_size + "inclusive_scan", cost(waits), [&] { thrust::inclusive_scan(policy, first, last, to); });
  check_cost(with_size + "exclusive_scan", cost(waits),
             [&] { thrust::exclusive_scan(policy, first, last, to, 3u, plus{}); });
}

std::vector<std::size_t> some_sizes()
{
  const std::size_t tile = reduce_shape<u32, u32, thrust::plus<u32>>().tile_items();
  return {1, tile, tile + 1, 30 * tile + 5};
}

//! An allocator that looks whether the stream's work is done when memory comes back.
template <class T>
class suspicious_allocator
{
public:
  using value_type = T;
  suspicious_allocator(reheat::stream_type where, bool& early) : where_(where), early_(&early) {}
  template <class Other>
  suspicious_allocator(const suspicious_allocator<Other>& other) : where_(other.where_), early_(other.early_)
  {}
  T* allocate(std::size_t count)
  {
    ledger unused;
#if defined(REHEAT_EMULATED)
    where_->clear();
#endif
    return static_cast<T*>(ledger_allocate(unused, count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count)
  {
#if defined(REHEAT_EMULATED)
    *early_ = where_->synchronisation_count() == 0;
#else
    *early_ = cudaStreamQuery(where_) != cudaSuccess;
#endif
    ledger unused;
    ledger_free(unused, memory, count * sizeof(T));
  }

  reheat::stream_type where_;
  bool* early_;
};

//! The result of a reduction that polls for it, and how often it has waited.
template <class T, class Op>
T polled(const thrust::device_vector<T>& in, T init, Op op, std::uint64_t* waits)
{
  stream own;
  T result{};
  const host_calls calls = calls_of(
      [&]
      {
        result = reheat::detail::reduce_n<T, detail_wait::poll>(environment_on(own.get(), "polled"), raw(in), in.size(),
                                                                reheat::detail::init_value<T>{init}, op);
      });
  *waits = calls.waits;
  return result;
}

template <class T>
void check_polled(std::size_t size)
{
  const std::vector<T> items = make_items<T>(size);
  const thrust::device_vector<T> in = to_device(items);
  std::uint64_t waits = 0;
  const T init = values<T>::make(1);
  check_result("polled", size, reduce_reference<T>(items, init, fold{}), polled(in, init, fold{}, &waits));
  if (emulated) // on a GPU the first calls, which load the kernel, may take longer than the polling
  {
    BOOST_TEST(waits == 0u, type_name<T>() << ": has waited for the stream");
  }
}

} // namespace

// ---- what is asked of the machine ---------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_call_is_one_launch_and_at_most_one_wait)
{
  stream own;
  for (const std::size_t size : some_sizes())
  {
    check_costs("par", size, 1, reheat::par);
    check_costs("par.on(stream)", size, 1, reheat::par.on(own.get()));
    check_costs("par_nosync", size, 0, reheat::par_nosync);
    check_costs("par_nosync.on(stream)", size, 0, reheat::par_nosync.on(own.get()));
  }
}

BOOST_AUTO_TEST_CASE(an_allocator_costs_nothing_more)
{
  stream own;
  ledger book;
  ledger_allocator<char> allocator(book);
  for (const std::size_t size : some_sizes())
  {
    check_costs("par(allocator)", size, 1, reheat::par(allocator).on(own.get()));
    check_costs("par_nosync(allocator)", size, 0, reheat::par_nosync(allocator).on(own.get()));
  }
  BOOST_TEST(book.allocations == 0u);
}

BOOST_AUTO_TEST_CASE(values_that_fit_no_word_cost_one_allocation_and_no_fill)
{
  using T = large_value;
  const thrust::device_vector<T> in = to_device(make_items<T>(several_blocks_of_large_values()));
  thrust::device_vector<T> out(in.size());
  stream own;
  ledger book;
  ledger_allocator<char> allocator(book);
  const auto check = [&](const char* what, std::uint64_t waits, auto policy)
  {
    host_calls expected = cost(waits);
#if !defined(REHEAT_EMULATED) // there the ledger is the host's own memory
    expected.allocations = expected.frees = 1;
    expected.others = 1; // the ledger copies its content into new memory …
    expected.waits += 1; // … and waits until it is there
#endif
    const std::size_t before = book.allocations;
    check_cost(what, expected, [&] { thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin(), fold{}); });
    check_cost(what, expected,
               [&] { reheat::reduce_into(policy, in.begin(), in.end(), out.begin(), values<T>::make(0), fold{}); });
    BOOST_TEST(book.allocations - before == 6u, what << ": " << book.allocations - before << " allocations by six calls");
  };
  check("par(allocator)", 1, reheat::par(allocator).on(own.get()));
  check("par_nosync(allocator)", 0, reheat::par_nosync(allocator).on(own.get()));
}

BOOST_AUTO_TEST_CASE(streams_in_turn_cost_no_more)
{
  const std::size_t size = some_sizes().back();
  stream streams[3];
  const thrust::device_vector<u32> in = to_device(make_items<u32>(size));
  thrust::device_vector<u32> out(size);
  const auto round = [&]
  {
    for (stream& each : streams)
    {
      (void)thrust::reduce(reheat::par.on(each.get()), raw(in), raw(in) + size);
      thrust::inclusive_scan(reheat::par_nosync.on(each.get()), raw(in), raw(in) + size, raw(out));
    }
  };
  round();
  host_calls expected;
  expected.launches = 6;
  expected.waits = reheat::runtime::default_result_wait == detail_wait::poll ? 0 : 3;
  const host_calls actual = calls_of(round);
  BOOST_TEST(actual == expected, actual << "; expected " << expected);
}

// ---- memory of the user's -----------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_policy_that_waits_gives_the_allocator_nothing_back_that_is_in_use)
{
  using T = large_value;
  const thrust::device_vector<T> in = to_device(make_items<T>(several_blocks_of_large_values()));
  thrust::device_vector<T> out(in.size());
  const T init = values<T>::make(0);
  stream own;
  bool early = true;
  const suspicious_allocator<char> allocator(own.get(), early);
  const auto policy = reheat::par(allocator).on(own.get());
  const auto check = [&](const char* what)
  {
    BOOST_TEST(!early, what);
    early = true; // also if the allocator gets nothing back
  };
  (void)thrust::reduce(policy, in.begin(), in.end(), init, fold{});
  check("reduce");
  reheat::reduce_into(policy, in.begin(), in.end(), out.begin(), init, fold{});
  check("reduce_into");
  thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin(), fold{});
  check("inclusive_scan");
  thrust::exclusive_scan(policy, in.begin(), in.end(), out.begin(), init, fold{});
  check("exclusive_scan");
}

// ---- polling for a result -----------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_polled_result_needs_no_wait)
{
  for (const std::size_t size : {std::size_t(1), some_sizes().back()})
  {
    check_polled<std::uint8_t>(size);
    check_polled<std::int16_t>(size);
    check_polled<u32>(size);
    check_polled<double>(size);
  }
}

BOOST_AUTO_TEST_CASE(a_result_that_looks_as_if_it_had_not_come_is_returned_all_the_same)
{
  for (const std::uint64_t value : {std::uint64_t{0xa7a7a7a7a7a7a7a7u}, std::uint64_t{0}, ~std::uint64_t{0}})
  {
    std::uint64_t waits = 0;
    const auto check = [&](auto result)
    {
      using type = decltype(result);
      const thrust::device_vector<type> in(1, result);
      check_result("polled", 1, result, polled(in, type{}, thrust::plus<type>(), &waits));
    };
    check(static_cast<std::uint8_t>(value));
    check(static_cast<u32>(value));
    check(value);
    if (emulated)
    {
      BOOST_TEST((waits == 1u) == (value == 0xa7a7a7a7a7a7a7a7u));
    }
  }
}

BOOST_AUTO_TEST_CASE(all_words_of_a_result_are_polled_for)
{
  using places = reheat::detail::extrema_indices;
  constexpr std::uint64_t pattern = 0xa7a7a7a7a7a7a7a7u;
  stream own;
  for (const places wanted : {places{3, 5}, places{pattern, 5}, places{3, pattern}, places{pattern, pattern}})
  {
    places actual{};
    const host_calls calls = calls_of(
        [&]
        {
          actual = reheat::runtime::result_on_host<places, detail_wait::poll>(environment_on(own.get(), "places"),
                                                                              [&](places* result) { *result = wanted; });
        });
    BOOST_TEST(actual.smallest == wanted.smallest);
    BOOST_TEST(actual.largest == wanted.largest);
    BOOST_TEST(calls.waits == (wanted.smallest == pattern || wanted.largest == pattern ? 1u : 0u));
  }
}

BOOST_AUTO_TEST_CASE(a_result_that_is_not_stored_in_one_piece_is_waited_for)
{
  const std::vector<words<3>> items = make_items<words<3>>(100);
  const thrust::device_vector<words<3>> in = to_device(items);
  std::uint64_t waits = 0;
  const words<3> init = values<words<3>>::make(0);
  check_result("polled", items.size(), reduce_reference<words<3>>(items, init, fold{}), polled(in, init, fold{}, &waits));
  BOOST_TEST(waits == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
