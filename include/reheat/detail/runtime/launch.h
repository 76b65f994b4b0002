// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Kernels as the host sees them, whatever their parameters: part of the interface of src/runtime. Its functions are
//! compiled once, not once per kernel.
#pragma once

#include <reheat/detail/runtime/workspace.h>

#include <cstddef>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

//! For whom a block of a launch may wait.
enum class launch_kind
{
  ordinary,   //!< for blocks that have drawn a ticket or published
  in_order,   //!< for blocks of lower index: they start in the order of their indices, as all blocks of a GPU do
  cooperative //!< all blocks are resident at once, or the launch is refused
};
//! When a launch starts.
enum class launch_start
{
  serial,      //!< when the stream's earlier work is done
  programmatic //!< possibly earlier (programmatic dependent launch): simt::grid_dependency_wait waits in the kernel
};
//! Which programmatic launches of a call may start early. The environment's REHEAT_START_EARLY says the same of all calls.
enum class early_starts
{
  none,  //!< none: all launches are serial
  small, //!< launches that leave half of the GPU to others
  all
};

//! A launch, but for its stream, its kernel and the kernel's arguments.
struct launch_shape
{
  unsigned grid_blocks;
  unsigned block_threads;
  std::size_t shared_bytes = 0; //!< dynamic
  launch_kind kind = launch_kind::ordinary;
  //! Programmatic: the kernel calls simt::grid_dependency_wait. A kernel compiled for an architecture that has no
  //! programmatic launches starts serially all the same.
  launch_start start = launch_start::serial;
};

//! How many blocks of one shape a device holds at once.
struct residency
{
  unsigned blocks;
  unsigned multiprocessors; //!< each holds as many
};

#if !defined(REHEAT_EMULATED)
//! Ten times the compute capability that `kernel` was compiled for (its PTX version: also what a kernel translated by the
//! driver was tuned as). `kernel` is the address of its stub, which differs between translation units.
status_type kernel_arch(const void* kernel, int* arch);
//! Lets `kernel` use `shared_bytes` of dynamic shared memory; tells how many of its blocks the device holds.
status_type configure_kernel(const void* kernel, unsigned block_threads, std::size_t shared_bytes, residency* found);

//! `arguments` are the addresses of one value for each of the kernel's parameters. Loads the kernel if need be, so that the
//! launch may be captured.
status_type launch_kernel(const void* kernel, const launch_shape& shape, stream_type stream, void** arguments);
#endif

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
