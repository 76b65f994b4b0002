// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a kernel stores its result while the host may poll for it.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The unsigned integer of `Bytes` bytes.
template <std::size_t Bytes>
using result_word = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

//! Constructs a copy of `from` in uninitialised memory. The host may read each word while it is stored, so words are stored
//! by atomic stores of system scope: the memory model defines no other stores that race with the host's reads.
template <class T, class From>
REHEAT_DEVICE void store_result(T* where, const From& from)
{
  if constexpr (is_stored_in_words_v<T>)
  {
    using word_type = result_word<sizeof(T)>;
    constexpr unsigned words = static_cast<unsigned>(sizeof(T) / sizeof(word_type));
    const T value(from);
    word_type word[words];
    memcpy(word, &value, sizeof(T));
    simt::store_words_to_host(reinterpret_cast<word_type*>(where), word);
  }
  else
  {
    construct_at(where, from);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END
