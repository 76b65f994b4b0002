// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! All forms of calls in one phase, with checks of their output; and environments for such calls.
#pragma once

#include "../support/memory.hpp"
#include "../support/runs.hpp"
#include "../support/segments.hpp"

#include <reheat/device.cuh>

#include <thrust/iterator/discard_iterator.h>

#if REHEAT_HAS_ENVIRONMENTS

#  if !defined(REHEAT_EMULATED)
#    include <cub/device/device_reduce.cuh>
#    include <cub/device/device_scan.cuh>
#    include <cub/device/device_select.cuh>
#  endif
#  if REHEAT_HAS_DEFERRED_ARGUMENTS
#    include <cuda/argument>
#  endif

#  include <algorithm>
#  include <cstddef>
#  include <cstdint>
#  include <stdexcept>
#  include <string>
#  include <vector>

namespace compat::one_phase
{

using reheat::DevicePartition;
using reheat::DeviceReduce;
using reheat::DeviceRunLengthEncode;
using reheat::DeviceScan;
using reheat::DeviceSelect;
using u32 = std::uint32_t;

inline constexpr auto success = reheat::runtime::success;

//! A property that no library knows.
struct unknown_query
{};

//! An environment of a user's own.
struct with_stream
{
  reheat::stream_type stream;
  reheat::stream_type get_stream() const noexcept { return stream; }
};

//! A memory resource that keeps a ledger.
class ledger_stream_resource
{
public:
  struct record : ledger
  {
    reheat::stream_type stream = {}; //!< of the latest block
    std::size_t given_back = 0;      //!< blocks, on their streams
    bool refuses = false;            //!< to take blocks back
  };
  explicit ledger_stream_resource(record& book) : book_(&book) {}
  void* allocate(reheat::stream_type stream, std::size_t bytes, std::size_t)
  {
    book_->stream = stream;
    return ledger_allocate(*book_, bytes);
  }
  void deallocate(reheat::stream_type stream, void* block, std::size_t bytes, std::size_t)
  {
    wait_for_all_streams();
    ledger_free(*book_, block, bytes);
    book_->given_back += stream == book_->stream;
    if (book_->refuses)
    {
      throw std::runtime_error("the block is not taken back");
    }
  }

private:
  record* book_;
};
struct with_resource
{
  reheat::stream_type stream;
  ledger_stream_resource memory;
  reheat::stream_type get_stream() const noexcept { return stream; }
  ledger_stream_resource get_memory_resource() const noexcept { return memory; }
};

struct item_is_odd
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 2 == 1; }
};
struct item_is_low
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 1024 < 100; }
};
struct item_less
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return x < y; }
};
//! Whether two neighbours are in the same ten.
struct item_in_ten
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return x / 10 == y / 10; }
};
struct item_twice
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return 2 * x; }
};

//! The input of calls, memory for their output, and the output that is expected. Each key stands five times in a row.
class problem
{
public:
  explicit problem(std::size_t count) : items_(make_items<u32>(count)), init_(to_device(std::vector<u32>{7}))
  {
    std::vector<u32> keys(count);
    for (std::size_t i = 0; i < count; ++i)
    {
      keys[i] = static_cast<u32>(i / 5);
    }
    in_ = to_device(items_);
    keys_in_ = to_device(keys);
    clear();
  }
  const u32* in() const { return raw(in_); }
  const u32* keys() const { return raw(keys_in_); }
  std::vector<u32> all_keys() const { return to_host(keys_in_); }
  const u32* seven() const { return raw(init_); }
  u32* out() { return raw(out_); }
  u32* keys_out() { return raw(keys_out_); }
  std::int64_t* place() { return raw(place_); }
  //! The output, which is the input.
  u32* data()
  {
    out_ = to_device(items_);
    return raw(out_);
  }

  //! A call returned `status`. The output begins with these.
  void left(const std::string& call, reheat::status_type status, const std::vector<u32>& expected)
  {
    ++calls_;
    BOOST_TEST((status == success), call << " of " << items_.size() << " items returned " << static_cast<int>(status));
    check_same(call, expected, to_host(out_, 0, expected.size()));
    clear();
  }
  void left_extremum(const std::string& call, reheat::status_type status, std::size_t place)
  {
    check_place(call.c_str(), items_.size(), static_cast<std::ptrdiff_t>(place), to_host(place_)[0]);
    left(call, status, {items_[place]});
  }
  //! As many were counted as `expected` has, and the output of keys begins with `keys`.
  void left_runs(const std::string& call, reheat::status_type status, const std::vector<u32>& expected,
                 const std::vector<u32>& keys = {})
  {
    BOOST_TEST(to_host(place_)[0] == static_cast<std::int64_t>(expected.size()), call << ", number of runs");
    check_same(call + ", keys", keys, to_host(keys_out_, 0, keys.size()));
    left(call, status, expected);
  }
  std::size_t calls() const { return calls_; }

