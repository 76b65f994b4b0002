// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The host's side: settings shared by all OS threads, streams, and the entry of a launch.
#include "machine.h"
#include "observer.h"
#include "sanitizer.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>

namespace reheat::REHEAT_MACHINE::emulator
{
namespace
{

constexpr std::size_t system_bytes = 1024; // of shared memory, that the GPU takes for itself per block
constexpr unsigned multiprocessor_threads = 2048;
constexpr unsigned max_block_threads = 1024;

std::uint64_t first_seed()
{
  const char* const text = std::getenv("REHEAT_SEED");
  return text != nullptr && *text != '\0' ? std::strtoull(text, nullptr, 0) : 1;
}

struct settings
{
  std::mutex mutex;
  properties device;
  std::uint64_t seed = first_seed();
  std::uint64_t launches = 0;
  std::string replay_command;
};

settings& shared_settings()
{
  static settings only;
  return only;
}

std::atomic<std::size_t> wanted_stack_bytes{(sanitizer::address ? 256 : 64) * std::size_t{1024}};

thread_local host_calls thread_calls;

//! Which call of the host's side is to fail.
struct fault_injection
{
  bool counts = false;
  std::uint64_t nth = 0; //!< from 1 on; 0: none
  std::vector<const char*> made;
  bool has_failed = false;
};
thread_local fault_injection injected;

machine& thread_machine()
{
  thread_local machine mine; // keeps stacks and arrays for the OS thread's next launch
  return mine;
}

void check_shape(const launch_shape& shape)
{
  const std::string launch = std::string("reheat emulator: launch of ") + shape.name;
  if (machine::active() != nullptr)
  {
    throw error(launch + " from within a kernel");
  }
  if (shape.grid_blocks == 0)
  {
    throw error(launch + ": a grid of 0 blocks");
  }
  if (shape.block_threads == 0 || shape.block_threads > max_block_threads)
  {
    throw error(launch + ": " + std::to_string(shape.block_threads) + " threads per block is not within 1 … 1024");
  }
  const unsigned resident = resident_blocks(shape.block_threads, shape.shared_bytes);
  if (shape.cooperative && shape.grid_blocks > resident)
  {
    throw error(launch + ": a cooperative grid of " + std::to_string(shape.grid_blocks) + " blocks; the device holds " +
                std::to_string(resident) + " at once");
  }
  const std::size_t most = device_properties().shared_bytes_per_block;
  if (shape.shared_bytes > most)
  {
    throw error(launch + ": " + std::to_string(shape.shared_bytes) + " bytes of shared memory per block; the device has " +
                std::to_string(most));
  }
}

//! Tells the observer, if there is one, that a launch begins and, however it goes, that it has ended.
class observed_launch
{
public:
  explicit observed_launch(const launch_shape& shape)
  {
    if (registered_observer != nullptr)
    {
      registered_observer->launch_begins(shape);
    }
  }
  observed_launch(const observed_launch&) = delete;
  observed_launch& operator=(const observed_launch&) = delete;
  ~observed_launch()
  {
    if (registered_observer != nullptr)
    {
      registered_observer->launch_ended();
    }
  }
};

} // namespace

properties device_properties()
{
  settings& all = shared_settings();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return all.device;
}

void set_device_properties(const properties& wanted)
{
  if (wanted.multiprocessors < 1 || wanted.blocks_per_multiprocessor < 1)
  {
    throw error("reheat emulator: a device has at least one multiprocessor with room for one block");
  }
  settings& all = shared_settings();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.device = wanted;
}

unsigned resident_blocks(unsigned block_threads, std::size_t shared_bytes)
{
  const properties device = device_properties();
  const std::size_t by_shared = (device.shared_bytes_per_block + system_bytes) / (shared_bytes + system_bytes);
  const std::size_t by_threads = multiprocessor_threads / std::max(block_threads, 1u);
  const std::size_t by_blocks = static_cast<std::size_t>(device.blocks_per_multiprocessor);
  const std::size_t each = std::max<std::size_t>(1, std::min({by_shared, by_threads, by_blocks}));
  return static_cast<unsigned>(each) * static_cast<unsigned>(device.multiprocessors);
}

void set_seed(std::uint64_t value)
{
  settings& all = shared_settings();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.seed = value;
  all.launches = 0;
}

std::uint64_t seed()
{
  settings& all = shared_settings();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return all.seed;
}

void set_replay_command(const std::string& command)
{
  settings& all = shared_settings();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.replay_command = command;
}

std::string replay_command()
{
  settings& all = shared_settings();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return all.replay_command;
}

void set_stack_bytes(std::size_t bytes)
{
  wanted_stack_bytes = std::max<std::size_t>(bytes, 16 * 1024);
}

std::size_t stack_bytes()
{
  return wanted_stack_bytes;
}

// ---- streams -------------------------------------------------------------------------------------------------------------

std::vector<std::string> stream::launches() const
{
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::vector<std::string>(names_.begin(), names_.end());
}

std::size_t stream::launch_count() const
{
  const std::lock_guard<std::mutex> lock(mutex_);
  return launches_;
}

std::size_t stream::synchronisation_count() const
{
  const std::lock_guard<std::mutex> lock(mutex_);
  return synchronisations_;
}

void stream::clear()
{
  const std::lock_guard<std::mutex> lock(mutex_);
  names_.clear();
  launches_ = 0;
  synchronisations_ = 0;
}

void stream::begin_capture()
{
  static std::atomic<std::uint64_t> captures{0};
  if (is_capturing())
  {
    throw error("reheat emulator: the stream is being captured already");
  }
  captured_ = std::make_unique<graph>();
  capture_ = ++captures;
}

graph stream::end_capture()
{
  if (!is_capturing())
  {
    throw error("reheat emulator: the stream is not being captured");
  }
  graph done = std::move(*captured_);
  captured_.reset();
  capture_ = 0;
  return done;
}

void graph::launch(stream* where) const
{
  for (const node& each : nodes_)
  {
    emulator::launch(where, each.shape, each.body, each.argument.get());
  }
}

void stream::record_launch(const char* name)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  ++launches_;
  names_.emplace_back(name);
  if (names_.size() > remembered_launches)
  {
    names_.pop_front();
  }
}

