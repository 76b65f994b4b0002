// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Drawn selections, partitions, counts and reductions whose numbers stay on the device, and selections and partitions of
//! zipped arrays.

#include "../support/random_calls.hpp"
#include "rows.hpp"

#include <thrust/copy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/tuple.h>

#include <algorithm>

namespace compat::drawn
{
namespace
{

using u32 = std::uint32_t;
using u64 = std::uint64_t;

//! Of tuples whose first item is large.
struct begins_large
{
  template <class Tuple>
  REHEAT_HOST_DEVICE bool operator()(const Tuple& tuple) const
  {
    return thrust::get<0>(tuple) > 1;
  }
};

//! Which arrays a call writes beside items, and what else there is to know.
constexpr unsigned in_place = 1, keys = 2, reals = 4, rejected = 8, returns = 16;
constexpr unsigned zipped = keys | reals;

//! An item, its key and a real number beside it: pointers, or zipped.
struct arrays
{
  u32* items;
  u32* keys;
  double* reals;

  auto zip() const { return thrust::make_zip_iterator(thrust::make_tuple(items, keys, reals)); }
};
//! Of a call, on the device.
struct places
{
  std::size_t size;
  const u32 *in, *keys;
  const double* reals;
  arrays out, rejected; //!< `out` is the input, too, of calls in place
  u64* count;
  std::int64_t returned = 0;

  const u32* end() const { return in + size; }
  u32* out_end() const { return out.items + size; }
  auto zip() const { return thrust::make_zip_iterator(thrust::make_tuple(in, keys, reals)); }
};
//! The same input on the host.
struct sources
{
  std::size_t size;
  const u32 *items, *keys;
  const double* reals;

  bool is_large(std::size_t i) const { return items[i] > 1; }
  bool is_set(std::size_t i) const { return keys[i] != 0; }
  bool begins(const u32* of, std::size_t i) const { return i == 0 || of[i] != of[i - 1]; }
};
struct written
{
  std::vector<u32> items, keys;
  std::vector<double> reals;

  void add(const sources& from, std::size_t i, unsigned facts)
  {
    items.push_back(from.items[i]);
    if ((facts & drawn::keys) != 0)
    {
      keys.push_back(from.keys[i]);
    }
    if ((facts & drawn::reals) != 0)
    {
      reals.push_back(from.reals[i]);
    }
  }
};
//! What a call has to give.
struct outcome
{
  unsigned facts;
  written out, rejected;
  std::vector<u64> count;
  std::int64_t returned = 0;

