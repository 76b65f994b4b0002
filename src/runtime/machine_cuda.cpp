// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>

#include <atomic>
#include <functional>
#include <thread>

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

using context_id_function = CUresult (*)(CUcontext, unsigned long long*);

// The driver's own function, found through the runtime: the library does not link libcuda.
status_type find_context_id(context_id_function* function)
{
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  const status_type status = cudaGetDriverEntryPointByVersion("cuCtxGetId", &address, 12000, cudaEnableDefault, &found);
#else
  const status_type status = cudaGetDriverEntryPoint("cuCtxGetId", &address, cudaEnableDefault, &found);
#endif
  if (status != cudaSuccess)
  {
    return status;
  }
  *function = reinterpret_cast<context_id_function>(address);
  return found == cudaDriverEntryPointSuccess ? cudaSuccess : cudaErrorInsufficientDriver;
}

constexpr std::uint64_t legacy_stream = ~std::uint64_t{0}; // ids count up from small numbers

bool is_legacy(stream_type stream)
{
  return stream == nullptr || stream == cudaStreamLegacy;
}

//! An error that the caller may get over must not stay behind for the program's next cudaGetLastError.
status_type without_trace(status_type status)
{
  if (status != cudaSuccess)
  {
    static_cast<void>(cudaGetLastError());
  }
  return status;
}

} // namespace

status_type current_context(std::uint64_t* context)
{
  static std::atomic<context_id_function> get_id{nullptr};
  if (get_id == nullptr) // threads that meet here find the same address
  {
    context_id_function found = nullptr;
    const status_type status = find_context_id(&found);
    if (status != cudaSuccess)
    {
      return status;
    }
    get_id = found;
  }
  const context_id_function context_id = get_id;
  unsigned long long id = 0;
  if (context_id(nullptr, &id) != CUDA_SUCCESS)
  {
    const capture_guard guard;
    const status_type status = cudaFree(nullptr); // makes the device's primary context current
    if (status != cudaSuccess)
    {
      return status;
    }
    if (context_id(nullptr, &id) != CUDA_SUCCESS)
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
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  unsigned long long capture_id = 0;
  cudaGraph_t graph = nullptr;
#if CUDART_VERSION >= 13000
  const status_type status = cudaStreamGetCaptureInfo(stream, &capture, &capture_id, &graph, nullptr, nullptr, nullptr);
#else
  const status_type status = cudaStreamGetCaptureInfo_v2(stream, &capture, &capture_id, &graph, nullptr, nullptr);
#endif
  if (status == cudaSuccess && capture == cudaStreamCaptureStatusActive)
  {
    identity->capture = capture_id;
    identity->graph = graph;
  }
  return without_trace(status);
}

bool captures_early_launches()
{
#if CUDART_VERSION >= 12030
  static const bool captures = []
  {
    int version = 0;
    return cudaDriverGetVersion(&version) == cudaSuccess && version >= 12030;
  }();
  return captures;
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
    identity->thread = std::hash<std::thread::id>{}(std::this_thread::get_id());
  }
  // The handle of a destroyed stream may come again while its last work still runs; ids do not.
  const capture_guard guard;
  unsigned long long id = 0;
  const status_type status = cudaStreamGetId(stream, &id);
  identity->stream = id;
  return status;
}

status_type allocate_result(void** memory, std::size_t bytes)
{
  return without_trace(cudaHostAlloc(memory, bytes, cudaHostAllocMapped));
}

bool may_spin()
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
  return without_trace(status) == cudaSuccess && keeps_core && concurrent != 0;
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
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode));
  mode_ = static_cast<int>(mode);
}

capture_guard::~capture_guard()
{
  auto mode = static_cast<cudaStreamCaptureMode>(mode_);
  static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode));
}

} // namespace machine

status_type wait_for(stream_type stream)
{
  const machine::capture_guard guard;
  return cudaStreamSynchronize(stream);
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
