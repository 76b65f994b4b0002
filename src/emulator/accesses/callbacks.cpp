// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The functions that g++ -fsanitize=thread calls, in place of libtsan's: before every plain access, and instead of every
//! atomic operation. The program's code that runs outside of kernels calls them, too.
#include "access_recorder.h"

#include <atomic>
#include <cstddef>
#include <cstring>

namespace
{

using reheat::emulator::accesses::access_recorder;

void read(const volatile void* address, std::size_t bytes, const void* place)
{
  access_recorder::instance().read(const_cast<const void*>(address), bytes, place);
}

void write(const volatile void* address, std::size_t bytes, const void* place)
{
  access_recorder::instance().write(const_cast<const void*>(address), bytes, place);
}

// 16-byte atomics have no instruction that every processor of this architecture has; all of them come through here.
class wide_lock
{
public:
  wide_lock()
  {
    while (flag().test_and_set(std::memory_order_acquire))
    {}
  }
  wide_lock(const wide_lock&) = delete;
  wide_lock& operator=(const wide_lock&) = delete;
  ~wide_lock() { flag().clear(std::memory_order_release); }

private:
  static std::atomic_flag& flag()
  {
    static std::atomic_flag only = ATOMIC_FLAG_INIT;
    return only;
  }
};

__extension__ using wide = unsigned __int128;

bool exchange_wide_if_equal(volatile wide* address, wide* expected, wide value, const void* place)
{
  read(address, sizeof(value), place);
  bool equal = false;
  {
    const wide_lock lock;
    const wide before = *address;
    equal = before == *expected;
    *expected = before;
    *address = equal ? value : before;
  }
  if (equal)
  {
    write(address, sizeof(value), place);
  }
  return equal;
}

} // namespace

// The caller's place is its return address: these stay functions of their own.
#define REHEAT_PLACE __builtin_return_address(0)