  u32 sum(u32 init) const { return reduce_reference<u32>(items_, init, plus{}); }
  std::size_t smallest() const
  {
    return static_cast<std::size_t>(std::min_element(items_.begin(), items_.end()) - items_.begin());
  }
  std::size_t largest() const
  {
    return static_cast<std::size_t>(std::max_element(items_.begin(), items_.end()) - items_.begin());
  }
  u32 item(std::size_t place) const { return items_[place]; }
  std::vector<u32> exclusive(u32 init) const { return exclusive_reference<u32, u32>(items_, init, plus{}); }
  std::vector<u32> inclusive(u32 init) const { return inclusive_reference<u32, u32>(items_, init, plus{}); }
  std::vector<u32> exclusive_by_key(u32 init) const
  {
    std::vector<u32> result(items_.size());
    for (std::size_t i = 0; i < result.size(); ++i)
    {
      result[i] = i % 5 == 0 ? init : result[i - 1] + items_[i - 1];
    }
    return result;
  }
  std::vector<u32> inclusive_by_key() const
  {
    std::vector<u32> result = exclusive_by_key(0);
    for (std::size_t i = 0; i < result.size(); ++i)
    {
      result[i] += items_[i];
    }
    return result;
  }
  //! The items for which `selects(item, key)` holds.
  template <class Selects>
  std::vector<u32> selected(Selects selects) const
  {
    std::vector<u32> result;
    for (std::size_t i = 0; i < items_.size(); ++i)
    {
      if (selects(items_[i], static_cast<u32>(i / 5)))
      {
        result.push_back(items_[i]);
      }
    }
    return result;
  }
  //! The first item of each run of neighbours that `same` holds for.
  template <class Same>
  std::vector<u32> first_of_runs(Same same) const
  {
    return unique_reference(items_, items_, same);
  }
  //! The first key of each run of keys, and the item beside it.
  template <class Same>
  std::vector<u32> first_keys_of_runs(Same same) const
  {
    const std::vector<u32> keys = to_host(keys_in_);
    return unique_reference(keys, keys, same);
  }
  template <class Same>
  std::vector<u32> first_of_key_runs(Same same) const
  {
    return unique_reference(to_host(keys_in_), items_, same);
  }
  std::vector<u32> sums_by_key() const
  {
    const std::vector<u32> folds = inclusive_by_key();
    std::vector<u32> result;
    for (std::size_t i = 0; i < folds.size(); ++i)
    {
      if (i % 5 == 4 || i + 1 == folds.size())
      {
        result.push_back(folds[i]);
      }
    }
    return result;
  }

private:
  void clear()
  {
    out_ = to_device(std::vector<u32>(items_.size() + 1, 0xdeadu));
    keys_out_ = out_;
    place_ = to_device(std::vector<std::int64_t>(2, -1)); // partitions in three have two
  }

  std::vector<u32> items_;
  std::size_t calls_ = 0;
  thrust::device_vector<u32> in_, keys_in_, init_, out_, keys_out_;
  thrust::device_vector<std::int64_t> place_;
};

