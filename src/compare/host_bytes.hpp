// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A block of host memory whose bytes start uninitialised: inputs and outputs are gigabytes.
#pragma once

#include <cstddef>
#include <memory>

namespace compare
{

class host_bytes
{
public:
  host_bytes() = default;
  explicit host_bytes(std::size_t size) : data_(new std::byte[size]), size_(size) {}
  std::byte* data() { return data_.get(); }
  const std::byte* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  //! The first `size` bytes stay.
  void shrink(std::size_t size) { size_ = size; }
  template <class T>
  T* as()
  {
    return reinterpret_cast<T*>(data_.get());
  }
  template <class T>
  const T* as() const
  {
    return reinterpret_cast<const T*>(data_.get());
  }

private:
  std::unique_ptr<std::byte[]> data_;
  std::size_t size_ = 0;
};

} // namespace compare
