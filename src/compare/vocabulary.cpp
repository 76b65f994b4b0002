// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "vocabulary.hpp"

namespace compare
{

const char* name_of(algorithm which)
{
  constexpr const char* names[]{"reduce", "inclusive_scan", "exclusive_scan"};
  return names[static_cast<int>(which)];
}
const char* name_of(element which)
{
  constexpr const char* names[]{"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64"};
  return names[static_cast<int>(which)];
}
const char* name_of(operation which)
{
  constexpr const char* names[]{"plus", "max", "min", "multiplies"};
  return names[static_cast<int>(which)];
}

} // namespace compare
