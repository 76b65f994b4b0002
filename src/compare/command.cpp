// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"

#include "accuracy.hpp"
#include "agreement.hpp"
#include "input.hpp"
#include "options.hpp"
#include "report.hpp"

#include <timing/statistics.hpp>

#include <algorithm>
#include <filesystem>
#include <new>
#include <ostream>
#include <variant>

#include <unistd.h>

namespace compare
{
namespace
{

// One line on the terminal, overwritten by the next; silent where standard error is no terminal.
class progress
{
public:
  explicit progress(std::ostream& err) : err_(err), on_(isatty(STDERR_FILENO) != 0) {}
  ~progress() { clear(); }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void say(const std::string& text)
  {
    if (on_)
    {
      clear();
      err_ << text << std::flush;
      shown_ = true;
    }
  }
  void clear()
  {
    if (shown_)
    {
      err_ << "\r\x1b[K" << std::flush;
      shown_ = false;
    }
  }

private:
  std::ostream& err_;
  bool on_;
  bool shown_ = false;
};

class comparison
{
public:
  comparison(const options& chosen, machine& on, progress& shown, report& made, std::vector<accuracy_row>& accuracy)
      : options_(chosen), machine_(on), progress_(shown), report_(made), accuracy_(accuracy)
  {}

  void compare_file(const std::string& path, const std::string& name)
  {
    progress_.say("reading " + name);
    source from = read_file(path, options_.offset, limit());
    from.name = name;
    compare_source(from);
  }
  void compare_random()
  {
    progress_.say("making random items");
    const std::uint64_t items = options_.items.value_or(machine_.emulated() ? default_emulated_items : default_random_items);
    source from = random_source(options_.seed.value_or(1), items * largest_type());
    // The bytes behind the last item of a smaller type are nothing left out.
    from.total_bytes.reset();
    random_items_ = items;
    compare_source(from);
  }

private:
  std::vector<element> types_of(const source& from) const
  {
    if (!options_.types.names.empty())
    {
      return options_.types.names;
    }
    return from.npy            ? std::vector{own_type(*from.npy)}
           : options_.accuracy ? std::vector{element::f32, element::f64}
                               : std::vector{element::i32, element::f32};
  }
  std::size_t largest_type() const
  {
    std::size_t largest = options_.types.names.empty() ? (options_.accuracy ? 8 : 4) : 1;
    for (const element each : options_.types.names)
    {
      largest = std::max(largest, size_of(each));
    }
    return largest;
  }

  // How much of an input is taken. On a GPU, unless told, what fits.
  read_limit limit() const
  {
    constexpr std::uint64_t no_limit = std::uint64_t{1} << 59;
    if (options_.items || machine_.emulated())
    {
      return {std::min(no_limit, options_.items.value_or(default_emulated_items)), no_limit};
    }
    // Input and output, keys where an algorithm has some; those that a reduction gives are few.
    const auto& algorithms = options_.algorithms.names;
    const bool keys = std::any_of(algorithms.begin(), algorithms.end(),
                                  [](algorithm each) { return facts_of(each).keys() != key_use::none; });
    return {no_limit, machine_.input_capacity(keys ? 3 : 2)};
  }
  std::uint64_t max_items(element type) const
  {
    if (random_items_ != 0)
    {
      return random_items_;
    }
    const read_limit most = limit();
    return std::max<std::uint64_t>(1, std::min(most.items, most.bytes / size_of(type)));
  }

  // The algorithms that are to run with this operator; with none those that take none.
  std::vector<algorithm> algorithms_of(element type, operation operation) const
  {
    std::vector<algorithm> made;
    for (const algorithm each : options_.algorithms.names)
    {
      if (takes_operation(each) == (operation != operation::none) && unserved(options_, each, type, operation).empty())
      {
        made.push_back(each);
      }
    }
    return made;
  }

  void compare_source(const source& from)
  {
    const std::vector<element> types = types_of(from);
    if (options_.accuracy)
    {
      measure_accuracy(from, types);
      return;
    }
    const std::string missing = first_unserved(options_, types);
    if (!missing.empty())
    {
      throw input_error(missing + "; choose one with --type");
    }
    std::vector<operation> operations = options_.operations.names;
    operations.push_back(operation::none);
    for (const element type : types)
    {
      for (const operation operation : operations)
      {
        const std::vector<algorithm> algorithms = algorithms_of(type, operation);
        if (!algorithms.empty())
        {
          compare_rows(from, type, operation, algorithms);
        }
      }
    }
  }

  void measure_accuracy(const source& from, const std::vector<element>& types)
  {
    for (const element type : types)
    {
      if (!is_float(type))
      {
        throw input_error(std::string("--accuracy serves f32 and f64, not ") + name_of(type) + "; choose one with --type");
      }
      const items made = prepared(from, type, operation::plus);
      progress_.say("summing " + from.name + " as " + name_of(type));
      const sum_request row{type, made.values.data(), made.count};
      accuracy_.push_back(accuracy_of(from.name, row, machine_.sums_of(row)));
    }
  }

