// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The rows of reheat-segments, and their names. Needs no GPU.
#pragma once

#include "common/implementations.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perf::segments
{

enum class implementation
{
  reheat,  //!< reheat::segmented_reduce or segmented_inclusive_scan under par_nosync; with gaps, DeviceSegmented…
  cub,     //!< cub::DeviceSegmentedReduce::Sum; before version 3.3, CUB has no scans of segments
  cub_new, //!< CUB of another CCCL: segments/newest.hpp
  by_key,  //!< our ReduceByKey or InclusiveSumByKey on keys that were made of the offsets before
  warp,    //!< a warp for each segment
  limit,   //!< moving as many bytes: common/transfers.hpp
};
inline constexpr std::array implementations{implementation::reheat, implementation::cub,  implementation::cub_new,
                                            implementation::by_key, implementation::warp, implementation::limit};
const char* name_of(implementation which);

enum class operation
{
  sum,  //!< of each segment
  scan, //!< inclusive, of each segment
};

enum class value_type
{
  u32,
  u8,
  u8_u32, //!< sums of u8 in u32
  u64,
  f32,
};
std::size_t in_bytes_of(value_type which);
std::size_t out_bytes_of(value_type which);

//! What says where segments are.
enum class bounds
{
  offsets_32, //!< one offset more than segments, of 32 bits
  offsets_64,
  fixed, //!< nothing: all have one size, and there is one behind the other
  gaps,  //!< offsets of 32 bits where each begins, and others where it ends. Behind each lies a gap that nobody reads
};
std::size_t offset_bytes_of(bounds which);

//! How long segments are. Lengths that are random depend on the number of the segment alone.
enum class shape
{
  equal,     //!< `length` items; the last segment has the rest, or with a fixed size or gaps nobody has it
  random,    //!< from 1 to twice `length` less 1
  power_law, //!< some 64 on average: half of the segments have less than 10, the longest may have 2^20
  giant,     //!< 512 of 64, one with the rest, 511 of 64
  half,      //!< 64, and in the middle one with half of all items
  sparse,    //!< nine of ten are empty, the others random of 64
  empty,     //!< all empty: as many segments as a row of another shape has items
};
inline constexpr std::uint64_t usual_length = 64; // of shapes that have no length of their own

struct row
{
  segments::operation operation;
  value_type type;
  segments::bounds bounds;
  segments::shape shape;
  std::uint64_t length; //!< of equal and random
  std::uint64_t items;
  implementation_bits chosen; //!< no other implementation is measured

  //! operation/type/bounds/shape/items/
  std::string prefix() const;
  std::vector<implementation> measured() const;
};

//! Items of the longest segment, at most.
std::uint64_t max_length(const row& which);

//! Whether the implementation calls CUB of another CCCL, which the program may lack.
bool has_newest();

struct selection
{
  bool quick = false;
  std::vector<std::uint64_t> sizes;   //!< none: all
  std::vector<std::uint64_t> lengths; //!< only segments of these lengths; none: all shapes
  implementation_bits implementations = ~implementation_bits{0};
};
std::vector<row> rows_of(const selection& chosen);

} // namespace perf::segments
