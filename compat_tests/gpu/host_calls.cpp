// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Counts calls of the CUDA runtime. The linker's --wrap, with each name that stands below, leads every call in the program
//! here first: those of the library, of its headers, of Thrust and of the tests. check_host_calls.py makes sure that the
//! library calls nothing that is not listed.

#include "../support/host_calls.hpp"

#include <cuda_runtime_api.h>

namespace
{

thread_local compat::host_calls mine;
thread_local bool no_concurrent_access = false;

//! The attribute to ask for: where concurrent access is to be denied, one that is 0 on every GPU with memory of its own.
cudaDeviceAttr asked(cudaDeviceAttr attribute)
{
  const bool denied = attribute == cudaDevAttrConcurrentManagedAccess && no_concurrent_access;
  return denied ? cudaDevAttrIntegrated : attribute;
}

//! Counts the launch if it may start early.
const cudaLaunchConfig_t* noted(const cudaLaunchConfig_t* config)
{
  for (unsigned i = 0; i < config->numAttrs; ++i)
  {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    const bool early = attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization &&
                       attribute.val.programmaticStreamSerializationAllowed != 0;
    mine.early_launches += early ? 1 : 0;
  }
  return config;
}

} // namespace

namespace compat
{

host_calls calls_so_far()
{
  return mine;
}

no_concurrent_managed_access::no_concurrent_managed_access(bool pretended)
{
  no_concurrent_access = pretended;
}
no_concurrent_managed_access::~no_concurrent_managed_access()
{
  no_concurrent_access = false;
}

} // namespace compat

#define COUNTED(KIND, NAME, PARAMETERS, ARGUMENTS)                                                                          \
  extern "C" cudaError_t __real_##NAME PARAMETERS;                                                                          \
  extern "C" cudaError_t __wrap_##NAME PARAMETERS                                                                           \
  {                                                                                                                         \
    ++mine.KIND;                                                                                                            \
    return __real_##NAME ARGUMENTS;                                                                                         \
  }

// clang-format off
COUNTED(launches, cudaLaunchKernelExC, (const cudaLaunchConfig_t* c, const void* f, void** a), (noted(c), f, a))
COUNTED(launches, cudaLaunchKernel, (const void* f, dim3 g, dim3 b, void** a, size_t m, cudaStream_t s), (f, g, b, a, m, s))
COUNTED(launches, __cudaLaunchKernel, (cudaKernel_t f, dim3 g, dim3 b, void** a, size_t m, cudaStream_t s), (f, g, b, a, m, s))
COUNTED(launches, cudaLaunchCooperativeKernel, (const void* f, dim3 g, dim3 b, void** a, size_t m, cudaStream_t s), (f, g, b, a, m, s))

COUNTED(waits, cudaStreamSynchronize, (cudaStream_t s), (s))
COUNTED(waits, cudaDeviceSynchronize, (), ())
COUNTED(waits, cudaEventSynchronize, (cudaEvent_t e), (e))

COUNTED(allocations, cudaMalloc, (void** p, size_t n), (p, n))
COUNTED(allocations, cudaMallocAsync, (void** p, size_t n, cudaStream_t s), (p, n, s))
COUNTED(allocations, cudaMallocFromPoolAsync, (void** p, size_t n, cudaMemPool_t m, cudaStream_t s), (p, n, m, s))
COUNTED(allocations, cudaMallocHost, (void** p, size_t n), (p, n))
COUNTED(allocations, cudaHostAlloc, (void** p, size_t n, unsigned f), (p, n, f))
COUNTED(frees, cudaFree, (void* p), (p))
COUNTED(frees, cudaFreeAsync, (void* p, cudaStream_t s), (p, s))
COUNTED(frees, cudaFreeHost, (void* p), (p))

COUNTED(fills, cudaMemset, (void* p, int v, size_t n), (p, v, n))
COUNTED(fills, cudaMemsetAsync, (void* p, int v, size_t n, cudaStream_t s), (p, v, n, s))

