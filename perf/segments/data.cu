// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What fills inputs, and what checks results.
//!
//! An item is the difference of two neighbours in a sequence of random values. So the sum of neighbours is the difference of
//! the values at their ends: modulo the size of an unsigned type, or of small integers.
#include "common/random.cuh"
#include "segments/calls.hpp"
#include "segments/values.cuh"

#include <timing/cuda.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace perf::segments
{
namespace
{

using timing::check;

constexpr unsigned block_threads = 256;
constexpr std::uint64_t max_blocks = 4096; // beyond that each thread takes several items

unsigned blocks_for(std::uint64_t work)
{
  return static_cast<unsigned>(std::min((work + block_threads - 1) / block_threads, max_blocks));
}

//! for (std::uint64_t i : …) of all threads of the grid.
template <class Body>
__device__ void for_each_index(std::uint64_t count, Body body)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * block_threads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_threads + threadIdx.x; i < count; i += threads)
  {
    body(i);
  }
}

// ---- items ---------------------------------------------------------------------------------------------------------------

// Sums of u8 in u32 are of small items that are not negative.
template <class In, class Out>
constexpr bool is_wider_v = sizeof(Out) > sizeof(In);
constexpr unsigned heights = 9, bias = heights - 1;

template <class In, class Out>
__device__ Out height_at(std::uint64_t i)
{
  if constexpr (std::is_floating_point_v<Out> || is_wider_v<In, Out>)
  {
    return static_cast<Out>(random_bits(i, 1) % heights);
  }
  else
  {
    return static_cast<Out>(std::uint64_t{random_bits(i, 2)} << 32 | random_bits(i, 1));
  }
}

template <class In, class Out>
__device__ Out sum_between(std::uint64_t first, std::uint64_t last)
{
  const Out sum = static_cast<Out>(height_at<In, Out>(last) - height_at<In, Out>(first));
  return is_wider_v<In, Out> ? static_cast<Out>(sum + bias * (last - first)) : sum;
}

template <class In, class Out>
__global__ void fill_items_kernel(In* items, std::uint64_t count)
{
  for_each_index(count, [&](std::uint64_t i) { items[i] = static_cast<In>(sum_between<In, Out>(i, i + 1)); });
}

//! Where segments begin and end, in memory of the GPU; null where all have one size.
template <class Offset>
struct segment_bounds
{
  const Offset *begins, *ends;
  std::uint64_t segments, length;

  __device__ std::uint64_t begin(std::uint64_t s) const { return begins == nullptr ? s * length : begins[s]; }
  __device__ std::uint64_t end(std::uint64_t s) const { return ends == nullptr ? (s + 1) * length : ends[s]; }

  //! The number of the segment that item `i` is in, or in whose gap it is.
  __device__ std::uint64_t segment_of(std::uint64_t i) const
  {
    std::uint64_t low = 0, high = segments; // the item is in segment low or behind, before segment high
    while (high - low > 1)
    {
      const std::uint64_t middle = (low + high) / 2;
      (begin(middle) <= i ? low : high) = middle;
    }
    return low;
  }
};

template <class In, class Out, class Offset>
__global__ void count_wrong_sums_kernel(segment_bounds<Offset> where, const std::byte* first_out, std::uint64_t stride,
                                        unsigned* wrong)
{
  const auto* const out = reinterpret_cast<const Out*>(first_out + blockIdx.y * stride);
  for_each_index(where.segments,
                 [&](std::uint64_t s)
                 {
                   if (out[s] != sum_between<In, Out>(where.begin(s), where.end(s)))
                   {
                     atomicAdd(wrong, 1u);
                   }
                 });
}

template <class T>
__device__ bool is_poison(const T& value)
{
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&value);
  bool all = true;
  for (unsigned b = 0; b < sizeof(T); ++b)
  {
    all = all && bytes[b] == poison_byte;
  }
  return all;
}

template <class In, class Out, class Offset>
__global__ void count_wrong_scans_kernel(segment_bounds<Offset> where, const std::byte* first_out, std::uint64_t stride,
                                         std::uint64_t items, unsigned* wrong)
{
  const auto* const out = reinterpret_cast<const Out*>(first_out + blockIdx.y * stride);
  for_each_index(items,
                 [&](std::uint64_t i)
                 {
                   const std::uint64_t s = where.segment_of(i);
                   const bool is_right =
                       i < where.end(s) ? out[i] == sum_between<In, Out>(where.begin(s), i + 1) : is_poison(out[i]);
                   if (!is_right)
                   {
                     atomicAdd(wrong, 1u);
                   }
                 });
}

