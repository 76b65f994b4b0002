// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Numbers of the radix sort.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>

#include <cstddef>
#include <cstdint>

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
  std::uint64_t values_from_items;     //!< of pairs: from there on, tiles are large
  unsigned one_block_threads;          //!< of the sort in one block
  unsigned one_block_items_per_thread; //!< at most
  unsigned small_block_threads;        //!< of the sort of fewer keys in one block
  unsigned small_block_items_per_thread;
  unsigned bucket_items_per_thread; //!< at most; a bucket has one_block_threads
  unsigned bucket_resident_blocks;
  unsigned bin_items;                 //!< for more in a bin, which is crowded then, a block sorts by digits; > 9
  std::size_t spread_histogram_bytes; //!< of shared memory, at most, where the histogram has a table
  unsigned table_counter_bits;        //!< of a bucket's keys in a block's table
  unsigned spread_threads;            //!< of a partition
  unsigned spread_items_per_thread;
  std::uint64_t spread_from_items; //!< for fewer, it takes too long to find out that they are not spread
  unsigned spread_bits;            //!< at most, by which spread keys go to buckets; 0: they are sorted as others are
  unsigned spread_keys;            //!< of a bucket on average, at most
  unsigned bins;                   //!< of a block that sorts keys in shared memory
  unsigned spread_passes;          //!< so many take no longer than partitions and buckets
  bool ranks_common_digits;        //!< apart, in a pass
  unsigned range_threads;          //!< of the sort by ranges (ranges.cuh)
  unsigned range_items_per_thread; //!< at most, and a quarter of that at least; 0: no such sort
  unsigned range_tiles;            //!< at most, unless tiles become too large
  unsigned range_keys;             //!< of a bucket, if there are not too many keys for that
  std::uint64_t few_from_items;    //!< for fewer, passes or buckets take no longer than keys of few values do
  unsigned spread_ahead_bytes;     //!< of the runs in which a tile leaves a partition, for the next one to come meanwhile

  REHEAT_HOST_DEVICE constexpr unsigned digits() const { return 1u << digit_bits; }
  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / library::warp_lanes; }
  REHEAT_HOST_DEVICE constexpr unsigned one_block_items() const { return one_block_threads * one_block_items_per_thread; }
  REHEAT_HOST_DEVICE constexpr unsigned small_block_items() const
  {
    return small_block_threads * small_block_items_per_thread;
  }
  REHEAT_HOST_DEVICE constexpr unsigned table_word_log2() const { return table_counter_bits == 16 ? 1 : 2; }
  REHEAT_HOST_DEVICE constexpr unsigned bucket_items() const { return one_block_threads * bucket_items_per_thread; }
  //! By so many bits spread keys go to buckets; 0: by none, since there are too few of them, or too many.
  REHEAT_HOST_DEVICE constexpr unsigned spread_bits_of(std::uint64_t items) const
  {
    unsigned bits = items < spread_from_items ? 0 : digit_bits + 1;
    while (bits != 0 && items > std::uint64_t{spread_keys} << bits)
    {
      ++bits;
    }
    return bits <= spread_bits ? bits : 0;
  }
  //! Of a few more keys, there is always a bucket that is too large.
  REHEAT_HOST_DEVICE constexpr unsigned most_in_buckets() const { return digits() * bucket_items() / 16 * 15; }
};

//! Which tiles passes have.
enum class sort_tiles
{
  few, //!< small ones, of inputs that do not fill the device with larger ones
  many,
  values, //!< large ones, of inputs whose digits lie far apart in memory: the longer the runs that leave together, the
          //!< better
};

//! arch → config of keys of KeyBytes with values of ValueBytes, which may be 0.
template <std::size_t KeyBytes, std::size_t ValueBytes, sort_tiles Tiles = sort_tiles::many>
struct sort_tuning
{
  static constexpr bool are_words = KeyBytes <= 4 && ValueBytes != 0 && ValueBytes <= 4; //!< pairs

