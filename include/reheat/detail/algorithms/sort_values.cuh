// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sorts of keys with values of any type. Values of 1, 2, 4, 8 or 16 bytes that are copyable by their bytes and lie in
//! memory move with their keys. In place of others the numbers of their places do, and the values are gathered at the end.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/algorithms/sort.cuh>
#include <reheat/detail/call_workspace.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/sort/positions.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! Whether values move with their keys, as words of their size, where they are aligned to it.
template <class ValueIt>
inline constexpr bool may_move_with_keys_v = false;
template <class T>
inline constexpr bool may_move_with_keys_v<T*> =
    !std::is_volatile_v<T> && detail::is_bitwise_copyable_v<T> && sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0;
//! The same, wherever they lie.
template <class ValueIt>
inline constexpr bool always_move_with_keys_v = false;
template <class T>
inline constexpr bool always_move_with_keys_v<T*> = may_move_with_keys_v<T*> && alignof(T) == sizeof(T);

//! Whether values at these places move with their keys. Of iterators that are no pointers they do not.
template <class... ValueIts>
bool moves_with_keys([[maybe_unused]] ValueIts... values)
{
  if constexpr ((always_move_with_keys_v<ValueIts> && ...))
  {
    return true;
  }
  else if constexpr ((may_move_with_keys_v<ValueIts> && ...))
  {
    return ((reinterpret_cast<std::uintptr_t>(values) % sizeof(*values) == 0) && ...);
  }
  else
  {
    return false;
  }
}

//! How one or two arrays of positions, and the memory that a sort by them works in, lie in one block.
template <class Position>
class positions_layout
{
public:
  positions_layout(std::uint64_t items, unsigned arrays, std::size_t work_bytes)
      : array_bytes_((items * sizeof(Position) + alignment - 1) / alignment * alignment), work_at_(arrays * array_bytes_),
        bytes_(work_at_ + work_bytes)
  {}
  std::size_t bytes() const { return bytes_; }
  Position* positions(unsigned char* block) const { return reinterpret_cast<Position*>(block); }
  Position* alternate(unsigned char* block) const { return reinterpret_cast<Position*>(block + array_bytes_); }
  unsigned char* work(unsigned char* block) const { return block + work_at_; }

private:
  static constexpr std::size_t alignment = 256;
  std::size_t array_bytes_;
  std::size_t work_at_;
  std::size_t bytes_;
};

//! A launch of one of the kernels in positions.cuh.
inline runtime::launch_shape positions_launch(std::uint64_t items)
{
  return {static_cast<unsigned>((items - 1) / detail::positions_block_items + 1), detail::positions_block_threads};
}

//! Part of a call: numbers `items` positions and has them sorted by `sort_keys(environment, positions, alternate)`, which
//! returns the array they are in then. `move_values(positions, work)` comes behind it; `work` are `work_bytes` bytes, which
//! the sort has used before. There are one or two arrays of positions.
template <class Position, class Environment, class SortKeys, class MoveValues>
void enqueue_with_positions(const Environment& env, std::uint64_t items, unsigned arrays, std::size_t work_bytes,
                            SortKeys sort_keys, MoveValues move_values)
{
  using unwrapping = typename Environment::unwrapping;
  Position* const nothing = nullptr;
  std::size_t sort_bytes = 0;
  sort_keys(runtime::environment_with<runtime::measured_memory, unwrapping>{env, {&sort_bytes}}, nothing, nothing);

  // One block for everything: a call holds its stream's memory once.
  const positions_layout<Position> layout(items, arrays, sort_bytes < work_bytes ? work_bytes : sort_bytes);
  detail::with_workspace<unsigned char>(
      env, {0, layout.bytes()},
      [&](const auto& scratch)
      {
        Position* const positions = layout.positions(scratch.values);
        unsigned char* const work = layout.work(scratch.values);
        runtime::launch(env, positions_launch(items), &detail::number_positions_kernel<Position>, positions, items);
        const Position* const sorted =
            sort_keys(runtime::environment_with<runtime::given_memory, unwrapping>{env, {work, sort_bytes}}, positions,
                      layout.alternate(scratch.values));
        move_values(sorted, work);
      });
}
//! The same, with positions that hold the number of items.
template <class Environment, class SortKeys, class MoveValues>
void enqueue_with_positions(const Environment& env, std::uint64_t items, unsigned arrays, std::size_t work_bytes,
                            SortKeys sort_keys, MoveValues move_values)
{
  if (items - 1 <= std::numeric_limits<std::uint32_t>::max())
  {
    enqueue_with_positions<std::uint32_t>(env, items, arrays, work_bytes, sort_keys, move_values);
  }
  else
  {
    enqueue_with_positions<std::uint64_t>(env, items, arrays, work_bytes, sort_keys, move_values);
  }
}

//! Enqueues the copies of values from their positions on.
template <bool Constructs = false, class Environment, class Position, class InputIt, class OutputIt>
void enqueue_gather(const Environment& env, const Position* positions, InputIt in, OutputIt out, std::uint64_t items)
{
  runtime::launch(env, positions_launch(items), &detail::gather_kernel<Constructs, Position, InputIt, OutputIt>, positions,
                  in, out, items);
}

//! What is sorted of keys: the order, and the bits [begin, end) of their words.
struct sorted_bits
{
  detail::sort_order order;
  int begin, end;
};
template <class Key>
constexpr sorted_bits all_bits_of(detail::sort_order order)
{
  return {order, 0, static_cast<int>(8 * sizeof(Key))};
}

