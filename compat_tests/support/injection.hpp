// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Fault injection: one call of the machine fails. On the emulator the host's side asks whether it does (emulator.h); with
//! CUDA the linker leads all calls of the runtime, and those of the driver's functions that were fetched, through
//! gpu/host_calls.cpp.
#pragma once

#include "machine.hpp"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace compat
{

//! What exists of the machine's things, made by this thread and not taken back.
struct live_things
{
  std::int64_t memory = 0; //!< blocks, on the device and pinned
  std::int64_t events = 0;
  std::int64_t streams = 0;
  std::int64_t pools = 0;
  std::int64_t user_objects = 0; //!< that no graph owns

  friend live_things operator-(const live_things& x, const live_things& y)
  {
    return {x.memory - y.memory, x.events - y.events, x.streams - y.streams, x.pools - y.pools,
            x.user_objects - y.user_objects};
  }
  friend bool operator==(const live_things& x, const live_things& y)
  {
    return x.memory == y.memory && x.events == y.events && x.streams == y.streams && x.pools == y.pools &&
           x.user_objects == y.user_objects;
  }
  friend std::ostream& operator<<(std::ostream& out, const live_things& x)
  {
    return out << x.memory << " blocks of memory, " << x.events << " events, " << x.streams << " streams, " << x.pools
               << " pools, " << x.user_objects << " user objects";
  }
};

#if defined(REHEAT_EMULATED)

//! While one lives, the calling thread's call number `nth` of the machine fails, counted from 1 on; 0: none.
class injection
{
public:
  explicit injection(std::uint64_t nth, int, bool = false) { reheat::emulator::fail_host_call(nth); }
  injection(const injection&) = delete;
  injection& operator=(const injection&) = delete;
  ~injection() { reheat::emulator::fail_no_host_call(); }
  bool has_failed() const { return reheat::emulator::host_call_has_failed(); }
  //! The calls so far, by name.
  std::vector<std::string> calls() const
  {
    const std::vector<const char*>& made = reheat::emulator::host_calls_made();
    return std::vector<std::string>(made.begin(), made.end());
  }
};

struct injection_pause // the tests' memory is not the machine's
{
  injection_pause() {}
};

inline live_things live_now()
{
  const reheat::emulator::host_calls calls = reheat::emulator::calls_so_far();
  return {static_cast<std::int64_t>(calls.allocations) - static_cast<std::int64_t>(calls.frees), 0, 0, 0, 0};
}

inline void wait_until_graphs_own_nothing() {}

//! The codes with which the call of that name may fail.
inline std::vector<int> plausible_codes(const std::string&)
{
  return {0}; // the machine's own
}

#else

class injection
{
public:
  //! `of_all`: not only within public calls of the library.
  injection(std::uint64_t nth, int code, bool of_all = false);
  injection(const injection&) = delete;
  injection& operator=(const injection&) = delete;
  ~injection();
  bool has_failed() const;
  std::vector<std::string> calls() const;
};

//! While one lives, calls of the thread are a user's, in the middle of the library's.
class injection_pause
{
public:
  injection_pause();
  injection_pause(const injection_pause&) = delete;
  injection_pause& operator=(const injection_pause&) = delete;
  ~injection_pause();

private:
  bool was_armed_;
};

live_things live_now();
//! Waits for the driver, which destroys what a graph owned some time after the graph. There must be no graph.
void wait_until_graphs_own_nothing();
std::vector<int> plausible_codes(const std::string& name);

#endif

} // namespace compat
