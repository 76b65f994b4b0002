// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The radix sort on the host: sizes, scratch memory, launches.
#pragma once

#include <reheat/detail/call_workspace.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/sort/buckets.cuh>
#include <reheat/detail/sort/bytes.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/few_keys.cuh>
#include <reheat/detail/sort/fill.cuh>
#include <reheat/detail/sort/halfword_block.cuh>
#include <reheat/detail/sort/halfwords.cuh>
#include <reheat/detail/sort/histogram.cuh>
#include <reheat/detail/sort/key.cuh>
#include <reheat/detail/sort/one_block.cuh>
#include <reheat/detail/sort/partition.cuh>
#include <reheat/detail/sort/pass.cuh>
#include <reheat/detail/sort/ranges.cuh>
#include <reheat/detail/sort/spread_buckets.cuh>
#include <reheat/detail/sort/starts.cuh>
#include <reheat/detail/sort/tuning.cuh>

#include <cmath>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Where scratch memory has what. Without `spare_items` it has no spare memory.
template <class Word, class Value>
class sort_layout
{
public:
  //! `spread_bits`: by which spread keys go to buckets. `range_begins`: of the sort by ranges.
  sort_layout(const sort_passes& passes, unsigned histogram_blocks, std::uint64_t slots, std::uint64_t spare_items,
              unsigned spread_bits, std::uint64_t range_begins)
  {
    const std::uint64_t digits = std::uint64_t{1} << passes.digit_bits;
    found_ = add(found_words(passes.count) * sizeof(std::uint32_t)); // at the front: tests and benchmarks read it
    few_ = add(may_be_few_v<Word> ? sizeof(sort_few_found) : 0);     // tests read it, too
    counts_ =
        add(histogram_blocks * (passes.count * digits + 1 + (spread_bits == 0 ? 0 : bit_words)) * sizeof(std::uint32_t));
    starts_ = add(passes.count * digits * sizeof(std::uint64_t));
    slots_ = add(slots * sizeof(std::uint64_t));
    spread_ = add(spread_bits == 0 ? 0 : (2 * digits + (std::uint64_t{1} << spread_bits)) * sizeof(std::uint32_t));
    spread_bits_ = spread_bits;
    digit_bits_ = passes.digit_bits;
    ranges_ = add(range_begins == 0 ? 0 : sizeof(sort_ranges<Word>));
    range_begins_ = add(range_begins * sizeof(std::uint16_t));
    keys_ = add(spare_items * sizeof(Word));
    values_ = add(spare_items * (has_values_v<Value> ? sizeof(Value) : 0));
  }
  static constexpr unsigned bit_words = 2 * sizeof(Word) / sizeof(std::uint32_t); //!< of a block of spread keys' histogram
  std::size_t bytes() const { return bytes_; }
  std::uint32_t* counts(void* memory) const { return at<std::uint32_t>(memory, counts_); }
  std::uint32_t* found(void* memory) const { return at<std::uint32_t>(memory, found_); }
  std::uint64_t* starts(void* memory) const { return at<std::uint64_t>(memory, starts_); }
  std::uint64_t* slots(void* memory) const { return at<std::uint64_t>(memory, slots_); }
  sort_spread spread(void* memory) const
  {
    auto* const words = at<std::uint32_t>(memory, spread_);
    const unsigned high = 1u << digit_bits_;
    return {spread_bits_, (spread_bits_ + 1) / 2, words, words + high, words + 2 * high};
  }
  sort_ranges<Word>* ranges(void* memory) const { return at<sort_ranges<Word>>(memory, ranges_); }
  std::uint16_t* range_begins(void* memory) const { return at<std::uint16_t>(memory, range_begins_); }
  sort_few_found* few(void* memory) const { return at<sort_few_found>(memory, few_); }
  sort_memory<Word, Value> spare(void* memory) const { return {at<Word>(memory, keys_), at<Value>(memory, values_)}; }

private:
  std::size_t add(std::size_t bytes)
  {
    const std::size_t begin = bytes_;
    bytes_ += (bytes + 255) / 256 * 256;
    return begin;
  }
  template <class T>
  static T* at(void* memory, std::size_t offset)
  {
    return reinterpret_cast<T*>(static_cast<unsigned char*>(memory) + offset);
  }
  std::size_t bytes_ = 0, counts_, found_, starts_, slots_, spread_, ranges_, range_begins_, few_, keys_, values_;
  unsigned spread_bits_, digit_bits_;
};

//! The sort of one type of word and value.
template <class Environment, class Word, bool IsFloat, class Value>
class radix_sort
{
  using tuning = sort_tuning<sizeof(Word), value_word<Value>::bytes>;
  template <sort_tiles Tiles>
  using tuning_of = sort_tuning<sizeof(Word), value_word<Value>::bytes, Tiles>;
  using form_type = key_form<Word, IsFloat>;
  static constexpr bool may_spread = may_be_spread_v<Word, IsFloat, Value>;

public:
  using output = sort_memory<Word, Value>;
  using input = sort_memory<const Word, const Value>;

