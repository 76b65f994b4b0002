// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>

#include <atomic>
#include <mutex>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{
namespace machine
{
namespace
{

//! The driver's own functions for what each call asks: 15 ns instead of 45 through the runtime on an NVIDIA H200's host.
struct driver_calls
{
  CUresult (*context_id)(CUcontext, unsigned long long*);
  CUresult (*stream_id)(CUstream, unsigned long long*);
  CUresult (*capture_info)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*, const CUgraphNode**, std::size_t*);
  CUresult (*exchange_capture_mode)(CUstreamCaptureMode*);
};

//! Found through the runtime: the library does not link libcuda.
template <class Function>
status_type find_driver_call(const char* name, Function** found)
{
  void* address = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  const status_type status = cudaGetDriverEntryPointByVersion(name, &address, 12000, cudaEnableDefault, &result);
#else
  const status_type status = cudaGetDriverEntryPoint(name, &address, cudaEnableDefault, &result);
#endif
  *found = reinterpret_cast<Function*>(address);
  const bool is_there = status != cudaSuccess || result == cudaDriverEntryPointSuccess;
  return is_there ? without_trace(status) : cudaErrorInsufficientDriver;
}

//! Those that have been found, for good; null as long as they could not be.
std::atomic<const driver_calls*> found_driver{nullptr};

status_type find_driver()
{
  static std::mutex mutex;
  static driver_calls calls;
  const std::lock_guard<std::mutex> lock(mutex);
  if (found_driver.load(std::memory_order_relaxed) != nullptr)
  {
    return cudaSuccess; // another thread has found them meanwhile, and may be using them
  }
  status_type status = find_driver_call("cuCtxGetId", &calls.context_id);
  if (status == cudaSuccess)
  {
    status = find_driver_call("cuStreamGetId", &calls.stream_id);
  }
  if (status == cudaSuccess)
  {
    status = find_driver_call("cuStreamGetCaptureInfo", &calls.capture_info);
  }
  if (status == cudaSuccess)
  {
    status = find_driver_call("cuThreadExchangeStreamCaptureMode", &calls.exchange_capture_mode);
  }
  if (status == cudaSuccess)
  {
    found_driver.store(&calls, std::memory_order_release);
  }
  return status;
}

//! Null if it could not be asked, or lacks a function. The next call asks again.
const driver_calls* driver(status_type* why = nullptr)
{
  const driver_calls* found = found_driver.load(std::memory_order_acquire);
  if (found == nullptr)
  {
    const status_type status = find_driver();
    if (why != nullptr)
    {
      *why = status;
    }
    found = found_driver.load(std::memory_order_acquire);
  }
  return found;
}

constexpr std::uint64_t legacy_stream = ~std::uint64_t{0}; // ids count up from small numbers

bool is_legacy(stream_type stream)
{
  return stream == nullptr || stream == cudaStreamLegacy;
}

} // namespace

status_type current_context(std::uint64_t* context)
{
  status_type why = cudaSuccess;
  const driver_calls* const calls = driver(&why);
  if (calls == nullptr)
  {
    return why;
  }
  unsigned long long id = 0;
  if (calls->context_id(nullptr, &id) != CUDA_SUCCESS)
  {
    const capture_guard guard;
    const status_type status = without_trace(cudaFree(nullptr)); // makes the device's primary context current
    if (status != cudaSuccess)
    {
      return status;
    }
    if (calls->context_id(nullptr, &id) != CUDA_SUCCESS)
    {
      return cudaErrorDeviceUninitialized;
    }
  }
  *context = id;
  return cudaSuccess;
}

status_type find_capture(stream_type stream, stream_identity* identity)
{
  // The legacy stream can not be captured, and asking it fails while another stream is.
  if (is_legacy(stream))
  {
    return cudaSuccess;
  }
  std::uint64_t context = 0; // a thread's first call makes one current
  status_type status = library::current_context(&context);
  if (status != cudaSuccess)
  {
    return status;
  }
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t capture_id = 0;
  CUgraph graph = nullptr;
  status = static_cast<status_type>(driver()->capture_info(stream, &capture, &capture_id, &graph, nullptr, nullptr));
  if (status == cudaSuccess && capture == CU_STREAM_CAPTURE_STATUS_ACTIVE)
  {
    identity->capture = capture_id;
    identity->graph = graph;
  }
  return status;
}

