// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! One run of a scenario, and what came of it.
#pragma once

#include "scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace schedules
{

//! What a run found: "wrong result", "deadlock", "data race" and so on, with the report.
struct finding
{
  std::string kind;
  std::string text;
};
inline constexpr const char* nothing = "nothing";

//! Those of the program.
const std::vector<scenario>& all_scenarios();
//! Null if there is none of that name.
const scenario* find_scenario(const char* name);

//! Whether runs are made in processes of their own, because a process has no room for all of them.
bool runs_apart();
//! Whether this process may lack room for another run.
bool process_is_full();
//! Zeroed memory that this process has together with those that it forks. It is never freed.
void* shared_memory(std::size_t bytes);

//! Device, sizes and schedules follow from `seed` alone: the workspace is new.
finding run_once(const scenario& which, std::uint64_t seed);

} // namespace schedules
