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
#include <numeric>

namespace enumeration
{
namespace
{

using namespace compat;
using schedules::differing;
using schedules::placed_items;
using word = std::uint32_t;
using reheat::emulator::actor_unit;
using reheat::emulator::enumeration_plan;
using reheat::emulator::next_look;

//! The stream's workspace, at the same address in every execution. No call may hold it.
class stream_workspace
{
public:
  stream_workspace()
  {
    if (lease_.acquire(reheat::emulator::default_stream(), bytes, bytes) != reheat::runtime::success)
    {
      throw std::runtime_error("no memory for a workspace");
    }
  }

  //! As new, or as `launches` launches have left it.
  void renew(word launches)
  {
    std::memset(lease_.words(), 0, bytes);
    std::memset(lease_.values(), 0, bytes);
    header()->epoch = launches;
    if (launches != 0)
    {
      std::fill(words(), words() + old_words, std::uint64_t{1} << 32 | 1u); // of the first launch
      header()->used_words = old_words;
    }
  }
  //! What launch number `launch` has left that it should not have.
  std::string wrong_after(word launch)
  {
    const bool is_last = launch == reheat::detail::last_epoch;
    const auto left = [](std::uint64_t each) { return each != 0; };
    if (header()->next_ticket != 0 || header()->listed != 0 || header()->finished_blocks != 0 ||
        header()->epoch != (is_last ? 0 : launch))
    {
      return "the launch has left a header that is not ready for the next one";
    }
    return is_last && std::any_of(words(), words() + old_words, left) ? "the launch of the last epoch has left a word" : "";
  }

private:
  static constexpr std::size_t bytes = 16 * 1024; // more than any call here uses, less than a stream keeps
  static constexpr std::size_t old_words = 100;   // more than a scan here uses

  reheat::detail::workspace_header* header() { return static_cast<reheat::detail::workspace_header*>(lease_.words()); }
  std::uint64_t* words() { return reinterpret_cast<std::uint64_t*>(header() + 1); }

