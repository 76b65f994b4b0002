// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Radix sorts of arrays, below the public calls: keys of rare types and values of every size, by all bits and by some, at
//! sizes on both sides of each switch.
#include "../support/host_calls.hpp"
#include "../support/machine.hpp"
#include "../support/sorts.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using namespace compat;

BOOST_AUTO_TEST_SUITE(sort_arrays)

namespace
{

struct sixteen_bytes
{
  std::uint64_t low, high;
};

template <class T>
bool same_bits(const std::vector<T>& expected, const std::vector<T>& actual)
{
  return std::memcmp(expected.data(), actual.data(), expected.size() * sizeof(T)) == 0;
}

//! Each size with every shape of keys; order, bits, memory and alignment change from one to the next.
template <class Key, class Value>
void check_sorts()
{
  constexpr int all_bits = reheat::detail::sort_key<Key>::bits;
  std::mt19937_64 choose(all_bits);
  // A small block, a large one, small tiles, more than two large tiles, and too many for buckets.
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{33}, small_block_items, small_block_items + 1, one_block_items - 1, one_block_items,
        one_block_items + 1, one_block_items + 128, std::size_t{640}, std::size_t{641}, std::size_t{1500}, most_in_buckets,
        most_in_buckets + 1})
  {
    for (const key_shape shape : all_key_shapes)
    {
      sort_call<Key, Value> call;
      call.order = choose() % 2 == 0 ? reheat::detail::sort_order::ascending : reheat::detail::sort_order::descending;
      call.where = static_cast<sort_where>(choose() % 4);
      if (choose() % 3 == 0)
      {
        call.begin_bit = static_cast<int>(choose() % (all_bits + 1));
        call.end_bit = call.begin_bit + static_cast<int>(choose() % (all_bits - call.begin_bit + 1));
      }
      const std::size_t behind = choose() % 3;
      const std::vector<Key> all_keys = make_sort_keys<Key>(count + behind, shape, choose());
      const std::vector<Value> all_values = make_sort_values<Value>(count + behind);
      const std::vector<Key> keys(all_keys.begin() + static_cast<std::ptrdiff_t>(behind), all_keys.end());
      const std::vector<Value> values(all_values.begin() + static_cast<std::ptrdiff_t>(behind), all_values.end());
      std::vector<Key> first = all_keys, second(count + behind);
      std::vector<Value> first_values = all_values, second_values(count + behind);
      const bool in_second = call.enqueue(reheat::emulator::default_stream(), first.data() + behind, second.data() + behind,
                                          first_values.data() + behind, second_values.data() + behind, count);
      const std::vector<std::size_t> order = call.expected_order(keys);
      const auto part = [&](const auto& memory)
      { return std::decay_t<decltype(memory)>(memory.begin() + static_cast<std::ptrdiff_t>(behind), memory.end()); };
      BOOST_TEST_CONTEXT(count << " keys of shape " << static_cast<int>(shape) << ", bits " << call.begin_bit << " to "
                               << call.end_bit << ", memory " << static_cast<int>(call.where))
      {
        BOOST_TEST(same_bits(in_order(keys, order), part(in_second ? second : first)));
        if (call.has_values)
        {
          BOOST_TEST(same_bits(in_order(values, order), part(in_second ? second_values : first_values)));
        }
        if (call.where == sort_where::other_memory)
        {
          BOOST_TEST(same_bits(all_keys, first));
        }
      }
    }
  }
}
//! Sorts keys, from and to a kind of memory.
template <class Key>
void check_order(const std::vector<Key>& keys, int shape, bool ascending, sort_where where)
{
  std::vector<Key> expected = keys;
  std::sort(expected.begin(), expected.end());
  if (!ascending)
  {
    std::reverse(expected.begin(), expected.end());
  }
  sort_call<Key, reheat::detail::no_values> call;
  call.order = ascending ? reheat::detail::sort_order::ascending : reheat::detail::sort_order::descending;
  call.where = where;
  std::vector<Key> first = keys, second(keys.size());
  const bool in_second =
      call.enqueue(reheat::emulator::default_stream(), first.data(), second.data(), nullptr, nullptr, keys.size());
  BOOST_TEST_CONTEXT(keys.size() << " keys of shape " << shape << (ascending ? ", ascending" : ", descending") << ", memory "
                                 << static_cast<int>(where))
  {
    BOOST_TEST(same_bits(expected, in_second ? second : first));
  }
}

