// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "source_line.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <link.h>
#include <unistd.h>

namespace reheat::REHEAT_MACHINE::emulator::accesses
{
namespace
{

// Where the program was loaded; the first object listed is the program itself.
std::uintptr_t program_base()
{
  std::uintptr_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* result)
      {
        *static_cast<std::uintptr_t*>(result) = program->dlpi_addr;
        return 1;
      },
      &base);
  return base;
}

// Of a program that was started for its output.
std::vector<std::string> output_lines(const char* command)
{
  std::vector<std::string> lines;
  FILE* const output = popen(command, "r");
  if (output == nullptr)
  {
    return lines;
  }
  char* line = nullptr;
  std::size_t room = 0;
  for (ssize_t length = getline(&line, &room, output); length > 0; length = getline(&line, &room, output))
  {
    lines.emplace_back(line, static_cast<std::size_t>(length - (line[length - 1] == '\n')));
  }
  std::free(line);
  pclose(output);
  return lines;
}

// From "folder/../file:12 (discriminator 3)"; "??:0" stays.
std::string plain_place(const std::string& line)
{
  return std::filesystem::path(line.substr(0, line.find(" ("))).lexically_normal().string();
}

} // namespace

std::vector<std::string> lines_of(const void* return_address)
{
  static std::map<const void*, std::vector<std::string>> known; // starting a program takes 20 ms
  if (const auto found = known.find(return_address); found != known.end())
  {
    return found->second;
  }
  char command[128];
  (void)std::snprintf(command, sizeof(command), "addr2line -i -e /proc/%d/exe 0x%jx 2>/dev/null", static_cast<int>(getpid()),
                      static_cast<std::uintmax_t>(reinterpret_cast<std::uintptr_t>(return_address) - 1 - program_base()));
  std::vector<std::string> lines = output_lines(command);
  std::transform(lines.begin(), lines.end(), lines.begin(), plain_place);
  if (lines.empty() || lines.front().front() == '?')
  {
    lines.assign(1, "(unknown):0");
  }
  known[return_address] = lines;
  return lines;
}

} // namespace reheat::REHEAT_MACHINE::emulator::accesses
