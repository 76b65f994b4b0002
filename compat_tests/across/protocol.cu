// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What ranks do that disagree, fail or go; and that calls leave nothing behind for the next ones.

#include "../support/compare.hpp"
#include "../support/ranks.hpp"
#include "../support/reference.hpp"

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>

#include <atomic>
#include <cstdint>
#include <new>

using namespace compat;

BOOST_AUTO_TEST_SUITE(across)
BOOST_AUTO_TEST_SUITE(protocol)

namespace
{

using u32 = std::uint32_t;
using reheat::gather_order;

constexpr gather_order both_orders[] = {gather_order::in_stream, gather_order::on_host};

bool has(const std::string& text, const char* part)
{
  return text.find(part) != std::string::npos;
}

//! The sum of 1, 2, … on each rank: whether a call works.
void check_sum(const char* when, reheat::ranks& ranks)
{
  const auto item = to_device(std::vector<u32>{static_cast<u32>(ranks.rank()) + 1});
  const u32 sum = thrust::reduce(reheat::par.across(ranks), raw(item), raw(item) + 1);
  const u32 expected = static_cast<u32>(ranks.count() * (ranks.count() + 1) / 2);
  if (sum != expected)
  {
    throw std::runtime_error(std::string(when) + ": the sum is " + std::to_string(sum));
  }
}

//! Every rank throws what `expected(rank, text)` accepts from `body(ranks)`, and a later call works.
template <class Body, class Expected>
void check_all_throw(int count, gather_order order, Body body, Expected expected)
{
  std::vector<std::string> texts(static_cast<std::size_t>(count));
  on_ranks(count, order,
           [&](reheat::ranks& ranks)
           {
             check_sum("before", ranks);
             try
             {
               body(ranks);
             }
             catch (...)
             {
               texts[static_cast<std::size_t>(ranks.rank())] = text_of(std::current_exception());
             }
             check_sum("after", ranks);
           });
  for (int rank = 0; rank < count; ++rank)
  {
    const std::string& text = texts[static_cast<std::size_t>(rank)];
    BOOST_TEST(expected(rank, text), "rank " << rank << " threw: " << text);
  }
}

//! The only rank of its group. Notes what calls ask of their engine.
class noting_rank final : public reheat::ranks
{
public:
  noting_rank() : ranks("notes", 0, 1, gather_order::in_stream), group_(1), rank_(group_, 0) {}
  void all_gather(const void* send, void* receive, std::size_t bytes, reheat::stream_type stream) override
  {
    notes += "gather ";
    rank_.all_gather(send, receive, bytes, stream);
  }
  reheat::library::status_type wait(reheat::stream_type stream) override
  {
    notes += "wait ";
    return ranks::wait(stream);
  }

  std::string notes;

private:
  reheat::thread_group group_;
  reheat::thread_ranks rank_;
};

//! Has no memory.
struct empty_resource : thrust::mr::memory_resource<>
{
  void* do_allocate(std::size_t, std::size_t) override { throw std::bad_alloc(); }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
};

} // namespace

