// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The host's side of the GPU: launching, waiting, errors, profiler ranges. emulated.h gives the same names on the CPU.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/call_scope.h>
#include <reheat/detail/runtime/workspace.h>

#include <thrust/system/cuda/detail/execution_policy.h> // before util.h, where CUDA is not the device system
#include <thrust/system/cuda/detail/util.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system/detail/bad_alloc.h>

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <string>
#include <utility>

REHEAT_NAMESPACE_BEGIN
namespace runtime
{

//! Clears the runtime's error state and throws thrust::system_error unless `status` is success. `attempt` says what was
//! tried.
inline void check(status_type status, const char* attempt)
{
  if (status != success)
  {
    THRUST_NS_QUALIFIER::cuda_cub::throw_on_error(status, attempt);
  }
}
//! As check, but memory that is not there is thrust's bad_alloc, which is a std::bad_alloc.
inline void check_memory(status_type status, const char* attempt)
{
  if (status == cudaErrorMemoryAllocation)
  {
    static_cast<void>(cudaGetLastError());
    throw THRUST_NS_QUALIFIER::system::detail::bad_alloc(std::string(attempt) + ": " + cudaGetErrorString(status));
  }
  check(status, attempt);
}

//! The policy's stream. A null stream becomes the handle of what it means in this translation unit, which the compiled parts
//! can not know: the legacy stream, or each thread's own.
template <class Policy>
stream_type stream_of(Policy& policy)
{
  const stream_type stream = THRUST_NS_QUALIFIER::cuda_cub::stream(policy);
  return stream == nullptr ? THRUST_NS_QUALIFIER::cuda_cub::default_stream() : stream;
}
//! Waits for the policy's stream. (Thrust's way of waiting asks for the last error as well.) In relaxed capture mode: in
//! others a wait breaks the capture that another thread has begun in global mode.
template <class Policy>
status_type wait(Policy& policy)
{
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode));
  const status_type status = cudaStreamSynchronize(stream_of(policy));
  static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode));
  return status;
}
//! Whether calls that return nothing from the device wait for it.
template <class Policy>
bool waits_always(Policy& policy)
{
  return THRUST_NS_QUALIFIER::cuda_cub::must_perform_optional_synchronization(policy);
}
//! Throws if the policy's stream is being captured into a graph, which a call that waits for it would end with an error:
//! before anything is enqueued, so the capture goes on. `why` says what can not be
//! captured, `instead` what can.
template <class Policy>
void refuse_capture(Policy& policy, const char* call, const char* why, const char* instead)
{
  bool capturing = false;
  check(is_capturing(stream_of(policy), &capturing), call);
  if (capturing)
  {
    check(cudaErrorStreamCaptureUnsupported, (std::string(call) + ": " + why + instead).c_str());
  }
}

inline void zero(void* memory, std::size_t bytes, stream_type stream)
{
  check(cudaMemsetAsync(memory, 0, bytes, stream), "reheat: clearing the scratch memory that the allocator handed out");
}

template <class... Parameters>
int arch_of(void (*kernel)(Parameters...))
{
  int arch = 0;
  check(kernel_arch(reinterpret_cast<const void*>(kernel), &arch), "reheat: looking up a kernel's architecture");
  return arch;
}

//! How many blocks the device holds; the kernel may then be launched with this much dynamic shared memory.
template <class... Parameters>
residency resident_blocks(void (*kernel)(Parameters...), unsigned block_threads, std::size_t shared_bytes)
{
  residency found{};
  const status_type status = configure_kernel(reinterpret_cast<const void*>(kernel), block_threads, shared_bytes, &found);
  if (status != success)
  {
    const std::string attempt = "reheat: preparing a kernel for blocks of " + std::to_string(block_threads) +
                                " threads with " + std::to_string(shared_bytes) + " bytes of shared memory";
    check(status, attempt.c_str());
  }
  return found;
}

//! The only place that launches. `call` names the public call in messages.
template <class... Parameters, class... Arguments>
void launch(const char* call, launch_kind kind, launch_start start, void (*kernel)(Parameters...), unsigned grid_blocks,
            unsigned block_threads, std::size_t shared_bytes, stream_type stream, Arguments&&... arguments)
{
  cudaLaunchAttribute attributes[2] = {};
  unsigned used = 0;
  if (kind == launch_kind::cooperative)
  {
    attributes[used].id = cudaLaunchAttributeCooperative;
    attributes[used++].val.cooperative = 1;
  }
  if (start == launch_start::early && early_start_pays(stream))
  {
    attributes[used].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[used++].val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid_blocks);
  config.blockDim = dim3(block_threads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = used;
  const status_type status = cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...);
  if (status != success)
  {
    const std::string attempt = std::string(call) + ": launching " + std::to_string(grid_blocks) +
                                (kind == launch_kind::cooperative ? " blocks that are all resident, of " : " blocks of ") +
                                std::to_string(block_threads) + " threads with " + std::to_string(shared_bytes) +
                                " bytes of shared memory";
    check(status, attempt.c_str());
  }
  if (start == launch_start::early)
  {
    note_launch(stream);
  }
}

//! A range in the profiler's timeline, named after the public call.
class profiler_range
{
public:
  explicit profiler_range(const char* call) { nvtxRangePushA(call); }
  profiler_range(const profiler_range&) = delete;
  profiler_range& operator=(const profiler_range&) = delete;
  ~profiler_range() { nvtxRangePop(); }
};

} // namespace runtime
REHEAT_NAMESPACE_END
