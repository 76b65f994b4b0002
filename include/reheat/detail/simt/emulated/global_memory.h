// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the emulator: global memory shared between blocks.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/emulated/threads.h>
#include <reheat/detail/simt/emulated_calls.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

// The line of the call, as the last default argument.
#define REHEAT_CALL_SITE ::reheat::emulator::call_site at = {__builtin_FILE(), __builtin_LINE()}

REHEAT_NAMESPACE_BEGIN
namespace simt
{

// ---- global memory shared between blocks: GPU scope ----------------------------------------------------------------------
// Accesses are atomic although one OS thread runs a launch, because launches of two OS threads may share memory.

inline void assume_global(const void*) {}
template <class Word>
inline std::remove_const_t<Word> load_relaxed(Word* address, REHEAT_CALL_SITE)
{
  calls::before_load(address, at);
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}
template <class Word>
inline std::remove_const_t<Word> load_acquire(Word* address, REHEAT_CALL_SITE)
{
  calls::before_load(address, at);
  return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}
template <class Word>
inline void store_relaxed(Word* address, Word value, REHEAT_CALL_SITE)
{
  calls::before_store(address, at);
  if (__atomic_exchange_n(address, value, __ATOMIC_RELAXED) != value)
  {
    calls::memory_changed();
  }
}
template <class Word>
inline void store_release(Word* address, Word value, REHEAT_CALL_SITE)
{
  calls::before_store(address, at);
  if (__atomic_exchange_n(address, value, __ATOMIC_RELEASE) != value)
  {
    calls::memory_changed();
  }
}
//! Adds with acquire and release. Returns the previous value.
template <class Word>
inline Word fetch_add(Word* address, Word value, REHEAT_CALL_SITE)
{
  calls::before_atomic(address, at);
  const Word before = __atomic_fetch_add(address, value, __ATOMIC_ACQ_REL);
  if (value != Word{0})
  {
    calls::memory_changed();
  }
  return before;
}
//! Adds without ordering other accesses. Returns the previous value. Word may also be a signed integer of 4 or 8 bytes,
//! float or double.
template <class Word>
inline Word fetch_add_relaxed(Word* address, Word value, REHEAT_CALL_SITE)
{
  calls::before_atomic(address, at);
  Word before;
  if constexpr (std::is_floating_point_v<Word>)
  {
    __atomic_load(address, &before, __ATOMIC_RELAXED);
    Word after = before + value;
    while (!__atomic_compare_exchange(address, &before, &after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    {
      after = before + value;
    }
  }
  else
  {
    before = __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
  }
  if (value != Word{0})
  {
    calls::memory_changed();
  }
  return before;
}
//! Raises *address to `value` if that is higher, without ordering other accesses.
inline void max_relaxed(std::uint64_t* address, std::uint64_t value, REHEAT_CALL_SITE)
{
  calls::before_atomic(address, at);
  std::uint64_t before = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (before < value)
  {
    if (__atomic_compare_exchange_n(address, &before, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    {
      calls::memory_changed();
      return;
    }
  }
}
//! Loads `Words` neighbouring 64-bit words, each atomically on its own, in no order among them. Other threads may run
//! between two words.
template <unsigned Words>
inline void load_words_relaxed(const std::uint64_t* address, std::uint64_t (&word)[Words], REHEAT_CALL_SITE)
{
  const unsigned first = calls::first_word(Words, address, at);
  for (unsigned i = 0; i < Words; ++i)
  {
    const unsigned k = (first + i) % Words;
    word[k] = simt::load_relaxed(address + k, at);
  }
}
//! Stores as load_words_relaxed loads.
template <unsigned Words>
inline void store_words_relaxed(std::uint64_t* address, const std::uint64_t (&word)[Words], REHEAT_CALL_SITE)
{
  const unsigned first = calls::first_word(Words, address, at);
  for (unsigned i = 0; i < Words; ++i)
  {
    const unsigned k = (first + i) % Words;
    simt::store_relaxed(address + k, word[k], at);
  }
}
//! Stores neighbouring words of 1, 2, 4 or 8 bytes, aligned to their size, while the host may read each. Here the stores are
//! plain, since the host reads after the launch and ThreadSanitizer reports two plain stores that race.
template <class Word, unsigned Words>
inline void store_words_to_host(Word* address, const Word (&word)[Words])
{
  for (unsigned i = 0; i < Words; ++i)
  {
    memcpy(static_cast<void*>(address + i), word + i, sizeof(Word)); // an object of another type
  }
}
//! Stores a word that tells the host of what the warp has stored before.
inline void store_release_to_host(std::uint32_t* address, std::uint32_t value)
{
  __atomic_store_n(address, value, __ATOMIC_RELEASE);
}
//! Every loop that polls memory calls this. It lets other threads run. How long one pauses is a matter of GPUs.
inline void backoff(bool = false, REHEAT_CALL_SITE)
{
  calls::backoff(at);
}

} // namespace simt
REHEAT_NAMESPACE_END

#undef REHEAT_CALL_SITE
