// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The same calls of CUB. Not part of the emulated build.

#include "calls.cuh"

namespace compat
{

std::vector<device_call> device_calls_of_cub(device_memory& memory)
{
  std::vector<device_call> calls = device_calls_of<cub_api>(memory.places());
  expect_outputs(calls, memory);
  return calls;
}

} // namespace compat
