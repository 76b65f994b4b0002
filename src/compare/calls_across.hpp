// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A call of reheat's across ranks.
#pragma once

#include "call.hpp"
#include "vocabulary.hpp"

#include <reheat/across/ranks.h>

namespace compare
{

//! Of an algorithm, a type and an operator that unserved_across has nothing against. Throws what a rank has thrown, and
//! std::runtime_error if ranks disagree.
void make_call_across(call& whole, int ranks, element type, operation operation);

//! One rank's part of a call. Each is defined in a file of its own: sums and extrema by the algorithms that are for
//! everything, and other algorithms.
using rank_function = void (*)(reheat::ranks& ranks, call& part);
rank_function find_rank_call_plain(element type);
rank_function find_rank_call_ordered(element type, operation operation);
rank_function find_rank_call_other(element type);

} // namespace compare
