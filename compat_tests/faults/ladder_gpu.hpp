// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

//! Runs every rung of the ladder on inputs small enough for compute-sanitizer, and says which results are wrong.
bool ladder_is_right();
