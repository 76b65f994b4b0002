// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The C++ types of a row, and calls of a class that has CUB's functions.
#pragma once

#include "sorts/rows.hpp"

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace perf::sorts
{

//! `Value` is void where there are only keys.
template <class Key, class Value = void>
struct types_of
{
  using key = Key;
  using value = Value;
  static constexpr bool pairs = !std::is_void_v<Value>;
};

//! visit(types_of<…>); returns what it returns.
template <class Visit>
auto with_types(type which, Visit visit)
{
  switch (which)
  {
    case type::u8:
      return visit(types_of<std::uint8_t>{});
    case type::u16:
      return visit(types_of<std::uint16_t>{});
    case type::u64:
      return visit(types_of<std::uint64_t>{});
    case type::i32:
      return visit(types_of<std::int32_t>{});
    case type::f16:
      return visit(types_of<__half>{});
    case type::f32:
      return visit(types_of<float>{});
    case type::f64:
      return visit(types_of<double>{});
    case type::u32_u32:
      return visit(types_of<std::uint32_t, std::uint32_t>{});
    case type::u64_u32:
      return visit(types_of<std::uint64_t, std::uint32_t>{});
    case type::u32_u64:
      return visit(types_of<std::uint32_t, std::uint64_t>{});
    default:
      return visit(types_of<std::uint32_t>{});
  }
}

//! Sort::SortKeys or Sort::SortPairs, by all bits.
template <class Sort, class Types, class NumItems>
cudaError_t sort_in_two_phases(const void* keys_in, void* keys_out, const void* values_in, void* values_out, NumItems items,
                               void* temp, std::size_t& temp_bytes, cudaStream_t stream)
{
  using key = typename Types::key;
  constexpr int bits = 8 * sizeof(key);
  if constexpr (Types::pairs)
  {
    using value = typename Types::value;
    return Sort::SortPairs(temp, temp_bytes, static_cast<const key*>(keys_in), static_cast<key*>(keys_out),
                           static_cast<const value*>(values_in), static_cast<value*>(values_out), items, 0, bits, stream);
  }
  else
  {
    return Sort::SortKeys(temp, temp_bytes, static_cast<const key*>(keys_in), static_cast<key*>(keys_out), items, 0, bits,
                          stream);
  }
}

} // namespace perf::sorts
