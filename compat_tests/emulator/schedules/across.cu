// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0

#include "scenario.hpp"

// ThreadSanitizer does not see the locks of the library and of the emulator, which are compiled without it: it reports
// whatever one thread does under a lock and another one after it.
#if defined(__SANITIZE_THREAD__)

namespace schedules::across
{

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> none;
  return none;
}

} // namespace schedules::across

#else

#  include "checks.hpp"

#  include "../../support/lossy_ranks.hpp"
#  include "../../support/ranks.hpp"

#  include <thrust/count.h>
#  include <thrust/iterator/transform_output_iterator.h>
#  include <thrust/reduce.h>
#  include <thrust/scan.h>

#  include <algorithm>
#  include <cstring>
#  include <iterator>
#  include <limits>

namespace schedules::across
{
namespace
{

using reheat::gather_order;

//! Parts of up to four ranks: nothing, one item, or some.
cut draw_cut(draw& choose)
{
  cut parts{std::vector<std::size_t>(1 + choose.below(4))};
  for (std::size_t& part : parts.parts)
  {
    part = choose.below(3) == 0 ? 0 : choose.flip() ? 1 : choose.items(64, 5);
  }
  return parts;
}
gather_order draw_order(draw& choose)
{
  return choose.below(3) == 0 ? gather_order::on_host : gather_order::in_stream;
}

//! What is wrong with a call on a rank; threads report through it.
class first_report
{
public:
  void add(const std::string& what)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    text_ = text_.empty() ? what : text_;
  }
  std::string text() const { return text_; }

private:
  std::mutex mutex_;
  std::string text_;
};

//! Several calls in a row, of items that tell their order.
std::string folds(draw& choose)
{
  const cut parts = draw_cut(choose);
  const std::vector<interval> items = make_items<interval>(parts.items());
  const interval init{-3, 0};
  const auto inclusive = inclusive_reference<interval, interval>(items, fold{});
  const auto exclusive = exclusive_reference<interval, interval>(items, init, fold{});
  first_report wrong;
  on_ranks(parts.ranks(), draw_order(choose),
           [&](reheat::ranks& ranks)
           {
             const auto policy = reheat::par.across(ranks);
             std::vector<interval> own = part_of(items, parts, ranks.rank()), out(own.size() + 1); // + 1: a pointer
             own.push_back({});
             const interval *const first = own.data(), *const last = first + own.size() - 1;
             const auto compare = [&](const char* call, const std::vector<interval>& expected)
             {
               const std::string text = differing(part_of(expected, parts, ranks.rank()), out);
               wrong.add(text.empty() ? text : std::string(call) + ": " + text);
             };
             const interval all = thrust::reduce(policy, first, last, init, fold{});
             wrong.add(all.begin == -3 && all.end == static_cast<std::int64_t>(items.size()) ? ""
                                                                                             : "the reduction is wrong");
             thrust::inclusive_scan(policy, first, last, out.data(), fold{});
             compare("inclusive_scan", inclusive);
             thrust::exclusive_scan(policy, first, last, out.data(), init, fold{});
             compare("exclusive_scan", exclusive);
           });
  return wrong.text();
}

//! Many short exchanges in a row: a rank may be one ahead of the others.
std::string exchanges(draw& choose)
{
  const int count = 2 + static_cast<int>(choose.below(3));
  first_report wrong;
  on_ranks(count, draw_order(choose),
           [&](reheat::ranks& ranks)
           {
             const auto policy = reheat::par_nosync.across(ranks);
             for (std::int64_t round = 0; round < 30; ++round)
             {
               const interval one{ranks.rank() * 10 + round, (ranks.rank() + 1) * 10 + round};
               interval before{}, all{};
               reheat::prefix_across(policy, &one, &before, &all, interval{round - 1, round}, fold{});
               const bool right = before.begin == round - 1 && before.end == one.begin && all.begin == round - 1 &&
                                  all.end == count * 10 + round;
               wrong.add(right ? "" : "a prefix is wrong");
             }
           });
  return wrong.text();
}

std::string places(draw& choose)
{
  cut parts = draw_cut(choose);
  parts.parts.push_back(1); // somebody has an item
  std::vector<std::uint32_t> items(parts.items());
  for (std::uint32_t& item : items)
  {
    item = static_cast<std::uint32_t>(choose.below(5));
  }
  const auto least = static_cast<std::uint64_t>(std::min_element(items.begin(), items.end()) - items.begin());
  first_report wrong;
  on_ranks(parts.ranks(), draw_order(choose),
           [&](reheat::ranks& ranks)
           {
             const std::vector<std::uint32_t> own = part_of(items, parts, ranks.rank());
             const auto found = reheat::min_element_across(reheat::par.across(ranks), own.data(), own.data() + own.size());
             const bool right = found && found->global_index == least && found->value == items[least] &&
                                parts.begin(found->rank) + found->index == least;
             wrong.add(right ? "" : "the place of an extremum is wrong");
           });
  return wrong.text();
}

//! Keys of a group are equal; their low bits tell the items of a run apart.
struct same_group
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x, std::uint32_t y) const { return x / 64 == y / 64; }
};

