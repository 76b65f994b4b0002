// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The header of a NumPy `.npy` file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace compare
{

//! What is wrong with an input; the caller adds which file.
struct input_error : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

struct npy_header
{
  char kind;           //!< 'i' signed, 'u' unsigned, 'f' floating point, 'b' bool
  std::size_t size;    //!< bytes of an item: 1, 2, 4, 8
  bool swapped;        //!< the file's byte order is not this machine's
  std::uint64_t items; //!< product of the shape; the items are taken in the file's order, C or Fortran
};

bool is_npy(std::string_view start);
//! Bytes of magic, length field and dictionary together, from the first 12 bytes of the file.
std::size_t npy_header_bytes(std::string_view start);
//! `header` holds npy_header_bytes bytes. Throws input_error for what reheat-compare cannot read.
npy_header parse_npy_header(std::string_view header);

} // namespace compare
