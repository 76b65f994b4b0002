// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "npy.hpp"

#include <cctype>
#include <cstring>
#include <limits>
#include <optional>

namespace compare
{
namespace
{

constexpr std::string_view magic{"\x93NUMPY", 6};

// The dictionary is a Python literal: quoted strings, True and False, a tuple of integers, and for structured types a list.
class literal_reader
{
public:
  explicit literal_reader(std::string_view text) : text_(text) {}

  bool take(char wanted)
  {
    skip_space();
    if (at_ == text_.size() || text_[at_] != wanted)
    {
      return false;
    }
    ++at_;
    return true;
  }
  bool next_is(char wanted)
  {
    skip_space();
    return at_ < text_.size() && text_[at_] == wanted;
  }
  std::optional<std::string> quoted()
  {
    skip_space();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"'))
    {
      return std::nullopt;
    }
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos)
    {
      return std::nullopt;
    }
    std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }
  std::string word()
  {
    skip_space();
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0)
    {
      ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }
  std::optional<std::uint64_t> number()
  {
    skip_space();
    const std::size_t begin = at_;
    std::uint64_t value = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0; ++at_)
    {
      const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
      if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / 10)
      {
        throw input_error("the .npy header's shape is too large");
      }
      value = value * 10 + digit;
    }
    if (at_ == begin)
    {
      return std::nullopt;
    }
    if (at_ < text_.size() && text_[at_] == 'L') // written by Python 2
    {
      ++at_;
    }
    return value;
  }

private:
  void skip_space()
  {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
    {
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

[[noreturn]] void damaged(const char* what)
{
  throw input_error(std::string("the .npy header is damaged (") + what + ")");
}

void parse_type(const std::string& descr, npy_header& header)
{
  const auto refuse = [&]
  {
    throw input_error("the .npy type '" + descr +
                      "' is not supported; use integers of 1 to 8 bytes, floats of 2, 4 or 8, or bool");
  };
  if (descr.size() != 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos || descr[2] < '1' ||
      descr[2] > '8')
  {
    refuse();
  }
  header.kind = descr[1];
  header.size = static_cast<std::size_t>(descr[2] - '0');
  const bool power_of_two = (header.size & (header.size - 1)) == 0;
  const bool known = ((header.kind == 'i' || header.kind == 'u') && power_of_two) ||
                     (header.kind == 'f' && power_of_two && header.size > 1) || (header.kind == 'b' && header.size == 1);
  if (!known)
  {
    refuse();
  }
  const std::uint16_t probe = 1;
  unsigned char low = 0;
  std::memcpy(&low, &probe, 1);
  const bool little_machine = low == 1;
  header.swapped = header.size > 1 && ((descr[0] == '>' && little_machine) || (descr[0] == '<' && !little_machine));
}

std::uint64_t parse_shape(literal_reader& text)
{
  if (!text.take('('))
  {
    damaged("shape is not a tuple");
  }
  std::uint64_t items = 1;
  while (!text.take(')'))
  {
    const std::optional<std::uint64_t> extent = text.number();
    if (!extent)
    {
      damaged("shape holds something else than numbers");
    }
    if (*extent != 0 && items > (std::uint64_t{1} << 60) / *extent)
    {
      throw input_error("the .npy header's shape is too large");
    }
    items *= *extent;
    if (!text.take(',') && !text.next_is(')'))
    {
      damaged("shape does not end");
    }
  }
  return items;
}

} // namespace

bool is_npy(std::string_view start)
{
  return start.substr(0, magic.size()) == magic;
}

std::size_t npy_header_bytes(std::string_view start)
{
  if (!is_npy(start))
  {
    throw input_error("not a .npy file (its first bytes are not those of one)");
  }
  if (start.size() < 12)
  {
    throw input_error("truncated: the file ends inside its .npy header");
  }
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(start[at])); };
  switch (byte(6))
  {
    case 1:
      return 10 + (byte(8) | byte(9) << 8);
    case 2:
    case 3: {
      const std::size_t length = byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
      if (length > (std::size_t{1} << 24))
      {
        damaged("its length is over 16 MB");
      }
      return 12 + length;
    }
    default:
      throw input_error("the .npy format version " + std::to_string(byte(6)) + " is not supported; versions 1 to 3 are");
  }
}

npy_header parse_npy_header(std::string_view whole)
{
  const std::size_t bytes = npy_header_bytes(whole);
  if (whole.size() < bytes)
  {
    throw input_error("truncated: the file ends inside its .npy header");
  }
  const std::size_t begin = whole[6] == 1 ? 10 : 12;
  literal_reader text(whole.substr(begin, bytes - begin));
  npy_header header{};
  bool has_type = false, has_order = false, has_shape = false;
  if (!text.take('{'))
  {
    damaged("no dictionary");
  }
  while (!text.take('}'))
  {
    const std::optional<std::string> key = text.quoted();
    if (!key || !text.take(':'))
    {
      damaged("no key");
    }
    if (*key == "descr")
    {
      const std::optional<std::string> descr = text.quoted();
      if (!descr)
      {
        throw input_error("the .npy file holds structured items; save one field of them as an array of its own");
      }
      parse_type(*descr, header);
      has_type = true;
    }
    else if (*key == "fortran_order")
    {
      const std::string value = text.word();
      has_order = value == "True" || value == "False";
    }
    else if (*key == "shape")
    {
      header.items = parse_shape(text);
      has_shape = true;
    }
    else
    {
      damaged("unknown key");
    }
    if (!text.take(',') && !text.next_is('}'))
    {
      damaged("the dictionary does not end");
    }
  }
  if (!has_type || !has_order || !has_shape)
  {
    damaged("descr, fortran_order or shape is missing");
  }
  return header;
}

} // namespace compare
