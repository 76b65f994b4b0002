// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Radix sorts: stable sorts of keys that are numbers, alone or with values.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/sort/dispatch.cuh>
#include <reheat/detail/sort/key.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! Enqueues a stable sort of `items` >= 1 keys by their bits [begin_bit, end_bit), with their values, or measures its
//! memory. Part of a call. Input and output are the same arrays or do not overlap; an input that is not the output stays as
//! it is. sort_key<Key>::exists holds; a Value has 1, 2, 4, 8 or 16 bytes and is copyable by them, or is
//! detail::no_values. Where one block is not enough, takes scratch memory of the size of keys and values (not of keys of one
//! byte alone, by all bits), 2 KB for each tile (of 4096 keys or more, or fewer of large ones), and up to 264 KB for each
//! byte of the keys.
template <class Environment, class Key, class Value>
void enqueue_sort(const Environment& env, const detail::sort_arrays<Key, Value>& arrays, std::uint64_t items,
                  detail::sort_order order, int begin_bit, int end_bit)
{
  detail::enqueue_radix_sort(env, arrays, items, order, begin_bit, end_bit);
}

//! The same with two arrays of the caller's, each for keys and for values, which the sort both overwrites: the input is in
//! the current ones. Takes no scratch memory of the size of the input. Returns whether the result will be in the alternate
//! arrays, which depends on the arguments alone.
template <class Environment, class Key, class Value>
bool enqueue_sort_double_buffer(const Environment& env, Key* keys_current, Key* keys_alternate, Value* values_current,
                                Value* values_alternate, std::uint64_t items, detail::sort_order order, int begin_bit,
                                int end_bit)
{
  return detail::enqueue_radix_sort_double_buffer(env, keys_current, keys_alternate, values_current, values_alternate, items,
                                                  order, begin_bit, end_bit);
}

//! Sorts keys and values in place by all bits, stably. A whole call. `values` is null if Value is detail::no_values.
template <class Environment, class Key, class Value>
void sort(const Environment& env, Key* keys, Value* values, std::uint64_t items, detail::sort_order order)
{
  enqueue_and_maybe_wait<Key>(env, items,
                              [&]
                              {
                                if (items > 1)
                                {
                                  enqueue_sort(env, detail::sort_arrays<Key, Value>{keys, keys, values, values}, items,
                                               order, 0, detail::sort_key<Key>::bits);
                                }
                              });
}

} // namespace algorithms
REHEAT_NAMESPACE_END
