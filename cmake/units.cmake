# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0

# reheat_units(<variable> <source>...): what to compile in place of .cu sources, given by whole paths. With REHEAT_FEW_UNITS, those
# of one folder are one translation unit: Thrust is parsed once for all of them, and what several instantiate is compiled once. A
# folder of more than REHEAT_UNIT_BYTES of sources becomes several units of about the same size, lest a compiler takes gigabytes and
# a second core waits for it. Sources with compile options of their own stay alone.
set(REHEAT_UNIT_BYTES 125000)
# g++ begins to collect garbage at 128 MB. A unit takes more from the start, and little of it is garbage. As many compilers as there are
# cores then have a quarter of the memory before one collects.
if(REHEAT_FEW_UNITS)
  cmake_host_system_information(RESULT reheat_memory QUERY TOTAL_PHYSICAL_MEMORY) # MiB
  cmake_host_system_information(RESULT reheat_cores QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR reheat_heap "${reheat_memory} * 1024 / 4 / ${reheat_cores}") # kB
  if(reheat_heap GREATER 4194304)
    set(reheat_heap 4194304)
  endif()
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=${reheat_heap}>")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CUDA_HOST_COMPILER) # then nvcc's is g++, too
    add_compile_options("$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=--param=ggc-min-heapsize=${reheat_heap}>")
  endif()
endif()

function(reheat_units variable)
  set(units ${ARGN})
  if(REHEAT_FEW_UNITS)
    list(FILTER units EXCLUDE REGEX "\\.cu$")
    set(sources ${ARGN})
    list(FILTER sources INCLUDE REGEX "\\.cu$")
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/units/${variable}") # one for each list of a folder
    set(names)
    foreach(source IN LISTS sources)
      get_source_file_property(options "${source}" COMPILE_OPTIONS)
      if(options)
        list(APPEND units "${source}")
        continue()
      endif()
      cmake_path(GET source PARENT_PATH name)
      cmake_path(GET name FILENAME name)
      if(NOT name IN_LIST names)
        list(APPEND names ${name})
        set(bytes_${name} 0)
      endif()
      list(APPEND sources_${name} "${source}")
      file(SIZE "${source}" bytes)
      math(EXPR bytes_${name} "${bytes_${name}} + ${bytes}")
    endforeach()
    foreach(name IN LISTS names)
      math(EXPR parts "(${bytes_${name}} + ${REHEAT_UNIT_BYTES} - 1) / ${REHEAT_UNIT_BYTES}")
      set(texts)
      set(before 0) # bytes of the sources before this one
      foreach(source IN LISTS sources_${name})
        math(EXPR part "${before} * ${parts} / ${bytes_${name}}")
        file(SIZE "${source}" bytes)
        math(EXPR before "${before} + ${bytes}")
        file(RELATIVE_PATH source "${folder}" "${source}") # the same text wherever the project lies: ccache
        set(unit ${name})
        if(part GREATER 0)
          set(unit ${name}_${part})
        endif()
        list(APPEND texts ${unit})
        string(APPEND text_${unit} "#include \"${source}\"\n")
      endforeach()
      list(REMOVE_DUPLICATES texts)
      foreach(unit IN LISTS texts)
        file(CONFIGURE OUTPUT "${folder}/${unit}.cu" CONTENT "${text_${unit}}" @ONLY)
        list(APPEND units "${folder}/${unit}.cu")
      endforeach()
    endforeach()
  endif()
  set(${variable} ${units} PARENT_SCOPE)
endfunction()

# reheat_gpu_program(<target> <source>...): a program that only runs with a GPU. With REHEAT_COMPILE_ONLY it is compiled to PTX, in less
# than half of the time, and not linked.
function(reheat_gpu_program target)
  if(REHEAT_COMPILE_ONLY)
    add_library(${target} OBJECT ${ARGN})
    set_target_properties(${target} PROPERTIES CUDA_PTX_COMPILATION ON)
  else()
    add_executable(${target} ${ARGN})
  endif()
endfunction()
