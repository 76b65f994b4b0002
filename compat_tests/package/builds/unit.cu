// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! One of two translation units of a program. REHEAT_UNIT is the name of its function, which says what happened to a
//! reduction.
#include <reheat/reheat.cuh>

#include <thrust/system_error.h>

#if defined(THRUST_CUB_WRAPPED_NAMESPACE)
namespace thrust = THRUST_CUB_WRAPPED_NAMESPACE::thrust;
#endif

//! "right", "wrong", or "no device": an error that this unit has caught by its type.
const char* REHEAT_UNIT()
{
  try
  {
    void* memory = nullptr;
    cudaMalloc(&memory, 1000 * sizeof(int));
    cudaMemset(memory, 0, 1000 * sizeof(int));
    const int* const items = static_cast<int*>(memory);
    return thrust::reduce(reheat::par, items, items + 1000, 7) == 7 ? "right" : "wrong";
  }
  catch (const thrust::system_error&)
  {
    return "no device";
  }
}
