// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where a reduction leaves its result: in memory that holds nothing yet, or through an output iterator of any kind, to
//! whose value type a count is converted, or through two of them.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/result.cuh>
#include <reheat/detail/reduce/extremum.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Whether kernels may construct a T in what the iterator points to.
template <class OutputIt, class T>
inline constexpr bool is_plain_memory_of_v = std::is_same_v<OutputIt, T*>&& is_bitwise_copyable_v<T>;

//! An output that is assigned to.
template <class OutputIt>
struct assigned_result
{
  OutputIt out;
};
template <class OutputIt, class From>
REHEAT_DEVICE void store_result(assigned_result<OutputIt>& where, const From& from)
{
  *where.out = from;
}

//! The output of a count, which is converted to its value type.
template <class CountIt>
struct count_result
{
  CountIt out;
};
template <class CountIt>
REHEAT_DEVICE void store_result(count_result<CountIt>& where, std::uint64_t count)
{
  *where.out = static_cast<count_of<CountIt>>(count);
}

//! The outputs of an extremum: its value and its index.
template <class ValueIt, class IndexIt>
struct extremum_result
{
  ValueIt value_out;
  IndexIt index_out;
};
template <class ValueIt, class IndexIt, class T>
REHEAT_DEVICE void store_result(extremum_result<ValueIt, IndexIt>& where, const candidate<T>& found)
{
  *where.value_out = found.value;
  *where.index_out = static_cast<std::int64_t>(found.index);
}

//! *out = init, what a reduction of nothing gives. One thread.
template <class Init, class Result>
REHEAT_KERNEL(1)
store_init_kernel(Result result, Init init)
{
  store_result(result, init.load());
}

} // namespace detail
REHEAT_NAMESPACE_END
