// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every call of the machine fails in turn, with each plausible code, in every algorithm's calls under every form of policy:
//! in a first, a steady and a growing call, and in captures. The caller hears of it, nothing is lost or stays behind, and
//! the next call is right. Part of the compat tests, and of a program on a CUDA runtime that has no device
//! (gpu/cuda_model.cpp). There kernels do not run, so results are not looked at.

#include "../support/device_calls.hpp"
#include "../support/family_calls.hpp"
#include "../support/injection.hpp"
#include "../support/large_calls.hpp"

#include <thrust/system_error.h>

#if defined(REHEAT_CUDA_MODEL)
#  include "../gpu/cuda_model.hpp"

#  include <sys/wait.h>
#  include <unistd.h>
#endif
#if !defined(REHEAT_EMULATED)
#  include "../support/graphs.hpp"

#  include <cuda.h>
#endif

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

using namespace compat;

BOOST_AUTO_TEST_SUITE(policy)
BOOST_AUTO_TEST_SUITE(failures)

namespace
{

using u32 = std::uint32_t;

#if defined(REHEAT_CUDA_MODEL)
constexpr bool kernels_run = false;
#else
constexpr bool kernels_run = true;
#endif

//! So many that reductions and searches take several blocks.
std::size_t items_of_calls()
{
  return emulated ? 3000 : kernels_run ? 100000 : 20000;
}

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

//! What of the thread's state a call leaves as it was.
bool capture_mode_is_global()
{
#if defined(REHEAT_EMULATED)
  return true;
#else
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  require(cudaThreadExchangeStreamCaptureMode(&mode), "exchange the mode of captures"); // it is global from here on
  return mode == cudaStreamCaptureModeGlobal;
#endif
}

bool error_is_pending()
{
#if defined(REHEAT_EMULATED)
  return false;
#else
  return cudaGetLastError() != cudaSuccess;
#endif
}

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
  if (site.find("EntryPoint") != std::string::npos)
  {
    return heard == static_cast<int>(cudaErrorInsufficientDriver);
  }
#endif
  return emulated ? heard != 0 : heard == injected && !site.empty();
}

//! What the caller heard: an exception that says what was attempted, or nothing.
struct heard
{
  bool thrown = false;
  int code = 0;
  std::string text;
  std::string wrong; //!< why this is not what a caller may expect
};

heard hear(const std::function<void()>& call)
{
  heard result;
  try
  {
    call();
    return result;
  }
  catch (const thrust::system_error& error)
  {
    result = {true, error.code().value(), error.what(), ""};
  }
  catch (const std::bad_alloc& error)
  {
    result = {true, static_cast<int>(reheat::runtime::out_of_memory), error.what(), ""};
  }
  catch (const std::exception& error)
  {
    result = {true, 0, error.what(), "an exception of another type"};
  }
  if (result.text.find("reheat") == std::string::npos)
  {
    result.wrong += " does not say what was attempted";
  }
  return result;
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
    where.check(call);
    made = live_now() - made;
    for (std::size_t nth = 1; nth <= calls.size(); ++nth)
    {
      for (const int code : plausible_codes(calls[nth - 1]))
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
    BOOST_CHECK_MESSAGE(caller.thrown || launched == launches,
                        here << ": " << launched << " launches instead of " << launches << ", and no error");
    BOOST_CHECK_MESSAGE(!error_is_pending(), here << ": an error has stayed behind");
    BOOST_CHECK_MESSAGE(capture_mode_is_global(), here << ": the thread's mode of captures has changed");
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

//! Under `policy`, on `where`.
template <class Policy>
void run_policy(fault_runner& runner, const std::string& name, [[maybe_unused]] stream& where, const Policy& policy,
                std::size_t size)
{
  family_memory memory(size);
  for (const tried_call& call : tried_calls(policy, memory))
  {
    for (const situation& s : situations())
    {
      runner.run(name, s, call);
    }
#if !defined(REHEAT_EMULATED)
    const bool allocates_in_captures = !std::is_default_constructible_v<Policy>;
    if (call.is_captured && !Policy::waits && !allocates_in_captures)
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
  run_policy(runner, name + ", few items", where, policy, 100);
  run_policy(runner, name, where, policy, items_of_calls());
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

#if defined(REHEAT_CUDA_MODEL)
//! What `body` returns in a process of its own, or minus the signal that ended it.
template <class Body>
int outcome_of_fork(Body body)
{
  const pid_t child = fork();
  if (child == 0)
  {
    int outcome = 99;
    try
    {
      outcome = body();
    }
    catch (const std::exception& error)
    {
      std::fprintf(stderr, "%s\n", error.what());
    }
    _exit(outcome);
  }
  int status = 0;
  BOOST_REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

//! A scan and a reduction, the first ones of the process, with a fault; then the same without. False: there was no such
//! call.
bool first_calls_with_fault(std::size_t nth, int code, bool captures)
{
  stream own;
  const std::size_t size = items_of_calls();
  const thrust::device_vector<u32> in(size);
  thrust::device_vector<u32> out(size);
  const auto scan = [&] { thrust::inclusive_scan(reheat::par_nosync.on(own.get()), in.begin(), in.end(), out.begin()); };
  const auto calls = [&]
  {
    if (captures)
    {
      const graph captured(own, cudaStreamCaptureModeGlobal, scan);
    }
    else
    {
      scan();
      (void)thrust::reduce(reheat::par.on(own.get()), in.begin(), in.end());
    }
  };
  bool has_failed = false;
  heard caller;
  {
    const injection fault(nth, code);
    caller = hear(calls);
    has_failed = fault.has_failed();
  }
  BOOST_REQUIRE_MESSAGE(caller.wrong.empty(), caller.text << caller.wrong);
  BOOST_REQUIRE_MESSAGE(!error_is_pending(), "an error has stayed behind");
  BOOST_REQUIRE_MESSAGE(capture_mode_is_global(), "the thread's mode of captures has changed");
  calls();
  return has_failed;
}
#endif

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
  BOOST_TEST(book.held == 0, book.held << " bytes did not go back to the allocator");
  runner.counted().print("growing calls");
  BOOST_TEST(runner.counted().runs > 100u);
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

#if defined(REHEAT_CUDA_MODEL)
BOOST_AUTO_TEST_CASE(each_call_of_the_machine_fails_in_turn_in_the_first_call_of_a_process)
{
  // What is asked for once in a process: each fault has a process of its own, in which the library has not been called yet.
  constexpr int no_more_calls = 100;
  std::size_t runs = 0;
  for (const bool captures : {false, true})
  {
    int outcome = 0;
    for (std::size_t nth = 1; outcome != no_more_calls; ++nth)
    {
      for (const int code : {static_cast<int>(cudaErrorMemoryAllocation), static_cast<int>(cudaErrorInitializationError)})
      {
        outcome = outcome_of_fork([&] { return first_calls_with_fault(nth, code, captures) ? 0 : no_more_calls; });
        BOOST_TEST((outcome == 0 || outcome == no_more_calls), "call " << nth << " of the machine fails with " << code
                                                                       << (captures ? " in a capture" : "") << ": "
                                                                       << outcome);
        ++runs;
      }
      BOOST_REQUIRE(nth < 200);
    }
  }
  BOOST_TEST_MESSAGE("processes: " << runs << " faults injected");
  BOOST_TEST(runs > 100u);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
