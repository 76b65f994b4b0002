// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Drawn calls of the classes of device.cuh, in scratch memory of the caller's that holds what earlier calls have left.
#pragma once

#include "../support/random_calls.hpp"

#include <reheat/device.cuh>

#include <functional>
#include <limits>
#include <numeric>

namespace compat::drawn
{

enum class device_entry : unsigned
{
  sum,
  min,
  max,
  reduce,
  transform_reduce,
  arg_min,
  arg_max,
  reduce_by_key,
  exclusive_sum,
  inclusive_sum,
  exclusive_scan,
  inclusive_scan_init,
  exclusive_sum_by_key,
  inclusive_sum_by_key,
  select_if,
  select_flagged,
  unique,
  unique_by_key,
  partition_if,
  partition_flagged,
  encode,
  non_trivial_runs,
  sort_keys,
  sort_keys_descending,
  sort_pairs,
  sort_pairs_descending,
#if REHEAT_HAS_ENVIRONMENTS
  sum_in_one_phase,
  inclusive_sum_in_one_phase,
  select_if_in_one_phase,
#endif
};
inline const std::vector<std::string> device_entry_names = {
    "DeviceReduce::Sum",
    "DeviceReduce::Min",
    "DeviceReduce::Max",
    "DeviceReduce::Reduce",
    "DeviceReduce::TransformReduce",
    "DeviceReduce::ArgMin",
    "DeviceReduce::ArgMax",
    "DeviceReduce::ReduceByKey",
    "DeviceScan::ExclusiveSum",
    "DeviceScan::InclusiveSum",
    "DeviceScan::ExclusiveScan",
    "DeviceScan::InclusiveScanInit",
    "DeviceScan::ExclusiveSumByKey",
    "DeviceScan::InclusiveSumByKey",
    "DeviceSelect::If",
    "DeviceSelect::Flagged",
    "DeviceSelect::Unique",
    "DeviceSelect::UniqueByKey",
    "DevicePartition::If",
    "DevicePartition::Flagged",
    "DeviceRunLengthEncode::Encode",
    "DeviceRunLengthEncode::NonTrivialRuns",
    "DeviceRadixSort::SortKeys",
    "DeviceRadixSort::SortKeysDescending",
    "DeviceRadixSort::SortPairs",
    "DeviceRadixSort::SortPairsDescending",
#if REHEAT_HAS_ENVIRONMENTS
    "DeviceReduce::Sum in one phase",
    "DeviceScan::InclusiveSum in one phase",
    "DeviceSelect::If in one phase",
#endif
};

//! What a call of device.cuh has to give.
template <class T>
struct device_outcome
{
  std::vector<T> values;
  std::vector<std::uint32_t> keys, lengths, number; //!< the number of runs or of selected items, or an index
};

namespace
{

template <class T>
struct is_large
{
  REHEAT_HOST_DEVICE bool operator()(T x) const { return x > T(1); }
};
template <class T>
struct doubled
{
  REHEAT_HOST_DEVICE T operator()(T x) const { return static_cast<T>(x + x); }
};

template <class T>
class device_call final : public call
{
public:
  using u32 = std::uint32_t;
  using status_type = reheat::status_type;

  device_call(const char* type, const input_table<T>& table, choices& choose, output_space& space, std::size_t max_items,
              bool captured)
      : type_(type), table_(table)
  {
    kind = choose.below(static_cast<u32>(device_entry_names.size()));
    const bool sorts = entry() >= device_entry::sort_keys && entry() <= device_entry::sort_pairs_descending;
    size_ = std::max<std::size_t>(choose.size(max_items), 1);
    change_input(choose);
    keys_at_ = choose.below(input_table<T>::room);
    const bool may_be_in_place = entry() == device_entry::exclusive_sum || entry() == device_entry::inclusive_sum ||
                                 entry() == device_entry::exclusive_scan || entry() == device_entry::select_if;
    in_place_ = may_be_in_place && choose.one_in(3);
    copied_ = captured && !in_place_;
    out_ = space.take<T>(size_, choose.below(64));
    keys_out_ = space.take<u32>(size_, choose.below(64));
    lengths_out_ = space.take<u32>(size_, choose.below(64));
    number_out_ = space.take<u32>(1, choose.below(64));
    copy_ = copied_ ? space.take<T>(size_, choose.below(64)) : out_;
    if (sorts && std::is_integral_v<T> && std::is_unsigned_v<T>)
    {
      begin_bit_ = static_cast<int>(choose.below(8 * sizeof(T)));
      end_bit_ =
          begin_bit_ + 1 + static_cast<int>(choose.below(static_cast<u32>(8 * sizeof(T)) - static_cast<u32>(begin_bit_)));
    }
    check_status(enqueue(nullptr, bytes_, reheat::stream_type{}));
    scratch_ = space.take_scratch(bytes_, choose.below(64));
  }

