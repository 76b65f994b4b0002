// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Any bytes as a file of reheat-compare's: they are read, or refused with an input_error, and make items of every type.

#include <input.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

namespace
{

constexpr std::size_t max_items = 4096;

[[noreturn]] void fail(const char* what)
{
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

//! A file that is only in memory.
class memory_file
{
public:
  explicit memory_file(std::string_view content) : file_(memfd_create("input", 0))
  {
    if (file_ < 0 || write(file_, content.data(), content.size()) != static_cast<ssize_t>(content.size()))
    {
      fail("no file in memory");
    }
  }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  ~memory_file() { close(file_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

private:
  int file_;
};

void make_all_items(const compare::source& read)
{
  for (const compare::element type : compare::elements)
  {
    for (const compare::operation operation : compare::operations)
    {
      const compare::items made = compare::make_items(read, type, operation, max_items);
      if (made.count > max_items || made.values.size() != made.count * compare::size_of(type))
      {
        fail("the number of items is not that of their bytes");
      }
    }
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  try
  {
    const memory_file file(content);
    const std::uint64_t offset = size == 0 ? 0 : data[size - 1];
    const compare::source read = compare::read_file(file.path(), offset, {max_items, 8 * max_items});
    if (read.data.size() > size)
    {
      fail("more was read than the file has");
    }
    if (read.npy)
    {
      static_cast<void>(compare::own_type(*read.npy));
    }
    make_all_items(read);
  }
  catch (const compare::input_error&)
  {}
  return 0;
}
