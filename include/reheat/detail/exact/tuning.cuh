// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of the exact sum. Its bits depend on none of them.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/exact/column.cuh>

#include <cstddef>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

struct exact_config
{
  unsigned block_threads;
  unsigned vectors_per_thread; //!< of 16 bytes, of a tile
  unsigned max_blocks;
  unsigned max_room = 0xffffffffu; //!< numbers of a thread after which it passes carries on, if not before
  bool multiply_adds = false;      //!< doubles are divided by operations on doubles
};

//! The rows of a thread's column.
template <class T>
REHEAT_HOST_DEVICE constexpr unsigned exact_rows(const exact_config& c)
{
  return c.multiply_adds ? exact_column<T, 32, 0xffffffffu, true>::rows : exact_column<T, 32>::rows;
}

//! arch → config of an exact sum of Ts. A block has a column for each thread in shared memory.
template <class T>
struct exact_tuning
{
  using column = exact_column<T, 32>;
  static constexpr std::size_t column_bytes = column::rows * sizeof(typename column::word);

  REHEAT_HOST_DEVICE constexpr exact_config operator()(int arch) const
  {
    if (arch == emulated_arch)
    {
      return {64, 2, 5, 32, true}; // small tests pass carries on, too; a tile of bytes has 32 numbers for a thread
    }
    const std::size_t shared = device_traits_of(arch).block_shared_bytes;
    if (column_bytes <= 144)
    {
      // H200, 1 GB: f32 240 us, f16 238, bf16 245. With an earlier loop, in 244, 239 and 273 us, 396 blocks with 2 vectors
      // took 258, 241 and 334, 528 of 256 threads 246, 241 and 291; they are faster below 16 MB. Of 64 MB of f32, 3 and 5
      // vectors take 22.2 and 22.3 us, 4 21.7.
      return {shared < 512 * 144 ? 256u : 512u, 4, 264};
    }
    // A block has most of a multiprocessor's shared memory. H200, f64, 64 KB, 64 MB and 1 GB: 4.5, 23.7 and 248 us. By
    // multiply-adds, 384 threads with 5 vectors take 4.1, 25.1 and 261. 512 with 5 took 5.8, 23.7 and 247 when 512 with 4
    // took 5.3, 23.7 and 248. By operations on bits, 384 with 5 took 4.9, 23.9 and 260. Other architectures are not
    // measured.
    return device_traits_of(arch).many_double_units ? exact_config{512, 4, 132, 0xffffffffu, true}
           : shared < 96 * 1024                     ? exact_config{96, 4, 264}
           : shared < 128 * 1024                    ? exact_config{160, 4, 264}
                                                    : exact_config{384, 5, 132};
  }
};

} // namespace detail
REHEAT_NAMESPACE_END
