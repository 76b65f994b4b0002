// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "calls.cuh"

namespace compare
{

call_function find_call_8(element type, operation operation)
{
  switch (type)
  {
    case element::u8:
      return find_call<std::uint8_t>(operation);
    case element::i8:
      return find_call<std::int8_t>(operation);
    default:
      return nullptr;
  }
}

} // namespace compare
