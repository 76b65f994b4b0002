// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! partition, stable_partition, partition_copy, stable_partition_copy, and reheat::copy_if_into and its
//! like.

#include "../support/calls.hpp"
#include "../support/memory.hpp"
#include "../support/runs.hpp"
#include "../support/selections.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)

namespace
{

//! The items whose flags are even.
template <class T, class Flag>
std::vector<T> rejected_reference(const std::vector<T>& items, const std::vector<Flag>& flags)
{
  std::vector<T> result;
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    if (!is_flag{}(flags[i]))
    {
      result.push_back(items[i]);
    }
  }
  return result;
}
template <class T>
std::vector<T> one_behind_the_other(std::vector<T> first, const std::vector<T>& second)
{
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

//! Whether two neighbours differ at most in their lowest bit.
struct in_one_half
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x, std::uint32_t y) const { return x / 2 == y / 2; }
};

//! Into room for as many items as there are of each kind, and in place.
template <class T, class Flag>
void check_partitions(std::size_t size, selected which, std::size_t in_behind, std::size_t out_behind,
                      std::size_t rejected_behind)
{
  const std::vector<T> items = make_items<T>(size, 1);
  const std::vector<Flag> flags = make_flags<Flag>(size, which);
  const std::vector<T> chosen = selection_reference(items, flags), others = rejected_reference(items, flags);
  placed<T> in(items, in_behind);
  placed<Flag> stencil(flags, out_behind);
  for_each_seed(2,
                [&]
                {
                  placed<T> out(chosen.size(), out_behind), rejected(others.size(), rejected_behind);
                  const auto ends = thrust::partition_copy(reheat::par, in.begin(), in.end(), stencil.begin(), out.begin(),
                                                           rejected.begin(), is_flag{});
                  BOOST_TEST((ends.first == out.end()));
                  BOOST_TEST((ends.second == rejected.end()));
                  check_same("selected", chosen, out.items());
                  check_same("rejected", others, rejected.items());
                });
  for_each_seed(2,
                [&]
                {
                  placed<T> both(items, in_behind);
                  T* const middle = thrust::partition(reheat::par, both.begin(), both.end(), stencil.begin(), is_flag{});
                  BOOST_TEST((middle == both.begin() + chosen.size()));
                  check_same("in place", one_behind_the_other(chosen, others), both.items());
                });
}

//! Items that are their own flags.
template <class T>
void check_own_flags(std::size_t size, selected which, std::size_t in_behind, std::size_t out_behind,
                     std::size_t rejected_behind)
{
  const std::vector<T> items = make_flags<T>(size, which);
  const std::vector<T> chosen = selection_reference(items, items), others = rejected_reference(items, items);
  placed<T> in(items, in_behind);
  for_each_seed(2,
                [&]
                {
                  placed<T> out(chosen.size(), out_behind), rejected(others.size(), rejected_behind);
                  const auto ends = thrust::stable_partition_copy(reheat::par, in.begin(), in.end(), out.begin(),
                                                                  rejected.begin(), is_flag{});
                  BOOST_TEST((ends.first == out.end()));
                  BOOST_TEST((ends.second == rejected.end()));
                  check_same("selected", chosen, out.items());
                  check_same("rejected", others, rejected.items());
                });
  for_each_seed(2,
                [&]
                {
                  placed<T> both(items, in_behind);
                  T* const middle = thrust::stable_partition(reheat::par, both.begin(), both.end(), is_flag{});
                  BOOST_TEST((middle == both.begin() + chosen.size()));
                  check_same("in place", one_behind_the_other(chosen, others), both.items());
                });
}

template <class T>
void check_own_flags_of_all()
{
  for (const selected which : all_selections)
  {
    for (const std::size_t size : few_sizes_and_many(select_tile<T>()))
    {
      check_own_flags<T>(size, which, 0, 0, 0);
      check_own_flags<T>(size, which, 1, 2, 3);
    }
  }
}
template <class T, class Flag>
void check_partitions_of_all()
{
  for (const selected which : all_selections)
  {
    for (const std::size_t size : few_sizes(select_tile<T, sizeof(Flag)>()))
    {
      check_partitions<T, Flag>(size, which, 0, 0, 1);
    }
  }
}

//! Is asked about places, and counts how often about each.
struct noting_question
{
  unsigned* asked;
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t place) const
  {
    count_up(asked + place);
    return place % 5 < 2;
  }
};
struct is_every_third
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t i) const { return i % 3 == 0; }
};

struct plus_one
{
  REHEAT_HOST_DEVICE std::uint32_t operator()(std::uint64_t number) const { return static_cast<std::uint32_t>(number + 1); }
};

