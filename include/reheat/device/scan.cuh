// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::DeviceScan`: CUB's class of that name on reheat's kernels.
//!
//! What reduce.cuh says of calls, memory, errors and operators holds here, too. Of no items nothing happens, and no initial
//! value is read. Outputs may be the inputs, and of scans by key the keys; any other overlap is not allowed. Scans of more
//! items than one tile launch two kernels, of which the first stores zeros in the caller's memory.
#pragma once

#include <reheat/detail/algorithms/by_key.cuh>
#include <reheat/detail/algorithms/reproducible.cuh>
#include <reheat/detail/algorithms/scan.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/device/call.cuh>
#include <reheat/device/types.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace device_wide
{

using detail::scan_kind;

template <scan_kind Kind, class How, class InputIt, class OutputIt, class Op, class Init, class NumItems>
status_type scan(const How& how, InputIt in, OutputIt out, Op op, Init init, NumItems items)
{
  using accum = typename Init::accum;
  How::template check_requirements<algorithms::scans_alike<Op, accum>()>();
  constexpr detail::scan_association association = algorithms::scan_association_v<How::on_every_gpu, Op, accum>;
  return how(
      [&](const auto& env)
      { algorithms::scan<Kind, kernels::standard, false, association>(env, in, out, item_count(env, items), op, init); });
}

template <class How, class InputIt, class OutputIt, class Op, class NumItems>
status_type inclusive_scan(const How& how, InputIt in, OutputIt out, Op op, NumItems items)
{
  using item = detail::value_of<InputIt>;
  using accum = scan_accumulator_t<Op, item, item, OutputIt>;
  return scan<scan_kind::inclusive>(how, in, out, op, detail::scan_without_init<accum>{}, items);
}
template <scan_kind Kind, class How, class InputIt, class OutputIt, class Op, class T, class NumItems>
status_type scan_from(const How& how, InputIt in, OutputIt out, Op op, T init, NumItems items)
{
  using accum = scan_accumulator_t<Op, detail::value_of<InputIt>, T, OutputIt>;
  return scan<Kind>(how, in, out, op, detail::scan_with_init<accum>{{static_cast<accum>(init)}}, items);
}
//! Sums from zero.
template <class How, class InputIt, class OutputIt, class NumItems>
status_type exclusive_sum(const How& how, InputIt in, OutputIt out, NumItems items)
{
  return scan_from<scan_kind::exclusive>(how, in, out, ::cuda::std::plus<>{}, detail::value_of<InputIt>{}, items);
}
//! From what `place`, which is dereferenced on the device alone, holds when the scan runs: a T.
template <scan_kind Kind, class T, class How, class InputIt, class OutputIt, class Op, class Place, class NumItems>
status_type scan_from_place(const How& how, InputIt in, OutputIt out, Op op, Place place, NumItems items)
{
  using accum = scan_accumulator_t<Op, detail::value_of<InputIt>, T, OutputIt>;
  return scan<Kind>(how, in, out, op, detail::scan_with_future_init<accum, Place>{{place}}, items);
}

template <class How, class KeyIt, class ValueIt, class OutputIt, class Op, class NumItems, class Equal>
status_type inclusive_scan_by_key(const How& how, KeyIt keys, ValueIt values, OutputIt out, Op op, NumItems items,
                                  Equal equal)
{
  using item = detail::value_of<ValueIt>;
  using accum = scan_accumulator_t<Op, item, item, OutputIt>;
  How::template check_requirements<algorithms::is_reproducible_v<Op, accum>>();
  return how([&](const auto& env)
             { algorithms::inclusive_scan_by_key<accum>(env, keys, values, out, item_count(env, items), equal, op); });
}
template <class How, class KeyIt, class ValueIt, class OutputIt, class Op, class T, class NumItems, class Equal>
status_type exclusive_scan_by_key(const How& how, KeyIt keys, ValueIt values, OutputIt out, Op op, T init, NumItems items,
                                  Equal equal)
{
  using accum = scan_accumulator_t<Op, detail::value_of<ValueIt>, T, OutputIt>;
  How::template check_requirements<algorithms::is_reproducible_v<Op, accum>>();
  return how(
      [&](const auto& env) {
        algorithms::exclusive_scan_by_key(env, keys, values, out, item_count(env, items), static_cast<accum>(init), equal,
                                          op);
      });
}

} // namespace device_wide

