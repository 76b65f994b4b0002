// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "common/axes.hpp"

#include <algorithm>
#include <limits>

namespace perf
{
namespace
{

bool is_common(const row& which)
{
  return is_common(which.type, which.operation, which.input);
}

//! Whether the row has a clock on which `who` is of interest and can be timed, apart from what all algorithms have.
bool has_clock(const row& which, implementation who)
{
  const bool whole_call = which.clock == clock::wall || which.clock == clock::wall_nosync;
  switch (who)
  {
    case implementation::reheat_serial:
      // Behind a foreign kernel no captured launch starts early anyway.
      return is_common(which) && which.items <= max_small_items &&
             (which.clock == clock::graph || which.clock == clock::warm || which.clock == clock::cold);
    case implementation::thrust_pool:
      return is_common(which) && whole_call;
    case implementation::cub_new:
    case implementation::cub_new_lookahead:
      return is_common(which) && which.items <= std::numeric_limits<std::uint32_t>::max() &&
             (which.algorithm == algorithm::inclusive_scan ||
              (which.algorithm == algorithm::reduce && who == implementation::cub_new));
    case implementation::limit_early:
      return which.clock == clock::graph || which.clock == clock::warm;
    default:
      return true;
  }
}

bool can_be_measured(const row& which, implementation who)
{
  const bool scan = is_scan(which.algorithm);
  const bool in_order = who == implementation::reheat || who == implementation::reheat_serial ||
                        who == implementation::limit || who == implementation::limit_early;
  if (!scan && which.operation == operation::last && !in_order)
  {
    return false; // neither CUB nor Thrust promises a reduction to keep operands in order
  }
  if (!has_clock(which, who))
  {
    return false;
  }
  switch (which.clock)
  {
    case clock::graph:
    case clock::graph_foreign:
    case clock::warm:
      // thrust::reduce allocates, and waits for its result: neither can be captured.
      return scan || who != implementation::thrust;
    case clock::cold:
    case clock::wall:
      return true;
    case clock::wall_nosync:
      return scan; // a reduction returns a value, so it waits under any policy
    case clock::wall_poll:
      return who == implementation::limit;
  }
  return false;
}

} // namespace

const char* name_of(algorithm which)
{
  constexpr const char* names[]{"reduce", "inclusive_scan", "exclusive_scan"};
  return names[static_cast<int>(which)];
}
const char* name_of(type which)
{
  constexpr const char* names[]{"i8",   "u8",  "i16", "i32",         "i64",         "f16",
                                "bf16", "f32", "f64", "complex_f32", "complex_f64", "struct_12"};
  return names[static_cast<int>(which)];
}
const char* name_of(operation which)
{
  constexpr const char* names[]{"plus", "max", "last"};
  return names[static_cast<int>(which)];
}
const char* name_of(input which)
{
  constexpr const char* names[]{"pointer", "device_vector", "misaligned", "transform", "in_place"};
  return names[static_cast<int>(which)];
}
const char* name_of(clock which)
{
  constexpr const char* names[]{"graph", "graph_foreign", "warm", "cold", "wall", "wall_nosync", "wall_poll"};
  return names[static_cast<int>(which)];
}
const char* name_of(implementation which)
{
  constexpr const char* names[]{"reheat",  "reheat-serial",     "thrust", "thrust-pool", "cub",
                                "cub-new", "cub-new-lookahead", "limit",  "limit-early"};
  return names[static_cast<int>(which)];
}

std::size_t size_of(type which)
{
  constexpr std::size_t bytes[]{1, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16, 12};
  return bytes[static_cast<int>(which)];
}

std::string name_of(const row& which)
{
  return std::string(name_of(which.algorithm)) + '/' + name_of(which.type) + '/' + name_of(which.operation) + '/' +
         name_of(which.input) + '/' + std::to_string(which.items) + '/' + name_of(which.clock);
}
std::string name_of(const row& which, implementation who)
{
  return name_of(which) + '/' + name_of(who);
}

std::vector<implementation> implementations_for(const row& which, const std::vector<implementation>& built)
{
  std::vector<implementation> chosen;
  std::copy_if(built.begin(), built.end(), std::back_inserter(chosen),
               [&](implementation who) { return can_be_measured(which, who); });
  return chosen;
}

} // namespace perf
