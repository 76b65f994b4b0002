// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Keys for radix sorts, and the order in which the standard library's stable sort puts them.
#pragma once

#include <reheat/detail/algorithms/sort.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

namespace compat
{

//! What keys are like.
enum class key_shape
{
  uniform,
  equal,
  two_values,
  nearly_two, //!< values, and a few keys that differ from one of them in a bit
  ascending,
  descending,
  hot_digit,    //!< nearly all have all bits set
  thinned_bits, //!< the AND of three random words
  special       //!< zeros of both signs, infinities, NaNs, denormals, and their words as integers
};
inline constexpr key_shape all_key_shapes[] = {key_shape::uniform,    key_shape::equal,     key_shape::two_values,
                                               key_shape::nearly_two, key_shape::ascending, key_shape::descending,
                                               key_shape::hot_digit,  key_shape::special,   key_shape::thinned_bits};

//! Random bits of any key.
template <class Key>
std::vector<Key> make_sort_keys(std::size_t count, key_shape shape, std::uint64_t seed)
{
  using word = typename reheat::detail::sort_key<Key>::word;
  constexpr word top = static_cast<word>(word(1) << (8 * sizeof(Key) - 1));
  std::mt19937_64 bits(seed);
  const auto random = [&]
  {
    word result = static_cast<word>(bits());
    if constexpr (sizeof(word) > 8)
    {
      result = result << 64 | bits();
    }
    return result;
  };
  std::vector<Key> keys(count);
  const word one = random(), other = random();
  for (std::size_t i = 0; i < count; ++i)
  {
    word key = random();
    switch (shape)
    {
      case key_shape::uniform:
        break;
      case key_shape::equal:
        key = one;
        break;
      case key_shape::two_values:
        key = bits() % 2 == 0 ? one : other;
        break;
      case key_shape::nearly_two:
        key = bits() % 128 == 0 ? static_cast<word>(one ^ 1) : bits() % 2 == 0 ? one : other;
        break;
      case key_shape::ascending:
        key = static_cast<word>(i);
        break;
      case key_shape::descending:
        key = static_cast<word>(count - i);
        break;
      case key_shape::hot_digit:
        key = bits() % 8 == 0 ? key : static_cast<word>(~word(0));
        break;
      case key_shape::thinned_bits:
        key = static_cast<word>(key & random() & random());
        break;
      case key_shape::special: {
        const std::uint64_t which = bits() % 8; // 0: any bits
        const auto of_float = [](float value)
        {
          const Key converted = static_cast<Key>(value);
          word result;
          std::memcpy(&result, &converted, sizeof(Key));
          return result;
        };
        key = which == 1   ? word(0)
              : which == 2 ? top
              : which == 3 ? static_cast<word>(~word(0))
              : which == 4 ? word(1)
                           : key;
        if constexpr (reheat::detail::sort_key<Key>::is_float && sizeof(Key) >= 4)
        {
          key = which == 5   ? of_float(std::numeric_limits<float>::infinity())
                : which == 6 ? of_float(-std::numeric_limits<float>::infinity())
                : which == 7 ? static_cast<word>(top | 1)
                             : key;
        }
      }
    }
    if constexpr (std::is_same_v<Key, bool>)
    {
      keys[i] = key % 2 != 0;
    }
    else
    {
      std::memcpy(static_cast<void*>(&keys[i]), &key, sizeof(Key));
    }
  }
  return keys;
}

//! Values that say where they were, as far as they have bytes for that.
template <class Value>
std::vector<Value> make_sort_values(std::size_t count)
{
  std::vector<Value> values(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    std::memcpy(static_cast<void*>(&values[i]), &i, std::min(sizeof(Value), sizeof(i)));
  }
  return values;
}

template <class T>
std::vector<T> in_order(const std::vector<T>& items, const std::vector<std::size_t>& order)
{
  std::vector<T> result;
  result.reserve(order.size());
  for (const std::size_t place : order)
  {
    result.push_back(items[place]);
  }
  return result;
}

enum class sort_where
{
  other_memory,
  in_place,
  two_arrays,  //!< the result is in one of them
  given_memory //!< in place, with scratch memory of the caller's
};

//! The emulator's sort in one block has so many items at most.
inline constexpr std::size_t one_block_items =
    reheat::detail::sort_tuning<4, 0>{}(reheat::detail::emulated_arch).one_block_items();
inline constexpr std::size_t small_block_items =
    reheat::detail::sort_tuning<4, 0>{}(reheat::detail::emulated_arch).small_block_items();

//! The emulator sorts so many items by buckets at most.
inline constexpr std::size_t most_in_buckets =
    reheat::detail::sort_tuning<4, 0>{}(reheat::detail::emulated_arch).most_in_buckets();

//! Keys of 4 and of 8 bytes, alone: so many at least, and at most, may be sorted as spread ones.
inline constexpr reheat::detail::sort_config spread_config =
    reheat::detail::sort_tuning<8, 0>{}(reheat::detail::emulated_arch);
inline constexpr std::size_t spread_items_min = spread_config.spread_from_items;
inline constexpr std::size_t spread_items_max = std::size_t{spread_config.spread_keys} << spread_config.spread_bits;

//! The emulator looks for few values among so many keys at least.
inline constexpr std::size_t few_items_min = one_block_items + 1;

//! What spread keys of a bucket are like.
enum class spread_shape
{
  uniform,
  same,             //!< keys of a bucket are the same
  few_values,       //!< bins have one key many times
  mixed_bins,       //!< and some have others beside it
  few_bins,         //!< keys of few bins differ
  low_bits,         //!< few bits differ
  thinned_bits,     //!< too uneven for bins
  full_bucket,      //!< one has as many keys as a block sorts
  large_bucket,     //!< one has a key more
  counter_overflow, //!< one has more than a block of the histogram counts; the keys are neighbours
  half_in_one       //!< a sample shows that they are not spread
};
inline constexpr spread_shape all_spread_shapes[] = {
    spread_shape::uniform,          spread_shape::same,        spread_shape::few_values,
    spread_shape::mixed_bins,       spread_shape::few_bins,    spread_shape::low_bits,
    spread_shape::thinned_bits,     spread_shape::full_bucket, spread_shape::large_bucket,
    spread_shape::counter_overflow, spread_shape::half_in_one};

template <class Key>
std::vector<Key> make_spread_keys(std::size_t count, spread_shape shape, std::uint64_t seed)
{
  constexpr unsigned bucket_bits = 8 * sizeof(Key) - spread_config.spread_bits;
  constexpr Key below = static_cast<Key>((Key{1} << bucket_bits) - 1), one_bucket = Key{77} << bucket_bits;
  std::mt19937_64 bits(seed);
  const std::size_t full = spread_config.bucket_items();
  // Three bins, which differ in all bits.
  const auto bin_of = [](Key low) {
    return (low % 3 == 0 ? 0x0fu : low % 3 == 1 ? 0xf0u : Key{0x33u}) << (bucket_bits - 8);
  };
  const std::size_t in_one = shape == spread_shape::full_bucket    ? full
                             : shape == spread_shape::large_bucket ? full + 1
                             : shape == spread_shape::counter_overflow
                                 ? (std::size_t{1} << spread_config.table_counter_bits) + 44
                             : shape == spread_shape::half_in_one ? count / 2
                                                                  : 0;
  std::vector<Key> keys;
  for (std::size_t i = 0; i < count; ++i)
  {
    Key high = static_cast<Key>(bits()) & ~below;
    const Key low = static_cast<Key>(bits()) & below;
    if (in_one != 0)
    {
      high = i < in_one ? one_bucket : high == one_bucket ? high + below + 1 : high;
    }
    keys.push_back(high | (shape == spread_shape::same           ? 0x1234u
                           : shape == spread_shape::few_values   ? bin_of(low)
                           : shape == spread_shape::mixed_bins   ? bin_of(low) | (low % 16 == 0 ? low % 7 : 0)
                           : shape == spread_shape::few_bins     ? (low % 3 << (bucket_bits - 4)) | low % 7
                           : shape == spread_shape::low_bits     ? low % 5
                           : shape == spread_shape::thinned_bits ? low & static_cast<Key>(bits() & bits())
                                                                 : low));
  }
  if (shape != spread_shape::counter_overflow)
  {
    std::shuffle(keys.begin(), keys.end(), bits);
  }
  return keys;
}

//! How keys of few values are in the input, and what their values are like.
enum class few_shape
{
  random,  //!< values and places
  striped, //!< values follow each other, so the sample of few_keys.cuh has them all
  sorted,  //!< descending
  rare,    //!< striped, but the last key differs from all in its lowest bit
  low,     //!< values differ in few of the lowest bits
  high,    //!< in few of the highest bits
  apart    //!< each two values differ in one bit of several digits, or two
};
inline constexpr few_shape all_few_shapes[] = {few_shape::random, few_shape::striped, few_shape::sorted, few_shape::rare,
                                               few_shape::low,    few_shape::high,    few_shape::apart};

//! Keys of 2, 4 and 8 bytes.
template <class Key>
std::vector<Key> make_few_keys(std::size_t count, std::size_t values, few_shape shape, std::uint64_t seed)
{
  using word = typename reheat::detail::sort_key<Key>::word;
  constexpr unsigned bits_of_key = 8 * sizeof(Key);
  std::mt19937_64 bits(seed);
  const word common = static_cast<word>(bits());
  std::vector<word> value(values);
  for (std::size_t i = 0; i < values; ++i)
  {
    value[i] = shape == few_shape::low     ? static_cast<word>(common ^ i)
               : shape == few_shape::high  ? static_cast<word>(common ^ word(i) << (bits_of_key - 9))
               : shape == few_shape::apart ? static_cast<word>(common ^ word(1) << i * 5 % bits_of_key)
                                           : static_cast<word>(bits());
  }
  std::vector<Key> keys(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    const bool is_random = shape == few_shape::random || shape == few_shape::sorted;
    word key = value[(is_random ? bits() : i) % values];
    key = shape == few_shape::rare && i + 1 == count ? static_cast<word>(value[0] ^ 1) : key;
    std::memcpy(static_cast<void*>(&keys[i]), &key, sizeof key);
  }
  if (shape == few_shape::sorted)
  {
    std::sort(keys.begin(), keys.end(),
              [](const Key& a, const Key& b)
              { return reheat::detail::sort_key<Key>::to_bits(a) > reheat::detail::sort_key<Key>::to_bits(b); });
  }
  return keys;
}

//! Keys of 4 and of 8 bytes, alone: up to so many may be sorted by ranges.
inline constexpr reheat::detail::sort_config range_config =
    reheat::detail::sort_tuning<4, 0, reheat::detail::sort_tiles::few>{}(reheat::detail::emulated_arch);
inline constexpr std::size_t range_items_max = most_in_buckets;

//! What keys that are sorted by ranges are like.
enum class range_shape
{
  uniform,
  not_a_power, //!< of two: the highest key
  two_halves,  //!< around the middle of all words
  few_values,
  outliers, //!< a few keys lie far below and above the others, and the sample has none of them
  hidden    //!< one bucket has all the keys that the sample does not have
};
inline constexpr range_shape all_range_shapes[] = {range_shape::uniform,    range_shape::not_a_power,
                                                   range_shape::two_halves, range_shape::few_values,
                                                   range_shape::outliers,   range_shape::hidden};

//! `count` is not below the size of a sample.
template <class Key>
std::vector<Key> make_range_keys(std::size_t count, range_shape shape, std::uint64_t seed)
{
  constexpr unsigned sample = 2 * range_config.range_threads;
  constexpr Key half = Key{1} << (8 * sizeof(Key) - 1);
  std::mt19937_64 bits(seed);
  std::vector<bool> in_sample(count);
  for (unsigned i = 0; i < sample; ++i)
  {
    in_sample[reheat::detail::sample_place(i, sample, static_cast<std::uint32_t>(count))] = true;
  }
  std::vector<Key> keys;
  for (std::size_t i = 0; i < count; ++i)
  {
    const Key key = static_cast<Key>(bits());
    const Key narrow = half - 3000 + key % 6000;
    keys.push_back(shape == range_shape::not_a_power  ? key / 8 * 5
                   : shape == range_shape::two_halves ? narrow
                   : shape == range_shape::few_values ? key % 120
                   : shape == range_shape::outliers   ? (in_sample[i] || i % 64 != 0 ? narrow : key)
                   : shape == range_shape::hidden     ? (in_sample[i] ? key : half + key % 1000)
                                                      : key);
  }
  return keys;
}

template <class Key, class Value>
struct sort_call
{
  using key = reheat::detail::sort_key<Key>;
  static constexpr bool has_values = reheat::detail::has_values_v<Value>;

