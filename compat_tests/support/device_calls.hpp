// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls of reheat's device-wide classes: the two phases, memory for the second one, and a call of every entry point.
#pragma once

#include "calls.hpp"
#include "host_calls.hpp"
#include "machine.hpp"
#include "memory.hpp"
#include "segments.hpp"

#include <reheat/device.cuh>

#include <cub/util_type.cuh> // FutureValue, KeyValuePair

#if !defined(REHEAT_EMULATED)
#  include <cub/device/device_partition.cuh>
#  include <cub/device/device_radix_sort.cuh>
#  include <cub/device/device_reduce.cuh>
#  include <cub/device/device_run_length_encode.cuh>
#  include <cub/device/device_scan.cuh>
#  include <cub/device/device_segmented_reduce.cuh>
#  include <cub/device/device_select.cuh>
#endif

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace compat
{

// ---- who is called ------------------------------------------------------------------------------------------------------

//! Calls go through an object, so that one text calls reheat and, on the GPU, CUB.
struct reheat_api
{
  static constexpr const char* name = "reheat";
  reheat::DeviceReduce reduce;
  reheat::DeviceScan scan;
  reheat::DeviceSelect select;
  reheat::DevicePartition partition;
  reheat::DeviceRunLengthEncode run_lengths;
  reheat::DeviceRadixSort sort;
  reheat::DeviceSegmentedReduce segmented_reduce;
  reheat::DeviceSegmentedScan segmented_scan;
};
#if !defined(REHEAT_EMULATED)
struct cub_api
{
  static constexpr const char* name = "CUB";
  ::cub::DeviceReduce reduce;
  ::cub::DeviceScan scan;
  ::cub::DeviceSelect select;
  ::cub::DevicePartition partition;
  ::cub::DeviceRunLengthEncode run_lengths;
  ::cub::DeviceRadixSort sort;
  ::cub::DeviceSegmentedReduce segmented_reduce; // CUB 3.0.1 has no DeviceSegmentedScan
};
#endif

#if defined(REHEAT_EMULATED)
inline constexpr reheat::status_type invalid_value = reheat::runtime::status_type::invalid_value;
#else
inline constexpr reheat::status_type invalid_value = cudaErrorInvalidValue;
#endif

inline void check_status(const std::string& what, reheat::status_type expected, reheat::status_type actual)
{
  BOOST_TEST((actual == expected),
             what << ": status " << static_cast<int>(actual) << ", expected " << static_cast<int>(expected));
}

// ---- the caller's memory ------------------------------------------------------------------------------------------------

//! What a block is full of before a call.
enum class content
{
  ones,   //!< all bits are set
  noise,  //!< no word like another
  tags,   //!< words that carry the tags of first launches, each with another value
  flipped //!< likewise, with the halves of each word changed over
};
inline constexpr content all_contents[] = {content::ones, content::noise, content::tags, content::flipped};

//! `bytes` bytes at an address that is `offset` behind a multiple of 256, between guards that nobody may write.
class temp_block
{
public:
  temp_block(std::size_t bytes, std::size_t offset, content what)
      : bytes_(bytes), memory_(2 * guard + 256 + bytes), host_(memory_.size())
  {
    const auto address = reinterpret_cast<std::uintptr_t>(raw(memory_)) + guard;
    begin_ = guard + (256 + offset - address % 256) % 256;
    fill(what);
  }
  void fill(content what)
  {
    const std::size_t before_word = (8 - reinterpret_cast<std::uintptr_t>(raw(memory_)) % 8) % 8;
    for (std::size_t i = 0; i < host_.size(); ++i)
    {
      const std::uint64_t word = word_of(what, (i + 8 - before_word) / 8);
      host_[i] = static_cast<unsigned char>(word >> (i + 8 - before_word) % 8 * 8);
    }
    wait_for_all_streams();
    copy_bytes(raw(memory_), host_.data(), host_.size());
  }
  void* get() { return raw(memory_) + begin_; }
  std::size_t bytes() const { return bytes_; }
  //! Whether nothing outside has been written.
  bool is_sound() const
  {
    const std::vector<unsigned char> now = to_host(memory_);
    const std::size_t end = begin_ + bytes_;
    return std::memcmp(now.data(), host_.data(), begin_) == 0 &&
           std::memcmp(now.data() + end, host_.data() + end, host_.size() - end) == 0;
  }
  void check(const std::string& what) const
  {
    BOOST_TEST(is_sound(), what << ": memory beside the caller's " << bytes_ << " bytes was written");
  }

private:
  static constexpr std::size_t guard = 256;

  static std::uint64_t word_of(content what, std::size_t index)
  {
    const std::uint64_t noise = mix(index), tag = 1 + index / 4 % 3;
    switch (what)
    {
      case content::ones:
        return ~std::uint64_t{0};
      case content::noise:
        return noise;
      case content::tags:
        return noise << 32 | tag;
      default:
        return tag << 32 | noise >> 32;
    }
  }

  std::size_t bytes_, begin_ = 0;
  thrust::device_vector<unsigned char> memory_;
  std::vector<unsigned char> host_;
};

//! What `call(memory, bytes, stream)` asks for.
template <class Call>
std::size_t bytes_of_call(const std::string& what, Call&& call, reheat::stream_type where = default_stream())
{
  std::size_t bytes = 0;
  check_status(what + ", asked for its memory", reheat::runtime::success, call(nullptr, bytes, where));
  BOOST_TEST(bytes >= 1u, what << ": wants " << bytes << " bytes");
  return bytes;
}

//! Both phases, with exactly as much memory as the first one asks for. Waits.
template <class Call>
void two_phases(const std::string& what, Call&& call, reheat::stream_type where = default_stream(), std::size_t offset = 1,
                content before = content::tags)
{
  std::size_t bytes = bytes_of_call(what, call, where);
  temp_block block(bytes, offset, before);
  check_status(what, reheat::runtime::success, call(block.get(), bytes, where));
  BOOST_TEST(bytes == block.bytes(), what << ": the size of the memory was changed");
  wait_for_all_streams();
  block.check(what);
}

//! Whether a call is made of CUB, too, on a GPU.
enum class beside
{
  cub,
  nothing
};

//! `call(api, output, memory, bytes, stream)` leaves `expected`, and nothing behind it.
template <beside Other = beside::cub, class Out, class Call>
void check_gives(const std::string& what, const std::vector<Out>& expected, Call call)
{
  const auto check = [&](auto api)
  {
    const std::string whose = what + ", " + api.name;
    placed<Out> out(expected.size(), placement::misaligned);
    two_phases(whose, [&](void* memory, std::size_t& bytes, reheat::stream_type stream)
               { return call(api, out.begin(), memory, bytes, stream); });
    check_same(whose, expected, out.items());
  };
  check(reheat_api{});
#if !defined(REHEAT_EMULATED)
  if constexpr (Other == beside::cub)
  {
    check(cub_api{});
  }
#endif
}

// ---- a call of every entry point ----------------------------------------------------------------------------------------

//! What some calls leave instead of a range.
struct device_numbers
{
  std::uint32_t folded, runs;
  std::int64_t index;
  ::cub::KeyValuePair<int, std::uint32_t> pair;
};

//! Which buffers hold the results of a sort between double buffers: 0, those of its input, or 1.
struct buffer_selectors
{
  int items, keys;
};

//! Where calls find their input and leave their output.
struct device_places
{
  using u32 = std::uint32_t;

  std::size_t size, segments;
  const u32 *in, *keys;
  const u32* begins;     //!< of segments; each ends where the next one begins
  const u32* ends;       //!< of the same segments with gaps behind them
  const u32* out_begins; //!< where segments with gaps go
  const u32* first;      //!< the initial value of scans that find it in memory
  u32 *data, *keys_data; //!< items and keys, input and output of calls in place
  u32 *out, *keys_out;
  u32 *folded, *runs; //!< parts of device_numbers
  std::int64_t* index;
  ::cub::KeyValuePair<int, u32>* pair;
  ::cub::KeyValuePair<int, u32>* pairs; //!< one for each item
  buffer_selectors* selectors;          //!< on the host; the second phase of a sort between double buffers sets them
};

//! Where segments of `size` items begin, and where the last one ends. There are at most as many as items. Every eighth is
//! empty, and a few are long.
inline std::vector<std::uint32_t> make_segment_begins(std::size_t size)
{
  std::vector<std::uint32_t> begins{0};
  for (std::size_t segment = 0; begins.back() < size; ++segment)
  {
    const std::size_t length = segment % 8 == 3 ? 0 : segment % 64 == 9 ? 300 : 2 + mix(segment) % 7;
    begins.push_back(static_cast<std::uint32_t>(std::min(size, begins.back() + length)));
  }
  return begins;
}

//! Input and output of calls.
class device_memory
{
public:
  using u32 = std::uint32_t;
  using pair = ::cub::KeyValuePair<int, u32>;
  static constexpr u32 untouched = 0xabcdef01u;

  explicit device_memory(std::size_t size)
      : keys_host_(make_keys(size, segments::of_few, scan_by_key_tile<u32>())), begins_host_(make_segment_begins(size)),
        keys_(to_device(keys_host_)), in_(size), data_(size), keys_data_(size), out_(size), keys_out_(size), first_(1),
        numbers_(sizeof(device_numbers)), begins_(to_device(begins_host_)), pairs_(size * sizeof(pair))
  {
    for (std::size_t s = 0; s < segment_count(); ++s)
    {
      const u32 begin = begins_host_[s], end = begins_host_[s + 1];
      ends_host_.push_back(end - begin > 2 ? end - 1 : end);
      out_begins_host_.push_back(static_cast<u32>(size) - end);
    }
    ends_ = to_device(ends_host_);
    out_begins_ = to_device(out_begins_host_);
    set(make_items<u32>(size), 7);
  }
  device_memory(const device_memory&) = delete; // calls know where it is
  device_memory& operator=(const device_memory&) = delete;
  void set(const std::vector<u32>& items, u32 first)
  {
    items_ = items;
    set_first(first);
    wait_for_all_streams();
    copy_bytes(raw(in_), items_.data(), items_.size() * sizeof(u32));
    forget();
  }
  //! The initial value that calls find in memory.
  void set_first(u32 first)
  {
    first_host_ = first;
    wait_for_all_streams();
    copy_bytes(raw(first_), &first, sizeof first);
  }
  //! What calls have left is gone, and the input of calls in place is back.
  void forget()
  {
    const std::vector<u32> nothing(items_.size(), untouched);
    const std::vector<u32> no_pairs(2 * items_.size(), untouched);
    const device_numbers none = no_numbers();
    wait_for_all_streams();
    copy_bytes(raw(data_), items_.data(), items_.size() * sizeof(u32));
    copy_bytes(raw(keys_data_), keys_host_.data(), keys_host_.size() * sizeof(u32));
    copy_bytes(raw(out_), nothing.data(), nothing.size() * sizeof(u32));
    copy_bytes(raw(keys_out_), nothing.data(), nothing.size() * sizeof(u32));
    copy_bytes(raw(numbers_), &none, sizeof none);
    copy_bytes(raw(pairs_), no_pairs.data(), no_pairs.size() * sizeof(u32));
  }

  const std::vector<u32>& items() const { return items_; }
  const std::vector<u32>& keys() const { return keys_host_; }
  std::size_t segment_count() const { return begins_host_.size() - 1; }
  const std::vector<u32>& begins() const { return begins_host_; }
  const std::vector<u32>& ends() const { return ends_host_; }
  const std::vector<u32>& out_begins() const { return out_begins_host_; }
  u32 first() const { return first_host_; }
  u32* first_in_memory() { return raw(first_); }
  buffer_selectors selectors() const { return selectors_; }
  device_places places()
  {
    device_numbers* const numbers = reinterpret_cast<device_numbers*>(raw(numbers_));
    return {items_.size(),
            segment_count(),
            raw(in_),
            raw(keys_),
            raw(begins_),
            raw(ends_),
            raw(out_begins_),
            raw(first_),
            raw(data_),
            raw(keys_data_),
            raw(out_),
            raw(keys_out_),
            &numbers->folded,
            &numbers->runs,
            &numbers->index,
            &numbers->pair,
            reinterpret_cast<pair*>(raw(pairs_)),
            &selectors_};
  }
  static device_numbers no_numbers() { return {untouched, untouched, untouched, pair(-1, untouched)}; }

  std::vector<u32> data_now() const { return to_host(data_); }
  std::vector<u32> keys_data_now() const { return to_host(keys_data_); }
  std::vector<u32> out_now() const { return to_host(out_); }
  std::vector<u32> keys_out_now() const { return to_host(keys_out_); }
  //! Index and value of each.
  std::vector<u32> pairs_now() const
  {
    const std::vector<unsigned char> bytes = to_host(pairs_);
    std::vector<u32> now(bytes.size() / sizeof(u32));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<unsigned char*>(now.data()));
    return now;
  }
  device_numbers numbers_now() const
  {
    const std::vector<unsigned char> bytes = to_host(numbers_);
    device_numbers now = no_numbers();
    std::memcpy(static_cast<void*>(&now), bytes.data(), sizeof now);
    return now;
  }

private:
  static_assert(sizeof(pair) == 2 * sizeof(u32));

  std::vector<u32> keys_host_, items_, begins_host_, ends_host_, out_begins_host_;
  u32 first_host_ = 0;
  buffer_selectors selectors_{};
  thrust::device_vector<u32> keys_, in_, data_, keys_data_, out_, keys_out_, first_;
  thrust::device_vector<unsigned char> numbers_;
  thrust::device_vector<u32> begins_, ends_, out_begins_;
  thrust::device_vector<unsigned char> pairs_;
};

