// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls that instantiate the common kernels, for check_machine_code.py. Without REHEAT_ALL_KERNELS, only those that need
//! the most registers, and one of each other kind.

#include <reheat/reheat.cuh>

#include <thrust/equal.h>
#include <thrust/find.h>
#include <thrust/partition.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <cstdint>

namespace common
{

struct bytes12
{
  std::int32_t word[3];
};
struct add
{
  __host__ __device__ bytes12 operator()(const bytes12& x, const bytes12& y) const
  {
    return {{x.word[0] + y.word[0], x.word[1] + y.word[1], x.word[2] + y.word[2]}};
  }
};
struct is_odd
{
  template <class T>
  __host__ __device__ bool operator()(T value) const
  {
    return value % 2 != 0;
  }
};
struct square
{
  template <class T>
  __host__ __device__ T operator()(T value) const
  {
    return value * value;
  }
};

template <class T>
struct data
{
  const T* first;
  const T* last;
  T* out;
};

template <class T>
void reduce(const data<T>& in)
{
  (void)thrust::reduce(reheat::par, in.first, in.last, T{});
}
template <class T>
void extrema(const data<T>& in)
{
  (void)thrust::min_element(reheat::par, in.first, in.last);
  (void)thrust::minmax_element(reheat::par, in.first, in.last);
}
template <class T>
void search(const data<T>& in)
{
  (void)thrust::find(reheat::par, in.first, in.last, T{});
  (void)thrust::is_sorted(reheat::par, in.first, in.last);
}
template <class T>
void scan(const data<T>& in)
{
  thrust::inclusive_scan(reheat::par, in.first, in.last, in.out);
  thrust::exclusive_scan(reheat::par, in.first, in.last, in.out);
}
template <class Key, class Value>
void by_key(const data<Key>& keys, const data<Value>& values)
{
  thrust::exclusive_scan_by_key(reheat::par, keys.first, keys.last, values.first, values.out);
  thrust::reduce_by_key(reheat::par, keys.first, keys.last, values.first, keys.out, values.out);
}
template <class T>
void selection(const data<T>& in)
{
  thrust::copy_if(reheat::par, in.first, in.last, in.out, is_odd{});
}
template <class T, class Flag>
void flagged(const data<T>& in, const data<Flag>& flags)
{
  thrust::copy_if(reheat::par, in.first, in.last, flags.first, in.out, is_odd{});
}
template <class T, class Offset>
void segmented(const data<T>& in, const data<Offset>& offsets)
{
  reheat::segmented_reduce(reheat::par, in.first, offsets.first, offsets.last, in.out);
}

template <class T, class Offset>
void segmented_scan(const data<T>& in, const data<Offset>& offsets)
{
  reheat::segmented_inclusive_scan(reheat::par, in.first, offsets.first, offsets.last, in.out);
}
template <class T>
void sort(const data<T>& in)
{
  thrust::sort(reheat::par, in.out, in.out + (in.last - in.first));
}
template <class T>
void exact_sum(const data<T>& in)
{
  (void)thrust::reduce(reheat::par.with(reheat::exact_sums), in.first, in.last, T{});
}
template <class T>
void unique(const data<T>& in)
{
  (void)thrust::unique_copy(reheat::par, in.first, in.last, in.out);
}
template <class T>
void partition(const data<T>& in)
{
  (void)thrust::partition(reheat::par, in.out, in.out + (in.last - in.first), is_odd{});
  (void)thrust::partition_copy(reheat::par, in.first, in.last, in.out, in.out, is_odd{});
}
template <class T>
void same_bits_everywhere(const data<T>& in)
{
  thrust::inclusive_scan(reheat::par.with(reheat::gpu_to_gpu), in.first, in.last, in.out);
}

void likely(const data<std::int8_t>& i8, const data<std::int32_t>& i32, const data<std::int64_t>& i64,
            const data<std::uint32_t>& u32, const data<float>& f32, const data<double>& f64, const data<bytes12>& b12)
{
  reduce(i8);
  (void)thrust::reduce(reheat::par, b12.first, b12.last, bytes12{}, add{});
  extrema(i8);
  search(i8);
  search(i64);
  (void)thrust::equal(reheat::par, i64.first, i64.last, i64.out);
  thrust::exclusive_scan(reheat::par, f32.first, f32.last, f32.out);
  thrust::inclusive_scan(reheat::par, i64.first, i64.last, i64.out);
  thrust::exclusive_scan(reheat::par, b12.first, b12.last, b12.out, bytes12{}, add{});
  by_key(i32, f64);
  by_key(i64, i64);
  segmented(u32, u32);
  selection(i8);
  flagged(i8, i8);
  flagged(i64, i8);
  sort(u32);
  exact_sum(f64);
  unique(i32);
  partition(i32);
  segmented_scan(u32, u32);
  same_bits_everywhere(f32);
}

#if defined(REHEAT_ALL_KERNELS)

template <class T>
void count_odd(const data<T>& in)
{
  (void)thrust::count_if(reheat::par, in.first, in.last, is_odd{});
}
template <class T>
void sum_of_squares(const data<T>& in)
{
  (void)thrust::transform_reduce(reheat::par, in.first, in.last, square{}, T{}, thrust::plus<T>());
}
template <class Key, class Value>
void inclusive_by_key(const data<Key>& keys, const data<Value>& values)
{
  thrust::inclusive_scan_by_key(reheat::par, keys.first, keys.last, values.first, values.out);
}

void others(const data<std::int8_t>& i8, const data<std::int16_t>& i16, const data<std::int32_t>& i32,
            const data<std::int64_t>& i64, const data<float>& f32, const data<double>& f64, const data<bytes12>& b12)
{
  reduce(i16);
  reduce(i32);
  reduce(i64);
  reduce(f32);
  reduce(f64);
  extrema(i32);
  extrema(i64);
  extrema(f32);
  count_odd(i8);
  count_odd(i32);
  sum_of_squares(i32);
  sum_of_squares(f64);
  scan(i8);
  scan(i32);
  scan(i64);
  scan(f32);
  thrust::inclusive_scan(reheat::par, b12.first, b12.last, b12.out, add{});
  by_key(i32, i32);
  inclusive_by_key(i32, i32);
  inclusive_by_key(i32, f64);
  inclusive_by_key(i64, i64);
}

#endif

} // namespace common
