// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the tool needs of the machine it is built for; the two headers offer the same names.
#pragma once

#if defined(REHEAT_EMULATED)
#  include "emulated/machine.h"
#else
#  include "gpu/machine.cuh"
#endif
