// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Of calls across ranks, what only the emulator shows: what a call asks of the device, an operator that throws, and gathers
//! that end early.

#include "../support/compare.hpp"
#include "../support/injection.hpp"
#include "../support/lossy_ranks.hpp"
#include "../support/ranks.hpp"
#include "../support/reference.hpp"

#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(across)
BOOST_AUTO_TEST_SUITE(emulated_ranks)

namespace
{

using u32 = std::uint32_t;

//! An operator that throws from a kernel.
struct throwing_plus
{
  REHEAT_HOST_DEVICE u32 operator()(u32, u32) const { throw std::runtime_error("the operator throws"); }
};

struct is_odd
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 2 != 0; }
};

struct sum_of_words
{
  template <class T>
  REHEAT_HOST_DEVICE T operator()(T x, const T& y) const
  {
    for (std::size_t i = 0; i < sizeof(x.word) / sizeof(x.word[0]); ++i)
    {
      x.word[i] += y.word[i];
    }
    return x;
  }
};

void require_result(bool is_right)
{
  if (!is_right)
  {
    throw std::logic_error("a result is wrong");
  }
}
//! The text of what `body()` throws, or none.
template <class Body>
std::string thrown_by(Body body)
{
  try
  {
    body();
    return "";
  }
  catch (...)
  {
    return text_of(std::current_exception());
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(an_operator_that_throws)
{
  for (const auto order : {reheat::gather_order::in_stream, reheat::gather_order::on_host})
  {
    const auto failures = failures_of_ranks(
        2, order,
        [](reheat::ranks& ranks)
        {
          const thrust::device_vector<u32> items(1000, 1);
          const std::size_t own = ranks.rank() == 1 ? items.size() : 0;
          static_cast<void>(thrust::reduce(reheat::par.across(ranks), raw(items), raw(items) + own, 0u, throwing_plus{}));
        });
    BOOST_TEST(text_of(failures[1]).find("the operator throws") != std::string::npos, text_of(failures[1]));
    BOOST_TEST(text_of(failures[0]).find("rank_failed 1") == 0u, text_of(failures[0]));
  }
}

// In the first call with large values, for which memory is taken. No rank waits for ever, none gets a wrong result, and
// ranks stay in step.
BOOST_AUTO_TEST_CASE(each_call_of_the_machine_fails_in_turn_on_one_rank)
{
  using large = words<32>;
  constexpr std::size_t part = 10;
  const std::vector<large> items = make_items<large>(2 * part);
  const auto sum_of = [&](std::size_t count)
  {
    return std::accumulate(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(count), values<large>::make(0),
                           fold{});
  };
  const auto same = [](const large& x, const large& y) { return std::memcmp(&x, &y, sizeof x) == 0; };
  const auto par_of = [](reheat::ranks& ranks) { return reheat::par.across(ranks); };
  using device_items = thrust::device_vector<large>;
  // Each rank has `part` items, all of one run of keys.
  const std::pair<const char*, std::function<void(reheat::ranks&, const device_items&)>> calls[] = {
      {"reduce",
       [&](reheat::ranks& ranks, const device_items& own)
       {
         require_result(same(thrust::reduce(par_of(ranks), raw(own), raw(own) + part, values<large>::make(0), fold{}),
                             sum_of(2 * part)));
       }},
      {"inclusive_scan_by_key",
       [&](reheat::ranks& ranks, const device_items& own)
       {
         const thrust::device_vector<u32> keys(part, 7);
         device_items out(part);
         thrust::inclusive_scan_by_key(par_of(ranks), raw(keys), raw(keys) + part, raw(own), raw(out),
                                       thrust::equal_to<u32>(), fold{});
         const std::size_t before = part * static_cast<std::size_t>(ranks.rank());
         require_result(same(
             to_host(out)[0],
             std::accumulate(items.begin() + 1, items.begin() + static_cast<std::ptrdiff_t>(before + 1), items[0], fold{})));
       }},
      {"reduce_by_key_across",
       [&](reheat::ranks& ranks, const device_items& own)
       {
         const thrust::device_vector<u32> keys(part, 7);
         thrust::device_vector<u32> keys_out(part);
         device_items out(part);
         const auto runs = reheat::reduce_by_key_across(par_of(ranks), raw(keys), raw(keys) + part, raw(own), raw(keys_out),
                                                        raw(out), thrust::equal_to<u32>(), fold{});
         require_result(runs.total == 1 && runs.values_end == raw(out) + ranks.rank()); // the run ends on the last rank
         require_result(ranks.rank() == 0 ||
                        same(to_host(out)[0], std::accumulate(items.begin() + 1, items.end(), items[0], fold{})));
       }},
      {"copy_if_across",
       [&](reheat::ranks& ranks, const device_items&)
       {
         const thrust::device_vector<u32> numbers(3000, 1); // several blocks
         thrust::device_vector<u32> out(3000);
         const auto found = reheat::copy_if_across(par_of(ranks), raw(numbers), raw(numbers) + 3000, raw(out), is_odd{});
         require_result(found.end == raw(out) + 3000 && found.total == 6000 && to_host(out) == std::vector<u32>(3000, 1));
       }},
  };
  std::set<std::string> names;
  std::size_t runs = 0;
  for (const auto& [name, call] : calls)
  {
    for (const auto order : {reheat::gather_order::in_stream, reheat::gather_order::on_host})
    {
      std::string failed = "none yet"; // the call that failed
      for (std::uint64_t nth = 1; !failed.empty(); ++nth)
      {
        std::vector<std::string> first(2), second(2);
        check_on_ranks(2, order,
                       [&, &call = call](reheat::ranks& ranks)
                       {
                         const auto rank = static_cast<std::size_t>(ranks.rank());
                         const auto own = to_device(part_of(items, cut{{part, part}}, ranks.rank()));
                         const thrust::device_vector<u32> one(1, 1);
                         {
                           const injection fault(rank == 1 ? nth : 0, 0);
                           first[rank] = thrown_by([&] { call(ranks, own); });
                           if (rank == 1)
                           {
                             failed = fault.has_failed() ? fault.calls().at(nth - 1) : "";
                           }
                         }
                         second[rank] =
                             thrown_by([&] { require_result(thrust::reduce(par_of(ranks), raw(one), raw(one) + 1) == 2); });
                       });
        runs += failed.empty() ? 0 : 1;
        BOOST_TEST_CONTEXT(name << ", call " << nth << ", " << failed << ": the ranks threw \"" << first[0] << "\" and \""
                                << first[1] << "\", then \"" << second[0] << "\" and \"" << second[1] << '"')
        {
          names.insert(failed);
          BOOST_TEST(first[1].empty() == failed.empty());
          if (failed == "allocate_shared") // of the engine, which has failed for good
          {
            for (const std::string& text : {first[0], second[0], second[1]})
            {
              BOOST_TEST(
                  (text.find("rank 1 of a group of 2 threads has ended, or its engine has failed") != std::string::npos));
            }
            continue;
          }
          BOOST_TEST((first[0].empty() || first[0].find("rank_failed 1: ") == 0));
          BOOST_TEST((second[0].empty() && second[1].empty()));
        }
      }
    }
  }
  BOOST_TEST_MESSAGE("calls across ranks: " << runs << " faults injected, " << names.size() - 1 << " functions");
  for (const char* const name : {"find_capture", "allocate_for_ranks", "allocate_shared", "launch", "wait_for"})
  {
    BOOST_TEST(names.count(name) == 1u, name);
  }
}

// Whatever fails, and also if the gather is already enqueued by then: the next call waits for the stream of the one that
// failed. It would take its gather's number from a record that is not there yet.
BOOST_AUTO_TEST_CASE(a_call_on_another_stream_begins_behind_one_that_has_failed)
{
  const auto made = [](const injection& seen, const char* name)
  {
    const std::vector<std::string> calls = seen.calls();
    return std::count(calls.begin(), calls.end(), name);
  };
  std::set<std::string> names;
  for (const auto order : {reheat::gather_order::in_stream, reheat::gather_order::on_host})
  {
    std::string failed = "none yet"; // the call that failed
    std::ptrdiff_t launches = 0;     // until then
    for (std::uint64_t nth = 1; !failed.empty(); ++nth)
    {
      std::vector<std::string> first(2), second(2);
      std::vector<std::ptrdiff_t> waits_in_stream(2), waits_on_host(2);
      check_on_ranks(2, order,
                     [&](reheat::ranks& ranks)
                     {
                       const auto rank = static_cast<std::size_t>(ranks.rank());
                       const thrust::device_vector<u32> one(1, 1);
                       stream streams[2];
                       const auto sum = [&](stream& where)
                       {
                         const auto par = reheat::par.across(ranks).on(where.get());
                         require_result(thrust::reduce(par, raw(one), raw(one) + 1) == 2);
                       };
                       sum(streams[0]);
                       {
                         const injection fault(rank == 1 ? nth : 0, 0);
                         first[rank] = thrown_by([&] { sum(streams[1]); });
                         waits_on_host[rank] = made(fault, "wait_on_host");
                         if (rank == 1)
                         {
                           failed = fault.has_failed() ? fault.calls().at(nth - 1) : "";
                           launches = made(fault, "launch");
                         }
                       }
                       const injection none(0, 0);
                       second[rank] = thrown_by([&] { sum(streams[0]); });
                       waits_in_stream[rank] = made(none, "wait_in_stream");
                     });
      BOOST_TEST_CONTEXT("call " << nth << ", " << failed << ": the ranks threw \"" << first[0] << "\" and \"" << first[1]
                                 << "\", then \"" << second[0] << "\" and \"" << second[1] << '"')
      {
        names.insert(failed == "launch" ? failed + " " + std::to_string(launches) : failed);
        BOOST_TEST(first[1].empty() == failed.empty());
        if (failed == "allocate_shared") // of the engine, which has failed for good
        {
          continue;
        }
        BOOST_TEST((second[0].empty() && second[1].empty()));
        BOOST_TEST((waits_in_stream[0] == 1 && waits_in_stream[1] == 1));
        const bool in_order = failed != "find_capture" && failed != "wait_in_stream";
        BOOST_TEST((waits_on_host[0] == 0 && waits_on_host[1] == (in_order ? 0 : 1)));
      }
    }
  }
  // A launch before the gather fails, and a head is launched; and the one behind it.
  for (const char* const name : {"find_capture", "wait_in_stream", "launch 2"})
  {
    BOOST_TEST(names.count(name) == 1u, name);
  }
}

// Each rank's bytes are lost in turn, in each way, in each gather of each call, on one rank. That rank never takes what
// stands in their place, and says so, whatever it is; the others get their results, unless they wait for that rank.
BOOST_AUTO_TEST_CASE(bytes_that_have_not_arrived_are_never_taken)
{
  using large = words<16>;
  constexpr int count = 3, receiver = 1;
  const auto par_of = [](reheat::ranks& ranks) { return reheat::par.across(ranks); };
  // Whether the result is right, of items that differ from round to round: old bytes are other bytes.
  const auto number = [](reheat::ranks& ranks, u32 round) { return static_cast<u32>(ranks.rank()) * 7 + round * 1000; };
  const auto sum_of = [&](u32 round) { return 21 + 3000 * round; };
  struct tried_call
  {
    const char* name;
    int gathers;
    std::function<bool(reheat::ranks&, u32 round)> make;
  };
  const tried_call calls[] = {
      {"reduce", 1,
       [&](reheat::ranks& ranks, u32 round)
       {
         const thrust::device_vector<u32> one(1, number(ranks, round));
         return thrust::reduce(par_of(ranks), raw(one), raw(one) + 1) == sum_of(round);
       }},
      {"reduce of exact sums", 2,
       [&](reheat::ranks& ranks, u32 round)
       {
         const thrust::device_vector<double> one(1, number(ranks, round));
         return thrust::reduce(par_of(ranks).with(reheat::exact_sums), raw(one), raw(one) + 1) == sum_of(round);
       }},
      {"inclusive_scan", 1,
       [&](reheat::ranks& ranks, u32 round)
       {
         const thrust::device_vector<u32> one(1, number(ranks, round));
         thrust::device_vector<u32> out(1);
         thrust::inclusive_scan(par_of(ranks), raw(one), raw(one) + 1, raw(out));
         const auto rank = static_cast<u32>(ranks.rank());
         return to_host(out)[0] == 7 * rank * (rank + 1) / 2 + 1000 * round * (rank + 1);
       }},
      {"min_element_across", 1,
       [&](reheat::ranks& ranks, u32 round)
       {
         const thrust::device_vector<u32> one(1, number(ranks, round));
         const auto found = reheat::min_element_across(par_of(ranks), raw(one), raw(one) + 1);
         return found && found->rank == 0 && found->value == 1000 * round;
       }},
      {"copy_if_across", 1,
       [&](reheat::ranks& ranks, u32 round)
       {
         const thrust::device_vector<u32> odd(round + static_cast<u32>(ranks.rank()) + 1, 1);
         thrust::device_vector<u32> out(odd.size());
         const auto found = reheat::copy_if_across(par_of(ranks), raw(odd), raw(odd) + odd.size(), raw(out), is_odd{});
         return found.total == 3 * round + 6;
       }},
      {"reduce_by_key_across", 2,
       [&](reheat::ranks& ranks, u32 round)
       {
         const thrust::device_vector<u32> keys(1, 7);
         large filled;
         std::fill(std::begin(filled.word), std::end(filled.word), number(ranks, round));
         const thrust::device_vector<large> one(1, filled);
         thrust::device_vector<u32> keys_out(1);
         thrust::device_vector<large> out(1);
         const auto runs = reheat::reduce_by_key_across(par_of(ranks), raw(keys), raw(keys) + 1, raw(one), raw(keys_out),
                                                        raw(out), thrust::equal_to<u32>(), sum_of_words{});
         return runs.total == 1 && (ranks.rank() + 1 < count || to_host(out)[0].word[0] == sum_of(round));
       }},
  };
  const std::string expected_end = " has not arrived on rank 1 of 3, in its call 4 on these ranks. The gather has ended all "
                                   "the same: another rank may have given up or aborted, or the engine has failed. The test "
                                   "has lost them";
  int tries = 0, losses = 0;
  for (const tried_call& call : calls)
  {
    for (const loss what : all_losses)
    {
      for (int lost = 0; lost < count; ++lost)
      {
        for (int gather = 1; gather <= call.gathers; ++gather)
        {
          reheat::thread_group group(count);
          std::vector<std::string> texts(count), later(count);
          int told = 0;
          bool lost_any = false;
          const auto failures = failures_of_threads(count,
                                                    [&](int rank)
                                                    {
                                                      lossy_ranks ranks(group, rank);
                                                      for (u32 round = 1; round <= 3; ++round)
                                                      {
                                                        require_result(call.make(ranks, round));
                                                      }
                                                      if (rank == receiver)
                                                      {
                                                        ranks.lose(what, lost, gather);
                                                      }
                                                      texts[static_cast<std::size_t>(rank)] =
                                                          thrown_by([&] { require_result(call.make(ranks, 4)); });
                                                      if (rank == receiver)
                                                      {
                                                        told = ranks.losses();
                                                        require_result(ranks.losses_without_waiting() == 0);
                                                        lost_any = ranks.has_lost();
                                                      }
                                                      if (call.gathers == 1 && lost != receiver) // the ranks are in step
                                                      {
                                                        later[static_cast<std::size_t>(rank)] =
                                                            thrown_by([&] { require_result(call.make(ranks, 5)); });
                                                      }
                                                    });
          check_none_failed(failures);
          BOOST_TEST_CONTEXT(call.name << ", loss " << static_cast<int>(what) << " of rank " << lost << " in gather "
                                       << gather)
          {
            const std::string& text = texts[receiver];
            const std::string expected = "the record of rank " + std::to_string(lost) + expected_end;
            BOOST_TEST((lost_any ? text.find(expected) != std::string::npos : text.empty()), text);
            BOOST_TEST(told == (lost_any ? 1 : 0));
            losses += lost_any ? 1 : 0;
            tries += 1;
            for (const int other : {0, 2})
            {
              const std::string& others = texts[static_cast<std::size_t>(other)];
              const bool waits = call.gathers == 2 && gather == 1;
              BOOST_TEST((others.empty() || (waits && others.find("has ended") != std::string::npos)), others);
            }
            for (const std::string& each : later)
            {
              BOOST_TEST(each == "");
            }
          }
        }
      }
    }
  }
  BOOST_TEST(losses == tries - 1); // the last rank of a scan sends no value, so the head alone is its whole record
}

BOOST_AUTO_TEST_CASE(bytes_that_have_not_arrived_on_the_host)
{
  reheat::thread_group group(2);
  std::vector<std::string> texts(2);
  check_none_failed(failures_of_threads(2,
                                        [&](int rank)
                                        {
                                          lossy_ranks ranks(group, rank, reheat::gather_order::on_host);
                                          const thrust::device_vector<u32> one(1, 1);
                                          const auto sum = [&]
                                          { return thrust::reduce(reheat::par.across(ranks), raw(one), raw(one) + 1); };
                                          require_result(sum() == 2);
                                          if (rank == 0)
                                          {
                                            ranks.lose(loss::untouched, 1, 1);
                                          }
                                          texts[static_cast<std::size_t>(rank)] =
                                              thrown_by([&] { require_result(sum() == 2); });
                                          require_result(sum() == 2);
                                        }));
  BOOST_TEST(texts[0].find("the record of rank 1 has not arrived on rank 0 of 2, in its call 2") != std::string::npos,
             texts[0]);
  BOOST_TEST(texts[1] == "");
}
BOOST_AUTO_TEST_CASE(a_call_that_does_not_wait_tells_late_of_bytes_that_have_not_arrived)
{
  reheat::thread_group group(2);
  std::vector<std::string> enqueued(2), checked(2);
  check_none_failed(failures_of_threads(
      2,
      [&](int rank)
      {
        lossy_ranks ranks(group, rank);
        const thrust::device_vector<u32> one(1, 1);
        thrust::device_vector<u32> sum(1, 99);
        const auto reduce = [&] { reheat::reduce_into(reheat::par_nosync.across(ranks), raw(one), raw(one) + 1, raw(sum)); };
        reduce();
        require_result(to_host(sum)[0] == 2);
        sum[0] = 99;
        if (rank == 0)
        {
          ranks.lose(loss::untouched, 1, 1);
        }
        enqueued[static_cast<std::size_t>(rank)] = thrown_by(reduce);
        require_result(to_host(sum)[0] == (rank == 0 ? 99 : 2)); // nothing is stored
        checked[static_cast<std::size_t>(rank)] = thrown_by([&] { ranks.check(); });
        require_result(ranks.losses() == (rank == 0 ? 1 : 0) && ranks.losses_without_waiting() == ranks.losses());
      }));
  BOOST_TEST((enqueued[0].empty() && enqueued[1].empty() && checked[1].empty()));
  BOOST_TEST(checked[0].find("reheat::reduce_into: the record of rank 1 has not arrived on rank 0") == 0u, checked[0]);
}

// What a steady call asks of the device on the fastest engine that the emulator has.
BOOST_AUTO_TEST_CASE(what_a_call_costs)
{
  check_on_ranks(
      2, reheat::gather_order::in_stream,
      [](reheat::ranks& ranks)
      {
        const thrust::device_vector<u32> items(30000, 1);
        thrust::device_vector<u32> out(items.size());
        const auto nosync = reheat::par_nosync.across(ranks);
        const auto all = [&](const char* what, std::uint64_t launches, std::uint64_t waits, auto call)
        {
          call();
          const auto before = reheat::emulator::calls_so_far();
          call();
          const auto after = reheat::emulator::calls_so_far();
          if (after.launches - before.launches != launches || after.waits - before.waits != waits ||
              after.allocations != before.allocations || after.fills != before.fills)
          {
            throw std::runtime_error(std::string(what) + " took " + std::to_string(after.launches - before.launches) +
                                     " launches and " + std::to_string(after.waits - before.waits) + " waits");
          }
        };
        all("reduce_into", 2, 0, [&] { reheat::reduce_into(nosync, raw(items), raw(items) + items.size(), raw(out)); });
        all("reduce", 2, 0, [&] { (void)thrust::reduce(nosync, raw(items), raw(items) + items.size()); });
        all("inclusive_scan", 3, 0,
            [&] { thrust::inclusive_scan(nosync, raw(items), raw(items) + items.size(), raw(out)); });
        const thrust::device_vector<u32> keys(items.size(), 7);
        thrust::device_vector<u32> keys_out(items.size());
        thrust::device_vector<reheat::place_across> place(1);
        const u32 *const first = raw(keys), *const last = first + keys.size();
        all("inclusive_scan_by_key", 3, 0,
            [&] { thrust::inclusive_scan_by_key(nosync, first, last, raw(items), raw(out)); });
        all("reduce_by_key", 3, 1,
            [&] { (void)thrust::reduce_by_key(nosync, first, last, raw(items), raw(keys_out), raw(out)); });
        all("reduce_by_key_across_into", 3, 0,
            [&]
            { reheat::reduce_by_key_across_into(nosync, first, last, raw(items), raw(keys_out), raw(out), raw(place)); });
        all("copy_if_across", 2, 1, [&] { (void)reheat::copy_if_across(nosync, first, last, raw(out), is_odd{}); });
        all("copy_if_across_into", 2, 0,
            [&] { reheat::copy_if_across_into(nosync, first, last, raw(out), is_odd{}, raw(place)); });
        all("inclusive_scan that waits", 3, 1,
            [&] { thrust::inclusive_scan(reheat::par.across(ranks), raw(items), raw(items) + items.size(), raw(out)); });
      });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
