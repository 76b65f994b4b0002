// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A CUDA runtime without a device: what programs link in place of NVIDIA's. Its memory is the host's, and copies and fills
//! happen at once. Streams, events, captures, graphs and what graphs own are there; kernels are not run. Programs that are
//! compiled for the GPU thereby run all of their host's side without one.
#pragma once

namespace cuda_model
{

//! As cudaDeviceReset, but for the program's own memory and streams: the current context is one that nobody has seen.
void start_new_context();

//! While one lives, devices have no memory pools, in contexts that are started from now on.
class without_pools
{
public:
  without_pools();
  without_pools(const without_pools&) = delete;
  without_pools& operator=(const without_pools&) = delete;
  ~without_pools();
};

//! While one lives, the current device has so many multiprocessors and is another one than before; afterwards, it is the
//! usual one in a context that nobody has seen.
class another_device
{
public:
  explicit another_device(int multiprocessors);
  another_device(const another_device&) = delete;
  another_device& operator=(const another_device&) = delete;
  ~another_device();
};

} // namespace cuda_model
