// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where a segmented reduction leaves its results: the sinks of segmented/kernel.cuh.
#pragma once

#include <reheat/detail/config.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! out[segment] = init ⊕ fold; of an empty segment init.
template <class OutputIt, class T, class Op>
struct segment_folds
{
  OutputIt out;
  T init;
  Op op;

  template <class Accum>
  REHEAT_DEVICE void store(std::uint64_t segment, const Accum& fold, std::uint64_t)
  {
    out[static_cast<std::ptrdiff_t>(segment)] = op(init, fold);
  }
  REHEAT_DEVICE void store_empty(std::uint64_t segment) { out[static_cast<std::ptrdiff_t>(segment)] = init; }
  //! A value that takes the place of a fold of nothing.
  template <class Accum>
  REHEAT_DEVICE Accum placeholder() const
  {
    return static_cast<Accum>(init);
  }
};

} // namespace detail
REHEAT_NAMESPACE_END
