// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "segments.hpp"

compat::drawn::caller_ptr compat::drawn::segments_of_f64(std::size_t max_items)
{
  return std::make_unique<segments_caller<double>>("f64", max_items);
}
