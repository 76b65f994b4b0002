// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls of reheat::DeviceReduce, DeviceScan, DeviceSelect, DevicePartition and DeviceRunLengthEncode: the two phases,
//! memory for the second one, and a call of every entry point.
#pragma once

#include "calls.hpp"
#include "host_calls.hpp"
#include "memory.hpp"
#include "segments.hpp"

#include <reheat/device.cuh>

#include <cub/util_type.cuh> // FutureValue, KeyValuePair

#if !defined(REHEAT_EMULATED)
#  include <cub/device/device_partition.cuh>
#  include <cub/device/device_reduce.cuh>
#  include <cub/device/device_run_length_encode.cuh>
#  include <cub/device/device_scan.cuh>
#  include <cub/device/device_select.cuh>
#endif

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

//! Where calls find their input and leave their output.
struct device_places
{
  using u32 = std::uint32_t;

  std::size_t size;
  const u32 *in, *keys;
  const u32* first; //!< the initial value of scans that find it in memory
  u32* data;        //!< input and output of calls in place
  u32 *out, *keys_out;
  u32 *folded, *runs; //!< parts of device_numbers
  std::int64_t* index;
  ::cub::KeyValuePair<int, u32>* pair;
};

//! Input and output of calls.
class device_memory
{
public:
  using u32 = std::uint32_t;
  static constexpr u32 untouched = 0xabcdef01u;

  explicit device_memory(std::size_t size)
      : keys_host_(make_keys(size, segments::of_few, scan_by_key_tile<u32>())), keys_(to_device(keys_host_)), in_(size),
        data_(size), out_(size), keys_out_(size), first_(1), numbers_(sizeof(device_numbers))
  {
    set(make_items<u32>(size), 7);
  }
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
    const device_numbers none = no_numbers();
    wait_for_all_streams();
    copy_bytes(raw(data_), items_.data(), items_.size() * sizeof(u32));
    copy_bytes(raw(out_), nothing.data(), nothing.size() * sizeof(u32));
    copy_bytes(raw(keys_out_), nothing.data(), nothing.size() * sizeof(u32));
    copy_bytes(raw(numbers_), &none, sizeof none);
  }

  const std::vector<u32>& items() const { return items_; }
  const std::vector<u32>& keys() const { return keys_host_; }
  u32 first() const { return first_host_; }
  u32* first_in_memory() { return raw(first_); }
  device_places places()
  {
    device_numbers* const numbers = reinterpret_cast<device_numbers*>(raw(numbers_));
    return {items_.size(),  raw(in_),         raw(keys_),     raw(first_),     raw(data_),    raw(out_),
            raw(keys_out_), &numbers->folded, &numbers->runs, &numbers->index, &numbers->pair};
  }
  static device_numbers no_numbers()
  {
    return {untouched, untouched, untouched, ::cub::KeyValuePair<int, u32>(-1, untouched)};
  }

  std::vector<u32> data_now() const { return to_host(data_); }
  std::vector<u32> out_now() const { return to_host(out_); }
  std::vector<u32> keys_out_now() const { return to_host(keys_out_); }
  device_numbers numbers_now() const
  {
    const std::vector<unsigned char> bytes = to_host(numbers_);
    device_numbers now = no_numbers();
    std::memcpy(static_cast<void*>(&now), bytes.data(), sizeof now);
    return now;
  }

private:
  std::vector<u32> keys_host_, items_;
  u32 first_host_ = 0;
  thrust::device_vector<u32> keys_, in_, data_, out_, keys_out_, first_;
  thrust::device_vector<unsigned char> numbers_;
};

//! What a call leaves. Everything else stays as it was.
struct device_output
{
  using u32 = std::uint32_t;

  device_numbers numbers = device_memory::no_numbers();
  std::vector<u32> out, keys_out; //!< the first items
  bool in_place = false;          //!< `out` is in the place of the input

  void check(const std::string& what, const device_memory& memory) const
  {
    check_same(what + ", input and output of calls in place", in_place ? out : memory.items(), memory.data_now());
    check_beginning(what, in_place ? std::vector<u32>{} : out, memory.out_now());
    check_beginning(what + ", keys", keys_out, memory.keys_out_now());
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
