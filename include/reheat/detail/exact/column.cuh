// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What one thread of an exact sum adds up: a column of words in shared memory, word j in row j. No number is slower than
//! another: all take the same accesses, and lanes never meet in a bank, because word j of thread t is word t of row j.
//!
//! A column has these members:
//! * `word`, `rows`: the type of its words, and their number;
//! * `room`: how many numbers words take before carries have to be passed on;
//! * `clear`: before anything else. The column begins as zeros;
//! * `expect(count)`: makes room for `count` numbers; a thread passes carries on before a word may overflow;
//! * `add(number)`: adds one of the numbers that there is room for;
//! * `look_again(numbers)`: after such numbers have been added, and before others are. All lanes of a warp call, but for a
//!   single number;
//! * `swaps_tiles`: whether a whole tile is loaded at once while another one is added. If not, each vector is
//!   loaded once the one in its registers has been added, and look_again is not called for whole tiles;
//! * `finish`: after the last number. Then the words have all of them;
//! * `touched`: if `tells_touched`, the rows whose words are not 0, or more;
//! * `specials`: the kinds of special_items that there have been;
//! * `add_word(word, sum)`: adds a word to the sum of words of its row;
//! * `add_chunk(k, rows, parts)`: adds what rows stand for from chunk k of a total on. `rows(j)` is the sum of row j.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/exact/number.cuh>
#include <reheat/detail/exact/windows.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Counts the numbers that a column has got since it has passed carries on, up to `Room`.
template <std::uint32_t Room>
class column_room
{
public:
  template <class Pass>
  REHEAT_DEVICE void expect(unsigned count, Pass pass)
  {
    if (added_ + count > Room)
    {
      pass();
      added_ = 0;
    }
    added_ += count;
  }

private:
  unsigned added_ = 0;
};

//! Of the words of a row, in two parts that the words of a block's threads do not overflow.
struct row_sum
{
  std::int64_t low = 0;
  std::int64_t high = 0;
};

//! What some rows add to a total from a chunk on: its low 32 bits, those of the next chunk, and the rest, which counts in
//! the chunk behind that. Of less than 2^42 each.
struct chunk_parts
{
  std::int64_t low = 0;
  std::int64_t middle = 0;
  std::int64_t high = 0;
};

REHEAT_DEVICE inline void add_chunk_word(std::int64_t word, row_sum& sum)
{
  sum.low += static_cast<std::uint32_t>(word);
  sum.high += word >> 32;
}

//! Of doubles, by operations on bits: row k is chunk k.
template <class Accum, unsigned Threads, std::uint32_t MaxRoom>
class chunk_column
{
  using layout = exact_layout<Accum>;
  static_assert(sizeof(Accum) == 8);
  static constexpr unsigned upper_bits = layout::digits - 1 - 32; //!< of the significand, in the upper half of a number

public:
  using word = std::int64_t;
  static constexpr unsigned rows = layout::chunks;
  //! A number adds less than 2^32 to one chunk, and up to 2^(digits - 1) to the next one.
  static constexpr std::uint32_t carry_free_items = (1u << (64 - layout::digits)) - 1;
  static constexpr std::uint32_t room = MaxRoom < carry_free_items ? MaxRoom : carry_free_items;
  static constexpr bool tells_touched = true;
  static constexpr bool swaps_tiles = true;

  REHEAT_DEVICE explicit chunk_column(word* own) : own_(own) {}

