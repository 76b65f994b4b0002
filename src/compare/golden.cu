// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The golden sums and scans on a GPU, each of aligned and of misaligned items.
#include "this_machine.cuh"

#include <family/association_calls.cuh>

#include <exception>

namespace compare::here
{

std::vector<std::uint64_t> golden_hashes()
{
  std::vector<std::uint64_t> made;
  try
  {
    for (const association::golden_row& row : association::golden_rows)
    {
      const std::uint64_t aligned = association::hash_here(row, 0), misaligned = association::hash_here(row, 1);
      made.push_back(aligned == misaligned ? aligned : 0); // 0: no hash
    }
  }
  catch (const std::exception& error)
  {
    throw machine_error(error.what());
  }
  return made;
}

} // namespace compare::here