  radix_sort(const Environment& env, std::uint64_t items, const form_type& form, int begin_bit, int end_bit)
      : env_(env), items_(items), form_(form), arch_(runtime::arch_of(&sort_pass_kernel<tuning, Word, IsFloat, Value>)),
        cfg_(tuning{}(arch_))
  {
    passes_.digit_bits = cfg_.digit_bits;
    passes_.begin_bit = static_cast<unsigned>(begin_bit);
    passes_.end_bit = static_cast<unsigned>(end_bit);
    passes_.count = (passes_.end_bit - passes_.begin_bit + cfg_.digit_bits - 1) / cfg_.digit_bits;
    passes_.rule = pass_rule::any;
  }

  unsigned passes() const { return passes_.count; }
  bool fits_one_block() const
  {
    if (are_counted_halfwords())
    {
      return items_ <= halfword_config().one_block_items;
    }
    return is_counted() ? items_ <= byte_config().one_block_items : items_ <= cfg_.one_block_items();
  }

  void in_one_block(const input& in, const output& out) const
  {
    if constexpr (sizeof(Word) == 1 && !has_values_v<Value>)
    {
      if (is_counted())
      {
        if constexpr (!runtime::only_measures_v<Environment>)
        {
          if (items_ <= byte_config().small_items)
          {
            bytes_in_one_block<sort_byte_tuning<true>>(in, out);
            return;
          }
          bytes_in_one_block<sort_byte_tuning<false>>(in, out);
        }
        return;
      }
    }
    if constexpr (sizeof(Word) == 2 && !has_values_v<Value> && !runtime::only_measures_v<Environment>)
    {
      if (are_counted_halfwords())
      {
        halfwords_in_one_block(in, out);
        return;
      }
    }
    if constexpr (!runtime::only_measures_v<Environment>)
    {
      if (items_ <= cfg_.small_block_items())
      {
        in_block_of<sort_small_tuning<tuning>>(in, out);
        return;
      }
      in_block_of<tuning>(in, out);
    }
  }

