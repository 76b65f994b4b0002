// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The algorithms that take no operator of items: counts, positions, truths, selections.
#include "calls.cuh"

namespace compare
{

call_function find_call_search(element type)
{
  switch (type)
  {
    case element::i32:
      return make_call<served::searches, std::int32_t, thrust::plus<std::int32_t>>;
    case element::f32:
      return make_call<served::searches, float, thrust::plus<float>>;
    default:
      return nullptr;
  }
}

} // namespace compare
