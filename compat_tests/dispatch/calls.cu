// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every public call form, with a tag of its own in the value or the operator, through every policy form. check_dispatch.py
//! compiles this to PTX and looks at whose kernels carry the tags.

#include <reheat/reheat.cuh>

#include <thrust/device_vector.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

namespace
{

//! The value of call form `Form`, which has no operator.
template <int Form>
struct tag_value
{
  int value;
  __host__ __device__ tag_value(int v = 0) : value(v) {}
};
template <int Form>
__host__ __device__ tag_value<Form> operator+(const tag_value<Form>& x, const tag_value<Form>& y)
{
  return x.value + y.value;
}

//! The operator of call form `Form`.
template <int Form>
struct tag_operator
{
  __host__ __device__ int operator()(int x, int y) const { return x + y; }
};

template <class Policy>
int call_all(Policy&& policy, const int* ints, int count, int* out)
{
  int sum = 0;
  {
    const auto* const first = reinterpret_cast<const tag_value<1>*>(ints);
    sum += thrust::reduce(policy, first, first + count).value;
  }
  {
    const auto* const first = reinterpret_cast<const tag_value<2>*>(ints);
    sum += thrust::reduce(policy, first, first + count, tag_value<2>(1)).value;
  }
  sum += thrust::reduce(policy, ints, ints + count, 1, tag_operator<3>());
  {
    const auto* const first = reinterpret_cast<const tag_value<4>*>(ints);
    thrust::inclusive_scan(policy, first, first + count, reinterpret_cast<tag_value<4>*>(out));
  }
  thrust::inclusive_scan(policy, ints, ints + count, out, tag_operator<5>());
  thrust::inclusive_scan(policy, ints, ints + count, out, 1, tag_operator<6>());
  {
    const auto* const first = reinterpret_cast<const tag_value<7>*>(ints);
    thrust::exclusive_scan(policy, first, first + count, reinterpret_cast<tag_value<7>*>(out));
  }
  {
    const auto* const first = reinterpret_cast<const tag_value<8>*>(ints);
    thrust::exclusive_scan(policy, first, first + count, reinterpret_cast<tag_value<8>*>(out), tag_value<8>(1));
  }
  thrust::exclusive_scan(policy, ints, ints + count, out, 1, tag_operator<9>());
  return sum;
}

} // namespace

int call_everything(const int* ints, int count, int* out, cudaStream_t stream, thrust::mr::memory_resource<>& resource)
{
  using allocator_type = thrust::mr::allocator<char, thrust::mr::memory_resource<>>;
  allocator_type allocator(&resource);
  const allocator_type constant(&resource);
  auto par_variable = reheat::par;
  auto on_variable = reheat::par.on(stream);
  const auto on_constant = reheat::par.on(stream);
  int sum = 0;
  sum += call_all(reheat::par, ints, count, out);
  sum += call_all(par_variable, ints, count, out);
  sum += call_all(reheat::par.on(stream), ints, count, out);
  sum += call_all(on_variable, ints, count, out);
  sum += call_all(on_constant, ints, count, out);
  sum += call_all(reheat::par(allocator), ints, count, out);
  sum += call_all(reheat::par(constant), ints, count, out);
  sum += call_all(reheat::par(allocator_type(&resource)), ints, count, out);
  sum += call_all(reheat::par(allocator).on(stream), ints, count, out);
  sum += call_all(reheat::par(&resource), ints, count, out);
  sum += call_all(reheat::par(&resource).on(stream), ints, count, out);
  sum += call_all(reheat::par_nosync, ints, count, out);
  sum += call_all(reheat::par_nosync.on(stream), ints, count, out);
  sum += call_all(reheat::par_nosync(allocator), ints, count, out);
  sum += call_all(reheat::par_nosync(allocator).on(stream), ints, count, out);
  sum += call_all(reheat::par_nosync(&resource).on(stream), ints, count, out);
  return sum;
}