  reheat::runtime::workspace_lease lease_;
};

void renew_workspace(word launches = 0)
{
  stream_workspace().renew(launches);
}
//! Nothing, unless `wrong` says so already, or the launch of a scan or reduction has left the workspace unfit for the next.
std::string and_workspace(const std::string& wrong, word launches = 0)
{
  return wrong.empty() ? stream_workspace().wrong_after(launches + 1) : wrong;
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
    enqueue();
    return wrong();
  }
  void enqueue()
  {
    std::fill(out.data(), out.data() + items.size(), values<T>::make(1));
    thrust::inclusive_scan(reheat::par_nosync, in.data(), in.data() + items.size(), out.data(), fold{});
  }
  std::string wrong() { return differing(expected, out.items()); }
};

//! On a workspace that has seen `launches` launches.
template <class T>
std::function<std::string()> scan_of(std::size_t count, const forced_scan& how, word launches = 0)
{
  const auto data = std::make_shared<scan_data<T>>(count);
  return [=]
  {
    const force_scans all(how);
    renew_workspace(launches);
    return and_workspace(data->run(), launches);
  };
}

template <class T>
std::function<std::string()> streaming(const shape& size)
{
  return scan_of<T>(size.tiles * scan_tile<T>(), streaming_scans());
}
//! Of at most three tiles: of four there are 26 880 classes, 15 s, and `by_key` has the same ones.
std::function<std::string()> streaming_pairs(const shape& size)
{
  return scan_of<affine<word>>(std::min(size.tiles, 3u) * scan_tile<affine<word>>(), streaming_scans());
}
//! The launch of the last epoch.
std::function<std::string()> streaming_wrap(const shape& size)
{
  return scan_of<word>(size.tiles * scan_tile<word>(), streaming_scans(), reheat::detail::last_epoch - 1);
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
  return scan_of<word>(size.tiles * one_tile_items<word>(how.one_tile), how, reheat::detail::last_epoch - 1);
}

// ---- reductions ----------------------------------------------------------------------------------------------------------

//! On a workspace that has seen `launches` launches.
template <class T>
std::function<std::string()> reduction_of(const shape& size, word launches)
{
  const auto items = std::make_shared<std::vector<T>>(make_items<T>(size.tiles * reduce_tile<T>()));
  const auto in = std::make_shared<placed_items<T>>(*items, false);
  const T init = values<T>::make(7), expected = reduce_reference<T>(*items, init, fold{});
  return [=]
  {
    renew_workspace(launches);
    const T result = thrust::reduce(reheat::par, in->data(), in->data() + items->size(), init, fold{});
    return and_workspace(values<T>::same(expected, result) ? "" : "the result is wrong", launches);
  };
}
template <class T>
std::function<std::string()> reduction(const shape& size)
{
  return reduction_of<T>(size, 0);
}
std::function<std::string()> reduction_wrap(const shape& size)
{
  return reduction_of<word>(size, reheat::detail::last_epoch - 1);
}

//! Of numbers that sums in another type would round.
std::function<std::string()> exact_sum(const shape& size)
{
  const std::size_t count = size.tiles * 64 * 2 * 16 / sizeof(float); // of the emulator's row of exact_tuning
  auto items = std::vector<float>(count, 1.0f);
  items.front() = 0x1p60f;
  items.back() = -0x1p60f;
  const auto in = std::make_shared<placed_items<float>>(items, false);
  return [=]
  {
    renew_workspace();
    const float sum = thrust::reduce(reheat::par.with(reheat::exact_sums), in->data(), in->data() + count, 3.0f);
    return and_workspace(sum == static_cast<float>(count + 1) ? "" : "the sum is wrong");
  };
}

// ---- launches that overlap -----------------------------------------------------------------------------------------------

//! The same call twice on one workspace. The launch of the second one starts while that of the first one still runs.
template <class T>
std::function<std::string()> scan_twice_of(std::size_t count, const forced_scan& how)
{
  const auto first = std::make_shared<scan_data<T>>(count), second = std::make_shared<scan_data<T>>(count);
  return [=]
  {
    const force_scans all(how);
    renew_workspace();
    first->enqueue();
    second->enqueue();
    const std::string wrong = first->wrong();
    return and_workspace(wrong.empty() ? second->wrong() : wrong, 1);
  };
}
std::function<std::string()> one_tile_twice(const shape& size)
{
  const forced_scan how = one_tile_scans(32, 1);
  return scan_twice_of<word>(size.tiles * one_tile_items<word>(how.one_tile), how);
}
//! Of two tiles: with four there are two million classes.
std::function<std::string()> streaming_twice(const shape&)
{
  return scan_twice_of<word>(2 * scan_tile<word>(), streaming_scans());
}
std::function<std::string()> reduction_twice(const shape& size)
{
  const auto items = std::make_shared<std::vector<word>>(make_items<word>(size.tiles * reduce_tile<word>()));
  const auto in = std::make_shared<placed_items<word>>(*items, false);
  const auto out = std::make_shared<placed_items<word>>(std::vector<word>(2), false);
  const word expected = reduce_reference<word>(*items, word{7}, fold{});
  return [=]
  {
    renew_workspace();
    std::fill(out->data(), out->data() + 2, 0u);
    for (int i = 0; i < 2; ++i)
    {
      reheat::reduce_into(reheat::par_nosync, in->data(), in->data() + items->size(), out->data() + i, word{7}, fold{});
    }
    return and_workspace(differing(std::vector<word>(2, expected), out->items()), 1);
  };
}

//! A scan, and a reduction of other items: two kernels on one workspace, in blocks of as many threads. Of at most three
//! tiles: of four there are more classes than 100 s take.
std::function<std::string()> scan_then_reduction(const shape& size)
{
  const forced_scan how = one_tile_scans(96, 1);
  const std::size_t tiles = std::min(size.tiles, 3u);
  const auto scanned = std::make_shared<scan_data<word>>(tiles * one_tile_items<word>(how.one_tile));
  const auto items = std::make_shared<std::vector<word>>(make_items<word>(tiles * reduce_tile<word>()));
  const auto in = std::make_shared<placed_items<word>>(*items, false),
             out = std::make_shared<placed_items<word>>(std::vector<word>(1), false);
  const word expected = reduce_reference<word>(*items, word{7}, fold{});
  return [=]
  {
    const force_scans all(how);
    renew_workspace();
    out->data()[0] = 0;
    scanned->enqueue();
    reheat::reduce_into(reheat::par_nosync, in->data(), in->data() + items->size(), out->data(), word{7}, fold{});
    const std::string wrong = scanned->wrong();
    return and_workspace(wrong.empty() ? differing(std::vector<word>{expected}, out->items()) : wrong, 1);
  };
}

// ---- by key --------------------------------------------------------------------------------------------------------------

std::function<std::string()> by_key_of(const shape& size, std::size_t tile, const forced_scan& how)
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
  const std::size_t count = size.tiles * tile;
  const auto all = std::make_shared<data>(count, tile);
  return [=]
  {
    const force_scans forces(how);
    renew_workspace();
    std::fill(all->out.data(), all->out.data() + all->expected.second.size(), 0u);
    const auto ends = thrust::reduce_by_key(reheat::par, all->in_keys.data(), all->in_keys.data() + count, all->in.data(),
                                            all->keys_out.data(), all->out.data());
    return ends.second != all->out.data() + all->expected.second.size()
               ? "the number of segments is wrong"
               : and_workspace(differing(all->expected.second, all->out.items()));
  };
}

