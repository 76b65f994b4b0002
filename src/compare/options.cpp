// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>

namespace compare
{
namespace
{

// N, or 2^K.
std::uint64_t parse_count(const std::string& text)
{
  const auto number = [&](const std::string& digits)
  {
    const bool plain = !digits.empty() && digits.size() < 20 && digits.find_first_not_of("0123456789") == std::string::npos;
    if (!plain)
    {
      throw CLI::ValidationError("'" + text + "' is not a number; write N or 2^K");
    }
    return std::stoull(digits);
  };
  if (text.rfind("2^", 0) != 0)
  {
    return number(text);
  }
  const std::uint64_t exponent = number(text.substr(2));
  if (exponent > 62)
  {
    throw CLI::ValidationError("'" + text + "' is too large");
  }
  return std::uint64_t{1} << exponent;
}

template <class Name, std::size_t Count>
std::string names_of(const std::array<Name, Count>& all)
{
  std::string names;
  for (const Name each : all)
  {
    names += name_of(each);
    names += '|';
  }
  return names + "all";
}

template <class Name, std::size_t Count>
std::string listed(const std::array<Name, Count>& all)
{
  std::string names;
  for (const Name each : all)
  {
    names += names.empty() ? "" : ",";
    names += name_of(each);
  }
  return names;
}

// An option that takes names, several of them after a comma or by being repeated.
template <class Name, std::size_t Count>
CLI::Option* add_names(CLI::App& app, const std::string& flag, choice<Name>& chosen, const std::array<Name, Count>& all,
                       const std::string& text)
{
  const std::string names = names_of(all);
  const auto take = [&chosen, &all, flag, names](const CLI::results_t& given)
  {
    for (const std::string& name : given)
    {
      if (name == "all")
      {
        chosen.names.assign(all.begin(), all.end());
        chosen.all = true;
        continue;
      }
      const auto found = std::find_if(all.begin(), all.end(), [&](Name each) { return name == name_of(each); });
      if (found == all.end())
      {
        throw CLI::ValidationError(flag + ": '" + name + "' is none of " + names);
      }
      if (std::find(chosen.names.begin(), chosen.names.end(), *found) == chosen.names.end())
      {
        chosen.names.push_back(*found);
      }
    }
    return true;
  };
  return app.add_option(flag, take, text)
      ->type_name(names)
      ->delimiter(',')
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

// Name and meaning of the algorithms that are, or are not, for every type and operator.
std::string algorithm_lines(bool for_everything)
{
  constexpr std::size_t width = 28;
  std::string lines;
  for (const algorithm each : algorithms)
  {
    const algorithm_facts& facts = facts_of(each);
    if (is_for_everything(each) == for_everything)
    {
      std::string line = "  " + std::string(facts.name);
      line.resize(std::max(line.size(), width), ' ');
      line += facts.meaning;
      line.erase(line.find_last_not_of(' ') + 1);
      lines += line + '\n';
    }
  }
  return lines;
}

std::string footer(const std::string& program, bool emulated)
{
  std::ostringstream out;
  out << "Examples:\n"
      << "  " << program << "                                    "
      << (emulated ? "this program's own bytes, as i32 and f32\n" : "2^28 random items, as i32 and f32\n") << "  " << program
      << " prices.npy                         the file's own type\n"
      << "  " << program << " --type u8,i64 --op plus,max FILE   a file's raw bytes\n"
      << "  " << program << " --algorithm reduce --type f64 --items 2^20 --seed 7\n"
      << "                                                    random items\n"
      << "\n"
      << "Algorithms, of every type and operator:\n"
      << algorithm_lines(true) << "Of i32 and f32, and plus where they take an operator:\n"
      << algorithm_lines(false) << "\n"
      << "Integers must agree exactly (sums and products wrap), and so must counts, positions, truths, keys, and min and "
         "max\n"
      << "of floats; of equivalent items the first is the extremum. A float sum's error against a long double reference "
         "may\n"
      << "be Thrust's own or 2 log2(n) epsilon sum|x|, a product's relative error 2 n epsilon. Raw bytes taken as floats\n"
      << "are scaled into [-1, 1), factors of products are brought near 1 (integers: made odd).\n"
      << "\n"
      << "\"device\" stands for reheat::DeviceReduce and reheat::DeviceScan, which are called as CUB's classes of these "
         "names "
         "are.\n"
      << "They run the algorithms of every type and operator, and transform_reduce, min_element and max_element (ArgMin, "
         "ArgMax),\n"
      << "reduce_by_key, inclusive_scan_by_key and exclusive_scan_by_key.\n"
      << "\n"
      << "With --ranks, reheat's calls are made under reheat::par.across(ranks), of sums: reductions but reduce_into, "
         "extrema,\n"
      << "all_of, any_of, none_of, scans, reduce_by_key, copy_if, remove_copy and remove_copy_if, of the types above;\n"
      << "reduce, inclusive_scan and exclusive_scan of i32 and f32 also by max and min.\n";
  if (!emulated)
  {
    out << "\n"
        << "Times are GPU time around one call on data that is not in the L2 cache, the median of --repeat rounds: "
           "Thrust's\n"
        << "and reheat's with the temporary memory and the wait that their interface implies, device's and CUB's with "
           "memory\n"
        << "allocated before.\n";
  }
  out << "\n"
      << "Exit status: 0 all rows agree, 1 a row differs, 2 bad usage or an input or device that cannot be used.";
  return out.str();
}

// Numbers arrive as text: they may be written as powers of two.
struct number_texts
{
  std::string items, seed, offset;
};

void add_options(CLI::App& app, options& chosen, number_texts& texts, bool emulated)
{
  add_names(app, "--algorithm", chosen.algorithms, algorithms, "default: " + listed(default_algorithms))
      ->type_name("NAME|all");
  add_names(app, "--type", chosen.types, elements, "default: i32 and f32; for .npy the file's own");
  add_names(app, "--op", chosen.operations, operations, "default: plus");
  app.add_option("--items", texts.items,
                 emulated
                     ? "at most so many items (N or 2^K) of each input; default 2^18"
                     : "at most so many items (N or 2^K) of each input; default: what fits into memory, 2^28 random ones")
      ->type_name("N");
  app.add_option("--seed", texts.seed,
                 emulated ? "without a FILE: random items from this seed" : "of the random items; default 1")
      ->type_name("N");
  app.add_option("--offset", texts.offset,
                 "skip so many bytes of a raw file, and place items as far behind an aligned address")
      ->type_name("BYTES");
  app.add_option("--repeat", chosen.repeat,
                 emulated ? "accepted and without effect here" : "timed rounds, 1 to 1000; default 7")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  CLI::Option* const ranks = app.add_option("--ranks", chosen.ranks,
                                            "cut each input into N parts, and have N ranks make reheat's calls, by threads")
                                 ->type_name("N")
                                 ->check(CLI::Range(1, 64));
  CLI::Option* const bits = app.add_flag(
      "--bits", chosen.bits, "print a hash of the bits of sums and scans, which are the same on every GPU; takes no FILE");
  app.add_flag("--accuracy", chosen.accuracy,
               "print how far sums of f32 and f64 are off, in units in the last place, and the condition number")
      ->excludes(bits)
      ->excludes(ranks);
  bits->excludes(ranks);
  app.add_flag("--json", chosen.json, "print one JSON object instead of the table");
  app.add_option("FILE", chosen.files, "raw bytes of the type, or .npy")->type_name("")->excludes(bits);
}

} // namespace

std::string unserved(const options& chosen, algorithm which, element type, operation operation)
{
  return chosen.ranks == 0 ? unserved(which, type, operation) : unserved_across(which, type, operation);
}

std::string first_unserved(const options& chosen, const std::vector<element>& types)
{
  if (chosen.algorithms.all)
  {
    return {};
  }
  // Every algorithm serves these, so that `all` reaches something.
  const auto named_types = chosen.types.all ? std::vector{element::i32} : types;
  const auto named_operations = chosen.operations.all ? std::vector{operation::plus} : chosen.operations.names;
  for (const algorithm algorithm : chosen.algorithms.names)
  {
    for (const element type : named_types)
    {
      for (const operation operation : named_operations)
      {
        std::string reason = unserved(chosen, algorithm, type, operation);
        if (!reason.empty())
        {
          return reason;
        }
      }
    }
  }
  return {};
}

std::variant<options, early_exit> parse_options(int argc, const char* const* argv, const char* program, bool emulated)
{
  options chosen;
  CLI::App app(emulated
                   ? "Runs reheat::par, reheat::DeviceReduce and DeviceScan on the emulator and thrust::host on the same "
                     "items and compares what they computed."
                   : "Runs reheat::par, reheat::DeviceReduce and DeviceScan, thrust::device and CUB on the same items and "
                     "compares results and times.",
               program);
  number_texts texts;
  add_options(app, chosen, texts, emulated);
  app.set_version_flag("--version", std::string(program) + " " + REHEAT_COMPARE_VERSION);
  app.footer(footer(program, emulated));

  try
  {
    app.parse(argc, const_cast<char**>(argv));
    if (app.count("--items") != 0)
    {
      chosen.items = parse_count(texts.items);
      if (*chosen.items == 0)
      {
        throw CLI::ValidationError("--items: must be at least 1");
      }
    }
    if (app.count("--seed") != 0)
    {
      chosen.seed = parse_count(texts.seed);
      if (!chosen.files.empty())
      {
        throw CLI::ValidationError("--seed is for random items: leave it out or the FILE");
      }
    }
    if (app.count("--offset") != 0)
    {
      chosen.offset = parse_count(texts.offset);
    }
  }
  catch (const CLI::CallForHelp&)
  {
    return early_exit{0, app.help()};
  }
  catch (const CLI::CallForVersion&)
  {
    return early_exit{0, app.version() + "\n"};
  }
  catch (const CLI::ParseError& error)
  {
    return early_exit{2, std::string(error.what()) + " (" + program + " --help shows the usage)"};
  }
  if (chosen.algorithms.names.empty())
  {
    chosen.algorithms.names.assign(default_algorithms.begin(), default_algorithms.end());
  }
  if (chosen.operations.names.empty())
  {
    chosen.operations.names = {operation::plus};
  }
  const std::string unserved = first_unserved(chosen, chosen.types.names);
  if (!unserved.empty())
  {
    return early_exit{2, unserved + " (" + program + " --help shows the usage)"};
  }
  return chosen;
}

} // namespace compare
