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

} // namespace cuda_model
