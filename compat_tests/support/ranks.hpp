// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Ranks as threads of the test, and how items are cut into their parts.
#pragma once

#include "machine.hpp"

#include <reheat/across/threads.cuh>

#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace compat
{

//! Threads, as an engine that gathers in host memory.
class threads_on_host final : public reheat::ranks
{
public:
  threads_on_host(reheat::thread_group& group, int rank)
      : reheat::ranks("threads on the host", rank, group.count(), reheat::gather_order::on_host), threads_(group, rank)
  {}
  void all_gather(const void* send, void* receive, std::size_t bytes, reheat::stream_type) override
  {
    threads_.all_gather(send, receive, bytes, stream_.get());
    stream_.synchronise();
  }

private:
  reheat::thread_ranks threads_;
  stream stream_;
};

inline std::unique_ptr<reheat::ranks> make_ranks(reheat::thread_group& group, int rank, reheat::gather_order order)
{
  if (order == reheat::gather_order::on_host)
  {
    return std::make_unique<threads_on_host>(group, rank);
  }
  return std::make_unique<reheat::thread_ranks>(group, rank);
}

//! Runs `body(rank)` in a thread for each rank. Returns what each threw, or null.
template <class Body>
std::vector<std::exception_ptr> failures_of_threads(int count, Body body)
{
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
  {
    threads.emplace_back(
        [&, rank]
        {
          try
          {
            body(rank);
          }
          catch (...)
          {
            thrown[static_cast<std::size_t>(rank)] = std::current_exception();
          }
        });
  }
  for (std::thread& each : threads)
  {
    each.join();
  }
  return thrown;
}

//! Runs `body(ranks)` on each of `count` ranks. Returns what each threw.
template <class Body>
std::vector<std::exception_ptr> failures_of_ranks(int count, reheat::gather_order order, Body body)
{
  reheat::thread_group group(count);
  auto failures = failures_of_threads(count,
                                      [&](int rank)
                                      {
                                        const auto ranks = make_ranks(group, rank, order);
                                        body(*ranks);
                                        wait_for_all_streams(); // before the ranks' memory goes
                                      });
  return failures;
}
//! The same; throws what the first of them threw.
template <class Body>
void on_ranks(int count, reheat::gather_order order, Body body)
{
  for (const std::exception_ptr& failure : failures_of_ranks(count, order, body))
  {
    if (failure != nullptr)
    {
      std::rethrow_exception(failure);
    }
  }
}

//! What a rank threw, in words.
inline std::string text_of(const std::exception_ptr& failure)
{
  if (failure == nullptr)
  {
    return "";
  }
  try
  {
    std::rethrow_exception(failure);
  }
  catch (const reheat::rank_failed& thrown)
  {
    return "rank_failed " + std::to_string(thrown.rank()) + ": " + thrown.what();
  }
  catch (const std::bad_alloc&)
  {
    return "bad_alloc";
  }
  catch (const std::exception& thrown)
  {
    return thrown.what();
  }
}
//! Checks that none of them has thrown.
inline void check_none_failed(const std::vector<std::exception_ptr>& failures)
{
  for (std::size_t rank = 0; rank < failures.size(); ++rank)
  {
    const std::string text = text_of(failures[rank]);
    BOOST_TEST(text == "", "rank " << rank << " threw: " << text);
  }
}
//! As on_ranks; checks that no rank throws.
template <class Body>
void check_on_ranks(int count, reheat::gather_order order, Body body)
{
  check_none_failed(failures_of_ranks(count, order, body));
}

//! How many items each rank has.
struct cut
{
  std::vector<std::size_t> parts;

  int ranks() const { return static_cast<int>(parts.size()); }
  std::size_t items() const { return std::accumulate(parts.begin(), parts.end(), std::size_t{0}); }
  std::size_t begin(int rank) const { return std::accumulate(parts.begin(), parts.begin() + rank, std::size_t{0}); }
  std::size_t end(int rank) const { return begin(rank + 1); }
  std::string text() const
  {
    std::string result;
    for (const std::size_t part : parts)
    {
      result += (result.empty() ? "" : "+") + std::to_string(part);
    }
    return result;
  }
};

inline constexpr std::size_t kinds_of_cuts = 6;
//! Cuts for up to `ranks` ranks: even, uneven, of single items, with empty parts at every place, and of nothing.
inline std::vector<cut> all_cuts(int ranks)
{
  std::vector<cut> cuts;
  for (int count = 1; count <= ranks; ++count)
  {
    const auto size = static_cast<std::size_t>(count);
    cut even{std::vector<std::size_t>(size, 301)}, uneven = even, single = even, only_last = even, holes = even;
    for (std::size_t rank = 0; rank < size; ++rank)
    {
      uneven.parts[rank] = 1 + (rank * 37 + 11) % 5 * 251;
      single.parts[rank] = 1;
      only_last.parts[rank] = rank + 1 == size ? 77 : 0;
      holes.parts[rank] = rank % 2 == 0 ? 0 : 33 + rank;
    }
    cuts.insert(cuts.end(), {even, uneven, single, only_last, holes, cut{std::vector<std::size_t>(size, 0)}});
  }
  return cuts;
}

//! Cuts for more ranks than a warp has lanes: of few items each, with empty parts between, and with 32 empty parts in a row.
inline std::vector<cut> cuts_of_many_ranks()
{
  cut few{std::vector<std::size_t>(33)}, holes{std::vector<std::size_t>(64)}, gap{std::vector<std::size_t>(70)};
  for (std::size_t rank = 0; rank < gap.parts.size(); ++rank)
  {
    if (rank < few.parts.size())
    {
      few.parts[rank] = 1 + rank % 3;
    }
    if (rank < holes.parts.size())
    {
      holes.parts[rank] = rank % 2 == 0 ? 0 : 1 + rank % 5 * 17;
    }
    gap.parts[rank] = rank >= 32 && rank < 64 ? 0 : 2 + rank % 4;
  }
  return {few, holes, gap};
}
//! `body(cut, order)` for those of up to five ranks, and of many; the two ways of an engine to gather take turns.
template <class Body>
void for_each_cut(Body body)
{
  std::size_t number = 0;
  std::vector<cut> cuts = all_cuts(5);
  const std::vector<cut> more = cuts_of_many_ranks();
  cuts.insert(cuts.end(), more.begin(), more.end());
  for (const cut& each : cuts)
  {
    const bool on_host = (number / kinds_of_cuts + number) % 2 == 1; // each kind of cut meets both
    ++number;
    BOOST_TEST_CONTEXT("parts " << each.text() << (on_host ? ", gathered on the host" : ""))
    {
      body(each, on_host ? reheat::gather_order::on_host : reheat::gather_order::in_stream);
    }
  }
}

//! The items of one rank's part.
template <class T>
std::vector<T> part_of(const std::vector<T>& items, const cut& parts, int rank)
{
  return std::vector<T>(items.begin() + static_cast<std::ptrdiff_t>(parts.begin(rank)),
                        items.begin() + static_cast<std::ptrdiff_t>(parts.end(rank)));
}

} // namespace compat
