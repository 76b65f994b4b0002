// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::DeviceRadixSort`: CUB's class of that name on reheat's kernels.
//!
//! What reduce.cuh says of calls, memory and errors holds here, too. Keys are integers, bool and floating-point numbers; of
//! these -0.0 and +0.0 count as equal, and a NaN stands behind all numbers, or in front of all if its sign bit is set. Keys
//! are sorted by their bits [begin_bit, end_bit) alone; bits that are no bits of a key fail with invalid_value. All sorts
//! are stable, descending ones, too. Keys that CUB takes apart by a decomposer are CUB's: no function here takes one.
//!
//! With pointers the input stays as it is, and no range overlaps another one. Such a call needs temporary memory for all
//! keys and values. With cub::DoubleBuffer the call needs little temporary memory: it uses both buffers, and its `selector`
//! says where the result is when the call returns, before the stream has come there. A call that only asks for the size
//! changes no selector. A call without bits copies the input, or, with double buffers, does nothing.
//!
//! Values of 1, 2, 4, 8 or 16 bytes that are copyable by their bytes, at an address that is a multiple of their size, move
//! with their keys. Others are gathered at the end, by their positions, which are sorted with the keys in temporary memory.
#pragma once

#include <reheat/detail/algorithms/sort.cuh>
#include <reheat/detail/algorithms/sort_values.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/device/call.cuh>
#include <reheat/device/types.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace device_wide
{

//! Whether arguments behind the number of items begin with a decomposer of CUB's: with what is no bit.
template <class... More>
inline constexpr bool begin_with_decomposer_v = false;
template <class First, class... Others>
inline constexpr bool begin_with_decomposer_v<First, Others...> = !std::is_convertible_v<First, int>;

//! SFINAE: a sort by the bits of a key.
template <class Key>
using if_key = std::enable_if_t<detail::sort_key<Key>::exists, int>;
//! SFINAE: any other sort of CUB's class.
template <class Key, class... More>
using if_cubs_sort = std::enable_if_t<!detail::sort_key<Key>::exists || begin_with_decomposer_v<More...>, int>;

//! The bits, which have to be bits of the key.
template <class Key>
algorithms::sorted_bits checked_bits(const runtime::environment& env, detail::sort_order order, int begin, int end)
{
  constexpr int bits = 8 * sizeof(Key);
  if (begin < 0 || end > bits || begin > end)
  {
    runtime::fail_in(
        env, runtime::invalid_value,
        runtime::format_message("%s: bits from %d to %d; pass 0 <= begin_bit <= end_bit <= %d", env.caller, begin, end, bits)
            .text);
  }
  return {order, begin, end};
}

//! Keys, and values or detail::no_values, from input to output.
template <class How, class Key, class Value, class NumItems>
status_type sort(const How& how, detail::sort_arrays<Key, Value> arrays, NumItems num_items, detail::sort_order order,
                 int begin_bit, int end_bit)
{
  How::template check_requirements<true>();
  return how(
      [&](const auto& env)
      {
        const std::uint64_t items = item_count(env, num_items);
        const algorithms::sorted_bits bits = checked_bits<Key>(env, order, begin_bit, end_bit);
        algorithms::enqueue_and_maybe_wait<Key>(env, items,
                                                [&]
                                                {
                                                  if (items != 0)
                                                  {
                                                    algorithms::enqueue_sort_by_key(env, arrays, items, bits);
                                                  }
                                                });
      });
}

template <class T>
algorithms::double_buffer<T> buffers_of(CUB_NS_QUALIFIER::DoubleBuffer<T>* buffers)
{
  return {buffers->Current(), buffers->Alternate()};
}
//! Of a sort of keys alone.
inline constexpr detail::no_values* no_value_buffers = nullptr;
inline algorithms::double_buffer<detail::no_values> buffers_of(detail::no_values*)
{
  return {};
}

//! The same between two buffers each; `values` points to those of values, or is no_value_buffers.
template <class How, class Key, class Buffers, class NumItems>
status_type sort(const How& how, CUB_NS_QUALIFIER::DoubleBuffer<Key>& keys, Buffers* values, NumItems num_items,
                 detail::sort_order order, int begin_bit, int end_bit)
{
  How::template check_requirements<true>();
  algorithms::buffer_moves moved{};
  const status_type status = how(
      [&](const auto& env)
      {
        const std::uint64_t items = item_count(env, num_items);
        const algorithms::sorted_bits bits = checked_bits<Key>(env, order, begin_bit, end_bit);
        algorithms::enqueue_and_maybe_wait<Key>(env, items,
                                                [&]
                                                {
                                                  if (items == 0 || begin_bit == end_bit)
                                                  {
                                                    return;
                                                  }
                                                  const algorithms::buffer_moves moves =
                                                      algorithms::enqueue_sort_double_buffer_by_key(
                                                          env, buffers_of(&keys), buffers_of(values), items, bits);
                                                  if (!env.measures)
                                                  {
                                                    moved = moves;
                                                  }
                                                });
      });
  if (status == runtime::success)
  {
    keys.selector ^= moved.keys ? 1 : 0;
    if constexpr (!std::is_same_v<Buffers, detail::no_values>)
    {
      values->selector ^= moved.values ? 1 : 0;
    }
  }
  return status;
}

} // namespace device_wide

