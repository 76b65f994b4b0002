// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every call of the machine fails in turn, with each plausible code, in every algorithm's calls under every form of policy:
//! in a first, a steady and a growing call, and in captures. The caller hears of it, nothing is lost or stays behind, and
//! the next call is right. Part of the compat tests, and of a program on a CUDA runtime that has no device
//! (cuda_model/). There kernels do not run, so results are not looked at.

#include "../device/one_phase.hpp"
#include "../support/device_calls.hpp"
#include "../support/failures.hpp"
#include "../support/family_calls.hpp"
#include "../support/large_calls.hpp"
#include "../support/offsets.hpp"

#include <thrust/copy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/system_error.h>
#include <thrust/tuple.h>

#if defined(REHEAT_CUDA_MODEL)
#  include "../cuda_model/cuda_model.hpp"
#endif
#if !defined(REHEAT_EMULATED)
#  include "../support/graphs.hpp"
#endif

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <set>
#include <string>

using namespace compat;

BOOST_AUTO_TEST_SUITE(policy)
BOOST_AUTO_TEST_SUITE(failures)

namespace
{

using u32 = std::uint32_t;

//! A call that can be made again and again.
struct tried_call
{
  std::string name;
  std::function<void()> call;
  std::function<void()> check; //!< calls, and looks at all that it gives
  bool is_captured = false;    //!< rather than refused
};

struct tally
{
  std::size_t runs = 0, thrown = 0, got_over = 0;
  std::set<std::string> sites, codes;

  void print(const char* what) const
  {
    BOOST_TEST_MESSAGE(what << ": " << runs << " faults injected, " << sites.size() << " functions, " << codes.size()
                            << " pairs of function and code; " << thrown << " were thrown, " << got_over
                            << " the call got over");
  }
};

//! A situation in which calls are made.
struct situation
{
  const char* name;
  std::function<void(const tried_call&)> prepare;
  std::function<void(const tried_call&)> call;  //!< throws what the call throws
  std::function<void(const tried_call&)> check; //!< another call in the same place is right
};

//! An error that the library does not pass on as it came.
bool stands_for(const std::string& site, int injected, int heard)
{
#if !defined(REHEAT_EMULATED)
  if (site == "cuThreadExchangeStreamCaptureMode") // what follows breaks the capture
  {
    return heard == static_cast<int>(cudaErrorStreamCaptureUnsupported) ||
           heard == static_cast<int>(cudaErrorStreamCaptureInvalidated);
  }
  if (site == "cuCtxGetId")
  {
    return heard == static_cast<int>(cudaErrorDeviceUninitialized) || heard == injected;
  }
#endif
  return emulated ? heard != 0 : heard == injected && !site.empty();
}

//! Whether no call can do without it.
bool has_to_be_heard(const std::string& site)
{
  return site.find("Launch") != std::string::npos || site.find("Synchronize") != std::string::npos || site == "launch" ||
         site == "wait_for" || site == "zero";
}

//! Whose own calls do not fail.
template <class T>
class sound_allocator : public ledger_allocator<T>
{
public:
  using ledger_allocator<T>::ledger_allocator;
  T* allocate(std::size_t count)
  {
    const injection_pause pause;
    return ledger_allocator<T>::allocate(count);
  }
  void deallocate(T* memory, std::size_t count)
  {
    const injection_pause pause;
    ledger_allocator<T>::deallocate(memory, count);
  }
};

class fault_runner
{
public:
  //! Lets each call of the machine fail that `call` makes in `where`.
  void run(const std::string& policy, const situation& where, const tried_call& call)
  {
    where.prepare(call);
    wait_until_graphs_own_nothing();
    std::vector<std::string> calls;
    live_things made = live_now();
    const std::size_t launches = calls_of(
                                     [&]
                                     {
                                       const injection none(0, 0);
                                       where.call(call);
                                       calls = none.calls();
                                     })
                                     .launches;
    wait_until_graphs_own_nothing();
    where.check(call);
    made = live_now() - made;
    for (std::size_t nth = 1; nth <= calls.size(); ++nth)
    {
      std::vector<int> codes = plausible_codes(calls[nth - 1]);
      if (kernels_run)
      {
        codes.resize(1); // the others take the same ways: the model has them all, in a hundredth of the time
      }
      for (const int code : codes)
      {
        run_one(policy + ", " + where.name + ", " + call.name, where, call, nth, code, launches, made);
      }
    }
  }
  const tally& counted() const { return counted_; }

private:
  void run_one(const std::string& what, const situation& where, const tried_call& call, std::size_t nth, int code,
               std::size_t launches, const live_things& made)
  {
    where.prepare(call);
    wait_until_graphs_own_nothing(); // else the next call may need memory of its own
    const live_things before = live_now();
    heard caller;
    std::string site;
    std::size_t launched = 0;
    {
      const injection fault(nth, code);
      launched = calls_of([&] { caller = hear([&] { where.call(call); }); }).launches;
      if (!fault.has_failed())
      {
        return; // by now the library knows what it asked for the first time
      }
      site = fault.calls()[nth - 1];
    }
    const std::string here =
        what + ", call " + std::to_string(nth) + " of the machine, " + site + ", fails with " + std::to_string(code);
    ++counted_.runs;
    ++(caller.thrown ? counted_.thrown : counted_.got_over);
    counted_.sites.insert(site);
    counted_.codes.insert(site + " " + std::to_string(code));
    BOOST_CHECK_MESSAGE(caller.wrong.empty(), here << ": \"" << caller.text << "\"" << caller.wrong);
    BOOST_CHECK_MESSAGE(!caller.thrown || stands_for(site, code, caller.code),
                        here << ": the caller hears of " << caller.code << ", \"" << caller.text << "\"");
    BOOST_CHECK_MESSAGE(caller.thrown || !has_to_be_heard(site), here << ": the caller does not hear of it");
    BOOST_CHECK_MESSAGE(caller.thrown || launched == launches,
                        here << ": " << launched << " launches instead of " << launches << ", and no error");
    BOOST_CHECK_MESSAGE(!error_is_pending(), here << ": an error has stayed behind");
    BOOST_CHECK_MESSAGE(capture_mode_is_global(), here << ": the thread's mode of captures has changed");
    wait_until_graphs_own_nothing();
    const heard next = hear([&] { where.check(call); });
    BOOST_CHECK_MESSAGE(!next.thrown, here << ": the next call throws \"" << next.text << "\"");
    const live_things left = live_now() - before;
    BOOST_CHECK_MESSAGE(left.memory <= made.memory && left.events <= made.events && left.streams <= made.streams &&
                            left.pools <= made.pools && left.user_objects == made.user_objects,
                        here << ": " << left << " are left, without a fault " << made);
  }

