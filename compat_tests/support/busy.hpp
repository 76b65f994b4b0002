// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A kernel that keeps its blocks' share of a GPU busy. Not part of the emulated build.
#pragma once

namespace compat
{

//! A few million clocks are some milliseconds. (A template, so that several sources can have it.)
template <class Clocks>
__global__ void spin(Clocks clocks)
{
  const long long start = clock64();
  while (clock64() - start < clocks)
  {}
}

} // namespace compat
