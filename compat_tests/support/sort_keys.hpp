// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Keys of many distributions, and the order that sorts have to bring them in.
#pragma once

#include "machine.hpp"
#include "values.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace compat
{

enum class keys
{
  uniform,
  ascending,
  descending,
  equal,
  two,       //!< two values
  few,       //!< 16 values
  and_words, //!< the bits that three random words have in common: most are zeros
  hot_digit, //!< all keys differ in the highest byte alone, but for one in a hundred
  low_bits,  //!< only the lowest bits differ
};
inline constexpr keys all_keys[] = {keys::uniform, keys::ascending, keys::descending, keys::equal,   keys::two,
                                    keys::few,     keys::and_words, keys::hot_digit,  keys::low_bits};

//! 64 bits of a key that is neither ascending nor descending.
REHEAT_HOST_DEVICE inline std::uint64_t key_bits(keys which, std::size_t index)
{
  const std::uint64_t bits = mix(index);
  switch (which)
  {
    case keys::equal:
      return mix(7);
    case keys::two:
      return mix(bits % 2);
    case keys::few:
      return mix(bits % 16);
    case keys::and_words:
      return bits & mix(bits) & mix(bits + 1);
    case keys::hot_digit:
      return bits % 100 == 0 ? mix(bits) : bits >> 56 << 56 | 0x1234567890abcdu;
    case keys::low_bits:
      return bits % 37;
    default:
      return bits;
  }
}

//! A key that depends on each of these bits. (A key of 16 bytes has them twice, in different orders.)
template <class Key>
REHEAT_HOST_DEVICE Key key_of(std::uint64_t bits)
{
  if constexpr (std::is_same_v<Key, bool>)
  {
    return bits % 2 != 0;
  }
  else
  {
    const std::uint64_t folded = sizeof(Key) >= 4 ? bits : bits ^ bits >> 32;
    const std::uint64_t words[2] = {sizeof(Key) == 4 ? folded ^ folded >> 32 : folded, ~bits << 32 | bits >> 40};
    Key key;
    memcpy(&key, words, sizeof(Key)); // of the global namespace: kernels call it, too
    return key;
  }
}

//! Two words that compare as keys do in an ascending sort. -0.0 and 0.0 are equal. A NaN stands behind all numbers, or in
//! front of them if its sign is set; NaNs are in the order of their bits. (One type for all keys: the standard's sort
//! is compiled once.)
using key_order = std::pair<std::uint64_t, std::uint64_t>;
template <class Key>
key_order order_of_key(const Key& key)
{
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  if constexpr (std::is_floating_point_v<Key>)
  {
    // The bits as they are: a conversion to double would make a signalling NaN a quiet one.
    using word = std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>;
    word bits = 0;
    if (key != 0)
    {
      std::memcpy(&bits, &key, sizeof(bits));
    }
    constexpr word sign_bit = word{1} << (8 * sizeof(Key) - 1);
    const bool negative = (bits & sign_bit) != 0;
    return {key == key ? 1 : negative ? 0 : 2, negative ? static_cast<word>(~bits) : static_cast<word>(bits | sign_bit)};
  }
  else if constexpr (sizeof(Key) == 16)
  {
    const std::uint64_t high = static_cast<std::uint64_t>(key >> 64),
                        flip = static_cast<Key>(-1) < static_cast<Key>(1) ? sign : 0;
    return {high ^ flip, static_cast<std::uint64_t>(key)};
  }
  else if constexpr (std::is_signed_v<Key>)
  {
    return {key < 0 ? 0 : 1, static_cast<std::uint64_t>(key)};
  }
  else
  {
    return {1, static_cast<std::uint64_t>(key)};
  }
}

//! The places of the keys in order; equal ones stay as they are, in descending order, too.
inline std::vector<std::size_t> sorted_places(const std::vector<key_order>& order, bool ascending)
{
  std::vector<std::size_t> places(order.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t x, std::size_t y) { return ascending ? order[x] < order[y] : order[y] < order[x]; });
  return places;
}
template <class Key>
std::vector<std::size_t> sorted_places(const std::vector<Key>& items, bool ascending)
{
  std::vector<key_order> order;
  for (const Key& key : items)
  {
    order.push_back(order_of_key(key));
  }
  return sorted_places(order, ascending);
}

//! The places of unsigned keys by their bits [begin, end).
template <class Key>
std::vector<std::size_t> places_by_bits(const std::vector<Key>& items, bool ascending, int begin, int end)
{
  std::vector<std::uint64_t> parts;
  for (const Key key : items)
  {
    const std::uint64_t part = begin == 64 ? 0 : std::uint64_t{key} >> begin;
    parts.push_back(end - begin == 64 ? part : part & ((std::uint64_t{1} << (end - begin)) - 1));
  }
  return sorted_places(parts, ascending);
}

//! What stands at these places.
template <class T>
std::vector<T> at_places(const std::vector<T>& items, const std::vector<std::size_t>& places)
{
  std::vector<T> result;
  for (const std::size_t place : places)
  {
    result.push_back(items[place]);
  }
  return result;
}

template <class Key>
std::vector<Key> make_sort_keys(std::size_t size, keys which)
{
  std::vector<Key> result;
  for (std::size_t i = 0; i < size; ++i)
  {
    result.push_back(key_of<Key>(key_bits(which, i)));
  }
  return which == keys::ascending    ? at_places(result, sorted_places(result, true))
         : which == keys::descending ? at_places(result, sorted_places(result, false))
                                     : result;
}

//! Ordinary numbers, zeros of both signs, infinities, denormal numbers and NaNs.
template <class Real>
std::vector<Real> make_real_keys(std::size_t size)
{
  using limits = std::numeric_limits<Real>;
  std::vector<Real> result;
  for (std::size_t i = 0; i < size; ++i)
  {
    const std::uint64_t bits = mix(i);
    const Real special[] = {Real(0),
                            -Real(0),
                            limits::infinity(),
                            -limits::infinity(),
                            limits::quiet_NaN(),
                            -limits::quiet_NaN(),
                            limits::denorm_min(),
                            -3 * limits::denorm_min()};
    result.push_back(bits % 5 == 0 ? special[bits / 5 % 8]
                                   : static_cast<Real>(std::ldexp(static_cast<double>(bits % 4001) - 2000.0,
                                                                  static_cast<int>(bits / 4001 % 9) - 4)));
  }
  return result;
}

} // namespace compat