//! Where a call leaves the items that a test expects in `out` and `keys_out`.
enum class left_in
{
  outputs,
  inputs,        //!< `out` in the place of the input
  double_buffers //!< where the selectors say; what the other buffers hold is not said
};

//! What a call leaves. Everything else stays as it was.
struct device_output
{
  using u32 = std::uint32_t;

  device_numbers numbers = device_memory::no_numbers();
  std::vector<u32> out, keys_out; //!< the first items
  std::vector<u32> pairs;         //!< index and value of each segment's
  left_in place = left_in::outputs;

  //! Whether a second call does not find its input.
  bool is_in_place() const { return place != left_in::outputs; }

  void check(const std::string& what, const device_memory& memory) const
  {
    const buffer_selectors selected = memory.selectors();
    const bool buffers = place == left_in::double_buffers, key_buffers = buffers && !keys_out.empty();
    if (buffers)
    {
      check_same(what + ", the selected buffer", out, selected.items == 0 ? memory.data_now() : memory.out_now());
    }
    else
    {
      const bool in_place = place == left_in::inputs;
      check_same(what + ", input and output of calls in place", in_place ? out : memory.items(), memory.data_now());
      check_beginning(what, in_place ? std::vector<u32>{} : out, memory.out_now());
    }
    if (key_buffers)
    {
      check_same(what + ", the selected buffer of keys", keys_out,
                 selected.keys == 0 ? memory.keys_data_now() : memory.keys_out_now());
    }
    else
    {
      check_same(what + ", keys of calls in place", memory.keys(), memory.keys_data_now());
      check_beginning(what + ", keys", keys_out, memory.keys_out_now());
    }
    check_beginning(what + ", pairs", pairs, memory.pairs_now());
    check_same(what + ", numbers", listed(numbers), listed(memory.numbers_now()));
  }

private:
  static void check_beginning(const std::string& what, std::vector<u32> expected, const std::vector<u32>& actual)
  {
    expected.resize(actual.size(), device_memory::untouched);
    check_same(what, expected, actual);
  }
  static std::vector<std::int64_t> listed(const device_numbers& from)
  {
    return {from.folded, from.runs, from.index, from.pair.key, from.pair.value};
  }
};

