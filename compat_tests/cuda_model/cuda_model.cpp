// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The runtime of cuda_model.hpp: what the library, Thrust and the tests call of CUDA's. What is not here does not link.

#include "cuda_model.hpp"

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

// ---- what handles stand for ---------------------------------------------------------------------------------------------

struct CUgraphNode_st
{};

struct CUuserObject_st
{
  void* object;
  cudaHostFn_t destroy;
  unsigned references;
};

struct CUgraph_st
{
  std::vector<CUgraphNode_st*> nodes;
  std::vector<CUuserObject_st*> owned;
};

struct CUgraphExec_st
{
  std::vector<CUuserObject_st*> owned;
};

struct CUstream_st
{
  unsigned long long id;
  CUgraph_st* captured = nullptr;
  unsigned long long capture = 0;
  bool is_invalidated = false;
  std::vector<CUgraphNode_st*> last_nodes = {}; //!< that the next one comes behind
};

struct CUevent_st
{};

struct CUmemPoolHandle_st
{};

namespace
{

unsigned long long last_id = 0; // of contexts, streams and captures
unsigned long long context = ++last_id;
std::vector<CUstream_st*> capturing;
bool has_pools = true;
constexpr int usual_multiprocessors = 132;
int multiprocessors = usual_multiprocessors;
thread_local cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
thread_local cudaError_t last_error = cudaSuccess;
thread_local cudaStream_t pushed_stream = nullptr; // by the host's side of <<<…>>>

cudaError_t noted(cudaError_t status)
{
  last_error = status == cudaSuccess ? last_error : status;
  return status;
}

bool is_named(cudaStream_t stream)
{
  return stream != nullptr && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
}

CUstream_st& stream_of(cudaStream_t stream)
{
  static CUstream_st legacy{++last_id}, per_thread{++last_id};
  return is_named(stream) ? *stream : stream == cudaStreamPerThread ? per_thread : legacy;
}

//! A call that may not be made while a stream is captured, unless the thread's mode is relaxed: it ends all captures.
cudaError_t unsafe_in_captures()
{
  if (capturing.empty() || capture_mode == cudaStreamCaptureModeRelaxed)
  {
    return cudaSuccess;
  }
  for (CUstream_st* const each : capturing)
  {
    each->is_invalidated = true;
  }
  return noted(cudaErrorStreamCaptureUnsupported);
}

//! Work for the stream: a node, if it is captured.
cudaError_t enqueue(cudaStream_t stream)
{
  CUstream_st& where = stream_of(stream);
  if (where.captured == nullptr)
  {
    return is_named(stream) || capturing.empty() ? cudaSuccess : noted(cudaErrorStreamCaptureImplicit);
  }
  if (where.is_invalidated)
  {
    return noted(cudaErrorStreamCaptureInvalidated);
  }
  where.captured->nodes.push_back(new CUgraphNode_st);
  where.last_nodes = {where.captured->nodes.back()};
  return cudaSuccess;
}

//! A wait of the host's: of a captured stream there is nothing to wait for, and its capture ends.
cudaError_t wait(cudaStream_t stream)
{
  CUstream_st& where = stream_of(stream);
  if (where.captured != nullptr)
  {
    where.is_invalidated = true;
    return noted(cudaErrorStreamCaptureUnsupported);
  }
  return unsafe_in_captures();
}

cudaError_t allocate(void** memory, std::size_t bytes)
{
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256 + 256);
  if (*memory == nullptr)
  {
    return noted(cudaErrorMemoryAllocation);
  }
  std::memset(*memory, 0, bytes);
  return cudaSuccess;
}

void release(std::vector<CUuserObject_st*>& owned)
{
  for (CUuserObject_st* const each : std::exchange(owned, {}))
  {
    static_cast<void>(cudaUserObjectRelease(each, 1));
  }
}

// ---- the driver's functions that are fetched ----------------------------------------------------------------------------

CUresult context_id(CUcontext, unsigned long long* id)
{
  *id = context;
  return CUDA_SUCCESS;
}

