// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Who the ranks of --ranks are: threads of this process (ranks_of_threads.cpp), or the processes of MPI (mpi/main.cpp).
#pragma once

#include "call.hpp"

#include <reheat/across/ranks.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace compare
{

//! `make(ranks)` for each rank of this process. Throws what a rank has thrown.
void on_each_rank_here(int count, const std::function<void(reheat::ranks&)>& make);

//! What each rank's call gives besides its output becomes known to this process.
void gather_outcomes(std::vector<call>& parts);
//! The same of outputs in host memory: `bytes` are those of each rank, one behind the other from `out` on. Those of the
//! ranks of this process are there.
void gather_outputs(std::byte* out, const std::vector<std::size_t>& bytes);

} // namespace compare
