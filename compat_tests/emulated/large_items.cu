// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Items so large that even the smallest tile does not fit a block's shared memory, in the shapes of the GPUs that have
//! least of it: their tiles lie in scratch memory.

#include "../support/calls.hpp"
#include "../support/compare.hpp"
#include "../support/device_calls.hpp"
#include "../support/memory.hpp"
#include "../support/reference.hpp"
#include "../support/segments.hpp"
#include "../support/shapes.hpp"

#include <thrust/scan.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace compat
{

//! More than 592 bytes, which are not copied as they are: a `tracked` and others.
struct large_object
{
  tracked<true> value;
  std::uint32_t others[148] = {};
};
template <>
struct values<large_object>
{
  using T = large_object;
  static T make(std::size_t index) { return {values<tracked<true>>::make(index)}; }
  static T fold(const T& x, const T& y) { return {values<tracked<true>>::fold(x.value, y.value)}; }
  static bool same(const T& x, const T& y) { return values<tracked<true>>::same(x.value, y.value); }
};

} // namespace compat

using namespace compat;

BOOST_AUTO_TEST_SUITE(large_items)

namespace
{

namespace detail = reheat::detail;

using u32 = std::uint32_t;
using bytes640 = words<160>;
using kilobyte = words<256>;

inline constexpr unsigned seeds = 3;

//! One item, tiles and groups of tiles, with one item less or more.
constexpr std::size_t sizes[] = {1, 31, 33, 32 * 32 + 1, 3 * 32 * 32 - 1};

//! The scan's shape on `arch`, and that of reductions.
template <class T>
detail::scan_config scan_shape(int arch)
{
  return typename detail::scan_tuning_of<const T*, T*, T>::type{}(arch);
}
template <class T>
detail::reduce_config reduce_shape(int arch)
{
  return detail::reduce_tuning_of<T, T, fold>{}(arch);
}

//! Room for the items that each thread has on its stack.
class wide_stacks
{
public:
  wide_stacks() { reheat::emulator::set_stack_bytes(std::size_t{1} << 20); }
  wide_stacks(const wide_stacks&) = delete;
  wide_stacks& operator=(const wide_stacks&) = delete;
  ~wide_stacks() { reheat::emulator::set_stack_bytes(before_); }

private:
  std::size_t before_ = reheat::emulator::stack_bytes();
};

template <int Arch, class T>
void check_scans(placement where)
{
  const wide_stacks room;
  BOOST_TEST(scan_shape<T>(Arch).in_scratch);
  for (const std::size_t size : sizes)
  {
    const std::vector<T> items = make_items<T>(size, 1);
    const T init = values<T>::make(0);
    placed<T> in(items, where);
    const T* const first = in.begin();
    for_each_seed(
        seeds,
        [&]
        {
          placed<T> out(size, where);
          scan_in_shape<Arch, detail::scan_kind::inclusive>(first, out.begin(), size, detail::scan_without_init<T>{});
          check_same("inclusive scan", inclusive_reference<T, T>(items, fold{}), out.items());
          scan_in_shape<Arch, detail::scan_kind::exclusive>(first, out.begin(), size, detail::scan_with_init<T>{init});
          check_same("exclusive scan", exclusive_reference<T, T>(items, init, fold{}), out.items());
        });
  }
}

//! Keys and values, one of them large.
template <int Arch, class Key, class T>
void check_by_key()
{
  const wide_stacks room;
  for (const std::size_t size : sizes)
  {
    const std::vector<Key> keys = make_keys<Key>(size, segments::of_few, 32);
    const std::vector<T> items = make_items<T>(size, 1);
    const std::vector<T> scanned = inclusive_by_key_reference<T, T>(keys, items, equal{}, fold{});
    const auto reduced = reduce_by_key_reference<T, T>(keys, items, equal{}, fold{});
    const std::size_t ends = reduced.first.size();
    placed<Key> in_keys(keys, placement::aligned);
    placed<T> in(items, placement::aligned);
    const Key* const first_key = in_keys.begin();
    const T* const first = in.begin();
    for_each_seed(seeds,
                  [&]
                  {
                    placed<T> out(size, placement::aligned), sums(ends, placement::aligned);
                    placed<Key> keys_out(ends, placement::aligned);
                    scan_by_key_in_shape<Arch>(first_key, first, out.begin(), size);
                    check_same("scan by key", scanned, out.items());
                    BOOST_TEST(reduce_by_key_in_shape<Arch>(first_key, first, keys_out.begin(), sums.begin(), size) == ends);
                    check_same("keys of reduce_by_key", reduced.first, keys_out.items());
                    check_same("sums of reduce_by_key", reduced.second, sums.items());
                  });
  }
}

template <int Arch, class T>
void check_reduce()
{
  const wide_stacks room;
  BOOST_TEST(reduce_shape<T>(Arch).in_scratch);
  for (const std::size_t size : {std::size_t{1}, std::size_t{63}, std::size_t{64 * 128 + 1}})
  {
    const std::vector<T> items = make_items<T>(size, 1);
    const T init = values<T>::make(0), expected = reduce_reference<T>(items, init, fold{});
    placed<T> in(items, placement::aligned);
    const T* const first = in.begin();
    for_each_seed(2,
                  [&]
                  {
                    T actual = init;
                    reduce_in_shape<Arch>(first, size, init, &actual);
                    check_result("reduction", size, expected, actual);
                  });
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(what_fits_shared_memory_stays_there)
{
  for (const int arch : {0, 750, 800, 860, 890, 900, 1000, 1200})
  {
    BOOST_TEST_CONTEXT("arch " << arch)
    {
      BOOST_TEST(!scan_shape<words<64>>(arch).in_scratch);
      BOOST_TEST(!reduce_shape<words<64>>(arch).in_scratch);
    }
  }
  BOOST_TEST(!scan_shape<bytes640>(860).in_scratch);
  BOOST_TEST(!scan_shape<kilobyte>(900).in_scratch);
  BOOST_TEST(!reduce_shape<kilobyte>(860).in_scratch);
}

BOOST_AUTO_TEST_CASE(scans_on_sm_75)
{
  check_scans<750, bytes640>(placement::aligned);
  check_scans<750, bytes640>(placement::misaligned);
}

BOOST_AUTO_TEST_CASE(scans_on_sm_86)
{
  check_scans<860, kilobyte>(placement::aligned);
}

BOOST_AUTO_TEST_CASE(scans_of_items_that_are_not_copied_by_their_bytes)
{
  check_scans<750, large_object>(placement::aligned);
}

BOOST_AUTO_TEST_CASE(scans_and_reductions_by_key_of_large_values)
{
  check_by_key<750, u32, bytes640>();
}

BOOST_AUTO_TEST_CASE(scans_and_reductions_by_large_keys)
{
  check_by_key<750, kilobyte, u32>();
}

BOOST_AUTO_TEST_CASE(reductions_in_order_on_sm_75)
{
  check_reduce<750, kilobyte>();
}

BOOST_AUTO_TEST_CASE(scans_of_any_size_of_item_on_every_machine)
{
  using items_4k = words<1024>;
  const wide_stacks room;
  const std::vector<items_4k> items = make_items<items_4k>(100);
  thrust::device_vector<items_4k> in_place = to_device(items);
  thrust::inclusive_scan(reheat::par, in_place.begin(), in_place.end(), in_place.begin(), fold{});
  check_same("inclusive scan", inclusive_reference<items_4k, items_4k>(items, fold{}), to_host(in_place));
}

BOOST_AUTO_TEST_CASE(the_scratch_memory_of_tiles_may_be_the_caller_s)
{
  using items_4k = words<1024>;
  const wide_stacks room;
  BOOST_TEST(scan_shape<items_4k>(0).in_scratch);
  BOOST_TEST(reduce_shape<items_4k>(0).in_scratch);
  const items_4k init = values<items_4k>::make(0);
  for (const std::size_t size : {std::size_t{1}, std::size_t{100}})
  {
    const std::vector<items_4k> items = make_items<items_4k>(size);
    const thrust::device_vector<items_4k> in = to_device(items);
    thrust::device_vector<items_4k> out(size);
    for (const std::size_t offset : {std::size_t{0}, std::size_t{77}})
    {
      two_phases(
          "InclusiveScan",
          [&](void* memory, std::size_t& bytes, reheat::stream_type stream)
          { return reheat::DeviceScan::InclusiveScan(memory, bytes, raw(in), raw(out), fold{}, size, stream); },
          default_stream(), offset);
      check_same("InclusiveScan", inclusive_reference<items_4k, items_4k>(items, fold{}), to_host(out));
      two_phases(
          "Reduce",
          [&](void* memory, std::size_t& bytes, reheat::stream_type stream)
          { return reheat::DeviceReduce::Reduce(memory, bytes, raw(in), raw(out), size, fold{}, init, stream); },
          default_stream(), offset);
      check_result("Reduce", size, reduce_reference<items_4k>(items, init, fold{}), to_host(out)[0]);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
