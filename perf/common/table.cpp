// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "common/table.hpp"

#include <CLI/CLI.hpp>

#include <cuda_runtime_api.h>

namespace perf
{
namespace
{

std::string joined(const std::vector<std::string>& parts)
{
  std::string text;
  for (const std::string& each : parts)
  {
    text += (text.empty() ? "" : ",") + each;
  }
  return text;
}

} // namespace

void table_options::declare(CLI::App& app, const std::vector<std::string>& implementations, const char* quick_help,
                            const char* twice_help)
{
  app.add_option("--json", json, "Write the results to this file");
  app.add_option("--filter", filter, "Only rows of which a name has a match of this regular expression");
  app.add_option("--without", without, "Leave out these implementations, with commas between them")
      ->delimiter(',')
      ->check(CLI::IsMember(implementations));
  app.add_option("--seconds", seconds, "Begin no row after so many seconds: the rest is left out")
      ->check(CLI::PositiveNumber);
  app.add_flag("--quick", quick, quick_help);
  app.add_flag("--twice", twice, twice_help);
  app.add_flag("--list", list, "Print the names, measure nothing");
}

std::string table_options::command(const std::string& program, const std::string& more) const
{
  return program + " --json " + json.substr(json.rfind('/') + 1) + (quick ? " --quick" : "") + (twice ? " --twice" : "") +
         more + (seconds == 0 ? "" : " --seconds " + std::to_string(seconds)) +
         (without.empty() ? "" : " --without " + joined(without)) + (filter.empty() ? "" : " --filter '" + filter + "'");
}

std::string option_text(const char* option, const std::vector<std::uint64_t>& values)
{
  std::vector<std::string> texts;
  for (const std::uint64_t value : values)
  {
    texts.push_back(std::to_string(value));
  }
  return texts.empty() ? "" : ' ' + std::string(option) + ' ' + joined(texts);
}

void stop_if_lost()
{
  timing::check(cudaDeviceSynchronize(), "using the GPU after a failed call");
}

} // namespace perf
