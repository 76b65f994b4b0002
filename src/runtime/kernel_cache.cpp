// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/runtime/launch.h>

#include <cuda_runtime_api.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <tuple>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{
namespace
{

//! What is known about a kernel. The key is its stub's address, never its type: since CUDA 13 each translation unit has a
//! stub of its own, and one that was never configured can not be launched with more than 48 KB of shared memory.
struct kernel_record
{
  int arch = 0;                                                      //!< 0: not looked up yet
  std::map<std::pair<unsigned, std::size_t>, residency> residencies; //!< by block_threads, shared_bytes
  std::size_t shared_bytes = 48 * 1024;                              //!< allowed so far
};

struct kernel_cache
{
  std::mutex mutex;
  std::map<std::pair<std::uint64_t, const void*>, kernel_record> records; //!< by context, stub

  static kernel_cache& instance()
  {
    static kernel_cache& the =
        *new kernel_cache; // never destroyed: calls of other static objects' destructors may still come
    return the;
  }

  kernel_record look_up(std::uint64_t context, const void* kernel)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    return records[{context, kernel}];
  }

  //! Sets the kernel's limit, unless it is as high. The kernel has been loaded, so this waits for nothing.
  status_type allow_shared_bytes(std::uint64_t context, const void* kernel, std::size_t bytes)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    kernel_record& record = records[{context, kernel}];
    if (bytes <= record.shared_bytes)
    {
      return cudaSuccess;
    }
    const status_type status =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    record.shared_bytes = status == cudaSuccess ? bytes : record.shared_bytes;
    return status;
  }
};

//! A kernel as the thread launched it before: what is known never changes, so no lock is needed to look again.
struct recent_kernel
{
  std::uint64_t context;
  const void* kernel; //!< null: none
  int arch;
  residency room; //!< for this shape; no blocks: not asked for yet
  unsigned block_threads;
  std::size_t shared_bytes;
};

//! Its place among the thread's recent kernels; what was there may be another.
recent_kernel& recent_place(const void* kernel)
{
  constexpr std::size_t places = 16; // stubs are a few hundred bytes apart
  thread_local recent_kernel recent[places] = {};
  const auto address = reinterpret_cast<std::uintptr_t>(kernel);
  return recent[(address >> 4 ^ address >> 8) % places];
}

status_type attribute(int* value, cudaDeviceAttr which)
{
  int device = 0;
  const status_type status = cudaGetDevice(&device);
  return without_trace(status != cudaSuccess ? status : cudaDeviceGetAttribute(value, which, device));
}

// nvcc 13 builds for sm_75 when no architecture is named. Such kernels run on newer GPUs, slowly; that must not go
// unnoticed.
void warn_once_if_slow(int arch)
{
  static bool warned = false;
  int major = 0;
  if (!warned && !device_traits_of(arch).bulk_copies &&
      attribute(&major, cudaDevAttrComputeCapabilityMajor) == cudaSuccess && device_traits_of(100 * major).bulk_copies)
  {
    warned = true;
    std::fprintf(
        stderr,
        "reheat: these kernels were compiled for sm_%d and run on an sm_%d0 GPU without its bulk copies; compile with "
        "-arch=native, or CMAKE_CUDA_ARCHITECTURES=%d0, for full speed\n",
        arch / 10, major, major);
  }
}

} // namespace

status_type count_multiprocessors(unsigned* multiprocessors)
{
  std::uint64_t context = 0;
  status_type status = current_context(&context);
  thread_local std::uint64_t asked_for = 0;
  thread_local int count = 0;
  if (status == cudaSuccess && asked_for != context)
  {
    status = attribute(&count, cudaDevAttrMultiProcessorCount);
    asked_for = status == cudaSuccess ? context : 0;
  }
  *multiprocessors = static_cast<unsigned>(count);
  return status;
}

status_type kernel_arch(const void* kernel, int* arch)
{
  std::uint64_t context = 0;
  status_type status = current_context(&context);
  if (status != cudaSuccess)
  {
    return status;
  }
  recent_kernel& recent = recent_place(kernel);
  if (recent.kernel == kernel && recent.context == context)
  {
    *arch = recent.arch;
    return cudaSuccess;
  }
  kernel_cache& all = kernel_cache::instance();
  *arch = all.look_up(context, kernel).arch;
  if (*arch == 0)
  {
    // Not under the lock: loading a kernel may wait for kernels that run, and those for another thread's call.
    const machine::capture_guard guard;
    cudaFuncAttributes attributes{};
    status = cudaFuncGetAttributes(&attributes, kernel);
    if (status != cudaSuccess)
    {
      return status;
    }
    *arch = attributes.ptxVersion * 10;
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.records[{context, kernel}].arch = *arch; // as any other thread found
    warn_once_if_slow(*arch);
  }
  recent = {context, kernel, *arch, {}, 0, 0};
  return cudaSuccess;
}

status_type configure_kernel(const void* kernel, unsigned block_threads, std::size_t shared_bytes, residency* found)
{
  std::uint64_t context = 0;
  status_type status = current_context(&context);
  if (status != cudaSuccess)
  {
    return status;
  }
  recent_kernel& recent = recent_place(kernel);
  const bool is_recent = recent.kernel == kernel && recent.context == context;
  if (is_recent && recent.room.blocks != 0 && recent.block_threads == block_threads && recent.shared_bytes == shared_bytes)
  {
    *found = recent.room;
    return cudaSuccess;
  }
  kernel_cache& all = kernel_cache::instance();
  const kernel_record record = all.look_up(context, kernel);
  const auto known = record.residencies.find({block_threads, shared_bytes});
  if (known != record.residencies.end())
  {
    *found = known->second;
    if (is_recent)
    {
      recent = {context, kernel, recent.arch, *found, block_threads, shared_bytes};
    }
    return cudaSuccess;
  }
  int arch = 0;
  status = kernel_arch(kernel, &arch); // loads it
  if (status != cudaSuccess)
  {
    return status;
  }
  const machine::capture_guard guard;
  status = all.allow_shared_bytes(context, kernel, shared_bytes);
  if (status != cudaSuccess)
  {
    return status;
  }
  int per_multiprocessor = 0;
  status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, static_cast<int>(block_threads),
                                                         shared_bytes);
  unsigned multiprocessors = 0;
  if (status == cudaSuccess)
  {
    status = count_multiprocessors(&multiprocessors);
  }
  if (status == cudaSuccess && per_multiprocessor == 0)
  {
    status = cudaErrorInvalidConfiguration;
  }
  if (status == cudaSuccess)
  {
    *found = {static_cast<unsigned>(per_multiprocessor) * multiprocessors, multiprocessors};
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.records[{context, kernel}].residencies[{block_threads, shared_bytes}] = *found;
  }
  return status;
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
