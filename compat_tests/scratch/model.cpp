// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "model.hpp"

#include <algorithm>

namespace model
{
namespace
{

constexpr std::size_t unit = 256; // bytes that share one state

world* the_world = nullptr;

void always() {}

bool at_once()
{
  return true;
}

} // namespace

bool world::exists()
{
  return the_world != nullptr;
}

world& world::current()
{
  return *the_world;
}

world::world(draw& choose) : choose_(choose)
{
  static std::uint64_t worlds = 0;
  context = ++worlds;
  apart_ = {next_id_++, std::make_shared<queue>(), nullptr, 0, {}};
  queues_.push_back(apart_.work);
  the_world = this;
}

world::~world()
{
  the_world = nullptr;
}

// ---- what a program does ------------------------------------------------------------------------------------------------

stream* world::make_stream()
{
  stream* made = nullptr;
  if (!destroyed_.empty() && choose_.flip()) // its handle comes again
  {
    made = destroyed_.back();
    destroyed_.pop_back();
  }
  else
  {
    streams_.emplace_back();
    made = &streams_.back();
  }
  *made = {next_id_++, std::make_shared<queue>(), nullptr, 0, {}};
  queues_.push_back(made->work);
  return made;
}

void world::destroy_stream(stream* s)
{
  s->id = 0; // what it was given goes on
  destroyed_.push_back(s);
}

stream& world::living(void* handle)
{
  auto* const s = static_cast<stream*>(handle);
  if (s->id == 0)
  {
    throw violation("a destroyed stream is used");
  }
  return *s;
}

void world::launch(stream& s, const use& uses)
{
  if (s.captured != nullptr)
  {
    s.captured->nodes.push_back({uses, s.branch, std::exchange(s.after, {})});
    return;
  }
  s.work->waiting.push_back({at_once, [this, uses] { start(uses); }, [this, uses] { end(uses); }});
}

void world::launch_hog(stream& s)
{
  s.work->waiting.push_back({[this] { return hogs_released_; }, always, always});
}

void world::begin_capture(stream& s)
{
  s.captured = std::make_shared<graph>();
  s.captured->capture = next_id_++;
  s.branch = 0;
}

const void* world::last_captured_node(const stream& s, std::uint64_t* capture)
{
  *capture = s.captured->capture;
  const auto& nodes = s.captured->nodes;
  for (std::size_t i = nodes.size(); i != 0; --i)
  {
    if (nodes[i - 1].branch == s.branch)
    {
      return reinterpret_cast<const void*>(i);
    }
  }
  return nullptr;
}

std::shared_ptr<graph> world::end_capture(stream& s)
{
  graphs_.push_back(s.captured);
  return std::move(s.captured);
}

void world::launch_graph(stream& s, const std::shared_ptr<graph>& g)
{
  ++g->running;
  const auto left = std::make_shared<std::size_t>(g->nodes.size()); // nodes
  const auto before = std::exchange(g->last_launch, left);
  const auto begin = [this, g, left]
  {
    std::map<std::size_t, std::shared_ptr<queue>> by_branch;
    for (const node& n : g->nodes)
    {
      std::shared_ptr<queue>& q = by_branch[n.branch];
      if (q == nullptr)
      {
        q = std::make_shared<queue>();
        queues_.push_back(q);
      }
      q->waiting.push_back(
          {[n] { return std::all_of(n.after.begin(), n.after.end(), [](const point* p) { return p->has_passed(); }); },
           [this, n] { start(n.uses); },
           [this, n, left]
           {
             end(n.uses);
             --*left;
           }});
    }
  };
  // Launches of one executable graph run one after another.
  s.work->waiting.push_back({[before] { return before == nullptr || *before == 0; }, begin, always});
  s.work->waiting.push_back({[left] { return *left == 0; }, always, [g] { --g->running; }});
}

void world::destroy_graph(const std::shared_ptr<graph>& g)
{
  g->destroyed = true;
  settle_graphs();
}

//! A destroyed graph gives up what it owns once its last launch has ended.
void world::settle_graphs()
{
  for (const std::shared_ptr<graph>& g : graphs_)
  {
    if (g->destroyed && g->running == 0)
    {
      for (const auto& forget : std::exchange(g->forgets, {}))
      {
        forget();
      }
    }
  }
}

// ---- the device ---------------------------------------------------------------------------------------------------------

//! One queue goes on by half an operation. No: none can.
bool world::step()
{
  std::vector<queue*> ready;
  for (const std::shared_ptr<queue>& q : queues_)
  {
    const bool blocked = q == apart_.work && apart_is_blocked && !hogs_released_;
    if (!blocked && !q->waiting.empty() && (q->waiting.front().running || q->waiting.front().may_start()))
    {
      ready.push_back(q.get());
    }
  }
  if (ready.empty())
  {
    return false;
  }
  queue& q = *ready[choose_.below(ready.size())];
  work& w = q.waiting.front();
  if (!w.running)
  {
    w.running = true;
    const auto start = w.start;
    start();
  }
  else
  {
    const auto end = std::move(w.end);
    q.waiting.pop_front();
    end();
  }
  settle_graphs();
  return true;
}

void world::go_on(std::size_t steps)
{
  for (std::size_t i = 0; i < steps && step(); ++i)
  {}
}

void world::finish()
{
  while (step())
  {}
  for (const std::shared_ptr<queue>& q : queues_)
  {
    if (!q->waiting.empty())
    {
      throw violation("a stream stands still");
    }
  }
}

void world::wait_for_device()
{
  if (!may_wait)
  {
    throw violation("a call waits for the device");
  }
  finish();
}

// ---- memory -------------------------------------------------------------------------------------------------------------

world::block& world::block_of(std::uintptr_t address, std::uintptr_t* base)
{
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin())
  {
    throw violation("no memory is there");
  }
  --after;
  *base = after->first;
  if (address - after->first >= after->second.bytes || !after->second.live)
  {
    throw violation("memory is used that has been given back");
  }
  return after->second;
}

