// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Run-length encoding: runs of equal neighbours, and how long they are. Each two neighbours are compared as by unique.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/algorithms/select.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/scan/dispatch.cuh>
#include <reheat/detail/select/run_lengths.cuh>
#include <reheat/detail/select/run_starts.cuh>
#include <reheat/detail/select/unique.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! Bytes of the numbers that an output takes, if warps store them in vectors; else 0.
template <class OutputIt>
inline constexpr std::size_t packed_bytes_of_v = detail::moves_in_vec16_v<OutputIt, detail::count_of<OutputIt>>
                                                     ? sizeof(detail::count_of<OutputIt>)
                                                     : 0;

//! Stores runs from `firsts` on, their lengths from `lengths` on, and how many there are to `count_out`; of no items that is
//! 0, and nothing else is stored. Of all runs `firsts` takes the first items, of non-trivial ones their indices.
//! `equal` is asked about neighbours.
template <detail::stored_runs Which, class Environment, class InputIt, class FirstIt, class LengthIt, class CountIt,
          class Equal>
void run_lengths_into(const Environment& env, InputIt in, FirstIt firsts, LengthIt lengths, CountIt count_out,
                      std::uint64_t items, Equal equal)
{
  enqueue_with_count<detail::value_of<InputIt>>(
      env, count_out, items,
      [&](auto count_output)
      {
        const auto input = detail::unwrap_input(env, in);
        const auto first_output = detail::unwrap(env, firsts);
        const auto length_output = detail::unwrap(env, lengths);
        using first_type = std::remove_cv_t<decltype(first_output)>;
        using length_type = std::remove_cv_t<decltype(length_output)>;
        constexpr std::size_t of_firsts = Which == detail::stored_runs::all ? 0 : packed_bytes_of_v<first_type>;
        constexpr std::size_t of_lengths = packed_bytes_of_v<length_type>;
        using source = detail::run_length_source<Which, (of_firsts > of_lengths ? of_firsts : of_lengths),
                                                 std::remove_cv_t<decltype(input)>, Equal>;
        using sink = detail::run_length_sink<first_type, length_type, decltype(count_output)>;
        detail::enqueue_scan<detail::scan_kind::inclusive>(
            env, source{{input, {}, equal}}, sink{{{first_output, false}, {{}, false}, count_output}, length_output}, items,
            detail::append_runs{}, detail::scan_without_init<detail::run_count>{});
      });
}

} // namespace algorithms
REHEAT_NAMESPACE_END
