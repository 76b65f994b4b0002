// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls of segments for graphs: each reads other items and other offsets whenever it runs, of as many segments.
#pragma once

#include "device_calls.hpp"
#include "layouts.hpp"
#include "offsets.hpp"

#include <reheat/device.cuh>

#include <cub/util_type.cuh> // KeyValuePair

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace compat
{

//! Of calls whose name ends with `anywhere` begins and ends of segments are two arrays, and there are items between
//! segments; of those whose name begins with `equal`, segments are of one size.
enum class segment_call
{
  reduce,
  scan,
  extremum,
  equal_reduce,
  equal_scan,
  device_reduce,
  device_scan,
  device_reduce_anywhere,
  device_scan_anywhere,
  device_extremum_anywhere
};
struct segment_call_facts
{
  segment_call call;
  const char* name;
  unsigned launches;
};
inline constexpr segment_call_facts all_segment_calls[] = {
    {segment_call::reduce, "segmented_reduce", 1},
    {segment_call::scan, "segmented_inclusive_scan", 2},
    {segment_call::extremum, "segmented_min_element", 1},
    {segment_call::equal_reduce, "segmented_reduce of segments of one size", 1},
    {segment_call::equal_scan, "segmented_exclusive_scan of segments of one size", 2},
    {segment_call::device_reduce, "DeviceSegmentedReduce::Sum", 2},
    {segment_call::device_scan, "DeviceSegmentedScan::InclusiveSegmentedSum", 2},
    {segment_call::device_reduce_anywhere, "DeviceSegmentedReduce::Sum with gaps", 3},
    {segment_call::device_scan_anywhere, "DeviceSegmentedScan::InclusiveSegmentedSum with gaps", 4},
    {segment_call::device_extremum_anywhere, "DeviceSegmentedReduce::ArgMin with gaps", 3}};

//! One of these calls. A call of a device-wide class has a block of memory of its own.
class replayed
{
public:
  using u32 = std::uint32_t;
  static constexpr std::size_t segments = emulated ? 300 : 40000;

  explicit replayed(const segment_call_facts& facts)
      : facts_(facts), in_(max_items), out_(max_items), begins_(segments + 1), ends_(segments)
  {
    std::size_t bytes = 0;
    call_device(nullptr, bytes, default_stream());
    memory_.resize(bytes);
  }

  //! Segments of another kind, if they are not of one size, and other items.
  void set(lengths kind, std::size_t first)
  {
    where_ = {facts_.name, {}, {}};
    const std::vector<u32> offsets = make_offsets(kind, segments, segmented_tile<u32>(), first);
    for (std::size_t s = 0; s < segments; ++s)
    {
      if (is_equal())
      {
        where_.add(static_cast<std::int64_t>(s) * equal_size, static_cast<std::int64_t>(s + 1) * equal_size);
      }
      else
      {
        const bool shorter = is_anywhere() && s % 3 == 0 && offsets[s + 1] != offsets[s];
        where_.add(offsets[s], offsets[s + 1] - (shorter ? 1 : 0));
      }
    }
    const std::size_t items = is_equal() ? segments * equal_size : offsets.back();
    BOOST_REQUIRE(items <= max_items);
    items_ = make_items<u32>(items, first);
    for (u32& item : items_)
    {
      item %= 97;
    }
    const std::vector<u32> ends(where_.ends.begin(), where_.ends.end());
    wait_for_all_streams();
    copy_bytes(raw(in_), items_.data(), items_.size() * sizeof(u32));
    copy_bytes(raw(begins_), offsets.data(), offsets.size() * sizeof(u32));
    copy_bytes(raw(ends_), ends.data(), ends.size() * sizeof(u32));
    forget();
  }
  void forget()
  {
    const std::vector<u32> nothing(max_items, untouched);
    wait_for_all_streams();
    copy_bytes(raw(out_), nothing.data(), nothing.size() * sizeof(u32));
  }
  void enqueue(stream& where)
  {
    const auto policy = reheat::par_nosync.on(where.get());
    const u32* const at = raw(begins_);
    const reheat::equal_segments equal{segments, equal_size};
    std::size_t bytes = memory_.size();
    switch (facts_.call)
    {
      case segment_call::reduce:
        reheat::segmented_reduce(policy, raw(in_), at, at + segments + 1, raw(out_));
        break;
      case segment_call::scan:
        reheat::segmented_inclusive_scan(policy, raw(in_), at, at + segments + 1, raw(out_));
        break;
      case segment_call::extremum:
        reheat::segmented_min_element(policy, raw(in_), at, at + segments + 1, raw(out_));
        break;
      case segment_call::equal_reduce:
        reheat::segmented_reduce(policy, raw(in_), equal, raw(out_));
        break;
      case segment_call::equal_scan:
        reheat::segmented_exclusive_scan(policy, raw(in_), equal, raw(out_));
        break;
      default:
        call_device(raw(memory_), bytes, where.get());
    }
  }
  void check(const std::string& what) const
  {
    const std::vector<u32> expected = results();
    check_same(what + ", " + facts_.name, expected, to_host(out_, 0, expected.size()));
  }
  void check_untouched(const std::string& what) const
  {
    check_same(what + ", " + facts_.name, std::vector<u32>(max_items, untouched), to_host(out_));
  }

private:
  using pair = ::cub::KeyValuePair<int, u32>;
  static constexpr std::size_t max_items = segments * 160;         // hundreds
  static constexpr std::uint32_t equal_size = emulated ? 37 : 120; // too long for shares, which take one launch
  static constexpr u32 untouched = 0xeeeeeeeeu;

  bool is_equal() const { return facts_.call == segment_call::equal_reduce || facts_.call == segment_call::equal_scan; }
  bool is_anywhere() const { return facts_.call >= segment_call::device_reduce_anywhere; }

  //! Asks for no bytes if it is a call under a policy.
  void call_device(void* memory, std::size_t& bytes, reheat::stream_type where)
  {
    const u32* const begins = raw(begins_);
    const u32* const ends = is_anywhere() ? raw(ends_) : begins + 1;
    const auto count = static_cast<std::int64_t>(segments);
    reheat::status_type status = reheat::runtime::success;
    switch (facts_.call)
    {
      case segment_call::device_reduce:
      case segment_call::device_reduce_anywhere:
        status = reheat::DeviceSegmentedReduce::Sum(memory, bytes, raw(in_), raw(out_), count, begins, ends, where);
        break;
      case segment_call::device_scan:
      case segment_call::device_scan_anywhere:
        status = reheat::DeviceSegmentedScan::InclusiveSegmentedSum(memory, bytes, raw(in_), raw(out_), begins, ends, count,
                                                                    where);
        break;
      case segment_call::device_extremum_anywhere:
        status = reheat::DeviceSegmentedReduce::ArgMin(memory, bytes, raw(in_), reinterpret_cast<pair*>(raw(out_)), count,
                                                       begins, ends, where);
        break;
      default:
        break;
    }
    check_status(facts_.name, reheat::runtime::success, status);
  }
  std::vector<u32> results() const
  {
    const std::vector<u32> before(items_.size(), untouched);
    const u32 zero = 0;
    switch (facts_.call)
    {
      case segment_call::reduce:
      case segment_call::equal_reduce:
      case segment_call::device_reduce:
      case segment_call::device_reduce_anywhere:
        return folds_of(where_, items_, zero, plus{});
      case segment_call::scan:
      case segment_call::device_scan:
      case segment_call::device_scan_anywhere:
        return scans_of(where_, items_, before, where_.begins, true, static_cast<const u32*>(nullptr), plus{});
      case segment_call::equal_scan:
        return scans_of(where_, items_, before, where_.begins, false, &zero, plus{});
      default:
        break;
    }
    std::vector<u32> found;
    for (std::size_t s = 0; s < segments; ++s)
    {
      const std::int64_t at =
          std::min_element(items_.begin() + where_.begins[s], items_.begin() + where_.ends[s]) - items_.begin();
      if (facts_.call == segment_call::extremum)
      {
        found.push_back(static_cast<u32>(at));
        continue;
      }
      const bool empty = where_.begins[s] == where_.ends[s];
      found.push_back(empty ? 1 : static_cast<u32>(at - where_.begins[s]));
      found.push_back(empty ? std::numeric_limits<u32>::max() : items_[static_cast<std::size_t>(at)]);
    }
    return found;
  }

  const segment_call_facts& facts_;
  layout where_;
  std::vector<u32> items_;
  thrust::device_vector<u32> in_, out_, begins_, ends_;
  thrust::device_vector<unsigned char> memory_;
};

} // namespace compat