  //! NVIDIA H100, 2^28 uniform keys, us; tiles whose threads have fewer registers spill. Two blocks of a multiprocessor:
  //! u32: 384 x 28 4613, 256 x 44 4636, 512 x 24 4920; u64: 256 x 36 15723, 384 x 21 17069, 512 x 16 18734. u32 with u32
  //! values: 384 x 24 9675; one block: 640 x 30 8337, 512 x 36 8479; 2^24: 384 x 24 635, 640 x 30 647 (AND of three words:
  //! 611, 696). NVIDIA H200, 2^22 and 2^24: 384 x 24 168 and 521, 512 x 18 165 and 525 (16 values: 155, 498; 150, 491). u64
  //! with u32 values: 384 x 17 26520; one block: 512 x 28 23680; 2^24: 1694, 1669 (1550, 1713).
  REHEAT_HOST_DEVICE static constexpr unsigned pass_threads()
  {
    return Tiles == sort_tiles::few      ? 512
           : Tiles == sort_tiles::values ? (KeyBytes <= 4 ? 640 : 512)
           : ValueBytes != 0             ? (are_words ? 512 : 384)
           : KeyBytes <= 4               ? 384
                                         : 256;
  }
  //! At most: shared memory may have no room for so many.
  REHEAT_HOST_DEVICE static constexpr unsigned thread_items()
  {
    return Tiles == sort_tiles::few      ? 8
           : Tiles == sort_tiles::values ? (KeyBytes <= 4   ? 30
                                            : KeyBytes == 8 ? 28
                                                            : 12)
           : are_words                   ? 18
           : ValueBytes != 0             ? (KeyBytes <= 4   ? 24
                                            : KeyBytes == 8 ? 17
                                                            : 8)
           : KeyBytes <= 4               ? 28
           : KeyBytes == 8               ? 36
                                         : 16;
  }

  //! Sorts of u32 by ranges, NVIDIA H200, 2^14, 2^16 and 2^17 keys, us: tiles of 512 x 4 11.9, 15.4 and 17.4, 512 x 2 12.6,
  //! 16.3 and 18.4; 2^16 keys in 64 ranges 14.3, in 128 16.3; 2^18 and 2^20 in at most 264 tiles 22.2 and 27.5, 132 18.8 and
  //! 24.6.
  //! Partitions of u64, NVIDIA H100, 2^28 keys, us, first and second: 256 x 32 1817 and 2002, 256 x 36 1893 and 2169, 512 x
  //! 16 2151 and 2612. Sorts of u32, NVIDIA H200, 2^24 and 2^28: 256 x 32 277 and 4043, 256 x 40 277 and 3924, 256 x 44 285
  //! and 3886.
  REHEAT_HOST_DEVICE constexpr sort_config operator()(int arch) const
  {
    constexpr bool is_few = Tiles == sort_tiles::few; // too few keys for what may be spread
    if (arch == emulated_arch)
    {
      const unsigned rows = is_few ? 2u : Tiles == sort_tiles::many ? 5u : 6u;
      if (KeyBytes == 1) // one digit, as on GPUs
      {
        return {8,    64, 4096, 3, 256, rows - 1, 2,  2,    1400, 256,  1,   256, 1, 1, 2, 16,
                4096, 8,  256,  4, 0,   0,        24, 1024, 2,    true, 512, 0,   0, 0, 0, 0};
      }
      return {6,  64,  4096, 3,    64, rows, 2,  2,  1400, 64, 4, 64, 2, 1, 2, 16, 4096, 8, 64, 5, 3841, is_few ? 0u : 8u,
              24, 256, 2,    true, 96, 8,    30, 24, 0,    128}; // runs of u32 are shorter, of u64 longer
    }
    const std::size_t shared = device_traits_of(arch).block_shared_bytes;
    const std::size_t histogram = (shared < 132 * 1024 ? 32 : 128) * 1024;
    const bool two = shared >= 160 * 1024; // blocks of a multiprocessor
    const std::size_t rest = 3 * 1024;
    const bool passes_two = two && Tiles != sort_tiles::values;
    const std::size_t budget = shared / (passes_two ? 2 : 1) - pass_threads() / 32 * 256 * 4 - rest;
    const std::size_t staged = KeyBytes + (ValueBytes != 0 ? 2 : 0); // and a free place in 33
    const auto fits = static_cast<unsigned>(budget / (pass_threads() * ValueBytes + pass_threads() / 32 * 33 * staged));
    const std::size_t counters = 512 / 32 * 256 * 4;
    const std::size_t one_block = 512 * 2 * (KeyBytes + 2); // two orders of a key with its place
    const auto one_block_fits = static_cast<unsigned>((shared - counters - rest) / one_block);
    const auto bucket_fits = static_cast<unsigned>((shared / (two ? 2 : 1) - counters - rest) / one_block);
    return {8, 1024, histogram, 264, pass_threads(), fits < thread_items() ? fits : thread_items(), passes_two ? 2u : 1u,
            264, std::uint64_t{1} << 26, 512,
            one_block_fits >= 16  ? 16u
            : one_block_fits >= 8 ? 8u
            : one_block_fits >= 4 ? 4u
                                  : 2u,
            256, 4, bucket_fits < 9 ? bucket_fits : 9u, two ? 2u : 1u, 32, shared - 4 * 1024, 16, 256,
            KeyBytes <= 4 ? 40u : 32u, std::uint64_t{1} << (KeyBytes <= 4 ? 24 : 22), two && !is_few ? 16u : 0u,
            (bucket_fits < 9 ? bucket_fits : 9u) * 512 / 9 * 8, // sm_90: 8 standard deviations below a bucket's room
            4096, 3,
            // A pass takes longer for all keys: 2^22 pairs of u32 5 to 7 %, 2^28 1 %; u64 5 and 0.3 %; u32 2 and 0.3 %. The
            // AND of three words gains 3, 8, 3, 7, 11 and 12 % (NVIDIA H200).
            is_few || Tiles == sort_tiles::values || (KeyBytes <= 4 && ValueBytes == 0), 512, two ? 16u : 0u, 132, 1024,
            // NVIDIA H200, 16 values, us, in passes or buckets and as few values: f32, 2^14 and 2^16 20.1 and 21.9, 31.3 and
            // 22.1; pairs of u32, 21.6 and 27.2, 32.9 and 29.7.
            std::uint64_t{1} << 15,
            // NVIDIA H200, u32, first and second partition, us, the next tile early and late: 2^28, in runs of 160 bytes,
            // 962 and 873, 881 and 815; 2^26, in runs of 320 bytes, 184 and 180, 193 and 193.
            256};
  }
};

