// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every public call form through every policy form. check_dispatch.py compiles this to PTX and looks at whose kernels carry
//! the tags.

#include "forms.cuh"

#include <reheat/reheat.cuh>

#include <thrust/mr/allocator.h>
#include <thrust/mr/memory_resource.h>

//! Not by thrust::reduce_into, which older versions of Thrust do not have.
template <class Policy>
void call_reduce_into(const Policy& policy, const int* ints, int count, int* out)
{
  const int* const end = ints + count;
  reheat::reduce_into(policy, tagged<103>(ints), tagged<103>(end), tagged<103>(out));
  reheat::reduce_into(policy, tagged<104>(ints), tagged<104>(end), tagged<104>(out), tag_value<104>(1));
  reheat::reduce_into(policy, ints, end, out, 1, tag_operator<105>());
}

void call_everything(const int* ints, int count, int* out, cudaStream_t stream, thrust::mr::memory_resource<>& resource)
{
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
  call_reduce_into(reheat::par, ints, count, out);
  call_reduce_into(reheat::par_nosync(allocator).on(stream).with(reheat::start_early), ints, count, out);
}