CUresult stream_id(CUstream stream, unsigned long long* id)
{
  CUstream_st& where = stream_of(stream);
  if (where.captured != nullptr)
  {
    where.is_invalidated = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  *id = where.id;
  return unsafe_in_captures() == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult capture_info(CUstream stream, CUstreamCaptureStatus* state, cuuint64_t* id, CUgraph* graph, const CUgraphNode**,
                      std::size_t*)
{
  const CUstream_st& where = stream_of(stream);
  *state = where.captured == nullptr ? CU_STREAM_CAPTURE_STATUS_NONE
           : where.is_invalidated    ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                     : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  *id = where.capture;
  if (graph != nullptr)
  {
    *graph = where.captured;
  }
  return CUDA_SUCCESS;
}

CUresult exchange_capture_mode(CUstreamCaptureMode* mode)
{
  const auto wanted = static_cast<cudaStreamCaptureMode>(*mode);
  *mode = static_cast<CUstreamCaptureMode>(std::exchange(capture_mode, wanted));
  return CUDA_SUCCESS;
}

} // namespace

namespace cuda_model
{

void start_new_context()
{
  context = ++last_id;
}

without_pools::without_pools()
{
  has_pools = false;
}
without_pools::~without_pools()
{
  has_pools = true;
  start_new_context();
}

another_device::another_device(int count)
{
  multiprocessors = count;
  start_new_context();
}
another_device::~another_device()
{
  multiprocessors = usual_multiprocessors;
  start_new_context();
}

} // namespace cuda_model

extern "C" {
// ---- errors, devices, functions -----------------------------------------------------------------------------------------

cudaError_t cudaGetLastError()
{
  return std::exchange(last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError()
{
  return last_error;
}
const char* cudaGetErrorString(cudaError_t)
{
  return "an error of CUDA's";
}
const char* cudaGetErrorName(cudaError_t)
{
  return "cudaError";
}
cudaError_t cudaDriverGetVersion(int* version)
{
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device)
{
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int)
{
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count)
{
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned* flags)
{
  *flags = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int)
{
  *properties = {};
  std::strcpy(properties->name, "none: kernels do not run");
  properties->major = 9;
  properties->multiProcessorCount = multiprocessors;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int)
{
  switch (attribute)
  {
    case cudaDevAttrMultiProcessorCount:
      *value = multiprocessors;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = 9;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = 48 * 1024;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = 227 * 1024;
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = 228 * 1024;
      break;
    case cudaDevAttrMaxThreadsPerBlock:
      *value = 1024;
      break;
    case cudaDevAttrMaxGridDimX:
      *value = 0x7fffffff;
      break;
    case cudaDevAttrWarpSize:
      *value = 32;
      break;
    case cudaDevAttrMemoryPoolsSupported:
      *value = has_pools;
      break;
    case cudaDevAttrConcurrentManagedAccess:
      *value = 1;
      break;
    default:
      *value = 0;
  }
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes)
{
  *free_bytes = *all_bytes = std::size_t{1} << 30;
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*)
{
  *attributes = {};
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxThreadsPerBlock = 1024;
  attributes->maxDynamicSharedSizeBytes = 48 * 1024;
  return unsafe_in_captures();
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int)
{
  return unsafe_in_captures();
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, size_t)
{
  *blocks = 1;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int, size_t, unsigned)
{
  *blocks = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* result)
{
  const std::string wanted = name;
  *function = wanted == "cuCtxGetId"                          ? reinterpret_cast<void*>(&context_id)
              : wanted == "cuStreamGetId"                     ? reinterpret_cast<void*>(&stream_id)
              : wanted == "cuStreamGetCaptureInfo"            ? reinterpret_cast<void*>(&capture_info)
              : wanted == "cuThreadExchangeStreamCaptureMode" ? reinterpret_cast<void*>(&exchange_capture_mode)
                                                              : nullptr;
  *result = *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

// ---- memory -------------------------------------------------------------------------------------------------------------

cudaError_t cudaMalloc(void** memory, size_t bytes)
{
  const cudaError_t status = unsafe_in_captures();
  return status != cudaSuccess ? status : allocate(memory, bytes);
}
cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned)
{
  return cudaMalloc(memory, bytes);
}
cudaError_t cudaMallocHost(void** memory, size_t bytes)
{
  return cudaMalloc(memory, bytes);
}
cudaError_t cudaMallocAsync(void** memory, size_t bytes, cudaStream_t stream)
{
  const cudaError_t status = enqueue(stream);
  return status != cudaSuccess ? status : allocate(memory, bytes);
}
cudaError_t cudaMallocFromPoolAsync(void** memory, size_t bytes, cudaMemPool_t, cudaStream_t stream)
{
  return cudaMallocAsync(memory, bytes, stream);
}
cudaError_t cudaMallocManaged(void** memory, size_t bytes, unsigned)
{
  return cudaMalloc(memory, bytes);
}
cudaError_t cudaFree(void* memory)
{
  const cudaError_t status = unsafe_in_captures();
  if (status == cudaSuccess)
  {
    std::free(memory);
  }
  return status;
}
cudaError_t cudaFreeHost(void* memory)
{
  return cudaFree(memory);
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream)
{
  const cudaError_t status = enqueue(stream);
  if (status == cudaSuccess && stream_of(stream).captured == nullptr)
  {
    std::free(memory);
  }
  return status;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*)
{
  *pool = new CUmemPoolHandle_st;
  return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
  delete pool;
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*)
{
  return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t)
{
  return cudaSuccess;
}
cudaError_t cudaMemset(void* memory, int value, size_t bytes)
{
  std::memset(memory, value, bytes);
  return unsafe_in_captures();
}
cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream)
{
  std::memset(memory, value, bytes);
  return enqueue(stream);
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind)
{
  std::memmove(to, from, bytes);
  return unsafe_in_captures();
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t stream)
{
  std::memmove(to, from, bytes);
  return enqueue(stream);
}

// ---- streams and events -------------------------------------------------------------------------------------------------

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned)
{
  *stream = new CUstream_st{++last_id};
  return unsafe_in_captures();
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id)
{
  return static_cast<cudaError_t>(stream_id(stream, id));
}
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
  return wait(stream);
}
cudaError_t cudaStreamQuery(cudaStream_t stream)
{
  return wait(stream);
}
cudaError_t cudaDeviceSynchronize()
{
  const cudaError_t status = capturing.empty() ? cudaSuccess : noted(cudaErrorStreamCaptureUnsupported);
  for (CUstream_st* const each : capturing)
  {
    each->is_invalidated = true;
  }
  return status;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t, unsigned)
{
  return enqueue(stream);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned)
{
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t stream)
{
  return stream_of(stream).captured == nullptr ? cudaSuccess : enqueue(stream);
}
cudaError_t cudaEventQuery(cudaEvent_t)
{
  return unsafe_in_captures();
}
cudaError_t cudaEventSynchronize(cudaEvent_t)
{
  return unsafe_in_captures();
}

// ---- launches -----------------------------------------------------------------------------------------------------------

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void*, void**)
{
  const bool is_empty = config->gridDim.x == 0 || config->blockDim.x == 0;
  return is_empty ? noted(cudaErrorInvalidConfiguration) : enqueue(config->stream);
}
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t stream)
{
  return enqueue(stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t stream)
{
  return enqueue(stream);
}
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t stream)
{
  return enqueue(stream);
}
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, CUstream_st* stream)
{
  pushed_stream = stream;
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void* stream)
{
  *static_cast<cudaStream_t*>(stream) = pushed_stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub)
{
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(stub));
  return cudaSuccess;
}
void** __cudaRegisterFatBinary(void*)
{
  static void* none = nullptr;
  return &none;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*) {}
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}
char __cudaInitModule(void**)
{
  return 1;
}

