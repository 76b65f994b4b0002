// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What was measured: a line per row on the terminal, and Google Benchmark's JSON.
#pragma once

#include "common/axes.hpp"
#include "suite/interleaving.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace perf
{

class recorder
{
public:
  //! `path` may be empty: no file then. Throws std::runtime_error if it can not be written.
  explicit recorder(std::string path);

  void add_context(const std::string& key, const std::string& value) { context_.emplace_back(key, value); }
  //! Adds the counters, prints the row's line, and writes the file now and then.
  void add(const row& which, std::vector<measured> all);
  //! The same row, prepared anew and measured a second time: each benchmark gets its second time as `again`.
  void add_again(const row& which, const std::vector<measured>& all);
  //! A row that could not even begin.
  void add_failure(const std::string& name, const std::string& message) { failures_.push_back(name + ": " + message); }
  //! Writes the file, with the last context.
  void write() const;

  std::size_t rows() const { return rows_; }
  const std::vector<std::string>& failures() const { return failures_; }

private:
  void write_now_and_then();

  std::string path_;
  std::vector<std::pair<std::string, std::string>> context_;
  std::vector<benchmark::BenchmarkReporter::Run> runs_; //!< per benchmark the repetition of median time
  std::vector<std::string> failures_;
  std::size_t rows_ = 0;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

} // namespace perf
