// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "device.hpp"

compat::drawn::caller_ptr compat::drawn::device_of_f32(std::size_t max_items)
{
  return std::make_unique<device_caller<float>>("f32", max_items);
}