//! Sorts of a range by the bits of its keys.
struct DeviceRadixSort
{
  //! Keys.
  template <class Key, class NumItems, device_wide::if_key<Key> = 0>
  static status_type SortKeys(void* d_temp_storage, std::size_t& temp_storage_bytes, const Key* d_keys_in, Key* d_keys_out,
                              NumItems num_items, int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                              device_wide::stream_argument stream = {})
  {
    return device_wide::sort(
        device_wide::two_phases{"reheat::DeviceRadixSort::SortKeys", d_temp_storage, temp_storage_bytes, stream.stream},
        detail::sort_arrays<Key, detail::no_values>{d_keys_in, d_keys_out, nullptr, nullptr}, num_items,
        detail::sort_order::ascending, begin_bit, end_bit);
  }
  template <class Key, class NumItems, device_wide::if_key<Key> = 0>
  static status_type SortKeys(void* d_temp_storage, std::size_t& temp_storage_bytes,
                              CUB_NS_QUALIFIER::DoubleBuffer<Key>& d_keys, NumItems num_items, int begin_bit = 0,
                              int end_bit = 8 * sizeof(Key), device_wide::stream_argument stream = {})
  {
    return device_wide::sort(
        device_wide::two_phases{"reheat::DeviceRadixSort::SortKeys", d_temp_storage, temp_storage_bytes, stream.stream},
        d_keys, device_wide::no_value_buffers, num_items, detail::sort_order::ascending, begin_bit, end_bit);
  }

  //! The same in descending order.
  template <class Key, class NumItems, device_wide::if_key<Key> = 0>
  static status_type SortKeysDescending(void* d_temp_storage, std::size_t& temp_storage_bytes, const Key* d_keys_in,
                                        Key* d_keys_out, NumItems num_items, int begin_bit = 0,
                                        int end_bit = 8 * sizeof(Key), device_wide::stream_argument stream = {})
  {
    return device_wide::sort(device_wide::two_phases{"reheat::DeviceRadixSort::SortKeysDescending", d_temp_storage,
                                                     temp_storage_bytes, stream.stream},
                             detail::sort_arrays<Key, detail::no_values>{d_keys_in, d_keys_out, nullptr, nullptr}, num_items,
                             detail::sort_order::descending, begin_bit, end_bit);
  }
  template <class Key, class NumItems, device_wide::if_key<Key> = 0>
  static status_type SortKeysDescending(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                        CUB_NS_QUALIFIER::DoubleBuffer<Key>& d_keys, NumItems num_items, int begin_bit = 0,
                                        int end_bit = 8 * sizeof(Key), device_wide::stream_argument stream = {})
  {
    return device_wide::sort(device_wide::two_phases{"reheat::DeviceRadixSort::SortKeysDescending", d_temp_storage,
                                                     temp_storage_bytes, stream.stream},
                             d_keys, device_wide::no_value_buffers, num_items, detail::sort_order::descending, begin_bit,
                             end_bit);
  }

