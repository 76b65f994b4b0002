// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The host's side of the GPU: launching, waiting, errors. emulated.h gives the same names on the CPU.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/call_scope.h>
#include <reheat/detail/runtime/environment.cuh>
#include <reheat/detail/runtime/launch.h>
#include <reheat/detail/runtime/message.h>
#include <reheat/detail/runtime/workspace.h>

#include <cuda_runtime.h>

REHEAT_NAMESPACE_BEGIN
namespace runtime
{

//! Whether the environment's stream is being captured into a graph.
inline bool is_captured(const environment& env)
{
  bool capturing = false;
  check_in(env, is_capturing(env.stream, &capturing), env.caller);
  return capturing;
}
//! Fails if the environment's stream is being captured into a graph, which a call that waits for it would end with an
//! error: before anything is enqueued, so the capture goes on. `why` says what cannot be captured, `instead` what can.
REHEAT_OUT_OF_LINE inline void refuse_capture(const environment& env, const char* why, const char* instead)
{
  if (is_captured(env))
  {
    fail_in(env, cudaErrorStreamCaptureUnsupported, format_message("%s: %s%s", env.caller, why, instead).text);
  }
}

//! Enqueues a fill with zeros.
inline void zero(void* memory, std::size_t bytes, stream_type stream)
{
  check(cudaMemsetAsync(memory, 0, bytes, stream), "reheat: clearing scratch memory");
}

//! Ten times the compute capability that the kernel was compiled for. Loads the kernel.
template <class... Parameters>
int arch_of(void (*kernel)(Parameters...))
{
  int arch = 0;
  check(kernel_arch(reinterpret_cast<const void*>(kernel), &arch), "reheat: looking up a kernel's architecture");
  return arch;
}

REHEAT_OUT_OF_LINE inline residency prepare_kernel(const void* kernel, unsigned block_threads, std::size_t shared_bytes)
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
//! Lets the kernel be launched with this much dynamic shared memory. Gives how many of its blocks the device holds.
template <class... Parameters>
residency prepare(void (*kernel)(Parameters...), unsigned block_threads, std::size_t shared_bytes)
{
  return prepare_kernel(reinterpret_cast<const void*>(kernel), block_threads, shared_bytes);
}

REHEAT_OUT_OF_LINE inline void launch_with(const environment& env, const void* kernel, const launch_shape& shape,
                                           void** arguments)
{
  status_type status = cudaPeekAtLastError();
  if (status != success) // Thrust's calls report it, too
  {
    fail_in(env, status,
            format_message("%s: nothing was launched, because an earlier call of the program has failed and left this "
                           "error behind",
                           env.caller)
                .text);
  }
  status = launch_kernel(kernel, shape, env.stream, arguments);
  if (status != success)
  {
    const char* const blocks = shape.kind == launch_kind::cooperative ? "blocks that are all resident, of" : "blocks of";
    fail_in(env, status,
            format_message("%s: launching %u %s %u threads with %zu bytes of shared memory", env.caller, shape.grid_blocks,
                           blocks, shape.block_threads, shape.shared_bytes)
                .text);
  }
}
//! Keeps a parameter from being deduced: an argument becomes what the kernel takes before its address is taken.
template <class T>
struct parameter
{
  using type = T;
};
//! All launches come through here, on the environment's stream.
template <class... Parameters>
void launch(const environment& env, const launch_shape& shape, void (*kernel)(Parameters...),
            const typename parameter<Parameters>::type&... arguments)
{
  void* addresses[] = {const_cast<void*>(static_cast<const void*>(__builtin_addressof(arguments)))...};
  launch_with(env, reinterpret_cast<const void*>(kernel), shape, addresses);
}

} // namespace runtime
REHEAT_NAMESPACE_END