  REHEAT_DEVICE void clear()
  {
    for (unsigned k = 0; k < rows; ++k)
    {
      row(k) = 0;
    }
  }
  REHEAT_DEVICE void expect(unsigned count)
  {
    room_.expect(count,
                 [this]
                 {
                   pass_carries<Accum>([this](unsigned k) -> word& { return row(k); });
                   anywhere_ = true;
                 });
  }
  REHEAT_DEVICE void add(const Accum& number)
  {
    std::uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    const auto lower = static_cast<std::uint32_t>(bits), upper = static_cast<std::uint32_t>(bits >> 32);
    const std::uint32_t magnitude = upper & 0x7fffffffu;
    largest_ = magnitude > largest_ ? magnitude : largest_;
    // The field of a subnormal number is 0, and its position is that of a number whose field is 1.
    const auto position = static_cast<std::uint32_t>(simt::max_of_sum(static_cast<int>(magnitude >> upper_bits), -1, 0));
    // A negative number is the complement of its magnitude, and 1. Shifts bring in the sign from below, so the complement
    // spans the bits below the significand, too.
    const auto sign = static_cast<std::uint32_t>(static_cast<std::int32_t>(upper) >> 31);
    const std::uint32_t low = lower ^ sign, high = (magnitude - (position << upper_bits)) ^ sign;
    const std::uint32_t words[3] = {simt::funnel_left(sign, low, position), simt::funnel_left(low, high, position),
                                    simt::funnel_left(high, sign, position)};
    lowest_ = position < lowest_ ? position : lowest_;
    word* const to = own_ + position / 32 * Threads;
    to[0] += std::int64_t{words[0]} + (upper >> 31);
    to[Threads] += static_cast<std::int64_t>(std::uint64_t{words[2]} << 32 | words[1]);
  }
  //! Special items are rare, so numbers are looked at only where one of the warp's is special.
  template <unsigned Count>
  REHEAT_DEVICE void look_again(const Accum (&number)[Count])
  {
    constexpr std::uint32_t infinity = layout::max_exponent << upper_bits;
    if (Count == 1 || simt::any(largest_ >= infinity))
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < Count; ++i)
      {
        std::uint64_t bits;
        memcpy(&bits, &number[i], sizeof bits);
        watch_.see(bits);
      }
      anywhere_ = anywhere_ || largest_ >= infinity;
      largest_ = largest_ >= infinity ? 0 : largest_;
    }
  }
  REHEAT_DEVICE void finish() {}
  REHEAT_DEVICE chunk_range touched() const
  {
    return anywhere_ ? chunk_range{0, rows} : chunk_range{lowest_ / 32, (largest_ >> upper_bits) / 32 + 2};
  }
  REHEAT_DEVICE unsigned specials() const { return watch_.seen(); }

  REHEAT_DEVICE static void add_word(word from, row_sum& sum) { add_chunk_word(from, sum); }
  template <class Rows>
  REHEAT_DEVICE static void add_chunk(unsigned k, Rows sums, chunk_parts& parts)
  {
    const row_sum sum = sums(k);
    parts.low += sum.low;
    parts.middle += sum.high;
  }

private:
  REHEAT_DEVICE word& row(unsigned k) const { return own_[k * Threads]; }

  word* own_;
  std::uint32_t largest_ = 0;        //!< the upper half of the largest magnitude since numbers were looked at
  std::uint32_t lowest_ = rows * 32; //!< the lowest position
  bool anywhere_ = false;            //!< these two do not tell all rows that are not 0
  column_room<room> room_;
  special_watch watch_;
};

//! Of doubles, by multiply-adds of doubles, where a GPU has as many units for them as the loop needs: row j is a window of
//! 48 exponents. A number of window j is a multiple of 2^(48 j - 1) smallest subnormal numbers, which is the unit of row j,
//! and below 2^100 of them. It is divided as windows.cuh divides floats: into an even number of units of row j + 1, each of
//! 2^48 units of row j, and the rest.
template <class Accum, unsigned Threads, std::uint32_t MaxRoom>
class wide_window_column
{
  static_assert(sizeof(Accum) == 8);
  static constexpr unsigned width = 48;

public:
  using word = std::int64_t;
  static constexpr unsigned rows = 2047 / width + 3; //!< numbers add to all but the last, which only carries reach
  //! A number adds up to 2^52 to one row, and up to 2^48 to the one below.
  static constexpr std::uint32_t carry_free_items = (1u << 11) - 1;
  static constexpr std::uint32_t room = MaxRoom < carry_free_items ? MaxRoom : carry_free_items;
  static constexpr bool tells_touched = true;
  static constexpr bool swaps_tiles = true;

  REHEAT_DEVICE explicit wide_window_column(word* own) : own_(own) {}

