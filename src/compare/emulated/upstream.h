// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Thrust's sequential algorithms, which stand for upstream. CUB has none.
#pragma once

#include "../call.hpp"

#include <reheat/device.cuh>

#include <thrust/execution_policy.h>

#include <cstddef>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>

namespace compare::here
{

inline const auto& upstream_policy()
{
  return thrust::host;
}

//! By thrust::less, the sequential radix sort of CCCL 3.0.1 puts negative integers behind all others.
template <class T>
using ascending = std::less<T>;

//! Throws what describes the status, unless it is success.
inline void check_call(reheat::status_type status)
{
  switch (status)
  {
    case reheat::status_type::success:
      break;
    case reheat::status_type::out_of_memory:
      throw std::bad_alloc();
    case reheat::status_type::invalid_value:
      throw std::runtime_error("invalid value (REHEAT_LOG=1 prints what was attempted)");
  }
}

template <class T, class Op>
void call_cub(call&)
{}

template <class T, class Sum>
void call_other_of_cub(call&)
{}

template <class T>
std::optional<double> sum_by_cub(const T*, std::size_t)
{
  return std::nullopt;
}

} // namespace compare::here
