// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reports for people: misuse by one thread, and the table of who waits for what when nobody can go on.
#include "inline_scheduler.h"
#include "sanitizer.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

namespace reheat::REHEAT_MACHINE::emulator
{
namespace
{

std::string number(std::uint64_t value)
{
  return std::to_string(value);
}

std::string place(call_site at)
{
  return at.file == nullptr ? "(no call yet)" : std::string(at.file) + ":" + number(static_cast<std::uint64_t>(at.line));
}

// "0-3,7" for bits 0 to 3 and 7.
std::string ranges(std::uint64_t bits)
{
  std::string text;
  for (unsigned first = 0; first < 64; ++first)
  {
    if ((bits >> first & 1u) == 0)
    {
      continue;
    }
    unsigned last = first;
    while (last + 1 < 64 && (bits >> (last + 1) & 1u) != 0)
    {
      ++last;
    }
    text += (text.empty() ? "" : ",") + number(first) + (last > first ? "-" + number(last) : "");
    first = last;
  }
  return text;
}

std::string mbarrier_text(const cuda_thread& who)
{
  const mbarrier_state& barrier = who.home->mbarriers[who.mbarrier];
  return "mbarrier_wait for parity " + number(who.operand) + " (initialised at " + place(barrier.initialised) +
         "; in phase " + number(barrier.phase) + ", " + number(barrier.pending) + " of " + number(barrier.expected) +
         " arrivals and " + std::to_string(barrier.pending_bytes) + " bytes missing)";
}

std::string collective_text(const cuda_thread& who)
{
  const warp& team = *who.team;
  constexpr const char* names[] = {"sync_warp", "shuffle", "shuffle_up", "shuffle_down", "all", "any", "ballot"};
  for (unsigned i = 0; i < team.open_collectives; ++i)
  {
    const collective& open = team.open[i];
    if ((open.arrived >> who.lane & 1u) != 0)
    {
      return std::string(names[static_cast<unsigned>(open.kind)]) + " (lanes " + ranges(open.lanes & ~open.arrived) +
             " missing)";
    }
  }
  return "a collective operation";
}

std::string activity_text(const cuda_thread& who, std::uint64_t grid_arrived)
{
  if ((who.team->runnable >> who.lane & 1u) != 0)
  {
    return "can run, last call";
  }
  const block& home = *who.home;
  switch (who.doing)
  {
    case activity::at_block_barrier:
      return "sync_block (" + number(home.barrier_arrived) + " of " + number(home.threads) + " threads arrived)";
    case activity::at_named_barrier: {
      const named_barrier& barrier = home.named[who.operand];
      return "sync_named " + number(who.operand) + " (" + number(barrier.arrived) + " of " + number(barrier.threads) +
             " threads arrived)";
    }
    case activity::at_grid_barrier:
      return "sync_grid (" + number(grid_arrived) + " of " + number(std::uint64_t{who.grid_blocks} * who.block_threads) +
             " threads of the grid arrived)";
    case activity::in_collective:
      return collective_text(who);
    case activity::at_mbarrier:
      return mbarrier_text(who);
    case activity::at_bulk_read:
      return "bulk_wait_read<" + number(who.operand) + ">";
    case activity::at_bulk_done:
      return "bulk_wait<" + number(who.operand) + ">";
    case activity::polling:
      return "polls";
    case activity::stalled:
      return "can run, but is stalled by the scheduler, last call";
    case activity::exited:
      break;
  }
  return "has exited";
}

// Rows of one block: what the threads do, and of each warp which lanes.
using block_rows = std::map<std::string, std::map<unsigned, unsigned>>;

block_rows rows_of(const block& home, std::uint64_t grid_arrived)
{
  block_rows rows;
  for (unsigned t = 0; t < home.threads; ++t)
  {
    const cuda_thread& who = home.thread[t];
    const bool exited = (who.team->exited >> who.lane & 1u) != 0;
    const std::string text = exited ? "has exited" : activity_text(who, grid_arrived) + " at " + place(who.at);
    rows[text][who.warp] |= 1u << who.lane;
  }
  return rows;
}

// Warps with the same lanes share a line.
std::string block_text(const block& home, std::uint64_t grid_arrived)
{
  std::string text;
  for (const auto& [what, lanes_of_warp] : rows_of(home, grid_arrived))
  {
    std::map<unsigned, std::uint64_t> warps_of_lanes;
    for (const auto& [index, lanes] : lanes_of_warp)
    {
      warps_of_lanes[lanes] |= std::uint64_t{1} << index;
    }
    for (const auto& [lanes, warps] : warps_of_lanes)
    {
      text += "    warp " + ranges(warps) + ", lane " + ranges(lanes) + ": " + what + "\n";
    }
  }
  return text;
}

} // namespace

std::string machine::position(const cuda_thread& who) const
{
  return std::string("kernel ") + shape_.name + ", block " + number(who.block) + ", warp " + number(who.warp) + ", lane " +
         number(who.lane) + " (grid of " + number(who.grid_blocks) + " blocks of " + number(who.block_threads) + " threads)";
}

std::string machine::running_position() const
{
  return self_ != nullptr ? position(*self_) : std::string("the scheduler, kernel ") + shape_.name;
}

std::string machine::replay() const
{
  const std::string command = replay_command();
  return "replay: " + (command.empty() ? "REHEAT_SEED=" + number(seed_) : command + " --seed " + number(seed_)) +
         ", launch " + number(number_) + " since the seed was set";
}

void machine::set_failure(const cuda_thread& who, call_site at, const char* what)
{
  failure_ = std::string("reheat emulator: ") + what + "\n  in " + position(who) + "\n  at " + place(at) + "\n  " + replay();
}

void machine::fail(call_site at, const char* format, ...)
{
  // A fixed buffer: the stack of this thread is abandoned, and nothing on it may own memory.
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  (void)std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  set_failure(*self_, at, text);
  leave();
}

void machine::note_race()
{
  if (failure_.empty())
  {
    constexpr const char* what = "data race (ThreadSanitizer's report names both sides)";
    if (self_ != nullptr)
    {
      set_failure(*self_, self_->at, what);
    }
    else
    {
      failure_ =
          std::string("reheat emulator: ") + what + ", of a bulk copy\n  in kernel " + shape_.name + "\n  " + replay();
    }
    (void)std::fprintf(stderr, "%s\n", failure_.c_str());
  }
}

void machine::leave()
{
  hand_over(nullptr);
  std::abort(); // nobody switches back to an abandoned fiber
}

std::string machine::stuck_report(const char* headline) const
{
  // Equal blocks share their lines; the order of the first of each is kept.
  std::vector<std::pair<std::string, std::vector<unsigned>>> groups;
  for (const block& home : places_)
  {
    if (!home.resident)
    {
      continue;
    }
    const std::string text = block_text(home, grid_arrived_);
    bool found = false;
    for (auto& [known, blocks] : groups)
    {
      found = found || known == text;
      if (known == text)
      {
        blocks.push_back(home.index);
      }
    }
    if (!found)
    {
      groups.push_back({text, {home.index}});
    }
  }
  std::string report = std::string("reheat emulator: ") + headline + "\n  in kernel " + shape_.name + " (grid of " +
                       number(shape_.grid_blocks) + " blocks of " + number(shape_.block_threads) + " threads, " +
                       number(next_block_) + " started, " + number(counted_.blocks) + " ended)\n";
  for (const auto& [text, blocks] : groups)
  {
    report += "  block";
    for (const unsigned index : blocks)
    {
      report += (index == blocks.front() ? " " : ", ") + number(index);
    }
    report += ":\n" + text;
  }
  return report + "  bulk copies in flight: " + number(copies_.size()) + "\n  " + replay();
}

} // namespace reheat::REHEAT_MACHINE::emulator

//! ThreadSanitizer calls this before it prints a report, which names both threads and their lines.
extern "C" __attribute__((visibility("default"))) void __tsan_on_report(void*)
{
  using reheat::emulator::machine;
  if (machine* const on = machine::active())
  {
    // What std::string shares with the instrumented kernels may be theirs, where nothing is inlined: a race in it, while one
    // is being reported, would wait for itself.
    __tsan_ignore_thread_begin();
    on->note_race();
    __tsan_ignore_thread_end();
  }
}

#if defined(REHEAT_ADDRESS_SANITIZER)
//! AddressSanitizer calls this before it prints a report, which names only the OS thread and the line.
extern "C" __attribute__((visibility("default"))) void __asan_on_error()
{
  using reheat::emulator::machine;
  machine* const on = machine::active();
  if (on == nullptr)
  {
    return;
  }
  const std::string where = on->running_position();
  (void)std::fprintf(stderr, "reheat emulator: AddressSanitizer error in %s\n  %s\n", where.c_str(), on->replay().c_str());
}
#endif
