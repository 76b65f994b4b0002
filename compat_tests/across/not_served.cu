// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A call across ranks of each algorithm that is not served there. check_refused.py compiles it, and reads the errors.

#include <reheat/across/threads.cuh>

#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/equal.h>
#include <thrust/find.h>
#include <thrust/gather.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/tabulate.h>
#include <thrust/uninitialized_copy.h>
#include <thrust/uninitialized_fill.h>
#include <thrust/unique.h>

struct is_odd
{
  REHEAT_HOST_DEVICE bool operator()(int x) const { return x % 2 != 0; }
};

// [a, b) and [c, d) are ranges, e and f outputs.
void not_served(reheat::ranks& ranks, int* a, int* b, int* c, int* d, int* e, int* f)
{
  const auto par = reheat::par.across(ranks);
  thrust::default_random_engine random;
  thrust::adjacent_difference(par, a, b, e);
  (void)thrust::binary_search(par, a, b, 1);
  (void)thrust::equal(par, a, b, c);
  (void)thrust::equal_range(par, a, b, 1);
  (void)thrust::find(par, a, b, 1);
  (void)thrust::find_if(par, a, b, is_odd());
  (void)thrust::find_if_not(par, a, b, is_odd());
  thrust::gather(par, a, b, c, e);
  thrust::gather_if(par, a, b, c, d, e);
  (void)thrust::is_partitioned(par, a, b, is_odd());
  (void)thrust::is_sorted(par, a, b);
  (void)thrust::is_sorted_until(par, a, b);
  (void)thrust::lower_bound(par, a, b, 1);
  thrust::merge(par, a, b, c, d, e);
  thrust::merge_by_key(par, a, b, c, d, a, c, e, f);
  (void)thrust::mismatch(par, a, b, c);
  (void)thrust::partition(par, a, b, is_odd());
  thrust::partition_copy(par, a, b, e, f, is_odd());
  (void)thrust::partition_point(par, a, b, is_odd());
  (void)thrust::remove(par, a, b, 1);
  (void)thrust::remove_if(par, a, b, is_odd());
  thrust::replace(par, a, b, 1, 2);
  thrust::replace_copy(par, a, b, e, 1, 2);
  thrust::replace_copy_if(par, a, b, e, is_odd(), 2);
  thrust::replace_if(par, a, b, is_odd(), 2);
  thrust::reverse(par, a, b);
  thrust::reverse_copy(par, a, b, e);
  thrust::scatter(par, a, b, c, e);
  thrust::scatter_if(par, a, b, c, d, e);
  thrust::sequence(par, a, b);
  thrust::set_difference(par, a, b, c, d, e);
  thrust::set_difference_by_key(par, a, b, c, d, a, c, e, f);
  thrust::set_intersection(par, a, b, c, d, e);
  thrust::set_intersection_by_key(par, a, b, c, d, a, e, f);
  thrust::set_symmetric_difference(par, a, b, c, d, e);
  thrust::set_symmetric_difference_by_key(par, a, b, c, d, a, c, e, f);
  thrust::set_union(par, a, b, c, d, e);
  thrust::set_union_by_key(par, a, b, c, d, a, c, e, f);
  thrust::shuffle(par, a, b, random);
  thrust::shuffle_copy(par, a, b, e, random);
  thrust::sort(par, a, b);
  thrust::sort_by_key(par, a, b, c);
  (void)thrust::stable_partition(par, a, b, is_odd());
  thrust::stable_partition_copy(par, a, b, e, f, is_odd());
  thrust::stable_sort(par, a, b);
  thrust::stable_sort_by_key(par, a, b, c);
  thrust::swap_ranges(par, a, b, c);
  thrust::tabulate(par, a, b, is_odd());
  thrust::uninitialized_copy(par, a, b, e);
  thrust::uninitialized_copy_n(par, a, 1, e);
  thrust::uninitialized_fill(par, a, b, 1);
  thrust::uninitialized_fill_n(par, a, 1, 1);
  (void)thrust::unique(par, a, b);
  (void)thrust::unique_by_key(par, a, b, c);
  thrust::unique_by_key_copy(par, a, b, c, e, f);
  thrust::unique_copy(par, a, b, e);
  (void)thrust::unique_count(par, a, b);
  (void)thrust::upper_bound(par, a, b, 1);
#if defined(THRUST_HAS_TRANSFORM_N)
  thrust::transform_if_n(par, a, 1, e, is_odd(), is_odd());
  thrust::transform_n(par, a, 1, e, is_odd());
#endif
}