struct unchanged
{
  template <class T>
  REHEAT_HOST_DEVICE T operator()(const T& x) const
  {
    return x;
  }
};

//! Scans and reductions by key: runs over single items, whole parts, and ranks without items.
std::string runs_of_one_cut(draw& choose)
{
  const cut parts = draw_cut(choose);
  const std::size_t size = parts.items();
  const std::vector<interval> items = make_items<interval>(size);
  std::vector<std::uint32_t> keys(size);
  std::vector<interval> scan(size), folds;
  std::vector<std::uint32_t> first_keys;
  const std::size_t longer = 1 + choose.below(choose.flip() ? 3 : 60); // many runs that begin with a part, or long ones
  for (std::size_t i = 0; i < size; ++i)
  {
    const bool begins = i == 0 || choose.below(longer) == 0;
    const std::uint32_t group = i == 0 ? 1 : begins ? keys[i - 1] / 64 % 5 + 1 : keys[i - 1] / 64;
    keys[i] = group * 64 + static_cast<std::uint32_t>(i % 64);
    scan[i] = begins ? items[i] : fold{}(scan[i - 1], items[i]);
    if (begins)
    {
      first_keys.push_back(keys[i]);
      folds.push_back(items[i]);
    }
    folds.back() = scan[i];
  }
  std::vector<std::vector<std::uint32_t>> own_keys(parts.parts.size());
  std::vector<std::vector<interval>> own(parts.parts.size());
  const bool to_memory = choose.flip(); // or through iterators that nobody can read
  first_report wrong;
  on_ranks(parts.ranks(), draw_order(choose),
           [&](reheat::ranks& ranks)
           {
             const auto policy = reheat::par.across(ranks);
             const auto rank = static_cast<std::size_t>(ranks.rank());
             std::vector<interval> values = part_of(items, parts, ranks.rank()), out(values.size() + 1);
             std::vector<std::uint32_t> part_keys = part_of(keys, parts, ranks.rank()), keys_out(values.size() + 1);
             const std::size_t count = values.size();
             values.push_back({});
             part_keys.push_back(0);
             const std::uint32_t *const first = part_keys.data(), *const last = first + count;
             thrust::inclusive_scan_by_key(policy, first, last, values.data(), out.data(), same_group{}, fold{});
             const std::string text = differing(part_of(scan, parts, ranks.rank()), out);
             wrong.add(text.empty() ? text : "inclusive_scan_by_key: " + text);
             reheat::place_across found{};
             const auto reduce = [&](auto to_keys, auto to_values)
             {
               const auto made = reheat::reduce_by_key_across(policy, first, last, values.data(), to_keys, to_values,
                                                              same_group{}, fold{});
               found = {static_cast<std::uint64_t>(made.keys_end - to_keys), made.global_index, made.total};
             };
             if (to_memory)
             {
               reduce(keys_out.data(), out.data());
             }
             else
             {
               reduce(thrust::make_transform_output_iterator(keys_out.data(), unchanged{}),
                      thrust::make_transform_output_iterator(out.data(), unchanged{}));
             }
             const auto stored = static_cast<std::ptrdiff_t>(found.count);
             const bool fits = stored >= 0 && stored <= static_cast<std::ptrdiff_t>(count);
             wrong.add(fits && found.total == folds.size() ? "" : "the number of runs is wrong");
             if (fits)
             {
               own_keys[rank].assign(keys_out.begin(), keys_out.begin() + stored);
               own[rank].assign(out.begin(), out.begin() + stored);
             }
             std::size_t before = 0; // runs that end before this part
             for (std::size_t i = 0; i < parts.begin(ranks.rank()); ++i)
             {
               before += i + 1 == size || !same_group{}(keys[i], keys[i + 1]) ? 1 : 0;
             }
             wrong.add(found.global_index == before ? "" : "the place of the rank's runs is wrong");
           });
  std::vector<std::uint32_t> all_keys;
  std::vector<interval> all;
  for (std::size_t rank = 0; rank < own.size(); ++rank)
  {
    all_keys.insert(all_keys.end(), own_keys[rank].begin(), own_keys[rank].end());
    all.insert(all.end(), own[rank].begin(), own[rank].end());
  }
  if (!wrong.text().empty())
  {
    return wrong.text();
  }
  const std::string text = all.size() == folds.size() ? differing(folds, all) : "a run is missing or stored twice";
  return !text.empty() ? "reduce_by_key: " + text : all_keys == first_keys ? "" : "a key of reduce_by_key is wrong";
}

