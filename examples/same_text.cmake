# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -Dfolder=… -P same_text.cmake: after.cu is before.cu with thrust::device replaced by reheat::par, and our header in
# place of Thrust's policies.

file(READ "${folder}/before.cu" before)
file(READ "${folder}/after.cu" after)
string(REPLACE "thrust::device," "reheat::par," before "${before}")
string(REPLACE "#include <thrust/execution_policy.h>\n" "" before "${before}")
string(REPLACE "#include <reheat/reheat.cuh>\n\n" "" without_header "${after}")
if(after STREQUAL without_header OR NOT before STREQUAL without_header)
  message(FATAL_ERROR "${folder}: before.cu and after.cu differ in more than the policy and its header")
endif()