  //! `spare` is null if it is to be scratch memory.
  void in_passes(const input& in, const output& out, const output* spare, pass_rule rule)
  {
    if constexpr (sizeof(Word) == 1 && !has_values_v<Value>)
    {
      if (is_counted())
      {
        if (items_ <= byte_config().most_items)
        {
          bytes_in_two_launches(in, out);
          return;
        }
        by_filling(in, out);
        return;
      }
    }
    if constexpr (sizeof(Word) == 2 && !has_values_v<Value>)
    {
      if (are_counted_halfwords())
      {
        // With two arrays, and the result in the input's, the other one has room for what is found.
        halfwords_in_three_launches(in, out, rule == pass_rule::even ? spare : nullptr);
        return;
      }
    }
    passes_.rule = rule;
    const bool is_odd = passes_.count % 2 != 0;
    if (rule == pass_rule::any ? passes_.count == 0 : is_odd != (rule == pass_rule::odd))
    {
      ++passes_.count; // a pass without bits, which copies
    }
    if (passes_.count == 0 && !runtime::only_measures_v<Environment>)
    {
      return;
    }
    const std::uint64_t tile = std::uint64_t{cfg_.block_threads} * cfg_.items_per_thread;
    // H100, u32 keys: fewer large tiles than these leave multiprocessors without any, or with one where two would fit.
    if (items_ < cfg_.few_tiles * tile || shape_of_ranges().tiles != 0)
    {
      with_tiles<tuning_of<sort_tiles::few>>(in, out, spare);
      return;
    }
    if constexpr (has_values_v<Value>)
    {
      if (items_ >= cfg_.values_from_items)
      {
        with_tiles<tuning_of<sort_tiles::values>>(in, out, spare);
        return;
      }
    }
    with_tiles<tuning>(in, out, spare);
  }

private:
  template <class Tuning>
  void in_block_of(const input& in, const output& out) const
  {
    const auto kernel = &sort_one_block_kernel<Tuning, Word, IsFloat, Value>;
    const auto items = static_cast<unsigned>(items_);
    const sort_config cfg = Tuning{}(arch_);
    simt::shared_counter counter;
    const sort_one_block_shared<Word> shared(counter, cfg, one_block_room(cfg, items));
    static_cast<void>(shared);
    runtime::prepare(kernel, cfg.one_block_threads, counter.bytes());
    runtime::launch(
        env_,
        {1, cfg.one_block_threads, counter.bytes(), runtime::launch_kind::ordinary, runtime::launch_start::programmatic},
        kernel, in, out, items, passes_, form_);
  }
  //! Whether keys are bytes, sorted by all bits and without values, so that counts say what stands where.
  bool is_counted() const { return sizeof(Word) == 1 && !has_values_v<Value> && passes_.end_bit - passes_.begin_bit == 8; }
  sort_byte_config byte_config() const { return sort_byte_tuning<false>{}(arch_); }
  template <class Tuning>
  void bytes_in_one_block(const input& in, const output& out) const
  {
    const auto kernel = &sort_bytes_kernel<Tuning>;
    const unsigned threads = Tuning{}(arch_).threads;
    const std::size_t shared = byte_shared_bytes<Tuning>();
    runtime::prepare(kernel, threads, shared);
    runtime::launch(env_, {1, threads, shared, runtime::launch_kind::ordinary, runtime::launch_start::programmatic}, kernel,
                    in.keys, out.keys, static_cast<unsigned>(items_), form_);
  }
  template <class Tuning>
  std::size_t byte_shared_bytes() const
  {
    simt::shared_counter counter;
    const sort_byte_shared shared(counter, Tuning{}(arch_));
    static_cast<void>(shared);
    return counter.bytes();
  }
  void bytes_in_two_launches(const input& in, const output& out) const
  {
    using tuning_of_bytes = sort_byte_tuning<false>;
    const sort_byte_config cfg = byte_config();
    const auto items = static_cast<unsigned>(items_);
    const auto blocks_of = [&](unsigned tile)
    {
      const unsigned tiles = items / tile + 1;
      return tiles < cfg.blocks ? tiles : cfg.blocks;
    };
    const unsigned counting = blocks_of(cfg.count_items);
    with_workspace<std::uint32_t>(
        env_, {0, std::size_t{counting} * byte_values * sizeof(std::uint32_t)},
        [&](const workspace<std::uint32_t>& scratch)
        {
          const std::size_t shared = byte_shared_bytes<tuning_of_bytes>();
          const auto counts = &sort_byte_counts_kernel<tuning_of_bytes>;
          runtime::prepare(counts, cfg.threads, shared);
          runtime::launch(
              env_, {counting, cfg.threads, shared, runtime::launch_kind::ordinary, runtime::launch_start::programmatic},
              counts, in.keys, items, form_, scratch.values);
          const auto writes = &sort_byte_writes_kernel<tuning_of_bytes>;
          runtime::prepare(writes, cfg.threads, shared);
          runtime::launch(env_,
                          {blocks_of(cfg.vector_items()), cfg.threads, shared, runtime::launch_kind::ordinary,
                           runtime::launch_start::programmatic},
                          writes, static_cast<const std::uint32_t*>(scratch.values), counting, out.keys, items, form_);
        });
  }
  //! Of more keys that are bytes, from their histogram.
  void by_filling(const input& in, const output& out) const
  {
    const unsigned histogram_blocks = blocks_of_histogram(cfg_.histogram_blocks);
    const sort_layout<Word, Value> layout(passes_, histogram_blocks, 0, 0, 0, 0);
    with_workspace<unsigned char>(
        env_, {0, layout.bytes()},
        [&](const workspace<unsigned char>& scratch)
        {
          void* const memory = scratch.values;
          enqueue_histogram(in.keys, {}, layout, memory, histogram_blocks, 0, nullptr, false);
          const auto kernel = &sort_fill_kernel<tuning, Word>;
          simt::shared_counter shared;
          shared.array<std::uint64_t>(cfg_.digits() + 1);
          const std::uint64_t tile = fill_block_threads * 16, tiles = items_ / tile + 1;
          runtime::prepare(kernel, fill_block_threads, shared.bytes());
          runtime::launch(env_,
                          {tiles < cfg_.histogram_blocks ? static_cast<unsigned>(tiles) : cfg_.histogram_blocks,
                           fill_block_threads, shared.bytes(), runtime::launch_kind::ordinary,
                           runtime::launch_start::programmatic},
                          kernel, layout.starts(memory), out.keys, items_, form_);
        });
  }