//! Part of a call: sorts keys in place and their values, a range of any kind, with them; items >= 1.
template <class Environment, class Key, class ValueIt>
void enqueue_sort_by_positions(const Environment& env, Key* keys, ValueIt values, std::uint64_t items, sorted_bits bits)
{
  using value = detail::value_of<ValueIt>;
  enqueue_with_positions(
      env, items, 1, items * sizeof(value),
      [&](const auto& with, auto* positions, auto*)
      {
        using arrays = detail::sort_arrays<Key, std::remove_pointer_t<decltype(positions)>>;
        enqueue_sort(with, arrays{keys, keys, positions, positions}, items, bits.order, bits.begin, bits.end);
        return positions;
      },
      [&](const auto* positions, unsigned char* work)
      {
        value* const gathered = reinterpret_cast<value*>(work);
        enqueue_gather<true>(env, positions, values, gathered, items);
        runtime::launch(env, positions_launch(items), &detail::return_gathered_kernel<value, ValueIt>, gathered, values,
                        items);
      });
}

//! Sorts keys in place and their values with them; items >= 1. Values are what the caller passed.
template <class Environment, class Key, class ValueIt>
void sort_by_key(const Environment& env, Key* keys, ValueIt first, std::uint64_t items, detail::sort_order order)
{
  const auto values = detail::unwrap(env, first);
  using iterator = std::remove_cv_t<decltype(values)>;
  if constexpr (may_move_with_keys_v<iterator>)
  {
    if (moves_with_keys(values))
    {
      sort(env, keys, values, items, order);
      return;
    }
  }
  if constexpr (!always_move_with_keys_v<iterator>)
  {
    enqueue_and_maybe_wait<Key>(env, items,
                                [&] { enqueue_sort_by_positions(env, keys, values, items, all_bits_of<Key>(order)); });
  }
}

//! Part of a call: sorts keys, and values or detail::no_values with them, from input to output; items >= 1.
template <class Environment, class Key, class Value>
void enqueue_sort_by_key(const Environment& env, detail::sort_arrays<Key, Value> arrays, std::uint64_t items,
                         sorted_bits bits)
{
  if constexpr (std::is_same_v<Value, detail::no_values>)
  {
    enqueue_sort(env, arrays, items, bits.order, bits.begin, bits.end);
  }
  else
  {
    const bool moves = moves_with_keys(arrays.values_in, arrays.values_out);
    if constexpr (may_move_with_keys_v<Value*>)
    {
      if (moves || runtime::only_measures_v<Environment>)
      {
        enqueue_sort(env, arrays, items, bits.order, bits.begin, bits.end);
      }
    }
    if constexpr (!always_move_with_keys_v<Value*>)
    {
      if (!moves || runtime::only_measures_v<Environment>)
      {
        enqueue_with_positions(
            env, items, 2, 0,
            [&](const auto& with, auto* positions, auto* sorted) // the keys are not sorted in place: nor are these
            {
              using key_arrays = detail::sort_arrays<Key, std::remove_pointer_t<decltype(positions)>>;
              enqueue_sort(with, key_arrays{arrays.keys_in, arrays.keys_out, positions, sorted}, items, bits.order,
                           bits.begin, bits.end);
              return sorted;
            },
            [&](const auto* positions, unsigned char*)
            { enqueue_gather(env, positions, arrays.values_in, arrays.values_out, items); });
      }
    }
  }
}

//! Where the keys, or their values, are and the other buffer.
template <class T>
struct double_buffer
{
  T* current;
  T* alternate;
};
//! Whether the sorted keys and values are in the other buffers than before.
struct buffer_moves
{
  bool keys, values;
};

//! Part of a call: the same between two buffers each; items >= 1, and there are bits.
template <class Environment, class Key, class Value>
buffer_moves enqueue_sort_double_buffer_by_key(const Environment& env, double_buffer<Key> keys, double_buffer<Value> values,
                                               std::uint64_t items, sorted_bits bits)
{
  const auto sort_with = [&](const auto& with, auto* current, auto* alternate)
  {
    return enqueue_sort_double_buffer(with, keys.current, keys.alternate, current, alternate, items, bits.order, bits.begin,
                                      bits.end);
  };
  buffer_moves moved{};
  if constexpr (std::is_same_v<Value, detail::no_values>)
  {
    moved.keys = sort_with(env, values.current, values.alternate);
  }
  else
  {
    const bool moves = moves_with_keys(values.current, values.alternate);
    if constexpr (may_move_with_keys_v<Value*>)
    {
      if (moves || runtime::only_measures_v<Environment>)
      {
        moved.keys = moved.values = sort_with(env, values.current, values.alternate);
      }
    }
    if constexpr (!always_move_with_keys_v<Value*>)
    {
      if (!moves || runtime::only_measures_v<Environment>)
      {
        enqueue_with_positions(
            env, items, 2, 0,
            [&](const auto& with, auto* positions, auto* alternate)
            {
              moved.keys = sort_with(with, positions, alternate);
              return moved.keys ? alternate : positions;
            },
            [&](const auto* positions, unsigned char*)
            { enqueue_gather(env, positions, static_cast<const Value*>(values.current), values.alternate, items); });
        moved.values = true;
      }
    }
  }
  return moved;
}

} // namespace algorithms
REHEAT_NAMESPACE_END
