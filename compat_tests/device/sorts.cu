// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat::DeviceRadixSort: keys and pairs, in arrays and in double buffers, by all bits and by some, and errors.

#include "../support/device_calls.hpp"
#include "../support/sort_keys.hpp"

#include <cuda_fp16.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(sorts)

namespace
{

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using reheat::stream_type;
using sort = reheat::DeviceRadixSort;

//! None, few, around a block and a tile, and what takes several launches.
const std::vector<std::size_t> sort_sizes = {0, 1, 2, 33, 1024, 1025, 4096, 4097, 20011};

//! Keys and their values in all four ways, by the bits [begin, end).
template <class Key, class Value, class NumItems>
void check_sorts(std::size_t size, keys which, bool ascending, int begin, int end, std::size_t behind = 0)
{
  const std::string what = type_name<Key>() + " and " + type_name<Value>() + ", " + std::to_string(size) + " items, bits " +
                           std::to_string(begin) + " to " + std::to_string(end) + (ascending ? "" : ", descending");
  const std::vector<Key> items = make_sort_keys<Key>(size, which);
  const std::vector<Value> own = make_items<Value>(size, 3);
  const std::vector<std::size_t> places = places_by_bits(items, ascending, begin, end);
  const std::vector<Key> expected_keys = at_places(items, places);
  const std::vector<Value> expected_values = at_places(own, places);
  const auto n = static_cast<NumItems>(size);
  placed<Key> in(items, behind), out(size, behind);
  placed<Value> values(own, behind), values_out(size, behind);

  two_phases(what + ", keys",
             [&](void* memory, std::size_t& bytes, stream_type stream)
             {
               return ascending ? sort::SortKeys(memory, bytes, in.begin(), out.begin(), n, begin, end, stream)
                                : sort::SortKeysDescending(memory, bytes, in.begin(), out.begin(), n, begin, end, stream);
             });
  check_bitwise(what + ", keys", expected_keys, out.items());
  placed<Key> pair_keys(size, behind);
  two_phases(what + ", pairs",
             [&](void* memory, std::size_t& bytes, stream_type stream)
             {
               return ascending ? sort::SortPairs(memory, bytes, in.begin(), pair_keys.begin(), values.begin(),
                                                  values_out.begin(), n, begin, end, stream)
                                : sort::SortPairsDescending(memory, bytes, in.begin(), pair_keys.begin(), values.begin(),
                                                            values_out.begin(), n, begin, end, stream);
             });
  check_bitwise(what + ", keys of pairs", expected_keys, pair_keys.items());
  check_same(what + ", values", expected_values, values_out.items());
  check_bitwise(what + ", the input's keys", items, in.items());
  check_same(what + ", the input's values", own, values.items());

  // Between two buffers. A call that only asks for the size of its memory leaves the selectors as they are.
  placed<Key> first(size, behind), second(items, behind);
  ::cub::DoubleBuffer<Key> own_keys(first.begin(), second.begin());
  ::cub::DoubleBuffer<Value> own_values(values_out.begin(), values.begin());
  own_keys.selector = own_values.selector = 1;
  two_phases(what + ", pairs in double buffers",
             [&](void* memory, std::size_t& bytes, stream_type stream)
             {
               const auto status =
                   ascending ? sort::SortPairs(memory, bytes, own_keys, own_values, n, begin, end, stream)
                             : sort::SortPairsDescending(memory, bytes, own_keys, own_values, n, begin, end, stream);
               BOOST_TEST((memory != nullptr || (own_keys.selector == 1 && own_values.selector == 1)));
               return status;
             });
  check_bitwise(what + ", keys in double buffers", expected_keys, own_keys.selector == 0 ? first.items() : second.items());
  check_same(what + ", values in double buffers", expected_values,
             own_values.selector == 0 ? values_out.items() : values.items());
  placed<Key> third(items, behind), fourth(size, behind);
  ::cub::DoubleBuffer<Key> alone(third.begin(), fourth.begin());
  two_phases(what + ", keys alone in double buffers",
             [&](void* memory, std::size_t& bytes, stream_type stream)
             {
               return ascending ? sort::SortKeys(memory, bytes, alone, n, begin, end, stream)
                                : sort::SortKeysDescending(memory, bytes, alone, n, begin, end, stream);
             });
  check_bitwise(what + ", keys alone in double buffers", expected_keys,
                alone.selector == 0 ? third.items() : fourth.items());
}

} // namespace

BOOST_AUTO_TEST_CASE(keys_and_pairs_of_every_size)
{
  for (const std::size_t size : sort_sizes)
  {
    check_sorts<u32, u32, int>(size, keys::uniform, true, 0, 32);
    check_sorts<u32, u32, int>(size, keys::few, false, 0, 32, 1);
  }
}
BOOST_AUTO_TEST_CASE(some_bits_alone)
{
  for (const std::size_t size : {std::size_t{700}, std::size_t{9000}})
  {
    check_sorts<u32, u32, int>(size, keys::uniform, true, 3, 4);
    check_sorts<u32, u32, int>(size, keys::uniform, false, 5, 17);
    check_sorts<u32, u32, int>(size, keys::uniform, true, 24, 32);
    check_sorts<u32, u32, int>(size, keys::uniform, false, 9, 9);
    check_sorts<u64, words<3>, u64>(size, keys::uniform, true, 0, 64);
    check_sorts<u64, words<3>, u64>(size, keys::uniform, true, 31, 45);
    check_sorts<u64, words<3>, u64>(size, keys::uniform, true, 64, 64);
  }
}

