// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "host_machine.hpp"

#include <family/association.hpp>

#include "key_runs.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace compare
{
namespace
{

template <class T>
T combine(operation which, T a, T b)
{
  using wide = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;
  switch (which)
  {
    case operation::plus:
      return static_cast<T>(static_cast<wide>(a) + static_cast<wide>(b));
    case operation::multiplies:
      return static_cast<T>(static_cast<wide>(a) * static_cast<wide>(b));
    case operation::max:
      return std::max(a, b);
    default:
      return std::min(a, b);
  }
}

template <class T>
std::vector<T> items_of(const request& row)
{
  const T* const items = reinterpret_cast<const T*>(row.items);
  return {items, items + row.count};
}

template <class T>
host_bytes bytes_of(const std::vector<T>& values)
{
  host_bytes made(values.size() * sizeof(T));
  if (!values.empty()) // memcpy takes no null pointers
  {
    std::memcpy(made.data(), values.data(), made.size());
  }
  return made;
}

std::vector<key_type> keys_of(const request& row)
{
  std::vector<key_type> keys(row.count);
  fill_keys(keys.data(), row.count);
  return keys;
}

// What is folded of each item.
template <class T>
std::vector<T> terms_of(const request& row)
{
  std::vector<T> terms = items_of<T>(row);
  const std::vector<key_type> keys = keys_of(row);
  const accelerated::term folded = facts_of(row.algorithm).term;
  for (std::size_t i = 0; i < terms.size(); ++i)
  {
    const key_type factor = folded == accelerated::term::mapped ? -1 : folded == accelerated::term::product ? keys[i] : 1;
    terms[i] = combine(operation::multiplies, terms[i], static_cast<T>(factor));
  }
  return terms;
}

// The fold after each item of a run.
template <class T>
void scan_run(const request& row, const T* terms, std::size_t count, std::vector<T>& out)
{
  const bool exclusive = facts_of(row.algorithm).output == output::exclusive;
  T folded = reinterpret_cast<const T*>(row.items)[0]; // init
  for (std::size_t i = 0; i < count; ++i)
  {
    const T before = folded;
    const bool starts = i == 0 && !facts_of(row.algorithm).starts_with_init();
    folded = starts ? terms[i] : combine(row.operation, folded, terms[i]);
    out.push_back(exclusive ? before : folded);
  }
}

template <class T>
result fold_in_loops(const request& row)
{
  const std::vector<T> terms = terms_of<T>(row);
  const bool by_run = facts_of(row.algorithm).keys() == key_use::runs;
  const std::vector<key_type> keys = by_run ? keys_of(row) : std::vector<key_type>(row.count);
  std::vector<key_type> keys_out;
  const bool scan = facts_of(row.algorithm).is_scan();
  std::vector<T> out;
  for (std::size_t begin = 0; begin < row.count;)
  {
    const auto first = keys.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end = std::find_if(first, keys.end(), [=](key_type each) { return each != *first; });
    std::vector<T> folded;
    scan_run(row, terms.data() + begin, static_cast<std::size_t>(end - first), folded);
    out.insert(out.end(), scan ? folded.begin() : folded.end() - 1, folded.end());
    keys_out.push_back(*first);
    begin += folded.size();
  }
  result made;
  made.values = bytes_of(out);
  if (facts_of(row.algorithm).output == output::run_totals)
  {
    made.keys = bytes_of(keys_out);
  }
  return made;
}

template <class T>
std::vector<std::int64_t> numbers_of(const request& row)
{
  const std::vector<T> items = items_of<T>(row);
  const T first = items.front(), last = items.back();
  const auto size = static_cast<std::int64_t>(items.size());
  std::int64_t smaller = 0, equal_to_first = 0, equal_to_last = 0;
  std::int64_t first_equal_to_last = size, first_nan = size, ascending = size;
  bool partitioned = true;
  std::int64_t runs = 0;
  std::size_t smallest = 0, largest = 0;
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    smaller += items[i] < first;
    runs += i == 0 || (items[i] < first) != (items[i - 1] < first);
    equal_to_first += items[i] == first;
    const auto place = static_cast<std::int64_t>(i);
    partitioned = partitioned && (equal_to_last == 0 || items[i] == last);
    equal_to_last += items[i] == last;
    first_equal_to_last = items[i] == last ? std::min(first_equal_to_last, place) : first_equal_to_last;
    first_nan = items[i] == items[i] ? first_nan : std::min(first_nan, place);
    ascending = i > 0 && items[i] < items[i - 1] ? std::min(ascending, place) : ascending;
    smallest = items[i] < items[smallest] ? i : smallest;
    largest = items[largest] < items[i] ? i : largest;
  }
  const auto min = static_cast<std::int64_t>(smallest), max = static_cast<std::int64_t>(largest);
  switch (row.algorithm)
  {
    case algorithm::count:
      return {equal_to_first};
    case algorithm::count_if:
      return {smaller};
    case algorithm::min_element:
      return {min};
    case algorithm::max_element:
      return {max};
    case algorithm::minmax_element:
      return {min, max};
    case algorithm::any_of:
      return {equal_to_last != 0};
    case algorithm::all_of:
    case algorithm::none_of:
      return {equal_to_last == 0};
    case algorithm::find:
    case algorithm::find_if:
    case algorithm::find_if_not:
      return {first_equal_to_last};
    case algorithm::mismatch: // with the same items; one that is not a number differs from itself
      return {first_nan};
    case algorithm::equal:
      return {first_nan == size};
    case algorithm::is_sorted:
      return {ascending == size};
    case algorithm::is_sorted_until:
      return {ascending};
    case algorithm::is_partitioned:
      return {partitioned};
    case algorithm::unique_count:
      return {runs};
    default: // partition_point
      return {size / 2};
  }
}

template <class T>
bool is_selected_in_a_loop(algorithm which, const std::vector<T>& items, const std::vector<key_type>& keys, std::size_t i)
{
  switch (which)
  {
    case algorithm::unique:
    case algorithm::unique_copy:
      return i == 0 || (items[i] < items.front()) != (items[i - 1] < items.front());
    case algorithm::unique_by_key:
    case algorithm::unique_by_key_copy:
      return i == 0 || keys[i] != keys[i - 1];
    case algorithm::remove:
    case algorithm::remove_copy:
      return !(items[i] == items.front());
    case algorithm::remove_if:
    case algorithm::remove_copy_if:
      return keys[i] % 2 == 0;
    default: // copy_if, partitions
      return keys[i] % 2 != 0;
  }
}

// What is behind the selected items is of interest only in place.
template <class T>
std::vector<T> select_in_a_loop(const request& row)
{
  const std::vector<T> items = items_of<T>(row);
  const std::vector<key_type> keys = keys_of(row);
  std::vector<T> selected, others;
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    (is_selected_in_a_loop(row.algorithm, items, keys, i) ? selected : others).push_back(items[i]);
  }
  if (facts_of(row.algorithm).output == output::remainder)
  {
    selected.insert(selected.end(), items.begin() + static_cast<std::ptrdiff_t>(selected.size()), items.end());
  }
  if (facts_of(row.algorithm).output == output::partition)
  {
    selected.insert(selected.end(), others.begin(), others.end());
  }
  return selected;
}