  tally counted_;
};

// ---- calls --------------------------------------------------------------------------------------------------------------

template <class Policy>
std::vector<tried_call> tried_calls(const Policy& policy, family_memory& memory)
{
  std::vector<tried_call> calls;
  for (const family_call& each : family_calls(policy, memory))
  {
    const auto check = [each, &memory]
    {
      if (kernels_run)
      {
        each.check("after a fault", memory);
      }
      else
      {
        (void)each.call();
      }
    };
    calls.push_back({each.name, [each] { (void)each.call(); }, check, each.what() == gives::nothing});
  }
  return calls;
}

template <class Policy>
std::vector<tried_call> tried_large_calls(const Policy& policy)
{
  std::vector<tried_call> calls;
  for (const large_call& each : calls_with_large_values(policy))
  {
    each.call();
    const auto expected = std::make_shared<std::vector<large_value>>();
    if (kernels_run)
    {
      *expected = each.result();
    }
    const auto check = [each, expected]
    {
      each.call();
      if (kernels_run)
      {
        check_same(each.name + " after a fault", *expected, each.result());
      }
    };
    calls.push_back({each.name + " of large values", each.call, check, false});
  }
  return calls;
}

struct first_is_odd
{
  template <class Tuple>
  REHEAT_HOST_DEVICE bool operator()(const Tuple& tuple) const
  {
    return thrust::get<0>(tuple) % 2 == 1;
  }
};

template <class It>
auto zipped(It first, It second)
{
  return thrust::make_zip_iterator(thrust::make_tuple(first, second));
}

//! Items and keys, and what calls make of them that Thrust does not have, or that take zipped arrays.
class own_memory
{
public:
  explicit own_memory(std::size_t size)
      : items_(make_items<u32>(size)),
        keys_(make_keys(size, segments::of_few, scan_by_key_tile<u32>())), few_{0, static_cast<u32>(size / 3),
                                                                                static_cast<u32>(size / 3),
                                                                                static_cast<u32>(size)},
        all_(size + 1), in_(to_device(items_)), keys_in_(to_device(keys_)), ones_(size, 1.0f), few_in_(to_device(few_)),
        out_(size), others_(size), count_(1), sum_(1)
  {
    std::iota(all_.begin(), all_.end(), 0u);
    all_in_ = to_device(all_);
  }

