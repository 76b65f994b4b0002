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
  ascending,
  descending,
  hot_digit,    //!< nearly all have all bits set
  thinned_bits, //!< the AND of three random words
  special       //!< zeros of both signs, infinities, NaNs, denormals, and their words as integers
};
inline constexpr key_shape all_key_shapes[] = {key_shape::uniform,   key_shape::equal,       key_shape::two_values,
                                               key_shape::ascending, key_shape::descending,  key_shape::hot_digit,
                                               key_shape::special,   key_shape::thinned_bits};

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

//! The emulator sorts so many items by buckets at most.
inline constexpr std::size_t most_in_buckets =
    reheat::detail::sort_tuning<4, 0>{}(reheat::detail::emulated_arch).most_in_buckets();

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
