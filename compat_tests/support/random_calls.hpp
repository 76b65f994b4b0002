// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls that are drawn: algorithm, number of items, addresses, policy, and whether the output lies over the input. Each is
//! compared with what the host makes of the same items, item for item, and so is the memory around the output. The calls of
//! each group are in compat_tests/drawn.
#pragma once

#include "machine.hpp"
#include "values.hpp"

#include <reheat/across/ranks.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

namespace compat::drawn
{

//! Where draws come from: a generator, or bytes of a fuzzer.
class choices
{
public:
  virtual ~choices() = default;
  virtual std::uint32_t next() = 0;
  std::uint32_t below(std::uint32_t bound) { return next() % bound; }
  bool one_in(std::uint32_t odds) { return below(odds) == 0; }
  //! At most `most`. Half of the draws are below some power of two, and a quarter below its square root: small sizes are
  //! what most protocols are about, and large ones take the host longer.
  std::size_t size(std::size_t most)
  {
    std::uint32_t bits = 0;
    while ((std::size_t{1} << bits) <= most)
    {
      ++bits;
    }
    const std::uint32_t first = below(bits + 1), second = below(bits + 1);
    return std::min<std::size_t>(below(1u << std::min(first, second)), most);
  }
};

//! A generator, the same numbers for the same seed.
class generator final : public choices
{
public:
  explicit generator(std::uint64_t seed) : state_(seed) {}
  std::uint32_t next() override { return static_cast<std::uint32_t>(mix(state_++) >> 32); }

private:
  std::uint64_t state_;
};

// ---- memory -------------------------------------------------------------------------------------------------------------

inline void copy_in_stream(void* to, const void* from, std::size_t bytes, [[maybe_unused]] reheat::stream_type where)
{
  if (bytes == 0)
  {
    return;
  }
#if defined(REHEAT_EMULATED)
  std::memcpy(to, from, bytes);
#else
  require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, where), "copy");
#endif
}

//! A place for an output, and where the host finds it when the space has been fetched.
template <class T>
struct place
{
  T* device = nullptr;
  const unsigned char* host = nullptr; //!< of the first byte around it that nobody else writes
  std::size_t before = 0, bytes = 0;   //!< how many of these are before the output, and all of them
};

//! The output of several calls: places in one block, which is cleared, fetched and compared as a whole. Beside it, memory
//! that nobody clears, for calls that get scratch memory from their caller.
class output_space
{
public:
  explicit output_space(std::size_t bytes) : bytes_(bytes), device_(bytes), scratch_(bytes)
  {
#if defined(REHEAT_EMULATED)
    host_ = new unsigned char[bytes];
#else
    require(cudaHostAlloc(reinterpret_cast<void**>(&host_), bytes, cudaHostAllocDefault), "pin memory");
#endif
  }
  output_space(const output_space&) = delete;
  output_space& operator=(const output_space&) = delete;
  ~output_space()
  {
#if defined(REHEAT_EMULATED)
    delete[] host_;
#else
    (void)cudaFreeHost(host_);
#endif
  }

  void begin()
  {
    used_ = scratch_used_ = 0;
  }
  //! Whether any call has room.
  bool has_room() const
  {
    return used_ <= bytes_ / 2 && scratch_used_ <= bytes_ / 2;
  }
  //! A place for `items` items, `offset` items behind a multiple of 256 bytes.
  template <class T>
  place<T> take(std::size_t items, std::size_t offset)
  {
    const std::size_t before = guard + offset * sizeof(T), bytes = before + items * sizeof(T) + guard;
    const std::size_t at = (used_ + 255) / 256 * 256;
    used_ = at + bytes;
    check_room(used_);
    return {reinterpret_cast<T*>(raw(device_) + at + before), host_ + at, before, bytes};
  }
  //! `bytes` bytes of scratch memory, with what earlier calls have left there.
  void* take_scratch(std::size_t bytes, std::size_t offset)
  {
    const std::size_t at = (scratch_used_ + 255) / 256 * 256 + offset;
    scratch_used_ = at + bytes;
    check_room(scratch_used_);
    return raw(scratch_) + at;
  }
  //! All places hold nothing, in stream order.
  void clear([[maybe_unused]] reheat::stream_type where)
  {
#if defined(REHEAT_EMULATED)
    std::memset(raw(device_), nothing, used_);
#else
    require(cudaMemsetAsync(raw(device_), nothing, used_, where), "fill");
#endif
  }
  //! The host has all places when the stream has come here.
  void fetch(reheat::stream_type where)
  {
    copy_in_stream(host_, raw(device_), used_, where);
  }

