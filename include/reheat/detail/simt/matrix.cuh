// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt::matrix_product`: products of 16 × 16 × 16 matrices of half, bfloat16 or bytes, and of 8 × 8 × 4 matrices
//! of double, by one warp. It is apart from simt.cuh because the headers of these types are large.
#pragma once

#include <reheat/detail/config.cuh>

#if defined(REHEAT_EMULATED)
#  include <reheat/detail/simt/matrix_by_shuffles.cuh>

REHEAT_NAMESPACE_BEGIN
namespace simt
{
template <class Item>
using matrix_product = matrix_by_shuffles<Item>;
} // namespace simt
REHEAT_NAMESPACE_END
#else
#  include <reheat/detail/simt/cuda_matrix.cuh>
#endif
