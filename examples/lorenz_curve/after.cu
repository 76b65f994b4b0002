// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//
// How evenly is a total spread over those who share it? Reads amounts (whole numbers, such as file sizes or incomes) from
// standard input, sorts them, and prints which share of the total the lower half and the top tenth hold, and the Gini
// coefficient: 0 when all are equal, near 1 when one has all.
#include <reheat/reheat.cuh>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <cstddef>
#include <cstdio>
#include <vector>

int main()
{
  std::vector<long long> amounts;
  for (long long amount; std::scanf("%lld", &amount) == 1;)
  {
    amounts.push_back(amount);
  }
  if (amounts.empty())
  {
    std::fprintf(stderr, "lorenz_curve: no amounts on standard input\n");
    return 2;
  }

  const std::size_t n = amounts.size();
  thrust::device_vector<long long> sorted(amounts.begin(), amounts.end());
  thrust::sort(reheat::par, sorted.begin(), sorted.end());

  // curve[i]: what the i + 1 smallest amounts come to.
  thrust::device_vector<long long> curve(n);
  thrust::inclusive_scan(reheat::par, sorted.begin(), sorted.end(), curve.begin());
  const long long total = thrust::reduce(reheat::par, sorted.begin(), sorted.end());
  const double area = thrust::reduce(reheat::par, curve.begin(), curve.end(), 0.0, thrust::plus<double>());

  const auto below = [&](std::size_t count) { return count == 0 ? 0LL : static_cast<long long>(curve[count - 1]); };
  const double whole = total == 0 ? 1.0 : static_cast<double>(total);
  const double people = static_cast<double>(n);
  std::printf("%zu amounts, %lld in all\n", n, total);
  std::printf("the lower half holds %.1f %%\n", 100 * static_cast<double>(below(n / 2)) / whole);
  std::printf("the top tenth holds %.1f %%\n", 100 * static_cast<double>(total - below(n - n / 10)) / whole);
  std::printf("Gini coefficient %.3f\n", (people + 1 - 2 * area / whole) / people);
}