// ---- offsets -------------------------------------------------------------------------------------------------------------

// Where segment `s` begins if lengths are random: they come in pairs of twice the average.
__host__ __device__ std::uint64_t random_boundary(std::uint64_t s, std::uint64_t length)
{
  const std::uint64_t pair = s / 2;
  return 2 * pair * length + (s % 2 == 0 ? 0 : 1 + random_bits(pair, 3) % (2 * length - 1));
}

constexpr std::uint64_t before_the_giant = 512;
constexpr std::uint64_t sparseness = 10; // one segment of so many has items

//! Behind a segment.
__host__ __device__ std::uint64_t gap_of(const row& which)
{
  const bool is_least = which.length < 4 || which.shape == shape::power_law; // which has segments of four
  return which.bounds != bounds::gaps ? 0 : is_least ? 1 : which.length / 4;
}
//! From the begin of a segment of the usual length to that of the next one.
__host__ __device__ std::uint64_t stride_of(const row& which)
{
  return which.length + gap_of(which);
}

//! Up to the end of the last segment, or of its gap.
__host__ __device__ std::uint64_t items_of(const row& which)
{
  switch (which.bounds)
  {
    case bounds::offsets_32:
    case bounds::offsets_64:
      return which.shape == shape::empty ? 0 : which.items;
    default:
      return which.shape == shape::equal ? which.items / stride_of(which) * stride_of(which) : which.items;
  }
}

//! Where segment `s` begins.
__host__ __device__ std::uint64_t offset_at(const row& which, std::uint64_t s)
{
  std::uint64_t offset = 0;
  switch (which.shape)
  {
    case shape::equal:
      offset = s * stride_of(which);
      break;
    case shape::random:
      offset = random_boundary(s, which.length);
      break;
    case shape::giant:
      offset = s * stride_of(which);
      if (s > before_the_giant)
      {
        offset = which.items - (2 * before_the_giant - s) * stride_of(which);
      }
      break;
    case shape::half: {
      const std::uint64_t before = which.items / 4 / usual_length;
      offset = s <= before ? s * usual_length : which.items * 3 / 4 + (s - before - 1) * usual_length;
      break;
    }
    case shape::sparse: {
      const std::uint64_t group = s / sparseness, chosen = random_bits(group, 4) % sparseness;
      offset = random_boundary(group + (s % sparseness > chosen ? 1 : 0), which.length);
      break;
    }
    default:
      break;
  }
  return offset < which.items ? offset : which.items;
}

__host__ __device__ std::uint64_t boundary(const row& which, std::uint64_t segments, std::uint64_t s)
{
  return s == segments ? items_of(which) : offset_at(which, s);
}

//! With gaps, segments end before the next one begins.
template <class Offset>
__global__ void fill_offsets_kernel(Offset* begins, Offset* ends, row which, std::uint64_t segments)
{
  const std::uint64_t gap = gap_of(which);
  for_each_index(segments + (gap == 0 ? 1 : 0),
                 [&](std::uint64_t s)
                 {
                   begins[s] = static_cast<Offset>(boundary(which, segments, s));
                   if (gap != 0)
                   {
                     ends[s] = static_cast<Offset>(boundary(which, segments, s + 1) - gap);
                   }
                 });
}

// Lengths of at least l items are as frequent as 1 / l.
std::vector<std::uint64_t> power_law_offsets(const row& which)
{
  constexpr double scale = 4.8; // × (1 + ln(2^20 / scale)): 64 on average
  std::vector<std::uint64_t> made{0};
  while (made.back() != which.items)
  {
    const double uniform = (random_bits(made.size(), 6) + 1.0) / 4294967296.0;
    const auto length = static_cast<std::uint64_t>(std::min(scale / uniform, static_cast<double>(max_length(which))));
    made.push_back(std::min(made.back() + length, which.items));
  }
  return made;
}

