// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::DeviceSelect`: CUB's class of that name on reheat's kernels.
//!
//! What reduce.cuh says of calls, memory and errors holds here, too. The selected items are stored from `d_out` on, in their
//! order, and their number in `d_num_selected_out`. Nothing is stored behind them. Each item and each flag is read once, and
//! the operator is asked once about each. `d_out` may be `d_in`, as the forms with `d_data` have it; otherwise outputs
//! overlap no input. A call takes two launches, the first of which clears a part of the memory; one launch if its items
//! are one tile, or in one phase without a memory resource.
//!
//! `Unique` and `UniqueByKey` select the first item of each run. A run is a row of neighbours in which
//! `equality_op(previous, item)` holds for each item and the next; without an operator, they are equal by `==`. The operator
//! is asked once about each two neighbours. The last item of a tile is read once more. With pointers, an output may begin
//! where its input begins. CUB 3.0.1 has no `Unique` in place and none with an operator, CUB 3.5 has both.
#pragma once

#include <reheat/detail/algorithms/select.cuh>
#include <reheat/detail/algorithms/unique.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/select/run_starts.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/device/call.cuh>

#include <cuda/std/functional>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

REHEAT_NAMESPACE_BEGIN
namespace device_wide
{

//! Flags select where they are not zero.
struct is_set
{
  template <class Flag>
  REHEAT_DEVICE bool operator()(const Flag& flag) const
  {
    return static_cast<bool>(flag);
  }
};

template <class How, class InputIt, class FlagIt, class OutputIt, class CountIt, class SelectOp>
status_type select(const How& how, InputIt in, FlagIt flags, OutputIt out, CountIt count_out, std::int64_t items,
                   SelectOp select_op)
{
  How::template check_requirements<true>();
  return how([&](const auto& env)
             { algorithms::select_into(env, in, flags, out, count_out, item_count(env, items), select_op); });
}

//! Whether It is no iterator but the memory of a call in two phases. clang++ dereferences void*, and nvcc a null pointer.
template <class It>
inline constexpr bool is_memory_v = std::is_same_v<It, void*> || std::is_null_pointer_v<It>;

//! Whether Equality says of two items whether they are equal, as kernels ask it: about values, whatever the iterator's
//! references are.
template <class Equality, class It, class = void>
inline constexpr bool is_equality_v = false;
template <class Equality, class It>
inline constexpr bool
    is_equality_v<Equality, It, std::enable_if_t<!is_memory_v<It>, std::void_t<decltype(*std::declval<It&>())>>> =
        std::is_invocable_r_v<bool, Equality&, detail::value_of<It>&, detail::value_of<It>&>;

//! Items and their output, or the same of keys with values beside them. `in_place`: the output is the input, whatever the
//! iterators are.
template <class How, class InputIt, class ValueIt, class OutputIt, class ValueOutputIt, class CountIt, class NumItems,
          class EqualityOp>
status_type unique(const How& how, InputIt in, ValueIt values, OutputIt out, ValueOutputIt values_out, CountIt count_out,
                   NumItems items, EqualityOp equality_op, bool in_place)
{
  How::template check_requirements<true>();
  return how(
      [&](const auto& env) {
        algorithms::unique_into(env, in, values, out, values_out, count_out, item_count(env, items), equality_op, in_place);
      });
}
template <class How, class InputIt, class OutputIt, class CountIt, class EqualityOp>
status_type unique(const How& how, InputIt in, OutputIt out, CountIt count_out, std::int64_t items, EqualityOp equality_op,
                   bool in_place)
{
  return unique(how, in, detail::no_values{}, out, detail::no_values{}, count_out, items, equality_op, in_place);
}

} // namespace device_wide

//! Selections of a range.
struct DeviceSelect
{
  //! The items for which the operator holds.
  template <class InputIt, class OutputIt, class NumSelectedIt, class SelectOp>
  static status_type If(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                        NumSelectedIt d_num_selected_out, std::int64_t num_items, SelectOp select_op,
                        device_wide::stream_argument stream = {})
  {
    return device_wide::select(
        device_wide::two_phases{"reheat::DeviceSelect::If", d_temp_storage, temp_storage_bytes, stream.stream}, d_in,
        detail::no_stencil{}, d_out, d_num_selected_out, num_items, select_op);
  }
  //! The same in place.
  template <class It, class NumSelectedIt, class SelectOp>
  static status_type If(void* d_temp_storage, std::size_t& temp_storage_bytes, It d_data, NumSelectedIt d_num_selected_out,
                        std::int64_t num_items, SelectOp select_op, device_wide::stream_argument stream = {})
  {
    return If(d_temp_storage, temp_storage_bytes, d_data, d_data, d_num_selected_out, num_items, select_op, stream);
  }

