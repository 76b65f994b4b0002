// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The test framework itself, compiled once for all programs of a build. (Boost's own library brings a main.)
#define BOOST_TEST_NO_MAIN
#include <boost/test/included/unit_test.hpp>
