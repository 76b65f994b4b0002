# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0

# reheat_units(<variable> <source>...): what to compile in place of .cu sources, given by whole paths. With REHEAT_FEW_UNITS, those
# of one folder are one translation unit: Thrust is parsed once for all of them, and what several instantiate is compiled once. Those
# with compile options of their own stay alone.
function(reheat_units variable)
  set(units ${ARGN})
  if(REHEAT_FEW_UNITS)
    list(FILTER units EXCLUDE REGEX "\\.cu$")
    set(sources ${ARGN})
    list(FILTER sources INCLUDE REGEX "\\.cu$")
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/units")
    set(names)
    foreach(source IN LISTS sources)
      get_source_file_property(options "${source}" COMPILE_OPTIONS)
      if(options)
        list(APPEND units "${source}")
        continue()
      endif()
      cmake_path(GET source PARENT_PATH name)
      cmake_path(GET name FILENAME name)
      list(APPEND names ${name})
      file(RELATIVE_PATH source "${folder}" "${source}") # the same text wherever the project lies: ccache
      string(APPEND text_${name} "#include \"${source}\"\n")
    endforeach()
    list(REMOVE_DUPLICATES names)
    foreach(name IN LISTS names)
      file(CONFIGURE OUTPUT "${folder}/${name}.cu" CONTENT "${text_${name}}" @ONLY)
      list(APPEND units "${folder}/${name}.cu")
    endforeach()
  endif()
  set(${variable} ${units} PARENT_SCOPE)
endfunction()
