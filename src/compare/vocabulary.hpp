// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What can be compared: algorithms, value types and operators, with the names the command line uses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace compare
{

enum class algorithm
{
  reduce,
  inclusive_scan,
  exclusive_scan,
};
enum class element
{
  u8,
  i8,
  u16,
  i16,
  u32,
  i32,
  u64,
  i64,
  f32,
  f64,
};
enum class operation
{
  plus,
  max,
  min,
  multiplies,
};

inline constexpr std::array algorithms{algorithm::reduce, algorithm::inclusive_scan, algorithm::exclusive_scan};
inline constexpr std::array elements{element::u8,  element::i8,  element::u16, element::i16, element::u32,
                                     element::i32, element::u64, element::i64, element::f32, element::f64};
inline constexpr std::array operations{operation::plus, operation::max, operation::min, operation::multiplies};

const char* name_of(algorithm which);
const char* name_of(element which);
const char* name_of(operation which);

template <class T>
struct type_tag
{
  using type = T;
};

//! `visit(type_tag<T>{})` with the C++ type of `which`.
template <class Visit>
decltype(auto) with_type(element which, Visit visit)
{
  switch (which)
  {
    case element::u8:
      return visit(type_tag<std::uint8_t>{});
    case element::i8:
      return visit(type_tag<std::int8_t>{});
    case element::u16:
      return visit(type_tag<std::uint16_t>{});
    case element::i16:
      return visit(type_tag<std::int16_t>{});
    case element::u32:
      return visit(type_tag<std::uint32_t>{});
    case element::i32:
      return visit(type_tag<std::int32_t>{});
    case element::u64:
      return visit(type_tag<std::uint64_t>{});
    case element::i64:
      return visit(type_tag<std::int64_t>{});
    case element::f32:
      return visit(type_tag<float>{});
    default:
      return visit(type_tag<double>{});
  }
}

inline std::size_t size_of(element which)
{
  return with_type(which, [](auto tag) { return sizeof(typename decltype(tag)::type); });
}
inline bool is_float(element which)
{
  return which == element::f32 || which == element::f64;
}
//! Scans write as many items as they read, a reduction writes one.
inline std::size_t output_items(algorithm which, std::size_t items)
{
  return which == algorithm::reduce ? 1 : items;
}

} // namespace compare