//! `ends` is where offsets of ends are with gaps.
template <class Offset>
void fill_offsets(const row& which, std::uint64_t segments, Offset* begins, Offset* ends, cudaStream_t stream)
{
  if (which.shape != shape::power_law)
  {
    fill_offsets_kernel<<<blocks_for(segments + 1), block_threads, 0, stream>>>(begins, ends, which, segments);
    check(cudaGetLastError(), "writing the offsets");
    return;
  }
  const std::vector<std::uint64_t> wide = power_law_offsets(which);
  const std::uint64_t gap = gap_of(which);
  const std::vector<Offset> narrow(wide.begin(), gap == 0 ? wide.end() : wide.end() - 1);
  check(cudaMemcpyAsync(begins, narrow.data(), narrow.size() * sizeof(Offset), cudaMemcpyHostToDevice, stream),
        "writing the offsets");
  std::vector<Offset> behind;
  if (gap != 0)
  {
    std::transform(wide.begin() + 1, wide.end(), std::back_inserter(behind),
                   [=](std::uint64_t next) { return static_cast<Offset>(next - gap); });
    check(cudaMemcpyAsync(ends, behind.data(), behind.size() * sizeof(Offset), cudaMemcpyHostToDevice, stream),
          "writing the offsets");
  }
  check(cudaStreamSynchronize(stream), "writing the offsets");
}

// Sums are made of the same offsets as the results, so nothing else would see that these are nonsense.
template <class Offset>
__global__ void count_wrong_offsets_kernel(segment_bounds<Offset> where, std::uint64_t items, std::uint64_t gap,
                                           unsigned* wrong)
{
  for_each_index(where.segments,
                 [&](std::uint64_t s)
                 {
                   const std::uint64_t next = s + 1 == where.segments ? items : where.begin(s + 1);
                   const bool is_first = s != 0 || where.begin(0) == 0;
                   if (!is_first || where.end(s) < where.begin(s) || where.end(s) + gap != next)
                   {
                     atomicAdd(wrong, 1u);
                   }
                 });
}

template <class Offset>
void check_offsets(const row& which, const segment_bounds<Offset>& where, cudaStream_t stream)
{
  const timing::device_memory memory(sizeof(unsigned));
  auto* const counter = reinterpret_cast<unsigned*>(memory.data());
  unsigned wrong = 0;
  check(cudaMemsetAsync(counter, 0, sizeof(wrong), stream), "checking the offsets");
  count_wrong_offsets_kernel<<<blocks_for(where.segments), block_threads, 0, stream>>>(where, items_of(which), gap_of(which),
                                                                                       counter);
  check(cudaGetLastError(), "checking the offsets");
  check(cudaMemcpyAsync(&wrong, counter, sizeof(wrong), cudaMemcpyDeviceToHost, stream), "checking the offsets");
  check(cudaStreamSynchronize(stream), "checking the offsets");
  if (wrong != 0)
  {
    throw std::runtime_error(std::to_string(wrong) + " offsets of the row are wrong");
  }
}

// ---- keys ----------------------------------------------------------------------------------------------------------------

template <class Offset>
__global__ void fill_keys_kernel(segment_bounds<Offset> where, std::uint32_t* keys, std::uint64_t items)
{
  for_each_index(items, [&](std::uint64_t i) { keys[i] = static_cast<std::uint32_t>(where.segment_of(i)); });
}

void copy_to_all_slots(std::byte* memory, std::uint64_t bytes, std::uint64_t stride, std::uint64_t slots,
                       cudaStream_t stream)
{
  for (std::uint64_t slot = 1; slot < slots; ++slot)
  {
    check(cudaMemcpyAsync(memory + slot * stride, memory, bytes, cudaMemcpyDeviceToDevice, stream), "writing the input");
  }
}

//! Of the slot that begins at `memory`.
template <class Offset>
segment_bounds<Offset> bounds_of(const row& which, std::uint64_t segments, const slot& each, const std::byte* memory)
{
  return {reinterpret_cast<const Offset*>(each.begins(memory)), reinterpret_cast<const Offset*>(each.ends(memory)), segments,
          which.length};
}

} // namespace