  //! Those that are wanted come to the output. The others come to where the facts say, or behind, in place: by themselves
  //! or, if the call leaves what it does not need, as they were.
  template <class Wanted>
  void select(const sources& from, Wanted wanted, bool parts = false)
  {
    written others;
    for (std::size_t i = 0; i < from.size; ++i)
    {
      (wanted(i) ? out : others).add(from, i, facts);
    }
    const std::size_t selected = out.items.size();
    (facts & returns) != 0 ? void(returned = static_cast<std::int64_t>(selected)) : count.push_back(selected);
    if ((facts & drawn::rejected) != 0)
    {
      rejected = others;
    }
    else if ((facts & in_place) != 0)
    {
      for (std::size_t i = selected; i < from.size; ++i)
      {
        parts ? append(others, i - selected) : out.add(from, i, facts);
      }
    }
  }

private:
  void append(const written& others, std::size_t i)
  {
    out.items.push_back(others.items[i]);
    if ((facts & drawn::keys) != 0)
    {
      out.keys.push_back(others.keys[i]);
    }
    if ((facts & drawn::reals) != 0)
    {
      out.reals.push_back(others.reals[i]);
    }
  }
};

const auto give_large = [](const sources& from, outcome& gives)
{ gives.select(from, [&](std::size_t i) { return from.is_large(i); }); };
const auto give_small = [](const sources& from, outcome& gives)
{ gives.select(from, [&](std::size_t i) { return !from.is_large(i); }); };
const auto give_set = [](const sources& from, outcome& gives)
{ gives.select(from, [&](std::size_t i) { return from.is_set(i); }); };
const auto give_unset = [](const sources& from, outcome& gives)
{ gives.select(from, [&](std::size_t i) { return !from.is_set(i); }); };
const auto give_no_ones = [](const sources& from, outcome& gives)
{ gives.select(from, [&](std::size_t i) { return from.items[i] != 1; }); };
const auto give_parts = [](const sources& from, outcome& gives)
{
  gives.select(
      from, [&](std::size_t i) { return from.is_large(i); }, true);
};
const auto give_parts_by_key = [](const sources& from, outcome& gives)
{
  gives.select(
      from, [&](std::size_t i) { return from.is_set(i); }, true);
};
const auto give_runs = [](const sources& from, outcome& gives)
{ gives.select(from, [&](std::size_t i) { return from.begins(from.items, i); }); };
const auto give_runs_of_keys = [](const sources& from, outcome& gives)
{ gives.select(from, [&](std::size_t i) { return from.begins(from.keys, i); }); };
const auto give_number_of_large = [](const sources& from, outcome& gives)
{
  u64 number = 0;
  for (std::size_t i = 0; i < from.size; ++i)
  {
    number += from.is_large(i) ? 1 : 0;
  }
  gives.count.push_back(number);
};
const auto give_number_of_ones = [](const sources& from, outcome& gives)
{ gives.count.push_back(static_cast<u64>(std::count(from.items, from.items + from.size, 1u))); };
template <u32 Init>
const auto give_sum = [](const sources& from, outcome& gives)
{
  u32 sum = Init;
  for (std::size_t i = 0; i < from.size; ++i)
  {
    sum += from.items[i];
  }
  gives.out.items.push_back(sum);
};

const auto rows = std::make_tuple(
    row{"copy_if_into", 0u, [](const auto& policy, places& at)
        { reheat::copy_if_into(policy, at.in, at.end(), at.out.items, is_large{}, at.count); }, give_large},
    row{"copy_if_into by a stencil", 0u, [](const auto& policy, places& at)
        { reheat::copy_if_into(policy, at.in, at.end(), at.keys, at.out.items, is_set{}, at.count); }, give_set},
    row{"remove_copy_into", 0u, [](const auto& policy, places& at)
        { reheat::remove_copy_into(policy, at.in, at.end(), at.out.items, 1u, at.count); }, give_no_ones},
    row{"remove_copy_if_into", 0u, [](const auto& policy, places& at)
        { reheat::remove_copy_if_into(policy, at.in, at.end(), at.out.items, is_large{}, at.count); }, give_small},
    row{"remove_copy_if_into by a stencil", 0u, [](const auto& policy, places& at)
        { reheat::remove_copy_if_into(policy, at.in, at.end(), at.keys, at.out.items, is_set{}, at.count); }, give_unset},
    row{"remove_into", in_place, [](const auto& policy, places& at)
        { reheat::remove_into(policy, at.out.items, at.out_end(), 1u, at.count); }, give_no_ones},
    row{"remove_if_into", in_place, [](const auto& policy, places& at)
        { reheat::remove_if_into(policy, at.out.items, at.out_end(), is_large{}, at.count); }, give_small},
    row{"remove_if_into by a stencil", in_place, [](const auto& policy, places& at)
        { reheat::remove_if_into(policy, at.out.items, at.out_end(), at.keys, is_set{}, at.count); }, give_unset},
    row{"partition_into", in_place, [](const auto& policy, places& at)
        { reheat::partition_into(policy, at.out.items, at.out_end(), is_large{}, at.count); }, give_parts},
    row{"partition_into by a stencil", in_place, [](const auto& policy, places& at)
        { reheat::partition_into(policy, at.out.items, at.out_end(), at.keys, is_set{}, at.count); }, give_parts_by_key},
    row{"partition_copy_into", rejected, [](const auto& policy, places& at)
        { reheat::partition_copy_into(policy, at.in, at.end(), at.out.items, at.rejected.items, is_large{}, at.count); },
        give_large},
    row{"partition_copy_into by a stencil", rejected,
        [](const auto& policy, places& at)
        {
          reheat::partition_copy_into(policy, at.in, at.end(), at.keys, at.out.items, at.rejected.items, is_set{}, at.count);
        },
        give_set},
    row{"unique_into", in_place, [](const auto& policy, places& at)
        { reheat::unique_into(policy, at.out.items, at.out_end(), at.count); }, give_runs},
    row{"unique_into by a predicate", in_place, [](const auto& policy, places& at)
        { reheat::unique_into(policy, at.out.items, at.out_end(), thrust::equal_to<u32>(), at.count); }, give_runs},
    row{"unique_copy_into", 0u, [](const auto& policy, places& at)
        { reheat::unique_copy_into(policy, at.in, at.end(), at.out.items, at.count); }, give_runs},
    row{"unique_copy_into by a predicate", 0u, [](const auto& policy, places& at)
        { reheat::unique_copy_into(policy, at.in, at.end(), at.out.items, thrust::equal_to<u32>(), at.count); }, give_runs},
    row{"unique_by_key_into", in_place | keys, [](const auto& policy, places& at)
        { reheat::unique_by_key_into(policy, at.out.keys, at.out.keys + at.size, at.out.items, at.count); },
        give_runs_of_keys},
    row{"unique_by_key_into by a predicate", in_place | keys,
        [](const auto& policy, places& at)
        {
          reheat::unique_by_key_into(policy, at.out.keys, at.out.keys + at.size, at.out.items, thrust::equal_to<u32>(),
                                     at.count);
        },
        give_runs_of_keys},
    row{"unique_by_key_copy_into", keys,
        [](const auto& policy, places& at)
        {
          reheat::unique_by_key_copy_into(policy, at.keys, at.keys + at.size, at.in, at.out.keys, at.out.items, at.count);
        },
        give_runs_of_keys},
    row{"unique_by_key_copy_into by a predicate", keys,
        [](const auto& policy, places& at)
        {
          reheat::unique_by_key_copy_into(policy, at.keys, at.keys + at.size, at.in, at.out.keys, at.out.items,
                                          thrust::equal_to<u32>(), at.count);
        },
        give_runs_of_keys},
    row{"count_into", 0u, [](const auto& policy, places& at)
        { reheat::count_into(policy, at.in, at.end(), 1u, at.count); }, give_number_of_ones},
    row{"count_if_into", 0u, [](const auto& policy, places& at)
        { reheat::count_if_into(policy, at.in, at.end(), is_large{}, at.count); }, give_number_of_large},
    row{"reduce_into", 0u, [](const auto& policy, places& at)
        { reheat::reduce_into(policy, at.in, at.end(), at.out.items); }, give_sum<0>},
    row{"reduce_into from a value", 0u, [](const auto& policy, places& at)
        { reheat::reduce_into(policy, at.in, at.end(), at.out.items, 5u); }, give_sum<5>},
    row{"reduce_into by an operator", 0u, [](const auto& policy, places& at)
        { reheat::reduce_into(policy, at.in, at.end(), at.out.items, 5u, thrust::plus<u32>()); }, give_sum<5>},
    // Zipped arrays.
    row{"copy_if_into, zipped", zipped, [](const auto& policy, places& at)
        { reheat::copy_if_into(policy, at.zip(), at.zip() + at.size, at.out.zip(), begins_large{}, at.count); }, give_large},
    row{"remove_if_into, zipped", in_place | zipped, [](const auto& policy, places& at)
        { reheat::remove_if_into(policy, at.out.zip(), at.out.zip() + at.size, begins_large{}, at.count); }, give_small},
    row{"partition_into, zipped", in_place | zipped, [](const auto& policy, places& at)
        { reheat::partition_into(policy, at.out.zip(), at.out.zip() + at.size, begins_large{}, at.count); }, give_parts},
    row{"partition_copy_into, zipped", rejected | zipped,
        [](const auto& policy, places& at)
        {
          reheat::partition_copy_into(policy, at.zip(), at.zip() + at.size, at.out.zip(), at.rejected.zip(), begins_large{},
                                      at.count);
        },
        give_large},
    row{"copy_if, zipped", returns | zipped, [](const auto& policy, places& at)
        { at.returned = thrust::copy_if(policy, at.zip(), at.zip() + at.size, at.out.zip(), begins_large{}) - at.out.zip(); },
        give_large},
    row{"remove_if, zipped", in_place | returns | zipped, [](const auto& policy, places& at)
        { at.returned = thrust::remove_if(policy, at.out.zip(), at.out.zip() + at.size, begins_large{}) - at.out.zip(); },
        give_small},
    row{"stable_partition, zipped", in_place | returns | zipped,
        [](const auto& policy, places& at)
        {
          at.returned =
              thrust::stable_partition(policy, at.out.zip(), at.out.zip() + at.size, begins_large{}) - at.out.zip();
        },
        give_parts},
    row{"stable_partition_copy, zipped", rejected | returns | zipped,
        [](const auto& policy, places& at)
        {
          at.returned = thrust::stable_partition_copy(policy, at.zip(), at.zip() + at.size, at.out.zip(), at.rejected.zip(),
                                                      begins_large{})
                            .first -
                        at.out.zip();
        },
        give_large});

const std::vector<std::string> names = names_of(rows);
const std::vector<unsigned> all_facts = facts_of(rows);

class selections_call final : public call
{
public:
  selections_call(choices& choose, output_space& space, std::size_t max_items, bool captured)
      : table_(input_table<u32>::of(max_items)), reals_(input_table<double>::of(max_items))
  {
    kind = choose.below(static_cast<u32>(all_facts.size()));
    while (captured && (all_facts[kind] & returns) != 0)
    {
      kind = (kind + 1) % static_cast<unsigned>(all_facts.size());
    }
    facts_ = all_facts[kind];
    size_ = choose.size(max_items);
    change_input(choose);
    keys_at_ = choose.below(input_table<u32>::room);
    copied_ = captured && !has(in_place);
    form_ = captured ? form::nosync : static_cast<form>(choose.below(3));
    const auto part = [&](bool is_needed) { return is_needed ? size_ : 0; };
    out_ = space.take<u32>(std::max<std::size_t>(size_, 1), choose.below(64)); // a total of no items has a place, too
    keys_out_ = space.take<u32>(part(has(keys)), choose.below(64));
    reals_out_ = space.take<double>(part(has(reals)), choose.below(32));
    rejected_ = space.take<u32>(part(has(rejected)), choose.below(64));
    rejected_keys_ = space.take<u32>(part(has(rejected) && has(keys)), choose.below(64));
    rejected_reals_ = space.take<double>(part(has(rejected) && has(reals)), choose.below(32));
    count_ = space.take<u64>(1, choose.below(32));
    copy_ = copied_ ? space.take<u32>(size_, choose.below(64)) : out_;
  }

