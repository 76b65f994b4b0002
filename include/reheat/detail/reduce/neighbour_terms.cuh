// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Pairs of neighbouring items as the terms of a reduction.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/mapped_input.cuh>
#include <reheat/detail/reduce/tuning.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/packed.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The terms map(in[i], in[i + 1]). A thread loads a vector of items and the item behind it, so the first item of each
//! vector is read twice, and the others once.
template <class It, class Map>
struct neighbour_terms
{
  using value = value_of<It>;
  static constexpr unsigned vector_items = mapped_vector_items_v<value>;
  static constexpr vector_kind kind = vector_kind::zipped;
  static constexpr bool may_be_aligned = loads_at_once_v<It, vector_items>;
  static constexpr bool packable = is_packable_v<value>;
  struct loaded
  {
    packed<value, vector_items> items;
    uninitialized<value> behind;
  };

  It in;
  bool is_aligned; //!< `in` is a pointer, aligned to 16 bytes
  Map map;

  REHEAT_DEVICE bool aligned() const { return is_aligned; }

  REHEAT_DEVICE void load(bool aligned, std::uint64_t first, loaded& held)
  {
    held.items.load(in, aligned, first);
    held.behind.construct(read_item(in, first + vector_items));
  }
  template <class Index, class Visit>
  REHEAT_DEVICE void visit(const loaded& held, Index, Visit visit)
  {
    uninitialized<value> item[vector_items];
    held.items.unpack(item);
    visit_pairs(item, held.behind, vector_items, visit);
  }
  template <class Index, class Visit>
  REHEAT_DEVICE void visit_part(std::uint64_t first, Index, unsigned count, Visit visit)
  {
    uninitialized<value> item[vector_items], behind;
    load_vector<vector_items>(in, is_aligned, first, count, item);
    behind.construct(read_item(in, first + count));
    visit_pairs(item, behind, count, visit);
  }

private:
  template <class Visit>
  REHEAT_DEVICE void visit_pairs(const uninitialized<value> (&item)[vector_items], const uninitialized<value>& behind,
                                 unsigned count, Visit visit)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < vector_items; ++i)
    {
      if (i < count)
      {
        visit(map(item[i].get(), i + 1 < vector_items && i + 1 < count ? item[i + 1].get() : behind.get()));
      }
    }
  }
};

} // namespace detail
REHEAT_NAMESPACE_END
