// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the calls of table.inc that return numbers have to return, by the standard library. Needs no Thrust.
#pragma once

#include "family.hpp"

#include <algorithm>
#include <utility>

namespace accelerated
{

template <algorithm Which>
struct host_call_of;

#define REHEAT_FAMILY_NUMBERS(name, ...)                                                                                    \
  template <>                                                                                                               \
  struct host_call_of<algorithm::name>                                                                                      \
  {                                                                                                                         \
    template <class Range>                                                                                                  \
    auto operator()(const Range& r) const                                                                                   \
    {                                                                                                                       \
      return __VA_ARGS__;                                                                                                   \
    }                                                                                                                       \
  };
#include "table.inc"

//! `r` is in host memory; its operands have the names of those in calls.cuh.
template <algorithm Which, class Range>
numbers numbers_on_host(const Range& r)
{
  return numbers_of(r.first, host_call_of<Which>()(r));
}

} // namespace accelerated
