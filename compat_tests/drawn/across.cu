// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Drawn calls across ranks. All ranks draw from the same numbers, so they make the same calls on parts that fit together.

#include "exact.hpp"
#include "rows.hpp"

#include <reheat/across/threads.cuh>

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <cstring>
#include <numeric>

namespace compat::drawn
{
namespace
{

using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct is_sought
{
  u32 value;
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x == value; }
};
struct is_not_sought
{
  u32 value;
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x != value; }
};
struct doubled
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return 2 * x; }
};

constexpr u32 init = 3;
using plus = thrust::plus<u32>;
using less = thrust::less<u32>;
using same_key = thrust::equal_to<u32>;

//! What a call writes beside a value for each item of its part.
constexpr unsigned writes_keys = 1, writes_place = 2;

//! Of a call, on the device. What it returns to the host is added to `returned`.
struct places
{
  const u32 *first, *last, *keys, *keys_last;
  const float *reals, *reals_last;
  const u32* one; //!< an item for each rank
  u32 sought;
  u32 *out, *keys_out;
  reheat::place_across* place;
  std::vector<u64>& returned;

  template <class... Numbers>
  void give(Numbers... numbers)
  {
    (returned.push_back(static_cast<u64>(numbers)), ...);
  }
  void give_element(const reheat::element_across<u32>& found)
  {
    give(found.rank, found.index, found.global_index, found.value);
  }
};
u32 bits_of(float number)
{
  u32 bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

//! All parts on the host.
struct sources
{
  std::size_t size, begin, end; //!< of all items, and which are this rank's
  int rank;
  std::vector<std::size_t> part_ends;
  const u32 *items, *keys;
  float exact_sum; //!< of `reals`
  const u32* one;
  u32 sought;

  bool is_mine(std::size_t i) const { return i >= begin && i < end; }
  bool begins_run(std::size_t i) const { return i == 0 || keys[i] != keys[i - 1]; }
  std::size_t smallest() const { return static_cast<std::size_t>(std::min_element(items, items + size) - items); }
  std::size_t largest() const { return static_cast<std::size_t>(std::max_element(items, items + size) - items); }
};
//! What a call has to give.
struct outcome
{
  std::vector<u32> values, keys;
  std::size_t kept = 0; //!< items behind these that may be in any state
  std::vector<u64> place, returned;

  template <class... Numbers>
  void give(Numbers... numbers)
  {
    (returned.push_back(static_cast<u64>(numbers)), ...);
  }
  void give_place(u64 count, u64 global_index, u64 total, bool on_device)
  {
    (on_device ? place : returned) = {count, global_index, total};
  }
  void give_iterator(const sources& all, std::size_t found)
  {
    give(all.is_mine(found) ? found - all.begin : all.end - all.begin);
  }
  void give_element(const sources& all, std::size_t found)
  {
    std::size_t rank = 0, begin = 0;
    for (; found >= all.part_ends[rank]; ++rank)
    {
      begin = all.part_ends[rank];
    }
    give(rank, found - begin, found, all.items[found]);
  }
};

const auto sum_from = [](u32 from, u32 factor = 1)
{
  return [=](const sources& all, outcome& gives)
  {
    u32 sum = from;
    for (std::size_t i = 0; i < all.size; ++i)
    {
      sum += factor * all.items[i];
    }
    gives.give(sum);
  };
};
const auto stored_sum_from = [](u32 from)
{
  return [=](const sources& all, outcome& gives)
  {
    gives.values.push_back(from);
    for (std::size_t i = 0; i < all.size; ++i)
    {
      gives.values[0] += all.items[i];
    }
  };
};
const auto product_sum = [](const sources& all, outcome& gives)
{
  u32 sum = init;
  for (std::size_t i = 0; i < all.size; ++i)
  {
    sum += all.items[i] * all.keys[i];
  }
  gives.give(sum);
};
//! `tell(how many items are sought, how many there are)`.
const auto of_sought = [](auto tell)
{
  return [=](const sources& all, outcome& gives)
  { gives.give(tell(static_cast<std::size_t>(std::count(all.items, all.items + all.size, all.sought)), all.size)); };
};
const auto number_sought = of_sought([](std::size_t found, std::size_t) { return found; });
const auto iterators = [](bool smallest, bool largest)
{
  return [=](const sources& all, outcome& gives)
  {
    smallest ? gives.give_iterator(all, all.smallest()) : void();
    largest ? gives.give_iterator(all, all.largest()) : void();
  };
};
const auto elements = [](bool smallest, bool largest)
{
  return [=](const sources& all, outcome& gives)
  {
    smallest&& all.size != 0 ? gives.give_element(all, all.smallest()) : void();
    largest&& all.size != 0 ? gives.give_element(all, all.largest()) : void();
  };
};
//! Scans, also of runs of keys.
const auto scan_from = [](u32 from, bool inclusive, bool by_key = false, u32 factor = 1)
{
  return [=](const sources& all, outcome& gives)
  {
    u32 sum = from;
    for (std::size_t i = 0; i < all.end; ++i)
    {
      sum = by_key && all.begins_run(i) ? from : sum;
      const u32 before = sum;
      sum += factor * all.items[i];
      if (i >= all.begin)
      {
        gives.values.push_back(inclusive ? sum : before);
      }
    }
  };
};
enum class numbers
{
  returned,
  end_alone, //!< of this rank's, returned
  on_device
};
const auto runs = [](numbers where)
{
  return [=](const sources& all, outcome& gives)
  {
    u64 total = 0, before = 0;
    u32 key = 0, sum = 0;
    for (std::size_t i = 0; i < all.size; ++i)
    {
      key = all.begins_run(i) ? all.keys[i] : key;
      sum = (all.begins_run(i) ? 0 : sum) + all.items[i];
      if (i + 1 == all.size || all.begins_run(i + 1))
      {
        ++total;
        before += i < all.begin ? 1 : 0;
        if (all.is_mine(i))
        {
          gives.keys.push_back(key);
          gives.values.push_back(sum);
        }
      }
    }
    gives.kept = all.end - all.begin - gives.keys.size();
    where == numbers::end_alone ? gives.give(gives.keys.size(), gives.keys.size())
                                : gives.give_place(gives.keys.size(), before, total, where == numbers::on_device);
  };
};
const auto selected = [](auto wanted, numbers where)
{
  return [=](const sources& all, outcome& gives)
  {
    u64 total = 0, before = 0;
    for (std::size_t i = 0; i < all.size; ++i)
    {
      if (wanted(all, i))
      {
        ++total;
        before += i < all.begin ? 1 : 0;
        all.is_mine(i) ? gives.values.push_back(all.items[i]) : void();
      }
    }
    where == numbers::end_alone ? gives.give(gives.values.size())
                                : gives.give_place(gives.values.size(), before, total, where == numbers::on_device);
  };
};
const auto large = [](const sources& all, std::size_t i) { return all.items[i] > 1; };
const auto small = [](const sources& all, std::size_t i) { return all.items[i] <= 1; };
const auto set = [](const sources& all, std::size_t i) { return all.keys[i] != 0; };
const auto unset = [](const sources& all, std::size_t i) { return all.keys[i] == 0; };
const auto no_one = [](const sources& all, std::size_t i) { return all.items[i] != 1; };
const auto prefix = [](const sources& all, outcome& gives)
{
  u32 sum = init;
  for (int rank = 0; rank < static_cast<int>(all.part_ends.size()); ++rank)
  {
    if (rank == all.rank)
    {
      gives.values.push_back(sum);
    }
    sum += all.one[rank];
  }
  gives.keys.push_back(sum);
};

const auto rows = std::make_tuple(
    // Reductions.
    row{"reduce", 0u, [](const auto& policy, places& at) { at.give(thrust::reduce(policy, at.first, at.last)); },
        sum_from(0)},
    row{"reduce from a value", 0u,
        [](const auto& policy, places& at) { at.give(thrust::reduce(policy, at.first, at.last, init)); }, sum_from(init)},
    row{"reduce by an operator", 0u,
        [](const auto& policy, places& at) { at.give(thrust::reduce(policy, at.first, at.last, init, plus())); },
        sum_from(init)},
    row{"reduce_into", 0u, [](const auto& policy, places& at) { reheat::reduce_into(policy, at.first, at.last, at.out); },
        stored_sum_from(0)},
    row{"reduce_into from a value", 0u,
        [](const auto& policy, places& at) { reheat::reduce_into(policy, at.first, at.last, at.out, init); },
        stored_sum_from(init)},
    row{"reduce_into by an operator", 0u,
        [](const auto& policy, places& at) { reheat::reduce_into(policy, at.first, at.last, at.out, init, plus()); },
        stored_sum_from(init)},
    row{"transform_reduce", 0u,
        [](const auto& policy, places& at)
        { at.give(thrust::transform_reduce(policy, at.first, at.last, doubled(), init, plus())); },
        sum_from(init, 2)},
    row{"inner_product", 0u,
        [](const auto& policy, places& at) { at.give(thrust::inner_product(policy, at.first, at.last, at.keys, init)); },
        product_sum},
    row{"inner_product by operators", 0u,
        [](const auto& policy, places& at)
        { at.give(thrust::inner_product(policy, at.first, at.last, at.keys, init, plus(), thrust::multiplies<u32>())); },
        product_sum},
    row{"count", 0u, [](const auto& policy, places& at) { at.give(thrust::count(policy, at.first, at.last, at.sought)); },
        number_sought},
    row{"count_if", 0u,
        [](const auto& policy, places& at) { at.give(thrust::count_if(policy, at.first, at.last, is_sought{at.sought})); },
        number_sought},
    row{"all_of", 0u,
        [](const auto& policy, places& at) { at.give(thrust::all_of(policy, at.first, at.last, is_not_sought{at.sought})); },
        of_sought([](std::size_t found, std::size_t) { return found == 0; })},
    row{"any_of", 0u,
        [](const auto& policy, places& at) { at.give(thrust::any_of(policy, at.first, at.last, is_sought{at.sought})); },
        of_sought([](std::size_t found, std::size_t) { return found != 0; })},
    row{"none_of", 0u,
        [](const auto& policy, places& at) { at.give(thrust::none_of(policy, at.first, at.last, is_sought{at.sought})); },
        of_sought([](std::size_t found, std::size_t) { return found == 0; })},
    row{"exact sum of f32", 0u,
        [](const auto& policy, places& at)
        { at.give(bits_of(thrust::reduce(policy.with(reheat::exact_sums), at.reals, at.reals_last, 0.0f))); },
        [](const sources& all, outcome& gives) { gives.give(bits_of(all.exact_sum)); }},
    row{"sum of u32 in u64", 0u,
        [](const auto& policy, places& at)
        { at.give(thrust::reduce(policy.with(reheat::accumulate_in<u64>), at.first, at.last, u64{0})); },
        [](const sources& all, outcome& gives)
        {
          u64 sum = 0;
          for (std::size_t i = 0; i < all.size; ++i)
          {
            sum += all.items[i];
          }
          gives.give(sum);
        }},
    // Extrema.
    row{"min_element", 0u,
        [](const auto& policy, places& at) { at.give(thrust::min_element(policy, at.first, at.last) - at.first); },
        iterators(true, false)},
    row{"min_element by a predicate", 0u,
        [](const auto& policy, places& at) { at.give(thrust::min_element(policy, at.first, at.last, less()) - at.first); },
        iterators(true, false)},
    row{"max_element", 0u,
        [](const auto& policy, places& at) { at.give(thrust::max_element(policy, at.first, at.last) - at.first); },
        iterators(false, true)},
    row{"max_element by a predicate", 0u,
        [](const auto& policy, places& at) { at.give(thrust::max_element(policy, at.first, at.last, less()) - at.first); },
        iterators(false, true)},
    row{"minmax_element", 0u,
        [](const auto& policy, places& at)
        {
          const auto found = thrust::minmax_element(policy, at.first, at.last);
          at.give(found.first - at.first, found.second - at.first);
        },
        iterators(true, true)},
    row{"minmax_element by a predicate", 0u,
        [](const auto& policy, places& at)
        {
          const auto found = thrust::minmax_element(policy, at.first, at.last, less());
          at.give(found.first - at.first, found.second - at.first);
        },
        iterators(true, true)},
    row{"min_element_across", 0u,
        [](const auto& policy, places& at)
        {
          const auto found = reheat::min_element_across(policy, at.first, at.last, less());
          found ? at.give_element(*found) : void();
        },
        elements(true, false)},
    row{"max_element_across", 0u,
        [](const auto& policy, places& at)
        {
          const auto found = reheat::max_element_across(policy, at.first, at.last, less());
          found ? at.give_element(*found) : void();
        },
        elements(false, true)},
    row{"minmax_element_across", 0u,
        [](const auto& policy, places& at)
        {
          const auto found = reheat::minmax_element_across(policy, at.first, at.last, less());
          found ? (at.give_element(found->min), at.give_element(found->max)) : void();
        },
        elements(true, true)},
    // Scans.
    row{"inclusive_scan", 0u,
        [](const auto& policy, places& at) { thrust::inclusive_scan(policy, at.first, at.last, at.out); },
        scan_from(0, true)},
    row{"inclusive_scan by an operator", 0u,
        [](const auto& policy, places& at) { thrust::inclusive_scan(policy, at.first, at.last, at.out, plus()); },
        scan_from(0, true)},
    row{"inclusive_scan from a value", 0u,
        [](const auto& policy, places& at) { thrust::inclusive_scan(policy, at.first, at.last, at.out, init, plus()); },
        scan_from(init, true)},
    row{"exclusive_scan", 0u,
        [](const auto& policy, places& at) { thrust::exclusive_scan(policy, at.first, at.last, at.out); },
        scan_from(0, false)},
    row{"exclusive_scan from a value", 0u,
        [](const auto& policy, places& at) { thrust::exclusive_scan(policy, at.first, at.last, at.out, init); },
        scan_from(init, false)},
    row{"exclusive_scan by an operator", 0u,
        [](const auto& policy, places& at) { thrust::exclusive_scan(policy, at.first, at.last, at.out, init, plus()); },
        scan_from(init, false)},
    row{"transform_inclusive_scan", 0u,
        [](const auto& policy, places& at)
        { thrust::transform_inclusive_scan(policy, at.first, at.last, at.out, doubled(), plus()); },
        scan_from(0, true, false, 2)},
    row{"transform_inclusive_scan from a value", 0u,
        [](const auto& policy, places& at)
        { thrust::transform_inclusive_scan(policy, at.first, at.last, at.out, doubled(), init, plus()); },
        scan_from(init, true, false, 2)},
    row{"transform_exclusive_scan", 0u,
        [](const auto& policy, places& at)
        { thrust::transform_exclusive_scan(policy, at.first, at.last, at.out, doubled(), init, plus()); },
        scan_from(init, false, false, 2)},
    row{"prefix_across", writes_keys,
        [](const auto& policy, places& at) { reheat::prefix_across(policy, at.one, at.out, at.keys_out, init, plus()); },
        prefix},
    // By key.
    row{"inclusive_scan_by_key", 0u,
        [](const auto& policy, places& at)
        { thrust::inclusive_scan_by_key(policy, at.keys, at.keys_last, at.first, at.out); },
        scan_from(0, true, true)},
    row{"inclusive_scan_by_key by a predicate", 0u,
        [](const auto& policy, places& at)
        { thrust::inclusive_scan_by_key(policy, at.keys, at.keys_last, at.first, at.out, same_key()); },
        scan_from(0, true, true)},
    row{"inclusive_scan_by_key by an operator", 0u,
        [](const auto& policy, places& at)
        { thrust::inclusive_scan_by_key(policy, at.keys, at.keys_last, at.first, at.out, same_key(), plus()); },
        scan_from(0, true, true)},
    row{"exclusive_scan_by_key", 0u,
        [](const auto& policy, places& at)
        { thrust::exclusive_scan_by_key(policy, at.keys, at.keys_last, at.first, at.out); },
        scan_from(0, false, true)},
    row{"exclusive_scan_by_key from a value", 0u,
        [](const auto& policy, places& at)
        { thrust::exclusive_scan_by_key(policy, at.keys, at.keys_last, at.first, at.out, init); },
        scan_from(init, false, true)},
    row{"exclusive_scan_by_key by a predicate", 0u,
        [](const auto& policy, places& at)
        { thrust::exclusive_scan_by_key(policy, at.keys, at.keys_last, at.first, at.out, init, same_key()); },
        scan_from(init, false, true)},
    row{"exclusive_scan_by_key by an operator", 0u,
        [](const auto& policy, places& at)
        { thrust::exclusive_scan_by_key(policy, at.keys, at.keys_last, at.first, at.out, init, same_key(), plus()); },
        scan_from(init, false, true)},
    row{"reduce_by_key", writes_keys,
        [](const auto& policy, places& at)
        {
          const auto ends = thrust::reduce_by_key(policy, at.keys, at.keys_last, at.first, at.keys_out, at.out);
          at.give(ends.first - at.keys_out, ends.second - at.out);
        },
        runs(numbers::end_alone)},
    row{"reduce_by_key by a predicate", writes_keys,
        [](const auto& policy, places& at)
        {
          const auto ends = thrust::reduce_by_key(policy, at.keys, at.keys_last, at.first, at.keys_out, at.out, same_key());
          at.give(ends.first - at.keys_out, ends.second - at.out);
        },
        runs(numbers::end_alone)},
    row{"reduce_by_key by an operator", writes_keys,
        [](const auto& policy, places& at)
        {
          const auto ends =
              thrust::reduce_by_key(policy, at.keys, at.keys_last, at.first, at.keys_out, at.out, same_key(), plus());
          at.give(ends.first - at.keys_out, ends.second - at.out);
        },
        runs(numbers::end_alone)},
    row{"reduce_by_key_across", writes_keys,
        [](const auto& policy, places& at)
        {
          const auto found =
              reheat::reduce_by_key_across(policy, at.keys, at.keys_last, at.first, at.keys_out, at.out, same_key(), plus());
          at.give(found.values_end - at.out, found.global_index, found.total);
        },
        runs(numbers::returned)},
    row{"reduce_by_key_across_into", writes_keys | writes_place,
        [](const auto& policy, places& at)
        {
          reheat::reduce_by_key_across_into(policy, at.keys, at.keys_last, at.first, at.keys_out, at.out, at.place,
                                            same_key(), plus());
        },
        runs(numbers::on_device)},
    // Selections.
    row{"copy_if_across", 0u,
        [](const auto& policy, places& at)
        {
          const auto found = reheat::copy_if_across(policy, at.first, at.last, at.out, is_large());
          at.give(found.end - at.out, found.global_index, found.total);
        },
        selected(large, numbers::returned)},
    row{"copy_if_across by a stencil", 0u,
        [](const auto& policy, places& at)
        {
          const auto found = reheat::copy_if_across(policy, at.first, at.last, at.keys, at.out, is_set());
          at.give(found.end - at.out, found.global_index, found.total);
        },
        selected(set, numbers::returned)},
    row{"remove_copy_if_across", 0u,
        [](const auto& policy, places& at)
        {
          const auto found = reheat::remove_copy_if_across(policy, at.first, at.last, at.out, is_large());
          at.give(found.end - at.out, found.global_index, found.total);
        },
        selected(small, numbers::returned)},
    row{"remove_copy_if_across by a stencil", 0u,
        [](const auto& policy, places& at)
        {
          const auto found = reheat::remove_copy_if_across(policy, at.first, at.last, at.keys, at.out, is_set());
          at.give(found.end - at.out, found.global_index, found.total);
        },
        selected(unset, numbers::returned)},
    row{"copy_if_across_into", writes_place,
        [](const auto& policy, places& at)
        { reheat::copy_if_across_into(policy, at.first, at.last, at.out, is_large(), at.place); },
        selected(large, numbers::on_device)},
    row{"copy_if_across_into by a stencil", writes_place,
        [](const auto& policy, places& at)
        { reheat::copy_if_across_into(policy, at.first, at.last, at.keys, at.out, is_set(), at.place); },
        selected(set, numbers::on_device)},
    row{"remove_copy_if_across_into", writes_place,
        [](const auto& policy, places& at)
        { reheat::remove_copy_if_across_into(policy, at.first, at.last, at.out, is_large(), at.place); },
        selected(small, numbers::on_device)},
    row{"remove_copy_if_across_into by a stencil", writes_place,
        [](const auto& policy, places& at)
        { reheat::remove_copy_if_across_into(policy, at.first, at.last, at.keys, at.out, is_set(), at.place); },
        selected(unset, numbers::on_device)},
    // On each rank's part by itself.
    row{"copy_if on each rank", 0u,
        [](const auto& policy, places& at)
        { at.give(thrust::copy_if(policy, at.first, at.last, at.out, is_large()) - at.out); },
        selected(large, numbers::end_alone)},
    row{"remove_copy on each rank", 0u,
        [](const auto& policy, places& at) { at.give(thrust::remove_copy(policy, at.first, at.last, at.out, 1u) - at.out); },
        selected(no_one, numbers::end_alone)},
    row{"remove_copy_if on each rank", 0u,
        [](const auto& policy, places& at)
        { at.give(thrust::remove_copy_if(policy, at.first, at.last, at.out, is_large()) - at.out); },
        selected(small, numbers::end_alone)});

const std::vector<std::string> names = names_of(rows);
const std::vector<unsigned> all_facts = facts_of(rows);

class across_call final : public call
{
public:
  across_call(reheat::ranks& ranks, choices& choose, output_space& space, std::size_t max_items)
      : ranks_(ranks), table_(input_table<u32>::of(max_items)), reals_(exact_table<float>::of(max_items))
  {
    kind = choose.below(static_cast<u32>(all_facts.size()));
    size_ = choose.size(max_items);
    in_at_ = choose.below(input_table<u32>::room);
    keys_at_ = choose.below(input_table<u32>::room);
    waits_ = choose.one_in(2);
    // An item that there is, or a value that there is not.
    sought_ = size_ != 0 && choose.one_in(2) ? table_.items[in_at_ + choose.below(static_cast<u32>(size_))] : 0xfedcba98u;
    // Each rank takes what it draws of the rest, and the last one all of it.
    for (int rank = 0; rank < ranks.count(); ++rank)
    {
      const std::size_t begin = rank == 0 ? 0 : part_ends_.back();
      part_ends_.push_back(rank + 1 == ranks.count() ? size_ : begin + choose.size(size_ - begin));
      begin_ = rank == ranks.rank() ? begin : begin_;
      end_ = rank == ranks.rank() ? part_ends_.back() : end_;
    }
    const std::size_t room = std::max<std::size_t>(end_ - begin_, 1);
    out_ = space.take<u32>(room, choose.below(64));
    keys_out_ = space.take<u32>((all_facts[kind] & writes_keys) != 0 ? room : 0, choose.below(64));
    place_ = space.take<u64>((all_facts[kind] & writes_place) != 0 ? 3 : 0, choose.below(32));
  }

  std::string described() const override
  {
    return names[kind] + " of " + std::to_string(size_) + " items from " + std::to_string(in_at_) + " and " +
           std::to_string(keys_at_) + ", of which rank " + std::to_string(ranks_.rank()) + " has " + std::to_string(begin_) +
           " to " + std::to_string(end_) + (waits_ ? ", waits" : "");
  }
  void make(reheat::stream_type where) override
  {
    waits_ ? make_by(reheat::par.across(ranks_).on(where)) : make_by(reheat::par_nosync.across(ranks_).on(where));
  }
  std::string check() const override
  {
    const u32* const items = table_.items.data() + in_at_;
    const sources all{size_,
                      begin_,
                      end_,
                      ranks_.rank(),
                      part_ends_,
                      items,
                      table_.keys.data() + keys_at_,
                      exact_table<float>::rounded(reals_.sums[in_at_ + size_] - reals_.sums[in_at_]),
                      items,
                      sought_};
    outcome gives;
    visit_row(rows, kind, [&](const auto& each) { each.give(all, gives); });
    std::string wrong = difference("item", out_, gives.values, gives.kept) +
                        difference("key", keys_out_, gives.keys, gives.kept) + difference("place", place_, gives.place);
    if (returned_ != gives.returned)
    {
      wrong += " returned" + text_of(returned_) + " instead of" + text_of(gives.returned);
    }
    return wrong.empty() ? "" : described() + wrong;
  }

private:
  template <class Policy>
  void make_by(const Policy& policy)
  {
    const u32 *const in = raw(table_.in) + in_at_, *const keys = raw(table_.keys_in) + keys_at_;
    const float* const reals = raw(reals_.in) + in_at_;
    returned_.clear();
    places at{in + begin_,
              in + end_,
              keys + begin_,
              keys + end_,
              reals + begin_,
              reals + end_,
              in + ranks_.rank(),
              sought_,
              out_.device,
              keys_out_.device,
              reinterpret_cast<reheat::place_across*>(place_.device),
              returned_};
    visit_row(rows, kind, [&](const auto& each) { each.call(policy, at); });
  }
  static std::string text_of(const std::vector<u64>& numbers)
  {
    std::string text;
    for (const u64 each : numbers)
    {
      text += " " + std::to_string(each);
    }
    return text;
  }

  reheat::ranks& ranks_;
  const input_table<u32>& table_;
  const exact_table<float>& reals_;
  std::size_t size_ = 0, in_at_ = 0, keys_at_ = 0, begin_ = 0, end_ = 0;
  std::vector<std::size_t> part_ends_;
  u32 sought_ = 0;
  bool waits_ = false;
  place<u32> out_, keys_out_;
  place<u64> place_;
  std::vector<u64> returned_;
};

class across_caller final : public caller
{
public:
  across_caller(reheat::ranks& ranks, std::size_t max_items) : ranks_(ranks), max_items_(max_items)
  {
    input_table<u32>::of(max_items);
    exact_table<float>::of(max_items);
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
