// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The C++ types of a row.
#pragma once

#include "segments/rows.hpp"

#include <cstdint>
#include <type_traits>

namespace perf::segments
{

template <class In, class Out, class Offset>
struct types
{
  using in = In;
  using out = Out;
  using offset = Offset;
  // Other rows than those of the usual offsets are of these types alone: each makes kernels of its own.
  static constexpr bool has_fixed = std::is_same_v<In, Out> && std::is_integral_v<In> && sizeof(Offset) == 4;
  static constexpr bool has_gaps = has_fixed && sizeof(In) == 4;
};

//! visit(types<…>) with those of the row; returns what it returns.
template <class Visit>
auto with_types(const row& which, Visit visit)
{
  switch (which.type)
  {
    case value_type::u8:
      return visit(types<std::uint8_t, std::uint8_t, std::uint32_t>{});
    case value_type::u8_u32:
      return visit(types<std::uint8_t, std::uint32_t, std::uint32_t>{});
    case value_type::u64:
      return visit(types<std::uint64_t, std::uint64_t, std::uint32_t>{});
    case value_type::f32:
      return visit(types<float, float, std::uint32_t>{});
    default:
      return which.bounds == bounds::offsets_64 ? visit(types<std::uint32_t, std::uint32_t, std::uint64_t>{})
                                                : visit(types<std::uint32_t, std::uint32_t, std::uint32_t>{});
  }
}

} // namespace perf::segments
