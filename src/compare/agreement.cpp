// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "agreement.hpp"

#include "key_runs.hpp"
#include "selections.hpp"

#include <family/host.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <sstream>
#include <type_traits>
#include <vector>

namespace compare
{
namespace
{

// ---- references: a running fold that says what a value may be --------------------------------------------------------

// What a position's value is held against. `allowance` is the error of the rule, for which Thrust's own may stand in.
struct expectation
{
  long double value;
  long double bound;
};

// Signed sums and products wrap: computed unsigned, modulo 2^64, then cut to the type.
template <class T>
T fold(operation which, T a, T b)
{
  switch (which)
  {
    case operation::max:
      return std::max(a, b);
    case operation::min:
      return std::min(a, b);
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>)
  {
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    return static_cast<T>(which == operation::plus ? x + y : x * y);
  }
  else
  {
    return T{}; // float sums and products have references of their own
  }
}

// 2 log2(n) for rising n, without a logarithm at each.
class doubled_log2
{
public:
  long double operator()(std::uint64_t n)
  {
    // Within 2^-20 of the last exact one the value moves by less than 2^-18; the lower, stricter one is taken.
    if (n < 4096 || n - exact_at_ > exact_at_ >> 20)
    {
      exact_at_ = n;
      value_ = 2 * std::log2(static_cast<long double>(n));
    }
    return value_;
  }

private:
  std::uint64_t exact_at_ = 0;
  long double value_ = 0;
};

template <class T>
class sum_reference
{
public:
  void take(long double x)
  {
    const long double next = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
    magnitude_ += std::abs(x);
    ++operands_;
  }
  expectation expected() { return {sum_ + lost_, log_(operands_) * std::numeric_limits<T>::epsilon() * magnitude_}; }
  static long double error(long double value, long double reference) { return std::abs(value - reference); }

private:
  long double sum_ = 0, lost_ = 0, magnitude_ = 0;
  std::uint64_t operands_ = 0;
  doubled_log2 log_;
};

template <class T>
class product_reference
{
public:
  void take(long double factor)
  {
    product_ *= factor;
    ++operands_;
  }
  expectation expected() const
  {
    return {product_, 2 * static_cast<long double>(operands_) * std::numeric_limits<T>::epsilon()};
  }
  static long double error(long double value, long double reference)
  {
    const long double distance = std::abs(value - reference);
    return distance == 0 ? 0 : distance / std::abs(reference);
  }

private:
  long double product_ = 1;
  std::uint64_t operands_ = 0;
};

// ---- walking over the outputs ----------------------------------------------------------------------------------------

template <class T>
std::string text(T value)
{
  std::ostringstream out;
  out.precision(std::numeric_limits<T>::max_digits10);
  out << +value;
  return out.str();
}

template <class T>
class watched
{
public:
  watched(const T* values, verdict& verdict) : values_(values), verdict_(&verdict) {}
  T value(std::size_t at) const { return values_[at]; }

  void wrong(std::size_t at, std::string expected)
  {
    if (verdict_->wrong++ == 0)
    {
      verdict_->within = false;
      verdict_->first_wrong = at;
      verdict_->expected = std::move(expected);
      verdict_->found = text(value(at));
    }
  }
  void expect_equal(std::size_t at, T expected)
  {
    if (!(value(at) == expected))
    {
      wrong(at, text(expected));
    }
  }
  // Equal, or neither is a number.
  void expect_same(std::size_t at, T expected)
  {
    if (!(value(at) == expected) && (value(at) == value(at) || expected == expected))
    {
      wrong(at, text(expected));
    }
  }
  // Returns the error found.
  template <class Reference>
  long double expect_near(std::size_t at, const expectation& wanted, long double also_allowed)
  {
    const long double error = Reference::error(static_cast<long double>(value(at)), wanted.value);
    if (!(error <= std::max(wanted.bound, also_allowed)))
    {
      wrong(at, text(static_cast<double>(wanted.value)));
    }
    // The first error that is not a number stays.
    if (at == 0 || std::isnan(error) || error > verdict_->error)
    {
      verdict_->error = static_cast<double>(error);
      verdict_->bound = static_cast<double>(wanted.bound);
    }
    return error;
  }

private:
  const T* values_;
  verdict* verdict_;
};

// What an algorithm folds of an item: of floats the exact value.
template <class T>
using term = std::conditional_t<std::is_integral_v<T>, T, long double>;

template <class T>
term<T> term_of(algorithm which, T item, key_type key)
{
  using wide = std::conditional_t<std::is_integral_v<T>, std::uint64_t, long double>;
  const auto x = static_cast<wide>(item);
  switch (facts_of(which).term)
  {
    case accelerated::term::mapped:
      return static_cast<term<T>>(wide{0} - x);
    case accelerated::term::product:
      return static_cast<term<T>>(x * static_cast<wide>(key));
    default:
      return static_cast<term<T>>(x);
  }
}

// Calls begin() where a fold begins anew, take(term) for each operand, and check(position) whenever the fold so far is what
// the output holds there.
template <class T, class Begin, class Take, class Check>
void walk(const request& row, Begin begin, Take take, Check check)
{
  const T* const items = reinterpret_cast<const T*>(row.items);
  const algorithm_facts& facts = facts_of(row.algorithm);
  const bool totals_of_runs = facts.output == output::run_totals;
  std::uint64_t run = 0;
  std::size_t run_end = facts.keys() != key_use::none ? run_items(run) : row.count;
  const auto begin_fold = [&]
  {
    begin();
    if (facts.starts_with_init())
    {
      take(static_cast<term<T>>(items[0]));
    }
  };
  begin_fold();
  for (std::size_t i = 0; i < row.count; ++i)
  {
    if (i == run_end)
    {
      if (totals_of_runs)
      {
        check(run);
      }
      run_end += run_items(++run);
      if (facts.keys() == key_use::runs)
      {
        begin_fold();
      }
    }
    if (facts.output == output::exclusive)
    {
      check(i);
    }
    take(term_of(row.algorithm, items[i], run_key(run)));
    if (facts.output == output::inclusive)
    {
      check(i);
    }
  }
  if (totals_of_runs || facts.output == output::total)
  {
    check(totals_of_runs ? run : 0);
  }
}

// The operands of algorithms without an operator, as in calls_search.cu.
template <class T>
struct search_range
{
  struct is_smaller
  {
    T bound;
    bool operator()(T item) const { return item < bound; }
  };
  struct is_equal
  {
    T wanted;
    bool operator()(T item) const { return item == wanted; }
  };
  struct is_other
  {
    T unwanted;
    bool operator()(T item) const { return item != unwanted; }
  };

