// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every public call form of the family's table, with a tag of its own in the value or the operator. Nothing here knows of
//! reheat: whose kernels carry the tags depends on the policy alone.
#pragma once

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>
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

//! Of sorts, whose forms have no tags.
using descending_ints = thrust::greater<int>;

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

//! Makes the call of every form.
template <class Policy>
void call_all(Policy&& policy, const int* ints, int count, int* out)
{
  const int* const end = ints + count;
  int* const out_end = out + count;
#define REHEAT_FAMILY_FORM(number, name, arguments, ...) static_cast<void>(__VA_ARGS__);
#include "../../src/family/table.inc"
}

} // namespace