  reheat::detail::sort_order order = reheat::detail::sort_order::ascending;
  int begin_bit = 0;
  int end_bit = key::bits;
  sort_where where = sort_where::other_memory;

  //! Returns whether the result is in the second arrays. No waiting.
  bool enqueue(reheat::runtime::stream_type stream, Key* first, Key* second, Value* first_values, Value* second_values,
               std::size_t count) const
  {
    namespace runtime = reheat::runtime;
    const bool to_second = where == sort_where::other_memory;
    if (!has_values)
    {
      first_values = second_values = nullptr;
    }
    const reheat::detail::sort_arrays<Key, Value> arrays{first, to_second ? second : first, first_values,
                                                         to_second ? second_values : first_values};
    runtime::environment_with<runtime::stream_memory> env{};
    env.caller = "sort";
    env.stream = stream;
    if (where == sort_where::two_arrays)
    {
      return reheat::algorithms::enqueue_sort_double_buffer(env, first, second, first_values, second_values, count, order,
                                                            begin_bit, end_bit);
    }
    if (where == sort_where::given_memory)
    {
      std::size_t bytes = 0;
      runtime::environment_with<runtime::measured_memory> measuring{env, {&bytes}};
      reheat::algorithms::enqueue_sort(measuring, reheat::detail::sort_arrays<Key, Value>{}, count, order, begin_bit,
                                       end_bit);
      std::vector<unsigned char> memory(bytes + 1, 0x01); // the tag of the first pass
      runtime::environment_with<runtime::given_memory> given{env, {memory.data() + 1, bytes}};
      reheat::algorithms::enqueue_sort(given, arrays, count, order, begin_bit, end_bit);
      return false;
    }
    reheat::algorithms::enqueue_sort(env, arrays, count, order, begin_bit, end_bit);
    return to_second;
  }

  std::vector<std::size_t> expected_order(const std::vector<Key>& keys) const
  {
    using word = typename key::word;
    const auto sorted_by = [&](std::size_t i)
    {
      const word ascending = key::to_bits(keys[i]);
      word bits = order == reheat::detail::sort_order::descending ? static_cast<word>(~ascending) : ascending;
      if (key::is_float && bits == static_cast<word>(key::sign - 1))
      {
        bits = key::sign; // the zeros are next to each other in either order, and share the upper word
      }
      bits = end_bit == key::bits ? bits : static_cast<word>(bits & ((word(1) << end_bit) - 1));
      return begin_bit == key::bits ? word(0) : static_cast<word>(bits >> begin_bit);
    };
    std::vector<std::size_t> result(keys.size());
    std::iota(result.begin(), result.end(), std::size_t{0});
    std::stable_sort(result.begin(), result.end(),
                     [&](std::size_t a, std::size_t b) { return sorted_by(a) < sorted_by(b); });
    return result;
  }
};

} // namespace compat
