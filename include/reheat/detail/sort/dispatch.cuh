// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The radix sort on the host: sizes, scratch memory, launches.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/sort/key.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class Environment, class Key, class Value>
void enqueue_radix_sort(const Environment& env, const sort_arrays<Key, Value>& arrays, std::uint64_t items, sort_order order,
                        int begin_bit, int end_bit);

template <class Environment, class Key, class Value>
bool enqueue_radix_sort_double_buffer(const Environment& env, Key* keys_current, Key* keys_alternate, Value* values_current,
                                      Value* values_alternate, std::uint64_t items, sort_order order, int begin_bit,
                                      int end_bit);

} // namespace detail
REHEAT_NAMESPACE_END
