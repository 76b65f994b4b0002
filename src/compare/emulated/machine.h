// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The emulator: its memory is the host's, nothing is timed.
#pragma once

#include "../machine.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <vector>

namespace compare::here
{

inline constexpr const char* program = "reheat-compare-emulated";
inline constexpr const char* upstream = "thrust::host";
inline constexpr bool emulated = true;
inline constexpr std::array others{implementation::device};

inline std::string description()
{
  return "the emulator";
}

inline std::size_t input_capacity(std::size_t)
{
  return std::numeric_limits<std::size_t>::max();
}

inline std::vector<std::uint64_t> golden_hashes()
{
  throw machine_error("the emulator has smaller tiles than a GPU, and so other bits; --bits is for reheat-compare");
}

// Exactly as large as asked for, so that AddressSanitizer sees the byte behind it.
class memory
{
public:
  explicit memory(std::size_t bytes) : data_(static_cast<std::byte*>(::operator new(bytes, alignment))) {}
  ~memory() { ::operator delete(data_, alignment); }
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;
  std::byte* data() const { return data_; }

private:
  static constexpr std::align_val_t alignment{256};
  std::byte* data_;
};

inline void copy_in(std::byte* to, const std::byte* from, std::size_t bytes)
{
  std::memcpy(to, from, bytes);
}
inline void copy_out(std::byte* to, const std::byte* from, std::size_t bytes)
{
  std::memcpy(to, from, bytes);
}
inline void fill(std::byte* to, int value, std::size_t bytes)
{
  std::memset(to, value, bytes);
}

inline bool is_out_of_memory(const std::exception& error)
{
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
}

class clock
{
public:
  template <class F>
  double seconds_of(F)
  {
    return 0;
  }
};

} // namespace compare::here
