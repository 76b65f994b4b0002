// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The C++ type of each perf::type.
#pragma once

#include "common/axes.hpp"

#include <thrust/complex.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace perf
{

struct three_ints
{
  std::int32_t x, y, z;
  friend __host__ __device__ three_ints operator+(three_ints a, three_ints b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
};

template <type Type>
struct item;
template <>
struct item<type::i8>
{
  using type = std::int8_t;
};
template <>
struct item<type::u8>
{
  using type = std::uint8_t;
};
template <>
struct item<type::i16>
{
  using type = std::int16_t;
};
template <>
struct item<type::i32>
{
  using type = std::int32_t;
};
template <>
struct item<type::i64>
{
  using type = std::int64_t;
};
template <>
struct item<type::f16>
{
  using type = __half;
};
template <>
struct item<type::bf16>
{
  using type = __nv_bfloat16;
};
template <>
struct item<type::f32>
{
  using type = float;
};
template <>
struct item<type::f64>
{
  using type = double;
};
template <>
struct item<type::complex_f32>
{
  using type = thrust::complex<float>;
};
template <>
struct item<type::complex_f64>
{
  using type = thrust::complex<double>;
};
template <>
struct item<type::struct_12>
{
  using type = three_ints;
};
template <type Type>
using item_t = typename item<Type>::type;

} // namespace perf
