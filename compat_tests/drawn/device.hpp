// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Drawn calls of the classes of device.cuh, in scratch memory of the caller's that holds what earlier calls have left.
#pragma once

#include "../support/random_calls.hpp"

#include <reheat/device.cuh>

#include <cub/util_type.cuh> // DoubleBuffer, FutureValue, KeyValuePair

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
  arg_min_by_predicate,
  arg_max_by_predicate,
  arg_min_pair,
  arg_max_pair,
  exclusive_sum_in_place,
  exclusive_scan_in_place,
  exclusive_scan_from_future,
  exclusive_scan_from_future_in_place,
  inclusive_sum_in_place,
  inclusive_scan,
  inclusive_scan_in_place,
  exclusive_scan_by_key,
  inclusive_scan_by_key,
  select_if_in_place,
  select_flagged_in_place,
  select_flagged_if,
  select_flagged_if_in_place,
  unique_by_predicate,
  unique_in_place,
  unique_in_place_by_predicate,
  unique_by_key_by_predicate,
  partition_three_ways,
  sort_key_buffers,
  sort_key_buffers_descending,
  sort_pair_buffers,
  sort_pair_buffers_descending,
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
    "DeviceReduce::ArgMin by a predicate",
    "DeviceReduce::ArgMax by a predicate",
    "DeviceReduce::ArgMin as a pair",
    "DeviceReduce::ArgMax as a pair",
    "DeviceScan::ExclusiveSum in place",
    "DeviceScan::ExclusiveScan in place",
    "DeviceScan::ExclusiveScan from a value on the device",
    "DeviceScan::ExclusiveScan from a value on the device, in place",
    "DeviceScan::InclusiveSum in place",
    "DeviceScan::InclusiveScan",
    "DeviceScan::InclusiveScan in place",
    "DeviceScan::ExclusiveScanByKey",
    "DeviceScan::InclusiveScanByKey",
    "DeviceSelect::If in place",
    "DeviceSelect::Flagged in place",
    "DeviceSelect::FlaggedIf",
    "DeviceSelect::FlaggedIf in place",
    "DeviceSelect::Unique by a predicate",
    "DeviceSelect::Unique in place",
    "DeviceSelect::Unique by a predicate, in place",
    "DeviceSelect::UniqueByKey by a predicate",
    "DevicePartition::If three ways",
    "DeviceRadixSort::SortKeys of buffers",
    "DeviceRadixSort::SortKeysDescending of buffers",
    "DeviceRadixSort::SortPairs of buffers",
    "DeviceRadixSort::SortPairsDescending of buffers",
};

//! What a call of device.cuh has to give.
template <class T>
struct device_outcome
{
  std::vector<T> values, second, third;             //!< the latter of partitions in three
  std::vector<std::uint32_t> keys, lengths, number; //!< the number of runs or of selected items, or an index
  std::vector<::cub::KeyValuePair<int, T>> pair;
};