constexpr sort_where all_places[] = {sort_where::other_memory, sort_where::in_place, sort_where::two_arrays,
                                     sort_where::given_memory};

//! In both orders. The kinds of memory change from call to call, so that 16 calls have each pair of them.
template <class Key>
void check_both_orders(const std::vector<Key>& keys, int shape, unsigned& turn)
{
  check_order(keys, shape, true, all_places[turn % 4]);
  check_order(keys, shape, false, all_places[(turn + turn / 4) % 4]);
  ++turn;
}

template <class Key>
void check_spread_sorts()
{
  unsigned turn = 0;
  for (const std::size_t count :
       {spread_items_min - 1, spread_items_min, std::size_t{4999}, spread_items_max, spread_items_max + 1})
  {
    for (const spread_shape shape : all_spread_shapes)
    {
      check_both_orders(make_spread_keys<Key>(count, shape, count), static_cast<int>(shape), turn);
    }
  }
}

//! In each block of the histogram, buckets have no keys or as many as let their counter run over to 0. No carry goes into
//! another counter in ascending order if `place` is that of a word's last bucket, in descending order if it is the first's.
template <class Key>
std::vector<Key> make_keys_without_counts(unsigned place)
{
  constexpr std::size_t in_one = std::size_t{1} << spread_config.table_counter_bits;
  constexpr unsigned buckets = 1u << spread_config.spread_bits;
  constexpr std::size_t count = (spread_items_min + in_one - 1) / in_one * in_one; // a tile has whole buckets
  constexpr unsigned distance = buckets / (count / in_one);
  static_assert(count <= spread_items_max && distance >= 1u << spread_config.table_word_log2());
  std::mt19937_64 bits(1);
  std::vector<Key> keys;
  for (std::size_t i = 0; i < count; ++i)
  {
    const Key bucket = static_cast<Key>(i / in_one * distance + place);
    keys.push_back(bucket << (8 * sizeof(Key) - spread_config.spread_bits) |
                   (static_cast<Key>(bits()) >> spread_config.spread_bits));
  }
  return keys;
}
template <class Key>
void check_keys_without_counts()
{
  for (const unsigned place : {0u, (1u << spread_config.table_word_log2()) - 1})
  {
    const std::vector<Key> keys = make_keys_without_counts<Key>(place);
    for (const sort_where where : all_places)
    {
      check_order(keys, static_cast<int>(place), true, where);
      check_order(keys, static_cast<int>(place), false, where);
    }
  }
}

//! Sorts keys of few values; order, bits, memory and the number of blocks that the device holds change from one sort to the
//! next.
template <class Key, class Value>
void check_few_values()
{
  constexpr int all_bits = reheat::detail::sort_key<Key>::bits;
  std::mt19937_64 choose(all_bits);
  for (const std::size_t count : {few_items_min - 1, few_items_min, std::size_t{1500}, spread_items_min})
  {
    for (const std::size_t values : {1, 2, 7, 8, 9, 16, 64, 65, 256, 257})
    {
      for (const few_shape shape : all_few_shapes)
      {
        reheat::emulator::properties device;
        device.multiprocessors = 1 + static_cast<int>(choose() % 3);
        device.blocks_per_multiprocessor = 1;
        reheat::emulator::set_device_properties(device);
        sort_call<Key, Value> call;
        call.order = choose() % 2 == 0 ? reheat::detail::sort_order::ascending : reheat::detail::sort_order::descending;
        call.where = static_cast<sort_where>(choose() % 4);
        if (choose() % 3 == 0)
        {
          call.begin_bit = static_cast<int>(choose() % all_bits);
          call.end_bit = call.begin_bit + static_cast<int>(choose() % (all_bits - call.begin_bit + 1));
        }
        std::vector<Key> keys = make_few_keys<Key>(count, values, shape, choose());
        if (reheat::detail::sort_key<Key>::is_float && choose() % 2 == 0)
        {
          using word = typename reheat::detail::sort_key<Key>::word;
          const word special[] = {0, static_cast<word>(word(1) << (all_bits - 1)),
                                  static_cast<word>(~word(0))}; // zeros, NaN
          const std::size_t kinds = 1 + choose() % 3;
          for (std::size_t i = 0; i < count; i += 1 + choose() % 5)
          {
            std::memcpy(static_cast<void*>(&keys[i]), special + choose() % kinds, sizeof(word));
          }
        }
        const std::vector<Value> all_values = make_sort_values<Value>(count);
        std::vector<Key> first = keys, second(count);
        std::vector<Value> first_values = all_values, second_values(count);
        const bool in_second = call.enqueue(reheat::emulator::default_stream(), first.data(), second.data(),
                                            first_values.data(), second_values.data(), count);
        const std::vector<std::size_t> order = call.expected_order(keys);
        BOOST_TEST_CONTEXT(count << " keys of " << values << " values of shape " << static_cast<int>(shape) << ", bits "
                                 << call.begin_bit << " to " << call.end_bit << ", memory " << static_cast<int>(call.where))
        {
          BOOST_TEST(same_bits(in_order(keys, order), in_second ? second : first));
          if (call.has_values)
          {
            BOOST_TEST(same_bits(in_order(all_values, order), in_second ? second_values : first_values));
          }
        }
      }
    }
  }
  reheat::emulator::set_device_properties({});
}

