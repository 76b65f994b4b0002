// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "host_machine.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

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
result run_loop(const request& row)
{
  result made;
  made.values = host_bytes(output_items(row.algorithm, row.count) * sizeof(T));
  const T* const in = reinterpret_cast<const T*>(row.items);
  T* const out = made.values.as<T>();
  T folded = in[0]; // init, but for inclusive_scan
  for (std::size_t i = 0; i < row.count; ++i)
  {
    const T before = folded;
    folded = i == 0 && row.algorithm == algorithm::inclusive_scan ? in[0] : combine(row.operation, folded, in[i]);
    if (row.algorithm != algorithm::reduce)
    {
      out[i] = row.algorithm == algorithm::inclusive_scan ? folded : before;
    }
  }
  if (row.algorithm == algorithm::reduce)
  {
    out[0] = folded;
  }
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
              made.thrust = run_loop<T>(row);
              made.reheat = run_loop<T>(row);
            });
  result& ours = made.reheat;
  std::byte* const last = ours.values.data() + ours.values.size() - size_of(row.element);
  switch (fault_)
  {
    case fault::none:
      break;
    case fault::wrong_value: // the highest byte: a change that no rounding makes
      last[size_of(row.element) - 1] ^= std::byte{0x7f};
      break;
    case fault::not_written: // what stood there is the complement of Thrust's result
      std::transform(last, last + size_of(row.element), last, [](std::byte each) { return ~each; });
      break;
    case fault::wrong_end:
      ours.returned_end = false;
      break;
    case fault::out_of_bounds:
      ours.kept_bounds = false;
      break;
    case fault::throws:
      ours.failure = "the kernel deadlocked";
      break;
    case fault::no_memory:
      throw machine_error("out of memory; take fewer items with --items");
  }
  return made;
}

} // namespace compare
