// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The places of the smallest and the largest item as one reduction of (value, index).
//!
//! The reduction keeps operands in order, so keeping the left one of two equivalent items gives the first, of the largest
//! ones too. Only indices leave the device: values need no default constructor and never travel to the host.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class T>
struct candidate
{
  T value;
  std::uint64_t index;
};

//! Both extrema of a range.
template <class T>
struct candidates
{
  candidate<T> smallest, largest;
};
struct extrema_indices
{
  std::uint64_t smallest, largest;
};

template <class T>
struct to_candidate
{
  REHEAT_EXEC_CHECK_DISABLE
  REHEAT_DEVICE candidate<T> operator()(const T& value, std::uint64_t index) const { return {value, index}; }
};
template <class T>
struct to_candidates
{
  REHEAT_EXEC_CHECK_DISABLE
  REHEAT_DEVICE candidates<T> operator()(const T& value, std::uint64_t index) const
  {
    return {{value, index}, {value, index}};
  }
};

//! Of equivalent candidates the left one.
REHEAT_EXEC_CHECK_DISABLE
template <class T, class Less>
REHEAT_DEVICE candidate<T> smaller(const candidate<T>& x, const candidate<T>& y, Less& less)
{
  if (simt::fault_active(simt::fault::last_smallest))
  {
    return less(x.value, y.value) ? x : y;
  }
  return less(y.value, x.value) ? y : x;
}
REHEAT_EXEC_CHECK_DISABLE
template <class T, class Less>
REHEAT_DEVICE candidate<T> larger(const candidate<T>& x, const candidate<T>& y, Less& less)
{
  if (simt::fault_active(simt::fault::last_largest))
  {
    return less(y.value, x.value) ? x : y;
  }
  return less(x.value, y.value) ? y : x;
}

//! With the initial value, which is no candidate, on the left, these give the index.
template <class Less>
struct keep_smallest
{
  Less less;

  REHEAT_EXEC_CHECK_DISABLE
  template <class T>
  REHEAT_DEVICE candidate<T> operator()(const candidate<T>& x, const candidate<T>& y)
  {
    return smaller(x, y, less);
  }
  template <class T>
  REHEAT_DEVICE std::uint64_t operator()(std::uint64_t, const candidate<T>& y)
  {
    return y.index;
  }
};
template <class Less>
struct keep_largest
{
  Less less;

  REHEAT_EXEC_CHECK_DISABLE
  template <class T>
  REHEAT_DEVICE candidate<T> operator()(const candidate<T>& x, const candidate<T>& y)
  {
    return larger(x, y, less);
  }
  template <class T>
  REHEAT_DEVICE std::uint64_t operator()(std::uint64_t, const candidate<T>& y)
  {
    return y.index;
  }
};
template <class Less>
struct keep_both
{
  Less less;

  REHEAT_EXEC_CHECK_DISABLE
  template <class T>
  REHEAT_DEVICE candidates<T> operator()(const candidates<T>& x, const candidates<T>& y)
  {
    return {smaller(x.smallest, y.smallest, less), larger(x.largest, y.largest, less)};
  }
  template <class T>
  REHEAT_DEVICE extrema_indices operator()(const extrema_indices&, const candidates<T>& y)
  {
    return {y.smallest.index, y.largest.index};
  }
};

} // namespace detail
REHEAT_NAMESPACE_END