  static constexpr unsigned char nothing = 0xcd;
  static constexpr std::size_t guard = 256;

private:
  void check_room(std::size_t used) const
  {
    if (used > bytes_)
    {
      throw std::runtime_error("a call needs more room than " + std::to_string(bytes_) + " bytes");
    }
  }

  std::size_t bytes_, used_ = 0, scratch_used_ = 0;
  thrust::device_vector<unsigned char> device_, scratch_;
  unsigned char* host_ = nullptr;
};

//! What is wrong with a place that has to hold `expected`, and nothing else: empty if nothing is. `kept`: how many items
//! behind that the call may leave in any state.
template <class T>
std::string difference(const char* what, const place<T>& at, const std::vector<T>& expected, std::size_t kept = 0)
{
  const unsigned char* const items = at.host + at.before;
  const std::size_t end = expected.size() * sizeof(T);
  if (end != 0 && std::memcmp(items, expected.data(), end) != 0)
  {
    std::size_t i = 0;
    while (std::memcmp(items + i * sizeof(T), &expected[i], sizeof(T)) == 0)
    {
      ++i;
    }
    T actual;
    std::memcpy(static_cast<void*>(&actual), items + i * sizeof(T), sizeof(T));
    return std::string(", ") + what + " " + std::to_string(i) + " is " + std::to_string(static_cast<double>(actual)) +
           " instead of " + std::to_string(static_cast<double>(expected[i]));
  }
  const auto is_written = [](unsigned char byte) { return byte != output_space::nothing; };
  const unsigned char* const before = std::find_if(at.host, items, is_written);
  const unsigned char* const last = at.host + at.bytes;
  const unsigned char* const behind = std::find_if(items + end + kept * sizeof(T), last, is_written);
  return before == items && behind == last
             ? ""
             : std::string(", ") + what + ": byte " + std::to_string((before != items ? before : behind) - items) +
                   " was written, and the output has " + std::to_string(end);
}

//! The same of pairs of a key and a value, between which there may be bytes of no meaning.
template <class Pair>
std::string difference_of_pairs(const char* what, const place<Pair>& at, const std::vector<Pair>& expected)
{
  for (std::size_t i = 0; i < expected.size(); ++i)
  {
    Pair actual;
    std::memcpy(static_cast<void*>(&actual), at.host + at.before + i * sizeof(Pair), sizeof(Pair));
    if (actual.key != expected[i].key || !(actual.value == expected[i].value))
    {
      return std::string(", ") + what + " " + std::to_string(i) + " is of " + std::to_string(actual.key) + ", " +
             std::to_string(static_cast<double>(actual.value)) + " instead of " + std::to_string(expected[i].key) + ", " +
             std::to_string(static_cast<double>(expected[i].value));
    }
  }
  const place<unsigned char> bytes{reinterpret_cast<unsigned char*>(at.device), at.host, at.before, at.bytes};
  return difference(what, bytes, std::vector<unsigned char>{}, expected.size() * sizeof(Pair));
}

//! Input of one type, which nobody writes, and the same on the host: what all threads read, each from offsets of its own.
template <class T>
struct input_table
{
  std::vector<T> items, others;
  std::vector<std::uint32_t> keys;
  thrust::device_vector<T> in, others_in;
  thrust::device_vector<std::uint32_t> keys_in;

  explicit input_table(std::size_t size) : items(size), keys(size)
  {
    for (std::size_t i = 0; i < size; ++i)
    {
      items[i] = item(i);
      keys[i] = static_cast<std::uint32_t>(mix(i / (1 + i / 1024 % 40)) % 3);
    }
    others = items;
    for (std::size_t i = 100; i < size; i += 1000)
    {
      others[i] = static_cast<T>(others[i] == T(1) ? 2 : 1);
    }
    in = to_device(items);
    others_in = to_device(others);
    keys_in = to_device(keys);
  }
  //! Of at least `max_items` items from any offset below `room`. Made by the first who asks, and never taken down: CUDA may
  //! go first.
  static const input_table& of(std::size_t max_items)
  {
    static const input_table& all = *new input_table(max_items + room);
    return all;
  }
  static constexpr std::size_t room = 4096;

private:
  //! Now few different items, now many. Sums of 2^18 of them are exact, and do not overflow a signed int.
  static T item(std::size_t i)
  {
    const std::uint64_t bits = mix(i);
    if (i / 1024 % 2 == 0)
    {
      return static_cast<T>(bits % 4);
    }
    if constexpr (std::is_integral_v<T> && (std::is_unsigned_v<T> || sizeof(T) < sizeof(int)))
    {
      return static_cast<T>(bits);
    }
    else
    {
      constexpr int most = std::is_same_v<T, float> ? 16 : 1000;
      return static_cast<T>(static_cast<int>(bits % (2 * most + 1)) - most);
    }
  }
};