BOOST_AUTO_TEST_CASE(bits_that_keys_do_not_have_and_less_than_no_items_are_errors)
{
  const std::vector<u32> items = make_items<u32>(40);
  thrust::device_vector<u32> in = to_device(items), out(40, 7);
  temp_block block(8192, 3, content::noise);
  ::cub::DoubleBuffer<u32> buffers(raw(in), raw(out));
  for (void* const memory : {static_cast<void*>(nullptr), block.get()})
  {
    std::size_t bytes = block.bytes();
    const host_calls asked = calls_of(
        [&]
        {
          check_status("bits behind", invalid_value, sort::SortKeys(memory, bytes, raw(in), raw(out), 40, 0, 33));
          check_status("bits before", invalid_value,
                       sort::SortPairs(memory, bytes, raw(in), raw(out), raw(in), raw(out), 40, -1));
          check_status("bits backwards", invalid_value, sort::SortKeysDescending(memory, bytes, buffers, 40, 5, 4));
          check_status("items", invalid_value, sort::SortKeys(memory, bytes, buffers, -1));
        });
    wait_for_all_streams();
    BOOST_TEST(asked.launches == 0u, asked);
    BOOST_TEST(bytes == block.bytes());
    BOOST_TEST(buffers.selector == 0);
  }
  check_same("input", items, to_host(in));
  check_same("output", std::vector<u32>(40, 7), to_host(out));
  block.check("an error");
}

BOOST_AUTO_TEST_CASE(double_buffers_need_little_memory)
{
  const std::size_t size = 100000;
  ::cub::DoubleBuffer<u64> keys(nullptr, nullptr);
  const std::size_t with_buffers = bytes_of_call("SortKeys", [&](void* memory, std::size_t& bytes, stream_type stream)
                                                 { return sort::SortKeys(memory, bytes, keys, size, 0, 64, stream); });
  const u64* in = nullptr;
  u64* out = nullptr;
  const std::size_t without = bytes_of_call("SortKeys", [&](void* memory, std::size_t& bytes, stream_type stream)
                                            { return sort::SortKeys(memory, bytes, in, out, size, 0, 64, stream); });
  BOOST_TEST(without >= size * sizeof(u64));
  BOOST_TEST(with_buffers + size * sizeof(u64) <= without);
  // What tells zeros of both signs apart goes to the other array, too. On the emulator an odd number of passes, which it has
  // of these keys, leaves no array free.
  ::cub::DoubleBuffer<std::uint16_t> words(nullptr, nullptr);
  ::cub::DoubleBuffer<__half> halves(nullptr, nullptr);
  const std::size_t of_words = bytes_of_call("SortKeys", [&](void* memory, std::size_t& bytes, stream_type stream)
                                             { return sort::SortKeys(memory, bytes, words, size, 0, 16, stream); });
  const std::size_t of_halves = bytes_of_call("SortKeys", [&](void* memory, std::size_t& bytes, stream_type stream)
                                              { return sort::SortKeys(memory, bytes, halves, size, 0, 16, stream); });
  BOOST_TEST(of_halves <= of_words + (emulated ? size : 0) + 8192);
}

BOOST_AUTO_TEST_CASE(a_call_in_one_phase_sorts_alike)
{
#if REHEAT_HAS_ENVIRONMENTS // since CCCL 3.1
  const std::vector<u32> items = make_sort_keys<u32>(9000, keys::few), own = make_items<u32>(9000, 3);
  const std::vector<std::size_t> up = sorted_places(items, true), down = sorted_places(items, false);
  thrust::device_vector<u32> in = to_device(items), out(items.size()), values = to_device(own), values_out(items.size());
  check_status("keys", reheat::runtime::success, sort::SortKeys(raw(in), raw(out), items.size()));
  wait_for_all_streams();
  check_same("keys", at_places(items, up), to_host(out));
  const stream_type stream = default_stream();
  check_status("pairs", reheat::runtime::success,
               sort::SortPairsDescending(raw(in), raw(out), raw(values), raw(values_out), items.size(), 0, 32, stream));
  wait_for_all_streams();
  check_same("keys of pairs", at_places(items, down), to_host(out));
  check_same("values", at_places(own, down), to_host(values_out));
  ::cub::DoubleBuffer<u32> buffers(raw(in), raw(out)), beside(raw(values), raw(values_out));
  check_status("double buffers", reheat::runtime::success, sort::SortPairs(buffers, beside, items.size()));
  wait_for_all_streams();
  check_same("keys in double buffers", at_places(items, up), to_host(buffers.selector == 0 ? in : out));
  check_same("values in double buffers", at_places(own, up), to_host(beside.selector == 0 ? values : values_out));
#endif
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
