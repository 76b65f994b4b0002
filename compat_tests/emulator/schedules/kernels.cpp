// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

namespace schedules
{

const std::vector<scenario>& all_scenarios()
{
  static const std::vector<scenario> all = []
  {
    std::vector<scenario> result;
    for (const auto* some :
         {&scan::scenarios(), &reduce::scenarios(), &family::scenarios(), &selections::scenarios(), &uniques::scenarios(),
          &run_length_encode::scenarios(), &sort::scenarios(), &device::scenarios(), &segmented::scenarios(),
          &ladder_scan::scenarios(), &ladder_reduce::scenarios(), &across::scenarios()})
    {
      result.insert(result.end(), some->begin(), some->end());
    }
    return result;
  }();
  return all;
}

} // namespace schedules
