// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "vocabulary.hpp"

#include "key_runs.hpp"

namespace compare
{

std::string unserved(algorithm which, element type, operation operation)
{
  if (is_for_everything(which))
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

std::string unserved_across(algorithm which, element type, operation operation)
{
  if (!is_served_across(which))
  {
    return std::string("--ranks serves reductions, extrema, scans, reduce_by_key, copy_if, remove_copy and remove_copy_if, "
                       "not ") +
           name_of(which);
  }
  const std::string without = unserved(which, type, operation);
  if (!without.empty() || !takes_operation(which) || operation == operation::plus)
  {
    return without;
  }
  if (operation == operation::multiplies)
  {
    return "--ranks serves plus, max and min, not multiplies";
  }
  return type == element::i32 || type == element::f32
             ? std::string()
             : std::string("--ranks serves ") + name_of(operation) + " of i32 and f32, not of " + name_of(type);
}

std::size_t output_items(algorithm which, std::size_t items)
{
  switch (facts_of(which).output)
  {
    case output::inclusive:
    case output::exclusive:
    case output::selection:
    case output::remainder:
    case output::partition:
    case output::sorted:
    case output::sorted_by_key:
      return items;
    case output::run_totals:
      return count_runs(items);
    default:
      return facts_of(which).output == output::two_numbers ? 2 : 1;
  }
}

std::size_t moved_bytes(algorithm which, element type, std::size_t items)
{
  const bool may_write_nothing = facts_of(which).selects() && facts_of(which).output != output::partition;
  const std::size_t written = may_write_nothing ? 0 : output_items(which, items);
  const std::size_t keys_read = facts_of(which).keys() != key_use::none ? items : 0;
  const std::size_t keys_written = facts_of(which).writes_keys() ? written : 0;
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
const char* name_of(implementation which)
{
  constexpr const char* names[]{"thrust", "reheat", "device", "cub"};
  return names[static_cast<int>(which)];
}

} // namespace compare
