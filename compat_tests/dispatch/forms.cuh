// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every public call form, with a tag of its own in the value or the operator. Nothing here knows of reheat: whose kernels
//! carry the tags depends on the policy alone.
#pragma once

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/version.h>

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

template <int Form>
__host__ __device__ tag_value<Form> operator*(const tag_value<Form>& x, const tag_value<Form>& y)
{
  return x.value * y.value;
}
template <int Form>
__host__ __device__ bool operator==(const tag_value<Form>& x, const tag_value<Form>& y)
{
  return x.value == y.value;
}
template <int Form>
__host__ __device__ bool operator<(const tag_value<Form>& x, const tag_value<Form>& y)
{
  return x.value < y.value;
}

//! The operator, predicate or comparison of call form `Form`.
template <int Form>
struct tag_operator
{
  __host__ __device__ int operator()(int x) const { return x + 1; }
  __host__ __device__ int operator()(int x, int y) const { return x + y; }
};

//! The operator of forms that are told apart by something else. No instance of a template: behind one, the mangled name of
//! a kernel abbreviates the tag.
struct sum_of_both
{
  __host__ __device__ int operator()(int x, int y) const { return x + y; }
};
struct both_equal
{
  __host__ __device__ bool operator()(int x, int y) const { return x == y; }
};

//! Memory full of tagged values.
template <int Form>
const tag_value<Form>* tagged(const int* ints)
{
  return reinterpret_cast<const tag_value<Form>*>(ints);
}
template <int Form>
tag_value<Form>* tagged(int* ints)
{
  return reinterpret_cast<tag_value<Form>*>(ints);
}

template <class Policy>
int call_reductions(Policy&& policy, const int* ints, int count, int* out)
{
  const int* const end = ints + count;
  std::ptrdiff_t sum = thrust::transform_reduce(policy, ints, end, tag_operator<13>(), 1, sum_of_both());
  sum += thrust::inner_product(policy, tagged<14>(ints), tagged<14>(end), tagged<14>(ints), tag_value<14>(1)).value;
  sum += thrust::inner_product(policy, ints, end, ints, 1, tag_operator<15>(), sum_of_both());
  sum += thrust::count(policy, tagged<16>(ints), tagged<16>(end), tag_value<16>(1));
  sum += thrust::count_if(policy, ints, end, tag_operator<17>());
  sum += thrust::min_element(policy, tagged<18>(ints), tagged<18>(end)) - tagged<18>(ints);
  sum += thrust::min_element(policy, ints, end, tag_operator<19>()) - ints;
  sum += thrust::max_element(policy, tagged<20>(ints), tagged<20>(end)) - tagged<20>(ints);
  sum += thrust::max_element(policy, ints, end, tag_operator<21>()) - ints;
  sum += thrust::minmax_element(policy, tagged<22>(ints), tagged<22>(end)).first - tagged<22>(ints);
  sum += thrust::minmax_element(policy, ints, end, tag_operator<23>()).first - ints;
  sum += thrust::all_of(policy, ints, end, tag_operator<24>());
  sum += thrust::any_of(policy, ints, end, tag_operator<25>());
  sum += thrust::none_of(policy, ints, end, tag_operator<26>());
  thrust::reduce_by_key(policy, ints, end, tagged<37>(ints), out, tagged<37>(out));
  thrust::reduce_by_key(policy, ints, end, ints, out, out, tag_operator<38>());
  thrust::reduce_by_key(policy, ints, end, ints, out, out, both_equal(), tag_operator<39>());
  return static_cast<int>(sum);
}

template <class Policy>
void call_scans(Policy&& policy, const int* ints, int count, int* out)
{
  const int* const end = ints + count;
  thrust::transform_inclusive_scan(policy, ints, end, out, tag_operator<27>(), sum_of_both());
  thrust::transform_inclusive_scan(policy, ints, end, out, tag_operator<28>(), 1, sum_of_both());
  thrust::transform_exclusive_scan(policy, ints, end, out, tag_operator<29>(), 1, sum_of_both());
  thrust::inclusive_scan_by_key(policy, ints, end, tagged<30>(ints), tagged<30>(out));
  thrust::inclusive_scan_by_key(policy, ints, end, ints, out, tag_operator<31>());
  thrust::inclusive_scan_by_key(policy, ints, end, ints, out, both_equal(), tag_operator<32>());
  thrust::exclusive_scan_by_key(policy, ints, end, tagged<33>(ints), tagged<33>(out));
  thrust::exclusive_scan_by_key(policy, ints, end, tagged<34>(ints), tagged<34>(out), tag_value<34>(1));
  thrust::exclusive_scan_by_key(policy, ints, end, ints, out, 1, tag_operator<35>());
  thrust::exclusive_scan_by_key(policy, ints, end, ints, out, 1, both_equal(), tag_operator<36>());
}

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
#if THRUST_VERSION >= 300100 // before, Thrust has none, and reheat::reduce_into can be nobody else's
  {
    const auto* const first = reinterpret_cast<const tag_value<10>*>(ints);
    thrust::reduce_into(policy, first, first + count, reinterpret_cast<tag_value<10>*>(out));
  }
  {
    const auto* const first = reinterpret_cast<const tag_value<11>*>(ints);
    thrust::reduce_into(policy, first, first + count, reinterpret_cast<tag_value<11>*>(out), tag_value<11>(1));
  }
  thrust::reduce_into(policy, ints, ints + count, out, 1, tag_operator<12>());
#endif
  call_scans(policy, ints, count, out);
  return sum + call_reductions(policy, ints, count, out);
}

} // namespace
