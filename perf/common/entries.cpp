// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "common/entries.hpp"

#include <cstdio>
#include <utility>

namespace perf
{

using nlohmann::json;

void entries::add(json measured)
{
  for (json& entry : measured)
  {
    const auto name = entry["name"].get<std::string>();
    const bool is_failure = entry.contains("error_message");
    if (is_failure)
    {
      std::fprintf(stderr, "%s: %s: %s\n", program_.c_str(), name.c_str(),
                   entry["error_message"].get<std::string>().c_str());
      failed_ = true;
    }
    else
    {
      std::printf("%-84s %10.2f us\n", name.c_str(), entry["real_time"].get<double>());
    }
    const auto [place, is_new] = places_.emplace(name, all_.size());
    if (is_new)
    {
      all_.push_back(std::move(entry));
    }
    else if (is_failure)
    {
      all_[place->second] = std::move(entry);
    }
    else
    {
      all_[place->second]["again"] = entry["real_time"];
    }
  }
  std::fflush(stdout);
}

void entries::end_early(const std::string& message)
{
  std::fprintf(stderr, "%s: ended early: %s\n", program_.c_str(), message.c_str());
  failed_ = true;
}

result_file::result_file(std::string path) : path_(std::move(path))
{
  if (path_.empty())
  {
    return;
  }
  file_.open(path_);
  if (!file_)
  {
    throw std::runtime_error("writing " + path_ + " failed: is there such a folder, and may it be written?");
  }
}

void result_file::write(const json& context, const entries& measured)
{
  if (!file_.is_open())
  {
    return;
  }
  file_ << json{{"context", context}, {"benchmarks", measured.all()}}.dump(1) << '\n';
  if (!file_.flush())
  {
    throw std::runtime_error("writing " + path_ + " failed: is there room?");
  }
}

} // namespace perf
