// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-sort: reheat::DeviceRadixSort beside CUB's, of several types, sizes and distributions of keys. CUB has other
//! kernels for numbers of items of 32 and of 64 bits; Thrust passes 64. Times are GPU times inside a graph, medians; what is
//! sorted is compared with what CUB makes of it. Tiles are ranked again where shared atomics answered in another order than
//! that of lanes.
#include "common/device.hpp"
#include "common/program.hpp"

#include <reheat/device.cuh>
#include <timing/clocks.hpp>
#include <timing/statistics.hpp>

#include <cub/device/device_radix_sort.cuh>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace perf
{
namespace
{

// ---- keys ---------------------------------------------------------------------------------------------------------------

//! Distributions of keys; what they are called is in `names`.
enum class keys
{
  uniform,
  ascending,
  equal,
  sixteen_values,
  and_of_three,
  small,
};
constexpr std::pair<keys, const char*> all_keys[]{
    {keys::uniform, "uniform"},
    {keys::ascending, "ascending"},
    {keys::equal, "equal"},
    {keys::sixteen_values, "16 values"},
    {keys::and_of_three, "AND of three random words"},
    {keys::small, "below 1000"},
};

__host__ __device__ std::uint64_t mixed(std::uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

//! 64 bits; a shorter key has the highest of them.
__host__ __device__ std::uint64_t key_bits(keys which, std::uint64_t index, std::uint64_t items, unsigned key_size)
{
  const std::uint64_t bits = mixed(index);
  switch (which)
  {
    case keys::ascending:
      return index * (~std::uint64_t{0} / items);
    case keys::equal:
      return 0x123456789abcdef0u;
    case keys::sixteen_values:
      return mixed(bits % 16);
    case keys::and_of_three:
      return bits & mixed(bits) & mixed(bits + 1);
    case keys::small:
      return bits % 1000 << (64 - key_size);
    default:
      return bits;
  }
}

constexpr unsigned blocks = 1024, block_threads = 256;

template <class Key>
__global__ void fill_kernel(Key* to, std::uint32_t* values, keys which, std::uint64_t items)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < items; i += threads)
  {
    constexpr unsigned size = 8 * sizeof(Key);
    to[i] = static_cast<Key>(key_bits(which, i, items, size) >> (64 - size));
    values[i] = static_cast<std::uint32_t>(i);
  }
}
template <class T>
__global__ void count_differences_kernel(const T* x, const T* y, std::uint64_t items, unsigned long long* differences)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < items; i += threads)
  {
    if (x[i] != y[i])
    {
      atomicAdd(differences, 1ull);
    }
  }
}

// ---- calls --------------------------------------------------------------------------------------------------------------

template <class Key>
struct arrays
{
  const Key* keys_in;
  Key* keys_out;
  const std::uint32_t* values_in;
  std::uint32_t* values_out;
};

template <class Sort, bool Pairs, class NumItems, class Key>
cudaError_t sort(void* memory, std::size_t& bytes, const arrays<Key>& in, std::uint64_t items, cudaStream_t stream)
{
  const auto n = static_cast<NumItems>(items);
  if constexpr (Pairs)
  {
    return Sort::SortPairs(memory, bytes, in.keys_in, in.keys_out, in.values_in, in.values_out, n, 0, 8 * sizeof(Key),
                           stream);
  }
  else
  {
    return Sort::SortKeys(memory, bytes, in.keys_in, in.keys_out, n, 0, 8 * sizeof(Key), stream);
  }
}

class sorter
{
public:
  sorter(unsigned launches) : launches_(launches) {}

  //! Seconds of one sort, in a graph of some.
  template <class Sort, bool Pairs, class NumItems, class Key>
  double seconds(const arrays<Key>& in, std::uint64_t items)
  {
    std::size_t bytes = 0;
    timing::check(sort<Sort, Pairs, NumItems>(nullptr, bytes, in, items, stream_), "asking for temporary memory");
    const timing::device_memory memory(bytes);
    const unsigned calls = items <= std::uint64_t{1} << 22 ? 10 : 1;
    const auto enqueue = [&]
    {
      for (unsigned i = 0; i < calls; ++i)
      {
        timing::check(sort<Sort, Pairs, NumItems>(memory.data(), bytes, in, items, stream_), "sorting");
      }
    };
    timing::check(cudaMemsetAsync(memory.data(), 0, bytes, stream_), "clearing memory"); // sorts by ranges count no tiles
    enqueue();                                                                           // kernels are loaded
    timing::check(cudaStreamSynchronize(stream_), "sorting");
    const timing::graph graph(stream_, enqueue);
    const double result = timing::median(timing::graph_seconds(graph, stream_, launches_, flush_, false)) / calls;
    ranked_again_ = 0;
    if (std::is_same_v<Sort, reheat::DeviceRadixSort> && bytes > items * sizeof(Key)) // else there are no passes
    {
      const std::size_t word = reheat::detail::ranked_again_word(sizeof(Key)) * sizeof(std::uint32_t);
      timing::check(cudaMemcpy(&ranked_again_, reinterpret_cast<unsigned char*>(memory.data()) + word, sizeof ranked_again_,
                               cudaMemcpyDeviceToHost),
                    "asking how many tiles were ranked again");
    }
    return result;
  }