// ---- calls --------------------------------------------------------------------------------------------------------------

enum class form
{
  waits,
  nosync,
  allocator
};

//! One call. Its places belong to the space that it was drawn for.
class call
{
public:
  virtual ~call() = default;
  virtual std::string described() const = 0;
  //! Whether memory that it asks for is refused.
  virtual bool allocator_throws() const { return false; }
  //! Takes other items, of a call that reads a copy. Then the space is cleared, and `prepare` comes before the call.
  virtual void change_input(choices&) {}
  //! Enqueues copies of the input, behind the clearing of the space.
  virtual void prepare(reheat::stream_type) {}
  //! The call, which may throw.
  virtual void make(reheat::stream_type where) = 0;
  //! What is wrong with all that it has given, once the space has been fetched: empty if nothing is.
  virtual std::string check() const = 0;
  //! Of the caller's kinds.
  unsigned kind = 0;
};

//! Draws calls of one group on items of one type.
class caller
{
public:
  virtual ~caller() = default;
  //! "family of u8", for example.
  virtual std::string name() const = 0;
  virtual std::vector<std::string> kinds() const = 0;
  //! Whether some can be captured.
  //! `captured`: one that can be captured, and reads a copy of its input that can change.
  virtual std::unique_ptr<call> draw(choices& choose, output_space& space, bool captured) = 0;
};

//! How many bytes a space needs in which each caller's largest call has room beside as many bytes again.
inline std::size_t bytes_for(std::size_t max_items)
{
  return 2 * (max_items * 48 + 65536);
}

using caller_ptr = std::unique_ptr<caller>;
// The algorithms of Thrust that reheat accelerates.
caller_ptr family_of_u8(std::size_t max_items);
caller_ptr family_of_i8(std::size_t max_items);
caller_ptr family_of_u16(std::size_t max_items);
caller_ptr family_of_i16(std::size_t max_items);
caller_ptr family_of_u32(std::size_t max_items);
caller_ptr family_of_i32(std::size_t max_items);
caller_ptr family_of_u64(std::size_t max_items);
caller_ptr family_of_i64(std::size_t max_items);
caller_ptr family_of_f32(std::size_t max_items);
caller_ptr family_of_f64(std::size_t max_items);
// Segments between offsets, and of one size.
caller_ptr segments_of_u32(std::size_t max_items);
caller_ptr segments_of_f64(std::size_t max_items);
// The classes of device.cuh, in scratch memory of the caller's.
caller_ptr device_of_u32(std::size_t max_items);
caller_ptr device_of_i16(std::size_t max_items);
caller_ptr device_of_f32(std::size_t max_items);
// Numbers that stay on the device, and zipped arrays.
caller_ptr selections(std::size_t max_items);
// Policies with options: exact sums, sums in wider types, scans of one association on every GPU, when launches start.
caller_ptr options(std::size_t max_items);
// One rank's calls: all ranks draw from the same numbers, which go on in the same way on each.
caller_ptr across(reheat::ranks& ranks, std::size_t max_items);

//! Memory in the order of the stream that it is made for; nothing waits for it.
template <class T>
class stream_allocator
{
public:
  using value_type = T;
  stream_allocator(reheat::stream_type where, bool throws) : where_(where), throws_(throws) {}
  template <class Other>
  stream_allocator(const stream_allocator<Other>& other) : where_(other.where()), throws_(other.throws())
  {}
  T* allocate(std::size_t count)
  {
    if (throws_)
    {
      throw std::bad_alloc();
    }
#if defined(REHEAT_EMULATED)
    return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(16)));
#else
    void* memory = nullptr;
    require(cudaMallocAsync(&memory, count * sizeof(T), where_), "allocate");
    return static_cast<T*>(memory);
#endif
  }
  void deallocate(T* memory, std::size_t)
  {
#if defined(REHEAT_EMULATED)
    ::operator delete(memory, std::align_val_t(16));
#else
    (void)cudaFreeAsync(memory, where_);
#endif
  }
  reheat::stream_type where() const
  {
    return where_;
  }
  bool throws() const
  {
    return throws_;
  }
  friend bool operator==(const stream_allocator& x, const stream_allocator& y)
  {
    return x.where_ == y.where_;
  }
  friend bool operator!=(const stream_allocator& x, const stream_allocator& y)
  {
    return !(x == y);
  }

private:
  reheat::stream_type where_;
  bool throws_;
};

} // namespace compat::drawn
