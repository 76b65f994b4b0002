# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# The compat tests: sources and suites. A program fails when it does not run exactly the cases that its sources have.

set(REHEAT_COMPAT_SOURCES
  main.cpp
  across/by_key.cu
  across/extrema.cu
  across/policies.cu
  across/protocol.cu
  across/reductions.cu
  across/scans.cu
  across/selections.cu
  device/calls.cu
  device/environment.cu
  device/iterators.cu
  device/memory.cu
  device/partitions.cu
  device/results.cu
  device/run_lengths.cu
  device/segmented.cu
  device/segmented_scan.cu
  device/sorts.cu
  device/types.cu
  device/uniques.cu
  family/counts_into.cu
  family/nan.cu
  family/reductions.cu
  family/scans.cu
  family/searches.cu
  family/segments.cu
  family/partitions.cu
  family/selections.cu
  family/sorts.cu
  family/uniques.cu
  family/zipped.cu
  family/user_functors.cu
  family/user_iterators.cu
  family/user_values.cu
  family/user_zeros.cu
  family/volatile_memory.cu
  ladder/scan.cu
  ladder/reduce.cu
  ladder/reduce_matrix.cu
  policy/calls.cu
  policy/failures.cu
  policy/family.cu
  policy/family_policies.cu
  policy/forms.cu
  policy/statistics.cu
  reduce/accumulators.cu
  reduce/contract.cu
  reduce/exact.cu
  reduce/into.cu
  reduce/order.cu
  reduce/value_types.cu
  scan/contract.cu
  scan/order.cu
  scan/value_types.cu
  segmented/alignment.cu
  segmented/checked.cu
  segmented/checks.cu
  segmented/extrema.cu
  segmented/forms.cu
  segmented/pages.cu
  segmented/reduce.cu
  segmented/scan.cu)
set(REHEAT_COMPAT_EMULATED_SOURCES # besides those
  across/emulated.cu
  emulated/association.cu
  emulated/captures.cu
  emulated/device_shapes.cu
  emulated/exact_columns.cu
  emulated/gpu_shapes.cu
  emulated/large_items.cu
  emulated/shared_segments.cu
  emulated/sort_arrays.cu)
set(REHEAT_COMPAT_GPU_SOURCES # likewise
  across/gpu.cu
  device/calls_of_cub.cu
  device/graphs.cu
  family/device_only.cu
  family/large.cu
  family/sorts_gpu.cu
  policy/family_graphs.cu
  policy/gpu.cu
  policy/graphs.cu
  policy/launches.cu
  policy/neighbours.cu
  policy/stress.cu
  reduce/association_gpu.cu
  scan/large.cu
  segmented/graphs.cu
  segmented/large.cu
  segmented/reduce_gpu.cu)
set(REHEAT_FAULTS_GPU_SOURCES
  engines/calls_across.cu
  faults/faults_gpu.cu
  faults/ladder_gpu.cu
  faults/others_gpu.cu
  faults/ranks_gpu.cu
  faults/sorts_gpu.cu)

# <suite in the program>[|<label>]
set(REHEAT_COMPAT_SUITES
  across/by_key
  across/extrema
  across/policies
  across/protocol
  across/reductions
  across/scans
  across/selections
  device/environment
  device/iterators
  device/memory
  device/partitions
  device/results
  device/run_lengths
  device/segmented
  device/segmented_scan
  device/sorts
  device/types
  device/uniques
  family/counts_into
  family/nan
  family/reductions
  family/scans
  family/searches
  family/reduce_by_key
  family/partitions
  family/selections
  family/sorts
  family/uniques
  family/zipped
  family/policies
  family/user_functors
  family/user_iterators
  family/user_values
  family/user_zeros
  family/volatile_memory
  ladder/scan
  ladder/reduce
  policy/calls
  policy/failures
  policy/family
  policy/forms
  policy/statistics
  reduce/accumulators
  reduce/contract
  reduce/exact
  reduce/into
  reduce/order
  reduce/value_types
  scan/contract
  scan/order
  scan/value_types
  segmented/alignment
  segmented/checked
  segmented/checks
  segmented/extrema
  segmented/forms
  segmented/pages
  segmented/reduce
  segmented/scan)
