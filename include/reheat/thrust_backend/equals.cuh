// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The predicate of calls that look for a value. It stands apart from their overloads of Thrust's algorithms, which
//! REHEAT_PASSTHROUGH leaves out.
#pragma once

#include <reheat/detail/config.cuh>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{
namespace calls
{

// Which types are compared is the caller's choice, and his compiler's warnings would point here.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
template <class T>
struct equals
{
  T value;

  template <class Item>
  REHEAT_DEVICE bool operator()(const Item& item) const
  {
    return static_cast<bool>(item == value);
  }
};
#pragma GCC diagnostic pop

} // namespace calls
} // namespace thrust_backend
REHEAT_NAMESPACE_END
