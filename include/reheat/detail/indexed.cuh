// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Inputs that are functions of an index, as the iterators that the cores of reduce and scan take.
//!
//! A *source* has `value_type` and `value_type at(std::uint64_t index)`. It may call user functors whose call operator is
//! not const. A source whose `loads_ahead` is true has `load(aligned, index, held)` and `at(index, held)`, too, which
//! together are at(index) for each index below `ahead()`; `aligned` is what `aligned()` says. A thread then waits once for
//! what it has loaded for several indices.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Item i is source.at(i).
template <class Source>
class indexed_input
{
public:
  using value_type = typename Source::value_type;
  using difference_type = std::ptrdiff_t;
  using reference = value_type;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  using source_type = Source;

  explicit indexed_input(const Source& source, std::ptrdiff_t position = 0) : source_(source), position_(position) {}

  REHEAT_DEVICE value_type operator[](std::ptrdiff_t distance) const
  {
    return source_.at(static_cast<std::uint64_t>(position_ + distance));
  }
  //! The source's index of item `distance`.
  REHEAT_DEVICE std::uint64_t index_of(std::uint64_t distance) const
  {
    return static_cast<std::uint64_t>(position_) + distance;
  }
  //! Of item 0, wherever this stands.
  REHEAT_HOST_DEVICE Source& source() const { return source_; }
  indexed_input operator+(std::ptrdiff_t distance) const { return indexed_input(source_, position_ + distance); }
  std::ptrdiff_t operator-(const indexed_input& other) const { return position_ - other.position_; }

private:
  mutable Source source_;
  std::ptrdiff_t position_;
};

template <class Source>
inline constexpr bool loads_ahead_v<indexed_input<Source>, std::enable_if_t<Source::loads_ahead>> = true;

//! map(in[i]) for item i, converted to Value. The functor sees values, never proxies.
template <class It, class Map, class Value>
struct mapped_source
{
  using value_type = Value;
  It in;
  Map map;

  REHEAT_DEVICE Value at(std::uint64_t index)
  {
    value_of<It> item = read_item(in, index);
    return mapped(item);
  }
  REHEAT_DEVICE Value mapped(value_of<It>& item) { return static_cast<Value>(map(item)); }
};

} // namespace detail
REHEAT_NAMESPACE_END
