// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the GPU: exchange within a warp.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/simt/cuda/threads.cuh>

#include <nv/target>

#include <cuda_runtime.h>

#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace simt
{

// ---- exchange within a warp ----------------------------------------------------------------------------------------------

namespace shuffle_detail
{
// A value moves as 32-bit words, so T must be copyable by its bytes.
template <class T, class Move>
__device__ inline T by_words(const T& value, Move move)
{
  constexpr unsigned words = (sizeof(T) + 3) / 4;
  unsigned word[words] = {};
  memcpy(word, &value, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < words; ++i)
  {
    word[i] = move(word[i]);
  }
  T result = value;
  memcpy(static_cast<void*>(&result), word, sizeof(T));
  return result;
}
} // namespace shuffle_detail

//! Returns the value of lane `source`. Every lane named in `lanes` calls.
template <class T>
__device__ inline T shuffle(const T& value, unsigned source, unsigned lanes = all_lanes)
{
  return shuffle_detail::by_words(value, [=](unsigned word) { return __shfl_sync(lanes, word, source); });
}
//! Returns the value of the lane `distance` below; lanes below `distance` keep their own.
template <class T>
__device__ inline T shuffle_up(const T& value, unsigned distance, unsigned lanes = all_lanes)
{
  return shuffle_detail::by_words(value, [=](unsigned word) { return __shfl_up_sync(lanes, word, distance); });
}
//! As shuffle_up. `in_range` says whether there is a lane `distance` below: the shuffle returns that too, so no comparison
//! is needed. It is assembly because not every supported CCCL wraps this form.
template <class T>
__device__ inline T shuffle_up_predicated(const T& value, unsigned distance, bool& in_range, unsigned lanes = all_lanes)
{
  return shuffle_detail::by_words(value,
                                  [=, &in_range](unsigned word)
                                  {
                                    unsigned moved, found;
                                    asm volatile("{\n\t"
                                                 ".reg .pred p;\n\t"
                                                 "shfl.sync.up.b32 %0|p, %2, %3, 0, %4;\n\t"
                                                 "selp.u32 %1, 1, 0, p;\n\t"
                                                 "}"
                                                 : "=r"(moved), "=r"(found)
                                                 : "r"(word), "r"(distance), "r"(lanes));
                                    in_range = found != 0;
                                    return moved;
                                  });
}
//! Returns the value of the lane `distance` above; lanes from 32 − `distance` on keep their own.
template <class T>
__device__ inline T shuffle_down(const T& value, unsigned distance, unsigned lanes = all_lanes)
{
  return shuffle_detail::by_words(value, [=](unsigned word) { return __shfl_down_sync(lanes, word, distance); });
}
//! Whether redux_add, redux_min and redux_max exist.
inline constexpr bool has_redux = library::device_traits_of(arch).redux;
//! redux.sync.add: gives every lane the sum over all lanes of the warp, modulo 2^32.
__device__ inline unsigned redux_add(unsigned value)
{
  unsigned sum = 0;
  NV_IF_TARGET(NV_PROVIDES_SM_80, (sum = __reduce_add_sync(all_lanes, value);))
  return sum;
}
//! redux.sync.min and redux.sync.max: give every lane the lowest and the highest value of all lanes. Word is int or
//! unsigned.
template <class Word>
__device__ inline Word redux_min(Word value)
{
  Word lowest = 0;
  NV_IF_TARGET(NV_PROVIDES_SM_80, (lowest = __reduce_min_sync(all_lanes, value);))
  return lowest;
}
template <class Word>
__device__ inline Word redux_max(Word value)
{
  Word highest = 0;
  NV_IF_TARGET(NV_PROVIDES_SM_80, (highest = __reduce_max_sync(all_lanes, value);))
  return highest;
}
__device__ inline bool all(bool predicate, unsigned lanes = all_lanes)
{
  return __all_sync(lanes, predicate);
}
__device__ inline bool any(bool predicate, unsigned lanes = all_lanes)
{
  return __any_sync(lanes, predicate);
}
__device__ inline unsigned ballot(bool predicate, unsigned lanes = all_lanes)
{
  return __ballot_sync(lanes, predicate);
}
//! The lanes whose word is not zero. nvcc makes three instructions of the predicate of __ballot_sync where the word is a bit
//! of another one.
__device__ inline unsigned ballot_nonzero(unsigned word)
{
  unsigned lanes;
  asm volatile("{\n.reg .pred is_set;\nsetp.ne.u32 is_set, %1, 0;\nvote.sync.ballot.b32 %0, is_set, 0xffffffff;\n}"
               : "=r"(lanes)
               : "r"(word));
  return lanes;
}
__device__ inline unsigned count_ones(unsigned bits)
{
  return static_cast<unsigned>(__popc(bits));
}
//! Returns the position of the highest set bit. At least one is set.
__device__ inline unsigned highest_one(unsigned bits)
{
  return 31 - static_cast<unsigned>(__clz(static_cast<int>(bits)));
}

//! The larger one of x + y and z.
__device__ inline int max_of_sum(int x, int y, int z)
{
  return __viaddmax_s32(x, y, z);
}

//! Adds `value` to `sum` if the condition holds: one instruction, where `if` becomes a selection and half an addition.
__device__ inline void add_if(bool condition, std::uint32_t& sum, std::uint32_t value)
{
  asm("{\n.reg .pred holds;\nsetp.ne.u32 holds, %1, 0;\n@holds add.u32 %0, %0, %2;\n}"
      : "+r"(sum)
      : "r"(condition ? 1u : 0u), "r"(value));
}

//! The upper word of {high, low} << (shift mod 32).
__device__ inline std::uint32_t funnel_left(std::uint32_t low, std::uint32_t high, unsigned shift)
{
  return __funnelshift_l(low, high, shift);
}

// ---- bytes of a word -----------------------------------------------------------------------------------------------------

//! Returns `sum` plus the products of the word's bytes and those of `weights`, modulo 2^32.
__device__ inline unsigned add_bytes(unsigned word, unsigned weights, unsigned sum)
{
  return __dp4a(word, weights, sum);
}
//! Returns the word of four lowest bytes, the first at the lowest address.
__device__ inline unsigned pack_bytes(unsigned b0, unsigned b1, unsigned b2, unsigned b3)
{
  return __byte_perm(__byte_perm(b0, b1, 0x0040), __byte_perm(b2, b3, 0x0040), 0x5410);
}
//! Returns the word whose byte i is byte n of the word, or 0 if n > 3, where n < 8 is nibble i of the selector.
//! (__byte_perm would take an instruction more to clear the selector's other bits.)
__device__ inline std::uint32_t permute_bytes(std::uint32_t word, std::uint32_t selector)
{
  std::uint32_t result;
  asm("prmt.b32 %0, %1, 0, %2;" : "=r"(result) : "r"(word), "r"(selector));
  return result;
}

} // namespace simt
REHEAT_NAMESPACE_END
