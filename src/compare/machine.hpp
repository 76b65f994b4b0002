// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The machine that runs Thrust and reheat, as the rest of the tool sees it: no Thrust, CUB or CUDA type.
#pragma once

#include "host_bytes.hpp"
#include "vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace compare
{

//! The machine cannot do what was asked: no device, no memory. What it says is one line, with what to do.
struct machine_error : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

//! One row of the table, to be run.
struct request
{
  compare::algorithm algorithm;
  compare::element element;
  compare::operation operation;
  const std::byte* items; //!< the input; its first item is the init of algorithms that have one
  std::size_t count;      //!< in items, at least one
  std::size_t shift;      //!< input and output begin this many bytes after a 256-byte boundary
  int repeat;             //!< timed runs per implementation, on a GPU
  int ranks = 0;          //!< that share reheat's call, and then only Thrust makes another one; 0: none
};

//! What one implementation made of it.
struct result
{
  host_bytes values;        //!< of the items' type, or numbers; a selection's come first
  host_bytes keys;          //!< of reduce_by_key
  bool returned_end = true; //!< what was returned is the end of each output
  bool kept_bounds = true;  //!< nothing was written in front of the output or behind it
  std::string failure;      //!< the text of its exception; nothing else here is valid then
  std::vector<double> seconds;
};

//! Before the others run, the output holds the complement of Thrust's: a position never written cannot agree.
struct outcome
{
  result reheat, thrust;
  std::map<implementation, result> others; //!< those that serve the row, of `device` and CUB
};

//! Items to be summed, of f32 or f64.
struct sum_request
{
  compare::element element;
  const std::byte* items;
  std::size_t count; //!< at least one
};
//! Their sums in the items' type.
struct sums
{
  double thrust;
  std::optional<double> cub; //!< none where CUB does not run
  double reheat;
  double exact; //!< by reheat::exact_sums
};

class machine
{
public:
  virtual ~machine() = default;
  virtual const char* program() const = 0;     //!< the name of the command
  virtual std::string description() const = 0; //!< throws machine_error where nothing can run
  virtual bool emulated() const = 0;
  virtual std::string upstream() const = 0; //!< what stands for Thrust
  //! Bytes of an input that the machine holds as one of `arrays` of its size.
  virtual std::size_t input_capacity(std::size_t arrays) const = 0;
  virtual outcome run(const request& row) = 0;
  //! The hash of each of association::golden_rows here. Throws machine_error where tiles are not those of a GPU.
  virtual std::vector<std::uint64_t> golden_hashes() = 0;
  virtual sums sums_of(const sum_request& row) = 0;
};

} // namespace compare