//! What a sort with values of a type, or none, finds of keys of few values: its scratch memory says so.
template <class Value, class Key>
reheat::detail::sort_few_found few_found(const std::vector<Key>& keys)
{
  namespace runtime = reheat::runtime;
  std::vector<Key> out(keys.size());
  std::vector<Value> values(keys.size()), values_out(keys.size());
  const reheat::detail::sort_arrays<Key, Value> arrays{keys.data(), out.data(), values.data(), values_out.data()};
  constexpr int bits = reheat::detail::sort_key<Key>::bits;
  runtime::environment_with<runtime::stream_memory> env{};
  env.caller = "sort";
  env.stream = reheat::emulator::default_stream();
  std::size_t bytes = 0;
  runtime::environment_with<runtime::measured_memory> measuring{env, {&bytes}};
  reheat::algorithms::enqueue_sort(measuring, arrays, keys.size(), reheat::detail::sort_order::ascending, 0, bits);
  std::vector<std::uint64_t> memory(bytes / sizeof(std::uint64_t) + 64, 0x5555555555555555u);
  auto* const aligned =
      reinterpret_cast<unsigned char*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 255) / 256 * 256);
  runtime::environment_with<runtime::given_memory> given{env, {aligned, bytes}};
  reheat::algorithms::enqueue_sort(given, arrays, keys.size(), reheat::detail::sort_order::ascending, 0, bits);
  constexpr unsigned digits = (bits + spread_config.digit_bits - 1) / spread_config.digit_bits;
  constexpr std::size_t found_bytes = reheat::detail::found_words((digits + 1) / 2 * 2) * sizeof(std::uint32_t);
  reheat::detail::sort_few_found few;
  std::memcpy(&few, aligned + (found_bytes + 255) / 256 * 256, sizeof few);
  return few;
}
//! How many of the lowest digits a sort of pairs leaves out.
template <class Key>
unsigned needless_digits(const std::vector<Key>& keys)
{
  const reheat::detail::sort_few_found few = few_found<std::uint32_t>(keys);
  unsigned needless = 0;
  while (few.counted == keys.size() && (few.needless >> needless & 1) != 0)
  {
    ++needless;
  }
  return needless;
}
template <class Key>
void check_needless_digits()
{
  constexpr std::size_t count = 1500, most = reheat::detail::few_max_of(spread_config);
  constexpr unsigned bits = spread_config.digit_bits;
  // In steps of 2^17, neighbours differ first in bit 17.
  const auto steps = [](std::size_t values)
  {
    std::vector<Key> keys;
    for (std::size_t i = 0; i < count; ++i)
    {
      const Key value = static_cast<Key>(i % values);
      keys.push_back(value << 17 | (value * 77 & 0xffff));
    }
    return keys;
  };
  BOOST_TEST(needless_digits(steps(2)) == 17 / bits);
  BOOST_TEST(needless_digits(steps(most)) == 17 / bits);
  BOOST_TEST(needless_digits(steps(most + 1)) == 0u);
  std::vector<Key> keys = steps(most);
  keys.back() ^= 1; // the sample has no such key
  BOOST_TEST(needless_digits(keys) == 0u);
  BOOST_TEST(needless_digits(make_sort_keys<Key>(count, key_shape::uniform, 1)) == 0u);
}

