// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Rows as a table and as JSON.
#pragma once

#include "accuracy.hpp"
#include "agreement.hpp"
#include "machine.hpp"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace compare
{

//! A row that ran: what was asked, what came out.
struct report_row
{
  std::string input;
  compare::algorithm algorithm;
  compare::element element;
  compare::operation operation;
  std::size_t count;
  judgement judged;
  std::map<implementation, double> seconds; //!< medians of those that were timed
};

struct report
{
  std::string program, version, device, upstream;
  bool emulated;
  int ranks; //!< 0: none
  std::vector<report_row> rows;
  std::vector<std::string> notes;

  std::size_t differing() const;
};

void print_table(std::ostream& out, const report& made);
void print_json(std::ostream& out, const report& made);

void print_accuracy(std::ostream& out, const report& made, const std::vector<accuracy_row>& rows);
void print_accuracy_json(std::ostream& out, const report& made, const std::vector<accuracy_row>& rows);

//! The hashes of association::golden_rows beside those that are recorded. Returns how many differ.
std::size_t print_bits(std::ostream& out, const report& made, const std::vector<std::uint64_t>& hashes);

} // namespace compare