// ---- captures and graphs ------------------------------------------------------------------------------------------------

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode)
{
  *mode = std::exchange(capture_mode, *mode);
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode)
{
  stream->captured = new CUgraph_st;
  stream->capture = ++last_id;
  stream->is_invalidated = false;
  stream->last_nodes.clear();
  capturing.push_back(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph)
{
  capturing.erase(std::find(capturing.begin(), capturing.end(), stream));
  *graph = std::exchange(stream->captured, nullptr);
  if (!stream->is_invalidated)
  {
    return cudaSuccess;
  }
  static_cast<void>(cudaGraphDestroy(std::exchange(*graph, nullptr)));
  return noted(cudaErrorStreamCaptureInvalidated);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* state)
{
  CUstreamCaptureStatus found = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0;
  static_cast<void>(capture_info(stream, &found, &id, nullptr, nullptr, nullptr));
  *state = static_cast<cudaStreamCaptureStatus>(found);
  return cudaSuccess;
}
#if CUDART_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* state, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** nodes, const cudaGraphEdgeData** edges,
                                     size_t* count)
{
  if (edges != nullptr)
  {
    *edges = nullptr;
  }
#else
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* state, unsigned long long* id,
                                        cudaGraph_t* graph, const cudaGraphNode_t** nodes, size_t* count)
{
#endif
  static_cast<void>(cudaStreamIsCapturing(stream, state));
  const CUstream_st& where = stream_of(stream);
  if (id != nullptr)
  {
    *id = where.capture;
  }
  if (graph != nullptr)
  {
    *graph = where.captured;
  }
  if (nodes != nullptr)
  {
    *nodes = where.last_nodes.data();
    *count = where.last_nodes.size();
  }
  return cudaSuccess;
}
#if CUDART_VERSION >= 13000
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, const cudaGraphEdgeData*,
                                                size_t count, unsigned)
#else
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, size_t count, unsigned)
#endif
{
  stream->last_nodes.assign(nodes, nodes + count);
  return cudaSuccess;
}
cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy, unsigned references,
                                 unsigned)
{
  *object = new CUuserObject_st{pointer, destroy, references};
  return cudaSuccess;
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count)
{
  object->references -= count;
  if (object->references == 0)
  {
    object->destroy(object->object);
    delete object;
  }
  return cudaSuccess;
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned, unsigned)
{
  graph->owned.push_back(object);
  return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t*, size_t* count)
{
  *count = graph->nodes.size();
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
  for (const CUgraphNode_st* const each : graph->nodes)
  {
    delete each;
  }
  release(graph->owned);
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long)
{
  *executable = new CUgraphExec_st{graph->owned};
  for (CUuserObject_st* const each : graph->owned)
  {
    ++each->references;
  }
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
  release(executable->owned);
  delete executable;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t)
{
  return cudaSuccess;
}
}
