# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -Dprogram=… -Dinput=… -Dprinted=… -P prints.cmake: the program prints for the input what the file `printed` holds.

execute_process(COMMAND "${program}" INPUT_FILE "${input}" OUTPUT_VARIABLE output RESULT_VARIABLE status)
file(READ "${printed}" expected)
if(NOT status EQUAL 0 OR NOT output STREQUAL expected)
  message(FATAL_ERROR "${program}: status ${status}, printed:\n${output}expected:\n${expected}")
endif()
