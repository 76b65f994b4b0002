// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! DeviceReduce, DeviceScan, DeviceSelect and DevicePartition in one phase: results of all forms, and what a call reads in
//! its environment. CCCL has environments since 3.1; with an older one, each case checks that.

#include "one_phase.hpp"

#include "../support/host_calls.hpp"

#include <thrust/version.h>

#if REHEAT_HAS_ENVIRONMENTS && !defined(REHEAT_EMULATED)
#  include <cuda/memory_resource>
#  include <cuda/stream_ref>
#endif
#if REHEAT_HAS_DEFERRED_ARGUMENTS
#  include "forms.hpp"
#endif

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(environment)

namespace
{

#if REHEAT_HAS_ENVIRONMENTS

#  define REHEAT_WITH_ENVIRONMENTS(check) check

namespace execution = ::cuda::execution;
namespace properties = ::cuda::std::execution;
using namespace one_phase;

//! One item, around one tile, and many.
std::vector<std::size_t> some_sizes()
{
  const std::size_t tile = reduce_shape<u32, u32, plus>().tile_items();
  return {1, tile, tile + 1, 20 * tile + 5};
}

void check_streams()
{
  stream own;
  const reheat::stream_type other = own.get();
  const auto of = [](const auto& env) { return reheat::device_wide::stream_of(env); };
  const auto required = execution::require(execution::determinism::run_to_run);
  BOOST_TEST((of(properties::env<>{}) == reheat::stream_type{}));
  BOOST_TEST((of(required) == reheat::stream_type{}));
  BOOST_TEST((of(nullptr) == reheat::stream_type{}));
  BOOST_TEST((of(0) == reheat::stream_type{}));
  BOOST_TEST((of(other) == other));
  BOOST_TEST((of(with_stream{other}) == other));
#  if !defined(REHEAT_EMULATED)
  const ::cuda::stream_ref ref(other);
  struct converts
  {
    cudaStream_t stream;
    operator ::cuda::stream_ref() const noexcept { return stream; }
  };
  struct has_stream
  {
    cudaStream_t held;
    ::cuda::stream_ref stream() const noexcept { return held; }
  };
  const auto property = properties::prop{::cuda::get_stream_t{}, ref};
  const auto unknown = properties::prop{unknown_query{}, 1};
  BOOST_TEST((of(ref) == other));
  BOOST_TEST((of(converts{other}) == other));
  BOOST_TEST((of(has_stream{other}) == other));
  BOOST_TEST((of(property) == other));
  BOOST_TEST((of(properties::env{required, property}) == other));
  BOOST_TEST((of(properties::env{ref, required, unknown}) == other));
#  endif
}

void check_results()
{
  for (const std::size_t count : some_sizes())
  {
    check_calls("", count);
    stream own;
    check_calls(" on a stream", count, own.get());
#  if defined(REHEAT_EMULATED)
    own.get()->clear();
    std::size_t calls = 0;
    const host_calls asked = calls_of([&] { calls = check_calls(" in an environment", count, with_stream{own.get()}); });
    host_calls expected;
    expected.launches = calls;
    BOOST_TEST(asked == expected, asked);
    BOOST_TEST(own.get()->launch_count() == calls);
#  else
    const ::cuda::stream_ref ref(own.get());
    const auto unknown = properties::prop{unknown_query{}, 1};
    check_calls(" on a stream_ref", count, ref);
    check_calls(" in an env", count, properties::env{ref, unknown});
#  endif
  }
}

void check_results_of_nothing()
{
  problem p(1);
  stream own;
  const with_stream env{own.get()};
  p.left("Reduce of nothing", DeviceReduce::Reduce(p.in(), p.out(), 0, plus{}, 3u, env), {3});
  p.left("Sum of nothing", DeviceReduce::Sum(p.in(), p.out(), 0, env), {0});
  p.left("Min of nothing", DeviceReduce::Min(p.in(), p.out(), 0, env), {std::numeric_limits<u32>::max()});
  p.left("Max of nothing", DeviceReduce::Max(p.in(), p.out(), 0, env), {0});
  p.left("ArgMin of nothing", DeviceReduce::ArgMin(p.in(), p.out(), p.place(), 0, env), {std::numeric_limits<u32>::max()});
  p.left("ArgMax of nothing, compared", DeviceReduce::ArgMax(p.in(), p.out(), p.place(), 0, item_less{}, env), {0});
  p.left("InclusiveSum of nothing", DeviceScan::InclusiveSum(p.in(), p.out(), 0, env), {0xdeadu});
  p.left_runs("Unique of nothing", DeviceSelect::Unique(p.in(), p.out(), p.place(), 0, env), {});
  p.left_runs("UniqueByKey of nothing",
              DeviceSelect::UniqueByKey(p.keys(), p.in(), p.keys_out(), p.out(), p.place(), 0, env), {});
  BOOST_TEST((DeviceReduce::Sum(p.in(), p.out(), -1, env) == reheat::runtime::invalid_value));
  BOOST_TEST((DeviceSelect::Unique(p.in(), p.out(), p.place(), -1, env) == reheat::runtime::invalid_value));
}

//! As CUB's, Min and Max begin with the limits of the output's type in one phase, and of the items' in two.
void check_limits()
{
  const thrust::device_vector<std::int64_t> large = to_device(std::vector<std::int64_t>{std::int64_t{1} << 40});
  const thrust::device_vector<std::int64_t> small = to_device(std::vector<std::int64_t>{-(std::int64_t{1} << 40)});
  thrust::device_vector<std::int32_t> out(1);
  BOOST_TEST((DeviceReduce::Min(raw(large), raw(out), 1) == success));
  BOOST_TEST(to_host(out)[0] == std::numeric_limits<std::int32_t>::max());
  BOOST_TEST((DeviceReduce::Max(raw(small), raw(out), 1) == success));
  BOOST_TEST(to_host(out)[0] == std::numeric_limits<std::int32_t>::lowest());
}

void check_memory_resource()
{
  using record = ledger_stream_resource::record;
  for (const std::size_t count : some_sizes())
  {
    record book;
    stream own;
    const with_resource env{own.get(), ledger_stream_resource(book)};
    const std::size_t kept = reheat::workspace_bytes();
    const std::size_t calls = check_calls(" with a memory resource", count, env);
    BOOST_TEST(reheat::workspace_bytes() == kept);
    BOOST_TEST(book.allocations == (count == 1 ? 0 : count == some_sizes().back() ? calls : book.allocations));
    BOOST_TEST(book.given_back == book.allocations);
    BOOST_TEST(book.held == 0);
    BOOST_TEST((book.allocations == 0 || book.stream == own.get()));
  }
}

void check_failing_memory_resource()
{
  const std::size_t count = some_sizes().back();
  problem p(count);
  stream own;
  ledger_stream_resource::record book;
  const with_resource env{own.get(), ledger_stream_resource(book)};
  book.fails = true;
  BOOST_TEST((DeviceReduce::Sum(p.in(), p.out(), count, env) == reheat::runtime::out_of_memory));
  BOOST_TEST((DeviceScan::InclusiveSum(p.in(), p.out(), count, env) == reheat::runtime::out_of_memory));
  BOOST_TEST((DeviceReduce::Sum(p.in(), p.out(), -1, env) == reheat::runtime::invalid_value));
#  if defined(REHEAT_EMULATED)
  BOOST_TEST(own.get()->launch_count() == 0u);
#  endif
  book = {};
  book.refuses = true;
  BOOST_TEST((DeviceReduce::Sum(p.in(), p.out(), count, env) == reheat::runtime::out_of_memory));
  p.left("Sum before its memory was refused", success, {p.sum(0)});
  book.refuses = false;
  p.left("Sum after failures", DeviceReduce::Sum(p.in(), p.out(), count, env), {p.sum(0)});
  BOOST_TEST(book.held == 0);
}

//! What a result may be required to be. Calls with other requirements do not compile (compat_tests/device/refused.cu).
void check_determinism()
{
  const auto not_guaranteed = execution::require(execution::determinism::not_guaranteed);
  const auto run_to_run = execution::require(execution::determinism::run_to_run);
  const auto gpu_to_gpu = execution::require(execution::determinism::gpu_to_gpu);
  const std::size_t count = some_sizes().back();
  problem p(count);
  check_reductions(" without a guarantee", p, count, not_guaranteed);
  check_scans_in(" without a guarantee", p, count, not_guaranteed);
  check_reductions(" the same in every run", p, count, run_to_run); // user's operators, too
  check_scans_in(" the same in every run", p, count, run_to_run);
  const ::cuda::std::plus<> known{};
  const auto items = static_cast<std::int64_t>(count);
  p.left("Sum on every GPU", DeviceReduce::Sum(p.in(), p.out(), count, gpu_to_gpu), {p.sum(0)});
  p.left("Reduce on every GPU", DeviceReduce::Reduce(p.in(), p.out(), count, known, 3u, gpu_to_gpu), {p.sum(3)});
  p.left("Min on every GPU", DeviceReduce::Min(p.in(), p.out(), count, gpu_to_gpu), {p.item(p.smallest())});
  p.left_extremum("ArgMax on every GPU", DeviceReduce::ArgMax(p.in(), p.out(), p.place(), items, gpu_to_gpu), p.largest());
  p.left("InclusiveSum on every GPU", DeviceScan::InclusiveSum(p.in(), p.out(), count, gpu_to_gpu), p.inclusive(0));
  p.left("InclusiveSumByKey on every GPU",
         DeviceScan::InclusiveSumByKey(p.keys(), p.in(), p.out(), count, ::cuda::std::equal_to<>{}, gpu_to_gpu),
         p.inclusive_by_key());
  const thrust::device_vector<float> reals = to_device(std::vector<float>{2.5f, -1.5f, 3});
  thrust::device_vector<float> real(1);
  BOOST_TEST((DeviceReduce::Min(raw(reals), raw(real), 3, gpu_to_gpu) == success));
  BOOST_TEST(to_host(real)[0] == -1.5f);

  // As under a policy: the association does not depend on where memory begins.
  std::vector<float> rounding;
  for (std::size_t i = 0; i < count; ++i)
  {
    rounding.push_back(static_cast<float>(mix(i) % 1000) * 0.37f - 120);
  }
  placed<float> in(rounding, 0), behind(rounding, 1), out(count, 0), other(count, 1);
  thrust::inclusive_scan(reheat::par.with(reheat::gpu_to_gpu), in.begin(), in.end(), out.begin());
  BOOST_TEST((DeviceScan::InclusiveSum(behind.begin(), other.begin(), count, gpu_to_gpu) == success));
  check_bitwise("InclusiveSum of floats on every GPU", out.items(), other.items());

  using reheat::algorithms::is_reproducible_v;
  static_assert(is_reproducible_v<::cuda::std::plus<>, int> && !is_reproducible_v<::cuda::std::plus<>, float>);
  static_assert(is_reproducible_v<::cuda::std::logical_or<>, int> && !is_reproducible_v<plus, u32>);
  static_assert(is_reproducible_v<::cuda::std::bit_xor<u32>, u32> && !is_reproducible_v<::cuda::std::multiplies<>, double>);
}

//! What `with` makes of a T, given to a policy with these options.
template <class T, class... Options>
constexpr reheat::detail::determinism asked_of(const T& given, const Options&... options)
{
  return decltype(reheat::par.with(options...).with(given))::option::determinism;
}

//! A policy takes determinisms of CCCL's as reheat's own option. Calls that can not keep one do not compile
//! (compat_tests/device/refused.cu).
void check_determinism_of_policies()
{
  using reheat::detail::determinism;
  namespace given = execution::determinism;
  static_assert(asked_of(given::gpu_to_gpu) == determinism::gpu_to_gpu);
  static_assert(asked_of(given::run_to_run) == determinism::run_to_run);
  static_assert(asked_of(given::not_guaranteed, reheat::gpu_to_gpu) == determinism::not_guaranteed);
  BOOST_TEST((asked_of(execution::require(given::gpu_to_gpu), reheat::exact_sums) == determinism::gpu_to_gpu));
  BOOST_TEST((asked_of(execution::require(given::run_to_run), reheat::gpu_to_gpu) == determinism::run_to_run));
  BOOST_TEST((asked_of(execution::require(given::not_guaranteed)) == determinism::not_guaranteed));

  std::vector<float> items;
  for (std::size_t i = 0; i < some_sizes().back(); ++i)
  {
    items.push_back(static_cast<float>(mix(i) % 1000) * 0.37f - 120);
  }
  placed<float> in(items, 1), own(items.size(), 1), out(items.size(), 1), other(items.size(), 1);
  for (const bool streams : {false, true})
  {
    const force_scans all(streams ? streaming_scans() : forced_scan());
    thrust::inclusive_scan(reheat::par.with(reheat::gpu_to_gpu), in.begin(), in.end(), own.begin());
    thrust::inclusive_scan(reheat::par.with(given::gpu_to_gpu), in.begin(), in.end(), out.begin());
    check_bitwise("inclusive_scan with a determinism", own.items(), out.items());
    thrust::inclusive_scan(reheat::par.with(reheat::start_early, execution::require(given::gpu_to_gpu)), in.begin(),
                           in.end(), other.begin());
    check_bitwise("inclusive_scan with a requirement", own.items(), other.items());
    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), own.begin());
    thrust::inclusive_scan(reheat::par.with(execution::require(given::run_to_run)), in.begin(), in.end(), out.begin());
    check_bitwise("inclusive_scan with run_to_run", own.items(), out.items());
  }
}