  //! Keys, and values with them.
  template <class Key, class Value, class NumItems, device_wide::if_key<Key> = 0>
  static status_type SortPairs(void* d_temp_storage, std::size_t& temp_storage_bytes, const Key* d_keys_in, Key* d_keys_out,
                               const Value* d_values_in, Value* d_values_out, NumItems num_items, int begin_bit = 0,
                               int end_bit = 8 * sizeof(Key), device_wide::stream_argument stream = {})
  {
    return device_wide::sort(
        device_wide::two_phases{"reheat::DeviceRadixSort::SortPairs", d_temp_storage, temp_storage_bytes, stream.stream},
        detail::sort_arrays<Key, Value>{d_keys_in, d_keys_out, d_values_in, d_values_out}, num_items,
        detail::sort_order::ascending, begin_bit, end_bit);
  }
  template <class Key, class Value, class NumItems, device_wide::if_key<Key> = 0>
  static status_type SortPairs(void* d_temp_storage, std::size_t& temp_storage_bytes,
                               CUB_NS_QUALIFIER::DoubleBuffer<Key>& d_keys, CUB_NS_QUALIFIER::DoubleBuffer<Value>& d_values,
                               NumItems num_items, int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                               device_wide::stream_argument stream = {})
  {
    return device_wide::sort(
        device_wide::two_phases{"reheat::DeviceRadixSort::SortPairs", d_temp_storage, temp_storage_bytes, stream.stream},
        d_keys, &d_values, num_items, detail::sort_order::ascending, begin_bit, end_bit);
  }

  //! The same in descending order.
  template <class Key, class Value, class NumItems, device_wide::if_key<Key> = 0>
  static status_type SortPairsDescending(void* d_temp_storage, std::size_t& temp_storage_bytes, const Key* d_keys_in,
                                         Key* d_keys_out, const Value* d_values_in, Value* d_values_out, NumItems num_items,
                                         int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                                         device_wide::stream_argument stream = {})
  {
    return device_wide::sort(device_wide::two_phases{"reheat::DeviceRadixSort::SortPairsDescending", d_temp_storage,
                                                     temp_storage_bytes, stream.stream},
                             detail::sort_arrays<Key, Value>{d_keys_in, d_keys_out, d_values_in, d_values_out}, num_items,
                             detail::sort_order::descending, begin_bit, end_bit);
  }
  template <class Key, class Value, class NumItems, device_wide::if_key<Key> = 0>
  static status_type
  SortPairsDescending(void* d_temp_storage, std::size_t& temp_storage_bytes, CUB_NS_QUALIFIER::DoubleBuffer<Key>& d_keys,
                      CUB_NS_QUALIFIER::DoubleBuffer<Value>& d_values, NumItems num_items, int begin_bit = 0,
                      int end_bit = 8 * sizeof(Key), device_wide::stream_argument stream = {})
  {
    return device_wide::sort(device_wide::two_phases{"reheat::DeviceRadixSort::SortPairsDescending", d_temp_storage,
                                                     temp_storage_bytes, stream.stream},
                             d_keys, &d_values, num_items, detail::sort_order::descending, begin_bit, end_bit);
  }

#if REHEAT_HAS_ENVIRONMENTS
  // The same in one phase.

  template <class Key, class NumItems, class Env = device_wide::no_environment, device_wide::if_key<Key> = 0>
  [[nodiscard]] static status_type SortKeys(const Key* d_keys_in, Key* d_keys_out, NumItems num_items, int begin_bit = 0,
                                            int end_bit = 8 * sizeof(Key), const Env& env = {})
  {
    return device_wide::sort(device_wide::single_phase<Env>{"reheat::DeviceRadixSort::SortKeys", env},
                             detail::sort_arrays<Key, detail::no_values>{d_keys_in, d_keys_out, nullptr, nullptr}, num_items,
                             detail::sort_order::ascending, begin_bit, end_bit);
  }
  template <class Key, class NumItems, class Env = device_wide::no_environment, device_wide::if_key<Key> = 0>
  [[nodiscard]] static status_type SortKeys(CUB_NS_QUALIFIER::DoubleBuffer<Key>& d_keys, NumItems num_items,
                                            int begin_bit = 0, int end_bit = 8 * sizeof(Key), const Env& env = {})
  {
    return device_wide::sort(device_wide::single_phase<Env>{"reheat::DeviceRadixSort::SortKeys", env}, d_keys,
                             device_wide::no_value_buffers, num_items, detail::sort_order::ascending, begin_bit, end_bit);
  }

