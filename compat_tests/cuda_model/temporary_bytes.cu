// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How many bytes device-wide calls ask for on a GPU, beside CUB's: the table of docs/promises.md.

#include "../support/device_calls.hpp"
#include "cuda_model.hpp"

#include <reheat/device.cuh>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/version.cuh>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(temporary_bytes)

namespace
{

using u32 = std::uint32_t;
constexpr int items = 1 << 20, segments = items / 64;
constexpr int cub_of_the_table = 300001;

struct is_odd
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 2 != 0; }
};

//! What a call asks for, as the table has it.
struct table_row
{
  std::string call, reheat, cub;
};

template <class Call>
std::string bytes_asked_by(const std::string& name, Call call)
{
  std::size_t bytes = 0;
  require(call(bytes), name.c_str());
  return std::to_string(bytes);
}
//! `call(api, bytes)` asks either class.
template <class Ours, class Theirs, class Call>
table_row row_of(const std::string& name, Call call)
{
  return {name, bytes_asked_by(name, [&](std::size_t& bytes) { return call(Ours{}, bytes); }),
          bytes_asked_by(name, [&](std::size_t& bytes) { return call(Theirs{}, bytes); })};
}
//! Reheat's call is the one of this name that all tests of device-wide classes make.
template <class Theirs>
table_row row_of_common_call(const std::string& name, Theirs theirs)
{
  device_places places{};
  places.size = items;
  for (const device_call& each : device_calls_at(places))
  {
    if (each.name == name)
    {
      return {name, bytes_asked_by(name, [&](std::size_t& bytes) { return each.call(nullptr, bytes, default_stream()); }),
              bytes_asked_by(name, theirs)};
    }
  }
  BOOST_FAIL("no call is named " << name);
  return {};
}

//! Of no memory, because a size depends on no address.
std::vector<table_row> measured_rows()
{
  u32* const array = nullptr;
  int* const number = nullptr;
  const int* const begins = nullptr;
  ::cub::DoubleBuffer<u32> keys(array, array), values(array, array);
  using our_folds = reheat::DeviceSegmentedReduce;
  using our_scans = reheat::DeviceSegmentedScan;
  using our_sorts = reheat::DeviceRadixSort;
  using folds = ::cub::DeviceSegmentedReduce;
  using sorts = ::cub::DeviceRadixSort;
  return {
      row_of<our_folds, folds>("DeviceSegmentedReduce::Sum", [&](auto api, std::size_t& bytes)
                               { return api.Sum(nullptr, bytes, array, array, segments, begins, begins + 1); }),
      {"DeviceSegmentedScan::InclusiveSegmentedSum",
       bytes_asked_by("DeviceSegmentedScan",
                      [&](std::size_t& bytes) {
                        return our_scans::InclusiveSegmentedSum(nullptr, bytes, array, array, begins, begins + 1, segments);
                      }),
       "–"},
      row_of_common_call("DeviceSelect::If", [&](std::size_t& bytes)
                         { return ::cub::DeviceSelect::If(nullptr, bytes, array, array, number, items, is_odd{}); }),
      row_of_common_call("DeviceSelect::Unique", [&](std::size_t& bytes)
                         { return ::cub::DeviceSelect::Unique(nullptr, bytes, array, array, number, items); }),
      row_of_common_call("DevicePartition::If", [&](std::size_t& bytes)
                         { return ::cub::DevicePartition::If(nullptr, bytes, array, array, number, items, is_odd{}); }),
      row_of_common_call("DeviceRunLengthEncode::Encode",
                         [&](std::size_t& bytes) {
                           return ::cub::DeviceRunLengthEncode::Encode(nullptr, bytes, array, array, number, number, items);
                         }),
      row_of<our_sorts, sorts>("DeviceRadixSort::SortKeys", [&](auto api, std::size_t& bytes)
                               { return api.SortKeys(nullptr, bytes, array, array, items); }),
      row_of<our_sorts, sorts>("DeviceRadixSort::SortKeys, double buffer",
                               [&](auto api, std::size_t& bytes) { return api.SortKeys(nullptr, bytes, keys, items); }),
      row_of<our_sorts, sorts>("DeviceRadixSort::SortPairs", [&](auto api, std::size_t& bytes)
                               { return api.SortPairs(nullptr, bytes, array, array, array, array, items); }),
      row_of<our_sorts, sorts>("DeviceRadixSort::SortPairs, double buffers", [&](auto api, std::size_t& bytes)
                               { return api.SortPairs(nullptr, bytes, keys, values, items); }),
  };
}

//! A line of the page.
std::string line_of(const table_row& row)
{
  return "| `" + row.call + "` | " + row.reheat + " | " + row.cub + " |";
}

//! The rows of the table that stands between two comments of the page, without its head.
std::vector<std::string> lines_of_the_page()
{
  std::ifstream page(REHEAT_PROMISES);
  BOOST_REQUIRE_MESSAGE(page, "cannot read " << REHEAT_PROMISES);
  std::vector<std::string> lines;
  bool inside = false;
  for (std::string line; std::getline(page, line);)
  {
    inside = line == "<!-- temporary-bytes -->" || (inside && line != "<!-- /temporary-bytes -->");
    if (inside && line.rfind("| `", 0) == 0)
    {
      lines.push_back(line);
    }
  }
  return lines;
}

} // namespace

//! Of the model's device: compute capability 9.0, 132 multiprocessors. Another CUB may ask for more or less.
BOOST_AUTO_TEST_CASE(calls_ask_for_the_bytes_of_the_table)
{
  const std::vector<std::string> lines = lines_of_the_page();
  const std::vector<table_row> rows = measured_rows();
  BOOST_TEST(lines.size() == rows.size(), lines.size() << " rows in " << REHEAT_PROMISES << ", " << rows.size() << " calls");
  for (std::size_t i = 0; i < rows.size() && i < lines.size(); ++i)
  {
    const std::string expected = line_of(rows[i]);
    const std::size_t compared =
        CUB_VERSION == cub_of_the_table ? expected.size() : expected.rfind('|', expected.size() - 2);
    BOOST_TEST(lines[i].compare(0, compared, expected, 0, compared) == 0,
               REHEAT_PROMISES << " says " << lines[i] << ", it is " << expected);
  }
}

namespace
{

//! What each call asks for, of so many items at no place.
std::vector<std::size_t> bytes_of_all_calls(std::size_t size)
{
  device_places places{};
  places.size = size;
  places.segments = size / 5;
  std::vector<std::size_t> found;
  for (const device_call& each : device_calls_at(places))
  {
    found.push_back(bytes_of_call(each.name, each.call));
  }
  return found;
}

} // namespace

// What a kernel has room for is remembered for each context. Here it is asked for once more, by the same thread.
BOOST_AUTO_TEST_CASE(calls_ask_for_the_bytes_of_the_current_device)
{
  constexpr std::size_t many = 100000000;
  const std::vector<std::size_t> on_large = bytes_of_all_calls(many);
  std::size_t smaller = 0;
  {
    const cuda_model::another_device small(7);
    const std::vector<std::size_t> on_small = bytes_of_all_calls(many);
    for (std::size_t i = 0; i < on_small.size(); ++i)
    {
      smaller += on_small[i] < on_large[i] ? 1 : 0;
    }
  }
  BOOST_TEST(smaller > 0u, "no call asks for less on a device of 7 multiprocessors");
  BOOST_TEST(bytes_of_all_calls(many) == on_large, "back on the first device, calls ask for other sizes than before");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
