// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "calls.cuh"

namespace compare
{

call_function find_call_float(element type, operation operation)
{
  switch (type)
  {
    case element::f32:
      return find_call<float>(operation);
    case element::f64:
      return find_call<double>(operation);
    default:
      return nullptr;
  }
}

} // namespace compare
