// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What kernels know of keys: how stored keys become words, and the digits of a word.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/sort/key.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Between keys as stored and words that ascend in the order of the sort.
template <class Word, bool IsFloat>
struct key_form
{
  static constexpr Word sign = static_cast<Word>(Word(1) << (8 * sizeof(Word) - 1));
  Word flips;          //!< of keys whose highest bit is 0
  Word negative_flips; //!< of others; the same but for floating-point numbers

  REHEAT_DEVICE Word word_of(Word stored) const
  {
    return static_cast<Word>(stored ^ (IsFloat && (stored & sign) != 0 ? negative_flips : flips));
  }
  REHEAT_DEVICE Word stored_of(Word word) const
  {
    return static_cast<Word>(word ^ (IsFloat && ((word ^ flips) & sign) != 0 ? negative_flips : flips));
  }
  //! The word by which a key is sorted. Zero and negative zero are neighbours in either order, and share the upper word.
  REHEAT_DEVICE static Word sorted_by(Word word) { return IsFloat && word == static_cast<Word>(sign - 1) ? sign : word; }
};

template <class Word>
struct sort_digit
{
  unsigned shift;
  unsigned mask;
  REHEAT_DEVICE unsigned operator()(Word sorted_by) const { return static_cast<unsigned>(sorted_by >> shift) & mask; }
};

REHEAT_HOST_DEVICE constexpr unsigned log2_of(unsigned power)
{
  return power == 1 ? 0 : 1 + log2_of(power / 2);
}

//! The bits [begin, end) of a word.
template <class Word>
REHEAT_HOST_DEVICE constexpr Word bits_between(unsigned begin, unsigned end)
{
  constexpr unsigned bits = 8 * sizeof(Word);
  const Word below_end = end >= bits ? static_cast<Word>(~Word(0)) : static_cast<Word>((Word(1) << end) - 1);
  const Word below_begin = begin >= bits ? static_cast<Word>(~Word(0)) : static_cast<Word>((Word(1) << begin) - 1);
  return static_cast<Word>(below_end & ~below_begin);
}

//! How many passes must move the items.
enum class pass_rule
{
  any,  //!< at least one: from the input to the output, by way of spare memory
  even, //!< the output is where the input is
  odd   //!< the spare memory is where the input is
};

//! The digits by which passes sort, from the lowest on. The last one may have fewer bits, or none: such a pass copies.
struct sort_passes
{
  unsigned count;
  unsigned digit_bits;
  unsigned begin_bit;
  unsigned end_bit;
  pass_rule rule;

  REHEAT_HOST_DEVICE constexpr unsigned begin_of(unsigned pass) const
  {
    const unsigned begin = begin_bit + pass * digit_bits;
    return begin < end_bit ? begin : end_bit;
  }
  REHEAT_HOST_DEVICE constexpr unsigned end_of(unsigned pass) const { return begin_of(pass + 1); }
  template <class Word>
  REHEAT_DEVICE sort_digit<Word> digit(unsigned pass) const
  {
    const unsigned begin = begin_of(pass), end = end_of(pass);
    return begin < end ? sort_digit<Word>{begin, (1u << (end - begin)) - 1} : sort_digit<Word>{0, 0};
  }
};

//! The memory of keys and values that passes move items between.
template <class Word, class Value>
struct sort_memory
{
  Word* keys;
  Value* values;
};

//! Reads and writes memory of any type as words.
template <class Word>
REHEAT_DEVICE Word load_word(const Word* from)
{
  return *reinterpret_cast<const typename sort_detail::word_of<sizeof(Word)>::stored*>(from);
}
template <class Word>
REHEAT_DEVICE void store_word(Word* to, Word word)
{
  *reinterpret_cast<typename sort_detail::word_of<sizeof(Word)>::stored*>(to) = word;
}

//! Values as kernels move them.
template <class Value>
struct value_word
{
  static constexpr std::size_t bytes = sizeof(Value);
  using type = sort_word<sizeof(Value)>;
};
template <>
struct value_word<no_values>
{
  static constexpr std::size_t bytes = 0;
  using type = no_values;
};
template <class Value>
inline constexpr bool has_values_v = !std::is_same_v<Value, no_values>;

} // namespace detail
REHEAT_NAMESPACE_END
