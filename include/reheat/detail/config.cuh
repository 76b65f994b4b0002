// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The machine this translation unit is built for, the namespace that follows from it, and the words of the project.
//!
//! Vocabulary: an *item* is one element of the input; a *thread* (a *lane* of its *warp*) owns `items_per_thread` items of
//! a *tile*, the `tile_items` consecutive items one *block* works on at a time; the blocks of a launch form its *grid*. A
//! tile's *aggregate* is the fold of its items, its *prefix* the fold of everything before it.
//! docs/architecture.md, section "Words", says what CUB, CUTLASS and PTX call the rest.
#pragma once

#include <reheat/version.h>

#include <cstddef>
#include <cstdint>

// One source, two machines: nvcc builds for the GPU; a plain C++ compiler builds for the emulator, chosen by linking
// reheat::emulated (which defines REHEAT_EMULATED).
#if defined(REHEAT_EMULATED) && defined(__CUDACC__)
#  error "reheat: REHEAT_EMULATED builds are for a plain C++ compiler; link reheat::reheat to build with nvcc"
#endif

// Unsupported compilers stop here, before Thrust's headers fail.
#if defined(_MSC_VER)
#  error "reheat: MSVC is not supported; build with g++ on Linux, or with nvcc and g++"
#endif
#if defined(__CUDA__) && defined(__clang__) // clang compiles CUDA itself; as nvcc's host compiler it defines no __CUDA__
#  error "reheat: clang is not supported as CUDA compiler; build with nvcc"
#endif
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ < 12
#  error "reheat: CUDA before 12.0 is not supported; build with a newer nvcc (12.4 and 13.0 are tested)"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 750
#  error "reheat: GPUs of compute capability below 7.5 are not supported; name an architecture from sm_75 on"
#endif
#if __cplusplus < 201703L
#  error "reheat: C++17 is needed; pass -std=c++17"
#endif

// Stands before a __host__ __device__ template whose arguments decide on which side it may be called; nvcc reports an error
// or a warning otherwise. Two kinds of templates need it: overloads of Thrust's calls, which are given users' functors and
// iterators of one side, and constructors of memory layouts, to which kernels give shared memory and the host gives a
// counter. A function of the device alone needs none, since whatever it calls must exist on the device.
#if defined(__CUDACC__)
#  define REHEAT_EXEC_CHECK_DISABLE _Pragma("nv_exec_check_disable")
#  define REHEAT_UNROLL _Pragma("unroll")
#  define REHEAT_NO_UNROLL _Pragma("unroll 1")
#else
#  define REHEAT_EXEC_CHECK_DISABLE
#  define REHEAT_UNROLL
#  define REHEAT_NO_UNROLL
#endif

// Not inlined: host functions that every kernel's launch calls, and functions that throw.
#define REHEAT_OUT_OF_LINE __attribute__((noinline))
#define REHEAT_COLD __attribute__((noinline, cold))

// Parts of a kernel that are not inlined, so that they have registers of their own. In relocatable code they are inlined:
// there a function is compiled without the bounds of the kernels that call it, and nvlink refuses a kernel that calls a
// function with more registers than the kernel may have.
#if defined(__CUDACC_RDC__)
#  define REHEAT_OUT_OF_LINE_IN_KERNEL __forceinline__
#else
#  define REHEAT_OUT_OF_LINE_IN_KERNEL REHEAT_OUT_OF_LINE
#endif

// The linker compares names, so headers and a library of another version do not fit, neither in a program nor when a shared
// object is loaded. REHEAT_MACHINE is the namespace of the library and its interface: what the linker says is missing.
// REHEAT_HEADERS is the namespace of the rest, and shorter, because it is in the names of kernels, which people read.
#define REHEAT_MACHINE_OF_(machine, major, minor, patch)                                                                    \
  machine##_headers_##major##_##minor##_##patch##_need_library_##major##_##minor##_##patch
