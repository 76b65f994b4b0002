# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# reheat_mpirun: a command that runs processes of Open MPI, to be followed by `-np N program…`, and reheat::mpi. Empty where Open MPI
# is missing, and programs that need it are left out. Other MPIs spin while they wait: four ranks of MPICH on two cores took minutes.

reheat_find_engine(mpi why)
set(reheat_mpirun "")
if(why STREQUAL "")
  # Beside the compiler, lest it is another MPI's.
  cmake_path(GET MPI_CXX_COMPILER PARENT_PATH place)
  find_program(REHEAT_MPIRUN NAMES mpirun.openmpi mpirun HINTS "${place}")
  mark_as_advanced(REHEAT_MPIRUN)
  if(REHEAT_MPIRUN)
    execute_process(COMMAND "${REHEAT_MPIRUN}" --version OUTPUT_VARIABLE version ERROR_QUIET)
  endif()
  if(version MATCHES "Open MPI|OpenRTE")
    # Everywhere, as root too, on few cores, and never for ever.
    set(reheat_mpirun "${REHEAT_MPIRUN}" --allow-run-as-root --oversubscribe --timeout 55)
  else()
    set(why "mpirun is not Open MPI's (Debian: openmpi-bin).")
  endif()
endif()
if(NOT reheat_mpirun)
  message(STATUS "reheat: left out what runs under mpirun: ${why}")
endif()