  std::string described() const override
  {
    return names[kind] + " of " + std::to_string(size_) + " items from " + std::to_string(in_at_) + " and " +
           std::to_string(keys_at_) + ", form " + std::to_string(static_cast<int>(form_));
  }
  void change_input(choices& choose) override { in_at_ = choose.below(input_table<u32>::room); }
  void prepare(reheat::stream_type where) override
  {
    if (copied_ || has(in_place))
    {
      copy_in_stream(copy_.device, raw(table_.in) + in_at_, size_ * sizeof(u32), where);
    }
    if (has(in_place) && has(keys))
    {
      copy_in_stream(keys_out_.device, raw(table_.keys_in) + keys_at_, size_ * sizeof(u32), where);
    }
    if (has(in_place) && has(reals))
    {
      copy_in_stream(reals_out_.device, raw(reals_.in) + keys_at_, size_ * sizeof(double), where);
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
    const sources from{size_, table_.items.data() + in_at_, table_.keys.data() + keys_at_, reals_.items.data() + keys_at_};
    outcome gives{facts_, {}, {}, {}};
    visit_row(rows, kind, [&](const auto& each) { each.give(from, gives); });
    std::string wrong =
        difference("item", out_, gives.out.items) + difference("key", keys_out_, gives.out.keys) +
        difference("real", reals_out_, gives.out.reals) + difference("rejected item", rejected_, gives.rejected.items) +
        difference("rejected key", rejected_keys_, gives.rejected.keys) +
        difference("rejected real", rejected_reals_, gives.rejected.reals) + difference("count", count_, gives.count);
    if (copied_)
    {
      wrong += difference("input", copy_, std::vector<u32>(from.items, from.items + size_));
    }
    if (returned_ != gives.returned)
    {
      wrong += " returned " + std::to_string(returned_) + " instead of " + std::to_string(gives.returned);
    }
    return wrong.empty() ? "" : described() + wrong;
  }

private:
  bool has(unsigned fact) const { return (facts_ & fact) == fact; }

  template <class Policy>
  void make_by(const Policy& policy)
  {
    places at{size_,
              copied_ ? copy_.device : raw(table_.in) + in_at_,
              raw(table_.keys_in) + keys_at_,
              raw(reals_.in) + keys_at_,
              {out_.device, keys_out_.device, reals_out_.device},
              {rejected_.device, rejected_keys_.device, rejected_reals_.device},
              count_.device};
    visit_row(rows, kind, [&](const auto& each) { each.call(policy, at); });
    returned_ = at.returned;
  }

  const input_table<u32>& table_;
  const input_table<double>& reals_;
  unsigned facts_ = 0;
  std::size_t size_ = 0, in_at_ = 0, keys_at_ = 0;
  form form_ = form::waits;
  bool copied_ = false;
  place<u32> out_, keys_out_, rejected_, rejected_keys_, copy_;
  place<double> reals_out_, rejected_reals_;
  place<u64> count_;
  std::int64_t returned_ = 0;
};

class selections_caller final : public caller
{
public:
  explicit selections_caller(std::size_t max_items) : max_items_(max_items)
  {
    // Made now: allocations would end other threads' captures.
    input_table<u32>::of(max_items);
    input_table<double>::of(max_items);
  }
  std::string name() const override { return "numbers on the device, and zipped arrays"; }
  std::vector<std::string> kinds() const override { return names; }
  std::unique_ptr<call> draw(choices& choose, output_space& space, bool captured) override
  {
    return std::make_unique<selections_call>(choose, space, max_items_, captured);
  }

private:
  std::size_t max_items_;
};

} // namespace

caller_ptr selections(std::size_t max_items)
{
  return std::make_unique<selections_caller>(max_items);
}

} // namespace compat::drawn