//! All reductions of `p`, with an environment or with none.
template <class... Env>
void check_reductions(const std::string& where, problem& p, std::size_t count, const Env&... env)
{
  const plus op{};
  const auto items = static_cast<std::int64_t>(count);
  p.left("Reduce" + where, DeviceReduce::Reduce(p.in(), p.out(), count, op, 3u, env...), {p.sum(3)});
  p.left("Sum" + where, DeviceReduce::Sum(p.in(), p.out(), count, env...), {p.sum(0)});
  p.left("Min" + where, DeviceReduce::Min(p.in(), p.out(), count, env...), {p.item(p.smallest())});
  p.left("Max" + where, DeviceReduce::Max(p.in(), p.out(), count, env...), {p.item(p.largest())});
  p.left_extremum("ArgMin" + where, DeviceReduce::ArgMin(p.in(), p.out(), p.place(), items, env...), p.smallest());
  p.left_extremum("ArgMax" + where, DeviceReduce::ArgMax(p.in(), p.out(), p.place(), items, env...), p.largest());
  p.left_extremum("ArgMin, compared" + where, DeviceReduce::ArgMin(p.in(), p.out(), p.place(), items, item_less{}, env...),
                  p.smallest());
  p.left_extremum("ArgMax, compared" + where, DeviceReduce::ArgMax(p.in(), p.out(), p.place(), items, item_less{}, env...),
                  p.largest());
  p.left("TransformReduce" + where, DeviceReduce::TransformReduce(p.in(), p.out(), count, op, item_twice{}, 1u, env...),
         {2 * p.sum(0) + 1});
  p.left("ReduceByKey" + where,
         DeviceReduce::ReduceByKey(p.keys(), p.keys_out(), p.in(), p.out(), p.place(), op, count, env...), p.sums_by_key());
}
//! Likewise all scans.
template <class... Env>
void check_scans_in(const std::string& where, problem& p, std::size_t count, const Env&... env)
{
  const plus op{};
  const ::cuda::std::equal_to<> same{};
  p.left("ExclusiveSum" + where, DeviceScan::ExclusiveSum(p.in(), p.out(), count, env...), p.exclusive(0));
  p.left("InclusiveSum" + where, DeviceScan::InclusiveSum(p.in(), p.out(), count, env...), p.inclusive(0));
  p.left("ExclusiveScan" + where, DeviceScan::ExclusiveScan(p.in(), p.out(), op, 3u, count, env...), p.exclusive(3));
  p.left("InclusiveScan" + where, DeviceScan::InclusiveScan(p.in(), p.out(), op, count, env...), p.inclusive(0));
  p.left("InclusiveScanInit" + where, DeviceScan::InclusiveScanInit(p.in(), p.out(), op, 3u, count, env...), p.inclusive(3));
  p.left("ExclusiveSum in place" + where, DeviceScan::ExclusiveSum(p.data(), count, env...), p.exclusive(0));
  p.left("InclusiveSum in place" + where, DeviceScan::InclusiveSum(p.data(), count, env...), p.inclusive(0));
  p.left("ExclusiveScan in place" + where, DeviceScan::ExclusiveScan(p.data(), op, 3u, count, env...), p.exclusive(3));
  p.left("InclusiveScan in place" + where, DeviceScan::InclusiveScan(p.data(), op, count, env...), p.inclusive(0));
  p.left("ExclusiveSumByKey" + where, DeviceScan::ExclusiveSumByKey(p.keys(), p.in(), p.out(), count, same, env...),
         p.exclusive_by_key(0));
  p.left("InclusiveSumByKey" + where, DeviceScan::InclusiveSumByKey(p.keys(), p.in(), p.out(), count, same, env...),
         p.inclusive_by_key());
  p.left("ExclusiveScanByKey" + where,
         DeviceScan::ExclusiveScanByKey(p.keys(), p.in(), p.out(), op, 3u, count, same, env...), p.exclusive_by_key(3));
  p.left("InclusiveScanByKey" + where, DeviceScan::InclusiveScanByKey(p.keys(), p.in(), p.out(), op, count, same, env...),
         p.inclusive_by_key());
#  if !defined(REHEAT_EMULATED) // CUB's own file is not for plain C++ compilers
  const ::cub::FutureValue<u32, const u32*> future(p.seven());
  p.left("ExclusiveScan from a future" + where, DeviceScan::ExclusiveScan(p.in(), p.out(), op, future, count, env...),
         p.exclusive(7));
  p.left("ExclusiveScan from a future in place" + where, DeviceScan::ExclusiveScan(p.data(), op, future, count, env...),
         p.exclusive(7));
#  endif
#  if REHEAT_HAS_DEFERRED_ARGUMENTS
  const ::cuda::args::deferred<const u32*> later(p.seven());
  p.left("InclusiveScanInit from a deferred value" + where,
         DeviceScan::InclusiveScanInit(p.in(), p.out(), op, later, count, env...), p.inclusive(7));
#  endif
}
//! Likewise all selections: of odd items, and of those with odd keys or with any key but 0.
template <class... Env>
void check_selections(const std::string& where, problem& p, std::size_t count, const Env&... env)
{
  const auto items = static_cast<std::int64_t>(count);
  const item_is_odd odd{};
  const std::vector<u32> odd_items = p.selected([&](u32 item, u32) { return odd(item); }),
                         odd_keys = p.selected([&](u32, u32 key) { return odd(key); }),
                         flagged = p.selected([](u32, u32 key) { return key != 0; });
  p.left("If" + where, DeviceSelect::If(p.in(), p.out(), p.place(), items, odd, env...), odd_items);
  p.left("If in place" + where, DeviceSelect::If(p.data(), p.place(), items, odd, env...), odd_items);
  p.left("Flagged" + where, DeviceSelect::Flagged(p.in(), p.keys(), p.out(), p.place(), items, env...), flagged);
  p.left("Flagged in place" + where, DeviceSelect::Flagged(p.data(), p.keys(), p.place(), items, env...), flagged);
  p.left("FlaggedIf" + where, DeviceSelect::FlaggedIf(p.in(), p.keys(), p.out(), p.place(), items, odd, env...), odd_keys);
  p.left("FlaggedIf in place" + where, DeviceSelect::FlaggedIf(p.data(), p.keys(), p.place(), items, odd, env...), odd_keys);
}
//! Likewise the first items of runs.
template <class... Env>
void check_uniques(const std::string& where, problem& p, std::size_t count, const Env&... env)
{
  const auto items = static_cast<std::int64_t>(count);
  const equal same{};
  const item_in_ten in_ten{};
  p.left_runs("Unique" + where, DeviceSelect::Unique(p.keys(), p.out(), p.place(), items, env...),
              p.first_keys_of_runs(same));
  p.left_runs("Unique, compared" + where, DeviceSelect::Unique(p.keys(), p.out(), p.place(), items, in_ten, env...),
              p.first_keys_of_runs(in_ten));
  p.left_runs("Unique in place" + where, DeviceSelect::Unique(p.data(), p.place(), items, env...), p.first_of_runs(same));
  p.left_runs("Unique in place, compared" + where, DeviceSelect::Unique(p.data(), p.place(), items, in_ten, env...),
              p.first_of_runs(in_ten));
  p.left_runs("UniqueByKey" + where,
              DeviceSelect::UniqueByKey(p.keys(), p.in(), p.keys_out(), p.out(), p.place(), count, env...),
              p.first_of_key_runs(same), p.first_keys_of_runs(same));
  p.left_runs("UniqueByKey, compared" + where,
              DeviceSelect::UniqueByKey(p.keys(), p.in(), p.keys_out(), p.out(), p.place(), count, in_ten, env...),
              p.first_of_key_runs(in_ten), p.first_keys_of_runs(in_ten));
}
//! Likewise all partitions.
template <class... Env>
void check_partitions(const std::string& where, problem& p, std::size_t count, const Env&... env)
{
  const auto items = static_cast<std::int64_t>(count);
  const item_is_odd odd{};
  const auto behind_each_other = [](std::vector<u32> first, const std::vector<u32>& others)
  {
    first.insert(first.end(), others.rbegin(), others.rend());
    return first;
  };
  p.left("partition If" + where, DevicePartition::If(p.in(), p.out(), p.place(), items, odd, env...),
         behind_each_other(p.selected([&](u32 item, u32) { return odd(item); }),
                           p.selected([&](u32 item, u32) { return !odd(item); })));
  p.left("partition Flagged" + where, DevicePartition::Flagged(p.in(), p.keys(), p.out(), p.place(), items, env...),
         behind_each_other(p.selected([](u32, u32 key) { return key != 0; }),
                           p.selected([](u32, u32 key) { return key == 0; })));
  const item_is_low few{};
  p.left_runs("partition If in three" + where,
              DevicePartition::If(p.in(), p.out(), p.keys_out(), thrust::make_discard_iterator(), p.place(), count, odd, few,
                                  env...),
              p.selected([&](u32 item, u32) { return odd(item); }),
              p.selected([&](u32 item, u32) { return !odd(item) && few(item); }));
}
//! Likewise the lengths of runs.
template <class... Env>
void check_run_lengths(const std::string& where, problem& p, std::size_t count, const Env&... env)
{
  const runs_of_items<u32, u32> all = runs_reference<u32>(p.all_keys(), 1),
                                non_trivial = runs_reference<u32>(p.all_keys(), 2);
  p.left_runs("Encode" + where, DeviceRunLengthEncode::Encode(p.keys(), p.keys_out(), p.out(), p.place(), count, env...),
              all.length, all.first);
  p.left_runs("NonTrivialRuns" + where,
              DeviceRunLengthEncode::NonTrivialRuns(p.keys(), p.keys_out(), p.out(), p.place(), count, env...),
              non_trivial.length, non_trivial.index);
}
template <class... Env>
std::size_t check_calls(const std::string& where, std::size_t count, const Env&... env)
{
  problem p(count);
  check_reductions(where, p, count, env...);
  check_scans_in(where, p, count, env...);
  check_selections(where, p, count, env...);
  check_uniques(where, p, count, env...);
  check_partitions(where, p, count, env...);
  check_run_lengths(where, p, count, env...);
  return p.calls();
}

} // namespace compat::one_phase

#endif
