// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How often kernels read and write each byte of memory that is watched, whether they read bytes that nobody wrote, and what
//! their accesses to shared memory cost. Sees plain accesses, atomics and bulk copies by threads of kernels, whatever
//! iterators they go through; the host's accesses do not count. While memory is watched, one OS thread launches.
//!
//! Shared arrays are always watched, each block's anew and as never written, but for what pads their values: a compiler may
//! write that or not, and reads it with the rest. A read of a byte that was never written ends
//! the launch with a report; so does a read that starts within watched memory and leaves it, and an access to another
//! block's shared array. Writes beyond the end are AddressSanitizer's to find.
//!
//! Counts are of the compiled code, as on a GPU: a repeated load that the compiler removes is no access.
#pragma once

#include <reheat/detail/config.cuh>

#include <cstddef>
#include <cstdint>
#include <string>

namespace reheat::REHEAT_MACHINE::emulator::accesses
{

enum class content
{
  written,      //!< may be read from the start
  never_written //!< may be read where a kernel has written: what the host wrote is not known
};

//! How many bytes were accessed that often.
struct tally
{
  std::size_t never = 0;
  std::size_t once = 0;
  std::size_t twice = 0;
  std::size_t more = 0;
};

//! Memory that is watched as long as the object lives. It overlaps no other watched memory.
class watched_range
{
public:
  watched_range(const void* first, std::size_t bytes, content initially, const char* name);
  watched_range(const watched_range&) = delete;
  watched_range& operator=(const watched_range&) = delete;
  ~watched_range();

  //! Counts start anew; what was written stays so.
  void reset();
  //! Since the last reset, of one byte; 255 also stands for more. An atomic operation is a read and a write, but for an
  //! exchange: it is how the emulator stores, and counts as a write alone.
  unsigned reads_of(std::size_t byte) const;
  unsigned writes_of(std::size_t byte) const;
  //! Of all bytes.
  tally reads() const;
  tally writes() const;
  //! Both for people: "input, 4096 bytes: read: 4096 once; written: 4096 never".
  std::string report() const;

private:
  struct range* range_;
};

//! Accesses to shared arrays in one launch, as a warp with 32 banks of 4 bytes does them. The lanes that access at one
//! place of the code, each for the nth time, are one instruction; 16-byte accesses go by quarters of a warp, 8-byte ones by
//! halves; lanes at the same word share it. An access to a larger struct counts as several, of the largest power of two up
//! to 16 bytes that divides its size and all addresses.
struct shared_traffic
{
  std::uint64_t loads = 0;  //!< instructions
  std::uint64_t stores = 0; //!< likewise
  std::uint64_t wavefronts = 0;
  std::uint64_t least_wavefronts = 0; //!< had no two words met in a bank
};
//! Of the latest launch.
shared_traffic last_shared_traffic();
//! Of the latest launch: the places with bank conflicts, one per line.
std::string last_bank_conflicts();

} // namespace reheat::REHEAT_MACHINE::emulator::accesses
