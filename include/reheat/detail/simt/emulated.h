// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the emulator, under the names of cuda.cuh.
#pragma once

#include <reheat/detail/simt/emulated/copies.h>
#include <reheat/detail/simt/emulated/global_memory.h>
#include <reheat/detail/simt/emulated/mbarrier.h>
#include <reheat/detail/simt/emulated/rounding.h>
#include <reheat/detail/simt/emulated/shared_memory.h>
#include <reheat/detail/simt/emulated/threads.h>
#include <reheat/detail/simt/emulated/warp.h>
