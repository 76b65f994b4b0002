// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Drawn calls whose results and counts stay on the device, exact sums of numbers that sums in any order would round, and
//! sums of narrow numbers in wider types.

#include "../support/random_calls.hpp"

#include <cuda_fp16.h>

#include <cmath>

namespace compat::drawn
{
namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;

enum class entry : unsigned
{
  copy_if_into,
  remove_copy_if_into,
  unique_copy_into,
  unique_by_key_copy_into,
  partition_copy_into,
  remove_if_into,
  unique_into,
  exact_half,
  exact_float,
  exact_double,
  half_in_float,
  bytes_in_words,
  scan_of_bytes_in_words,
};
const std::vector<std::string> names = {"copy_if_into",
                                        "remove_copy_if_into",
                                        "unique_copy_into",
                                        "unique_by_key_copy_into",
                                        "partition_copy_into",
                                        "remove_if_into",
                                        "unique_into",
                                        "exact sum of f16",
                                        "exact sum of f32",
                                        "exact sum of f64",
                                        "sum of f16 in f32",
                                        "sum of u8 in u32",
                                        "inclusive_scan of u8 in u32"};

struct is_large
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x > 1; }
};

__extension__ using wide_integer = __int128;

//! Numbers that are integers times `scale`, and the exact sums of those before each.
template <class T>
struct exact_table
{
  std::vector<wide_integer> sums{0};
  thrust::device_vector<T> in;

  explicit exact_table(std::size_t size)
  {
    std::vector<T> items;
    for (std::size_t i = 0; i < size; ++i)
    {
      const auto [significand, exponent] = parts_of(mix(i));
      const wide_integer integer = wide_integer{significand} * (wide_integer{1} << exponent);
      items.push_back(rounded(integer));
      sums.push_back(sums.back() + integer);
    }
    in = to_device(items);
  }
  //! The nearest number to `integer` times the scale. Conversions of integers round to the nearest.
  static T rounded(wide_integer integer)
  {
    if constexpr (std::is_same_v<T, __half>)
    {
      return __double2half(static_cast<double>(integer)); // sums of halves are exact in double
    }
    else
    {
      constexpr int scale = sizeof(T) == sizeof(float) ? -20 : -30;
      return std::ldexp(static_cast<T>(integer), scale);
    }
  }
  static const exact_table& of(std::size_t max_items)
  {
    static const exact_table& all = *new exact_table(max_items + input_table<u32>::room);
    return all;
  }

private:
  static std::pair<std::int64_t, unsigned> parts_of(std::uint64_t bits)
  {
    constexpr int digits = std::is_same_v<T, __half> ? 10 : sizeof(T) == sizeof(float) ? 24 : 53;
    constexpr unsigned exponents = std::is_same_v<T, __half> ? 3 : 40;
    const auto significand = static_cast<std::int64_t>(bits >> (64 - digits));
    return {bits % 2 == 0 ? significand : -significand, static_cast<unsigned>(bits / 2 % exponents)};
  }
};

//! Halves whose sums are exact in float, and bytes.
struct narrow_table
{
  std::vector<u8> bytes;
  thrust::device_vector<__half> halves_in;
  thrust::device_vector<u8> bytes_in;

  explicit narrow_table(std::size_t size)
  {
    std::vector<__half> halves;
    for (std::size_t i = 0; i < size; ++i)
    {
      bytes.push_back(static_cast<u8>(mix(i)));
      halves.push_back(__float2half(static_cast<float>(bytes.back() % 8)));
    }
    halves_in = to_device(halves);
    bytes_in = to_device(bytes);
  }
  static const narrow_table& of(std::size_t max_items)
  {
    static const narrow_table& all = *new narrow_table(max_items + input_table<u32>::room);
    return all;
  }
};

