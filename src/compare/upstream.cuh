// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The implementations reheat is compared with; the two headers offer the same names.
#pragma once

#if defined(REHEAT_EMULATED)
#  include "emulated/upstream.h"
#else
#  include "gpu/upstream.cuh"
#endif
