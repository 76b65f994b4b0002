// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Runs one row: Thrust, then reheat into an output that holds the complement of Thrust's, then the others likewise; then
//! the timed rounds.
#include "this_machine.cuh"
#include "this_machine.hpp"

#include "call.hpp"
#include "calls_across.hpp"
#include "selections.hpp"
#include "sums.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace compare
{
namespace
{

constexpr std::size_t guard_bytes = 256;
constexpr int guard_value = 0xa5;

call_function find_undivided_call(const request& row)
{
  if (!is_for_everything(row.algorithm))
  {
    const auto find = takes_operation(row.algorithm) ? find_call_sum : find_call_search;
    if (const call_function found = find(row.element))
    {
      return found;
    }
  }
  else
  {
    for (const auto find : {find_call_8, find_call_16, find_call_32, find_call_64, find_call_float})
    {
      if (const call_function found = find(row.element, row.operation))
      {
        return found;
      }
    }
  }
  throw machine_error(std::string("no call for ") + name_of(row.algorithm) + ' ' + name_of(row.element) + ' ' +
                      name_of(row.operation));
}

std::function<void(call&)> find_call(const request& row)
{
  if (row.ranks != 0)
  {
    const call_function undivided = find_undivided_call(row);
    return [&row, undivided](call& c)
    { c.who == implementation::reheat ? make_call_across(c, row.ranks, row.element, row.operation) : undivided(c); };
  }
  if (is_of_device_classes(row.algorithm) && !is_for_everything(row.algorithm))
  {
    return [by_policy = find_undivided_call(row), by_class = find_call_device(row.element)](call& c)
    { (has_two_phases(c.who) ? by_class : by_policy)(c); };
  }
  return find_undivided_call(row);
}

// Memory for a call to write to, between two guards, and what it holds before the call.
class guarded_memory
{
public:
  guarded_memory(std::size_t shift, std::size_t bytes)
      : memory_(guard_bytes + shift + bytes + guard_bytes), before_(guard_bytes + shift), poison_(bytes)
  {
    std::fill_n(poison_.data(), bytes, static_cast<std::byte>(guard_value));
  }
  std::byte* data() const { return memory_.data() + before_; }
  std::size_t size() const { return poison_.size(); }

  void poison_with_complement_of(const host_bytes& values)
  {
    std::transform(values.data(), values.data() + size(), poison_.data(), [](std::byte each) { return ~each; });
  }
  void prepare() const
  {
    here::copy_in(data(), poison_.data(), size());
    here::fill(memory_.data(), guard_value, before_);
    here::fill(data() + size(), guard_value, guard_bytes);
  }
  host_bytes contents() const
  {
    host_bytes held(size());
    here::copy_out(held.data(), data(), size());
    return held;
  }
  bool guards_stand() const
  {
    std::array<std::byte, 2 * guard_bytes + guard_bytes> held;
    here::copy_out(held.data(), memory_.data(), before_);
    here::copy_out(held.data() + before_, data() + size(), guard_bytes);
    return std::all_of(held.data(), held.data() + before_ + guard_bytes,
                       [](std::byte each) { return each == static_cast<std::byte>(guard_value); });
  }

  //! Whether everything from byte `from` on is as it was before the call.
  bool is_untouched_from(std::size_t from, const host_bytes& held) const
  {
    return std::equal(held.data() + from, held.data() + size(), poison_.data() + from);
  }

private:
  here::memory memory_;
  std::size_t before_; // less than two guards: a shift is less than 256
  host_bytes poison_;
};

class row_runner
{
public:
  explicit row_runner(const request& row)
      : row_(row), function_(find_call(row)), input_bytes_(row.count * size_of(row.element)),
        input_(row.shift + input_bytes_),
        output_(row.shift, output_items(row.algorithm, row.count) * output_item_bytes(row.algorithm, row.element))
  {
    here::copy_in(input_.data() + row.shift, row.items, input_bytes_);
    const algorithm_facts& facts = facts_of(row.algorithm);
    if (facts.keys() != key_use::none)
    {
      host_bytes keys(row.count * sizeof(key_type));
      fill_keys(keys.as<key_type>(), row.count);
      here::copy_in(keys_.emplace(keys.size()).data(), keys.data(), keys.size());
    }
    if (facts.writes_keys())
    {
      keys_output_.emplace(0, output_items(row.algorithm, row.count) * sizeof(key_type));
    }
  }

  outcome run()
  {
    outcome made;
    made.thrust = run_once(implementation::thrust);
    if (made.thrust.failure.empty())
    {
      output_.poison_with_complement_of(made.thrust.values);
      if (keys_output_)
      {
        keys_output_->poison_with_complement_of(made.thrust.keys);
      }
    }
    made.reheat = run_once(implementation::reheat);
    if (is_of_device_classes(row_.algorithm) && row_.ranks == 0)
    {
      for (const implementation who : here::others)
      {
        made.others[who] = run_once(who);
      }
    }
    if (!here::emulated)
    {
      time(made);
    }
    return made;
  }

private:
  call prepare(implementation who)
  {
    call made{};
    made.who = who;
    made.algorithm = row_.algorithm;
    made.in = input_.data() + row_.shift;
    made.out = output_.data();
    made.keys = keys_ ? reinterpret_cast<const key_type*>(keys_->data()) : nullptr;
    made.keys_out = keys_output_ ? reinterpret_cast<key_type*>(keys_output_->data()) : nullptr;
    made.count = row_.count;
    made.init = row_.items;
    made.last = row_.items + (row_.count - 1) * size_of(row_.element);
    made.beside = beside_.data();
    if (has_two_phases(who))
    {
      auto scratch = scratch_.find(who);
      if (scratch == scratch_.end())
      {
        function_(made);
        scratch = scratch_.try_emplace(who, row_.shift, std::max<std::size_t>(made.scratch_bytes, 1)).first;
        scratch->second.prepare(); // no call may count on zeros
      }
      made.scratch = scratch->second.data();
      made.scratch_bytes = scratch->second.size();
    }
    return made;
  }

  result run_once(implementation who)
  {
    result made;
    output_.prepare();
    beside_.prepare();
    if (keys_output_)
    {
      keys_output_->prepare();
    }
    call c{};
    try
    {
      c = prepare(who);
      function_(c);
    }
    catch (const machine_error&)
    {
      throw;
    }
    catch (const std::exception& error)
    {
      if (here::is_out_of_memory(error))
      {
        throw machine_error(std::string("out of memory: ") + error.what() + "; take fewer items with --items");
      }
      made.failure = error.what();
      return made;
    }
    made.returned_end = c.returned_end;
    if (c.value_on_host)
    {
      made.values = host_bytes(output_.size());
      std::copy_n(c.value, output_.size(), made.values.data());
    }
    else
    {
      made.values = output_.contents();
    }
    if (has_two_phases(who))
    {
      made.returned_end = beside_is_right(made.values);
    }
    made.kept_bounds =
        output_.guards_stand() && beside_.guards_stand() && (c.scratch == nullptr || scratch_.at(who).guards_stand());
    if (facts_of(row_.algorithm).selects())
    {
      look_behind_selection(c, made);
    }
    if (keys_output_)
    {
      made.keys = keys_output_->contents();
      made.kept_bounds = made.kept_bounds && keys_output_->guards_stand();
    }
    return made;
  }

  // Whether `device` or CUB left the right number of runs, or the item at the position that it found.
  bool beside_is_right(const host_bytes& values) const
  {
    const host_bytes beside = beside_.contents();
    if (facts_of(row_.algorithm).output == output::run_totals)
    {
      return *beside.as<std::int64_t>() == static_cast<std::int64_t>(output_items(row_.algorithm, row_.count));
    }
    if (facts_of(row_.algorithm).gives_numbers())
    {
      const auto at = static_cast<std::uint64_t>(*values.as<std::int64_t>());
      const std::size_t bytes = size_of(row_.element);
      return at < row_.count && std::equal(beside.data(), beside.data() + bytes, row_.items + at * bytes);
    }
    return true;
  }

  // Whether the end that a selection returned is right, and nothing has been written behind it.
  void look_behind_selection(const call& c, result& made) const
  {
    const std::size_t selected =
        with_type(row_.element, [&](auto tag) { return selected_items<typename decltype(tag)::type>(row_).size(); });
    made.returned_end = c.returned_items == static_cast<std::int64_t>(selected);
    if (facts_of(row_.algorithm).output == output::selection)
    {
      made.kept_bounds = made.kept_bounds && output_.is_untouched_from(selected * size_of(row_.element), made.values);
    }
  }

  // Round after round, so that a change of the GPU's clock meets all of them.
  void time(outcome& made)
  {
    std::vector contenders{std::pair{implementation::thrust, &made.thrust}, std::pair{implementation::reheat, &made.reheat}};
    for (auto& [who, into] : made.others)
    {
      contenders.emplace_back(who, &into);
    }
    here::clock clock;
    for (int round = 0; round < row_.repeat; ++round)
    {
      for (const auto& [who, into] : contenders)
      {
        if (into->failure.empty())
        {
          call c = prepare(who);
          into->seconds.push_back(clock.seconds_of([&] { function_(c); }));
        }
      }
    }
  }

  const request& row_;
  std::function<void(call&)> function_;
  std::size_t input_bytes_;
  here::memory input_;
  std::optional<here::memory> keys_;
  guarded_memory output_;
  std::optional<guarded_memory> keys_output_;
  guarded_memory beside_{0, beside_bytes};
  std::map<implementation, guarded_memory> scratch_;
};

class built_machine final : public machine
{
public:
  const char* program() const override { return here::program; }
  std::string description() const override { return here::description(); }
  bool emulated() const override { return here::emulated; }
  std::string upstream() const override { return here::upstream; }
  std::size_t input_capacity(std::size_t arrays) const override { return here::input_capacity(arrays); }
  outcome run(const request& row) override { return row_runner(row).run(); }
  sums sums_of(const sum_request& row) override { return sums_here(row); }
  std::vector<std::uint64_t> golden_hashes() override { return here::golden_hashes(); }
};

} // namespace

std::unique_ptr<machine> this_machine()
{
  return std::make_unique<built_machine>();
}

} // namespace compare