  //! Whether keys have two bytes, and are sorted by all bits and without values, so that counts say what stands where.
  bool are_counted_halfwords() const
  {
    return sizeof(Word) == 2 && !has_values_v<Value> && passes_.end_bit - passes_.begin_bit == 16 &&
           items_ >= halfword_config().from_items &&
           library::device_traits_of(arch_).block_shared_bytes >= halfword_block_bytes();
  }
  sort_halfword_config halfword_config() const { return sort_halfword_tuning{}(arch_); }
  std::size_t halfword_block_bytes() const
  {
    simt::shared_counter counter;
    const sort_halfword_block_shared shared(counter, halfword_config());
    static_cast<void>(shared);
    return counter.bytes();
  }
  void halfwords_in_one_block(const input& in, const output& out) const
  {
    const auto kernel = &sort_halfwords_kernel<sort_halfword_tuning, IsFloat>;
    const unsigned threads = halfword_config().threads;
    const std::size_t shared = halfword_block_bytes();
    runtime::prepare(kernel, threads, shared);
    runtime::launch(env_, {1, threads, shared, runtime::launch_kind::ordinary, runtime::launch_start::programmatic}, kernel,
                    in.keys, out.keys, static_cast<unsigned>(items_), form_);
  }
  //! `spare`: memory for as many keys, or null.
  void halfwords_in_three_launches(const input& in, const output& out, const output* spare) const
  {
    const sort_halfword_config cfg = halfword_config();
    const auto blocks_of = [&](unsigned tile, unsigned most)
    {
      const std::uint64_t tiles = (items_ + tile - 1) / tile;
      return tiles < most ? static_cast<unsigned>(tiles) : most;
    };
    const unsigned counting = blocks_of(cfg.count_items, cfg.count_blocks);
    const unsigned warps = counting * (cfg.threads / library::warp_lanes);
    const std::size_t counters = halfword_values * sizeof(std::uint32_t);
    const std::size_t groups = halfword_groups * sizeof(std::uint64_t);
    // Counters of a block with fewer keys than their limit need no `high`. What bytes are asked for must not depend on
    // addresses, so the first key is taken to be at the worst place of a vector.
    const std::uint64_t vectors_max = (items_ - 1 + 2 * (halfword_vectors::keys - 1)) / halfword_vectors::keys + 1;
    const std::uint64_t rows = (vectors_max - 1) / (std::uint64_t{counting} * cfg.threads) + 1;
    const bool has_high = rows * cfg.threads * halfword_vectors::keys >= 1u << cfg.limit_log2;
    const std::size_t cleared = groups + (has_high ? 2 : 1) * counters;
    const std::size_t zeros = IsFloat ? (warps + counting) * sizeof(std::uint64_t) : 0,
                      signs = IsFloat && spare == nullptr ? items_ : 0;
    with_workspace<unsigned char>(
        env_, {0, cleared + zeros + signs},
        [&](const workspace<unsigned char>& scratch)
        {
          unsigned char* const memory = scratch.values;
          const sort_halfword_counts found{reinterpret_cast<std::uint32_t*>(memory + groups),
                                           has_high ? reinterpret_cast<std::uint32_t*>(memory + groups + counters) : nullptr,
                                           reinterpret_cast<std::uint64_t*>(memory),
                                           reinterpret_cast<std::uint64_t*>(memory + cleared),
                                           reinterpret_cast<std::uint64_t*>(memory + cleared) + warps,
                                           spare == nullptr ? memory + cleared + zeros
                                                            : reinterpret_cast<std::uint8_t*>(spare->keys)};
          enqueue_zeros(env_, memory, cleared);
          simt::shared_counter of_count, of_write;
          const sort_halfword_count_shared count_shared(of_count);
          const sort_halfword_write_shared write_shared(of_write, cfg);
          static_cast<void>(count_shared);
          static_cast<void>(write_shared);
          const auto counts = &sort_halfword_counts_kernel<sort_halfword_tuning, IsFloat>;
          runtime::prepare(counts, cfg.threads, of_count.bytes());
          runtime::launch(
              env_,
              {counting, cfg.threads, of_count.bytes(), runtime::launch_kind::ordinary, runtime::launch_start::programmatic},
              counts, in.keys, items_, form_, found);
          const std::uint64_t vectors = halfword_vectors(out.keys, items_).count();
          const std::uint64_t even = (vectors - 1) / blocks_of(cfg.write_items, cfg.write_blocks) + 1;
          const std::uint64_t share = even < halfword_share_max ? even : halfword_share_max;
          const auto writes = &sort_halfword_writes_kernel<sort_halfword_tuning, IsFloat>;
          runtime::prepare(writes, cfg.write_threads, of_write.bytes());
          runtime::launch(env_,
                          {static_cast<unsigned>((vectors - 1) / share + 1), cfg.write_threads, of_write.bytes(),
                           runtime::launch_kind::ordinary, runtime::launch_start::programmatic},
                          writes, found, warps, in.keys, out.keys, items_, share, form_);
        });
  }

