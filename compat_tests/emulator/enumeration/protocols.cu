// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "protocol.hpp"

#include "../schedules/checks.hpp"

#include "../../support/offsets.hpp"
#include "../../support/segments.hpp"
#include "../../support/selections.hpp"
#include "../../support/sorts.hpp"
#include "../../support/strategies.hpp"

#include <reheat/device.cuh>

#include <thrust/copy.h>
#include <thrust/find.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace enumeration
{
namespace
{

using namespace compat;
using schedules::differing;
using schedules::placed_items;
using word = std::uint32_t;
using reheat::emulator::actor_unit;
using reheat::emulator::next_look;

//! The stream's workspace as new: zeros, at the same address in every execution.
void renew_workspace(word launches = 0)
{
  constexpr std::size_t bytes = 16 * 1024; // more than any call here uses, less than a stream keeps
  reheat::runtime::workspace_lease lease;
  if (lease.acquire(reheat::emulator::default_stream(), bytes, bytes) != reheat::runtime::success)
  {
    throw std::runtime_error("no memory for a workspace");
  }
  std::memset(lease.words(), 0, bytes);
  std::memset(lease.values(), 0, bytes);
  static_cast<reheat::detail::workspace_header*>(lease.words())->epoch = launches;
}

// ---- scans ---------------------------------------------------------------------------------------------------------------

template <class T>
struct scan_data
{
  std::vector<T> items, expected;
  placed_items<T> in, out;

  explicit scan_data(std::size_t count)
      : items(make_items<T>(count)), expected(inclusive_reference<T, T>(items, fold{})), in(items, false), out(items, false)
  {}
  std::string run()
  {
    std::fill(out.data(), out.data() + items.size(), values<T>::make(1));
    thrust::inclusive_scan(reheat::par, in.data(), in.data() + items.size(), out.data(), fold{});
    return differing(expected, out.items());
  }
};

//! `launches` calls, one after the other, on a workspace that has seen `before` launches.
template <class T, unsigned Launches = 1>
std::function<std::string()> scan_of(std::size_t count, const forced_scan& how, word before = 0)
{
  const auto data = std::make_shared<scan_data<T>>(count);
  return [=]
  {
    const force_scans all(how);
    renew_workspace(before);
    std::string wrong;
    for (unsigned i = 0; i < Launches && wrong.empty(); ++i)
    {
      wrong = data->run();
    }
    return wrong;
  };
}

template <class T>
std::function<std::string()> streaming(const shape& size)
{
  return scan_of<T>(size.tiles * scan_tile<T>(), streaming_scans());
}
//! The launch of the last epoch, and the one after it.
std::function<std::string()> streaming_wrap(const shape& size)
{
  return scan_of<word, 2>(size.tiles * scan_tile<word>(), streaming_scans(), reheat::detail::last_epoch - 1);
}

template <class T>
std::function<std::string()> one_tile(const shape& size)
{
  const forced_scan how = one_tile_scans(32, 1);
  return scan_of<T>(size.tiles * one_tile_items<T>(how.one_tile), how);
}
std::function<std::string()> one_tile_wrap(const shape& size)
{
  const forced_scan how = one_tile_scans(32, 1);
  return scan_of<word, 2>(size.tiles * one_tile_items<word>(how.one_tile), how, reheat::detail::last_epoch - 1);
}

// ---- reductions ----------------------------------------------------------------------------------------------------------

template <class T>
std::function<std::string()> reduction(const shape& size)
{
  const auto items = std::make_shared<std::vector<T>>(make_items<T>(size.tiles * reduce_tile<T>()));
  const auto in = std::make_shared<placed_items<T>>(*items, false);
  const T init = values<T>::make(7), expected = reduce_reference<T>(*items, init, fold{});
  return [=]
  {
    renew_workspace();
    const T result = thrust::reduce(reheat::par, in->data(), in->data() + items->size(), init, fold{});
    return std::string(values<T>::same(expected, result) ? "" : "the result is wrong");
  };
}

// ---- by key --------------------------------------------------------------------------------------------------------------

std::function<std::string()> by_key(const shape& size)
{
  struct data
  {
    std::vector<word> keys, items;
    std::pair<std::vector<word>, std::vector<word>> expected;
    placed_items<word> in_keys, in, keys_out, out;
    explicit data(std::size_t count, std::size_t tile)
        : keys(make_keys(count, segments::of_few, tile)), items(make_items<word>(count)),
          expected(reduce_by_key_reference<word, word>(keys, items, equal{}, plus{})), in_keys(keys, false),
          in(items, false), keys_out(expected.first, false), out(expected.second, false)
    {}
  };
  const std::size_t tile = reduce_by_key_tile<word>(), count = size.tiles * tile;
  const auto all = std::make_shared<data>(count, tile);
  return [=]
  {
    const force_scans streams(streaming_scans());
    renew_workspace();
    std::fill(all->out.data(), all->out.data() + all->expected.second.size(), 0u);
    const auto ends = thrust::reduce_by_key(reheat::par, all->in_keys.data(), all->in_keys.data() + count, all->in.data(),
                                            all->keys_out.data(), all->out.data());
    return ends.second != all->out.data() + all->expected.second.size() ? std::string("the number of segments is wrong")
                                                                         : differing(all->expected.second, all->out.items());
  };
}

// ---- selections ----------------------------------------------------------------------------------------------------------

std::function<std::string()> selection(const shape& size)
{
  const std::size_t count = size.tiles * select_tile<word>();
  const auto items = std::make_shared<std::vector<word>>(make_flags<word>(count, all_selections[0]));
  const auto chosen = std::make_shared<std::vector<word>>(selection_reference(*items, *items));
  const auto in = std::make_shared<placed_items<word>>(*items, false), out = std::make_shared<placed_items<word>>(*chosen, false);
  return [=]
  {
    renew_workspace();
    std::fill(out->data(), out->data() + chosen->size(), 0u);
    const word* const end = thrust::copy_if(reheat::par, in->data(), in->data() + count, out->data(), is_flag{});
    return end != out->data() + chosen->size() ? std::string("the number of items is wrong") : differing(*chosen, out->items());
  };
}

// ---- segments between offsets --------------------------------------------------------------------------------------------

//! A short segment, and a long one that is cut into a chunk for each block.
std::function<std::string()> chunks(const shape& size)
{
  const word tile = static_cast<word>(segmented_tile<word>());
  const auto offsets = std::make_shared<std::vector<word>>(std::vector<word>{0, 3, 3 + size.tiles * tile});
  const auto items = std::make_shared<std::vector<word>>(make_items<word>(offsets->back()));
  const auto in = std::make_shared<placed_items<word>>(*items, false), at = std::make_shared<placed_items<word>>(*offsets, false);
  const auto expected = std::make_shared<std::vector<word>>(segmented_reference<word>(*items, *offsets, word{0}, plus{}));
  const auto out = std::make_shared<placed_items<word>>(*expected, false);
  return [=]
  {
    renew_workspace();
    std::fill(out->data(), out->data() + expected->size(), 0u);
    reheat::segmented_reduce(reheat::par, in->data(), at->data(), at->data() + offsets->size(), out->data(), word{0}, plus{});
    return differing(*expected, out->items());
  };
}

// ---- searches ------------------------------------------------------------------------------------------------------------

//! The item is in the last tile but one, and once more in the last.
std::function<std::string()> search(const shape& size)
{
  const std::size_t tile = search_shape<word>().tile_items(), count = size.tiles * tile;
  auto all = std::vector<word>(count, 1u);
  const std::size_t first = count - tile - 5;
  all[first] = all[count - 1] = 2;
  const auto in = std::make_shared<placed_items<word>>(all, false);
  return [=]
  {
    renew_workspace();
    const word* const found = thrust::find(reheat::par, in->data(), in->data() + count, 2u);
    return std::string(found == in->data() + first ? "" : "another item is found");
  };
}

// ---- sorts ---------------------------------------------------------------------------------------------------------------

//! Two passes, of which the first is enumerated.
std::function<std::string()> passes(const shape& size)
{
  using key = std::uint16_t;
  const std::size_t count = one_block_items + size.tiles * 16;
  const auto keys = std::make_shared<std::vector<key>>(make_sort_keys<key>(count, key_shape::uniform, 1));
  const auto in = std::make_shared<placed_items<key>>(*keys, false);
  auto sorted = *keys;
  std::sort(sorted.begin(), sorted.end());
  const auto expected = std::make_shared<std::vector<key>>(sorted);
  return [=]
  {
    renew_workspace();
    std::copy(keys->begin(), keys->end(), in->data());
    return differing(*expected, in->items());
  };
}

} // namespace

const std::vector<protocol>& protocols()
{
  const auto of_blocks = []
  {
    reheat::emulator::enumeration_plan plan;
    plan.actors = actor_unit::block;
    return plan;
  };
  static const std::vector<protocol> all = {
      {"scan/streaming", "", {}, streaming<word>},
      {"scan/streaming_pairs", "", {}, streaming<affine<word>>},
      {"scan/streaming_flagged", "", {}, streaming<words<10>>},
      {"scan/streaming_wrap", "", {}, streaming_wrap},
      {"scan/one_tile", "", {}, one_tile<word>},
      {"scan/one_tile_pairs", "", {}, one_tile<affine<word>>},
      {"scan/one_tile_wrap", "", {}, one_tile_wrap},
      {"reduce", "", {}, reduction<word>},
      {"reduce/flagged", "", {}, reduction<words<10>>},
      {"by_key", "", {}, by_key},
      {"selection", "", {}, selection},
      {"segments/chunks", "", {}, chunks},
      {"search", "", {}, search},
  };
  (void)of_blocks;
  (void)passes;
  return all;
}

} // namespace enumeration