  REHEAT_DEVICE void clear()
  {
    for (unsigned j = 0; j < rows; ++j)
    {
      row(j) = 0;
    }
  }
  REHEAT_DEVICE void expect(unsigned count)
  {
    room_.expect(count, [this] { pass(); });
  }
  REHEAT_DEVICE void add(const Accum& number)
  {
    constexpr unsigned bit = 20; // of the exponent, in the upper half
    const unsigned window = ((static_cast<std::uint32_t>(bits_of(number) >> 32) >> bit & 0x7ffu) * 1366u) >> 16;
    static_assert(2047u * 1366 >> 16 == 2047 / width && 2015u * 1366 >> 16 == 2015 / width);
    specials_.see(number);
    largest_ = window > largest_ ? window : largest_;
    lowest_ = window < lowest_ ? window : lowest_;
    // 2^(1023 - 48 j), so that the scaled number is below 2^48, and a multiple of 2^-52.
    const double scale = double_of(std::uint64_t{(2046u << bit) - window * (width << bit)} << 32);
    // 1.5 * 2^52 multiples of 2^-3, and of 2^-52.
    constexpr std::uint64_t high_offset = std::uint64_t{1023 + 52 - 3} << 52 | std::uint64_t{1} << 51;
    constexpr std::uint64_t low_offset = std::uint64_t{1023} << 52 | std::uint64_t{1} << 51;
    const double moved = simt::multiply_add_rounded(number, scale, double_of(high_offset));
    const double high = simt::add_rounded(moved, -double_of(high_offset));
    const double low = simt::add_rounded(simt::multiply_add_rounded(number, scale, -high), double_of(low_offset));
    word* const to = own_ + window * Threads;
    add_wrapping(bits_of(low) - low_offset, to[0]);
    add_wrapping((bits_of(moved) - high_offset) << 1, to[Threads]);
  }
  template <unsigned Count>
  REHEAT_DEVICE void look_again(const Accum (&)[Count])
  {}
  REHEAT_DEVICE void finish() {}
  REHEAT_DEVICE chunk_range touched() const { return anywhere_ ? chunk_range{0, rows} : chunk_range{lowest_, largest_ + 2}; }
  REHEAT_DEVICE unsigned specials() const { return specials_.seen(); }

  REHEAT_DEVICE static void add_word(word from, row_sum& sum) { add_chunk_word(from, sum); }
  //! Three chunks begin where two windows do, one bit above them. Each takes its bits of one or two windows.
  template <class Rows>
  REHEAT_DEVICE static void add_chunk(unsigned k, Rows sums, chunk_parts& parts)
  {
    constexpr unsigned last = exact_layout<Accum>::chunks - 1;
    static_assert(last % 3 == 2, "the chunk that takes all bits from its first one on");
    const unsigned j = k / 3 * 2;
    if (k % 3 == 0)
    {
      parts.low += static_cast<std::uint32_t>(window_of(j, sums) >> 1);
    }
    else if (k % 3 == 1)
    {
      parts.low += (window_of(j, sums) >> 33) + ((window_of(j + 1, sums) & 0x1ffff) << 15);
    }
    else
    {
      const std::int64_t above = window_of(j + 2, sums);
      const auto bits = static_cast<std::uint64_t>(k == last ? above : above & 1); // of infinities, it may overflow
      parts.low += (window_of(j + 1, sums) >> 17) + static_cast<std::int64_t>(bits << 31);
    }
  }

private:
  REHEAT_DEVICE word& row(unsigned j) const { return own_[j * Threads]; }