class options_call final : public call
{
public:
  options_call(choices& choose, output_space& space, std::size_t max_items, bool captured)
      : max_items_(max_items), table_(input_table<u32>::of(max_items))
  {
    kind = choose.below(static_cast<u32>(names.size()));
    size_ = choose.size(max_items);
    in_at_ = choose.below(input_table<u32>::room);
    keys_at_ = choose.below(input_table<u32>::room);
    form_ = captured ? form::nosync : static_cast<form>(choose.below(3));
    in_place_ = which() == entry::remove_if_into || which() == entry::unique_into;
    out_ = space.take<u32>(size_, choose.below(64));
    others_ = space.take<u32>(size_, choose.below(64));
    count_ = space.take<std::uint64_t>(1, choose.below(32));
    half_ = space.take<__half>(1, choose.below(64));
    float_ = space.take<float>(1, choose.below(64));
    double_ = space.take<double>(1, choose.below(32));
  }

  std::string described() const override
  {
    return names[kind] + ", " + std::to_string(size_) + " items from " + std::to_string(in_at_) + " and " +
           std::to_string(keys_at_) + ", form " + std::to_string(static_cast<int>(form_));
  }
  void prepare(reheat::stream_type where) override
  {
    if (in_place_)
    {
      copy_in_stream(out_.device, raw(table_.in) + in_at_, size_ * sizeof(u32), where);
    }
  }
  void make(reheat::stream_type where) override
  {
    stream_allocator<char> allocator(where, false);
    switch (form_)
    {
      case form::waits:
        return make_by(reheat::par.on(where));
      case form::nosync:
        return make_by(reheat::par_nosync.on(where));
      case form::allocator:
        return make_by(reheat::par_nosync(allocator).on(where));
    }
  }
  std::string check() const override
  {
    const u32* const items = table_.items.data() + in_at_;
    const u32* const keys = table_.keys.data() + keys_at_;
    const u8* const bytes = narrow_table::of(max_items_).bytes.data() + in_at_;
    std::vector<u32> values, others;
    std::vector<std::uint64_t> count;
    std::vector<__half> half;
    std::vector<float> in_float;
    std::vector<double> in_double;
    const auto starts = [](const u32* of, std::size_t i) { return i == 0 || of[i] != of[i - 1]; };
    const auto select = [&](auto wanted, auto& others_of, const u32* other_items)
    {
      for (std::size_t i = 0; i < size_; ++i)
      {
        if (wanted(i))
        {
          values.push_back(items[i]);
        }
        if (other_items != nullptr && wanted(i) == (other_items == keys))
        {
          others_of.push_back(other_items[i]);
        }
      }
      count.push_back(values.size());
    };
    switch (which())
    {
      case entry::copy_if_into:
        select([&](std::size_t i) { return items[i] > 1; }, others, nullptr);
        break;
      case entry::remove_copy_if_into:
      case entry::remove_if_into:
        select([&](std::size_t i) { return items[i] <= 1; }, others, nullptr);
        break;
      case entry::unique_copy_into:
      case entry::unique_into:
        select([&](std::size_t i) { return starts(items, i); }, others, nullptr);
        break;
      case entry::unique_by_key_copy_into:
        select([&](std::size_t i) { return starts(keys, i); }, others, keys);
        break;
      case entry::partition_copy_into:
        select([&](std::size_t i) { return items[i] > 1; }, others, items);
        break;
      case entry::exact_half:
        half.push_back(exact_sum<__half>());
        break;
      case entry::exact_float:
        in_float.push_back(exact_sum<float>());
        break;
      case entry::exact_double:
        in_double.push_back(exact_sum<double>());
        break;
      case entry::half_in_float:
        in_float.push_back(0);
        for (std::size_t i = 0; i < size_; ++i)
        {
          in_float[0] += static_cast<float>(bytes[i] % 8);
        }
        break;
      case entry::bytes_in_words:
      case entry::scan_of_bytes_in_words:
        for (std::size_t i = 0; i < size_; ++i)
        {
          values.push_back((values.empty() ? 0 : values.back()) + bytes[i]);
        }
        if (which() == entry::bytes_in_words)
        {
          values.assign(1, values.empty() ? 0 : values.back());
        }
        break;
    }
    if (in_place_)
    {
      values.insert(values.end(), items + values.size(), items + size_);
    }
    const std::string wrong = difference("item", out_, values) + difference("other item", others_, others) +
                              difference("count", count_, count) + difference("f16", half_, half) +
                              difference("f32", float_, in_float) + difference("f64", double_, in_double);
    return wrong.empty() ? "" : described() + wrong;
  }

private:
  entry which() const { return static_cast<entry>(kind); }

