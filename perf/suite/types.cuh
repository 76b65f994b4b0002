// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Operators and iterators of the axes.
#pragma once

#include "common/items.cuh"
#include "suite/calls.hpp"

#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/transform_iterator.h>

namespace perf
{

template <class T>
struct last_nonzero
{
  __host__ __device__ T operator()(T a, T b) const { return b != T{} ? b : a; }
};

template <class T>
struct unmask
{
  __host__ __device__ T operator()(T stored) const { return stored ^ transform_mask; }
};

template <operation Operation, class T>
struct functor
{
  using type = thrust::plus<T>;
};
template <class T>
struct functor<operation::max, T>
{
  using type = thrust::maximum<T>;
};
template <class T>
struct functor<operation::last, T>
{
  using type = last_nonzero<T>;
};

//! at(memory): the iterator at its first item.
template <reading Reading, class T>
struct source
{
  using iterator = const T*;
  static iterator at(const void* memory) { return static_cast<const T*>(memory); }
};
template <class T>
struct source<reading::device_vector, T>
{
  using iterator = typename thrust::device_vector<T>::const_iterator;
  static iterator at(const void* memory)
  {
    return iterator(thrust::device_pointer_cast(const_cast<T*>(static_cast<const T*>(memory))));
  }
};
template <class T>
struct source<reading::transform, T>
{
  using iterator = thrust::transform_iterator<unmask<T>, const T*>;
  static iterator at(const void* memory) { return iterator(static_cast<const T*>(memory), unmask<T>{}); }
};

//! All that a call's code depends on.
template <type Type, operation Operation, reading Reading>
struct variant
{
  static constexpr bool is_common = Reading == reading::pointer && perf::is_common(Type, Operation, perf::input::pointer);
  using value = item_t<Type>;
  using op = typename functor<Operation, value>::type;
  using in = source<Reading, value>;
};

//! visit(variant) if this one is built and asked for.
template <algorithm Algorithm, type Type, operation Operation, reading Reading, class Visit>
void visit_one(type type, operation operation, reading reading, Visit visit)
{
  if constexpr (is_built(Algorithm, Type, Operation, Reading))
  {
    if (type == Type && operation == Operation && reading == Reading)
    {
      visit(variant<Type, Operation, Reading>{});
    }
  }
}
template <algorithm Algorithm, type Type, operation Operation, class Visit>
void visit_readings(type type, operation operation, reading reading, Visit visit)
{
  visit_one<Algorithm, Type, Operation, reading::pointer>(type, operation, reading, visit);
  visit_one<Algorithm, Type, Operation, reading::device_vector>(type, operation, reading, visit);
  visit_one<Algorithm, Type, Operation, reading::transform>(type, operation, reading, visit);
}
template <algorithm Algorithm, type... Types, class Visit>
void visit_types(type type, operation operation, reading reading, Visit visit)
{
  (visit_readings<Algorithm, Types, operation::plus>(type, operation, reading, visit), ...);
  (visit_readings<Algorithm, Types, operation::max>(type, operation, reading, visit), ...);
  (visit_readings<Algorithm, Types, operation::last>(type, operation, reading, visit), ...);
}

//! visit(variant) for the one that is asked for, if it is built.
template <algorithm Algorithm, class Visit>
void visit_variant(type type, operation operation, reading reading, Visit visit)
{
  visit_types<Algorithm, type::i8, type::i16, type::i32, type::i64, type::f16, type::bf16, type::f32, type::f64,
              type::complex_f32, type::complex_f64, type::struct_12>(type, operation, reading, visit);
}

} // namespace perf