  //! Words that special items have been added to may overflow. Their sum is not used.
  REHEAT_DEVICE static void add_wrapping(std::uint64_t number, word& to)
  {
    to = static_cast<word>(static_cast<std::uint64_t>(to) + number);
  }
  //! The low 48 bits of a row's sum, and the carry of the row below: less than 2^49. Of the last row, all bits.
  template <class Rows>
  REHEAT_DEVICE static std::int64_t window_of(unsigned j, Rows sums)
  {
    const row_sum own = sums(j), below = j == 0 ? row_sum{} : sums(j - 1);
    const std::int64_t high = j + 1 < rows ? own.high & 0xffff : own.high;
    const std::int64_t carry = simt::fault_active(simt::fault::exact_lost_carry) ? 0 : below.high >> 16;
    return own.low + high * (std::int64_t{1} << 32) + carry;
  }
  //! Leaves the low 48 bits in each row but the last, and adds the rest to the next one.
  REHEAT_DEVICE void pass()
  {
    std::int64_t carry = 0;
    REHEAT_NO_UNROLL
    for (unsigned j = 0; j < rows; ++j)
    {
      add_wrapping(static_cast<std::uint64_t>(carry), row(j));
      const std::int64_t sum = row(j);
      row(j) = j + 1 < rows ? sum & ((std::int64_t{1} << width) - 1) : sum;
      carry = simt::fault_active(simt::fault::exact_lost_carry) ? 0 : sum >> width;
    }
    anywhere_ = true;
  }

  word* own_;
  std::uint32_t largest_ = 0;   //!< the largest window of a number
  std::uint32_t lowest_ = rows; //!< the lowest one
  bool anywhere_ = false;       //!< these two do not tell all rows that are not 0
  column_room<room> room_;
  special_sum<Accum> specials_;
};

REHEAT_DEVICE inline void add_limbs(const two_limbs& from, row_sum& sum)
{
  sum.low += static_cast<std::int32_t>(from.low);
  sum.high += static_cast<std::int32_t>(from.high);
}
REHEAT_DEVICE inline void add_limbs(const one_limb& from, row_sum& sum)
{
  sum.low += static_cast<std::int32_t>(from.low);
}
//! What the limbs of a row add up to, in the window's unit.
template <class Windows>
REHEAT_DEVICE std::int64_t sum_of(const row_sum& sum)
{
  return sum.low + sum.high * (std::int64_t{1} << (Windows::high_unit - Windows::unit));
}

//! Adds a sum that counts from bit `position` of a chunk on. It may be of all 64 bits.
REHEAT_DEVICE inline void add_at(unsigned position, std::int64_t sum, chunk_parts& parts)
{
  const std::int64_t above = sum >> (32 - position);
  parts.low += static_cast<std::uint32_t>(static_cast<std::uint64_t>(sum) << position);
  parts.middle += static_cast<std::uint32_t>(above);
  parts.high += above >> 32;
}

REHEAT_DEVICE inline float widened(float x)
{
  return x;
}
//! By its bits, so that the compiler sees what becomes of two neighbours in a word.
REHEAT_DEVICE inline float widened(const __nv_bfloat16& x)
{
  std::uint16_t bits;
  memcpy(&bits, static_cast<const void*>(&x), sizeof bits);
  return float_of(static_cast<std::uint32_t>(bits) << 16);
}

//! Of floats and __nv_bfloat16s: row j is window j.
template <class Accum, unsigned Threads, std::uint32_t MaxRoom>
class window_column
{
  using windows = exact_windows<Accum>;
  static_assert(Threads <= 1024,
                "the limbs of a row are 2^31 units of 2^20 of the window's at most, so sum_of is below 2^62");

public:
  using word = typename windows::limbs;
  static constexpr unsigned rows = windows::count + 1; //!< one that only carries reach
  static constexpr std::uint32_t room = MaxRoom < windows::carry_free_items ? MaxRoom : windows::carry_free_items;
  static constexpr bool tells_touched = false;
  static constexpr bool swaps_tiles = false;

  REHEAT_DEVICE explicit window_column(word* own) : own_(own) {}

