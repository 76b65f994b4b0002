// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Keys of two bytes in vectors, and counters of their words, for sorts by counts (halfword_block.cuh, halfwords.cuh).
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/histogram.cuh>
#include <reheat/detail/sort/key.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! 32 bits of shared memory count two words: w in the lower half, and w + 0x8000 in the upper half. So neighbouring words
//! are in different banks.
inline constexpr unsigned halfword_values = 1u << 16, halfword_counters = halfword_values / 2;
inline constexpr unsigned halfword_group = 256, halfword_groups = halfword_values / halfword_group;
//! The words of the two zeros, in either order, are this one and the next.
inline constexpr unsigned lower_zero = key_form<std::uint16_t, true>::sign - 1;

//! An array of keys as vectors of 16 bytes. The first one and the last one may be partial.
class halfword_vectors
{
public:
  static constexpr unsigned keys = 8;

  REHEAT_HOST_DEVICE halfword_vectors(const std::uint16_t* array, std::uint64_t items)
      : skipped_(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(array) / sizeof(std::uint16_t) % keys)),
        items_(items)
  {}
  REHEAT_HOST_DEVICE std::uint64_t count() const { return (skipped_ + items_ + keys - 1) / keys; }
  REHEAT_DEVICE std::uint64_t first(std::uint64_t vector) const { return vector == 0 ? 0 : vector * keys - skipped_; }
  REHEAT_DEVICE std::uint64_t end(std::uint64_t vector) const
  {
    const std::uint64_t behind = (vector + 1) * keys - skipped_;
    return behind < items_ ? behind : items_;
  }
  //! The vector that has a key.
  REHEAT_DEVICE std::uint64_t of(std::uint64_t place) const { return (place + skipped_) / keys; }

private:
  unsigned skipped_; //!< of the first vector
  std::uint64_t items_;
};

//! A thread's vector of keys, as stored. Keys from `valid` on have no meaning.
struct halfword_vector
{
  std::uint32_t words[halfword_vectors::keys / 2];
  unsigned valid;

  REHEAT_DEVICE std::uint16_t key(unsigned i) const { return static_cast<std::uint16_t>(words[i / 2] >> i % 2 * 16); }
  REHEAT_DEVICE bool is_equal() const
  {
    return words[0] == words[1] && words[0] == words[2] && words[0] == words[3] && key(0) == key(1);
  }
};

REHEAT_DEVICE inline halfword_vector load_halfwords(const std::uint16_t* in, const halfword_vectors& vectors,
                                                    std::uint64_t vector, std::uint64_t end)
{
  halfword_vector loaded{};
  if (vector < end)
  {
    const std::uint64_t first = vectors.first(vector);
    loaded.valid = static_cast<unsigned>(vectors.end(vector) - first);
    if (loaded.valid == halfword_vectors::keys)
    {
      const vec16 bits = *reinterpret_cast<const vec16*>(in + first);
      memcpy(loaded.words, &bits, sizeof bits);
      return loaded;
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < halfword_vectors::keys; ++i)
    {
      loaded.words[i / 2] |= i < loaded.valid ? std::uint32_t{load_word(in + first + i)} << i % 2 * 16 : 0;
    }
  }
  return loaded;
}

//! Whether a key of a vector may be a zero: those that have no meaning count, too.
REHEAT_DEVICE inline bool may_have_zeros(const halfword_vector& loaded)
{
  std::uint32_t all = ~0u;
  REHEAT_UNROLL
  for (const std::uint32_t word : loaded.words)
  {
    all &= (word & 0x7fff7fffu) + 0x7fff7fffu; // the highest bit of a half is set unless the number is zero
  }
  return (all & 0x80008000u) != 0x80008000u;
}

//! Which keys of a vector are zeros, and which have the upper word.
struct halfword_zeros
{
  unsigned all, upper;

  template <class Form>
  REHEAT_DEVICE halfword_zeros(const halfword_vector& loaded, const Form& form) : all(0), upper(0)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < halfword_vectors::keys; ++i)
    {
      const unsigned word = form.word_of(loaded.key(i)) - lower_zero;
      all |= (word <= 1 && i < loaded.valid ? 1u : 0u) << i;
      upper |= (word == 1 ? 1u : 0u) << i;
    }
  }
};

//! Stores the first `valid` keys of a vector.
REHEAT_DEVICE inline void store_halfwords(std::uint16_t* out, const halfword_vector& vector)
{
  if (vector.valid == halfword_vectors::keys)
  {
    vec16 bits;
    memcpy(&bits, vector.words, sizeof bits);
    *reinterpret_cast<vec16*>(out) = bits;
    return;
  }
  REHEAT_UNROLL
  for (unsigned i = 0; i < halfword_vectors::keys; ++i)
  {
    if (i < vector.valid)
    {
      store_word(out + i, vector.key(i));
    }
  }
}

//! Clears an array of shared memory whose bytes are a multiple of 16.
template <unsigned Threads>
REHEAT_DEVICE void clear_halfword_counters(void* words, unsigned bytes)
{
  const std::uint32_t zero[4] = {};
  vec16 zeros;
  memcpy(&zeros, zero, sizeof zeros);
  REHEAT_UNROLL
  for (unsigned i = simt::thread_index(); i < bytes / sizeof(vec16); i += Threads)
  {
    static_cast<vec16*>(words)[i] = zeros;
  }
}
//! Four neighbouring counters.
REHEAT_DEVICE inline void load_counts(const std::uint32_t* from, std::uint32_t (&four)[4])
{
  const vec16 bits = *reinterpret_cast<const vec16*>(from);
  memcpy(four, &bits, sizeof bits);
}

} // namespace detail
REHEAT_NAMESPACE_END
