// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The host's side of the GPU: launching, waiting, errors. emulated.h gives the same names on the CPU.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/call_scope.h>
#include <reheat/detail/runtime/launch.h>
#include <reheat/detail/runtime/message.h>
#include <reheat/detail/runtime/workspace.h>

#include <thrust/system/cuda/detail/execution_policy.h> // before util.h, where CUDA is not the device system
#include <thrust/system/cuda/detail/util.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system/detail/bad_alloc.h>

#include <cuda_runtime.h>

#include <cstdlib>
#include <memory>

REHEAT_NAMESPACE_BEGIN
namespace runtime
{

using namespace library;

//! Clears the runtime's error state and throws thrust::system_error. `attempt` says what was tried.
[[noreturn]] REHEAT_COLD inline void fail(status_type status, const char* attempt)
{
  THRUST_NS_QUALIFIER::cuda_cub::throw_on_error(status, attempt);
  std::abort(); // not reached: the status is an error
}
//! As fail; memory that is not there is thrust's bad_alloc, which is a std::bad_alloc.
[[noreturn]] REHEAT_COLD inline void fail_memory(status_type status, const char* attempt)
{
  if (status == cudaErrorMemoryAllocation)
  {
    static_cast<void>(cudaGetLastError());
    throw THRUST_NS_QUALIFIER::system::detail::bad_alloc(format_message("%s: %s", attempt, cudaGetErrorString(status)).text);
  }
  fail(status, attempt);
}
//! Fails unless `status` is success.
inline void check(status_type status, const char* attempt)
{
  if (status != success)
  {
    fail(status, attempt);
  }
}
//! As fail_memory unless `status` is success.
inline void check_memory(status_type status, const char* attempt)
{
  if (status != success)
  {
    fail_memory(status, attempt);
  }
}

//! The policy's stream. A null stream becomes the handle of what it means in this translation unit, which the compiled parts
//! can not know: the legacy stream, or each thread's own.
template <class Policy>
stream_type stream_of(Policy& policy)
{
  const stream_type stream = THRUST_NS_QUALIFIER::cuda_cub::stream(policy);
  return stream == nullptr ? THRUST_NS_QUALIFIER::cuda_cub::default_stream() : stream;
}
//! Waits for the policy's stream. (Thrust's way of waiting asks for the last error as well.)
template <class Policy>
status_type wait(Policy& policy)
{
  return wait_for(stream_of(policy));
}
//! Whether calls that return nothing from the device wait for it.
template <class Policy>
bool waits_always(Policy& policy)
{
  return THRUST_NS_QUALIFIER::cuda_cub::must_perform_optional_synchronization(policy);
}
//! Throws if the stream is being captured into a graph, which a call that waits for it would end with an error: before
//! anything is enqueued, so the capture goes on. `why` says what can not be captured, `instead` what can.
REHEAT_OUT_OF_LINE inline void refuse_capture_of(stream_type stream, const char* call, const char* why, const char* instead)
{
  bool capturing = false;
  check(is_capturing(stream, &capturing), call);
  if (capturing)
  {
    fail(cudaErrorStreamCaptureUnsupported, format_message("%s: %s%s", call, why, instead).text);
  }
}
template <class Policy>
void refuse_capture(Policy& policy, const char* call, const char* why, const char* instead)
{
  refuse_capture_of(stream_of(policy), call, why, instead);
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

REHEAT_OUT_OF_LINE inline residency resident_blocks_of(const void* kernel, unsigned block_threads, std::size_t shared_bytes)
{
  residency found{};
  const status_type status = configure_kernel(kernel, block_threads, shared_bytes, &found);
  if (status != success)
  {
    fail(status, format_message("reheat: preparing a kernel for blocks of %u threads with %zu bytes of shared memory",
                                block_threads, shared_bytes)
                     .text);
  }
  return found;
}
//! How many blocks the device holds; the kernel may then be launched with this much dynamic shared memory.
template <class... Parameters>
residency resident_blocks(void (*kernel)(Parameters...), unsigned block_threads, std::size_t shared_bytes)
{
  return resident_blocks_of(reinterpret_cast<const void*>(kernel), block_threads, shared_bytes);
}

REHEAT_OUT_OF_LINE inline void launch_with(const char* call, const void* kernel, const launch_request& request,
                                           void** arguments)
{
  status_type status = cudaPeekAtLastError();
  if (status != success) // Thrust's calls report it, too
  {
    fail(status, format_message("%s: nothing was launched, because an earlier call of the program has failed and left this "
                                "error behind",
                                call)
                     .text);
  }
  status = launch_kernel(kernel, request, arguments);
  if (status != success)
  {
    const char* const blocks = request.kind == launch_kind::cooperative ? "blocks that are all resident, of" : "blocks of";
    fail(status, format_message("%s: launching %u %s %u threads with %zu bytes of shared memory", call, request.grid_blocks,
                                blocks, request.block_threads, request.shared_bytes)
                     .text);
  }
}
//! Of which nothing is deduced: an argument becomes what the kernel takes before its address is taken.
template <class T>
struct parameter
{
  using type = T;
};
//! All launches come through here; each loads its kernel if need be, so that it may be captured. `call` names the public
//! call in messages.
template <class... Parameters>
void launch(const char* call, launch_kind kind, launch_start start, void (*kernel)(Parameters...), unsigned grid_blocks,
            unsigned block_threads, std::size_t shared_bytes, stream_type stream,
            const typename parameter<Parameters>::type&... arguments)
{
  void* addresses[] = {const_cast<void*>(static_cast<const void*>(std::addressof(arguments)))...};
  launch_with(call, reinterpret_cast<const void*>(kernel), {kind, start, grid_blocks, block_threads, shared_bytes, stream},
              addresses);
}

} // namespace runtime
REHEAT_NAMESPACE_END
