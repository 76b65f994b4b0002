// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Any words as a command line of reheat-compare's: they are options, or end it with a line for the user.

#include <options.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  std::vector<std::string> words(1, "reheat-compare");
  words.emplace_back();
  for (std::size_t i = 0; i < size; ++i)
  {
    if (data[i] == '\n' || data[i] == '\0')
    {
      words.emplace_back();
    }
    else
    {
      words.back() += static_cast<char>(data[i]);
    }
  }
  std::vector<const char*> arguments;
  for (const std::string& word : words)
  {
    arguments.push_back(word.c_str());
  }
  const auto parsed =
      compare::parse_options(static_cast<int>(arguments.size()), arguments.data(), "reheat-compare", size % 2 == 0);
  if (const auto* const exit = std::get_if<compare::early_exit>(&parsed))
  {
    const bool one_line = exit->text.find('\n') == std::string::npos || exit->text.find('\n') + 1 == exit->text.size();
    if (exit->text.empty() || (exit->status != 0 && (exit->status != 2 || !one_line)))
    {
      std::fprintf(stderr, "status %d, text \"%s\"\n", exit->status, exit->text.c_str());
      std::abort();
    }
  }
  else
  {
    const compare::options& chosen = std::get<compare::options>(parsed);
    static_cast<void>(compare::first_unserved(chosen, chosen.types.names));
  }
  return 0;
}
