// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Programs, drawn from a seed, that call the library on streams, in captures and from threads.
#include "model.hpp"

#include "../emulator/schedules/run.hpp"

#include <runtime/scratch.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace model
{
namespace
{

using reheat::library::call_scope;
using reheat::library::status_type;
using reheat::library::success;
using reheat::library::workspace_lease;

//! A thread of the program's that does what it is told, while the one that tells waits: it remembers other blocks.
class second_thread
{
public:
  second_thread() : thread_([this] { serve(); }) {}
  ~second_thread()
  {
    tell(nullptr);
    thread_.join();
  }
  void run(const std::function<void()>& body)
  {
    std::exception_ptr thrown;
    const std::function<void()> guarded = [&]
    {
      try
      {
        body();
      }
      catch (...)
      {
        thrown = std::current_exception();
      }
    };
    tell(&guarded);
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return done_; });
    if (thrown)
    {
      std::rethrow_exception(thrown);
    }
  }

private:
  void tell(const std::function<void()>* body)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    body_ = body;
    told_ = true;
    done_ = false;
    changed_.notify_all();
  }
  void serve()
  {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true)
    {
      changed_.wait(lock, [this] { return told_; });
      told_ = false;
      if (body_ == nullptr)
      {
        return;
      }
      const auto* const body = body_;
      lock.unlock();
      (*body)();
      lock.lock();
      done_ = true;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* body_ = nullptr;
  bool told_ = false, done_ = false;
  std::thread thread_; // last: it uses the others
};

//! A call of the library that needs this much. No: CUDA has failed.
bool call(world& w, stream& s, std::size_t word_bytes, std::size_t value_bytes)
{
  const auto handle = reinterpret_cast<reheat::library::stream_type>(&s);
  const reheat::library::environment env{"model", handle};
  const call_scope scope(env);
  workspace_lease lease;
  if (lease.acquire(handle, word_bytes, value_bytes) != success)
  {
    return false;
  }
  w.launch(s, {reinterpret_cast<std::uintptr_t>(lease.words()), word_bytes, reinterpret_cast<std::uintptr_t>(lease.values()),
               value_bytes});
  return true;
}

//! Mostly small, now and then more than a stream's first block, or than a stream keeps.
std::size_t some_bytes(draw& choose)
{
  constexpr std::size_t first = reheat::library::first_bytes, most = reheat::library::kept_bytes;
  const std::size_t sizes[] = {300, 4096, 9000, first, first + 1, 3 * first, most - 256, most, most + 1, 2 * most};
  return sizes[choose.below(choose.flip() ? 3 : std::size(sizes))];
}

class program
{
public:
  explicit program(draw& choose) : choose_(choose), world_(choose) { world_.pools = choose_.below(4) != 0; }

  //! What is wrong, or nothing.
  std::string run(std::size_t streams, std::size_t steps)
  {
    while (streams_.size() < streams)
    {
      streams_.push_back(world_.make_stream());
    }
    hog_ = choose_.flip() ? world_.make_stream() : nullptr;
    if (hog_ != nullptr)
    {
      world_.launch_hog(*hog_);
      world_.apart_is_blocked = choose_.below(4) == 0;
    }
    for (std::size_t i = 0; i < steps; ++i)
    {
      act();
      world_.go_on(choose_.below(6));
    }
    world_.release_hogs();
    world_.finish();
    for (const auto& g : graphs_)
    {
      world_.destroy_graph(g);
    }
    world_.may_wait = true;
    reheat::library::trim_workspaces();
    world_.finish();
    if (world_.allocated_blocks() != 0 || reheat::library::workspace_bytes() != 0)
    {
      return std::to_string(world_.allocated_blocks()) + " blocks and " +
             std::to_string(reheat::library::workspace_bytes()) + " bytes are left after a trim";
    }
    return {};
  }

private:
  stream& some_stream() { return *streams_[choose_.below(streams_.size())]; }

  void act()
  {
    switch (choose_.below(16))
    {
      case 0:
        return replace_stream();
      case 1:
      case 2:
        return capture();
      case 3:
      case 4:
      case 5:
        if (!graphs_.empty())
        {
          world_.launch_graph(some_stream(), graphs_[choose_.below(graphs_.size())]);
        }
        return;
      case 6:
        return destroy_some_graph();
      case 7:
        return trim();
      case 8:
        return act_while_calls_fail();
      default:
        return call_somewhere();
    }
  }