#define REHEAT_HEADERS_OF_(machine, major, minor, patch) machine##_##major##_##minor##_##patch
#define REHEAT_MACHINE_OF(...) REHEAT_MACHINE_OF_(__VA_ARGS__)
#define REHEAT_HEADERS_OF(...) REHEAT_HEADERS_OF_(__VA_ARGS__)
#define REHEAT_VERSION_NUMBERS REHEAT_VERSION_MAJOR, REHEAT_VERSION_MINOR, REHEAT_VERSION_PATCH
#if defined(REHEAT_EMULATED)
#  define REHEAT_MACHINE REHEAT_MACHINE_OF(emulated, REHEAT_VERSION_NUMBERS)
#  define REHEAT_HEADERS REHEAT_HEADERS_OF(emulated, REHEAT_VERSION_NUMBERS)
#  define REHEAT_HOST_DEVICE
#  define REHEAT_DEVICE
#  define REHEAT_KERNEL(...) inline void
#else
#  define REHEAT_MACHINE REHEAT_MACHINE_OF(cuda, REHEAT_VERSION_NUMBERS)
#  define REHEAT_HEADERS REHEAT_HEADERS_OF(cuda, REHEAT_VERSION_NUMBERS)
#  if defined(__CUDACC__)
#    define REHEAT_HOST_DEVICE __host__ __device__
#    define REHEAT_DEVICE __device__
#    define REHEAT_KERNEL(...) __global__ void __launch_bounds__(__VA_ARGS__)
#  else
#    define REHEAT_HOST_DEVICE
#    define REHEAT_DEVICE
#  endif
#endif

// Inline namespaces keep the linker from merging definitions that differ between units. The outer one is machine and
// version: `reheat::par` of two would otherwise have the same mangled name. The inner one is the list of architectures that
// nvcc compiles for: units of a program may differ in it, and then their kernels and Thrust's exceptions do. Both are
// hidden: kernels and the templates that launch them belong to the shared object that holds them. src/runtime, compiled once
// for all, has no list: reheat::library. Units that are switched differently (thrust_backend/pass_on.cuh) differ in the
// inner one, too, and so do units of which only one checks the offsets of all calls (thrust_backend/segments.cuh).
#if defined(REHEAT_CHECK_OFFSETS)
#  define REHEAT_CHECKS checked_
#else
#  define REHEAT_CHECKS
#endif
#if defined(REHEAT_PASSTHROUGH)
#  define REHEAT_SWITCH passthrough_
#elif defined(REHEAT_RUNTIME_SWITCH)
#  define REHEAT_SWITCH switchable_
#else
#  define REHEAT_SWITCH
#endif
#define REHEAT_JOINED_(q, s, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ...)                                           \
  q##s##sm_##a##b##c##d##e##f##g##h##i##j##k##l##m##n##o##p
#define REHEAT_JOINED(...) REHEAT_JOINED_(__VA_ARGS__, , , , , , , , , , , , , , , , )
#if defined(__CUDA_ARCH_LIST__)
#  define REHEAT_ARCHITECTURES REHEAT_JOINED(REHEAT_CHECKS, REHEAT_SWITCH, __CUDA_ARCH_LIST__)
#else
#  define REHEAT_ARCHITECTURES REHEAT_JOINED(REHEAT_CHECKS, REHEAT_SWITCH, none)
#endif
// Declared inline here, it can be opened as reheat::REHEAT_MACHINE.
namespace reheat
{
inline namespace REHEAT_MACHINE
{} // namespace REHEAT_MACHINE
} // namespace reheat
#define REHEAT_NAMESPACE_BEGIN                                                                                              \
  namespace reheat                                                                                                          \
  {                                                                                                                         \
  inline namespace REHEAT_HEADERS __attribute__((visibility("hidden")))                                                     \
  {                                                                                                                         \
    inline namespace REHEAT_ARCHITECTURES                                                                                   \
    {
#define REHEAT_NAMESPACE_END                                                                                                \
  }                                                                                                                         \
  }                                                                                                                         \
  }