//! Scans of a range.
struct DeviceScan
{
  //! Sums of the items before each, from zero.
  template <class InputIt, class OutputIt, class NumItems>
  static status_type ExclusiveSum(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                                  NumItems num_items, stream_type stream = {})
  {
    return device_wide::exclusive_sum(
        device_wide::two_phases{"reheat::DeviceScan::ExclusiveSum", d_temp_storage, temp_storage_bytes, stream}, d_in, d_out,
        num_items);
  }
  //! The same in place.
  template <class It, class NumItems>
  static status_type ExclusiveSum(void* d_temp_storage, std::size_t& temp_storage_bytes, It d_data, NumItems num_items,
                                  stream_type stream = {})
  {
    return ExclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream);
  }

  //! Folds of the items before each, from `init_value`.
  template <class InputIt, class OutputIt, class ScanOp, class InitValue, class NumItems>
  static status_type ExclusiveScan(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                                   ScanOp scan_op, InitValue init_value, NumItems num_items, stream_type stream = {})
  {
    return device_wide::scan_from<detail::scan_kind::exclusive>(
        device_wide::two_phases{"reheat::DeviceScan::ExclusiveScan", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, scan_op, init_value, num_items);
  }
  //! The same in place.
  template <class It, class ScanOp, class InitValue, class NumItems>
  static status_type ExclusiveScan(void* d_temp_storage, std::size_t& temp_storage_bytes, It d_data, ScanOp scan_op,
                                   InitValue init_value, NumItems num_items, stream_type stream = {})
  {
    return ExclusiveScan(d_temp_storage, temp_storage_bytes, d_data, d_data, scan_op, init_value, num_items, stream);
  }

  //! The same from a value that earlier work of the stream leaves on the device.
  template <class InputIt, class OutputIt, class ScanOp, class InitValue, class InitValueIt, class NumItems>
  static status_type ExclusiveScan(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                                   ScanOp scan_op, CUB_NS_QUALIFIER::FutureValue<InitValue, InitValueIt> init_value,
                                   NumItems num_items, stream_type stream = {})
  {
    using place = device_wide::future_place<CUB_NS_QUALIFIER::FutureValue<InitValue, InitValueIt>>;
    return device_wide::scan_from_place<detail::scan_kind::exclusive, InitValue>(
        device_wide::two_phases{"reheat::DeviceScan::ExclusiveScan", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, scan_op, place{init_value}, num_items);
  }
  //! The same in place.
  template <class It, class ScanOp, class InitValue, class InitValueIt, class NumItems>
  static status_type ExclusiveScan(void* d_temp_storage, std::size_t& temp_storage_bytes, It d_data, ScanOp scan_op,
                                   CUB_NS_QUALIFIER::FutureValue<InitValue, InitValueIt> init_value, NumItems num_items,
                                   stream_type stream = {})
  {
    return ExclusiveScan(d_temp_storage, temp_storage_bytes, d_data, d_data, scan_op, init_value, num_items, stream);
  }

  //! Sums up to and with each item.
  template <class InputIt, class OutputIt, class NumItems>
  static status_type InclusiveSum(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                                  NumItems num_items, stream_type stream = {})
  {
    return device_wide::inclusive_scan(
        device_wide::two_phases{"reheat::DeviceScan::InclusiveSum", d_temp_storage, temp_storage_bytes, stream}, d_in, d_out,
        ::cuda::std::plus<>{}, num_items);
  }
  //! The same in place.
  template <class It, class NumItems>
  static status_type InclusiveSum(void* d_temp_storage, std::size_t& temp_storage_bytes, It d_data, NumItems num_items,
                                  stream_type stream = {})
  {
    return InclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream);
  }

  //! Folds up to and with each item.
  template <class InputIt, class OutputIt, class ScanOp, class NumItems>
  static status_type InclusiveScan(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                                   ScanOp scan_op, NumItems num_items, stream_type stream = {})
  {
    return device_wide::inclusive_scan(
        device_wide::two_phases{"reheat::DeviceScan::InclusiveScan", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, scan_op, num_items);
  }
  //! The same in place.
  template <class It, class ScanOp, class NumItems>
  static status_type InclusiveScan(void* d_temp_storage, std::size_t& temp_storage_bytes, It d_data, ScanOp scan_op,
                                   NumItems num_items, stream_type stream = {})
  {
    return InclusiveScan(d_temp_storage, temp_storage_bytes, d_data, d_data, scan_op, num_items, stream);
  }

  //! Folds up to and with each item, from `init_value`.
  template <class InputIt, class OutputIt, class ScanOp, class InitValue, class NumItems>
  static status_type InclusiveScanInit(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                                       ScanOp scan_op, InitValue init_value, NumItems num_items, stream_type stream = {})
  {
    return device_wide::scan_from<detail::scan_kind::inclusive>(
        device_wide::two_phases{"reheat::DeviceScan::InclusiveScanInit", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, scan_op, init_value, num_items);
  }

#if REHEAT_HAS_DEFERRED_ARGUMENTS
  //! The same from a value that earlier work of the stream leaves on the device.
  template <class InputIt, class OutputIt, class ScanOp, class InitValueIt, class Bounds, class NumItems>
  static status_type InclusiveScanInit(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                                       ScanOp scan_op, const ::cuda::args::deferred<InitValueIt, Bounds>& init_value,
                                       NumItems num_items, stream_type stream = {})
  {
    return device_wide::scan_from_place<detail::scan_kind::inclusive, detail::value_of<InitValueIt>>(
        device_wide::two_phases{"reheat::DeviceScan::InclusiveScanInit", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, scan_op, device_wide::place_of(init_value), num_items);
  }
#endif

  //! ExclusiveSum of each run of equal keys.
  template <class KeysInputIt, class ValuesInputIt, class ValuesOutputIt, class EqualityOp = ::cuda::std::equal_to<>,
            class NumItems = std::uint32_t>
  static status_type ExclusiveSumByKey(void* d_temp_storage, std::size_t& temp_storage_bytes, KeysInputIt d_keys_in,
                                       ValuesInputIt d_values_in, ValuesOutputIt d_values_out, NumItems num_items,
                                       EqualityOp equality_op = EqualityOp(), stream_type stream = {})
  {
    return device_wide::exclusive_scan_by_key(
        device_wide::two_phases{"reheat::DeviceScan::ExclusiveSumByKey", d_temp_storage, temp_storage_bytes, stream},
        d_keys_in, d_values_in, d_values_out, ::cuda::std::plus<>{}, detail::value_of<ValuesInputIt>{}, num_items,
        equality_op);
  }

  //! ExclusiveScan of each run of equal keys, from `init_value`.
  template <class KeysInputIt, class ValuesInputIt, class ValuesOutputIt, class ScanOp, class InitValue,
            class EqualityOp = ::cuda::std::equal_to<>, class NumItems = std::uint32_t>
  static status_type ExclusiveScanByKey(void* d_temp_storage, std::size_t& temp_storage_bytes, KeysInputIt d_keys_in,
                                        ValuesInputIt d_values_in, ValuesOutputIt d_values_out, ScanOp scan_op,
                                        InitValue init_value, NumItems num_items, EqualityOp equality_op = EqualityOp(),
                                        stream_type stream = {})
  {
    return device_wide::exclusive_scan_by_key(
        device_wide::two_phases{"reheat::DeviceScan::ExclusiveScanByKey", d_temp_storage, temp_storage_bytes, stream},
        d_keys_in, d_values_in, d_values_out, scan_op, init_value, num_items, equality_op);
  }

  //! InclusiveSum of each run of equal keys.
  template <class KeysInputIt, class ValuesInputIt, class ValuesOutputIt, class EqualityOp = ::cuda::std::equal_to<>,
            class NumItems = std::uint32_t>
  static status_type InclusiveSumByKey(void* d_temp_storage, std::size_t& temp_storage_bytes, KeysInputIt d_keys_in,
                                       ValuesInputIt d_values_in, ValuesOutputIt d_values_out, NumItems num_items,
                                       EqualityOp equality_op = EqualityOp(), stream_type stream = {})
  {
    return device_wide::inclusive_scan_by_key(
        device_wide::two_phases{"reheat::DeviceScan::InclusiveSumByKey", d_temp_storage, temp_storage_bytes, stream},
        d_keys_in, d_values_in, d_values_out, ::cuda::std::plus<>{}, num_items, equality_op);
  }

  //! InclusiveScan of each run of equal keys.
  template <class KeysInputIt, class ValuesInputIt, class ValuesOutputIt, class ScanOp,
            class EqualityOp = ::cuda::std::equal_to<>, class NumItems = std::uint32_t>
  static status_type InclusiveScanByKey(void* d_temp_storage, std::size_t& temp_storage_bytes, KeysInputIt d_keys_in,
                                        ValuesInputIt d_values_in, ValuesOutputIt d_values_out, ScanOp scan_op,
                                        NumItems num_items, EqualityOp equality_op = EqualityOp(), stream_type stream = {})
  {
    return device_wide::inclusive_scan_by_key(
        device_wide::two_phases{"reheat::DeviceScan::InclusiveScanByKey", d_temp_storage, temp_storage_bytes, stream},
        d_keys_in, d_values_in, d_values_out, scan_op, num_items, equality_op);
  }

#if REHEAT_HAS_ENVIRONMENTS
  // The same in one phase. CUB has these since CCCL 3.1 to 3.4, and reheat all of them.
  template <class InputIt, class OutputIt, class NumItems, class Env = device_wide::no_environment,
            device_wide::if_single_phase<InputIt, OutputIt, NumItems> = 0>
  [[nodiscard]] static status_type ExclusiveSum(InputIt d_in, OutputIt d_out, NumItems num_items, const Env& env = {})
  {
    return device_wide::exclusive_sum(device_wide::single_phase<Env>{"reheat::DeviceScan::ExclusiveSum", env}, d_in, d_out,
                                      num_items);
  }
  template <class It, class NumItems, class Env = device_wide::no_environment, device_wide::if_in_place<NumItems, Env> = 0>
  [[nodiscard]] static status_type ExclusiveSum(It d_data, NumItems num_items, const Env& env = {})
  {
    return ExclusiveSum(d_data, d_data, num_items, env);
  }
  template <class InputIt, class OutputIt, class ScanOp, class InitValue, class NumItems,
            class Env = device_wide::no_environment, device_wide::if_single_phase<InputIt, OutputIt, NumItems> = 0>
  [[nodiscard]] static status_type ExclusiveScan(InputIt d_in, OutputIt d_out, ScanOp scan_op, InitValue init_value,
                                                 NumItems num_items, const Env& env = {})
  {
    return device_wide::scan_from<detail::scan_kind::exclusive>(
        device_wide::single_phase<Env>{"reheat::DeviceScan::ExclusiveScan", env}, d_in, d_out, scan_op, init_value,
        num_items);
  }
  template <class It, class ScanOp, class InitValue, class NumItems, class Env = device_wide::no_environment,
            device_wide::if_in_place<NumItems, Env> = 0>
  [[nodiscard]] static status_type ExclusiveScan(It d_data, ScanOp scan_op, InitValue init_value, NumItems num_items,
                                                 const Env& env = {})
  {
    return ExclusiveScan(d_data, d_data, scan_op, init_value, num_items, env);
  }
  template <class InputIt, class OutputIt, class ScanOp, class InitValue, class InitValueIt, class NumItems,
            class Env = device_wide::no_environment, device_wide::if_single_phase<InputIt, OutputIt, NumItems> = 0>
  [[nodiscard]] static status_type ExclusiveScan(InputIt d_in, OutputIt d_out, ScanOp scan_op,
                                                 CUB_NS_QUALIFIER::FutureValue<InitValue, InitValueIt> init_value,
                                                 NumItems num_items, const Env& env = {})
  {
    return device_wide::scan_from_place<detail::scan_kind::exclusive, InitValue>(
        device_wide::single_phase<Env>{"reheat::DeviceScan::ExclusiveScan", env}, d_in, d_out, scan_op,
        device_wide::future_place<CUB_NS_QUALIFIER::FutureValue<InitValue, InitValueIt>>{init_value}, num_items);
  }
  template <class It, class ScanOp, class InitValue, class InitValueIt, class NumItems,
            class Env = device_wide::no_environment, device_wide::if_in_place<NumItems, Env> = 0>
  [[nodiscard]] static status_type ExclusiveScan(It d_data, ScanOp scan_op,
                                                 CUB_NS_QUALIFIER::FutureValue<InitValue, InitValueIt> init_value,
                                                 NumItems num_items, const Env& env = {})
  {
    return ExclusiveScan(d_data, d_data, scan_op, init_value, num_items, env);
  }
  template <class InputIt, class OutputIt, class NumItems, class Env = device_wide::no_environment,
            device_wide::if_single_phase<InputIt, OutputIt, NumItems> = 0>
  [[nodiscard]] static status_type InclusiveSum(InputIt d_in, OutputIt d_out, NumItems num_items, const Env& env = {})
  {
    return device_wide::inclusive_scan(device_wide::single_phase<Env>{"reheat::DeviceScan::InclusiveSum", env}, d_in, d_out,
                                       ::cuda::std::plus<>{}, num_items);
  }
  template <class It, class NumItems, class Env = device_wide::no_environment, device_wide::if_in_place<NumItems, Env> = 0>
  [[nodiscard]] static status_type InclusiveSum(It d_data, NumItems num_items, const Env& env = {})
  {
    return InclusiveSum(d_data, d_data, num_items, env);
  }
  template <class InputIt, class OutputIt, class ScanOp, class NumItems, class Env = device_wide::no_environment,
            device_wide::if_single_phase<InputIt, OutputIt, NumItems> = 0>
  [[nodiscard]] static status_type InclusiveScan(InputIt d_in, OutputIt d_out, ScanOp scan_op, NumItems num_items,
                                                 const Env& env = {})
  {
    return device_wide::inclusive_scan(device_wide::single_phase<Env>{"reheat::DeviceScan::InclusiveScan", env}, d_in, d_out,
                                       scan_op, num_items);
  }
  template <class It, class ScanOp, class NumItems, class Env = device_wide::no_environment,
            device_wide::if_in_place<NumItems, Env> = 0>
  [[nodiscard]] static status_type InclusiveScan(It d_data, ScanOp scan_op, NumItems num_items, const Env& env = {})
  {
    return InclusiveScan(d_data, d_data, scan_op, num_items, env);
  }
  template <class InputIt, class OutputIt, class ScanOp, class InitValue, class NumItems,
            class Env = device_wide::no_environment, device_wide::if_single_phase<InputIt, OutputIt, NumItems> = 0>
  [[nodiscard]] static status_type InclusiveScanInit(InputIt d_in, OutputIt d_out, ScanOp scan_op, InitValue init_value,
                                                     NumItems num_items, const Env& env = {})
  {
    return device_wide::scan_from<detail::scan_kind::inclusive>(
        device_wide::single_phase<Env>{"reheat::DeviceScan::InclusiveScanInit", env}, d_in, d_out, scan_op, init_value,
        num_items);
  }
#  if REHEAT_HAS_DEFERRED_ARGUMENTS
  template <class InputIt, class OutputIt, class ScanOp, class InitValueIt, class Bounds, class NumItems,
            class Env = device_wide::no_environment, device_wide::if_single_phase<InputIt, OutputIt, NumItems> = 0>
  [[nodiscard]] static status_type InclusiveScanInit(InputIt d_in, OutputIt d_out, ScanOp scan_op,
                                                     const ::cuda::args::deferred<InitValueIt, Bounds>& init_value,
                                                     NumItems num_items, const Env& env = {})
  {
    return device_wide::scan_from_place<detail::scan_kind::inclusive, detail::value_of<InitValueIt>>(
        device_wide::single_phase<Env>{"reheat::DeviceScan::InclusiveScanInit", env}, d_in, d_out, scan_op,
        device_wide::place_of(init_value), num_items);
  }
#  endif
  template <class KeysInputIt, class ValuesInputIt, class ValuesOutputIt, class EqualityOp = ::cuda::std::equal_to<>,
            class NumItems = std::uint32_t, class Env = device_wide::no_environment,
            device_wide::if_single_phase<KeysInputIt, ValuesInputIt, NumItems> = 0>
  [[nodiscard]] static status_type ExclusiveSumByKey(KeysInputIt d_keys_in, ValuesInputIt d_values_in,
                                                     ValuesOutputIt d_values_out, NumItems num_items,
                                                     EqualityOp equality_op = EqualityOp(), const Env& env = {})
  {
    return device_wide::exclusive_scan_by_key(device_wide::single_phase<Env>{"reheat::DeviceScan::ExclusiveSumByKey", env},
                                              d_keys_in, d_values_in, d_values_out, ::cuda::std::plus<>{},
                                              detail::value_of<ValuesInputIt>{}, num_items, equality_op);
  }
  template <class KeysInputIt, class ValuesInputIt, class ValuesOutputIt, class ScanOp, class InitValue,
            class EqualityOp = ::cuda::std::equal_to<>, class NumItems = std::uint32_t,
            class Env = device_wide::no_environment, device_wide::if_single_phase<KeysInputIt, ValuesInputIt, NumItems> = 0>
  [[nodiscard]] static status_type
  ExclusiveScanByKey(KeysInputIt d_keys_in, ValuesInputIt d_values_in, ValuesOutputIt d_values_out, ScanOp scan_op,
                     InitValue init_value, NumItems num_items, EqualityOp equality_op = EqualityOp(), const Env& env = {})
  {
    return device_wide::exclusive_scan_by_key(device_wide::single_phase<Env>{"reheat::DeviceScan::ExclusiveScanByKey", env},
                                              d_keys_in, d_values_in, d_values_out, scan_op, init_value, num_items,
                                              equality_op);
  }
  template <class KeysInputIt, class ValuesInputIt, class ValuesOutputIt, class EqualityOp = ::cuda::std::equal_to<>,
            class NumItems = std::uint32_t, class Env = device_wide::no_environment,
            device_wide::if_single_phase<KeysInputIt, ValuesInputIt, NumItems> = 0>
  [[nodiscard]] static status_type InclusiveSumByKey(KeysInputIt d_keys_in, ValuesInputIt d_values_in,
                                                     ValuesOutputIt d_values_out, NumItems num_items,
                                                     EqualityOp equality_op = EqualityOp(), const Env& env = {})
  {
    return device_wide::inclusive_scan_by_key(device_wide::single_phase<Env>{"reheat::DeviceScan::InclusiveSumByKey", env},
                                              d_keys_in, d_values_in, d_values_out, ::cuda::std::plus<>{}, num_items,
                                              equality_op);
  }
  template <class KeysInputIt, class ValuesInputIt, class ValuesOutputIt, class ScanOp,
            class EqualityOp = ::cuda::std::equal_to<>, class NumItems = std::uint32_t,
            class Env = device_wide::no_environment, device_wide::if_single_phase<KeysInputIt, ValuesInputIt, NumItems> = 0>
  [[nodiscard]] static status_type InclusiveScanByKey(KeysInputIt d_keys_in, ValuesInputIt d_values_in,
                                                      ValuesOutputIt d_values_out, ScanOp scan_op, NumItems num_items,
                                                      EqualityOp equality_op = EqualityOp(), const Env& env = {})
  {
    return device_wide::inclusive_scan_by_key(device_wide::single_phase<Env>{"reheat::DeviceScan::InclusiveScanByKey", env},
                                              d_keys_in, d_values_in, d_values_out, scan_op, num_items, equality_op);
  }
#endif
};

REHEAT_NAMESPACE_END