BOOST_AUTO_TEST_CASE(ranks_that_make_different_calls_all_learn_both)
{
  for (const auto order : both_orders)
  {
    check_all_throw(
        3, order,
        [](reheat::ranks& ranks)
        {
          const thrust::device_vector<u32> items(10, 1);
          const auto policy = reheat::par.across(ranks);
          if (ranks.rank() == 2)
          {
            static_cast<void>(thrust::count(policy, raw(items), raw(items) + 10, 1u));
          }
          else
          {
            static_cast<void>(thrust::reduce(policy, raw(items), raw(items) + 10));
          }
        },
        [](int, const std::string& text)
        {
          return has(text, "ranks made different calls: rank 0 made call 2, reheat::reduce, with values of 4 bytes") &&
                 has(text, "rank 2 made call 2, reheat::count, with values of 8 bytes");
        });
  }
}
BOOST_AUTO_TEST_CASE(types_of_different_sizes_are_different_calls)
{
  for (const auto order : both_orders)
  {
    check_all_throw(
        2, order,
        [](reheat::ranks& ranks)
        {
          const auto policy = reheat::par.across(ranks);
          if (ranks.rank() == 0) // one of them follows its record by values in a gather of their own
          {
            const auto items = to_device(make_items<words<16>>(10));
            static_cast<void>(thrust::reduce(policy, raw(items), raw(items) + 10, values<words<16>>::make(0), fold{}));
          }
          else
          {
            const auto items = to_device(make_items<words<3>>(10));
            static_cast<void>(thrust::reduce(policy, raw(items), raw(items) + 10, values<words<3>>::make(0), fold{}));
          }
        },
        [](int, const std::string& text)
        { return has(text, "values of 64 bytes aligned to 4") && has(text, "values of 12 bytes aligned to 4"); });
  }
}
BOOST_AUTO_TEST_CASE(a_call_that_one_rank_leaves_out)
{
  for (const auto order : both_orders)
  {
    std::vector<std::string> texts(2);
    reheat::thread_group group(2);
    const auto failures = failures_of_threads(2,
                                              [&](int rank)
                                              {
                                                const auto ranks = make_ranks(group, rank, order);
                                                check_sum("first", *ranks);
                                                if (rank == 1)
                                                {
                                                  return; // it goes, and rank 0 still waits; the next call need not wait
                                                }
                                                for (std::string& text : texts)
                                                {
                                                  try
                                                  {
                                                    check_sum("left out by rank 1", *ranks);
                                                  }
                                                  catch (...)
                                                  {
                                                    text = text_of(std::current_exception());
                                                  }
                                                }
                                              });
    check_none_failed(failures);
    for (const std::string& text : texts)
    {
      BOOST_TEST(has(text, "rank 1 of a group of 2 threads has ended"), text);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_rank_that_throws_before_the_exchange)
{
  for (const auto order : both_orders)
  {
    check_all_throw(
        4, order,
        [](reheat::ranks& ranks)
        {
          const thrust::device_vector<u32> items(10, 1);
          const int backwards = ranks.rank() == 1 || ranks.rank() == 3 ? -1 : 1;
          static_cast<void>(thrust::reduce(reheat::par.across(ranks), raw(items) + 5, raw(items) + 5 + 5 * backwards));
        },
        [](int rank, const std::string& text)
        {
          return rank % 2 == 1 ? has(text, "reheat::reduce: the range ends 5 items before it begins")
                               : has(text, "rank_failed 1: reheat::reduce: rank 1 has failed in this call, its call 2");
        });
  }
}
BOOST_AUTO_TEST_CASE(a_rank_without_memory)
{
  for (const auto order : both_orders)
  {
    check_all_throw(
        3, order,
        [](reheat::ranks& ranks)
        {
          const auto items =
              to_device(make_items<words<16>>(emulated ? 3000 : 30000)); // blocks exchange values in memory of the allocator
          const auto init = values<words<16>>::make(1);
          if (ranks.rank() == 0)
          {
            empty_resource none;
            static_cast<void>(
                thrust::reduce(reheat::par(&none).across(ranks), raw(items), raw(items) + items.size(), init, fold{}));
          }
          else
          {
            static_cast<void>(
                thrust::reduce(reheat::par.across(ranks), raw(items), raw(items) + items.size(), init, fold{}));
          }
        },
        [](int rank, const std::string& text) { return rank == 0 ? text == "bad_alloc" : has(text, "rank_failed 0"); });
  }
}
// Of a call that does not wait, the host learns late. The next call throws it, and so do all others of that call, because a
// rank that throws says so.
BOOST_AUTO_TEST_CASE(a_call_that_does_not_wait_fails_late)
{
  std::vector<std::string> own(3), checked(3), second_check(3);
  on_ranks(3, gather_order::in_stream,
           [&](reheat::ranks& ranks)
           {
             const auto rank = static_cast<std::size_t>(ranks.rank());
             const thrust::device_vector<u32> items(10, 1);
             thrust::device_vector<u32> out(1);
             stream where;
             try
             {
               const int backwards = rank == 1 ? -1 : 1;
               reheat::reduce_into(reheat::par_nosync.across(ranks).on(where.get()), raw(items) + 5,
                                   raw(items) + 5 + 5 * backwards, raw(out));
             }
             catch (...)
             {
               own[rank] = text_of(std::current_exception());
             }
             where.synchronise();
             const auto look = [&]() -> std::string
             {
               try
               {
                 ranks.check();
                 return "";
               }
               catch (...)
               {
                 return text_of(std::current_exception());
               }
             };
             checked[rank] = look();
             second_check[rank] = look();
             check_sum("after", ranks);
           });
  for (std::size_t rank = 0; rank < 3; ++rank)
  {
    BOOST_TEST(has(own[rank], "the range ends 5 items before it begins") == (rank == 1), own[rank]);
    BOOST_TEST(has(checked[rank], "rank_failed 1: reheat::reduce_into") == (rank != 1), checked[rank]);
    BOOST_TEST(second_check[rank] == "");
  }
}
BOOST_AUTO_TEST_CASE(the_next_call_throws_what_nobody_has_asked_for)
{
  std::vector<std::string> second(3), third(3);
  on_ranks(3, gather_order::in_stream,
           [&](reheat::ranks& ranks)
           {
             const auto rank = static_cast<std::size_t>(ranks.rank());
             const thrust::device_vector<u32> items(10, 1);
             thrust::device_vector<u32> out(1);
             const auto nosync = reheat::par_nosync.across(ranks);
             try
             {
               reheat::reduce_into(nosync, raw(items) + 5, raw(items) + (rank == 1 ? 0 : 10), raw(out));
             }
             catch (const std::runtime_error&)
             {}
             wait_for_all_streams();
             for (auto* const texts : {&second, &third})
             {
               try
               {
                 check_sum("then", ranks);
               }
               catch (...)
               {
                 (*texts)[rank] = text_of(std::current_exception());
               }
             }
           });
  for (std::size_t rank = 0; rank < 3; ++rank)
  {
    BOOST_TEST(has(second[rank], rank == 1 ? "rank_failed 0: reheat::reduce:" : "rank_failed 1: reheat::reduce_into:"),
               second[rank]);
    BOOST_TEST(third[rank] == "");
  }
}

// A report that came between the gathers would keep the ranks that have it from the second one.
BOOST_AUTO_TEST_CASE(reports_of_earlier_calls_are_there_before_values_are_gathered)
{
  noting_rank ranks;
  const auto items = to_device(make_items<words<16>>(10));
  thrust::device_vector<words<16>> large(1);
  const thrust::device_vector<u32> ones(10, 1);
  thrust::device_vector<u32> small(1);
  const auto nosync = reheat::par_nosync.across(ranks);
  reheat::reduce_into(nosync, raw(ones), raw(ones) + 10, raw(small));
  BOOST_TEST(ranks.notes == "gather ");
  ranks.notes.clear();
  reheat::reduce_into(nosync, raw(items), raw(items) + 10, raw(large), values<words<16>>::make(0), fold{});
  BOOST_TEST(ranks.notes == "wait gather wait gather ");
  wait_for_all_streams(); // before the rank's memory goes
}

BOOST_AUTO_TEST_CASE(calls_in_a_row_of_all_kinds)
{
  for (const auto order : both_orders)
  {
    check_on_ranks(4, order,
                   [](reheat::ranks& ranks)
                   {
                     const std::vector<interval> items = make_items<interval>(4 * 50);
                     const auto memory = to_device(items);
                     thrust::device_vector<interval> out(50);
                     thrust::device_vector<u32> sums(40);
                     const std::size_t begin = static_cast<std::size_t>(ranks.rank()) * 50;
                     const interval* const first = raw(memory) + begin;
                     const auto nosync = reheat::par_nosync.across(ranks);
                     const auto ones = to_device(std::vector<u32>(7, 1));
                     for (unsigned round = 0; round < 20; ++round)
                     {
                       thrust::inclusive_scan(nosync, first, first + 50, raw(out), fold{});
                       reheat::reduce_into(nosync, raw(ones), raw(ones) + 7, raw(sums) + 2 * round);
                       reheat::reduce_into(nosync, raw(ones), raw(ones) + 1, raw(sums) + 2 * round + 1, round);
                     }
                     wait_for_all_streams();
                     const interval last = to_host(out, 49, 1)[0];
                     const std::vector<u32> host = to_host(sums);
                     bool right = last.begin == 0 && last.end == static_cast<std::int64_t>(begin) + 50;
                     for (unsigned round = 0; round < 20; ++round)
                     {
                       right = right && host[2 * round] == 28 && host[2 * round + 1] == 4 + round;
                     }
                     if (!right)
                     {
                       throw std::runtime_error("a result is wrong on rank " + std::to_string(ranks.rank()));
                     }
                   });
  }
}
BOOST_AUTO_TEST_CASE(calls_on_streams_in_turns)
{
  check_on_ranks(3, gather_order::in_stream,
                 [](reheat::ranks& ranks)
                 {
                   const std::size_t size = emulated ? 10000 : 100000;
                   const thrust::device_vector<u32> items(size, 1);
                   thrust::device_vector<u32> sums(20);
                   stream streams[2];
                   for (unsigned round = 0; round < 20; ++round)
                   {
                     reheat::reduce_into(reheat::par_nosync.across(ranks).on(streams[round % 2].get()), raw(items),
                                         raw(items) + (round % 2 == 0 ? size : 1), raw(sums) + round);
                   }
                   wait_for_all_streams();
                   const std::vector<u32> host = to_host(sums);
                   for (unsigned round = 0; round < 20; ++round)
                   {
                     if (host[round] != 3 * (round % 2 == 0 ? size : 1))
                     {
                       throw std::runtime_error("sum " + std::to_string(round) + " is " + std::to_string(host[round]));
                     }
                   }
                 });
}

BOOST_AUTO_TEST_CASE(groups_refuse_what_makes_no_sense)
{
  BOOST_CHECK_THROW(reheat::thread_group(0), std::invalid_argument);
  reheat::thread_group group(2);
  BOOST_CHECK_THROW(reheat::thread_ranks(group, 2), std::invalid_argument);
  BOOST_CHECK_THROW(reheat::thread_ranks(group, -1), std::invalid_argument);
  const reheat::thread_ranks one(group, 1);
  BOOST_CHECK_THROW(reheat::thread_ranks(group, 1), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
