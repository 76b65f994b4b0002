// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The sums besides reduce and the plain scans: left in memory, of other terms, and by key.
#include "calls.cuh"

namespace compare
{

call_function find_call_sum(element type)
{
  switch (type)
  {
    case element::i32:
      return make_call<served::sums, std::uint32_t, thrust::plus<std::uint32_t>>;
    case element::f32:
      return make_call<served::sums, float, thrust::plus<float>>;
    default:
      return nullptr;
  }
}

} // namespace compare