std::function<std::string()> by_key(const shape& size)
{
  return by_key_of(size, reduce_by_key_tile<word>(), streaming_scans());
}
//! A block for each tile.
std::function<std::string()> by_key_few_tiles(const shape& size)
{
  using accum = reheat::detail::segmented<word, reheat::detail::boundary_count>;
  return by_key_of(size, few_segments_tile<accum, word, word>(), forced_scan{});
}

// ---- selections ----------------------------------------------------------------------------------------------------------

struct selection_data
{
  std::vector<word> items, chosen;
  placed_items<word> in, out, numbers;

  explicit selection_data(std::size_t count)
      : items(make_flags<word>(count, all_selections[0])), chosen(selection_reference(items, items)), in(items, false),
        out(chosen, false), numbers(std::vector<word>(1), false)
  {}
  //! Leaves the number of items on the device.
  void enqueue()
  {
    std::fill(out.data(), out.data() + chosen.size(), 0u);
    numbers.data()[0] = 0;
    reheat::copy_if_into(reheat::par_nosync, in.data(), in.data() + items.size(), out.data(), is_flag{}, numbers.data());
  }
  std::string wrong()
  {
    return numbers.data()[0] != chosen.size() ? "the number of items is wrong" : differing(chosen, out.items());
  }
};

//! On a workspace that has seen `launches` launches.
std::function<std::string()> selection_of(std::size_t count, const forced_scan& how, word launches = 0)
{
  const auto data = std::make_shared<selection_data>(count);
  return [=]
  {
    const force_scans all(how);
    renew_workspace(launches);
    data->enqueue();
    return and_workspace(data->wrong(), launches);
  };
}
std::function<std::string()> selection(const shape& size)
{
  return selection_of(size.tiles * select_tile<word>(), streaming_scans());
}
//! How many items fill the tiles, where each has a block.
std::size_t few_tiles_items(const shape& size)
{
  using tuning = reheat::detail::few_tiles_tuning<reheat::detail::select_tuning<sizeof(word), 0>, sizeof(word)>;
  return size.tiles * tuning{}(reheat::detail::emulated_arch).tile_items();
}
std::function<std::string()> few_tiles(const shape& size)
{
  return selection_of(few_tiles_items(size), forced_scan{});
}
std::function<std::string()> few_tiles_wrap(const shape& size)
{
  return selection_of(few_tiles_items(size), forced_scan{}, reheat::detail::last_epoch - 1);
}
std::function<std::string()> few_tiles_twice(const shape& size)
{
  const auto first = std::make_shared<selection_data>(few_tiles_items(size)),
             second = std::make_shared<selection_data>(few_tiles_items(size));
  return [=]
  {
    renew_workspace();
    first->enqueue();
    second->enqueue();
    const std::string wrong = first->wrong();
    return and_workspace(wrong.empty() ? second->wrong() : wrong, 1);
  };
}