namespace
{

template <class T>
struct is_large
{
  REHEAT_HOST_DEVICE bool operator()(T x) const { return x > T(1); }
};
//! Of flags.
struct is_one
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t flag) const { return flag == 1; }
};
template <class T>
struct is_zero
{
  REHEAT_HOST_DEVICE bool operator()(T x) const { return x == T(0); }
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
    size_ = std::max<std::size_t>(choose.size(max_items), 1);
    change_input(choose);
    keys_at_ = choose.below(input_table<T>::room);
    const bool may_be_in_place = is_one_of(device_entry::exclusive_sum, device_entry::inclusive_sum,
                                           device_entry::exclusive_scan, device_entry::select_if);
    in_place_ = has_buffers() || is_in_place() || (may_be_in_place && choose.one_in(3));
    copied_ = captured && !in_place_;
    // Of one phase a sort and a partition need memory, which no graph keeps for them.
    one_phase_ = REHEAT_HAS_ENVIRONMENTS != 0 && !has_no_single_phase() && !(captured && sorts()) && choose.one_in(4);
    out_ = space.take<T>(size_, choose.below(64));
    second_ = space.take<T>(is_three_way() ? size_ : 0, choose.below(64));
    third_ = space.take<T>(is_three_way() ? size_ : 0, choose.below(64));
    keys_out_ = space.take<u32>(size_, choose.below(64));
    lengths_out_ = space.take<u32>(size_, choose.below(64));
    number_out_ = space.take<u32>(2, choose.below(64));
    pair_out_ = space.take<pair>(1, choose.below(16));
    copy_ = copied_ || has_buffers() ? space.take<T>(size_, choose.below(64)) : out_;
    if (sorts() && std::is_integral_v<T> && std::is_unsigned_v<T>)
    {
      begin_bit_ = static_cast<int>(choose.below(8 * sizeof(T)));
      end_bit_ =
          begin_bit_ + 1 + static_cast<int>(choose.below(static_cast<u32>(8 * sizeof(T)) - static_cast<u32>(begin_bit_)));
    }
    if (!one_phase_)
    {
      check_status(enqueue(reheat::stream_type{}, static_cast<void*>(nullptr), bytes_));
      scratch_ = space.take_scratch(bytes_, choose.below(64));
    }
  }

  std::string described() const override
  {
    return device_entry_names[kind] + " of " + std::to_string(size_) + " " + type_ + " from " + std::to_string(in_at_) +
           " and " + std::to_string(keys_at_) + (in_place_ ? " in place" : "") + ", bits " + std::to_string(begin_bit_) +
           " to " + std::to_string(end_bit_) + (one_phase_ ? ", in one phase" : ", in " + std::to_string(bytes_) + " bytes");
  }
  void change_input(choices& choose) override { in_at_ = choose.below(input_table<T>::room); }
  void prepare(reheat::stream_type where) override
  {
    if (in_place_ || copied_)
    {
      copy_in_stream(copied_ ? copy_.device : out_.device, raw(table_.in) + in_at_, size_ * sizeof(T), where);
    }
    if (has_buffers())
    {
      copy_in_stream(keys_out_.device, raw(table_.keys_in) + keys_at_, size_ * sizeof(u32), where);
    }
  }
  void make(reheat::stream_type where) override
  {
    if (one_phase_)
    {
#if REHEAT_HAS_ENVIRONMENTS
      check_status(enqueue(where));
#endif
      return;
    }
    std::size_t bytes = bytes_;
    check_status(enqueue(where, scratch_, bytes));
  }
  std::string check() const override
  {
    device_outcome<T> expected = outcome();
    const T* const items = table_.items.data() + in_at_;
    if (in_place_ && expected.values.size() < size_)
    {
      expected.values.insert(expected.values.end(), items + expected.values.size(), items + size_);
    }
    if (has_buffers()) // the result is in one of each two, and the other one in any state
    {
      const bool sorts_pairs = !expected.keys.empty();
      const std::size_t values = sorts_pairs ? size_ : 0;
      const std::string wrong =
          difference("item", keys_in_first_ ? out_ : copy_, expected.values) +
          difference("other buffer", keys_in_first_ ? copy_ : out_, std::vector<T>{}, size_) +
          (sorts_pairs
               ? difference("value", values_in_first_ ? keys_out_ : lengths_out_, expected.keys) +
                     difference("other buffer", values_in_first_ ? lengths_out_ : keys_out_, std::vector<u32>{}, values)
               : difference("value", keys_out_, std::vector<u32>(keys_in(), keys_in() + size_)) +
                     difference("length", lengths_out_, expected.lengths)) +
          difference("second part", second_, expected.second) + difference("third part", third_, expected.third) +
          difference("number", number_out_, expected.number) + difference_of_pairs("pair", pair_out_, expected.pair);
      return wrong.empty() ? "" : described() + wrong;
    }
    std::string wrong = difference("item", out_, expected.values) + difference("second part", second_, expected.second) +
                        difference("third part", third_, expected.third) + difference("key", keys_out_, expected.keys) +
                        difference("length", lengths_out_, expected.lengths) +
                        difference("number", number_out_, expected.number) +
                        difference_of_pairs("pair", pair_out_, expected.pair);
    if (copied_)
    {
      wrong += difference("input", copy_, std::vector<T>(items, items + size_));
    }
    return wrong.empty() ? "" : described() + wrong;
  }

