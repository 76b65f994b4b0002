// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <type_traits>

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
  void take(T item)
  {
    const long double x = item;
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
  void take(T item)
  {
    product_ *= item;
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
  watched() = default;
  // A result that failed holds nothing to watch.
  watched(const result& made, verdict& verdict)
      : values_(made.failure.empty() ? made.values.as<T>() : nullptr), verdict_(&verdict)
  {}
  explicit operator bool() const { return values_ != nullptr; }
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
  const T* values_ = nullptr;
  verdict* verdict_ = nullptr;
};

// Calls check(position) whenever the fold so far is what the output holds there, take(item) for each operand between.
template <class T, class Take, class Check>
void walk(const request& row, Take take, Check check)
{
  const T* const items = reinterpret_cast<const T*>(row.items);
  switch (row.algorithm)
  {
    case algorithm::reduce:
      take(items[0]); // init
      for (std::size_t i = 0; i < row.count; ++i)
      {
        take(items[i]);
      }
      check(0);
      break;
    case algorithm::inclusive_scan:
      for (std::size_t i = 0; i < row.count; ++i)
      {
        take(items[i]);
        check(i);
      }
      break;
    case algorithm::exclusive_scan:
      take(items[0]); // init
      for (std::size_t i = 0; i < row.count; ++i)
      {
        check(i);
        take(items[i]);
      }
      break;
  }
}

template <class T>
struct watched_results
{
  watched<T> reheat, thrust, cub;

  watched_results(const outcome& made, judgement& judged)
      : reheat(made.reheat, judged.reheat), thrust(made.thrust, judged.thrust),
        cub(made.cub ? watched<T>(*made.cub, judged.cub.emplace()) : watched<T>())
  {}
};

template <class T>
void judge_exactly(const request& row, const outcome& made, judgement& judged)
{
  watched_results<T> results(made, judged);
  T folded{};
  bool begun = false;
  walk<T>(
      row,
      [&](T item)
      {
        folded = begun ? fold(row.operation, folded, item) : item;
        begun = true;
      },
      [&](std::size_t at)
      {
        for (auto* each : {&results.reheat, &results.thrust, &results.cub})
        {
          if (*each)
          {
            each->expect_equal(at, folded);
          }
        }
      });
}

template <class T, class Reference>
void judge_by_error(const request& row, const outcome& made, judgement& judged)
{
  judged.exact = false;
  watched_results<T> results(made, judged);
  Reference reference;
  walk<T>(
      row, [&](T item) { reference.take(item); },
      [&](std::size_t at)
      {
        const expectation wanted = reference.expected();
        long double thrusts = 0;
        if (results.thrust)
        {
          thrusts = results.thrust.template expect_near<Reference>(at, wanted, 0);
        }
        if (results.cub)
        {
          results.cub.template expect_near<Reference>(at, wanted, 0);
        }
        if (results.reheat)
        {
          // Thrust's error excuses the same error in a sum; one that is not a number excuses nothing.
          const bool excuse = row.operation == operation::plus && std::isfinite(thrusts);
          results.reheat.template expect_near<Reference>(at, wanted, excuse ? thrusts : 0);
        }
      });
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
    judged.details.push_back(who + ": the returned iterator is not the end of the output");
  }
  if (!made.kept_bounds)
  {
    judged.details.push_back(who + ": wrote outside of its output");
  }
}

} // namespace

judgement judge(const request& row, const outcome& made)
{
  judgement judged;
  with_type(row.element,
            [&](auto tag)
            {
              using T = typename decltype(tag)::type;
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
  const auto sound = [](const result& result, const verdict& verdict)
  { return result.failure.empty() && verdict.within && result.returned_end && result.kept_bounds; };
  judged.reheat.within = judged.reheat.within && made.reheat.failure.empty();
  judged.thrust.within = judged.thrust.within && made.thrust.failure.empty();
  // Where no error is allowed, a Thrust that errs means that the swap changes the result.
  judged.agrees = sound(made.reheat, judged.reheat) && (!judged.exact || judged.thrust.within);
  const std::size_t positions = output_items(row.algorithm, row.count);
  explain("reheat", made.reheat, judged.reheat, positions, judged);
  if (judged.exact || !made.thrust.failure.empty())
  {
    explain("thrust", made.thrust, judged.thrust, positions, judged);
  }
  if (made.cub && (judged.exact || !made.cub->failure.empty()))
  {
    explain("cub", *made.cub, *judged.cub, positions, judged);
  }
  return judged;
}

} // namespace compare
