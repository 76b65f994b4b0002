// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Iterators that watch: an input that counts reads and notices those outside its range, an output that counts writes.
#pragma once

#include "machine.hpp"
#include "operators.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <atomic>
#include <cstddef>
#include <iterator>

namespace compat
{

//! One more, whoever counts.
REHEAT_HOST_DEVICE inline void count_up(unsigned* counter)
{
#if defined(__CUDA_ARCH__)
  atomicAdd(counter, 1u);
#else
  ++*counter;
#endif
}

using counting = thrust::counting_iterator<std::ptrdiff_t>;

//! Item `i` of the input of T, made from nothing.
template <class T>
auto generated(std::ptrdiff_t first = 0)
{
  return thrust::make_transform_iterator(counting(first), make_item<T>{});
}

//! Reads items[i] for i in [0, size); counts reads per item, and those outside in counter[size].
template <class T>
struct watched_read
{
  using result_type = T;
  const T* items;
  unsigned* counter;
  std::ptrdiff_t size;
  REHEAT_HOST_DEVICE T operator()(std::ptrdiff_t index) const
  {
    const bool inside = index >= 0 && index < size;
    count_up(counter + (inside ? index : size));
    return items[inside ? index : 0];
  }
};

//! An input range of which every read is counted.
template <class T>
class watched_input
{
public:
  explicit watched_input(const std::vector<T>& items)
      : items_(to_device(items.empty() ? std::vector<T>{values<T>::make(0)} : items)), counter_(items.size() + 1, 0u),
        size_(static_cast<std::ptrdiff_t>(items.size()))
  {}
  auto begin() { return thrust::make_transform_iterator(counting(0), watched_read<T>{raw(items_), raw(counter_), size_}); }
  auto end() { return begin() + size_; }
  //! Every item read exactly `times` times, nothing outside.
  void check(unsigned times, const std::string& what) const
  {
    const std::vector<unsigned> counts = to_host(counter_);
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
      const bool outside = i + 1 == counts.size();
      const unsigned expected = outside ? 0 : times;
      if (counts[i] != expected)
      {
        BOOST_ERROR(what << ", " << size_ << " items: " << (outside ? "reads outside the range" : "reads of item ")
                         << (outside ? std::string() : std::to_string(i)) << ": expected " << expected << ", actual "
                         << counts[i]);
        return;
      }
    }
    BOOST_TEST(true);
  }

private:
  thrust::device_vector<T> items_;
  thrust::device_vector<unsigned> counter_;
  std::ptrdiff_t size_;
};

//! An output position that can only be assigned to.
template <class T>
struct write_only_reference
{
  T* item;
  unsigned* counter;
  REHEAT_HOST_DEVICE void operator=(const T& value) const
  {
    count_up(counter);
    *item = value;
  }
};

//! An output iterator with only *, +, [] and ++; counts writes per position and those outside in counter[size].
template <class T>
struct write_only_iterator
{
  T* items;
  unsigned* counter;
  std::ptrdiff_t size, position;
  REHEAT_HOST_DEVICE write_only_reference<T> operator[](std::ptrdiff_t distance) const
  {
    const std::ptrdiff_t at = position + distance;
    const bool inside = at >= 0 && at < size;
    return {items + (inside ? at : size), counter + (inside ? at : size)};
  }
  REHEAT_HOST_DEVICE write_only_reference<T> operator*() const { return (*this)[0]; }
  REHEAT_HOST_DEVICE write_only_iterator& operator++()
  {
    ++position;
    return *this;
  }
  template <class Distance>
  REHEAT_HOST_DEVICE write_only_iterator operator+(Distance distance) const
  {
    return {items, counter, size, position + static_cast<std::ptrdiff_t>(distance)};
  }
};