  template <class T>
  T exact_sum() const
  {
    const exact_table<T>& all = exact_table<T>::of(max_items_);
    return exact_table<T>::rounded(all.sums[in_at_ + size_] - all.sums[in_at_]);
  }
  template <class T, class Policy>
  void make_exact(const Policy& policy, T* out) const
  {
    const T* const in = raw(exact_table<T>::of(max_items_).in) + in_at_;
    reheat::reduce_into(policy.with(reheat::exact_sums), in, in + size_, out);
  }

  template <class Policy>
  void make_by(const Policy& policy) const
  {
    const u32 *const in = raw(table_.in) + in_at_, *const end = in + size_;
    const u32 *const keys = raw(table_.keys_in) + keys_at_, *const keys_end = keys + size_;
    u32 *const out = out_.device, *const out_end = out + size_;
    std::uint64_t* const count = count_.device;
    const narrow_table& narrow = narrow_table::of(max_items_);
    const u8 *const bytes = raw(narrow.bytes_in) + in_at_, *const bytes_end = bytes + size_;
    const __half* const halves = raw(narrow.halves_in) + in_at_;
    switch (which())
    {
      case entry::copy_if_into:
        return reheat::copy_if_into(policy, in, end, out, is_large{}, count);
      case entry::remove_copy_if_into:
        return reheat::remove_copy_if_into(policy, in, end, out, is_large{}, count);
      case entry::unique_copy_into:
        return reheat::unique_copy_into(policy, in, end, out, count);
      case entry::unique_by_key_copy_into:
        return reheat::unique_by_key_copy_into(policy, keys, keys_end, in, others_.device, out, count);
      case entry::partition_copy_into:
        return reheat::partition_copy_into(policy, in, end, out, others_.device, is_large{}, count);
      case entry::remove_if_into:
        return reheat::remove_if_into(policy, out, out_end, is_large{}, count);
      case entry::unique_into:
        return reheat::unique_into(policy, out, out_end, count);
      case entry::exact_half:
        return make_exact(policy, half_.device);
      case entry::exact_float:
        return make_exact(policy, float_.device);
      case entry::exact_double:
        return make_exact(policy, double_.device);
      case entry::half_in_float:
        return reheat::reduce_into(policy.with(reheat::accumulate_in<float>), halves, halves + size_, float_.device);
      case entry::bytes_in_words:
        return reheat::reduce_into(policy.with(reheat::accumulate_in<u32>), bytes, bytes_end, out);
      case entry::scan_of_bytes_in_words:
        thrust::inclusive_scan(policy.with(reheat::accumulate_in<u32>), bytes, bytes_end, out);
        return;
    }
  }

  std::size_t max_items_;
  const input_table<u32>& table_;
  std::size_t size_ = 0, in_at_ = 0, keys_at_ = 0;
  form form_ = form::waits;
  bool in_place_ = false;
  place<u32> out_, others_;
  place<std::uint64_t> count_;
  place<__half> half_;
  place<float> float_;
  place<double> double_;
};

class options_caller final : public caller
{
public:
  explicit options_caller(std::size_t max_items) : max_items_(max_items)
  {
    // Made now: allocations would end other threads' captures.
    input_table<u32>::of(max_items);
    narrow_table::of(max_items);
    exact_table<__half>::of(max_items);
    exact_table<float>::of(max_items);
    exact_table<double>::of(max_items);
  }
  std::string name() const override { return "results on the device, and options"; }
  std::vector<std::string> kinds() const override { return names; }
  std::unique_ptr<call> draw(choices& choose, output_space& space, bool captured) override
  {
    return std::make_unique<options_call>(choose, space, max_items_, captured);
  }

private:
  std::size_t max_items_;
};

} // namespace

caller_ptr options(std::size_t max_items)
{
  return std::make_unique<options_caller>(max_items);
}

} // namespace compat::drawn
