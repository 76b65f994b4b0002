# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -Dcommand=… -Dfolder=… -Dfiles=… -Dprinted=… -Dscratch=… -P totals_of_files.cmake: runs the command with the files, copied from
# the folder; what it prints and what it writes beside the files is what the file `printed` holds.

file(REMOVE_RECURSE "${scratch}")
file(MAKE_DIRECTORY "${scratch}")
foreach(file IN LISTS files)
  configure_file("${folder}/${file}" "${scratch}/${file}" COPYONLY)
endforeach()
execute_process(COMMAND ${command} ${files} WORKING_DIRECTORY "${scratch}" OUTPUT_VARIABLE output RESULT_VARIABLE status)
foreach(file IN LISTS files)
  set(totals "nothing was written")
  if(EXISTS "${scratch}/${file}.totals")
    file(READ "${scratch}/${file}.totals" totals)
    string(REGEX REPLACE "\n$" "" totals "\n${totals}")
    string(REPLACE "\n" " " totals "${totals}")
  endif()
  string(APPEND output "${file}:${totals}\n")
endforeach()
file(READ "${printed}" expected)
string(REGEX REPLACE " +\n" "\n" output "${output}")
if(NOT status EQUAL 0 OR NOT output STREQUAL expected)
  message(FATAL_ERROR "${command}: status ${status}, printed and wrote:\n${output}expected:\n${expected}")
endif()
