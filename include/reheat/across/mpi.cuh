// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls across ranks over MPI: `reheat::mpi_ranks`, the policies and every overload.
//!
//! Link `reheat::mpi`. A source that makes no call, such as one for the host's compiler, needs only mpi_ranks.h.
#pragma once

#include <reheat/across/across.cuh>
#include <reheat/across/mpi_ranks.h>
