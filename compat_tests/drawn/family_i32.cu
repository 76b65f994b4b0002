// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "family.hpp"

compat::drawn::caller_ptr compat::drawn::family_of_i32(std::size_t max_items)
{
  return std::make_unique<family_caller<std::int32_t>>("i32", max_items);
}
