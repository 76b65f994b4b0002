// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Radix sorts under many schedules: in one block and in passes, of keys alone and with values, to other memory, in place
//! and between two arrays, with memory of the stream's and of the caller's. Atomics of a warp answer in any order.
#include "checks.hpp"

#include "../../support/sorts.hpp"

#include <reheat/detail/algorithms/sort.cuh>

#include <cstring>
#include <iterator>

namespace schedules::sort
{
namespace
{

using reheat::detail::sort_order;

//! Bit by bit, since NaNs differ from themselves.
template <class T>
std::string differing_bits(const std::vector<T>& expected, const std::vector<T>& actual)
{
  for (std::size_t i = 0; i < expected.size(); ++i)
  {
    if (std::memcmp(&expected[i], &actual[i], sizeof(T)) != 0)
    {
      return "item " + std::to_string(i) + " of " + std::to_string(expected.size()) + " is wrong";
    }
  }
  return {};
}

//! Sorts the keys that `make(seed)` returns by all bits or perhaps by some, and compares with the standard library's stable
//! sort.
template <class Key, class Value, class Make>
std::string sorted_of(draw& choose, bool by_all_bits, Make make)
{
  constexpr int all_bits = reheat::detail::sort_key<Key>::bits;
  sort_call<Key, Value> call;
  call.order = choose.flip() ? sort_order::ascending : sort_order::descending;
  call.begin_bit = by_all_bits || choose.flip() ? 0 : static_cast<int>(choose.below(all_bits));
  call.end_bit = by_all_bits || choose.flip()
                     ? all_bits
                     : call.begin_bit + static_cast<int>(choose.below(all_bits - call.begin_bit + 1));
  call.where = static_cast<sort_where>(choose.below(4));
  const std::vector<Key> keys = make(choose.below(1000));
  const std::size_t count = keys.size();
  const std::vector<Value> values = make_sort_values<Value>(count);
  const bool misaligned = choose.flip();
  placed_items<Key> in(keys, misaligned), out(keys, choose.flip());
  placed_items<Value> values_in(values, misaligned), values_out(values, choose.flip());
  const bool alternate = call.enqueue(reheat::runtime::stream_type{reheat::emulator::default_stream()}, in.data(),
                                      out.data(), values_in.data(), values_out.data(), count);
  wait_for_all_streams();
  const std::vector<std::size_t> order = call.expected_order(keys);
  const std::string wrong_keys = differing_bits(in_order(keys, order), alternate ? out.items() : in.items());
  if (!wrong_keys.empty())
  {
    return "key: " + wrong_keys;
  }
  if (call.where == sort_where::other_memory && !differing_bits(keys, in.items()).empty())
  {
    return "the input has changed";
  }
  return call.has_values ? differing_bits(in_order(values, order), alternate ? values_out.items() : values_in.items())
                         : std::string();
}

template <class Key, class Value>
std::string sorted(draw& choose, std::size_t count, key_shape shape, bool by_all_bits)
{
  return sorted_of<Key, Value>(choose, by_all_bits,
                               [&](std::size_t seed) { return make_sort_keys<Key>(count, shape, seed); });
}

key_shape any_shape(draw& choose)
{
  return all_key_shapes[choose.below(std::size(all_key_shapes))];
}
template <class Key, class Value>
std::string in_passes(draw& choose)
{
  return sorted<Key, Value>(choose, one_block_items + choose.items(128, 6), any_shape(choose), false);
}
template <class Key, class Value>
std::string in_one_block(draw& choose)
{
  return sorted<Key, Value>(choose, 1 + choose.below(one_block_items), any_shape(choose), false);
}
//! A bin has many keys that differ.
template <class Key, class Value>
std::string in_crowded_bins(draw& choose)
{
  return sorted<Key, Value>(choose, one_block_items / 2 + choose.below(one_block_items / 2), key_shape::thinned_bits, true);
}
//! Bins are not crowded, or have one key many times, some with a few other ones.
std::string in_bins(draw& choose)
{
  constexpr key_shape shapes[] = {key_shape::uniform, key_shape::nearly_two, key_shape::two_values, key_shape::nearly_two};
  return sorted<std::uint32_t, reheat::detail::no_values>(choose, one_block_items / 2 + choose.below(one_block_items / 2),
                                                          shapes[choose.below(std::size(shapes))], true);
}
//! In one block, in two launches that count and write, or by filling.
std::string from_counts(draw& choose)
{
  constexpr reheat::detail::sort_byte_config cfg = reheat::detail::sort_byte_tuning<false>{}(reheat::detail::emulated_arch);
  return sorted<std::uint8_t, reheat::detail::no_values>(choose, 1 + choose.below(3 * cfg.most_items), any_shape(choose),
                                                         true);
}
//! In one block, or in three launches. Counters reach their limit where many keys are equal.
template <class Key>
std::string halfwords_from_counts(draw& choose)
{
  constexpr reheat::detail::sort_halfword_config cfg = reheat::detail::sort_halfword_tuning{}(reheat::detail::emulated_arch);
  constexpr key_shape shapes[] = {key_shape::uniform,   key_shape::equal,   key_shape::two_values,  key_shape::hot_digit,
                                  key_shape::ascending, key_shape::special, key_shape::thinned_bits};
  const std::size_t count =
      cfg.from_items + (choose.flip() ? choose.below(cfg.one_block_items) : cfg.one_block_items + choose.below(4000));
  return sorted<Key, reheat::detail::no_values>(choose, count, shapes[choose.below(std::size(shapes))], true);
}
//! A bin has many numbers that differ, or zeros of both signs.
std::string in_crowded_bins_of_numbers(draw& choose)
{
  constexpr key_shape shapes[] = {key_shape::thinned_bits, key_shape::special};
  return sorted<float, reheat::detail::no_values>(choose, one_block_items / 2 + choose.below(one_block_items / 2),
                                                  shapes[choose.below(std::size(shapes))], true);
}
//! The same, with many zeros of both signs.
std::string in_crowded_bins_with_zeros(draw& choose)
{
  const std::size_t count = one_block_items / 2 + choose.below(one_block_items / 2);
  return sorted_of<float, reheat::detail::no_values>(choose, true,
                                                     [&](std::size_t seed)
                                                     {
                                                       std::vector<float> keys =
                                                           make_sort_keys<float>(count, key_shape::thinned_bits, seed);
                                                       for (std::size_t i = 0; i < count; i += 2)
                                                       {
                                                         keys[i] = i % 3 == 0 ? -0.0f : 0.0f;
                                                       }
                                                       return keys;
                                                     });
}
//! Bins have one key many times.
std::string in_bins_with_values(draw& choose)
{
  constexpr key_shape shapes[] = {key_shape::hot_digit, key_shape::two_values, key_shape::hot_digit, key_shape::nearly_two};
  return sorted<std::uint32_t, std::uint32_t>(choose, one_block_items / 2 + choose.below(one_block_items / 2),
                                              shapes[choose.below(std::size(shapes))], true);
}
template <class Key>
std::string spread(draw& choose)
{
  sort_call<Key, reheat::detail::no_values> call;
  call.order = choose.flip() ? sort_order::ascending : sort_order::descending;
  call.where = static_cast<sort_where>(choose.below(4));
  const std::size_t count = spread_items_min + choose.below(spread_items_max - spread_items_min + 1);
  const std::vector<Key> keys =
      make_spread_keys<Key>(count, all_spread_shapes[choose.below(std::size(all_spread_shapes))], choose.below(1000));
  placed_items<Key> in(keys, choose.flip()), out(keys, choose.flip());
  const bool alternate = call.enqueue(reheat::runtime::stream_type{reheat::emulator::default_stream()}, in.data(),
                                      out.data(), nullptr, nullptr, count);
  wait_for_all_streams();
  return differing_bits(in_order(keys, call.expected_order(keys)), alternate ? out.items() : in.items());
}
template <class Key>
std::string by_ranges_of(draw& choose, const std::vector<Key>& keys)
{
  sort_call<Key, reheat::detail::no_values> call;
  call.order = choose.flip() ? sort_order::ascending : sort_order::descending;
  call.where = static_cast<sort_where>(choose.below(4));
  placed_items<Key> in(keys, choose.flip()), out(keys, choose.flip());
  const bool alternate = call.enqueue(reheat::runtime::stream_type{reheat::emulator::default_stream()}, in.data(),
                                      out.data(), nullptr, nullptr, keys.size());
  wait_for_all_streams();
  return differing_bits(in_order(keys, call.expected_order(keys)), alternate ? out.items() : in.items());
}
template <class Key>
std::string by_ranges(draw& choose)
{
  const range_shape shape = all_range_shapes[choose.below(std::size(all_range_shapes))];
  return by_ranges_of(choose, make_range_keys<Key>(one_block_items + 1 + choose.below(1500), shape, choose.below(1000)));
}
//! A sample says that ranges are of no use, or it was wrong: passes follow, all in one launch.
std::string in_passes_of_one_launch(draw& choose)
{
  const std::size_t count = one_block_items + 1 + choose.below(700);
  return by_ranges_of(choose, choose.flip()
                                  ? make_range_keys<std::uint32_t>(count, range_shape::hidden, choose.below(1000))
                                  : make_sort_keys<std::uint32_t>(count, key_shape::thinned_bits, choose.below(1000)));
}
//! Zeros of both signs.
template <class Key>
std::string with_zeros_of(draw& choose)
{
  return sorted<Key, reheat::detail::no_values>(choose, one_block_items + choose.items(128, 6), key_shape::special, true);
}
std::string with_zeros(draw& choose)
{
  return choose.flip() ? with_zeros_of<float>(choose) : with_zeros_of<__half>(choose);
}
//! The sample has all values, or not; others are found in no block, or in one. Up to three blocks look for values, and one
//! if there is one multiprocessor.
template <class Key, class Value>
std::string of_few_values(draw& choose)
{
  const std::size_t count = few_items_min + choose.below(choose.flip() ? 640 : 4000), values = 1 + choose.below(9);
  const few_shape shape = choose.flip() ? few_shape::rare : all_few_shapes[choose.below(std::size(all_few_shapes))];
  return sorted_of<Key, Value>(choose, choose.flip(),
                               [&](std::size_t seed) { return make_few_keys<Key>(count, values, shape, seed); });
}
//! Beside two values, zeros of both signs, which are equal: or of one sign, and then keys are written from counts.
std::string few_values_with_zeros(draw& choose)
{
  const std::size_t count = few_items_min + choose.below(choose.flip() ? 640 : 4000);
  const bool both = choose.flip();
  return sorted_of<float, reheat::detail::no_values>(choose, true,
                                                     [&](std::size_t seed)
                                                     {
                                                       std::vector<float> keys =
                                                           make_few_keys<float>(count, 2, few_shape::random, seed);
                                                       for (std::size_t i = 0; i < count; i += 2)
                                                       {
                                                         keys[i] = both && i % 4 == 0 ? 0.0f : -0.0f;
                                                       }
                                                       return keys;
                                                     });
}
//! Nine values want the same places of the table, which are eight. Each block decides by itself which of them has none. The
//! first tile lacks the last value, without which fewer digits seem to be needed.
std::string values_of_the_same_places(draw& choose)
{
  constexpr std::uint32_t first_tile[] = {0x100d17b, 0x200b2bf, 0x3009403, 0x4007547,
                                          0x500568b, 0x60037cf, 0x7001913, 0x4cb80};
  constexpr std::uint32_t last = 0x4060b;
  constexpr std::size_t tile_items = 4096;
  std::string wrong;
  for (unsigned sorts = 0; sorts < 8 && wrong.empty(); ++sorts)
  {
    std::vector<std::uint32_t> keys(tile_items + 1 + choose.below(500), last);
    for (std::size_t i = 0; i < tile_items; ++i)
    {
      keys[i] = first_tile[i * 7 / 3 % std::size(first_tile)];
    }
    wrong = sorted_of<std::uint32_t, std::uint32_t>(choose, true, [&](std::size_t) { return keys; });
  }
  return wrong;
}
std::string few_values(draw& choose)
{
  const unsigned which = choose.below(4);
  return which == 0   ? of_few_values<double, reheat::detail::no_values>(choose)
         : which == 3 ? of_few_values<float, reheat::detail::no_values>(choose)
         : which == 1 ? of_few_values<std::uint64_t, std::uint32_t>(choose)
                      : of_few_values<std::uint32_t, std::uint32_t>(choose);
}

} // namespace

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> all = {
      {"sorts/bytes", "sort", in_passes<std::uint8_t, reheat::detail::no_values>},
      {"sorts/halfwords", "sort", in_passes<std::uint16_t, reheat::detail::no_values>},
      {"sorts/floats", "sort", in_passes<float, reheat::detail::no_values>},
      {"sorts/words_with_values", "sort", in_passes<std::uint32_t, std::uint32_t>},
      {"sorts/few_words", "sort", in_one_block<std::uint32_t, reheat::detail::no_values>},
      {"sorts/few_words_in_crowded_bins", "sort", in_crowded_bins<std::uint32_t, reheat::detail::no_values>},
      {"sorts/few_long_words_in_crowded_bins", "sort", in_crowded_bins<std::uint64_t, reheat::detail::no_values>},
      {"sorts/few_pairs_in_crowded_bins", "sort", in_crowded_bins<std::uint32_t, std::uint32_t>},
      {"sorts/few_words_in_bins", "sort", in_bins},
      {"sorts/few_bytes", "sort", from_counts},
      {"sorts/halfwords_from_counts", "sort", halfwords_from_counts<std::uint16_t>},
      {"sorts/halves_from_counts", "sort", halfwords_from_counts<__half>},
      {"sorts/few_numbers", "sort", in_crowded_bins_of_numbers},
      {"sorts/few_numbers_with_zeros", "sort", in_crowded_bins_with_zeros},
      {"sorts/few_pairs_in_bins", "sort", in_bins_with_values},
      {"sorts/zeros", "sort", with_zeros},
      {"sorts/spread", "sort", spread<std::uint64_t>},
      {"sorts/spread_words", "sort", spread<std::uint32_t>},
      {"sorts/ranges", "sort", by_ranges<std::uint64_t>},
      {"sorts/ranges_of_words", "sort", by_ranges<std::uint32_t>},
      {"sorts/passes_in_one_launch", "sort", in_passes_of_one_launch},
      {"sorts/few_values", "sort", few_values},
      {"sorts/few_values_with_zeros", "sort", few_values_with_zeros},
      {"sorts/values_of_the_same_places", "sort", values_of_the_same_places},
      {"sorts/few_words_with_values", "sort", in_one_block<std::uint32_t, std::uint32_t>},
  };
  return all;
}

} // namespace schedules::sort
