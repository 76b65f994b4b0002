// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A machine without kernels: every implementation is a loop on the host, and one of them can be told to err.
#pragma once

#include "machine.hpp"

namespace compare
{

enum class fault
{
  none,
  wrong_value,   //!< the last value is off
  wrong_key,     //!< the last key is off, where there are keys in the output
  not_written,   //!< the last value stays what it was
  wrong_end,     //!< another iterator than the end is returned
  out_of_bounds, //!< a byte behind the output changes
  throws,
  no_memory,
};

class host_machine final : public machine
{
public:
  explicit host_machine(fault fault, implementation faulty = implementation::reheat) : fault_(fault), faulty_(faulty) {}
  const char* program() const override { return "reheat-compare-host"; }
  std::string description() const override { return "the host"; }
  bool emulated() const override { return true; }
  std::string upstream() const override { return "a loop"; }
  std::size_t input_capacity(std::size_t) const override { return std::size_t{1} << 30; }
  outcome run(const request& row) override;
  sums sums_of(const sum_request& row) override;
  std::vector<std::uint64_t> golden_hashes() override; //!< those that are recorded; the last one is off by wrong_value

private:
  void apply_fault(const request& row, result& made) const;

  fault fault_;
  implementation faulty_; //!< not Thrust, whose result the others are held against
};

} // namespace compare
