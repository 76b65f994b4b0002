// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Ranks as threads of one process, and checks that any thread may make.
#pragma once

#include <string>

namespace engines
{

//! Fails the test, or the program, unless `holds`.
void check(bool holds, const std::string& what);
//! How many checks have been made, and how many of them failed.
struct tally
{
  unsigned long made = 0, failed = 0;
};
tally checks();

} // namespace engines
