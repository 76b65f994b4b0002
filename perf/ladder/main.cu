// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-ladder: every rung of the ladder beside the CPU, Thrust, CUB, the default and the hardware's limit, in the four
//! tables of docs/ladder.md. Times are GPU times inside a graph over buffers larger than the L2 cache; of calls that wait,
//! and of the CPU, the host's.
#include "common/device.hpp"
#include "common/limit.hpp"
#include "common/program.hpp"
#include "common/upstream.cuh"

#include <reheat/ladder.cuh>
#include <timing/clocks.hpp>
#include <timing/statistics.hpp>

#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cuda_fp16.h>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <regex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace perf
{
namespace
{

using nlohmann::json;
namespace ladder = reheat::ladder;

// ---- what is called ------------------------------------------------------------------------------------------------------

//! A call on one slot of the ring. A reduction leaves its result at the beginning of `out`, in device memory.
struct rung_call
{
  std::string name;
  std::function<void(const void* in, void* out, cudaStream_t stream)> run;
  bool waits = false; //!< it can not be captured: its time is the host's
};

template <class T>
const T* items_at(const void* memory)
{
  return static_cast<const T*>(memory);
}

template <class T, class Policy>
void scan(const Policy& policy, const void* in, void* out, std::uint64_t items)
{
  thrust::inclusive_scan(policy, items_at<T>(in), items_at<T>(in) + items, static_cast<T*>(out), thrust::plus<T>{});
}

template <class T, class Rung>
rung_call scan_rung(const char* name, std::uint64_t items)
{
  return {name, [items](const void* in, void* out, cudaStream_t stream)
          { scan<T>(reheat::par_nosync.with(Rung{}).on(stream), in, out, items); }};
}

template <class T, class Policy>
void reduce_and_copy(const Policy& policy, const void* in, void* out, std::uint64_t items, cudaStream_t stream)
{
  const T value = thrust::reduce(policy, items_at<T>(in), items_at<T>(in) + items, T{}, thrust::plus<T>{});
  timing::check(cudaMemcpyAsync(out, &value, sizeof(T), cudaMemcpyHostToDevice, stream), "copying a result to the GPU");
}

template <class T, class Rung>
rung_call reduce_rung(const char* name, std::uint64_t items)
{
  if constexpr (Rung::finishes_on_host)
  {
    return {name,
            [items](const void* in, void* out, cudaStream_t stream)
            { reduce_and_copy<T>(reheat::par.with(Rung{}).on(stream), in, out, items, stream); },
            true};
  }
  else
  {
    return {name, [items](const void* in, void* out, cudaStream_t stream)
            {
              reheat::reduce_into(reheat::par_nosync.on(stream).with(Rung{}), items_at<T>(in), items_at<T>(in) + items,
                                  static_cast<T*>(out), T{}, thrust::plus<T>{});
            }};
  }
}

//! Memory that CUB asks for, made at the first call, which is never captured.
class cub_scratch
{
public:
  template <class F>
  void run(F call)
  {
    if (!memory_)
    {
      std::size_t bytes = 0;
      check_cub(call(nullptr, bytes));
      memory_ = std::make_shared<timing::device_memory>(bytes + 1);
      bytes_ = bytes;
    }
    check_cub(call(memory_->data(), bytes_));
  }

private:
  std::shared_ptr<timing::device_memory> memory_;
  std::size_t bytes_ = 0;
};

template <class T>
std::vector<rung_call> scan_baselines(std::uint64_t items)
{
  auto scratch = std::make_shared<cub_scratch>();
  return {{"thrust", [items](const void* in, void* out, cudaStream_t stream)
           { scan<T>(thrust::cuda::par_nosync.on(stream), in, out, items); }},
          {"cub",
           [items, scratch](const void* in, void* out, cudaStream_t stream)
           {
             scratch->run(
                 [&](void* memory, std::size_t& bytes)
                 {
                   return cub::DeviceScan::InclusiveScan(memory, bytes, items_at<T>(in), static_cast<T*>(out),
                                                         thrust::plus<T>{}, static_cast<int>(items), stream);
                 });
           }},
          {"default", [items](const void* in, void* out, cudaStream_t stream)
           { scan<T>(reheat::par_nosync.on(stream), in, out, items); }}};
}

template <class T>
std::vector<rung_call> reduce_baselines(std::uint64_t items)
{
  auto scratch = std::make_shared<cub_scratch>();
  return {{"thrust",
           [items](const void* in, void* out, cudaStream_t stream)
           { reduce_and_copy<T>(thrust::cuda::par.on(stream), in, out, items, stream); },
           true},
          {"cub",
           [items, scratch](const void* in, void* out, cudaStream_t stream)
           {
             scratch->run(
                 [&](void* memory, std::size_t& bytes)
                 {
                   return cub::DeviceReduce::Reduce(memory, bytes, items_at<T>(in), static_cast<T*>(out),
                                                    static_cast<int>(items), thrust::plus<T>{}, T{}, stream);
                 });
           }},
          {"default", [items](const void* in, void* out, cudaStream_t stream)
           {
             reheat::reduce_into(reheat::par_nosync.on(stream), items_at<T>(in), items_at<T>(in) + items,
                                 static_cast<T*>(out), T{}, thrust::plus<T>{});
           }}};
}

// ---- the tables ----------------------------------------------------------------------------------------------------------

//! One size and type of one table: its rows, its items, and what they should come to.
struct table_part
{
  int table;
  std::string type;
  bool is_scan;
  std::uint64_t items;
  std::size_t item_bytes;
  std::vector<rung_call> rows;
  std::function<long double(const unsigned char*)> number; //!< of an item's bytes
  bool must_be_exact;
  void (*fill)(table_part&);        //!< makes what follows
  std::vector<unsigned char> input; //!< the items' bytes
  long double exact;                //!< the last item of the scan, or the sum
  double cpu_seconds;
  long double cpu_result;
};

template <class T>
struct type_name;
template <>
struct type_name<std::int32_t>
{
  static constexpr const char* text = "i32";
};
template <>
struct type_name<float>
{
  static constexpr const char* text = "f32";
};
template <>
struct type_name<double>
{
  static constexpr const char* text = "f64";
};
template <>
struct type_name<__half>
{
  static constexpr const char* text = "f16";
};

//! Random small integers, of which every order of additions makes the same; or the texts' constant.
template <class T>
std::vector<T> make_input(std::uint64_t items)
{
  std::vector<T> input(items);
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
  {
    std::fill(input.begin(), input.end(), static_cast<T>(1.23));
  }
  else
  {
    std::mt19937 random(1);
    for (std::uint64_t i = 0; i < items; ++i)
    {
      // Of 16-bit floats, sums up to 2048 are exact: as many ones as minus ones.
      input[i] = std::is_same_v<T, __half> ? T(i % 2 == 0 ? 1 : -1) : T(static_cast<int>(random() % 15));
    }
  }
  return input;
}

template <class T>
long double to_number(T value)
{
  if constexpr (std::is_same_v<T, __half>)
  {
    return static_cast<float>(value);
  }
  else
  {
    return value;
  }
}

//! Makes the part's input, and what it comes to: exactly, and in one loop on the host.
template <class T>
void fill(table_part& part)
{
  const std::vector<T> input = make_input<T>(part.items);
  part.exact = 0;
  for (const T& item : input)
  {
    part.exact += to_number(item);
  }
  std::vector<T> output(part.is_scan ? part.items : 1);
  T sum{};
  part.cpu_seconds = timing::wall_seconds(
      [&]
      {
        for (std::uint64_t i = 0; i < part.items; ++i)
        {
          sum = static_cast<T>(sum + input[i]);
          if (part.is_scan)
          {
            output[i] = sum;
          }
        }
        output.back() = sum;
      });
  part.cpu_result = to_number(output.back());
  const auto* const bytes = reinterpret_cast<const unsigned char*>(input.data());
  part.input.assign(bytes, bytes + part.items * sizeof(T));
}

template <class T>
table_part make_part(int table, bool is_scan, std::uint64_t items, std::vector<rung_call> rows)
{
  table_part made{};
  made.table = table;
  made.type = type_name<T>::text;
  made.is_scan = is_scan;
  made.items = items;
  made.item_bytes = sizeof(T);
  made.rows = std::move(rows);
  for (rung_call& each : is_scan ? scan_baselines<T>(items) : reduce_baselines<T>(items))
  {
    made.rows.push_back(std::move(each));
  }
  made.must_be_exact = !std::is_same_v<T, float> && !std::is_same_v<T, double>;
  made.number = [](const unsigned char* bytes)
  {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return to_number(value);
  };
  made.fill = fill<T>;
  return made;
}

#define SCAN(T, NAME) scan_rung<T, ladder::NAME##_t>(#NAME, items)
#define REDUCE(T, NAME) reduce_rung<T, ladder::NAME##_t>(#NAME, items)

table_part scan_then_fan(std::uint64_t items)
{
  using T = std::int32_t;
  return make_part<T>(1, true, items,
                      {SCAN(T, scan_then_fan_serial), SCAN(T, scan_then_fan_shared), SCAN(T, scan_then_fan_warps),
                       SCAN(T, scan_then_fan_kogge_stone), SCAN(T, scan_then_fan_padded), SCAN(T, scan_then_fan_recursive),
                       SCAN(T, scan_then_fan_shuffle), SCAN(T, scan_then_fan_predicated),
                       SCAN(T, reduce_then_scan_recursive), SCAN(T, reduce_then_scan_two_pass), SCAN(T, chained_scan),
                       SCAN(T, decoupled_lookback)});
}

template <class T>
table_part hillis_steele(std::uint64_t items)
{
  return make_part<T>(2, true, items, {SCAN(T, hillis_steele_global), SCAN(T, hillis_steele_shared)});
}

table_part trees(std::uint64_t items)
{
  using T = std::int32_t;
  return make_part<T>(3, false, items,
                      {REDUCE(T, reduce_multiple_kernels), REDUCE(T, reduce0_interleaved_modulo),
                       REDUCE(T, reduce1_interleaved_strided), REDUCE(T, reduce2_sequential_addressing),
                       REDUCE(T, reduce3_first_add_on_load), REDUCE(T, reduce4_last_warp_shuffle),
                       REDUCE(T, reduce5_unrolled), REDUCE(T, reduce6_grid_stride), REDUCE(T, reduce7_warp_then_warp)});
}

table_part matrix_units(std::uint64_t items)
{
  return make_part<__half>(3, false, items, {REDUCE(__half, reduce_tensor_core_16), REDUCE(__half, reduce_tensor_core_256)});
}

template <class T>
table_part halvings(std::uint64_t items)
{
  return make_part<T>(4, false, items,
                      {REDUCE(T, reduce_halving_global), REDUCE(T, reduce_halving_static_shared),
                       REDUCE(T, reduce_halving_dynamic_shared), REDUCE(T, reduce_atomic_finish),
                       REDUCE(T, reduce_warp_synchronous), REDUCE(T, reduce_shuffle), REDUCE(T, reduce_cooperative_groups)});
}

#undef SCAN
#undef REDUCE

// Every rung has a row in one of them.
#define ONE(...) +1
static_assert(0 REHEAT_LADDER_SCANS(ONE) == 12 + 2, "a scan of the ladder is missing in the tables");
static_assert(0 REHEAT_LADDER_REDUCTIONS(ONE) == 9 + 2 + 7, "a reduction of the ladder is missing in the tables");
#undef ONE

// ---- measuring -----------------------------------------------------------------------------------------------------------

class ladder_bench
{
public:
  //! `filter`: only rows whose name has a match. `once`: each runs once, is checked, and not timed.
  ladder_bench(const device& gpu, const std::string& filter, bool once) : gpu_(gpu), filter_(filter), once_(once) {}

  json measure(table_part part)
  {
    json rows = json::array();
    const std::string prefix =
        "ladder/" + std::to_string(part.table) + "/" + part.type + "/" + std::to_string(part.items) + "/";
    const auto wanted = [&](const rung_call& each) { return std::regex_search(prefix + each.name, filter_); };
    if (std::none_of(part.rows.begin(), part.rows.end(), wanted))
    {
      return rows;
    }
    part.fill(part);
    const std::size_t in_bytes = part.items * part.item_bytes;
    const std::size_t stride = (in_bytes + 511) / 256 * 256;
    const std::size_t moved = in_bytes * (part.is_scan ? 2 : 1);
    const std::size_t slots = std::max<std::size_t>(1, (4 * gpu_.l2_bytes() + moved - 1) / moved);
    const timing::device_memory in(slots * stride), out(slots * (part.is_scan ? stride : 256));
    const std::size_t out_stride = part.is_scan ? stride : 256;
    for (std::size_t slot = 0; slot < slots; ++slot)
    {
      timing::check(cudaMemcpyAsync(in.data() + slot * stride, part.input.data(), in_bytes, cudaMemcpyHostToDevice, stream_),
                    "copying the input to the GPU");
    }
    const auto add = [&](const std::string& name, double seconds, bool host_time)
    {
      rows.push_back({{"name", prefix + name},
                      {"real_time", seconds * 1e6},
                      {"time_unit", "us"},
                      {"bytes", moved},
                      {"host_time", host_time}});
      std::printf("%-70s %12.2f us %8.1f GB/s\n", rows.back()["name"].get<std::string>().c_str(), seconds * 1e6,
                  static_cast<double>(moved) / seconds * 1e-9);
      std::fflush(stdout);
    };
    const auto add_result = [&](long double result)
    {
      rows.back()["result"] = static_cast<double>(result);
      rows.back()["error"] = static_cast<double>(result - part.exact);
    };
    if (!once_)
    {
      add("cpu_sequential", part.cpu_seconds, true);
      add_result(part.cpu_result);
      add("limit", limit_seconds(part, in, stride, out, out_stride, slots), false);
    }

    for (const rung_call& each : part.rows)
    {
      if (!wanted(each))
      {
        continue;
      }
      timing::check(cudaMemsetAsync(out.data(), 0xff, out.bytes(), stream_), "overwriting the output");
      each.run(in.data(), out.data(), stream_);
      timing::check(cudaStreamSynchronize(stream_), "running " + each.name);
      const long double result = last_item(part, out);
      if (part.must_be_exact && result != part.exact)
      {
        throw std::runtime_error(each.name + ": " + std::to_string(part.items) + " items of " + part.type +
                                 " come to a wrong result");
      }
      if (!once_)
      {
        add(each.name, seconds_of(each, in, stride, out, out_stride, slots), each.waits);
        add_result(result);
      }
    }
    return rows;
  }

private:
  static long double last_item(const table_part& part, const timing::device_memory& out)
  {
    std::vector<unsigned char> bytes(part.item_bytes);
    timing::check(cudaMemcpy(bytes.data(), out.data() + (part.is_scan ? (part.items - 1) * part.item_bytes : 0),
                             bytes.size(), cudaMemcpyDeviceToHost),
                  "copying a result from the GPU");
    return part.number(bytes.data());
  }

  double limit_seconds(const table_part& part, const timing::device_memory& in, std::size_t in_stride,
                       const timing::device_memory& out, std::size_t out_stride, std::size_t slots)
  {
    std::vector<double> seconds;
    for (const mover& each : part.is_scan ? copiers() : readers())
    {
      const rung_call move{each.name, [&](const void* from, void* to, cudaStream_t stream)
                           { each.enqueue(from, part.is_scan ? to : nullptr, part.items * part.item_bytes, stream); }};
      seconds.push_back(seconds_of(move, in, in_stride, out, out_stride, slots));
    }
    return *std::min_element(seconds.begin(), seconds.end());
  }

  double seconds_of(const rung_call& call, const timing::device_memory& in, std::size_t in_stride,
                    const timing::device_memory& out, std::size_t out_stride, std::size_t slots)
  {
    const auto on_slot = [&](std::size_t slot)
    { call.run(in.data() + slot * in_stride, out.data() + slot * out_stride, stream_); };
    const auto waiting = [&](std::size_t slot)
    {
      on_slot(slot);
      timing::check(cudaStreamSynchronize(stream_), "waiting for " + call.name);
    };
    const double once = std::min(timing::wall_seconds([&] { waiting(0); }), timing::wall_seconds([&] { waiting(0); }));
    if (call.waits)
    {
      std::vector<double> seconds;
      for (std::size_t i = 0; i < 11; ++i)
      {
        seconds.push_back(timing::wall_seconds([&] { waiting(i % slots); }));
      }
      return timing::median(seconds);
    }
    const std::size_t calls = once > 2e-3 ? 1 : slots;
    const timing::graph graph(stream_,
                              [&]
                              {
                                for (std::size_t i = 0; i < calls; ++i)
                                {
                                  on_slot(i);
                                }
                              });
    const std::vector<double> seconds =
        timing::graph_seconds(graph, stream_, once > 2e-3 ? 3 : 7, clock_.flush(), slots == 1);
    return timing::median(seconds) / static_cast<double>(calls);
  }

  const device& gpu_;
  std::regex filter_;
  bool once_;
  timing::stream stream_;
  timing::cold_clock clock_{stream_};
};

int start(CLI::App& app, int argc, char** argv)
{
  std::string path, filter;
  bool once = false;
  app.description("Measures every rung of the ladder. docs/ladder.md tells what they are.");
  app.add_option("--json", path, "Write the results to this file");
  app.add_option("--filter", filter, "Only rows whose name has a match of this regular expression");
  app.add_flag("--once", once, "Run each row once and do not time it: for a profiler");
  app.parse(argc, argv);
  device gpu;
  std::printf("%s\n", gpu.name().c_str());
  ladder_bench bench(gpu, filter, once);
  json results = {{"context",
                   {{"gpu", gpu.name()},
                    {"driver", gpu.driver()},
                    {"cuda", gpu.runtime()},
                    {"cccl", std::to_string(THRUST_VERSION / 100000) + "." + std::to_string(THRUST_VERSION / 100 % 1000) +
                                 "." + std::to_string(THRUST_VERSION % 100)},
                    {"command", "reheat-ladder --json " + path.substr(path.rfind('/') + 1)}}},
                  {"benchmarks", json::array()}};
#define DESCRIBE(NAME, WHAT) results["context"]["rungs"][#NAME] = WHAT;
  REHEAT_LADDER_SCANS(DESCRIBE)
  REHEAT_LADDER_REDUCTIONS(DESCRIBE)
#undef DESCRIBE
  const auto add = [&](const table_part& part)
  {
    for (json& row : bench.measure(part))
    {
      results["benchmarks"].push_back(std::move(row));
    }
  };
  for (const std::uint64_t items : {std::uint64_t{1} << 20, std::uint64_t{1} << 27})
  {
    add(scan_then_fan(items));
    add(trees(items));
    add(matrix_units(items));
  }
  add(hillis_steele<float>(1000000));
  add(hillis_steele<double>(1000000));
  add(halvings<float>(100000000));
  add(halvings<double>(100000000));
  if (!path.empty())
  {
    std::ofstream file(path);
    file << results.dump(1) << '\n';
    if (!file.flush())
    {
      throw std::runtime_error("writing " + path + " failed: is there room, and may it be written?");
    }
  }
  return 0;
}

} // namespace
} // namespace perf

int main(int argc, char** argv)
{
  return perf::run_program("reheat-ladder", perf::start, argc, argv);
}
