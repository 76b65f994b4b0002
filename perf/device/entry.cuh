// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a call that is written once becomes an entry, by reheat and by CUB.
#pragma once

#include "common/items.cuh"
#include "device/calls.hpp"

#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cub/util_type.cuh>

#include <reheat/device.cuh>
#include <reheat/reheat.cuh>

#include <cuda/functional>
#include <cuda/std/functional>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf::device_wide
{

struct reheat_calls
{
  using reduce = ::reheat::DeviceReduce;
  using scan = ::reheat::DeviceScan;
  using select = ::reheat::DeviceSelect;
  using partition = ::reheat::DevicePartition;
  using run_lengths = ::reheat::DeviceRunLengthEncode;
};
struct cub_calls
{
  using reduce = ::cub::DeviceReduce;
  using scan = ::cub::DeviceScan;
  using select = ::cub::DeviceSelect;
  using partition = ::cub::DevicePartition;
  using run_lengths = ::cub::DeviceRunLengthEncode;
};

//! A call whose pointers have types.
template <class In, class Out>
struct typed_call
{
  explicit typed_call(call& untyped)
      : in(static_cast<const In*>(untyped.in)), last(in + untyped.items),
        keys(static_cast<const std::int32_t*>(untyped.keys)), keys_last(keys + untyped.items),
        flags(static_cast<const unsigned char*>(untyped.keys)), second_out(static_cast<std::int32_t*>(untyped.second_out)),
        count_out(static_cast<std::int32_t*>(untyped.segments_out)), out(static_cast<Out*>(untyped.out)), temp(untyped.temp),
        temp_bytes(untyped.temp_bytes), items(untyped.items), stream(untyped.stream), raw(untyped)
  {}

  const In *in, *last;
  const std::int32_t *keys, *keys_last;
  const unsigned char* flags;
  std::int32_t *second_out, *count_out;
  Out* out;
  void* temp;
  std::size_t& temp_bytes;
  int items;
  cudaStream_t stream;
  call& raw;

  auto policy() const { return ::reheat::par_nosync.on(stream); }
};

inline void check_call(cudaError_t status, const char* who, const std::string& name)
{
  if (status != cudaSuccess)
  {
    (void)cudaGetLastError();
    throw std::runtime_error(std::string(who) + "::" + name + " failed: " + cudaGetErrorString(status));
  }
}

//! An entry point, with items of type `In` and outputs of type `Out`. call(api, typed_call) is made of reheat_calls and of
//! cub_calls.
template <type In, type Out, class Call>
entry& add_entry(std::vector<entry>& all, const std::string& name, const std::string& variant, const std::string& types,
                 const shape& what, bool on_the_host_clocks, Call make)
{
  using typed = typed_call<item_t<In>, item_t<Out>>;
  entry made{name + (variant.empty() ? "" : "/" + variant), types, what, on_the_host_clocks};
  made.by(implementation::reheat) = [make, name](call& c) { check_call(make(reheat_calls{}, typed(c)), "reheat", name); };
  made.by(implementation::cub) = [make, name](call& c) { check_call(make(cub_calls{}, typed(c)), "cub", name); };
  all.push_back(std::move(made));
  return all.back();
}

//! The policy's call of the entry: make(typed_call) enqueues it.
template <type In, type Out, class Call>
void set_policy(entry& to, Call make)
{
  using typed = typed_call<item_t<In>, item_t<Out>>;
  to.by(implementation::policy) = [make](call& c) { make(typed(c)); };
}

} // namespace perf::device_wide
