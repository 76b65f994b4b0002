#!/usr/bin/env bash
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs what `./dev gpu-bundle` built, on a machine with a GPU. Goes on after a failure; exits with 1 if there was one.
#   ./run.sh                everything that is here
#   ./run.sh tests compare soak sanitizer     only these parts
# REHEAT_SOAK_MINUTES says how long the soak test runs (1).
# Nothing but the NVIDIA driver is needed; compute-sanitizer is used where it is in PATH or in the toolkit's usual place.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# As compiled, and the PTX of compute_80 that the programs carry as well, translated by the driver.
read -ra sets <<<"${REHEAT_SETS:-sm_90 compute_80}"
parts=${*:-tests sanitizer}
if [ $# = 0 ] && [ -x ./reheat-compare ]; then
  parts="$parts compare"
fi

if [ $# = 0 ] && [ -x ./reheat_soak ]; then
  parts="$parts soak"
fi

failures=()
run()
{
  local title=$1 start=$SECONDS
  shift
  printf '\n== %s\n' "$title"
  if "$@"; then
    printf 'ok, %d s\n' $((SECONDS - start))
  else
    printf 'FAILED, %d s\n' $((SECONDS - start))
    failures+=("$title")
  fi
}

# as <set> <program> [<argument>...]
as()
{
  if [ "$1" = compute_80 ]; then
    CUDA_FORCE_PTX_JIT=1 "${@:2}"
  else
    "${@:2}"
  fi
}

sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
export CUDA_MODULE_LOADING=LAZY

# under <set> <tool> <program> [<argument>...]: 9 if the tool has something to report.
under()
{
  local set=$1 tool=$2
  shift 2
  as "$set" timeout 300 "$sanitizer" --tool "$tool" --error-exitcode 9 --print-limit 5 "$@"
}

reported()
{
  under "$@"
  [ $? = 9 ]
}

# A tool's silence means something once it has reported a fault seeded into the same kernels.
sanitize()
{
  local set=$1 pair tool part
  for pair in memcheck:read_past_end racecheck:skip_totals_barrier synccheck:divergent_barrier; do
    run "${pair%:*} reports ${pair#*:}, $set" reported "$set" "${pair%:*}" ./reheat_faults_gpu "${pair#*:}"
    run "${pair%:*} is clean, $set" under "$set" "${pair%:*}" ./reheat_faults_gpu
  done
  for tool in memcheck racecheck synccheck; do # textbook kernels are famous for missing barriers
    for part in ladder sorts others ranks; do
      [ $tool = racecheck ] && [ $part = ranks ] && continue # did not end in 200 s on an NVIDIA H200: two threads share the GPU
      run "$tool of $part is clean, $set" under "$set" "$tool" ./reheat_faults_gpu "$part"
    done
  done
}

for part in $parts; do
  for set in "${sets[@]}"; do
    case $part in
      tests)
        run "compat tests, $set" as "$set" ./reheat_compat_gpu
        REHEAT_START_EARLY=1 REHEAT_EXPECTED=5 run "launches that start early, $set" as "$set" ./reheat_compat_gpu --run_test=policy/launches
        REHEAT_START_EARLY=0 REHEAT_EXPECTED=5 run "launches that start serially, $set" as "$set" ./reheat_compat_gpu --run_test=policy/launches
        run "no call is switched off, $set" as "$set" ./reheat_switch_gpu
        REHEAT_DISABLE=all REHEAT_EXPECTED_DISABLED=all run "all calls are switched off, $set" as "$set" ./reheat_switch_gpu
        REHEAT_DISABLE=reduce,by_key,extrema REHEAT_EXPECTED_DISABLED=reduce,inclusive_scan_by_key,exclusive_scan_by_key,reduce_by_key,min_element,max_element,minmax_element \
          run "some calls are switched off, $set" as "$set" ./reheat_switch_gpu
        run "operators that fault, $set" as "$set" ./reheat_operator_faults_gpu
        ;;
      compare) run "reheat-compare, $set" as "$set" ./reheat-compare ;;
      soak) run "soak, $set" as "$set" ./reheat_soak "${REHEAT_SOAK_MINUTES:-1}" ;;
      sanitizer)
        # reheat_faults_gpu takes every kernel through every loader, in inputs small enough for the tools.
        run "results without a fault, $set" as "$set" ./reheat_faults_gpu
        if [ -n "$sanitizer" ]; then
          sanitize "$set"
        else
          printf '\n== compute-sanitizer is not here: NOT RUN for %s\n' "$set"
        fi
        ;;
      *) printf 'run.sh: there is no part "%s"\n' "$part" >&2 && exit 2 ;;
    esac
  done
done

printf '\n'
if [ ${#failures[@]} -gt 0 ]; then
  printf 'failed: %s\n' "${failures[@]}"
  exit 1
fi
printf 'all passed\n'
