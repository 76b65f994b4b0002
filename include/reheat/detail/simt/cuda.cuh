// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the GPU: everything that a kernel may use of the hardware. emulated.h has the same names for the CPU.
#pragma once

#include <reheat/detail/simt/cuda/copies.cuh>
#include <reheat/detail/simt/cuda/global_memory.cuh>
#include <reheat/detail/simt/cuda/mbarrier.cuh>
#include <reheat/detail/simt/cuda/rounding.cuh>
#include <reheat/detail/simt/cuda/shared_memory.cuh>
#include <reheat/detail/simt/cuda/threads.cuh>
#include <reheat/detail/simt/cuda/warp.cuh>
