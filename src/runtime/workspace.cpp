// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <list>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
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
  std::mutex held;        //!< by the call that uses the blocks
  key_type key;           //!< changes only while held and under the pool's mutex
  bool retained = false;  //!< by its graph
  bool forgotten = false; //!< its graph is gone; guarded by the pool
  bool zeroed = false;    //!< words are as kernels leave them; not so before first use, or after a launch failed
  std::uint64_t used = 0; //!< the pool's time of the last use
  block words;
  block values;
  std::vector<void*> outgrown;       //!< earlier blocks that nodes of the graph still use
  std::atomic<std::size_t> bytes{0}; //!< of words and values, for whoever asks

  std::uint64_t context() const { return std::get<0>(key); }
  bool captured() const { return std::get<3>(key) != 0; }
  bool is_ready(std::size_t word_bytes, std::size_t value_bytes) const
  {
    return zeroed && retained == captured() && word_bytes <= words.bytes && value_bytes <= values.bytes;
  }
};

//! All entries. They are never destroyed, only given another key, so a thread may remember one and look whether it is still
//! the same.
struct workspace_lease::pool
{
  std::mutex mutex;
  std::list<entry> entries;
  std::list<entry> unused;
  std::atomic<std::uint64_t> time{0}; //!< counts searches: enough to tell recent use from old, and seldom written

  static pool& instance()
  {
    static pool& the = *new pool; // never destroyed: calls of other static objects' destructors may still come
    return the;
  }

  //! The entry of `key`, held by the caller. The thread's last one needs no search.
  entry& hold(const key_type& key)
  {
    thread_local key_type last_key;
    thread_local entry* last = nullptr;
    if (last == nullptr || last_key != key)
    {
      last = &find(key);
      last_key = key;
    }
    last->held.lock();
    while (last->key != key) // was given another one meanwhile
    {
      last->held.unlock();
      last = &find(key);
      last->held.lock();
    }
    last->used = time.load(std::memory_order_relaxed);
    return *last;
  }

  //! The entry of `key`, a new one if there is none.
  entry& find(const key_type& key)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    time.fetch_add(1, std::memory_order_relaxed);
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const entry& e) { return e.key == key; });
    if (found != entries.end())
    {
      return *found;
    }
    const auto free_entry =
        std::find_if(unused.begin(), unused.end(), [&](entry& e) { return e.held.try_lock(); }); // its last lease is over
    if (free_entry != unused.end())
    {
      free_entry->key = key;
      free_entry->held.unlock();
      entries.splice(entries.begin(), unused, free_entry);
    }
    else
    {
      entries.emplace_front();
      entries.front().key = key;
    }
    return entries.front();
  }

  //! Takes their blocks from entries that no call holds: those whose graph is gone, and of the others of `context` all but
  //! the latest `keep`. `own`: held by the caller.
  std::vector<void*> take_idle(std::uint64_t context, std::size_t keep, const entry* own)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    using place = std::list<entry>::iterator;
    std::vector<std::pair<std::uint64_t, place>> gone, idle; // with the time of their last use
    for (auto at = entries.begin(); at != entries.end(); ++at)
    {
      if (at->context() == context && &*at != own && at->held.try_lock())
      {
        if (!at->captured())
        {
          idle.emplace_back(at->used, at);
        }
        else if (at->forgotten || !at->retained)
        {
          gone.emplace_back(at->used, at);
        }
        at->held.unlock();
      }
    }
    std::sort(idle.begin(), idle.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
    gone.insert(gone.end(), idle.begin() + static_cast<std::ptrdiff_t>(std::min(keep, idle.size())), idle.end());
    std::vector<void*> taken;
    for (const auto& [used, e] : gone)
    {
      if (e->held.try_lock())
      {
        if (e->used == used)
        {
          retire(*e, taken);
          unused.splice(unused.begin(), entries, e);
        }
        e->held.unlock();
      }
    }
    return taken;
  }

  //! Takes the blocks of an entry that the caller holds, and leaves it without a key.
  static void retire(entry& e, std::vector<void*>& taken)
  {
    taken.insert(taken.end(), {e.words.memory, e.values.memory});
    taken.insert(taken.end(), e.outgrown.begin(), e.outgrown.end());
    e.outgrown.clear();
    e.words = e.values = {};
    e.bytes = 0;
    e.zeroed = e.retained = e.forgotten = false;
    e.key = {};
  }

  static void free_blocks(const std::vector<void*>& taken) { std::for_each(taken.begin(), taken.end(), free_memory); }

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
      free_blocks(instance().take_idle(owner.context(), 0, &owner));
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
      owner.bytes = owner.words.bytes + owner.values.bytes;
      owner.zeroed = owner.zeroed && &b != &owner.words;
    }
    return status;
  }
};

status_type workspace_lease::acquire(stream_type stream, std::size_t word_bytes, std::size_t value_bytes)
{
  exceptions_ = std::uncaught_exceptions();
  std::uint64_t context = 0;
  stream_identity identity;
  status_type status = current_context(&context);
  if (status == success)
  {
    status = identify(stream, &identity);
  }
  if (status != success)
  {
    return status;
  }
  entry_ = &pool::instance().hold({context, identity.stream, identity.thread, identity.capture});
  if (!entry_->is_ready(word_bytes, value_bytes))
  {
    status = prepare(stream, word_bytes, value_bytes, identity.graph);
  }
  words_ = entry_->words.memory;
  values_ = entry_->values.memory;
  return status;
}

status_type workspace_lease::prepare(stream_type stream, std::size_t word_bytes, std::size_t value_bytes, void* graph)
{
  const machine::capture_guard guard;
  if (entry_->words.memory == nullptr)
  {
    pool::free_blocks(pool::instance().take_idle(entry_->context(), idle_entries, entry_));
  }
  status_type status = pool::grow(*entry_, entry_->words, word_bytes);
  if (status == success)
  {
    status = pool::grow(*entry_, entry_->values, value_bytes);
  }
  if (status == success && !entry_->zeroed)
  {
    status = entry_->captured() ? machine::zero_now(entry_->words.memory, entry_->words.bytes)
                                : machine::zero(entry_->words.memory, entry_->words.bytes, stream);
    entry_->zeroed = status == success;
    if (call_scope* const scope = call_scope::current(); scope != nullptr && !entry_->captured())
    {
      scope->has_filled();
    }
  }
  if (status == success && entry_->captured() && !entry_->retained)
  {
    status = machine::retain_in_graph(graph, &pool::forget, entry_);
    entry_->retained = status == success;
  }
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
  }
}

std::size_t workspace_bytes()
{
  std::uint64_t context = 0;
  if (current_context(&context) != success)
  {
    return 0;
  }
  auto& all = workspace_lease::pool::instance();
  const std::lock_guard<std::mutex> lock(all.mutex);
  std::size_t bytes = 0;
  for (const auto& e : all.entries)
  {
    bytes += e.context() == context ? e.bytes.load() : std::size_t{0};
  }
  return bytes;
}

void trim_workspaces()
{
  const machine::capture_guard guard;
  std::uint64_t context = 0;
  if (current_context(&context) == success)
  {
    workspace_lease::pool::free_blocks(workspace_lease::pool::instance().take_idle(context, 0, nullptr));
  }
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
