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

status_type launch_kernel(const void* kernel, const launch_shape& shape, void** arguments)
{
  cudaLaunchAttribute attributes[2] = {};
  unsigned used = 0;
  if (shape.kind == launch_kind::cooperative)
  {
    attributes[used].id = cudaLaunchAttributeCooperative;
    attributes[used++].val.cooperative = 1;
  }
  if (shape.start == launch_start::early && early_start_pays(shape.stream))
  {
    attributes[used].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[used++].val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(shape.grid_blocks);
  config.blockDim = dim3(shape.block_threads);
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = shape.stream;
  config.attrs = attributes;
  config.numAttrs = used;
  const status_type status = cudaLaunchKernelExC(&config, kernel, arguments);
  if (status == cudaSuccess && shape.start == launch_start::early)
  {
    note_launch(shape.stream);
  }
  return status;
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
