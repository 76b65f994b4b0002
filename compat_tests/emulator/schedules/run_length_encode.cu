// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Lengths of runs under many schedules: of all runs and of non-trivial ones, at every alignment.
#include "checks.hpp"

#include "../../support/runs.hpp"

#include <reheat/device.cuh>

#include <algorithm>
#include <iterator>

namespace schedules::run_length_encode
{
namespace
{

//! Both phases of a call.
template <class Call>
void call_with_memory(Call call)
{
  std::size_t bytes = 0;
  static_cast<void>(call(nullptr, bytes));
  std::vector<unsigned char> memory(bytes, 0xff);
  static_cast<void>(call(memory.data(), bytes));
  wait_for_all_streams();
}

//! What stands `first` items behind the beginning of a range whose items all were 77.
template <class T>
std::vector<T> among_others(std::size_t size, std::size_t first, const std::vector<T>& items)
{
  std::vector<T> all(size, T(77));
  std::copy(items.begin(), items.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
  return all;
}

template <class T>
using tuning_of = reheat::detail::run_length_tuning<sizeof(T), true, (sizeof(T) < 4 ? 4 : 0)>;

template <class T>
std::size_t few_tiles_items()
{
  return most_items_of_few_tiles<tuning_of<T>, sizeof(T), reheat::detail::few_tiles_size::large>();
}

//! There are up to so many items, or some tiles that are streamed.
template <class T, std::size_t (*MaxItems)() = nullptr>
std::string lengths(draw& choose)
{
  using u32 = std::uint32_t;
  const bool all = choose.flip();
  const std::size_t count = MaxItems != nullptr ? choose.items(MaxItems() / 8, 8)
                                                : choose.items(tuning_of<T>{}(compat::kernel_arch()).tile_items(), 12),
                    first = choose.below(4);
  const compat::run_lengths some = compat::all_run_lengths[choose.below(std::size(compat::all_run_lengths))];
  const std::vector<T> items = compat::make_runs<T>(count, some);
  const compat::runs_of_items<T, u32> runs = compat::runs_reference<u32>(items, all ? 1 : 2);
  placed_items<T> in(items, choose.flip()), firsts(std::vector<T>(first + count, T(77)), false);
  placed_items<u32> indices(std::vector<u32>(first + count, 77), false), out(indices.items(), false);
  placed_items<std::uint64_t> number(std::vector<std::uint64_t>(1, 77), false);
  const T* const begin = in.data();
  call_with_memory(
      [&](void* memory, std::size_t& bytes)
      {
        return all ? reheat::DeviceRunLengthEncode::Encode(memory, bytes, begin, firsts.data() + first, out.data() + first,
                                                           number.data(), count)
                   : reheat::DeviceRunLengthEncode::NonTrivialRuns(memory, bytes, begin, indices.data() + first,
                                                                   out.data() + first, number.data(), count);
      });
  if (number.items()[0] != runs.length.size())
  {
    return "the number of runs is wrong";
  }
  const std::string wrong = differing(among_others(first + count, first, runs.length), out.items());
  return !wrong.empty() ? "lengths: " + wrong
         : all          ? differing(among_others(first + count, first, runs.first), firsts.items())
                        : differing(among_others(first + count, first, runs.index), indices.items());
}

} // namespace

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> all = {
      {"run_lengths/bytes", "runs", lengths<std::uint8_t>},
      {"run_lengths/words", "runs", lengths<std::uint32_t>},
      {"run_lengths/bytes_of_few_tiles", "few_tiles", lengths<std::uint8_t, few_tiles_items<std::uint8_t>>},
  };
  return all;
}

} // namespace schedules::run_length_encode
