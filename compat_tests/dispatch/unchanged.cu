// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every public call form through every form of Thrust's own policies, in a program that knows nothing of reheat.
//! check_dispatch.py compiles it with reheat/override.cuh. Tags from 101 on are on what stays Thrust's.

#include "forms.cuh"

#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/sort.h>

#include <utility>

namespace
{

//! A policy of this program's own.
struct own_policy : thrust::cuda::execution_policy<own_policy>
{};

//! A class with an allocator of its own, as other libraries derive one from a policy of Thrust's.
using allocator_type = thrust::mr::allocator<char, thrust::mr::memory_resource<>>;
using with_allocator = decltype(thrust::cuda::par(std::declval<allocator_type&>()).on(cudaStream_t()));
struct derived_policy : with_allocator
{
  derived_policy(const with_allocator& policy) : with_allocator(policy) {}
};

//! The calls that deduce their policy from iterators.
void call_without_policy(thrust::device_vector<int>& ints)
{
  const thrust::device_ptr<tag_value<1>> tagged_ints(tagged<1>(thrust::raw_pointer_cast(ints.data())));
  thrust::reduce(tagged_ints, tagged_ints + ints.size());
  thrust::reduce(ints.begin(), ints.end(), 1, tag_operator<3>());
  thrust::inclusive_scan(ints.begin(), ints.end(), ints.begin(), tag_operator<5>());
  thrust::exclusive_scan(ints.begin(), ints.end(), ints.begin(), 1, tag_operator<9>());
  thrust::count_if(ints.begin(), ints.end(), tag_operator<17>());
  thrust::min_element(ints.begin(), ints.end(), tag_operator<19>());
  thrust::inclusive_scan_by_key(ints.begin(), ints.end(), ints.begin(), ints.begin(), both_equal(), tag_operator<32>());
}

} // namespace

void call_everything(const int* ints, int count, int* out, cudaStream_t stream, thrust::mr::memory_resource<>& resource,
                     thrust::device_vector<int>& vector)
{
  allocator_type allocator(&resource);
  const auto on_constant = thrust::cuda::par.on(stream);
  call_without_policy(vector);
  call_all(thrust::device, ints, count, out);
  call_all(thrust::cuda::par, ints, count, out);
  call_all(thrust::cuda::par.on(stream), ints, count, out);
  call_all(on_constant, ints, count, out);
  call_all(thrust::cuda::par(allocator), ints, count, out);
  call_all(thrust::cuda::par(allocator).on(stream), ints, count, out);
  call_all(thrust::cuda::par(allocator_type(&resource)), ints, count, out);
  call_all(thrust::cuda::par(&resource).on(stream), ints, count, out);
  call_all(thrust::cuda::par_nosync, ints, count, out);
  call_all(thrust::cuda::par_nosync.on(stream), ints, count, out);
  call_all(thrust::cuda::par_nosync(allocator).on(stream), ints, count, out);
  call_all(derived_policy(thrust::cuda::par(allocator).on(stream)), ints, count, out);

  own_policy own;
  thrust::reduce(own, ints, ints + count, 1, tag_operator<101>());
  thrust::sort(thrust::device, tagged<102>(out), tagged<102>(out) + count);
}
