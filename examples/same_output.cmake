# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -Dbefore=… -Dafter=… -Dinput=… -P same_output.cmake: both programs print the same for the same input.

foreach(version IN ITEMS before after)
  execute_process(COMMAND "${${version}}" INPUT_FILE "${input}" OUTPUT_VARIABLE ${version}_output RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${${version}}: ${status}")
  endif()
endforeach()
if(before_output STREQUAL "")
  message(FATAL_ERROR "${before} printed nothing")
endif()
if(NOT before_output STREQUAL after_output)
  message(FATAL_ERROR "before:\n${before_output}after:\n${after_output}")
endif()
message(STATUS "${after_output}")
