// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Results that stay on the device: how a reduction's kernel reaches an output iterator, still in one launch. Kernels
//! construct their result in memory that holds nothing yet; an output may be an iterator of any kind, or hold objects.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/result.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/value.cuh>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Whether kernels may construct a T in what the iterator points to.
template <class OutputIt, class T>
inline constexpr bool is_plain_memory_of_v = std::is_same_v<OutputIt, T*>&& is_bitwise_copyable_v<T>;

//! Takes the place of the initial value and of the result. Copying it touches no memory.
struct assigned
{
  REHEAT_HOST_DEVICE assigned() {}
  REHEAT_HOST_DEVICE assigned(const assigned&) {}
};

//! As Op; but with `assigned` as left operand it stores *out = init ⊕ right. Kernels do that once, in one thread.
template <class Op, class Init, class OutputIt>
struct assigning_op
{
  Op op;
  Init init;
  OutputIt out;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Left, class Right>
  REHEAT_HOST_DEVICE auto operator()(Left&& left, Right&& right)
  {
    if constexpr (std::is_same_v<std::decay_t<Left>, assigned>)
    {
      *out = op(init.load(), static_cast<Right&&>(right));
      return assigned();
    }
    else
    {
      return op(static_cast<Left&&>(left), static_cast<Right&&>(right));
    }
  }
};
template <class Op, class Init, class OutputIt>
inline constexpr bool is_commutative_functor_v<assigning_op<Op, Init, OutputIt>> = is_commutative_functor_v<Op>;

//! *out = init, what a reduction of nothing gives. One thread.
template <class Init, class OutputIt>
REHEAT_KERNEL(1)
store_init_kernel(OutputIt out, Init init)
{
  if constexpr (is_plain_memory_of_v<OutputIt, typename Init::type>)
  {
    store_result(out, init.load());
  }
  else
  {
    *out = init.load();
  }
}

} // namespace detail
REHEAT_NAMESPACE_END