  REHEAT_DEVICE void clear()
  {
    for (unsigned j = 0; j < rows; ++j)
    {
      row(j) = word{};
    }
  }
  REHEAT_DEVICE void expect(unsigned count)
  {
    room_.expect(count, [this] { pass(); });
  }
  REHEAT_DEVICE void add(const Accum& number)
  {
    constexpr unsigned bit = 23; // of a float's exponent
    constexpr std::uint32_t window_bits = (256 - windows::width) << bit;
    const float x = widened(number);
    const std::uint32_t bits = bits_of(x), window = bits & window_bits;
    specials_.see(x);
    // Window j is j · width · 2^23 here, and j · (bytes of a row) is the upper half of a product.
    constexpr std::uint64_t factor = (std::uint64_t{Threads * sizeof(word)} << (32 - bit)) / windows::width;
    static_assert(factor <= 0xffffffffu);
    word& to = *reinterpret_cast<word*>(reinterpret_cast<unsigned char*>(own_) + (window * factor >> 32));
    word sum = to;
    add_scaled<windows>(x, float_of((windows::scale_exponent << bit) - window), sum);
    to = sum;
  }
  template <unsigned Count>
  REHEAT_DEVICE void look_again(const Accum (&)[Count])
  {}
  REHEAT_DEVICE void finish() {}
  REHEAT_DEVICE unsigned specials() const { return specials_.seen(); }

  REHEAT_DEVICE static void add_word(const word& from, row_sum& sum) { add_limbs(from, sum); }
  template <class Rows>
  REHEAT_DEVICE static void add_chunk(unsigned k, Rows sums, chunk_parts& parts)
  {
    constexpr unsigned windows_of_chunk = 32 / windows::width;
    if (windows::ahead != 0 && k == 0)
    {
      add_at(0, sum_of<windows>(sums(0)) >> windows::ahead, parts); // even: see exact_windows
    }
    REHEAT_UNROLL
    for (unsigned i = windows::ahead; i < windows_of_chunk + windows::ahead; ++i)
    {
      const unsigned j = k * windows_of_chunk + i;
      if (j < rows)
      {
        add_at(i * windows::width - windows::ahead, sum_of<windows>(sums(j)), parts);
      }
    }
  }

private:
  REHEAT_DEVICE word& row(unsigned j) const { return own_[j * Threads]; }

  REHEAT_DEVICE static std::int64_t sum_of_word(const word& from)
  {
    row_sum sum;
    add_limbs(from, sum);
    return sum_of<windows>(sum);
  }
  //! Leaves as many bits in each window as windows lie apart, and adds the rest to the next one.
  REHEAT_DEVICE void pass()
  {
    std::int64_t carry = 0;
    REHEAT_NO_UNROLL
    for (unsigned j = 0; j + 1 < rows; ++j)
    {
      const std::int64_t sum = sum_of_word(row(j)) + carry;
      store_in_limbs<windows>(sum & ((1 << windows::width) - 1), row(j));
      carry = simt::fault_active(simt::fault::exact_lost_carry) ? 0 : sum >> windows::width;
    }
    store_in_limbs<windows>(sum_of_word(row(rows - 1)) + carry, row(rows - 1));
  }

  word* own_;
  column_room<room> room_;
  special_sum<float> specials_;
};

//! Of __halfs: all have one window, whose limbs stay in registers.
template <class Accum, unsigned Threads, std::uint32_t MaxRoom>
class held_column
{
  using windows = exact_windows<Accum>;
  static_assert(windows::count == 1);

public:
  using word = std::int64_t;
  static constexpr unsigned rows = 1;
  static constexpr std::uint32_t room = MaxRoom < windows::carry_free_items ? MaxRoom : windows::carry_free_items;
  static constexpr bool tells_touched = false;
  static constexpr bool swaps_tiles = false;

  REHEAT_DEVICE explicit held_column(word* own) : own_(own) {}

  REHEAT_DEVICE void clear() {}
  REHEAT_DEVICE void expect(unsigned count)
  {
    room_.expect(count, [this] { pass(); });
  }
  REHEAT_DEVICE void add(const Accum& number)
  {
    const float x = static_cast<float>(number);
    specials_.see(x);
    add_scaled<windows>(x, 1, limbs_);
  }
  template <unsigned Count>
  REHEAT_DEVICE void look_again(const Accum (&)[Count])
  {}
  REHEAT_DEVICE void finish()
  {
    pass();
    *own_ = sum_;
  }
  REHEAT_DEVICE unsigned specials() const { return specials_.seen(); }