  template <class Tuning>
  void with_tiles(const input& in, const output& out, const output* spare) const
  {
    const auto kernel = &sort_pass_kernel<Tuning, Word, IsFloat, Value>;
    const sort_config cfg = Tuning{}(arch_);
    simt::shared_counter counter;
    const sort_pass_shared<Word, Value> shared(counter, cfg);
    static_cast<void>(shared);
    simt::shared_counter of_list;
    const sort_few_list list(of_list);
    static_cast<void>(list);
    const std::size_t shared_bytes = counter.bytes() > of_list.bytes() ? counter.bytes() : of_list.bytes();
    const runtime::residency residency = runtime::prepare(kernel, cfg.block_threads, shared_bytes);
    const std::uint64_t tile = std::uint64_t{cfg.block_threads} * cfg.items_per_thread, tiles = (items_ + tile - 1) / tile;
    sort_passes largest = passes_; // in place or not
    largest.count = passes_.count < 2 ? 2 : (passes_.count + 1) / 2 * 2;
    const unsigned spread_bits = bits_of_spread();
    const std::uint64_t slots = tiles * cfg_.digits();
    const unsigned histogram_blocks = blocks_of_histogram(
        spread_bits == 0 || residency.multiprocessors > cfg_.histogram_blocks ? cfg_.histogram_blocks
                                                                              : residency.multiprocessors);
    const range_shape ranges = shape_of_ranges();
    const sort_layout<Word, Value> layout(largest, histogram_blocks, slots, spare == nullptr ? items_ : 0, spread_bits,
                                          ranges.begins());
    with_workspace<unsigned char>(
        env_, {0, layout.bytes()},
        [&](const workspace<unsigned char>& scratch)
        {
          void* const memory = scratch.values;
          sort_pass_params<Word, Value> params{in,
                                               out,
                                               spare == nullptr ? layout.spare(memory) : *spare,
                                               items_,
                                               0,
                                               passes_,
                                               layout.found(memory),
                                               layout.starts(memory),
                                               layout.slots(memory),
                                               may_be_few() ? layout.few(memory) : nullptr};
          if constexpr (may_spread)
          {
            if (ranges.tiles != 0)
            {
              enqueue_ranges(params, layout, memory, ranges);
            }
          }
          // Tables are where the first partition stores keys.
          const bool moves = ranges.tiles != 0 && in.keys == out.keys;
          enqueue_histogram(in.keys, {params.spare.keys, moves ? out.keys : nullptr}, layout, memory, histogram_blocks,
                            slots, passes_.rule == pass_rule::odd ? out.keys : params.spare.keys, ranges.tiles != 0);
          if constexpr (may_spread)
          {
            if (spread_bits != 0)
            {
              enqueue_partition(params, layout.spread(memory), true);
            }
          }
          if (ranges.tiles != 0)
          {
            enqueue_passes_in_one<Tuning>(params, static_cast<unsigned>(tiles), shared_bytes);
            return;
          }
          for (; params.pass < passes_.count; ++params.pass)
          {
            runtime::launch(env_,
                            {static_cast<unsigned>(tiles), cfg.block_threads, shared_bytes, runtime::launch_kind::in_order,
                             runtime::launch_start::programmatic},
                            kernel, params, form_);
          }
          if (may_use_buckets())
          {
            enqueue_buckets(params);
          }
          if constexpr (may_spread)
          {
            if (spread_bits != 0)
            {
              enqueue_partition(params, layout.spread(memory), false);
              enqueue_spread_buckets(params, layout.spread(memory));
            }
          }
        });
  }

  template <class Tuning>
  void enqueue_passes_in_one(const sort_pass_params<Word, Value>& params, unsigned tiles, std::size_t shared_bytes) const
  {
    if constexpr (may_spread && std::is_same_v<Tuning, tuning_of<sort_tiles::few>>)
    {
      const auto kernel = &sort_passes_kernel<Tuning, Word>;
      const unsigned threads = Tuning{}(arch_).block_threads;
      runtime::prepare(kernel, threads, shared_bytes);
      runtime::launch(env_,
                      {passes_.count * tiles, threads, shared_bytes, runtime::launch_kind::in_order,
                       runtime::launch_start::programmatic},
                      kernel, params, form_, tiles);
    }
  }

  //! Whether a sort by buckets may be what the device finds.
  bool may_use_buckets() const
  {
    return passes_.end_bit - passes_.begin_bit > 2 * cfg_.digit_bits && items_ <= cfg_.most_in_buckets();
  }
  void enqueue_buckets(const sort_pass_params<Word, Value>& params) const
  {
    const auto kernel = &sort_buckets_kernel<tuning, Word, IsFloat, Value>;
    simt::shared_counter counter;
    const sort_one_block_shared<Word> shared(counter, cfg_, cfg_.bucket_items());
    static_cast<void>(shared);
    runtime::prepare(kernel, cfg_.one_block_threads, counter.bytes());
    runtime::launch(env_,
                    {cfg_.digits(), cfg_.one_block_threads, counter.bytes(), runtime::launch_kind::ordinary,
                     runtime::launch_start::programmatic},
                    kernel, params, form_);
  }