set(REHEAT_COMPAT_EMULATED_SUITES
  across/emulated_ranks
  association_v1
  captures
  device_shapes
  exact_columns
  gpu_shapes
  large_items
  shared_segments
  sort_arrays)
set(REHEAT_COMPAT_GPU_SUITES
  across/gpu
  "across/gpu_large|large"
  association_v1
  device/graphs
  family/device_only
  family/sorts_gpu
  policy/family_graphs
  policy/gpu
  policy/graphs
  policy/launches
  policy/neighbours
  segmented/graphs
  segmented/reduce_gpu
  "policy/stress|stress"
  "family/large|large"
  "family/large_sorts|large"
  "segmented/large|large"
  "large|large")

set(reheat_compat_dir "${CMAKE_CURRENT_LIST_DIR}")

# reheat_add_dispatch_tests(): the proofs that no call form runs on CUB, on our policies and under override.cuh; that each does
# with REHEAT_PASSTHROUGH, and may with REHEAT_RUNTIME_SWITCH. They need nvcc, no GPU.
function(reheat_add_dispatch_tests)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  foreach(source IN ITEMS calls unchanged)
    foreach(switch IN ITEMS "" runtime_switch)
      set(test reheat.dispatch.${source})
      set(option)
      set(cores 2) # it compiles twice
      if(switch)
        string(APPEND test .${switch})
        set(option --runtime-switch)
        set(cores 1)
      endif()
      add_test(NAME ${test}
        COMMAND Python3::Interpreter "${reheat_compat_dir}/dispatch/check_dispatch.py" --nvcc "${CMAKE_CUDA_COMPILER}" ${option}
          --${source} "${reheat_compat_dir}/dispatch/${source}.cu" "-I$<JOIN:$<TARGET_PROPERTY:reheat::reheat,INTERFACE_INCLUDE_DIRECTORIES>,;-I>"
        COMMAND_EXPAND_LISTS)
      set_tests_properties(${test} PROPERTIES LABELS dispatch TIMEOUT 900 PROCESSORS ${cores})
    endforeach()
  endforeach()
endfunction()

# reheat_add_code_test(<name> <script> <source>): a proof by what nvcc makes of a source, as reheat.dispatch.<name>. It needs
# nvcc, no GPU.
function(reheat_add_code_test name script source)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_test(NAME reheat.dispatch.${name}
    COMMAND Python3::Interpreter "${reheat_compat_dir}/dispatch/${script}" --nvcc "${CMAKE_CUDA_COMPILER}"
      --source "${reheat_compat_dir}/dispatch/${source}" "-I$<JOIN:$<TARGET_PROPERTY:reheat::reheat,INTERFACE_INCLUDE_DIRECTORIES>,;-I>"
    COMMAND_EXPAND_LISTS)
  set_tests_properties(reheat.dispatch.${name} PROPERTIES LABELS dispatch TIMEOUT 900)
endfunction()

# reheat_add_overloads_test(<target>): Thrust, where the target finds it, has no overload of the family that we lack.
function(reheat_add_overloads_test target)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_test(NAME reheat.overloads
    COMMAND Python3::Interpreter "${reheat_compat_dir}/dispatch/check_overloads.py"
      --ours "${PROJECT_SOURCE_DIR}/include/reheat/thrust_backend" "-I$<JOIN:$<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>,;-I>"
    COMMAND_EXPAND_LISTS)
  set_tests_properties(reheat.overloads PROPERTIES LABELS dispatch)
endfunction()

# reheat_add_drawn_test(): every call that the headers declare is drawn, by `./dev soak` and `./dev fuzz`.
function(reheat_add_drawn_test)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_test(NAME reheat.drawn COMMAND Python3::Interpreter "${reheat_compat_dir}/drawn/check_drawn.py" --include "${PROJECT_SOURCE_DIR}/include")
  set_tests_properties(reheat.drawn PROPERTIES LABELS dispatch)
endfunction()
