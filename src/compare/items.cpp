// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"
#include "mixed_bits.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace compare
{
namespace
{

template <class T>
using bits_of = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
bits_of<T> to_bits(T value)
{
  bits_of<T> bits;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

// The significand's worth of a bit pattern's high end: as a fraction in [0, 1).
template <class T>
double fraction(bits_of<T> bits)
{
  constexpr int digits = std::numeric_limits<T>::digits;
  return std::ldexp(static_cast<double>(bits >> (8 * static_cast<int>(sizeof(T)) - digits)), -digits);
}

// Factors (1 + d) or 1 / (1 + d), d < 4 / sqrt(n), the choice by position: no product of any of the n items is far from 1,
// whatever bits they come from and in whatever order an implementation multiplies them.
template <class T>
void map_near_one(T* values, std::size_t count)
{
  const double scale = std::min(0.25, 4.0 / std::sqrt(static_cast<double>(count)));
  for (std::size_t i = 0; i < count; ++i)
  {
    const double factor = 1.0 + scale * fraction<T>(to_bits(values[i]));
    values[i] = static_cast<T>((mixed(i) & 1) != 0 ? factor : 1.0 / factor);
  }
}

template <class T>
void map_to_unit(T* values, std::size_t count)
{
  for (std::size_t i = 0; i < count; ++i)
  {
    // As a signed number would be: bytes of zero are zero.
    const double unsigned_fraction = fraction<T>(to_bits(values[i]));
    values[i] = static_cast<T>(2.0 * (unsigned_fraction < 0.5 ? unsigned_fraction : unsigned_fraction - 1.0));
  }
}

template <class T>
void make_odd(T* values, std::size_t count)
{
  for (std::size_t i = 0; i < count; ++i)
  {
    values[i] = static_cast<T>(values[i] | T{1});
  }
}

template <class Stored>
Stored load_item(const std::byte* from, bool swapped)
{
  std::byte bytes[sizeof(Stored)];
  std::memcpy(bytes, from, sizeof(Stored));
  if (swapped)
  {
    std::reverse(bytes, bytes + sizeof(Stored));
  }
  Stored value;
  std::memcpy(&value, bytes, sizeof(Stored));
  return value;
}

float half_to_float(std::uint16_t half)
{
  const int exponent = half >> 10 & 31;
  const int significand = half & 1023;
  float magnitude = 0;
  if (exponent == 31)
  {
    magnitude = significand == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  }
  else
  {
    magnitude = exponent == 0 ? std::ldexp(static_cast<float>(significand), -24)
                              : std::ldexp(static_cast<float>(significand + 1024), exponent - 25);
  }
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

struct losses
{
  std::size_t not_finite = 0, clamped = 0;
};

template <class T, class Stored>
T convert_value(Stored value, losses& lost)
{
  if constexpr (std::is_floating_point_v<Stored>)
  {
    if (!std::isfinite(value))
    {
      ++lost.not_finite;
      return T{0};
    }
    // Compared in long double, which holds the limits of every type; a cast out of range would be undefined.
    const long double lowest = static_cast<long double>(std::numeric_limits<T>::lowest());
    const long double highest = static_cast<long double>(std::numeric_limits<T>::max());
    if (value < lowest || value > highest)
    {
      ++lost.clamped;
      return value < lowest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    }
  }
  return static_cast<T>(value); // between integers: modulo 2^bits
}

// Calls visit(value) with each item of the file in its own type.
template <class Visit>
void for_each_npy_item(const npy_header& header, const std::byte* data, std::size_t count, Visit visit)
{
  const auto each = [&](auto tag)
  {
    using stored = typename decltype(tag)::type;
    for (std::size_t i = 0; i < count; ++i)
    {
      visit(i, load_item<stored>(data + i * sizeof(stored), header.swapped));
    }
  };
  if (header.kind == 'f' && header.size == 2)
  {
    for (std::size_t i = 0; i < count; ++i)
    {
      visit(i, half_to_float(load_item<std::uint16_t>(data + i * 2, header.swapped)));
    }
    return;
  }
  with_type(own_type(header), each);
}

std::string counted(std::size_t count, const char* noun)
{
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

template <class T>
void fill_from_raw(const source& from, operation operation, items& made)
{
  std::memcpy(made.values.data(), from.data.data(), made.count * sizeof(T));
  T* const values = made.values.template as<T>();
  if constexpr (std::is_floating_point_v<T>)
  {
    operation == operation::multiplies ? map_near_one(values, made.count) : map_to_unit(values, made.count);
    made.notes.push_back(operation == operation::multiplies ? "raw bytes as floats: factors near 1"
                                                            : "raw bytes as floats: scaled into [-1, 1)");
  }
  else if (operation == operation::multiplies)
  {
    make_odd(values, made.count);
    made.notes.push_back("raw bytes as factors: made odd, so that the product does not end at zero");
  }
}

// Sums and products of finite values can still leave the type's range, and then depend on the order of operations.
template <class T>
void keep_in_range(operation operation, items& made)
{
  T* const values = made.values.template as<T>();
  if (operation == operation::plus)
  {
    long double sum = 0;
    for (std::size_t i = 0; i < made.count; ++i)
    {
      sum += std::abs(static_cast<long double>(values[i]));
    }
    const long double allowed = static_cast<long double>(std::numeric_limits<T>::max()) / 4; // the init comes on top
    if (sum > allowed)
    {
      const int exponent = std::ilogb(sum / allowed) + 1;
      std::for_each(values, values + made.count, [=](T& value) { value = std::ldexp(value, -exponent); });
      made.notes.push_back("scaled by 2^-" + std::to_string(exponent) + ": the sum leaves the type's range");
    }
  }
  else if (operation == operation::multiplies)
  {
    double exponents = 0;
    for (std::size_t i = 0; i < made.count; ++i)
    {
      exponents += values[i] == 0 ? 0 : std::abs(std::log2(std::abs(static_cast<double>(values[i]))));
    }
    if (exponents > std::numeric_limits<T>::max_exponent - 8)
    {
      map_near_one(values, made.count);
      made.notes.push_back("factors replaced by values near 1: the product leaves the type's range");
    }
  }
}

template <class T>
void fill_from_npy(const source& from, operation operation, items& made)
{
  T* const values = made.values.template as<T>();
  losses lost;
  for_each_npy_item(*from.npy, from.data.data(), made.count,
                    [&](std::size_t i, auto value) { values[i] = convert_value<T>(value, lost); });
  if (lost.not_finite != 0)
  {
    made.notes.push_back(counted(lost.not_finite, "non-finite item") + " replaced by zero");
  }
  if (lost.clamped != 0)
  {
    made.notes.push_back(counted(lost.clamped, "item") + " out of the type's range, replaced by its nearest value");
  }
  if constexpr (std::is_floating_point_v<T>)
  {
    keep_in_range<T>(operation, made);
  }
}

} // namespace

element own_type(const npy_header& header)
{
  if (header.kind == 'f')
  {
    return header.size == 8 ? element::f64 : element::f32;
  }
  const bool is_signed = header.kind == 'i';
  switch (header.size)
  {
    case 1:
      return is_signed ? element::i8 : element::u8;
    case 2:
      return is_signed ? element::i16 : element::u16;
    case 4:
      return is_signed ? element::i32 : element::u32;
    default:
      return is_signed ? element::i64 : element::u64;
  }
}

items make_items(const source& from, element type, operation operation, std::size_t max_items)
{
  const std::size_t stored = from.npy ? from.npy->size : size_of(type);
  items made;
  made.count = std::min(max_items, from.data.size() / stored);
  if (made.count == 0)
  {
    throw input_error("empty: its " + std::to_string(from.data.size()) + " bytes hold no item of " + name_of(type));
  }
  made.values = host_bytes(made.count * size_of(type));
  if (from.total_bytes)
  {
    const std::uint64_t all = *from.total_bytes / stored;
    if (made.count < all)
    {
      made.notes.push_back("the first " + std::to_string(made.count) + " of " + std::to_string(all) +
                           " items; --items N takes more or fewer");
    }
    else if (*from.total_bytes % stored != 0)
    {
      made.notes.push_back(counted(*from.total_bytes % stored, "byte") + " left over at the end");
    }
  }
  with_type(type,
            [&](auto tag)
            {
              using T = typename decltype(tag)::type;
              from.npy ? fill_from_npy<T>(from, operation, made) : fill_from_raw<T>(from, operation, made);
            });
  return made;
}

} // namespace compare
