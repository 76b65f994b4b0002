// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Products of small matrices by the matrix units of the GPU.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/matrix_by_shuffles.cuh>

#include <mma.h>

REHEAT_NAMESPACE_BEGIN
namespace simt
{

//! The interface of matrix_by_shuffles.
template <class Item>
struct matrix_by_units
{
  using shape = matrix_shape<Item>;
  using sum_type = typename shape::sum_type;

  template <class Use, class T, class... Layout>
  using fragment = nvcuda::wmma::fragment<Use, shape::rows, shape::columns, shape::depth, T, Layout...>;
  using left = fragment<nvcuda::wmma::matrix_a, Item, nvcuda::wmma::row_major>;
  using right = fragment<nvcuda::wmma::matrix_b, Item, nvcuda::wmma::row_major>;
  using sum = fragment<nvcuda::wmma::accumulator, sum_type>;

  __device__ static void load(left& to, const Item* tile) { nvcuda::wmma::load_matrix_sync(to, tile, shape::depth); }
  __device__ static void load(right& to, const Item* tile) { nvcuda::wmma::load_matrix_sync(to, tile, shape::columns); }
  __device__ static void clear(sum& to) { nvcuda::wmma::fill_fragment(to, sum_type{}); }
  __device__ static void store(sum_type* tile, const sum& from)
  {
    nvcuda::wmma::store_matrix_sync(tile, from, shape::columns, nvcuda::wmma::mem_row_major);
  }
  __device__ static void multiply_add(sum& to, const left& a, const right& b) { nvcuda::wmma::mma_sync(to, a, b, to); }
};

//! Every supported architecture has matrix units for half precision and bytes.
template <class Item>
inline constexpr bool has_matrix_units_v = library::device_traits_of(arch).mma_bf16_and_f64
                                           || std::is_same_v<Item, __half> || std::is_same_v<Item, std::int8_t>;
template <class Item>
using matrix_product = std::conditional_t<has_matrix_units_v<Item>, matrix_by_units<Item>, matrix_by_shuffles<Item>>;

} // namespace simt
REHEAT_NAMESPACE_END
