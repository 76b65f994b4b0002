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

//! Each rank's call, and what it wrote to `out`, become known to this process: `bytes` are those of each rank's output, one
//! behind the other from `out` on, or none.
void gather_parts(std::vector<call>& parts, std::byte* out, const std::vector<std::size_t>& bytes);

} // namespace compare