// ---- segments between offsets --------------------------------------------------------------------------------------------

//! On a workspace that has seen `launches` launches. A call without slots takes no epoch.
template <class T>
std::function<std::string()> segmented_folds(const std::vector<word>& between, bool in_slots, word launches = 0)
{
  const auto offsets = std::make_shared<std::vector<word>>(between);
  const auto items = std::make_shared<std::vector<T>>(make_items<T>(offsets->back()));
  const auto in = std::make_shared<placed_items<T>>(*items, false);
  const auto at = std::make_shared<placed_items<word>>(*offsets, false);
  const T init = values<T>::make(0);
  const auto expected = std::make_shared<std::vector<T>>(segmented_reference<T>(*items, *offsets, init, fold{}));
  const auto out = std::make_shared<placed_items<T>>(*expected, false);
  return [=]
  {
    renew_workspace(launches);
    std::fill(out->data(), out->data() + expected->size(), values<T>::make(1));
    reheat::segmented_reduce(reheat::par, in->data(), at->data(), at->data() + offsets->size(), out->data(), init, fold{});
    const std::string wrong = differing(*expected, out->items());
    return in_slots || !wrong.empty() ? and_workspace(wrong, launches) : stream_workspace().wrong_after(launches);
  };
}

//! A short segment, and a long one that is cut into a chunk for each block.
std::function<std::string()> chunks(const shape& size)
{
  return segmented_folds<word>({0, 3, 3 + size.tiles * static_cast<word>(segmented_tile<word>())}, false);
}

//! Empty segments, which are not few, and one that all of `spans` spans have a part of. There are no more spans than
//! blocks: where blocks draw tickets, the classes take more than 100 s. They would, too, where values are in words, each of
//! which may be late.
std::function<std::string()> spans_of(std::size_t spans, word launches = 0)
{
  using item = words<10>;
  using costs = reheat::detail::segmented_costs<sizeof(item)>;
  const auto cfg = segmented_shape<item>();
  std::vector<word> offsets(cfg.few_segments + 1, 0);
  offsets.push_back(static_cast<word>((spans * cfg.spans.large_cost - offsets.size() * costs::end) / costs::item));
  return segmented_folds<item>(offsets, true, launches);
}
std::function<std::string()> joined_spans(const shape& size)
{
  return spans_of(size.tiles);
}
std::function<std::string()> joined_spans_wrap(const shape& size)
{
  return spans_of(size.tiles, reheat::detail::last_epoch - 1);
}
//! A segment that all spans have a part of.
std::function<std::string()> segmented_scan(const shape& size)
{
  const word tile = static_cast<word>(segmented_tile<word>());
  const std::vector<word> offsets{0, 3, 3 + std::max(size.tiles, 4u) * tile}; // of fewer, shares are even
  const std::vector<word> items = make_items<word>(offsets.back()), before(items.size(), 1u);
  const std::vector<word> expected =
      segmented_scan_reference<word>(items, offsets, before, true, static_cast<const word*>(nullptr), plus{});
  const auto in = std::make_shared<placed_items<word>>(items, false),
             at = std::make_shared<placed_items<word>>(offsets, false),
             out = std::make_shared<placed_items<word>>(before, false);
  return [=]
  {
    renew_workspace();
    std::copy(before.begin(), before.end(), out->data());
    reheat::segmented_inclusive_scan(reheat::par, in->data(), at->data(), at->data() + offsets.size(), out->data(), plus{});
    return differing(expected, out->items());
  };
}

