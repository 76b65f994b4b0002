// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans under many schedules.
#include "checks.hpp"

#include "../../support/iterators.hpp"
#include "../../support/shapes.hpp"
#include "../../support/strategies.hpp"

#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>

namespace schedules::scan
{
namespace
{

//! One scan of either kind over `count` items.
template <class T, class Policy, class InputIt>
void call(const Policy& policy, bool inclusive, InputIt in, std::size_t count, T* out)
{
  if (inclusive)
  {
    thrust::inclusive_scan(policy, in, in + static_cast<std::ptrdiff_t>(count), out, fold{});
  }
  else
  {
    thrust::exclusive_scan(policy, in, in + static_cast<std::ptrdiff_t>(count), out, values<T>::make(0), fold{});
  }
}

template <class T>
std::vector<T> reference(bool inclusive, const std::vector<T>& items)
{
  return inclusive ? inclusive_reference<T, T>(items, fold{}) : exclusive_reference<T, T>(items, values<T>::make(0), fold{});
}

//! Small tiles of any shape.
forced_scan any_one_tile(draw& choose, unsigned max_rows)
{
  return one_tile_scans(32 * (1 + static_cast<unsigned>(choose.below(3))),
                        1 + static_cast<unsigned>(choose.below(max_rows)));
}
template <class T>
std::size_t items_of(draw& choose, const forced_scan& how, std::size_t tiles)
{
  return choose.items(one_tile_items<T>(how.one_tile), tiles);
}

//! Aligned pointers, as bulk copies need them.
template <class T>
std::string check_aligned(draw& choose, std::size_t count)
{
  const bool inclusive = choose.flip();
  const std::vector<T> items = make_items<T>(count, choose.below(1000));
  placed_items<T> in(items, false), out(make_items<T>(count), false);
  call<T>(reheat::par, inclusive, in.data(), count, out.data());
  return differing(reference(inclusive, items), out.items());
}

//! Every way to bring the items in and out.
template <class T>
std::string check_form(draw& choose, std::size_t count)
{
  const bool inclusive = choose.flip();
  const std::size_t first = choose.below(1000);
  const std::vector<T> items = make_items<T>(count, first);
  placed_items<T> in(items, choose.flip()), out(make_items<T>(count), choose.flip());
  const std::vector<T> expected = reference(inclusive, items);
  switch (choose.below(4))
  {
    case 0:
      call<T>(reheat::par, inclusive, in.data(), count, out.data());
      break;
    case 1:
      call<T>(reheat::par, inclusive, thrust::make_transform_iterator(in.data(), unchanged{}), count, out.data());
      break;
    case 2:
      call<T>(reheat::par, inclusive, generated<T>(static_cast<std::ptrdiff_t>(first)), count, out.data());
      break;
    default:
      call<T>(reheat::par, inclusive, in.data(), count, in.data());
      return differing(expected, in.items());
  }
  return differing(expected, out.items());
}

std::string eight_words(draw& choose)
{
  return check_aligned<words<8>>(choose, choose.items(scan_tile<words<8>>(), 20));
}

//! Load warps start copies of 16-byte vectors, as on machines without bulk copies.
std::string vectors(draw& choose)
{
  namespace detail = reheat::detail;
  using T = affine<std::uint32_t>;
  const std::vector<T> items = make_items<T>(choose.items(scan_tile<T>(), 20), choose.below(1000));
  placed_items<T> in(items, choose.below(4) == 0), out(make_items<T>(items.size()), choose.below(4) == 0);
  const T* const from = in.data();
  detail::enqueue_streaming_scan<in_vec16<detail::scan_tuning<sizeof(T)>>, detail::scan_kind::inclusive>(
      environment_on(nullptr, "scan/pieces"), from, out.data(), items.size(), fold{}, detail::scan_without_init<T>{});
  return differing(reference(true, items), out.items());
}

std::string supergroups(draw& choose)
{
  using T = words<8>;
  const std::size_t supergroup = scan_group<T>() * scan_shape<T>().groups_per_supergroup;
  return check_aligned<T>(choose, 2 * supergroup + choose.items(scan_tile<T>(), 40));
}

std::string every_form(draw& choose)
{
  return check_form<affine<std::uint32_t>>(choose, choose.items(scan_tile<affine<std::uint32_t>>(), 8));
}

std::string flagged(draw& choose)
{
  return check_form<words<10>>(choose, choose.items(scan_tile<words<10>>(), 12));
}

std::string objects(draw& choose)
{
  return check_form<tracked<false>>(choose, choose.items(scan_tile<tracked<false>>(), 8));
}

//! Items that are narrower than accumulators, into results of any size.
template <class Out>
std::string check_widened(draw& choose)
{
  const std::size_t count = choose.items(scan_tile<std::int32_t>(), 12);
  const std::vector<std::int16_t> items = make_items<std::int16_t>(count, choose.below(1000));
  placed_items<std::int16_t> in(items, choose.below(4) == 0);
  placed_items<Out> out(std::vector<Out>(count), choose.below(4) == 0);
  std::vector<Out> expected;
  std::int32_t sum = 0;
  for (const std::int16_t item : items)
  {
    sum += item;
    expected.push_back(static_cast<Out>(sum));
  }
  const auto in_words = reheat::par.with(reheat::accumulate_in<std::int32_t>);
  thrust::inclusive_scan(in_words, in.data(), in.data() + static_cast<std::ptrdiff_t>(count), out.data());
  return differing(expected, out.items());
}
std::string widened(draw& choose)
{
  return choose.flip() ? check_widened<std::int32_t>(choose) : check_widened<std::int16_t>(choose);
}

//! 4- and 8-byte values take turns in one workspace. The aggregates of the first are the number of the launch to come, as
//! any number may be.
std::string mixed_types(draw& choose)
{
  using wide = affine<std::uint32_t>;
  const std::size_t tiles = 2 + choose.below(5);
  for (unsigned round = 0; round < 2; ++round)
  {
    const std::uint32_t coming = launch_count() + 2 + static_cast<std::uint32_t>(choose.below(2));
    for (std::uint32_t launches = launch_count(); launches + 1 < coming; ++launches)
    {
      const std::size_t tile = scan_tile<std::uint32_t>();
      std::vector<std::uint32_t> items(2 * tiles * tile, 0);
      for (std::size_t i = 0; i < items.size(); i += tile)
      {
        items[i] = coming;
      }
      placed_items<std::uint32_t> in(items, false), out(items, false);
      call<std::uint32_t>(reheat::par, true, in.data(), items.size(), out.data());
      const std::string wrong = differing(reference(true, items), out.items());
      if (!wrong.empty())
      {
        return wrong;
      }
    }
    const std::string wrong = check_aligned<wide>(choose, tiles * scan_tile<wide>());
    if (!wrong.empty())
    {
      return wrong;
    }
  }
  return {};
}

//! Launch after launch on one workspace, larger and smaller.
template <class T>
std::string check_sequence(draw& choose, unsigned launches)
{
  for (unsigned i = 0; i < launches; ++i)
  {
    const std::string wrong = check_aligned<T>(choose, choose.items(scan_tile<T>(), i % 2 == 0 ? 12 : 5));
    if (!wrong.empty())
    {
      return "launch " + std::to_string(i) + ": " + wrong;
    }
  }
  return {};
}

std::string repeated(draw& choose)
{
  return check_sequence<words<8>>(choose, 3);
}

//! Launches of so many tiles, one after the other.
std::string check_launches(draw& choose, std::initializer_list<std::size_t> tiles)
{
  using T = words<8>;
  for (const std::size_t count : tiles)
  {
    const std::string wrong = check_aligned<T>(choose, count * scan_tile<T>() - choose.below(2));
    if (!wrong.empty())
    {
      return "launch of " + std::to_string(count) + " tiles: " + wrong;
    }
  }
  return {};
}

//! The count of launches ends, and starts again. Ever smaller launches leave the words of each somewhere, and there are
//! slots that were never written.
std::string end_of_count(draw& choose)
{
  const std::string before = check_launches(choose, {12, 8, 4});
  set_launch_count(reheat::detail::last_epoch - 1);
  const std::string after = check_launches(choose, {2, 16, 8, 4});
  return before.empty() ? after : before;
}

//! Launch 256 + k finds the words of launch k.
std::string after_256_launches(draw& choose)
{
  const std::string before = check_launches(choose, {12});
  set_launch_count(256);
  const std::string after = check_launches(choose, {12});
  return before.empty() ? after : before;
}

std::string memory_of_the_caller(draw& choose)
{
  using T = words<8>;
  const std::vector<T> items = make_items<T>(choose.items(scan_tile<T>(), 12), choose.below(1000));
  placed_items<T> in(items, false), out(items, false);
  const dirty_block block;
  reheat::detail::enqueue_scan<reheat::detail::scan_kind::inclusive>(
      block.environment(), in.data(), out.data(), items.size(), fold{}, reheat::detail::scan_without_init<T>{});
  return differing(reference(true, items), out.items());
}

//! A scan in small tiles, up to `tiles` of them.
template <class T>
std::string check_one_tile(draw& choose, std::size_t tiles)
{
  const forced_scan how = any_one_tile(choose, 2);
  const force_scans all(how);
  return check_form<T>(choose, items_of<T>(choose, how, tiles));
}

//! So few tiles that every warp waits for all.
std::string one_tile_few(draw& choose)
{
  return check_one_tile<affine<std::uint32_t>>(choose, 12);
}

//! More tiles than that: the warps share the wait.
std::string one_tile_many(draw& choose)
{
  using T = words<8>;
  const forced_scan how = one_tile_scans(64 + 32 * static_cast<unsigned>(choose.below(2)), 1);
  const force_scans all(how);
  return check_aligned<T>(choose, 33 * one_tile_items<T>(how.one_tile) + items_of<T>(choose, how, 40));
}

std::string one_tile_repeated(draw& choose)
{
  for (unsigned i = 0; i < 3; ++i)
  {
    const std::string wrong = check_one_tile<words<8>>(choose, i % 2 == 0 ? 12 : 5);
    if (!wrong.empty())
    {
      return "launch " + std::to_string(i) + ": " + wrong;
    }
  }
  return {};
}

//! The count of launches ends among scans of both kinds.
std::string one_tile_end_of_count(draw& choose)
{
  set_launch_count(reheat::detail::last_epoch - 1 - static_cast<std::uint32_t>(choose.below(3)));
  for (unsigned i = 0; i < 5; ++i)
  {
    const std::string wrong = choose.flip() ? check_one_tile<words<8>>(choose, 12) : eight_words(choose);
    if (!wrong.empty())
    {
      return "launch " + std::to_string(i) + ": " + wrong;
    }
  }
  return {};
}

//! As a scenario for large scans.
template <std::string (*Run)(draw&)>
std::string streaming(draw& choose)
{
  const force_scans all(streaming_scans());
  return Run(choose);
}

} // namespace

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> all = {
      {"scan/eight_words", "slots ring workspace", streaming<eight_words>},
      {"scan/pieces", "ring", vectors},
      {"scan/supergroups", "slots", streaming<supergroups>},
      {"scan/every_form", "slots ring", streaming<every_form>},
      {"scan/flagged", "slots ring", streaming<flagged>},
      {"scan/objects", "slots ring", streaming<objects>},
      {"scan/widened", "ring", streaming<widened>},
      {"scan/mixed_types", "slots workspace", streaming<mixed_types>},
      {"scan/repeated", "ring workspace", streaming<repeated>},
      {"scan/end_of_count", "workspace", streaming<end_of_count>},
      {"scan/after_256_launches", "slots", streaming<after_256_launches>},
      {"scan/memory_of_the_caller", "given", streaming<memory_of_the_caller>},
      {"scan/one_tile_few", "one_tile slots", one_tile_few},
      {"scan/one_tile_many", "one_tile slots", one_tile_many},
      {"scan/one_tile_repeated", "one_tile workspace", one_tile_repeated},
      {"scan/one_tile_end_of_count", "workspace", one_tile_end_of_count},
  };
  return all;
}

} // namespace schedules::scan