  std::string described() const override
  {
    return device_entry_names[kind] + " of " + std::to_string(size_) + " " + type_ + " from " + std::to_string(in_at_) +
           " and " + std::to_string(keys_at_) + (in_place_ ? " in place" : "") + ", bits " + std::to_string(begin_bit_) +
           " to " + std::to_string(end_bit_) + ", in " + std::to_string(bytes_) + " bytes";
  }
  void change_input(choices& choose) override { in_at_ = choose.below(input_table<T>::room); }
  void prepare(reheat::stream_type where) override
  {
    if (in_place_ || copied_)
    {
      copy_in_stream(copy_.device, raw(table_.in) + in_at_, size_ * sizeof(T), where);
    }
  }
  void make(reheat::stream_type where) override
  {
    std::size_t bytes = bytes_;
    check_status(enqueue(scratch_, bytes, where));
  }
  std::string check() const override
  {
    device_outcome<T> expected = outcome();
    const T* const items = table_.items.data() + in_at_;
    if (in_place_ && expected.values.size() < size_)
    {
      expected.values.insert(expected.values.end(), items + expected.values.size(), items + size_);
    }
    std::string wrong = difference("item", out_, expected.values) + difference("key", keys_out_, expected.keys) +
                        difference("length", lengths_out_, expected.lengths) +
                        difference("number", number_out_, expected.number);
    if (copied_)
    {
      wrong += difference("input", copy_, std::vector<T>(items, items + size_));
    }
    return wrong.empty() ? "" : described() + wrong;
  }

private:
  device_entry entry() const { return static_cast<device_entry>(kind); }

  void check_status(status_type status) const
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

  status_type enqueue(void* memory, std::size_t& bytes, reheat::stream_type where) const
  {
    using namespace reheat;
    const T* const in = in_place_ || copied_ ? copy_.device : raw(table_.in) + in_at_;
    const u32* const keys = raw(table_.keys_in) + keys_at_;
    T* const out = out_.device;
    u32 *const keys_out = keys_out_.device, *const lengths = lengths_out_.device, *const number = number_out_.device;
    const int n = static_cast<int>(size_);
    const thrust::plus<T> plus{};
    switch (entry())
    {
      case device_entry::sum:
        return DeviceReduce::Sum(memory, bytes, in, out, n, where);
      case device_entry::min:
        return DeviceReduce::Min(memory, bytes, in, out, n, where);
      case device_entry::max:
        return DeviceReduce::Max(memory, bytes, in, out, n, where);
      case device_entry::reduce:
        return DeviceReduce::Reduce(memory, bytes, in, out, n, plus, T(3), where);
      case device_entry::transform_reduce:
        return DeviceReduce::TransformReduce(memory, bytes, in, out, n, plus, doubled<T>{}, T(3), where);
      case device_entry::arg_min:
        return DeviceReduce::ArgMin(memory, bytes, in, out, number, size_, where);
      case device_entry::arg_max:
        return DeviceReduce::ArgMax(memory, bytes, in, out, number, size_, where);
      case device_entry::reduce_by_key:
        return DeviceReduce::ReduceByKey(memory, bytes, keys, keys_out, in, out, number, plus, n, where);
      case device_entry::exclusive_sum:
        return DeviceScan::ExclusiveSum(memory, bytes, in, out, n, where);
      case device_entry::inclusive_sum:
        return DeviceScan::InclusiveSum(memory, bytes, in, out, n, where);
      case device_entry::exclusive_scan:
        return DeviceScan::ExclusiveScan(memory, bytes, in, out, plus, T(3), n, where);
      case device_entry::inclusive_scan_init:
        return DeviceScan::InclusiveScanInit(memory, bytes, in, out, plus, T(3), n, where);
      case device_entry::exclusive_sum_by_key:
        return DeviceScan::ExclusiveSumByKey(memory, bytes, keys, in, out, n, ::cuda::std::equal_to<>{}, where);
      case device_entry::inclusive_sum_by_key:
        return DeviceScan::InclusiveSumByKey(memory, bytes, keys, in, out, n, ::cuda::std::equal_to<>{}, where);
      case device_entry::select_if:
        return DeviceSelect::If(memory, bytes, in, out, number, n, is_large<T>{}, where);
      case device_entry::select_flagged:
        return DeviceSelect::Flagged(memory, bytes, in, keys, out, number, n, where);
      case device_entry::unique:
        return DeviceSelect::Unique(memory, bytes, in, out, number, n, where);
      case device_entry::unique_by_key:
        return DeviceSelect::UniqueByKey(memory, bytes, keys, in, keys_out, out, number, n, where);
      case device_entry::partition_if:
        return DevicePartition::If(memory, bytes, in, out, number, n, is_large<T>{}, where);
      case device_entry::partition_flagged:
        return DevicePartition::Flagged(memory, bytes, in, keys, out, number, n, where);
      case device_entry::encode:
        return DeviceRunLengthEncode::Encode(memory, bytes, in, out, lengths, number, n, where);
      case device_entry::non_trivial_runs:
        return DeviceRunLengthEncode::NonTrivialRuns(memory, bytes, in, keys_out, lengths, number, n, where);
      case device_entry::sort_keys:
        return DeviceRadixSort::SortKeys(memory, bytes, in, out, n, begin_bit_, end_bit_, where);
      case device_entry::sort_keys_descending:
        return DeviceRadixSort::SortKeysDescending(memory, bytes, in, out, n, begin_bit_, end_bit_, where);
      case device_entry::sort_pairs:
        return DeviceRadixSort::SortPairs(memory, bytes, in, out, keys, keys_out, n, begin_bit_, end_bit_, where);
      case device_entry::sort_pairs_descending:
        return DeviceRadixSort::SortPairsDescending(memory, bytes, in, out, keys, keys_out, n, begin_bit_, end_bit_, where);
#if REHEAT_HAS_ENVIRONMENTS
      case device_entry::sum_in_one_phase:
        return memory == nullptr ? runtime::success : DeviceReduce::Sum(in, out, n, where);
      case device_entry::inclusive_sum_in_one_phase:
        return memory == nullptr ? runtime::success : DeviceScan::InclusiveSum(in, out, n, where);
      case device_entry::select_if_in_one_phase:
        return memory == nullptr ? runtime::success : DeviceSelect::If(in, out, number, n, is_large<T>{}, where);
#endif
    }
    return runtime::success;
  }