//! Keys alone are counted if they have few values, if the sample has all of these, and if zeros have one sign alone.
template <class Key>
void check_counted_keys()
{
  using word = typename reheat::detail::sort_key<Key>::word;
  constexpr std::size_t count = 1500, most = reheat::detail::few_max_of(spread_config);
  const auto steps = [](std::size_t values, unsigned low)
  {
    std::vector<Key> keys(count);
    for (std::size_t i = 0; i < count; ++i)
    {
      const word bits = static_cast<word>((i % values + 1) << low);
      std::memcpy(static_cast<void*>(&keys[i]), &bits, sizeof bits);
    }
    return keys;
  };
  const auto is_counted = [](const std::vector<Key>& keys)
  {
    const reheat::detail::sort_few_found few = few_found<reheat::detail::no_values>(keys);
    std::uint64_t sum = 0;
    for (const std::uint64_t total : few.totals)
    {
      sum += total;
    }
    BOOST_TEST((few.counted != count || sum == count));
    return few.counted == count;
  };
  BOOST_TEST(is_counted(steps(1, 3)));
  BOOST_TEST(is_counted(steps(2, 3)));
  BOOST_TEST(is_counted(steps(most, 3)));
  BOOST_TEST(!is_counted(steps(4 * most, 3)));
  std::vector<Key> keys = steps(most, 3);
  const word other = 1;
  std::memcpy(static_cast<void*>(&keys.back()), &other, sizeof other); // the sample has no such key
  BOOST_TEST(!is_counted(keys));
  keys = steps(most, 3);
  for (std::size_t i = 0; i < count; i += 2)
  {
    keys[i] = Key(0.0f);
  }
  BOOST_TEST(is_counted(keys));
  for (std::size_t i = 1; i < count; i += 2)
  {
    keys[i] = Key(-0.0f);
  }
  BOOST_TEST(!is_counted(keys));
}

//! Launches of a sort of uniform keys by all bits.
template <class Key, class Value = reheat::detail::no_values>
std::uint64_t launches_of(std::size_t count, sort_where where)
{
  sort_call<Key, Value> call;
  call.where = where;
  std::vector<Key> keys = make_sort_keys<Key>(count, key_shape::uniform, 1), second(count);
  std::vector<Value> values = make_sort_values<Value>(count), second_values(count);
  return calls_of(
             [&]
             {
               call.enqueue(reheat::emulator::default_stream(), keys.data(), second.data(), values.data(),
                            second_values.data(), count);
             })
      .launches;
}

//! What the first two launches of a sort by ranges say (ranges_word): whether keys go to buckets, and whether one is too
//! large. And whether the launches behind have found anything of keys.
struct range_state
{
  std::uint32_t goes, too_large;
  bool others_work;
};
template <class Key>
range_state state_after_sort(const std::vector<Key>& keys)
{
  namespace runtime = reheat::runtime;
  constexpr unsigned passes = (8 * sizeof(Key) + range_config.digit_bits - 1) / range_config.digit_bits;
  std::vector<Key> in = keys, out(keys.size()), expected = keys;
  const auto enqueue = [&](const auto& env)
  {
    const reheat::detail::sort_arrays<Key, reheat::detail::no_values> arrays{in.data(), out.data(), nullptr, nullptr};
    reheat::algorithms::enqueue_sort(env, arrays, keys.size(), reheat::detail::sort_order::ascending, 0, 8 * sizeof(Key));
  };
  std::size_t bytes = 0;
  enqueue(runtime::environment_with<runtime::measured_memory>{{}, {&bytes}});
  std::vector<unsigned char> memory(bytes + 256, 0x55);
  unsigned char* const begin =
      memory.data() + (256 - reinterpret_cast<std::uintptr_t>(memory.data()) % 256); // words are aligned to so many
  runtime::environment env{};
  env.caller = "sort";
  env.stream = reheat::emulator::default_stream();
  enqueue(runtime::environment_with<runtime::given_memory>{env, {begin, bytes}});
  wait_for_all_streams();
  std::sort(expected.begin(), expected.end());
  BOOST_TEST(same_bits(expected, out));
  std::uint32_t found[reheat::detail::found_words(passes)];
  std::memcpy(found, begin, sizeof found);
  const std::uint32_t* const state = found + reheat::detail::ranges_word(passes);
  return {state[0], state[1], found[passes] != 0x55555555u};
}

