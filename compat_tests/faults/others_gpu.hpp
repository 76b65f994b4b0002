// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

//! Exact sums, selections, partitions, unique, run lengths, sorts with values, segments, each also with what stays on the
//! device, in inputs small enough for compute-sanitizer. Says which results are wrong.
bool others_are_right();
