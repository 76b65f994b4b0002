// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! libcu++'s names of PTX instructions: only of those that the headers of this folder use, because all of them together are
//! half as much text as CUB's headers for reductions and scans.
#pragma once

#if __has_include(<cuda/__ptx/instructions/cp_async_bulk.h>) && __has_include(<cuda/__ptx/instructions/mbarrier_wait.h>)
#  include <cuda/__ptx/instructions/cp_async_bulk.h>
#  include <cuda/__ptx/instructions/cp_async_bulk_commit_group.h>
#  include <cuda/__ptx/instructions/cp_async_bulk_wait_group.h>
#  include <cuda/__ptx/instructions/fence.h>
#  include <cuda/__ptx/instructions/mbarrier_arrive.h>
#  include <cuda/__ptx/instructions/mbarrier_init.h>
#  include <cuda/__ptx/instructions/mbarrier_wait.h>
#else
#  include <cuda/ptx>
#endif