  const T *first, *last, *others;
  std::equal_to<T> same{};
  std::less<T> less{};
  T counted, sought;
  is_smaller is_counted;
  is_equal is_sought;
  is_other is_not_sought;

  explicit search_range(const request& row)
      : first(reinterpret_cast<const T*>(row.items)), last(first + row.count), others(first), counted(*first),
        sought(last[-1]), is_counted{*first}, is_sought{last[-1]}, is_not_sought{last[-1]}
  {}
};

template <class T>
accelerated::numbers expected_numbers(const request& row)
{
  accelerated::numbers expected{};
  accelerated::for_each_algorithm(
      [&](auto which)
      {
        if constexpr (facts_of(which).gives_numbers())
        {
          if (row.algorithm == which)
          {
            expected = accelerated::numbers_on_host<which>(search_range<T>(row));
          }
        }
      });
  return expected;
}

// What the implementations that did not fail left; Thrust's first.
template <class T>
class watched_results
{
public:
  watched_results(const outcome& made, judgement& judged, const host_bytes result::*part = &result::values)
  {
    const auto add = [&](implementation who, const result& left, verdict& verdict)
    {
      if (left.failure.empty())
      {
        all_.emplace_back(who, watched<T>((left.*part).template as<T>(), verdict));
      }
    };
    add(implementation::thrust, made.thrust, judged.thrust);
    add(implementation::reheat, made.reheat, judged.reheat);
    for (const auto& [who, left] : made.others)
    {
      add(who, left, judged.others.at(who));
    }
  }
  void expect_equal(std::size_t at, T expected)
  {
    for (auto& [who, each] : all_)
    {
      each.expect_equal(at, expected);
    }
  }
  void expect_same(std::size_t at, T expected)
  {
    for (auto& [who, each] : all_)
    {
      each.expect_same(at, expected);
    }
  }
  // An error of Thrust's in a sum excuses the same error of ours; one that is not a number excuses nothing.
  template <class Reference>
  void expect_near(std::size_t at, const expectation& wanted, bool thrust_excuses)
  {
    long double excused = 0;
    for (auto& [who, each] : all_)
    {
      const long double error = each.template expect_near<Reference>(at, wanted, is_ours(who) ? excused : 0);
      if (who == implementation::thrust && thrust_excuses && std::isfinite(error))
      {
        excused = error;
      }
    }
  }

private:
  std::vector<std::pair<implementation, watched<T>>> all_;
};

void judge_keys(const request& row, const outcome& made, judgement& judged)
{
  watched_results<key_type> keys(made, judged, &result::keys);
  const std::size_t runs = output_items(row.algorithm, row.count);
  for (std::size_t run = 0; run < runs; ++run)
  {
    keys.expect_equal(run, run_key(run));
  }
}

template <class T>
void judge_numbers(const request& row, const outcome& made, judgement& judged)
{
  watched_results<std::int64_t> results(made, judged);
  const accelerated::numbers expected = expected_numbers<T>(row);
  for (std::size_t at = 0; at < output_items(row.algorithm, row.count); ++at)
  {
    results.expect_equal(at, expected[at]);
  }
}

// The selected items, and of a call in place the items behind them.
template <class T>
void judge_selection(const request& row, const outcome& made, judgement& judged)
{
  watched_results<T> results(made, judged);
  std::vector<T> expected = selected_items<T>(row);
  if (facts_of(row.algorithm).output == output::remainder)
  {
    const T* const items = reinterpret_cast<const T*>(row.items);
    expected.insert(expected.end(), items + expected.size(), items + row.count);
  }
  if (facts_of(row.algorithm).output == output::partition)
  {
    const std::vector<T> others = selected_items<T, false>(row);
    expected.insert(expected.end(), others.begin(), others.end());
  }
  for (std::size_t at = 0; at < expected.size(); ++at)
  {
    results.expect_equal(at, expected[at]);
  }
}

// The items in order, and their keys.
template <class T>
void judge_sort(const request& row, const outcome& made, judgement& judged)
{
  const selection_range<T> range(row);
  const std::vector<std::size_t> places = sorted_places<T>(row);
  watched_results<T> results(made, judged);
  for (std::size_t at = 0; at < places.size(); ++at)
  {
    results.expect_same(at, range.first[places[at]]);
  }
  if (facts_of(row.algorithm).writes_keys())
  {
    watched_results<key_type> keys(made, judged, &result::keys);
    for (std::size_t at = 0; at < places.size(); ++at)
    {
      keys.expect_equal(at, range.keys[places[at]]);
    }
  }
}

template <class T>
void judge_exactly(const request& row, const outcome& made, judgement& judged)
{
  watched_results<T> results(made, judged);
  T folded{};
  bool begun = false;
  walk<T>(
      row, [&] { begun = false; },
      [&](term<T> operand)
      {
        const T item = static_cast<T>(operand);
        folded = begun ? fold(row.operation, folded, item) : item;
        begun = true;
      },
      [&](std::size_t at) { results.expect_equal(at, folded); });
}

template <class T, class Reference>
void judge_by_error(const request& row, const outcome& made, judgement& judged)
{
  judged.exact = false;
  watched_results<T> results(made, judged);
  Reference reference;
  walk<T>(
      row, [&] { reference = {}; }, [&](term<T> operand) { reference.take(operand); },
      [&](std::size_t at)
      { results.template expect_near<Reference>(at, reference.expected(), row.operation == operation::plus); });
}

void explain(const std::string& who, const result& made, const verdict& verdict, std::size_t positions, judgement& judged)
{
  if (!made.failure.empty())
  {
    judged.details.push_back(who + " failed: " + made.failure);
    return;
  }
  if (!verdict.within)
  {
    judged.details.push_back(who + ": " + std::to_string(verdict.wrong) + " of " + std::to_string(positions) +
                             " positions wrong, first at " + std::to_string(verdict.first_wrong) + ": expected " +
                             verdict.expected + ", got " + verdict.found);
  }
  if (!made.returned_end)
  {
    judged.details.push_back(who +
                             ": the returned iterator is not the end of the output, or what is left beside it is wrong");
  }
  if (!made.kept_bounds)
  {
    judged.details.push_back(who + ": wrote outside of its output or its temporary memory");
  }
}

} // namespace

judgement judge(const request& row, const outcome& made)
{
  judgement judged;
  judged.reheat.within = made.reheat.failure.empty();
  judged.thrust.within = made.thrust.failure.empty();
  for (const auto& [who, left] : made.others)
  {
    judged.others[who].within = left.failure.empty();
  }
  with_type(row.element,
            [&](auto tag)
            {
              using T = typename decltype(tag)::type;
              if (facts_of(row.algorithm).selects())
              {
                return judge_selection<T>(row, made, judged);
              }
              if (facts_of(row.algorithm).sorts())
              {
                return judge_sort<T>(row, made, judged);
              }
              if (!takes_operation(row.algorithm))
              {
                return judge_numbers<T>(row, made, judged);
              }
              if constexpr (std::is_floating_point_v<T>)
              {
                if (row.operation == operation::plus)
                {
                  return judge_by_error<T, sum_reference<T>>(row, made, judged);
                }
                if (row.operation == operation::multiplies)
                {
                  return judge_by_error<T, product_reference<T>>(row, made, judged);
                }
              }
              judge_exactly<T>(row, made, judged);
            });
  if (facts_of(row.algorithm).output == output::run_totals)
  {
    judge_keys(row, made, judged);
  }
  const auto sound = [](const result& result, const verdict& verdict)
  { return result.failure.empty() && verdict.within && result.returned_end && result.kept_bounds; };
  // Where no error is allowed, a Thrust that errs means that the swap changes the result.
  judged.agrees = sound(made.reheat, judged.reheat) && (!judged.exact || judged.thrust.within);
  for (const auto& [who, left] : made.others)
  {
    judged.agrees = judged.agrees && (!is_ours(who) || sound(left, judged.others.at(who)));
  }
  const std::size_t outputs = facts_of(row.algorithm).writes_keys() ? 2 : 1;
  const std::size_t positions = outputs * output_items(row.algorithm, row.count);
  explain("reheat", made.reheat, judged.reheat, positions, judged);
  if (judged.exact || !made.thrust.failure.empty())
  {
    explain("thrust", made.thrust, judged.thrust, positions, judged);
  }
  for (const auto& [who, left] : made.others)
  {
    if (is_ours(who) || judged.exact || !left.failure.empty())
    {
      explain(name_of(who), left, judged.others.at(who), positions, judged);
    }
  }
  return judged;
}

} // namespace compare
