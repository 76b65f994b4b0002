// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "calls.cuh"

namespace compare
{

call_function find_call_16(element type, operation operation)
{
  switch (type)
  {
    case element::u16:
      return find_call<std::uint16_t>(operation);
    case element::i16:
      return find_call<std::int16_t>(operation);
    default:
      return nullptr;
  }
}

} // namespace compare
