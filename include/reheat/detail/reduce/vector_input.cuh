// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Inputs of commutative reductions: *vectors* of neighbouring items, which a thread loads long before it folds them.
//!
//! A vector input has these members:
//!
//! * `items`: the number of items of a full vector.
//! * `loaded`: the type in which a thread holds a vector.
//! * `may_be_aligned`, `aligned()`: whether vectors start at multiples of 16 bytes.
//! * `cut`: whether head() items may precede the first vector. They are not counted among the input's items.
//! * `pads<Op>`: whether load_padded<Op> can replace absent items by the identity element.
//! * `load<Aligned>(first, offset, own, held)` loads a full vector.
//! * `append(held, offset, own, fold)` appends its items to an optional_accumulator.
//! * `fold_part(first, offset, count, own, total)` makes `total` the fold of the first `count` < items items of a vector.
//! * `widen(local, first, own)` converts the fold of a thread's items of a tile to the type of the reduction's values.
//!
//! `first` is the thread's first item in a tile; the vector starts `offset` items after it; `own` is a thread_op.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/packed.cuh>
#include <reheat/detail/thread/pairwise.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class Input>
inline constexpr bool is_vector_input_v = false;

//! The number of Ts in a vector: as many as fill 16 bytes, or 1.
template <class T>
inline constexpr unsigned vector_items_v = 16 % sizeof(T) == 0 ? static_cast<unsigned>(16 / sizeof(T)) : 1;

//! Unmapped items, folded by neighbours in Accum. `Cut`: the first vector starts at the first aligned address, which some
//! items may precede.
template <class InputIt, class Accum, bool Cut>
class vector_input
{
  using item = value_of<InputIt>;
  // Items that cannot be held packed are converted when they are loaded.
  using held_item = std::conditional_t<is_packable_v<item>, item, Accum>;

public:
  static constexpr unsigned items = vector_items_v<item>;
  static constexpr bool cut = Cut;
  template <class Op>
  static constexpr bool pads = pads_with_identity_v<Op, Accum>&& std::is_same_v<item, Accum>;
  static constexpr bool may_be_aligned = loads_at_once_v<InputIt, items>;
  using loaded = packed<held_item, items>;

  //! `in` points to the first vector.
  vector_input(InputIt in, bool aligned, unsigned head) : in_(in), aligned_(aligned), head_(head) {}
  REHEAT_DEVICE bool aligned() const { return aligned_; }
  REHEAT_DEVICE unsigned head() const { return head_; }

  template <bool Aligned, class Own>
  REHEAT_DEVICE void load(std::uint64_t first, unsigned offset, Own&, loaded& held)
  {
    if constexpr (std::is_same_v<held_item, item>)
    {
      held.load(in_, Aligned, first + offset);
    }
    else
    {
      uninitialized<Accum> converted[items];
      REHEAT_UNROLL
      for (unsigned i = 0; i < items; ++i)
      {
        converted[i].construct(read_item(in_, first + offset + i));
      }
      held.pack(converted);
    }
  }

  //! Loads the first `count` < items items of a vector and fills the rest with the identity element.
  template <class Op>
  REHEAT_DEVICE void load_padded(std::uint64_t first, unsigned offset, unsigned count, loaded& held)
  {
    uninitialized<held_item> padded[items];
    REHEAT_UNROLL
    for (unsigned i = 0; i < items; ++i)
    {
      padded[i].construct(i < count ? read_item(in_, first + offset + i) : identity_element<Op, item>());
    }
    held.pack(padded);
  }

  template <class Own>
  REHEAT_DEVICE void append(const loaded& held, unsigned, Own& own, optional_accumulator<Accum>& fold)
  {
    uninitialized<held_item> item[items];
    held.unpack(item);
    uninitialized<Accum> value[items];
    REHEAT_UNROLL
    for (unsigned i = 0; i < items; ++i)
    {
      value[i].construct(item[i].get());
    }
    fold_tree(value, items, own);
    fold.append(value[0].get(), own);
  }

  template <class Own>
  REHEAT_DEVICE void fold_part(std::uint64_t first, unsigned offset, unsigned count, Own& own, uninitialized<Accum>& total)
  {
    uninitialized<Accum> value[items];
    REHEAT_UNROLL
    for (unsigned i = 0; i + 1 < items; ++i)
    {
      if (i < count)
      {
        value[i].construct(read_item(in_, first + offset + i));
      }
    }
    fold_tree(value, count, own);
    total = value[0];
  }

  template <class Own>
  REHEAT_DEVICE Accum widen(const Accum& local, std::uint64_t first, Own& own) const
  {
    return own.widen(local, first);
  }

private:
  InputIt in_;
  bool aligned_;
  unsigned head_;
};
template <class InputIt, class Accum, bool Cut>
inline constexpr bool is_vector_input_v<vector_input<InputIt, Accum, Cut>> = true;

} // namespace detail
REHEAT_NAMESPACE_END
