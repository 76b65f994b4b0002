// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Whole checks of one call: input, reference, our policy, comparison.
#pragma once

#include "compare.hpp"
#include "iterators.hpp"
#include "reference.hpp"
#include "sizes.hpp"
#include "strategies.hpp"

#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <string>

namespace compat
{

//! Where the items lie. The misaligned ones start one item after a well aligned address.
enum class placement
{
  aligned,
  misaligned,
};

//! `items` in the machine's memory, at an aligned or a misaligned address; the allocation ends with them.
template <class T>
class placed
{
public:
  placed(const std::vector<T>& items, placement where) : placed(items, std::size_t{where == placement::misaligned}) {}
  placed(std::size_t size, placement where) : placed(size, std::size_t{where == placement::misaligned}) {}
  //! So many items behind a well aligned address.
  placed(const std::vector<T>& items, std::size_t behind_others)
      : memory_(to_device(behind(behind_others, items))), size_(items.size()),
        offset_(static_cast<std::ptrdiff_t>(behind_others))
  {}
  placed(std::size_t size, std::size_t behind_others)
      : memory_(size + behind_others), size_(size), offset_(static_cast<std::ptrdiff_t>(behind_others))
  {}
  T* begin() { return raw(memory_) + offset_; }
  T* end() { return begin() + size_; }
  std::vector<T> items() const { return to_host(memory_, static_cast<std::size_t>(offset_), size_); }

private:
  static std::vector<T> behind(std::size_t others, const std::vector<T>& items)
  {
    std::vector<T> result(others, values<T>::make(0));
    for (const T& item : items)
    {
      result.push_back(item);
    }
    return result;
  }

  thrust::device_vector<T> memory_;
  std::size_t size_ = 0;
  std::ptrdiff_t offset_;
};

//! Both kinds of scan over `count` items of T, from memory to memory, against the reference; `seeds` schedules.
template <class T>
void check_scans(std::size_t count, unsigned seeds, placement where)
{
  const std::vector<T> items = make_items<T>(count, 1);
  const T init = values<T>::make(0);
  const std::vector<T> inclusive = inclusive_reference<T, T>(items, fold{});
  const std::vector<T> exclusive = exclusive_reference<T, T>(items, init, fold{});
  placed<T> in(items, where);
  for_both_strategies<T>(
      count,
      [&]
      {
        for_each_seed(seeds,
                      [&]
                      {
                        placed<T> out(count, where);
                        T* const end = thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), fold{});
                        BOOST_TEST((end == out.end()));
                        check_same("inclusive_scan", inclusive, out.items());
                      });
        for_each_seed(seeds,
                      [&]
                      {
                        placed<T> out(count, where);
                        T* const end = thrust::exclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), init, fold{});
                        BOOST_TEST((end == out.end()));
                        check_same("exclusive_scan", exclusive, out.items());
                      });
      });
}

//! The reduction of `count` items of T in memory, with an initial value, against the reference.
template <class T>
void check_reduce(std::size_t count, unsigned seeds, placement where)
{
  const std::vector<T> items = make_items<T>(count, 1);
  const T init = values<T>::make(0);
  const T expected = reduce_reference<T>(items, init, fold{});
  placed<T> in(items, where);
  for_each_seed(seeds,
                [&]
                {
                  const T actual = thrust::reduce(reheat::par, in.begin(), in.end(), init, fold{});
                  check_result("reduce", count, expected, actual);
                });
}

} // namespace compat
