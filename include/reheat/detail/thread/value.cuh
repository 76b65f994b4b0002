// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How kernels hold values of any copyable type, in storage that starts empty.
#pragma once

#include <reheat/detail/config.cuh>

#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Whether the copy constructor of T only copies bytes. Such values may pass through shuffles, slots and bulk copies.
//! (std::is_trivially_copyable excludes pairs and tuples, whose assignment is never trivial.)
template <class T>
inline constexpr bool is_bitwise_copyable_v =
    std::is_trivially_copy_constructible_v<T>&& std::is_trivially_destructible_v<T>;

//! 16 bytes of items of any type: the widest access of a thread. Its words have 32 bits, like registers: one instruction
//! packs or unpacks a byte of them. With 64-bit words it takes two to five.
struct __attribute__((aligned(16), may_alias)) vec16
{
  std::uint32_t bits[4];
};

//! Whether whole Ts fill a vec16.
template <class T>
inline constexpr bool fills_vec16_v = is_bitwise_copyable_v<T> && sizeof(T) <= 16 && 16 % sizeof(T) == 0;

//! Storage for one T, which may be empty. It is copyable if T is copyable by its bytes. No value is ever destroyed: copies
//! in registers, shared memory and scratch memory end when their storage is used again. So the destructor of a value type
//! must not matter; Thrust's CUDA backend requires the same.
template <class T, bool ByBytes = is_bitwise_copyable_v<T>>
struct uninitialized
{
  // The member has the type itself. From an array of bytes nvcc 13 makes four registers for a 4-byte value, and unpacks and
  // packs them around every shuffle.
  union
  {
    T value;
  };

  REHEAT_DEVICE uninitialized() {} // holds nothing
  uninitialized(const uninitialized&) = default;
  //! Copies bytes. T's own assignment may do more, even if its copy constructor does not.
  REHEAT_DEVICE uninitialized& operator=(const uninitialized& other)
  {
    memcpy(static_cast<void*>(&value), &other.value, sizeof(T));
    return *this;
  }

  REHEAT_DEVICE T& get() { return value; }
  REHEAT_DEVICE const T& get() const { return value; }

  template <class From>
  REHEAT_DEVICE void construct(const From& from)
  {
    ::new (static_cast<void*>(&value)) T(from);
  }
};

template <class T>
struct uninitialized<T, false>
{
  alignas(T) unsigned char bytes[sizeof(T)];

  uninitialized() = default;
  uninitialized(const uninitialized&) = delete;
  uninitialized& operator=(const uninitialized&) = delete;

  REHEAT_DEVICE T& get() { return *reinterpret_cast<T*>(bytes); }
  REHEAT_DEVICE const T& get() const { return *reinterpret_cast<const T*>(bytes); }

  template <class From>
  REHEAT_DEVICE void construct(const From& from)
  {
    ::new (static_cast<void*>(bytes)) T(from);
  }
};

//! Constructs a copy of `from` in uninitialised memory.
template <class T, class From>
REHEAT_DEVICE void construct_at(T* where, const From& from)
{
  ::new (static_cast<void*>(where)) T(from);
}

//! A fold that may be empty. `append` folds its argument in from the right.
template <class T>
struct optional_accumulator
{
  uninitialized<T> value;
  bool has = false;

  template <class Right, class Op>
  REHEAT_DEVICE void append(const Right& right, Op& op)
  {
    if (has)
    {
      value.get() = op(value.get(), right);
    }
    else
    {
      value.construct(right);
      has = true;
    }
  }
  template <class Op>
  REHEAT_DEVICE void append(const optional_accumulator& right, Op& op)
  {
    append_if(right.has, right.value, op);
  }
  //! Appends the value of `right` if it is `there`.
  template <class Op>
  REHEAT_DEVICE void append_if(bool there, const uninitialized<T>& right, Op& op)
  {
    if (there)
    {
      append(right.get(), op);
    }
  }
};

//! Whether a T is stored by one store, or declares itself stored in words of 8 bytes. The host polls for such types only.
template <class T, class = void>
inline constexpr bool is_stored_in_words_v = std::is_arithmetic_v<T> && sizeof(T) <= 8;
template <class T>
inline constexpr bool is_stored_in_words_v<T, std::enable_if_t<T::stored_in_words>> = is_bitwise_copyable_v<T> &&
                                                                                      sizeof(T) % 8 == 0 && alignof(T) >= 8;

} // namespace detail
REHEAT_NAMESPACE_END
