// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions with results of every size. check_results.py looks at how their kernels store them.

#include <reheat/ladder.cuh>

#include <cstdint>

namespace results
{

struct bytes12
{
  std::int32_t word[3];
};
struct add
{
  __host__ __device__ bytes12 operator()(const bytes12& x, const bytes12& y) const
  {
    return {{x.word[0] + y.word[0], x.word[1] + y.word[1], x.word[2] + y.word[2]}};
  }
};

template <class T>
T sum(const T* first, const T* last)
{
  return thrust::reduce(reheat::par, first, last, T{});
}

void reductions(const std::int8_t* i8, const std::int16_t* i16, const std::int32_t* i32, const std::int64_t* i64,
                const double* f64, const bytes12* b12)
{
  (void)sum(i8, i8 + 1);
  (void)sum(i16, i16 + 1);
  (void)sum(i32, i32 + 1);
  (void)sum(i64, i64 + 1);
  (void)sum(f64, f64 + 1);
  (void)thrust::reduce(reheat::par, b12, b12 + 1, bytes12{}, add{});
  (void)thrust::min_element(reheat::par, i32, i32 + 1);
  (void)thrust::minmax_element(reheat::par, i32, i32 + 1);
}

void into(const std::int16_t* i16, std::int16_t* out)
{
  reheat::reduce_into(reheat::par, i16, i16 + 1, out);
}

template <class Rung>
void on_rung(Rung rung, const std::int32_t* i32)
{
  (void)thrust::reduce(reheat::par.with(rung), i32, i32 + 1);
}
void ladder(const std::int32_t* i32, const double* f64)
{
  on_rung(reheat::ladder::reduce7_warp_then_warp, i32);
  on_rung(reheat::ladder::reduce_atomic_finish, i32);
  on_rung(reheat::ladder::reduce_cooperative_groups, i32);
  (void)thrust::reduce(reheat::par.with(reheat::ladder::reduce_tensor_core_16), f64, f64 + 1);
}

} // namespace results