  // Items of the source, whose notes are reported.
  items prepared(const source& from, element type, operation operation)
  {
    progress_.say("preparing " + from.name + " as " + name_of(type));
    items made = make_items(from, type, operation, max_items(type));
    for (const std::string& note : made.notes)
    {
      const std::string line = from.name + ' ' + name_of(type) + ": " + note;
      if (std::find(report_.notes.begin(), report_.notes.end(), line) == report_.notes.end())
      {
        report_.notes.push_back(line);
      }
    }
    return made;
  }

  void compare_rows(const source& from, element type, operation operation, const std::vector<algorithm>& algorithms)
  {
    const items made = prepared(from, type, operation);
    for (const algorithm algorithm : algorithms)
    {
      compare_row(from, type, operation, algorithm, made);
    }
  }

  void compare_row(const source& from, element type, operation operation, algorithm algorithm, const items& made)
  {
    const std::string name = from.name + ' ' + name_of(algorithm) + ' ' + name_of(type) + ' ' + name_of(operation);
    progress_.say("row " + std::to_string(report_.rows.size() + 1) + ": " + name + ", " + std::to_string(made.count) +
                  " items");
    const std::size_t shift = options_.offset % 256 / size_of(type) * size_of(type);
    const request row{algorithm, type, operation, made.values.data(), made.count, shift, options_.repeat, options_.ranks};
    const outcome ran = machine_.run(row);
    progress_.say("checking " + name);
    report_row reported{from.name, algorithm, type, operation, made.count, judge(row, ran), {}};
    const auto note = [&](implementation who, const result& timed)
    {
      if (!timed.seconds.empty())
      {
        reported.seconds[who] = timing::median(timed.seconds);
      }
    };
    note(implementation::reheat, ran.reheat);
    note(implementation::thrust, ran.thrust);
    for (const auto& [who, timed] : ran.others)
    {
      note(who, timed);
    }
    report_.rows.push_back(std::move(reported));
  }

  const options& options_;
  machine& machine_;
  progress& progress_;
  report& report_;
  std::vector<accuracy_row>& accuracy_;
  std::uint64_t random_items_ = 0;
};

// Every input in turn. Returns the line to say where one cannot be used.
std::string compare_all(const options& chosen, machine& on, progress& shown, report& made,
                        std::vector<accuracy_row>& accuracy)
{
  std::string at = "random items";
  try
  {
    if (!chosen.files.empty())
    {
      for (const std::string& file : chosen.files)
      {
        at = file;
        comparison(chosen, on, shown, made, accuracy).compare_file(file, file);
      }
    }
    else if (on.emulated() && !chosen.seed)
    {
      at = std::string("its own executable");
      comparison(chosen, on, shown, made, accuracy).compare_file("/proc/self/exe", on.program());
    }
    else
    {
      comparison(chosen, on, shown, made, accuracy).compare_random();
    }
  }
  catch (const input_error& error)
  {
    return at + ": " + error.what();
  }
  catch (const machine_error& error)
  {
    return at + ": " + error.what();
  }
  catch (const std::bad_alloc&)
  {
    return at + ": out of host memory; take fewer items with --items";
  }
  catch (const std::filesystem::filesystem_error& error)
  {
    return at + ": " + error.code().message();
  }
  return {};
}

} // namespace

int run_command(int argc, const char* const* argv, machine& on, std::ostream& out, std::ostream& err)
{
  const auto parsed = parse_options(argc, argv, on.program(), on.emulated());
  if (const early_exit* const exit = std::get_if<early_exit>(&parsed))
  {
    if (exit->status == 0)
    {
      out << exit->text << std::flush;
    }
    else
    {
      err << on.program() << ": " << exit->text << '\n';
    }
    return exit->status;
  }
  const options& chosen = std::get<options>(parsed);

  report made{on.program(), REHEAT_COMPARE_VERSION, "", on.upstream(), on.emulated(), chosen.ranks, {}, {}};
  try
  {
    made.device = on.description();
  }
  catch (const machine_error& error)
  {
    err << on.program() << ": " << error.what() << '\n';
    return 2;
  }
  if (chosen.bits)
  {
    try
    {
      const std::size_t differing = print_bits(out, made, on.golden_hashes());
      return differing == 0 ? 0 : 1;
    }
    catch (const machine_error& error)
    {
      err << on.program() << ": " << error.what() << '\n';
      return 2;
    }
  }
  std::string trouble;
  std::vector<accuracy_row> accuracy;
  {
    progress shown(err);
    trouble = compare_all(chosen, on, shown, made, accuracy);
  }
  if (!accuracy.empty())
  {
    chosen.json ? print_accuracy_json(out, made, accuracy) : print_accuracy(out, made, accuracy);
    out.flush();
  }
  // What ran before the trouble was worth the wait.
  else if (trouble.empty() || !made.rows.empty())
  {
    chosen.json ? print_json(out, made) : print_table(out, made);
    out.flush();
  }
  if (!out)
  {
    err << on.program() << ": cannot write the result to standard output\n";
    return 2;
  }
  if (!trouble.empty())
  {
    err << on.program() << ": " << trouble << '\n';
    return made.differing() == 0 ? 2 : 1;
  }
  return made.differing() == 0 ? 0 : 1;
}

} // namespace compare