  //! The items whose flags are not zero.
  template <class InputIt, class FlagIt, class OutputIt, class NumSelectedIt>
  static status_type Flagged(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, FlagIt d_flags,
                             OutputIt d_out, NumSelectedIt d_num_selected_out, std::int64_t num_items,
                             device_wide::stream_argument stream = {})
  {
    return device_wide::select(
        device_wide::two_phases{"reheat::DeviceSelect::Flagged", d_temp_storage, temp_storage_bytes, stream.stream}, d_in,
        d_flags, d_out, d_num_selected_out, num_items, device_wide::is_set{});
  }
  //! The same in place.
  template <class It, class FlagIt, class NumSelectedIt>
  static status_type Flagged(void* d_temp_storage, std::size_t& temp_storage_bytes, It d_data, FlagIt d_flags,
                             NumSelectedIt d_num_selected_out, std::int64_t num_items,
                             device_wide::stream_argument stream = {})
  {
    return Flagged(d_temp_storage, temp_storage_bytes, d_data, d_flags, d_data, d_num_selected_out, num_items, stream);
  }

  //! The items for whose flags the operator holds.
  template <class InputIt, class FlagIt, class OutputIt, class NumSelectedIt, class SelectOp>
  static status_type FlaggedIf(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, FlagIt d_flags,
                               OutputIt d_out, NumSelectedIt d_num_selected_out, std::int64_t num_items, SelectOp select_op,
                               device_wide::stream_argument stream = {})
  {
    return device_wide::select(
        device_wide::two_phases{"reheat::DeviceSelect::FlaggedIf", d_temp_storage, temp_storage_bytes, stream.stream}, d_in,
        d_flags, d_out, d_num_selected_out, num_items, select_op);
  }
  //! The same in place.
  template <class It, class FlagIt, class NumSelectedIt, class SelectOp>
  static status_type FlaggedIf(void* d_temp_storage, std::size_t& temp_storage_bytes, It d_data, FlagIt d_flags,
                               NumSelectedIt d_num_selected_out, std::int64_t num_items, SelectOp select_op,
                               device_wide::stream_argument stream = {})
  {
    return FlaggedIf(d_temp_storage, temp_storage_bytes, d_data, d_flags, d_data, d_num_selected_out, num_items, select_op,
                     stream);
  }

  //! The first item of each run.
  template <class InputIt, class OutputIt, class NumSelectedIt, class EqualityOp,
            std::enable_if_t<device_wide::is_equality_v<EqualityOp, InputIt>, int> = 0>
  static status_type Unique(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                            NumSelectedIt d_num_selected_out, std::int64_t num_items, EqualityOp equality_op,
                            device_wide::stream_argument stream = {})
  {
    return device_wide::unique(
        device_wide::two_phases{"reheat::DeviceSelect::Unique", d_temp_storage, temp_storage_bytes, stream.stream}, d_in,
        d_out, d_num_selected_out, num_items, equality_op, false);
  }
  template <class InputIt, class OutputIt, class NumSelectedIt>
  static status_type Unique(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                            NumSelectedIt d_num_selected_out, std::int64_t num_items,
                            device_wide::stream_argument stream = {})
  {
    return Unique(d_temp_storage, temp_storage_bytes, d_in, d_out, d_num_selected_out, num_items, ::cuda::std::equal_to<>{},
                  stream);
  }
  //! The same in place.
  template <class It, class NumSelectedIt, class EqualityOp,
            std::enable_if_t<device_wide::is_equality_v<EqualityOp, It>, int> = 0>
  static status_type Unique(void* d_temp_storage, std::size_t& temp_storage_bytes, It d_data,
                            NumSelectedIt d_num_selected_out, std::int64_t num_items, EqualityOp equality_op,
                            device_wide::stream_argument stream = {})
  {
    return device_wide::unique(
        device_wide::two_phases{"reheat::DeviceSelect::Unique", d_temp_storage, temp_storage_bytes, stream.stream}, d_data,
        d_data, d_num_selected_out, num_items, equality_op, true);
  }
  template <class It, class NumSelectedIt>
  static status_type Unique(void* d_temp_storage, std::size_t& temp_storage_bytes, It d_data,
                            NumSelectedIt d_num_selected_out, std::int64_t num_items,
                            device_wide::stream_argument stream = {})
  {
    return Unique(d_temp_storage, temp_storage_bytes, d_data, d_num_selected_out, num_items, ::cuda::std::equal_to<>{},
                  stream);
  }