template <class Key>
void check_range_sorts()
{
  unsigned turn = 0;
  for (const std::size_t count : {one_block_items + 1, std::size_t{577}, std::size_t{2048}, range_items_max})
  {
    for (const range_shape shape : all_range_shapes)
    {
      check_both_orders(make_range_keys<Key>(count, shape, count), static_cast<int>(shape), turn);
    }
  }
  const auto state_of = [](std::size_t count, range_shape shape)
  { return state_after_sort(make_range_keys<Key>(count, shape, 5)); };
  for (const range_shape shape : {range_shape::uniform, range_shape::not_a_power, range_shape::two_halves})
  {
    const range_state state = state_of(2000, shape);
    BOOST_TEST(state.goes == 1u);
    BOOST_TEST(state.too_large == 0u);
    BOOST_TEST(!state.others_work);
  }
  const range_state hidden = state_of(2000, range_shape::hidden);
  BOOST_TEST(hidden.goes == 1u);
  BOOST_TEST(hidden.too_large == 1u);
  BOOST_TEST(hidden.others_work);
  const range_state refused = state_after_sort(make_sort_keys<Key>(2000, key_shape::two_values, 5));
  BOOST_TEST(refused.goes == 0u);
  BOOST_TEST(refused.others_work);
}

} // namespace

BOOST_AUTO_TEST_CASE(keys_of_128_bits_are_sorted)
{
  check_sorts<reheat::detail::word128, reheat::detail::no_values>();
  check_sorts<reheat::detail::signed_word128, std::uint32_t>();
}

BOOST_AUTO_TEST_CASE(values_of_every_size_follow_their_keys)
{
  check_sorts<double, std::uint16_t>();
  check_sorts<std::int16_t, sixteen_bytes>();
  check_sorts<std::uint64_t, std::uint64_t>();
  check_sorts<float, std::uint8_t>();
}

BOOST_AUTO_TEST_CASE(keys_of_few_values_are_sorted)
{
  using reheat::detail::no_values;
  check_few_values<std::uint32_t, no_values>();
  check_few_values<float, no_values>();
  check_few_values<std::uint16_t, no_values>();
  check_few_values<__half, no_values>();
  check_few_values<std::uint64_t, no_values>();
  check_few_values<double, std::uint16_t>();
  check_few_values<std::int32_t, std::uint32_t>();
}

BOOST_AUTO_TEST_CASE(keys_of_few_values_without_values_are_counted)
{
  check_counted_keys<float>();
  check_counted_keys<double>();
}

