// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "sorts_gpu.hpp"

#include "../support/machine.hpp"
#include "../support/sort_keys.hpp"

#include <reheat/device.cuh>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

using namespace compat;

namespace
{

//! Sorts keys, and their places as values if there are any, from one array to another and in place.
template <bool Pairs, class Key>
bool is_sorted_right(const char* type, const std::string& kind, const std::vector<Key>& items)
{
  using sorts = reheat::DeviceRadixSort;
  const std::size_t count = items.size();
  std::vector<std::uint32_t> places(count);
  std::iota(places.begin(), places.end(), 0u);
  bool right = true;
  for (const bool in_place : {false, true})
  {
    thrust::device_vector<Key> in = to_device(items), other(in_place ? 0 : count);
    thrust::device_vector<std::uint32_t> values = to_device(places), other_values(in_place ? 0 : count);
    Key* const out = raw(in_place ? in : other);
    std::uint32_t* const values_out = raw(in_place ? values : other_values);
    const auto call = [&](void* memory, std::size_t& bytes)
    {
      if constexpr (Pairs)
      {
        return sorts::SortPairs(memory, bytes, raw(in), out, raw(values), values_out, count);
      }
      else
      {
        return sorts::SortKeys(memory, bytes, raw(in), out, count);
      }
    };
    std::size_t bytes = 0;
    require(call(nullptr, bytes), "ask for the size");
    thrust::device_vector<unsigned char> memory(bytes);
    require(call(raw(memory), bytes), "sort");
    require(cudaDeviceSynchronize(), "wait");
    const std::vector<std::size_t> order = sorted_places(items, true);
    const std::vector<Key> sorted = to_host(in_place ? in : other); // NaNs differ from themselves
    right = right && std::memcmp(at_places(items, order).data(), sorted.data(), count * sizeof(Key)) == 0 &&
            (!Pairs || at_places(places, order) == to_host(in_place ? values : other_values));
  }
  std::printf("%s of %zu %s, %s: %s\n", Pairs ? "SortPairs" : "SortKeys", count, type, kind.c_str(),
              right ? "right" : "WRONG");
  std::fflush(stdout);
  return right;
}

template <bool Pairs, class Key>
bool is_every_kind_right(const char* type, std::size_t count)
{
  bool right = true;
  for (const keys kind : {keys::uniform, keys::few, keys::and_words})
  {
    right =
        is_sorted_right<Pairs>(type, "kind " + std::to_string(static_cast<int>(kind)), make_sort_keys<Key>(count, kind)) &&
        right;
  }
  return right;
}

//! As few keys as are sorted as spread ones. `mask`: the bits that keys have.
template <class Key>
bool is_spread_right(const char* type, const char* kind, Key mask)
{
  const std::size_t count = reheat::detail::sort_tuning<sizeof(Key), 0>{}(900).spread_from_items;
  std::vector<Key> items = make_sort_keys<Key>(count, keys::uniform);
  for (Key& item : items)
  {
    item &= mask;
  }
  return is_sorted_right<false>(type, kind, items);
}

} // namespace

bool sorts_are_right()
{
  bool right = is_every_kind_right<false, std::uint32_t>("u32", 5000); // one block
  right = is_every_kind_right<true, std::uint32_t>("u32", 5000) && right;
  right = is_every_kind_right<false, double>("double", 3000) && right; // merged if bins are crowded
  right = is_every_kind_right<true, std::uint64_t>("u64", 3000) && right;
  right = is_every_kind_right<false, std::uint16_t>("u16", 5000) && right; // from counts
  right = is_every_kind_right<false, std::uint16_t>("u16", 60001) && right;
  right = is_every_kind_right<false, std::uint64_t>("u64", 60001) && right; // buckets, or passes
  right = is_every_kind_right<true, std::uint32_t>("u32", 60001) && right;
  right = is_every_kind_right<false, float>("float", 60001) && right;
  right = is_every_kind_right<false, std::uint8_t>("u8", 60001) && right; // filled
  right = is_spread_right("u32", "spread", ~std::uint32_t{0}) && right;
  right = is_spread_right("u64", "spread", ~std::uint64_t{0}) && right;
  right = is_spread_right("u32", "spread, in crowded bins", ~(std::uint32_t{1} << 19)) && right;
  right = is_every_kind_right<false, std::uint64_t>("u64", 900) && right; // a small block
  right = is_spread_right("u64", "spread, in crowded bins", ~std::uint64_t{0} << 40 | 7) && right;
  return right;
}
