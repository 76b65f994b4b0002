// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What can be compared: algorithms, value types and operators, with the names the command line uses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace compare
{

enum class algorithm
{
  reduce,
  inclusive_scan,
  exclusive_scan,
  reduce_into,
  transform_reduce,
  inner_product,
  transform_inclusive_scan,
  transform_exclusive_scan,
  reduce_by_key,
  inclusive_scan_by_key,
  exclusive_scan_by_key,
  count,
  count_if,
  min_element,
  max_element,
  minmax_element,
  all_of,
  any_of,
  none_of,
};
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

inline constexpr std::array algorithms{algorithm::reduce,
                                       algorithm::inclusive_scan,
                                       algorithm::exclusive_scan,
                                       algorithm::reduce_into,
                                       algorithm::transform_reduce,
                                       algorithm::inner_product,
                                       algorithm::transform_inclusive_scan,
                                       algorithm::transform_exclusive_scan,
                                       algorithm::reduce_by_key,
                                       algorithm::inclusive_scan_by_key,
                                       algorithm::exclusive_scan_by_key,
                                       algorithm::count,
                                       algorithm::count_if,
                                       algorithm::min_element,
                                       algorithm::max_element,
                                       algorithm::minmax_element,
                                       algorithm::all_of,
                                       algorithm::any_of,
                                       algorithm::none_of};
//! What is compared where nothing else is asked for.
inline constexpr std::array default_algorithms{algorithm::reduce, algorithm::inclusive_scan, algorithm::exclusive_scan};
inline constexpr std::array elements{element::u8,  element::i8,  element::u16, element::i16, element::u32,
                                     element::i32, element::u64, element::i64, element::f32, element::f64};
inline constexpr std::array operations{operation::plus, operation::max, operation::min, operation::multiplies};

//! What an algorithm makes of its items.
enum class output
{
  total,      //!< one fold of all
  inclusive,  //!< at each position the fold up to and with its item
  exclusive,  //!< the same without its item
  run_totals, //!< for each run of equal keys its fold, and its key
  numbers,    //!< counts, positions, truths: std::int64_t whatever the items are
};

//! What an algorithm does with the array of keys (key_runs.hpp).
enum class key_use
{
  none,
  factors, //!< every item is multiplied by its key
  runs,    //!< every run of equal keys is a range of its own
};

struct algorithm_facts
{
  const char* name;
  compare::output output;
  bool starts_with_init; //!< a fold starts with the first item of the input
  key_use keys;
  //! Served for every type and operator, and by CUB; the others for i32 and f32, and for sums.
  bool for_everything;
  const char* meaning; //!< of a row, for --help
};

const algorithm_facts& facts_of(algorithm which);
inline bool takes_operation(algorithm which)
{
  return facts_of(which).output != output::numbers;
}
//! Why there is no such row, with what there is; empty if there is one. An algorithm that takes no operator serves any.
std::string unserved(algorithm which, element type, operation operation);

const char* name_of(algorithm which);
const char* name_of(element which);
const char* name_of(operation which);

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
//! Items of the output that are of the items' own type, or numbers.
std::size_t output_items(algorithm which, std::size_t items);
//! Of one of them.
inline std::size_t output_item_bytes(algorithm which, element type)
{
  return takes_operation(which) ? size_of(type) : sizeof(std::int64_t);
}
//! What a call has to read and write at least, keys included.
std::size_t moved_bytes(algorithm which, element type, std::size_t items);

} // namespace compare
