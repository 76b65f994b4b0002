// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

//! Makes all calls across two ranks, threads that share the GPU, and says which results are wrong.
bool ranks_are_right();
