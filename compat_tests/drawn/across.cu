// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Drawn calls across ranks. All ranks draw from the same numbers, so they make the same calls on parts that fit together.

#include "../support/random_calls.hpp"

#include <reheat/across/threads.cuh>

#include <thrust/count.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

namespace compat::drawn
{
namespace
{

using u32 = std::uint32_t;

enum class entry : unsigned
{
  reduce,
  reduce_into,
  count,
  min_element_across,
  inclusive_scan,
  exclusive_scan,
};
const std::vector<std::string> names = {"reduce across ranks",         "reduce_into across ranks",
                                        "count across ranks",          "min_element across ranks",
                                        "inclusive_scan across ranks", "exclusive_scan across ranks"};

class across_call final : public call
{
public:
  across_call(reheat::ranks& ranks, choices& choose, output_space& space, std::size_t max_items)
      : ranks_(ranks), table_(input_table<u32>::of(max_items))
  {
    kind = choose.below(static_cast<u32>(names.size()));
    size_ = choose.size(max_items);
    in_at_ = choose.below(input_table<u32>::room);
    waits_ = choose.one_in(2);
    // Each rank takes what it draws of the rest, and the last one all of it.
    std::size_t begin = 0;
    for (int rank = 0; rank < ranks.count(); ++rank)
    {
      const std::size_t part = rank + 1 == ranks.count() ? size_ - begin : choose.size(size_ - begin);
      begin_ = rank == ranks.rank() ? begin : begin_;
      end_ = rank == ranks.rank() ? begin + part : end_;
      begin += part;
    }
    out_ = space.take<u32>(std::max<std::size_t>(end_ - begin_, 1), choose.below(64));
  }

  std::string described() const override
  {
    return names[kind] + " of " + std::to_string(size_) + " items from " + std::to_string(in_at_) + ", of which rank " +
           std::to_string(ranks_.rank()) + " has " + std::to_string(begin_) + " to " + std::to_string(end_);
  }
  void make(reheat::stream_type where) override
  {
    waits_ ? make_by(reheat::par.across(ranks_).on(where)) : make_by(reheat::par_nosync.across(ranks_).on(where));
  }
  std::string check() const override
  {
    const u32* const items = table_.items.data() + in_at_;
    std::vector<u32> values;
    std::uint64_t returned = 0;
    u32 sum = 3;
    for (std::size_t i = 0; i < size_; ++i)
    {
      const u32 before = sum;
      sum += items[i];
      if (i >= begin_ && i < end_ && (which() == entry::inclusive_scan || which() == entry::exclusive_scan))
      {
        values.push_back(which() == entry::inclusive_scan ? sum - 3 : before);
      }
    }
    switch (which())
    {
      case entry::reduce:
        returned = sum;
        break;
      case entry::reduce_into:
        values.push_back(sum);
        break;
      case entry::count:
        returned = static_cast<std::uint64_t>(std::count(items, items + size_, 1u));
        break;
      case entry::min_element_across:
        returned =
            size_ == 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(std::min_element(items, items + size_) - items);
        break;
      default:
        break;
    }
    std::string wrong = difference("item", out_, values);
    if (returned != returned_)
    {
      wrong += " returned " + std::to_string(returned_) + " instead of " + std::to_string(returned);
    }
    return wrong.empty() ? "" : described() + wrong;
  }

private:
  entry which() const { return static_cast<entry>(kind); }

  template <class Policy>
  void make_by(const Policy& policy)
  {
    const u32 *const first = raw(table_.in) + in_at_ + begin_, *const last = raw(table_.in) + in_at_ + end_;
    switch (which())
    {
      case entry::reduce:
        returned_ = thrust::reduce(policy, first, last, u32{3}, thrust::plus<u32>());
        break;
      case entry::reduce_into:
        reheat::reduce_into(policy, first, last, out_.device, u32{3}, thrust::plus<u32>());
        break;
      case entry::count:
        returned_ = static_cast<std::uint64_t>(thrust::count(policy, first, last, 1u));
        break;
      case entry::min_element_across: {
        const auto least = reheat::min_element_across(policy, first, last);
        returned_ = least ? static_cast<std::uint64_t>(least->global_index) : ~std::uint64_t{0};
        break;
      }
      case entry::inclusive_scan:
        thrust::inclusive_scan(policy, first, last, out_.device, thrust::plus<u32>());
        break;
      case entry::exclusive_scan:
        thrust::exclusive_scan(policy, first, last, out_.device, u32{3}, thrust::plus<u32>());
        break;
    }
  }

  reheat::ranks& ranks_;
  const input_table<u32>& table_;
  std::size_t size_ = 0, in_at_ = 0, begin_ = 0, end_ = 0;
  bool waits_ = false;
  place<u32> out_;
  std::uint64_t returned_ = 0;
};

class across_caller final : public caller
{
public:
  across_caller(reheat::ranks& ranks, std::size_t max_items) : ranks_(ranks), max_items_(max_items)
  {
    input_table<u32>::of(max_items);
  }
  std::string name() const override { return "across ranks, u32"; }
  std::vector<std::string> kinds() const override { return names; }
  std::unique_ptr<call> draw(choices& choose, output_space& space, bool) override
  {
    return std::make_unique<across_call>(ranks_, choose, space, max_items_);
  }

private:
  reheat::ranks& ranks_;
  std::size_t max_items_;
};

} // namespace

caller_ptr across(reheat::ranks& ranks, std::size_t max_items)
{
  return std::make_unique<across_caller>(ranks, max_items);
}

} // namespace compat::drawn
