// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "../support/random_calls.hpp"

std::unique_ptr<compat::drawn::caller> compat::drawn::caller_of_f32(std::size_t max_items)
{
  return std::make_unique<typed_caller<float>>("f32", max_items);
}