  const std::vector<u32>& items() const { return items_; }
  const std::vector<u32>& keys() const { return keys_; }
  const std::vector<u32>& few() const { return few_; }
  const std::vector<u32>& all() const { return all_; }
  const u32* in() const { return raw(in_); }
  const u32* end() const { return in() + items_.size(); }
  const u32* keys_in() const { return raw(keys_in_); }
  const u32* few_in() const { return raw(few_in_); }
  const u32* all_in() const { return raw(all_in_); }
  const float* ones() const { return raw(ones_); }
  u32* out() { return raw(out_); }
  u32* others() { return raw(others_); }
  u32* count() { return raw(count_); }
  float* sum() { return raw(sum_); }
  auto zip() { return zipped(in(), keys_in()); }
  auto zip_out() { return zipped(out(), others()); }
  std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(items_.size()); }

  //! The outputs hold what calls in place read, and no number that a call gives.
  void begin()
  {
    wait_for_all_streams();
    copy_bytes(out(), items_.data(), items_.size() * sizeof(u32));
    copy_bytes(others(), keys_.data(), keys_.size() * sizeof(u32));
    const u32 no_count = ~0u;
    copy_bytes(count(), &no_count, sizeof no_count);
    const float no_sum = -1;
    copy_bytes(sum(), &no_sum, sizeof no_sum);
  }
  //! The first of each output are as expected.
  void check(const std::string& what, const std::vector<u32>& values, const std::vector<u32>& others,
             const std::vector<u32>& count) const
  {
    wait_for_all_streams();
    check_same(what, values, to_host(out_, 0, values.size()));
    check_same(what + ", others", others, to_host(others_, 0, others.size()));
    check_same(what + ", count", count, to_host(count_, 0, count.size()));
  }
  float sum_now() const { return to_host(sum_)[0]; }

private:
  std::vector<u32> items_, keys_, few_, all_; //!< the latter are offsets of a few segments and of one for each item
  thrust::device_vector<u32> in_, keys_in_;
  thrust::device_vector<float> ones_;
  thrust::device_vector<u32> few_in_, all_in_, out_, others_, count_;
  thrust::device_vector<float> sum_;
};

