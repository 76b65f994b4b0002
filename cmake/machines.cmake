# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# The machines to build for, and what each of them needs. Afterwards, for a machine that is on, its dependencies are found:
#   REHEAT_BUILD_GPU       CUDA is enabled; CUDAToolkit, reheat::cccl_cuda
#   REHEAT_BUILD_EMULATED  Boost::context, reheat::cccl_cpp

if(MSVC)
  message(FATAL_ERROR "reheat: MSVC is not supported: build with g++ on Linux.")
endif()

include(CheckLanguage)
include(cmake/reheat-cccl.cmake)

if(NOT DEFINED REHEAT_BUILD_GPU)
  check_language(CUDA)
endif()
if(NOT DEFINED REHEAT_BUILD_EMULATED)
  find_package(Boost 1.74 QUIET CONFIG COMPONENTS context)
endif()
if(CMAKE_CUDA_COMPILER)
  set(reheat_have_cuda ON)
else()
  set(reheat_have_cuda OFF)
endif()
if(Boost_context_FOUND)
  set(reheat_have_context ON)
else()
  set(reheat_have_context OFF)
endif()
option(REHEAT_BUILD_GPU "Build for the GPU, with nvcc" ${reheat_have_cuda})
option(REHEAT_BUILD_EMULATED "Build for the emulator, with the C++ compiler alone" ${reheat_have_context})

if(NOT REHEAT_BUILD_GPU AND NOT REHEAT_BUILD_EMULATED)
  message(FATAL_ERROR
    "reheat: nothing to build. The GPU needs a CUDA compiler (set CUDACXX or CMAKE_CUDA_COMPILER), "
    "the emulator needs Boost.Context (Debian: libboost-context-dev).")
endif()
if(REHEAT_BUILD_GPU)
  # nvcc builds for sm_75 when no architecture is named, and every later GPU then takes the paths of that one.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND PROJECT_IS_TOP_LEVEL)
    set(CMAKE_CUDA_ARCHITECTURES 80-virtual 90-real)
  endif()
  enable_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    message(FATAL_ERROR
      "reheat: ${CMAKE_CUDA_COMPILER} (${CMAKE_CUDA_COMPILER_ID}) is not supported as CUDA compiler: name an nvcc by CUDACXX or "
      "CMAKE_CUDA_COMPILER, or set REHEAT_BUILD_GPU=OFF to build for the emulator alone.")
  endif()
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0)
    message(FATAL_ERROR
      "reheat: ${CMAKE_CUDA_COMPILER} is nvcc ${CMAKE_CUDA_COMPILER_VERSION}, and CUDA before 12.0 is not supported: name a newer "
      "nvcc by CUDACXX or CMAKE_CUDA_COMPILER, or set REHEAT_BUILD_GPU=OFF to build for the emulator alone.")
  endif()
  find_package(CUDAToolkit REQUIRED)
  reheat_find_cccl(CUDA)
endif()
if(REHEAT_BUILD_EMULATED)
  if(NOT DEFINED Boost_USE_STATIC_LIBS)
    set(Boost_USE_STATIC_LIBS ON)
  endif()
  find_package(Boost 1.74 REQUIRED CONFIG COMPONENTS context)
  reheat_find_cccl(CPP)
endif()
