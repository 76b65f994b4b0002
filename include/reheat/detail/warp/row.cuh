// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Rows of items in registers: each of a warp's 32 lanes holds neighbouring items, in the order of lanes.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Some neighbours of a lane's items.
struct item_range
{
  unsigned first, behind;

  REHEAT_DEVICE unsigned count() const { return behind - first; }
  REHEAT_DEVICE bool has(unsigned item) const { return item >= first && item < behind; }
};

//! One lane's items of a row: as many as fill 16 bytes, or one if no whole number does. Between walks they stay packed, with
//! four bytes in a register.
template <class T>
class row_items
{
  static constexpr bool in_vec16 = fills_vec16_v<T>;

public:
  static constexpr unsigned per_lane = in_vec16 ? 16 / sizeof(T) : 1;

  //! Loads the first `count` items from in[index …]. `aligned`: `in` is a pointer, and full vectors are aligned.
  template <class It>
  REHEAT_DEVICE void load(It& in, bool aligned, std::uint64_t index, unsigned count)
  {
    load(in, aligned, index, item_range{0, count});
  }
  //! Loads items `range`; item 0 is in[index].
  template <class It>
  REHEAT_DEVICE void load(It& in, bool aligned, std::uint64_t index, const item_range& range)
  {
    if constexpr (in_vec16 && moves_in_vec16_v<It, T>)
    {
      if (aligned && range.count() == per_lane)
      {
        held_ = *reinterpret_cast<const vec16*>(in + index);
        return;
      }
    }
    if constexpr (in_vec16 && widens_v<It, T>)
    {
      if (aligned && range.count() == per_lane)
      {
        using piece = widened_piece<std::remove_const_t<std::remove_pointer_t<It>>, T>;
        held_ = reinterpret_cast<const piece*>(in + index)->widened();
        return;
      }
    }
    uninitialized<T> item[per_lane];
    REHEAT_UNROLL
    for (unsigned i = 0; i < per_lane; ++i)
    {
      if (range.has(i))
      {
        item[i].construct(read_item(in, index + i));
      }
    }
    memcpy(static_cast<void*>(&held_), item, sizeof(held_));
  }

  //! Stores the first `count` items to out[index …], each of which is assigned once. `aligned` is load's.
  template <class It>
  REHEAT_DEVICE void store(It& out, bool aligned, std::uint64_t index, unsigned count)
  {
    if (store_vector(out, aligned, index, count))
    {
      return;
    }
    walk<false>(count, [&](const T& item, unsigned i) { out[static_cast<index_of<It>>(index + i)] = item; });
  }
  //! Stores items `range`; item 0 goes to out[index].
  template <class It>
  REHEAT_DEVICE void store(It& out, bool aligned, std::uint64_t index, const item_range& range)
  {
    if (store_vector(out, aligned, index, range.count()))
    {
      return;
    }
    walk<false>(range, [&](const T& item, unsigned i) { out[static_cast<index_of<It>>(index + i)] = item; });
  }

  //! Calls `visit(item, i)` for the first `count` items in order. `Writes`: visit may change items.
  template <bool Writes, class Visit>
  REHEAT_DEVICE void walk(unsigned count, Visit&& visit)
  {
    uninitialized<T> item[per_lane];
    memcpy(static_cast<void*>(item), &held_, sizeof(held_));
    if (count == per_lane)
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < per_lane; ++i)
      {
        visit(item[i].get(), i);
      }
    }
    else if (count != 0)
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i + 1 < per_lane; ++i)
      {
        if (i < count)
        {
          visit(item[i].get(), i);
        }
      }
    }
    if constexpr (Writes)
    {
      memcpy(static_cast<void*>(&held_), item, sizeof(held_));
    }
  }
  //! The same for items `range`.
  template <bool Writes, class Visit>
  REHEAT_DEVICE void walk(const item_range& range, Visit&& visit)
  {
    uninitialized<T> item[per_lane];
    memcpy(static_cast<void*>(item), &held_, sizeof(held_));
    REHEAT_UNROLL
    for (unsigned i = 0; i < per_lane; ++i)
    {
      if (range.has(i))
      {
        visit(item[i].get(), i);
      }
    }
    if constexpr (Writes)
    {
      memcpy(static_cast<void*>(&held_), item, sizeof(held_));
    }
  }

private:
  template <class It>
  REHEAT_DEVICE bool store_vector(It& out, bool aligned, std::uint64_t index, unsigned count)
  {
    if constexpr (in_vec16 && moves_in_vec16_v<It, T>)
    {
      if (aligned && count == per_lane)
      {
        *reinterpret_cast<vec16*>(out + index) = held_;
        return true;
      }
    }
    return false;
  }

  std::conditional_t<in_vec16, vec16, uninitialized<T>> held_;
};

} // namespace detail
REHEAT_NAMESPACE_END
