// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The rows of reheat-device, and their names.
#pragma once

#include "device/calls.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace perf::device_wide
{

enum class clock
{
  graph,     //!< GPU time of a call inside a CUDA graph
  host,      //!< the host's time in the call that enqueues
  host_both, //!< in both phases
};

constexpr const char* name_of(clock which)
{
  return which == clock::graph ? "graph" : which == clock::host ? "host" : "host_both";
}

//! What implementations are measured against each other on.
struct row
{
  const entry* what;
  std::uint64_t items;
  device_wide::clock clock;
  implementation_bits chosen; //!< no other implementation is measured

  //! entry[/variant]/types/items/clock/
  std::string prefix() const
  {
    return what->name + '/' + what->types + '/' + std::to_string(items) + '/' + name_of(clock) + '/';
  }
  std::vector<implementation> measured() const
  {
    std::vector<implementation> made;
    std::copy_if(implementations.begin(), implementations.end(), std::back_inserter(made),
                 [&](implementation who)
                 {
                   const bool is_built =
                       who == implementation::limit
                           ? what->has_limit() && clock == device_wide::clock::graph
                           : what->by(who) && (clock != device_wide::clock::host_both || has_two_phases(who));
                   return is_built && holds(chosen, who);
                 });
    return made;
  }
};

//! Those of all entries; with `quick`, of few sizes.
inline std::vector<row> rows_of(const std::vector<entry>& all, bool quick, implementation_bits chosen)
{
  const std::vector<unsigned> powers =
      quick ? std::vector<unsigned>{10, 16, 20, 24} : std::vector<unsigned>{8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28};
  std::vector<row> made;
  for (const entry& each : all)
  {
    for (const unsigned power : powers)
    {
      made.push_back({&each, std::uint64_t{1} << power, clock::graph, chosen});
    }
    for (const std::uint64_t items : {1000, 1000000})
    {
      if (each.on_the_host_clocks)
      {
        made.push_back({&each, items, clock::host, chosen});
        made.push_back({&each, items, clock::host_both, chosen});
      }
    }
  }
  return made;
}

} // namespace perf::device_wide
