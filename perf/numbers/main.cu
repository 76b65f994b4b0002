// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-numbers: what the options for numbers cost, exact_sums, gpu_to_gpu and accumulate_in, beside calls without them,
//! and beside CUB's sums that have the same bits on every GPU, where the shared object of numbers/newest.hpp lies beside the
//! program. Times are GPU times of calls that follow each other inside a graph, medians. Inputs that fit the L2 cache stay
//! there.
#include "common/companion_object.hpp"
#include "common/device.hpp"
#include "common/program.hpp"
#include "numbers/newest.hpp"

#include <reheat/reheat.cuh>
#include <timing/clocks.hpp>
#include <timing/statistics.hpp>

#include <thrust/scan.h>

#include <CLI/CLI.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace perf
{
namespace
{

using json = nlohmann::ordered_json;

//! How numbers differ. All are finite.
enum class numbers
{
  uniform, //!< from 0 to 1
  normal,  //!< normally distributed, with mean 0 and variance 1
  spread,  //!< of both signs, and of all exponents from -20 to 20
  any,     //!< of both signs, and of all exponents from -120 to 120
  bits     //!< random bits
};
constexpr std::pair<const char*, numbers> all_numbers[] = {{"uniform", numbers::uniform},
                                                           {"normal", numbers::normal},
                                                           {"spread", numbers::spread},
                                                           {"any", numbers::any},
                                                           {"bits", numbers::bits}};

const char* name_of(numbers which)
{
  return std::find_if(std::begin(all_numbers), std::end(all_numbers), [&](const auto& each) { return each.second == which; })
      ->first;
}
std::vector<std::string> names_of_numbers()
{
  std::vector<std::string> names;
  for (const auto& each : all_numbers)
  {
    names.emplace_back(each.first);
  }
  return names;
}

__host__ __device__ std::uint64_t mixed(std::uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

constexpr unsigned fill_blocks = 1024, fill_threads = 256;

//! The i-th number of T. Larger exponents than 14 would overflow a __half.
template <class T>
__device__ double number_at(std::uint64_t i, numbers which)
{
  const std::uint64_t bits = mixed(i);
  const double unit = static_cast<double>(bits >> 11) * 0x1p-53;
  if (which == numbers::uniform)
  {
    return static_cast<float>(unit);
  }
  if (which == numbers::normal) // made of two numbers from 0 to 1; the first is never 0
  {
    return sqrt(-2 * log(1 - unit)) * cospi(2 * static_cast<double>(mixed(~i) >> 11) * 0x1p-53);
  }
  const int largest = std::is_same_v<T, __half> ? 14 : which == numbers::spread ? 20 : 120;
  const int exponent = static_cast<int>(bits % (2 * static_cast<unsigned>(largest) + 1)) - largest;
  return ((bits & 1) != 0 ? -1 : 1) * (0.5 + unit) * exp2(static_cast<double>(exponent));
}

//! The largest exponent of a T, which infinities and NaNs have.
template <class T>
__host__ __device__ constexpr std::uint64_t special_exponent()
{
  return std::is_same_v<T, double>   ? std::uint64_t{0x7ff} << 52
         : std::is_same_v<T, float>  ? std::uint64_t{0xff} << 23
         : std::is_same_v<T, __half> ? std::uint64_t{0x1f} << 10
                                     : std::uint64_t{0xff} << 7; // __nv_bfloat16
}

//! The i-th T of random bits. Where it would not be finite, its exponent is one less.
template <class T>
__device__ T bits_at(std::uint64_t i)
{
  constexpr std::uint64_t special = special_exponent<T>(), one = special & (0 - special);
  const std::uint64_t bits = mixed(i), finite = (bits & special) == special ? bits - one : bits;
  T number;
  memcpy(static_cast<void*>(&number), &finite, sizeof number); // of narrower numbers the low bits
  return number;
}

template <class T>
__global__ void fill_kernel(T* to, numbers which, std::uint64_t items)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < items; i += threads)
  {
    to[i] = which == numbers::bits ? bits_at<T>(i) : static_cast<T>(number_at<T>(i, which));
  }
}

struct options
{
  std::string path;
  std::vector<std::string> operations{"reduce", "inclusive_scan"};
  std::vector<std::string> exact_numbers = names_of_numbers();
  std::vector<unsigned> sizes{16, 20, 24, 26, 28, 30};
  unsigned launches = 9;
};

class bench
{
public:
  bench(const options& chosen, json& rows) : chosen_(chosen), rows_(rows) {}

  //! A row for each size: of calls `enqueue(policy, in, items, out)` of input and output of `In` and `Out`, which begin
  //! `behind` items behind an aligned address.
  template <class In, class Out, class Enqueue>
  void measure(const char* operation, const char* type, const char* option, numbers which, unsigned behind, bool scans,
               Enqueue enqueue)
  {
    if (std::find(chosen_.operations.begin(), chosen_.operations.end(), operation) == chosen_.operations.end())
    {
      return;
    }
    for (const unsigned size : chosen_.sizes)
    {
      const std::uint64_t items = (std::uint64_t{1} << size) / sizeof(In);
      const timing::device_memory in((items + behind) * sizeof(In)), out((scans ? items + behind : 1) * sizeof(Out));
      In* const from = reinterpret_cast<In*>(in.data()) + behind;
      Out* const to = reinterpret_cast<Out*>(out.data()) + (scans ? behind : 0);
      fill_kernel<<<fill_blocks, fill_threads, 0, stream_>>>(from, which, items);
      timing::check(cudaGetLastError(), "writing numbers");
      const unsigned calls = size <= 22 ? 20 : 4;
      const auto policy = reheat::par_nosync.on(stream_);
      const auto enqueue_all = [&]
      {
        for (unsigned i = 0; i < calls; ++i)
        {
          enqueue(policy, from, items, to);
        }
      };
      enqueue_all(); // kernels are loaded
      timing::check(cudaStreamSynchronize(stream_), "computing");
      const timing::graph graph(stream_, enqueue_all);
      const double us = timing::median(timing::graph_seconds(graph, stream_, chosen_.launches, flush_, false)) / calls * 1e6;
      std::printf("%-15s %-12s %-14s %-8s %2u %11llu bytes %9.2f us\n", operation, type, option, name_of(which), behind,
                  1ull << size, us);
      std::fflush(stdout);
      rows_.push_back({{"operation", operation},
                       {"type", type},
                       {"option", option},
                       {"numbers", name_of(which)},
                       {"behind", behind},
                       {"bytes", std::uint64_t{1} << size},
                       {"us", us}});
    }
  }

  cudaStream_t stream() const { return stream_; }

  //! Whether exact sums of such numbers are measured.
  bool sums_exactly(numbers which) const
  {
    const auto& chosen = chosen_.exact_numbers;
    return std::find(chosen.begin(), chosen.end(), name_of(which)) != chosen.end();
  }

private:
  const options& chosen_;
  json& rows_;
  timing::stream stream_;
  timing::l2_flush flush_;
};

//! Sums that have the same bits on every GPU, by a newer CUB, and the memory that they need.
class newest_cub
{
public:
  newest_cub()
  {
    const companion_object object(REHEAT_PERF_NUMBERS_NEWEST);
    if (object)
    {
      sum_ = object.function<newest_function>("reheat_perf_numbers_newest");
      version_ = object.function<newest_version_function>("reheat_perf_numbers_newest_version")();
    }
  }
  explicit operator bool() const { return sum_ != nullptr; }
  const char* version() const { return version_; }

  //! Allocates where an earlier call has not needed as much.
  template <class T>
  void sum(const T* in, std::uint64_t items, T* out, cudaStream_t stream)
  {
    std::size_t bytes = 0;
    call(in, items, out, nullptr, bytes, stream);
    if (!memory_ || memory_->bytes() < bytes)
    {
      memory_.emplace(bytes);
    }
    call(in, items, out, memory_->data(), bytes, stream);
  }

private:
  template <class T>
  void call(const T* in, std::uint64_t items, T* out, void* temp, std::size_t& bytes, cudaStream_t stream) const
  {
    timing::check(sum_(std::is_same_v<T, double>, in, out, items, temp, &bytes, stream),
                  "the newer cub::DeviceReduce::Sum of " + std::to_string(items) + " items with gpu_to_gpu");
  }

  newest_function* sum_ = nullptr;
  const char* version_ = "not built";
  std::optional<timing::device_memory> memory_;
};

template <class T>
void measure_cub(bench& with, newest_cub& cub, const char* type)
{
  if (cub)
  {
    with.measure<T, T>("reduce", type, "cub gpu_to_gpu", numbers::uniform, 0, false,
                       [&](const auto&, const T* in, std::uint64_t items, T* out)
                       { cub.sum(in, items, out, with.stream()); });
  }
}

template <class T>
void measure_sums(bench& with, const char* type)
{
  const auto sum = [](const auto& policy, const T* in, std::uint64_t items, T* out)
  { reheat::reduce_into(policy, in, in + items, out, T(0.0f)); };
  const auto exact_sum = [&](const auto& policy, const T* in, std::uint64_t items, T* out)
  { sum(policy.with(reheat::exact_sums), in, items, out); };
  with.measure<T, T>("reduce", type, "none", numbers::uniform, 0, false, sum);
  for (const auto& each : all_numbers)
  {
    if (with.sums_exactly(each.second))
    {
      with.measure<T, T>("reduce", type, "exact_sums", each.second, 0, false, exact_sum);
    }
  }
}

//! With `Option` and without it.
template <class In, class Out, class Option>
void measure_scans(bench& with, const char* type, const char* name, const Option& option, unsigned behind)
{
  with.measure<In, In>("inclusive_scan", type, "none", numbers::uniform, behind, true,
                       [](const auto& policy, const In* in, std::uint64_t items, In* out)
                       { thrust::inclusive_scan(policy, in, in + items, out); });
  with.measure<In, Out>("inclusive_scan", type, name, numbers::uniform, behind, true,
                        [&](const auto& policy, const In* in, std::uint64_t items, Out* out)
                        { thrust::inclusive_scan(policy.with(option), in, in + items, out); });
}

void measure_all(bench& with, newest_cub& cub)
{
  measure_sums<float>(with, "f32");
  measure_cub<float>(with, cub, "f32");
  measure_sums<double>(with, "f64");
  measure_cub<double>(with, cub, "f64");
  measure_sums<__half>(with, "f16");
  measure_sums<__nv_bfloat16>(with, "bf16");
  for (const unsigned behind : {0, 1})
  {
    measure_scans<float, float>(with, "f32", "gpu_to_gpu", reheat::gpu_to_gpu, behind);
    measure_scans<double, double>(with, "f64", "gpu_to_gpu", reheat::gpu_to_gpu, behind);
    measure_scans<__half, __half>(with, "f16", "gpu_to_gpu", reheat::gpu_to_gpu, behind);
  }
  measure_scans<__half, __half>(with, "f16 in f32", "accumulate_in", reheat::accumulate_in<float>, 0);
  measure_scans<float, float>(with, "f32 in f64", "accumulate_in", reheat::accumulate_in<double>, 0);
  measure_scans<std::int8_t, std::int8_t>(with, "i8 in i32", "accumulate_in", reheat::accumulate_in<int>, 0);
  measure_scans<std::int32_t, std::int32_t>(with, "i32 in i64", "accumulate_in", reheat::accumulate_in<std::int64_t>, 0);
  // Results as accumulators have them, which are more bytes than those of the calls without the option.
  measure_scans<__half, float>(with, "f16 to f32", "accumulate_in", reheat::accumulate_in<float>, 0);
  measure_scans<float, double>(with, "f32 to f64", "accumulate_in", reheat::accumulate_in<double>, 0);
  measure_scans<std::int8_t, int>(with, "i8 to i32", "accumulate_in", reheat::accumulate_in<int>, 0);
  measure_scans<std::int32_t, std::int64_t>(with, "i32 to i64", "accumulate_in", reheat::accumulate_in<std::int64_t>, 0);
}

int start(CLI::App& app, int argc, char** argv)
{
  options chosen;
  app.description("What exact_sums, gpu_to_gpu and accumulate_in cost. docs/numbers.md has the results.");
  app.add_option("--json", chosen.path, "Write the results to this file");
  app.add_option("--operation", chosen.operations, "reduce or inclusive_scan; without it both")
      ->delimiter(',')
      ->check(CLI::IsMember({"reduce", "inclusive_scan"}));
  app.add_option("--numbers", chosen.exact_numbers,
                 "Of which numbers exact sums are measured: uniform, normal, spread, any or bits; without it, of all")
      ->delimiter(',')
      ->check(CLI::IsMember(names_of_numbers()));
  app.add_option("--log2-bytes", chosen.sizes, "bytes of the input, as powers of two")
      ->delimiter(',')
      ->check(CLI::Range(10, 32));
  app.add_option("--launches", chosen.launches, "launches of each graph, whose median is printed")
      ->check(CLI::Range(1, 1000));
  app.parse(argc, argv);
  const device gpu;
  std::ofstream file;
  if (!chosen.path.empty())
  {
    file.open(chosen.path);
    if (!file)
    {
      throw std::runtime_error("writing " + chosen.path + " failed: is there such a folder, and may it be written?");
    }
  }
  newest_cub cub;
  json results = {{"gpu", gpu.name()},
                  {"driver", gpu.driver()},
                  {"cuda", gpu.runtime()},
                  {"newer_cub", cub.version()},
                  {"rows", json::array()}};
  std::printf("newer CUB: %s\n", cub.version());
  bench with(chosen, results["rows"]);
  measure_all(with, cub);
  if (file.is_open())
  {
    file << results.dump(1) << '\n';
    if (!file.flush())
    {
      throw std::runtime_error("writing " + chosen.path + " failed: is there room?");
    }
  }
  return 0;
}

} // namespace
} // namespace perf

int main(int argc, char** argv)
{
  return perf::run_program("reheat-numbers", &perf::start, argc, argv);
}
