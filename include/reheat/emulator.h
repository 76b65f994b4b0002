// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The emulated device: what a host program may set, launch and ask. Kernels use `reheat::simt` instead.
//!
//! A launch runs on the calling OS thread and is finished when `launch` returns. Each CUDA thread is a fiber; which one runs
//! next is drawn from a seed, so the same seed and the same calls give the same run. Any number of OS threads may launch.
#pragma once

#if !defined(REHEAT_EMULATED)
#  error "reheat: emulator.h is for programs on the emulator; link reheat::emulated, which defines REHEAT_EMULATED"
#endif

#include <reheat/detail/config.cuh>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default) // one emulator per program and version, whatever flags its parts are built with
namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace emulator
{

//! Every report of the emulator: misuse of a primitive, deadlock, a launch the device cannot hold. `what()` is several
//! lines for people: what happened, where (kernel, block, warp, lane, file and line), and the seed that replays it.
class error : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

//! Small and odd on purpose: small inputs then exercise many tiles and grids larger than what is resident.
struct properties
{
  int multiprocessors = 3;
  int blocks_per_multiprocessor = 2;
  std::size_t shared_bytes_per_block = 227 * 1024;
};
properties device_properties();
//! For all OS threads, from their next launch on.
void set_device_properties(const properties& wanted);
//! How many blocks of this shape are resident at once: limited by blocks, by 2048 threads and by shared memory (that of
//! one largest block, and 1 KB that each block takes for the system) per multiprocessor; never 0.
unsigned resident_blocks(unsigned block_threads, std::size_t shared_bytes);

//! Starts the sequence of schedules that belongs to `value`: each launch derives its own from the seed and the number of
//! launches since. The first value is the environment variable REHEAT_SEED, or 1.
void set_seed(std::uint64_t value);
std::uint64_t seed();
//! What reports suggest to run again, besides the seed: a command line that lets `--seed` follow; empty at first.
void set_replay_command(const std::string& command);
std::string replay_command();

//! Stack of one CUDA thread, for fibers made after the call: 64 KB, under AddressSanitizer 256 KB. One inaccessible page
//! lies below each.
void set_stack_bytes(std::size_t bytes);
std::size_t stack_bytes();

struct launch_shape
{
  const char* name;
  unsigned grid_blocks;
  unsigned block_threads;
  std::size_t shared_bytes;
  //! All blocks are resident at once, or the launch is refused: they may wait for each other. Of others any number may be
  //! resident, from one on, whichever these are.
  bool cooperative = false;
  //! Blocks start in the order of their indices: they may wait for those before. Of others any may be the first to start.
  bool in_order = false;
  //! The launch may start before earlier work is done: its threads wait for that before they touch global memory.
  bool early = false;
};

class stream;

//! What a stream has captured: launches with their arguments. A copy is what a clone is on a GPU, and what is instantiated.
class graph
{
public:
  struct node
  {
    launch_shape shape;
    void (*body)(void* argument);
    std::shared_ptr<void> argument;
  };
  std::size_t node_count() const { return nodes_.size(); }
  //! Runs the launches, in the order in which they were captured.
  void launch(stream* where) const;

  void add(node next) { nodes_.push_back(std::move(next)); }
  const void* last_node() const { return nodes_.empty() ? nullptr : nodes_.back().argument.get(); }
  //! `forget(object)` is called when this graph and all copies of it are gone.
  void retain(void (*forget)(void*), void* object) { retained_->emplace_back(object, forget); }

private:
  using object_ptr = std::unique_ptr<void, void (*)(void*)>;

  std::vector<node> nodes_;
  std::shared_ptr<std::vector<object_ptr>> retained_ = std::make_shared<std::vector<object_ptr>>();
};

//! A record of what was enqueued. Nothing ever waits in it, because a launch is complete when it returns. While a stream is
//! captured, by one OS thread, its launches do not run.
class stream
{
public:
  void begin_capture();
  graph end_capture();
  bool is_capturing() const { return captured_ != nullptr; }
  graph* captured() { return captured_.get(); }
  //! A number that no other capture has; 0: there is none.
  std::uint64_t capture() const { return capture_; }

  //! Names of the latest launches, oldest first, at most `remembered_launches` of them.
  std::vector<std::string> launches() const;
  std::size_t launch_count() const;
  std::size_t synchronisation_count() const;
  //! Forgets all of it.
  void clear();

  static constexpr std::size_t remembered_launches = 4096;

  void record_launch(const char* name);
  void record_synchronisation();

private:
  mutable std::mutex mutex_;
  std::deque<std::string> names_;
  std::size_t launches_ = 0;
  std::size_t synchronisations_ = 0;
  std::unique_ptr<graph> captured_;
  std::uint64_t capture_ = 0;
};

stream* default_stream();
//! Only recorded: there is nothing to wait for. A null stream is the default one, here and in `launch`.
void synchronize(stream* where);

//! What the calling OS thread has asked of the device since it started: what costs time on a GPU's host.
struct host_calls
{
  std::uint64_t launches = 0;
  std::uint64_t waits = 0;
  std::uint64_t allocations = 0; //!< of device memory, and of host memory that kernels write to
  std::uint64_t frees = 0;
  std::uint64_t fills = 0; //!< of device memory with zeros
};
host_calls calls_so_far();
//! One more of these, by the calling OS thread.
void record(std::uint64_t host_calls::*call);

//! Fault injection, per OS thread: of the calls of the host's side that can fail on a GPU, the `nth` from now on does, once.
//! 0: none. Their names are noted until fail_no_host_call.
void fail_host_call(std::uint64_t nth);
void fail_no_host_call();
//! The names of those calls, and whether one has failed.
const std::vector<const char*>& host_calls_made();
bool host_call_has_failed();
//! The host's side asks this at each such call.
bool host_call_fails(const char* name);

//! Runs `body(argument)` once per CUDA thread of the grid and returns when all are done. The first exception that escapes
//! a body is rethrown here (an `error` with the thread's position added); reports of the emulator itself do not unwind the
//! threads: their stacks are taken back as they are, and the next launch works.
//!
//! `copy` makes an argument that outlives the call, for a stream that is captured. And where schedules are enumerated, a
//! launch may be put off until the next one, with which it then overlaps.
using argument_copier = std::shared_ptr<void> (*)(const void* argument);
void launch(stream* where, const launch_shape& shape, void (*body)(void* argument), void* argument,
            argument_copier copy = nullptr);

//! Whether the calling OS thread runs a kernel's thread at the moment.
bool in_kernel();

//! What one launch did. Collective operations count once per participating thread.
struct counters
{
  std::uint64_t launches = 0; //!< 1, or 0 before the first launch
  std::uint64_t blocks = 0;   //!< blocks that ended
  std::uint64_t barriers = 0;
  std::uint64_t named_barriers = 0;
  std::uint64_t grid_barriers = 0;
  std::uint64_t warp_barriers = 0;
  std::uint64_t shuffles = 0;
  std::uint64_t votes = 0;
  std::uint64_t polls = 0; //!< calls of backoff
  std::uint64_t mbarrier_waits = 0;
  std::uint64_t loads = 0; //!< relaxed and acquire loads, words
  std::uint64_t stores = 0;
  std::uint64_t atomics = 0;
  std::uint64_t prefetched_bytes = 0;
  std::uint64_t piece_loads = 0;
  std::uint64_t bulk_loads = 0;
  std::uint64_t most_bulk_loads = 0; //!< of a block that were on their way at once
  std::uint64_t bulk_loaded_bytes = 0;
  std::uint64_t bulk_stores = 0;
  std::uint64_t bulk_stored_bytes = 0;
  std::uint64_t switches = 0;      //!< times another fiber took over
  std::uint64_t schedule_hash = 0; //!< of the sequence of fibers: equal for equal runs
};
//! Of the latest launch of the calling OS thread.
counters last_launch();

} // namespace emulator
} // namespace REHEAT_MACHINE
} // namespace reheat
#pragma GCC visibility pop
