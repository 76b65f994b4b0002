// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The implementations of a row, run by Google Benchmark: each several times, in random order over all of them, so that a
//! change of the GPU's clock rate meets them all.
#pragma once

#include "common/axes.hpp"

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

namespace perf
{

//! One implementation, ready to be timed, or what is in its way.
struct interleaved
{
  implementation who;
  std::function<double()> seconds; //!< per call, measured now; may throw
  std::string label;
  std::string failure; //!< not empty: it can not be timed
};

//! One benchmark with all its repetitions; those that failed say so.
struct measured
{
  implementation who;
  std::vector<benchmark::BenchmarkReporter::Run> runs;
};

std::vector<measured> measure_interleaved(const row& which, const std::vector<interleaved>& all, int repetitions);

} // namespace perf