namespace
{

constexpr reheat::detail::sort_halfword_config halfword_config =
    reheat::detail::sort_halfword_tuning{}(reheat::detail::emulated_arch);

//! In both orders, from and to any alignment and kind of memory.
template <class Key>
void check_halfwords(const std::vector<Key>& keys, unsigned& turn)
{
  for (const auto order : {reheat::detail::sort_order::ascending, reheat::detail::sort_order::descending})
  {
    sort_call<Key, reheat::detail::no_values> call;
    call.order = order;
    call.where = all_places[turn % 4];
    const std::size_t behind = turn / 4 % 8, other = call.where == sort_where::other_memory ? turn * 3 % 8 : behind;
    ++turn;
    std::vector<Key> first(behind + keys.size()), second(other + keys.size());
    std::copy(keys.begin(), keys.end(), first.begin() + static_cast<std::ptrdiff_t>(behind));
    const bool in_second = call.enqueue(reheat::emulator::default_stream(), first.data() + behind, second.data() + other,
                                        nullptr, nullptr, keys.size());
    const std::vector<Key>& memory = in_second ? second : first;
    const std::vector<Key> sorted(memory.begin() + static_cast<std::ptrdiff_t>(in_second ? other : behind), memory.end());
    BOOST_TEST_CONTEXT(keys.size() << " keys, turn " << turn)
    {
      BOOST_TEST(same_bits(in_order(keys, call.expected_order(keys)), sorted));
    }
  }
}

//! On both sides of each switch of size, and of the number of words.
template <class Key>
void check_sizes_of_halfwords()
{
  constexpr std::size_t block = halfword_config.count_items, most = block * halfword_config.count_blocks;
  unsigned turn = 0;
  for (const std::size_t count : {std::size_t{halfword_config.from_items} - 1, std::size_t{halfword_config.from_items},
                                  std::size_t{halfword_config.one_block_items},
                                  std::size_t{halfword_config.one_block_items} + 1, most, most + 1, std::size_t{3000}})
  {
    for (const key_shape shape : all_key_shapes)
    {
      check_halfwords(make_sort_keys<Key>(count, shape, turn), turn);
    }
  }
  for (const std::size_t count : {std::size_t{65535}, std::size_t{65536}, std::size_t{65537}})
  {
    check_halfwords(make_sort_keys<Key>(count, key_shape::ascending, turn), turn);
    check_halfwords(make_sort_keys<Key>(count, key_shape::special, turn), turn);
  }
}

//! Counters reach their limit many times: of one word, of two whose counters share a word of memory, and of others beside.
template <class Key>
void check_full_counters()
{
  constexpr std::size_t count = halfword_config.count_blocks * (std::size_t{5} << halfword_config.limit_log2) + 77;
  unsigned turn = 0;
  for (const unsigned kinds : {1u, 2u, 3u, 16u})
  {
    std::vector<Key> keys(count);
    for (std::size_t i = 0; i < count; ++i)
    {
      const auto word =
          static_cast<std::uint16_t>(i * 7 / 3 % kinds << 15 | (i % kinds == 2 ? 5 : 0) | (i % 1000 == 0 ? i : 0));
      std::memcpy(static_cast<void*>(&keys[i]), &word, sizeof word);
    }
    check_halfwords(keys, turn);
  }
}

//! Zeros of both signs: in one block that counts, in all of them, or one sign in each.
template <class Key>
void check_zeros_of_halfwords()
{
  unsigned turn = 0;
  for (const std::size_t count : {std::size_t{halfword_config.one_block_items}, std::size_t{2000}, std::size_t{9000}})
  {
    for (unsigned kind = 0; kind < 5; ++kind)
    {
      std::vector<Key> keys = make_sort_keys<Key>(count, kind == 4 ? key_shape::special : key_shape::thinned_bits, kind);
      for (std::size_t i = 0; i < count; ++i)
      {
        const bool negative = kind == 0 ? i % 3 == 0 : kind == 1 ? i > count / 2 : i == count / 2 + 1;
        if (kind < 3 ? i % 5 < 3 || i == count / 2 + 1 : kind == 3)
        {
          keys[i] = static_cast<Key>(negative ? -0.0f : 0.0f);
        }
      }
      check_halfwords(keys, turn);
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(keys_of_two_bytes_are_written_from_counts)
{
  check_sizes_of_halfwords<std::uint16_t>();
  check_sizes_of_halfwords<std::int16_t>();
  check_sizes_of_halfwords<__half>();
  check_sizes_of_halfwords<__nv_bfloat16>();
}

BOOST_AUTO_TEST_CASE(counters_of_two_byte_keys_hand_over_what_they_have_no_room_for)
{
  check_full_counters<std::uint16_t>();
  check_full_counters<__half>();
}

BOOST_AUTO_TEST_CASE(zeros_of_both_signs_keep_their_order_when_keys_are_written_from_counts)
{
  check_zeros_of_halfwords<__half>();
  check_zeros_of_halfwords<__nv_bfloat16>();
}

BOOST_AUTO_TEST_CASE(digits_below_those_that_tell_few_values_apart_are_left_out)
{
  check_needless_digits<std::uint32_t>();
  check_needless_digits<std::uint64_t>();
}

BOOST_AUTO_TEST_CASE(spread_keys_are_sorted)
{
  check_spread_sorts<std::uint32_t>();
  check_spread_sorts<std::uint64_t>();
}

BOOST_AUTO_TEST_CASE(keys_are_sorted_whose_counters_have_all_run_over_to_zero)
{
  check_keys_without_counts<std::uint32_t>();
  check_keys_without_counts<std::uint64_t>();
}

// docs/algorithms.md has the numbers.
BOOST_AUTO_TEST_CASE(a_sort_has_a_launch_for_each_digit_and_up_to_seven_others)
{
  constexpr auto digits = [](unsigned bits) { return (bits + spread_config.digit_bits - 1) / spread_config.digit_bits; };
  constexpr reheat::detail::sort_byte_config of_bytes =
      reheat::detail::sort_byte_tuning<false>{}(reheat::detail::emulated_arch);
  constexpr std::size_t byte_items = 1000; // too many for a block
  const auto elsewhere = sort_where::other_memory, in_place = sort_where::in_place, between = sort_where::two_arrays;
  BOOST_TEST(launches_of<std::uint32_t>(one_block_items, elsewhere) == 1u);
  BOOST_TEST(launches_of<std::uint8_t>(of_bytes.one_block_items, elsewhere) == 1u);
  BOOST_TEST(launches_of<std::uint8_t>(of_bytes.one_block_items + 1, elsewhere) == 2u);
  BOOST_TEST(launches_of<std::uint8_t>(of_bytes.most_items, in_place) == 2u);
  BOOST_TEST(launches_of<std::uint8_t>(of_bytes.most_items + 1, elsewhere) == 3u);
  BOOST_TEST(launches_of<__half>(halfword_config.one_block_items, in_place) == 1u);
  BOOST_TEST(launches_of<std::uint16_t>(halfword_config.one_block_items + 1, elsewhere) == 3u);
  BOOST_TEST(launches_of<__half>(halfword_config.one_block_items + 1, between) == 3u);
  BOOST_TEST((launches_of<std::uint8_t, std::uint32_t>(byte_items, elsewhere) == 2u + 1));
  BOOST_TEST((launches_of<std::uint8_t, std::uint32_t>(byte_items, in_place) == 2u + 2));
  BOOST_TEST(launches_of<std::uint32_t>(one_block_items + 1, elsewhere) == 5u);
  BOOST_TEST(launches_of<std::uint64_t>(most_in_buckets, in_place) == 5u);
  BOOST_TEST(launches_of<float>(most_in_buckets, elsewhere) == 3u + digits(32));
  BOOST_TEST(launches_of<float>(most_in_buckets + 1, elsewhere) == 2u + digits(32));
  for (const std::size_t count : {spread_items_min, spread_items_max})
  {
    BOOST_TEST(launches_of<std::uint32_t>(count, elsewhere) == 7u + digits(32));
    BOOST_TEST(launches_of<std::uint64_t>(count, elsewhere) == 7u + digits(64));
    static_assert(digits(64) % 2 != 0);
    BOOST_TEST(launches_of<std::uint64_t>(count, in_place) == 7u + digits(64) + 1);
    BOOST_TEST(launches_of<std::uint64_t>(count, between) == 7u + digits(64));
  }
  BOOST_TEST(launches_of<std::uint64_t>(spread_items_max + 1, elsewhere) == 2u + digits(64));
}

BOOST_AUTO_TEST_CASE(keys_are_sorted_by_ranges_if_a_sample_says_so_and_by_digits_if_it_was_wrong)
{
  check_range_sorts<std::uint32_t>();
  check_range_sorts<std::uint64_t>();
}

namespace
{

template <class Word, class Value, reheat::detail::sort_tiles Tiles>
void check_two_blocks(int arch)
{
  namespace detail = reheat::detail;
  const detail::sort_config cfg = detail::sort_tuning<sizeof(Word), detail::value_word<Value>::bytes, Tiles>{}(arch);
  const std::size_t has = detail::device_traits_of(arch).block_shared_bytes, reserved = 1024; // of each block, once more
  const auto fit = [&](unsigned blocks, const reheat::simt::shared_counter& block)
  { return blocks * (block.bytes() + reserved) <= has + reserved; };
  reheat::simt::shared_counter pass, bucket, partition, spread_bucket, range_bucket;
  const detail::sort_pass_shared<Word, Value> of_pass(pass, cfg);
  const detail::sort_one_block_shared<Word> of_bucket(bucket, cfg, cfg.bucket_items());
  BOOST_TEST(fit(cfg.resident_blocks, pass));
  BOOST_TEST(fit(cfg.bucket_resident_blocks, bucket));
  static_cast<void>(of_pass);
  static_cast<void>(of_bucket);
  if (detail::may_be_spread_v<Word, false, Value> && cfg.range_items_per_thread != 0)
  {
    const detail::sort_partition_shared<Word> of_partition(partition, cfg);
    const detail::sort_spread_buckets_shared<Word> of_spread_bucket(spread_bucket, cfg);
    const detail::sort_range_bucket_shared<Word> of_range_bucket(range_bucket, cfg);
    BOOST_TEST(fit(2, partition));
    BOOST_TEST(fit(cfg.bucket_resident_blocks, spread_bucket));
    BOOST_TEST(fit(cfg.bucket_resident_blocks, range_bucket));
    static_cast<void>(of_partition);
    static_cast<void>(of_spread_bucket);
    static_cast<void>(of_range_bucket);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(as_many_blocks_fit_on_a_multiprocessor_as_the_tuning_says)
{
  using reheat::detail::no_values;
  using reheat::detail::sort_tiles;
  for (const int arch : {750, 800, 860, 900, 1000, 1200})
  {
    BOOST_TEST_CONTEXT("sm_" << arch / 10)
    {
      check_two_blocks<std::uint32_t, no_values, sort_tiles::many>(arch);
      check_two_blocks<std::uint32_t, no_values, sort_tiles::few>(arch);
      check_two_blocks<std::uint64_t, no_values, sort_tiles::many>(arch);
      check_two_blocks<std::uint32_t, std::uint32_t, sort_tiles::values>(arch);
      check_two_blocks<std::uint64_t, std::uint32_t, sort_tiles::many>(arch);
      check_two_blocks<std::uint16_t, std::uint64_t, sort_tiles::few>(arch);
    }
  }
}

BOOST_AUTO_TEST_CASE(spread_keys_need_the_memory_of_others_and_a_word_for_each_bucket)
{
  namespace runtime = reheat::runtime;
  const auto bytes_of = [](int begin_bit)
  {
    std::size_t bytes = 0;
    runtime::environment_with<runtime::measured_memory> measuring{{}, {&bytes}};
    reheat::algorithms::enqueue_sort(measuring, reheat::detail::sort_arrays<std::uint64_t, reheat::detail::no_values>{},
                                     spread_items_max, reheat::detail::sort_order::ascending, begin_bit, 64);
    return bytes;
  };
  const std::size_t words = (std::size_t{1} << spread_config.spread_bits) + 2 * spread_config.digits();
  BOOST_TEST(bytes_of(0) > bytes_of(1));
  BOOST_TEST(bytes_of(0) <= bytes_of(1) + words * sizeof(std::uint32_t) + 256);
}

// The emulator's atomics answer lanes in any order.
BOOST_AUTO_TEST_CASE(tiles_that_are_ranked_again_are_counted)
{
  using u32 = std::uint32_t;
  namespace runtime = reheat::runtime;
  constexpr reheat::detail::sort_config cfg =
      reheat::detail::sort_tuning<4, 4, reheat::detail::sort_tiles::values>{}(reheat::detail::emulated_arch);
  constexpr std::size_t tiles = 4, passes = 2, count = tiles * cfg.block_threads * cfg.items_per_thread;
  static_assert(count >= cfg.values_from_items);
  const int end_bit = passes * cfg.digit_bits;
  const auto ranked_again = [&](key_shape shape)
  {
    std::vector<u32> keys = make_sort_keys<u32>(count, shape, 1), sorted(count);
    std::vector<u32> values = make_sort_values<u32>(count), moved(count);
    const auto enqueue = [&](const auto& env)
    {
      reheat::algorithms::enqueue_sort(
          env, reheat::detail::sort_arrays<u32, u32>{keys.data(), sorted.data(), values.data(), moved.data()}, count,
          reheat::detail::sort_order::ascending, 0, end_bit);
    };
    std::size_t bytes = 0;
    enqueue(runtime::environment_with<runtime::measured_memory>{{}, {&bytes}});
    std::vector<unsigned char> memory(bytes + 256, 0x55);
    unsigned char* const begin =
        memory.data() + (256 - reinterpret_cast<std::uintptr_t>(memory.data()) % 256); // words are aligned to so many
    runtime::environment env{};
    env.caller = "sort";
    env.stream = reheat::emulator::default_stream();
    enqueue(runtime::environment_with<runtime::given_memory>{env, {begin, bytes}});
    wait_for_all_streams();
    u32 found;
    std::memcpy(&found, begin + reheat::detail::ranked_again_word(passes) * sizeof found, sizeof found);
    return found;
  };
  u32 of_uniform = 0; // in half of all launches, lanes take turns by their numbers
  for (std::uint64_t run = 0; run < 20 && of_uniform == 0; ++run)
  {
    reheat::emulator::set_seed(first_seed() + run);
    of_uniform = ranked_again(key_shape::uniform);
  }
  BOOST_TEST(of_uniform > 0u);
  BOOST_TEST(of_uniform <= tiles * passes);
  BOOST_TEST(ranked_again(key_shape::equal) == 0u); // warps of equal keys are ranked without atomics
}

BOOST_AUTO_TEST_CASE(keys_of_a_byte_are_sorted)
{
  check_sorts<std::int8_t, reheat::detail::no_values>();
  check_sorts<std::uint8_t, std::uint16_t>();
}

BOOST_AUTO_TEST_SUITE_END()