  //! A row of the table; returns how many keys and values differ from CUB's.
  template <class Key, bool Pairs>
  unsigned long long measure(const char* type, std::uint64_t items, keys which, const char* kind)
  {
    const timing::device_memory keys(3 * items * sizeof(Key)), values(3 * items * sizeof(std::uint32_t)),
        differences(sizeof(unsigned long long));
    Key* const first = reinterpret_cast<Key*>(keys.data());
    auto* const values_first = reinterpret_cast<std::uint32_t*>(values.data());
    fill_kernel<<<blocks, block_threads, 0, stream_>>>(first, values_first, which, items);
    timing::check(cudaGetLastError(), "writing keys");
    const arrays<Key> theirs{first, first + items, values_first, values_first + items};
    const arrays<Key> ours{first, first + 2 * items, values_first, values_first + 2 * items};
    const double cub_32 = seconds<cub::DeviceRadixSort, Pairs, int>(theirs, items);
    const double cub_64 = seconds<cub::DeviceRadixSort, Pairs, std::int64_t>(theirs, items);
    const double own = seconds<reheat::DeviceRadixSort, Pairs, std::int64_t>(ours, items);
    auto* const count = reinterpret_cast<unsigned long long*>(differences.data());
    timing::check(cudaMemsetAsync(count, 0, sizeof *count, stream_), "counting differences");
    count_differences_kernel<<<blocks, block_threads, 0, stream_>>>(theirs.keys_out, ours.keys_out, items, count);
    if (Pairs)
    {
      count_differences_kernel<<<blocks, block_threads, 0, stream_>>>(theirs.values_out, ours.values_out, items, count);
    }
    timing::check(cudaGetLastError(), "counting differences");
    unsigned long long found = 0;
    timing::check(cudaMemcpyAsync(&found, count, sizeof found, cudaMemcpyDeviceToHost, stream_), "counting differences");
    timing::check(cudaStreamSynchronize(stream_), "counting differences");
    const double best = cub_32 < cub_64 ? cub_32 : cub_64;
    std::printf("| %s | %s | %llu | %.1f | %.1f | %.1f | %.2f | %.2f%s | %u | %llu |\n", type, kind,
                static_cast<unsigned long long>(items), cub_32 * 1e6, cub_64 * 1e6, own * 1e6, cub_64 / own, best / own,
                best / own < 0.98 ? " ▼" : "", ranked_again_, found);
    std::fflush(stdout);
    return found;
  }

private:
  timing::stream stream_;
  timing::l2_flush flush_;
  unsigned launches_;
  std::uint32_t ranked_again_ = 0; //!< tiles, in the passes of the last sort of reheat's
};

int start(CLI::App& app, int argc, char** argv)
{
  std::vector<unsigned> sizes{10, 12, 14, 16, 18, 20, 22, 24, 26, 28};
  unsigned launches = 9;
  app.description("reheat::DeviceRadixSort beside CUB's, in microseconds");
  app.add_option("--log2-items", sizes, "sizes, as powers of two")->delimiter(',')->check(CLI::Range(1, 30));
  app.add_option("--launches", launches, "launches of each graph, whose median is printed")->check(CLI::Range(1, 1000));
  app.parse(argc, argv);
  const device gpu;
  std::printf(
      "%s, driver %s, CUDA %s\n\n| type | keys | items | CUB, 32-bit count | CUB, 64-bit count | reheat | times as fast "
      "| than the faster one | tiles ranked again | differing |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
      gpu.name().c_str(), gpu.driver().c_str(), gpu.runtime().c_str());
  sorter with(launches);
  unsigned long long differing = 0;
  for (const unsigned size : sizes)
  {
    const std::uint64_t items = std::uint64_t{1} << size;
    for (const auto& [which, kind] : all_keys)
    {
      differing += with.measure<std::uint32_t, false>("u32", items, which, kind);
      differing += with.measure<std::uint64_t, false>("u64", items, which, kind);
      differing += with.measure<std::uint32_t, true>("u32, u32", items, which, kind);
    }
  }
  if (differing != 0)
  {
    throw std::runtime_error(std::to_string(differing) + " keys and values differ from CUB's");
  }
  return 0;
}

} // namespace
} // namespace perf

int main(int argc, char** argv)
{
  return perf::run_program("reheat-sort", &perf::start, argc, argv);
}
