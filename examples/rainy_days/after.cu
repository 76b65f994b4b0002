// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//
// Which days of a weather station were wet, and which were freezing? Reads a line for each day from standard input: its
// number, its mean temperature in tenths of a degree, and its rain in tenths of a millimetre. Each column is an array. A
// filter keeps whole records: it takes the arrays as a zip_iterator. Prints how many days each filter keeps, and their rain.
#include <reheat/reheat.cuh>
#include <thrust/device_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/tuple.h>

#include <cstddef>
#include <cstdio>
#include <iostream>
#include <vector>

//! The records of some days, a column each.
struct records
{
  thrust::device_vector<int> day, temperature, rain;

  explicit records(std::size_t days) : day(days), temperature(days), rain(days) {}
  auto begin() { return thrust::make_zip_iterator(thrust::make_tuple(day.begin(), temperature.begin(), rain.begin())); }
};

using day_record = thrust::tuple<int, int, int>;
struct is_wet
{
  __host__ __device__ bool operator()(const day_record& day) const { return thrust::get<2>(day) > 0; }
};
struct is_freezing
{
  __host__ __device__ bool operator()(const day_record& day) const { return thrust::get<1>(day) < 0; }
};

void print(const char* what, const records& kept, std::size_t count)
{
  std::printf("%zu %s days", count, what);
  if (count != 0)
  {
    const long long rain =
        thrust::reduce(reheat::par, kept.rain.begin(), kept.rain.begin() + static_cast<std::ptrdiff_t>(count), 0LL);
    const int first = kept.day[0], last = kept.day[count - 1];
    std::printf(", from day %d to day %d, with %lld.%lld mm of rain", first, last, rain / 10, rain % 10);
  }
  std::printf("\n");
}

int main()
{
  std::vector<int> days, temperatures, rains;
  for (int day, temperature, rain; std::cin >> day >> temperature >> rain;)
  {
    days.push_back(day);
    temperatures.push_back(temperature);
    rains.push_back(rain);
  }
  if (days.empty())
  {
    std::fprintf(stderr, "rainy_days: no days on standard input\n");
    return 2;
  }

  records all(days.size()), wet(days.size()), freezing(days.size());
  all.day = days;
  all.temperature = temperatures;
  all.rain = rains;
  const auto begin = all.begin(), end = begin + static_cast<std::ptrdiff_t>(days.size());

  // The calls leave their counts on the device, so neither waits. The copy to the host waits once for both.
  thrust::device_vector<std::size_t> counts(2);
  reheat::copy_if_into(reheat::par_nosync, begin, end, wet.begin(), is_wet{}, counts.begin());
  reheat::copy_if_into(reheat::par_nosync, begin, end, freezing.begin(), is_freezing{}, counts.begin() + 1);
  const std::vector<std::size_t> kept(counts.begin(), counts.end());

  print("wet", wet, kept[0]);
  print("freezing", freezing, kept[1]);
}
