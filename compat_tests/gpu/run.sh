#!/usr/bin/env bash
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs what `./dev gpu-bundle` built, on a machine with a GPU. Goes on after a failure; exits with 1 if there was one.
#   ./run.sh                everything that is here
#   ./run.sh tests compare sanitizer     only these parts
# Nothing but the NVIDIA driver is needed; compute-sanitizer is used where it is in PATH or in the toolkit's usual place.
#   REHEAT_SETS        sm_90, compute_80 or, by default, both
#   REHEAT_PROCESSES   test processes at a time for compute_80 (default: the number of cores)
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# As compiled, and the PTX of compute_80 that the programs carry as well, translated by the driver.
read -ra sets <<<"${REHEAT_SETS:-sm_90 compute_80}"
parts=${*:-tests sanitizer}
if [ $# = 0 ] && [ -x ./reheat-compare ]; then
  parts="$parts compare"
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
  local set=$1 pair tool
  for pair in memcheck:read_past_end racecheck:skip_totals_barrier synccheck:divergent_barrier; do
    run "${pair%:*} reports ${pair#*:}, $set" reported "$set" "${pair%:*}" ./reheat_faults_gpu "${pair#*:}"
    run "${pair%:*} is clean, $set" under "$set" "${pair%:*}" ./reheat_faults_gpu
  done
  for tool in memcheck racecheck synccheck; do # textbook kernels are famous for missing barriers
    run "$tool of the ladder is clean, $set" under "$set" "$tool" ./reheat_faults_gpu ladder
  done
}

# A driver translates the PTX of a source file when a case there first launches a kernel, on one core. So each file's cases get a
# process of their own, of which as many run as there are cores. These run alone: they take all memory or all multiprocessors of
# the GPU, or check times.
alone='/(policy/(gpu|launches|neighbours|stress)|(family|scan)/large)[.]cu$'
alone_files=6

# cases_by_file <program>: a line per source file, those with the most cases first: number of cases, name, arguments that select.
cases_by_file()
{
  "$1" --list_content=DOT 2>&1 | awk '
    match($0, /^tu[0-9]+\[/) {
      id = substr($0, 1, RLENGTH - 1)
      split($0, text, /label="|\|/)
      name[id] = text[2]
      file[id] = text[3]
      sub(/[(][0-9]+[)]("\];)?$/, "", file[id]) # the line
      units[++many] = id
    }
    / -> / {
      sub(/;$/, "")
      parent[$3] = $1
      is_suite[$1] = 1
    }
    END {
      for (i = 1; i <= many; ++i) {
        id = units[i]
        if (is_suite[id])
          continue
        suite = ""
        for (up = parent[id]; parent[up] != ""; up = parent[up])
          suite = name[up] "/" suite
        key = file[id] SUBSEP suite
        if (!(key in listed)) {
          suites[file[id]] = suites[file[id]] " " suite
          listed[key] = name[id]
        } else
          listed[key] = listed[key] "," name[id]
        ++cases[file[id]]
      }
      for (f in cases) {
        printf "%d %s", cases[f], f
        parts = split(suites[f], in_file, " ")
        for (i = 1; i <= parts; ++i)
          printf " --run_test=%s%s", in_file[i], listed[f, in_file[i]]
        printf "\n"
      }
    }' | sort -k1,1nr -k2
}

# run_file <set> <program> <log> <number of cases> <file> <argument>...: leaves in <log>.ran how many cases were executed, if all
# is well 1, and otherwise 0.
run_file()
{
  local log=$3 cases=$4 file=${5##*compat_tests/} start=$SECONDS status=0 ran sound=0 note
  as "$1" "$2" "${@:6}" >"$log" 2>&1 || status=$?
  ran=$(sed -n 's/.*executed \([0-9]*\), skipped .*/\1/p' "$log") # colours may stand before it
  if [ "$status" = 0 ] && [ "$ran" = "$cases" ]; then
    sound=1
  else
    note=": FAILED with status $status"
  fi
  printf '%-28s %3d of %3d cases, %4d s%s\n' "$file" "${ran:-0}" "$cases" $((SECONDS - start)) "${note:-}"
  printf '%d %d\n' "${ran:-0}" $sound >"$log.ran"
}

# by_file <set> <program>: a process per source file. True if each case that the program has was executed and passed.
by_file()
{
  local set=$1 program=$2 processes=${REHEAT_PROCESSES:-$(nproc)} logs files turn i cases file arguments ran sound
  local registered executed=0 found_alone=0 status=0
  logs=$(mktemp -d)
  mapfile -t files < <(cases_by_file "$program")
  # Counted in another list: what no other line is indented under.
  registered=$("$program" --list_content 2>&1 | awk '/[*]$/ { here = match($0, /[^ ]/); leaves += last >= here; last = here }
    END { print leaves + (last > 0) }')
  for turn in together alone; do
    for i in "${!files[@]}"; do
      read -r cases file arguments <<<"${files[i]}"
      if [[ $file =~ $alone ]]; then
        [ $turn = alone ] || continue
        found_alone=$((found_alone + 1))
      else
        [ $turn = together ] || continue
        while [ "$(jobs -rp | wc -l)" -ge "$processes" ]; do
          wait -n
        done
      fi
      # shellcheck disable=SC2086
      run_file "$set" "$program" "$logs/$i" "$cases" "$file" $arguments &
      [ $turn = together ] || wait
    done
    wait
  done
  for i in "${!files[@]}"; do
    read -r ran sound <"$logs/$i.ran"
    executed=$((executed + ran))
    if [ "$sound" = 0 ]; then
      read -r cases file arguments <<<"${files[i]}"
      printf -- '\n-- %s\n' "${file##*compat_tests/}"
      cat "$logs/$i"
      status=1
    fi
  done
  printf 'executed %d of %d cases, in %d processes\n' "$executed" "$registered" "${#files[@]}"
  if [ "$executed" != "$registered" ] || [ "$registered" = 0 ]; then
    printf 'error: cases were lost\n'
    status=1
  fi
  if [ "$found_alone" != "$alone_files" ]; then
    printf 'error: %d of the %d files that are to run alone were found\n' "$found_alone" "$alone_files"
    status=1
  fi
  rm -r "$logs"
  return $status
}

for part in $parts; do
  for set in "${sets[@]}"; do
    case $part in
      tests)
        if [ "$set" = compute_80 ]; then
          run "compat tests, $set" by_file "$set" ./reheat_compat_gpu
        else
          run "compat tests, $set" as "$set" ./reheat_compat_gpu
        fi
        REHEAT_START_EARLY=1 REHEAT_EXPECTED=5 run "launches that start early, $set" as "$set" ./reheat_compat_gpu --run_test=policy/launches
        REHEAT_START_EARLY=0 REHEAT_EXPECTED=5 run "launches that start serially, $set" as "$set" ./reheat_compat_gpu --run_test=policy/launches
        run "no call is switched off, $set" as "$set" ./reheat_switch_gpu
        REHEAT_DISABLE=all REHEAT_EXPECTED_DISABLED=all run "all calls are switched off, $set" as "$set" ./reheat_switch_gpu
        REHEAT_DISABLE=reduce,by_key,extrema REHEAT_EXPECTED_DISABLED=reduce,inclusive_scan_by_key,exclusive_scan_by_key,reduce_by_key,min_element,max_element,minmax_element \
          run "some calls are switched off, $set" as "$set" ./reheat_switch_gpu
        run "operators that fault, $set" as "$set" ./reheat_operator_faults_gpu
        ;;
      compare) run "reheat-compare, $set" as "$set" ./reheat-compare ;;
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
