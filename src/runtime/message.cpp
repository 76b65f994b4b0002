// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include <reheat/detail/runtime/message.h>

#include <cstdarg>
#include <cstdio>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

message format_message(const char* pattern, ...)
{
  message result;
  std::va_list values;
  va_start(values, pattern);
  if (std::vsnprintf(result.text, sizeof result.text, pattern, values) < 0)
  {
    result.text[0] = '\0';
  }
  va_end(values);
  return result;
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