  //! The first key of each run of keys, and the value beside it.
  template <class KeysInputIt, class ValuesInputIt, class KeysOutputIt, class ValuesOutputIt, class NumSelectedIt,
            class NumItems, class EqualityOp, std::enable_if_t<device_wide::is_equality_v<EqualityOp, KeysInputIt>, int> = 0>
  static status_type UniqueByKey(void* d_temp_storage, std::size_t& temp_storage_bytes, KeysInputIt d_keys_in,
                                 ValuesInputIt d_values_in, KeysOutputIt d_keys_out, ValuesOutputIt d_values_out,
                                 NumSelectedIt d_num_selected_out, NumItems num_items, EqualityOp equality_op,
                                 device_wide::stream_argument stream = {})
  {
    return device_wide::unique(
        device_wide::two_phases{"reheat::DeviceSelect::UniqueByKey", d_temp_storage, temp_storage_bytes, stream.stream},
        d_keys_in, d_values_in, d_keys_out, d_values_out, d_num_selected_out, num_items, equality_op, false);
  }
  template <class KeysInputIt, class ValuesInputIt, class KeysOutputIt, class ValuesOutputIt, class NumSelectedIt,
            class NumItems>
  static status_type UniqueByKey(void* d_temp_storage, std::size_t& temp_storage_bytes, KeysInputIt d_keys_in,
                                 ValuesInputIt d_values_in, KeysOutputIt d_keys_out, ValuesOutputIt d_values_out,
                                 NumSelectedIt d_num_selected_out, NumItems num_items,
                                 device_wide::stream_argument stream = {})
  {
    return UniqueByKey(d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in, d_keys_out, d_values_out,
                       d_num_selected_out, num_items, ::cuda::std::equal_to<>{}, stream);
  }

#if REHEAT_HAS_ENVIRONMENTS
  // The same in one phase.

  template <class InputIt, class OutputIt, class NumSelectedIt, class SelectOp, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type If(InputIt d_in, OutputIt d_out, NumSelectedIt d_num_selected_out, std::int64_t num_items,
                                      SelectOp select_op, const Env& env = {})
  {
    return device_wide::select(device_wide::single_phase<Env>{"reheat::DeviceSelect::If", env}, d_in, detail::no_stencil{},
                               d_out, d_num_selected_out, num_items, select_op);
  }
  template <class It, class NumSelectedIt, class SelectOp, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type If(It d_data, NumSelectedIt d_num_selected_out, std::int64_t num_items,
                                      SelectOp select_op, const Env& env = {})
  {
    return If(d_data, d_data, d_num_selected_out, num_items, select_op, env);
  }

  template <class InputIt, class FlagIt, class OutputIt, class NumSelectedIt, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type Flagged(InputIt d_in, FlagIt d_flags, OutputIt d_out, NumSelectedIt d_num_selected_out,
                                           std::int64_t num_items, const Env& env = {})
  {
    return device_wide::select(device_wide::single_phase<Env>{"reheat::DeviceSelect::Flagged", env}, d_in, d_flags, d_out,
                               d_num_selected_out, num_items, device_wide::is_set{});
  }
  template <class It, class FlagIt, class NumSelectedIt, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type Flagged(It d_data, FlagIt d_flags, NumSelectedIt d_num_selected_out,
                                           std::int64_t num_items, const Env& env = {})
  {
    return Flagged(d_data, d_flags, d_data, d_num_selected_out, num_items, env);
  }

  template <class InputIt, class FlagIt, class OutputIt, class NumSelectedIt, class SelectOp,
            class Env = device_wide::no_environment>
  [[nodiscard]] static status_type FlaggedIf(InputIt d_in, FlagIt d_flags, OutputIt d_out, NumSelectedIt d_num_selected_out,
                                             std::int64_t num_items, SelectOp select_op, const Env& env = {})
  {
    return device_wide::select(device_wide::single_phase<Env>{"reheat::DeviceSelect::FlaggedIf", env}, d_in, d_flags, d_out,
                               d_num_selected_out, num_items, select_op);
  }
  template <class It, class FlagIt, class NumSelectedIt, class SelectOp, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type FlaggedIf(It d_data, FlagIt d_flags, NumSelectedIt d_num_selected_out,
                                             std::int64_t num_items, SelectOp select_op, const Env& env = {})
  {
    return FlaggedIf(d_data, d_flags, d_data, d_num_selected_out, num_items, select_op, env);
  }

