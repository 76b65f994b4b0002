// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "ladder_gpu.hpp"

#include "../support/machine.hpp"
#include "../support/reference.hpp"

#include <reheat/ladder.cuh>

#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cuda_fp16.h>

#include <cstdio>

using namespace compat;

namespace
{

using u32 = std::uint32_t;

bool report(const char* rung, std::size_t count, bool right)
{
  std::printf("%s of %zu: %s\n", rung, count, right ? "right" : "WRONG");
  std::fflush(stdout);
  return right;
}

template <class Rung>
bool scan_is_right(const char* name, Rung rung, std::size_t count)
{
  const std::vector<u32> items = make_items<u32>(count, 1);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(count);
  thrust::inclusive_scan(reheat::par.with(rung), in.begin(), in.end(), out.begin());
  return report(name, count, to_host(out) == inclusive_reference<u32, u32>(items, plus{}));
}

template <class Rung>
bool reduction_is_right(const char* name, Rung rung, std::size_t count)
{
  if constexpr (Rung::by_matrix_units)
  {
    const thrust::device_vector<__half> in = to_device(std::vector<__half>(count, __half(1.0f)));
    return report(name, count,
                  thrust::reduce(reheat::par.with(rung), in.begin(), in.end(), 0.0f) == static_cast<float>(count));
  }
  else
  {
    const std::vector<u32> items = make_items<u32>(count, 1);
    const thrust::device_vector<u32> in = to_device(items);
    const u32 sum = thrust::reduce(reheat::par.with(rung), in.begin(), in.end());
    return report(name, count, sum == reduce_reference<u32>(items, 0u, plus{}));
  }
}

} // namespace

bool ladder_is_right()
{
  bool right = true;
  for (const std::size_t count : {1000u, 9001u}) // some parts, and more sums of parts than a warp has lanes
  {
#define CHECK_SCAN(NAME, WHAT) right = scan_is_right(#NAME, reheat::ladder::NAME, count) && right;
    REHEAT_LADDER_SCANS(CHECK_SCAN)
#undef CHECK_SCAN
#define CHECK_REDUCTION(NAME, WHAT) right = reduction_is_right(#NAME, reheat::ladder::NAME, count) && right;
    REHEAT_LADDER_REDUCTIONS(CHECK_REDUCTION)
#undef CHECK_REDUCTION
  }
  return right;
}
