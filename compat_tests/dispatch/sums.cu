// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sums of products, for check_sums.py: calls whose multiplications a compiler would like to fuse with the additions. With
//! REHEAT_FUSES the additions are a user's, and it does. (Scans with gpu_to_gpu refuse those.)

#include <reheat/reheat.cuh>

#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace sums
{

struct square
{
  template <class T>
  __device__ T operator()(const T& value) const
  {
    return value * value;
  }
};

#if defined(REHEAT_FUSES)
struct add
{
  template <class T>
  __device__ T operator()(const T& left, const T& right) const
  {
    return left + right;
  }
};
template <class T>
using plus = add;
#else
template <class T>
using plus = thrust::plus<T>;
#endif

template <class T>
void of_products(const T* left, const T* right)
{
  (void)thrust::transform_reduce(reheat::par, left, right, square{}, T(0.0f), plus<T>{});
}
template <class T>
void scans_of_products(const T* in, T* out)
{
  thrust::transform_inclusive_scan(reheat::par.with(reheat::gpu_to_gpu), in, in, out, square{}, plus<T>{});
}
void all(const float* f32, const double* f64, const __half* f16, const __nv_bfloat16* bf16, float* f32_out, double* f64_out)
{
  of_products(f32, f32);
  of_products(f64, f64);
#if defined(REHEAT_FUSES)
  static_cast<void>(f16), static_cast<void>(bf16), static_cast<void>(f32_out), static_cast<void>(f64_out);
#else
  of_products(f16, f16);
  of_products(bf16, bf16);
  (void)thrust::inner_product(reheat::par, f32, f32, f32, 0.0f);
  scans_of_products(f32, f32_out);
  scans_of_products(f64, f64_out);
#endif
}

} // namespace sums
