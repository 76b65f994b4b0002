// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Counts calls of the CUDA runtime, and lets one fail (support/injection.hpp). The linker's --wrap, with each name that
//! stands below, leads every call in the program here first: those of the library, of its headers, of Thrust and of the
//! tests. check_host_calls.py makes sure that the library calls nothing that is not listed.

#include "../support/host_calls.hpp"
#include "../support/injection.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace
{

thread_local compat::host_calls mine;
thread_local bool no_concurrent_access = false;
thread_local compat::live_things live;

//! The call that is to fail.
struct injected_fault
{
  bool armed = false;
  std::uint64_t nth = 0; //!< from 1 on; 0: none
  cudaError_t code = cudaSuccess;
  bool of_all = false;
  bool has_failed = false;
  cudaError_t pending = cudaSuccess; //!< left behind by it for cudaGetLastError
  std::vector<std::string> calls;
};
thread_local injected_fault fault;

//! Whether the library asks, and not Thrust or a test: within a public call, or before one by the functions it has fetched.
bool library_asks(std::string_view name)
{
  return reheat::library::call_scope::current() != nullptr || name.find("cuda") != 0 || name.find("EntryPoint") != name.npos;
}

//! Whether the call named so fails. What takes something back does so all the same: its error is one of earlier work.
bool fails_now(std::string_view name)
{
  if (!fault.armed || name == "cudaGetLastError" || !(fault.of_all || library_asks(name)))
  {
    return false;
  }
  fault.calls.emplace_back(name);
  if (fault.calls.size() != fault.nth)
  {
    return false;
  }
  fault.has_failed = true;
  return true;
}

bool takes_back(std::string_view name)
{
  return name.find("Free") != name.npos || name.find("Destroy") != name.npos || name.find("Release") != name.npos;
}

// The driver's functions that the library fetches, and those that stand in their place.

struct fetched_functions
{
  CUresult (*context_id)(CUcontext, unsigned long long*);
  CUresult (*stream_id)(CUstream, unsigned long long*);
  CUresult (*capture_info)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*, const CUgraphNode**, std::size_t*);
  CUresult (*exchange_capture_mode)(CUstreamCaptureMode*);
} fetched;

CUresult driver_context_id(CUcontext context, unsigned long long* id)
{
  return fails_now("cuCtxGetId") ? static_cast<CUresult>(fault.code) : fetched.context_id(context, id);
}
CUresult driver_stream_id(CUstream stream, unsigned long long* id)
{
  return fails_now("cuStreamGetId") ? static_cast<CUresult>(fault.code) : fetched.stream_id(stream, id);
}
CUresult driver_capture_info(CUstream stream, CUstreamCaptureStatus* state, cuuint64_t* id, CUgraph* graph,
                             const CUgraphNode** nodes, std::size_t* count)
{
  return fails_now("cuStreamGetCaptureInfo") ? static_cast<CUresult>(fault.code)
                                             : fetched.capture_info(stream, state, id, graph, nodes, count);
}
CUresult driver_exchange_capture_mode(CUstreamCaptureMode* mode)
{
  return fails_now("cuThreadExchangeStreamCaptureMode") ? static_cast<CUresult>(fault.code)
                                                        : fetched.exchange_capture_mode(mode);
}

template <class Function>
void stand_in_for(Function*& real, Function* replacement, void** found)
{
  if (*found != reinterpret_cast<void*>(replacement))
  {
    real = reinterpret_cast<Function*>(*found);
    *found = reinterpret_cast<void*>(replacement);
  }
}

//! The driver's function that is being fetched, and where the caller finds it.
thread_local const char* asked_name = nullptr;
thread_local void** asked_place = nullptr;

const char* asked_for(const char* name, void** place)
{
  asked_name = name;
  asked_place = place;
  return name;
}

