// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A sort of integers of 8 bytes, whose kernels have parts that are not inlined.
#include <reheat/reheat.cuh>

#include <thrust/sort.h>

#include <cstdint>

void sort(std::uint64_t* first, std::uint64_t* last)
{
  thrust::sort(reheat::par, first, last);
}
