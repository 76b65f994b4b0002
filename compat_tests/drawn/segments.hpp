// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Drawn calls of segments: between offsets and of one size, by policies, and by the classes of device.cuh.
#pragma once

#include "../support/random_calls.hpp"
#include "rows.hpp"

#include <reheat/device.cuh>

#include <thrust/iterator/transform_iterator.h>

#include <cub/util_type.cuh> // KeyValuePair

#include <limits>

namespace compat::drawn
{

//! Offsets of segments of all lengths, on the host and on the device: calls take some that follow each other.
struct offset_table
{
  std::vector<std::uint32_t> offsets{0};
  thrust::device_vector<std::uint32_t> in, shifted_in; //!< the latter by `shift`

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
    std::vector<std::uint32_t> shifted = offsets;
    for (std::uint32_t& each : shifted)
    {
      each += shift;
    }
    shifted_in = to_device(shifted);
  }
  static constexpr std::uint32_t shift = 7;

  //! Never taken down: CUDA may go first.
  static const offset_table& of(std::size_t max_items)
  {
    static const offset_table& all = *new offset_table(max_items);
    return all;
  }
};

namespace
{

constexpr unsigned equal = 1, scans = 2, finds = 4, pairs = 8, waits = 16;

struct end_itself
{
  REHEAT_HOST_DEVICE std::uint32_t operator()(std::uint32_t end) const { return end; }
};

//! Of a call, on the device.
template <class T>
struct segments_places
{
  const T* in;                                 //!< item 0 of the range. The call touches the items from the first segment on
  const std::uint32_t *first, *last, *shifted; //!< offsets
  reheat::equal_segments where;                //!< their size: if all have one
  T *out, *scanned, *scanned_shifted;          //!< the latter where item 0 of the range would be scanned to
  std::uint32_t* found;
  std::uint64_t* equal_found;
  ::cub::KeyValuePair<int, T>* pairs;

  std::int64_t count() const { return static_cast<std::int64_t>(where.segments); }
  int size() const { return static_cast<int>(where.size); }
};
//! The same on the host.
template <class T>
struct segments_sources
{
  const T* items;
  std::size_t segments, size; //!< size: of each, where all have one
  const std::uint32_t* offsets;
  bool are_equal;

