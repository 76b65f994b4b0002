// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The test framework, with what each case and each check would expand to compiled once instead: the checkpoints alone were
//! 34 KB per case under the sanitizers, a comparison 15 KB per type, together a quarter of the code of scan/value_types.cu.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <typeinfo>

namespace compat
{

//! Where a case is now, for the report of one that crashes.
void checkpoint(const char* file, std::size_t line, void (*write)(std::ostream&));

//! Runs `body(state)` in the context "seed <seed>" of failures.
void run_with_seed(std::uint64_t seed, void (*body)(void*), void* state);

//! The name of a type as it is written.
std::string demangled(const std::type_info& type);

std::string describe_integer(long long value);
std::string describe_integer(unsigned long long value);
std::string describe_real(long double value, int digits);
std::string describe_bytes(const void* value, std::size_t bytes);

//! What a comparison of two ranges found: `differing` items, the first at index `first`.
struct range_comparison
{
  std::size_t expected_items, actual_items, differing, first;
  std::string expected, actual; //!< the first two that differ
};

//! The assertion of a range and of a value.
bool check_comparison(const std::string& what, const std::type_info& type, const range_comparison& found);
bool check_value(const std::string& what, const std::type_info& type, std::size_t items, bool equal, const char* how,
                 const std::string& expected, const std::string& actual);

} // namespace compat

#undef BOOST_TEST_CHECKPOINT
#define BOOST_TEST_CHECKPOINT(MESSAGE)                                                                                      \
  ::compat::checkpoint(__FILE__, __LINE__, [](std::ostream& checkpoint_text) { checkpoint_text << MESSAGE; })