template <class Policy>
std::vector<tried_call> tried_own_calls(const Policy& policy, own_memory& m)
{
  std::vector<tried_call> calls;
  const auto add = [&](const std::string& name, bool is_captured, std::function<void()> call, std::vector<u32> values,
                       std::vector<u32> others = {}, std::vector<u32> count = {})
  {
    const auto check = [=, &m]
    {
      m.begin();
      call();
      if (kernels_run)
      {
        m.check(name + " after a fault", values, others, count);
      }
    };
    calls.push_back({name, call, check, is_captured});
  };
  const is_odd_number odd{};
  const u32 removed = m.items()[m.items().size() / 2];
  std::vector<u32> odds, evens, keys_of_odds, keys_of_evens, kept, runs, run_values;
  for (std::size_t i = 0; i < m.items().size(); ++i)
  {
    const u32 item = m.items()[i], key = m.keys()[i];
    (odd(item) ? odds : evens).push_back(item);
    (odd(item) ? keys_of_odds : keys_of_evens).push_back(key);
    if (item != removed)
    {
      kept.push_back(item);
    }
    if (i == 0 || key != m.keys()[i - 1])
    {
      runs.push_back(key);
      run_values.push_back(item);
    }
  }
  const auto behind = [](std::vector<u32> first, const std::vector<u32>& second)
  {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  };
  const auto number = [](const std::vector<u32>& of) { return std::vector<u32>{static_cast<u32>(of.size())}; };
  add(
      "copy_if_into", true, [=, &m] { reheat::copy_if_into(policy, m.in(), m.end(), m.out(), odd, m.count()); }, odds, {},
      number(odds));
  add(
      "remove_into", true, [=, &m] { reheat::remove_into(policy, m.out(), m.out() + m.size(), removed, m.count()); }, kept,
      {}, number(kept));
  add(
      "remove_copy_if_into", true,
      [=, &m] { reheat::remove_copy_if_into(policy, m.in(), m.end(), m.out(), odd, m.count()); }, evens, {}, number(evens));
  add(
      "partition_into", true, [=, &m] { reheat::partition_into(policy, m.out(), m.out() + m.size(), odd, m.count()); },
      behind(odds, evens), {}, number(odds));
  add(
      "partition_copy_into", true,
      [=, &m] { reheat::partition_copy_into(policy, m.in(), m.end(), m.out(), m.others(), odd, m.count()); }, odds, evens,
      number(odds));
  add(
      "unique_by_key_into", true,
      [=, &m] { reheat::unique_by_key_into(policy, m.others(), m.others() + m.size(), m.out(), m.count()); }, run_values,
      runs, number(runs));
  add(
      "unique_by_key_copy_into", true,
      [=, &m] {
        reheat::unique_by_key_copy_into(policy, m.keys_in(), m.keys_in() + m.size(), m.in(), m.others(), m.out(), m.count());
      },
      run_values, runs, number(runs));
  const first_is_odd is_first_odd{};
  add(
      "copy_if_into, zipped", true,
      [=, &m] { reheat::copy_if_into(policy, m.zip(), m.zip() + m.size(), m.zip_out(), is_first_odd, m.count()); }, odds,
      keys_of_odds, number(odds));
  add(
      "remove_if, zipped", false,
      [=, &m] { (void)thrust::remove_if(policy, m.zip_out(), m.zip_out() + m.size(), is_first_odd); }, evens, keys_of_evens);
  add(
      "partition_into, zipped", true,
      [=, &m] { reheat::partition_into(policy, m.zip_out(), m.zip_out() + m.size(), is_first_odd, m.count()); },
      behind(odds, evens), behind(keys_of_odds, keys_of_evens), number(odds));
  add(
      "stable_partition, zipped", false,
      [=, &m] { (void)thrust::stable_partition(policy, m.zip_out(), m.zip_out() + m.size(), is_first_odd); },
      behind(odds, evens), behind(keys_of_odds, keys_of_evens));
  const thrust::plus<u32> plus{};
  add(
      "segmented_reduce", true,
      [=, &m] { reheat::segmented_reduce(policy, m.in(), m.few_in(), m.few_in() + m.few().size(), m.out(), 5u, plus); },
      segmented_reference<u32>(m.items(), m.few(), 5u, plus));
  std::vector<u32> each = m.items();
  add(
      "segmented_reduce of many", true,
      [=, &m] { reheat::segmented_reduce(policy, m.in(), m.all_in(), m.all_in() + m.size() + 1, m.out(), 5u, plus); },
      segmented_reference<u32>(m.items(), m.all(), 5u, plus));
  add(
      "segmented_inclusive_scan", true,
      [=, &m] { reheat::segmented_inclusive_scan(policy, m.in(), m.few_in(), m.few_in() + m.few().size(), m.out(), plus); },
      segmented_scan_reference<u32>(m.items(), m.few(), each, true, static_cast<const u32*>(nullptr), plus));
  std::vector<u32> places(m.items().size());
  std::iota(places.begin(), places.end(), 0u);
  add(
      "segmented_min_element", true,
      [=, &m] { reheat::segmented_min_element(policy, m.in(), m.all_in(), m.all_in() + m.size() + 1, m.out()); }, places);
  calls.push_back({"exact sum",
                   [=, &m] { reheat::reduce_into(policy.with(reheat::exact_sums), m.ones(), m.ones() + m.size(), m.sum()); },
                   [=, &m]
                   {
                     m.begin();
                     reheat::reduce_into(policy.with(reheat::exact_sums), m.ones(), m.ones() + m.size(), m.sum());
                     wait_for_all_streams();
                     BOOST_TEST((!kernels_run || m.sum_now() == static_cast<float>(m.size())), "exact sum after a fault");
                   },
                   true});
  return calls;
}

//! A status as an exception, which has nothing to say: REHEAT_LOG=1 prints what was attempted.
void throw_status(reheat::status_type status)
{
  if (status != reheat::runtime::success)
  {
    throw thrust::system_error(static_cast<int>(status), thrust::generic_category(), "reheat returned a status");
  }
}

