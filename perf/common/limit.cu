// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "common/limit.hpp"

#include <timing/cuda.hpp>

#include <cuda_runtime.h>

#include <stdexcept>

namespace perf
{
namespace
{

using timing::check;

constexpr unsigned copy_threads = 512; // × 16 bytes = 8 KiB per block: the fastest plain copy on an NVIDIA H200 from 1 GB on

// Bytes behind the last whole word are moved one by one: misaligned lengths have a limit, too.
__global__ void __launch_bounds__(copy_threads) copy_kernel(const uint4* from, uint4* to, std::size_t bytes)
{
  const std::size_t words = bytes / sizeof(uint4);
  const std::size_t i = std::size_t{blockIdx.x} * copy_threads + threadIdx.x;
  if (i < words)
  {
    to[i] = from[i];
  }
  else if (i == words)
  {
    for (std::size_t at = words * sizeof(uint4); at < bytes; ++at)
    {
      reinterpret_cast<unsigned char*>(to)[at] = reinterpret_cast<const unsigned char*>(from)[at];
    }
  }
}

__device__ unsigned folded(uint4 word)
{
  return word.x ^ word.y ^ word.z ^ word.w;
}

// Each block reads `Loads` words per thread at a time, all requested before the first is used, from the first of its tiles
// to the last, `gridDim.x` tiles apart. The exclusive or of everything is stored only if it is `wanted`, or if `store` says
// so: without a use the loads would be left out.
template <unsigned Threads, unsigned Loads>
__global__ void __launch_bounds__(Threads)
    read_kernel(const uint4* from, std::size_t bytes, unsigned wanted, bool store, unsigned* found)
{
  const std::size_t words = bytes / sizeof(uint4);
  constexpr std::size_t tile_words = std::size_t{Threads} * Loads;
  unsigned seen = 0;
  for (std::size_t tile = std::size_t{blockIdx.x} * tile_words; tile < words; tile += gridDim.x * tile_words)
  {
    uint4 word[Loads];
#pragma unroll
    for (unsigned l = 0; l < Loads; ++l)
    {
      const std::size_t i = tile + l * Threads + threadIdx.x;
      word[l] = i < words ? from[i] : uint4{};
    }
#pragma unroll
    for (unsigned l = 0; l < Loads; ++l)
    {
      seen ^= folded(word[l]);
    }
  }
  if (blockIdx.x == 0 && threadIdx.x == 0)
  {
    for (std::size_t at = words * sizeof(uint4); at < bytes; ++at)
    {
      seen ^= unsigned{reinterpret_cast<const unsigned char*>(from)[at]} << at % sizeof(unsigned) * 8;
    }
  }
  if (store || seen == wanted)
  {
    atomicXor(found, seen);
  }
}

__global__ void nothing_kernel() {}

__global__ void flag_kernel(unsigned value, volatile unsigned* flag)
{
  *flag = value;
}

// A thread's exclusive or of random items is this number once in 2^32 times; it is then written where nobody looks.
constexpr unsigned unlikely = 0x9e3779b9u;

unsigned multiprocessors()
{
  static const unsigned count = []
  {
    int device = 0, value = 0;
    check(cudaGetDevice(&device), "asking for the current CUDA device");
    check(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device), "asking for the multiprocessors");
    return static_cast<unsigned>(value);
  }();
  return count;
}

// Waves: 0 for one tile per block, else that many blocks per multiprocessor.
template <unsigned Threads, unsigned Loads, unsigned Waves>
void enqueue_read(const void* from, std::size_t bytes, bool store, unsigned* found, cudaStream_t stream)
{
  constexpr std::size_t tile_bytes = std::size_t{Threads} * Loads * sizeof(uint4);
  std::size_t blocks = (bytes + tile_bytes - 1) / tile_bytes;
  blocks = Waves != 0 && blocks > Waves * multiprocessors() ? Waves * multiprocessors() : blocks;
  read_kernel<Threads, Loads><<<static_cast<unsigned>(blocks), Threads, 0, stream>>>(static_cast<const uint4*>(from), bytes,
                                                                                     unlikely, store, found);
  check(cudaGetLastError(), "launching a read-only kernel");
}

// Where the unlikely result goes.
unsigned* sink()
{
  static const timing::device_memory memory(sizeof(unsigned));
  return reinterpret_cast<unsigned*>(memory.data());
}

template <unsigned Threads, unsigned Loads, unsigned Waves>
struct shape
{
  static std::string name()
  {
    const std::string tile = "read, " + std::to_string(Threads) + " x " + std::to_string(Loads);
    return Waves == 0 ? tile : tile + ", " + std::to_string(Waves) + " blocks per multiprocessor";
  }
  static void enqueue(const void* from, void*, std::size_t bytes, cudaStream_t stream)
  {
    enqueue_read<Threads, Loads, Waves>(from, bytes, false, sink(), stream);
  }
  static void enqueue_stored(const void* from, std::size_t bytes, unsigned* found, cudaStream_t stream)
  {
    enqueue_read<Threads, Loads, Waves>(from, bytes, true, found, stream);
  }
};

template <class Visit>
void for_each_shape(Visit visit)
{
  visit(shape<256, 1, 0>{});
  visit(shape<256, 4, 0>{});
  visit(shape<512, 4, 0>{});
  visit(shape<256, 8, 0>{});
  visit(shape<256, 4, 8>{});
  visit(shape<512, 8, 2>{});
}

} // namespace