void stream::record_synchronisation()
{
  const std::lock_guard<std::mutex> lock(mutex_);
  ++synchronisations_;
}

stream* default_stream()
{
  static stream only;
  return &only;
}

host_calls calls_so_far()
{
  return thread_calls;
}

void record(std::uint64_t host_calls::*call)
{
  ++(thread_calls.*call);
}

void fail_host_call(std::uint64_t nth)
{
  injected = {true, nth, {}, false};
}

void fail_no_host_call()
{
  injected.counts = false;
}

const std::vector<const char*>& host_calls_made()
{
  return injected.made;
}

bool host_call_has_failed()
{
  return injected.has_failed;
}

bool host_call_fails(const char* name)
{
  if (!injected.counts)
  {
    return false;
  }
  injected.made.push_back(name);
  const bool fails = injected.made.size() == injected.nth;
  injected.has_failed |= fails;
  return fails;
}

void synchronize(stream* where)
{
  record(&host_calls::waits);
  (where != nullptr ? where : default_stream())->record_synchronisation();
}

// ---- launches ------------------------------------------------------------------------------------------------------------

void launch(stream* where, const launch_shape& shape, void (*body)(void*), void* argument, argument_copier copy)
{
  launch_shape named = shape;
  named.name = shape.name != nullptr ? shape.name : "(unnamed kernel)";
  check_shape(named);
  record(&host_calls::launches);
  stream& in = where != nullptr ? *where : *default_stream();
  in.record_launch(named.name);
  if (in.is_capturing())
  {
    if (copy == nullptr)
    {
      throw error(std::string("reheat emulator: ") + named.name + ": the argument of a captured launch has to be copied");
    }
    in.captured()->add({named, body, copy(argument)});
    return;
  }
  if (enumerator::active != nullptr && enumerator::active->puts_off(named, body, copy != nullptr ? copy(argument) : nullptr))
  {
    return;
  }
  settings& all = shared_settings();
  std::uint64_t from = 0;
  std::uint64_t number = 0;
  {
    const std::lock_guard<std::mutex> lock(all.mutex);
    from = all.seed;
    number = all.launches++;
  }
  const observed_launch observed(named);
  thread_machine().launch(named, body, argument, from, number);
}

counters last_launch()
{
  return thread_machine().counted();
}

} // namespace reheat::REHEAT_MACHINE::emulator