  //! The items in places [0, size), selected by `wanted(place)`.
  template <class Wanted>
  std::vector<T> selected(Wanted wanted) const
  {
    std::vector<T> result;
    for (std::size_t i = 0; i < size_; ++i)
    {
      if (wanted(i))
      {
        result.push_back(table_.items[in_at_ + i]);
      }
    }
    return result;
  }

  device_outcome<T> outcome() const
  {
    const T* const items = table_.items.data() + in_at_;
    const u32* const keys = table_.keys.data() + keys_at_;
    device_outcome<T> result;
    const auto add = [](T x, T y) { return static_cast<T>(x + y); };
    const auto total = [&](T from) { return std::accumulate(items, items + size_, from, add); };
    const auto numbered = [&](std::size_t number) { result.number.push_back(static_cast<u32>(number)); };
    const auto starts = [&](std::size_t i, const auto* of) { return i == 0 || of[i] != of[i - 1]; };
    const auto is_large_at = [&](std::size_t i) { return items[i] > T(1); };
    const auto is_flagged = [&](std::size_t i) { return keys[i] != 0; };
    const auto scan = [&](T from, bool inclusive, bool by_key)
    {
      T sum = from;
      for (std::size_t i = 0; i < size_; ++i)
      {
        sum = by_key && starts(i, keys) ? from : sum;
        const T before = sum;
        sum = add(sum, items[i]);
        result.values.push_back(inclusive ? sum : before);
      }
    };
    const auto extremum = [&](const T* found)
    {
      result.values.push_back(*found);
      return static_cast<std::size_t>(found - items);
    };
    const auto partition = [&](auto wanted)
    {
      result.values = selected(wanted);
      numbered(result.values.size());
      const std::vector<T> others = selected([&](std::size_t i) { return !wanted(i); });
      result.values.insert(result.values.end(), others.rbegin(), others.rend());
    };
    const auto select = [&](auto wanted)
    {
      result.values = selected(wanted);
      numbered(result.values.size());
    };
    switch (entry())
    {
#if REHEAT_HAS_ENVIRONMENTS
      case device_entry::sum_in_one_phase:
#endif
      case device_entry::sum:
        result.values = {total(T(0))};
        break;
      case device_entry::min:
        extremum(std::min_element(items, items + size_));
        break;
      case device_entry::max:
        extremum(std::max_element(items, items + size_));
        break;
      case device_entry::reduce:
        result.values = {total(T(3))};
        break;
      case device_entry::transform_reduce:
        result.values = {std::accumulate(items, items + size_, T(3), [&](T x, T y) { return add(x, add(y, y)); })};
        break;
      case device_entry::arg_min:
        numbered(extremum(std::min_element(items, items + size_)));
        break;
      case device_entry::arg_max:
        numbered(extremum(std::max_element(items, items + size_)));
        break;
      case device_entry::reduce_by_key:
        for (std::size_t i = 0; i < size_; ++i)
        {
          if (starts(i, keys))
          {
            result.keys.push_back(keys[i]);
            result.values.push_back(items[i]);
          }
          else
          {
            result.values.back() = add(result.values.back(), items[i]);
          }
        }
        numbered(result.keys.size());
        break;
      case device_entry::exclusive_sum:
        scan(T(0), false, false);
        break;
#if REHEAT_HAS_ENVIRONMENTS
      case device_entry::inclusive_sum_in_one_phase:
#endif
      case device_entry::inclusive_sum:
        scan(T(0), true, false);
        break;
      case device_entry::exclusive_scan:
        scan(T(3), false, false);
        break;
      case device_entry::inclusive_scan_init:
        scan(T(3), true, false);
        break;
      case device_entry::exclusive_sum_by_key:
        scan(T(0), false, true);
        break;
      case device_entry::inclusive_sum_by_key:
        scan(T(0), true, true);
        break;
#if REHEAT_HAS_ENVIRONMENTS
      case device_entry::select_if_in_one_phase:
#endif
      case device_entry::select_if:
        select(is_large_at);
        break;
      case device_entry::select_flagged:
        select(is_flagged);
        break;
      case device_entry::unique:
        select([&](std::size_t i) { return starts(i, items); });
        break;
      case device_entry::unique_by_key:
        select([&](std::size_t i) { return starts(i, keys); });
        for (std::size_t i = 0; i < size_; ++i)
        {
          if (starts(i, keys))
          {
            result.keys.push_back(keys[i]);
          }
        }
        break;
      case device_entry::partition_if:
        partition(is_large_at);
        break;
      case device_entry::partition_flagged:
        partition(is_flagged);
        break;
      case device_entry::encode:
      case device_entry::non_trivial_runs:
        for (std::size_t i = 0, end = 0; i < size_; i = end)
        {
          end = i + 1;
          while (end < size_ && !starts(end, items))
          {
            ++end;
          }
          if (entry() == device_entry::encode)
          {
            result.values.push_back(items[i]);
          }
          else if (end - i > 1)
          {
            result.keys.push_back(static_cast<u32>(i));
          }
          if (entry() == device_entry::encode || end - i > 1)
          {
            result.lengths.push_back(static_cast<u32>(end - i));
          }
        }
        numbered(result.lengths.size());
        break;
      case device_entry::sort_keys:
      case device_entry::sort_pairs:
        sort(result, items, keys, std::less<>{});
        break;
      case device_entry::sort_keys_descending:
      case device_entry::sort_pairs_descending:
        sort(result, items, keys, std::greater<>{});
        break;
    }
    return result;
  }

