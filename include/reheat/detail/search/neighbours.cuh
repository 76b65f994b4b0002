// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Pairs of neighbouring items, as a search takes them: in vectors, with the item behind each.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/mapped_input.cuh>
#include <reheat/detail/reduce/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/packed.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The terms map(in[i], in[i + 1]). Term i belongs to the vector of item i.
template <class It, class Map>
struct neighbour_items
{
  using value = value_of<It>;
  static constexpr unsigned vector_items = mapped_vector_items_v<value>;
  static constexpr vector_kind kind = vector_kind::mapped;
  static constexpr bool may_be_aligned = loads_at_once_v<It, vector_items>;
  static constexpr bool packable = is_packable_v<value>;
  using loaded = packed<value, vector_items>;

  It in;
  bool is_aligned; //!< `in` is a pointer, aligned to 16 bytes
  Map map;

  REHEAT_DEVICE bool aligned() const { return is_aligned; }

  REHEAT_DEVICE void load(bool aligned, std::uint64_t first, loaded& held) { held.load(in, aligned, first); }
  //! Loads the item behind a vector.
  REHEAT_DEVICE void load_next(std::uint64_t first, uninitialized<value>& next)
  {
    next.construct(read_item(in, first + vector_items));
  }
  //! Gives the lane the item behind its vector: the first one of the next lane's, and of the last lane's that of the first
  //! lane's vector in `following`, the warp's next row of vectors. All lanes call.
  REHEAT_DEVICE static void exchange_first(const loaded& held, const loaded& following, uninitialized<value>& next)
  {
    uninitialized<value> own[vector_items], later[vector_items];
    held.unpack(own);
    following.unpack(later);
    if (simt::lane_index() == 0 && !simt::fault_active(simt::fault::compare_with_itself))
    {
      own[0] = later[0];
    }
    next = simt::shuffle(own[0], (simt::lane_index() + 1) % simt::warp_lanes);
  }

  template <class Visit>
  REHEAT_DEVICE void visit(const loaded& held, const uninitialized<value>& next, Visit visit)
  {
    uninitialized<value> item[vector_items];
    held.unpack(item);
    REHEAT_UNROLL
    for (unsigned i = 0; i < vector_items; ++i)
    {
      visit(map(item[i].get(), i + 1 < vector_items ? item[i + 1].get() : next.get()));
    }
  }
  //! Of the items [first, first + count).
  template <class Index, class Visit>
  REHEAT_DEVICE void visit_part(std::uint64_t first, Index, unsigned count, Visit visit)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < vector_items; ++i)
    {
      if (i < count)
      {
        const value item = read_item(in, first + i), next = read_item(in, first + i + 1);
        visit(map(item, next));
      }
    }
  }
};

//! Whether terms are pairs of neighbouring items.
template <class Terms>
inline constexpr bool are_neighbours_v = false;
template <class It, class Map>
inline constexpr bool are_neighbours_v<neighbour_items<It, Map>> = true;

} // namespace detail
REHEAT_NAMESPACE_END
