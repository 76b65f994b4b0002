// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where items come from: a file's raw bytes, a .npy file, random bytes.
#pragma once

#include "host_bytes.hpp"
#include "npy.hpp"
#include "vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace compare
{

struct source
{
  std::string name;
  std::optional<npy_header> npy;            //!< without one the data are raw bytes
  host_bytes data;                          //!< behind the .npy header or the offset; as much as was asked for
  std::optional<std::uint64_t> total_bytes; //!< that the file has there; unknown for a pipe
};

//! How much of a file is wanted at most.
struct read_limit
{
  std::uint64_t items; //!< of whatever type
  std::uint64_t bytes;
};

//! Reads a .npy file, or any other file's raw bytes from `offset` on. Throws input_error: cannot be read, truncated, empty.
source read_file(const std::string& path, std::uint64_t offset, read_limit most);
//! Random bytes: the same seed gives the same bytes on every machine.
source random_source(std::uint64_t seed, std::uint64_t bytes);

//! The type a .npy file's items have, or the nearest that is wider (bool: u8, half floats: f32).
element own_type(const npy_header& header);

struct items
{
  host_bytes values;
  std::size_t count = 0;
  std::vector<std::string> notes; //!< what was changed or left out, a sentence each
};

//! The first items of `from`, at most `max_items`, as `type`, fit for `operation`:
//! - raw bytes read as floats become values in [-1, 1);
//! - factors of a product are changed where it would die out: raw integers are made odd, raw floats, and .npy floats whose
//!   product leaves the type's range, become values near 1;
//! - .npy floats: values that are not finite become zero; sums that would leave the type's range are scaled down.
items make_items(const source& from, element type, operation operation, std::size_t max_items);

} // namespace compare
