// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Zeros for the words of a launch that is given memory with any content: a launch in front of it.
//!
//! The next launch may start early (launch_start::programmatic), before the zeros are stored; it waits for the end of this
//! one. Every block lets it start after its own wait, and then needs nothing that another launch could hold. So blocks of
//! later launches that are resident and wait never keep this one from ending.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

inline constexpr unsigned zeros_block_threads = 256;
inline constexpr unsigned zeros_per_block = 8192; //!< 64 KB

//! Stores `count` zeros. (A template, because a program of several translation units may have only one definition of what
//! is none.)
template <class Word>
REHEAT_KERNEL(zeros_block_threads)
store_zeros_kernel(Word* words, std::uint64_t count)
{
  simt::grid_dependency_wait(simt::unless(simt::fault::zeros_too_early));
  simt::trigger_dependent_launch();
  const std::uint64_t first = std::uint64_t{simt::block_index()} * zeros_per_block;
  const std::uint64_t left = count - first;
  const unsigned own = left < zeros_per_block ? static_cast<unsigned>(left) : zeros_per_block;
  for (unsigned i = simt::thread_index(); i < own; i += simt::block_threads())
  {
    if (!simt::fault_active(simt::fault::dirty_scratch))
    {
      words[first + i] = 0;
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END