  const T* first(std::size_t s) const { return items + (are_equal ? s * size : offsets[s]); }
  const T* last(std::size_t s) const { return items + (are_equal ? (s + 1) * size : offsets[s + 1]); }
};
//! What a call has to give.
template <class T>
struct segments_outcome
{
  std::vector<T> values;
  std::vector<std::uint32_t> found;
  std::vector<std::uint64_t> equal_found;
  std::vector<::cub::KeyValuePair<int, T>> pairs;
};

constexpr auto give_sums = [](int init)
{
  return [=](const auto& from, auto& gives)
  {
    using value = std::remove_cv_t<std::remove_reference_t<decltype(*from.items)>>;
    for (std::size_t s = 0; s < from.segments; ++s)
    {
      value sum = static_cast<value>(init);
      std::for_each(from.first(s), from.last(s), [&](value x) { sum = static_cast<value>(sum + x); });
      gives.values.push_back(sum);
    }
  };
};
constexpr auto give_scans = [](int init, bool inclusive)
{
  return [=](const auto& from, auto& gives)
  {
    using value = std::remove_cv_t<std::remove_reference_t<decltype(*from.items)>>;
    for (std::size_t s = 0; s < from.segments; ++s)
    {
      value sum = static_cast<value>(init);
      for (const value* at = from.first(s); at != from.last(s); ++at)
      {
        const value before = sum;
        sum = static_cast<value>(sum + *at);
        gives.values.push_back(inclusive ? sum : before);
      }
    }
  };
};
template <class It>
It extremum_between(It first, It last, bool smallest)
{
  return smallest ? std::min_element(first, last) : std::max_element(first, last);
}
constexpr auto give_places = [](bool smallest)
{
  return [=](const auto& from, auto& gives)
  {
    for (std::size_t s = 0; s < from.segments; ++s)
    {
      const auto at = static_cast<std::uint64_t>(extremum_between(from.first(s), from.last(s), smallest) - from.items);
      from.are_equal ? gives.equal_found.push_back(at) : gives.found.push_back(static_cast<std::uint32_t>(at));
    }
  };
};
template <class T>
T worst(bool smallest)
{
  return smallest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
}
constexpr auto give_extrema = [](bool smallest)
{
  return [=](const auto& from, auto& gives)
  {
    using value = std::remove_cv_t<std::remove_reference_t<decltype(*from.items)>>;
    for (std::size_t s = 0; s < from.segments; ++s)
    {
      const bool is_empty = from.first(s) == from.last(s);
      gives.values.push_back(is_empty ? worst<value>(smallest) : *extremum_between(from.first(s), from.last(s), smallest));
    }
  };
};
constexpr auto give_pairs = [](bool smallest)
{
  return [=](const auto& from, auto& gives)
  {
    using value = std::remove_cv_t<std::remove_reference_t<decltype(*from.items)>>;
    for (std::size_t s = 0; s < from.segments; ++s)
    {
      const value* const at = extremum_between(from.first(s), from.last(s), smallest);
      const bool is_empty = from.first(s) == from.last(s);
      gives.pairs.emplace_back(is_empty ? 1 : static_cast<int>(at - from.first(s)), is_empty ? worst<value>(smallest) : *at);
    }
  };
};

//! The calls by policies.
template <class T>
const auto segments_rows = std::make_tuple(
    row{"segmented_reduce", 0u,
        [](const auto& policy, const auto& at) { reheat::segmented_reduce(policy, at.in, at.first, at.last, at.out); },
        give_sums(0)},
    row{"segmented_reduce from a value", 0u,
        [](const auto& policy, const auto& at) { reheat::segmented_reduce(policy, at.in, at.first, at.last, at.out, T(3)); },
        give_sums(3)},
    row{"segmented_reduce by an operator", 0u,
        [](const auto& policy, const auto& at)
        { reheat::segmented_reduce(policy, at.in, at.first, at.last, at.out, T(3), thrust::plus<T>()); },
        give_sums(3)},
    row{"segmented_inclusive_scan", scans,
        [](const auto& policy, const auto& at)
        { reheat::segmented_inclusive_scan(policy, at.in, at.first, at.last, at.scanned); },
        give_scans(0, true)},
    row{"segmented_inclusive_scan by an operator", scans,
        [](const auto& policy, const auto& at)
        { reheat::segmented_inclusive_scan(policy, at.in, at.first, at.last, at.scanned, thrust::plus<T>()); },
        give_scans(0, true)},
    row{"segmented_inclusive_scan from a value", scans,
        [](const auto& policy, const auto& at)
        { reheat::segmented_inclusive_scan(policy, at.in, at.first, at.last, at.scanned, T(3), thrust::plus<T>()); },
        give_scans(3, true)},
    row{"segmented_exclusive_scan", scans,
        [](const auto& policy, const auto& at)
        { reheat::segmented_exclusive_scan(policy, at.in, at.first, at.last, at.scanned); },
        give_scans(0, false)},
    row{"segmented_exclusive_scan from a value", scans,
        [](const auto& policy, const auto& at)
        { reheat::segmented_exclusive_scan(policy, at.in, at.first, at.last, at.scanned, T(3)); },
        give_scans(3, false)},
    row{"segmented_exclusive_scan by an operator", scans,
        [](const auto& policy, const auto& at)
        { reheat::segmented_exclusive_scan(policy, at.in, at.first, at.last, at.scanned, T(3), thrust::plus<T>()); },
        give_scans(3, false)},
    row{"segmented_min_element", finds,
        [](const auto& policy, const auto& at)
        { reheat::segmented_min_element(policy, at.in, at.first, at.last, at.found); },
        give_places(true)},
    row{"segmented_min_element by a predicate", finds,
        [](const auto& policy, const auto& at)
        { reheat::segmented_min_element(policy, at.in, at.first, at.last, at.found, thrust::less<T>()); },
        give_places(true)},
    row{"segmented_max_element", finds,
        [](const auto& policy, const auto& at)
        { reheat::segmented_max_element(policy, at.in, at.first, at.last, at.found); },
        give_places(false)},
    row{"segmented_max_element by a predicate", finds,
        [](const auto& policy, const auto& at)
        { reheat::segmented_max_element(policy, at.in, at.first, at.last, at.found, thrust::less<T>()); },
        give_places(false)},
    row{"segmented_reduce of one size", equal,
        [](const auto& policy, const auto& at) { reheat::segmented_reduce(policy, at.in, at.where, at.out); }, give_sums(0)},
    row{"segmented_reduce of one size from a value", equal,
        [](const auto& policy, const auto& at) { reheat::segmented_reduce(policy, at.in, at.where, at.out, T(3)); },
        give_sums(3)},
    row{"segmented_reduce of one size by an operator", equal,
        [](const auto& policy, const auto& at)
        { reheat::segmented_reduce(policy, at.in, at.where, at.out, T(3), thrust::plus<T>()); },
        give_sums(3)},
    row{"segmented_inclusive_scan of one size", equal | scans,
        [](const auto& policy, const auto& at) { reheat::segmented_inclusive_scan(policy, at.in, at.where, at.scanned); },
        give_scans(0, true)},
    row{"segmented_inclusive_scan of one size by an operator", equal | scans,
        [](const auto& policy, const auto& at)
        { reheat::segmented_inclusive_scan(policy, at.in, at.where, at.scanned, thrust::plus<T>()); },
        give_scans(0, true)},
    row{"segmented_inclusive_scan of one size from a value", equal | scans,
        [](const auto& policy, const auto& at)
        { reheat::segmented_inclusive_scan(policy, at.in, at.where, at.scanned, T(3), thrust::plus<T>()); },
        give_scans(3, true)},
    row{"segmented_exclusive_scan of one size", equal | scans,
        [](const auto& policy, const auto& at) { reheat::segmented_exclusive_scan(policy, at.in, at.where, at.scanned); },
        give_scans(0, false)},
    row{"segmented_exclusive_scan of one size from a value", equal | scans,
        [](const auto& policy, const auto& at)
        { reheat::segmented_exclusive_scan(policy, at.in, at.where, at.scanned, T(3)); },
        give_scans(3, false)},
    row{"segmented_exclusive_scan of one size by an operator", equal | scans,
        [](const auto& policy, const auto& at)
        { reheat::segmented_exclusive_scan(policy, at.in, at.where, at.scanned, T(3), thrust::plus<T>()); },
        give_scans(3, false)},
    row{"segmented_min_element of one size", equal | finds,
        [](const auto& policy, const auto& at) { reheat::segmented_min_element(policy, at.in, at.where, at.equal_found); },
        give_places(true)},
    row{"segmented_min_element of one size by a predicate", equal | finds,
        [](const auto& policy, const auto& at)
        { reheat::segmented_min_element(policy, at.in, at.where, at.equal_found, thrust::less<T>()); },
        give_places(true)},
    row{"segmented_max_element of one size", equal | finds,
        [](const auto& policy, const auto& at) { reheat::segmented_max_element(policy, at.in, at.where, at.equal_found); },
        give_places(false)},
    row{"segmented_max_element of one size by a predicate", equal | finds,
        [](const auto& policy, const auto& at)
        { reheat::segmented_max_element(policy, at.in, at.where, at.equal_found, thrust::less<T>()); },
        give_places(false)},
    row{"segmented_reduce, check_offsets", waits,
        [](const auto& policy, const auto& at)
        { reheat::segmented_reduce(policy.with(reheat::check_offsets), at.in, at.first, at.last, at.out); },
        give_sums(0)});
//! Those of the classes of device.cuh. `memory`: of the caller's and its size, or nothing in one phase.
template <class T>
const auto segments_device_rows = std::make_tuple(
    row{"DeviceSegmentedReduce::Reduce", 0u,
        [](const auto& at, auto where, auto&&... memory)
        {
          return reheat::DeviceSegmentedReduce::Reduce(memory..., at.in, at.out, at.count(), at.first, at.first + 1,
                                                       thrust::plus<T>(), T(3), where);
        },
        give_sums(3)},
    row{"DeviceSegmentedReduce::Sum", 0u,
        [](const auto& at, auto where, auto&&... memory)
        { return reheat::DeviceSegmentedReduce::Sum(memory..., at.in, at.out, at.count(), at.first, at.first + 1, where); },
        give_sums(0)},
    // Nobody knows that the segments are adjacent.
    row{"DeviceSegmentedReduce::Sum by an iterator of ends", 0u,
        [](const auto& at, auto where, auto&&... memory)
        {
          return reheat::DeviceSegmentedReduce::Sum(memory..., at.in, at.out, at.count(), at.first,
                                                    thrust::make_transform_iterator(at.first + 1, end_itself{}), where);
        },
        give_sums(0)},
    row{"DeviceSegmentedReduce::Min", 0u,
        [](const auto& at, auto where, auto&&... memory)
        { return reheat::DeviceSegmentedReduce::Min(memory..., at.in, at.out, at.count(), at.first, at.first + 1, where); },
        give_extrema(true)},
    row{"DeviceSegmentedReduce::ArgMin", pairs,
        [](const auto& at, auto where, auto&&... memory) {
          return reheat::DeviceSegmentedReduce::ArgMin(memory..., at.in, at.pairs, at.count(), at.first, at.first + 1,
                                                       where);
        },
        give_pairs(true)},
    row{"DeviceSegmentedReduce::Max", 0u,
        [](const auto& at, auto where, auto&&... memory)
        { return reheat::DeviceSegmentedReduce::Max(memory..., at.in, at.out, at.count(), at.first, at.first + 1, where); },
        give_extrema(false)},
    row{"DeviceSegmentedReduce::ArgMax", pairs,
        [](const auto& at, auto where, auto&&... memory) {
          return reheat::DeviceSegmentedReduce::ArgMax(memory..., at.in, at.pairs, at.count(), at.first, at.first + 1,
                                                       where);
        },
        give_pairs(false)},
    row{"DeviceSegmentedReduce::Reduce of one size", equal,
        [](const auto& at, auto where, auto&&... memory)
        {
          return reheat::DeviceSegmentedReduce::Reduce(memory..., at.in, at.out, at.count(), at.size(), thrust::plus<T>(),
                                                       T(3), where);
        },
        give_sums(3)},
    row{"DeviceSegmentedReduce::Sum of one size", equal,
        [](const auto& at, auto where, auto&&... memory)
        { return reheat::DeviceSegmentedReduce::Sum(memory..., at.in, at.out, at.count(), at.size(), where); },
        give_sums(0)},
    row{"DeviceSegmentedReduce::Min of one size", equal,
        [](const auto& at, auto where, auto&&... memory)
        { return reheat::DeviceSegmentedReduce::Min(memory..., at.in, at.out, at.count(), at.size(), where); },
        give_extrema(true)},
    row{"DeviceSegmentedReduce::ArgMin of one size", equal | pairs,
        [](const auto& at, auto where, auto&&... memory)
        { return reheat::DeviceSegmentedReduce::ArgMin(memory..., at.in, at.pairs, at.count(), at.size(), where); },
        give_pairs(true)},
    row{"DeviceSegmentedReduce::Max of one size", equal,
        [](const auto& at, auto where, auto&&... memory)
        { return reheat::DeviceSegmentedReduce::Max(memory..., at.in, at.out, at.count(), at.size(), where); },
        give_extrema(false)},
    row{"DeviceSegmentedReduce::ArgMax of one size", equal | pairs,
        [](const auto& at, auto where, auto&&... memory)
        { return reheat::DeviceSegmentedReduce::ArgMax(memory..., at.in, at.pairs, at.count(), at.size(), where); },
        give_pairs(false)},
    row{"DeviceSegmentedScan::ExclusiveSegmentedSum", scans,
        [](const auto& at, auto where, auto&&... memory)
        {
          return reheat::DeviceSegmentedScan::ExclusiveSegmentedSum(memory..., at.in, at.scanned, at.first, at.first + 1,
                                                                    at.count(), where);
        },
        give_scans(0, false)},
    row{"DeviceSegmentedScan::ExclusiveSegmentedScan", scans,
        [](const auto& at, auto where, auto&&... memory)
        {
          return reheat::DeviceSegmentedScan::ExclusiveSegmentedScan(memory..., at.in, at.scanned, at.first, at.first + 1,
                                                                     at.count(), thrust::plus<T>(), T(3), where);
        },
        give_scans(3, false)},
    row{"DeviceSegmentedScan::InclusiveSegmentedSum", scans,
        [](const auto& at, auto where, auto&&... memory)
        {
          return reheat::DeviceSegmentedScan::InclusiveSegmentedSum(memory..., at.in, at.scanned, at.first, at.first + 1,
                                                                    at.count(), where);
        },
        give_scans(0, true)},
    row{"DeviceSegmentedScan::InclusiveSegmentedScan", scans,
        [](const auto& at, auto where, auto&&... memory)
        {
          return reheat::DeviceSegmentedScan::InclusiveSegmentedScan(memory..., at.in, at.scanned, at.first, at.first + 1,
                                                                     at.count(), thrust::plus<T>(), where);
        },
        give_scans(0, true)},
    row{"DeviceSegmentedScan::InclusiveSegmentedScanInit", scans,
        [](const auto& at, auto where, auto&&... memory)
        {
          return reheat::DeviceSegmentedScan::InclusiveSegmentedScanInit(
              memory..., at.in, at.scanned, at.first, at.first + 1, at.count(), thrust::plus<T>(), T(3), where);
        },
        give_scans(3, true)},
    row{"DeviceSegmentedScan::ExclusiveSegmentedSum to offsets", scans,
        [](const auto& at, auto where, auto&&... memory)
        {
          return reheat::DeviceSegmentedScan::ExclusiveSegmentedSum(memory..., at.in, at.scanned_shifted, at.first,
                                                                    at.first + 1, at.shifted, at.count(), where);
        },
        give_scans(0, false)},
    row{"DeviceSegmentedScan::ExclusiveSegmentedScan to offsets", scans,
        [](const auto& at, auto where, auto&&... memory)
        {
          return reheat::DeviceSegmentedScan::ExclusiveSegmentedScan(memory..., at.in, at.scanned_shifted, at.first,
                                                                     at.first + 1, at.shifted, at.count(), thrust::plus<T>(),
                                                                     T(3), where);
        },
        give_scans(3, false)},
    row{"DeviceSegmentedScan::InclusiveSegmentedSum to offsets", scans,
        [](const auto& at, auto where, auto&&... memory)
        {
          return reheat::DeviceSegmentedScan::InclusiveSegmentedSum(memory..., at.in, at.scanned_shifted, at.first,
                                                                    at.first + 1, at.shifted, at.count(), where);
        },
        give_scans(0, true)},
    row{"DeviceSegmentedScan::InclusiveSegmentedScan to offsets", scans,
        [](const auto& at, auto where, auto&&... memory)
        {
          return reheat::DeviceSegmentedScan::InclusiveSegmentedScan(memory..., at.in, at.scanned_shifted, at.first,
                                                                     at.first + 1, at.shifted, at.count(), thrust::plus<T>(),
                                                                     where);
        },
        give_scans(0, true)},
    row{"DeviceSegmentedScan::InclusiveSegmentedScanInit to offsets", scans,
        [](const auto& at, auto where, auto&&... memory)
        {
          return reheat::DeviceSegmentedScan::InclusiveSegmentedScanInit(memory..., at.in, at.scanned_shifted, at.first,
                                                                         at.first + 1, at.shifted, at.count(),
                                                                         thrust::plus<T>(), T(3), where);
        },
        give_scans(3, true)});

template <class T>
class segments_call final : public call
{
public:
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  using pair = ::cub::KeyValuePair<int, T>;