  template <class InputIt, class OutputIt, class NumSelectedIt, class EqualityOp, class Env = device_wide::no_environment,
            std::enable_if_t<device_wide::is_equality_v<EqualityOp, InputIt>, int> = 0>
  [[nodiscard]] static status_type Unique(InputIt d_in, OutputIt d_out, NumSelectedIt d_num_selected_out,
                                          std::int64_t num_items, EqualityOp equality_op, const Env& env = {})
  {
    return device_wide::unique(device_wide::single_phase<Env>{"reheat::DeviceSelect::Unique", env}, d_in, d_out,
                               d_num_selected_out, num_items, equality_op, false);
  }
  template <class InputIt, class OutputIt, class NumSelectedIt, class Env = device_wide::no_environment,
            std::enable_if_t<!device_wide::is_equality_v<Env, InputIt>, int> = 0>
  [[nodiscard]] static status_type Unique(InputIt d_in, OutputIt d_out, NumSelectedIt d_num_selected_out,
                                          std::int64_t num_items, const Env& env = {})
  {
    return Unique(d_in, d_out, d_num_selected_out, num_items, ::cuda::std::equal_to<>{}, env);
  }
  template <class It, class NumSelectedIt, class EqualityOp, class Env = device_wide::no_environment,
            std::enable_if_t<device_wide::is_equality_v<EqualityOp, It>, int> = 0>
  [[nodiscard]] static status_type Unique(It d_data, NumSelectedIt d_num_selected_out, std::int64_t num_items,
                                          EqualityOp equality_op, const Env& env = {})
  {
    return device_wide::unique(device_wide::single_phase<Env>{"reheat::DeviceSelect::Unique", env}, d_data, d_data,
                               d_num_selected_out, num_items, equality_op, true);
  }
  template <class It, class NumSelectedIt, class Env = device_wide::no_environment,
            std::enable_if_t<!device_wide::is_equality_v<Env, It>, int> = 0>
  [[nodiscard]] static status_type Unique(It d_data, NumSelectedIt d_num_selected_out, std::int64_t num_items,
                                          const Env& env = {})
  {
    return Unique(d_data, d_num_selected_out, num_items, ::cuda::std::equal_to<>{}, env);
  }

  template <class KeysInputIt, class ValuesInputIt, class KeysOutputIt, class ValuesOutputIt, class NumSelectedIt,
            class NumItems, class EqualityOp, class Env = device_wide::no_environment,
            device_wide::if_single_phase<KeysInputIt, ValuesInputIt, NumItems> = 0,
            std::enable_if_t<device_wide::is_equality_v<EqualityOp, KeysInputIt>, int> = 0>
  [[nodiscard]] static status_type UniqueByKey(KeysInputIt d_keys_in, ValuesInputIt d_values_in, KeysOutputIt d_keys_out,
                                               ValuesOutputIt d_values_out, NumSelectedIt d_num_selected_out,
                                               NumItems num_items, EqualityOp equality_op, const Env& env = {})
  {
    return device_wide::unique(device_wide::single_phase<Env>{"reheat::DeviceSelect::UniqueByKey", env}, d_keys_in,
                               d_values_in, d_keys_out, d_values_out, d_num_selected_out, num_items, equality_op, false);
  }
  template <class KeysInputIt, class ValuesInputIt, class KeysOutputIt, class ValuesOutputIt, class NumSelectedIt,
            class NumItems, class Env = device_wide::no_environment,
            device_wide::if_single_phase<KeysInputIt, ValuesInputIt, NumItems> = 0,
            std::enable_if_t<!device_wide::is_equality_v<Env, KeysInputIt>, int> = 0>
  [[nodiscard]] static status_type UniqueByKey(KeysInputIt d_keys_in, ValuesInputIt d_values_in, KeysOutputIt d_keys_out,
                                               ValuesOutputIt d_values_out, NumSelectedIt d_num_selected_out,
                                               NumItems num_items, const Env& env = {})
  {
    return UniqueByKey(d_keys_in, d_values_in, d_keys_out, d_values_out, d_num_selected_out, num_items,
                       ::cuda::std::equal_to<>{}, env);
  }
#endif
};

REHEAT_NAMESPACE_END
