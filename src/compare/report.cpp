// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <family/association.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <ostream>
#include <utility>

namespace compare
{
namespace
{

std::string formatted(const char* format, double value)
{
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

// Each item read once, each output written once.
double gigabytes(const report_row& row)
{
  return static_cast<double>(moved_bytes(row.algorithm, row.element, row.count)) * 1e-9;
}

std::optional<double> seconds_of(const report_row& row, implementation who)
{
  const auto found = row.seconds.find(who);
  return found != row.seconds.end() ? std::make_optional(found->second) : std::nullopt;
}

std::string time_cell(const std::optional<double>& seconds)
{
  return seconds ? formatted("%.4f", *seconds * 1e3) : "-";
}

std::string ratio_cell(const std::optional<double>& theirs, const std::optional<double>& ours)
{
  return theirs && ours ? formatted("%.2f", *theirs / *ours) : "-";
}

std::string error_cell(bool exact, const verdict& verdict)
{
  if (exact)
  {
    return verdict.within ? "0" : verdict.wrong != 0 ? std::to_string(verdict.wrong) + " wrong" : "failed";
  }
  return formatted("%.2e", verdict.error);
}

// Columns as wide as their widest cell; text to the left, numbers to the right.
class table
{
public:
  explicit table(std::vector<std::string> heads, std::size_t text_columns)
      : text_columns_(text_columns), lines_{std::move(heads)}
  {}
  void add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }
  void print(std::ostream& out) const
  {
    std::vector<std::size_t> widths(lines_[0].size());
    for (const auto& line : lines_)
    {
      for (std::size_t i = 0; i < line.size(); ++i)
      {
        widths[i] = std::max(widths[i], line[i].size());
      }
    }
    for (const auto& line : lines_)
    {
      std::string text;
      for (std::size_t i = 0; i < line.size(); ++i)
      {
        const std::string pad(widths[i] - line[i].size(), ' ');
        text += i == 0 ? "" : "  ";
        text += i < text_columns_ ? line[i] + pad : pad + line[i];
      }
      text.erase(text.find_last_not_of(' ') + 1);
      out << text << '\n';
    }
  }

private:
  std::size_t text_columns_;
  std::vector<std::vector<std::string>> lines_;
};

// A number that is none has no place in JSON.
nlohmann::ordered_json number(double value)
{
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json implementation_json(const report_row& row, const verdict& verdict, implementation who)
{
  nlohmann::ordered_json made;
  made["within_rule"] = verdict.within;
  made["wrong_positions"] = verdict.wrong;
  if (!row.judged.exact)
  {
    made["error"] = number(verdict.error);
    made["bound"] = number(verdict.bound);
  }
  if (const std::optional<double> seconds = seconds_of(row, who))
  {
    made["seconds"] = *seconds;
    made["gigabytes_per_second"] = number(gigabytes(row) / *seconds);
  }
  return made;
}

std::string row_name(const report_row& row)
{
  return row.input + ' ' + name_of(row.algorithm) + ' ' + name_of(row.element) + ' ' + name_of(row.operation);
}

std::vector<std::string> table_cells(const report_row& row, bool emulated)
{
  const judgement& judged = row.judged;
  std::vector<std::string> cells{row.input,
                                 name_of(row.algorithm),
                                 name_of(row.element),
                                 name_of(row.operation),
                                 std::to_string(row.count),
                                 !judged.agrees ? "DIFFERS"
                                 : judged.exact ? "exact"
                                                : "agrees",
                                 error_cell(judged.exact, judged.reheat),
                                 error_cell(judged.exact, judged.thrust),
                                 judged.exact ? "0" : formatted("%.2e", judged.reheat.bound)};
  if (emulated)
  {
    cells.insert(cells.end(), {"emulated", judged.others.count(implementation::device) != 0 ? "emulated" : "-"});
  }
  else
  {
    const auto reheat = seconds_of(row, implementation::reheat), thrust = seconds_of(row, implementation::thrust),
               cub = seconds_of(row, implementation::cub);
    cells.insert(cells.end(), {time_cell(reheat), time_cell(seconds_of(row, implementation::device)), time_cell(thrust),
                               time_cell(cub), reheat ? formatted("%.1f", gigabytes(row) / *reheat) : "-",
                               ratio_cell(thrust, reheat), ratio_cell(cub, reheat)});
  }
  return cells;
}

} // namespace

std::size_t report::differing() const
{
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const report_row& row) { return !row.judged.agrees; }));
}

void print_table(std::ostream& out, const report& made)
{
  out << made.program << ' ' << made.version << ": ";
  if (made.ranks != 0)
  {
    out << "reheat::par across " << made.ranks << (made.ranks == 1 ? " rank" : " ranks") << " against " << made.upstream;
  }
  else
  {
    out << "reheat::par and device (reheat::DeviceReduce and DeviceScan) against " << made.upstream
        << (made.emulated ? "" : " and CUB");
  }
  out << ", " << (made.emulated ? "emulated: no times" : made.device) << "\n\n";
  std::vector<std::string> heads{"input", "algorithm", "type", "op", "items", "result", "error", "thrust's", "bound"};
  constexpr std::size_t text_columns = 4;
  if (made.emulated)
  {
    heads.insert(heads.end(), {"time", "device"});
  }
  else
  {
    heads.insert(heads.end(), {"ms", "device", "thrust", "CUB", "GB/s", "x thrust", "x CUB"});
  }
  table lines(heads, text_columns);
  for (const report_row& row : made.rows)
  {
    lines.add(table_cells(row, made.emulated));
  }
  lines.print(out);
  out << '\n';
  for (const report_row& row : made.rows)
  {
    for (const std::string& detail : row.judged.details)
    {
      out << row_name(row) << ": " << detail << '\n';
    }
  }
  for (const std::string& note : made.notes)
  {
    out << note << '\n';
  }
  const std::size_t differing = made.differing();
  if (differing == 0)
  {
    out << made.rows.size() << (made.rows.size() == 1 ? " row, all agree\n" : " rows, all agree\n");
  }
  else
  {
    out << differing << " of " << made.rows.size() << " rows differ\n";
  }
}

