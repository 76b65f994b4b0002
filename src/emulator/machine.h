// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! One OS thread's emulated device while it runs a launch: resident blocks, the scheduler, copies in flight, and the
//! reports. The methods are spread over the files of this folder by what they emulate.
#pragma once

#include "block.h"
#include "enumerator.h"
#include "schedule.h"

#include <reheat/emulator.h>

#include <deque>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace reheat::REHEAT_MACHINE::emulator
{

//! A bulk copy in flight, or what one thread loads by vec16_load. A store first reads all of its bytes into `staged`, later
//! writes them.
struct bulk_copy
{
  bool store;
  unsigned char* shared;
  unsigned char* global;
  std::size_t bytes;
  std::size_t done; //!< of the current step
  block* home;
  call_site at;
  unsigned mbarrier = 0;        //!< loads: number within the block
  cuda_thread* owner = nullptr; //!< stores: null when the thread has exited
  std::size_t group = 0;        //!< stores: counted from the thread's first
  bool read = false;            //!< stores: the first step is done
  std::vector<unsigned char> staged = {};
  std::vector<vec16_place> vec16s = {}; //!< loads: what is copied, where that is not one range
  // For the race detector a store is two threads: what the issuing thread knew when it started the copy comes before the
  // one, what proxy fences have published comes before the other. Both orders are needed, and neither implies the other.
  race::shadow ordered = {};
  race::shadow published = {}; //!< stores only
};

class machine
{
public:
  machine() = default;
  ~machine();

  //! Runs a grid; throws what goes wrong.
  void launch(const launch_shape& shape, void (*body)(void*), void* argument, std::uint64_t seed, std::uint64_t number);
  const counters& counted() const { return counted_; }

  //! The machine that runs a launch on this OS thread, or null.
  static machine* active() { return active_; }

  // What the kernel's calls do, for the thread that runs.
  void trigger_dependent_launch(call_site at);
  void grid_dependency_wait(call_site at);
  void sync_block(call_site at);
  void sync_named(unsigned id, unsigned threads, call_site at);
  void sync_grid(call_site at);
  void collect(collective_kind kind, unsigned lanes, std::size_t bytes, call_site at);
  void access(const void* word, bool writes, call_site at);
  void check_waited(call_site at);
  void memory_changed();
  void backoff(call_site at);
  void mbarrier_init(std::uint64_t* state, unsigned arrivals, call_site at);
  void mbarrier_init_fence();
  void mbarrier_arrive(std::uint64_t* state, unsigned bytes, const char* call, call_site at);
  void mbarrier_wait(std::uint64_t* state, unsigned parity, call_site at);
  void prefetch(const void* global, unsigned bytes, call_site at);
  void bulk_load(void* shared, const void* global, unsigned bytes, std::uint64_t* state, call_site at);
  void bulk_store(void* global, const void* shared, unsigned bytes, call_site at);
  void vec16_load(void* shared, const void* global, call_site at);
  void mbarrier_arrive_loaded(std::uint64_t* state, call_site at);
  void bulk_commit();
  void async_proxy_fence() { race::release(self_->home->proxy_edge); }
  void bulk_wait(bool read_only, unsigned pending_groups, call_site at);
  void* shared_array_at(unsigned index, std::size_t bytes, std::size_t alignment, calls::value_layout values, call_site at);
  void check_words(unsigned words, const void* address, call_site at);

  cuda_thread& self() { return *self_; }
  bool enumerates() const { return enumerator_ != nullptr; }
  random_bits& random() { return random_; }
  counters& count() { return counted_; }
  void note_progress()
  {
    ++progress_;
    stuck_steps_ = 0;
  }
  //! Of memory that another block's poller may look at.
  void note_change()
  {
    ++changes_;
    note_progress();
  }

  //! "kernel k, block b, warp w, lane l of …", for any thread.
  std::string position(const cuda_thread& who) const;
  //! The same of the running thread, or that the scheduler runs.
  std::string running_position() const;
  //! The line that says how to repeat the run.
  std::string replay() const;
  //! Ends the launch with a report about the running thread; its stack stays as it is.
  [[noreturn, gnu::format(printf, 3, 4)]] void fail(call_site at, const char* format, ...);

  //! ThreadSanitizer has found a race of the thread that runs: it prints a report of its own.
  void note_race();

private:
  friend class kernel_call;
  static __thread machine* active_;
  [[noreturn]] static void fail_outside(const char* what);

  // launch.cpp: from the first block to the last.
  void run();
  void begin_order();
  void end_order();
  void renew_shadow(cuda_thread& who);
  void admit();
  void draw_admission();
  block& free_place();
  void start_block(block& place, unsigned index);
  void start_thread(block& place, unsigned thread);
  void retire(block& done);
  void note_failure(const char* why);
  void abandon();
  static void thread_entry();
  void run_body() noexcept;
  void end_thread();

  // scheduler.cpp, inline_scheduler.h: who runs next.
  cuda_thread* pick();
  cuda_thread* pick_elsewhere();
  block* pick_block(bool any);
  cuda_thread* pick_lane(warp& team, order by);
  void reschedule();
  void maybe_reschedule(unsigned chance);
  void hand_over(cuda_thread* next);
  void sleep(cuda_thread& who);
  void block_sleeps(block& home);
  void wake(warp& team, unsigned lanes);
  void wake(cuda_thread& who);
  void wake_pollers();
  void stall();
  void stall_lanes(warp& team, unsigned lanes);
  void wake_stalled();
  void idle();

  // enumerated_schedule.cpp: likewise, where operations are enumerated.
  struct poll //!< of one warp's lanes
  {
    warp* team;
    unsigned lanes;
    std::vector<look> looks;
  };
  struct enumerated_actor
  {
    std::vector<cuda_thread*> ready = {}; //!< for an operation
    std::vector<cuda_thread*> wrote = {}; //!< and have not gone on since
  };
  void begin_enumeration();
  unsigned actor_of(const warp& team) const;
  warp* going_warp(unsigned actor);
  bool has_news(const poll& waiting, bool any) const;
  enumerator::actor_set ready_actors(bool any_news);
  void follow_writes(const poll& waiting);
  void go_on(unsigned actor);
  cuda_thread* pick_enumerated();
  void operate();
  void wait_in(std::vector<cuda_thread*> enumerated_actor::*where);
  void after_write();
  void before_operation(const void* word, bool writes, call_site at);
  void enumerated_backoff();
  void complete_copies();
  bool is_earlier(const block& home) const;
  void let_next_start();
  void wait_for_earlier();
  void earlier_block_ends(const block& done);

  // barriers.cpp, collectives.cpp
  void complete_named(named_barrier& barrier, unsigned id, call_site at);
  collective& join(collective_kind kind, unsigned lanes, std::size_t bytes, call_site at);
  void complete(warp& team, const collective& done, call_site at);
  void move_values(warp& team, const collective& done, call_site at);
  void check_exit(cuda_thread& who);

  // mbarrier.cpp, bulk_copy.cpp, shared_memory.cpp
  mbarrier_state& find_mbarrier(std::uint64_t* state, const char* call, call_site at);
  void settle_phase(mbarrier_state& barrier);
  void check_global(const char* call, const void* global, std::size_t bytes, call_site at);
  void check_bulk(const char* call, const void* shared, const void* global, std::size_t bytes, call_site at);
  void check_overlap(const char* call, bool store, const unsigned char* shared, std::size_t bytes, call_site at);
  void begin_copy(bulk_copy& copy);
  void advance_copy();
  void advance_load(bulk_copy& copy, std::size_t part);
  void land(bulk_copy& copy, unsigned char* to, unsigned char* from, std::size_t bytes);
  void advance_store(bulk_copy& copy, std::size_t part);
  bool groups_ready(const cuda_thread& who, bool read_only, std::size_t groups) const;
  void drop_complete_groups(cuda_thread& who);
  void add_in_turns(warp& team);
  bool in_shared(const block& home, const void* first, std::size_t bytes) const;
  void check_arrays(block& done);
  void close_arrays(block& done);

  // report.cpp
  void set_failure(const cuda_thread& who, call_site at, const char* what);
  [[noreturn]] void leave();
  std::string stuck_report(const char* headline) const;

  launch_shape shape_ = {};
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  std::uint64_t seed_ = 0;
  std::uint64_t number_ = 0;
  std::size_t shared_limit_ = 0;
  unsigned places_wanted_ = 0;

  random_bits random_;
  habits habits_;
  counters counted_;

  fiber host_;
  void* host_shadow_ = nullptr;     //!< the OS thread, to the race detector
  race::shadow nursery_;            //!< knows what the host did before the launch, and nothing else
  race::edge launched_ = nullptr;   //!< what the host did before the launch
  race::edge ended_edge_ = nullptr; //!< what kernel threads and bulk stores did
  cuda_thread* self_ = nullptr;
  std::deque<block> places_;
  unsigned resident_ = 0;
  unsigned resident_limit_ = 0;     //!< in this launch: the scheduler may keep some of the places empty
  unsigned next_block_ = 0;         //!< blocks started
  std::vector<unsigned> admission_; //!< the order of starting; by index if empty
  std::size_t next_place_ = 0;      //!< where the search for a free place begins
  block* ended_ = nullptr;

  std::vector<block*> runnable_;
  warp* last_warp_ = nullptr;
  unsigned last_block_ = 0;
  unsigned warp_steps_left_ = 0;  //!< switches before another warp is drawn
  unsigned block_steps_left_ = 0; //!< warps before another block is drawn
  std::vector<cuda_thread*> pollers_;
  std::vector<std::pair<warp*, unsigned>> stalled_; //!< warps and lanes
  std::vector<bulk_copy> copies_;

  std::uint64_t grid_arrived_ = 0; //!< threads at the barrier of the grid
  std::uint64_t threads_ended_ = 0;
  race::edge grid_edge_ = nullptr; //!< of the threads that have arrived there

  std::uint64_t changes_ = 0;       //!< of global memory, in this launch
  std::uint64_t changes_seen_ = 0;  //!< when pollers were woken last
  std::uint64_t progress_ = 0;      //!< changes of memory that a poller could see
  std::uint64_t progress_seen_ = 0; //!< at the latest idle round
  unsigned idle_rounds_ = 0;
  std::uint64_t stuck_steps_ = 0; //!< switches since the latest progress or completed barrier

  enumerator* enumerator_ = nullptr; //!< of this launch, or null
  unsigned actors_per_block_ = 1;
  unsigned acting_ = enumerator::nobody;
  bool any_news_ = false;
  bool step_wrote_ = false;
  std::vector<cuda_thread*> granted_; //!< whose operations belong to this step
  std::vector<enumerated_actor> actors_;
  std::vector<block*> home_of_block_; //!< by index, once started
  std::vector<poll> polls_;
  const enumerator::earlier_launch* earlier_ = nullptr; //!< that overlaps with this one: its blocks have the first indices
  unsigned all_blocks_ = 0;                             //!< of both
  unsigned blocks_that_let_start_ = 0, earlier_blocks_ended_ = 0;
  std::vector<cuda_thread*> waiting_for_earlier_;

  std::string failure_;
  std::exception_ptr exception_;
};

//! A call from a kernel. An `error` if there is none to call from, that `what` was called outside of kernels.
class kernel_call
{
public:
  explicit kernel_call(const char* what) : machine_(machine::active_)
  {
    if (machine_ == nullptr || machine_->self_ == nullptr)
    {
      machine::fail_outside(what);
    }
    race::look_away();
  }
  kernel_call(const kernel_call&) = delete;
  kernel_call& operator=(const kernel_call&) = delete;
  ~kernel_call() { race::look_again(); }
  machine* operator->() const { return machine_; }

private:
  machine* machine_;
};

} // namespace reheat::REHEAT_MACHINE::emulator
