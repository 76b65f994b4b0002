// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of the exact sum. Its bits depend on none of them.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/exact/number.cuh>

#include <cstddef>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

struct exact_config
{
  unsigned block_threads;
  unsigned vectors_per_thread; //!< of 16 bytes, of a tile
  unsigned max_blocks;
};

//! arch → config of an exact sum of Ts. A block has a column of chunks for each thread in shared memory.
template <class T>
struct exact_tuning
{
  static constexpr std::size_t column_bytes = exact_layout<T>::chunks * sizeof(std::int64_t);

  REHEAT_HOST_DEVICE constexpr exact_config operator()(int arch) const
  {
    if (arch == emulated_arch)
    {
      return {64, 2, 5};
    }
    if (column_bytes <= 128)
    {
      // H100, 1 GB of f32: 352 us. 528 such blocks took 353, 264 of 1024 threads 358, 528 of 256 357.
      return {512, 4, 264};
    }
    // A block has most of a multiprocessor's shared memory. H100, f64: 32.5 us of 64 MB, 367 of 1 GB. 4 vectors took 32.3
    // and 374, 6 33.3 and 366, 8 35.5 and 371, 416 threads with 4 33.1 and 374. Other architectures are not measured.
    const std::size_t shared = device_traits_of(arch).block_shared_bytes;
    return shared < 96 * 1024    ? exact_config{96, 4, 264}
           : shared < 128 * 1024 ? exact_config{160, 4, 264}
                                 : exact_config{384, 5, 132};
  }
};

} // namespace detail
REHEAT_NAMESPACE_END