//! The same for fewer keys in one block: rows that no key is in cost as much as others, and so do warps. NVIDIA H200, us,
//! AND of three words, 2^8 and 2^10 keys: u32 6.2 and 6.7, in the larger block 10.5 and 11.0; u64 11.2 and 12.9, 19.0 and
//! 20.3; uniform u32 2.4 and 2.9, 3.2 and 3.6.
template <class Tuning>
struct sort_small_tuning
{
  REHEAT_HOST_DEVICE constexpr sort_config operator()(int arch) const
  {
    sort_config cfg = Tuning{}(arch);
    cfg.bins = cfg.bins / cfg.one_block_threads * cfg.small_block_threads; // a thread has as many
    cfg.bucket_items_per_thread = 0;                                       // it sorts no buckets
    cfg.one_block_threads = cfg.small_block_threads;
    cfg.one_block_items_per_thread = cfg.small_block_items_per_thread;
    return cfg;
  }
};

//! Of the sort of bytes from their counts (bytes.cuh).
struct sort_byte_config
{
  unsigned threads;
  unsigned small_items;     //!< at most, of a small block
  unsigned one_block_items; //!< at most
  unsigned most_items;      //!< at most, of two launches
  unsigned count_items;     //!< of a block that counts, at least
  unsigned blocks;          //!< at most

  REHEAT_HOST_DEVICE constexpr unsigned vector_items() const { return 4 * threads; }
};

//! arch → config. NVIDIA H200, uniform, us: 2^12, 2^14, 2^18 and 2^22 bytes with 1024 threads 2.4, 3.3, 4.5 and 11.4, with
//! 512 2.5, 3.2, 5.5 and 15.7. One block takes 3.3 of 2^13, and 4.9 of 2^14.
template <bool IsSmall>
struct sort_byte_tuning
{
  REHEAT_HOST_DEVICE constexpr sort_byte_config operator()(int arch) const
  {
    if (arch == emulated_arch)
    {
      return {256, 64, 300, 1500, 256, 3};
    }
    return {IsSmall ? 256u : 1024u, 1024, 1 << 13, 1 << 22, 1 << 12, 132};
  }
};

//! Of the sort of keys of two bytes from their counts (halfwords.cuh).
struct sort_halfword_config
{
  unsigned threads;         //!< of a block that counts
  unsigned from_items;      //!< fewer keys are sorted as others are
  unsigned one_block_items; //!< at most
  unsigned count_items;     //!< of a block that counts, at least
  unsigned count_blocks;    //!< at most
  unsigned rows;            //!< vectors of a thread between two barriers
  unsigned limit_log2;      //!< of a counter
  unsigned write_threads;
  unsigned write_words;  //!< of a thread, which has their counts
  unsigned write_items;  //!< of a block that writes, at least
  unsigned write_blocks; //!< at most, unless shares get too large

  REHEAT_HOST_DEVICE constexpr unsigned listed_words() const { return write_threads * write_words; }
};

//! arch → config. NVIDIA H200, us, 2^11, 2^12 and 2^14 keys as others are sorted, and in one block: uniform u16 4.2 and 5.3,
//! 6.6 and 5.8, 16.8 and 11.3; AND of three words 7.4 and 4.8, 10.5 and 5.6, 17.1 and 12.5; f16 below 1000 7.0 and 4.3, 13.6
//! and 4.8, 19.9 and 10.4.
struct sort_halfword_tuning
{
  REHEAT_HOST_DEVICE constexpr sort_halfword_config operator()(int arch) const
  {
    if (arch == emulated_arch)
    {
      return {64, 100, 600, 256, 3, 2, 10, 256, 4, 128, 4}; // counters of up to some 1500 keys cannot reach their limit
    }
    return {1024, 1 << 11, 1 << 14, 1 << 13, 132, 4, 15, 512, 8, 1 << 8, 264};
  }
};

} // namespace detail
REHEAT_NAMESPACE_END
