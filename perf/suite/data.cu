// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/data.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>

namespace perf
{

struct checker::counts
{
  unsigned long long wrong, first_wrong;
};

namespace
{

using timing::check;

constexpr unsigned block_threads = 256;
constexpr std::uint64_t max_blocks = 8192; // a few waves; beyond that each thread takes several items
constexpr int poison_byte = 0xcd;          // negative, and of no result's magnitude, in every type
constexpr std::uint64_t ramp_items = 64;

// ---- items: a type of the axes as equal components -----------------------------------------------------------------------

template <class T, int Components, int Largest>
struct items_of
{
  using component = T;
  static constexpr int components = Components;
  static constexpr int largest = Largest; // K: sums of strided items must not round either: CUB's threads add pairs
};
template <type Type>
struct layout;
template <>
struct layout<type::i8> : items_of<std::int8_t, 1, 100>
{};
template <>
struct layout<type::i16> : items_of<std::int16_t, 1, 10000>
{};
template <>
struct layout<type::i32> : items_of<std::int32_t, 1, 1 << 20>
{};
template <>
struct layout<type::i64> : items_of<std::int64_t, 1, 1 << 20>
{};
template <>
struct layout<type::f16> : items_of<__half, 1, 8>
{};
template <>
struct layout<type::bf16> : items_of<__nv_bfloat16, 1, 8> // a reduction's would round whatever K: scans alone
{};
template <>
struct layout<type::f32> : items_of<float, 1, 255>
{};
template <>
struct layout<type::f64> : items_of<double, 1, 1 << 20>
{};
template <>
struct layout<type::complex_f32> : items_of<float, 2, 255>
{};
template <>
struct layout<type::complex_f64> : items_of<double, 2, 1 << 20>
{};
template <>
struct layout<type::struct_12> : items_of<std::int32_t, 3, 1 << 20>
{};

template <class Visit>
void with_layout(type which, Visit visit)
{
  switch (which)
  {
    case type::i8:
    case type::u8:
      return visit(layout<type::i8>{});
    case type::i16:
      return visit(layout<type::i16>{});
    case type::i32:
      return visit(layout<type::i32>{});
    case type::i64:
      return visit(layout<type::i64>{});
    case type::f16:
      return visit(layout<type::f16>{});
    case type::bf16:
      return visit(layout<type::bf16>{});
    case type::f32:
      return visit(layout<type::f32>{});
    case type::f64:
      return visit(layout<type::f64>{});
    case type::complex_f32:
      return visit(layout<type::complex_f32>{});
    case type::complex_f64:
      return visit(layout<type::complex_f64>{});
    case type::struct_12:
      return visit(layout<type::struct_12>{});
  }
}

template <class T>
__device__ T from_int(int value)
{
  return static_cast<T>(value);
}
template <>
__device__ __half from_int<__half>(int value)
{
  return __int2half_rn(value);
}
template <>
__device__ __nv_bfloat16 from_int<__nv_bfloat16>(int value)
{
  return __int2bfloat16_rn(value);
}

// ---- what stands where ---------------------------------------------------------------------------------------------------

// 32 bits that pass for random (the finaliser of splitmix64).
__device__ std::uint32_t random_bits(std::uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return static_cast<std::uint32_t>(x >> 32);
}

// Component c of the sum of items [0, count): a random value from [0, largest].
template <class Layout>
__device__ int sum_of(std::uint64_t count, int c)
{
  return count == 0 ? 0 : static_cast<int>(random_bits(count * Layout::components + c) % (Layout::largest + 1));
}

__device__ std::int32_t item_of_max(std::uint64_t i)
{
  const auto ramp = static_cast<std::int32_t>(i / ramp_items);
  return i % ramp_items == 0 ? ramp : ramp - static_cast<std::int32_t>(random_bits(i) % 1024);
}
__device__ std::int32_t item_of_last(std::uint64_t i)
{
  const std::uint32_t bits = random_bits(i);
  return i % ramp_items != 0 && bits % 4 != 0 ? 0 : static_cast<std::int32_t>(bits | 1);
}

// The fold of items [0, count), count >= 1, and 0 in front of them.
__device__ std::int32_t max_of(std::uint64_t count)
{
  return static_cast<std::int32_t>((count - 1) / ramp_items);
}
__device__ std::int32_t last_of(std::uint64_t count)
{
  std::int32_t found = 0;
  for (std::uint64_t i = count; found == 0; --i)
  {
    found = item_of_last(i - 1);
  }
  return found;
}

template <class Layout, operation Operation>
__device__ typename Layout::component item_at(std::uint64_t i, int c)
{
  using component = typename Layout::component;
  switch (Operation)
  {
    case operation::max:
      return from_int<component>(item_of_max(i));
    case operation::last:
      return from_int<component>(item_of_last(i));
    default:
      return from_int<component>(sum_of<Layout>(i + 1, c) - sum_of<Layout>(i, c));
  }
}

template <class Layout, operation Operation>
__device__ typename Layout::component fold_of(std::uint64_t count, int c)
{
  using component = typename Layout::component;
  if (count == 0)
  {
    return from_int<component>(0);
  }
  switch (Operation)
  {
    case operation::max:
      return from_int<component>(max_of(count));
    case operation::last:
      return from_int<component>(last_of(count));
    default:
      return from_int<component>(sum_of<Layout>(count, c));
  }
}

// ---- kernels -------------------------------------------------------------------------------------------------------------

template <class T>
__device__ void note_difference(T expected, T found, std::uint64_t at, unsigned long long* wrong)
{
  if (!(expected == found))
  {
    atomicAdd(wrong, 1ull);
    atomicMin(wrong + 1, static_cast<unsigned long long>(at));
  }
}

__device__ std::uint64_t first_index()
{
  return std::uint64_t{blockIdx.x} * block_threads + threadIdx.x;
}
__device__ std::uint64_t index_step()
{
  return std::uint64_t{gridDim.x} * block_threads;
}

template <class Layout, operation Operation>
__global__ void __launch_bounds__(block_threads)
    fill_kernel(typename Layout::component* in, std::uint64_t items, std::int32_t mask)
{
  for (std::uint64_t i = first_index(); i < items; i += index_step())
  {
    for (int c = 0; c < Layout::components; ++c)
    {
      auto item = item_at<Layout, Operation>(i, c);
      if constexpr (std::is_same_v<decltype(item), std::int32_t>)
      {
        item ^= mask;
      }
      in[i * Layout::components + c] = item;
    }
  }
}

// out[i] is the fold of the first `first_count` + i items.
template <class Layout, operation Operation>
__global__ void __launch_bounds__(block_threads) check_kernel(const typename Layout::component* out, std::uint64_t outputs,
                                                              std::uint64_t first_count, unsigned long long* wrong)
{
  for (std::uint64_t i = first_index(); i < outputs; i += index_step())
  {
    for (int c = 0; c < Layout::components; ++c)
    {
      note_difference(fold_of<Layout, Operation>(first_count + i, c), out[i * Layout::components + c], i, wrong);
    }
  }
}

__global__ void __launch_bounds__(block_threads)
    compare_kernel(const unsigned char* from, const unsigned char* to, std::uint64_t bytes, unsigned long long* wrong)
{
  for (std::uint64_t i = first_index(); i < bytes; i += index_step())
  {
    note_difference(from[i], to[i], i, wrong);
  }
}

unsigned blocks_for(std::uint64_t items)
{
  return static_cast<unsigned>(std::min((items + block_threads - 1) / block_threads, max_blocks));
}

template <class Layout, class Visit>
void with_operation(operation which, Visit visit)
{
  if constexpr (std::is_same_v<Layout, layout<type::i32>>)
  {
    if (which == operation::max)
    {
      return visit(std::integral_constant<operation, operation::max>{});
    }
    if (which == operation::last)
    {
      return visit(std::integral_constant<operation, operation::last>{});
    }
  }
  visit(std::integral_constant<operation, operation::plus>{});
}

} // namespace

void fill_input(const row& which, void* in, cudaStream_t stream)
{
  const std::int32_t mask = which.input == input::transform ? transform_mask : 0;
  with_layout(which.type,
              [&](auto layout)
              {
                using type = decltype(layout);
                with_operation<type>(which.operation,
                                     [&](auto operation)
                                     {
                                       fill_kernel<type, operation.value>
                                           <<<blocks_for(which.items), block_threads, 0, stream>>>(
                                               static_cast<typename type::component*>(in), which.items, mask);
                                     });
              });
  check(cudaGetLastError(), "filling an input");
}

void poison(void* out, std::size_t bytes, cudaStream_t stream)
{
  check(cudaMemsetAsync(out, poison_byte, bytes, stream), "poisoning an output");
}

checker::checker(cudaStream_t stream) : stream_(stream), counts_(sizeof(counts))
{
  reset();
}

void checker::reset()
{
  const counts none{0, ~0ull};
  check(cudaMemcpyAsync(counts_.data(), &none, sizeof(none), cudaMemcpyHostToDevice, stream_), "clearing GPU memory");
}

void checker::expect_result(const row& which, const void* out)
{
  const std::uint64_t first_count = which.algorithm == algorithm::reduce           ? which.items
                                    : which.algorithm == algorithm::inclusive_scan ? 1
                                                                                   : 0;
  const std::uint64_t outputs = is_scan(which.algorithm) ? which.items : 1;
  auto* const wrong = reinterpret_cast<unsigned long long*>(counts_.data());
  with_layout(which.type,
              [&](auto layout)
              {
                using type = decltype(layout);
                with_operation<type>(
                    which.operation,
                    [&](auto operation)
                    {
                      check_kernel<type, operation.value><<<blocks_for(outputs), block_threads, 0, stream_>>>(
                          static_cast<const typename type::component*>(out), outputs, first_count, wrong);
                    });
              });
  check(cudaGetLastError(), "checking an output");
}

void checker::expect_copy(const void* from, const void* to, std::size_t bytes)
{
  auto* const wrong = reinterpret_cast<unsigned long long*>(counts_.data());
  compare_kernel<<<blocks_for(bytes), block_threads, 0, stream_>>>(static_cast<const unsigned char*>(from),
                                                                   static_cast<const unsigned char*>(to), bytes, wrong);
  check(cudaGetLastError(), "checking a copy");
}

void checker::finish()
{
  counts found{};
  check(cudaMemcpyAsync(&found, counts_.data(), sizeof(found), cudaMemcpyDeviceToHost, stream_), "checking a result");
  check(cudaStreamSynchronize(stream_), "waiting for the call that was checked");
  if (found.wrong != 0)
  {
    reset();
    throw std::runtime_error("wrong result: " + std::to_string(found.wrong) + " values differ, the first at position " +
                             std::to_string(found.first_wrong));
  }
}

} // namespace perf
