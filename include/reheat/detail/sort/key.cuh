// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Keys of a radix sort as unsigned words whose order is that of the keys.
//!
//! Kernels know keys by the size of their word and by whether they are floating-point numbers, and values by their size
//! alone, so that types of one shape share kernels.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

enum class sort_order
{
  ascending,
  descending //!< equal keys keep their order, too
};

__extension__ typedef unsigned __int128 word128;
__extension__ typedef __int128 signed_word128;

namespace sort_detail
{
template <std::size_t Bytes>
struct word_of
{};
// may_alias: memory of keys and values is read as words.
template <>
struct word_of<1>
{
  using type = std::uint8_t;
  typedef std::uint8_t __attribute__((may_alias)) stored;
};
template <>
struct word_of<2>
{
  using type = std::uint16_t;
  typedef std::uint16_t __attribute__((may_alias)) stored;
};
template <>
struct word_of<4>
{
  using type = std::uint32_t;
  typedef std::uint32_t __attribute__((may_alias)) stored;
};
template <>
struct word_of<8>
{
  using type = std::uint64_t;
  typedef std::uint64_t __attribute__((may_alias)) stored;
};
template <>
struct word_of<16>
{
  using type = word128;
  typedef word128 __attribute__((may_alias)) stored;
};

enum class key_kind
{
  none,
  unsigned_integer,
  signed_integer,
  floating_point
};

template <class T>
constexpr key_kind kind_of_key()
{
  if (std::is_same_v<T, word128>)
  {
    return key_kind::unsigned_integer;
  }
  if (std::is_same_v<T, signed_word128>)
  {
    return key_kind::signed_integer;
  }
  if (std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16> || std::is_same_v<T, float> || std::is_same_v<T, double>)
  {
    return key_kind::floating_point;
  }
  return !std::is_integral_v<T> ? key_kind::none
         : std::is_signed_v<T>  ? key_kind::signed_integer
                                : key_kind::unsigned_integer;
}
} // namespace sort_detail

//! The unsigned integer of `Bytes` bytes, 1 to 16.
template <std::size_t Bytes>
using sort_word = typename sort_detail::word_of<Bytes>::type;

//! How keys of type T are sorted by digits, if `exists`: integers of 1 to 16 bytes (bool is one), half, bfloat16, float and
//! double. T is not qualified.
template <class T, sort_detail::key_kind Kind = sort_detail::kind_of_key<T>()>
struct sort_key
{
  static constexpr bool exists = true;
  //! Negative zero and zero are equal. Otherwise numbers are in the total order of IEEE 754, so a NaN with its sign set
  //! comes before all numbers, and one without behind them.
  static constexpr bool is_float = Kind == sort_detail::key_kind::floating_point;
  using word = sort_word<sizeof(T)>;
  static constexpr int bits = 8 * sizeof(T);
  static constexpr word sign = static_cast<word>(word(1) << (bits - 1));
  //! What is flipped in keys without and with the highest bit, to make words of them that ascend as the keys do.
  static constexpr word flips = Kind == sort_detail::key_kind::unsigned_integer ? word(0) : sign;
  static constexpr word negative_flips = is_float ? static_cast<word>(~word(0)) : flips;

  //! The word of a key; words ascend as the keys do (but for negative zero, whose word is the one below zero's).
  static REHEAT_HOST_DEVICE word to_bits(const T& key)
  {
    word bits;
    memcpy(&bits, &key, sizeof(T));
    return static_cast<word>(bits ^ ((bits & sign) != 0 ? negative_flips : flips));
  }
  static REHEAT_HOST_DEVICE T from_bits(word ordered)
  {
    const bool negative = ((ordered ^ flips) & sign) != 0 && Kind != sort_detail::key_kind::unsigned_integer;
    const word bits = static_cast<word>(ordered ^ (negative ? negative_flips : flips));
    T key;
    memcpy(static_cast<void*>(&key), &bits, sizeof(T));
    return key;
  }
};
template <class T>
struct sort_key<T, sort_detail::key_kind::none>
{
  static constexpr bool exists = false;
};

//! What a sort reads and writes. The arrays of values are null if Value is no_values.
template <class Key, class Value>
struct sort_arrays
{
  const Key* keys_in;
  Key* keys_out;
  const Value* values_in;
  Value* values_out;
};

} // namespace detail
REHEAT_NAMESPACE_END
