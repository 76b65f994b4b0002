// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Ranks as threads of one process, and checks that any thread may make.
#pragma once

#include <cstdio>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace engines
{

//! Of this process.
struct tally
{
  unsigned long made = 0, failed = 0;
};
inline std::mutex tally_mutex;
inline tally checks;

//! Counts a check; one that fails is printed.
inline void check(bool holds, const std::string& what)
{
  const std::lock_guard lock(tally_mutex);
  ++checks.made;
  if (!holds)
  {
    ++checks.failed;
    std::fprintf(stderr, "failed: %s\n", what.c_str());
  }
}

//! `body(rank)` in a thread for each rank. What it throws is a failed check.
template <class Body>
void on_each_rank(int count, Body body)
{
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
  {
    threads.emplace_back(
        [&body, rank]
        {
          try
          {
            body(rank);
          }
          catch (const std::exception& error)
          {
            check(false, "rank " + std::to_string(rank) + " threw: " + error.what());
          }
        });
  }
  for (std::thread& each : threads)
  {
    each.join();
  }
}

} // namespace engines
