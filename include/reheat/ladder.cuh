// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The ladder: the kernels of textbooks, from one thread per block to matrix units, selectable through the policy:
//!
//!     thrust::reduce(reheat::par.with(reheat::ladder::reduce6_grid_stride), first, last);
//!
//! `.with` combines with `.on(stream)` and allocators in any order. Any number of items, any alignment, any iterators; the
//! input stays as it was unless a scan's output is its input. A rung given to an algorithm, a type or an operator that it
//! does not serve is a compile error that says what it serves. They are for learning and comparing: the default is faster.
#pragma once

#include <reheat/reheat.cuh>

#if defined(__CUDACC__) || defined(REHEAT_EMULATED)
#  include <reheat/ladder/reduce_rungs.cuh>
#  include <reheat/ladder/scan_rungs.cuh>
#endif