struct device_call
{
  std::string name; //!< the function's, and what else there is to say
  std::function<reheat::status_type(void*, std::size_t&, reheat::stream_type)> call;
  device_output expected; //!< of the items and the initial value that the memory held at that time

  bool is_of(const char* beginning) const { return name.rfind(beginning, 0) == 0; }
  bool is_sort() const { return is_of("DeviceRadixSort"); }
  bool has_gaps() const { return name.find(", gaps") != std::string::npos; }
  bool is_of_segments() const { return is_of("DeviceSegmented"); }
  //! Whether it launches nothing and stores nothing if there are no items.
  bool needs_items() const { return is_sort() || is_of_segments() || is_of("DeviceScan"); }
  //! Scans of segments with gaps have a block for each. What memory adjacent ones need is asked for, but they use none.
  bool uses_memory() const { return !is_of("DeviceSegmentedScan") || !has_gaps(); }
  //! Segments of one size may all be short enough for a block each.
  bool may_need_no_memory() const { return name.find(", of one size") != std::string::npos; }
  //! Of a sort: one for each digit, and seven if keys may be spread, which are four in front of the first partition, two
  //! partitions and the sort of buckets.
  std::size_t max_launches() const;

  //! Both phases, in memory of content `before` at `offset`.
  void check(const std::string& where, device_memory& memory, std::size_t offset = 1, content before = content::tags,
             reheat::stream_type stream = default_stream()) const
  {
    memory.forget();
    two_phases(where + ", " + name, call, stream, offset, before);
    expected.check(where + ", " + name, memory);
  }
};

//! A call of every entry point: those with a functor of the user's fold by one that does not commute. Numbers of items have
//! different types.
std::vector<device_call> device_calls(device_memory& memory);
//! The same calls at `places`. No output is expected of them yet.
std::vector<device_call> device_calls_at(const device_places& places);
//! Sets the output that a test expects of each call. It is the same for reheat and for CUB.
void expect_outputs(std::vector<device_call>& calls, const device_memory& memory);
#if !defined(REHEAT_EMULATED)
//! The same calls of CUB's.
std::vector<device_call> device_calls_of_cub(device_memory& memory);
#endif

//! Sizes around what a warp, one block and a tile of each kernel takes, and many tiles.
std::vector<std::size_t> device_call_sizes();
//! More than one block of every kernel, and not many.
std::size_t several_blocks();

} // namespace compat
