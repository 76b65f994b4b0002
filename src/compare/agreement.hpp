// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Whether what reheat and `device` computed is right.
//!
//! Integers, counts, positions, truths and keys, and minimum and maximum of floats, must equal a reference computed here.
//! Float sums and products are held against a reference in long double (sums with compensation); with n operands up to a
//! position, in its run where there are keys, and the type's epsilon e:
//! - sums: the error is at most the larger of Thrust's own error at that position and 2 log2(n) e times the sum of absolute
//! values;
//! - products: the relative error is at most 2 n e.
#pragma once

#include "machine.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace compare
{

struct verdict
{
  bool within = true;          //!< every position is as the rule wants it
  std::uint64_t wrong = 0;     //!< positions that are not
  std::size_t first_wrong = 0; //!< with what was expected and found there
  std::string expected, found;
  double error = 0; //!< the largest over all positions: absolute for sums, relative for products
  double bound = 0; //!< what the rule allows at the position of that error, Thrust's own error left aside
};

struct judgement
{
  bool agrees = true; //!< reheat and `device` are within their rule, wrote all of their output and nothing else
  bool exact = true;  //!< no error is allowed; error and bound mean nothing
  verdict reheat, thrust;
  std::map<implementation, verdict> others; //!< on the outcome's
  std::vector<std::string> details;         //!< what is wrong, a sentence each
};

judgement judge(const request& row, const outcome& made);

} // namespace compare
