// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls across ranks that are threads of this process: `reheat::thread_ranks`, the policies and every overload.
#pragma once

#include <reheat/across/across.cuh>
#include <reheat/across/thread_ranks.h>