std::string runs(draw& choose)
{
  std::string text;
  for (int cuts = 0; cuts < 3 && text.empty(); ++cuts)
  {
    text = runs_of_one_cut(choose);
  }
  return text;
}

//! One rank makes another call, or fails: all others throw.
std::string odds(draw& choose)
{
  const int count = 2 + static_cast<int>(choose.below(3));
  const int odd = static_cast<int>(choose.below(static_cast<std::size_t>(count)));
  const bool fails = choose.flip();
  const auto failures = failures_of_ranks(count, gather_order::in_stream,
                                          [&](reheat::ranks& ranks)
                                          {
                                            const std::vector<std::uint32_t> items(8, 1);
                                            const auto policy = reheat::par.across(ranks);
                                            const std::uint32_t* const end = items.data() + 8;
                                            if (ranks.rank() != odd)
                                            {
                                              static_cast<void>(thrust::reduce(policy, items.data(), end));
                                            }
                                            else if (fails)
                                            {
                                              static_cast<void>(thrust::reduce(policy, end, items.data()));
                                            }
                                            else
                                            {
                                              static_cast<void>(thrust::count(policy, items.data(), end, 1u));
                                            }
                                          });
  const bool all_threw = std::find(failures.begin(), failures.end(), nullptr) == failures.end();
  return all_threw ? "" : "a rank takes no notice of another one";
}

//! Sums, of values that have room in a record or follow it.
template <class T>
std::string sums_of(draw& choose, int gathers)
{
  const int count = 2 + static_cast<int>(choose.below(3));
  const int receiver = static_cast<int>(choose.below(static_cast<std::size_t>(count)));
  const int lost = static_cast<int>(choose.below(static_cast<std::size_t>(count)));
  const loss what = all_losses[choose.below(std::size(all_losses))];
  const int gather = 1 + static_cast<int>(choose.below(static_cast<std::size_t>(gathers)));
  reheat::thread_group group(count);
  first_report wrong;
  const auto failures =
      failures_of_threads(count,
                          [&](int rank)
                          {
                            lossy_ranks ranks(group, rank);
                            const auto policy = reheat::par.across(ranks);
                            const T none = values<T>::make(0);
                            for (std::size_t round = 0; round < 4; ++round)
                            {
                              T expected = none;
                              for (int each = 0; each < count; ++each)
                              {
                                expected = fold{}(expected, values<T>::make(round * 8 + static_cast<std::size_t>(each)));
                              }
                              if (rank == receiver && round == 3)
                              {
                                ranks.lose(what, lost, gather);
                              }
                              const T item = values<T>::make(round * 8 + static_cast<std::size_t>(rank));
                              const T sum = thrust::reduce(policy, &item, &item + 1, none, fold{});
                              wrong.add(std::memcmp(&sum, &expected, sizeof sum) == 0 ? "" : "a sum is wrong");
                            }
                            wrong.add(ranks.has_lost() ? "bytes that have not arrived were taken" : "");
                          });
  const std::string text = text_of(failures[static_cast<std::size_t>(receiver)]);
  wrong.add(text.empty() || text.find("has not arrived") != std::string::npos ? "" : text);
  return wrong.text();
}

//! A gather ends although a rank's bytes have not arrived on another one.
std::string losses(draw& choose)
{
  return choose.flip() ? sums_of<words<3>>(choose, 1) : sums_of<words<16>>(choose, 2);
}

} // namespace

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> all = {
      {"across/folds", "ranks", folds}, {"across/exchanges", "ranks", exchanges}, {"across/places", "ranks", places},
      {"across/runs", "ranks", runs},   {"across/odds", "ranks", odds},           {"across/losses", "ranks", losses},
  };
  return all;
}

} // namespace schedules::across

#endif
