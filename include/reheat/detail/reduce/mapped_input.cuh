// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Inputs of reductions over mapped items. The results of the functor are called *terms*.
//!
//! A vector is as many neighbouring items as 16 bytes hold, so that one access reads them. A thread folds a vector's terms
//! from the left to one value, which may have a wider type. Only that value passes through the reduction's core. Vectors
//! count from item 0 whatever the alignment, so results do not depend on it. Commutative reductions take the vectors
//! themselves as their input; ordered ones take one value per vector.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/reduce/tuning.cuh>
#include <reheat/detail/reduce/vector_input.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/packed.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The number of Ts in a vector.
template <class T>
inline constexpr unsigned mapped_vector_items_v = sizeof(T) >= 16 ? 1 : static_cast<unsigned>(16 / sizeof(T));

//! Calls visit(map(item[i], first + i)) for the first `count` items of a vector. The map may take its item as a T&.
template <class Map, class T, unsigned Items, class Index, class Visit>
REHEAT_DEVICE void visit_terms(Map& map, uninitialized<T> (&item)[Items], Index first, unsigned count, Visit visit)
{
  const unsigned reversed = simt::fault_active(simt::fault::reversed_run) ? count - 1 : 0;
  const unsigned step = simt::fault_active(simt::fault::index_of_run) ? 0 : 1;
  REHEAT_UNROLL
  for (unsigned i = 0; i < Items; ++i)
  {
    if (i < count)
    {
      const unsigned at = reversed == 0 ? i : reversed - i;
      visit(map(item[at].get(), first + at * step));
    }
  }
}

//! The terms map(in[i], i).
template <class It, class Map>
struct mapped_items
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

  //! Loads a full vector for a later visit.
  REHEAT_DEVICE void load(bool aligned, std::uint64_t first, loaded& held) { held.load(in, aligned, first); }

  //! Calls visit(term) for the terms of a full vector in order. `index` is the index of the first.
  template <class Index, class Visit>
  REHEAT_DEVICE void visit(const loaded& held, Index index, Visit visit)
  {
    uninitialized<value> item[vector_items];
    held.unpack(item);
    visit_terms(map, item, index, vector_items, visit);
  }
  //! Loads the items [first, first + count) of a full or partial vector and visits their terms.
  template <class Index, class Visit>
  REHEAT_DEVICE void visit_part(std::uint64_t first, Index index, unsigned count, Visit visit)
  {
    uninitialized<value> item[vector_items];
    load_vector<vector_items>(in, is_aligned, first, count, item);
    visit_terms(map, item, index, count, visit);
  }
};

//! The terms map(left[i], right[i]).
template <class LeftIt, class RightIt, class Map>
struct zipped_items
{
  using left_value = value_of<LeftIt>;
  using right_value = value_of<RightIt>;
  static constexpr unsigned vector_items = mapped_vector_items_v<left_value> < mapped_vector_items_v<right_value>
                                               ? mapped_vector_items_v<left_value>
                                               : mapped_vector_items_v<right_value>;
  static constexpr vector_kind kind = vector_kind::zipped;
  static constexpr bool may_be_aligned = loads_at_once_v<LeftIt, vector_items> && loads_at_once_v<RightIt, vector_items>;
  static constexpr bool packable = is_packable_v<left_value> && is_packable_v<right_value>;
  struct loaded
  {
    packed<left_value, vector_items> left;
    packed<right_value, vector_items> right;
  };

  LeftIt left;
  RightIt right;
  bool left_aligned, right_aligned;
  Map map;

  REHEAT_DEVICE bool aligned() const { return left_aligned && right_aligned; }

  REHEAT_DEVICE void load(bool aligned, std::uint64_t first, loaded& held)
  {
    held.left.load(left, aligned, first);
    held.right.load(right, aligned, first);
  }
  template <class Index, class Visit>
  REHEAT_DEVICE void visit(const loaded& held, Index, Visit visit)
  {
    uninitialized<left_value> left_item[vector_items];
    uninitialized<right_value> right_item[vector_items];
    held.left.unpack(left_item);
    held.right.unpack(right_item);
    visit_pairs(left_item, right_item, vector_items, visit);
  }
  template <class Index, class Visit>
  REHEAT_DEVICE void visit_part(std::uint64_t first, Index, unsigned count, Visit visit)
  {
    uninitialized<left_value> left_item[vector_items];
    uninitialized<right_value> right_item[vector_items];
    load_vector<vector_items>(left, left_aligned, first, count, left_item);
    load_vector<vector_items>(right, right_aligned, first, count, right_item);
    visit_pairs(left_item, right_item, count, visit);
  }

private:
  template <class Visit>
  REHEAT_DEVICE void visit_pairs(uninitialized<left_value> (&left_item)[vector_items],
                                 uninitialized<right_value> (&right_item)[vector_items], unsigned count, Visit visit)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < vector_items; ++i)
    {
      if (i < count)
      {
        visit(map(left_item[i].get(), right_item[i].get()));
      }
    }
  }
};

