// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the GPU: sums and products that are rounded as they stand.
#pragma once

#include <reheat/detail/config.cuh>

#include <cuda_runtime.h>

REHEAT_NAMESPACE_BEGIN
namespace simt
{

//! x + y, rounded to the nearest number. No compiler makes one multiply-add of it and of the product that an operand is:
//! add.f32 may become one, and then the bits of a sum of products depend on the architecture and on the compiler's version.
__device__ inline float add_rounded(float x, float y)
{
  return __fadd_rn(x, y);
}
__device__ inline double add_rounded(double x, double y)
{
  return __dadd_rn(x, y);
}
//! The same of a __half or a __nv_bfloat16. Their headers are the caller's.
template <class T>
__device__ T add_rounded(T x, T y)
{
  return __hadd_rn(x, y);
}

//! x · y + z, rounded once to the nearest number, also if some of them are subnormal and the program is compiled with
//! `-ftz=true`.
__device__ inline float multiply_add_rounded(float x, float y, float z)
{
  float sum;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(sum) : "f"(x), "f"(y), "f"(z));
  return sum;
}
__device__ inline double multiply_add_rounded(double x, double y, double z)
{
  return __fma_rn(x, y, z);
}

} // namespace simt
REHEAT_NAMESPACE_END
