// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "vocabulary.hpp"

#include "key_runs.hpp"

#include <iterator>

namespace compare
{

const algorithm_facts& facts_of(algorithm which)
{
  // In the order of the enumeration: name, output, starts with init, keys, for everything, meaning.
  static constexpr algorithm_facts all[]{
      {"reduce", output::total, true, key_use::none, true, "after the first item as init"},
      {"inclusive_scan", output::inclusive, false, key_use::none, true, ""},
      {"exclusive_scan", output::exclusive, true, key_use::none, true, "after the first item as init"},
      {"reduce_into", output::total, true, key_use::none, false, "after the first item as init, written to memory"},
      {"transform_reduce", output::total, true, key_use::none, false, "of the negated items, after the first item as init"},
      {"inner_product", output::total, true, key_use::factors, false,
       "of the items and the keys 1, -1 and 2, after the first item as init"},
      {"transform_inclusive_scan", output::inclusive, false, key_use::none, false, "of the negated items"},
      {"transform_exclusive_scan", output::exclusive, true, key_use::none, false,
       "of the negated items, after the first as init"},
      {"reduce_by_key", output::run_totals, false, key_use::runs, false, "over runs of 1 to 4096 equal keys (i32)"},
      {"inclusive_scan_by_key", output::inclusive, false, key_use::runs, false, "over the same runs"},
      {"exclusive_scan_by_key", output::exclusive, true, key_use::runs, false,
       "over the same runs, each after the first item of all as init"},
      {"count", output::numbers, false, key_use::none, false, "of the first item"},
      {"count_if", output::numbers, false, key_use::none, false, "of the items smaller than the first"},
      {"min_element", output::numbers, false, key_use::none, false, "the position"},
      {"max_element", output::numbers, false, key_use::none, false, "the position"},
      {"minmax_element", output::numbers, false, key_use::none, false, "both positions"},
      {"all_of", output::numbers, false, key_use::none, false, "whether all items differ from the last one"},
      {"any_of", output::numbers, false, key_use::none, false, "whether an item equals the last one"},
      {"none_of", output::numbers, false, key_use::none, false, "whether no item equals the last one"},
  };
  static_assert(std::size(all) == algorithms.size());
  return all[static_cast<int>(which)];
}

std::string unserved(algorithm which, element type, operation operation)
{
  if (facts_of(which).for_everything)
  {
    return {};
  }
  if (type != element::i32 && type != element::f32)
  {
    return std::string(name_of(which)) + " serves i32 and f32, not " + name_of(type);
  }
  if (takes_operation(which) && operation != operation::plus)
  {
    return std::string(name_of(which)) + " serves plus, not " + name_of(operation);
  }
  return {};
}

std::size_t output_items(algorithm which, std::size_t items)
{
  switch (facts_of(which).output)
  {
    case output::inclusive:
    case output::exclusive:
      return items;
    case output::run_totals:
      return count_runs(items);
    default:
      return which == algorithm::minmax_element ? 2 : 1;
  }
}

std::size_t moved_bytes(algorithm which, element type, std::size_t items)
{
  const std::size_t written = output_items(which, items);
  const std::size_t keys_read = facts_of(which).keys != key_use::none ? items : 0;
  const std::size_t keys_written = facts_of(which).output == output::run_totals ? written : 0;
  return items * size_of(type) + written * output_item_bytes(which, type) + (keys_read + keys_written) * sizeof(key_type);
}

const char* name_of(algorithm which)
{
  return facts_of(which).name;
}
const char* name_of(element which)
{
  constexpr const char* names[]{"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64"};
  return names[static_cast<int>(which)];
}
const char* name_of(operation which)
{
  constexpr const char* names[]{"plus", "max", "min", "multiplies", "-"};
  return names[static_cast<int>(which)];
}

} // namespace compare
