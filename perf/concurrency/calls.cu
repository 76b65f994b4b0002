// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "common/limit.hpp"
#include "common/upstream.cuh"
#include "concurrency/calls.hpp"

#include <reheat/reheat.cuh>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>
#include <thrust/count.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform.h>

#include <stdexcept>
#include <type_traits>

namespace perf::concurrency
{
namespace
{

struct made_item
{
  __host__ __device__ item operator()(std::uint64_t i) const { return static_cast<item>(i % 2); }
};

struct is_wrong
{
  const item* sums;
  __host__ __device__ bool operator()(std::uint64_t i) const { return sums[i] != static_cast<item>((i + 1) / 2); }
};

using index_iterator = thrust::counting_iterator<std::uint64_t>;

void enqueue_reheat(const item* in, item* out, std::uint64_t items, cudaStream_t stream)
{
  thrust::inclusive_scan(reheat::par_nosync.on(stream), in, in + items, out);
}

using as_it_is = reheat::detail::scan_tuning<sizeof(item)>;

//! In less shared memory: with one stage less, where the tiles ahead leave one to spare. Of the seven on sm_90, six.
struct with_6_stages : as_it_is
{
  REHEAT_HOST_DEVICE constexpr reheat::detail::scan_config operator()(int arch) const
  {
    auto made = as_it_is::operator()(arch);
    made.stages -= made.stages > made.lookahead_tiles + 2 ? 1 : 0;
    return made;
  }
};
struct with_6_stages_carved : with_6_stages // a kernel of its own, since the carve-out is a kernel's
{};

//! Free multiprocessors, whatever the size of the scan.
template <class Tuning, unsigned Free>
struct leaving_free : Tuning
{
  REHEAT_HOST_DEVICE constexpr reheat::detail::scan_config operator()(int arch) const
  {
    auto made = Tuning::operator()(arch);
    made.spare_sm_from_tiles = 0;
    made.spare_sms = Free;
    return made;
  }
};

//! The streaming scan, on so many multiprocessors less.
template <class Tuning, unsigned Free>
void enqueue_variant(const item* in, item* out, std::uint64_t items, cudaStream_t stream)
{
  using namespace reheat::detail;
  namespace runtime = reheat::runtime;
  using op = thrust::plus<item>;
  using init = scan_without_init<item>;
  using tuning = leaving_free<Tuning, Free>;
  const auto kernel = &scan_stream_kernel<tuning, scan_kind::inclusive, const item*, item*, op, init>;
  if (!tuning{}(runtime::arch_of(kernel)).in_bulk())
  {
    throw std::runtime_error("scans that leave room need bulk copies (kernels compiled for sm_90)");
  }
  if (std::is_same<Tuning, with_6_stages_carved>::value)
  {
    timing::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared),
        "asking for shared memory");
  }
  const runtime::environment_with<runtime::stream_memory> env{{"reheat-concurrency", stream}, {}};
  enqueue_streaming_scan<tuning, scan_kind::inclusive>(env, in, out, items, op{}, init{});
}

void call_cub(void* scratch, std::size_t& scratch_bytes, const item* in, item* out, std::uint64_t items, cudaStream_t stream)
{
  with_item_count(items, [&](auto count)
                  { check_cub(cub::DeviceScan::InclusiveSum(scratch, scratch_bytes, in, out, count, stream)); });
}

std::size_t cub_scratch_bytes()
{
  std::size_t bytes = 0;
  call_cub(nullptr, bytes, nullptr, nullptr, max_items, nullptr);
  return bytes;
}

void enqueue_cub(const item* in, item* out, std::uint64_t items, cudaStream_t stream)
{
  static const timing::device_memory scratch(cub_scratch_bytes());
  std::size_t bytes = scratch.bytes();
  call_cub(scratch.data(), bytes, in, out, items, stream);
}

void enqueue_copy(const item* in, item* out, std::uint64_t items, cudaStream_t stream)
{
  copiers().back().enqueue(in, out, items * sizeof(item), stream);
}

std::size_t consumer_scratch_bytes(std::uint64_t items)
{
  std::size_t bytes = 0;
  const item* const none = nullptr;
  item* const nowhere = nullptr;
  check_cub(cub::DeviceReduce::Max(nullptr, bytes, none, nowhere, static_cast<std::uint32_t>(items)));
  return bytes;
}

} // namespace

const std::vector<implementation>& implementations()
{
  static const std::vector<implementation> all{{"reheat", enqueue_reheat, true},
                                               {"cub", enqueue_cub, true},
                                               {"copy", enqueue_copy, false},
                                               {"reheat-stages-6", enqueue_variant<with_6_stages, 0>, true},
                                               {"reheat-stages-6-carved", enqueue_variant<with_6_stages_carved, 0>, true},
                                               {"reheat-free-0", enqueue_variant<as_it_is, 0>, true},
                                               {"reheat-free-2", enqueue_variant<as_it_is, 2>, true},
                                               {"reheat-free-4", enqueue_variant<as_it_is, 4>, true},
                                               {"reheat-free-8", enqueue_variant<as_it_is, 8>, true}};
  return all;
}

void enqueue_producer(item* to, std::uint64_t items, cudaStream_t stream)
{
  thrust::transform(thrust::cuda::par_nosync.on(stream), index_iterator(0), index_iterator(items), to, made_item{});
}

consumer::consumer(std::uint64_t items)
    : items_(items), scratch_bytes_(consumer_scratch_bytes(items)), scratch_(scratch_bytes_), most_(sizeof(item))
{}

void consumer::enqueue(const item* from, cudaStream_t stream)
{
  check_cub(cub::DeviceReduce::Max(scratch_.data(), scratch_bytes_, from, reinterpret_cast<item*>(most_.data()),
                                   static_cast<std::uint32_t>(items_), stream));
}

void check_sums(const item* sums, std::uint64_t items, cudaStream_t stream, const std::string& who)
{
  if (thrust::count_if(thrust::cuda::par.on(stream), index_iterator(0), index_iterator(items), is_wrong{sums}) != 0)
  {
    throw std::runtime_error(who + " comes to wrong sums of " + std::to_string(items) + " items");
  }
}

std::string cccl_version()
{
  return std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
         std::to_string(CUB_SUBMINOR_VERSION);
}

} // namespace perf::concurrency
