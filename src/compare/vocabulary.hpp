// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What can be compared: algorithms, value types and operators, with the names the command line uses.
#pragma once

#include <family/family.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace compare
{

using accelerated::algorithm;
using accelerated::algorithm_facts;
using accelerated::algorithms;
using accelerated::facts_of;
using accelerated::key_use;
using accelerated::output;

enum class element
{
  u8,
  i8,
  u16,
  i16,
  u32,
  i32,
  u64,
  i64,
  f32,
  f64,
};
enum class operation
{
  plus,
  max,
  min,
  multiplies,
  none, //!< the algorithm takes no operator; no name on the command line stands for it
};

//! What makes the calls of a row.
enum class implementation
{
  thrust,
  reheat, //!< reheat::par
  device, //!< reheat::DeviceReduce and reheat::DeviceScan
  cub,
};

//! Whether its calls have two phases, the first of which says how much temporary memory the second needs.
constexpr bool has_two_phases(implementation which)
{
  return which == implementation::device || which == implementation::cub;
}
//! Whether a wrong result of it makes a row differ.
constexpr bool is_ours(implementation which)
{
  return which == implementation::reheat || which == implementation::device;
}

//! What is compared where nothing else is asked for.
inline constexpr std::array default_algorithms{algorithm::reduce, algorithm::inclusive_scan, algorithm::exclusive_scan};
inline constexpr std::array elements{element::u8,  element::i8,  element::u16, element::i16, element::u32,
                                     element::i32, element::u64, element::i64, element::f32, element::f64};
inline constexpr std::array operations{operation::plus, operation::max, operation::min, operation::multiplies};

//! Whether the algorithm is served for every type and operator; the others are for i32 and f32, and for sums.
constexpr bool is_for_everything(algorithm which)
{
  return which == algorithm::reduce || which == algorithm::inclusive_scan || which == algorithm::exclusive_scan;
}
//! Whether `device` and CUB have a function for it.
constexpr bool is_of_device_classes(algorithm which)
{
  switch (which)
  {
    case algorithm::transform_reduce:
    case algorithm::min_element:
    case algorithm::max_element:
    case algorithm::inclusive_scan_by_key:
    case algorithm::exclusive_scan_by_key:
    case algorithm::reduce_by_key:
      return true;
    default:
      return is_for_everything(which);
  }
}
constexpr bool takes_operation(algorithm which)
{
  return !facts_of(which).gives_numbers() && !facts_of(which).selects() && !facts_of(which).sorts();
}
//! Why there is no such row, with what there is; empty if there is one. An algorithm that takes no operator serves any.
std::string unserved(algorithm which, element type, operation operation);

//! Whether the algorithm is served across ranks here: of those that there are across ranks, all but reduce_into.
//! unserved_across says for which types and operators.
constexpr bool is_served_across(algorithm which)
{
  switch (which)
  {
    case algorithm::reduce:
    case algorithm::transform_reduce:
    case algorithm::inner_product:
    case algorithm::count:
    case algorithm::count_if:
    case algorithm::min_element:
    case algorithm::max_element:
    case algorithm::minmax_element:
    case algorithm::all_of:
    case algorithm::any_of:
    case algorithm::none_of:
    case algorithm::inclusive_scan:
    case algorithm::exclusive_scan:
    case algorithm::transform_inclusive_scan:
    case algorithm::transform_exclusive_scan:
    case algorithm::inclusive_scan_by_key:
    case algorithm::exclusive_scan_by_key:
    case algorithm::reduce_by_key:
    case algorithm::copy_if:
    case algorithm::remove_copy:
    case algorithm::remove_copy_if:
      return true;
    default:
      return false;
  }
}
//! As unserved, of a row across ranks.
std::string unserved_across(algorithm which, element type, operation operation);

const char* name_of(algorithm which);
const char* name_of(element which);
const char* name_of(operation which);
const char* name_of(implementation which);

template <class T>
struct type_tag
{
  using type = T;
};

//! `visit(type_tag<T>{})` with the C++ type of `which`.
template <class Visit>
decltype(auto) with_type(element which, Visit visit)
{
  switch (which)
  {
    case element::u8:
      return visit(type_tag<std::uint8_t>{});
    case element::i8:
      return visit(type_tag<std::int8_t>{});
    case element::u16:
      return visit(type_tag<std::uint16_t>{});
    case element::i16:
      return visit(type_tag<std::int16_t>{});
    case element::u32:
      return visit(type_tag<std::uint32_t>{});
    case element::i32:
      return visit(type_tag<std::int32_t>{});
    case element::u64:
      return visit(type_tag<std::uint64_t>{});
    case element::i64:
      return visit(type_tag<std::int64_t>{});
    case element::f32:
      return visit(type_tag<float>{});
    default:
      return visit(type_tag<double>{});
  }
}

inline std::size_t size_of(element which)
{
  return with_type(which, [](auto tag) { return sizeof(typename decltype(tag)::type); });
}
inline bool is_float(element which)
{
  return which == element::f32 || which == element::f64;
}
//! Items of the output that are of the items' own type, or numbers. A selection has room for all items.
std::size_t output_items(algorithm which, std::size_t items);
//! Of one of them.
inline std::size_t output_item_bytes(algorithm which, element type)
{
  return facts_of(which).gives_numbers() ? sizeof(std::int64_t) : size_of(type);
}
//! What a call has to read and write at least, keys included. A selection may write nothing.
std::size_t moved_bytes(algorithm which, element type, std::size_t items);

} // namespace compare
