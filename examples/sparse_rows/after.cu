// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//
// How are the entries of a sparse matrix spread over its rows? Reads the number of entries of each row from standard input,
// and makes of them the offsets at which the rows begin in compressed row format. Prints the longest row, the row in which
// the middle of all entries lies, and how many rows there are of each length.
#include <reheat/device.cuh>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Runs a call in its two phases: asks how much memory it wants, and makes it with that memory.
template <class Call>
void run(const char* what, Call call)
{
  std::size_t bytes = 0;
  int status = static_cast<int>(call(nullptr, bytes));
  if (status == 0)
  {
    thrust::device_vector<char> memory(bytes);
    status = static_cast<int>(call(thrust::raw_pointer_cast(memory.data()), bytes));
  }
  if (status != 0)
  {
    std::fprintf(stderr, "sparse_rows: %s failed with status %d\n", what, status);
    std::exit(1);
  }
}

int main()
{
  std::vector<int> lengths;
  for (int length; std::scanf("%d", &length) == 1;)
  {
    lengths.push_back(length);
  }
  if (lengths.empty())
  {
    std::fprintf(stderr, "sparse_rows: no lengths of rows on standard input\n");
    return 2;
  }

  const int rows = static_cast<int>(lengths.size());
  lengths.push_back(0); // the offset behind the last row is the number of entries
  thrust::device_vector<int> row_lengths(lengths.begin(), lengths.end());
  thrust::device_vector<long long> row_offsets(rows + 1);
  const auto length = row_lengths.begin();
  const auto offset = row_offsets.begin();
  const thrust::plus<> add;
  run("ExclusiveScan", [&](void* memory, std::size_t& bytes)
      { return reheat::DeviceScan::ExclusiveScan(memory, bytes, length, offset, add, 0LL, rows + 1); });

  thrust::device_vector<int> longest(1);
  thrust::device_vector<long long> longest_row(1);
  run("ArgMax", [&](void* memory, std::size_t& bytes)
      { return reheat::DeviceReduce::ArgMax(memory, bytes, length, longest.begin(), longest_row.begin(), rows); });

  // Rows of equal length are neighbours once the lengths are sorted.
  thrust::sort(length, length + rows);
  thrust::device_vector<int> distinct_lengths(rows), rows_of_length(rows), distinct(1);
  const auto key = distinct_lengths.begin();
  const auto count = rows_of_length.begin();
  const auto one = thrust::make_constant_iterator(1);
  run("ReduceByKey", [&](void* memory, std::size_t& bytes)
      { return reheat::DeviceReduce::ReduceByKey(memory, bytes, length, key, one, count, distinct.begin(), add, rows); });

  const std::vector<long long> offsets(offset, offset + rows + 1);
  const long long entries = offsets.back();
  const auto middle = std::upper_bound(offsets.begin(), offsets.end(), entries / 2) - offsets.begin() - 1;
  std::printf("%d rows with %lld entries\n", rows, entries);
  std::printf("row %lld is the longest and has %d\n", static_cast<long long>(longest_row[0]), static_cast<int>(longest[0]));
  std::printf("row %lld holds the middle of all entries\n", static_cast<long long>(middle));
  for (int i = 0; i < distinct[0]; ++i)
  {
    std::printf("%4d entries: %d rows\n", static_cast<int>(key[i]), static_cast<int>(count[i]));
  }
}
