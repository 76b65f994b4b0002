// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Enumerated schedules: one execution per class of those that differ only in the order of operations that commute.
//!
//! An operation is an access by simt's atomics, loads and stores to memory that blocks share. Two operations depend on each
//! other if different actors perform them, on the same word, and one of them writes. Executions are equivalent if they order
//! all operations that depend on each other in the same way. docs/enumeration.md says what this covers.
#pragma once

#include <reheat/detail/config.cuh>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace reheat::REHEAT_MACHINE::emulator
{

//! Whose operations are ordered in every way. Threads of one actor take turns in a fixed order.
enum class actor_unit : unsigned
{
  warp, //!< an actor performs one operation at a time
  block //!< an actor performs an operation of each of its threads that are ready for one, as one step
};

//! When a thread that has polled in vain looks again.
enum class next_look : unsigned
{
  all_written, //!< when every word has been written that it looked at, and that nobody had written in the launch
  any_written  //!< when any word has been written that it looked at
};

struct enumeration_plan
{
  actor_unit actors = actor_unit::warp;
  next_look looks = next_look::all_written;
  unsigned launch = 0; //!< which launch of an execution; the others run as the seed says
  //! The launch and the next one of the execution, which has the same shape and starts early, run at once: a block of the
  //! latter may start as soon as all of the former allow it. So the host sees the results of the former late.
  bool overlaps = false;
  unsigned resident_blocks = 0; //!< at a time, of a launch; 0: as many as the device holds
  //! Seed of a random rule in place of the fixed one, for who comes next where it does not matter: there are as many
  //! classes.
  std::uint64_t rule = 0;
  std::uint64_t max_executions = std::numeric_limits<std::uint64_t>::max();
};

struct enumeration
{
  std::uint64_t classes = 0;    //!< different ones
  std::uint64_t executions = 0; //!< to their end; more than classes where two were equivalent
  std::uint64_t abandoned = 0;  //!< when only executions of known classes could follow
  std::uint64_t operations = 0; //!< in the longest execution
  unsigned actors = 0;          //!< that performed any
  bool complete = true;         //!< false if executions were left out: by a bound, or as several blocks wait for a place
  std::string found;            //!< what went wrong in the last execution; then there are no others
};

//! Runs `execution` once per class. It makes the same calls each time, on memory at the same addresses with the same
//! contents, and returns what is wrong with the results, or nothing. An exception that leaves it is a finding, and so is one
//! of the launch that it does not let out, unless the enumeration has ended the launch itself.
enumeration enumerate(const enumeration_plan& plan, const std::function<std::string()>& execution);

} // namespace reheat::REHEAT_MACHINE::emulator