  segments_call(const char* type, const input_table<T>& table, const offset_table& ends, choices& choose,
                output_space& space, std::size_t max_items, bool captured)
      : type_(type), table_(table), ends_(ends)
  {
    kind = choose.below(static_cast<u32>(all_facts().size()));
    while (captured && has(waits))
    {
      kind = (kind + 1) % static_cast<unsigned>(all_facts().size());
    }
    if (has(equal))
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
    in_place_ = has(scans) && choose.one_in(4);
    copied_ = captured && !in_place_;
    form_ = captured ? form::nosync : static_cast<form>(choose.below(3));
    one_phase_ = is_device_wide() && REHEAT_HAS_ENVIRONMENTS != 0 && choose.one_in(4);
    out_ = space.take<T>(has(scans) ? end_ - begin_ : segments_, choose.below(64));
    found_ = space.take<u32>(has(finds) && !has(equal) ? segments_ : 0, choose.below(64));
    equal_found_ = space.take<u64>(has(finds) && has(equal) ? segments_ : 0, choose.below(32));
    pairs_ = space.take<pair>(has(pairs) ? segments_ : 0, choose.below(16));
    copy_ = copied_ ? space.take<T>(end_ - begin_, choose.below(64)) : out_;
    if (is_device_wide() && !one_phase_)
    {
      check_status(enqueue(reheat::stream_type{}, static_cast<void*>(nullptr), bytes_));
      scratch_ = space.take_scratch(bytes_, choose.below(64));
    }
  }

