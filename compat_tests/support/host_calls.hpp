// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What a call asks of the machine: on the emulator by its own count; on the GPU by the linker's, which leads every call of
//! the CUDA runtime in the program through gpu/host_calls.cpp, whoever makes it. The library knows nothing of either.
#pragma once

#include "machine.hpp"

#include <ostream>

namespace compat
{

//! By the calling OS thread.
struct host_calls
{
  std::uint64_t launches = 0;
  std::uint64_t waits = 0;
  std::uint64_t allocations = 0; //!< of device memory and of pinned host memory
  std::uint64_t frees = 0;
  std::uint64_t fills = 0;  //!< memsets
  std::uint64_t others = 0; //!< whatever else is more than a look
  std::uint64_t looks = 0;  //!< at the state of a stream, a thread, an error: well under a microsecond each; not compared
  std::uint64_t early_launches = 0; //!< launches that may start before earlier work is done; not compared

  friend host_calls operator-(const host_calls& x, const host_calls& y)
  {
    return {
        x.launches - y.launches, x.waits - y.waits, x.allocations - y.allocations,      x.frees - y.frees, x.fills - y.fills,
        x.others - y.others,     x.looks - y.looks, x.early_launches - y.early_launches};
  }
  friend bool operator==(const host_calls& x, const host_calls& y)
  {
    return x.launches == y.launches && x.waits == y.waits && x.allocations == y.allocations && x.frees == y.frees &&
           x.fills == y.fills && x.others == y.others;
  }
  friend std::ostream& operator<<(std::ostream& out, const host_calls& x)
  {
    return out << x.launches << " launches, " << x.waits << " waits, " << x.allocations << " allocations, " << x.frees
               << " frees, " << x.fills << " fills, " << x.others << " others, " << x.looks << " looks";
  }
};

//! So far.
#if defined(REHEAT_EMULATED)
inline host_calls calls_so_far()
{
  const reheat::emulator::host_calls calls = reheat::emulator::calls_so_far();
  return {calls.launches, calls.waits, calls.allocations, calls.frees, calls.fills, 0, 0, 0};
}
#else
host_calls calls_so_far();

//! While one lives, the calling thread is told that the host may not touch managed memory while a kernel runs.
class no_concurrent_managed_access
{
public:
  explicit no_concurrent_managed_access(bool pretended);
  no_concurrent_managed_access(const no_concurrent_managed_access&) = delete;
  no_concurrent_managed_access& operator=(const no_concurrent_managed_access&) = delete;
  ~no_concurrent_managed_access();
};
#endif

template <class Body>
host_calls calls_of(Body body)
{
  const host_calls before = calls_so_far();
  body();
  return calls_so_far() - before;
}

} // namespace compat