//! A short segment, and one that is cut into two chunks or more. Segments with gaps.
std::function<std::string()> chunk_scan(const shape& size)
{
  const word items_of_long = size.tiles * static_cast<word>(segmented_tile<word>());
  const std::vector<word> begins{0, 5}, ends{3, 5 + items_of_long}, items = make_items<word>(ends.back());
  std::vector<word> expected(items.size(), 1u);
  for (std::size_t s = 0; s < begins.size(); ++s)
  {
    std::inclusive_scan(items.begin() + begins[s], items.begin() + ends[s], expected.begin() + begins[s]);
  }
  const auto in = std::make_shared<placed_items<word>>(items, false),
             first = std::make_shared<placed_items<word>>(begins, false),
             last = std::make_shared<placed_items<word>>(ends, false),
             out = std::make_shared<placed_items<word>>(expected, false);
  return [=]
  {
    auto policy = reheat::par;
    renew_workspace();
    std::fill(out->data(), out->data() + expected.size(), 1u);
    reheat::algorithms::segmented_scan<reheat::detail::scan_kind::inclusive>(
        reheat::thrust_backend::calls::environment_of("scans in chunks", policy), in->data(), begins.size(),
        reheat::algorithms::segments_between<const word*, const word*>{first->data(), last->data()},
        reheat::algorithms::same_places{}, out->data(), plus{}, reheat::detail::scan_without_init<word>{});
    const std::string wrong = differing(expected, out->items());
    return wrong.empty() ? stream_workspace().wrong_after(0) : wrong;
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

//! Of keys that are more than one block sorts, by two digits: no sort by buckets takes the place of passes.
std::function<std::string()> passes(const shape& size)
{
  using key = std::uint16_t;
  constexpr reheat::detail::sort_config cfg =
      reheat::detail::sort_tuning<sizeof(key), 0, reheat::detail::sort_tiles::few>{}(reheat::detail::emulated_arch);
  const std::size_t count =
      std::max<std::size_t>(one_block_items + 1, size.tiles * cfg.block_threads * cfg.items_per_thread);
  constexpr int bits = 2 * cfg.digit_bits;
  std::vector<key> keys = make_sort_keys<key>(count, key_shape::uniform, 1);
  for (key& each : keys)
  {
    each = static_cast<key>(each % (1u << bits));
  }
  std::vector<key> expected = keys;
  std::sort(expected.begin(), expected.end());
  const auto in = std::make_shared<placed_items<key>>(keys, false);
  return [=]
  {
    renew_workspace();
    std::copy(keys.begin(), keys.end(), in->data());
    sort_call<key, reheat::detail::no_values> call;
    call.where = sort_where::in_place;
    call.end_bit = bits;
    call.enqueue(reheat::runtime::stream_type{reheat::emulator::default_stream()}, in->data(), nullptr, nullptr, nullptr,
                 count);
    return differing(expected, in->items());
  };
}

enumeration_plan resident(unsigned blocks)
{
  enumeration_plan plan;
  plan.resident_blocks = blocks;
  return plan;
}
enumeration_plan of_launch(unsigned launch)
{
  enumeration_plan plan;
  plan.launch = launch;
  return plan;
}

} // namespace

const std::vector<protocol>& protocols()
{
  const enumeration_plan warps, one_at_a_time = resident(1);
  enumeration_plan spans = of_launch(1), digits = of_launch(2), parts, in_blocks;
  spans.actors = actor_unit::block;
  parts.actors = actor_unit::block;
  in_blocks.actors = actor_unit::block;
  digits.actors = actor_unit::block;
  digits.looks = next_look::any_written;
  enumeration_plan overlapping;
  overlapping.overlaps = true;
  static const std::vector<protocol> all = {
      {"scan/streaming", blocks_are::resident, warps, streaming<word>,
       "drop_publish early_retirement keep_ticket keep_finished"},
      {"scan/streaming_pairs", blocks_are::resident, warps, streaming_pairs, "first_word_only"},
      {"scan/streaming_flagged", blocks_are::resident, warps, streaming<words<10>>, "flag_before_value"},
      {"scan/streaming_serial", blocks_are::resident, one_at_a_time, streaming<word>, "ticket_by_block"},
      {"scan/streaming_wrap", blocks_are::resident, warps, streaming_wrap, "wrap_to_zero keep_words clear_own_words"},
      {"scan/one_tile", blocks_are::tiles, warps, one_tile<word>, "first_tile_retires"},
      {"scan/one_tile_pairs", blocks_are::tiles, warps, one_tile<affine<word>>, "first_word_only"},
      {"scan/one_tile_serial", blocks_are::tiles, one_at_a_time, one_tile<word>, ""},
      {"scan/one_tile_wrap", blocks_are::tiles, warps, one_tile_wrap, "wrap_to_zero keep_words clear_own_words"},
      {"scan/one_tile_twice", blocks_are::tiles, overlapping, one_tile_twice, "scan_too_early"},
      {"scan/streaming_twice", blocks_are::resident, overlapping, streaming_twice, "stream_too_early"},
      {"reduce", blocks_are::tiles, warps, reduction<word>, "every_block_writes keep_epoch"},
      {"reduce/flagged", blocks_are::tiles, warps, reduction<words<10>>, "flag_before_value"},
      {"reduce/serial", blocks_are::tiles, one_at_a_time, reduction<word>, "first_block_folds"},
      {"reduce/wrap", blocks_are::tiles, warps, reduction_wrap, "wrap_to_zero keep_words clear_own_words"},
      {"reduce/exact", blocks_are::tiles, parts, exact_sum, "exact_init_everywhere", false, true},
      {"reduce/twice", blocks_are::tiles, overlapping, reduction_twice, "reduce_too_early"},
      {"scan_then_reduce", blocks_are::tiles, overlapping, scan_then_reduction, "reduce_too_early"},
      {"by_key", blocks_are::resident, warps, by_key, ""},
      {"by_key/few_tiles", blocks_are::tiles, warps, by_key_few_tiles, "first_tile_retires"},
      {"selection", blocks_are::resident, warps, selection, ""},
      {"selection/few_tiles", blocks_are::tiles, warps, few_tiles, "first_tile_retires"},
      {"selection/few_tiles_serial", blocks_are::tiles, one_at_a_time, few_tiles, ""},
      {"selection/few_tiles_wrap", blocks_are::tiles, warps, few_tiles_wrap, "wrap_to_zero keep_words clear_own_words"},
      {"selection/few_tiles_twice", blocks_are::tiles, overlapping, few_tiles_twice, "few_tiles_too_early"},
      {"segments/chunks", blocks_are::fixed, warps, chunks, "join_unfinished"},
      {"segments/spans", blocks_are::fixed, warps, joined_spans, "keep_epoch"},
      {"segments/spans_serial", blocks_are::fixed, one_at_a_time, joined_spans, ""},
      {"segments/spans_wrap", blocks_are::fixed, warps, joined_spans_wrap, "wrap_to_zero keep_words"},
      {"segments/scan", blocks_are::fixed, spans, segmented_scan, "", true},
      {"segments/chunk_scan", blocks_are::resident, in_blocks, chunk_scan, "scan_unfolded keep_chunk_counts", true, true},
      {"search", blocks_are::fixed, warps, search, ""},
      {"sort/pass", blocks_are::tiles, digits, passes, "sort_skip_slot_wait sort_lose_own"},
  };
  return all;
}

} // namespace enumeration
