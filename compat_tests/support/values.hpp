// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The value types of the tests: 1 to 256 bytes, trivially copyable and not. `values<T>` makes item `i` of an input whose
//! positions can be told apart, folds two values with an associative operator, and compares.
#pragma once

#include <reheat/detail/config.cuh>

#include <thrust/complex.h>
#include <thrust/pair.h>
#include <thrust/tuple.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace compat
{

//! Well mixed bits of an index: the source of all test data.
REHEAT_HOST_DEVICE inline std::uint64_t mix(std::uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

//! The map x -> a * x + b over unsigned integers modulo 2^k. Composition is associative and does not commute.
template <class Word>
struct affine
{
  Word a, b;
};
template <class Word>
REHEAT_HOST_DEVICE affine<Word> make_affine(std::uint64_t index)
{
  const std::uint64_t bits = mix(index);
  return {static_cast<Word>(bits | 1u), static_cast<Word>(bits >> 23)}; // an odd factor loses no information
}
//! First `f`, then `g`.
template <class Word>
REHEAT_HOST_DEVICE affine<Word> compose(const affine<Word>& f, const affine<Word>& g)
{
  // Unsigned words narrower than int would multiply as int.
  using wide = std::conditional_t<(sizeof(Word) < 4), std::uint32_t, Word>;
  return {static_cast<Word>(wide(f.a) * wide(g.a)), static_cast<Word>(wide(g.a) * wide(f.b) + wide(g.b))};
}
template <class Word>
REHEAT_HOST_DEVICE bool operator==(const affine<Word>& x, const affine<Word>& y)
{
  return x.a == y.a && x.b == y.b;
}

//! Three bytes, aligned to one.
struct bytes3
{
  std::uint8_t byte[3];
};

//! `Words` 32-bit words: 12, 32, 36, 64, 256 bytes.
template <unsigned Words>
struct words
{
  std::uint32_t word[Words];
};

//! Sixteen bytes, aligned to sixteen.
struct alignas(16) quad
{
  std::uint64_t low, high;
};

//! Not trivially copyable: knows whether it was constructed and, with CheckAddress, where. A copy or assignment from or onto
//! memory that holds no constructed object leaves a mark that every later fold and copy inherits.
template <bool CheckAddress>
class tracked
{
public:
  REHEAT_HOST_DEVICE tracked() : value_{1, 0} { construct(); }
  REHEAT_HOST_DEVICE explicit tracked(const affine<std::uint32_t>& value) : value_(value) { construct(); }
  REHEAT_HOST_DEVICE tracked(const tracked& other) : value_(other.value_), marked_(other.marked_ || !other.sound())
  {
    construct();
  }
  REHEAT_HOST_DEVICE tracked& operator=(const tracked& other)
  {
    const bool mark = !sound() || !other.sound() || other.marked_;
    value_ = other.value_;
    marked_ = mark;
    construct();
    return *this;
  }
  REHEAT_HOST_DEVICE ~tracked() { magic_ = 0xdeadu; }

  REHEAT_HOST_DEVICE affine<std::uint32_t> value() const { return value_; }
  REHEAT_HOST_DEVICE bool marked() const { return marked_ || !sound(); }
  REHEAT_HOST_DEVICE static tracked fold(const tracked& x, const tracked& y)
  {
    tracked result(compose(x.value_, y.value_));
    result.marked_ = x.marked() || y.marked();
    return result;
  }

private:
  static constexpr std::uint32_t alive = 0x600df00du;

  REHEAT_HOST_DEVICE void construct()
  {
    magic_ = alive;
    self_ = this;
  }
  REHEAT_HOST_DEVICE bool sound() const { return magic_ == alive && (!CheckAddress || self_ == this); }

  affine<std::uint32_t> value_;
  const tracked* self_ = nullptr;
  std::uint32_t magic_ = 0;
  bool marked_ = false;
};

//! No implicit way in.
struct explicit_int
{
  std::uint32_t value;
  REHEAT_HOST_DEVICE explicit_int() : value(0) {}
  REHEAT_HOST_DEVICE explicit explicit_int(std::uint32_t v) : value(v) {}
};
REHEAT_HOST_DEVICE inline explicit_int operator+(const explicit_int& x, const explicit_int& y)
{
  return explicit_int(x.value + y.value);
}
REHEAT_HOST_DEVICE inline bool operator==(const explicit_int& x, const explicit_int& y)
{
  return x.value == y.value;
}

//! No default constructor; converts to its number.
struct no_default
{
  std::uint32_t value;
  REHEAT_HOST_DEVICE explicit no_default(std::uint32_t v) : value(v) {}
  REHEAT_HOST_DEVICE operator std::uint32_t() const { return value; }
};

// ---- values<T> ----------------------------------------------------------------------------------------------------------

//! Arithmetic types: sums. Signed and floating values are small: no sum of 2^21 of them leaves the type or rounds.
template <class T>
struct values
{
  static_assert(std::is_arithmetic<T>::value, "specialise compat::values for this type");

  REHEAT_HOST_DEVICE static T make(std::size_t index)
  {
    const std::uint64_t bits = mix(index);
    if (std::is_floating_point<T>::value)
    {
      return static_cast<T>(static_cast<int>(bits % 15) - 7);
    }
    if (std::is_signed<T>::value && sizeof(T) >= 4)
    {
      return static_cast<T>(static_cast<int>(bits % 1999) - 999);
    }
    return static_cast<T>(bits);
  }
  REHEAT_HOST_DEVICE static T fold(T x, T y) { return static_cast<T>(x + y); }
  REHEAT_HOST_DEVICE static bool same(T x, T y) { return x == y; }
};

//! Numbers of 16 bits, whose sums round.
template <class T>
struct values_of_halves
{
  static T make(std::size_t index) { return static_cast<T>(static_cast<float>(static_cast<int>(mix(index) % 15) - 7)); }
  static T fold(T x, T y) { return x + y; }
  static bool same(T x, T y) { return x == y; }
};
template <>
struct values<__half> : values_of_halves<__half>
{};
template <>
struct values<__nv_bfloat16> : values_of_halves<__nv_bfloat16>
{};

template <class Word>
struct values<affine<Word>>
{
  using T = affine<Word>;
  REHEAT_HOST_DEVICE static T make(std::size_t index) { return make_affine<Word>(index); }
  REHEAT_HOST_DEVICE static T fold(const T& x, const T& y) { return compose(x, y); }
  REHEAT_HOST_DEVICE static bool same(const T& x, const T& y) { return x == y; }
};

template <>
struct values<bytes3>
{
  using byte = std::uint8_t;
  REHEAT_HOST_DEVICE static bytes3 make(std::size_t index)
  {
    const affine<byte> map = make_affine<byte>(index);
    return {{map.a, map.b, static_cast<byte>(mix(index) >> 40)}};
  }
  REHEAT_HOST_DEVICE static bytes3 fold(const bytes3& x, const bytes3& y)
  {
    const affine<byte> map = compose(affine<byte>{x.byte[0], x.byte[1]}, affine<byte>{y.byte[0], y.byte[1]});
    return {{map.a, map.b, static_cast<byte>(x.byte[2] + y.byte[2])}};
  }
  REHEAT_HOST_DEVICE static bool same(const bytes3& x, const bytes3& y)
  {
    return x.byte[0] == y.byte[0] && x.byte[1] == y.byte[1] && x.byte[2] == y.byte[2];
  }
};

//! The first two words are an affine map, the others sums.
template <unsigned Words>
struct values<words<Words>>
{
  using T = words<Words>;
  using word = std::uint32_t;
  REHEAT_HOST_DEVICE static T make(std::size_t index)
  {
    T result;
    for (unsigned i = 0; i < Words; ++i)
    {
      result.word[i] = static_cast<word>(mix(index * Words + i));
    }
    result.word[0] |= 1u;
    return result;
  }
  REHEAT_HOST_DEVICE static T fold(const T& x, const T& y)
  {
    T result;
    const affine<word> map = compose(affine<word>{x.word[0], x.word[1]}, affine<word>{y.word[0], y.word[1]});
    result.word[0] = map.a;
    result.word[1] = map.b;
    for (unsigned i = 2; i < Words; ++i)
    {
      result.word[i] = x.word[i] + y.word[i];
    }
    return result;
  }
  REHEAT_HOST_DEVICE static bool same(const T& x, const T& y)
  {
    bool equal = true;
    for (unsigned i = 0; i < Words; ++i)
    {
      equal = equal && x.word[i] == y.word[i];
    }
    return equal;
  }
};

template <>
struct values<quad>
{
  REHEAT_HOST_DEVICE static quad make(std::size_t index)
  {
    const auto map = make_affine<std::uint64_t>(index);
    return {map.a, map.b};
  }
  REHEAT_HOST_DEVICE static quad fold(const quad& x, const quad& y)
  {
    const auto map = compose(affine<std::uint64_t>{x.low, x.high}, affine<std::uint64_t>{y.low, y.high});
    return {map.a, map.b};
  }
  REHEAT_HOST_DEVICE static bool same(const quad& x, const quad& y) { return x.low == y.low && x.high == y.high; }
};

template <class Real>
struct values<thrust::complex<Real>>
{
  using T = thrust::complex<Real>;
  REHEAT_HOST_DEVICE static T make(std::size_t index)
  {
    return T(values<Real>::make(2 * index), values<Real>::make(2 * index + 1));
  }
  REHEAT_HOST_DEVICE static T fold(const T& x, const T& y) { return x + y; }
  REHEAT_HOST_DEVICE static bool same(const T& x, const T& y) { return x == y; }
};

//! An affine map and its two members under other names.
template <>
struct values<thrust::pair<std::uint32_t, std::uint32_t>>
{
  using T = thrust::pair<std::uint32_t, std::uint32_t>;
  using map = affine<std::uint32_t>;
  REHEAT_HOST_DEVICE static T make(std::size_t index)
  {
    const map m = make_affine<std::uint32_t>(index);
    return T(m.a, m.b);
  }
  REHEAT_HOST_DEVICE static T fold(const T& x, const T& y)
  {
    const map m = compose(map{x.first, x.second}, map{y.first, y.second});
    return T(m.a, m.b);
  }
  REHEAT_HOST_DEVICE static bool same(const T& x, const T& y) { return x.first == y.first && x.second == y.second; }
};

//! A sum of bytes and an affine map.
template <>
struct values<thrust::tuple<std::uint8_t, std::uint32_t, std::uint32_t>>
{
  using T = thrust::tuple<std::uint8_t, std::uint32_t, std::uint32_t>;
  using map = affine<std::uint32_t>;
  REHEAT_HOST_DEVICE static T make(std::size_t index)
  {
    const map m = make_affine<std::uint32_t>(index);
    return T(static_cast<std::uint8_t>(mix(index) >> 50), m.a, m.b);
  }
  REHEAT_HOST_DEVICE static T fold(const T& x, const T& y)
  {
    const map m = compose(map{thrust::get<1>(x), thrust::get<2>(x)}, map{thrust::get<1>(y), thrust::get<2>(y)});
    return T(static_cast<std::uint8_t>(thrust::get<0>(x) + thrust::get<0>(y)), m.a, m.b);
  }
  REHEAT_HOST_DEVICE static bool same(const T& x, const T& y)
  {
    return thrust::get<0>(x) == thrust::get<0>(y) && thrust::get<1>(x) == thrust::get<1>(y) &&
           thrust::get<2>(x) == thrust::get<2>(y);
  }
};

template <bool CheckAddress>
struct values<tracked<CheckAddress>>
{
  using T = tracked<CheckAddress>;
  REHEAT_HOST_DEVICE static T make(std::size_t index) { return T(make_affine<std::uint32_t>(index)); }
  REHEAT_HOST_DEVICE static T fold(const T& x, const T& y) { return T::fold(x, y); }
  REHEAT_HOST_DEVICE static bool same(const T& x, const T& y)
  {
    return !x.marked() && !y.marked() && x.value() == y.value();
  }
};

template <>
struct values<explicit_int>
{
  using T = explicit_int;
  REHEAT_HOST_DEVICE static T make(std::size_t index) { return T(static_cast<std::uint32_t>(mix(index))); }
  REHEAT_HOST_DEVICE static T fold(const T& x, const T& y) { return x + y; }
  REHEAT_HOST_DEVICE static bool same(const T& x, const T& y) { return x == y; }
};

} // namespace compat