bool captures_early_launches()
{
#if CUDART_VERSION >= 12030
  static std::atomic<int> version{0};
  int known = version.load(std::memory_order_relaxed);
  if (known == 0 && without_trace(cudaDriverGetVersion(&known)) == cudaSuccess)
  {
    version.store(known, std::memory_order_relaxed);
  }
  return known >= 12030;
#else
  return false;
#endif
}

const void* last_captured_node(stream_type stream, std::uint64_t* capture)
{
  cudaStreamCaptureStatus state = cudaStreamCaptureStatusNone;
  unsigned long long capture_id = 0;
  const cudaGraphNode_t* nodes = nullptr;
  std::size_t count = 0;
#if CUDART_VERSION >= 13000
  const cudaGraphEdgeData* edges = nullptr; // not asked for, those that are not plain would be an error
  const status_type status = cudaStreamGetCaptureInfo(stream, &state, &capture_id, nullptr, &nodes, &edges, &count);
#else
  const status_type status = cudaStreamGetCaptureInfo_v2(stream, &state, &capture_id, nullptr, &nodes, &count);
#endif
  *capture = capture_id;
  return without_trace(status) == cudaSuccess && state == cudaStreamCaptureStatusActive && count == 1 ? nodes[0] : nullptr;
}

status_type find_stream(stream_type stream, stream_identity* identity)
{
  if (is_legacy(stream))
  {
    identity->stream = legacy_stream; // a context has one, for good: no need to ask
    return cudaSuccess;
  }
  if (identity->capture != 0)
  {
    // Asking for the id of a stream ends its capture with an error. For as long as that lasts, its handle will do.
    identity->stream = reinterpret_cast<std::uintptr_t>(stream);
    return cudaSuccess;
  }
  if (stream == cudaStreamPerThread)
  {
    static std::atomic<std::uint64_t> threads{0};
    thread_local const std::uint64_t thread = ++threads; // the system's names of threads come again
    identity->thread = thread;
  }
  // The handle of a destroyed stream may come again while its last work still runs; ids do not.
  std::uint64_t context = 0;
  status_type status = library::current_context(&context);
  if (status == cudaSuccess)
  {
    const capture_guard guard;
    unsigned long long id = 0;
    status = static_cast<status_type>(driver()->stream_id(stream, &id));
    identity->stream = id;
  }
  return status;
}

status_type allocate_result(void** memory, std::size_t bytes)
{
  return without_trace(cudaHostAlloc(memory, bytes, cudaHostAllocMapped));
}

status_type may_spin(bool* may)
{
  unsigned flags = 0;
  int device = 0, concurrent = 0;
  status_type status = cudaGetDeviceFlags(&flags);
  if (status == cudaSuccess)
  {
    status = cudaGetDevice(&device);
  }
  if (status == cudaSuccess)
  {
    status = cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device);
  }
  const bool keeps_core = (flags & cudaDeviceScheduleMask) != cudaDeviceScheduleBlockingSync;
  *may = status == cudaSuccess && keeps_core && concurrent != 0;
  return without_trace(status);
}

status_type retain_in_graph(void* graph, void (*forget)(void*), void* object)
{
  cudaUserObject_t user_object = nullptr;
  status_type status = cudaUserObjectCreate(&user_object, object, forget, 1, cudaUserObjectNoDestructorSync);
  if (status != cudaSuccess)
  {
    forget(object);
    return status;
  }
  status = cudaGraphRetainUserObject(static_cast<cudaGraph_t>(graph), user_object, 1, cudaGraphUserObjectMove);
  if (status != cudaSuccess)
  {
    static_cast<void>(cudaUserObjectRelease(user_object, 1)); // forgets
  }
  return status;
}

void begin_range(const char* name)
{
  nvtxRangePushA(name);
}

void end_range()
{
  nvtxRangePop();
}

capture_guard::capture_guard()
{
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  const driver_calls* const calls = driver();
  if (calls != nullptr && calls->exchange_capture_mode(&mode) == CUDA_SUCCESS)
  {
    mode_ = static_cast<int>(mode);
  }
}

capture_guard::~capture_guard()
{
  auto mode = static_cast<CUstreamCaptureMode>(mode_);
  if (mode_ >= 0 && driver()->exchange_capture_mode(&mode) != CUDA_SUCCESS)
  {
    static_cast<void>(driver()->exchange_capture_mode(&mode)); // or the thread would stay in relaxed mode for good
  }
}

} // namespace machine

status_type wait_for(stream_type stream)
{
  const machine::capture_guard guard;
  if (call_scope* const scope = call_scope::current())
  {
    scope->count_wait();
  }
  return cudaStreamSynchronize(stream);
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
