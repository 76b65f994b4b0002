# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# Engines of calls across ranks; used by the build and by the installed package alike.
#
#   reheat_find_engine(nccl <variable>)   makes reheat::nccl, for <reheat/across/nccl.cuh>
#   reheat_find_engine(mpi <variable>)    makes reheat::mpi, for <reheat/across/mpi.cuh>; needs the language CXX
#
# Each target has the engine's headers and library, and nothing of reheat's. <variable> becomes empty, or the reason why there is no
# target, which says what to do.
#
# NCCL is looked for, first found wins: NCCL_ROOT (a variable or of the environment), CMAKE_PREFIX_PATH and the system, the CUDA
# toolkit, and the package nvidia-nccl of the Python that Python3_EXECUTABLE or PATH names. That one has a libnccl.so.2, but neither
# libnccl.so nor a package for CMake.

function(reheat_find_engine engine variable)
  set(why "")
  if(NOT engine MATCHES "^(nccl|mpi)$")
    set(why "reheat has no engine \"${engine}\": there are nccl and mpi.")
  elseif(NOT TARGET reheat::${engine})
    cmake_language(CALL reheat_find_${engine} why)
  endif()
  set(${variable} "${why}" PARENT_SCOPE)
endfunction()

function(reheat_find_mpi variable)
  if(NOT CMAKE_CXX_COMPILER_LOADED)
    set(${variable} "MPI is looked for with the C++ compiler: write project(… LANGUAGES CXX …)." PARENT_SCOPE)
    return()
  endif()
  find_package(MPI QUIET COMPONENTS CXX)
  if(NOT MPI_CXX_FOUND)
    set(${variable}
      "MPI was not found: install one (Debian: libopenmpi-dev openmpi-bin), or name its compiler with MPI_CXX_COMPILER." PARENT_SCOPE)
    return()
  endif()
  if(MPI_CXX_VERSION AND MPI_CXX_VERSION VERSION_LESS 3.0)
    set(${variable} "MPI 3.0 or newer is needed, and ${MPI_CXX_COMPILER} is of MPI ${MPI_CXX_VERSION}." PARENT_SCOPE)
    return()
  endif()
  add_library(reheat::mpi INTERFACE IMPORTED)
  target_link_libraries(reheat::mpi INTERFACE MPI::MPI_CXX)
  set(${variable} "" PARENT_SCOPE)
endfunction()

# Where PyPI's package is, if there is one.
function(reheat_python_nccl variable)
  set(${variable} "" PARENT_SCOPE)
  find_program(python NAMES "${Python3_EXECUTABLE}" python3 NO_CACHE)
  if(python)
    execute_process(COMMAND "${python}" -c "import nvidia.nccl; print(*nvidia.nccl.__path__, sep=';', end='')"
      OUTPUT_VARIABLE found RESULT_VARIABLE status ERROR_QUIET)
    if(status EQUAL 0)
      set(${variable} "${found}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

function(reheat_find_nccl variable)
  set(floor 2.13) # ncclGetLastError
  set(roots ${NCCL_ROOT} $ENV{NCCL_ROOT})
  if(roots)
    set(places PATHS ${roots} NO_DEFAULT_PATH)
  else()
    reheat_python_nccl(pypi)
    set(places PATHS ${CUDAToolkit_LIBRARY_ROOT} ${CUDAToolkit_TARGET_DIR} ${pypi})
  endif()
  find_path(REHEAT_NCCL_INCLUDE_DIR nccl.h ${places} PATH_SUFFIXES include)
  # Beside its header, lest they are of two installations.
  if(REHEAT_NCCL_INCLUDE_DIR)
    set(places PATHS "${REHEAT_NCCL_INCLUDE_DIR}/.." NO_DEFAULT_PATH)
    if(NOT roots)
      set(places HINTS "${REHEAT_NCCL_INCLUDE_DIR}/..")
    endif()
    find_library(REHEAT_NCCL_LIBRARY nccl ${places} PATH_SUFFIXES lib lib64)
    if(NOT REHEAT_NCCL_LIBRARY)
      # find_library adds .so to a name.
      find_file(REHEAT_NCCL_LIBRARY libnccl.so.2 ${places} PATH_SUFFIXES lib lib64)
    endif()
  endif()
  mark_as_advanced(REHEAT_NCCL_INCLUDE_DIR REHEAT_NCCL_LIBRARY)
  if(NOT REHEAT_NCCL_INCLUDE_DIR OR NOT REHEAT_NCCL_LIBRARY)
    if(roots)
      set(where "in NCCL_ROOT=${roots}, which should have include/nccl.h and lib/libnccl.so.2")
    else()
      set(where "on the system, in the CUDA toolkit and in Python's packages")
    endif()
    string(CONCAT why "NCCL was not found ${where}. Install it (NVIDIA's package libnccl-dev, or PyPI's nvidia-nccl-cu13 or "
      "nvidia-nccl-cu12), or set NCCL_ROOT to its folder.")
    set(${variable} "${why}" PARENT_SCOPE)
    return()
  endif()
  set(version "")
  foreach(part IN ITEMS MAJOR MINOR PATCH)
    file(STRINGS "${REHEAT_NCCL_INCLUDE_DIR}/nccl.h" line REGEX "^#[ \t]*define[ \t]+NCCL_${part}[ \t]")
    string(REGEX REPLACE ".*NCCL_${part}[ \t]+([0-9]+).*" "\\1" number "${line}")
    list(APPEND version ${number})
  endforeach()
  list(JOIN version "." version)
  if(version VERSION_LESS floor)
    set(${variable} "NCCL ${floor} or newer is needed, and ${REHEAT_NCCL_INCLUDE_DIR}/nccl.h is of ${version}." PARENT_SCOPE)
    return()
  endif()
  add_library(reheat::nccl SHARED IMPORTED)
  set_target_properties(reheat::nccl PROPERTIES IMPORTED_LOCATION "${REHEAT_NCCL_LIBRARY}")
  set_target_properties(reheat::nccl PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${REHEAT_NCCL_INCLUDE_DIR}")
  # Not as system headers: nvcc searches its toolkit's folder before those, and the toolkit may have another NCCL. But a toolkit's own
  # folder has Thrust, too, which must not go before the user's.
  if(NOT EXISTS "${REHEAT_NCCL_INCLUDE_DIR}/cuda_runtime.h")
    set_target_properties(reheat::nccl PROPERTIES IMPORTED_NO_SYSTEM ON)
  endif()
  message(STATUS "reheat: NCCL ${version} from ${REHEAT_NCCL_LIBRARY}")
  set(${variable} "" PARENT_SCOPE)
endfunction()
