// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//
// What is the mean of each row of a ragged array? Reads a line for each film from standard input: the ratings that it got,
// from none to many. All ratings stand behind each other in one array, and offsets say where a film's begin. Prints the film
// with the most ratings, and how many films have which mean.
#include <cub/cub.cuh>
#include <thrust/device_vector.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int main()
{
  std::vector<int> all_ratings, begins{0};
  for (std::string line; std::getline(std::cin, line);)
  {
    std::istringstream words(line);
    for (int rating; words >> rating;)
    {
      all_ratings.push_back(rating);
    }
    begins.push_back(static_cast<int>(all_ratings.size()));
  }
  const std::size_t films = begins.size() - 1;
  if (films == 0)
  {
    std::fprintf(stderr, "ragged_mean: no ratings on standard input\n");
    return 2;
  }

  const thrust::device_vector<int> ratings(all_ratings.begin(), all_ratings.end());
  const thrust::device_vector<int> offsets(begins.begin(), begins.end());
  thrust::device_vector<long long> sums(films);
  std::size_t bytes = 0;
  cudaError_t status = cub::DeviceSegmentedReduce::Sum(nullptr, bytes, ratings.begin(), sums.begin(), films, offsets.begin(),
                                                       offsets.begin() + 1);
  if (status == cudaSuccess)
  {
    thrust::device_vector<char> memory(bytes);
    status = cub::DeviceSegmentedReduce::Sum(thrust::raw_pointer_cast(memory.data()), bytes, ratings.begin(), sums.begin(),
                                             films, offsets.begin(), offsets.begin() + 1);
  }
  if (status != cudaSuccess)
  {
    std::fprintf(stderr, "ragged_mean: Sum failed: %s\n", cudaGetErrorString(status));
    return 1;
  }

  const std::vector<long long> sum_of(sums.begin(), sums.end());
  const auto count = [&](std::size_t film) { return begins[film + 1] - begins[film]; };
  const auto mean = [&](std::size_t film) { return static_cast<double>(sum_of[film]) / count(film); };
  std::size_t most = 0, without = 0;
  std::array<int, 6> films_of{}; // by the whole part of their mean
  for (std::size_t film = 0; film < films; ++film)
  {
    most = count(film) > count(most) ? film : most;
    if (count(film) == 0)
    {
      ++without;
    }
    else
    {
      ++films_of.at(static_cast<std::size_t>(mean(film)));
    }
  }
  std::printf("%zu films with %zu ratings, %zu of them without any\n", films, all_ratings.size(), without);
  if (count(most) != 0)
  {
    std::printf("film %zu has the most: %d, with a mean of %.3f\n", most, count(most), mean(most));
  }
  for (std::size_t stars = 1; stars < films_of.size(); ++stars)
  {
    std::printf("mean from %zu on: %d films\n", stars, films_of[stars]);
  }
}