//! In the stream's place a call in two phases takes an environment, if CUB's of CCCL 3.5 does.
void check_environment_in_two_phases()
{
  const std::size_t count = some_sizes().back();
  const auto items = static_cast<std::int64_t>(count);
  problem p(count);
  stream own;
  const with_stream env{own.get()};
  const auto both_phases = [](auto call)
  {
    std::size_t bytes = 0;
    BOOST_TEST((call(nullptr, bytes) == success));
    thrust::device_vector<unsigned char> memory(bytes);
    const reheat::status_type status = call(raw(memory), bytes);
    wait_for_all_streams();
    return status;
  };
  const auto two = [&](const char* what, std::size_t place, auto call) { p.left_extremum(what, both_phases(call), place); };
  two("ArgMin in two phases", p.smallest(),
      [&](void* memory, std::size_t& bytes)
      { return DeviceReduce::ArgMin(memory, bytes, p.in(), p.out(), p.place(), items, env); });
  two("ArgMax in two phases", p.largest(),
      [&](void* memory, std::size_t& bytes)
      { return DeviceReduce::ArgMax(memory, bytes, p.in(), p.out(), p.place(), items, env); });
  two("ArgMin in two phases, compared", p.smallest(),
      [&](void* memory, std::size_t& bytes)
      { return DeviceReduce::ArgMin(memory, bytes, p.in(), p.out(), p.place(), items, item_less{}, env); });
  two("ArgMax in two phases, compared", p.largest(),
      [&](void* memory, std::size_t& bytes)
      { return DeviceReduce::ArgMax(memory, bytes, p.in(), p.out(), p.place(), items, item_less{}, env); });
  const equal same{};
  const item_in_ten in_ten{};
  p.left_runs("Unique in two phases",
              both_phases([&](void* memory, std::size_t& bytes)
                          { return DeviceSelect::Unique(memory, bytes, p.keys(), p.out(), p.place(), items, env); }),
              p.first_keys_of_runs(same));
  p.left_runs("Unique in two phases, compared",
              both_phases([&](void* memory, std::size_t& bytes)
                          { return DeviceSelect::Unique(memory, bytes, p.keys(), p.out(), p.place(), items, in_ten, env); }),
              p.first_keys_of_runs(in_ten));
  u32* const data = p.data();
  p.left_runs("Unique in two phases, in place",
              both_phases([&](void* memory, std::size_t& bytes)
                          { return DeviceSelect::Unique(memory, bytes, data, p.place(), items, env); }),
              p.first_of_runs(same));
  u32* const again = p.data();
  p.left_runs("Unique in two phases, in place, compared",
              both_phases([&](void* memory, std::size_t& bytes)
                          { return DeviceSelect::Unique(memory, bytes, again, p.place(), items, in_ten, env); }),
              p.first_of_runs(in_ten));
  p.left_runs("UniqueByKey in two phases",
              both_phases(
                  [&](void* memory, std::size_t& bytes) {
                    return DeviceSelect::UniqueByKey(memory, bytes, p.keys(), p.in(), p.keys_out(), p.out(), p.place(),
                                                     count, env);
                  }),
              p.first_of_key_runs(same), p.first_keys_of_runs(same));
  p.left_runs("UniqueByKey in two phases, compared",
              both_phases(
                  [&](void* memory, std::size_t& bytes)
                  {
                    return DeviceSelect::UniqueByKey(memory, bytes, p.keys(), p.in(), p.keys_out(), p.out(), p.place(),
                                                     count, in_ten, env);
                  }),
              p.first_of_key_runs(in_ten), p.first_keys_of_runs(in_ten));
  const item_is_odd odd{};
  const auto is_odd = [&](u32 item, u32) { return odd(item); };
  const std::vector<u32> odd_items = p.selected(is_odd), odd_keys = p.selected([&](u32, u32 key) { return odd(key); }),
                         flagged = p.selected([](u32, u32 key) { return key != 0; });
  const auto selects = [&](const char* what, const std::vector<u32>& expected, auto call)
  { p.left_runs(what, both_phases(call), expected); };
  selects("If in two phases", odd_items,
          [&](void* memory, std::size_t& bytes)
          { return DeviceSelect::If(memory, bytes, p.in(), p.out(), p.place(), items, odd, env); });
  selects("Flagged in two phases", flagged,
          [&](void* memory, std::size_t& bytes)
          { return DeviceSelect::Flagged(memory, bytes, p.in(), p.keys(), p.out(), p.place(), items, env); });
  selects("FlaggedIf in two phases", odd_keys,
          [&](void* memory, std::size_t& bytes)
          { return DeviceSelect::FlaggedIf(memory, bytes, p.in(), p.keys(), p.out(), p.place(), items, odd, env); });
  u32* const for_if = p.data();
  selects("If in two phases, in place", odd_items,
          [&](void* memory, std::size_t& bytes)
          { return DeviceSelect::If(memory, bytes, for_if, p.place(), items, odd, env); });
  u32* const for_flagged = p.data();
  selects("Flagged in two phases, in place", flagged,
          [&](void* memory, std::size_t& bytes)
          { return DeviceSelect::Flagged(memory, bytes, for_flagged, p.keys(), p.place(), items, env); });
  u32* const for_flagged_if = p.data();
  selects("FlaggedIf in two phases, in place", odd_keys,
          [&](void* memory, std::size_t& bytes)
          { return DeviceSelect::FlaggedIf(memory, bytes, for_flagged_if, p.keys(), p.place(), items, odd, env); });
  p.left("partition If in two phases",
         both_phases([&](void* memory, std::size_t& bytes)
                     { return DevicePartition::If(memory, bytes, p.in(), p.out(), p.place(), items, odd, env); }),
         odd_items);
  p.left("partition Flagged in two phases",
         both_phases([&](void* memory, std::size_t& bytes)
                     { return DevicePartition::Flagged(memory, bytes, p.in(), p.keys(), p.out(), p.place(), items, env); }),
         flagged);
  const item_is_low few{};
  p.left_runs("partition If in three, in two phases",
              both_phases(
                  [&](void* memory, std::size_t& bytes)
                  {
                    return DevicePartition::If(memory, bytes, p.in(), p.out(), p.keys_out(), thrust::make_discard_iterator(),
                                               p.place(), count, odd, few, env);
                  }),
              odd_items, p.selected([&](u32 item, u32) { return !odd(item) && few(item); }));
#  if defined(REHEAT_EMULATED)
  BOOST_TEST(own.get()->launch_count() == 8u + 15 * 2);
#  endif
}