//! A source: item v is the fold, in Accum, of the terms in vector v. A thread loads several whole vectors before it folds
//! the first one, if registers can hold them.
template <class Accum, class Terms, class Op>
struct vector_fold_source
{
  using value_type = Accum;
  using loaded = typename Terms::loaded;
  static constexpr bool loads_ahead = Terms::packable;
  Terms terms;
  std::uint64_t items;
  Op op;

  std::uint64_t vectors() const { return (items + Terms::vector_items - 1) / Terms::vector_items; }

  //! How many vectors, from the first one on, may be loaded ahead.
  REHEAT_DEVICE std::uint64_t ahead() const
  {
    return (items - (simt::fault_active(simt::fault::short_last_run) ? 1 : 0)) / Terms::vector_items;
  }
  REHEAT_DEVICE bool aligned() const { return Terms::may_be_aligned && terms.aligned(); }
  REHEAT_DEVICE void load(bool aligned, std::uint64_t vector, loaded& held)
  {
    terms.load(aligned, vector * Terms::vector_items, held);
  }
  //! at(vector), of what load has left.
  REHEAT_DEVICE Accum at(std::uint64_t vector, const loaded& held)
  {
    optional_accumulator<Accum> fold;
    terms.visit(held, vector * Terms::vector_items, [&](const auto& term) { fold.append(static_cast<Accum>(term), op); });
    return fold.value.get();
  }

  REHEAT_DEVICE Accum at(std::uint64_t vector)
  {
    const std::uint64_t first = vector * Terms::vector_items;
    const bool too_short = simt::fault_active(simt::fault::short_last_run) && first + 1 < items;
    const bool too_long = simt::fault_active(simt::fault::long_last_run);
    const std::uint64_t left = too_long ? Terms::vector_items : items - first - (too_short ? 1 : 0);
    optional_accumulator<Accum> fold;
    terms.visit_part(first, first, left < Terms::vector_items ? static_cast<unsigned>(left) : Terms::vector_items,
                     [&](const auto& term) { fold.append(static_cast<Accum>(term), op); });
    return fold.value.get();
  }
};

//! The fold of a vector's terms, which a thread holds instead of the vector.
template <class Local>
struct folded_vector
{
  using loaded = uninitialized<Local>;
};

//! Terms as a vector input of commutative reductions.
template <class Accum, class Terms, class Op>
struct mapped_vector_input
{
  using local = typename thread_op<Op, Accum>::local;
  static constexpr unsigned items = Terms::vector_items;
  static constexpr bool cut = false;
  template <class>
  static constexpr bool pads = false;
  static constexpr bool may_be_aligned = Terms::may_be_aligned;
  // Items that a thread cannot hold packed are folded when they are loaded.
  using loaded = typename std::conditional_t<Terms::packable, Terms, folded_vector<local>>::loaded;
  using tuning = commutative_tuning<items, sizeof(loaded) < 16 ? 16 : sizeof(loaded), Terms::kind>;

  Terms terms;

  REHEAT_DEVICE bool aligned() const { return terms.aligned(); }

  template <bool Aligned, class Own>
  REHEAT_DEVICE void load(std::uint64_t first, unsigned offset, Own& own, loaded& held)
  {
    if constexpr (Terms::packable)
    {
      terms.load(Aligned, first + offset, held);
    }
    else
    {
      fold_terms(first, offset, items, own, held);
    }
  }

  template <class Own>
  REHEAT_DEVICE void append(const loaded& held, unsigned offset, Own& own, optional_accumulator<local>& fold)
  {
    if constexpr (Terms::packable)
    {
      terms.visit(held, offset, [&](const auto& term) { fold.append(static_cast<local>(term), own); });
    }
    else
    {
      fold.append(held.get(), own);
    }
  }

  template <class Own>
  REHEAT_DEVICE void fold_part(std::uint64_t first, unsigned offset, unsigned count, Own& own, uninitialized<local>& total)
  {
    const bool too_short = simt::fault_active(simt::fault::short_last_run) && count > 1;
    const bool too_long = simt::fault_active(simt::fault::long_last_run);
    fold_terms(first, offset, too_long ? items : count - (too_short ? 1 : 0), own, total);
  }

  template <class Own>
  REHEAT_DEVICE Accum widen(const local& value, std::uint64_t first, Own& own) const
  {
    return own.widen(value, first);
  }

private:
  template <class Own>
  REHEAT_DEVICE void fold_terms(std::uint64_t first, unsigned offset, unsigned count, Own& own, uninitialized<local>& total)
  {
    optional_accumulator<local> fold;
    terms.visit_part(first + offset, offset, count, [&](const auto& term) { fold.append(static_cast<local>(term), own); });
    total = fold.value;
  }
};
template <class Accum, class Terms, class Op>
inline constexpr bool is_vector_input_v<mapped_vector_input<Accum, Terms, Op>> = true;

} // namespace detail
REHEAT_NAMESPACE_END
