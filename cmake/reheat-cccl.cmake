# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# Thrust for one of the two machines; used by the build and by the installed package alike.
#
#   reheat_find_cccl(CUDA)   makes reheat::cccl_cuda: CCCL::CCCL, with whatever CCCL_THRUST_DEVICE_SYSTEM says
#   reheat_find_cccl(CPP)    makes reheat::cccl_cpp: Thrust on its host device system. Never CCCL::CCCL, which imposes CUDA
#
# Looked for, first found wins: REHEAT_CCCL_INCLUDE_DIR (plain headers: one folder, or a checkout's three), CCCL_DIR, a package or
# plain headers under CMAKE_PREFIX_PATH, the CUDA toolkit's package, plain headers on the system. So a CCCL of the user's goes
# before the toolkit's.

set(REHEAT_CCCL_FLOOR 2.8)

function(reheat_find_cccl device)
  string(TOLOWER "reheat::cccl_${device}" target)
  if(TARGET ${target})
    return()
  endif()

  file(TO_CMAKE_PATH "$ENV{CMAKE_PREFIX_PATH}" environment_prefixes)
  set(users_prefixes ${CMAKE_PREFIX_PATH} ${environment_prefixes})
  set(plain_folders include/cccl include)
  if(NOT REHEAT_CCCL_INCLUDE_DIR)
    if(NOT CCCL_DIR AND users_prefixes)
      find_package(CCCL CONFIG QUIET PATHS ${users_prefixes} NO_DEFAULT_PATH)
      if(NOT CCCL_FOUND)
        find_path(REHEAT_CCCL_INCLUDE_DIR thrust/version.h PATHS ${users_prefixes} PATH_SUFFIXES ${plain_folders} NO_DEFAULT_PATH)
      endif()
    endif()
    if(NOT CCCL_FOUND AND NOT REHEAT_CCCL_INCLUDE_DIR)
      # A toolkit that only CMAKE_CUDA_COMPILER or CUDACXX names is in none of find_package's own places.
      set(toolkits ${CUDAToolkit_LIBRARY_ROOT} ${CUDAToolkit_ROOT} $ENV{CUDAToolkit_ROOT} $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda)
      foreach(compiler IN ITEMS "${CMAKE_CUDA_COMPILER}" "$ENV{CUDACXX}")
        if(compiler)
          get_filename_component(compiler "${compiler}" REALPATH)
          get_filename_component(toolkit "${compiler}/../.." ABSOLUTE)
          list(PREPEND toolkits "${toolkit}")
        endif()
      endforeach()
      if(CUDAToolkit_LIBRARY_DIR)
        list(PREPEND toolkits "${CUDAToolkit_LIBRARY_DIR}/..")
      endif()
      set(hints)
      foreach(toolkit IN LISTS toolkits)
        list(APPEND hints "${toolkit}/lib64/cmake/cccl" "${toolkit}/lib/cmake/cccl")
      endforeach()
      find_package(CCCL CONFIG QUIET HINTS ${hints})
    endif()
    if(NOT CCCL_FOUND)
      find_path(REHEAT_CCCL_INCLUDE_DIR thrust/version.h PATH_SUFFIXES cccl ${plain_folders})
    endif()
  endif()

  if(REHEAT_CCCL_INCLUDE_DIR)
    set(place)
    foreach(folder IN LISTS REHEAT_CCCL_INCLUDE_DIR)
      if(EXISTS "${folder}/thrust/version.h")
        set(place "${folder}")
        break()
      endif()
    endforeach()
    if(NOT place)
      message(FATAL_ERROR "reheat: REHEAT_CCCL_INCLUDE_DIR is ${REHEAT_CCCL_INCLUDE_DIR}: thrust/version.h is not there. "
        "Name the folder that has the folders thrust, cub and cuda; of a checkout, thrust;cub;libcudacxx/include")
    endif()
    file(STRINGS "${place}/thrust/version.h" line REGEX "^#[ \t]*define[ \t]+THRUST_VERSION[ \t]")
    string(REGEX REPLACE ".*THRUST_VERSION[ \t]+([0-9]+).*" "\\1" number "${line}") # 300102: 3.1.2
    math(EXPR major "${number} / 100000")
    math(EXPR minor "${number} / 100 % 1000")
    math(EXPR patch "${number} % 100")
    set(version ${major}.${minor}.${patch})
  elseif(CCCL_FOUND)
    set(version ${CCCL_VERSION})
    set(place "${CCCL_DIR}")
  else()
    message(FATAL_ERROR
      "reheat: CCCL (Thrust, CUB, libcu++) was not found. It comes with the CUDA toolkit; name another with CCCL_DIR or "
      "CMAKE_PREFIX_PATH, or plain headers with REHEAT_CCCL_INCLUDE_DIR.")
  endif()
  if(version VERSION_LESS REHEAT_CCCL_FLOOR)
    message(FATAL_ERROR "reheat: CCCL ${REHEAT_CCCL_FLOOR} or newer is needed, ${place} is ${version}")
  endif()

  if(REHEAT_CCCL_INCLUDE_DIR)
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    # Not as system headers: nvcc searches its own toolkit's Thrust before those.
    set_target_properties(${target} PROPERTIES IMPORTED_NO_SYSTEM ON)
    target_include_directories(${target} INTERFACE ${REHEAT_CCCL_INCLUDE_DIR})
    target_compile_definitions(${target} INTERFACE
      THRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_${device})
  elseif(device STREQUAL "CUDA")
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_link_libraries(${target} INTERFACE CCCL::CCCL)
  else()
    thrust_create_target(${target} HOST CPP DEVICE CPP GLOBAL)
  endif()
  if(device STREQUAL "CPP")
    # 16-bit floating-point types, for reheat/ladder.cuh: the one header that needs more than CCCL.
    find_path(REHEAT_CUDA_INCLUDE_DIR cuda_fp16.h
      HINTS "${place}/.." "${place}/../../../include" "${place}/../../../../include" PATHS /usr/local/cuda/include)
    mark_as_advanced(REHEAT_CUDA_INCLUDE_DIR)
    if(REHEAT_CUDA_INCLUDE_DIR)
      target_include_directories(${target} SYSTEM INTERFACE "${REHEAT_CUDA_INCLUDE_DIR}")
    endif()
  endif()
  message(STATUS "reheat: CCCL ${version} for ${target} from ${place}")
endfunction()
