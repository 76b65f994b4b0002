// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The tree of executions behind `enumerate`: source-DPOR (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order
//! Reduction, POPL 2014). The machine asks which actor comes next, and tells what the actor has done.
#pragma once

#include "enumeration.h"
#include "schedule.h"

#include <reheat/emulator.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace reheat::REHEAT_MACHINE::emulator
{

class enumerator
{
public:
  using actor_set = std::uint64_t;
  static constexpr unsigned max_actors = 64;
  static constexpr unsigned nobody = max_actors;

  explicit enumerator(const enumeration_plan& plan) : plan_(plan), rule_(plan.rule) {}

  //! The one whose executions this OS thread runs, or null.
  static inline __thread enumerator* active = nullptr;
  const enumeration_plan& plan() const { return plan_; }

  void execution_begins();
  //! Returns whether there is another one.
  bool execution_ends();
  const enumeration& counted() const { return counted_; }
  //! What was wrong with the execution, or nothing.
  void gave(const std::string& wrong);
  void leaves_out() { counted_.complete = false; }

  // Of the machine.
  //! Keeps a launch that is to overlap with the next one, and returns whether it has: then it runs with that one.
  bool puts_off(const launch_shape& shape, void (*body)(void*), std::shared_ptr<void> argument);
  struct earlier_launch
  {
    launch_shape shape = {};
    void (*body)(void*) = nullptr;
    std::shared_ptr<void> argument = nullptr;
  };
  //! The one that was put off, or null.
  const earlier_launch* earlier() const { return earlier_.body != nullptr ? &earlier_ : nullptr; }
  //! Whether this launch is the one to enumerate.
  bool launch_begins(unsigned actors, unsigned actors_per_block);
  //! Of a nonempty set. `nobody`: the launch is given up, and `why_nobody` says why.
  unsigned choose(actor_set ready);
  const char* why_nobody() const { return why_nobody_; }
  //! The launch has thrown.
  void launch_failed(const std::string& why);
  //! The chosen actor performs its next operation in this step; otherwise it only goes on to that.
  void step_operates();
  //! Returns how often the word had been written in this execution.
  std::uint32_t accessed(const void* word, bool writes);
  std::uint32_t writes_of(const void* word) const;
  //! How often before the later one of two launches that overlap.
  std::uint32_t writes_of_earlier(const void* word) const;
  //! What comes next in this step follows the write of the word that comes after so many.
  void follow_write(const void* word, std::uint32_t after);
  //! The same of what came before all releases to the place, and before the end of all blocks so far.
  void acquire(const void* place);
  void release(const void* place);
  void forget(const void* place) { released_.erase(place); }
  void block_ends(unsigned block);
  void block_starts(unsigned block);
  // Of two launches that overlap.
  //! The running block of the earlier one lets the later one start, or a block has ended that has not.
  void lets_next_start();
  void ended_block_lets_next_start(unsigned block);
  void later_block_starts(unsigned block);
  //! All of the earlier one's blocks have ended.
  void earlier_ends();
  //! What comes next in this step follows the earlier one's end.
  void follow_earlier();

private:
  using vector_clock = std::vector<std::uint32_t>; //!< of each actor, how many of its steps came before

  struct operation
  {
    const void* word;
    bool writes;
  };
  struct step
  {
    unsigned actor = nobody;
    std::uint32_t number = 0; //!< of the actor's steps, from 1 on
    bool operates = false;
    bool releases = false;
    bool releases_launch = false; //!< a block has ended in it, or let the next launch start
    std::vector<operation> operations = {};
    vector_clock clock = {};
  };
  //! A step that has been explored from here: nothing new follows it until one that depends on it has been taken.
  struct sleeper
  {
    unsigned actor;
    bool operates;
    std::vector<operation> operations;
  };
  struct node
  {
    actor_set ready = 0;
    actor_set wanted = 0; //!< whose steps are to be explored from here
    std::vector<sleeper> asleep = {};
    step taken = {};
  };
  struct word_history
  {
    std::vector<std::size_t> written = {}; //!< places in path_
    std::vector<std::size_t> reads = {};   //!< likewise, since the last of those
    std::uint32_t of_earlier = 0;          //!< how many of the writes came before the later launch
  };

  static actor_set set_of(const std::vector<sleeper>& asleep);
  static bool depend(const std::vector<operation>& one, const std::vector<operation>& other);
  void begin_step();
  void end_step();
  void go_on_in_new_step();
  void add_node(actor_set ready);
  unsigned by_rule(actor_set candidates);
  void note_race(std::size_t earlier);
  static void join(vector_clock& into, const vector_clock& other);

  enumeration_plan plan_;
  random_bits rule_;
  enumeration counted_;
  std::vector<node> path_;
  std::size_t depth_ = 0;  //!< steps taken in this execution
  bool abandoned_ = false; //!< the execution was given up, as nothing new could come of it
  const char* why_nobody_ = "";
  std::unordered_set<std::uint64_t> classes_;

  earlier_launch earlier_;

  // Of the launch that is enumerated.
  unsigned launches_ = 0;
  unsigned actors_per_block_ = 1;
  step* running_ = nullptr;
  std::vector<vector_clock> clocks_;      //!< of each actor, after its latest step
  std::vector<std::uint32_t> operations_; //!< of each actor
  std::vector<std::size_t> latest_;       //!< of each actor: its latest step, as a place in path_, or 0
  vector_clock ended_;
  vector_clock next_may_start_;
  std::unordered_map<const void*, word_history> words_;
  std::unordered_map<const void*, vector_clock> released_;
  std::uint64_t signature_ = 0; //!< of the class: a sum over operations, so that their order does not matter
};

} // namespace reheat::REHEAT_MACHINE::emulator
