// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! As scan.cu, for items of 12 bytes, which move in bulk but are walked one by one, and of 40, whose slots are a flag and a
//! value.

#include "scan.hpp"

using namespace compat;

BOOST_AUTO_TEST_SUITE(accesses)
BOOST_AUTO_TEST_SUITE(scan)

namespace
{

template <class T>
void check_all_loaders()
{
  for (const loader how : {loader::aligned, loader::misaligned, loader::misaligned_in, loader::iterator, loader::in_place})
  {
    check_scan_accesses<T>(how);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(twelve_byte_items_are_read_once_and_written_once)
{
  check_all_loaders<words<3>>();
}
BOOST_AUTO_TEST_CASE(forty_byte_items_are_read_once_and_written_once)
{
  check_all_loaders<words<10>>();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
