// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls across ranks: `reheat::par.across(ranks)` and `reheat::par_nosync.across(ranks)`, and every overload. An engine's
//! header includes it.
#pragma once

#include <reheat/across/by_key.cuh>
#include <reheat/across/extrema.cuh>
#include <reheat/across/local.cuh>
#include <reheat/across/policy.cuh>
#include <reheat/across/ranks.h>
#include <reheat/across/reduce.cuh>
#include <reheat/across/scan.cuh>
#include <reheat/across/select.cuh>
#include <reheat/reheat.cuh>

#if defined(REHEAT_PASSTHROUGH)
#  error "reheat: calls across ranks have no counterpart in Thrust to which REHEAT_PASSTHROUGH could pass them on"
#endif
