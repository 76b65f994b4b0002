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

#  include "../../support/ranks.hpp"

#  include <thrust/count.h>
#  include <thrust/reduce.h>
#  include <thrust/scan.h>

#  include <algorithm>
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

} // namespace

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> all = {
      {"across/folds", "ranks", folds},
      {"across/exchanges", "ranks", exchanges},
      {"across/places", "ranks", places},
      {"across/odds", "ranks", odds},
  };
  return all;
}

} // namespace schedules::across

#endif
