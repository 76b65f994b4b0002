// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A thread's part of a tile that is searched: vectors of terms (reduce/mapped_input.cuh), each of which is a hit or none.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/search/neighbours.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The index of no item.
inline constexpr std::uint64_t no_item = ~std::uint64_t{0};

//! The thread's vectors of a tile. Vector p of all threads make a row. Of neighbours, each warp has rows of its own, so that
//! the item behind a vector is in the same warp, but for the last one of all, which is loaded once more.
template <class Terms, unsigned Vectors>
class searched_vectors
{
  static constexpr unsigned vector_items = Terms::vector_items;
  static constexpr bool pairs = are_neighbours_v<Terms>;
  static constexpr bool holds = Terms::packable; // other items are loaded when they are tested
  static_assert(Vectors * vector_items <= 32, "a thread has a bit for each of its items");
  struct nothing
  {};
  struct nothing_held
  {
    using loaded = nothing;
    using value = nothing;
  };
  using loaded = typename std::conditional_t<holds, Terms, nothing_held>::loaded;
  using next_item =
      std::conditional_t<holds && pairs, uninitialized<typename std::conditional_t<pairs, Terms, nothing_held>::value>,
                         nothing>;

public:
  REHEAT_DEVICE explicit searched_vectors(unsigned threads)
      : step_(pairs ? simt::warp_lanes : threads),
        first_(pairs ? simt::warp_index() * simt::warp_lanes * Vectors + simt::lane_index() : simt::thread_index())
  {}

  //! Loads the vectors of the tile that begins at item `begin`.
  template <bool Aligned>
  REHEAT_DEVICE void load(Terms& terms, std::uint64_t begin)
  {
    begin_ = begin;
    if constexpr (holds)
    {
      REHEAT_UNROLL
      for (unsigned p = 0; p < Vectors; ++p)
      {
        terms.load(Aligned, begin + offset(p), held_[p]);
      }
      if constexpr (pairs)
      {
        if (simt::lane_index() == simt::warp_lanes - 1)
        {
          terms.load_next(begin + offset(Vectors - 1), next_);
        }
      }
    }
  }
  //! Returns the index of the first hit, or no_item. All lanes of the warp have called load, and call.
  REHEAT_DEVICE std::uint64_t first_hit(Terms& terms)
  {
    unsigned hits = 0;
    REHEAT_UNROLL
    for (unsigned p = 0; p < Vectors; ++p)
    {
      if constexpr (holds && pairs)
      {
        next_item next;
        Terms::exchange_first(held_[p], held_[p + 1 < Vectors ? p + 1 : p], next);
        if (p + 1 == Vectors && simt::lane_index() == simt::warp_lanes - 1 &&
            !simt::fault_active(simt::fault::compare_with_itself))
        {
          next = next_;
        }
        terms.visit(held_[p], next, marker(hits, p));
      }
      else if constexpr (holds)
      {
        terms.visit(held_[p], 0u, marker(hits, p));
      }
      else
      {
        terms.visit_part(begin_ + offset(p), 0u, vector_items, marker(hits, p));
      }
    }
    return index_of_first(hits);
  }

  //! Loads and tests the thread's vectors of a tile of `valid` items. Each thread may call by itself.
  template <bool Aligned>
  REHEAT_DEVICE std::uint64_t first_hit_of_part(Terms& terms, std::uint64_t begin, unsigned valid)
  {
    begin_ = begin;
    next_item next[Vectors];
    REHEAT_UNROLL
    for (unsigned p = 0; p < Vectors; ++p)
    {
      if constexpr (holds)
      {
        if (offset(p) + vector_items <= valid)
        {
          terms.load(Aligned, begin + offset(p), held_[p]);
          if constexpr (pairs)
          {
            terms.load_next(begin + offset(p), next[p]);
          }
        }
      }
    }
    unsigned hits = 0;
    REHEAT_UNROLL
    for (unsigned p = 0; p < Vectors; ++p)
    {
      const unsigned left = offset(p) < valid ? valid - offset(p) : 0;
      const bool whole = left >= vector_items;
      if (holds && whole)
      {
        if constexpr (holds && pairs)
        {
          terms.visit(held_[p], next[p], marker(hits, p));
        }
        else if constexpr (holds)
        {
          terms.visit(held_[p], 0u, marker(hits, p));
        }
      }
      else if (whole || !simt::fault_active(simt::fault::lose_last_items))
      {
        terms.visit_part(begin + offset(p), 0u, whole ? vector_items : left, marker(hits, p));
      }
    }
    return index_of_first(hits);
  }

private:
  //! Where vector `p` stands in the tile.
  REHEAT_DEVICE unsigned offset(unsigned p) const { return (first_ + p * step_) * vector_items; }

  //! Sets the bit of each term of vector `p` that is a hit. Terms come in order.
  REHEAT_DEVICE static auto marker(unsigned& hits, unsigned p)
  {
    return [&hits, bit = 1u << p * vector_items](bool hit) mutable
    {
      hits |= hit ? bit : 0;
      bit <<= 1;
    };
  }
  REHEAT_DEVICE std::uint64_t index_of_first(unsigned hits) const
  {
    if (hits == 0)
    {
      return no_item;
    }
    const unsigned lowest = simt::fault_active(simt::fault::last_of_thread) ? hits : hits & (~hits + 1);
    const unsigned bit = simt::highest_one(lowest);
    return begin_ + offset(bit / vector_items) + bit % vector_items;
  }

  std::uint64_t begin_ = 0;
  unsigned step_, first_; // in vectors
  loaded held_[Vectors];
  next_item next_; //!< the last lane's, behind its last vector
};

} // namespace detail
REHEAT_NAMESPACE_END
