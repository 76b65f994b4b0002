// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "calls.cuh"

namespace compare
{

call_function find_call_32(element type, operation operation)
{
  switch (type)
  {
    case element::u32:
      return find_call<std::uint32_t>(operation);
    case element::i32:
      return find_call<std::int32_t>(operation);
    default:
      return nullptr;
  }
}

} // namespace compare