// By insertion behind the items that stay before. Of descending keys, those with negative signs ascend.
template <class T>
result sort_in_a_loop(const request& row)
{
  const std::vector<key_type> keys = keys_of(row);
  const bool by_key = facts_of(row.algorithm).writes_keys();
  const key_type sign = row.algorithm == algorithm::stable_sort_by_key ? -1 : 1;
  std::multimap<key_type, std::size_t> keyed; // equals stay in the order of their insertion
  std::multimap<T, std::size_t> sorted;
  std::vector<T> values;
  std::vector<key_type> keys_out;
  const std::vector<T> items = items_of<T>(row);
  for (std::size_t i = 0; i < row.count; ++i)
  {
    by_key ? void(keyed.emplace(sign * keys[i], i)) : void(sorted.emplace(items[i], i));
  }
  for (const auto& each : keyed)
  {
    values.push_back(items[each.second]);
    keys_out.push_back(keys[each.second]);
  }
  for (const auto& each : sorted)
  {
    values.push_back(items[each.second]);
  }
  result made;
  made.values = bytes_of(values);
  made.keys = bytes_of(keys_out);
  return made;
}

template <class T>
result run_loops(const request& row)
{
  if (facts_of(row.algorithm).sorts())
  {
    return sort_in_a_loop<T>(row);
  }
  if (takes_operation(row.algorithm))
  {
    return fold_in_loops<T>(row);
  }
  result made;
  made.values = facts_of(row.algorithm).selects() ? bytes_of(select_in_a_loop<T>(row)) : bytes_of(numbers_of<T>(row));
  return made;
}

} // namespace

