// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Numbers of the radix sort.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>

#include <cstddef>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

struct sort_config
{
  unsigned digit_bits;
  unsigned histogram_threads;
  std::size_t histogram_bytes; //!< of shared memory, at most
  unsigned histogram_blocks;   //!< at most
  unsigned block_threads;      //!< of a pass
  unsigned items_per_thread;
  unsigned resident_blocks;
  unsigned few_tiles;                  //!< of a pass: for fewer, there are small ones
  unsigned one_block_threads;          //!< of the sort in one block
  unsigned one_block_items_per_thread; //!< at most
  unsigned bucket_items_per_thread;    //!< at most; a bucket has one_block_threads
  unsigned bucket_resident_blocks;
  unsigned bin_items; //!< for more in a bin, which is crowded then, a block sorts by digits

  REHEAT_HOST_DEVICE constexpr unsigned digits() const { return 1u << digit_bits; }
  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / library::warp_lanes; }
  REHEAT_HOST_DEVICE constexpr unsigned one_block_items() const { return one_block_threads * one_block_items_per_thread; }
  REHEAT_HOST_DEVICE constexpr unsigned bucket_items() const { return one_block_threads * bucket_items_per_thread; }
  //! Of a few more keys, there is always a bucket that is too large.
  REHEAT_HOST_DEVICE constexpr unsigned most_in_buckets() const { return digits() * bucket_items() / 16 * 15; }
};

//! arch → config of keys of KeyBytes with values of ValueBytes, which may be 0. `Small`: tiles for inputs that do not
//! fill the device with larger ones.
template <std::size_t KeyBytes, std::size_t ValueBytes, bool Small = false>
struct sort_tuning
{
  REHEAT_HOST_DEVICE constexpr sort_config operator()(int arch) const
  {
    if (arch == emulated_arch)
    {
      return {6, 64, 4096, 3, 64, Small ? 2u : 5u, 2, 2, 64, 4, 1, 2, 4};
    }
    const std::size_t shared = device_traits_of(arch).block_shared_bytes;
    const std::size_t histogram = (shared < 132 * 1024 ? 32 : 128) * 1024;
    const bool two = shared >= 160 * 1024; // blocks of a multiprocessor
    const std::size_t rest = 3 * 1024;
    const bool has_values = ValueBytes != 0, has_two = two && (Small || !has_values);
    // H100, 2^28 uniform keys, us; tiles whose threads have fewer registers spill. u32: 384 x 28 4613, 256 x 44 4636,
    // 512 x 24 4920. u64: 256 x 36 15723, 384 x 21 17069, 512 x 16 18734. u32 with u32 values, one block of a
    // multiprocessor: 512 x 36 8120, 512 x 32 8329; two: 384 x 24 9586. u64 with u32 values, one: 512 x 28 22867; two: 256 x
    // 26 26085.
    const unsigned threads = Small || has_values ? 512 : KeyBytes <= 4 ? 384 : 256;
    const std::size_t budget = shared / (has_two ? 2 : 1) - threads / 32 * 256 * 4 - rest;
    const std::size_t staged = KeyBytes + (has_values ? 2 : 0); // and a free place in 33
    const auto fits = static_cast<unsigned>(budget / (threads * ValueBytes + threads / 32 * 33 * staged));
    const unsigned most = Small           ? 8
                          : has_values    ? (KeyBytes <= 4   ? 36
                                             : KeyBytes == 8 ? 28
                                                             : 12)
                          : KeyBytes <= 4 ? 28
                          : KeyBytes == 8 ? 36
                                          : 16;
    const std::size_t counters = 512 / 32 * 256 * 4;
    const std::size_t one_block = 512 * 2 * (KeyBytes + 2); // two orders of a key with its place
    const auto one_block_fits = static_cast<unsigned>((shared - counters - rest) / one_block);
    const auto bucket_fits = static_cast<unsigned>((shared / (two ? 2 : 1) - counters - rest) / one_block);
    return {8,
            1024,
            histogram,
            264,
            threads,
            fits < most ? fits : most,
            has_two ? 2u : 1u,
            264,
            512,
            one_block_fits >= 16  ? 16u
            : one_block_fits >= 8 ? 8u
            : one_block_fits >= 4 ? 4u
                                  : 2u,
            bucket_fits < 9 ? bucket_fits : 9u,
            two ? 2u : 1u,
            32};
  }
};

} // namespace detail
REHEAT_NAMESPACE_END
