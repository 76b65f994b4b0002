// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls across ranks over NCCL: `reheat::nccl_ranks`, the policies and every overload.
//!
//! Link `reheat::nccl`. A source that makes no call, such as one for the host's compiler, needs only nccl_ranks.h.
#pragma once

#include <reheat/across/across.cuh>
#include <reheat/across/nccl_ranks.h>
