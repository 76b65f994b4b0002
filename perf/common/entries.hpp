// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Shared by benchmark programs that have their own table of rows: selecting rows by name, and writing the measurements.
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf
{

//! The rows that have a name with a match: row.prefix() and the name of one of row.measured(). Throws std::runtime_error if
//! there is none.
template <class Row>
std::vector<Row> matching(const std::vector<Row>& all, const std::string& filter)
{
  std::regex wanted;
  try
  {
    wanted = std::regex(filter);
  }
  catch (const std::regex_error&)
  {
    throw std::runtime_error('"' + filter + "\" is no regular expression");
  }
  std::vector<Row> rows;
  std::copy_if(all.begin(), all.end(), std::back_inserter(rows),
               [&](const Row& each)
               {
                 const auto measured = each.measured();
                 return std::any_of(measured.begin(), measured.end(),
                                    [&](auto who) { return std::regex_search(each.prefix() + name_of(who), wanted); });
               });
  if (rows.empty())
  {
    throw std::runtime_error("no benchmark's name matches \"" + filter + "\"; --list prints them all");
  }
  return rows;
}

//! Prints the names of all rows.
template <class Row>
void print_names(const std::vector<Row>& rows)
{
  for (const Row& each : rows)
  {
    for (const auto who : each.measured())
    {
      std::printf("%s%s\n", each.prefix().c_str(), name_of(who));
    }
  }
}

//! What was measured, by name, in the order in which it was.
class entries
{
public:
  explicit entries(std::string program) : program_(std::move(program)) {}

  //! Prints them. A second entry of a name is a second measurement.
  void add(nlohmann::json measured);
  //! No more follows.
  void end_early(const std::string& message);
  const nlohmann::json& all() const { return all_; }
  bool failed() const { return failed_; }

private:
  std::string program_;
  nlohmann::json all_ = nlohmann::json::array();
  std::map<std::string, std::size_t> places_;
  bool failed_ = false;
};

//! The file of --json, opened before minutes go into it. Without a path there is none.
class result_file
{
public:
  explicit result_file(std::string path);
  void write(const nlohmann::json& context, const entries& measured);

private:
  std::string path_;
  std::ofstream file_;
};

} // namespace perf
