// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Random inputs that follow from an item's index.
#pragma once

#include <cstdint>

namespace perf
{

inline __host__ __device__ std::uint32_t random_bits(std::uint64_t i, std::uint32_t seed)
{
  std::uint32_t x = static_cast<std::uint32_t>(i) * 2654435761u ^ seed;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// Segments come in pairs of twice the average, with a random boundary between the two: so a key follows from its index, and
// lengths are anything from 1 to twice the average less 1.
inline __device__ std::uint64_t key_at(std::uint64_t i, std::uint64_t segment_items)
{
  const std::uint64_t pair = i / (2 * segment_items), inside = i % (2 * segment_items);
  const std::uint64_t first_items = 1 + random_bits(pair, 3) % (2 * segment_items - 1);
  return 2 * pair + (inside >= first_items ? 1 : 0);
}

} // namespace perf
