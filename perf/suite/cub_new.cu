// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The shared object of suite/cub_new.hpp: compiled with another CCCL than the programs.
#include "suite/cub_new.hpp"

#include "common/axes.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>

#include <cuda/std/functional>

#include <cstdint>
#include <string>
#include <type_traits>

namespace
{

using namespace REHEAT_PERF_CUB_NAMESPACE; // cub, and what it has of Thrust

struct memory
{
  void* scratch;
  std::size_t* scratch_bytes;
  cudaStream_t stream;
};

template <class T>
cudaError_t reduce(const T* in, T* out, std::uint32_t items, const memory& m)
{
  return cub::DeviceReduce::Reduce(m.scratch, *m.scratch_bytes, in, out, items, cuda::std::plus<T>(), T{}, m.stream);
}

template <class T>
cudaError_t scan(const T* in, T* out, std::uint32_t items, const memory& m)
{
  return cub::DeviceScan::InclusiveScan(m.scratch, *m.scratch_bytes, in, out, cuda::std::plus<T>(), items, m.stream);
}

// On compute capability 9.0, CUB 3.5 takes its lookahead scan for sums of floating point that are required to be the same in
// each run, and for nothing else. Integers get the same tuning here. Through the public interface both would allocate within
// the timed call.
template <class T>
cudaError_t lookahead_scan(const T* in, T* out, std::uint32_t items, const memory& m)
{
  using op = cuda::std::plus<T>;
  using tuning = cub::detail::scan::policy_selector_from_types<const T*, T*, T, std::uint32_t, op, true>;
  static_assert(tuning{}(cuda::compute_capability{9, 0}).algorithm == cub::ScanAlgorithm::lookahead,
                "reheat: REHEAT_PERF_NEWEST_CCCL has to be CCCL 3.5 or newer, and nvcc 12.7 or newer");
  return cub::detail::scan::dispatch<cub::ForceInclusive::No, std::is_floating_point_v<T>>(
      m.scratch, *m.scratch_bytes, in, out, op{}, cub::NullType{}, items, m.stream, tuning{});
}

template <class T>
cudaError_t call(perf::algorithm which, bool lookahead, const void* in, void* out, std::uint32_t items, const memory& m)
{
  const auto* const first = static_cast<const T*>(in);
  auto* const result = static_cast<T*>(out);
  if (which == perf::algorithm::reduce && !lookahead)
  {
    return reduce(first, result, items, m);
  }
  if (which == perf::algorithm::inclusive_scan)
  {
    return lookahead ? lookahead_scan(first, result, items, m) : scan(first, result, items, m);
  }
  return cudaErrorNotSupported;
}

cudaError_t call(perf::algorithm which, perf::type type, bool lookahead, const void* in, void* out, std::uint32_t items,
                 const memory& m)
{
  switch (type)
  {
    case perf::type::i8:
      return call<std::int8_t>(which, lookahead, in, out, items, m);
    case perf::type::i32:
      return call<std::int32_t>(which, lookahead, in, out, items, m);
    case perf::type::i64:
      return call<std::int64_t>(which, lookahead, in, out, items, m);
    case perf::type::f32:
      return call<float>(which, lookahead, in, out, items, m);
    default:
      return cudaErrorNotSupported;
  }
}

} // namespace

extern "C" __attribute__((visibility("default"))) perf::cub_new_function reheat_perf_cub_new;
extern "C" __attribute__((visibility("default"))) perf::cub_new_version_function reheat_perf_cub_new_version;

cudaError_t reheat_perf_cub_new(int algorithm, int type, bool lookahead, const void* in, void* out, std::uint32_t items,
                                void* scratch, std::size_t* scratch_bytes, cudaStream_t stream)
{
  const cudaError_t status = call(static_cast<perf::algorithm>(algorithm), static_cast<perf::type>(type), lookahead, in, out,
                                  items, {scratch, scratch_bytes, stream});
  (void)cudaGetLastError(); // of this object's own runtime library; the status has it
  return status;
}

const char* reheat_perf_cub_new_version()
{
  static const std::string version = std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
                                     std::to_string(CUB_SUBMINOR_VERSION);
  return version.c_str();
}