//! An output range of which every write is counted.
template <class T>
class watched_output
{
public:
  explicit watched_output(std::size_t size)
      : items_(size + 1), counter_(size + 1, 0u), size_(static_cast<std::ptrdiff_t>(size))
  {}
  write_only_iterator<T> begin() { return {raw(items_), raw(counter_), size_, 0}; }
  std::vector<T> items() const
  {
    std::vector<T> result = to_host(items_);
    result.pop_back();
    return result;
  }
  //! Writes to each position, and behind them those outside.
  std::vector<unsigned> counts() const { return to_host(counter_); }
  //! Every position written exactly once, nothing outside.
  void check(const std::string& what) const
  {
    const std::vector<unsigned> counts = to_host(counter_);
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
      const unsigned expected = i + 1 == counts.size() ? 0 : 1;
      if (counts[i] != expected)
      {
        BOOST_ERROR(what << ", " << size_ << " items: writes to position " << i << " (" << size_
                         << " stands for any outside): expected " << expected << ", actual " << counts[i]);
        return;
      }
    }
    BOOST_TEST(true);
  }

private:
  thrust::device_vector<T> items_;
  thrust::device_vector<unsigned> counter_;
  std::ptrdiff_t size_;
};

//! How often an iterator for the device alone was dereferenced by the host.
inline std::atomic<unsigned> host_dereferences{0};

//! The items behind a place that stands in the machine's memory, where earlier work of a stream may have left it. Only the
//! device may dereference it.
template <class T>
class appended_iterator
{
public:
  using difference_type = std::ptrdiff_t;
  using value_type = std::remove_const_t<T>;
  using pointer = T*;
  using reference = T&;
  using iterator_category = std::random_access_iterator_tag;

  appended_iterator() = default;
  REHEAT_HOST_DEVICE appended_iterator(T* items, const std::ptrdiff_t* place) : items_(items), place_(place) {}
  REHEAT_HOST_DEVICE T& operator[](std::ptrdiff_t distance) const { return items_[place() + position_ + distance]; }
  REHEAT_HOST_DEVICE T& operator*() const { return (*this)[0]; }
  REHEAT_HOST_DEVICE appended_iterator& operator+=(std::ptrdiff_t distance)
  {
    position_ += distance;
    return *this;
  }
  REHEAT_HOST_DEVICE appended_iterator& operator-=(std::ptrdiff_t distance) { return *this += -distance; }
  REHEAT_HOST_DEVICE appended_iterator& operator++() { return *this += 1; }
  REHEAT_HOST_DEVICE appended_iterator& operator--() { return *this += -1; }
  REHEAT_HOST_DEVICE appended_iterator operator+(std::ptrdiff_t distance) const
  {
    appended_iterator moved = *this;
    return moved += distance;
  }
  REHEAT_HOST_DEVICE appended_iterator operator-(std::ptrdiff_t distance) const { return *this + -distance; }
  REHEAT_HOST_DEVICE std::ptrdiff_t operator-(const appended_iterator& other) const { return position_ - other.position_; }
  REHEAT_HOST_DEVICE bool operator==(const appended_iterator& other) const { return position_ == other.position_; }
  REHEAT_HOST_DEVICE bool operator!=(const appended_iterator& other) const { return position_ != other.position_; }
  REHEAT_HOST_DEVICE bool operator<(const appended_iterator& other) const { return position_ < other.position_; }

private:
  REHEAT_HOST_DEVICE std::ptrdiff_t place() const
  {
#if defined(REHEAT_EMULATED)
    host_dereferences += reheat::emulator::in_kernel() ? 0 : 1;
    return *place_;
#elif defined(__CUDA_ARCH__)
    return *place_;
#else
    ++host_dereferences;
    return 0;
#endif
  }

  T* items_ = nullptr;
  const std::ptrdiff_t* place_ = nullptr;
  std::ptrdiff_t position_ = 0;
};

} // namespace compat

template <class T>
struct std::iterator_traits<compat::write_only_iterator<T>>
{
  using difference_type = std::ptrdiff_t;
  using value_type = T;
  using pointer = void;
  using reference = compat::write_only_reference<T>;
  using iterator_category = std::random_access_iterator_tag;
};
