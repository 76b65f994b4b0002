// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::drop_in_cub`: all that CUB's namespace has, with reheat's classes in place of CUB's. A library that calls CUB as
//! `cub::…` inside a namespace of its own adds one line: `namespace mylib { namespace cub = reheat::drop_in_cub; }`. Then
//! `cub::DeviceScan` is reheat's in `mylib`, and `cub::BlockReduce` is CUB's as before. Outside of `mylib` nothing changes.
//! With -DREHEAT_PASSTHROUGH all names are CUB's.
//!
//! Names have to be written with `cub::` before them: after `using namespace cub;` the name of a class that both have is
//! ambiguous. What a program specializes of CUB's, it specializes in `::cub`.
#pragma once

#if !defined(__CUDACC__)
#  error "reheat: cub.cuh includes all of CUB, which needs nvcc; without nvcc, include reheat/device.cuh"
#endif

#include <reheat/device.cuh>

#include <cub/cub.cuh>

REHEAT_NAMESPACE_BEGIN
namespace drop_in_cub
{

using namespace CUB_NS_QUALIFIER;
#if !defined(REHEAT_PASSTHROUGH)
// A qualified name is looked up in the namespaces of using-directives only where the namespace itself does not have it, so
// these hide CUB's.
using reheat::DevicePartition;
using reheat::DeviceReduce;
using reheat::DeviceRunLengthEncode;
using reheat::DeviceScan;
using reheat::DeviceSegmentedReduce;
using reheat::DeviceSegmentedScan; // CUB has it from CCCL 3.3 on
using reheat::DeviceSelect;

//! What reheat has of this class. Keys that reheat does not sort, and calls with a decomposer, are CUB's.
struct DeviceRadixSort : reheat::DeviceRadixSort
{
  using reheat::DeviceRadixSort::SortKeys;
  template <class Key, class NumItems, class... More, reheat::device_wide::if_cubs_sort<Key, More...> = 0>
  static cudaError_t SortKeys(void* d_temp_storage, std::size_t& temp_storage_bytes, const Key* d_keys_in, Key* d_keys_out,
                              NumItems num_items, More... more)
  {
    return CUB_NS_QUALIFIER::DeviceRadixSort::SortKeys(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, num_items,
                                                       more...);
  }
  template <class Key, class NumItems, class... More, reheat::device_wide::if_cubs_sort<Key, More...> = 0>
  static cudaError_t SortKeys(void* d_temp_storage, std::size_t& temp_storage_bytes, DoubleBuffer<Key>& d_keys,
                              NumItems num_items, More... more)
  {
    return CUB_NS_QUALIFIER::DeviceRadixSort::SortKeys(d_temp_storage, temp_storage_bytes, d_keys, num_items, more...);
  }
  using reheat::DeviceRadixSort::SortKeysDescending;
  template <class Key, class NumItems, class... More, reheat::device_wide::if_cubs_sort<Key, More...> = 0>
  static cudaError_t SortKeysDescending(void* d_temp_storage, std::size_t& temp_storage_bytes, const Key* d_keys_in,
                                        Key* d_keys_out, NumItems num_items, More... more)
  {
    return CUB_NS_QUALIFIER::DeviceRadixSort::SortKeysDescending(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                                                 num_items, more...);
  }
  template <class Key, class NumItems, class... More, reheat::device_wide::if_cubs_sort<Key, More...> = 0>
  static cudaError_t SortKeysDescending(void* d_temp_storage, std::size_t& temp_storage_bytes, DoubleBuffer<Key>& d_keys,
                                        NumItems num_items, More... more)
  {
    return CUB_NS_QUALIFIER::DeviceRadixSort::SortKeysDescending(d_temp_storage, temp_storage_bytes, d_keys, num_items,
                                                                 more...);
  }
  using reheat::DeviceRadixSort::SortPairs;
  template <class Key, class Value, class NumItems, class... More, reheat::device_wide::if_cubs_sort<Key, More...> = 0>
  static cudaError_t SortPairs(void* d_temp_storage, std::size_t& temp_storage_bytes, const Key* d_keys_in, Key* d_keys_out,
                               const Value* d_values_in, Value* d_values_out, NumItems num_items, More... more)
  {
    return CUB_NS_QUALIFIER::DeviceRadixSort::SortPairs(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                                        d_values_in, d_values_out, num_items, more...);
  }
  template <class Key, class Value, class NumItems, class... More, reheat::device_wide::if_cubs_sort<Key, More...> = 0>
  static cudaError_t SortPairs(void* d_temp_storage, std::size_t& temp_storage_bytes, DoubleBuffer<Key>& d_keys,
                               DoubleBuffer<Value>& d_values, NumItems num_items, More... more)
  {
    return CUB_NS_QUALIFIER::DeviceRadixSort::SortPairs(d_temp_storage, temp_storage_bytes, d_keys, d_values, num_items,
                                                        more...);
  }
  using reheat::DeviceRadixSort::SortPairsDescending;
  template <class Key, class Value, class NumItems, class... More, reheat::device_wide::if_cubs_sort<Key, More...> = 0>
  static cudaError_t SortPairsDescending(void* d_temp_storage, std::size_t& temp_storage_bytes, const Key* d_keys_in,
                                         Key* d_keys_out, const Value* d_values_in, Value* d_values_out, NumItems num_items,
                                         More... more)
  {
    return CUB_NS_QUALIFIER::DeviceRadixSort::SortPairsDescending(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                                                  d_values_in, d_values_out, num_items, more...);
  }
  template <class Key, class Value, class NumItems, class... More, reheat::device_wide::if_cubs_sort<Key, More...> = 0>
  static cudaError_t SortPairsDescending(void* d_temp_storage, std::size_t& temp_storage_bytes, DoubleBuffer<Key>& d_keys,
                                         DoubleBuffer<Value>& d_values, NumItems num_items, More... more)
  {
    return CUB_NS_QUALIFIER::DeviceRadixSort::SortPairsDescending(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                                                  num_items, more...);
  }
};
#endif

} // namespace drop_in_cub
REHEAT_NAMESPACE_END