void print_json(std::ostream& out, const report& made)
{
  nlohmann::ordered_json all;
  all["program"] = made.program;
  all["version"] = made.version;
  all["emulated"] = made.emulated;
  all["device"] = made.device;
  all["upstream"] = made.upstream;
  if (made.ranks != 0)
  {
    all["ranks"] = made.ranks;
  }
  all["rows"] = nlohmann::ordered_json::array();
  for (const report_row& row : made.rows)
  {
    nlohmann::ordered_json each;
    each["input"] = row.input;
    each["algorithm"] = name_of(row.algorithm);
    each["type"] = name_of(row.element);
    each["op"] = name_of(row.operation);
    each["items"] = row.count;
    each["agrees"] = row.judged.agrees;
    each["rule"] = row.judged.exact ? "exact" : row.operation == operation::plus ? "absolute error" : "relative error";
    each["reheat"] = implementation_json(row, row.judged.reheat, implementation::reheat);
    each["thrust"] = implementation_json(row, row.judged.thrust, implementation::thrust);
    for (const auto& [who, verdict] : row.judged.others)
    {
      each[name_of(who)] = implementation_json(row, verdict, who);
    }
    each["details"] = row.judged.details;
    all["rows"].push_back(std::move(each));
  }
  all["notes"] = made.notes;
  all["differing_rows"] = made.differing();
  // A file name need not be UTF-8.
  out << all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

void print_accuracy(std::ostream& out, const report& made, const std::vector<accuracy_row>& rows)
{
  const bool has_cub = std::any_of(rows.begin(), rows.end(), [](const accuracy_row& row) { return row.cub.has_value(); });
  out << made.program << ' ' << made.version << ": errors of sums in units in the last place, by a loop, by "
      << made.upstream << (has_cub ? ", by cub::DeviceReduce::Sum" : " (CUB's kernels do not run here)")
      << ", by reheat::par and with reheat::exact_sums, " << made.device << "\n\n";
  std::vector<std::string> heads{"input", "type", "items", "sum", "condition", "loop", "thrust"};
  if (has_cub)
  {
    heads.emplace_back("cub");
  }
  heads.insert(heads.end(), {"reheat", "exact"});
  table lines(std::move(heads), 2);
  for (const accuracy_row& row : rows)
  {
    std::vector<std::string> cells{row.input,
                                   name_of(row.element),
                                   std::to_string(row.count),
                                   formatted("%.9g", row.sum),
                                   formatted("%.3g", row.condition),
                                   formatted("%.2f", row.loop),
                                   formatted("%.2f", row.thrust)};
    if (row.cub)
    {
      cells.push_back(formatted("%.2f", *row.cub));
    }
    cells.push_back(formatted("%.2f", row.reheat));
    cells.push_back(formatted("%.2f", row.exact));
    lines.add(std::move(cells));
  }
  lines.print(out);
  for (const std::string& note : made.notes)
  {
    out << '\n' << note;
  }
  out << (made.notes.empty() ? "" : "\n");
}

void print_accuracy_json(std::ostream& out, const report& made, const std::vector<accuracy_row>& rows)
{
  nlohmann::ordered_json all{
      {"program", made.program}, {"version", made.version}, {"device", made.device}, {"upstream", made.upstream}};
  all["rows"] = nlohmann::ordered_json::array();
  for (const accuracy_row& row : rows)
  {
    nlohmann::ordered_json each{{"input", row.input},
                                {"type", name_of(row.element)},
                                {"items", row.count},
                                {"sum", number(row.sum)},
                                {"condition", number(row.condition)},
                                {"loop_ulp", number(row.loop)},
                                {"thrust_ulp", number(row.thrust)}};
    if (row.cub)
    {
      each["cub_ulp"] = number(*row.cub);
    }
    each["reheat_ulp"] = number(row.reheat);
    each["exact_ulp"] = number(row.exact);
    all["rows"].push_back(std::move(each));
  }
  all["notes"] = made.notes;
  out << all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

std::size_t print_bits(std::ostream& out, const report& made, const std::vector<std::uint64_t>& hashes)
{
  out << made.program << ' ' << made.version << ": bits of sums in association v1 and of scans in scan association v1, "
      << made.device << "\n\n";
  table lines({"algorithm", "type", "items", "hash", "recorded"}, 2);
  std::size_t differing = 0;
  for (std::size_t i = 0; i < hashes.size(); ++i)
  {
    const association::golden_row& row = association::golden_rows[i];
    const auto text = [](std::uint64_t hash)
    {
      char digits[20];
      std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(hash));
      return std::string(digits);
    };
    differing += hashes[i] != row.hash;
    lines.add({row.algorithm, row.type, std::to_string(row.items), text(hashes[i]),
               hashes[i] == row.hash ? "the same" : text(row.hash)});
  }
  lines.print(out);
  out << '\n' << hashes.size() - differing << " of " << hashes.size() << " rows have the recorded bits\n";
  return differing;
}

} // namespace compare