//! A pair as CUB's.
struct key_and_value
{
  using Key = int;
  using Value = u32;
  key_and_value() = default;
  REHEAT_HOST_DEVICE key_and_value(Key index, Value item) : key(index), value(item) {}
  Key key;
  Value value;
};

//! Calls whose templates in one phase would match, too: the memory becomes an iterator, and its size the other one.
template <class Memory>
void check_two_phases(const char* memory_is, problem& p, std::size_t count, Memory memory, std::size_t bytes)
{
  const plus op{};
  thrust::device_vector<key_and_value> pair(1);
  const auto check = [&](const char* call, reheat::status_type status, const std::vector<u32>& expected)
  {
    const std::string what = std::string(call) + ", memory is " + memory_is;
    p.left(what, status, memory == nullptr ? std::vector<u32>{0xdeadu} : expected);
    BOOST_TEST(bytes > 0u, what);
  };
  const bool measures = memory == nullptr;
  u32* const data = p.out();
  const auto refill = [&] { return measures ? data : p.data(); };
  check("Sum", DeviceReduce::Sum(memory, bytes, p.in(), p.out(), count), {p.sum(0)});
  check("ExclusiveSum", DeviceScan::ExclusiveSum(memory, bytes, refill(), count), p.exclusive(0));
  check("InclusiveSum", DeviceScan::InclusiveSum(memory, bytes, refill(), count), p.inclusive(0));
  check("ExclusiveScan", DeviceScan::ExclusiveScan(memory, bytes, refill(), op, 3u, count), p.exclusive(3));
  check("InclusiveScan", DeviceScan::InclusiveScan(memory, bytes, refill(), op, count), p.inclusive(0));
  check("ExclusiveSumByKey", DeviceScan::ExclusiveSumByKey(memory, bytes, p.keys(), p.in(), p.out(), count),
        p.exclusive_by_key(0));
  check("InclusiveSumByKey", DeviceScan::InclusiveSumByKey(memory, bytes, p.keys(), p.in(), p.out(), count),
        p.inclusive_by_key());
  const int items = static_cast<int>(count);
  const equal same{};
  check("Unique", DeviceSelect::Unique(memory, bytes, p.keys(), p.out(), p.place(), items), p.first_keys_of_runs(same));
  check("Unique, compared", DeviceSelect::Unique(memory, bytes, p.keys(), p.out(), p.place(), items, same),
        p.first_keys_of_runs(same));
  check("Unique in place", DeviceSelect::Unique(memory, bytes, refill(), p.place(), items), p.first_of_runs(same));
  check("Unique in place, compared", DeviceSelect::Unique(memory, bytes, refill(), p.place(), items, same),
        p.first_of_runs(same));
  check("UniqueByKey", DeviceSelect::UniqueByKey(memory, bytes, p.keys(), p.in(), p.keys_out(), p.out(), p.place(), count),
        p.first_of_key_runs(same));
  check("UniqueByKey, compared",
        DeviceSelect::UniqueByKey(memory, bytes, p.keys(), p.in(), p.keys_out(), p.out(), p.place(), count, same),
        p.first_of_key_runs(same));
  BOOST_TEST((DeviceReduce::ArgMin(memory, bytes, p.in(), raw(pair), items) == success), memory_is);
  BOOST_TEST((measures || to_host(pair)[0].value == p.item(p.smallest())), memory_is);
}

