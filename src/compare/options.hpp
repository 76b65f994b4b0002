// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The command line.
#pragma once

#include "machine.hpp"
#include "vocabulary.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace compare
{

inline constexpr std::uint64_t default_random_items = std::uint64_t{1} << 28;
//! The emulator takes some 0.3 us per item and row (i32 and f32 sums): 2^18 items in six rows, 0.5 s.
inline constexpr std::uint64_t default_emulated_items = std::uint64_t{1} << 18;

//! Names that were chosen. What `all` stands for is left out where it does not exist; what was named must.
template <class Name>
struct choice
{
  std::vector<Name> names;
  bool all = false;
};

struct options
{
  choice<algorithm> algorithms;
  choice<element> types; //!< empty: i32 and f32, or a .npy file's own
  choice<operation> operations;
  std::optional<std::uint64_t> items;
  std::optional<std::uint64_t> seed;
  std::uint64_t offset = 0;
  int repeat = 7;
  int ranks = 0; //!< that share each input; 0: one call has all of it
  bool json = false;
  bool accuracy = false; //!< of sums, instead of a comparison
  bool bits = false;     //!< of golden sums, instead of a comparison
  std::vector<std::string> files;
};

//! How a command line ended that asks for no comparison: help or version (0), bad usage (2).
struct early_exit
{
  int status;
  std::string text; //!< for standard output where status is 0, one line for standard error otherwise
};

//! Why there is no such row, with what there is; empty if there is one.
std::string unserved(const options& chosen, algorithm which, element type, operation operation);
//! Why a row that was asked for by its names cannot be had with one of `types`; empty if all can.
std::string first_unserved(const options& chosen, const std::vector<element>& types);

std::variant<options, early_exit> parse_options(int argc, const char* const* argv, const char* program, bool emulated);

} // namespace compare
