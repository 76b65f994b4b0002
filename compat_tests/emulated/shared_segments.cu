// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Who reads the items of long segments that may lie anywhere: several blocks.

#include "../support/device_calls.hpp"
#include "../support/iterators.hpp"
#include "../support/layouts.hpp"
#include "../support/offsets.hpp"

#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(shared_segments)

namespace
{
using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
} // namespace

namespace
{

//! Notes which block reads an item.
struct noted_read
{
  const u32* items;
  unsigned* blocks;
  u32 operator()(std::ptrdiff_t index) const
  {
    blocks[index] = reheat::simt::block_index();
    return items[index];
  }
};

} // namespace

// Not under every schedule: one block may have read all before others begin.
BOOST_AUTO_TEST_CASE(blocks_share_a_long_segment)
{
  const std::vector<u32> items = make_items<u32>(items_of_layouts);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<unsigned> blocks(items.size());
  std::size_t most = 0;
  for_each_seed(10,
                [&]
                {
                  layout where{"one giant", {}, {}};
                  where.add(0, 3);
                  where.add(3, items_of_layouts);
                  const offsets_in_memory<i32> offsets(where);
                  placed<u32> out(2, placement::aligned);
                  two_phases(where.name,
                             [&](void* memory, std::size_t& bytes, reheat::stream_type stream)
                             {
                               return reheat::DeviceSegmentedReduce::Sum(
                                   memory, bytes,
                                   thrust::make_transform_iterator(counting(0), noted_read{raw(in), raw(blocks)}),
                                   out.begin(), 2, offsets.begins(), offsets.ends(), stream);
                             });
                  check_same(where.name, folds_of(where, items, u32{0}, plus{}), out.items());
                  std::vector<unsigned> seen = to_host(blocks);
                  std::sort(seen.begin(), seen.end());
                  most = std::max(most, static_cast<std::size_t>(std::unique(seen.begin(), seen.end()) - seen.begin()));
                });
  BOOST_TEST(most >= 3u, most << " blocks at most have read the segment");
}

namespace
{

//! Reads an item, and that of index `first` when two warps have read any from there to `last`.
struct waiting_read
{
  const u32* items;
  std::ptrdiff_t first, last;
  std::set<unsigned>* warps;
  u32 operator()(std::ptrdiff_t index) const
  {
    if (index >= first && index < last)
    {
      warps->insert(reheat::simt::block_index() * 32 + reheat::simt::warp_index());
    }
    while (index == first && warps->size() < 2)
    {
      reheat::simt::backoff();
    }
    return items[index];
  }
};

} // namespace

// If one warp were left with them, the launch would not end.
BOOST_AUTO_TEST_CASE(warps_share_neighbours_that_are_not_cut)
{
  const auto whole =
      static_cast<i64>(reheat::detail::anywhere_tuning<u32, true>{}(reheat::detail::emulated_arch).whole_items);
  layout where{"long neighbours among short segments", {}, {}};
  i64 at = 0;
  for (int s = 0; s < 320; ++s)
  {
    const i64 length = s / 32 == 5 ? whole : 2;
    where.add(at, at + length);
    at += length;
  }
  const i64 first = where.begins[5 * 32], last = where.begins[6 * 32];
  const std::vector<u32> items = make_items<u32>(static_cast<std::size_t>(at));
  const thrust::device_vector<u32> in = to_device(items);
  const offsets_in_memory<i32> offsets(where);
  for_each_seed(10,
                [&]
                {
                  std::set<unsigned> warps;
                  placed<u32> out(where.size(), placement::aligned);
                  two_phases(where.name,
                             [&](void* memory, std::size_t& bytes, reheat::stream_type stream)
                             {
                               return reheat::DeviceSegmentedReduce::Sum(
                                   memory, bytes,
                                   thrust::make_transform_iterator(counting(0), waiting_read{raw(in), first, last, &warps}),
                                   out.begin(), static_cast<i64>(where.size()), offsets.begins(), offsets.ends(), stream);
                             });
                  check_same(where.name, folds_of(where, items, u32{0}, plus{}), out.items());
                });
}

BOOST_AUTO_TEST_SUITE_END()