//! partition_copy and partition_copy_into with outputs that are `nowhere`.
template <class Discard>
void check_discarded_outputs(const Discard& nowhere)
{
  static_assert(reheat::detail::is_discarded_v<Discard>); // so the other output is that of a selection
  using u32 = std::uint32_t;
  for (const std::size_t size : few_sizes_and_many(select_tile<u32>()))
  {
    const std::vector<u32> items = make_items<u32>(size, 5), flags = make_flags<u32>(size, selected::runs);
    const std::vector<u32> chosen = selection_reference(items, flags), others = rejected_reference(items, flags);
    const thrust::device_vector<u32> in = to_device(items), stencil = to_device(flags);
    thrust::device_vector<u32> out(chosen.size()), rejected(others.size()), number(1);
    const auto selected_only =
        thrust::partition_copy(reheat::par, in.begin(), in.end(), stencil.begin(), out.begin(), nowhere, is_flag{});
    BOOST_TEST((selected_only.first == out.end()));
    BOOST_TEST((selected_only.second == nowhere + static_cast<std::ptrdiff_t>(others.size())));
    check_same("selected", chosen, to_host(out));
    const auto rejected_only =
        thrust::partition_copy(reheat::par, in.begin(), in.end(), stencil.begin(), nowhere, rejected.begin(), is_flag{});
    BOOST_TEST((rejected_only.first == nowhere + static_cast<std::ptrdiff_t>(chosen.size())));
    BOOST_TEST((rejected_only.second == rejected.end()));
    check_same("rejected", others, to_host(rejected));
    const auto neither = thrust::partition_copy(reheat::par, stencil.begin(), stencil.end(), nowhere, nowhere, is_flag{});
    BOOST_TEST((neither.first == nowhere + static_cast<std::ptrdiff_t>(chosen.size())));
    BOOST_TEST((neither.second == nowhere + static_cast<std::ptrdiff_t>(others.size())));
    thrust::fill(out.begin(), out.end(), u32{0});
    reheat::partition_copy_into(reheat::par, in.begin(), in.end(), stencil.begin(), out.begin(), nowhere, is_flag{},
                                number.begin());
    BOOST_TEST(to_host(number)[0] == chosen.size());
    check_same("selected, with their number on the device", chosen, to_host(out));
    reheat::partition_copy_into(reheat::par, in.begin(), in.end(), stencil.begin(), nowhere, rejected.begin(), is_flag{},
                                number.begin());
    BOOST_TEST(to_host(number)[0] == chosen.size());
    check_same("rejected, with the number of the others on the device", others, to_host(rejected));
    const auto one_more = thrust::make_transform_output_iterator(number.begin(), plus_one{});
    reheat::partition_copy_into(reheat::par, in.begin(), in.end(), stencil.begin(), nowhere, nowhere, is_flag{}, one_more);
    BOOST_TEST(to_host(number)[0] == chosen.size() + 1);
    reheat::partition_copy_into(reheat::par, in.begin(), in.end(), stencil.begin(), nowhere, rejected.begin(), is_flag{},
                                one_more);
    BOOST_TEST(to_host(number)[0] == chosen.size() + 1);
    reheat::partition_copy_into(reheat::par, in.begin(), in.begin(), nowhere, rejected.begin(), is_flag{}, number.begin());
    BOOST_TEST(to_host(number)[0] == 0u);
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(partitions)

BOOST_AUTO_TEST_CASE(bytes)
{
  check_own_flags_of_all<std::uint8_t>();
}
BOOST_AUTO_TEST_CASE(words_of_4_bytes)
{
  check_own_flags_of_all<std::uint32_t>();
}
BOOST_AUTO_TEST_CASE(words_of_8_bytes_by_stencils)
{
  check_partitions_of_all<std::uint64_t, std::uint8_t>();
}
BOOST_AUTO_TEST_CASE(structs_of_12_and_16_bytes_by_stencils)
{
  check_partitions_of_all<words<3>, std::uint32_t>();
  check_partitions_of_all<compat::words<4>, std::uint8_t>();
}
BOOST_AUTO_TEST_CASE(objects_are_constructed_in_scratch_memory)
{
  check_partitions_of_all<tracked<false>, std::uint32_t>();
}

BOOST_AUTO_TEST_CASE(every_alignment_of_input_and_outputs)
{
  const std::size_t size = 2 * select_tile<std::uint16_t>() + 77;
  for (std::size_t in = 0; in < 8; ++in)
  {
    for (std::size_t out = 0; out < 8; ++out)
    {
      check_own_flags<std::uint16_t>(size, selected::a_tenth, in, out, (3 * in + 5 * out) % 8);
    }
  }
  for (std::size_t in = 0; in < 16; ++in) // where the copy back begins
  {
    check_own_flags<std::uint8_t>(3000, selected::runs, in, 0, 0);
  }
}

BOOST_AUTO_TEST_CASE(the_predicate_is_asked_once_about_each_item)
{
  const std::size_t size = 3 * select_tile<std::uint32_t>() + 5;
  std::vector<std::uint32_t> items(size);
  for (std::size_t i = 0; i < size; ++i)
  {
    items[i] = static_cast<std::uint32_t>(i);
  }
  thrust::device_vector<std::uint32_t> in = to_device(items), out(size), rejected(size), both = in;
  thrust::device_vector<unsigned> asked(size, 0);
  const noting_question question{raw(asked)};
  thrust::partition_copy(reheat::par, in.begin(), in.end(), out.begin(), rejected.begin(), question);
  thrust::partition(reheat::par, both.begin(), both.end(), question);
  thrust::stable_partition_copy(reheat::par, in.begin(), in.end(), in.begin(), out.begin(), rejected.begin(), question);
  check_same("asked", std::vector<unsigned>(size, 3), to_host(asked));
}

BOOST_AUTO_TEST_CASE(iterators_that_are_no_memory)
{
  using u32 = std::uint32_t;
  const u32 size = static_cast<u32>(2 * select_tile<u32>() + 33);
  const std::vector<u32> flags = make_flags<u32>(size, selected::every_second);
  std::vector<u32> places(size);
  for (u32 i = 0; i < size; ++i)
  {
    places[i] = i;
  }
  const std::vector<u32> chosen = selection_reference(places, flags), others = rejected_reference(places, flags);
  const thrust::device_vector<u32> stencil = to_device(flags);
  const thrust::counting_iterator<u32> first(0);
  {
    thrust::device_vector<u32> out(chosen.size()), rejected(others.size());
    const auto ends =
        thrust::partition_copy(reheat::par, first, first + size, stencil.begin(), out.begin(), rejected.begin(), is_flag{});
    BOOST_TEST((ends.first == out.end()));
    BOOST_TEST((ends.second == rejected.end()));
    check_same("counted, selected", chosen, to_host(out));
    check_same("counted, rejected", others, to_host(rejected));
  }
  {
    thrust::device_vector<u32> rejected(size - (size + 2) / 3);
    const auto ends = thrust::partition_copy(reheat::par, first, first + size, thrust::make_discard_iterator(),
                                             rejected.begin(), is_every_third{});
    BOOST_TEST((ends.second == rejected.end()));
    const u32 last = (size - 1) % 3 == 0 ? size - 2 : size - 1;
    BOOST_TEST(to_host(rejected).back() == last);
  }
  {
    thrust::device_vector<u32> items = to_device(places), twins = to_device(flags);
    const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(items.begin(), twins.begin()));
    const auto middle = thrust::partition(reheat::par, pairs, pairs + size, stencil.begin(), is_flag{});
    BOOST_TEST((middle - pairs == static_cast<std::ptrdiff_t>(chosen.size())));
    check_same("zipped, first", one_behind_the_other(chosen, others), to_host(items));
    check_same("zipped, second", one_behind_the_other(selection_reference(flags, flags), rejected_reference(flags, flags)),
               to_host(twins));
  }
}

BOOST_AUTO_TEST_CASE(either_output_may_be_discarded)
{
  check_discarded_outputs(thrust::make_discard_iterator());
#if REHEAT_HAS_CUDA_DISCARD_ITERATOR
  check_discarded_outputs(cuda::discard_iterator());
#endif
}

BOOST_AUTO_TEST_CASE(results_are_upstreams)
{
  using u32 = std::uint32_t;
  const std::vector<u32> items = make_items<u32>(3 * select_tile<u32>(), 7);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> ours = in, theirs = in, out(items.size()), rejected(items.size());
  thrust::device_vector<u32> their_out(items.size()), their_rejected(items.size());
  const auto ours_at = thrust::stable_partition(reheat::par, ours.begin(), ours.end(), is_flag{}) - ours.begin();
  const auto theirs_at = thrust::stable_partition(thrust::device, theirs.begin(), theirs.end(), is_flag{}) - theirs.begin();
  BOOST_TEST(ours_at == theirs_at);
  check_same("stable_partition", to_host(theirs), to_host(ours));
  thrust::partition_copy(reheat::par, in.begin(), in.end(), out.begin(), rejected.begin(), is_flag{});
  thrust::partition_copy(thrust::device, in.begin(), in.end(), their_out.begin(), their_rejected.begin(), is_flag{});
  check_same("selected", to_host(their_out), to_host(out));
  check_same("rejected", to_host(their_rejected), to_host(rejected));
}

BOOST_AUTO_TEST_CASE(ranges_without_items_and_negative_ones_give_the_beginning)
{
  thrust::device_vector<std::uint32_t> data(4, 3u);
  for (const auto last : {data.begin() + 2, data.begin()})
  {
    const auto first = data.begin() + 2;
    BOOST_TEST((thrust::partition(reheat::par, first, last, is_flag{}) == first));
    BOOST_TEST((thrust::stable_partition(reheat::par, first, last, first, is_flag{}) == first));
    const auto ends = thrust::partition_copy(reheat::par, first, last, data.begin(), data.begin() + 1, is_flag{});
    BOOST_TEST((ends.first == data.begin()));
    BOOST_TEST((ends.second == data.begin() + 1));
  }
}

BOOST_AUTO_TEST_CASE(the_first_output_may_begin_where_the_input_begins)
{
  using u32 = std::uint32_t;
  const std::vector<u32> items = make_flags<u32>(7 * select_tile<u32>() + 3, selected::nine_tenths);
  const std::vector<u32> chosen = selection_reference(items, items), others = rejected_reference(items, items);
  for_each_seed(many_seeds,
                [&]
                {
                  placed<u32> both(items, std::size_t{1}), rejected(others.size(), std::size_t{0});
                  const auto ends = thrust::partition_copy(reheat::par, both.begin(), both.end(), both.begin(),
                                                           rejected.begin(), is_flag{});
                  BOOST_TEST((ends.first == both.begin() + chosen.size()));
                  check_same("selected", in_place_reference(chosen, items), both.items());
                  check_same("rejected", others, rejected.items());
                });
}

BOOST_AUTO_TEST_CASE(without_memory_a_call_in_place_throws_and_the_range_stays)
{
  using u32 = std::uint32_t;
  const std::vector<u32> items = make_flags<u32>(3000, selected::every_second);
  thrust::device_vector<u32> both = to_device(items);
  ledger book;
  ledger_allocator<char> allocator(book);
  book.fails = true;
  BOOST_CHECK_THROW(thrust::stable_partition(reheat::par(allocator), both.begin(), both.end(), is_flag{}), std::bad_alloc);
  check_same("after a failure", items, to_host(both));
  book.fails = false;
  const auto middle = thrust::stable_partition(reheat::par(allocator), both.begin(), both.end(), is_flag{});
  BOOST_TEST((middle - both.begin() == 1500));
  BOOST_TEST(book.held == 0);
}

BOOST_AUTO_TEST_CASE(copy_if_into_leaves_the_number_on_the_device)
{
  using u32 = std::uint32_t;
  for (const std::size_t size : few_sizes(select_tile<u32>()))
  {
    const std::vector<u32> items = make_flags<u32>(size, selected::runs);
    const std::vector<u32> chosen = selection_reference(items, items);
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u32> out(size);
    thrust::device_vector<std::uint64_t> counts(2, 77);
    thrust::device_vector<u32> narrow(1, 77);
    reheat::copy_if_into(reheat::par, in.begin(), in.end(), out.begin(), is_flag{}, counts.begin());
    reheat::copy_if_into(reheat::par_nosync, in.begin(), in.end(), in.begin(), out.begin(), is_flag{}, raw(counts) + 1);
    reheat::copy_if_into(reheat::par_nosync, in.begin(), in.end(), out.begin(), is_flag{}, narrow.begin());
    wait_for_all_streams();
    check_same("counts", std::vector<std::uint64_t>(2, chosen.size()), to_host(counts));
    check_same("narrow count", std::vector<u32>(1, static_cast<u32>(chosen.size())), to_host(narrow));
    std::vector<u32> copies = to_host(out);
    copies.resize(chosen.size());
    check_same("copies", chosen, copies);
  }
}

BOOST_AUTO_TEST_CASE(partition_into_of_no_items_stores_that_none_is_selected)
{
  thrust::device_vector<std::uint32_t> items(3, 5u), count(1, 77u);
  for (const auto last : {items.begin() + 1, items.begin()})
  {
    count[0] = 77;
    reheat::partition_into(reheat::par, items.begin() + 1, last, is_flag{}, count.begin());
    check_same("count", std::vector<std::uint32_t>{0}, to_host(count));
  }
  check_same("items", std::vector<std::uint32_t>(3, 5), to_host(items));
}

BOOST_AUTO_TEST_CASE(other_selections_leave_the_number_on_the_device_too)
{
  using u32 = std::uint32_t;
  for (const std::size_t size : few_sizes(select_tile<u32>()))
  {
    const std::vector<u32> flags = make_flags<u32>(size, selected::runs);
    const std::vector<u32> chosen = selection_reference(flags, flags), others = rejected_reference(flags, flags);
    std::vector<u32> places(size);
    for (std::size_t i = 0; i < size; ++i)
    {
      places[i] = static_cast<u32>(i);
    }
    const std::vector<u32> halves = unique_reference(places, places, in_one_half{});
    const thrust::device_vector<u32> in = to_device(flags), numbers = to_device(places);
    thrust::device_vector<u32> rejected(size), out(size), out_too(size), own = in, runs(size), values(size),
                                                                         own_runs = numbers, all = numbers;
    thrust::device_vector<u32> parted = in, parted_too = numbers, without(size), own_without = in, keys = numbers,
                               own_values = in;
    thrust::device_vector<std::uint64_t> counts(12, 77);
    const auto count = counts.begin();
    reheat::remove_if_into(reheat::par_nosync, own.begin(), own.end(), is_flag{}, count);
    reheat::remove_copy_if_into(reheat::par_nosync, in.begin(), in.end(), in.begin(), rejected.begin(), is_flag{},
                                count + 1);
    reheat::partition_copy_into(reheat::par_nosync, in.begin(), in.end(), out.begin(), out_too.begin(), is_flag{},
                                count + 2);
    reheat::unique_into(reheat::par_nosync, own_runs.begin(), own_runs.end(), in_one_half{}, count + 3);
    reheat::unique_into(reheat::par_nosync, all.begin(), all.end(), count + 6);
    reheat::unique_copy_into(reheat::par_nosync, numbers.begin(), numbers.end(), runs.begin(), count + 4);
    reheat::unique_by_key_copy_into(reheat::par, numbers.begin(), numbers.end(), in.begin(), thrust::make_discard_iterator(),
                                    values.begin(), in_one_half{}, count + 5);
    reheat::partition_into(reheat::par_nosync, parted.begin(), parted.end(), is_flag{}, count + 7);
    reheat::partition_into(reheat::par, parted_too.begin(), parted_too.end(), in.begin(), is_flag{}, count + 8);
    reheat::remove_copy_into(reheat::par_nosync, in.begin(), in.end(), without.begin(), flags[0], count + 9);
    reheat::remove_into(reheat::par_nosync, own_without.begin(), own_without.end(), flags[0], count + 10);
    reheat::unique_by_key_into(reheat::par_nosync, keys.begin(), keys.end(), own_values.begin(), in_one_half{}, count + 11);
    std::vector<u32> unlike;
    std::remove_copy(flags.begin(), flags.end(), std::back_inserter(unlike), flags[0]);
    check_same("counts",
               std::vector<std::uint64_t>{others.size(), others.size(), chosen.size(), halves.size(), size, halves.size(),
                                          size, chosen.size(), chosen.size(), unlike.size(), unlike.size(), halves.size()},
               to_host(counts));
    check_same("partition_into", one_behind_the_other(chosen, others), to_host(parted));
    check_same("partition_into by a stencil",
               one_behind_the_other(selection_reference(places, flags), rejected_reference(places, flags)),
               to_host(parted_too));
    check_same("remove_copy_into", unlike, to_host(without, 0, unlike.size()));
    check_same("remove_into", in_place_reference(unlike, flags), to_host(own_without));
    check_same("unique_by_key_into, keys", in_place_reference(halves, places), to_host(keys));
    check_same("unique_by_key_into, values", in_place_reference(unique_reference(places, flags, in_one_half{}), flags),
               to_host(own_values));
    check_same("remove_if_into", others, to_host(own, 0, others.size()));
    check_same("remove_copy_if_into", others, to_host(rejected, 0, others.size()));
    check_same("partition_copy_into, selected", chosen, to_host(out, 0, chosen.size()));
    check_same("partition_copy_into, rejected", others, to_host(out_too, 0, others.size()));
    check_same("unique_into", halves, to_host(own_runs, 0, halves.size()));
    check_same("unique_into, equal items", places, to_host(all));
    check_same("unique_copy_into", places, to_host(runs));
    check_same("unique_by_key_copy_into", unique_reference(places, flags, in_one_half{}), to_host(values, 0, halves.size()));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
