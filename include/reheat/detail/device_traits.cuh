// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The facts of each GPU architecture, and which row of a table of architectures a kernel takes.
//!
//! To add an architecture: its number in row_archs, its line in row_for_arch, a row in device_rows; and a row of its name in
//! each table of numbers, without which nothing compiles: scan_rows and one_tile_rows (scan/tuning.cuh), segment_rows
//! (segments/tuning.cuh), select_rows (select/tuning.cuh). What a device has is a trait. What was found by measuring is
//! tuning.
//!
//! Headers and src/runtime share this file, hence the namespace (see config.cuh).
#pragma once

#include <reheat/detail/config.cuh>

#include <cstddef>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

//! Architectures are numbered by ten times the compute capability, as __CUDA_ARCH__ is. The emulator has this number.
inline constexpr int emulated_arch = 0;

//! Lanes of a warp, on every device.
inline constexpr unsigned warp_lanes = 32;

//! The first architecture of each row.
inline constexpr int row_archs[] = {emulated_arch, 750, 800, 900, 1000, 1200};

//! The row of `Rows` for kernels compiled for `arch`: the last one whose first architecture is not above it. Rows are static
//! functions, which get `arguments`.
template <class Rows, class... Arguments>
REHEAT_HOST_DEVICE constexpr auto row_for_arch(int arch, const Arguments&... arguments)
{
  return arch >= 1200            ? Rows::sm_120(arguments...)
         : arch >= 1000          ? Rows::sm_100(arguments...)
         : arch >= 900           ? Rows::sm_90(arguments...)
         : arch >= 800           ? Rows::sm_80(arguments...)
         : arch != emulated_arch ? Rows::sm_75(arguments...)
                                 : Rows::emulated(arguments...);
}

//! What kernels compiled for an architecture may count on.
struct device_traits
{
  std::size_t block_shared_bytes; //!< dynamic shared memory of a block, at most
  bool vec16_copies;              //!< cp.async: copies of 16 bytes to shared memory that a thread starts
  bool bulk_copies;               //!< cp.async.bulk
  bool redux;                     //!< redux.sync
  bool mma_bf16_and_f64;          //!< matrix products of bfloat16 and of double
  bool programmatic_launch;       //!< programmatic dependent launch
  bool many_double_units;         //!< half as many operations on doubles as on floats, in any GPU that runs the machine code
  //! Code of loops over vectors spills registers, unless they are set to zero first (copy_vec16), or a partial tile is
  //! loaded vector by vector (fold_many).
  bool spills_partial_vectors;
  //! Multiprocessors of the device that the numbers were measured on. Kernels use it where they cannot ask the device.
  unsigned multiprocessors;
};

//! The rows of device_traits.
struct device_rows
{
  //! Everything that a GPU has.
  REHEAT_HOST_DEVICE static constexpr device_traits emulated() { return sm_90(); }
  REHEAT_HOST_DEVICE static constexpr device_traits sm_75()
  {
    device_traits t{};
    t.block_shared_bytes = 64 * 1024;
    t.multiprocessors = 132; // of an NVIDIA H200: no other device has been measured
    return t;
  }
  //! Its code also runs on sm_86 and sm_89, which have 99 KB of shared memory and few units for doubles.
  REHEAT_HOST_DEVICE static constexpr device_traits sm_80()
  {
    device_traits t = sm_75();
    t.block_shared_bytes = 99 * 1024;
    t.vec16_copies = true;
    t.redux = true;
    t.mma_bf16_and_f64 = true;
    return t;
  }
  REHEAT_HOST_DEVICE static constexpr device_traits sm_90()
  {
    device_traits t = sm_80();
    t.block_shared_bytes = 227 * 1024;
    t.bulk_copies = true;
    t.programmatic_launch = true;
    t.many_double_units = true;
    return t;
  }
  //! Its code also runs on sm_103, which has few units for doubles.
  REHEAT_HOST_DEVICE static constexpr device_traits sm_100()
  {
    device_traits t = sm_90();
    t.many_double_units = false;
    t.spills_partial_vectors = true;
    return t;
  }
  REHEAT_HOST_DEVICE static constexpr device_traits sm_120()
  {
    device_traits t = sm_100();
    t.block_shared_bytes = 99 * 1024;
    return t;
  }
};

REHEAT_HOST_DEVICE constexpr device_traits device_traits_of(int arch)
{
  return row_for_arch<device_rows>(arch);
}

//! Whether `fits(arch)` holds in every row. The same in all of nvcc's passes, which share names of kernels.
template <class Fits>
constexpr bool on_every_arch(Fits fits)
{
  for (const int arch : row_archs)
  {
    if (!fits(arch))
    {
      return false;
    }
  }
  return true;
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

REHEAT_NAMESPACE_BEGIN
namespace simt
{
using library::warp_lanes;
}
namespace detail
{
using library::device_traits;
using library::device_traits_of;
using library::emulated_arch;
using library::on_every_arch;
using library::row_for_arch;
} // namespace detail
REHEAT_NAMESPACE_END
