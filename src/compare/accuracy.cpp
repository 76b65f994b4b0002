// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "accuracy.hpp"

#include "exact_sum.hpp"

#include <cmath>
#include <limits>
#include <optional>

namespace compare
{
namespace
{

// One unit in the last place of the number of T that is nearest to x.
template <class T>
double ulp(long double x)
{
  const T nearest = static_cast<T>(std::abs(x));
  return static_cast<double>(std::nextafter(nearest, std::numeric_limits<T>::infinity()) - nearest);
}

template <class T>
accuracy_row accuracy_in(const std::string& input, const sum_request& row, const sums& made)
{
  const T* const items = reinterpret_cast<const T*>(row.items);
  exact_sum sum, magnitudes;
  T loop = 0;
  for (std::size_t i = 0; i < row.count; ++i)
  {
    sum.add(items[i]);
    magnitudes.add(std::abs(items[i]));
    loop += items[i];
  }
  const long double exact = sum.value();
  const auto error = [&](double value)
  {
    exact_sum difference = sum;
    difference.add(-value);
    return static_cast<double>(std::abs(difference.value())) / ulp<T>(exact);
  };
  return {input,
          row.element,
          row.count,
          static_cast<double>(exact),
          static_cast<double>(magnitudes.value() / std::abs(exact)),
          error(loop),
          error(made.thrust),
          made.cub ? std::optional(error(*made.cub)) : std::nullopt,
          error(made.reheat),
          error(made.exact)};
}

} // namespace

accuracy_row accuracy_of(const std::string& input, const sum_request& row, const sums& made)
{
  return row.element == element::f32 ? accuracy_in<float>(input, row, made) : accuracy_in<double>(input, row, made);
}

} // namespace compare
