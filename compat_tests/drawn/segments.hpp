// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Drawn calls of segments: between offsets and of one size, by policies, and by the classes of device.cuh.
#pragma once

#include "../support/random_calls.hpp"

#include <reheat/device.cuh>

#include <limits>

namespace compat::drawn
{

enum class segments_entry : unsigned
{
  reduce,
  inclusive_scan,
  exclusive_scan,
  min_element,
  max_element,
  equal_reduce,
  equal_inclusive_scan,
  equal_exclusive_scan,
  equal_min_element,
  equal_max_element,
  device_sum,
  device_min,
  device_exclusive_sum,
  device_inclusive_sum,
};
inline const std::vector<std::string> segments_entry_names = {
    "segmented_reduce",
    "segmented_inclusive_scan",
    "segmented_exclusive_scan",
    "segmented_min_element",
    "segmented_max_element",
    "segmented_reduce of one size",
    "segmented_inclusive_scan of one size",
    "segmented_exclusive_scan of one size",
    "segmented_min_element of one size",
    "segmented_max_element of one size",
    "DeviceSegmentedReduce::Sum",
    "DeviceSegmentedReduce::Min",
    "DeviceSegmentedScan::ExclusiveSegmentedSum",
    "DeviceSegmentedScan::InclusiveSegmentedSum",
};

//! Offsets of segments of all lengths, on the host and on the device: calls take some that follow each other.
struct offset_table
{
  std::vector<std::uint32_t> offsets{0};
  thrust::device_vector<std::uint32_t> in;

  explicit offset_table(std::size_t max_items)
  {
    for (std::size_t i = 0; offsets.back() < max_items; ++i)
    {
      const std::uint64_t bits = mix(i), drawn = bits >> 16;
      const std::uint64_t length = i / 64 % 4 == 0   ? drawn % 8                                  // few items, or none
                                   : i / 64 % 4 == 1 ? drawn % 300                                // hundreds
                                   : i / 64 % 4 == 2 ? (bits % 32 == 0 ? drawn % 9000 : 0)        // nearly all are empty
                                                     : (i % 64 == 32 ? 5000 + drawn % 20000 : 1); // a giant among singles
      offsets.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(max_items, offsets.back() + length)));
    }
    in = to_device(offsets);
  }
  //! Never taken down: CUDA may go first.
  static const offset_table& of(std::size_t max_items)
  {
    static const offset_table& all = *new offset_table(max_items);
    return all;
  }
};

namespace
{

template <class T>
class segments_call final : public call
{
public:
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;

  segments_call(const char* type, const input_table<T>& table, const offset_table& ends, choices& choose,
                output_space& space, std::size_t max_items, bool captured)
      : type_(type), table_(table), ends_(ends)
  {
    kind = choose.below(static_cast<u32>(segments_entry_names.size()));
    if (is_equal())
    {
      size_ = choose.size(2000);
      segments_ = choose.size(size_ == 0 ? 1000 : max_items / size_);
      end_ = segments_ * size_;
    }
    else
    {
      const std::size_t all = ends_.offsets.size() - 1;
      first_segment_ = choose.next() % all;
      segments_ = choose.size(all - first_segment_);
      begin_ = ends_.offsets[first_segment_];
      end_ = ends_.offsets[first_segment_ + segments_];
    }
    change_input(choose);
    in_place_ = is_scan() && choose.one_in(4);
    copied_ = captured && !in_place_;
    form_ = captured ? form::nosync : static_cast<form>(choose.below(3));
    out_ = space.take<T>(is_scan() ? end_ - begin_ : segments_, choose.below(64));
    places_ = space.take<u32>(segments_, choose.below(64));
    equal_places_ = space.take<u64>(segments_, choose.below(32));
    copy_ = copied_ ? space.take<T>(end_ - begin_, choose.below(64)) : out_;
    if (is_device_wide())
    {
      check_status(enqueue(nullptr, bytes_, reheat::stream_type{}));
      scratch_ = space.take_scratch(bytes_, choose.below(64));
    }
  }

