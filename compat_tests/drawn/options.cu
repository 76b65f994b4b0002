// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Drawn calls by policies with options: exact sums of numbers that sums in any order would round, sums of narrow numbers in
//! wider types, scans of one association on every GPU, and when launches start.

#include "exact.hpp"

namespace compat::drawn
{
namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;

enum class entry : unsigned
{
  exact_half,
  exact_float,
  exact_double,
  half_in_float,
  bytes_in_words,
  scan_of_bytes_in_words,
  scan_on_every_gpu,
  scan_from_a_value_on_every_gpu,
  early_scan,
  serial_scan,
};
const std::vector<std::string> names = {"exact sum of f16",
                                        "exact sum of f32",
                                        "exact sum of f64",
                                        "sum of f16 in f32",
                                        "sum of u8 in u32",
                                        "inclusive_scan of u8 in u32",
                                        "inclusive_scan of f32, gpu_to_gpu",
                                        "exclusive_scan of f32, gpu_to_gpu",
                                        "inclusive_scan, start_early",
                                        "inclusive_scan, start_serially"};

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
    form_ = captured ? form::nosync : static_cast<form>(choose.below(3));
    const bool scans_reals = which() == entry::scan_on_every_gpu || which() == entry::scan_from_a_value_on_every_gpu;
    const bool scans = which() == entry::scan_of_bytes_in_words || which() >= entry::early_scan;
    out_ = space.take<u32>(scans ? size_ : 1, choose.below(64));
    float_ = space.take<float>(scans_reals ? size_ : 1, choose.below(64));
    half_ = space.take<__half>(1, choose.below(64));
    double_ = space.take<double>(1, choose.below(32));
  }

  std::string described() const override
  {
    return names[kind] + ", " + std::to_string(size_) + " items from " + std::to_string(in_at_) + ", form " +
           std::to_string(static_cast<int>(form_));
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
    const u8* const bytes = narrow_table::of(max_items_).bytes.data() + in_at_;
    const float* const reals = input_table<float>::of(max_items_).items.data() + in_at_;
    std::vector<u32> values;
    std::vector<__half> half;
    std::vector<float> in_float;
    std::vector<double> in_double;
    const auto scan = [&](const auto* of, auto sum, bool inclusive, auto& result)
    {
      for (std::size_t i = 0; i < size_; ++i)
      {
        const auto before = sum;
        sum += of[i];
        result.push_back(inclusive ? sum : before);
      }
      return sum;
    };
    switch (which())
    {
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
        values.assign(1, scan(bytes, u32{0}, true, values));
        break;
      case entry::scan_of_bytes_in_words:
        scan(bytes, u32{0}, true, values);
        break;
      case entry::scan_on_every_gpu:
        scan(reals, 0.0f, true, in_float);
        break;
      case entry::scan_from_a_value_on_every_gpu:
        scan(reals, 3.0f, false, in_float);
        break;
      case entry::early_scan:
      case entry::serial_scan:
        scan(items, u32{0}, true, values);
        break;
    }
    const std::string wrong = difference("item", out_, values) + difference("f16", half_, half) +
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
    u32* const out = out_.device;
    const narrow_table& narrow = narrow_table::of(max_items_);
    const u8 *const bytes = raw(narrow.bytes_in) + in_at_, *const bytes_end = bytes + size_;
    const __half* const halves = raw(narrow.halves_in) + in_at_;
    const float *const reals = raw(input_table<float>::of(max_items_).in) + in_at_, *const reals_end = reals + size_;
    switch (which())
    {
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
        return void(thrust::inclusive_scan(policy.with(reheat::accumulate_in<u32>), bytes, bytes_end, out));
      case entry::scan_on_every_gpu:
        return void(thrust::inclusive_scan(policy.with(reheat::gpu_to_gpu), reals, reals_end, float_.device));
      case entry::scan_from_a_value_on_every_gpu:
        return void(thrust::exclusive_scan(policy.with(reheat::gpu_to_gpu), reals, reals_end, float_.device, 3.0f));
      case entry::early_scan:
        return void(thrust::inclusive_scan(policy.with(reheat::start_early), in, end, out));
      case entry::serial_scan:
        return void(thrust::inclusive_scan(policy.with(reheat::start_serially), in, end, out));
    }
  }

  std::size_t max_items_;
  const input_table<u32>& table_;
  std::size_t size_ = 0, in_at_ = 0;
  form form_ = form::waits;
  place<u32> out_;
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
    input_table<float>::of(max_items);
    narrow_table::of(max_items);
    exact_table<__half>::of(max_items);
    exact_table<float>::of(max_items);
    exact_table<double>::of(max_items);
  }
  std::string name() const override { return "options"; }
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