  //! A sort by ranges.
  struct range_shape
  {
    unsigned rows;  //!< of a tile
    unsigned tiles; //!< 0: no such sort
    unsigned buckets;
    std::uint64_t begins() const { return tiles == 0 ? 0 : std::uint64_t{tiles} * (buckets + 1); }
  };
  range_shape shape_of_ranges() const
  {
    range_shape shape{cfg_.range_items_per_thread / 4, 0, 32};
    if constexpr (may_spread)
    {
      const bool all_bits = passes_.begin_bit == 0 && passes_.end_bit == 8 * sizeof(Word);
      // Where the input is spare memory, tiles would be stored where other blocks look for a sample.
      if (!all_bits || !may_use_buckets() || passes_.rule == pass_rule::odd || cfg_.range_items_per_thread == 0)
      {
        return shape;
      }
      while (shape.buckets < cfg_.digits() && items_ > std::uint64_t{shape.buckets} * cfg_.range_keys)
      {
        shape.buckets *= 2;
      }
      const auto tiles = [&] { return (items_ - 1) / (std::uint64_t{cfg_.range_threads} * shape.rows) + 1; };
      while (shape.rows < cfg_.range_items_per_thread && tiles() > cfg_.range_tiles)
      {
        ++shape.rows;
      }
      shape.tiles = tiles() <= cfg_.one_block_threads ? static_cast<unsigned>(tiles()) : 0;
    }
    return shape;
  }
  void enqueue_ranges(const sort_pass_params<Word, no_values>& sort, const sort_layout<Word, Value>& layout, void* memory,
                      const range_shape& shape) const
  {
    // Of a sample, as many as a block's keys are of all, and 4.5 times the square root of that.
    const double expected = 2.0 * cfg_.range_threads * cfg_.bucket_items() / static_cast<double>(items_);
    const sort_ranges_params<Word> params{sort.in.keys,
                                          sort.spare.keys,
                                          sort.out.keys,
                                          static_cast<std::uint32_t>(items_),
                                          shape.rows,
                                          shape.tiles,
                                          shape.buckets,
                                          static_cast<unsigned>(expected + 4.5 * std::sqrt(expected)),
                                          layout.found(memory) + ranges_word(passes_.count),
                                          layout.ranges(memory),
                                          layout.range_begins(memory),
                                          passes_};
    const auto tiles = &sort_ranges_kernel<tuning, Word>;
    simt::shared_counter of_tile;
    const sort_ranges_shared<Word> shared(of_tile, cfg_, shape.rows);
    static_cast<void>(shared);
    runtime::prepare(tiles, cfg_.range_threads, of_tile.bytes());
    runtime::launch(env_,
                    {shape.tiles, cfg_.range_threads, of_tile.bytes(), runtime::launch_kind::ordinary,
                     runtime::launch_start::programmatic},
                    tiles, params, form_);
    const auto buckets = &sort_range_buckets_kernel<tuning, Word>;
    simt::shared_counter of_bucket;
    const sort_range_bucket_shared<Word> shared_of_bucket(of_bucket, cfg_);
    static_cast<void>(shared_of_bucket);
    runtime::prepare(buckets, cfg_.one_block_threads, of_bucket.bytes());
    runtime::launch(env_,
                    {shape.buckets, cfg_.one_block_threads, of_bucket.bytes(), runtime::launch_kind::ordinary,
                     runtime::launch_start::programmatic},
                    buckets, params, form_);
  }

  //! By how many bits keys go to buckets if they are spread; 0: they are sorted as others are.
  unsigned bits_of_spread() const
  {
    const bool all_bits = passes_.begin_bit == 0 && passes_.end_bit == 8 * sizeof(Word);
    // Kernels of few tiles and of buckets do not ask whether keys are spread.
    const std::uint64_t tile = std::uint64_t{cfg_.block_threads} * cfg_.items_per_thread;
    const bool are_few = items_ < cfg_.few_tiles * tile || may_use_buckets();
    return may_spread && all_bits && !are_few ? cfg_.spread_bits_of(items_) : 0;
  }
  //! The first one is in front of the passes, and says whether they have anything to do.
  void enqueue_partition(const sort_pass_params<Word, no_values>& params, const sort_spread& spread, bool is_first) const
  {
    const auto partition = &sort_partition_kernel<tuning, Word>;
    simt::shared_counter counter;
    const sort_partition_shared<Word> shared(counter, cfg_);
    static_cast<void>(shared);
    const runtime::residency residency = runtime::prepare(partition, cfg_.spread_threads, counter.bytes());
    const std::uint64_t tile = std::uint64_t{cfg_.spread_threads} * cfg_.spread_items_per_thread;
    const std::uint64_t tiles = items_ / tile + (is_first ? 1 : cfg_.digits());
    runtime::launch(env_,
                    {tiles < residency.blocks ? static_cast<unsigned>(tiles) : residency.blocks, cfg_.spread_threads,
                     counter.bytes(), runtime::launch_kind::ordinary, runtime::launch_start::programmatic},
                    partition, params, spread, form_, is_first);
  }
  void enqueue_spread_buckets(const sort_pass_params<Word, no_values>& params, const sort_spread& spread) const
  {
    const auto sort = &sort_spread_buckets_kernel<tuning, Word>;
    simt::shared_counter in_bucket;
    const sort_spread_buckets_shared<Word> shared_in_bucket(in_bucket, cfg_);
    static_cast<void>(shared_in_bucket);
    const unsigned resident = runtime::prepare(sort, cfg_.one_block_threads, in_bucket.bytes()).blocks;
    // More blocks than fit, but 16 buckets for each: NVIDIA H200, 2^28 keys, us, 1056 blocks in place of 264: u32 1283 and
    // 1322, u64 2196 and 2295; 2^22 u64, with 4 buckets for each block, 132.8 and 128.7 for the whole sort.
    const unsigned buckets = 1u << spread.bits, most = buckets / 16 < 4 * resident ? buckets / 16 : 4 * resident;
    const unsigned least = buckets < resident ? buckets : resident;
    runtime::launch(env_,
                    {most < least ? least : most, cfg_.one_block_threads, in_bucket.bytes(), runtime::launch_kind::ordinary,
                     runtime::launch_start::programmatic},
                    sort, params, spread, form_);
  }

