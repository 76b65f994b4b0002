// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How one thread scans the items that it owns.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/thread/byte_sums.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Visits a thread's items in order and makes each what the scan gives for it, with what `fold` holds on its left.
template <scan_kind Kind, class T, class Op, class Fold = optional_accumulator<T>>
struct item_scanner
{
  Fold& fold;
  unsigned count; //!< of items that will be visited
  Op& op;

  REHEAT_DEVICE void operator()(T& item, unsigned i) const
  {
    if constexpr (Kind == scan_kind::inclusive)
    {
      fold.append(item, op);
      item = fold.value.get();
    }
    else
    {
      const T own(item);
      item = fold.value.get();
      if (i + 1 < count)
      {
        fold.append(own, op);
      }
    }
  }
};

//! Whether a thread's bytes are added by the word.
template <class Op, class T, unsigned ItemsPerThread>
inline constexpr bool adds_bytes_of_vec16_v = adds_bytes_v<Op, T>&& walks_in_vec16_v<T, ItemsPerThread>;

//! A thread scans the first `count` of its items where they are, each with what `fold` holds on its left.
template <scan_kind Kind, unsigned ItemsPerThread, class T, class Op>
REHEAT_DEVICE void scan_items(T* items, unsigned count, optional_accumulator<T>& fold, Op& op)
{
  if constexpr (adds_bytes_of_vec16_v<Op, T, ItemsPerThread>)
  {
    if (count == ItemsPerThread)
    {
      unsigned sum = fold.has ? static_cast<unsigned>(fold.value.get()) : 0u;
      REHEAT_UNROLL
      for (unsigned p = 0; p < ItemsPerThread / sizeof(vec16); ++p)
      {
        vec16 bytes = reinterpret_cast<const vec16*>(items)[p];
        sum = scan_bytes_of<Kind == scan_kind::inclusive>(bytes, sum);
        reinterpret_cast<vec16*>(items)[p] = bytes;
      }
      return;
    }
  }
  walk_items<true, ItemsPerThread>(items, count, item_scanner<Kind, T, Op>{fold, count, op});
}

} // namespace detail
REHEAT_NAMESPACE_END