private:
  using pair = ::cub::KeyValuePair<int, T>;

  device_entry entry() const
  {
    return static_cast<device_entry>(kind);
  }
  template <class... Entries>
  bool is_one_of(Entries... entries) const
  {
    return ((entry() == entries) || ...);
  }
  bool has_buffers() const
  {
    return entry() >= device_entry::sort_key_buffers;
  }
  bool sorts() const
  {
    return has_buffers() || (entry() >= device_entry::sort_keys && entry() <= device_entry::sort_pairs_descending);
  }
  bool sorts_pairs() const
  {
    return is_one_of(device_entry::sort_pairs, device_entry::sort_pairs_descending, device_entry::sort_pair_buffers,
                     device_entry::sort_pair_buffers_descending);
  }
  bool is_three_way() const
  {
    return entry() == device_entry::partition_three_ways;
  }
  bool has_no_single_phase() const
  {
    return is_one_of(device_entry::arg_min_pair, device_entry::arg_max_pair);
  }
  bool is_in_place() const
  {
    return is_one_of(device_entry::exclusive_sum_in_place, device_entry::exclusive_scan_in_place,
                     device_entry::exclusive_scan_from_future_in_place, device_entry::inclusive_sum_in_place,
                     device_entry::inclusive_scan_in_place, device_entry::select_if_in_place,
                     device_entry::select_flagged_in_place, device_entry::select_flagged_if_in_place,
                     device_entry::unique_in_place, device_entry::unique_in_place_by_predicate);
  }
  const u32* keys_in() const
  {
    return table_.keys.data() + keys_at_;
  }

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

  //! Asks how much scratch memory the call needs, and makes it in so much; or makes it in one phase.
  template <class... Memory>
  status_type enqueue(reheat::stream_type where, Memory&&... memory)
  {
    using namespace reheat;
    const T* const in = copied_ ? copy_.device : in_place_ ? out_.device : raw(table_.in) + in_at_;
    const u32* const keys = raw(table_.keys_in) + keys_at_;
    T* const out = out_.device;
    u32 *const keys_out = keys_out_.device, *const lengths = lengths_out_.device, *const number = number_out_.device;
    const int n = static_cast<int>(size_);
    const thrust::plus<T> plus{};
    const ::cuda::std::equal_to<> same{};
    const ::cuda::std::less<> less{};
    const ::cub::FutureValue<T> future(const_cast<T*>(raw(table_.in)) + first_at_);
    ::cub::DoubleBuffer<T> key_buffers(out_.device, copy_.device);
    ::cub::DoubleBuffer<u32> value_buffers(keys_out, lengths);
    // Which of two has the result is known as soon as the call has been enqueued.
    const auto with_buffers = [&](status_type status)
    {
      keys_in_first_ = key_buffers.selector == 0;
      values_in_first_ = value_buffers.selector == 0;
      return status;
    };
    switch (entry())
    {
      case device_entry::sum:
        return DeviceReduce::Sum(memory..., in, out, n, where);
      case device_entry::min:
        return DeviceReduce::Min(memory..., in, out, n, where);
      case device_entry::max:
        return DeviceReduce::Max(memory..., in, out, n, where);
      case device_entry::reduce:
        return DeviceReduce::Reduce(memory..., in, out, n, plus, T(3), where);
      case device_entry::transform_reduce:
        return DeviceReduce::TransformReduce(memory..., in, out, n, plus, doubled<T>{}, T(3), where);
      case device_entry::arg_min:
        return DeviceReduce::ArgMin(memory..., in, out, number, size_, where);
      case device_entry::arg_max:
        return DeviceReduce::ArgMax(memory..., in, out, number, size_, where);
      case device_entry::reduce_by_key:
        return DeviceReduce::ReduceByKey(memory..., keys, keys_out, in, out, number, plus, n, where);
      case device_entry::exclusive_sum:
        return DeviceScan::ExclusiveSum(memory..., in, out, n, where);
      case device_entry::inclusive_sum:
        return DeviceScan::InclusiveSum(memory..., in, out, n, where);
      case device_entry::exclusive_scan:
        return DeviceScan::ExclusiveScan(memory..., in, out, plus, T(3), n, where);
      case device_entry::inclusive_scan_init:
        return DeviceScan::InclusiveScanInit(memory..., in, out, plus, T(3), n, where);
      case device_entry::exclusive_sum_by_key:
        return DeviceScan::ExclusiveSumByKey(memory..., keys, in, out, n, ::cuda::std::equal_to<>{}, where);
      case device_entry::inclusive_sum_by_key:
        return DeviceScan::InclusiveSumByKey(memory..., keys, in, out, n, ::cuda::std::equal_to<>{}, where);
      case device_entry::select_if:
        return DeviceSelect::If(memory..., in, out, number, n, is_large<T>{}, where);
      case device_entry::select_flagged:
        return DeviceSelect::Flagged(memory..., in, keys, out, number, n, where);
      case device_entry::unique:
        return DeviceSelect::Unique(memory..., in, out, number, n, where);
      case device_entry::unique_by_key:
        return DeviceSelect::UniqueByKey(memory..., keys, in, keys_out, out, number, n, where);
      case device_entry::partition_if:
        return DevicePartition::If(memory..., in, out, number, n, is_large<T>{}, where);
      case device_entry::partition_flagged:
        return DevicePartition::Flagged(memory..., in, keys, out, number, n, where);
      case device_entry::encode:
        return DeviceRunLengthEncode::Encode(memory..., in, out, lengths, number, n, where);
      case device_entry::non_trivial_runs:
        return DeviceRunLengthEncode::NonTrivialRuns(memory..., in, keys_out, lengths, number, n, where);
      case device_entry::sort_keys:
        return DeviceRadixSort::SortKeys(memory..., in, out, n, begin_bit_, end_bit_, where);
      case device_entry::sort_keys_descending:
        return DeviceRadixSort::SortKeysDescending(memory..., in, out, n, begin_bit_, end_bit_, where);
      case device_entry::sort_pairs:
        return DeviceRadixSort::SortPairs(memory..., in, out, keys, keys_out, n, begin_bit_, end_bit_, where);
      case device_entry::sort_pairs_descending:
        return DeviceRadixSort::SortPairsDescending(memory..., in, out, keys, keys_out, n, begin_bit_, end_bit_, where);
      case device_entry::arg_min_by_predicate:
        return DeviceReduce::ArgMin(memory..., in, out, number, size_, less, where);
      case device_entry::arg_max_by_predicate:
        return DeviceReduce::ArgMax(memory..., in, out, number, size_, less, where);
      case device_entry::arg_min_pair:
        if constexpr (sizeof...(memory) != 0)
        {
          return DeviceReduce::ArgMin(memory..., in, pair_out_.device, n, where);
        }
        break;
      case device_entry::arg_max_pair:
        if constexpr (sizeof...(memory) != 0)
        {
          return DeviceReduce::ArgMax(memory..., in, pair_out_.device, n, where);
        }
        break;
      case device_entry::exclusive_sum_in_place:
        return DeviceScan::ExclusiveSum(memory..., out, n, where);
      case device_entry::exclusive_scan_in_place:
        return DeviceScan::ExclusiveScan(memory..., out, plus, T(3), n, where);
      case device_entry::exclusive_scan_from_future:
        return DeviceScan::ExclusiveScan(memory..., in, out, plus, future, n, where);
      case device_entry::exclusive_scan_from_future_in_place:
        return DeviceScan::ExclusiveScan(memory..., out, plus, future, n, where);
      case device_entry::inclusive_sum_in_place:
        return DeviceScan::InclusiveSum(memory..., out, n, where);
      case device_entry::inclusive_scan:
        return DeviceScan::InclusiveScan(memory..., in, out, plus, n, where);
      case device_entry::inclusive_scan_in_place:
        return DeviceScan::InclusiveScan(memory..., out, plus, n, where);
      case device_entry::exclusive_scan_by_key:
        return DeviceScan::ExclusiveScanByKey(memory..., keys, in, out, plus, T(3), n, same, where);
      case device_entry::inclusive_scan_by_key:
        return DeviceScan::InclusiveScanByKey(memory..., keys, in, out, plus, n, same, where);
      case device_entry::select_if_in_place:
        return DeviceSelect::If(memory..., out, number, n, is_large<T>{}, where);
      case device_entry::select_flagged_in_place:
        return DeviceSelect::Flagged(memory..., out, keys, number, n, where);
      case device_entry::select_flagged_if:
        return DeviceSelect::FlaggedIf(memory..., in, keys, out, number, n, is_one{}, where);
      case device_entry::select_flagged_if_in_place:
        return DeviceSelect::FlaggedIf(memory..., out, keys, number, n, is_one{}, where);
      case device_entry::unique_by_predicate:
        return DeviceSelect::Unique(memory..., in, out, number, n, same, where);
      case device_entry::unique_in_place:
        return DeviceSelect::Unique(memory..., out, number, n, where);
      case device_entry::unique_in_place_by_predicate:
        return DeviceSelect::Unique(memory..., out, number, n, same, where);
      case device_entry::unique_by_key_by_predicate:
        return DeviceSelect::UniqueByKey(memory..., keys, in, keys_out, out, number, n, same, where);
      case device_entry::partition_three_ways:
        return DevicePartition::If(memory..., in, out, second_.device, third_.device, number, n, is_large<T>{}, is_zero<T>{},
                                   where);
      case device_entry::sort_key_buffers:
        return with_buffers(DeviceRadixSort::SortKeys(memory..., key_buffers, n, begin_bit_, end_bit_, where));
      case device_entry::sort_key_buffers_descending:
        return with_buffers(DeviceRadixSort::SortKeysDescending(memory..., key_buffers, n, begin_bit_, end_bit_, where));
      case device_entry::sort_pair_buffers:
        return with_buffers(
            DeviceRadixSort::SortPairs(memory..., key_buffers, value_buffers, n, begin_bit_, end_bit_, where));
      case device_entry::sort_pair_buffers_descending:
        return with_buffers(
            DeviceRadixSort::SortPairsDescending(memory..., key_buffers, value_buffers, n, begin_bit_, end_bit_, where));
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
    const auto paired = [&](const T* found) { result.pair.push_back(pair(static_cast<int>(found - items), *found)); };
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
      case device_entry::arg_min_by_predicate:
        numbered(extremum(std::min_element(items, items + size_)));
        break;
      case device_entry::arg_max:
      case device_entry::arg_max_by_predicate:
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
      case device_entry::exclusive_sum_in_place:
        scan(T(0), false, false);
        break;
      case device_entry::inclusive_sum:
      case device_entry::inclusive_sum_in_place:
      case device_entry::inclusive_scan:
      case device_entry::inclusive_scan_in_place:
        scan(T(0), true, false);
        break;
      case device_entry::exclusive_scan:
      case device_entry::exclusive_scan_in_place:
        scan(T(3), false, false);
        break;
      case device_entry::inclusive_scan_init:
        scan(T(3), true, false);
        break;
      case device_entry::exclusive_sum_by_key:
        scan(T(0), false, true);
        break;
      case device_entry::inclusive_sum_by_key:
      case device_entry::inclusive_scan_by_key:
        scan(T(0), true, true);
        break;
      case device_entry::select_if:
      case device_entry::select_if_in_place:
        select(is_large_at);
        break;
      case device_entry::select_flagged:
      case device_entry::select_flagged_in_place:
        select(is_flagged);
        break;
      case device_entry::unique:
      case device_entry::unique_by_predicate:
      case device_entry::unique_in_place:
      case device_entry::unique_in_place_by_predicate:
        select([&](std::size_t i) { return starts(i, items); });
        break;
      case device_entry::unique_by_key:
      case device_entry::unique_by_key_by_predicate:
        select([&](std::size_t i) { return starts(i, keys); });
        for (std::size_t i = 0; i < size_; ++i)
        {
          if (starts(i, keys))
          {
            result.keys.push_back(keys[i]);
          }
        }
        break;
      case device_entry::exclusive_scan_by_key:
        scan(T(3), false, true);
        break;
      case device_entry::exclusive_scan_from_future:
      case device_entry::exclusive_scan_from_future_in_place:
        scan(table_.items[first_at_], false, false);
        break;
      case device_entry::arg_min_pair:
        paired(std::min_element(items, items + size_));
        break;
      case device_entry::arg_max_pair:
        paired(std::max_element(items, items + size_));
        break;
      case device_entry::select_flagged_if:
      case device_entry::select_flagged_if_in_place:
        select([&](std::size_t i) { return keys[i] == 1; });
        break;
      case device_entry::partition_three_ways:
        result.values = selected(is_large_at);
        result.second = selected([&](std::size_t i) { return !is_large_at(i) && items[i] == T(0); });
        result.third = selected([&](std::size_t i) { return !is_large_at(i) && items[i] != T(0); });
        numbered(result.values.size());
        numbered(result.second.size());
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
      case device_entry::sort_key_buffers:
      case device_entry::sort_pair_buffers:
        sort(result, items, keys, std::less<>{});
        break;
      case device_entry::sort_keys_descending:
      case device_entry::sort_pairs_descending:
      case device_entry::sort_key_buffers_descending:
      case device_entry::sort_pair_buffers_descending:
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
    for (const std::size_t at : places)
    {
      result.values.push_back(items[at]);
      if (sorts_pairs())
      {
        result.keys.push_back(keys[at]);
      }
    }
  }

  const char* type_;
  const input_table<T>& table_;
  std::size_t size_ = 0, in_at_ = 0, keys_at_ = 0, bytes_ = 0;
  int begin_bit_ = 0, end_bit_ = 8 * sizeof(T);
  static constexpr std::size_t first_at_ = 5; //!< of the initial value that is found on the device
  bool in_place_ = false, copied_ = false, one_phase_ = false;
  bool keys_in_first_ = true, values_in_first_ = true; //!< of two buffers
  place<T> out_, second_, third_, copy_;
  place<u32> keys_out_, lengths_out_, number_out_;
  place<pair> pair_out_;
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
