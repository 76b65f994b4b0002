// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"
#include "mixed_bits.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

namespace compare
{
namespace
{

[[noreturn]] void fail_with_errno(const char* what)
{
  const int code = errno;
  throw input_error(std::string(what) + ": " + std::strerror(code));
}

//! A file, a device or a pipe, read from its beginning to its end; the first bytes can be looked at before.
class byte_stream
{
public:
  explicit byte_stream(const std::string& path)
  {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
    {
      throw input_error("is a directory, not a file");
    }
    errno = 0;
    file_.reset(std::fopen(path.c_str(), "rb"));
    if (!file_)
    {
      fail_with_errno("cannot open it");
    }
    // Files of /proc and /sys are regular and say 0: their size is not known.
    if (std::filesystem::is_regular_file(path, ignored) && std::filesystem::file_size(path) != 0)
    {
      size_ = std::filesystem::file_size(path);
    }
    started_ = read_file(start_, sizeof(start_));
  }

  //! Of the whole file, where that is known.
  std::optional<std::uint64_t> size() const { return size_; }
  //! The first 12 bytes, or as many as there are.
  std::string_view start() const { return {reinterpret_cast<const char*>(start_), started_}; }

  //! Fewer bytes than asked for only at the end.
  std::size_t read(std::byte* to, std::size_t bytes)
  {
    const std::size_t again = std::min(bytes, started_ - taken_);
    std::memcpy(to, start_ + taken_, again);
    taken_ += again;
    return again + (bytes > again ? read_file(to + again, bytes - again) : 0);
  }
  void skip(std::uint64_t bytes)
  {
    std::byte sink[4096];
    std::size_t got = 1;
    for (; bytes != 0 && got != 0; bytes -= got)
    {
      got = read(sink, std::min<std::uint64_t>(bytes, sizeof(sink)));
    }
  }
  //! At most `bytes` bytes. Where the size is unknown that is no promise, and memory grows with what comes.
  host_bytes read_up_to(std::uint64_t bytes)
  {
    constexpr std::uint64_t first_block = std::uint64_t{1} << 20;
    host_bytes data(size_ ? bytes : std::min(bytes, first_block));
    std::size_t filled = 0;
    for (;;)
    {
      filled += read(data.data() + filled, data.size() - filled);
      if (filled < data.size() || filled == bytes)
      {
        data.shrink(filled);
        return data;
      }
      host_bytes larger(std::min<std::uint64_t>(bytes, std::uint64_t{2} * data.size()));
      std::memcpy(larger.data(), data.data(), filled);
      data = std::move(larger);
    }
  }

private:
  struct close_file
  {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::size_t read_file(std::byte* to, std::size_t bytes)
  {
    errno = 0;
    const std::size_t got = std::fread(to, 1, bytes, file_.get());
    if (got < bytes && std::ferror(file_.get()) != 0)
    {
      fail_with_errno("cannot read it");
    }
    return got;
  }

  std::unique_ptr<std::FILE, close_file> file_;
  std::optional<std::uint64_t> size_;
  std::byte start_[12];
  std::size_t started_ = 0, taken_ = 0;
};

void read_npy(byte_stream& stream, read_limit most, source& read)
{
  const std::size_t header_bytes = npy_header_bytes(stream.start());
  std::string header(header_bytes, '\0');
  header.resize(stream.read(reinterpret_cast<std::byte*>(header.data()), header_bytes));
  read.npy = parse_npy_header(header);
  if (read.npy->items == 0)
  {
    throw input_error("empty: its shape has no items");
  }
  const std::size_t item_bytes = read.npy->size;
  const std::uint64_t promised = read.npy->items * item_bytes;
  const std::uint64_t max_items = std::max<std::uint64_t>(1, std::min(most.items, most.bytes / item_bytes));
  const std::uint64_t wanted = std::min(read.npy->items, max_items) * item_bytes;
  const auto truncated = [&](std::uint64_t held)
  {
    throw input_error("truncated: its header promises " + std::to_string(promised) + " bytes of items, it holds " +
                      std::to_string(held));
  };
  if (stream.size() && *stream.size() - header_bytes < promised)
  {
    truncated(*stream.size() - header_bytes);
  }
  read.data = stream.read_up_to(wanted);
  if (read.data.size() < wanted)
  {
    truncated(read.data.size());
  }
  read.total_bytes = promised;
}

void read_raw(byte_stream& stream, std::uint64_t offset, read_limit most, source& read)
{
  std::uint64_t wanted = std::min(most.bytes, most.items * 8); // an item has 8 bytes at most
  if (stream.size())
  {
    if (*stream.size() <= offset)
    {
      throw input_error("empty: it has " + std::to_string(*stream.size()) + " bytes and --offset skips " +
                        std::to_string(offset));
    }
    read.total_bytes = *stream.size() - offset;
    wanted = std::min(wanted, *read.total_bytes);
  }
  stream.skip(offset);
  read.data = stream.read_up_to(wanted);
  if (stream.size() && read.data.size() < wanted)
  {
    throw input_error("truncated while it was read: " + std::to_string(read.data.size()) + " of " + std::to_string(wanted) +
                      " bytes came");
  }
  if (read.data.size() == 0)
  {
    throw input_error("empty: it has no bytes behind the first " + std::to_string(offset));
  }
}

} // namespace

source read_file(const std::string& path, std::uint64_t offset, read_limit most)
{
  byte_stream stream(path);
  if (stream.start().empty())
  {
    throw input_error("empty: it has no bytes");
  }
  source read;
  read.name = path;
  if (is_npy(stream.start()))
  {
    read_npy(stream, most, read);
    return read;
  }
  if (std::filesystem::path(path).extension() == ".npy")
  {
    throw input_error("named .npy but does not begin like one; rename it to have it read as raw bytes");
  }
  read_raw(stream, offset, most, read);
  return read;
}

source random_source(std::uint64_t seed, std::uint64_t bytes)
{
  source made;
  made.name = "random";
  made.data = host_bytes(bytes);
  made.total_bytes = bytes;
  const std::uint64_t stream = mixed(seed);
  for (std::uint64_t at = 0; at < bytes; at += 8)
  {
    const std::uint64_t word = mixed(stream + at / 8);
    std::memcpy(made.data.data() + at, &word, std::min<std::uint64_t>(8, bytes - at));
  }
  return made;
}

} // namespace compare
