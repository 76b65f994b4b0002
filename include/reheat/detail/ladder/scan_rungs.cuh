// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scans of the ladder by name.
#pragma once

#include <reheat/detail/ladder/rung.cuh>
