// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/runtime/launch.h>

#include <cuda_runtime_api.h>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

status_type launch_kernel(const void* kernel, const launch_shape& shape, stream_type stream, void** arguments)
{
  int arch = 0;
  status_type status = kernel_arch(kernel, &arch); // loads it: in a capture a launch may not
  if (status != cudaSuccess)
  {
    return status;
  }
  cudaLaunchAttribute attributes[2] = {};
  unsigned used = 0;
  if (shape.kind == launch_kind::cooperative)
  {
    attributes[used].id = cudaLaunchAttributeCooperative;
    attributes[used++].val.cooperative = 1;
  }
  const bool may_start_early = shape.start == launch_start::programmatic && device_traits_of(arch).programmatic_launch;
  if (may_start_early && early_start_pays(stream, shape.grid_blocks))
  {
    attributes[used].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[used++].val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(shape.grid_blocks);
  config.blockDim = dim3(shape.block_threads);
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = used;
  status = cudaLaunchKernelExC(&config, kernel, arguments);
  if (status == cudaSuccess)
  {
    note_launch(stream, may_start_early);
  }
  return status;
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
