// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The golden bits: sums of this GPU have the bits that are recorded.

#include "../support/golden.hpp"

using namespace compat;

BOOST_AUTO_TEST_SUITE(association_v1)

BOOST_AUTO_TEST_CASE(sums_have_the_recorded_bits_at_any_alignment)
{
  for (const association::golden_row& row : association::golden_rows)
  {
    check_hash(row, "an aligned call", association::hash_here(row, 0));
    check_hash(row, "a misaligned call", association::hash_here(row, 1));
  }
}

BOOST_AUTO_TEST_SUITE_END()
