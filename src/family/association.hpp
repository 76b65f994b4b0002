// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The golden bits: reductions in association v1 and scans in scan association v1 whose bits are recorded, and their items.
//! Needs no Thrust; the calls are in association_calls.cuh.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace association
{

enum class fold
{
  reduce,
  reduce_any_op,    //!< by an operator that is not known to be commutative
  transform_reduce, //!< of squares
  inner_product,
  inclusive_scan,
  exclusive_scan,
  transform_inclusive_scan, //!< of squares
  transform_exclusive_scan, //!< products of factors near 1
};
enum class number
{
  f16,
  bf16,
  f32,
  f64,
};

struct golden_row
{
  const char* algorithm;
  const char* type;
  association::fold fold;
  association::number number;
  std::uint64_t items;
  std::uint64_t hash;
};

inline constexpr golden_row golden_rows[]{
#define REHEAT_GOLDEN(algorithm, type, items, hash) {#algorithm, #type, fold::algorithm, number::type, items, 0x##hash##u},
#include "association_v1.inc"
#include "scan_association_v1.inc"
#undef REHEAT_GOLDEN
};

//! Item `index`, the same on every host: a number of magnitude 2^-8 to 1/2 at most, whose sums round. `Single` is float, or
//! a type that float converts to. Powers of two alone are multiplied by.
template <class Single>
Single item(std::uint64_t index)
{
  std::uint64_t bits = index + 0x9e3779b97f4a7c15u; // splitmix64
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  bits ^= bits >> 31;
  const double scale = 1.0 / static_cast<double>(std::uint64_t{1} << (bits & 7));
  if constexpr (std::is_same_v<Single, double>)
  {
    return static_cast<double>(static_cast<std::int64_t>(bits >> 11) - (std::int64_t{1} << 52) + (std::int64_t{1} << 50)) *
           (0x1p-53 * scale);
  }
  else
  {
    const auto integer = static_cast<std::int32_t>(bits >> 40) - (std::int32_t{1} << 23) + (std::int32_t{1} << 21);
    return static_cast<Single>(static_cast<float>(integer) * static_cast<float>(0x1p-24 * scale));
  }
}
template <class T>
std::vector<T> items(std::uint64_t count)
{
  std::vector<T> made;
  made.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i)
  {
    made.push_back(item<T>(i));
  }
  return made;
}
//! The initial value of every fold that has one.
template <class T>
T init()
{
  return static_cast<T>(0.375f);
}

//! How many items each of a row's calls has. Its hash is that of all bits of their results.
constexpr std::array<std::uint64_t, 2> sizes(std::uint64_t items)
{
  return {items, items - items / 3};
}

//! FNV-1a of the values' bytes.
template <class T>
std::uint64_t hash(const std::array<std::vector<T>, sizes(0).size()>& results)
{
  std::uint64_t made = 0xcbf29ce484222325u;
  for (const std::vector<T>& result : results)
  {
    for (const T& value : result)
    {
      unsigned char bytes[sizeof(T)];
      std::memcpy(bytes, &value, sizeof(T));
      for (const unsigned char byte : bytes)
      {
        made = (made ^ byte) * 0x100000001b3u;
      }
    }
  }
  return made;
}

} // namespace association