void check_forms()
{
  const std::size_t count = some_sizes().back();
  problem p(count);
  thrust::device_vector<unsigned char> memory(1 << 20);
  check_two_phases("null", p, count, nullptr, 0);
  check_two_phases("void*", p, count, static_cast<void*>(nullptr), 0);
  check_two_phases("char*", p, count, static_cast<char*>(nullptr), 0);
  check_two_phases("unsigned char*", p, count, raw(memory), memory.size());
  check_two_phases("void*", p, count, static_cast<void*>(raw(memory)), memory.size());
#  if REHEAT_HAS_DEFERRED_ARGUMENTS
  all_forms<forms_of_reheat>();
#    if !defined(REHEAT_EMULATED)
  all_forms<forms_of_cub>();
#    endif
#  endif
}

#else

#  define REHEAT_WITH_ENVIRONMENTS(check) check_absence()

void check_absence()
{
  BOOST_TEST_MESSAGE("not checked: CCCL has no environments before 3.1, and this one is " << THRUST_VERSION);
  BOOST_TEST(THRUST_VERSION < 300100);
}

#endif

} // namespace

BOOST_AUTO_TEST_CASE(an_environment_says_on_which_stream)
{
  REHEAT_WITH_ENVIRONMENTS(check_streams());
}

BOOST_AUTO_TEST_CASE(a_call_in_one_phase_gives_the_result_by_one_launch)
{
  REHEAT_WITH_ENVIRONMENTS(check_results());
}

