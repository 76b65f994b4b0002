// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every form of call that CUB of CCCL 3.5 takes, of selections those of `Unique` and `UniqueByKey`. Nothing is called: the
//! compiler only chooses an overload.
#pragma once

#include <reheat/device.cuh>

#include <cub/util_type.cuh>

#include <cuda/argument>
#include <cuda/stream_ref>

#include <cstddef>
#include <cstdint>

namespace compat
{

struct form_less
{
  REHEAT_HOST_DEVICE bool operator()(int x, int y) const { return x < y; }
};
struct form_negate
{
  REHEAT_HOST_DEVICE int operator()(int x) const { return -x; }
};

#define REHEAT_FORM(...) static_cast<void>(sizeof(__VA_ARGS__))

//! In one phase, with environments or with none; `NumItems`: the type of the number of items.
template <class Reduce, class Scan, class Select, class NumItems, class... Env>
void forms_in_one_phase(const Env&... env)
{
  const int* in = nullptr;
  int *out = nullptr, *runs = nullptr;
  std::int64_t* at = nullptr;
  const NumItems n = 1;
  const ::cuda::std::plus<> op;
  const ::cuda::std::equal_to<> same;
  const ::cub::FutureValue<int> future(out);
  const ::cuda::args::deferred<const int*> later(in);
  REHEAT_FORM(Reduce::Reduce(in, out, n, op, 0, env...));
  REHEAT_FORM(Reduce::Sum(in, out, n, env...));
  REHEAT_FORM(Reduce::Min(in, out, n, env...));
  REHEAT_FORM(Reduce::Max(in, out, n, env...));
  REHEAT_FORM(Reduce::ArgMin(in, out, at, n, env...));
  REHEAT_FORM(Reduce::ArgMax(in, out, at, n, env...));
  REHEAT_FORM(Reduce::ArgMin(in, out, at, n, form_less{}, env...));
  REHEAT_FORM(Reduce::ArgMax(in, out, at, n, form_less{}, env...));
  REHEAT_FORM(Reduce::TransformReduce(in, out, n, op, form_negate{}, 0, env...));
  REHEAT_FORM(Reduce::ReduceByKey(in, out, in, out, runs, op, n, env...));
  REHEAT_FORM(Scan::ExclusiveSum(in, out, n, env...));
  REHEAT_FORM(Scan::InclusiveSum(in, out, n, env...));
  REHEAT_FORM(Scan::ExclusiveScan(in, out, op, 0, n, env...));
  REHEAT_FORM(Scan::ExclusiveScan(in, out, op, future, n, env...));
  REHEAT_FORM(Scan::InclusiveScan(in, out, op, n, env...));
  REHEAT_FORM(Scan::InclusiveScanInit(in, out, op, 0, n, env...));
  REHEAT_FORM(Scan::InclusiveScanInit(in, out, op, later, n, env...));
  REHEAT_FORM(Scan::ExclusiveSum(out, n, env...));
  REHEAT_FORM(Scan::InclusiveSum(out, n, env...));
  REHEAT_FORM(Scan::ExclusiveScan(out, op, 0, n, env...));
  REHEAT_FORM(Scan::ExclusiveScan(out, op, future, n, env...));
  REHEAT_FORM(Scan::InclusiveScan(out, op, n, env...));
  REHEAT_FORM(Scan::ExclusiveSumByKey(in, in, out, n, same, env...));
  REHEAT_FORM(Scan::InclusiveSumByKey(in, in, out, n, same, env...));
  REHEAT_FORM(Scan::ExclusiveScanByKey(in, in, out, op, 0, n, same, env...));
  REHEAT_FORM(Scan::InclusiveScanByKey(in, in, out, op, n, same, env...));
  REHEAT_FORM(Scan::ExclusiveSumByKey(in, in, out, n));
  REHEAT_FORM(Scan::InclusiveSumByKey(in, in, out, n));
  REHEAT_FORM(Scan::ExclusiveScanByKey(in, in, out, op, 0, n));
  REHEAT_FORM(Scan::InclusiveScanByKey(in, in, out, op, n));
  REHEAT_FORM(Select::Unique(in, out, runs, n, env...));
  REHEAT_FORM(Select::Unique(in, out, runs, n, same, env...));
  REHEAT_FORM(Select::Unique(out, runs, n, env...));
  REHEAT_FORM(Select::Unique(out, runs, n, same, env...));
  REHEAT_FORM(Select::UniqueByKey(in, in, out, out, runs, n, env...));
  REHEAT_FORM(Select::UniqueByKey(in, in, out, out, runs, n, same, env...));
}

//! In two phases, with a stream or with none. ArgMin, ArgMax, Unique and UniqueByKey take any environment as
//! the stream.
template <class Reduce, class Scan, class Select, class NumItems, class Memory, class... Stream>
void forms_in_two_phases(Memory memory, const Stream&... stream)
{
  std::size_t bytes = 0;
  const int* in = nullptr;
  int *out = nullptr, *runs = nullptr;
  std::int64_t* at = nullptr;
  ::cub::KeyValuePair<int, int>* pair = nullptr;
  const NumItems n = 1;
  const ::cuda::std::plus<> op;
  const ::cuda::std::equal_to<> same;
  const ::cub::FutureValue<int> future(out);
  const ::cuda::args::deferred<const int*> later(in);
  const ::cuda::std::execution::env<> env;
  REHEAT_FORM(Reduce::Reduce(memory, bytes, in, out, n, op, 0, stream...));
  REHEAT_FORM(Reduce::Sum(memory, bytes, in, out, n, stream...));
  REHEAT_FORM(Reduce::Min(memory, bytes, in, out, n, stream...));
  REHEAT_FORM(Reduce::Max(memory, bytes, in, out, n, stream...));
  REHEAT_FORM(Reduce::ArgMin(memory, bytes, in, pair, 1, stream...));
  REHEAT_FORM(Reduce::ArgMax(memory, bytes, in, pair, 1, stream...));
  REHEAT_FORM(Reduce::ArgMin(memory, bytes, in, out, at, n, stream...));
  REHEAT_FORM(Reduce::ArgMax(memory, bytes, in, out, at, n, stream...));
  REHEAT_FORM(Reduce::ArgMin(memory, bytes, in, out, at, n, form_less{}, stream...));
  REHEAT_FORM(Reduce::ArgMax(memory, bytes, in, out, at, n, form_less{}, stream...));
  REHEAT_FORM(Reduce::ArgMin(memory, bytes, in, out, at, n, env));
  REHEAT_FORM(Reduce::ArgMax(memory, bytes, in, out, at, n, env));
  REHEAT_FORM(Reduce::ArgMin(memory, bytes, in, out, at, n, form_less{}, env));
  REHEAT_FORM(Reduce::ArgMax(memory, bytes, in, out, at, n, form_less{}, env));
  REHEAT_FORM(Reduce::TransformReduce(memory, bytes, in, out, n, op, form_negate{}, 0, stream...));
  REHEAT_FORM(Reduce::ReduceByKey(memory, bytes, in, out, in, out, runs, op, n, stream...));
  REHEAT_FORM(Scan::ExclusiveSum(memory, bytes, in, out, n, stream...));
  REHEAT_FORM(Scan::InclusiveSum(memory, bytes, in, out, n, stream...));
  REHEAT_FORM(Scan::ExclusiveScan(memory, bytes, in, out, op, 0, n, stream...));
  REHEAT_FORM(Scan::ExclusiveScan(memory, bytes, in, out, op, future, n, stream...));
  REHEAT_FORM(Scan::InclusiveScan(memory, bytes, in, out, op, n, stream...));
  REHEAT_FORM(Scan::InclusiveScanInit(memory, bytes, in, out, op, 0, n, stream...));
  REHEAT_FORM(Scan::InclusiveScanInit(memory, bytes, in, out, op, later, n, stream...));
  REHEAT_FORM(Scan::ExclusiveSum(memory, bytes, out, n, stream...));
  REHEAT_FORM(Scan::InclusiveSum(memory, bytes, out, n, stream...));
  REHEAT_FORM(Scan::ExclusiveScan(memory, bytes, out, op, 0, n, stream...));
  REHEAT_FORM(Scan::ExclusiveScan(memory, bytes, out, op, future, n, stream...));
  REHEAT_FORM(Scan::InclusiveScan(memory, bytes, out, op, n, stream...));
  REHEAT_FORM(Scan::ExclusiveSumByKey(memory, bytes, in, in, out, n));
  REHEAT_FORM(Scan::InclusiveSumByKey(memory, bytes, in, in, out, n));
  REHEAT_FORM(Scan::ExclusiveScanByKey(memory, bytes, in, in, out, op, 0, n));
  REHEAT_FORM(Scan::InclusiveScanByKey(memory, bytes, in, in, out, op, n));
  REHEAT_FORM(Scan::ExclusiveSumByKey(memory, bytes, in, in, out, n, same, stream...));
  REHEAT_FORM(Scan::InclusiveSumByKey(memory, bytes, in, in, out, n, same, stream...));
  REHEAT_FORM(Scan::ExclusiveScanByKey(memory, bytes, in, in, out, op, 0, n, same, stream...));
  REHEAT_FORM(Scan::InclusiveScanByKey(memory, bytes, in, in, out, op, n, same, stream...));
  REHEAT_FORM(Select::Unique(memory, bytes, in, out, runs, n, stream...));
  REHEAT_FORM(Select::Unique(memory, bytes, in, out, runs, n, same, stream...));
  REHEAT_FORM(Select::Unique(memory, bytes, out, runs, n, stream...));
  REHEAT_FORM(Select::Unique(memory, bytes, out, runs, n, same, stream...));
  REHEAT_FORM(Select::UniqueByKey(memory, bytes, in, in, out, out, runs, n, stream...));
  REHEAT_FORM(Select::UniqueByKey(memory, bytes, in, in, out, out, runs, n, same, stream...));
  REHEAT_FORM(Select::Unique(memory, bytes, in, out, runs, n, env));
  REHEAT_FORM(Select::Unique(memory, bytes, in, out, runs, n, same, env));
  REHEAT_FORM(Select::Unique(memory, bytes, out, runs, n, env));
  REHEAT_FORM(Select::Unique(memory, bytes, out, runs, n, same, env));
  REHEAT_FORM(Select::UniqueByKey(memory, bytes, in, in, out, out, runs, n, env));
  REHEAT_FORM(Select::UniqueByKey(memory, bytes, in, in, out, out, runs, n, same, env));
}

#undef REHEAT_FORM

template <class Reduce, class Scan, class Select>
void all_forms()
{
  const cudaStream_t stream = nullptr;
  forms_in_one_phase<Reduce, Scan, Select, int>();
  forms_in_one_phase<Reduce, Scan, Select, std::size_t>(stream);
  forms_in_one_phase<Reduce, Scan, Select, unsigned short>(::cuda::stream_ref(stream));
  forms_in_one_phase<Reduce, Scan, Select, std::int64_t>(
      ::cuda::execution::require(::cuda::execution::determinism::run_to_run));
  forms_in_two_phases<Reduce, Scan, Select, int>(static_cast<void*>(nullptr));
  forms_in_two_phases<Reduce, Scan, Select, std::size_t>(static_cast<void*>(nullptr), stream);
  forms_in_two_phases<Reduce, Scan, Select, int>(nullptr);
  forms_in_two_phases<Reduce, Scan, Select, std::int64_t>(nullptr, stream);
  forms_in_two_phases<Reduce, Scan, Select, unsigned>(static_cast<char*>(nullptr));
  forms_in_two_phases<Reduce, Scan, Select, int>(static_cast<unsigned char*>(nullptr), stream);
}

} // namespace compat
