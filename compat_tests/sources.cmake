# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# The compat tests: sources, suites, and how many cases each suite has. A program fails when it does not run exactly the
# expected number of cases, so a case that is added, lost or disabled is noticed here.

set(REHEAT_COMPAT_SOURCES
  main.cpp
  policy/forms.cu
  reduce/contract.cu
  reduce/order.cu
  reduce/value_types.cu
  scan/contract.cu
  scan/order.cu
  scan/value_types.cu)
set(REHEAT_COMPAT_EMULATED_SOURCES # besides those
  emulated/gpu_shapes.cu)
set(REHEAT_COMPAT_GPU_SOURCES # likewise
  policy/gpu.cu
  scan/large.cu)
set(REHEAT_FAULTS_GPU_SOURCES
  faults/faults_gpu.cu)

# <suite in the program>|<cases>[|<label>]
set(REHEAT_COMPAT_SUITES
  "policy/forms|12"
  "reduce/contract|17"
  "reduce/order|16"
  "reduce/value_types|18"
  "scan/contract|22"
  "scan/order|21"
  "scan/value_types|19")
set(REHEAT_COMPAT_EMULATED_SUITES
  "gpu_shapes|6")
set(REHEAT_COMPAT_GPU_SUITES
  "policy/gpu|7"
  "large|6|large")

set(REHEAT_COMPAT_FAULTS
  commute_fold
  skip_prefix_wait
  skip_slot_wait
  drop_publish
  reuse_stage_early
  read_past_end
  skip_totals_barrier
  divergent_barrier
  keep_epoch)

set(reheat_compat_dir "${CMAKE_CURRENT_LIST_DIR}")

# reheat_add_fault_tests(<target>): every protocol fault is caught (emulated); an unknown one is refused; none is forgotten.
function(reheat_add_fault_tests target)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(check Python3::Interpreter "${reheat_compat_dir}/faults/check_fault.py")
  if(REHEAT_SANITIZE)
    set(asan --asan)
  endif()
  foreach(fault IN LISTS REHEAT_COMPAT_FAULTS)
    add_test(NAME reheat.faults.${fault} COMMAND ${check} run $<TARGET_FILE:${target}> ${fault} ${asan})
    set_tests_properties(reheat.faults.${fault} PROPERTIES LABELS faults TIMEOUT 900)
  endforeach()
  add_test(NAME reheat.faults.none_is_forgotten
    COMMAND ${check} table "${PROJECT_SOURCE_DIR}/include/reheat/detail/simt/fault.cuh"
      "${reheat_compat_dir}/support/faults.hpp" ${REHEAT_COMPAT_FAULTS})
  add_test(NAME reheat.faults.unknown_names_are_refused COMMAND ${check} refuse $<TARGET_FILE:${target}>)
  set_tests_properties(reheat.faults.none_is_forgotten reheat.faults.unknown_names_are_refused PROPERTIES LABELS faults)
endfunction()

# reheat_add_dispatch_test(): the proof that no call form runs on CUB. Needs nvcc, no GPU.
function(reheat_add_dispatch_test)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_test(NAME reheat.dispatch
    COMMAND Python3::Interpreter "${reheat_compat_dir}/dispatch/check_dispatch.py" --nvcc "${CMAKE_CUDA_COMPILER}"
      --source "${reheat_compat_dir}/dispatch/calls.cu" "-I$<JOIN:$<TARGET_PROPERTY:reheat::reheat,INTERFACE_INCLUDE_DIRECTORIES>,;-I>"
    COMMAND_EXPAND_LISTS)
  set_tests_properties(reheat.dispatch PROPERTIES LABELS dispatch TIMEOUT 900)
endfunction()
