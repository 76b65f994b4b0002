// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Folds of many values without a long chain of dependent roundings.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Folds the first `count` >= 1 items into item[0], neighbours first, in order, log2(Items) steps deep.
template <unsigned Items, class T, class Op>
REHEAT_DEVICE void fold_tree(uninitialized<T> (&item)[Items], unsigned count, Op& op)
{
  REHEAT_UNROLL
  for (unsigned distance = 1; distance < Items; distance *= 2)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i + distance < Items; i += 2 * distance)
    {
      if (i + distance < count)
      {
        item[i].get() = op(item[i].get(), item[i + distance].get());
      }
    }
  }
}

//! Pairwise summation, as a cascade: folds the pushed values in order. Eight values of a level make one value of the next.
//! The last level takes any number of values. At memory speed the cascade costs nothing; a single accumulator per thread is
//! off by 49 to 159 ulp for 10^8 × 1.23f. For operands that do not round, one level suffices.
template <class T, unsigned Levels = 4>
class pairwise_accumulator
{
  static constexpr unsigned levels = Levels;
  static constexpr unsigned fan_in_bits = 3;

public:
  template <class Op>
  REHEAT_DEVICE void push(const T& value, Op& op)
  {
    // The lowest level is handled apart, because seven of eight pushes end here.
    if (held_ == 0)
    {
      level_[0].construct(value);
    }
    else
    {
      level_[0].get() = op(level_[0].get(), value);
    }
    if constexpr (levels == 1)
    {
      held_ = 1;
    }
    else if (++held_ == 1u << fan_in_bits)
    {
      held_ = 0;
      push_level<1>(level_[0].get(), op);
      ++eights_;
    }
  }

  //! Appends the fold of all pushed values. Higher levels hold older values and stand on the left.
  template <class Op>
  REHEAT_DEVICE void total(optional_accumulator<T>& fold, Op& op)
  {
    REHEAT_UNROLL
    for (unsigned i = levels; i > 0; --i)
    {
      if (digit_of(i - 1) != 0)
      {
        fold.append(level_[i - 1].get(), op);
      }
    }
  }

private:
  //! This is a recursion, because a loop that ends early would move level_ to local memory.
  template <unsigned Level, class Op>
  REHEAT_DEVICE void push_level(const T& value, Op& op)
  {
    const std::uint64_t digit = digit_of(Level);
    if (digit == 0)
    {
      level_[Level].construct(value);
    }
    else
    {
      level_[Level].get() = op(level_[Level].get(), value);
    }
    if constexpr (Level + 1 < levels)
    {
      if (digit + 1 == (1u << fan_in_bits))
      {
        push_level<Level + 1>(level_[Level].get(), op);
      }
    }
  }

  //! Returns how many values `level` holds.
  REHEAT_DEVICE std::uint64_t digit_of(unsigned level) const
  {
    if (level == 0)
    {
      return held_;
    }
    const std::uint64_t count = eights_ >> (fan_in_bits * (level - 1));
    return level + 1 == levels ? count : count & ((1u << fan_in_bits) - 1);
  }

  uninitialized<T> level_[levels];
  unsigned held_ = 0;        //!< number of values in the lowest level
  std::uint64_t eights_ = 0; //!< number of values pushed to the next level
};

} // namespace detail
REHEAT_NAMESPACE_END