  template <class Key, class NumItems, class Env = device_wide::no_environment, device_wide::if_key<Key> = 0>
  [[nodiscard]] static status_type SortKeysDescending(const Key* d_keys_in, Key* d_keys_out, NumItems num_items,
                                                      int begin_bit = 0, int end_bit = 8 * sizeof(Key), const Env& env = {})
  {
    return device_wide::sort(device_wide::single_phase<Env>{"reheat::DeviceRadixSort::SortKeysDescending", env},
                             detail::sort_arrays<Key, detail::no_values>{d_keys_in, d_keys_out, nullptr, nullptr}, num_items,
                             detail::sort_order::descending, begin_bit, end_bit);
  }
  template <class Key, class NumItems, class Env = device_wide::no_environment, device_wide::if_key<Key> = 0>
  [[nodiscard]] static status_type SortKeysDescending(CUB_NS_QUALIFIER::DoubleBuffer<Key>& d_keys, NumItems num_items,
                                                      int begin_bit = 0, int end_bit = 8 * sizeof(Key), const Env& env = {})
  {
    return device_wide::sort(device_wide::single_phase<Env>{"reheat::DeviceRadixSort::SortKeysDescending", env}, d_keys,
                             device_wide::no_value_buffers, num_items, detail::sort_order::descending, begin_bit, end_bit);
  }

  template <class Key, class Value, class NumItems, class Env = device_wide::no_environment, device_wide::if_key<Key> = 0>
  [[nodiscard]] static status_type SortPairs(const Key* d_keys_in, Key* d_keys_out, const Value* d_values_in,
                                             Value* d_values_out, NumItems num_items, int begin_bit = 0,
                                             int end_bit = 8 * sizeof(Key), const Env& env = {})
  {
    return device_wide::sort(device_wide::single_phase<Env>{"reheat::DeviceRadixSort::SortPairs", env},
                             detail::sort_arrays<Key, Value>{d_keys_in, d_keys_out, d_values_in, d_values_out}, num_items,
                             detail::sort_order::ascending, begin_bit, end_bit);
  }
  template <class Key, class Value, class NumItems, class Env = device_wide::no_environment, device_wide::if_key<Key> = 0>
  [[nodiscard]] static status_type SortPairs(CUB_NS_QUALIFIER::DoubleBuffer<Key>& d_keys,
                                             CUB_NS_QUALIFIER::DoubleBuffer<Value>& d_values, NumItems num_items,
                                             int begin_bit = 0, int end_bit = 8 * sizeof(Key), const Env& env = {})
  {
    return device_wide::sort(device_wide::single_phase<Env>{"reheat::DeviceRadixSort::SortPairs", env}, d_keys, &d_values,
                             num_items, detail::sort_order::ascending, begin_bit, end_bit);
  }

  template <class Key, class Value, class NumItems, class Env = device_wide::no_environment, device_wide::if_key<Key> = 0>
  [[nodiscard]] static status_type SortPairsDescending(const Key* d_keys_in, Key* d_keys_out, const Value* d_values_in,
                                                       Value* d_values_out, NumItems num_items, int begin_bit = 0,
                                                       int end_bit = 8 * sizeof(Key), const Env& env = {})
  {
    return device_wide::sort(device_wide::single_phase<Env>{"reheat::DeviceRadixSort::SortPairsDescending", env},
                             detail::sort_arrays<Key, Value>{d_keys_in, d_keys_out, d_values_in, d_values_out}, num_items,
                             detail::sort_order::descending, begin_bit, end_bit);
  }
  template <class Key, class Value, class NumItems, class Env = device_wide::no_environment, device_wide::if_key<Key> = 0>
  [[nodiscard]] static status_type SortPairsDescending(CUB_NS_QUALIFIER::DoubleBuffer<Key>& d_keys,
                                                       CUB_NS_QUALIFIER::DoubleBuffer<Value>& d_values, NumItems num_items,
                                                       int begin_bit = 0, int end_bit = 8 * sizeof(Key), const Env& env = {})
  {
    return device_wide::sort(device_wide::single_phase<Env>{"reheat::DeviceRadixSort::SortPairsDescending", env}, d_keys,
                             &d_values, num_items, detail::sort_order::descending, begin_bit, end_bit);
  }
#endif
};

REHEAT_NAMESPACE_END