std::uint64_t segments_of(const row& which)
{
  if (which.bounds == bounds::fixed || (which.bounds == bounds::gaps && which.shape == shape::equal))
  {
    return which.items / stride_of(which);
  }
  switch (which.shape)
  {
    case shape::power_law:
      return power_law_offsets(which).size() - 1;
    case shape::giant:
      return 2 * before_the_giant;
    case shape::half:
      return which.items / 2 / usual_length + 1;
    case shape::sparse:
      return which.items / which.length * sparseness;
    case shape::empty:
      return which.items;
    default:
      return (which.items + which.length - 1) / which.length;
  }
}

slot slot_of(const row& which, std::uint64_t segments)
{
  const std::vector<implementation> measured = which.measured();
  const bool has_keys = std::find(measured.begin(), measured.end(), implementation::by_key) != measured.end();
  const std::uint64_t item_bytes = in_bytes_of(which.type), result_bytes = out_bytes_of(which.type);
  const std::uint64_t read_items = items_of(which) - gap_of(which) * segments;
  const bool has_gaps = which.bounds == bounds::gaps, is_sum = which.operation == operation::sum;
  const std::size_t offset_bytes = offset_bytes_of(which.bounds);
  slot made{};
  made.items_bytes = padded(items_of(which) * item_bytes);
  made.ends_behind = has_gaps ? padded(segments * offset_bytes) : offset_bytes;
  made.offsets_bytes = has_gaps ? 2 * made.ends_behind : padded((segments + 1) * offset_bytes);
  made.in_bytes = made.items_bytes + made.offsets_bytes;
  made.out_bytes = padded((is_sum ? segments : which.items) * result_bytes);
  made.read_bytes = padded(read_items * item_bytes) + made.offsets_bytes;
  made.written_bytes = padded((is_sum ? segments : read_items) * result_bytes);
  made.keys_bytes = has_keys ? padded(which.items * sizeof(std::uint32_t)) : 0;
  return made;
}

void fill_inputs(const row& which, std::uint64_t segments, std::byte* memory, std::uint64_t slots, cudaStream_t stream)
{
  with_types(which,
             [&](auto of)
             {
               using in = typename decltype(of)::in;
               using out = typename decltype(of)::out;
               using offset = typename decltype(of)::offset;
               const slot each = slot_of(which, segments);
               if (each.offsets_bytes != 0)
               {
                 auto* const begins = reinterpret_cast<offset*>(memory + each.items_bytes);
                 fill_offsets(which, segments, begins, begins + each.ends_behind / sizeof(offset), stream);
               }
               const segment_bounds<offset> where = bounds_of<offset>(which, segments, each, memory);
               check_offsets(which, where, stream);
               const std::uint64_t items = items_of(which);
               if (items != 0)
               {
                 fill_items_kernel<in, out>
                     <<<blocks_for(items), block_threads, 0, stream>>>(reinterpret_cast<in*>(memory), items);
                 check(cudaGetLastError(), "writing the items");
               }
               if (each.keys_bytes != 0)
               {
                 fill_keys_kernel<<<blocks_for(items), block_threads, 0, stream>>>(
                     where, reinterpret_cast<std::uint32_t*>(memory + each.moved_bytes()), items);
                 check(cudaGetLastError(), "writing the keys");
               }
               copy_to_all_slots(memory, each.bytes(), each.bytes(), slots, stream);
             });
}

void count_wrong_results(const row& which, std::uint64_t segments, const std::byte* memory, std::uint64_t slots,
                         unsigned* wrong, cudaStream_t stream)
{
  with_types(which,
             [&](auto of)
             {
               using in = typename decltype(of)::in;
               using out = typename decltype(of)::out;
               using offset = typename decltype(of)::offset;
               const slot each = slot_of(which, segments);
               const segment_bounds<offset> where = bounds_of<offset>(which, segments, each, memory);
               const bool is_sum = which.operation == operation::sum;
               const dim3 grid(blocks_for(is_sum ? segments : which.items), static_cast<unsigned>(slots));
               if (is_sum)
               {
                 count_wrong_sums_kernel<in, out>
                     <<<grid, block_threads, 0, stream>>>(where, memory + each.in_bytes, each.bytes(), wrong);
               }
               else
               {
                 count_wrong_scans_kernel<in, out>
                     <<<grid, block_threads, 0, stream>>>(where, memory + each.in_bytes, each.bytes(), which.items, wrong);
               }
               check(cudaGetLastError(), "checking results");
             });
}

} // namespace perf::segments