extern "C" {
#pragma GCC visibility push(default)

// A program that links this file is instrumented: its launches are observed.
void __tsan_init()
{
  reheat::emulator::registered_observer = &access_recorder::instance();
}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

void __tsan_vptr_update(void** address, void*)
{
  write(address, sizeof(void*), REHEAT_PLACE);
}
void __tsan_vptr_read(void** address)
{
  read(address, sizeof(void*), REHEAT_PLACE);
}
void __tsan_read_range(void* address, unsigned long bytes)
{
  read(address, bytes, REHEAT_PLACE);
}
void __tsan_write_range(void* address, unsigned long bytes)
{
  write(address, bytes, REHEAT_PLACE);
}

#define REHEAT_PLAIN_ACCESSES(bytes)                                                                                        \
  void __tsan_read##bytes(void* address)                                                                                    \
  {                                                                                                                         \
    read(address, bytes, REHEAT_PLACE);                                                                                     \
  }                                                                                                                         \
  void __tsan_write##bytes(void* address)                                                                                   \
  {                                                                                                                         \
    write(address, bytes, REHEAT_PLACE);                                                                                    \
  }                                                                                                                         \
  void __tsan_volatile_read##bytes(void* address)                                                                           \
  {                                                                                                                         \
    read(address, bytes, REHEAT_PLACE);                                                                                     \
  }                                                                                                                         \
  void __tsan_volatile_write##bytes(void* address)                                                                          \
  {                                                                                                                         \
    write(address, bytes, REHEAT_PLACE);                                                                                    \
  }                                                                                                                         \
  void __tsan_unaligned_read##bytes(void* address)                                                                          \
  {                                                                                                                         \
    read(address, bytes, REHEAT_PLACE);                                                                                     \
  }                                                                                                                         \
  void __tsan_unaligned_write##bytes(void* address)                                                                         \
  {                                                                                                                         \
    write(address, bytes, REHEAT_PLACE);                                                                                    \
  }
REHEAT_PLAIN_ACCESSES(1)
REHEAT_PLAIN_ACCESSES(2)
REHEAT_PLAIN_ACCESSES(4)
REHEAT_PLAIN_ACCESSES(8)
REHEAT_PLAIN_ACCESSES(16)
#undef REHEAT_PLAIN_ACCESSES

void* reheat_counted_memcpy(void* to, const void* from, std::size_t bytes)
{
  read(from, bytes, REHEAT_PLACE);
  write(to, bytes, REHEAT_PLACE);
  return std::memcpy(to, from, bytes);
}
void* reheat_counted_memmove(void* to, const void* from, std::size_t bytes)
{
  read(from, bytes, REHEAT_PLACE);
  write(to, bytes, REHEAT_PLACE);
  return std::memmove(to, from, bytes);
}
void* reheat_counted_memset(void* to, int byte, std::size_t bytes)
{
  write(to, bytes, REHEAT_PLACE);
  return std::memset(to, byte, bytes);
}

// Orders are not looked at: all operations are sequentially consistent.

void __tsan_atomic_thread_fence(int)
{
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int)
{
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

#define REHEAT_ATOMIC_UPDATE(bits, type, name)                                                                              \
  type __tsan_atomic##bits##_##name(volatile type* address, type value, int)                                                \
  {                                                                                                                         \
    read(address, sizeof(type), REHEAT_PLACE);                                                                              \
    write(address, sizeof(type), REHEAT_PLACE);                                                                             \
    return __atomic_##name(address, value, __ATOMIC_SEQ_CST);                                                               \
  }
#define REHEAT_ATOMIC_EXCHANGE_IF_EQUAL(bits, type, name, is_weak)                                                          \
  bool __tsan_atomic##bits##_##name(volatile type* address, type* expected, type value, int, int)                           \
  {                                                                                                                         \
    read(address, sizeof(type), REHEAT_PLACE);                                                                              \
    const bool equal = __atomic_compare_exchange_n(address, expected, value, is_weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);  \
    if (equal)                                                                                                              \
    {                                                                                                                       \
      write(address, sizeof(type), REHEAT_PLACE);                                                                           \
    }                                                                                                                       \
    return equal;                                                                                                           \
  }
#define REHEAT_ATOMICS(bits, type)                                                                                          \
  type __tsan_atomic##bits##_load(const volatile type* address, int)                                                        \
  {                                                                                                                         \
    read(address, sizeof(type), REHEAT_PLACE);                                                                              \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                                                      \
  }                                                                                                                         \
  void __tsan_atomic##bits##_store(volatile type* address, type value, int)                                                 \
  {                                                                                                                         \
    write(address, sizeof(type), REHEAT_PLACE);                                                                             \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                                                     \
  }                                                                                                                         \
  type __tsan_atomic##bits##_exchange(volatile type* address, type value, int)                                              \
  {                                                                                                                         \
    write(address, sizeof(type), REHEAT_PLACE);                                                                             \
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                                           \
  }                                                                                                                         \
  REHEAT_ATOMIC_UPDATE(bits, type, fetch_add)                                                                               \
  REHEAT_ATOMIC_UPDATE(bits, type, fetch_sub)                                                                               \
  REHEAT_ATOMIC_UPDATE(bits, type, fetch_and)                                                                               \
  REHEAT_ATOMIC_UPDATE(bits, type, fetch_or)                                                                                \
  REHEAT_ATOMIC_UPDATE(bits, type, fetch_xor)                                                                               \
  REHEAT_ATOMIC_UPDATE(bits, type, fetch_nand)                                                                              \
  REHEAT_ATOMIC_EXCHANGE_IF_EQUAL(bits, type, compare_exchange_strong, false)                                               \
  REHEAT_ATOMIC_EXCHANGE_IF_EQUAL(bits, type, compare_exchange_weak, true)
REHEAT_ATOMICS(8, unsigned char)
REHEAT_ATOMICS(16, unsigned short)
REHEAT_ATOMICS(32, unsigned)
REHEAT_ATOMICS(64, unsigned long)
#undef REHEAT_ATOMICS
#undef REHEAT_ATOMIC_EXCHANGE_IF_EQUAL
#undef REHEAT_ATOMIC_UPDATE

#define REHEAT_WIDE_UPDATE(name, result)                                                                                    \
  wide __tsan_atomic128_##name(volatile wide* address, wide value, int)                                                     \
  {                                                                                                                         \
    read(address, sizeof(value), REHEAT_PLACE);                                                                             \
    write(address, sizeof(value), REHEAT_PLACE);                                                                            \
    const wide_lock lock;                                                                                                   \
    const wide before = *address;                                                                                           \
    *address = result;                                                                                                      \
    return before;                                                                                                          \
  }
REHEAT_WIDE_UPDATE(fetch_add, before + value)
REHEAT_WIDE_UPDATE(fetch_sub, before - value)
REHEAT_WIDE_UPDATE(fetch_and, before& value)
REHEAT_WIDE_UPDATE(fetch_or, before | value)
REHEAT_WIDE_UPDATE(fetch_xor, before ^ value)
REHEAT_WIDE_UPDATE(fetch_nand, ~(before& value))
#undef REHEAT_WIDE_UPDATE
wide __tsan_atomic128_load(const volatile wide* address, int)
{
  read(address, sizeof(*address), REHEAT_PLACE);
  const wide_lock lock;
  return *address;
}
void __tsan_atomic128_store(volatile wide* address, wide value, int)
{
  write(address, sizeof(value), REHEAT_PLACE);
  const wide_lock lock;
  *address = value;
}
wide __tsan_atomic128_exchange(volatile wide* address, wide value, int)
{
  write(address, sizeof(value), REHEAT_PLACE);
  const wide_lock lock;
  const wide before = *address;
  *address = value;
  return before;
}
bool __tsan_atomic128_compare_exchange_strong(volatile wide* address, wide* expected, wide value, int, int)
{
  return exchange_wide_if_equal(address, expected, value, REHEAT_PLACE);
}
bool __tsan_atomic128_compare_exchange_weak(volatile wide* address, wide* expected, wide value, int, int)
{
  return exchange_wide_if_equal(address, expected, value, REHEAT_PLACE);
}

#pragma GCC visibility pop
}
