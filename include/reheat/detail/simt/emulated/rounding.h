// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the emulator: sums and products that are rounded as they stand.
#pragma once

#include <reheat/detail/config.cuh>

#include <cmath>

REHEAT_NAMESPACE_BEGIN
namespace simt
{

//! x + y, rounded to the nearest number. The host's compiler must not contract: `-ffp-contract=off` where it may.
template <class T>
T add_rounded(T x, T y)
{
  return static_cast<T>(x + y);
}

//! x · y + z, rounded once to the nearest number, also if some of them are subnormal.
inline float multiply_add_rounded(float x, float y, float z)
{
  return std::fma(x, y, z);
}
inline double multiply_add_rounded(double x, double y, double z)
{
  return std::fma(x, y, z);
}

} // namespace simt
REHEAT_NAMESPACE_END
