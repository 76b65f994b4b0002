# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -Dfolder=… -Dpage=… -Dsection=… -Dscratch=… -P same_text.cmake: after.cu is before.cu after the command that the page
# gives in the section, for a file called program.cu.

file(READ "${page}" text)
foreach(begin IN ITEMS "\n## ${section}\n" "\n```sh\n")
  string(FIND "${text}" "${begin}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${page} has no command in a section \"${section}\"")
  endif()
  string(LENGTH "${begin}" length)
  math(EXPR at "${at} + ${length}")
  string(SUBSTRING "${text}" ${at} -1 text)
endforeach()
string(FIND "${text}" "\n```" end)
string(SUBSTRING "${text}" 0 ${end} command)

file(MAKE_DIRECTORY "${scratch}")
configure_file("${folder}/before.cu" "${scratch}/program.cu" COPYONLY)
execute_process(COMMAND sh -c "${command}" WORKING_DIRECTORY "${scratch}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND diff -u "${folder}/after.cu" "${scratch}/program.cu" RESULT_VARIABLE differ)
if(differ)
  message(FATAL_ERROR "${folder}: after.cu is not what this command makes of before.cu:\n${command}")
endif()