//! Both phases of each entry point.
std::vector<tried_call> tried_device_calls(device_memory& memory, stream& where)
{
  std::vector<tried_call> calls;
  for (const device_call& each : device_calls(memory))
  {
    const auto block = std::make_shared<temp_block>(bytes_of_call(each.name, each.call), 1, content::tags);
    const auto call = [each, block, &where]
    {
      std::size_t bytes = 0;
      throw_status(each.call(nullptr, bytes, where.get()));
      throw_status(each.call(block->get(), bytes, where.get()));
    };
    const auto check = [each, call, &memory, &where]
    { kernels_run ? each.check("after a fault", memory, 1, content::tags, where.get()) : call(); };
    calls.push_back({each.name, call, check, true});
  }
  return calls;
}

#if REHEAT_HAS_ENVIRONMENTS
//! Some entry points in one phase. `numbers` are ones.
template <class Env>
std::vector<tried_call> tried_calls_in_one_phase(const thrust::device_vector<u32>& numbers, thrust::device_vector<u32>& out,
                                                 const Env& env)
{
  const u32* const in = raw(numbers);
  u32* const to = raw(out);
  const std::size_t n = numbers.size();
  std::vector<tried_call> calls;
  const auto add = [&](const char* name, u32 expected, std::size_t at, std::function<reheat::status_type()> enqueue)
  {
    const auto check = [=, &out]
    {
      throw_status(enqueue());
      if (kernels_run)
      {
        BOOST_TEST(to_host(out, at, 1)[0] == expected, name << " after a fault");
      }
    };
    calls.push_back({name, [=] { throw_status(enqueue()); }, check, true});
  };
  const u32 all = static_cast<u32>(n);
  add("DeviceReduce::Sum in one phase", all, 0, [=] { return reheat::DeviceReduce::Sum(in, to, n, env); });
  add("DeviceScan::InclusiveSum in one phase", all, n - 1, [=] { return reheat::DeviceScan::InclusiveSum(in, to, n, env); });
  add("DeviceSelect::If in one phase", all, n,
      [=] { return reheat::DeviceSelect::If(in, to, to + n, n, is_odd_number{}, env); });
  return calls;
}
#endif

// ---- situations ---------------------------------------------------------------------------------------------------------

//! A stream that the library has not seen, in a context of which it keeps nothing.
void start_anew()
{
#if defined(REHEAT_CUDA_MODEL)
  cuda_model::start_new_context();
#else
  reheat::trim_workspaces();
#endif
}

std::vector<situation> situations()
{
  const auto call = [](const tried_call& c) { c.call(); };
  const auto check = [](const tried_call& c) { c.check(); };
  return {{"first call", [](const tried_call&) { start_anew(); }, call, check},
          {"steady call", [](const tried_call& c) { c.call(); }, call, check}};
}

#if !defined(REHEAT_EMULATED)
//! Calls are captured on `where`; the check captures once more, and replays.
std::vector<situation> captures_on(stream& where, cudaStreamCaptureMode mode, bool anew)
{
  const auto capture = [&where, mode](const tried_call& c) { const graph captured(where, mode, c.call); };
  const auto check = [&where, mode](const tried_call& c)
  {
    const graph captured(where, mode, c.call);
    BOOST_TEST(nodes_of(captured) >= 1u, c.name << ": nothing was captured");
    if (kernels_run)
    {
      const executable replay(captured);
      replay.launch(where);
      where.synchronise();
    }
    c.check();
  };
  const auto prepare = [&where, mode, anew](const tried_call& c)
  {
    anew ? start_anew() : c.call();
    (void)where;
    (void)mode;
  };
  return {{anew ? "first call in a capture" : "call in a capture", prepare, capture, check}};
}
#endif

//! In each situation, on `where`.
void run_calls(fault_runner& runner, const std::string& name, [[maybe_unused]] stream& where,
               const std::vector<tried_call>& calls, [[maybe_unused]] bool captures)
{
  for (const tried_call& call : calls)
  {
    for (const situation& s : situations())
    {
      runner.run(name, s, call);
    }
#if !defined(REHEAT_EMULATED)
    if (captures && call.is_captured)
    {
      for (const bool anew : {true, false})
      {
        for (const situation& s : captures_on(where, cudaStreamCaptureModeGlobal, anew))
        {
          runner.run(name, s, call);
        }
      }
    }
#endif
  }
}

