// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A shared library that reduces, and lets one error out. LIBRARY is the name of its namespace.
#include <reheat/reheat.cuh>

#include <thrust/device_vector.h>

namespace LIBRARY
{

__attribute__((visibility("default"))) int sum_of_ones(int count)
{
  const thrust::device_vector<int> ones(1000, 1);
  return thrust::reduce(reheat::par, ones.begin(), ones.begin() + count); // a negative range is an error
}

} // namespace LIBRARY
