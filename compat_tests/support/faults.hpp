// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The protocol faults by name.
#pragma once

#include <reheat/detail/simt/fault.cuh>

#include <cstring>

namespace compat
{

struct named_fault
{
  reheat::simt::fault value;
  const char* protocol;
  const char* name;
  const char* what;
};

inline constexpr named_fault faults[] = {
#define REHEAT_FAULT_ROW(PROTOCOL, NAME, WHAT) {reheat::simt::fault::NAME, #PROTOCOL, #NAME, WHAT},
    REHEAT_FAULTS(REHEAT_FAULT_ROW)
#undef REHEAT_FAULT_ROW
};

//! The fault called `name`, or null.
inline const named_fault* find_fault(const char* name)
{
  for (const named_fault& entry : faults)
  {
    if (std::strcmp(entry.name, name) == 0)
    {
      return &entry;
    }
  }
  return nullptr;
}

} // namespace compat