  unsigned blocks_of_histogram(unsigned most) const
  {
    constexpr std::uint64_t vectors = 4 * 16 / sizeof(Word);
    const std::uint64_t tile = cfg_.histogram_threads * vectors, tiles = (items_ + tile - 1) / tile;
    return tiles < most ? static_cast<unsigned>(tiles) : most;
  }

  //! `tables`: memory for the tables of blocks, if keys may be spread.
  void enqueue_histogram(const Word* keys, const sort_moved_keys<Word>& moved, const sort_layout<Word, Value>& layout,
                         void* memory, unsigned blocks, std::uint64_t slots, Word* tables, bool has_ranges) const
  {
    if constexpr (may_spread)
    {
      if (layout.spread(memory).bits != 0)
      {
        enqueue_histogram_of<true>(keys, moved, layout, memory, blocks, slots, tables, has_ranges);
        enqueue_histogram_of<false>(keys, moved, layout, memory, blocks, 0, nullptr, has_ranges);
        return;
      }
    }
    enqueue_histogram_of<false>(keys, moved, layout, memory, blocks, slots, tables, has_ranges);
  }
  template <bool MayBeSpread>
  void enqueue_histogram_of(const Word* keys, const sort_moved_keys<Word>& moved, const sort_layout<Word, Value>& layout,
                            void* memory, unsigned blocks, std::uint64_t slots, Word* tables, bool has_ranges) const
  {
    const auto histogram = &sort_histogram_kernel<tuning, Word, IsFloat, MayBeSpread>;
    const bool all_bits = passes_.begin_bit == 0 && passes_.end_bit == 8 * sizeof(Word);
    sort_histogram_params params{items_,
                                 passes_,
                                 0,
                                 0,
                                 !all_bits,
                                 layout.counts(memory),
                                 reinterpret_cast<std::uint32_t*>(tables),
                                 cfg_.table_word_log2(),
                                 layout.found(memory),
                                 layout.slots(memory),
                                 slots,
                                 !has_ranges && may_use_buckets() ? cfg_.bucket_items() : 0,
                                 MayBeSpread ? layout.spread(memory) : sort_spread{},
                                 has_ranges,
                                 MayBeSpread ? layout.bit_words : 0,
                                 !MayBeSpread && layout.spread(memory).bits != 0,
                                 nullptr};
    // A second histogram only counts digits that were sampled.
    params.few = may_be_few() && !params.is_second ? layout.few(memory) : nullptr;
    const auto copies_log2 = [&](unsigned passes, std::size_t bytes)
    {
      unsigned log2 = 0;
      while (log2 < 5 && ((passes * cfg_.digits()) << (log2 + 1)) * sizeof(std::uint32_t) <= bytes)
      {
        ++log2;
      }
      return log2;
    };
    params.copies_log2 = copies_log2(passes_.count, cfg_.histogram_bytes);
    if (MayBeSpread)
    {
      params.copies_log2_with_table = copies_log2(
          params.passes_beside_table(), cfg_.spread_histogram_bytes - params.table_words() * sizeof(std::uint32_t));
    }
    simt::shared_counter shared;
    shared.array<std::uint32_t>(params.counters(), 16);
    shared.array<Word>(2 * cfg_.histogram_threads / simt::warp_lanes);
    shared.array<std::uint32_t>(histogram_flags);
    runtime::prepare(histogram, cfg_.histogram_threads, shared.bytes());
    runtime::launch(env_,
                    {blocks, cfg_.histogram_threads, shared.bytes(), runtime::launch_kind::ordinary,
                     runtime::launch_start::programmatic},
                    histogram, keys, moved, form_, params);
    enqueue_starts<MayBeSpread>(keys, params, blocks, layout.starts(memory));
  }
  //! Whether the device looks for few values.
  bool may_be_few() const
  {
    const bool all_bits = passes_.begin_bit == 0 && passes_.end_bit == 8 * sizeof(Word);
    return may_be_few_v<Word> && passes_.count > 1 && (has_values_v<Value> || all_bits) && items_ >= few_sample_of(cfg_) &&
           items_ >= cfg_.few_from_items;
  }
  //! Behind the histogram, which has `blocks`.
  template <bool MayBeSpread>
  void enqueue_starts(const Word* keys, const sort_histogram_params& params, unsigned blocks, std::uint64_t* result) const
  {
    const auto starts = &sort_starts_kernel<tuning, Word, IsFloat, Value, MayBeSpread>;
    simt::shared_counter sums, of_values;
    sums.array<std::uint64_t>(4 * cfg_.digits());
    sums.array<std::uint64_t>(simt::warp_lanes);
    sums.array<std::uint32_t>(starts_flags);
    const sort_few_shared<Word, has_values_v<Value>> shared(of_values, 4 * cfg_.digits());
    static_cast<void>(shared);
    const std::size_t bytes = params.few == nullptr || sums.bytes() > of_values.bytes() ? sums.bytes() : of_values.bytes();
    const unsigned multiprocessors = runtime::prepare(starts, 4 * cfg_.digits(), bytes).multiprocessors;
    const unsigned adding = passes_.count + 1 + (params.spread.bits == 0 ? 0 : 1u << params.spread.high);
    const unsigned looking = params.few == nullptr ? 0 : blocks_of_histogram(multiprocessors);
    runtime::launch(
        env_,
        {adding + looking, 4 * cfg_.digits(), bytes, runtime::launch_kind::ordinary, runtime::launch_start::programmatic},
        starts, keys, form_, params, blocks, adding, result);
  }