  void trim()
  {
    if (hog_ == nullptr) // a trim waits for the device
    {
      world_.may_wait = true;
      reheat::library::trim_workspaces();
      world_.may_wait = false;
    }
  }

  void call_somewhere()
  {
    stream& s = some_stream();
    const std::size_t words = some_bytes(choose_), values = choose_.below(3) == 0 ? some_bytes(choose_) : 0;
    const auto body = [&]
    {
      if (!call(world_, s, words, values))
      {
        throw violation("a call got no memory");
      }
    };
    choose_.flip() ? body() : other_.run(body);
  }

  //! What fails here may cost its own call, and no other.
  void act_while_calls_fail()
  {
    world_.calls_fail = true;
    switch (choose_.below(4))
    {
      case 0:
        capture();
        break;
      case 1:
        trim();
        break;
      default:
        static_cast<void>(call(world_, some_stream(), some_bytes(choose_), choose_.flip() ? 300 : 0));
    }
    world_.calls_fail = false;
  }

  void replace_stream()
  {
    stream*& s = streams_[choose_.below(streams_.size())];
    world_.destroy_stream(s);
    s = world_.make_stream();
  }

  void capture()
  {
    stream& s = some_stream();
    world_.begin_capture(s);
    for (std::size_t calls = 1 + choose_.below(4); calls != 0; --calls)
    {
      s.branch = choose_.below(3);
      if (!call(world_, s, some_bytes(choose_), choose_.below(3) == 0 ? some_bytes(choose_) : 0) && !world_.calls_fail)
      {
        throw violation("a captured call got no memory");
      }
    }
    graphs_.push_back(world_.end_capture(s));
  }

  void destroy_some_graph()
  {
    if (!graphs_.empty())
    {
      const std::size_t at = choose_.below(graphs_.size());
      world_.destroy_graph(graphs_[at]);
      graphs_.erase(graphs_.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  draw& choose_;
  world world_;
  second_thread other_;
  stream* hog_ = nullptr;
  std::vector<stream*> streams_;
  std::vector<std::shared_ptr<graph>> graphs_;
};

std::string few_streams(draw& choose)
{
  return program(choose).run(1 + choose.below(5), 60);
}

//! More than keep their blocks for good.
std::string many_streams(draw& choose)
{
  world w(choose);
  w.pools = choose.flip();
  std::vector<stream*> all;
  for (std::size_t i = 0; i < reheat::library::resident_streams; ++i)
  {
    all.push_back(w.make_stream());
    static_cast<void>(call(w, *all.back(), 300, 0));
  }
  w.finish();
  all.erase(all.begin(), all.end() - 2);
  for (std::size_t i = 0; i < 40; ++i)
  {
    if (all.size() < 8)
    {
      all.push_back(w.make_stream());
    }
    else if (choose.below(4) == 0)
    {
      stream*& s = all[choose.below(all.size())];
      w.destroy_stream(s);
      s = w.make_stream();
    }
    w.calls_fail = choose.below(4) == 0;
    if (!call(w, *all[choose.below(all.size())], choose.below(4) == 0 ? 2 * reheat::library::first_bytes : 300, 0) &&
        !w.calls_fail)
    {
      return "a call got no memory";
    }
    w.calls_fail = false;
    w.go_on(choose.below(6));
  }
  w.finish();
  if (w.allocated_blocks() > reheat::library::resident_streams + 60)
  {
    return std::to_string(w.allocated_blocks()) + " blocks for 8 streams in use";
  }
  w.may_wait = true;
  reheat::library::trim_workspaces();
  w.finish();
  return w.allocated_blocks() == 0 ? std::string() : "blocks are left after a trim";
}

} // namespace
} // namespace model

namespace schedules
{

const std::vector<scenario>& all_scenarios()
{
  static const std::vector<scenario> all = {{"few_streams", "scratch", model::few_streams},
                                            {"many_streams", "scratch", model::many_streams}};
  return all;
}

} // namespace schedules