  static const std::vector<std::string>& all_names()
  {
    static const std::vector<std::string> all = both(names_of(segments_rows<T>), names_of(segments_device_rows<T>));
    return all;
  }

  std::string described() const override
  {
    return all_names()[kind] + ", " + std::to_string(segments_) + " segments from " + std::to_string(first_segment_) +
           " or of " + std::to_string(size_) + " " + type_ + ", " + std::to_string(end_ - begin_) + " items from " +
           std::to_string(in_at_) + (in_place_ ? " in place" : "") + ", form " + std::to_string(static_cast<int>(form_)) +
           (one_phase_ ? ", in one phase" : "");
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
    if (one_phase_)
    {
#if REHEAT_HAS_ENVIRONMENTS
      check_status(enqueue(where));
#endif
    }
    else if (is_device_wide())
    {
      std::size_t bytes = bytes_;
      check_status(enqueue(where, scratch_, bytes));
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
    const segments_sources<T> from{items, segments_, size_, ends_.offsets.data() + first_segment_, has(equal)};
    segments_outcome<T> gives;
    const auto give = [&](const auto& each) { each.give(from, gives); };
    is_device_wide() ? visit_row(segments_device_rows<T>, kind - policy_rows, give)
                     : visit_row(segments_rows<T>, kind, give);
    std::string wrong = difference("item", out_, gives.values) + difference("place", found_, gives.found) +
                        difference("place", equal_found_, gives.equal_found) +
                        difference_of_pairs("pair", pairs_, gives.pairs);
    if (copied_)
    {
      wrong += difference("input", copy_, std::vector<T>(items + begin_, items + end_));
    }
    return wrong.empty() ? "" : described() + wrong;
  }

private:
  static constexpr unsigned policy_rows = std::tuple_size_v<std::remove_const_t<decltype(segments_rows<T>)>>;

  template <class Item>
  static std::vector<Item> both(std::vector<Item> first, const std::vector<Item>& second)
  {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }
  static const std::vector<unsigned>& all_facts()
  {
    static const std::vector<unsigned> all = both(facts_of(segments_rows<T>), facts_of(segments_device_rows<T>));
    return all;
  }
  bool has(unsigned fact) const
  {
    return (all_facts()[kind] & fact) != 0;
  }
  bool is_device_wide() const
  {
    return kind >= policy_rows;
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

  static T* shifted(T* items, std::size_t by)
  {
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(items) - by * sizeof(T));
  }
  segments_places<T> places() const
  {
    const u32* const first = raw(ends_.in) + first_segment_;
    return {in_place_ || copied_ ? shifted(copy_.device, begin_) : raw(table_.in) + in_at_,
            first,
            first + segments_ + 1,
            raw(ends_.shifted_in) + first_segment_,
            {segments_, size_},
            out_.device,
            shifted(out_.device, begin_),
            shifted(out_.device, begin_ + offset_table::shift),
            found_.device,
            equal_found_.device,
            pairs_.device};
  }

  template <class Policy>
  void make_by(const Policy& policy) const
  {
    const segments_places<T> at = places();
    visit_row(segments_rows<T>, kind, [&](const auto& each) { each.call(policy, at); });
  }
  //! Asks how much scratch memory the call needs, and makes it in so much; or makes it in one phase.
  template <class... Memory>
  reheat::status_type enqueue(reheat::stream_type where, Memory&&... memory) const
  {
    const segments_places<T> at = places();
    reheat::status_type status = reheat::runtime::success;
    visit_row(segments_device_rows<T>, kind - policy_rows,
              [&](const auto& each) { status = each.call(at, where, memory...); });
    return status;
  }

  const char* type_;
  const input_table<T>& table_;
  const offset_table& ends_;
  std::size_t first_segment_ = 0, segments_ = 0, size_ = 0; //!< size: of each, where all have one
  std::size_t begin_ = 0, end_ = 0, in_at_ = 0, bytes_ = 0;
  bool in_place_ = false, copied_ = false, one_phase_ = false;
  form form_ = form::waits;
  place<T> out_, copy_;
  place<u32> found_;
  place<u64> equal_found_;
  place<pair> pairs_;
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
  std::vector<std::string> kinds() const override { return segments_call<T>::all_names(); }
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
