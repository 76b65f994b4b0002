// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The sums of --accuracy.
#include "sums.hpp"
#include "this_machine.cuh"
#include "upstream.cuh"

#include <reheat/reheat.cuh>

#include <thrust/reduce.h>

#include <exception>

namespace compare
{
namespace
{

template <class T>
sums sums_in(const sum_request& row)
{
  const here::memory memory(row.count * sizeof(T));
  here::copy_in(memory.data(), row.items, row.count * sizeof(T));
  const T* const first = reinterpret_cast<const T*>(memory.data());
  const T* const last = first + row.count;
  return {thrust::reduce(here::upstream_policy(), first, last), here::sum_by_cub(first, row.count),
          thrust::reduce(reheat::par, first, last), thrust::reduce(reheat::par.with(reheat::exact_sums), first, last)};
}

} // namespace

sums sums_here(const sum_request& row)
{
  try
  {
    return row.element == element::f32 ? sums_in<float>(row) : sums_in<double>(row);
  }
  catch (const machine_error&)
  {
    throw;
  }
  catch (const std::exception& error)
  {
    throw machine_error(error.what());
  }
}

} // namespace compare