  const Environment& env_;
  std::uint64_t items_;
  form_type form_;
  int arch_;
  sort_config cfg_;
  sort_passes passes_;
};

template <class Key, class Value, class Environment>
auto radix_sort_of(const Environment& env, std::uint64_t items, sort_order order, int begin_bit, int end_bit)
{
  using key = sort_key<Key>;
  static_assert(key::exists, "keys are numbers");
  using word = typename key::word;
  const word inverted = order == sort_order::descending ? static_cast<word>(~word(0)) : word(0);
  return radix_sort<Environment, word, key::is_float, typename value_word<Value>::type>(
      env, items, {static_cast<word>(key::flips ^ inverted), static_cast<word>(key::negative_flips ^ inverted)}, begin_bit,
      end_bit);
}

//! The contract is algorithms::enqueue_sort's.
template <class Environment, class Key, class Value>
void enqueue_radix_sort(const Environment& env, const sort_arrays<Key, Value>& arrays, std::uint64_t items, sort_order order,
                        int begin_bit, int end_bit)
{
  auto sort = radix_sort_of<Key, Value>(env, items, order, begin_bit, end_bit);
  using word = typename sort_key<Key>::word;
  using value = typename value_word<Value>::type;
  const typename decltype(sort)::input in{reinterpret_cast<const word*>(arrays.keys_in),
                                          reinterpret_cast<const value*>(arrays.values_in)};
  const typename decltype(sort)::output out{reinterpret_cast<word*>(arrays.keys_out),
                                            reinterpret_cast<value*>(arrays.values_out)};
  if (sort.fits_one_block())
  {
    sort.in_one_block(in, out);
    return;
  }
  sort.in_passes(in, out, nullptr, in.keys == out.keys ? pass_rule::even : pass_rule::any);
}

//! The contract is algorithms::enqueue_sort_double_buffer's.
template <class Environment, class Key, class Value>
bool enqueue_radix_sort_double_buffer(const Environment& env, Key* keys_current, Key* keys_alternate, Value* values_current,
                                      Value* values_alternate, std::uint64_t items, sort_order order, int begin_bit,
                                      int end_bit)
{
  auto sort = radix_sort_of<Key, Value>(env, items, order, begin_bit, end_bit);
  using word = typename sort_key<Key>::word;
  using value = typename value_word<Value>::type;
  using memory = typename decltype(sort)::output;
  const memory current{reinterpret_cast<word*>(keys_current), reinterpret_cast<value*>(values_current)},
      alternate{reinterpret_cast<word*>(keys_alternate), reinterpret_cast<value*>(values_alternate)};
  const typename decltype(sort)::input in{current.keys, current.values};
  if (sort.fits_one_block())
  {
    sort.in_one_block(in, current);
    return false;
  }
  const bool is_odd = sort.passes() % 2 != 0;
  sort.in_passes(in, is_odd ? alternate : current, is_odd ? &current : &alternate,
                 is_odd ? pass_rule::odd : pass_rule::even);
  return is_odd;
}

} // namespace detail
REHEAT_NAMESPACE_END
