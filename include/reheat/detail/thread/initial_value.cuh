// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where a reduction or a scan begins. Kernels call load() after the launch's dependency wait.
#pragma once

#include <reheat/detail/config.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! An initial value that the host knows.
template <class T>
struct init_value
{
  using type = T;
  T value;
  REHEAT_DEVICE T& load() { return value; }
  REHEAT_DEVICE const T& load() const { return value; }
};
//! An initial value in memory, or behind any iterator, which earlier work on the stream may still have to write. It is read
//! when the kernel needs it, and dereferenced on the device alone. (CUB: FutureValue.)
template <class T, class It>
struct future_init_value
{
  using type = T;
  It place;
  REHEAT_DEVICE T load() const { return static_cast<T>(*place); }
};

//! No initial value: the result is the fold of the items, of which there is one at least.
template <class T>
struct no_initial_value
{
  using type = T;
};

//! init ⊕ fold.
template <class Init, class Fold, class Op>
REHEAT_DEVICE decltype(auto) with_initial_value(Init& init, Fold& fold, Op& op)
{
  return op(init.load(), fold);
}
template <class T, class Fold, class Op>
REHEAT_DEVICE Fold& with_initial_value(no_initial_value<T>&, Fold& fold, Op&)
{
  return fold;
}

} // namespace detail
REHEAT_NAMESPACE_END