const std::vector<mover>& copiers()
{
  static const std::vector<mover> all{
      {"memcpy node",
       [](const void* from, void* to, std::size_t bytes, cudaStream_t stream)
       { check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "enqueueing a copy"); },
       false},
      {"copy kernel",
       [](const void* from, void* to, std::size_t bytes, cudaStream_t stream)
       {
         const std::size_t threads = bytes / sizeof(uint4) + 1;
         const auto blocks = static_cast<unsigned>((threads + copy_threads - 1) / copy_threads);
         copy_kernel<<<blocks, copy_threads, 0, stream>>>(static_cast<const uint4*>(from), static_cast<uint4*>(to), bytes);
         check(cudaGetLastError(), "launching the copy kernel");
       },
       true}};
  return all;
}

const std::vector<mover>& readers()
{
  static const std::vector<mover> all = []
  {
    std::vector<mover> made;
    for_each_shape([&](auto each) { made.push_back({each.name(), each.enqueue, true}); });
    return made;
  }();
  return all;
}

void check_readers(cudaStream_t stream)
{
  std::vector<unsigned> host(3000017); // odd, and several tiles for every block
  unsigned expected = 0;
  for (std::size_t i = 0; i < host.size(); ++i)
  {
    host[i] = static_cast<unsigned>(i) * 2654435761u + 12345u;
    expected ^= host[i];
  }
  const timing::device_memory memory(host.size() * sizeof(unsigned)), found(sizeof(unsigned));
  auto* const result = reinterpret_cast<unsigned*>(found.data());
  check(cudaMemcpyAsync(memory.data(), host.data(), memory.bytes(), cudaMemcpyHostToDevice, stream), "copying to the GPU");
  for_each_shape(
      [&](auto each)
      {
        unsigned made = 0;
        check(cudaMemsetAsync(result, 0, sizeof(made), stream), "clearing GPU memory");
        each.enqueue_stored(memory.data(), memory.bytes(), result, stream);
        check(cudaMemcpyAsync(&made, result, sizeof(made), cudaMemcpyDeviceToHost, stream), "checking a read-only kernel");
        check(cudaStreamSynchronize(stream), "checking a read-only kernel");
        if (made != expected)
        {
          throw std::runtime_error("the kernel \"" + each.name() + "\" does not read what it should");
        }
      });
}

void enqueue_nothing(cudaStream_t stream)
{
  nothing_kernel<<<1, 1, 0, stream>>>();
  check(cudaGetLastError(), "launching an empty kernel");
}

void enqueue_flag(unsigned value, unsigned* flag, cudaStream_t stream)
{
  flag_kernel<<<1, 1, 0, stream>>>(value, flag);
  check(cudaGetLastError(), "launching a kernel that writes a flag");
}

} // namespace perf
