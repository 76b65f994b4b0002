// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Selections keep to one pass: each item is read once, and so is each item of a stencil; each selected item is written
//! once, and nothing behind the last one. So do partitions, which write each item once.

#include "calls.hpp"

#include "../../support/calls.hpp"
#include "../../support/selections.hpp"

#include <thrust/copy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/tuple.h>

using namespace compat;

BOOST_AUTO_TEST_SUITE(accesses)
BOOST_AUTO_TEST_SUITE(selections)

namespace
{

//! All bytes were read once, and the first `written` of them written once.
void check_in_place(const watched_range& range, std::size_t bytes, std::size_t written)
{
  for (std::size_t byte = 0; byte < bytes; ++byte)
  {
    if (range.reads_of(byte) != 1 || range.writes_of(byte) != (byte < written ? 1u : 0u))
    {
      BOOST_ERROR(range.report() << ". Byte " << byte << " of " << bytes << ": " << range.reads_of(byte) << " reads, "
                                 << range.writes_of(byte) << " writes");
      return;
    }
  }
  BOOST_TEST(true);
}

//! By a stencil of Flags, from and to memory that starts so many items behind an aligned address.
template <class T, class Flag>
void check_selection(std::size_t count, selected which, std::size_t in_behind, std::size_t out_behind)
{
  const std::size_t tiles = select_tiles<T, sizeof(Flag)>(count);
  const std::vector<T> items = make_items<T>(count, 1);
  const std::vector<Flag> flags = make_flags<Flag>(count, which);
  const std::vector<T> expected = selection_reference(items, flags);
  const std::size_t found = expected.size();
  stream own;
  placed<T> in(items, in_behind), out(count, out_behind);
  placed<Flag> stencil(flags, in_behind);
  {
    const watched_range input(in.begin(), count * sizeof(T), content::written, "items");
    const watched_range flag(stencil.begin(), count * sizeof(Flag), content::written, "stencil");
    const watched_range output(out.begin(), found * sizeof(T), content::never_written, "output");
    const watched_range behind(out.begin() + found, (count - found) * sizeof(T), content::never_written, "behind");
    const watched_range number(next_result<std::uint64_t>(), sizeof(std::uint64_t), content::never_written, "number");
    thrust::copy_if(reheat::par.on(own.get()), in.begin(), in.end(), stencil.begin(), out.begin(), is_flag{});
    check_counts(input, count * sizeof(T), 1, 0);
    check_counts(flag, count * sizeof(Flag), 1, 0);
    check_counts(output, found * sizeof(T), 0, 1);
    check_counts(behind, (count - found) * sizeof(T), 0, 0);
    check_counts(number, sizeof(std::uint64_t), 0, 1);
  }
  std::vector<T> written = out.items();
  written.resize(found, values<T>::make(0));
  check_same("copy_if", expected, written);
  if (in_behind == 0)
  {
    const watched_scratch<reheat::detail::selected_count> scratch(own.get(), tiles);
    const watched_range input(in.begin(), count * sizeof(T), content::written, "items in place");
    thrust::copy_if(reheat::par.on(own.get()), in.begin(), in.end(), stencil.begin(), in.begin(), is_flag{});
    check_in_place(input, count * sizeof(T), found * sizeof(T));
    scratch.check(tiles - 1); // nobody needs the last tile's count
  }
  std::vector<T> left = in.items();
  check_same("items", in_behind == 0 ? in_place_reference(expected, items) : items, left);
}

template <class T, class Flag>
void check_all()
{
  for (const std::size_t count : tile_sweep(select_tile<T, sizeof(Flag)>()))
  {
    const selected which = all_selections[2 + count % 6]; // not none and not all, so that no range is empty
    BOOST_TEST_CONTEXT(count << " items")
    {
      for_each_seed(3,
                    [&]
                    {
                      check_selection<T, Flag>(count, which, 0, 0);
                      check_selection<T, Flag>(count, which, 0, 1);
                      check_selection<T, Flag>(count, which, 1, 0);
                    });
    }
  }
}

//! A partition to two outputs: nothing is read or written twice, and nothing else is written.
template <class T>
void check_partition(std::size_t count, selected which, std::size_t in_behind, std::size_t out_behind)
{
  const std::vector<T> items = make_items<T>(count, 1);
  const std::vector<T> flags = make_flags<T>(count, which);
  const std::size_t found = selection_reference(items, flags).size(), others = count - found;
  stream own;
  placed<T> in(items, in_behind), out(count, out_behind), rejected(count, in_behind), stencil(flags, in_behind);
  const watched_range input(in.begin(), count * sizeof(T), content::written, "items");
  const watched_range flag(stencil.begin(), count * sizeof(T), content::written, "stencil");
  const watched_range output(out.begin(), found * sizeof(T), content::never_written, "selected");
  const watched_range behind(out.begin() + found, others * sizeof(T), content::never_written, "behind them");
  const watched_range rest(rejected.begin(), others * sizeof(T), content::never_written, "rejected");
  const watched_range behind_rest(rejected.begin() + others, found * sizeof(T), content::never_written, "behind those");
  const watched_range number(next_result<std::uint64_t>(), sizeof(std::uint64_t), content::never_written, "number");
  thrust::partition_copy(reheat::par.on(own.get()), in.begin(), in.end(), stencil.begin(), out.begin(), rejected.begin(),
                         is_flag{});
  check_counts(input, count * sizeof(T), 1, 0);
  check_counts(flag, count * sizeof(T), 1, 0);
  check_counts(output, found * sizeof(T), 0, 1);
  check_counts(behind, others * sizeof(T), 0, 0);
  check_counts(rest, others * sizeof(T), 0, 1);
  check_counts(behind_rest, found * sizeof(T), 0, 0);
  check_counts(number, sizeof(std::uint64_t), 0, 1);
}

//! A partition in place: nothing of the range is read or written twice, and tiles exchange counts in words of the stream's.
template <class T>
void check_partition_in_place(std::size_t count, selected which, std::size_t behind)
{
  const std::vector<T> items = make_items<T>(count, 1);
  const std::vector<T> flags = make_flags<T>(count, which);
  const std::size_t tiles = select_tiles<T, sizeof(T)>(count);
  stream own;
  placed<T> range(items, behind), stencil(flags, behind);
  {
    const watched_scratch<reheat::detail::selected_count> scratch(own.get(), tiles);
    const watched_range watched(range.begin(), count * sizeof(T), content::written, "items");
    const watched_range number(next_result<std::uint64_t>(), sizeof(std::uint64_t), content::never_written, "number");
    thrust::stable_partition(reheat::par.on(own.get()), range.begin(), range.end(), stencil.begin(), is_flag{});
    check_counts(watched, count * sizeof(T), 1, 1);
    check_counts(number, sizeof(std::uint64_t), 0, 1);
    if (behind == 0)
    {
      scratch.check(tiles - 1); // nobody needs the last tile's count
    }
  }
  std::vector<T> expected = selection_reference(items, flags);
  for (std::size_t i = 0; i < count; ++i)
  {
    if (!is_flag{}(flags[i]))
    {
      expected.push_back(items[i]);
    }
  }
  check_same("stable_partition", expected, range.items());
}

//! Is asked about pairs, whose first item is the flag.
struct is_flag_of_pair
{
  template <class Pair>
  bool operator()(const Pair& pair) const
  {
    return is_flag{}(thrust::get<0>(pair));
  }
};

//! A partition of pairs in two arrays, which begin so many items behind an aligned address.
void check_pairs(std::size_t count, selected which, std::size_t in_behind)
{
  using u8 = std::uint8_t;
  using u32 = std::uint32_t;
  const std::vector<u8> flags = make_flags<u8>(count, which);
  const std::size_t found = selection_reference(flags, flags).size(), others = count - found;
  stream own;
  placed<u8> in_flags(flags, in_behind), out_flags(count, std::size_t{0}), rejected_flags(count, in_behind);
  placed<u32> in(make_items<u32>(count, 1), in_behind), out(count, in_behind), rejected(count, std::size_t{0});
  const auto from = thrust::make_zip_iterator(in_flags.begin(), in.begin());
  const watched_range first(in_flags.begin(), count, content::written, "flags");
  const watched_range second(in.begin(), count * sizeof(u32), content::written, "items");
  const watched_range first_out(out_flags.begin(), found, content::never_written, "selected flags");
  const watched_range second_out(out.begin(), found * sizeof(u32), content::never_written, "selected items");
  const watched_range behind(out.begin() + found, others * sizeof(u32), content::never_written, "behind them");
  const watched_range first_rest(rejected_flags.begin(), others, content::never_written, "rejected flags");
  const watched_range second_rest(rejected.begin(), others * sizeof(u32), content::never_written, "rejected items");
  thrust::partition_copy(reheat::par.on(own.get()), from, from + static_cast<std::ptrdiff_t>(count),
                         thrust::make_zip_iterator(out_flags.begin(), out.begin()),
                         thrust::make_zip_iterator(rejected_flags.begin(), rejected.begin()), is_flag_of_pair{});
  check_counts(first, count, 1, 0);
  check_counts(second, count * sizeof(u32), 1, 0);
  check_counts(first_out, found, 0, 1);
  check_counts(second_out, found * sizeof(u32), 0, 1);
  check_counts(behind, others * sizeof(u32), 0, 0);
  check_counts(first_rest, others, 0, 1);
  check_counts(second_rest, others * sizeof(u32), 0, 1);
}

template <class T>
void check_all_partitions()
{
  for (const std::size_t count : tile_sweep(select_tile<T, sizeof(T)>()))
  {
    if (count < 2)
    {
      continue; // a range would be empty
    }
    const selected which = all_selections[2 + count % 5]; // not none, not all and no long runs
    BOOST_TEST_CONTEXT(count << " items")
    {
      for_each_seed(2,
                    [&]
                    {
                      check_partition<T>(count, which, 0, 0);
                      check_partition<T>(count, which, 1, 3);
                      check_partition_in_place<T>(count, which, 0);
                      check_partition_in_place<T>(count, which, 3);
                    });
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(words_of_a_partition_are_read_once_and_written_once)
{
  check_all_partitions<std::uint32_t>();
}
BOOST_AUTO_TEST_CASE(bytes_of_a_partition_are_read_once_and_written_once)
{
  check_all_partitions<std::uint8_t>();
}
BOOST_AUTO_TEST_CASE(arrays_of_a_zip_are_read_once_and_written_once)
{
  for (const std::size_t count : {std::size_t(90), std::size_t(700), std::size_t(4001)})
  {
    for_each_seed(2,
                  [&]
                  {
                    check_pairs(count, selected::every_second, 0);
                    check_pairs(count, selected::a_tenth, 1);
                  });
  }
}
BOOST_AUTO_TEST_CASE(words_by_a_stencil_are_read_once_and_written_once)
{
  check_all<std::uint32_t, std::uint32_t>();
}
BOOST_AUTO_TEST_CASE(bytes_by_a_stencil_are_read_once_and_written_once)
{
  check_all<std::uint8_t, std::uint8_t>();
}
BOOST_AUTO_TEST_CASE(structs_by_a_stencil_are_read_once_and_written_once)
{
  check_all<words<3>, std::uint32_t>();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
