// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Ranks on which a gather ends although a rank's bytes have not arrived. On the emulator, where all memory is the host's.
#pragma once

#include "ranks.hpp"

#include <reheat/across/threads.cuh>

#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <vector>

namespace compat
{

//! What stands in the place of a rank's bytes.
enum class loss
{
  untouched,    //!< what the gather before has left there
  handed_on,    //!< another rank's bytes of the gather before the last: NCCL's buffers go round
  of_next_rank, //!< another rank's bytes of this gather
  head_alone    //!< only the head of a record has arrived; its other bytes are of the gather before
};
inline constexpr loss all_losses[] = {loss::untouched, loss::handed_on, loss::of_next_rank, loss::head_alone};

class lossy_ranks final : public reheat::ranks
{
public:
  lossy_ranks(reheat::thread_group& group, int rank, reheat::gather_order order = reheat::gather_order::in_stream)
      : reheat::ranks("threads that lose bytes", rank, group.count(), order), threads_(group, rank)
  {}

  //! In the gather number `gather` from now on, from 1.
  void lose(loss what, int of, int gather)
  {
    what_ = what;
    of_ = of;
    in_ = gather;
  }
  //! Whether other bytes stand there than those that were sent. An absent value may be the same in all rounds.
  bool has_lost() const { return has_lost_; }
  //! How often a call has told so.
  int losses() const { return losses_; }
  int losses_without_waiting() const { return losses_without_waiting_; } //!< of those: the engine may not wait

  void all_gather(const void* send, void* receive, std::size_t bytes, reheat::stream_type stream) override
  {
    auto* const there = static_cast<unsigned char*>(receive);
    const block before(there, there + static_cast<std::size_t>(count()) * bytes);
    threads_.all_gather(send, receive, bytes, stream);
    const block arrived(there, there + before.size());
    std::deque<block>& earlier = earlier_[bytes];
    if (--in_ == 0)
    {
      const auto place = [&](int rank) { return static_cast<std::size_t>(rank) * bytes; };
      const int next = (of_ + 1) % count();
      const std::size_t kept = what_ == loss::head_alone ? head_bytes : 0;
      const block& source = what_ == loss::of_next_rank ? arrived : what_ == loss::handed_on ? earlier.front() : before;
      const bool own_place = what_ == loss::untouched || what_ == loss::head_alone;
      std::memcpy(there + place(of_) + kept, source.data() + place(own_place ? of_ : next) + kept, bytes - kept);
      has_lost_ = std::memcmp(there, arrived.data(), arrived.size()) != 0;
    }
    earlier.push_back(arrived);
    if (earlier.size() > 2)
    {
      earlier.pop_front();
    }
  }
  const char* has_lost_bytes(bool may_wait) noexcept override
  {
    ++losses_;
    losses_without_waiting_ += may_wait ? 0 : 1;
    return "The test has lost them";
  }

private:
  using block = std::vector<unsigned char>;
  static constexpr std::size_t head_bytes = 24;

  reheat::thread_ranks threads_;
  std::map<std::size_t, std::deque<block>> earlier_; //!< what the last two gathers of so many bytes have brought
  loss what_{};
  int of_ = 0, in_ = 0, losses_ = 0, losses_without_waiting_ = 0;
  bool has_lost_ = false;
};

} // namespace compat
