// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Thrust's sequential algorithms, which stand for upstream; CUB has none.
#pragma once

#include "../call.hpp"

#include <thrust/execution_policy.h>

namespace compare::here
{

inline const auto& upstream_policy()
{
  return thrust::host;
}

template <class T, class Op>
void call_cub(call&)
{}

} // namespace compare::here
