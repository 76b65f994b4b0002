// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls of table.inc, on policies of reheat's and of Thrust's, and what they return.
//!
//! A call takes a policy and a range `r` with the operands. Each algorithm uses some of them:
//!   first, last, out          items and output
//!   keys, keys_last, keys_out keys, or the second input of inner_product
//!   init, op                  of folds: the initial value, the operator
//!   map, product              what is folded: of an item; of an item and its key
//!   equal, less               compare keys; items
//!   counted, is_counted       what count and count_if count
//!   is_sought, is_not_sought  what searches look for, as a predicate, and its opposite
//!   sought                    the same as a value
//!   others, same              the second range of mismatch and equal; how items are compared
//!   is_flagged                what selections ask of a key
#pragma once

#include "family.hpp"

#include <reheat/reheat.cuh>

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/iterator_adaptor.h>
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

#include <cuda/std/functional>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace accelerated
{

template <class Derived>
std::true_type is_reheats(const reheat::thrust_backend::execution_policy<Derived>&);
std::false_type is_reheats(...);

//! Thrust has reduce_into from CCCL 3.1 on. Before, a program calls reheat's by its own name; on Thrust's policy it reduces,
//! and copies the result to memory.
template <class Policy, class InputIt, class OutputIt, class T, class Op>
void reduce_into(const Policy& policy, InputIt first, InputIt last, OutputIt out, T init, Op op)
{
#if THRUST_VERSION >= 300100
  thrust::reduce_into(policy, first, last, out, init, op);
#else
  if constexpr (decltype(is_reheats(policy))::value)
  {
    reheat::reduce_into(policy, first, last, out, init, op);
  }
  else
  {
    const T value = thrust::reduce(policy, first, last, init, op);
#  if defined(REHEAT_EMULATED)
    *out = value;
#  else
    const cudaStream_t stream = thrust::cuda_cub::stream(const_cast<Policy&>(policy));
    const auto check = [](cudaError_t status) { thrust::cuda_cub::throw_on_error(status, "copying a sum to the GPU"); };
    check(cudaMemcpyAsync(out, &value, sizeof(value), cudaMemcpyHostToDevice, stream));
    check(cudaStreamSynchronize(stream));
#  endif
  }
#endif
}

struct comes_before
{
  std::ptrdiff_t bound;
  REHEAT_HOST_DEVICE bool operator()(std::ptrdiff_t position) const { return position < bound; }
};
//! The point at which the positions of a range's items are divided into those before the middle and the others.
template <class Policy, class InputIt>
std::ptrdiff_t partition_point_of_positions(const Policy& policy, InputIt first, InputIt last)
{
  const thrust::counting_iterator<std::ptrdiff_t> begin(0), end(last - first);
  return thrust::partition_point(policy, begin, end, comes_before{(last - first) / 2}) - begin;
}

//! For an algorithm that works in place: copies the items to the output, and returns the end of the copy.
template <class Policy, class Range>
auto copied(const Policy& policy, const Range& r)
{
  return thrust::copy(policy, r.first, r.last, r.out);
}

//! For a sort by key: copies the keys, too, to their output, and returns the end of their copy.
template <class Policy, class Range>
auto copied_with_keys(const Policy& policy, const Range& r)
{
  copied(policy, r);
  return thrust::copy(policy, r.keys, r.keys_last, r.keys_out);
}
using ascending_keys = ::cuda::std::less<>;
using descending_keys = ::cuda::std::greater<>;

//! Whether a predicate holds for both of two items, or for none.
template <class Predicate>
struct alike_by
{
  Predicate predicate;

  REHEAT_EXEC_CHECK_DISABLE
  template <class T>
  REHEAT_HOST_DEVICE bool operator()(const T& x, const T& y)
  {
    return static_cast<bool>(predicate(x)) == static_cast<bool>(predicate(y));
  }
};
template <class Predicate>
alike_by<Predicate> alike(Predicate predicate)
{
  return {predicate};
}

//! A key that stays as it is, whatever is assigned to it.
template <class Key>
class unchanged_key
{
public:
  REHEAT_HOST_DEVICE explicit unchanged_key(const Key& key) : key_(&key) {}
  REHEAT_HOST_DEVICE operator Key() const { return *key_; }
  REHEAT_HOST_DEVICE const unchanged_key& operator=(const Key&) const { return *this; }

private:
  const Key* key_;
};
//! Keys, for an algorithm that changes keys and values in place.
template <class Key>
class unchanged_keys;
template <class Key>
using unchanged_keys_base = thrust::iterator_adaptor<unchanged_keys<Key>, const Key*, Key, thrust::use_default,
                                                     thrust::use_default, unchanged_key<Key>>;
template <class Key>
class unchanged_keys : public unchanged_keys_base<Key>
{
public:
  unchanged_keys() = default; // Thrust makes a pair of results before it has them
  REHEAT_HOST_DEVICE explicit unchanged_keys(const Key* keys) : unchanged_keys_base<Key>(keys) {}

private:
  friend class thrust::iterator_core_access;
  REHEAT_HOST_DEVICE unchanged_key<Key> dereference() const { return unchanged_key<Key>(*this->base()); }
};

//! unique_by_key of a copy of the items; returns their end.
template <class Policy, class Range>
auto unique_by_unchanged_keys(const Policy& policy, const Range& r)
{
  copied(policy, r);
  const unchanged_keys first(r.keys), last(r.keys_last);
  return thrust::unique_by_key(policy, first, last, r.out, r.equal).second;
}

//! Partitions a copy of the items, and keeps their order; returns where the selected ones end. Reheat's `partition` keeps
//! the order. Thrust promises that of stable_partition alone, and its backend for the host keeps no other.
template <class Policy, class Range>
auto partition_in_order(const Policy& policy, const Range& r)
{
  if constexpr (decltype(is_reheats(policy))::value)
  {
    return thrust::partition(policy, r.out, copied(policy, r), r.keys, r.is_flagged);
  }
  else
  {
    return thrust::stable_partition(policy, r.out, copied(policy, r), r.keys, r.is_flagged);
  }
}

//! Makes the call of an algorithm.
template <algorithm Which>
struct call_of;

#define REHEAT_FAMILY_CALL(name, ...)                                                                                       \
  template <>                                                                                                               \
  struct call_of<algorithm::name>                                                                                           \
  {                                                                                                                         \
    template <class Policy, class Range>                                                                                    \
    auto operator()(const Policy& policy, const Range& r) const                                                             \
    {                                                                                                                       \
      return __VA_ARGS__;                                                                                                   \
    }                                                                                                                       \
  };
#include "table.inc"

//! Makes the call, and gives what it returns. A fold has to be an integer; zeros stand for nothing.
template <algorithm Which, class Policy, class Range>
numbers call_numbers(const Policy& policy, const Range& r)
{
  constexpr algorithm_facts facts = facts_of(Which);
  const call_of<Which> call;
  if constexpr (facts.output == output::run_totals)
  {
    const auto ends = call(policy, r);
    return numbers{{ends.first - r.keys_out, ends.second - r.out}};
  }
  else if constexpr (facts.is_scan() || facts.selects())
  {
    return numbers{{call(policy, r) - r.out, 0}};
  }
  else if constexpr (facts.gives_numbers())
  {
    return numbers_of(r.first, call(policy, r));
  }
  else if constexpr (facts.gives == gives::nothing)
  {
    call(policy, r);
    return numbers{};
  }
  else
  {
    return numbers{{static_cast<std::int64_t>(call(policy, r)), 0}};
  }
}

} // namespace accelerated
