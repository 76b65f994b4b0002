#!/usr/bin/env bash
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the tests of Thrust that `./dev upstream` built, on a machine with a GPU, and prints a line for each. Nothing but the NVIDIA
# driver is needed. Exits with 0 if all passed, 1 if not, 3 if there is no GPU and nothing ran.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit

{
  read -r version
  mapfile -t tests
} <programs
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)

# run <program> <framework or catch2>: sets passed and failed to numbers of cases; shows the output unless all of them passed.
run()
{
  local log status=0 counts
  log=$(mktemp)
  if [ "$2" = framework ]; then
    "./$1" --device=0 >"$log" 2>&1 || status=$?
    counts=$(sed -n 's/^Totals: \([0-9]*\) failures, \([0-9]*\) known failures, \([0-9]*\) errors, and \([0-9]*\) passes[.].*/\4 \1 \3/p' "$log")
  else
    "./$1" --colour-mode none >"$log" 2>&1 || status=$?
    counts=$(sed -n -e 's/^All tests passed (.* in \([0-9]*\) test cases*)$/\1/p' \
      -e 's/^test cases: *[0-9]* *| *\([0-9]*\) passed *| *\([0-9]*\) failed.*/\1 \2/p' \
      -e 's/^test cases: *[0-9]* *| *\([0-9]*\) failed.*/0 \1/p' "$log")
  fi
  read -r passed failed errors <<<"$counts"
  passed=${passed:-0} failed=$((${failed:-0} + ${errors:-0})) # upstream does not count known failures
  [ "$status" = 0 ] || [ "$failed" != 0 ] || failed=1 # it ended early
  if [ "$failed" != 0 ] || [ "$passed" = 0 ]; then
    printf -- '\n-- %s ended with status %d:\n' "$1" "$status"
    tail -n 60 "$log"
  fi
  rm "$log"
}

printf "Thrust's own tests, %s, under reheat/override.cuh, on %s\n\n" "$version" "${gpu:-no GPU}"
printf '%-40s %9s %9s %16s %14s\n' test passed failed "reheat's kernels" "CUB's kernels"
all_passed=0 all_failed=0 programs=0 wrong=() absent=()
for entry in "${tests[@]}"; do
  read -r name state ours cubs <<<"$entry"
  case $state in
    absent) absent+=("$name") && continue ;;
    unbuilt)
      printf '%-40s %s\n' "$name" 'does not compile'
      wrong+=("$name does not compile")
      continue
      ;;
  esac
  programs=$((programs + 1)) passed=- failed=-
  if [ -n "$gpu" ]; then
    run "${name//\//.}" "$state"
    all_passed=$((all_passed + passed)) all_failed=$((all_failed + failed))
    [ "$failed" = 0 ] || wrong+=("$name: $failed cases failed")
    [ "$passed" != 0 ] || wrong+=("$name: no case passed")
  fi
  printf '%-40s %9s %9s %16s %14s\n' "$name" "$passed" "$failed" "$ours" "$cubs"
  [ "$ours" != 0 ] || wrong+=("$name has no kernel of reheat's: the override was not applied")
done

printf '\n'
[ ${#absent[@]} = 0 ] || printf 'not in this checkout: %s\n' "${absent[*]}"
[ ${#wrong[@]} = 0 ] || printf 'error: %s\n' "${wrong[@]}"
if [ -z "$gpu" ]; then
  printf 'NOTHING RAN: there is no GPU here (nvidia-smi names none). %d programs were built; copy this folder to a machine with a GPU: %s\n' \
    "$programs" "$PWD"
  [ ${#wrong[@]} = 0 ] && exit 3
  exit 1
fi
printf '%d programs, %d cases passed, %d failed\n' "$programs" "$all_passed" "$all_failed"
[ ${#wrong[@]} = 0 ] && [ "$programs" -gt 0 ]
