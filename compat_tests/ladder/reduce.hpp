// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the tests of the ladder's reductions share: going through the rungs, sizes, sums that round.
#pragma once

#include "../support/calls.hpp"

#include <reheat/ladder.cuh>

#include <optional>
#include <string>
#include <vector>

namespace compat
{
namespace ladder_rungs
{

using i8 = std::int8_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;

//! visit(name, rung) for each.
template <class Visit>
void for_each_rung(Visit visit)
{
#define REHEAT_VISIT_RUNG(NAME, WHAT)                                                                                       \
  BOOST_TEST_CONTEXT(#NAME)                                                                                                 \
  {                                                                                                                         \
    visit(#NAME, reheat::ladder::NAME);                                                                                     \
  }
  REHEAT_LADDER_REDUCTIONS(REHEAT_VISIT_RUNG)
#undef REHEAT_VISIT_RUNG
}

template <class Visit>
void for_each_ordered_rung(Visit visit)
{
  for_each_rung(
      [&](const char* name, auto rung)
      {
        if constexpr (decltype(rung)::keeps_order)
        {
          visit(name, rung);
        }
      });
}
template <class Visit>
void for_each_commutative_rung(Visit visit)
{
  for_each_rung(
      [&](const char* name, auto rung)
      {
        if constexpr (!decltype(rung)::by_matrix_units)
        {
          visit(name, rung);
        }
      });
}
template <class Visit>
void for_each_matrix_rung(Visit visit)
{
  for_each_rung(
      [&](const char* name, auto rung)
      {
        if constexpr (decltype(rung)::by_matrix_units)
        {
          visit(name, rung);
        }
      });
}

template <class Rung>
inline constexpr bool is_atomic_v = std::is_same<Rung, reheat::ladder::reduce_atomic_finish_t>::value;

//! Warps, blocks of either machine and twice those, more than all threads of a grid, and than all its blocks.
inline std::vector<std::size_t> rung_sizes()
{
  std::vector<std::size_t> sizes = {1, 2, 31, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 513, 1000, 3001};
  sizes.push_back(emulated ? 5003 : 600011);
  return sizes;
}
inline std::vector<std::size_t> few_rung_sizes()
{
  return {1, 33, 65, 257, emulated ? 2500u : 300007u};
}

//! Items whose sums round.
template <class T>
std::vector<T> real_items(std::size_t count)
{
  std::vector<T> items;
  for (std::size_t i = 0; i < count; ++i)
  {
    items.push_back(static_cast<T>(static_cast<float>(mix(i) % 1000) / 997.0f));
  }
  return items;
}

template <class Real, class T>
void check_near(const std::string& what, const std::vector<T>& items, Real init, Real actual)
{
  long double exact = static_cast<long double>(init);
  long double magnitude = std::fabs(exact);
  for (const T& item : items)
  {
    exact += static_cast<long double>(static_cast<double>(item));
    magnitude += std::fabs(static_cast<long double>(static_cast<double>(item)));
  }
  const long double error = std::fabs(static_cast<long double>(actual) - exact);
  const long double bound = sum_bound<Real>(items.size() + 1, magnitude);
  BOOST_CHECK_MESSAGE(error <= bound, what << ", " << items.size() << " items: off by " << static_cast<double>(error)
                                           << ", at most " << static_cast<double>(bound));
}

//! A sum of Reals near the exact one; where `Same`, the same bits under every schedule.
template <bool Same, class Real, class T, class Rung>
void check_real_sums(const char* name, Rung rung, unsigned seeds)
{
  for (const std::size_t size : few_rung_sizes())
  {
    const std::vector<T> items = real_items<T>(size);
    const thrust::device_vector<T> memory = to_device(items);
    const T* const in = raw(memory);
    std::optional<Real> first;
    for_each_seed(seeds,
                  [&]
                  {
                    const Real actual = thrust::reduce(reheat::par.with(rung), in, in + size, Real(0.5f));
                    check_near(name, items, Real(0.5f), actual);
                    if (Same && first)
                    {
                      check_result_bitwise(name, size, *first, actual);
                    }
                    first = actual;
                  });
  }
}

} // namespace ladder_rungs
} // namespace compat
