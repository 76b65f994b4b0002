// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "family.hpp"

compat::drawn::caller_ptr compat::drawn::family_of_u8(std::size_t max_items)
{
  return std::make_unique<family_caller<std::uint8_t>>("u8", max_items);
}
