// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of what a functor makes of items: the input of the reduction is *runs* of neighbouring items.
//!
//! A run is as many items as 16 bytes hold, so one vector access reads it, and only one value of what may be a wider type
//! passes through the reduction's core. Runs count from item 0, whatever the alignment: results do not depend on it. A run
//! is folded from the left. Commutative reductions take runs as their vectors, all others an input of one value per run.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/op.cuh>
#include <reheat/detail/reduce/pieces.cuh>
#include <reheat/detail/reduce/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/packed.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Items of a run of Ts.
template <class T>
inline constexpr unsigned run_items_v = sizeof(T) >= 16 ? 1 : static_cast<unsigned>(16 / sizeof(T));

//! Calls visit(map(item[i], first + i)) for the first `count` items of a run. The map may take the copy here as a T&.
REHEAT_EXEC_CHECK_DISABLE
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
struct terms
{
  using value = value_of<It>;
  static constexpr unsigned run_items = run_items_v<value>;
  static constexpr vector_kind kind = vector_kind::run;
  static constexpr bool may_be_aligned = loads_at_once_v<It, run_items>;
  static constexpr bool packable = is_packable_v<value>;
  using loaded = packed<value, run_items>;

  It in;
  bool is_aligned; //!< `in` is a pointer, aligned to 16 bytes
  Map map;

  REHEAT_DEVICE bool aligned() const { return is_aligned; }

  //! A whole run, to be visited later.
  REHEAT_DEVICE void load(bool aligned, std::uint64_t first, loaded& held) { held.load(in, aligned, first); }

  //! Calls visit(term) for the terms of a run in order; `index` is the first one's.
  template <class Index, class Visit>
  REHEAT_DEVICE void visit(const loaded& held, Index index, Visit visit)
  {
    uninitialized<value> item[run_items];
    held.unpack(item);
    visit_terms(map, item, index, run_items, visit);
  }
  //! As visit, of the terms [first, first + count) of a run, which need not be all, nor loaded before.
  template <class Index, class Visit>
  REHEAT_DEVICE void visit_part(std::uint64_t first, Index index, unsigned count, Visit visit)
  {
    uninitialized<value> item[run_items];
    load_run<run_items>(in, is_aligned, first, count, item);
    visit_terms(map, item, index, count, visit);
  }
};

//! The terms map(left[i], right[i]).
template <class LeftIt, class RightIt, class Map>
struct paired_terms
{
  using left_value = value_of<LeftIt>;
  using right_value = value_of<RightIt>;
  static constexpr unsigned run_items =
      run_items_v<left_value> < run_items_v<right_value> ? run_items_v<left_value> : run_items_v<right_value>;
  static constexpr vector_kind kind = vector_kind::pairs;
  static constexpr bool may_be_aligned = loads_at_once_v<LeftIt, run_items> && loads_at_once_v<RightIt, run_items>;
  static constexpr bool packable = is_packable_v<left_value> && is_packable_v<right_value>;
  struct loaded
  {
    packed<left_value, run_items> left;
    packed<right_value, run_items> right;
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
    uninitialized<left_value> left_item[run_items];
    uninitialized<right_value> right_item[run_items];
    held.left.unpack(left_item);
    held.right.unpack(right_item);
    visit_pairs(left_item, right_item, run_items, visit);
  }
  template <class Index, class Visit>
  REHEAT_DEVICE void visit_part(std::uint64_t first, Index, unsigned count, Visit visit)
  {
    uninitialized<left_value> left_item[run_items];
    uninitialized<right_value> right_item[run_items];
    load_run<run_items>(left, left_aligned, first, count, left_item);
    load_run<run_items>(right, right_aligned, first, count, right_item);
    visit_pairs(left_item, right_item, count, visit);
  }

private:
  REHEAT_EXEC_CHECK_DISABLE
  template <class Visit>
  REHEAT_DEVICE void visit_pairs(uninitialized<left_value> (&left_item)[run_items],
                                 uninitialized<right_value> (&right_item)[run_items], unsigned count, Visit visit)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < run_items; ++i)
    {
      if (i < count)
      {
        visit(map(left_item[i].get(), right_item[i].get()));
      }
    }
  }
};

//! The source whose item r is the fold, in Accum, of the terms [begin, end) that lie in run r, counted from `begin`.
template <class Accum, class Terms, class Op>
struct run_source
{
  using value_type = Accum;
  Terms terms;
  std::uint64_t begin, end; //!< `begin` is the first of a run
  Op op;

  std::uint64_t runs() const { return (end - begin + Terms::run_items - 1) / Terms::run_items; }

  REHEAT_EXEC_CHECK_DISABLE
  REHEAT_DEVICE Accum at(std::uint64_t run)
  {
    const bool starts_over = simt::fault_active(simt::fault::part_from_start);
    const std::uint64_t first = (starts_over ? 0 : begin) + run * Terms::run_items;
    const bool too_short = simt::fault_active(simt::fault::short_last_run) && first + 1 < end;
    const bool too_long = simt::fault_active(simt::fault::long_last_run);
    const std::uint64_t left = too_long ? Terms::run_items : end - first - (too_short ? 1 : 0);
    optional_accumulator<Accum> fold;
    terms.visit_part(first, first, left < Terms::run_items ? static_cast<unsigned>(left) : Terms::run_items,
                     [&](const auto& term) { fold.append(static_cast<Accum>(term), op); });
    return fold.value.get();
  }
};

//! What a run folds to, held in its place.
template <class Local>
struct folded_run
{
  using loaded = uninitialized<Local>;
};

//! The terms from `begin` on, the first of a run, as vectors: each is a run.
template <class Accum, class Terms, class Op>
struct mapped_vector_input
{
  using local = typename thread_op<Op, Accum>::local;
  static constexpr unsigned items = Terms::run_items;
  static constexpr bool cut = false;
  template <class>
  static constexpr bool pads = false;
  static constexpr bool may_be_aligned = Terms::may_be_aligned;
  // Runs that can not be held as they are, are folded when they are loaded.
  using loaded = typename std::conditional_t<Terms::packable, Terms, folded_run<local>>::loaded;
  using tuning = commutative_tuning<items, sizeof(loaded) < 16 ? 16 : sizeof(loaded), Terms::kind>;

  Terms terms;
  std::uint64_t begin;

  REHEAT_DEVICE bool aligned() const { return terms.aligned(); }

  template <bool Aligned, class Own>
  REHEAT_DEVICE void load(std::uint64_t first, unsigned offset, Own& own, loaded& held)
  {
    if constexpr (Terms::packable)
    {
      terms.load(Aligned, origin() + first + offset, held);
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
    return own.widen(value, begin + first);
  }

private:
  REHEAT_DEVICE std::uint64_t origin() const { return simt::fault_active(simt::fault::part_from_start) ? 0 : begin; }

  template <class Own>
  REHEAT_DEVICE void fold_terms(std::uint64_t first, unsigned offset, unsigned count, Own& own, uninitialized<local>& total)
  {
    optional_accumulator<local> fold;
    terms.visit_part(origin() + first + offset, offset, count,
                     [&](const auto& term) { fold.append(static_cast<local>(term), own); });
    total = fold.value;
  }
};
template <class Accum, class Terms, class Op>
inline constexpr bool is_vector_input_v<mapped_vector_input<Accum, Terms, Op>> = true;

} // namespace detail
REHEAT_NAMESPACE_END
