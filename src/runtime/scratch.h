// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Who owns which block of scratch memory.
//!
//! * A stream owns a block, which its calls use one after another. When it is too small the block goes back in the stream's
//!   own order, and a larger one comes in the same order. The first `resident_streams` streams keep theirs. CUDA cannot say
//!   whether a stream still exists; whether its work is done can be known only from a point in time that is marked behind
//!   each call, which costs time. Streams beyond them mark one, and their block goes to the next stream when it has passed.
//! * A captured call owns its block for as long as its graph, and all that is made of it, exist. Then the block serves
//!   another captured call. A call captured directly behind another of its thread's uses that one's block: the two are
//!   ordered, and the words are still in the L2 cache (0.3 us of 2.4 in a row of small scans on an NVIDIA H200).
//! * A call that needs more than `kept_bytes` gets memory for itself, in its stream's order. It uses the stream's words all
//!   the same, which need no zeros, unless they are more than a stream keeps.
//!
//! No path waits for the device, but trim. A steady call takes the lock of its stream's block and no other.
#pragma once

#include "machine.h"

#include <reheat/detail/simt/fault.cuh>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

using simt::fault;
//! As simt::fault_active, in this file's translation unit alone: a program with fault switches may link the library, which
//! is compiled without.
static inline bool switched_on([[maybe_unused]] fault which)
{
#if defined(REHEAT_FAULT_SWITCHES)
  return simt::fault_active(which);
#else
  return false;
#endif
}

inline constexpr std::size_t first_bytes = 64 * 1024;  //!< of a stream's block: words of 8000 tiles, 240 MB of 4-byte items
inline constexpr std::size_t kept_bytes = 1024 * 1024; //!< of a stream's largest: 4 GB of 4-byte items
inline constexpr std::size_t resident_streams = 1024;  //!< per context

//! A stream and, of the per-thread default stream, the thread.
using stream_key = std::pair<std::uint64_t, std::uint64_t>;

class context_scratch;

//! Device memory.
struct memory_block
{
  void* memory = nullptr;
  std::size_t bytes = 0;
};

//! What a stream owns.
struct stream_scratch
{
  std::mutex held;                  //!< by the call that uses the blocks
  context_scratch* owner = nullptr; //!< null: nobody's. This and the key change only while held, under the owner's mutex
  stream_key key;
  bool zeroed = false; //!< words are as kernels leave them; not so before first use, or after a launch failed
  memory_block words;
  memory_block values;
  point_type last_use = {}; //!< of a stream beyond the resident ones: the end of its latest call
  bool passes_on = false;   //!< there is such a point, and the blocks go to another stream once it has passed

  bool is_ready(std::size_t word_bytes, std::size_t value_bytes) const
  {
    return zeroed && word_bytes <= words.bytes && value_bytes <= values.bytes;
  }
};

//! What is known about a point in time that will pass.
enum class readiness
{
  unknown, //!< nobody has looked
  late,    //!< it does not come soon
  passed
};

//! Memory of captured calls: allocated as one, used in pieces of one size.
struct graph_chunk
{
  void* memory;
  std::size_t bytes;
  bool zeroed;      //!< at first; later as kernels leave it
  point_type ready; //!< when it may be used
  std::atomic<readiness> state{readiness::unknown};
  std::size_t pieces;
  std::size_t idle;
};

//! What a captured call owns.
struct graph_piece
{
  context_scratch* owner;
  graph_chunk* chunk;
  void* memory;
  graph_piece* next_returned; //!< while its graph is gone and nobody has collected it yet

  std::size_t bytes() const { return chunk->bytes / chunk->pieces; }
};

//! Pieces of one kind.
struct piece_kind
{
  std::vector<graph_piece*> idle; //!< with room for all, so that a piece that comes back needs no memory
  std::size_t all = 0;
};

//! All scratch memory of a context. Never destroyed: a graph or a thread may outlive the context.
class context_scratch
{
public:
  //! That of the context; opened if need be.
  static status_type of(std::uint64_t context, context_scratch** found);
  //! Null if it was never opened.
  static context_scratch* opened(std::uint64_t context);

  context_scratch(std::uint64_t context, machine::device_memory& memory) : context_(context), memory_(memory) {}

  std::uint64_t context() const { return context_; }
  machine::device_memory& memory() const { return memory_; }
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

  //! What the stream owns, held by the caller.
  stream_scratch& hold(const stream_key& key);
  //! Makes `held` large enough for a call on `stream`, and its words zeros if they are new.
  status_type prepare(stream_scratch& held, stream_type stream, std::size_t word_bytes, std::size_t value_bytes);
  //! A call that used `held` has been enqueued on `stream`.
  static void note_use(stream_scratch& held, stream_type stream);

  //! Memory of a call that is being captured on `stream` into `graph`, which owns it.
  status_type allocate_for_graph(stream_type stream, void* graph, bool zeroed, std::size_t bytes, graph_piece** owned);

  //! Gives back what no call and no graph uses. Waits for the device.
  void trim();

private:
  stream_scratch& find(const stream_key& key);
  stream_scratch* recycle();
  stream_scratch& make();
  status_type grow(memory_block& b, std::size_t bytes, stream_type stream);
  void give_back(memory_block& b, stream_type stream);
  void collect_returned();
  status_type take_piece(bool zeroed, std::size_t bytes, graph_piece** taken);
  memory_block drop_chunk(graph_chunk* chunk);
  void drop_idle_chunks(std::vector<memory_block>& unused);
  static void graph_is_gone(void* piece);

  const std::uint64_t context_;
  machine::device_memory& memory_;
  std::atomic<std::size_t> bytes_{0};
  std::atomic<graph_piece*> returned_{nullptr};

  std::mutex mutex_; // of all below
  std::deque<stream_scratch> all_;
  std::map<stream_key, stream_scratch*> by_key_;
  std::vector<stream_scratch*> unowned_;
  std::list<stream_scratch*> passing_on_;                     //!< roughly by their latest use
  std::vector<memory_block> outgrown_;                        //!< nobody's, but maybe still in use: for trim
  std::map<std::pair<bool, std::size_t>, piece_kind> pieces_; //!< by zeroed, bytes
};

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