//! Under `policy`, of few items and of many.
template <class Policy>
void run_policy(fault_runner& runner, const std::string& name, stream& where, const Policy& policy)
{
  const bool allocates_in_captures = !std::is_default_constructible_v<Policy>;
  family_memory few(emulated ? 40 : 100), many(items_of_calls());
  const bool captures = !Policy::waits && !allocates_in_captures;
  if (emulated || !kernels_run || Policy::waits) // a GPU takes 4 ms for a fault
  {
    run_calls(runner, name + ", few items", where, tried_calls(policy, few), captures);
  }
  run_calls(runner, name, where, tried_calls(policy, many), captures);
}

//! Calls that grow what their stream owns: after calls whose values fit words, those of large values.
template <class Policy>
void run_growing(fault_runner& runner, const std::string& name, const Policy& policy)
{
  const thrust::device_vector<u32> in(100);
  thrust::device_vector<u32> out(100);
  const auto prepare = [&](const tried_call&)
  {
    start_anew();
    thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin());
  };
  const situation growing{"growing call", prepare, [](const tried_call& c) { c.call(); },
                          [](const tried_call& c) { c.check(); }};
  for (const tried_call& call : tried_large_calls(policy))
  {
    runner.run(name, growing, call);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(each_call_of_the_machine_fails_in_turn_under_each_policy)
{
  stream own;
  ledger book;
  sound_allocator<char> allocator(book);
  fault_runner runner;
  run_policy(runner, "par", own, reheat::par);
  run_policy(runner, "par.on(stream)", own, reheat::par.on(own.get()));
  run_policy(runner, "par_nosync.on(stream)", own, reheat::par_nosync.on(own.get()));
  run_policy(runner, "par(allocator).on(stream)", own, reheat::par(allocator).on(own.get()));
  run_policy(runner, "par_nosync(allocator).on(stream)", own, reheat::par_nosync(allocator).on(own.get()));
  run_policy(runner, "thrust::device, overridden", own, reheat::par_like(thrust::device));
  BOOST_TEST(book.held == 0, book.held << " bytes did not go back to the allocator");
  runner.counted().print("policies");
  BOOST_TEST(runner.counted().runs > 1000u);
}

BOOST_AUTO_TEST_CASE(each_call_of_the_machine_fails_in_turn_in_calls_that_thrust_does_not_have)
{
  stream own;
  ledger book;
  sound_allocator<char> allocator(book);
  fault_runner runner;
  own_memory few(emulated ? 40 : 100), many(items_of_calls());
  for (own_memory* const memory : {&few, &many})
  {
    const std::string size = memory == &few ? ", few items" : "";
    run_calls(runner, "par.on(stream)" + size, own, tried_own_calls(reheat::par.on(own.get()), *memory), false);
    run_calls(runner, "par_nosync.on(stream)" + size, own, tried_own_calls(reheat::par_nosync.on(own.get()), *memory), true);
    run_calls(runner, "par_nosync(allocator).on(stream)" + size, own,
              tried_own_calls(reheat::par_nosync(allocator).on(own.get()), *memory), false);
  }
  BOOST_TEST(book.held == 0, book.held << " bytes did not go back to the allocator");
  runner.counted().print("calls that Thrust does not have");
  BOOST_TEST(runner.counted().runs > 100u);
}

BOOST_AUTO_TEST_CASE(each_call_of_the_machine_fails_in_turn_while_memory_grows)
{
  stream own;
  ledger book;
  sound_allocator<char> allocator(book);
  fault_runner runner;
  run_growing(runner, "par.on(stream)", reheat::par.on(own.get()));
  run_growing(runner, "par_nosync.on(stream)", reheat::par_nosync.on(own.get()));
  run_growing(runner, "par(allocator).on(stream)", reheat::par(allocator).on(own.get()));
  run_growing(runner, "par_nosync(allocator).on(stream)", reheat::par_nosync(allocator).on(own.get()));
#if defined(REHEAT_CUDA_MODEL)
  const cuda_model::without_pools poor_device;
  run_growing(runner, "par_nosync.on(stream), no pools", reheat::par_nosync.on(own.get()));
  run_policy(runner, "par_nosync.on(stream), no pools", own, reheat::par_nosync.on(own.get()));
#endif
  BOOST_TEST(book.held == 0, book.held << " bytes did not go back to the allocator");
  runner.counted().print("growing calls");
  BOOST_TEST(runner.counted().runs > 100u);
}

BOOST_AUTO_TEST_CASE(each_call_of_the_machine_fails_in_turn_in_device_wide_calls)
{
  stream own;
  fault_runner runner;
  device_memory memory(items_of_calls());
  run_calls(runner, "two phases", own, tried_device_calls(memory, own), true);
#if REHEAT_HAS_ENVIRONMENTS
  const thrust::device_vector<u32> numbers = to_device(std::vector<u32>(items_of_calls(), 1));
  thrust::device_vector<u32> out(items_of_calls() + 1);
  one_phase::ledger_stream_resource::record book;
  run_calls(runner, "an environment with a stream", own,
            tried_calls_in_one_phase(numbers, out, one_phase::with_stream{own.get()}), true);
  run_calls(
      runner, "an environment with a memory resource", own,
      tried_calls_in_one_phase(numbers, out, one_phase::with_resource{own.get(), one_phase::ledger_stream_resource(book)}),
      false);
  BOOST_TEST(book.held == 0, book.held << " bytes did not go back to the resource");
#endif
  runner.counted().print("device-wide calls");
  BOOST_TEST(runner.counted().runs > 100u);
}

BOOST_AUTO_TEST_CASE(trim_gives_all_back_after_each_of_its_calls_has_failed_in_turn)
{
  stream own;
  family_memory memory(items_of_calls());
  const std::vector<tried_call> calls = tried_calls(reheat::par_nosync.on(own.get()), memory);
  const auto keep_memory = [&]
  {
    start_anew();
    for (const tried_call& each : calls)
    {
      each.call();
    }
    wait_for_all_streams();
  };
  std::size_t nth = 1, runs = 0;
  for (bool goes_on = true; goes_on; ++nth)
  {
    for (const int code : plausible_codes("cudaStreamSynchronize"))
    {
      keep_memory();
      const live_things before = live_now();
      bool has_failed = false;
      heard caller;
      {
        const injection fault(nth, code, true);
        caller = hear([] { reheat::trim_workspaces(); });
        has_failed = fault.has_failed();
      }
      goes_on = has_failed;
      runs += has_failed ? 1 : 0;
      BOOST_TEST(!caller.thrown, "call " << nth << " of a trim fails: " << caller.text);
      BOOST_TEST(!error_is_pending(), "call " << nth << " of a trim fails: an error has stayed behind");
      BOOST_TEST(capture_mode_is_global());
      reheat::trim_workspaces();
      BOOST_TEST(reheat::workspace_bytes() == 0u, "call " << nth << " of a trim has failed, and another trim left memory");
      BOOST_TEST((live_now() - before).memory < 0, "call " << nth << " of a trim has failed, and nothing was given back");
      calls.front().check();
    }
  }
  BOOST_TEST(runs >= (emulated ? 1u : 10u));
}

BOOST_AUTO_TEST_CASE(places_for_results_that_failed_calls_gave_up_come_back_with_trim)
{
  stream own;
  fault_runner runner;
  const std::vector<tried_call> calls = tried_large_calls(reheat::par.on(own.get()));
  const tried_call& reduce = calls.front(); // its result is waited for
  std::uint64_t wait = 0;
  {
    const injection none(0, 0);
    reduce.call();
    const std::vector<std::string> made = none.calls();
    const auto found =
        std::find_if(made.begin(), made.end(),
                     [](const std::string& name) { return name == "cudaStreamSynchronize" || name == "wait_for"; });
    BOOST_REQUIRE((found != made.end()));
    wait = static_cast<std::uint64_t>(found - made.begin()) + 1;
  }
  const auto give_up = [&]
  {
    for (int round = 0; round < 20; ++round) // two thirds of the places in a page would be gone
    {
      const injection fault(wait, plausible_codes("cudaStreamSynchronize").front());
      BOOST_TEST(hear(reduce.call).thrown);
    }
    wait_for_all_streams();
    reheat::trim_workspaces();
    reduce.check();
  };
  give_up();
  const live_things before = live_now();
  for (int round = 0; round < 20; ++round)
  {
    give_up();
  }
  const live_things made = live_now() - before;
  BOOST_TEST((made == live_things{}), "after 400 calls that gave their places up: " << made);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
