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

// At the beginning of a kernel that may have been launched early.
template <bool Early>
__device__ void wait_and_let_the_next_launch_start()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  if constexpr (Early)
  {
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
  }
#endif
}

// Bytes behind the last whole word are moved one by one: misaligned lengths have a limit, too.
template <bool Early>
__global__ void __launch_bounds__(copy_threads) copy_kernel(const uint4* from, uint4* to, std::size_t bytes)
{
  wait_and_let_the_next_launch_start<Early>();
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
template <unsigned Threads, unsigned Loads, bool Early>
__global__ void __launch_bounds__(Threads)
    read_kernel(const uint4* from, std::size_t bytes, unsigned wanted, bool store, unsigned* found)
{
  wait_and_let_the_next_launch_start<Early>();
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

constexpr unsigned foreign_threads = 256;
__global__ void __launch_bounds__(foreign_threads) foreign_kernel(unsigned* out)
{
  const unsigned i = blockIdx.x * foreign_threads + threadIdx.x;
  out[i] = i;
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

// Early: the launch may start early.
template <bool Early, class... Parameters, class... Arguments>
void launch(const char* attempted, void (*kernel)(Parameters...), unsigned blocks, unsigned threads, cudaStream_t stream,
            Arguments... arguments)
{
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = Early ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), attempted);
}

// Whether the kernels here, which are all compiled alike, wait where they begin.
bool has_early_launches()
{
  cudaFuncAttributes found = {};
  check(cudaFuncGetAttributes(&found, copy_kernel<true>), "asking what a kernel was compiled for");
  return found.ptxVersion >= 90;
}

template <bool Early>
void enqueue_copy(const void* from, void* to, std::size_t bytes, cudaStream_t stream)
{
  const std::size_t threads = bytes / sizeof(uint4) + 1;
  const auto blocks = static_cast<unsigned>((threads + copy_threads - 1) / copy_threads);
  launch<Early>("launching the copy kernel", copy_kernel<Early>, blocks, copy_threads, stream,
                static_cast<const uint4*>(from), static_cast<uint4*>(to), bytes);
}

// Waves: 0 for one tile per block, else that many blocks per multiprocessor.
template <unsigned Threads, unsigned Loads, unsigned Waves, bool Early>
void enqueue_read(const void* from, std::size_t bytes, bool store, unsigned* found, cudaStream_t stream)
{
  constexpr std::size_t tile_bytes = std::size_t{Threads} * Loads * sizeof(uint4);
  std::size_t blocks = (bytes + tile_bytes - 1) / tile_bytes;
  blocks = Waves != 0 && blocks > Waves * multiprocessors() ? Waves * multiprocessors() : blocks;
  launch<Early>("launching a read-only kernel", read_kernel<Threads, Loads, Early>, static_cast<unsigned>(blocks), Threads,
                stream, static_cast<const uint4*>(from), bytes, unlikely, store, found);
}

// Where the unlikely result goes.
unsigned* sink()
{
  static const timing::device_memory memory(sizeof(unsigned));
  return reinterpret_cast<unsigned*>(memory.data());
}

constexpr const char* early_suffix = ", early launches";

template <unsigned Threads, unsigned Loads, unsigned Waves, bool Early>
struct shape
{
  static std::string name()
  {
    const std::string tile = "read, " + std::to_string(Threads) + " x " + std::to_string(Loads);
    return (Waves == 0 ? tile : tile + ", " + std::to_string(Waves) + " blocks per multiprocessor") +
           (Early ? early_suffix : "");
  }
  static void enqueue(const void* from, void*, std::size_t bytes, cudaStream_t stream)
  {
    enqueue_read<Threads, Loads, Waves, Early>(from, bytes, false, sink(), stream);
  }
  static void enqueue_stored(const void* from, std::size_t bytes, unsigned* found, cudaStream_t stream)
  {
    enqueue_read<Threads, Loads, Waves, Early>(from, bytes, true, found, stream);
  }
};

template <bool Early, class Visit>
void for_each_shape(Visit visit)
{
  visit(shape<256, 1, 0, Early>{});
  visit(shape<256, 4, 0, Early>{});
  visit(shape<512, 4, 0, Early>{});
  visit(shape<256, 8, 0, Early>{});
  visit(shape<256, 4, 8, Early>{});
  visit(shape<512, 8, 2, Early>{});
}

template <bool Early>
std::vector<mover> readers_of_all_shapes()
{
  std::vector<mover> made;
  for_each_shape<Early>([&](auto each) { made.push_back({each.name(), each.enqueue, true}); });
  return made;
}

} // namespace

const std::vector<mover>& copiers()
{
  static const std::vector<mover> all{
      {"memcpy node",
       [](const void* from, void* to, std::size_t bytes, cudaStream_t stream)
       { check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "enqueueing a copy"); },
       false},
      {"copy kernel", enqueue_copy<false>, true}};
  return all;
}

const std::vector<mover>& readers()
{
  static const std::vector<mover> all = readers_of_all_shapes<false>();
  return all;
}

const std::vector<mover>& early_copiers()
{
  static const std::vector<mover> all =
      has_early_launches() ? std::vector<mover>{{std::string("copy kernel") + early_suffix, enqueue_copy<true>, true}}
                           : std::vector<mover>{};
  return all;
}

const std::vector<mover>& early_readers()
{
  static const std::vector<mover> all = has_early_launches() ? readers_of_all_shapes<true>() : std::vector<mover>{};
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
  const auto check_one = [&](auto each)
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
  };
  for_each_shape<false>(check_one);
  if (has_early_launches())
  {
    for_each_shape<true>(check_one);
  }
}

void enqueue_foreign(cudaStream_t stream)
{
  static const timing::device_memory memory(multiprocessors() * foreign_threads * sizeof(unsigned));
  foreign_kernel<<<multiprocessors(), foreign_threads, 0, stream>>>(reinterpret_cast<unsigned*>(memory.data()));
  check(cudaGetLastError(), "launching a foreign kernel");
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
