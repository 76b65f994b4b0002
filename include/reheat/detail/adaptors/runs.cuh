// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of what a functor makes of items: the input of the reduction is one value per *run* of neighbouring items.
//!
//! A run is as many items as 16 bytes hold, so one vector access reads it, and only one value of what may be a wider type
//! passes through the reduction's core. Runs count from item 0, whatever the alignment: results do not depend on it. A run
//! is folded from the left.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/block/value.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Items of a run of Ts.
template <class T>
inline constexpr unsigned run_items_v = sizeof(T) >= 16 ? 1 : static_cast<unsigned>(16 / sizeof(T));

//! One access of `Bytes` bytes to items of any type.
template <unsigned Bytes>
struct access
{
  static constexpr bool exists = false;
};
template <>
struct access<16>
{
  static constexpr bool exists = true;
  using type = piece;
};
template <>
struct access<8>
{
  static constexpr bool exists = true;
  struct __attribute__((aligned(8), may_alias)) type
  {
    std::uint64_t bits;
  };
};
template <>
struct access<4>
{
  static constexpr bool exists = true;
  struct __attribute__((aligned(4), may_alias)) type
  {
    std::uint32_t bits;
  };
};

//! Items [first, first + count) of `in`, count <= Items. `aligned`: `in` is a pointer, aligned to 16 bytes.
REHEAT_EXEC_CHECK_DISABLE
template <unsigned Items, class It>
REHEAT_DEVICE void load_run(It& in, bool aligned, std::uint64_t first, unsigned count, manual<value_of<It>> (&item)[Items])
{
  using item_type = value_of<It>;
  using whole = access<Items * sizeof(item_type)>;
  if constexpr (std::is_pointer_v<It> && is_bitwise_copyable_v<item_type> && Items != 1 && whole::exists)
  {
    if ((aligned || simt::fault_active(simt::fault::misaligned_run)) && count == Items)
    {
      const auto bits = *reinterpret_cast<const typename whole::type*>(in + first);
      memcpy(static_cast<void*>(item), &bits, sizeof bits);
      return;
    }
  }
  REHEAT_UNROLL
  for (unsigned i = 0; i < Items; ++i)
  {
    if (i < count)
    {
      item[i].construct(read_item(in, first + i));
    }
  }
}

//! The terms map(in[i], i).
template <class It, class Map>
struct terms
{
  static constexpr unsigned run_items = run_items_v<value_of<It>>;
  It in;
  bool aligned; //!< `in` is a pointer, aligned to 16 bytes
  Map map;

  //! Calls visit(term) for the terms [first, first + count) in order.
  REHEAT_EXEC_CHECK_DISABLE
  template <class Visit>
  REHEAT_DEVICE void for_run(std::uint64_t first, unsigned count, Visit visit)
  {
    manual<value_of<It>> item[run_items];
    load_run<run_items>(in, aligned, first, count, item);
    const unsigned reversed = simt::fault_active(simt::fault::reversed_run) ? count - 1 : 0;
    const unsigned step = simt::fault_active(simt::fault::index_of_run) ? 0 : 1;
    REHEAT_UNROLL
    for (unsigned i = 0; i < run_items; ++i)
    {
      if (i < count)
      {
        const unsigned at = reversed == 0 ? i : reversed - i;
        visit(map(static_cast<const value_of<It>&>(item[at].get()), first + at * step));
      }
    }
  }
};

//! The terms map(left[i], right[i]).
template <class LeftIt, class RightIt, class Map>
struct paired_terms
{
  static constexpr unsigned run_items = run_items_v<value_of<LeftIt>> < run_items_v<value_of<RightIt>>
                                            ? run_items_v<value_of<LeftIt>>
                                            : run_items_v<value_of<RightIt>>;
  LeftIt left;
  RightIt right;
  bool left_aligned, right_aligned;
  Map map;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Visit>
  REHEAT_DEVICE void for_run(std::uint64_t first, unsigned count, Visit visit)
  {
    manual<value_of<LeftIt>> left_item[run_items];
    manual<value_of<RightIt>> right_item[run_items];
    load_run<run_items>(left, left_aligned, first, count, left_item);
    load_run<run_items>(right, right_aligned, first, count, right_item);
    REHEAT_UNROLL
    for (unsigned i = 0; i < run_items; ++i)
    {
      if (i < count)
      {
        visit(map(static_cast<const value_of<LeftIt>&>(left_item[i].get()),
                  static_cast<const value_of<RightIt>&>(right_item[i].get())));
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
    running_fold<Accum> fold;
    terms.for_run(first, left < Terms::run_items ? static_cast<unsigned>(left) : Terms::run_items,
                  [&](const auto& term) { fold.append(static_cast<Accum>(term), op); });
    return fold.value.get();
  }
};

} // namespace detail
REHEAT_NAMESPACE_END
