// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "ranks.hpp"

#include <reheat/across/thread_ranks.h>

#include <exception>
#include <thread>

namespace compare
{

void on_each_rank_here(int count, const std::function<void(reheat::ranks&)>& make)
{
  reheat::thread_group group(count);
  std::vector<std::exception_ptr> thrown(count);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
  {
    threads.emplace_back(
        [&, rank]
        {
          try
          {
            reheat::thread_ranks own(group, rank);
            make(own);
          }
          catch (...)
          {
            thrown[rank] = std::current_exception();
          }
        });
  }
  for (std::thread& each : threads)
  {
    each.join();
  }
  for (const std::exception_ptr& each : thrown)
  {
    if (each)
    {
      std::rethrow_exception(each);
    }
  }
}

// All is in this process.
void gather_outcomes(std::vector<call>&) {}
void gather_outputs(std::byte*, const std::vector<std::size_t>&) {}

} // namespace compare
