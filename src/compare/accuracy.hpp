// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How far sums of floating-point numbers are off.
#pragma once

#include "machine.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace compare
{

struct accuracy_row
{
  std::string input;
  compare::element element;
  std::size_t count;
  double sum;       //!< the exact one, rounded to double
  double condition; //!< the sum of magnitudes divided by the magnitude of the sum
  // In units in the last place of the nearest number of the element's type; of an exact sum at most half of one.
  double loop; //!< of a loop over the items in their own type
  double thrust;
  std::optional<double> cub; //!< none where CUB does not run
  double reheat, exact;
};

accuracy_row accuracy_of(const std::string& input, const sum_request& row, const sums& made);

} // namespace compare
