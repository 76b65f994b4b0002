// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Numbers as unsigned words in the same order, and the lowest word of a warp's lanes.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Unsigned words in the order of Ts. Equivalent Ts have equal words; zeros of either sign are equivalent. A NaN is beyond
//! the infinity of its sign.
template <class T>
class ordered
{
public:
  using word = std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>;
  static_assert(!std::is_floating_point_v<T> || sizeof(T) == sizeof(word), "a floating-point number fills its word");

  REHEAT_DEVICE static word from(T value)
  {
    if constexpr (std::is_floating_point_v<T>)
    {
      word bits;
      memcpy(&bits, &value, sizeof bits);
      bits = bits == sign ? 0 : bits;
      return (bits & sign) != 0 ? ~bits : bits | sign;
    }
    else
    {
      return static_cast<word>(value) ^ (std::is_signed_v<T> ? sign : 0);
    }
  }
  REHEAT_DEVICE static T value(word ordered)
  {
    if constexpr (std::is_floating_point_v<T>)
    {
      const word bits = (ordered & sign) != 0 ? ordered ^ sign : ~ordered;
      T value;
      memcpy(&value, &bits, sizeof value);
      return value;
    }
    else
    {
      return static_cast<T>(ordered ^ (std::is_signed_v<T> ? sign : 0));
    }
  }

private:
  static constexpr word sign = word{1} << (8 * sizeof(word) - 1);
};

//! Returns the lowest word of all lanes with `in`. Afterwards, `in` holds only in lanes with that word.
REHEAT_DEVICE inline std::uint32_t lowest_word(std::uint32_t word, bool& in)
{
  const std::uint32_t lowest = simt::redux_min(in ? word : ~std::uint32_t{0});
  in = in && word == lowest;
  return lowest;
}
REHEAT_DEVICE inline std::uint64_t lowest_word(std::uint64_t word, bool& in)
{
  const std::uint64_t high = lowest_word(static_cast<std::uint32_t>(word >> 32), in);
  return high << 32 | lowest_word(static_cast<std::uint32_t>(word), in);
}

} // namespace detail
REHEAT_NAMESPACE_END
