// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

//! Sorts keys in one block, in buckets, in passes, as spread ones and by filling, in inputs small enough for
//! compute-sanitizer, and says which results are wrong.
bool sorts_are_right();