//! It was fetched: the caller gets the one that stands in its place.
void replace_fetched()
{
  if (asked_place == nullptr || *asked_place == nullptr)
  {
    return;
  }
  const std::string_view function = asked_name;
  void** const found = std::exchange(asked_place, nullptr);
  function == "cuCtxGetId"               ? stand_in_for(fetched.context_id, driver_context_id, found)
  : function == "cuStreamGetId"          ? stand_in_for(fetched.stream_id, driver_stream_id, found)
  : function == "cuStreamGetCaptureInfo" ? stand_in_for(fetched.capture_info, driver_capture_info, found)
  : function == "cuThreadExchangeStreamCaptureMode"
      ? stand_in_for(fetched.exchange_capture_mode, driver_exchange_capture_mode, found)
      : void();
}

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

//! What a call of the runtime comes to.
template <class Real>
cudaError_t called(std::string_view name, std::uint64_t compat::host_calls::*kind, Real real)
{
  ++(mine.*kind);
  if (fails_now(name))
  {
    fault.pending = fault.code == cudaErrorNotReady ? fault.pending : fault.code; // "not yet" leaves no trace
    if (takes_back(name))
    {
      static_cast<void>(real());
    }
    return fault.code;
  }
  const cudaError_t status = real();
  replace_fetched();
  if (fault.pending != cudaSuccess && (name == "cudaGetLastError" || name == "cudaPeekAtLastError"))
  {
    return name == "cudaGetLastError" ? std::exchange(fault.pending, cudaSuccess) : fault.pending;
  }
  live.memory += status == cudaSuccess && kind == &compat::host_calls::allocations ? 1 : 0;
  return status;
}

// One more or less of something, if the call gets there: to be passed on in its place.

template <class Handle>
Handle taken_back(std::int64_t compat::live_things::*what, Handle handle)
{
  live.*what -= handle != nullptr ? 1 : 0;
  return handle;
}
template <class Handle>
Handle made(std::int64_t compat::live_things::*what, Handle handle)
{
  ++(live.*what); // none of these fails unless it is told to
  return handle;
}

//! What a user object is made of. The driver destroys it in a thread of its own, some time after the last graph.
struct owned_object
{
  cudaHostFn_t destroy;
  void* object;
};
std::atomic<unsigned> owned_objects{0};

owned_object* owned(cudaHostFn_t destroy, void* object)
{
  ++owned_objects; // making a user object does not fail unless it is told to
  return new owned_object{destroy, object};
}
void destroy_owned(void* owner)
{
  const auto* const made = static_cast<const owned_object*>(owner);
  made->destroy(made->object);
  delete made;
  --owned_objects;
}

} // namespace

