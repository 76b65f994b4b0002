// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "calls.cuh"

namespace compare
{

call_function find_call_64(element type, operation operation)
{
  switch (type)
  {
    case element::u64:
      return find_call<std::uint64_t>(operation);
    case element::i64:
      return find_call<std::int64_t>(operation);
    default:
      return nullptr;
  }
}

} // namespace compare
