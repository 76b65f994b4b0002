// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What is said of several times of the same thing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace timing
{

//! Of at least one value.
inline double median(std::vector<double> values)
{
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

//! From the smallest to the largest, as a fraction of the median. Of at least one value.
inline double spread(const std::vector<double>& values)
{
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return (*high - *low) / median(values);
}

} // namespace timing
