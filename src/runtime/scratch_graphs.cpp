// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scratch memory that captured calls own. Two nodes of a graph need not be ordered, so each has memory of its own.
#include "scratch.h"

#include <algorithm>
#include <chrono>
#include <memory>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{
namespace
{

constexpr std::size_t smallest_piece = 4 * 1024;
constexpr std::chrono::milliseconds longest_look{2}; // zeros come within 10 us, unless a queue of the GPU's is blocked

bool passes_soon(point_type point)
{
  const auto end = std::chrono::steady_clock::now() + longest_look;
  bool passed = machine::has_passed(point);
  while (!passed && std::chrono::steady_clock::now() < end)
  {
    passed = machine::has_passed(point);
  }
  return passed;
}

//! Whether a chunk may be used now. The first to ask looks for a while.
bool is_ready(graph_chunk& chunk)
{
  readiness state = chunk.state;
  if (state != readiness::passed)
  {
    const bool passed = state == readiness::late ? machine::has_passed(chunk.ready) : passes_soon(chunk.ready);
    state = passed ? readiness::passed : readiness::late;
    chunk.state = state;
  }
  return state == readiness::passed;
}

} // namespace

//! When a captured call's graph is gone. May not use the machine, nor wait for a thread that does.
void context_scratch::graph_is_gone(void* object)
{
  auto* const piece = static_cast<graph_piece*>(object);
  std::atomic<graph_piece*>& returned = piece->owner->returned_;
  piece->next_returned = returned.load(std::memory_order_relaxed);
  while (!returned.compare_exchange_weak(piece->next_returned, piece, std::memory_order_release, std::memory_order_relaxed))
  {}
}

//! Makes what graphs have left ready for others. The mutex is held.
void context_scratch::collect_returned()
{
  graph_piece* next = returned_.exchange(nullptr, std::memory_order_acquire);
  while (next != nullptr)
  {
    graph_piece* const piece = std::exchange(next, next->next_returned);
    graph_chunk* const chunk = piece->chunk;
    ++chunk->idle;
    if (chunk->bytes > kept_bytes && machine::frees_in_order(memory_)) // of one piece
    {
      --pieces_[{chunk->zeroed, chunk->bytes}].all;
      delete piece;
      const memory_block block = drop_chunk(chunk);
      machine::free_unused(memory_, block.memory);
      bytes_ -= block.bytes;
    }
    else
    {
      pieces_[{chunk->zeroed, piece->bytes()}].idle.push_back(piece);
    }
  }
}

//! What remains of a chunk without pieces.
memory_block context_scratch::drop_chunk(graph_chunk* chunk)
{
  const memory_block block{chunk->memory, chunk->bytes};
  machine::destroy_point(chunk->ready);
  delete chunk;
  return block;
}

//! Adds the memory of chunks of which no graph uses a piece. The mutex is held.
void context_scratch::drop_idle_chunks(std::vector<memory_block>& unused)
{
  for (auto& [kind, pieces] : pieces_)
  {
    std::vector<graph_piece*>& idle = pieces.idle;
    const auto gone =
        std::partition(idle.begin(), idle.end(), [](const graph_piece* p) { return p->chunk->idle != p->chunk->pieces; });
    for (auto each = gone; each != idle.end(); ++each)
    {
      --pieces.all;
      graph_chunk* const chunk = (*each)->chunk;
      delete *each;
      if (--chunk->idle == 0)
      {
        unused.push_back(drop_chunk(chunk));
      }
    }
    idle.erase(gone, idle.end());
  }
}

//! A piece of at least `bytes` bytes. The mutex is held.
status_type context_scratch::take_piece(bool zeroed, std::size_t bytes, graph_piece** taken)
{
  std::size_t piece_bytes = smallest_piece;
  while (piece_bytes < bytes && piece_bytes < kept_bytes)
  {
    piece_bytes *= 2;
  }
  piece_bytes = std::max(piece_bytes, (bytes + 255) / 256 * 256); // large ones serve no other call
  piece_kind& kind = pieces_[{zeroed, piece_bytes}];
  std::vector<graph_piece*>& idle = kind.idle;
  if (idle.empty())
  {
    auto chunk = std::make_unique<graph_chunk>();
    chunk->bytes = std::max(piece_bytes, first_bytes);
    chunk->zeroed = zeroed;
    chunk->pieces = chunk->idle = chunk->bytes / piece_bytes;
    idle.reserve(kind.all + chunk->pieces);
    std::vector<std::unique_ptr<graph_piece>> pieces(chunk->pieces);
    for (auto& piece : pieces)
    {
      piece = std::make_unique<graph_piece>();
    }
    const status_type status =
        machine::allocate_apart(memory_, &chunk->memory, chunk->bytes,
                                zeroed && !switched_on(fault::skip_graph_zeros) ? chunk->bytes : 0, &chunk->ready);
    if (status != success)
    {
      return status;
    }
    bytes_ += chunk->bytes;
    kind.all += chunk->pieces;
    for (std::size_t i = 0; i < pieces.size(); ++i)
    {
      *pieces[i] = {this, chunk.get(), static_cast<unsigned char*>(chunk->memory) + i * piece_bytes, nullptr};
      idle.push_back(pieces[i].release());
    }
    static_cast<void>(chunk.release()); // its pieces know it
  }
  *taken = idle.back();
  idle.pop_back();
  --(*taken)->chunk->idle;
  return success;
}

status_type context_scratch::allocate_for_graph(stream_type stream, void* graph, bool zeroed, std::size_t bytes,
                                                graph_piece** owned)
{
  graph_piece* piece = nullptr;
  status_type status = success;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    collect_returned();
    status = take_piece(zeroed, bytes, &piece);
  }
  if (status != success)
  {
    return status;
  }
  graph_chunk& chunk = *piece->chunk; // which stays, because one of its pieces is in use
  *owned = piece;
  if (switched_on(fault::return_piece_at_once))
  {
    graph_is_gone(piece);
  }
  else
  {
    status = machine::retain_in_graph(graph, &graph_is_gone, piece); // before anything in the graph names the chunk's point
  }
  if (status == success && !is_ready(chunk) && !switched_on(fault::skip_ready_wait))
  {
    status = machine::capture_wait(stream, chunk.ready);
  }
  return status;
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
