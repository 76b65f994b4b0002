// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Kernels by hand for the counting instrument, and how its tests compare.
#pragma once

#include "../simt/run.h"

#include <emulator/accesses/accesses.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace compat
{

namespace simt = reheat::simt;
using namespace reheat::emulator::accesses;

//! The value is needed: what computed it stays.
template <class T>
void keep(const T& value)
{
  asm volatile("" : : "r"(&value) : "memory");
}

//! Without its folder, which debug information writes in another way than __FILE__.
inline const char* file_name(const char* path)
{
  const char* const slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

//! One warp of one block.
template <class Kernel>
void run_warp(Kernel kernel)
{
  test::run(1, 32, 16 * 1024, kernel);
}
//! One thread of it.
template <class Kernel>
void run_thread(Kernel kernel)
{
  test::run(1, 1, 16 * 1024, kernel);
}

//! Every byte of `range` was read `reads` times and written `writes` times.
inline void check_counts(const watched_range& range, std::size_t bytes, unsigned reads, unsigned writes)
{
  for (std::size_t i = 0; i < bytes; ++i)
  {
    if (range.reads_of(i) != reads || range.writes_of(i) != writes)
    {
      BOOST_ERROR(range.report() << ". Byte " << i << ": " << range.reads_of(i) << " reads, expected " << reads << "; "
                                 << range.writes_of(i) << " writes, expected " << writes);
      return;
    }
  }
  BOOST_TEST(true);
}

//! A value of `Bytes` bytes that is copied as a whole.
template <std::size_t Bytes>
struct bytes_of
{
  unsigned char byte[Bytes];
};

} // namespace compat
