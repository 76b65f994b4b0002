// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What one rank does in the tests of engines. All ranks call the same function.
#pragma once

#include <reheat/across/ranks.h>

#include <string>

namespace engines
{

//! Makes every kind of call, for parts of several sizes, and checks what this rank gets.
void make_all_calls(reheat::ranks& ranks);

//! Rank 1, of at least two, scans where the others reduce: checks that the call throws here, and that a later one works.
void make_different_calls(reheat::ranks& ranks);

//! Makes the calls that leave their result on the device in a graph, which is launched several times. Of engines that can be
//! captured.
void make_calls_in_graphs(reheat::ranks& ranks);

//! Rank 0, of at least two, captures a call that the others make, and launches the graph twice: the first launch takes part
//! in their call, the second is another call than theirs. The last calls on these ranks, which are out of step then.
void capture_on_rank_0_alone(reheat::ranks& ranks);

//! Makes a call, and returns the text of what it throws, or "nothing".
std::string thrown_by_a_call(reheat::ranks& ranks);

//! Rank 1, of at least two, aborts its process in a call that the others make.
void die_in_a_call(reheat::ranks& ranks);

} // namespace engines