  //! The part of a key that counts.
  auto digits_of(T key) const
  {
    if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>)
    {
      const std::uint64_t above = std::uint64_t{key} >> begin_bit_;
      return end_bit_ - begin_bit_ == 64 ? above : above & ((std::uint64_t{1} << (end_bit_ - begin_bit_)) - 1);
    }
    else
    {
      return key;
    }
  }
  template <class Before>
  void sort(device_outcome<T>& result, const T* items, const u32* keys, Before before) const
  {
    std::vector<std::size_t> places(size_);
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t x, std::size_t y) { return before(digits_of(items[x]), digits_of(items[y])); });
    const bool pairs = entry() == device_entry::sort_pairs || entry() == device_entry::sort_pairs_descending;
    for (const std::size_t at : places)
    {
      result.values.push_back(items[at]);
      if (pairs)
      {
        result.keys.push_back(keys[at]);
      }
    }
  }

  const char* type_;
  const input_table<T>& table_;
  std::size_t size_ = 0, in_at_ = 0, keys_at_ = 0, bytes_ = 0;
  int begin_bit_ = 0, end_bit_ = 8 * sizeof(T);
  bool in_place_ = false, copied_ = false;
  place<T> out_, copy_;
  place<u32> keys_out_, lengths_out_, number_out_;
  void* scratch_ = nullptr;
};

template <class T>
class device_caller final : public caller
{
public:
  device_caller(const char* type, std::size_t max_items)
      : type_(type), max_items_(max_items), table_(input_table<T>::of(max_items))
  {}
  std::string name() const override { return std::string("device.cuh, ") + type_; }
  std::vector<std::string> kinds() const override { return device_entry_names; }
  std::unique_ptr<call> draw(choices& choose, output_space& space, bool captured) override
  {
    return std::make_unique<device_call<T>>(type_, table_, choose, space, max_items_, captured);
  }

private:
  const char* type_;
  std::size_t max_items_;
  const input_table<T>& table_;
};

} // namespace

} // namespace compat::drawn
