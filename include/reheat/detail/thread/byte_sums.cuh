// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sums of bytes, word by word. Byte by byte they are a chain of dependent additions, with further instructions to unpack
//! and pack each byte, which costs 5 % (scan of 2^30 bytes, NVIDIA H200).
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Whether Op adds Ts, which are bytes.
template <class Op, class T>
inline constexpr bool adds_bytes_v = adds_integers_v<Op, T> && sizeof(T) == 1;

//! Returns `sum` plus the vector's bytes, modulo 2^32.
REHEAT_DEVICE inline unsigned add_bytes_of(const vec16& bytes, unsigned sum)
{
  REHEAT_UNROLL
  for (unsigned w = 0; w < 4; ++w)
  {
    sum = simt::add_bytes(bytes.bits[w], 0x01010101, sum);
  }
  return sum;
}

//! Scans the vector's bytes in place; `sum` is the fold before them. Returns the fold before the next vector.
template <bool Inclusive>
REHEAT_DEVICE unsigned scan_bytes_of(vec16& bytes, unsigned sum)
{
  REHEAT_UNROLL
  for (unsigned w = 0; w < 4; ++w)
  {
    const unsigned word = bytes.bits[w];
    const unsigned s0 = simt::add_bytes(word, 0x00000001, sum), s1 = simt::add_bytes(word, 0x00000101, sum);
    const unsigned s2 = simt::add_bytes(word, 0x00010101, sum), s3 = simt::add_bytes(word, 0x01010101, sum);
    bytes.bits[w] = Inclusive ? simt::pack_bytes(s0, s1, s2, s3) : simt::pack_bytes(sum, s0, s1, s2);
    sum = s3;
  }
  return sum;
}

} // namespace detail
REHEAT_NAMESPACE_END