  std::string described() const override
  {
    return segments_entry_names[kind] + ", " + std::to_string(segments_) + " segments from " +
           std::to_string(first_segment_) + " or of " + std::to_string(size_) + " " + type_ + ", " +
           std::to_string(end_ - begin_) + " items from " + std::to_string(in_at_) + (in_place_ ? " in place" : "") +
           ", form " + std::to_string(static_cast<int>(form_));
  }
  void change_input(choices& choose) override { in_at_ = choose.below(input_table<T>::room); }
  void prepare(reheat::stream_type where) override
  {
    if (in_place_ || copied_)
    {
      copy_in_stream(copy_.device, raw(table_.in) + in_at_ + begin_, (end_ - begin_) * sizeof(T), where);
    }
  }
  void make(reheat::stream_type where) override
  {
    stream_allocator<char> allocator(where, false);
    if (is_device_wide())
    {
      std::size_t bytes = bytes_;
      check_status(enqueue(scratch_, bytes, where));
    }
    else if (form_ == form::waits)
    {
      make_by(reheat::par.on(where));
    }
    else if (form_ == form::nosync)
    {
      make_by(reheat::par_nosync.on(where));
    }
    else
    {
      make_by(reheat::par_nosync(allocator).on(where));
    }
  }
  std::string check() const override
  {
    const T* const items = table_.items.data() + in_at_;
    std::vector<T> values;
    std::vector<u32> places;
    std::vector<u64> equal_places;
    if (in_place_)
    {
      values.assign(items + begin_, items + end_);
    }
    const auto add = [](T x, T y) { return static_cast<T>(x + y); };
    for (std::size_t s = 0; s < segments_; ++s)
    {
      const std::size_t first = is_equal() ? s * size_ : ends_.offsets[first_segment_ + s];
      const std::size_t last = is_equal() ? first + size_ : ends_.offsets[first_segment_ + s + 1];
      const bool is_sum = entry() == segments_entry::device_sum || entry() == segments_entry::device_exclusive_sum ||
                          entry() == segments_entry::device_inclusive_sum;
      const T init = is_sum ? T(0) : T(3);
      T sum = init;
      for (std::size_t i = first; i < last && (is_scan() || is_reduction()); ++i)
      {
        const T before = sum;
        sum = add(sum, items[i]);
        if (is_scan())
        {
          const T scanned = is_inclusive() ? sum : before;
          in_place_ ? void(values[i - begin_] = scanned) : values.push_back(scanned);
        }
      }
      if (is_reduction())
      {
        values.push_back(sum);
      }
      else if (entry() == segments_entry::device_min)
      {
        values.push_back(first == last ? std::numeric_limits<T>::max() : *std::min_element(items + first, items + last));
      }
      else if (!is_scan())
      {
        const bool is_min = entry() == segments_entry::min_element || entry() == segments_entry::equal_min_element;
        const T* const found =
            is_min ? std::min_element(items + first, items + last) : std::max_element(items + first, items + last);
        is_equal() ? equal_places.push_back(static_cast<u64>(found - items))
                   : places.push_back(static_cast<u32>(found - items));
      }
    }
    std::string wrong = difference("item", out_, values) + difference("place", places_, places) +
                        difference("place", equal_places_, equal_places);
    if (copied_)
    {
      wrong += difference("input", copy_, std::vector<T>(items + begin_, items + end_));
    }
    return wrong.empty() ? "" : described() + wrong;
  }

private:
  segments_entry entry() const { return static_cast<segments_entry>(kind); }
  bool is_equal() const { return entry() >= segments_entry::equal_reduce && entry() <= segments_entry::equal_max_element; }
  bool is_device_wide() const { return entry() >= segments_entry::device_sum; }
  bool is_inclusive() const
  {
    return entry() == segments_entry::inclusive_scan || entry() == segments_entry::equal_inclusive_scan ||
           entry() == segments_entry::device_inclusive_sum;
  }
  bool is_scan() const
  {
    return is_inclusive() || entry() == segments_entry::exclusive_scan || entry() == segments_entry::equal_exclusive_scan ||
           entry() == segments_entry::device_exclusive_sum;
  }
  bool is_reduction() const
  {
    return entry() == segments_entry::reduce || entry() == segments_entry::equal_reduce ||
           entry() == segments_entry::device_sum;
  }
  static void check_status(reheat::status_type status)
  {
    if (status != reheat::runtime::success)
    {
      if (status == reheat::runtime::out_of_memory)
      {
        throw std::bad_alloc();
      }
      throw std::runtime_error("status " + std::to_string(static_cast<int>(status)));
    }
  }