  REHEAT_DEVICE static void add_word(word from, row_sum& sum) { add_chunk_word(from, sum); }
  template <class Rows>
  REHEAT_DEVICE static void add_chunk(unsigned k, Rows sums, chunk_parts& parts)
  {
    if (k == 0)
    {
      const row_sum sum = sums(0);
      parts.low += sum.low;
      parts.middle += sum.high;
    }
  }

private:
  REHEAT_DEVICE void pass()
  {
    row_sum limbs;
    add_limbs(limbs_, limbs);
    sum_ += sum_of<windows>(limbs);
    limbs_ = {};
  }

  word* own_;
  std::int64_t sum_ = 0;
  typename windows::limbs limbs_{};
  column_room<room> room_;
  special_sum<float> specials_;
};

template <class Accum, unsigned Threads, std::uint32_t MaxRoom, bool MultiplyAdds,
          bool Windows = exact_windows<Accum>::exist>
struct exact_column_type
{
  using type =
      std::conditional_t<MultiplyAdds, wide_window_column<Accum, Threads, MaxRoom>, chunk_column<Accum, Threads, MaxRoom>>;
};
template <class Accum, unsigned Threads, std::uint32_t MaxRoom, bool MultiplyAdds>
struct exact_column_type<Accum, Threads, MaxRoom, MultiplyAdds, true>
{
  using type = std::conditional_t<exact_windows<Accum>::count == 1, held_column<Accum, Threads, MaxRoom>,
                                  window_column<Accum, Threads, MaxRoom>>;
};
//! Of a block of `Threads` threads. Carries are passed on after `MaxRoom` numbers, if not before. `MultiplyAdds`: doubles
//! are divided by operations on doubles.
template <class Accum, unsigned Threads, std::uint32_t MaxRoom = 0xffffffffu, bool MultiplyAdds = false>
using exact_column = typename exact_column_type<Accum, Threads, MaxRoom, MultiplyAdds>::type;

//! Chunk k of a total: small enough to add those of any million blocks. `own`, `before` and `further` are what
//! Column::add_chunk has made of chunks k, k - 1 and k - 2, or zeros if there are none.
template <class Accum>
REHEAT_DEVICE std::int64_t chunk_of_parts(unsigned k, const chunk_parts& own, const chunk_parts& before,
                                          const chunk_parts& further)
{
  constexpr unsigned last = exact_layout<Accum>::chunks - 1;
  const bool carries = !simt::fault_active(simt::fault::exact_lost_carry);
  const std::int64_t sum = own.low + (carries ? before.middle + further.high : 0);
  return k == last ? sum + (own.middle + (carries ? before.high : 0)) * (std::int64_t{1} << 32) : sum;
}
//! The same of the total that rows add up to.
template <class Accum, class Column, class Rows>
REHEAT_DEVICE std::int64_t chunk_of_rows(unsigned k, Rows rows)
{
  chunk_parts own, before, further;
  Column::add_chunk(k, rows, own);
  if (k >= 1)
  {
    Column::add_chunk(k - 1, rows, before);
  }
  if (k >= 2)
  {
    Column::add_chunk(k - 2, rows, further);
  }
  return chunk_of_parts<Accum>(k, own, before, further);
}

//! The total of one thread's column, which is finished. `row(j)` is the word in row j.
template <class Column, class Accum, class Row>
REHEAT_DEVICE void make_total(const Column& column, Row row, exact_total<Accum>& total)
{
  const auto rows = [&row](unsigned j)
  {
    row_sum one;
    Column::add_word(row(j), one);
    return one;
  };
  for (unsigned k = 0; k < exact_layout<Accum>::chunks; ++k)
  {
    total.chunk[k] = chunk_of_rows<Accum, Column>(k, rows);
  }
  total.specials = column.specials();
}

//! The total that is one number.
template <class Accum>
REHEAT_DEVICE void make_total_of(const Accum& number, exact_total<Accum>& total)
{
  using column_type = exact_column<Accum, 1>;
  typename column_type::word words[column_type::rows];
  const Accum numbers[1] = {number};
  column_type column(words);
  column.clear();
  column.add(number);
  column.look_again(numbers);
  column.finish();
  make_total(
      column, [&words](unsigned j) { return words[j]; }, total);
}

} // namespace detail
REHEAT_NAMESPACE_END
