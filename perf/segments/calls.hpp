// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What reheat-segments compares: calls, their types erased, and the memory that they work on. Only the .cu files know the
//! headers of CUB and reheat.
#pragma once

#include "common/ring.hpp"
#include "segments/rows.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace perf::segments
{

struct call
{
  const void* in;
  const void *begins, *ends; //!< of segments; null where all have one size
  const std::uint32_t* keys; //!< the number of each item's segment; for by_key alone
  void* out;
  std::uint64_t items, segments;
  std::uint64_t length;    //!< of all segments, where they have one size
  std::uint32_t* runs_out; //!< of sums by_key
  cudaStream_t stream;
  void* temp = nullptr; //!< while it is null, an implementation with two phases only sets temp_bytes
  std::size_t temp_bytes = 0;
};

constexpr bool has_two_phases(bounds where, implementation which)
{
  return which == implementation::cub || which == implementation::cub_new || which == implementation::by_key ||
         (which == implementation::reheat && where == bounds::gaps);
}

//! Throws std::runtime_error where the call reports an error.
using call_function = std::function<void(call&)>;

//! The row's call by this implementation, which is not the limit.
call_function function_of(const row& which, implementation who);
//! The same of what the program itself is compiled with.
call_function compiled_function_of(const row& which, implementation who);

//! Of the CCCL that the calls were compiled with, and of the other one; "not built" without it.
std::string cccl_version();
std::string newest_cccl_version();

// ---- data ----------------------------------------------------------------------------------------------------------------

//! Where a call reads and writes: a slot's bytes. Offsets follow the items, then results, then keys.
struct slot
{
  std::uint64_t items_bytes, offsets_bytes; //!< no offsets where all segments have one size
  std::uint64_t ends_behind;                //!< bytes from the first begin of a segment to the first end
  std::uint64_t in_bytes, out_bytes, keys_bytes;
  std::uint64_t read_bytes, written_bytes; //!< less than the above where there are gaps

  const std::byte* begins(const std::byte* memory) const { return offsets_bytes == 0 ? nullptr : memory + items_bytes; }
  const std::byte* ends(const std::byte* memory) const
  {
    return offsets_bytes == 0 ? nullptr : memory + items_bytes + ends_behind;
  }
  std::uint64_t moved_bytes() const { return in_bytes + out_bytes; }
  std::uint64_t bytes() const { return moved_bytes() + keys_bytes; }
};
slot slot_of(const row& which, std::uint64_t segments);

std::uint64_t segments_of(const row& which);

//! Enqueues the writing of items, offsets and keys into `slots` slots, from `memory` on: all get the same. Throws
//! std::runtime_error if the offsets are not those of segments within the items, one behind the other.
void fill_inputs(const row& which, std::uint64_t segments, std::byte* memory, std::uint64_t slots, cudaStream_t stream);

//! What results are overwritten with.
constexpr int poison_byte = 0xcd;

//! Enqueues adding to *wrong how many results of the slots are wrong; of scans, also how many are written in gaps. Items are
//! chosen so that each sum follows from where its items begin and end, and any type holds it exactly.
void count_wrong_results(const row& which, std::uint64_t segments, const std::byte* memory, std::uint64_t slots,
                         unsigned* wrong, cudaStream_t stream);

} // namespace perf::segments
