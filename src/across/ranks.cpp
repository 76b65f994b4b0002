// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include <reheat/across/ranks.h>
#include <reheat/detail/across/exchange.h>
#include <reheat/detail/runtime/message.h>

#include "../runtime/machine.h"
#include "memory.h"

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{
namespace
{

constexpr const char* what_memory = "reheat: allocating memory for the records of ranks";

//! A block that grows. Work that is enqueued, and graphs, may still use what it was, so that stays until the end.
class growing_block
{
public:
  explicit growing_block(machine::memory_user user) : user_(user) {}
  growing_block(const growing_block&) = delete;
  growing_block& operator=(const growing_block&) = delete;
  ~growing_block()
  {
    for (void* const block : blocks_)
    {
      machine::free_for_ranks(block, user_);
    }
  }
  void need(std::size_t bytes)
  {
    if (bytes <= bytes_)
    {
      return;
    }
    const std::size_t wanted = bytes < 2 * bytes_ ? 2 * bytes_ : bytes; // so that all blocks are at most twice the last
    blocks_.push_back(nullptr);
    const status_type status = machine::allocate_for_ranks(&blocks_.back(), wanted, user_);
    if (status != success)
    {
      blocks_.pop_back();
      fail_memory(status, what_memory);
    }
    bytes_ = wanted;
  }
  //! The first bytes become zeros, while nothing uses the block.
  void clear(std::size_t bytes)
  {
    const status_type status = machine::zero_for_ranks(get(), bytes, user_);
    if (status != success)
    {
      fail(status, "reheat: clearing the records of ranks");
    }
  }
  unsigned char* get() const { return static_cast<unsigned char*>(blocks_.back()); }

private:
  machine::memory_user user_;
  std::vector<void*> blocks_;
  std::size_t bytes_ = 0;
};

} // namespace

//! What an object of ranks keeps between calls.
struct across_state
{
  explicit across_state(bool on_host)
      : user(on_host ? machine::memory_user::host : machine::memory_user::engine), own(user), all(user), own_value(user),
        all_values(user), report_block(machine::memory_user::host), carry(machine::memory_user::engine)
  {}
  ~across_state()
  {
    if (has_point)
    {
      machine::destroy_point(last_work);
    }
  }

  machine::memory_user user;
  growing_block own;        //!< the rank's record
  growing_block all;        //!< those of all ranks. The rank's own is where the next one's number comes from
  growing_block own_value;  //!< the rank's value if that has no room in a record
  growing_block all_values; //!< those of all ranks
  growing_block report_block;
  growing_block carry;
  rank_report* report = nullptr; //!< null if the engine gathers on the host
  std::uint32_t calls = 0;
  bool has_point = false;
  point_type last_work{}; //!< the end of the latest call that was not captured
  stream_type last_stream{};
  bool has_stream = false;
  bool has_captured = false;
};

namespace
{

const char* name_of_call(std::uint16_t call)
{
  if (call < algorithm_count)
  {
    return name_of(static_cast<algorithm>(call));
  }
  switch (static_cast<call_across>(call))
  {
    case call_across::min_element:
      return "reheat::min_element_across";
    case call_across::max_element:
      return "reheat::max_element_across";
    case call_across::minmax_element:
      return "reheat::minmax_element_across";
    case call_across::prefix:
      return "reheat::prefix_across";
    case call_across::copy_if:
      return "reheat::copy_if_across";
    case call_across::copy_if_into:
      return "reheat::copy_if_across_into";
    case call_across::remove_copy_if:
      return "reheat::remove_copy_if_across";
    case call_across::remove_copy_if_into:
      return "reheat::remove_copy_if_across_into";
    case call_across::reduce_by_key:
      return "reheat::reduce_by_key_across";
    case call_across::reduce_by_key_into:
      return "reheat::reduce_by_key_across_into";
  }
  return "a call of another version of reheat";
}

bool same_call(const record_head& x, const record_head& y)
{
  return x.call_number == y.call_number && x.value_bytes == y.value_bytes && x.call == y.call &&
         x.value_alignment == y.value_alignment;
}

std::string described(int rank, const record_head& head)
{
  return format_message("rank %d made call %u, %s, with values of %u bytes aligned to %u", rank, head.call_number,
                        name_of_call(head.call), head.value_bytes, head.value_alignment)
      .text;
}

//! Heads that lie `step` bytes apart.
struct heads_of_ranks
{
  const unsigned char* heads;
  std::size_t step;

  record_head of(int rank) const
  {
    record_head head;
    std::memcpy(&head, heads + static_cast<std::size_t>(rank) * step, sizeof head);
    return head;
  }
};

//! Throws if a record has not arrived. Before heads are compared: what stands in its place is not of this call.
void require_all(const heads_of_ranks& heads, ranks& group, bool may_wait)
{
  for (int rank = 0; rank < group.count(); ++rank)
  {
    const record_head head = heads.of(rank);
    if (head.state == record_state::missing)
    {
      const std::string advice = group.has_lost_bytes(may_wait && !group.state().has_captured);
      throw std::runtime_error(
          format_message(
              "%s: the record of rank %d has not arrived on rank %d of %d, in its call %u on these ranks. The gather "
              "has ended all the same: another rank may have given up or aborted, or the engine has failed",
              name_of_call(head.call), rank, group.rank(), group.count(), head.call_number)
              .text +
          (advice.empty() ? "" : ". " + advice));
    }
  }
}

//! Throws if a record has not arrived, or if ranks are at odds.
void examine(const heads_of_ranks& heads, ranks& group, bool may_wait)
{
  require_all(heads, group, may_wait);
  const record_head first = heads.of(0);
  int failed = -1;
  for (int rank = 0; rank < group.count(); ++rank)
  {
    const record_head head = heads.of(rank);
    if (!same_call(head, first))
    {
      throw std::runtime_error("reheat: ranks made different calls: " + described(0, first) + "; " + described(rank, head) +
                               ". All ranks have to make the same calls in the same order");
    }
    failed = failed < 0 && head.state == record_state::failed ? rank : failed;
  }
  if (failed >= 0)
  {
    throw rank_failed(failed, format_message("%s: rank %d has failed in this call, its call %u on these ranks, before it "
                                             "had a value to exchange; what it threw says why",
                                             name_of_call(first.call), failed, first.call_number)
                                  .text);
  }
}

} // namespace

ranks::ranks(const char* engine, int rank, int count, gather_order order) : rank_(rank), count_(count), order_(order)
{
  if (rank < 0 || rank >= count)
  {
    throw std::invalid_argument(format_message("reheat: rank %d of %d ranks over %s: a rank is at least 0 and less than the "
                                               "number of ranks",
                                               rank, count, engine)
                                    .text);
  }
  const bool on_host = order == gather_order::on_host;
  state_ = std::make_unique<across_state>(on_host);
  // Before any call: a call that found no memory for its record could not tell the others.
  state_->own.need(record_bytes);
  state_->own.clear(record_bytes);
  state_->all.need(static_cast<std::size_t>(count) * record_bytes);
  state_->all.clear(static_cast<std::size_t>(count) * record_bytes);
  if (!on_host)
  {
    state_->report_block.need(sizeof(rank_report) + static_cast<std::size_t>(count) * sizeof(record_head));
    state_->report = reinterpret_cast<rank_report*>(state_->report_block.get());
    *state_->report = {};
  }
  const status_type status = machine::make_point(&state_->last_work);
  if (status != success)
  {
    fail(status, "reheat: creating an event for ranks");
  }
  state_->has_point = true;
}

ranks::~ranks() = default;

status_type ranks::wait(stream_type stream)
{
  return wait_for(stream);
}

const char* ranks::has_lost_bytes(bool) noexcept
{
  return "";
}

namespace
{

//! Throws what kernels have reported.
void examine_report(across_state& state, ranks& group, bool may_wait)
{
  if (state.report == nullptr)
  {
    return;
  }
  auto& raised = *static_cast<volatile std::uint32_t*>(&state.report->raised);
  if (raised == 0)
  {
    return;
  }
  std::atomic_thread_fence(std::memory_order_acquire); // the heads were stored before
  const auto* const heads = reinterpret_cast<const unsigned char*>(state.report + 1);
  const std::vector<unsigned char> copy(heads, heads + static_cast<std::size_t>(group.count()) * sizeof(record_head));
  std::atomic_thread_fence(std::memory_order_release); // kernels store heads again when they see it
  raised = 0;
  examine({copy.data(), sizeof(record_head)}, group, may_wait);
}

} // namespace

void ranks::check()
{
  check_engine();
  examine_report(*state_, *this, false);
}

exchange::exchange(ranks& group, const environment& env, std::uint16_t call, std::size_t value_bytes,
                   std::size_t value_alignment)
    : group_(group), env_(env), signature_{}, offset_(value_offset(value_bytes, value_alignment)),
      stride_(value_stride(value_bytes)), captured_(false)
{
  signature_.call_number = ++group.state().calls;
  signature_.value_bytes = static_cast<std::uint32_t>(value_bytes);
  signature_.call = call;
  signature_.value_alignment = static_cast<std::uint8_t>(value_alignment);
  group.check_engine();
}

exchange::~exchange()
{
  if (!is_unmarked_)
  {
    return;
  }
  try
  {
    has_enqueued();
  }
  catch (...)
  {
    try
    {
      static_cast<void>(wait()); // the next call cannot begin behind it in stream order
    }
    catch (...)
    {} // the engine has given up, and refuses the next call
  }
}

void exchange::prepare(std::size_t carry_bytes)
{
  across_state& state = group_.state();
  const status_type status = is_capturing(env_.stream, &captured_);
  if (status != success)
  {
    fail_in(env_, status, env_.caller);
  }
  state.has_captured = state.has_captured || captured_;
  if (!captured_ && state.has_stream && state.last_stream != env_.stream)
  {
    const status_type waited = machine::wait_in_stream(env_.stream, state.last_work);
    if (waited != success)
    {
      fail_in(env_, waited, env_.caller);
    }
  }
  has_begun_ = true;
  is_unmarked_ = !captured_;
  if (offset_ == 0)
  {
    state.own_value.need(stride_);
    state.all_values.need(static_cast<std::size_t>(group_.count()) * stride_);
  }
  if (carry_bytes != 0)
  {
    state.carry.need(carry_bytes);
  }
  if (waits_for_heads())
  {
    // Reports of earlier calls are seen before the exchange. One that came during it would make the ranks that have it
    // throw, while the others gathered values.
    wait_for_stream();
  }
  examine_report(state, group_, env_.waits);
}

void exchange::begin_after_failure()
{
  if (has_begun_)
  {
    return;
  }
  const across_state& state = group_.state();
  if (state.has_stream && state.last_stream != env_.stream)
  {
    const status_type status = machine::wait_on_host(state.last_work);
    if (status != success)
    {
      fail_in(env_, status, env_.caller);
    }
  }
  has_begun_ = true;
  is_unmarked_ = true; // of captures only is_capturing() can fail, which leaves captured_ as it was
}

record_head exchange::head(record_state state, std::uint64_t items) const
{
  record_head result = signature_;
  result.state = state;
  result.items = items;
  return result;
}

record_head* exchange::own_record() const
{
  return reinterpret_cast<record_head*>(group_.state().own.get());
}
record_place exchange::record() const
{
  const unsigned char* const latest = group_.state().all.get() + static_cast<std::size_t>(group_.rank()) * record_bytes;
  return {own_record(), is_on_host() ? nullptr : reinterpret_cast<const record_head*>(latest), group_.rank()};
}
void* exchange::value() const
{
  across_state& state = group_.state();
  return offset_ == 0 ? state.own_value.get() : state.own.get() + offset_;
}
void* exchange::carry() const
{
  return group_.state().carry.get();
}

void exchange::finish_record()
{
  if (is_on_host())
  {
    wait_for_stream();
  }
}

gathered_records exchange::gather()
{
  across_state& state = group_.state();
  for (int rank = 0; is_on_host() && rank < group_.count(); ++rank)
  {
    const record_head missing = head(record_state::missing, 0);
    std::memcpy(state.all.get() + static_cast<std::size_t>(rank) * record_bytes, &missing, sizeof missing);
  }
  group_.all_gather(state.own.get(), state.all.get(), record_bytes, env_.stream);
  if (is_on_host())
  {
    examine({state.all.get(), record_bytes}, group_, true);
  }
  const unsigned char* const values = offset_ == 0 ? state.all_values.get() : state.all.get() + offset_;
  return {state.all.get(), values,        offset_ == 0 ? stride_ : record_bytes, own_record(), state.report,
          group_.rank(),   group_.count()};
}

void exchange::gather_values()
{
  across_state& state = group_.state();
  group_.all_gather(state.own_value.get(), state.all_values.get(), stride_, env_.stream);
}

void exchange::gather_values_after_failure() noexcept
{
  try
  {
    gather_values();
    has_enqueued();
  }
  catch (...)
  {} // the rank throws what it has failed at
}

void exchange::gather_failure(bool head_enqueued) noexcept
{
  across_state& state = group_.state();
  try
  {
    if (is_on_host())
    {
      static_cast<void>(wait()); // for what a kernel may still write to the record
      *own_record() = head(record_state::failed, 0);
    }
    else if (!head_enqueued)
    {
      return; // the device takes no work any more, and the engine has to tell the others
    }
    group_.all_gather(state.own.get(), state.all.get(), record_bytes, env_.stream);
    has_enqueued(); // the gather, too: the next call writes to the same records, maybe on another stream
  }
  catch (...)
  {} // the rank throws what it has failed at
}

status_type exchange::wait()
{
  return group_.wait(env_.stream);
}

void exchange::wait_for_stream()
{
  const status_type status = wait();
  if (status != success)
  {
    fail_in(env_, status, env_.caller);
  }
}

void exchange::conclude()
{
  group_.check_engine();
  examine_report(group_.state(), group_, true);
}

void exchange::has_enqueued()
{
  if (captured_)
  {
    return;
  }
  across_state& state = group_.state();
  const status_type status = machine::mark_point(state.last_work, env_.stream);
  if (status != success)
  {
    fail_in(env_, status, env_.caller);
  }
  state.last_stream = env_.stream;
  state.has_stream = true;
  is_unmarked_ = false;
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
