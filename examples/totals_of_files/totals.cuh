// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//
// What each rank does with its file, whichever engine connects the ranks. The files are one long list of whole numbers, in
// the order of the ranks. A rank writes the running totals of its file to <file>.totals; rank 0 prints what all numbers come
// to.
#pragma once

#include <reheat/across/across.cuh>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using numbers = std::vector<long long>;

inline numbers read_numbers(const std::string& path)
{
  std::ifstream file(path);
  numbers found;
  for (long long number; file >> number;)
  {
    found.push_back(number);
  }
  if (!file.eof())
  {
    throw std::runtime_error(path + ": cannot be read, or holds something else than whole numbers");
  }
  return found;
}

// A rank's file in the memory of the current device. It is made before the ranks are: what takes memory may wait for a GPU
// that waits for another rank.
struct file_on_device
{
  file_on_device(const std::string& path_, const numbers& of_file)
      : path(path_), items(of_file.begin(), of_file.end()), totals(items.size())
  {}

  std::string path;
  thrust::device_vector<long long> items, totals;
};

inline void total_file(reheat::ranks& ranks, file_on_device& file)
{
  const auto par = reheat::par.across(ranks);
  const auto& items = file.items;
  auto& totals = file.totals;

  // The same calls as with one GPU. Each rank passes its part, and gets its part of the running totals …
  thrust::inclusive_scan(par, items.begin(), items.end(), totals.begin());
  // … and the total of all parts.
  const long long total = thrust::reduce(par, items.begin(), items.end());
  const auto largest = reheat::max_element_across(par, items.begin(), items.end());

  std::ofstream written(file.path + ".totals");
  for (const long long each : thrust::host_vector<long long>(totals))
  {
    written << each << '\n';
  }
  if (!written.flush())
  {
    throw std::runtime_error(file.path + ".totals: cannot be written");
  }
  if (ranks.rank() == 0)
  {
    std::printf("%d files, total %lld\n", ranks.count(), total);
    if (largest)
    {
      std::printf("largest %lld: number %d of file %d\n", largest->value, static_cast<int>(largest->index) + 1,
                  largest->rank + 1);
    }
  }
}
