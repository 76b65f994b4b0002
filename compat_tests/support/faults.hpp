// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The protocol faults by name. faults/check_fault.py checks that none is missing here.
#pragma once

#include <reheat/detail/simt/fault.cuh>

#include <cstring>

namespace compat
{

//! Finds the fault called `name`; false if there is none.
inline bool find_fault(const char* name, reheat::simt::fault& found)
{
  using reheat::simt::fault;
  static constexpr struct
  {
    const char* name;
    fault value;
  } faults[] = {
      {"none", fault::none},
      {"commute_fold", fault::commute_fold},
      {"skip_prefix_wait", fault::skip_prefix_wait},
      {"skip_slot_wait", fault::skip_slot_wait},
      {"drop_publish", fault::drop_publish},
      {"reuse_stage_early", fault::reuse_stage_early},
      {"read_past_end", fault::read_past_end},
      {"skip_totals_barrier", fault::skip_totals_barrier},
      {"divergent_barrier", fault::divergent_barrier},
      {"keep_epoch", fault::keep_epoch},
  };
  for (const auto& entry : faults)
  {
    if (std::strcmp(entry.name, name) == 0)
    {
      found = entry.value;
      return true;
    }
  }
  return false;
}

} // namespace compat
