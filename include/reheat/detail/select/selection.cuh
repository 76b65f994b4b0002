// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A selection as a scan: the aggregate of a range of items is the number of its items that are selected, and the prefix of
//! a tile is the place of its first selected item in the output.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/thrust_compat.cuh>
#include <reheat/detail/warp/fold.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>

#include <cuda/std/tuple>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! How many items of a range are selected.
template <class Word>
struct selected_items
{
  Word count;

  REHEAT_HOST_DEVICE explicit selected_items(Word count_) : count(count_) {}
  template <class Narrow>
  REHEAT_HOST_DEVICE explicit selected_items(const selected_items<Narrow>& other) : count(other.count)
  {}
};
//! Of a group of tiles: 4 bytes, which pass through shuffles and slots.
using selected_count = selected_items<std::uint32_t>;
//! Of any range.
using long_selected_count = selected_items<std::uint64_t>;

template <>
struct prefix_type<selected_count>
{
  using type = long_selected_count;
};

struct add_selected
{
  template <class Word, class Narrow>
  REHEAT_DEVICE selected_items<Word> operator()(const selected_items<Word>& x, const selected_items<Narrow>& y) const
  {
    return selected_items<Word>(x.count + y.count);
  }
};

//! Counts need no order, so one instruction folds them.
template <>
inline constexpr bool folds_into_all_lanes_v<add_selected, selected_count> = true;
REHEAT_DEVICE inline void warp_fold(uninitialized<selected_count>& value, unsigned valid, add_selected&, selected_count*)
{
  const std::uint32_t own = simt::lane_index() < valid ? value.get().count : 0;
  value.construct(selected_count(sum_over_lanes(own)));
}

//! In place of a stencil, where the predicate is asked about the items themselves.
struct no_stencil
{};

//! Whether each item of an iterator follows from its index alone. Such items are made where they are stored, and fill no
//! stage.
template <class It>
inline constexpr bool is_generated_v = false;
template <class T, class... Traits>
inline constexpr bool is_generated_v<THRUST_NS_QUALIFIER::counting_iterator<T, Traits...>> = std::is_arithmetic_v<T>;

//! Whether an output leaves no trace of what it is given.
template <class It>
inline constexpr bool is_discarded_v = false;
template <class System>
inline constexpr bool is_discarded_v<THRUST_NS_QUALIFIER::discard_iterator<System>> = true;
#if REHEAT_HAS_CUDA_DISCARD_ITERATOR
template <>
inline constexpr bool is_discarded_v<::cuda::discard_iterator> = true;
#endif

//! How many items of the smallest of some sizes fill 16 bytes.
constexpr unsigned pieces_of_smallest(std::initializer_list<std::size_t> sizes)
{
  std::size_t smallest = 16;
  for (const std::size_t size : sizes)
  {
    smallest = size < smallest ? size : smallest;
  }
  return static_cast<unsigned>(16 / smallest);
}

//! What a zip_iterator of pointers is to the kernels of selections. Its items move as arrays: a stage has one for each
//! pointer.
template <class Zip>
struct zipped_pointers;
template <class... T>
struct zipped_pointers<THRUST_NS_QUALIFIER::zip_iterator<::cuda::std::tuple<T*...>>>
    : THRUST_NS_QUALIFIER::zip_iterator<::cuda::std::tuple<T*...>>
{
  using zip = THRUST_NS_QUALIFIER::zip_iterator<::cuda::std::tuple<T*...>>;
  using items = ::cuda::std::tuple<std::remove_const_t<T>...>;
  static constexpr std::size_t item_bytes = (sizeof(T) + ...); //!< of all arrays
  //! Neighbours that fill whole vectors of 16 bytes in each array, if any do.
  static constexpr unsigned piece_items = pieces_of_smallest({sizeof(T)...});

  REHEAT_HOST_DEVICE explicit zipped_pointers(const zip& from) : zip(from) {}
  REHEAT_HOST_DEVICE zipped_pointers operator+(std::ptrdiff_t distance) const
  {
    return zipped_pointers(static_cast<const zip&>(*this) + distance);
  }
  template <std::size_t I>
  REHEAT_HOST_DEVICE auto array() const // not pointer, which is a type of iterators
  {
    return ::cuda::std::get<I>(this->get_iterator_tuple());
  }
};
template <class It>
inline constexpr bool is_zipped_v = false;
template <class Zip>
inline constexpr bool is_zipped_v<zipped_pointers<Zip>> = true;

//! Whether an output takes the arrays of an input one by one.
template <class OutputIt, class InputIt>
inline constexpr bool takes_arrays_v = false;
template <class OutputZip, class InputZip>
inline constexpr bool takes_arrays_v<zipped_pointers<OutputZip>, zipped_pointers<InputZip>> =
    std::is_same_v<typename zipped_pointers<OutputZip>::items, typename zipped_pointers<InputZip>::items>;

//! The input of a selection: items, and a predicate of them or of their places in a stencil.
template <class ItemIt, class StencilIt, class Predicate>
struct selection_source
{
  static constexpr bool has_stencil = !std::is_same_v<StencilIt, no_stencil>;
  ItemIt items;
  StencilIt stencil;
  Predicate predicate;
};

//! The output of a selection, and where the number of selected items goes.
template <class OutputIt, class CountIt>
struct selection_sink
{
  OutputIt out;
  CountIt count;

  //! Of an array of zipped_pointers.
  template <std::size_t I>
  REHEAT_DEVICE auto array() const
  {
    return selection_sink<decltype(out.template array<I>()), CountIt>{out.template array<I>(), count};
  }

  REHEAT_DEVICE void store_count(std::uint64_t items) { *count = static_cast<count_of<CountIt>>(items); }
};

//! The output of a count of what a selection of `items` items leaves out.
template <class CountIt>
struct count_of_others
{
  CountIt count;
  std::uint64_t items;

  REHEAT_DEVICE count_of_others& operator*() { return *this; }
  REHEAT_DEVICE void operator=(std::uint64_t selected) { *count = static_cast<count_of<CountIt>>(items - selected); }
};

//! Selects what the predicate rejects.
template <class Predicate>
struct rejected_by
{
  Predicate predicate;

  template <class T>
  REHEAT_DEVICE bool operator()(const T& item)
  {
    return !predicate(item);
  }
};

} // namespace detail
REHEAT_NAMESPACE_END
