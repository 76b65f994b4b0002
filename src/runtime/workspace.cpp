// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <algorithm>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace runtime
{
namespace
{

constexpr std::size_t first_bytes = 64 * 1024; // words of 8000 tiles: 240 MB of 4-byte items
constexpr std::size_t idle_entries = 64;       // kept per context

using key_type = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>; // context, stream, thread, capture

//! Device memory that only grows.
struct block
{
  void* memory = nullptr;
  std::size_t bytes = 0;
};

void free_memory(void* memory)
{
  if (memory != nullptr)
  {
    machine::free_device(memory);
  }
}

} // namespace

struct workspace_lease::entry
{
  key_type key;
  std::mutex held;        //!< by the call that uses the blocks
  unsigned calls = 0;     //!< that hold or wait for it; guarded by the pool
  bool forgotten = false; //!< its graph is gone; guarded by the pool
  bool zeroed = false;    //!< words are as kernels leave them; not so before first use, or after a launch failed
  block words;
  block values;
  std::vector<void*> outgrown; //!< earlier blocks that nodes of the graph still use

  std::uint64_t context() const { return std::get<0>(key); }
  bool captured() const { return std::get<3>(key) != 0; }
};

//! All entries, the latest used first.
struct workspace_lease::pool
{
  std::mutex mutex;
  std::list<std::unique_ptr<entry>> entries;

  static pool& instance()
  {
    static pool& the = *new pool; // never destroyed: calls of other static objects' destructors may still come
    return the;
  }

  //! The entry of `key`, a new one if there is none. Its `calls` counts the caller.
  entry& enter(const key_type& key)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e->key == key; });
    if (found == entries.end())
    {
      entries.push_front(std::make_unique<entry>());
      entries.front()->key = key;
    }
    else
    {
      entries.splice(entries.begin(), entries, found);
    }
    ++entries.front()->calls;
    return *entries.front();
  }

  void leave(entry& used)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    --used.calls;
  }

  //! Takes out of the pool what nobody uses: entries whose graph is gone, and idle ones of `context` beyond the latest
  //! `keep`.
  std::vector<std::unique_ptr<entry>> take_idle(std::uint64_t context, std::size_t keep)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    std::vector<std::unique_ptr<entry>> taken;
    std::size_t idle = 0;
    for (auto at = entries.begin(); at != entries.end();)
    {
      const entry& e = **at;
      const bool ours = e.context() == context && e.calls == 0;
      if (ours && (e.captured() ? e.forgotten : ++idle > keep))
      {
        taken.push_back(std::move(*at));
        at = entries.erase(at);
      }
      else
      {
        ++at;
      }
    }
    return taken;
  }

  static void free_blocks(const std::vector<std::unique_ptr<entry>>& taken)
  {
    for (const auto& e : taken)
    {
      free_memory(e->words.memory);
      free_memory(e->values.memory);
      std::for_each(e->outgrown.begin(), e->outgrown.end(), free_memory);
    }
  }

  //! When a captured call's graph is gone. May not use the machine: a later call frees the blocks.
  static void forget(void* object)
  {
    pool& the = instance();
    const std::lock_guard<std::mutex> lock(the.mutex);
    static_cast<entry*>(object)->forgotten = true;
  }

  //! Makes `b`, of `owner`, at least `bytes` large. Its content is lost if it grows.
  static status_type grow(entry& owner, block& b, std::size_t bytes)
  {
    if (bytes <= b.bytes)
    {
      return success;
    }
    const std::size_t wanted = std::max({bytes, 2 * b.bytes, first_bytes});
    void* memory = nullptr;
    status_type status = machine::allocate_device(&memory, wanted);
    if (status != success)
    {
      free_blocks(instance().take_idle(owner.context(), 0));
      status = machine::allocate_device(&memory, wanted);
    }
    if (status == success)
    {
      if (owner.captured())
      {
        owner.outgrown.push_back(b.memory);
      }
      else
      {
        free_memory(b.memory); // waits for the launches that use it
      }
      b.memory = memory;
      b.bytes = wanted;
      owner.zeroed = owner.zeroed && &b != &owner.words;
    }
    return status;
  }
};

status_type workspace_lease::acquire(stream_type stream, std::size_t word_bytes, std::size_t value_bytes)
{
  exceptions_ = std::uncaught_exceptions();
  const machine::capture_guard guard;
  std::uint64_t context = 0;
  machine::stream_identity identity;
  status_type status = machine::current_context(&context);
  if (status == success)
  {
    status = machine::identify(stream, &identity);
  }
  if (status != success)
  {
    return status;
  }
  pool& all = pool::instance();
  entry_ = &all.enter({context, identity.stream, identity.thread, identity.capture});
  entry_->held.lock();

  const bool fresh = entry_->words.memory == nullptr;
  if (fresh)
  {
    pool::free_blocks(all.take_idle(context, idle_entries));
  }
  status = pool::grow(*entry_, entry_->words, word_bytes);
  if (status == success)
  {
    status = pool::grow(*entry_, entry_->values, value_bytes);
  }
  if (status == success && !entry_->zeroed)
  {
    status = entry_->captured() ? machine::zero_now(entry_->words.memory, entry_->words.bytes)
                                : machine::zero(entry_->words.memory, entry_->words.bytes, stream);
    entry_->zeroed = status == success;
  }
  if (status == success && fresh && entry_->captured())
  {
    status = machine::retain_in_graph(identity.graph, &pool::forget, entry_);
  }
  words_ = entry_->words.memory;
  values_ = entry_->values.memory;
  return status;
}

workspace_lease::~workspace_lease()
{
  if (entry_ != nullptr)
  {
    if (std::uncaught_exceptions() > exceptions_)
    {
      entry_->zeroed = false; // the launch may have ended half-way
    }
    entry_->held.unlock();
    pool::instance().leave(*entry_);
  }
}

std::size_t workspace_bytes()
{
  std::uint64_t context = 0;
  if (machine::current_context(&context) != success)
  {
    return 0;
  }
  auto& all = workspace_lease::pool::instance();
  const std::lock_guard<std::mutex> lock(all.mutex);
  std::size_t bytes = 0;
  for (const auto& e : all.entries)
  {
    bytes += e->context() == context ? e->words.bytes + e->values.bytes : 0;
  }
  return bytes;
}

void trim_workspaces()
{
  const machine::capture_guard guard;
  std::uint64_t context = 0;
  if (machine::current_context(&context) == success)
  {
    workspace_lease::pool::free_blocks(workspace_lease::pool::instance().take_idle(context, 0));
  }
}

} // namespace runtime
} // namespace REHEAT_MACHINE
} // namespace reheat