outcome host_machine::run(const request& row)
{
  outcome made;
  with_type(row.element,
            [&](auto tag)
            {
              using T = typename decltype(tag)::type;
              made.thrust = run_loops<T>(row);
              made.reheat = run_loops<T>(row);
              if (is_of_device_classes(row.algorithm))
              {
                made.others[implementation::device] = run_loops<T>(row);
                made.others[implementation::cub] = run_loops<T>(row);
              }
            });
  const auto other = made.others.find(faulty_);
  if (faulty_ == implementation::reheat || other != made.others.end())
  {
    apply_fault(row, faulty_ == implementation::reheat ? made.reheat : other->second);
  }
  return made;
}

// In double. An exact sum of few items is theirs, rounded.
sums host_machine::sums_of(const sum_request& row)
{
  return with_type(row.element,
                   [&](auto tag)
                   {
                     using T = typename decltype(tag)::type;
                     const T* const first = reinterpret_cast<const T*>(row.items);
                     double sum = 0;
                     for (std::size_t i = 0; i < row.count; ++i)
                     {
                       sum += static_cast<double>(first[i]);
                     }
                     const double rounded = static_cast<double>(static_cast<T>(sum));
                     return sums{rounded, rounded, rounded, rounded};
                   });
}

std::vector<std::uint64_t> host_machine::golden_hashes()
{
  std::vector<std::uint64_t> made;
  for (const association::golden_row& row : association::golden_rows)
  {
    made.push_back(row.hash);
  }
  made.back() ^= fault_ == fault::wrong_value ? 1 : 0;
  return made;
}

void host_machine::apply_fault(const request& row, result& made) const
{
  if (made.values.size() == 0 && (fault_ == fault::wrong_value || fault_ == fault::not_written))
  {
    return; // nothing is selected
  }
  const std::size_t last_bytes = output_item_bytes(row.algorithm, row.element);
  std::byte* const last = made.values.data() + made.values.size() - last_bytes;
  switch (fault_)
  {
    case fault::none:
      break;
    case fault::wrong_value: // the highest byte: a change that no rounding makes
      last[last_bytes - 1] ^= std::byte{0x7f};
      break;
    case fault::wrong_key:
      if (made.keys.size() != 0)
      {
        made.keys.data()[made.keys.size() - 1] ^= std::byte{0x7f};
      }
      break;
    case fault::not_written: // what stood there is the complement of Thrust's result
      std::transform(last, last + last_bytes, last, [](std::byte each) { return ~each; });
      break;
    case fault::wrong_end:
      made.returned_end = false;
      break;
    case fault::out_of_bounds:
      made.kept_bounds = false;
      break;
    case fault::throws:
      made.failure = "the kernel deadlocked";
      break;
    case fault::no_memory:
      throw machine_error("out of memory; take fewer items with --items");
  }
}

} // namespace compare