BOOST_AUTO_TEST_CASE(a_call_of_no_items_gives_initial_values)
{
  REHEAT_WITH_ENVIRONMENTS(check_results_of_nothing());
}

BOOST_AUTO_TEST_CASE(a_minimum_in_one_phase_begins_with_the_limit_of_the_output)
{
  REHEAT_WITH_ENVIRONMENTS(check_limits());
}

BOOST_AUTO_TEST_CASE(a_memory_resource_gives_all_memory_and_gets_it_back)
{
  REHEAT_WITH_ENVIRONMENTS(check_memory_resource());
}

BOOST_AUTO_TEST_CASE(a_memory_resource_that_fails_is_out_of_memory)
{
  REHEAT_WITH_ENVIRONMENTS(check_failing_memory_resource());
}

BOOST_AUTO_TEST_CASE(a_determinism_that_holds_may_be_required)
{
  REHEAT_WITH_ENVIRONMENTS(check_determinism());
}

BOOST_AUTO_TEST_CASE(a_policy_takes_a_determinism_as_an_option)
{
  REHEAT_WITH_ENVIRONMENTS(check_determinism_of_policies());
}

BOOST_AUTO_TEST_CASE(a_call_in_two_phases_takes_an_environment_as_the_stream)
{
  REHEAT_WITH_ENVIRONMENTS(check_environment_in_two_phases());
}

BOOST_AUTO_TEST_CASE(a_call_with_memory_of_any_type_has_two_phases)
{
  REHEAT_WITH_ENVIRONMENTS(check_forms());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