namespace compat
{

host_calls calls_so_far()
{
  return mine;
}

injection::injection(std::uint64_t nth, int code, bool of_all)
{
  fault = {true, nth, static_cast<cudaError_t>(code), of_all, false, cudaSuccess, {}};
}
injection::~injection()
{
  fault.armed = false;
}
injection_pause::injection_pause() : was_armed_(std::exchange(fault.armed, false)) {}
injection_pause::~injection_pause()
{
  fault.armed = was_armed_;
}
bool injection::has_failed() const
{
  return fault.has_failed;
}
std::vector<std::string> injection::calls() const
{
  return fault.calls;
}

live_things live_now()
{
  return live;
}

void wait_until_graphs_own_nothing()
{
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (owned_objects != 0)
  {
    if (std::chrono::steady_clock::now() > give_up)
    {
      throw std::runtime_error(std::to_string(owned_objects) + " user objects of graphs have not been destroyed in 30 s");
    }
    std::this_thread::yield();
  }
}

std::vector<int> plausible_codes(const std::string& name)
{
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  const int earlier = cudaErrorIllegalAddress; // of earlier work
  if (has("Launch"))
  {
    return {cudaErrorLaunchOutOfResources, cudaErrorInvalidConfiguration, earlier};
  }
  if (has("Query"))
  {
    return {cudaErrorNotReady, earlier};
  }
  if (has("Synchronize"))
  {
    return {earlier, cudaErrorStreamCaptureImplicit};
  }
  if (has("Pool"))
  {
    return {cudaErrorMemoryAllocation, cudaErrorNotSupported, earlier};
  }
  if (has("EntryPoint"))
  {
    return {cudaErrorMemoryAllocation, cudaErrorInitializationError};
  }
  if (has("CaptureInfo"))
  {
    return {cudaErrorStreamCaptureInvalidated, cudaErrorStreamCaptureImplicit, earlier};
  }
  return {cudaErrorMemoryAllocation, earlier};
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
    return called(#NAME, &compat::host_calls::KIND, [&] { return __real_##NAME ARGUMENTS; });                               \
  }

using things = compat::live_things;

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
COUNTED(frees, cudaFree, (void* p), (taken_back(&things::memory, p)))
COUNTED(frees, cudaFreeAsync, (void* p, cudaStream_t s), (taken_back(&things::memory, p), s))
COUNTED(frees, cudaFreeHost, (void* p), (taken_back(&things::memory, p)))

COUNTED(fills, cudaMemset, (void* p, int v, size_t n), (p, v, n))
COUNTED(fills, cudaMemsetAsync, (void* p, int v, size_t n, cudaStream_t s), (p, v, n, s))

COUNTED(others, cudaMemcpy, (void* t, const void* f, size_t n, cudaMemcpyKind k), (t, f, n, k))
COUNTED(others, cudaMemcpyAsync, (void* t, const void* f, size_t n, cudaMemcpyKind k, cudaStream_t s), (t, f, n, k, s))
COUNTED(others, cudaStreamQuery, (cudaStream_t s), (s))
COUNTED(others, cudaEventQuery, (cudaEvent_t e), (e))
COUNTED(others, cudaEventCreateWithFlags, (cudaEvent_t* e, unsigned f), (made(&things::events, e), f))
COUNTED(others, cudaEventDestroy, (cudaEvent_t e), (taken_back(&things::events, e)))
COUNTED(others, cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t e, unsigned f), (s, e, f))
COUNTED(others, cudaMemGetInfo, (size_t* f, size_t* a), (f, a))
COUNTED(others, cudaMemPoolCreate, (cudaMemPool_t* m, const cudaMemPoolProps* p), (made(&things::pools, m), p))
COUNTED(others, cudaMemPoolDestroy, (cudaMemPool_t m), (taken_back(&things::pools, m)))
COUNTED(others, cudaMemPoolSetAttribute, (cudaMemPool_t m, cudaMemPoolAttr a, void* v), (m, a, v))
COUNTED(others, cudaMemPoolTrimTo, (cudaMemPool_t m, size_t n), (m, n))
COUNTED(others, cudaUserObjectRelease, (cudaUserObject_t o, unsigned c), (taken_back(&things::user_objects, o), c))
COUNTED(others, cudaEventRecord, (cudaEvent_t e, cudaStream_t s), (e, s))
COUNTED(others, cudaStreamCreateWithFlags, (cudaStream_t* s, unsigned f), (made(&things::streams, s), f))
COUNTED(others, cudaStreamDestroy, (cudaStream_t s), (taken_back(&things::streams, s)))
COUNTED(others, cudaFuncGetAttributes, (cudaFuncAttributes* a, const void* f), (a, f))
COUNTED(others, cudaFuncSetAttribute, (const void* f, cudaFuncAttribute a, int v), (f, a, v))
COUNTED(others, cudaOccupancyMaxActiveBlocksPerMultiprocessor, (int* b, const void* f, int t, size_t m), (b, f, t, m))
COUNTED(others, cudaDeviceGetAttribute, (int* v, cudaDeviceAttr a, int d), (v, asked(a), d))
COUNTED(others, cudaGetDriverEntryPointByVersion, (const char* n, void** f, unsigned v, unsigned long long m, cudaDriverEntryPointQueryResult* r), (asked_for(n, f), f, v, m, r))
COUNTED(others, cudaUserObjectCreate, (cudaUserObject_t* o, void* p, cudaHostFn_t d, unsigned r, unsigned f), (made(&things::user_objects, o), owned(d, p), destroy_owned, r, f))
COUNTED(others, cudaGraphRetainUserObject, (cudaGraph_t g, cudaUserObject_t o, unsigned c, unsigned f), (g, taken_back(&things::user_objects, o), c, f))

COUNTED(looks, cudaGetLastError, (), ())
COUNTED(looks, cudaPeekAtLastError, (), ())
COUNTED(looks, cudaGetDevice, (int* d), (d))
COUNTED(looks, cudaDriverGetVersion, (int* v), (v))
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