void world::for_units(std::uintptr_t at, std::size_t bytes, const std::function<void(block&, std::size_t)>& body)
{
  if (bytes == 0)
  {
    return;
  }
  std::uintptr_t base = 0;
  block& b = block_of(at, &base);
  if (at - base + bytes > b.bytes)
  {
    throw violation("memory is used past its end");
  }
  for (std::size_t u = (at - base) / unit; u <= (at - base + bytes - 1) / unit; ++u)
  {
    body(b, u);
  }
}

void world::start(const use& uses)
{
  const auto take = [](block& b, std::size_t u)
  {
    if (b.unused)
    {
      throw violation("a kernel starts on memory that has been given back");
    }
    if (b.running[u]++ != 0)
    {
      throw violation("two kernels use the same memory at once");
    }
  };
  for_units(uses.words, uses.word_bytes,
            [&](block& b, std::size_t u)
            {
              take(b, u);
              if (b.at_rest[u] == 0)
              {
                throw violation("a kernel finds words that are neither zeros nor as kernels leave them");
              }
            });
  for_units(uses.values, uses.value_bytes,
            [&](block& b, std::size_t u)
            {
              take(b, u);
              b.at_rest[u] = 0;
            });
}

void world::end(const use& uses)
{
  const auto leave = [](block& b, std::size_t u) { --b.running[u]; };
  for_units(uses.words, uses.word_bytes, leave);
  for_units(uses.values, uses.value_bytes, leave);
}

std::uintptr_t world::allocate(std::size_t bytes, stream& in_order_of)
{
  const auto spoil = [](block& b) { std::fill(b.at_rest.begin(), b.at_rest.end(), 0); };
  for (auto& [address, b] : blocks_)
  {
    if (b.bytes != bytes || choose_.below(4) == 0)
    {
      continue;
    }
    if (!b.live)
    {
      b.live = true;
      b.unused = false;
      spoil(b);
      return address;
    }
    if (pools && b.reusable_by == in_order_of.id)
    {
      b.reusable_by = 0;
      ++b.uses; // the free in front of it is no longer one
      b.unused = false;
      in_order_of.work->waiting.push_back({at_once, always, [spoil, &reused = b] { spoil(reused); }});
      return address;
    }
  }
  const std::uintptr_t address = next_block_;
  next_block_ += (bytes / unit + 2) * unit;
  block& b = blocks_[address];
  b.bytes = bytes;
  b.live = true;
  b.at_rest.assign(bytes / unit + 1, 0);
  b.running.assign(bytes / unit + 1, 0);
  return address;
}

void world::free_unused(std::uintptr_t address)
{
  std::uintptr_t base = 0;
  block& b = block_of(address, &base);
  if (b.reusable_by != 0)
  {
    throw violation("memory is given back twice");
  }
  if (!pools && !may_wait)
  {
    throw violation("a call takes memory back, which waits for the device without a pool");
  }
  if (!pools)
  {
    free_now(address);
    return;
  }
  refuse_running(b);
  b.unused = true; // a kernel that still waits for its turn finds that out
  free_behind(address, apart_);
}

void world::free_now(std::uintptr_t address)
{
  std::uintptr_t base = 0;
  block& b = block_of(address, &base);
  if (base != address)
  {
    throw violation("a part of a block is given back");
  }
  refuse_running(b);
  b.live = false;
  b.reusable_by = 0;
}

void world::refuse_running(const block& b)
{
  if (std::any_of(b.running.begin(), b.running.end(), [](unsigned char r) { return r != 0; }))
  {
    throw violation("memory is given back while a kernel uses it");
  }
}

void world::free_behind(std::uintptr_t address, stream& s)
{
  std::uintptr_t base = 0;
  block& b = block_of(address, &base);
  b.reusable_by = s.id;
  s.work->waiting.push_back({at_once, always,
                             [this, address, uses = b.uses]
                             {
                               if (blocks_[address].uses == uses)
                               {
                                 free_now(address);
                               }
                             }});
}

void world::zero_behind(std::uintptr_t at, std::size_t bytes, queue& q)
{
  q.waiting.push_back({at_once, always,
                       [this, at, bytes]
                       {
                         for_units(at, bytes,
                                   [](block& b, std::size_t u)
                                   {
                                     if (b.running[u] != 0)
                                     {
                                       throw violation("memory is zeroed while a kernel uses it");
                                     }
                                     b.at_rest[u] = 1;
                                   });
                       }});
}

point* world::make_point()
{
  points_.emplace_back();
  return &points_.back();
}

void world::mark_behind(point& p, queue& q)
{
  const unsigned mark = ++p.marks;
  q.waiting.push_back({at_once, always, [&p, mark] { p.passed = std::max(p.passed, mark); }});
}

std::size_t world::allocated_blocks() const
{
  return static_cast<std::size_t>(
      std::count_if(blocks_.begin(), blocks_.end(), [](const auto& each) { return each.second.live; }));
}

} // namespace model
