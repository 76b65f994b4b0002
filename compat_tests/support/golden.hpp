// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Folds held against the golden bits.
#pragma once

#include "../../src/family/association_calls.cuh"
#include "framework.hpp"

#include <cstdio>

namespace compat
{

//! A failure says what the row's line in association_v1.inc or scan_association_v1.inc would be.
inline void check_hash(const association::golden_row& row, const char* by, std::uint64_t hash)
{
  char found[24];
  std::snprintf(found, sizeof found, "%016llx", static_cast<unsigned long long>(hash));
  BOOST_CHECK_MESSAGE(hash == row.hash, "REHEAT_GOLDEN(" << row.algorithm << ", " << row.type << ", " << row.items << ", "
                                                         << found << ") by " << by);
}

} // namespace compat
