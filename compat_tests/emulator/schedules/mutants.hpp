// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Hunting the protocol faults.
#pragma once

#include <cstdint>
#include <string>

namespace schedules
{

//! Switches each fault on, or the one called `only`, and runs the scenarios of its protocol in turn until something is
//! found, at most `schedules` of them; this `seeds` times from different seeds. Prints a line per fault, its fields
//! separated by tabs: protocol, name, how often it was caught, median number of schedules, the checks that caught it. With
//! `majority`, a fault that more than half of the hunts have caught is hunted no further, and once it has been caught, every
//! second schedule is of the scenario that caught it last. Returns 0; mutants.py judges.
int hunt_mutants(const std::string& only, std::uint64_t seed, unsigned seeds, std::uint64_t schedules, bool majority);

} // namespace schedules
