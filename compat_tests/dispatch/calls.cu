// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every public call form through every policy form. check_dispatch.py compiles this to PTX and looks at whose kernels carry
//! the tags.

#include "forms.cuh"

#include <reheat/reheat.cuh>

#include <thrust/mr/allocator.h>
#include <thrust/mr/memory_resource.h>

void call_everything(const int* ints, int count, int* out, cudaStream_t stream, thrust::mr::memory_resource<>& resource)
{
#if defined(REHEAT_CALLS_ON_THRUST) // the control of the proof; one form of policy is enough to see every form reported
  (void)stream, (void)resource;
  call_all(thrust::cuda::par, ints, count, out);
#else
  using allocator_type = thrust::mr::allocator<char, thrust::mr::memory_resource<>>;
  allocator_type allocator(&resource);
  const allocator_type constant(&resource);
  auto par_variable = reheat::par;
  auto on_variable = reheat::par.on(stream);
  const auto on_constant = reheat::par.on(stream);
  call_all(reheat::par, ints, count, out);
  call_all(par_variable, ints, count, out);
  call_all(reheat::par.on(stream), ints, count, out);
  call_all(on_variable, ints, count, out);
  call_all(on_constant, ints, count, out);
  call_all(reheat::par(allocator), ints, count, out);
  call_all(reheat::par(constant), ints, count, out);
  call_all(reheat::par(allocator_type(&resource)), ints, count, out);
  call_all(reheat::par(allocator).on(stream), ints, count, out);
  call_all(reheat::par(&resource), ints, count, out);
  call_all(reheat::par(&resource).on(stream), ints, count, out);
  call_all(reheat::par_nosync, ints, count, out);
  call_all(reheat::par_nosync.on(stream), ints, count, out);
  call_all(reheat::par_nosync(allocator), ints, count, out);
  call_all(reheat::par_nosync(allocator).on(stream), ints, count, out);
  call_all(reheat::par_nosync(&resource).on(stream), ints, count, out);
  call_all(reheat::par_like(thrust::cuda::par.on(stream)), ints, count, out);
  call_all(reheat::par_like(thrust::cuda::par_nosync(allocator).on(stream)), ints, count, out);
#endif
}
