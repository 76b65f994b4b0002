// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A machine without kernels, which checks who uses which memory: streams are queues, a draw decides which of them goes on,
//! freed memory is handed out again as soon as CUDA may do so, and handles of destroyed streams come again. src/runtime runs
//! on it as it runs on CUDA.
#pragma once

#include "../emulator/schedules/scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace model
{

using schedules::draw;

//! What CUDA would not forgive: memory that two kernels use at once, words that nobody has zeroed, a destroyed stream.
class violation : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

//! What a kernel uses: words, which it finds and leaves at rest, and values, which it overwrites.
struct use
{
  std::uintptr_t words;
  std::size_t word_bytes;
  std::uintptr_t values;
  std::size_t value_bytes;
};

struct point
{
  unsigned marks = 0;  //!< enqueued
  unsigned passed = 0; //!< done
  bool has_passed() const { return passed == marks; }
};

//! A step of a queue. It starts when `may_start` says so, and ends some time later.
struct work
{
  std::function<bool()> may_start;
  std::function<void()> start;
  std::function<void()> end;
  bool running = false;
};

struct queue
{
  std::deque<work> waiting;
};

//! A captured call, or another node that uses no memory of ours.
struct node
{
  use uses;
  std::size_t branch; //!< nodes of a branch run one after another, branches at the same time
  std::vector<const point*> after;
};

struct graph
{
  std::uint64_t capture;
  std::vector<node> nodes;
  std::vector<std::function<void()>> forgets;
  std::size_t running = 0;                  //!< launches that have not ended
  std::shared_ptr<std::size_t> last_launch; //!< how many of its nodes are left
  bool destroyed = false;
};

struct stream
{
  std::uint64_t id = 0; //!< 0: destroyed
  std::shared_ptr<queue> work;
  std::shared_ptr<graph> captured; //!< while it is being captured
  std::size_t branch = 0;          //!< of the next captured node
  std::vector<const point*> after; //!< what it waits for
};

class world
{
public:
  explicit world(draw& choose);
  static bool exists();
  static world& current();
  ~world();

  // What a program does.
  stream* make_stream();
  void destroy_stream(stream* s);
  void launch(stream& s, const use& uses);
  //! A kernel that ends when `release` is called.
  void launch_hog(stream& s);
  void release_hogs() { hogs_released_ = true; }
  void begin_capture(stream& s);
  //! Something that differs between nodes: of the branch that goes on; null if that is empty.
  static const void* last_captured_node(const stream& s, std::uint64_t* capture);
  std::shared_ptr<graph> end_capture(stream& s);
  void launch_graph(stream& s, const std::shared_ptr<graph>& g);
  void destroy_graph(const std::shared_ptr<graph>& g);

  //! Some queues go on, or none.
  void go_on(std::size_t steps);
  //! All queues that can go on do, until nothing is left.
  void finish();
  std::size_t allocated_blocks() const;

  // What the library asks for.
  //! In the order of a stream, which may get what it has given back; without pools, at once.
  std::uintptr_t allocate(std::size_t bytes, stream& in_order_of);
  //! No kernel uses it any more.
  void free_unused(std::uintptr_t block);
  void free_behind(std::uintptr_t block, stream& s);
  void zero_behind(std::uintptr_t block, std::size_t bytes, queue& q);
  point* make_point();
  void mark_behind(point& p, queue& q);
  //! The next captured call runs when `p` has passed.
  void capture_wait(stream& s, const point& p) { s.after.push_back(&p); }
  //! The library's own.
  stream& apart() { return apart_; }
  bool next_call_fails() { return calls_fail && choose_.below(3) == 0; }
  //! The library waits for the device: allowed in a trim alone.
  void wait_for_device();
  stream& living(void* handle);

  std::uint64_t context = 0;
  bool pools = true;
  bool apart_is_blocked = false; //!< the queue of the GPU's is behind a kernel that does not end
  bool may_wait = false;
  bool calls_fail = false; //!< some of the library's calls of CUDA, drawn one by one

private:
  struct block
  {
    std::size_t bytes = 0;
    bool live = false;
    bool unused = false;           //!< by kernels: a free is enqueued
    std::uint64_t reusable_by = 0; //!< while a free is enqueued: the stream
    unsigned uses = 0;             //!< how often it has been allocated
    std::vector<unsigned char> at_rest, running;
  };

  block& block_of(std::uintptr_t address, std::uintptr_t* base);
  void for_units(std::uintptr_t at, std::size_t bytes, const std::function<void(block&, std::size_t)>& body);
  void start(const use& uses);
  void end(const use& uses);
  bool step();
  void settle_graphs();
  void free_now(std::uintptr_t block);
  static void refuse_running(const block& b);

  draw& choose_;
  std::map<std::uintptr_t, block> blocks_;
  std::uintptr_t next_block_ = 1 << 20;
  std::uint64_t next_id_ = 1;
  std::deque<stream> streams_; //!< their addresses are the handles
  std::vector<stream*> destroyed_;
  std::vector<std::shared_ptr<queue>> queues_;
  stream apart_;
  std::deque<point> points_;
  std::vector<std::shared_ptr<graph>> graphs_;
  bool hogs_released_ = false;
};

} // namespace model
