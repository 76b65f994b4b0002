// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The ranks of a call across GPUs, and what an engine implements to carry bytes between them: part of the interface of
//! src/across. Engines are headers beside this one, which include what they need (MPI, NCCL); nothing here does.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/workspace.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

struct across_state;

//! Thrown by the ranks that could not finish a call because of another rank, which threw before it had exchanged anything.
//! `what()` names that rank and its call. A call that does not wait throws it late: the next call on the ranks does, or
//! ranks::check().
class rank_failed : public std::runtime_error
{
public:
  rank_failed(int rank, const char* what) : std::runtime_error(what), rank_(rank) {}
  //! The lowest rank that failed.
  int rank() const { return rank_; }

private:
  int rank_;
};

//! Where the results of a rank are among those of all ranks, in the order of ranks.
struct place_across
{
  std::uint64_t count;        //!< results of this rank
  std::uint64_t global_index; //!< of the rank's first one: how many the ranks before have
  std::uint64_t total;        //!< results of all ranks
};

//! How an engine gathers.
enum class gather_order
{
  //! all_gather takes host memory, and returns when all of it has arrived. It takes no notice of the stream.
  on_host,
  //! all_gather takes device memory, and enqueues on the stream. It may block the host until all ranks have called it, but
  //! waits for no work of a stream.
  in_stream,
  //! The same; and while the stream is being captured, all_gather becomes a part of the graph.
  in_stream_or_graph
};

//! One rank's end of a group of ranks. Programs make an engine's object, such as reheat::mpi_ranks, once, and give it to
//! `reheat::par.across(ranks)`; it outlives all work that was enqueued with it, and belongs to the device that was current
//! when it was made.
//!
//! All ranks of the group make the same calls in the same order. The calls of one object come from one thread at a time;
//! objects of different ranks may be used by different threads at once. A call on another stream than the call before it
//! begins, in stream order, behind that call.
//!
//! An engine derives from it and implements all_gather.
class ranks
{
public:
  ranks(const ranks&) = delete;
  ranks& operator=(const ranks&) = delete;
  virtual ~ranks();

  int rank() const { return rank_; }   //!< of this process or thread: 0 … count() − 1
  int count() const { return count_; } //!< how many ranks the group has: at least 1
  gather_order order() const { return order_; }

  //! Throws what earlier calls that did not wait have run into, as far as it is known by now: rank_failed,
  //! std::runtime_error if ranks made different calls or a rank's record has not arrived, or an error of the engine. Waits
  //! for nothing.
  void check();

  //! For the implementation of the calls; an engine does not touch it.
  across_state& state() { return *state_; }

  // ---- what an engine implements
  // ------------------------------------------------------------------------------------------

  //! Rank r's `bytes` bytes at `send` arrive at `receive` + r · bytes on every rank, its own included. All ranks call it
  //! with the same number of bytes, which is a power of two and at least 64. Both places are aligned to 64 bytes and do not
  //! overlap. They are host memory, or memory of the current device, as order() says; the caller keeps them until the
  //! gather has ended. Whatever is enqueued on `stream` later sees the bytes. Throws std::runtime_error if the engine
  //! fails, and says at what. A gather on a stream may also end without all bytes, whatever stands in their places: the call
  //! then throws.
  virtual void all_gather(const void* send, void* receive, std::size_t bytes, stream_type stream) = 0;

  //! Throws std::runtime_error if the engine knows of an error of an earlier gather. Called at the begin of each call and by
  //! check(). Waits for nothing.
  virtual void check_engine() {}

  //! Waits for the stream, on which a gather may be pending. An engine that can tell that a gather will never end throws
  //! instead. By default library::wait_for.
  virtual status_type wait(stream_type stream);

  //! Called when a gather has ended without the bytes of a rank, before the call throws. An engine that can gather no more
  //! refuses the calls that follow. With `may_wait` it may also wait, for example to abort its work. check() and calls that
  //! wait for nothing call it without, and so does every call once these ranks have been captured: graphs may live for ever.
  //! Returns a sentence for the message: what the engine has done, and what to do. By default none.
  virtual const char* has_lost_bytes(bool may_wait) noexcept;

protected:
  //! `engine` names the engine in messages: "NCCL", for example. Throws std::invalid_argument unless 0 <= rank < count.
  ranks(const char* engine, int rank, int count, gather_order order);

private:
  int rank_;
  int count_;
  gather_order order_;
  std::unique_ptr<across_state> state_;
};

} // namespace library
} // namespace REHEAT_MACHINE

using library::gather_order;
using library::place_across;
using library::rank_failed;
using library::ranks;

} // namespace reheat