  //! The address of item 0 of the range. The call touches the items from `begin_` on.
  const T* input() const { return in_place_ || copied_ ? shifted(copy_.device) : raw(table_.in) + in_at_; }
  T* scanned() const { return shifted(out_.device); }
  T* shifted(T* items) const { return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(items) - begin_ * sizeof(T)); }

  template <class Policy>
  void make_by(const Policy& policy) const
  {
    const T* const in = input();
    const u32 *const first = raw(ends_.in) + first_segment_, *const last = first + segments_ + 1;
    const reheat::equal_segments equal{segments_, size_};
    const thrust::plus<T> plus{};
    switch (entry())
    {
      case segments_entry::reduce:
        return reheat::segmented_reduce(policy, in, first, last, out_.device, T(3), plus);
      case segments_entry::inclusive_scan:
        return reheat::segmented_inclusive_scan(policy, in, first, last, scanned(), T(3), plus);
      case segments_entry::exclusive_scan:
        return reheat::segmented_exclusive_scan(policy, in, first, last, scanned(), T(3), plus);
      case segments_entry::min_element:
        return reheat::segmented_min_element(policy, in, first, last, places_.device);
      case segments_entry::max_element:
        return reheat::segmented_max_element(policy, in, first, last, places_.device);
      case segments_entry::equal_reduce:
        return reheat::segmented_reduce(policy, in, equal, out_.device, T(3), plus);
      case segments_entry::equal_inclusive_scan:
        return reheat::segmented_inclusive_scan(policy, in, equal, scanned(), T(3), plus);
      case segments_entry::equal_exclusive_scan:
        return reheat::segmented_exclusive_scan(policy, in, equal, scanned(), T(3), plus);
      case segments_entry::equal_min_element:
        return reheat::segmented_min_element(policy, in, equal, equal_places_.device);
      case segments_entry::equal_max_element:
        return reheat::segmented_max_element(policy, in, equal, equal_places_.device);
      default:
        return;
    }
  }

  reheat::status_type enqueue(void* memory, std::size_t& bytes, reheat::stream_type where) const
  {
    const u32 *const begins = raw(ends_.in) + first_segment_, *const ends = begins + 1;
    const auto count = static_cast<std::int64_t>(segments_);
    switch (entry())
    {
      case segments_entry::device_sum:
        return reheat::DeviceSegmentedReduce::Sum(memory, bytes, input(), out_.device, count, begins, ends, where);
      case segments_entry::device_min:
        return reheat::DeviceSegmentedReduce::Min(memory, bytes, input(), out_.device, count, begins, ends, where);
      case segments_entry::device_exclusive_sum:
        return reheat::DeviceSegmentedScan::ExclusiveSegmentedSum(memory, bytes, input(), scanned(), begins, ends, count,
                                                                  where);
      default:
        return reheat::DeviceSegmentedScan::InclusiveSegmentedSum(memory, bytes, input(), scanned(), begins, ends, count,
                                                                  where);
    }
  }

  const char* type_;
  const input_table<T>& table_;
  const offset_table& ends_;
  std::size_t first_segment_ = 0, segments_ = 0, size_ = 0; //!< size: of each, where all have one
  std::size_t begin_ = 0, end_ = 0, in_at_ = 0, bytes_ = 0;
  bool in_place_ = false, copied_ = false;
  form form_ = form::waits;
  place<T> out_, copy_;
  place<u32> places_;
  place<u64> equal_places_;
  void* scratch_ = nullptr;
};

template <class T>
class segments_caller final : public caller
{
public:
  segments_caller(const char* type, std::size_t max_items)
      : type_(type), max_items_(max_items), table_(input_table<T>::of(max_items)), ends_(offset_table::of(max_items))
  {}
  std::string name() const override { return std::string("segments of ") + type_; }
  std::vector<std::string> kinds() const override { return segments_entry_names; }
  std::unique_ptr<call> draw(choices& choose, output_space& space, bool captured) override
  {
    return std::make_unique<segments_call<T>>(type_, table_, ends_, choose, space, max_items_, captured);
  }

private:
  const char* type_;
  std::size_t max_items_;
  const input_table<T>& table_;
  const offset_table& ends_;
};

} // namespace

} // namespace compat::drawn
