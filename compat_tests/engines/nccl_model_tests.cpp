// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat::nccl_ranks over the model of NCCL: what it does when NCCL fails, or never ends.
#include "calls_across.hpp"
#include "each_rank.hpp"
#include "nccl_model.hpp"

#include <reheat/across/nccl_ranks.h>
#include <reheat/emulator.h>

#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

constexpr std::size_t record_bytes = 64;

struct alignas(64) record
{
  unsigned char bytes[record_bytes];
};

//! One rank alone, and a record to gather.
struct one_rank
{
  std::vector<std::unique_ptr<ncclComm>> comms = nccl_model::make(1);
  ncclComm& comm = *comms[0];
  reheat::nccl_ranks ranks{&comm};
  reheat::emulator::stream stream;
  record sent{}, received{};

  void gather() { ranks.all_gather(&sent, &received, record_bytes, &stream); }
};

//! The text of what `body` throws as an Exception.
template <class Exception = std::runtime_error, class Body>
std::string thrown_by(Body body)
{
  try
  {
    body();
  }
  catch (const Exception& error)
  {
    return error.what();
  }
  return "nothing was thrown";
}

bool contains(const std::string& text, const char* part)
{
  return text.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(nccl_ranks)

BOOST_AUTO_TEST_CASE(every_rank_gets_the_bytes_of_all)
{
  for (int count = 1; count <= 4; ++count)
  {
    const auto comms = nccl_model::make(count);
    engines::on_each_rank(count,
                          [&](int rank)
                          {
                            reheat::nccl_ranks ranks(comms[rank].get());
                            reheat::emulator::stream stream;
                            record sent;
                            std::memset(&sent, 100 + rank, record_bytes);
                            std::vector<record> received(count);
                            ranks.all_gather(&sent, received.data(), record_bytes, &stream);
                            engines::check(ranks.rank() == rank && ranks.count() == count, "rank and count");
                            for (int r = 0; r < count; ++r)
                            {
                              std::memset(&sent, 100 + r, record_bytes);
                              engines::check(std::memcmp(&sent, &received[r], record_bytes) == 0,
                                             "record " + std::to_string(r));
                            }
                          });
  }
}

BOOST_AUTO_TEST_CASE(a_communicator_that_is_null_or_of_another_device_is_refused)
{
  BOOST_TEST(contains(thrown_by<std::invalid_argument>([] { reheat::nccl_ranks ranks(nullptr); }), "is null"));
  const auto comms = nccl_model::make(2);
  comms[1]->device = 3;
  nccl_model::set_device(3);
  reheat::nccl_ranks right(comms[1].get());
  nccl_model::set_device(2);
  const std::string text = thrown_by<std::invalid_argument>([&] { reheat::nccl_ranks ranks(comms[1].get()); });
  nccl_model::set_device(0);
  BOOST_TEST(text == "reheat::nccl_ranks: the communicator of rank 1 is for device 3, and device 2 is current; call "
                     "cudaSetDevice first");
}

BOOST_AUTO_TEST_CASE(a_gather_that_fails_says_what_was_tried_and_what_nccl_says)
{
  one_rank one;
  one.comm.refuses = ncclSystemError;
  const std::string text = thrown_by([&] { one.gather(); });
  BOOST_TEST(text ==
             "reheat::nccl_ranks: ncclAllGather of 64 bytes from each of 1 ranks, on rank 0: the model's system error; "
             "the model's last error (NCCL 2.99.1; NCCL_DEBUG=WARN in the environment says more)");
  BOOST_TEST(!one.ranks.aborted());
}

BOOST_AUTO_TEST_CASE(an_error_that_comes_later_is_thrown_by_the_next_call)
{
  one_rank one;
  one.gather();
  one.ranks.check_engine();
  one.comm.pending = ncclRemoteError;
  BOOST_TEST(
      contains(thrown_by([&] { one.ranks.check_engine(); }), "an earlier gather, on rank 0 of 1: the model's remote error"));
  BOOST_TEST(!one.ranks.aborted());
}

BOOST_AUTO_TEST_CASE(work_in_progress_is_no_error)
{
  one_rank one;
  one.comm.in_progress = 1;
  one.ranks.check_engine();
  BOOST_TEST(one.comm.in_progress == 0);
}

BOOST_AUTO_TEST_CASE(a_wait_ends_with_the_stream)
{
  one_rank one;
  one.gather();
  BOOST_TEST((one.ranks.wait(&one.stream) == reheat::library::success));
  BOOST_TEST(one.stream.synchronisation_count() == 1u);
}

BOOST_AUTO_TEST_CASE(an_error_during_a_wait_aborts_the_communicator)
{
  one_rank one;
  one.comm.never_ends = true;
  one.gather();
  one.comm.pending = ncclRemoteError;
  const std::string text = thrown_by([&] { one.ranks.wait(&one.stream); });
  BOOST_TEST(contains(text, "waiting for a gather, on rank 0 of 1: the model's remote error"));
  BOOST_TEST(one.comm.aborted);
  BOOST_TEST(one.ranks.aborted());
  BOOST_TEST(one.stream.synchronisation_count() == 1u); // the kernel has ended when the caller's memory goes
}

BOOST_AUTO_TEST_CASE(a_wait_gives_up_after_the_time_it_is_given_and_no_sooner)
{
  one_rank one;
  one.comm.never_ends = true;
  one.ranks.give_up_after(std::chrono::milliseconds(30));
  one.gather();
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = thrown_by([&] { one.ranks.wait(&one.stream); });
  const auto waited = std::chrono::steady_clock::now() - begin;
  BOOST_TEST(contains(text, "waiting for a gather, on rank 0 of 1: given up after 30 ms"));
  BOOST_TEST((waited >= std::chrono::milliseconds(30)));
  BOOST_TEST((waited < std::chrono::seconds(20)));
  BOOST_TEST(one.comm.aborted);
}

BOOST_AUTO_TEST_CASE(after_an_abort_every_use_says_so)
{
  one_rank one;
  one.comm.never_ends = true;
  one.ranks.give_up_after(std::chrono::milliseconds(1));
  one.gather();
  thrown_by([&] { one.ranks.wait(&one.stream); });
  const char* const expected = "an earlier call has aborted the communicator of rank 0";
  BOOST_TEST(contains(thrown_by([&] { one.gather(); }), expected));
  BOOST_TEST(contains(thrown_by([&] { one.ranks.check_engine(); }), expected));
  BOOST_TEST(contains(thrown_by([&] { one.ranks.wait(&one.stream); }), expected));
}

// NCCL ends a gather without an error when another rank gives up.
BOOST_AUTO_TEST_CASE(a_record_that_has_not_arrived_aborts_the_communicator)
{
  const auto comms = nccl_model::make(3);
  std::vector<std::string> first(3), second(3);
  engines::on_each_rank(3,
                        [&](int rank)
                        {
                          reheat::nccl_ranks ranks(comms[rank].get());
                          engines::make_all_calls(ranks);
                          comms[rank]->loses = rank == 0 ? 1 : -1;
                          first[rank] = engines::thrown_by_a_call(ranks);
                          engines::check(ranks.aborted() == (rank == 0), "aborted");
                          second[rank] = rank == 0 ? engines::thrown_by_a_call(ranks) : "";
                        });
  BOOST_TEST(contains(first[0], "reheat::reduce: the record of rank 1 has not arrived on rank 0 of 3"));
  BOOST_TEST(contains(first[0], ". The communicator has been aborted; make a new communicator, and new ranks"));
  BOOST_TEST(contains(second[0], "an earlier call has aborted the communicator of rank 0"));
  BOOST_TEST((first[1] == "nothing" && first[2] == "nothing"));
  BOOST_TEST((comms[0]->aborted && !comms[1]->aborted && !comms[2]->aborted));
}

BOOST_AUTO_TEST_CASE(where_nothing_may_wait_the_communicator_is_not_aborted_but_refused)
{
  one_rank one;
  BOOST_TEST(contains(one.ranks.has_lost_bytes(false),
                      "destroy the graphs that have captured calls on it, if there are any, call ncclCommAbort, and make"));
  BOOST_TEST(!one.ranks.aborted());
  BOOST_TEST(!one.comm.aborted);
  const char* const expected = "a record has not arrived on rank 0, and the communicator is of no more use";
  BOOST_TEST(contains(thrown_by([&] { one.gather(); }), expected));
  BOOST_TEST(contains(thrown_by([&] { one.ranks.check_engine(); }), expected));
}

BOOST_AUTO_TEST_CASE(a_communicator_that_does_not_block_is_waited_for)
{
  one_rank one;
  one.comm.in_progress = 3;
  one.sent.bytes[5] = 55;
  one.gather();
  BOOST_TEST(one.comm.in_progress == 0);
  BOOST_TEST(one.received.bytes[5] == 55);
}

BOOST_AUTO_TEST_CASE(a_gather_that_stays_in_progress_is_given_up)
{
  one_rank one;
  one.comm.in_progress = -1;
  one.ranks.give_up_after(std::chrono::milliseconds(20));
  BOOST_TEST(contains(thrown_by([&] { one.gather(); }),
                      "ncclAllGather of 64 bytes from each of 1 ranks, on rank 0: given up after 20 ms"));
  BOOST_TEST(one.comm.aborted);
}

BOOST_AUTO_TEST_CASE(a_gather_in_progress_that_fails_says_so)
{
  one_rank one;
  one.comm.in_progress = -1;
  one.comm.pending = ncclSystemError;
  BOOST_TEST(contains(thrown_by([&] { one.gather(); }), "the model's system error"));
}

BOOST_AUTO_TEST_CASE(a_wait_breaks_no_capture_of_another_thread)
{
  one_rank one;
  one.gather();
  const int before = nccl_model::strict_queries();
  one.ranks.wait(&one.stream);
  BOOST_TEST(nccl_model::strict_queries() == before);
  BOOST_TEST(nccl_model::capture_mode() == cudaStreamCaptureModeGlobal);
}

BOOST_AUTO_TEST_CASE(every_call_works_across_ranks)
{
  for (int count = 1; count <= 3; ++count)
  {
    const auto comms = nccl_model::make(count);
    engines::on_each_rank(count,
                          [&](int rank)
                          {
                            reheat::nccl_ranks ranks(comms[rank].get());
                            engines::make_all_calls(ranks);
                          });
  }
}

BOOST_AUTO_TEST_CASE(different_calls_of_ranks_are_named)
{
  const auto comms = nccl_model::make(3);
  engines::on_each_rank(3,
                        [&](int rank)
                        {
                          reheat::nccl_ranks ranks(comms[rank].get());
                          engines::make_different_calls(ranks);
                        });
}

//! The last one: what threads have checked.
BOOST_AUTO_TEST_CASE(no_check_of_a_thread_has_failed)
{
  BOOST_TEST(engines::checks.failed == 0u);
  BOOST_TEST(engines::checks.made > 100u);
}

BOOST_AUTO_TEST_SUITE_END()