COUNTED(others, cudaMemcpy, (void* t, const void* f, size_t n, cudaMemcpyKind k), (t, f, n, k))
COUNTED(others, cudaMemcpyAsync, (void* t, const void* f, size_t n, cudaMemcpyKind k, cudaStream_t s), (t, f, n, k, s))
COUNTED(others, cudaStreamQuery, (cudaStream_t s), (s))
COUNTED(others, cudaEventQuery, (cudaEvent_t e), (e))
COUNTED(others, cudaEventCreateWithFlags, (cudaEvent_t* e, unsigned f), (e, f))
COUNTED(others, cudaEventDestroy, (cudaEvent_t e), (e))
COUNTED(others, cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t e, unsigned f), (s, e, f))
COUNTED(others, cudaMemPoolCreate, (cudaMemPool_t* m, const cudaMemPoolProps* p), (m, p))
COUNTED(others, cudaMemPoolDestroy, (cudaMemPool_t m), (m))
COUNTED(others, cudaMemPoolSetAttribute, (cudaMemPool_t m, cudaMemPoolAttr a, void* v), (m, a, v))
COUNTED(others, cudaMemPoolTrimTo, (cudaMemPool_t m, size_t n), (m, n))
COUNTED(others, cudaUserObjectRelease, (cudaUserObject_t o, unsigned c), (o, c))
COUNTED(others, cudaEventRecord, (cudaEvent_t e, cudaStream_t s), (e, s))
COUNTED(others, cudaStreamCreateWithFlags, (cudaStream_t* s, unsigned f), (s, f))
COUNTED(others, cudaStreamDestroy, (cudaStream_t s), (s))
COUNTED(others, cudaFuncGetAttributes, (cudaFuncAttributes* a, const void* f), (a, f))
COUNTED(others, cudaFuncSetAttribute, (const void* f, cudaFuncAttribute a, int v), (f, a, v))
COUNTED(others, cudaOccupancyMaxActiveBlocksPerMultiprocessor, (int* b, const void* f, int t, size_t m), (b, f, t, m))
COUNTED(others, cudaDeviceGetAttribute, (int* v, cudaDeviceAttr a, int d), (v, asked(a), d))
COUNTED(others, cudaGetDriverEntryPointByVersion, (const char* n, void** f, unsigned v, unsigned long long m, cudaDriverEntryPointQueryResult* r), (n, f, v, m, r))
COUNTED(others, cudaUserObjectCreate, (cudaUserObject_t* o, void* p, cudaHostFn_t d, unsigned r, unsigned f), (o, p, d, r, f))
COUNTED(others, cudaGraphRetainUserObject, (cudaGraph_t g, cudaUserObject_t o, unsigned c, unsigned f), (g, o, c, f))

COUNTED(looks, cudaGetLastError, (), ())
COUNTED(looks, cudaPeekAtLastError, (), ())
COUNTED(looks, cudaGetDevice, (int* d), (d))
COUNTED(looks, cudaSetDevice, (int d), (d))
COUNTED(looks, cudaGetDeviceFlags, (unsigned* f), (f))
COUNTED(looks, cudaStreamGetId, (cudaStream_t s, unsigned long long* i), (s, i))
COUNTED(looks, cudaThreadExchangeStreamCaptureMode, (cudaStreamCaptureMode* m), (m))
COUNTED(looks, cudaStreamIsCapturing, (cudaStream_t s, cudaStreamCaptureStatus* c), (s, c))
#if CUDART_VERSION >= 13000
COUNTED(looks, cudaStreamGetCaptureInfo, (cudaStream_t s, cudaStreamCaptureStatus* c, unsigned long long* i, cudaGraph_t* g, const cudaGraphNode_t** d, const cudaGraphEdgeData** e, size_t* n), (s, c, i, g, d, e, n))
#else
COUNTED(looks, cudaStreamGetCaptureInfo_v2, (cudaStream_t s, cudaStreamCaptureStatus* c, unsigned long long* i, cudaGraph_t* g, const cudaGraphNode_t** d, size_t* n), (s, c, i, g, d, n))
#endif
// clang-format on
