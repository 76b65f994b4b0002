// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! For calls of so many items that results are checked on the GPU: an output that judges what it is given, and bytes that
//! are made and looked at by kernels of our own, which count in 64 bits whatever Thrust does. Not part of the emulated
//! build.
#pragma once

#include "calls.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace compat
{

//! More than 2^32, odd, and no multiple of anything that tiles are multiples of.
inline constexpr std::ptrdiff_t more_than_2_32 = (std::ptrdiff_t{1} << 32) + 987654321;

// ---- by kernels of our own ----------------------------------------------------------------------------------------------

template <class Body>
__global__ void each_index_kernel(std::uint64_t items, Body body)
{
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t index = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; index < items; index += stride)
  {
    body(index);
  }
}
template <class Body>
void for_each_index(std::uint64_t items, Body body)
{
  each_index_kernel<<<4096, 256>>>(items, body);
  require(cudaGetLastError(), "launch a kernel of the test's");
  require(cudaDeviceSynchronize(), "run a kernel of the test's");
}

template <class Make>
struct fill_byte
{
  std::uint8_t* bytes;
  Make make;
  __device__ void operator()(std::uint64_t index) const { bytes[index] = make(index); }
};
template <class Expected>
struct count_byte_if_wrong
{
  const std::uint8_t* bytes;
  Expected expected;
  unsigned long long* wrong;
  __device__ void operator()(std::uint64_t index) const
  {
    if (bytes[index] != expected(index))
    {
      atomicAdd(wrong, 1ull);
    }
  }
};

//! Byte i becomes make(i).
template <class Make>
void fill_bytes(thrust::device_vector<std::uint8_t>& bytes, Make make)
{
  for_each_index(bytes.size(), fill_byte<Make>{raw(bytes), make});
}
//! Byte i is expected(i).
template <class Expected>
void check_bytes(const char* what, const thrust::device_vector<std::uint8_t>& bytes, Expected expected)
{
  thrust::device_vector<unsigned long long> wrong(1, 0ull);
  for_each_index(bytes.size(), count_byte_if_wrong<Expected>{raw(bytes), expected, raw(wrong)});
  const unsigned long long count = wrong[0];
  BOOST_TEST(count == 0u, what << ": " << count << " of " << bytes.size() << " are wrong");
}

// ---- an output that judges ----------------------------------------------------------------------------------------------

//! Takes the value of a position. The position's mark is 1 afterwards if it was 0 and `right(position, value)`.
template <class Right>
struct judged_position
{
  std::uint8_t* mark;
  Right right;
  std::ptrdiff_t position;
  template <class T>
  REHEAT_HOST_DEVICE void operator=(const T& value) const
  {
    *mark = static_cast<std::uint8_t>(*mark + (right(position, value) ? 1 : 2));
  }
};
template <class Right>
struct judging_output
{
  std::uint8_t* marks; //!< of position 0 on
  Right right;
  std::ptrdiff_t position;
  REHEAT_HOST_DEVICE judged_position<Right> operator[](std::ptrdiff_t distance) const
  {
    return {marks + position + distance, right, position + distance};
  }
  REHEAT_HOST_DEVICE judged_position<Right> operator*() const { return (*this)[0]; }
  REHEAT_HOST_DEVICE judging_output& operator++()
  {
    ++position;
    return *this;
  }
  template <class Distance>
  REHEAT_HOST_DEVICE judging_output operator+(Distance distance) const
  {
    return {marks, right, position + static_cast<std::ptrdiff_t>(distance)};
  }
};

struct one_mark
{
  REHEAT_HOST_DEVICE std::uint8_t operator()(std::uint64_t) const { return 1; }
};

//! Each of `items` positions, written by whom `begin` is given to.
template <class Right>
class judged_output
{
public:
  judged_output(std::ptrdiff_t items, Right right) : marks_(static_cast<std::size_t>(items), std::uint8_t{0}), right_(right)
  {}
  judging_output<Right> begin() { return {raw(marks_), right_, 0}; }
  //! Every position was written once and with the right value, and the call has returned the end of the output.
  void check(const char* what, const judging_output<Right>& end) const
  {
    BOOST_TEST(end.position == static_cast<std::ptrdiff_t>(marks_.size()), what << ": the end is " << end.position);
    check_bytes(what, marks_, one_mark{});
  }

private:
  thrust::device_vector<std::uint8_t> marks_;
  Right right_;
};

// ---- what is known of sums ----------------------------------------------------------------------------------------------

//! Of the numbers from `begin` to before `end`, modulo 2^64.
REHEAT_HOST_DEVICE inline std::uint64_t sum_of_numbers(std::uint64_t begin, std::uint64_t end)
{
  const std::uint64_t count = end - begin, both_ends = begin + end - 1; // one of them is even
  return count % 2 == 0 ? count / 2 * both_ends : count * (both_ends / 2);
}

struct triple
{
  REHEAT_HOST_DEVICE std::uint64_t operator()(std::uint64_t x) const { return 3 * x; }
};

//! A segment that no input fills.
inline constexpr std::uint64_t endless = std::uint64_t{1} << 63;

//! Of `factor` times the numbers from 0 on, in segments of `length`: `init` and the sum of those up to here, itself included
//! or not.
struct is_sum_up_to_here
{
  using value_type = std::uint64_t;
  std::uint64_t length, factor, init;
  bool inclusive;
  REHEAT_HOST_DEVICE bool operator()(std::ptrdiff_t position, std::uint64_t value) const
  {
    const auto here = static_cast<std::uint64_t>(position);
    return value == init + factor * sum_of_numbers(here / length * length, here + (inclusive ? 1 : 0));
  }
};

// Bytes of which a scan in segments of `length` gives known ones, each of which depends on all of its segment before it.

struct known_byte
{
  REHEAT_HOST_DEVICE std::uint8_t operator()(std::uint64_t index) const { return static_cast<std::uint8_t>(mix(index)); }
};
//! An inclusive scan of these gives known_byte.
struct step_to_known_byte
{
  std::uint64_t length;
  REHEAT_HOST_DEVICE std::uint8_t operator()(std::uint64_t index) const
  {
    const unsigned before = index % length == 0 ? 0u : known_byte{}(index - 1);
    return static_cast<std::uint8_t>(known_byte{}(index)-before);
  }
};
//! What an exclusive scan of the bytes below gives.
struct known_byte_or_init
{
  std::uint64_t length;
  std::uint8_t init;
  REHEAT_HOST_DEVICE std::uint8_t operator()(std::uint64_t index) const
  {
    return index % length == 0 ? init : known_byte{}(index);
  }
};
struct step_behind_known_byte
{
  known_byte_or_init here;
  REHEAT_HOST_DEVICE std::uint8_t operator()(std::uint64_t index) const
  {
    return static_cast<std::uint8_t>(unsigned{known_byte{}(index + 1)} - here(index));
  }
};

} // namespace compat

template <class Right>
struct std::iterator_traits<compat::judging_output<Right>>
{
  using difference_type = std::ptrdiff_t;
  using value_type = typename Right::value_type;
  using pointer = void;
  using reference = compat::judged_position<Right>;
  using iterator_category = std::random_access_iterator_tag;
};
