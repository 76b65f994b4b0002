// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The ladder's reductions by matrix units: exact where sums are, near the exact sum elsewhere.

#include "reduce.hpp"

using namespace compat;
using namespace compat::ladder_rungs;

BOOST_AUTO_TEST_SUITE(ladder)
BOOST_AUTO_TEST_SUITE(reduce)

namespace
{

//! Items that sums hold exactly.
template <class T>
std::vector<T> whole_items(std::size_t count)
{
  std::vector<T> items;
  for (std::size_t i = 0; i < count; ++i)
  {
    items.push_back(static_cast<T>(static_cast<float>(values<float>::make(i))));
  }
  return items;
}
//! Sums of T by matrix units in Sum, exact, wherever the items lie.
template <class T, class Sum, class Rung>
void check_whole_sums(const char* name, Rung rung, unsigned seeds)
{
  for (const std::size_t size : {1u, 31u, 33u, 255u, 256u, 257u, 1000u, emulated ? 2801u : 600011u})
  {
    const std::vector<T> items = whole_items<T>(size);
    double exact = 3;
    for (const T& item : items)
    {
      exact += static_cast<double>(static_cast<float>(item));
    }
    constexpr std::size_t skipped = 40; // more than the units' alignment
    std::vector<T> room(skipped, T(1.0f));
    room.insert(room.end(), items.begin(), items.end());
    const thrust::device_vector<T> memory = to_device(room);
    std::size_t aligned = 0;
    while (reinterpret_cast<std::uintptr_t>(raw(memory) + aligned) % 32 != 0)
    {
      ++aligned;
    }
    thrust::device_vector<T> shifted(room.size());
    for (const std::size_t at : {aligned, aligned + 1})
    {
      thrust::copy(memory.begin() + skipped, memory.end(), shifted.begin() + static_cast<std::ptrdiff_t>(at));
      const T* const begin = raw(shifted) + at;
      for_each_seed(seeds,
                    [&]
                    {
                      const Sum actual = thrust::reduce(reheat::par.with(rung), begin, begin + size, Sum(3.0f));
                      BOOST_CHECK_MESSAGE(static_cast<double>(actual) == exact,
                                          name << " of " << size << " items, " << sizeof(T) << " bytes each: expected "
                                               << exact << ", actual " << static_cast<double>(actual));
                    });
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(matrix_units_sum_bytes_exactly)
{
  for_each_matrix_rung(
      [](const char* name, auto rung)
      {
        check_whole_sums<i8, i32>(name, rung, 2);
        std::vector<i8> items(1000);
        u32 expected = 5;
        for (std::size_t i = 0; i < items.size(); ++i)
        {
          items[i] = static_cast<i8>(mix(i));
          expected += static_cast<u32>(items[i]);
        }
        placed<i8> in(items, placement::misaligned);
        check_result("sums wrap", items.size(), static_cast<i8>(expected),
                     thrust::reduce(reheat::par.with(rung), in.begin(), in.end(), i8(5)));
        // Far more than the bytes hold of which V · Pᵀ is made.
        const std::vector<i8> largest(emulated ? 9000 : 3000000, i8(-128));
        placed<i8> large(largest, placement::aligned);
        check_result("large sums", largest.size(), static_cast<i32>(largest.size()) * -128,
                     thrust::reduce(reheat::par.with(rung), large.begin(), large.end(), i32(0)));
      });
}

BOOST_AUTO_TEST_CASE(matrix_units_sum_halves_in_float)
{
  for_each_matrix_rung(
      [](const char* name, auto rung)
      {
        check_whole_sums<__half, float>(name, rung, 2);
        check_whole_sums<__nv_bfloat16, float>(name, rung, 1);
        check_real_sums<true, float, __half>(name, rung, 2);
        check_real_sums<true, float, __nv_bfloat16>(name, rung, 1);
        const std::vector<__half> items = whole_items<__half>(513);
        const thrust::device_vector<__half> in = to_device(items);
        const __half sum = thrust::reduce(reheat::par.with(rung), in.begin(), in.end(), __half(1.0f));
        check_near(name, items, 1.0f, static_cast<float>(sum));
      });
}

BOOST_AUTO_TEST_CASE(matrix_units_sum_doubles)
{
  for_each_matrix_rung(
      [](const char* name, auto rung)
      {
        check_whole_sums<double, double>(name, rung, 2);
        check_real_sums<true, double, double>(name, rung, 2);
      });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
