// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <reheat/detail/runtime/launch.h>

#include <cuda_runtime_api.h>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

status_type launch_kernel(const void* kernel, const launch_request& request, void** arguments)
{
  int arch = 0;
  status_type status = kernel_arch(kernel, &arch); // loads it: in a capture a launch may not
  if (status != cudaSuccess)
  {
    return status;
  }
  cudaLaunchAttribute attributes[2] = {};
  unsigned used = 0;
  if (request.kind == launch_kind::cooperative)
  {
    attributes[used].id = cudaLaunchAttributeCooperative;
    attributes[used++].val.cooperative = 1;
  }
  if (request.start == launch_start::programmatic && early_start_pays(request.stream, request.grid_blocks))
  {
    attributes[used].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[used++].val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(request.grid_blocks);
  config.blockDim = dim3(request.block_threads);
  config.dynamicSmemBytes = request.shared_bytes;
  config.stream = request.stream;
  config.attrs = attributes;
  config.numAttrs = used;
  status = cudaLaunchKernelExC(&config, kernel, arguments);
  if (status == cudaSuccess && request.start == launch_start::programmatic)
  {
    note_launch(request.stream);
  }
  return status;
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
