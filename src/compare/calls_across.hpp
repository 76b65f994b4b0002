// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A call of reheat's across ranks.
#pragma once

#include "call.hpp"
#include "vocabulary.hpp"

namespace compare
{

//! Of an algorithm, and a type, that unserved_across has nothing against. Throws what a rank has thrown, and
//! std::runtime_error if ranks disagree.
void make_call_across(call& whole, int ranks, element type);

} // namespace compare
